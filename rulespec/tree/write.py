"""Conditions and values written out as the language writes them."""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from rulespec.tree import nodes as t

_LOOSE, _EITHER, _BOTH, _NOT, _COMPARE, _SUM, _PRODUCT = range(7)


def condition_text(node: t.Expression, outer: int = _LOOSE) -> str:
    text, inner = _text(node)
    return f"({text})" if inner < outer else text


def _text(node: t.Expression) -> tuple[str, int]:
    match node:
        case t.Either():
            return " or ".join(condition_text(p, _BOTH) for p in node.parts), _EITHER
        case t.Both():
            return " and ".join(condition_text(p, _NOT) for p in node.parts), _BOTH
        case t.Negated():
            return f"not {condition_text(node.part, _NOT)}", _NOT
        case t.Compare():
            left, right = condition_text(node.left, _SUM), condition_text(node.right, _SUM)
            return f"{left} {node.operator} {right}", _COMPARE
        case t.OneOf():
            values = ", ".join(condition_text(v, _SUM) for v in node.values)
            return f"{condition_text(node.left, _SUM)} in ({values})", _COMPARE
        case t.Between():
            left = condition_text(node.left, _SUM)
            low, high = condition_text(node.low, _SUM), condition_text(node.high, _SUM)
            return f"{left} in {low} to {high}", _COMPARE
        case t.Arithmetic():
            level = _SUM if node.operator in "+-" else _PRODUCT
            left = condition_text(node.left, level)
            return f"{left} {node.operator} {condition_text(node.right, level + 1)}", level
        case t.Fact() | t.Name():
            return node.name, _PRODUCT + 1
        case t.Number():
            return str(node.value), _PRODUCT + 1
        case t.Money():
            return money(node.cents, node.sign), _PRODUCT + 1
        case t.Ranks():
            return node.ranks, _PRODUCT + 1
        case t.Setting():
            return f"{node.kind} {node.name}", _PRODUCT + 1
        case t.Chosen():
            return f"{'chosen' if node.amount else 'choice'} {node.name}", _PRODUCT + 1
        case t.MeterAmount():
            return f"meter {node.name}", _PRODUCT + 1
        case t.Times():
            return f"times {node.action}", _PRODUCT + 1
        case t.Same():
            return f"same {node.trait} of {_cards(node.cards)}", _PRODUCT + 1
        case t.Consecutive():
            return f"consecutive ranks of {_cards(node.cards)}", _PRODUCT + 1
        case t.PokerRank():
            return f"poker rank of {_cards(node.cards)}", _PRODUCT + 1
        case t.PointsOf():
            return f"points of {_cards(node.cards)}", _PRODUCT + 1
        case t.CardsOf():
            return f"cards of {_cards(node.cards)}", _PRODUCT + 1
        case t.CountOf():
            traits = " and ".join(_trait(trait) for trait in node.traits)
            return f"count of {_cards(node.cards)} with ({traits})", _PRODUCT + 1
        case t.Always():
            return "always", _PRODUCT + 1
        case _:
            assert_never(node)


def _cards(cards: tuple[str, ...]) -> str:
    return f"({', '.join(cards)})"


def _trait(trait: t.Trait) -> str:
    values = ", ".join(condition_text(v, _PRODUCT + 1) for v in trait.values)
    return f"{trait.name} {trait.operator} " + (f"({values})" if trait.operator == "in" else values)


def money(cents: int, sign: str = "$") -> str:
    whole, part = divmod(cents, 100)
    return f"{sign}{whole:,}" + (f".{part:02d}" if part else "")


def payout(node: t.Payout) -> str:
    match node:
        case t.Odds():
            return node.printed or f"{node.ratio.numerator} to {node.ratio.denominator}"
        case t.Amount():
            return money(node.cents, node.sign)
        case t.MeterShare():
            return f"{_decimal(node.share * 100)} % of meter {node.meter}"
        case t.PayoutRange(least=None, most=most) if most is not None:
            return f"at most {payout(most)}"
        case t.PayoutRange(least=least, most=None) if least is not None:
            return f"at least {payout(least)}"
        case t.PayoutRange(least=least, most=most) if least is not None and most is not None:
            return f"from {payout(least)} up to {payout(most)}"
        case t.PayoutRange():
            return "any odds"
        case _:
            assert_never(node)


def _decimal(number: Fraction) -> str:
    return str(number) if number.denominator == 1 else f"{float(number):g}"


def points(value: t.Points) -> str:
    if isinstance(value, tuple):
        return f"{value[0]} or {value[1]}"
    return str(value)
