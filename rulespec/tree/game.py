"""What can happen at a table: a game, as its file and its rulebook declare it together.

The game says what can happen, the rulebook says what may. Nothing here knows a bet, an option or a
stage by name. What Python knows is the closed lists of this module: ways to add up a hand, effects
of an action, steps of a stage. An interpreter that meets one it does not model says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from rulespec.base.spans import NOWHERE, Span
from rulespec.tree.cards import card_fact
from rulespec.tree.conditions import Always, Expression
from rulespec.tree.kinds import FactInfo

E = TypeVar("E")


DEALER = "dealer"
"""The seat of the house in a game with boxes; box 0 of a log."""
EACH_BOX = "each box"


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A word that a log or a rule may use, what it means, and where that is said."""

    name: str
    title: str
    own: bool = False  # declared by the rulebook, not by its game
    span: Span = field(default=NOWHERE, compare=False, repr=False)


ROLES: Mapping[str, str] = {
    # what a word of a game may mean for how the table is followed, and for which kind of word
    "cards go back": "option",
    "last rounds": "option",
    "a marker leads": "option",
    "approved": "option",
    "no cut card": "record",
    "not cut": "record",
    "the dealer missed a card": "record",
    "a joker came": "record",
    "somebody is worse off": "record",
    "the shoe ran out": "record",
    "a wager is invalid": "record",
    "voids the round": "action",
    "voids a hand": "action",
}
"""The closed list behind `means`: which option, record or action of a game it is."""


# --- bets


@dataclass(frozen=True, slots=True)
class Placed:
    """When a bet is placed: `by play` names the action, `at stage` the stage."""

    when: Literal["before the first card", "at stage", "by play", "never"]
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bet(Declared):
    placed: Placed = Placed("before the first card")
    with_bet: str | None = None  # the bet that the same player needs on the same box
    offered: Expression = field(default_factory=Always)
    decided_by: tuple[str, ...] = ()  # cards by position, such as `first`, `dealer.first`
    lies_on: Literal["box", "hand", "table"] = "box"
    carried: bool = False  # it may run over several rounds
    against: int = 1  # which hand of the dealer it is settled against, where there are several

    @property
    def settle_only(self) -> bool:
        """Nobody stakes on it: it is only paid."""
        return self.placed.when == "never"


# --- words of the log


@dataclass(frozen=True, slots=True)
class Common:
    """How common an option is: at so many of so many simulated tables, or of those with another
    option."""

    tables: int
    of: int
    beside: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Option(Declared):
    """Something that a table offers or uses: `"options": ["surrender"]`."""

    role: str = ""  # of `ROLES`
    common: Common | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(Declared):
    """One of several ways, chosen by the house: `"options": ["blackjack_pays=6:5"]`.

    `kind` is `values` (one of those listed), `number`, `money` or `cards` (such as AS+JS)."""

    values: tuple[str, ...] = ()
    kind: Literal["values", "number", "money", "cards"] = "values"
    need_not: bool = False  # a log that names no value says that none was chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter(Declared):
    """An amount that a progressive bet pays from: `"meters": {"progressive": 12345.67}`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Declared):
    """Something out of the ordinary that a log may record (`irregularity`)."""

    role: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval(Declared):
    """What a supervisor's approval may be for (`approve`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic(Declared):
    """What a clause may be about."""


# --- actions and their effects


@dataclass(frozen=True, slots=True)
class AddsStake:
    """Money is added to the hand as a further part."""

    part: str


@dataclass(frozen=True, slots=True)
class TakesBack:
    """The player gets this part of the money back at once."""

    part: str


@dataclass(frozen=True, slots=True)
class GivesUp:
    """The house takes this part of the money at once, or half of it."""

    part: str
    half: bool = False


@dataclass(frozen=True, slots=True)
class Deals:
    """The hand is due so many cards."""

    cards: int
    face_down: bool = False


