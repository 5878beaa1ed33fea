"""Totals of a hand by the card values that the rulebook gives, added up as its game says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from checker.evaluate.memory.seam import Kept, Worked
from checker.table.state import Dealt, Hand
from rulespec.resolve.question import Question, value_of_card
from rulespec.resolve.rule_value import as_points
from rulespec.tree import nodes as t
from rulespec.tree.cards import SUIT_NAMES
from rulespec.tree.walk import asked_words

if TYPE_CHECKING:
    from checker.evaluate.engine import Engine
    from checker.evaluate.scene import SeenScene

RANK_ORDER = "A23456789TJQK"

Points = int | tuple[int, int] | None
Totals = tuple[int, int, bool, int]  # total, sum with each ace as one, soft, cards worth ten


def totals(scene: SeenScene, hand: Hand) -> Totals | None:
    """None when the rulebook gives a card no value, or two."""
    return _added_up(scene, hand.cards, hand)


def dealer_totals(scene: SeenScene, dealer: Sequence[Dealt]) -> Totals | None:
    """As `totals`, for cards that the dealer holds or may come to hold."""
    return _added_up(scene, dealer, None)


def _added_up(scene: SeenScene, cards: Sequence[Dealt], hand: Hand | None) -> Totals | None:
    hard = 0
    tens = 0
    last = 0
    flexible = False
    is_dealer = scene.is_dealer or hand is None
    known = _CARD_VALUES.of(scene.engine)
    constant, alike = known.constant, known.alike
    doubled_with = hand.doubled_with if hand else None
    for position, dealt in enumerate(cards, 1):
        rank = dealt.card[0]
        points = (
            constant.get(rank)
            or alike.get((rank, position, dealt.initial, doubled_with, is_dealer))
            or _points(scene, cards, hand, position)
        )
        if type(points) is int:
            last = points
            tens += points == 10
        elif type(points) is tuple:
            last = points[0]
            flexible = True
        else:
            return None
        hard += last
    way = scene.engine.rulebook.game.total
    if way.way == "modulo":
        return hard % way.number, hard, False, tens
    if way.way == "rank":
        return last, hard, False, tens
    soft = flexible and hard + 10 <= scene.engine.mechanics.limit
    return (hard + 10 if soft else hard), hard, soft, tens


@dataclass(slots=True)
class _CardValues:
    """What cards count, as far as it is known."""

    constant: dict[str, Points] = field(default_factory=dict)  # by rank, whatever else holds
    alike: dict[object, Points] = field(default_factory=dict)  # by all that the rules ask of it


_CARD_VALUES = Kept(lambda engine: _CardValues())


def _points(scene: SeenScene, cards: Sequence[Dealt], hand: Hand | None, position: int) -> Points:
    engine = scene.engine
    if hand is None:
        scene = scene.but(dealer=tuple(cards), hand=None, is_dealer=True)
        hand = Hand(1, list(cards))
    dealt = cards[position - 1]
    rank = dealt.card[0]
    known = _CARD_VALUES.of(engine)
    key = (rank, position, dealt.initial, hand.doubled_with, scene.is_dealer)
    if key in known.alike:
        return known.alike[key]
    question = value_of_card(rank)
    view = scene.but(hand=hand, card=dealt, card_position=position)
    value = engine.ask(question, view).value
    points = None if value is None else as_points(value)
    asked = _asked_of_card(engine, question)
    if not asked:
        known.constant[rank] = points
    elif asked <= _OF_THE_CARD:
        known.alike[key] = points
    return points


def _words_on(engine: Engine, question: Question) -> set[str]:
    rules = engine.rules_on(question)
    return {node.name for rule in rules for node in asked_words(rule.condition)}


_asked_of_card = Worked(_words_on)


def worth(scene: SeenScene, rank: str) -> Points:
    """What a card counts when it comes first to a hand; None when the text gives it no value, or
    two."""
    dealt = Dealt(rank + "S", 0, True)
    return _points(scene, [dealt], Hand(1, [dealt]), 1)


def same_value(scene: SeenScene, one: str, other: str) -> bool | None:
    """Whether two ranks count the same by the rulebook; None when it does not tell."""
    if one == other:
        return True
    first, second = worth(scene, one), worth(scene, other)
    return None if first is None or second is None else first == second


def counted_alike(engine: Engine, ranks: Iterable[str]) -> bool:
    """Whether the rulebook says the same of what these cards count."""
    return len({_said(engine, rank) for rank in ranks}) < 2


def _said(engine: Engine, rank: str) -> frozenset[tuple[object, t.Expression]]:
    rules = [rule for rule, _ in engine.by_question.get(value_of_card(rank), ())]
    return frozenset((_number(rank, rule.value), rule.condition) for rule in rules)


def _number(rank: str, value: object) -> object:
    return (10 if rank == "T" else int(rank)) if value == "face" else value


# What a card is worth is the same wherever these are the same.
_OF_THE_CARD = frozenset(
    {
        "card.rank",
        "card.position",
        "card.initial",
        "card.held_when_doubled",
        "hand.doubled",
    }
)


def ranks_of(hand: Hand) -> str:
    return "-".join(sorted([d.card[0] for d in hand.cards], key=RANK_ORDER.index))


def suit_of(hand: Hand) -> str:
    suits = {d.card[1] for d in hand.cards}
    return SUIT_NAMES[suits.pop()] if len(suits) == 1 else "mixed"
