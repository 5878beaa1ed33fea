"""The typed tree of a rule file. Trees are equal when they say the same: spans do not count."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Literal

from rulespec.base.spans import NOWHERE, Span
from rulespec.tree import game
from rulespec.tree.conditions import Always as Always
from rulespec.tree.conditions import Arithmetic as Arithmetic
from rulespec.tree.conditions import Between as Between
from rulespec.tree.conditions import Both as Both
from rulespec.tree.conditions import CardQuestion as CardQuestion
from rulespec.tree.conditions import CardsOf as CardsOf
from rulespec.tree.conditions import Chosen as Chosen
from rulespec.tree.conditions import Compare as Compare
from rulespec.tree.conditions import Consecutive as Consecutive
from rulespec.tree.conditions import CountOf as CountOf
from rulespec.tree.conditions import Declarable as Declarable
from rulespec.tree.conditions import Either as Either
from rulespec.tree.conditions import Expression as Expression
from rulespec.tree.conditions import Fact as Fact
from rulespec.tree.conditions import MeterAmount as MeterAmount
from rulespec.tree.conditions import Money as Money
from rulespec.tree.conditions import Name as Name
from rulespec.tree.conditions import Negated as Negated
from rulespec.tree.conditions import Node as Node
from rulespec.tree.conditions import Number as Number
from rulespec.tree.conditions import OneOf as OneOf
from rulespec.tree.conditions import PointsOf as PointsOf
from rulespec.tree.conditions import PokerRank as PokerRank
from rulespec.tree.conditions import Ranks as Ranks
from rulespec.tree.conditions import Same as Same
from rulespec.tree.conditions import Setting as Setting
from rulespec.tree.conditions import Times as Times
from rulespec.tree.conditions import Trait as Trait
from rulespec.tree.kinds import FactInfo as FactInfo

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


@dataclass(frozen=True, slots=True)
class NumberRow(Node):
    """No condition means every case that no other row names."""

    condition: Expression | None
    value: Expression


@dataclass(frozen=True, slots=True)
class DefineNumber(Node):
    """A term that stands for a number or an amount; of one row without a condition, or a table."""

    term: str
    condition: Expression
    rows: tuple[NumberRow, ...]


Points = Literal["face"] | int | tuple[int, int]


@dataclass(frozen=True, slots=True)
class CardValue(Node):
    ranks: tuple[str, ...]
    points: Points
    condition: Expression


Outcome = Literal["wins", "loses", "loses half", "stands off", "void", "stays", "undecided"]


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
    sign: str = field(default="$", compare=False)


@dataclass(frozen=True, slots=True)
class MeterShare(Node):
    """A part of what a meter shows. The stake is in it: all progressive wagers were collected."""

    share: Fraction
    meter: str


FixedPayout = Odds | Amount | MeterShare


@dataclass(frozen=True, slots=True)
class PayoutRange(Node):
    """The text leaves the odds to the house within bounds."""

    least: FixedPayout | None = None
    most: FixedPayout | None = None


Payout = Odds | Amount | MeterShare | PayoutRange


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
class PaysAs(Node):
    """Paid by what other clauses, with their parts, say of this bet."""

    bet: str
    targets: tuple[ClauseRef, ...]
    condition: Expression


@dataclass(frozen=True, slots=True)
class PaysHighest(Node):
    bet: str
    condition: Expression


@dataclass(frozen=True, slots=True)
class PaysSum(Node):
    """All rows that apply are paid, one on top of the other."""

    bet: str
    condition: Expression


@dataclass(frozen=True, slots=True)
class PaysTogether(Node):
    """All winners of a bet in a round share what a meter holds; or, with a limit, get no more than
    that in all, by their stakes."""

    bet: str
    limit: Expression | None
    condition: Expression


@dataclass(frozen=True, slots=True)
class Counts(Node):
    """How much of a wager is in play: at most, or (for deemed stakes) exactly."""

    bet: str
    limit: Expression
    condition: Expression
    exactly: bool = False


Timing = str
"""One of `TIMINGS` or `ORDERS`, or `at stage` or `before stage` with the name of a stage."""

TIMINGS = (
    "at once",
    "before the subsequent deal",
    "during the subsequent deal",
    "at the second dealer card",
    "at the end",
)
AT_STAGE = "at stage "
BEFORE_STAGE = "before stage "
BEFORE_CARD = "before "
"""With the name of a card: `before third`, `before dealer.fourth`."""
BEFORE_NEXT_DEALER_HAND = "before the next dealer hand"
AFTER_FIRST_DECISION = "after the first decision"
"""On the first hand of the box; with the card that the decision asks for."""
ORDERS = ("before the other wagers", "after the other wagers", "from the far right", "losers first")
"""Times that are told by other settlements, not by cards."""


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
    actor: str  # player, dealer, casino, or a named hand
    modal: Modal
    actions: tuple[str, ...]
    condition: Expression
    undecided: str | None = None


@dataclass(frozen=True, slots=True)
class ConductRow(Node):
    """No condition means every case that no other row names."""

    condition: Expression | None
    holds: bool


@dataclass(frozen=True, slots=True)
class ConductTable(Node):
    """What has to be done, case by case: a row that says no says the contrary."""

    actor: str
    modal: Modal
    action: str
    condition: Expression
    rows: tuple[ConductRow, ...]


@dataclass(frozen=True, slots=True)
class Requires(Node):
    moment: str
    requirement: Expression
    condition: Expression


Statement = (
    NotCheckable
    | Introduces
    | Defines
    | Uses
    | Cites
    | CitesOutside
    | SubjectTo
    | Despite
    | AppliesWhen
    | DoesNotApplyWhen
    | InForce
    | Define
    | DefineNumber
    | CardValue
    | Result
    | Pays
    | PayTable
    | PaysAs
    | PaysHighest
    | PaysSum
    | PaysTogether
    | Counts
    | Settles
    | Rounding
    | Conduct
    | ConductTable
    | Requires
)

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
    condition: Expression = field(default_factory=Always)


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
class Quoted(Node):
    text: str


@dataclass(frozen=True, slots=True)
class Accept(Node):
    code: str
    clauses: tuple[ClauseRef, ...]
    because: str
    until: date | None = None
    only: tuple[Quoted, ...] = ()
    """What the finding has to be about; nothing means all that readings settle."""


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
class Zone(Node):
    """The clock of the tables, as the time zone database names it."""

    name: str


@dataclass(frozen=True, slots=True)
class Currency(Node):
    name: str


@dataclass(frozen=True, slots=True)
class Header(Node):
    id: str
    properties: tuple[TextProperty | Game | Zone | Currency | InForce | Undated, ...]


# --- declarations: what they declare is in `rulespec.tree.game`


@dataclass(frozen=True, slots=True)
class GameFile(Node):
    """The opening of a game file."""

    name: str
    title: str
    also: tuple[str, ...]
    hands: tuple[str, ...]
    total: game.Total
    requirable: tuple[str, ...]
    usual: str  # what the game is called where a rulebook names none
    lines: tuple[Span, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Declaration(Node):
    """Something that the game or the rulebook adds to what can happen at the table."""

    what: game.Word | game.Deal | FactInfo
    lines: tuple[Span, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Moment(Node):
    """Which groups of facts are known when a kind of question is asked."""

    name: str
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReplaceClause(Node):
    clause: Clause


@dataclass(frozen=True, slots=True)
class InsertClause(Node):
    clause: Clause
    after: ClauseRef


@dataclass(frozen=True, slots=True)
class InsertSection(Node):
    section: Section
    after: ClauseRef


@dataclass(frozen=True, slots=True)
class RevokeClause(Node):
    """The clauses go with all their parts."""

    clauses: tuple[ClauseRef, ...]


@dataclass(frozen=True, slots=True)
class RevokeSection(Node):
    section: ClauseRef


@dataclass(frozen=True, slots=True)
class RevokeReading(Node):
    name: str


Change = ReplaceClause | InsertClause | InsertSection | RevokeClause | RevokeSection | RevokeReading


@dataclass(frozen=True, slots=True)
class Amend(Node):
    """An instrument that changes a rulebook from a day on."""

    rulebook: str
    lines: tuple[TextProperty | InForce | Change | Reading | Accept, ...]
    id_span: Span = field(default=NOWHERE, compare=False, repr=False)


Item = (
    Include | Header | Section | Clause | Reading | Accept | Amend | GameFile | Declaration | Moment
)


@dataclass(frozen=True, slots=True)
class Document(Node):
    items: tuple[Item, ...]