@dataclass(frozen=True, slots=True)
class EndsHand:
    """No further decision on the hand."""


@dataclass(frozen=True, slots=True)
class Splits:
    """The second card of the hand becomes the first of a new hand."""


@dataclass(frozen=True, slots=True)
class PlacesBet:
    bet: str


@dataclass(frozen=True, slots=True)
class Claims:
    """The player asks for something; where the rules do not allow it, nothing happens."""


@dataclass(frozen=True, slots=True)
class Decides:
    """Who does it decides on the hands of the box."""


@dataclass(frozen=True, slots=True)
class Waits:
    """The hand waits for a stage before anything else happens to it."""

    stage: str


Effect = (
    AddsStake
    | TakesBack
    | GivesUp
    | Deals
    | EndsHand
    | Splits
    | PlacesBet
    | Claims
    | Decides
    | Waits
)
Actor = Literal["decider", "player", "dealer", "casino", "hand"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Action(Declared):
    """Something that somebody may or must do.

    `by`: `decider` is the player who decides for the box, `player` each player with a wager on it,
    `hand` a named hand. `play` is the word of the log (`"do": "hit"`); None: not a play."""

    by: Actor = "decider"
    play: str | None = None
    effects: tuple[Effect, ...] = ()
    at_most: int | None = None
    counted_on: Literal["hand", "box", "round"] = "hand"
    stages: tuple[str, ...] = ()  # when it can be done; nothing: in the turn of the hand
    role: str = ""
    done: Expression | None = None  # of a duty: when the log shows that it was done
    past: str = ""  # how a message tells that somebody did it

    @property
    def actor(self) -> Literal["player", "dealer", "casino", "hand"]:
        """Who it is in a rule: `may double`, `dealer must draw`, `banker must draw`."""
        return "player" if self.by == "decider" else self.by

    def effect(self, kind: type[E]) -> E | None:
        return next((e for e in self.effects if isinstance(e, kind)), None)


# --- deal and stages


@dataclass(frozen=True, slots=True)
class DealStep:
    """Cards to `each box`, the `dealer`, or a named hand."""

    to: str
    cards: int = 1
    face_down: bool = False
    hand: int = 1  # of the dealer, where there are several


@dataclass(frozen=True, slots=True)
class Deal:
    """The initial deal. One without a condition holds where no other does."""

    steps: tuple[DealStep, ...]
    condition: Expression = field(default_factory=Always)
    own: bool = False
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Looks:
    """The dealer (or a device) looks at the face-down card; nobody else learns it."""

    who: str = DEALER


@dataclass(frozen=True, slots=True)
class Reveals:
    """The face-down cards of a seat are turned."""

    who: str = DEALER


@dataclass(frozen=True, slots=True)
class Draws:
    """A seat draws by the rules, so often; None: as long as the rules say."""

    who: str = DEALER
    at_most: int | None = None


@dataclass(frozen=True, slots=True)
class InTurn:
    """Players decide: box by box, and hand by hand of a box."""

    of: Literal["box", "hand"]


@dataclass(frozen=True, slots=True)
class Ends:
    """The round, or only the drawing of cards, is over when the condition holds."""

    what: Literal["round", "draw"]
    condition: Expression


Step = Looks | Reveals | Draws | InTurn | Ends


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage(Declared):
    """A part of the round after the deal. `after` is the stage before it; None: the deal."""

    after: str | None = None
    condition: Expression = field(default_factory=Always)
    steps: tuple[Step, ...] = ()


Word = Bet | Option | Choice | Meter | Record | Approval | Topic | Action | Stage

# --- the game


@dataclass(frozen=True, slots=True)
class Total:
    """How a hand adds up.

    `best`: the highest sum up to `number`, cards of two values counted as they fit; more is over.
    `modulo`: the sum without the tens, for `number` 10. `rank`: one card, by its place."""

    way: Literal["best", "modulo", "rank"]
    number: int = 0

    @property
    def over(self) -> int | None:
        """What a hand may not exceed."""
        return self.number if self.way == "best" else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    name: str
    title: str
    called: str  # as the rulebook calls it: the name, or one of `also`
    also: tuple[str, ...] = ()
    hands: tuple[str, ...] = ()  # named hands; none: boxes and a dealer
    total: Total = Total("best", 21)
    bets: Mapping[str, Bet] = field(default_factory=dict)
    options: Mapping[str, Option] = field(default_factory=dict)
    choices: Mapping[str, Choice] = field(default_factory=dict)
    meters: Mapping[str, Meter] = field(default_factory=dict)
    records: Mapping[str, Record] = field(default_factory=dict)
    approvals: Mapping[str, Approval] = field(default_factory=dict)
    topics: Mapping[str, Topic] = field(default_factory=dict)
    # by actor and name: the dealer and the casino may both `burn`
    actions: Mapping[tuple[str, str], Action] = field(default_factory=dict)
    deals: tuple[Deal, ...] = ()
    stages: Mapping[str, Stage] = field(default_factory=dict)  # in the order of the round
    facts: Mapping[str, FactInfo] = field(default_factory=dict)
    moments: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    requirable: tuple[str, ...] = ()  # what may stand after `at … require`
    made_from: str = field(default="", compare=False, repr=False)  # stands for the game file
    # facts that an event of a log brings about, and those that one ends, with the event
    brought_about: Mapping[str, str] = field(init=False, compare=False, repr=False)
    ended: Mapping[str, str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        facts = self.facts.values()
        brought_about = {info.name: info.comes_by for info in facts if info.comes_by}
        object.__setattr__(self, "brought_about", brought_about)
        ended = {info.name: info.ends_by for info in facts if info.ends_by}
        object.__setattr__(self, "ended", ended)

    def plain_fact(self, name: str) -> FactInfo | None:
        """A fact that is read off a round; those that the rulebook defines are terms."""
        info = self.facts.get(name) or card_fact(name, self.hands)
        return None if info is None or info.definable else info

    def declared_fact(self, name: str) -> FactInfo | None:
        """The same, but for cards by position, which nobody declares."""
        info = self.facts.get(name)
        return None if info is None or info.definable else info

    @property
    def with_boxes(self) -> bool:
        return not self.hands

    @property
    def seats(self) -> tuple[str, ...]:
        """Whom cards are dealt to, in the words of the deal."""
        return self.hands or (EACH_BOX, DEALER)

    @property
    def plays(self) -> dict[str, Action]:
        """The actions that a log may hold, by its word for them."""
        return {a.play: a for a in self.actions.values() if a.play is not None}

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that the money on a hand may have: the original one, and what is added."""
        added = (a.effect(AddsStake) for a in self.actions.values())
        return tuple(dict.fromkeys(("original", *(e.part for e in added if e is not None))))

    def action(self, actor: str, name: str) -> Action | None:
        return self.actions.get(("hand" if actor in self.hands else actor, name))

    def word_with(self, role: str) -> str:
        """The option, record or action that has a role; empty where the game has none."""
        tables: dict[str, Mapping[Any, Any]] = {
            "option": self.options,
            "record": self.records,
            "action": self.actions,
        }
        words = tables[ROLES[role]].values()
        return next((word.name for word in words if word.role == role), "")

    def actions_of(self, actor: str) -> dict[str, Action]:
        """What somebody may do; named hands do what each hand may."""
        wanted = "hand" if actor in self.hands else actor
        return {name: a for (who, name), a in self.actions.items() if who == wanted}

    @property
    def own_words(self) -> Iterable[Declared]:
        """What the rulebook declares for itself."""
        tables: tuple[Mapping[Any, Declared], ...] = (
            self.bets,
            self.options,
            self.choices,
            self.meters,
            self.records,
            self.approvals,
            self.topics,
            self.actions,
            self.stages,
        )
        return (word for table in tables for word in table.values() if word.own)
