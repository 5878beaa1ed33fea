"""Cards by position, what the house has chosen, meters: how they are read off a scene.

A card that is not dealt has the rank, suit and points `none`. What the log does not say (a choice,
a meter) is not known, and nothing that rests on it is decided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any, assert_never

from checker.evaluate.conditions import Constant, Term, Value, compare, either, listed
from checker.log.known_words import is_value
from checker.table.state import Dealt
from rulespec.tree import nodes as t
from rulespec.tree.cards import NONE, ORDINALS, SUIT_NAMES, TRAITS, colour_of

ORDER = "23456789TJQKA"  # the ace is the highest, and in a row also the lowest
_PICTURES = frozenset("JQK")
_PLACES = {word: place for place, word in enumerate(ORDINALS)}
Cards = list[Dealt | None]  # None: not dealt


def card_named(name: str) -> tuple[str, int] | None:
    """The seat and the place of a card by position; the seat is empty for cards of the box."""
    seat, _, ordinal = name.rpartition(".")
    place = _PLACES.get(ordinal)
    return None if place is None or "." in seat else (seat, place)


def card_and_trait(fact: str) -> tuple[str, int, str] | None:
    """As `card_named`, of a fact about a card, such as `dealer.first.suit`."""
    card, _, trait = fact.rpartition(".")
    found = card_named(card) if trait in TRAITS else None
    return None if found is None else (*found, trait)


@cache
def reader_of(fact: str) -> Callable[[Any], Value] | None:
    """How a fact about a card by position is read off a scene; None if it is no such fact."""
    found = card_and_trait(fact)
    if found is None:
        return None
    seat, place, trait = found

    def read(scene: Any) -> Value:
        cards = scene.cards_at(seat)
        return trait_of(scene, cards[place] if place < len(cards) else None, trait)

    return read


def trait_of(scene: Any, dealt: Dealt | None, trait: str) -> Value:
    if dealt is None:
        return False if trait == "face" else NONE
    match trait:
        case "rank":
            return dealt.rank
        case "suit":
            return SUIT_NAMES[dealt.suit]
        case "colour":
            return colour_of(dealt.suit)
        case "face":
            return dealt.rank in _PICTURES
        case "order":
            return 2 + ORDER.index(dealt.rank)
        case "card":
            return dealt.card
        case _:
            points: Value | tuple[int, int] = scene.worth(dealt.rank)
            return points[0] if isinstance(points, tuple) else points


def _cards(scene: Any, names: Sequence[str]) -> Cards:
    found: Cards = []
    for name in names:
        one = card_named(name)
        if one is None:  # all cards of a hand
            found.extend(scene.cards_at(name))
        else:
            seat, place = one
            cards = scene.cards_at(seat)
            found.append(cards[place] if place < len(cards) else None)
    return found


def term_of(compiler: Any, node: t.Declarable) -> Term:
    """What such a question comes to in a scene; noted as one test."""
    match node:
        case t.Chosen():
            return _chosen(compiler, node)
        case t.MeterAmount():
            return lambda scene: scene.table.round.meters.get(node.name)  # type: ignore[attr-defined]
        case t.Times():
            return lambda scene: scene.times(node.action)  # type: ignore[attr-defined]
        case t.Same():
            return lambda scene: _same(scene, _cards(scene, node.cards), node.trait)
        case t.Consecutive():
            return lambda scene: _in_a_row(_cards(scene, node.cards))
        case t.PokerRank():
            return lambda scene: _poker_rank(_cards(scene, node.cards))
        case t.PointsOf():
            return lambda scene: _points(scene, _cards(scene, node.cards))
        case t.CardsOf():
            return lambda scene: _listed_cards(_cards(scene, node.cards))
        case t.CountOf():
            return _count(compiler, node)
        case _:
            assert_never(node)


def _chosen(compiler: Any, node: t.Chosen) -> Term:
    choice = compiler.game.choices.get(node.name)
    if choice is None:
        return Constant(None)
    as_number = node.amount or choice.kind != "values"

    def read(scene: Any) -> Value:
        text = scene.table.round.choices.get(node.name)
        if text is None and choice.need_not:
            return NONE
        if text is None or not is_value(choice, text):
            return None
        if choice.kind == "cards":
            return "+".join(sorted(text.split("+")))
        if not as_number:
            return str(text)
        number = Fraction(Decimal(text)) * (100 if choice.kind == "money" else 1)
        return int(number) if number.denominator == 1 else number

    return read


def _same(scene: Any, cards: Cards, trait: str) -> bool | None:
    if None in cards or not cards:
        return False
    values = {trait_of(scene, dealt, trait) for dealt in cards}
    return None if None in values else len(values) == 1


def _in_a_row(cards: Cards) -> bool:
    ranks = [dealt.rank for dealt in cards if dealt is not None]
    if len(ranks) < len(cards) or not ranks:
        return False
    high = sorted(2 + ORDER.index(rank) for rank in ranks)
    low = sorted(1 if rank == "A" else 2 + ORDER.index(rank) for rank in ranks)
    return any(one == list(range(one[0], one[0] + len(one))) for one in (high, low))


def _poker_rank(cards: Cards) -> str:
    """Of three cards."""
    there = [dealt for dealt in cards if dealt is not None]
    if len(there) != 3 or len(cards) != 3:
        return NONE
    ranks = {dealt.rank for dealt in there}
    suited, row = len({dealt.suit for dealt in there}) == 1, _in_a_row(cards)
    if len(ranks) == 1:
        return "suited_three_of_a_kind" if suited else "three_of_a_kind"
    if row:
        return "straight_flush" if suited else "straight"
    return "flush" if suited else "pair" if len(ranks) == 2 else "high_card"


def _points(scene: Any, cards: Cards) -> int | None:
    """Not known while one of the cards is not dealt."""
    if None in cards:
        return None
    values = [trait_of(scene, dealt, "points") for dealt in cards]
    return None if None in values else sum(v for v in values if isinstance(v, int))


def _listed_cards(cards: Cards) -> str:
    return NONE if None in cards else "+".join(sorted(dealt.card for dealt in cards if dealt))


def _count(compiler: Any, node: t.CountOf) -> Term:
    tests = [
        (trait, [_value(compiler, trait, value) for value in trait.values]) for trait in node.traits
    ]

    def has(scene: Any, dealt: Dealt) -> bool | None:
        known: bool | None = True
        for trait, values in tests:
            held = Constant(trait_of(scene, dealt, trait.name))
            operator = "=" if trait.operator == "in" else trait.operator
            met = either([compare(held, operator, value) for value in values])(scene)
            if met is False:
                return False
            known = None if met is None else known
        return known

    def count(scene: Any) -> Value:
        found = [has(scene, dealt) for dealt in _cards(scene, node.cards) if dealt is not None]
        return None if None in found else found.count(True)

    return count


def _value(compiler: Any, trait: t.Trait, value: t.Expression) -> Term:
    word = listed(value) if TRAITS[trait.name].name == "enum" else None
    term: Term = compiler.term(value) if word is None else Constant(word)
    return term
