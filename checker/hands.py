"""Totals of a hand by the card values that the rulebook gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checker.table import Dealt, Hand

if TYPE_CHECKING:
    from checker.scene import SeenScene

SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
RANK_ORDER = "A23456789TJQK"

Totals = tuple[int, int, bool, int]  # best total, hard total, soft, cards worth ten


def totals(scene: SeenScene, hand: Hand) -> Totals | None:
    """None when the rulebook gives a card no value, or two."""
    hard = 0
    tens = 0
    flexible = False
    constant = scene.engine.caches.setdefault("card values", {})
    for position, dealt in enumerate(hand.cards, 1):
        points = constant.get(dealt.card[0]) or _points(scene, hand, dealt, position)
        match points:
            case int():
                hard += points
                tens += points == 10
            case (low, _):
                hard += low
                flexible = True
            case _:
                return None
    soft = flexible and hard + 10 <= 21
    return (hard + 10 if soft else hard), hard, soft, tens


def _points(
    scene: SeenScene, hand: Hand, dealt: Dealt, position: int
) -> int | tuple[int, int] | None:
    engine = scene.engine
    constant = engine.caches.setdefault("card values", {})
    rank = dealt.rank
    if rank in constant:
        known: int | tuple[int, int] | None = constant[rank]
        return known
    question = f"card value {rank}"
    rules = engine.by_question.get(question, [])
    view = scene.but(hand=hand, card=dealt, card_position=position)
    value = engine.ask(question, view).value
    if value == "face":
        value = 10 if rank == "T" else int(rank)
    if all(type(rule.condition).__name__ == "Always" for rule, _ in rules):
        constant[rank] = value
    points: int | tuple[int, int] | None = value
    return points


def ranks_of(hand: Hand) -> str:
    return "-".join(sorted((d.rank for d in hand.cards), key=RANK_ORDER.index))


def suit_of(hand: Hand) -> str:
    suits = {d.suit for d in hand.cards}
    return SUIT_NAMES[suits.pop()] if len(suits) == 1 else "mixed"


def colour_of(suit: str) -> str:
    return "red" if suit in "HD" else "black"
