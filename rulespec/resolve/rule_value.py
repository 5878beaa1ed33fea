"""What a rule can say. Which of these it is follows from its question: whoever asks for odds, for
a time, for what is required takes the value as that, and a rule of another kind is a mistake of
the program."""

from __future__ import annotations

from typing import Literal, TypeGuard, get_args

from rulespec.tree import nodes as t

Rounding = tuple[Literal["up", "down"], t.Expression]

RuleValue = (
    bool  # whether a defined word holds; that several odds are added up, or the best ones paid
    | str  # an outcome, a time, or what somebody may, must, may not or must not do
    | t.Points  # what a card counts
    | t.Payout
    | Rounding
    | t.Expression  # what is required, how much counts, the number that a word stands for
)

_EXPRESSIONS: frozenset[type] = frozenset(get_args(t.Expression))


def is_expression(value: object) -> TypeGuard[t.Expression]:
    return type(value) in _EXPRESSIONS


def as_expression(value: RuleValue) -> t.Expression:
    if not is_expression(value):
        raise TypeError(f"not an expression: {value!r}")
    return value


def as_word(value: RuleValue) -> str:
    """An outcome, a time, or what may and must be done."""
    if not isinstance(value, str):
        raise TypeError(f"not a word: {value!r}")
    return value


def as_payout(value: RuleValue) -> t.Payout:
    if not isinstance(value, t.Payout):
        raise TypeError(f"not a payout: {value!r}")
    return value


def as_rounding(value: RuleValue) -> Rounding:
    """Whether payments are rounded up or down, and to what."""
    match value:
        case ("up" | "down" as direction, unit) if is_expression(unit):
            return direction, unit
    raise TypeError(f"not a way to round: {value!r}")


def as_points(value: RuleValue) -> int | tuple[int, int]:
    """What a card counts in a checked rulebook, where no picture counts its face."""
    match value:
        case int() as points:
            return points
        case (int() as low, int() as high):
            return low, high
    raise TypeError(f"not what a card counts: {value!r}")
