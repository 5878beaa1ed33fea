"""What conditions are made of: three-valued tests that can be joined, compared and turned round.

A condition is true, false or not known (None).
"""

from __future__ import annotations

import operator as operators
from collections.abc import Callable, Container
from fractions import Fraction
from functools import partial
from typing import Any, Protocol, assert_never

from rulespec.tree import nodes as t
from rulespec.tree.game import Game
from rulespec.tree.kinds import FactInfo

Value = bool | int | str | Fraction | None


class Scene(Protocol):
    """What can be seen at the moment when a question is asked."""

    def fact(self, name: str) -> Value: ...

    def setting(self, kind: str, name: str) -> bool | None: ...

    def as_dealer(self) -> Scene: ...

    @property
    def memory(self) -> dict[str, Any]: ...


Condition = Callable[[Scene], bool | None]
Term = Callable[[Scene], Value]


def cost(dear: Container[str], node: t.Expression) -> int:
    """What is cheap to know is asked first; the order of parts never changes an answer. `dear` are
    the facts that are worked out from what the rules say of something else."""
    match node:
        case t.Setting() | t.Always() | t.Number() | t.Money() | t.Ranks():
            return 1
        case t.Fact():
            return 9 if node.name in dear else 2 if node.name.startswith("wager.") else 3
        case t.Name():
            return 7
        case (
            t.Chosen()
            | t.MeterAmount()
            | t.Times()
            | t.Same()
            | t.Consecutive()
            | t.PokerRank()
            | t.PointsOf()
            | t.CardsOf()
            | t.CountOf()
        ):
            return 5
        case t.Negated():
            return cost(dear, node.part)
        case t.Compare() | t.Arithmetic():
            return max(
                cost(dear, node.left),
                2 if isinstance(node.right, t.Name) else cost(dear, node.right),
            )
        case t.OneOf():
            return cost(dear, node.left)
        case t.Between():
            return cost(dear, node.left)
        case t.Either() | t.Both():
            return 2 + max(cost(dear, p) for p in node.parts)
        case _:
            assert_never(node)


class Constant:
    """A term that is the same in every scene."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    def __call__(self, scene: Scene) -> Value:
        return self.value


class Later:
    """A condition that is compiled when it is first asked: few of a rulebook are in a short run."""

    __slots__ = ("_compile", "_made", "_node")

    def __init__(self, compile_: Callable[[t.Expression], Condition], node: t.Expression) -> None:
        self._compile = compile_
        self._node = node
        self._made: Condition | None = None

    def now(self) -> Condition:
        if self._made is None:
            self._made = self._compile(self._node)
        return self._made

    def __call__(self, scene: Scene) -> bool | None:
        return self.now()(scene)


def has_listed_values(fact: FactInfo | None) -> bool:
    return fact is not None and fact.kind.name in ("rank", "enum")


def as_chosen(node: t.Expression) -> str:
    """A value of a choice, as the log writes it."""
    return node.name if isinstance(node, t.Name) else str(getattr(node, "value", ""))


def may_be_word(fact: FactInfo | None, node: t.Expression) -> bool:
    """A number that may also be a word, such as `none`, held against that word."""
    return isinstance(node, t.Name) and fact is not None and node.name in fact.kind.values


def listed(node: t.Expression) -> str | None:
    match node:
        case t.Name():
            return "T" if node.name == "10" else node.name
        case t.Number():
            return "T" if node.value == 10 else str(node.value)
        case _:
            return None


def as_bool(value: Value) -> bool | None:
    return None if value is None else bool(value)


def both(parts: list[Condition]) -> Condition:
    def check(scene: Scene) -> bool | None:
        known: bool | None = True
        for part in parts:
            holds = part(scene)
            if holds is False:
                return False
            if holds is None:
                known = None
        return known

    return check


def either(parts: list[Condition]) -> Condition:
    def check(scene: Scene) -> bool | None:
        known: bool | None = False
        for part in parts:
            holds = part(scene)
            if holds:
                return True
            if holds is None:
                known = None
        return known

    return check


def negated(part: Condition) -> Condition:
    def check(scene: Scene) -> bool | None:
        holds = part(scene)
        return None if holds is None else not holds

    return check


_HOLDS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operators.eq,
    "!=": operators.ne,
    "<": operators.lt,
    "<=": operators.le,
    ">": operators.gt,
    ">=": operators.ge,
}


def compare(left: Term, operator: str, right: Term) -> Condition:
    holds = _HOLDS[operator]
    if isinstance(right, Constant) and right.value is not None:
        return partial(_compare_with, left, holds, right.value)
    ordered = operator not in ("=", "!=")

    def check(scene: Scene) -> bool | None:
        one, other = left(scene), right(scene)
        if one is None or other is None:
            return None
        if ordered and isinstance(one, str) is not isinstance(other, str):
            return False  # a card that is not dealt, a number that is not defined here
        return holds(one, other)

    return check


def _compare_with(
    left: Term, holds: Callable[[Any, Any], bool], value: Value, scene: Scene
) -> bool | None:
    one = left(scene)
    if one is None:
        return None
    if isinstance(one, str) is not isinstance(value, str):
        return holds is operators.ne  # a card that is not dealt, a number that is not defined here
    return holds(one, value)


def arithmetic(left: Term, operator: str, right: Term) -> Term:
    def reckon(scene: Scene) -> Value:
        one, other = left(scene), right(scene)
        if one is None or other is None:
            return None
        if isinstance(one, str) or isinstance(other, str):
            return None  # of a card that is not dealt
        match operator:
            case "+":
                return one + other
            case "-":
                return one - other
            case "*":
                return one * other
            case "modulo":
                return one % other if other else None
            case _:
                return Fraction(one) / other if other else None

    return reckon


_FEW = 64


def sides(node: t.Compare | t.OneOf | t.Between) -> tuple[t.Expression, ...]:
    match node:
        case t.Compare():
            return node.left, node.right
        case t.OneOf():
            return node.left, *node.values
        case t.Between():
            return node.left, node.low, node.high
        case _:
            assert_never(node)


def few_values(node: object, game: Game) -> bool:
    """A part of a comparison that takes so few values that an answer may be kept for each."""
    if isinstance(node, t.Arithmetic | t.MeterAmount) or (
        isinstance(node, t.Chosen) and node.amount
    ):
        return False
    if not isinstance(node, t.Fact):
        return True
    info = game.plain_fact(node.name)
    if info is None:
        return True
    kind = info.kind
    return kind.name in ("bool", "rank", "enum") or (
        kind.name == "int" and kind.high - kind.low <= _FEW
    )
