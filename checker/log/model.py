"""The typed model of one round of play, as a log tells it (format 1).

Money is an int of minor units (cents). Nothing here knows a rule: a round may be
well formed and still break every clause of the rulebook.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, lru_cache
from typing import Any, Final, TypeAlias, TypeVar, dataclass_transform

FORMAT: Final = 1

STAKE_MAX: Final = 10**12
"""The highest stake or limit in cents. Bounded so that sums stay far inside 64 bits."""

RETURN_MAX: Final = 10**15
"""The highest amount in cents that one settlement or adjustment may move."""

DECKS_MAX: Final = 12
BOX_MAX: Final = 9
SEAT_MAX: Final = 99
"""Of a seat at a table whose hands have names, not boxes."""
HAND_MAX: Final = 99
DEALER: Final = 0
NO_BOX: Final = -1
"""Of a wager or a settlement on the table itself, and of a card to a hand with a name."""

JOKER: Final = "JOKER"
RANKS: Final = "A23456789TJQK"
MOST_EVENTS: Final = 4096  # of a round: many times as many as seven boxes can come to
SUITS: Final = "SHDC"
CARDS: Final = frozenset({rank + suit for rank in RANKS for suit in SUITS} | {JOKER})

FACES: Final = frozenset({"up", "down"})
SCOPES: Final = frozenset({"round", "box", "hand"})
FOUND: Final = frozenset(
    {
        "before_deal",
        "initial_deal",
        "subsequent_deal",
        "after_second_card",
        "after_round",
        "next_round",
    }
)


_E = TypeVar("_E")
Said: TypeAlias = tuple[tuple[str, str | int | bool], ...]
"""Further fields of an event, by name; a number with decimals is text."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def unchanging(cls: type[_E]) -> type[_E]:
    """A dataclass that nobody may change, as the type checker sees to. Were it frozen for Python
    too, it would take twice as long to make, and a log has many rounds and events."""
    return dataclass(slots=True, unsafe_hash=True)(cls)


@unchanging
class _Event:
    n: int = field(default=0, kw_only=True)
    """The index of the event in its round, from 0."""


@unchanging
class Wager(_Event):
    box: int
    player: str
    bet: str
    stake: int
    control: bool = False
    seated: bool | None = None
    player_card: str | None = None
    recognised: bool | None = None
    joined_after_change: bool | None = None
    in_order: bool | None = None
    undisclosed: bool = False
    chips_held: int | None = None
    wins: int | None = None
    """Of a bet that runs over several rounds: how often in a row it has won before."""


@unchanging
class Deal(_Event):
    box: int
    hand: int
    card: str
    down: bool = False
    to: str | None = None
    """The hand by its name, in a game that has such; `box` is NO_BOX then."""


@unchanging
class Reveal(_Event):
    """Cards that lie face down are turned: of a hand, or of all hands of the box."""

    box: int
    hand: int | None = None
    to: str | None = None


@unchanging
class Peek(_Event):
    """The dealer, or a device, looked at a card that lies face down."""

    box: int = DEALER
    to: str | None = None


@unchanging
class Play(_Event):
    box: int
    hand: int
    player: str
    do: str
    stake: int | None = None
    bet: str | None = None
    """The bet that it belongs to, where a player has several (`for` in the log)."""


@unchanging
class Settle(_Event):
    box: int
    hand: int | None
    player: str
    bet: str
    returned: int


@unchanging
class Burn(_Event):
    card: str | None = None


@unchanging
class CutCard(_Event):
    box: int | None = None


@unchanging
class Shuffle(_Event):
    pass


@unchanging
class NoMoreBets(_Event):
    pass


@unchanging
class Offer(_Event):
    what: str


@unchanging
class Absent(_Event):
    box: int
    player: str


@unchanging
class Approve(_Event):
    what: str
    by: str | None = None
    player: str | None = None
    """Whom it concerns; everybody when absent."""


@unchanging
class Void(_Event):
    scope: str
    reason: str | None = None
    box: int | None = None
    hand: int | None = None


