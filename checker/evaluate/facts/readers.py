"""Ways of reading a fact off a scene that many facts share: of the hand, the box, the shoe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from checker.evaluate.engine import Value
from checker.evaluate.facts.totals import (
    Totals,
    dealer_totals,
    same_value,
    totals,
    worth,
)
from checker.evaluate.scene import SeenScene
from checker.table.mechanics import bet_named_in
from checker.table.state import Box, Dealt, Hand

Read = Callable[[SeenScene], Value]


def totals_of_hand(scene: SeenScene) -> Totals | None:
    known = scene.engine.memory.beside(scene, "hand.total")
    if "totals" not in known:
        known["totals"] = totals(scene, scene.hand) if scene.hand else None
    found: Totals | None = known["totals"]
    return found


def totals_of_dealer(scene: SeenScene) -> Totals | None:
    known = scene.engine.memory.beside(scene, "dealer.total")
    if "dealer totals" not in known:
        known["dealer totals"] = dealer_totals(scene, scene.dealer)
    found: Totals | None = known["dealer totals"]
    return found


def pick(which: Callable[[SeenScene], Totals | None], index: int) -> Read:
    def pick(scene: SeenScene) -> Value:
        found = which(scene)
        return None if found is None else found[index]

    return pick


def of_hand(read: Callable[[SeenScene, Hand], Value], missing: Value = False) -> Read:
    """Facts about a player's hand; a dealer's hand has none of these marks."""

    def fact(scene: SeenScene) -> Value:
        if scene.hand is None or scene.is_dealer:
            return missing
        return read(scene, scene.hand)

    return fact


def of_wager_on_hand(name: str) -> Read:
    """Whether the player of the wager is among those whom the hand names."""

    def fact(scene: SeenScene) -> Value:
        hand = scene.hand
        return hand is not None and not scene.is_dealer and scene.player in getattr(hand, name)

    return fact


def did(what: str) -> Read:
    """Whether the player of the wager did something on the hand; `what` is one of `Acts`."""

    def fact(scene: SeenScene) -> Value:
        hand, action = scene.hand, getattr(scene.engine.mechanics.acts, what)
        return hand is not None and not scene.is_dealer and scene.player in hand.did(action)

    return fact


def from_split(test: Callable[[SeenScene, str], Value]) -> Read:
    """Whether the hand comes from a split, of cards that pass a test."""

    def fact(scene: SeenScene) -> Value:
        hand = scene.hand
        if hand is None or scene.is_dealer or hand.from_split is None:
            return False
        return test(scene, hand.from_split)

    return fact


def counts_ten(scene: SeenScene, rank: str) -> Value:
    points = worth(scene, rank) if rank != "?" else 0
    return None if points is None else points == 10


def any_pair(scene: SeenScene, pairs: Iterable[tuple[str, str]]) -> Value:
    found = [same_value(scene, *pair) for pair in pairs]
    return True if True in found else None if None in found else False


def of_box(read: Callable[[SeenScene, Box], Value]) -> Read:
    return lambda scene: None if scene.box is None else read(scene, scene.box)


def of_player(read: Callable[[SeenScene, Box, str], Value]) -> Read:
    def fact(scene: SeenScene) -> Value:
        if scene.box is None or scene.player is None:
            return None
        return read(scene, scene.box, scene.player)

    return fact


def has_wager_named_in(fact: str) -> Callable[[SeenScene, Box, str], Value]:
    """`wager.with_BET`."""
    bet = bet_named_in(fact)
    return lambda scene, box, player: any(
        placed.event.player == player and placed.event.bet == bet for placed in box.bets
    )


def card_of_box(index: int, read: Callable[[Dealt], Value], missing: Value) -> Read:
    def fact(scene: SeenScene) -> Value:
        if scene.box is None or len(scene.box.received) <= index:
            return missing
        return read(scene.box.received[index])

    return fact


def limit(name: str) -> Read:
    return lambda scene: getattr(scene.limits, name)


def box_max(scene: SeenScene) -> Value:
    if scene.box is None:
        return scene.limits.max
    raised = scene.limits.box_max or {}
    return raised.get(scene.box.number, scene.limits.max)


def room(scene: SeenScene) -> Value:
    """What the box maximum leaves for this player once those before have had theirs."""
    limit = box_max(scene)
    if limit is None or scene.box is None:
        return None
    assert isinstance(limit, int)
    first = [w for w in scene.box.main if w.player == scene.box.controller]
    others = [w for w in scene.box.main if w.player != scene.box.controller]
    left = limit
    for wager in (*first, *others):
        if wager.player == scene.player:
            return max(left, 0)
        left -= min(wager.stake, max(left, 0))
    return max(left, 0)


def against_limit(name: str, breaks: Callable[[int, int], bool]) -> Read:
    def fact(scene: SeenScene) -> Value:
        limit = box_max(scene) if name == "max" else getattr(scene.limits, name)
        return breaks(scene.stake, limit) if isinstance(limit, int) else None

    return fact


def against_chip(test: Callable[[int, int], bool]) -> Read:
    def fact(scene: SeenScene) -> Value:
        chip = scene.table.smallest_chip
        if not chip or scene.play is None:
            return None
        return test(scene.play.stake or 0, chip)

    return fact


def of_shoe(name: str) -> Read:
    return lambda scene: getattr(scene.shoe, name)


def of_shoe_and_player(name: str) -> Read:
    def fact(scene: SeenScene) -> Value:
        if not scene.shoe.known or scene.player is None:
            return None
        table: dict[str, Any] = getattr(scene.shoe, name)
        found: Value = table.get(scene.player, False if name != "idle" else 0)
        return found

    return fact


def highest(scene: SeenScene, box: Box, player: str) -> Value:
    return all(w.stake <= box.original(player) for w in box.main)


def aces(cards: Sequence[Dealt]) -> int:
    return [dealt.card[0] for dealt in cards].count("A")
