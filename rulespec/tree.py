"""The typed tree of a rule file. Trees are equal when they say the same: spans do not count."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Literal

from rulespec.spans import NOWHERE, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    span: Span = field(default=NOWHERE, compare=False, repr=False)


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
    Either | Both | Negated | Compare | OneOf | Between | Arithmetic
    | Fact | Name | Number | Money | Ranks | Setting | Always
)  # fmt: skip

# --- references


@dataclass(frozen=True, slots=True)
class ClauseRef(Node):
    id: str


@dataclass(frozen=True, slots=True)
class Reference(Node):
    """A reference as printed, what it is said to be about, and what we read it as."""

    target: ClauseRef
    up_to: ClauseRef | None = None
    about: str | None = None
    read_as: ClauseRef | None = None


# --- statements


@dataclass(frozen=True, slots=True)
class NotCheckable(Node):
    reason: str


@dataclass(frozen=True, slots=True)
class Introduces(Node):
    """A lead-in: what it says is said by its parts."""


@dataclass(frozen=True, slots=True)
class Defines(Node):
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Uses(Node):
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cites(Node):
    references: tuple[Reference, ...]


@dataclass(frozen=True, slots=True)
class CitesOutside(Node):
    text: str


@dataclass(frozen=True, slots=True)
class SubjectTo(Node):
    references: tuple[Reference, ...]


@dataclass(frozen=True, slots=True)
class Despite(Node):
    references: tuple[Reference, ...]


@dataclass(frozen=True, slots=True)
class AppliesWhen(Node):
    condition: Expression


@dataclass(frozen=True, slots=True)
class DoesNotApplyWhen(Node):
    condition: Expression


@dataclass(frozen=True, slots=True)
class InForce(Node):
    start: date
    end: date | None = None


@dataclass(frozen=True, slots=True)
class Undated(Node):
    reason: str


@dataclass(frozen=True, slots=True)
class Define(Node):
    term: str
    condition: Expression
    holds: bool = True


Points = Literal["face"] | int | tuple[int, int]


@dataclass(frozen=True, slots=True)
class CardValue(Node):
    ranks: tuple[str, ...]
    points: Points
    condition: Expression


Outcome = Literal["wins", "loses", "loses half", "stands off", "void", "undecided"]


@dataclass(frozen=True, slots=True)
class Result(Node):
    bet: str
    outcome: Outcome
    condition: Expression
    interim: bool = False
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Odds(Node):
    ratio: Fraction
    printed: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Amount(Node):
    cents: int


Payout = Odds | Amount


@dataclass(frozen=True, slots=True)
class Pays(Node):
    bet: str
    payout: Payout
    condition: Expression


@dataclass(frozen=True, slots=True)
class PayRow(Node):
    """One row of a payout table; no condition means every hand that no other row names."""

    condition: Expression | None
    payout: Payout


@dataclass(frozen=True, slots=True)
class PayTable(Node):
    bet: str
    condition: Expression
    rows: tuple[PayRow, ...]


@dataclass(frozen=True, slots=True)
class PaysHighest(Node):
    bet: str
    condition: Expression


@dataclass(frozen=True, slots=True)
class Counts(Node):
    """How much of a wager is in play: at most, or (for deemed stakes) exactly."""

    bet: str
    limit: Expression
    condition: Expression
    exactly: bool = False


Timing = Literal[
    "at once", "before the subsequent deal", "during the subsequent deal",
    "at the second dealer card", "at the end",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Settles(Node):
    bet: str
    timing: Timing
    condition: Expression


@dataclass(frozen=True, slots=True)
class Rounding(Node):
    direction: Literal["up", "down"]
    unit: Expression
    condition: Expression


Modal = Literal["may", "may not", "must", "must not"]


@dataclass(frozen=True, slots=True)
class Conduct(Node):
    actor: Literal["player", "dealer", "casino"]
    modal: Modal
    actions: tuple[str, ...]
    condition: Expression
    undecided: str | None = None


@dataclass(frozen=True, slots=True)
class Requires(Node):
    moment: str
    requirement: Expression
    condition: Expression


Statement = (
    NotCheckable | Introduces | Defines | Uses | Cites | CitesOutside | SubjectTo | Despite
    | AppliesWhen | DoesNotApplyWhen | InForce | Define | CardValue | Result | Pays | PayTable
    | PaysHighest | Counts | Settles | Rounding | Conduct | Requires
)  # fmt: skip

# --- the document


@dataclass(frozen=True, slots=True)
class Clause(Node):
    id: str
    title: str
    about: tuple[str, ...]
    statements: tuple[Statement, ...]
    id_span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Section(Node):
    id: str
    title: str
    about: tuple[str, ...]
    rules: tuple[AppliesWhen | DoesNotApplyWhen | Despite | SubjectTo, ...]
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Prevails(Node):
    winner: ClauseRef
    losers: tuple[ClauseRef, ...]


@dataclass(frozen=True, slots=True)
class Under(Node):
    clause: ClauseRef
    statement: Statement


@dataclass(frozen=True, slots=True)
class Reading(Node):
    name: str
    because: str
    lines: tuple[Prevails | Under, ...]
    active: bool = True


@dataclass(frozen=True, slots=True)
class Accept(Node):
    code: str
    clauses: tuple[ClauseRef, ...]
    because: str
    until: date | None = None


@dataclass(frozen=True, slots=True)
class Include(Node):
    path: str


@dataclass(frozen=True, slots=True)
class TextProperty(Node):
    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Game(Node):
    name: str


@dataclass(frozen=True, slots=True)
class Header(Node):
    id: str
    properties: tuple[TextProperty | Game | InForce | Undated, ...]


Item = Include | Header | Section | Clause | Reading | Accept


@dataclass(frozen=True, slots=True)
class Document(Node):
    items: tuple[Item, ...]
