"""Conditions and values written out as the language writes them."""

from __future__ import annotations

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
            return money(node.cents), _PRODUCT + 1
        case t.Ranks():
            return node.ranks, _PRODUCT + 1
        case t.Setting():
            return f"{node.kind} {node.name}", _PRODUCT + 1
        case t.Always():
            return "always", _PRODUCT + 1
        case _:
            assert_never(node)


def money(cents: int) -> str:
    whole, part = divmod(cents, 100)
    return f"${whole:,}" + (f".{part:02d}" if part else "")


def payout(node: t.Payout) -> str:
    match node:
        case t.Odds():
            return node.printed or f"{node.ratio.numerator} to {node.ratio.denominator}"
        case t.Amount():
            return money(node.cents)
        case _:
            assert_never(node)


def points(value: t.Points) -> str:
    if isinstance(value, tuple):
        return f"{value[0]} or {value[1]}"
    return str(value)
