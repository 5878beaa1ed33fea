"""What can be seen at one moment of a round: the facts of the vocabulary, computed on demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from checker.evaluate.engine import Engine, Value
from checker.log.model import Irregularity, Limits, Play, Wager
from checker.table.shoes import ShoeView
from checker.table.state import Box, Dealt, Hand, Table

_new = object.__new__
_UNLIMITED = Limits()


@dataclass
class SeenScene:
    """One moment. The parts that do not matter for a question are left out.

    Never changed after it is made: `but` makes another one.
    """

    engine: Engine
    table: Table
    shoe: ShoeView
    dealer: tuple[Dealt, ...] = ()
    box: Box | None = None
    hand: Hand | None = None
    player: str | None = None
    bet: str = ""  # none named: the bet that the hands are played for
    part: str = "original"
    stake: int = 0
    wager: Wager | None = None
    late: bool = False
    after_call: bool = False
    play: Play | None = None
    card: Dealt | None = None
    card_position: int = 0
    card_not_due: bool = False
    deal: dict[str, Value] = field(default_factory=dict)
    settlement: dict[str, Value] = field(default_factory=dict)
    no_effect: bool | None = None
    short: bool = False
    bonus_winners: frozenset[tuple[int, int, str]] = frozenset()
    bonus_open: frozenset[tuple[int, int, str]] = frozenset()  # the text leaves it open
    bonus_priced: bool | None = False
    is_dealer: bool = False
    dealer_hand: int = 1  # which of the dealer's hands it is about
    asks_what_is_left: bool = False  # whether the hands before it were paid early
    # for the engine's memory alone, if it has one
    memory: dict[Any, Any] = field(default_factory=dict)
    shelves: list[dict[Any, Any] | None] | None = None  # of a scene that shares its replies

    def __post_init__(self) -> None:
        self.bet = self.bet or self.engine.mechanics.main

    def fact(self, name: str) -> Value:
        return self.engine.memory.fact(self, name)

    def cards_at(self, seat: str) -> Sequence[Dealt]:
        """The cards of a seat as they lie; those of the box, in the order dealt, have no seat."""
        match seat:
            case "dealer":
                return self.dealer
            case "hand":
                return self.hand.cards if self.hand is not None else ()
            case _:
                return self.box.received if self.box is not None else ()

    def worth(self, rank: str) -> int | tuple[int, int] | None:
        """What a card counts that comes first to a hand; None where the text does not tell."""
        found: int | tuple[int, int] | None = self.engine.facts.worth(self, rank)
        return found

    def times(self, action: str) -> int:
        """How often the player of the wager did this on the hand."""
        if self.hand is None or self.is_dealer:
            return 0
        return self.hand.times(action, self.player)

    def sharing(self) -> SeenScene:
        """The same moment, whose replies may be those of another moment of the same round."""
        self.__dict__ = dict(self.__dict__)  # of one's own, which `but` copies in one go
        self.engine.memory.share(self)
        return self

    def setting(self, kind: str, name: str) -> bool | None:
        if kind in self.engine.hushed:
            return None
        match kind:
            case "option":
                return (
                    name in self.table.round.options
                    or name in self.table.announced
                    or name in self.shoe.announced
                    or (not self.table.round.options_stated and self._wagered(name))
                )
            case "approved":
                approvals = self.table.approvals
                return (
                    bool(approvals)
                    and (
                        (name, None) in approvals
                        or (self.player is not None and (name, self.player) in approvals)
                        or (self.player is None and any(what == name for what, _ in approvals))
                    )
                ) or (
                    name in self.engine.mechanics.approved_by_option
                    and name in self.table.round.options
                )
            case "player has":
                bets = self.box.bets if self.box is not None else ()
                return any(b.event.bet == name and b.event.player == self.player for b in bets)
            case "anybody has":
                return self._wagered(name)
            case _:
                return name in self.table.records and self._concerns_box(name)

    def _concerns_box(self, record: str) -> bool:
        """What is recorded for a box is recorded for that one alone."""
        if self.box is None or self.wager is None:
            return True  # at the table as a whole, as when cards are dealt
        told = [
            event.box
            for event in self.table.round.events
            if isinstance(event, Irregularity) and record in event.words
        ]
        return not told or None in told or self.box.number in told

    def _wagered(self, bet: str) -> bool:
        """A log that states no options at all shows by its wagers which side bets are offered."""
        return any(b.event.bet == bet for box in self.table.boxes.values() for b in box.bets)

    def as_dealer(self) -> SeenScene:
        return self.engine.memory.once(self, "as dealer", self._as_dealer)

    def _as_dealer(self) -> SeenScene:
        return self.but(hand=Hand(1, list(self.dealer)), is_dealer=True)

    def but(self, **changes: Any) -> Self:
        """The same moment seen otherwise; nothing that was computed is kept."""
        other = _new(type(self))
        other.__dict__ = parts = self.__dict__ | changes
        parts["memory"] = {}
        if self.shelves is not None:
            self.engine.memory.pass_on(self, other, changes)
        return other

    def with_dealer(self, dealer: tuple[Dealt, ...]) -> SeenScene:
        """The same moment with other cards of the dealer; asked before anything else happens."""
        other = self.but(dealer=dealer)
        self.engine.memory.pass_on_but_dealer(self, other)
        return other

    @property
    def limits(self) -> Limits:
        bet = self.engine.mechanics.measured_by.get(self.bet, self.bet)
        return self.table.round.limits.get(bet) or _UNLIMITED
