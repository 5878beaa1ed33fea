"""A table of the simulation: its cards, limits and options, chosen so that the rules allow them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random

from checker.evaluate.dealer_draw import ranks_in_play
from checker.evaluate.engine import Engine
from checker.evaluate.memory.seam import Kept
from checker.evaluate.scene import SeenScene
from checker.log import model as r
from checker.simulate.house import (
    bets_offered,
    meters_of,
    needed,
    only_paid,
    options_of_house,
)
from checker.table.shoes import ShoeView
from checker.table.state import Table
from rulespec.resolve.question import about_bet, requiring
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.walk import walk

BOXES = 7
MOST_PLAYERS = 5  # tried on one box
DECK_COUNTS = range(1, r.DECKS_MAX + 1)
# minimum, maximum, unit, smallest chip, all in cents
_LIMITS = (
    (200, 20_000, 100, 100),
    (500, 50_000, 500, 250),
    (1_000, 100_000, 500, 250),
    (1_500, 75_000, 500, 100),
    (2_500, 200_000, 500, 500),
)
_CHIPS = (
    200,
    300,
    500,
    700,
    1_000,
    1_500,
    2_000,
    2_500,
    3_000,
    3_500,
    5_000,
    7_500,
    10_000,
    15_000,
    20_000,
    30_000,
    50_000,
    100_000,
)
_NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)

Wanted = Callable[[str], bool]


class Unusable(Exception):
    """The round came to a point that the rules leave open; another one is dealt instead."""

    def __init__(self, why: str, rules: Iterable[Rule] = ()) -> None:
        super().__init__(why)
        self.clauses = tuple(dict.fromkeys(rule.clause for rule in rules))


class ShoeEmpty(Exception):
    """No card is left; the round has to be dealt otherwise."""


class Shoe:
    """The cards of one shoe in the order in which they will come."""

    def __init__(self, name: str, ranks: str, decks: int, rng: Random) -> None:
        self.name = name
        self.decks = decks
        self.cards = [rank + suit for rank in ranks for suit in r.SUITS] * decks
        rng.shuffle(self.cards)
        self.place = 0
        behind = max(60, len(self.cards) * rng.randint(18, 30) // 100)
        self.cut = max(12, len(self.cards) - behind)
        self.cut_out = False
        self.rounds = 0

    @property
    def left(self) -> int:
        return len(self.cards) - self.place

    def draw(self, wanted: Wanted | None = None) -> str:
        """The next card; a wanted one is brought forward if there is one among the rest."""
        if self.place >= len(self.cards):
            raise ShoeEmpty
        if wanted is not None:
            for index in range(self.place, len(self.cards)):
                if wanted(self.cards[index]):
                    here = self.cards[self.place]
                    self.cards[self.place], self.cards[index] = self.cards[index], here
                    break
        card = self.cards[self.place]
        self.place += 1
        return card

    def spent(self) -> list[str]:
        """Cards of which every copy is out."""
        out: dict[str, int] = {}
        for card in self.cards[: self.place]:
            out[card] = out.get(card, 0) + 1
        return sorted(card for card, n in out.items() if n >= self.decks)

    def shuffle_rest(self, rng: Random, place: int) -> None:
        """Go back to a place and put what comes after it in another order."""
        self.place = place
        rest = self.cards[place:]
        rng.shuffle(rest)
        self.cards[place:] = rest


@dataclass(frozen=True, slots=True)
class Setup:
    """What stays the same at a table for some shoes."""

    decks: int
    options: tuple[str, ...]
    limits: dict[str, r.Limits]
    ranks: str
    capacity: int  # players on one box
    side_bets: tuple[str, ...]
    stakes: tuple[int, ...]
    side_stakes: tuple[int, ...]
    spots: tuple[str, ...] = ()  # other bets that go with each main wager
    stakes_of: dict[str, tuple[int, ...]] = field(default_factory=dict)  # of bets that want others
    meters: dict[str, int] = field(default_factory=dict)
    continuous: bool = False  # the cards of a round go back
    main: str = ""

    @property
    def main_limits(self) -> r.Limits:
        return self.limits[self.main]


def broken(engine: Engine, moment: str, scene: SeenScene) -> list[Rule]:
    """The requirements of a moment that are not kept. What is not known breaks nothing."""
    question = requiring(moment)
    return list(engine.broken(question, scene)) if engine.has(question) else []


def blank_round(
    decks: int,
    options: tuple[str, ...] = (),
    limits: dict[str, r.Limits] | None = None,
    meters: dict[str, int] | None = None,
) -> r.Round:
    return r.Round(
        *("", "", None, _NO_TIME, None, decks, frozenset(options), limits or {}, (), 0),
        meters=meters or {},
    )


def permitted_decks(engine: Engine, options: tuple[str, ...]) -> list[int]:
    """The numbers of decks that no requirement on rounds forbids."""
    return [decks for decks in DECK_COUNTS if not _round_broken(engine, decks, options)]


def _round_broken(engine: Engine, decks: int, options: tuple[str, ...] = ()) -> list[Rule]:
    scene = SeenScene(engine, Table(blank_round(decks, options), engine.mechanics), ShoeView())
    return broken(engine, "round", scene)


def _never_kept(engine: Engine) -> list[Rule]:
    """What is required of rounds and not kept with any number of decks, or else with some."""
    found = [_round_broken(engine, decks) for decks in DECK_COUNTS]
    always = [rule for rule in found[0] if all(rule in others for others in found)]
    return always or [rule for rules in found for rule in rules]


def options_named(engine: Engine) -> set[str]:
    """The options that some rule of the rulebook asks about."""
    return _OPTIONS.of(engine)


def _options_named(engine: Engine) -> set[str]:
    asked = (word for rule in engine.rulebook.rules for word in walk((rule.condition, rule.value)))
    return {word.name for word in asked if isinstance(word, t.Setting) and word.kind == "option"}


_OPTIONS = Kept(_options_named)


def on_cards(engine: Engine) -> list[str]:
    """The bets of the game that certain cards decide, each offered by the option of its name."""
    game = engine.rulebook.game
    named = [bet.name for bet in game.bets.values() if not bet.own and bet.decided_by]
    return [name for name in named if name in game.options]


def set_up(engine: Engine, rng: Random) -> Setup:
    """A table as the rules allow it, otherwise left to chance."""
    named, game, mechanics = options_named(engine), engine.rulebook.game, engine.mechanics
    side = [
        b for b in on_cards(engine) if engine.has(about_bet(b, "result")) and rng.random() < 0.75
    ]
    options = list(side)
    for option in game.options.values():
        common = option.common
        if common is None or option.name not in named:
            continue
        beside = common.beside is None or common.beside in options
        if beside and rng.random() < common.tables / common.of:
            options.append(option.name)
    options = options_of_house(
        engine, rng, options, lambda picked: bool(permitted_decks(engine, picked))
    )
    while not (decks := permitted_decks(engine, tuple(options))):
        if not options:
            why = "no table could be set up that keeps what is required of a round"
            raise Unusable(why, _never_kept(engine))
        options.pop()
    low, high, unit, chip = _LIMITS[rng.randrange(len(_LIMITS))]
    notice = rng.random() < 0.5
    if notice:
        unit = low  # a notice asks for multiples of the minimum
    limits = {mechanics.main: r.Limits(low, high, unit, None, chip, notice)}
    side_low = rng.choice((100, 200, 500))
    for bet in side:
        limits[bet] = r.Limits(side_low, rng.choice((5_000, 10_000, 25_000)), 100, None, chip)
    table = Table(blank_round(decks[0], tuple(options), limits), engine.mechanics)
    scene = SeenScene(engine, table, ShoeView())
    ranks = ranks_in_play(engine, scene)
    offered = bets_offered(engine, scene)
    spots = tuple(bet.name for bet in offered if bet.name in mechanics.spots)
    for own in offered:
        if own.name not in spots:
            side.append(own.name)
            limits[own.name] = r.Limits(100, 50_000, 100, None, chip)
    if offered or game.choices:
        paid = [bet.name for bet in game.bets.values() if not bet.own]
        options = needed(engine, options, [*side, *spots, *paid, *only_paid(engine, scene)])
    return Setup(
        decks[rng.randrange(len(decks))],
        tuple(options),
        limits,
        ranks,
        _capacity(engine, tuple(options), limits, decks[0]),
        tuple(side),
        tuple(c for c in _CHIPS if low <= c <= high and c % unit == 0),
        tuple(c for c in (100, 200, 500, 1_000, 2_500, 5_000) if c >= side_low),
        spots,
        meters=meters_of(engine, rng),
        continuous=mechanics.roles["cards go back"] in options,
        main=mechanics.main,
    )


def _capacity(
    engine: Engine, options: tuple[str, ...], limits: dict[str, r.Limits], decks: int
) -> int:
    """How many players may wager on one box."""
    main = engine.mechanics.main
    low = limits[main].min or 100
    for players in range(1, MOST_PLAYERS + 1):
        table = Table(blank_round(decks, options, limits), engine.mechanics)
        for number in range(players):
            table.apply(r.Wager(1, f"P{number}", main, low, player_card=f"C{number}", n=number))
        scene = SeenScene(engine, table, ShoeView(), box=table.box(1))
        if broken(engine, "box", scene):
            return max(players - 1, 1)
    return MOST_PLAYERS