@unchanging
class Adjust(_Event):
    player: str
    amount: int
    """Signed: above 0 went to the player, below 0 was taken back."""
    reason: str | None = None
    box: int | None = None
    bet: str | None = None


@unchanging
class Malfunction(_Event):
    disadvantage: bool | None = None
    reason: str | None = None


@unchanging
class Irregularity(_Event):
    """Something went wrong in the round; `what` is a word that the rules know."""

    what: str
    found: str | None = None
    """When it was found, a word of FOUND."""
    box: int | None = None
    player: str | None = None
    said: Said = ()
    """What else the log says of it."""

    @property
    def words(self) -> frozenset[str]:
        """What the rules may ask: what happened, and this joined to what is said of it. For `x`
        with `seen` true, `open` false and `who` the pit boss: x, x_seen, x_not_open, x_pit_boss."""
        found = {self.what}
        for key, value in self.said:
            if value is True or value is False:
                found.add(f"{self.what}_{key}" if value else f"{self.what}_not_{key}")
            elif type(value) is str:
                found.add(f"{self.what}_{value}".replace(" ", "_"))
        return frozenset(found)


@unchanging
class Refuse(_Event):
    """A player refuses a card."""

    box: int
    player: str | None = None
    card: str | None = None


@unchanging
class Designate(_Event):
    """A player says on which hand of a box that was split the wager lies."""

    box: int
    player: str
    hand: int


@unchanging
class Announce(_Event):
    what: str


@unchanging
class Warn(_Event):
    player: str
    what: str


@unchanging
class Withdraw(_Event):
    box: int
    hand: int
    player: str


@unchanging
class Note(_Event):
    text: str = ""


@unchanging
class Unknown(_Event):
    """An event of a kind that format 1 does not have, or that the rulebook's game cannot place."""

    part: str
    """What of it is not known: the event, the bet, the play, …"""
    name: str
    of_box: int | None
    """The box of a play."""
    text: str
    """All of it, for whoever compares two rounds."""
    said: Said = ()
    """Its fields, as far as they are words and numbers."""


Event: TypeAlias = (
    Wager
    | Deal
    | Reveal
    | Peek
    | Play
    | Settle
    | Burn
    | CutCard
    | Shuffle
    | NoMoreBets
    | Offer
    | Absent
    | Approve
    | Void
    | Adjust
    | Malfunction
    | Irregularity
    | Refuse
    | Designate
    | Announce
    | Warn
    | Withdraw
    | Note
    | Unknown
)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one bet at the table, as the log states them; None is not stated."""

    min: int | None = None
    max: int | None = None
    unit: int | None = None
    box_max: dict[int, int] | None = None
    smallest_chip: int | None = None
    multiples_notice: bool | None = None


@unchanging
class Round:
    id: str
    table: str
    shoe: str | None
    at: datetime
    """Always aware: a time without a zone is not a valid round."""
    rulebook: str | None
    decks: int
    options: frozenset[str]
    limits: dict[str, Limits]
    events: tuple[Event, ...]
    line: int
    """The line of the log, or the row of a Parquet file, from 1."""
    options_stated: bool = True
    not_recorded: frozenset[str] = frozenset()
    """What this log does not tell."""
    meters: dict[str, int] = field(default_factory=dict)
    """The amounts that progressive bets pay from, in cents."""

    @property
    def choices(self) -> dict[str, str]:
        """What the house has chosen, by the name of the choice."""
        return choices_in(self.options)


@lru_cache(maxsize=256)
def choices_in(options: frozenset[str]) -> dict[str, str]:
    """The options written `NAME=VALUE`; one that is given two values is not there."""
    made: dict[str, str] = {}
    twice = set()
    for name, equals, value in (word.partition("=") for word in sorted(options)):
        if equals:
            twice.update([name] if name in made else [])
            made[name] = value
    return {name: value for name, value in made.items() if name not in twice}


@cache
def round_schema() -> dict[str, Any]:
    """The JSON Schema of format 1, its numbers exact."""
    import json
    from decimal import Decimal
    from importlib.resources import files

    text = files("checker.log").joinpath("round_schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text, parse_float=Decimal)
    return schema
