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
    sign: str = field(default="$", compare=False)


@dataclass(frozen=True, slots=True)
class Ranks(Node):
    """The ranks of a hand in ascending order, such as 6-7-8."""

    ranks: str


@dataclass(frozen=True, slots=True)
class Setting(Node):
    """`option x`, `approved x`, `recorded x`; `player has x` of a bet on the box, `anybody has x`
    of one in the round."""

    kind: Literal["option", "approved", "recorded", "player has", "anybody has"]
    name: str


# --- what the house has chosen, meters, and what was done on a hand


@dataclass(frozen=True, slots=True)
class Chosen(Node):
    """What the house has chosen: `choice x = …`, or as a number or amount `chosen x`."""

    name: str
    amount: bool = False


@dataclass(frozen=True, slots=True)
class MeterAmount(Node):
    name: str


@dataclass(frozen=True, slots=True)
class Times(Node):
    """How often the player of the wager did this on the hand."""

    action: str


# --- cards by position


@dataclass(frozen=True, slots=True)
class Same(Node):
    """The cards are all dealt, and of one `rank`, `suit`, `colour`, `points`, or one `card`."""

    trait: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Consecutive(Node):
    """The ranks follow each other in some order; an ace is low or high."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PokerRank(Node):
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PointsOf(Node):
    """The points of the cards added up, an ace with two values as the lower one."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardsOf(Node):
    """The cards themselves, in any order."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trait(Node):
    """What a card is held against: `rank = 7`, `suit in (hearts, spades)`."""

    name: str
    operator: str
    values: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class CountOf(Node):
    """How many of the cards have all these traits."""

    cards: tuple[str, ...]
    traits: tuple[Trait, ...]


CardQuestion = Same | Consecutive | PokerRank | PointsOf | CardsOf | CountOf
Declarable = Chosen | MeterAmount | Times | CardQuestion
"""Questions that came with declared games."""


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
    | Declarable
    | Always
)
