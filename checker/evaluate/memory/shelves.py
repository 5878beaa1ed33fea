"""Replies that are kept for as long as nothing has changed that they depend on.

Most of what rules ask is the same at many moments of a round: whether the table is a tournament,
what a hand comes to, whether a wager is invalid. Each reply stands on a shelf by what it reads, and
a new shelf is taken when that changes (`Table.kept`, `Box.kept`). A reply that reads anything else
belongs to its moment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from checker.table.state import Box, Dealt, Hand, Table


class Moment(Protocol):
    """What is looked at here of a scene (`checker.evaluate.scene`)."""

    engine: Any
    table: Table
    dealer: tuple[Dealt, ...]
    box: Box | None
    hand: Hand | None
    player: str | None
    bet: str
    part: str
    stake: int
    is_dealer: bool
    memory: dict[Any, Any]
    shelves: list[dict[Any, Any] | None] | None


# What a reply reads beyond the round, its records, its shoe and the wagers on the table.
ROUND: Final = 0  # nothing more
BOX: Final = 1  # which box it is
WAGER: Final = 2  # the player, the money that the moment is about, and the limits of the bet
HAND: Final = 4  # the cards and plays of the box
DEALER: Final = 8  # the dealer's cards that count
FIRST: Final = 16  # the dealer's first card
MOMENT: Final = 32  # anything else

OF_MOMENT, OF_ROUND, OF_DEALER, OF_HAND, OF_WAGER, OF_PLAYER, OF_PLAYER_AND_FIRST = range(7)
SHELVES: Final = 7
EARLY: Final = {
    OF_ROUND: 0,
    OF_WAGER: 1,
    OF_HAND: 2,
    OF_PLAYER: 3,
    OF_PLAYER_AND_FIRST: 4,
    OF_DEALER: 5,
}


def shelf_for(reads: int) -> int:
    """Where a reply stands that reads so much."""
    if reads & MOMENT:
        return OF_MOMENT
    if reads & DEALER:
        return OF_DEALER if not reads & ~(DEALER | FIRST) else OF_MOMENT
    if reads & FIRST:
        return OF_PLAYER_AND_FIRST
    if reads & HAND:
        return OF_PLAYER if reads & WAGER else OF_HAND
    return OF_WAGER if reads else OF_ROUND


Shelf = dict[object, Any]


class OfTable:
    """What is known until something happens other than cards, plays and settlements. The shelf of
    the round is then emptied, for scenes have it open from the beginning."""

    __slots__ = ("dealer", "round", "wagers")

    def __init__(self) -> None:
        self.round: Shelf = {}
        self.dealer: dict[tuple[str, ...], Shelf] = {}
        self.wagers: _Wagers = {}

    def forget(self) -> None:
        self.round.clear()
        self.dealer = {}
        self.wagers = {}


# What is looked up by its identity is held beside the shelf, lest another take its place. A box
# does not hold itself: what goes round in a circle has to wait for the garbage collector.
_Wagers = dict[object, tuple[object, Shelf]]
_Hands = dict[int, tuple[Hand, Shelf, _Wagers]]


def _of_moment(scene: Moment) -> Shelf:
    return scene.memory


def of_round(scene: Moment) -> Shelf:
    return _of_table(scene.table).round


def _of_dealer(scene: Moment) -> Shelf:
    shelves = _of_table(scene.table).dealer
    cards = tuple([dealt.card for dealt in scene.dealer])
    shelf = shelves.get(cards)
    if shelf is None:
        shelf = shelves[cards] = {}
    return shelf


def _of_hand(scene: Moment) -> Shelf:
    box, hand = scene.box, scene.hand
    if box is None or hand is None or scene.is_dealer:
        return scene.memory
    found = box.kept.get(id(hand)) if box.kept is not None else None
    return found[1] if found is not None else _new_hand(box, hand)[1]


def _of_wager(scene: Moment) -> Shelf:
    return _by_wager(_of_table(scene.table).wagers, scene, scene.box)


def _of_player(scene: Moment) -> Shelf:
    box, hand = scene.box, scene.hand
    if box is None or hand is None or scene.is_dealer:
        return scene.memory
    found = box.kept.get(id(hand)) if box.kept is not None else None
    return _by_wager((found or _new_hand(box, hand))[2], scene, None)


def _of_player_and_first(scene: Moment) -> Shelf:
    # the box takes new shelves when the first card of the table's dealer comes
    first = scene.dealer[0] if scene.dealer else None
    if first is not (scene.table.dealer[0] if scene.table.dealer else None):
        return scene.memory
    opened = scene.shelves[OF_PLAYER] if scene.shelves is not None else None
    return opened if opened is not None else _of_player(scene)


OPEN: Final[tuple[Callable[[Moment], Shelf], ...]] = (
    _of_moment,
    of_round,
    _of_dealer,
    _of_hand,
    _of_wager,
    _of_player,
    _of_player_and_first,
)
"""Where the replies stand that the scene shares with others, by shelf."""


def _of_table(table: Table) -> OfTable:
    kept: OfTable | None = table.kept
    if kept is None:
        kept = table.kept = OfTable()
    return kept


def _new_hand(box: Box, hand: Hand) -> tuple[Hand, Shelf, _Wagers]:
    hands: _Hands | None = box.kept
    if hands is None:
        hands = box.kept = {}
    found = hands[id(hand)] = (hand, {}, {})
    return found


def _by_wager(shelves: _Wagers, scene: Moment, box: Box | None) -> Shelf:
    memory = scene.memory
    key = memory.get("wager")
    if key is None:
        bet = scene.engine.mechanics.measured_by.get(scene.bet, scene.bet)
        key = memory["wager"] = (id(scene.box), scene.player, bet, scene.part, scene.stake)
    found = shelves.get(key)
    if found is None:
        found = shelves[key] = (box, {})
    return found[1]
