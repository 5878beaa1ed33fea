"""The typed tree of conditions, and what all nodes share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from rulespec.base.spans import NOWHERE, Span, stored


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def __reduce__(self) -> Any:
        return stored(self)


# --- conditions


@dataclass(frozen=True, slots=True)
class Either(Node):
    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Both(Node):
    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Negated(Node):
    part: Expression


@dataclass(frozen=True, slots=True)
class Compare(Node):
    left: Expression
    operator: str
    right: Expression


@dataclass(frozen=True, slots=True)
class OneOf(Node):
    left: Expression
    values: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Between(Node):
    left: Expression
    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    left: Expression
    operator: str
    right: Expression


@dataclass(frozen=True, slots=True)
class Fact(Node):
    name: str


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A defined term, or a listed value such as `spades` or `K`."""

    name: str


@dataclass(frozen=True, slots=True)
class Number(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Money(Node):
    """An amount in minor units."""

    cents: int


@dataclass(frozen=True, slots=True)
class Ranks(Node):
    """The ranks of a hand in ascending order, such as 6-7-8."""

    ranks: str


@dataclass(frozen=True, slots=True)
class Setting(Node):
    """`option x`, `approved x` or `recorded x`."""

    kind: Literal["option", "approved", "recorded"]
    name: str


@dataclass(frozen=True, slots=True)
class Always(Node):
    """The condition of a statement that has none."""


Expression = (
    Either
    | Both
    | Negated
    | Compare
    | OneOf
    | Between
    | Arithmetic
    | Fact
    | Name
    | Number
    | Money
    | Ranks
    | Setting
    | Always
)
