"""What a comparison of two texts hands on: outcomes, classes of states, and who gains."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from checker.diff.topics import Subject
from checker.evaluate.engine import shown
from checker.states.grid import Flag
from checker.states.named_witness import NamedWitness
from checker.states.witness import Witness
from rulespec.resolve.question import Question
from rulespec.tree import nodes as t

NOT_KNOWN = "not known"
RETURNED = {
    # what goes back of each unit staked; a win brings the odds on top
    "wins": Fraction(1),
    "loses": Fraction(0),
    "loses half": Fraction(1, 2),
    "stands off": Fraction(1),
    "void": Fraction(1),
}
_SAID = {"void": "is void", "undecided": "left undecided", NOT_KNOWN: "cannot be known"}
VALUE, SILENT, CLASH, UNDECIDED = "value", "no clause says", "clauses clash", "undecided"
"""What an outcome set comes to: one value, none, several; a text may also leave it undecided."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one text says of one question: an outcome set, for wagers with the odds of a win."""

    values: tuple[str, ...] = ()
    odds: tuple[Any, ...] = ()
    silent: str = field(default=SILENT, compare=False)  # how a text is silent, in words

    @property
    def standing(self) -> str:
        if not self.values:
            return SILENT
        for word in (UNDECIDED, NOT_KNOWN):
            if word in self.values or word in self.odds:
                return word
        if self.values == ("wins",) and not self.odds:
            return SILENT
        return CLASH if len(self.values) > 1 or len(self.odds) > 1 else VALUE

    @property
    def text(self) -> str:
        if not self.values:
            return self.silent
        clash = f"{CLASH}: " if self.standing == CLASH else ""
        if self.odds:
            odds = clash + " or ".join(_SAID.get(str(o), shown(o)) for o in self.odds)
            if self.values == ("pays",):
                return odds
            if self.standing == NOT_KNOWN:
                return "wins, it cannot be known at what odds"
            return f"wins, {odds}" if clash else f"wins at {odds}"
        if self.values == ("wins",):
            return f"wins, {SILENT} at what odds"
        return clash + " or ".join(_SAID.get(v, v) for v in self.values)

    @property
    def returned(self) -> Fraction | None:
        """What goes back of one unit staked; None when the text does not decide it."""
        if len(self.values) != 1 or self.values[0] not in RETURNED:
            return None
        back = RETURNED[self.values[0]]
        if self.values[0] != "wins":
            return back
        ratios = {o.ratio for o in self.odds if isinstance(o, t.Odds)}
        return back + ratios.pop() if len(ratios) == 1 else None

    @property
    def amount(self) -> int | None:
        """A fixed bonus in cents; None when the text does not decide it."""
        if self == NOTHING:
            return 0
        amounts = {o.cents for o in self.odds if isinstance(o, t.Amount)}
        return amounts.pop() if self.standing == VALUE and len(amounts) == 1 else None


NOTHING = Outcome(("nothing",))
"""No bonus is due: not the same as a bonus that is due and that no clause names."""


@dataclass(frozen=True, slots=True)
class SideAnswer:
    """One text's answer in a class, with the clauses that give it on the hand that is shown."""

    outcome: Outcome
    clauses: tuple[str, ...]
    readings: tuple[str, ...] = ()
    words: str = ""  # what is said, where that is more than the outcome

    @property
    def text(self) -> str:
        return self.words or self.outcome.text


@dataclass(frozen=True, slots=True)
class Variant:
    """States of a class on which the same clauses decide."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    states: int


@dataclass(frozen=True, slots=True)
class ChangeClass:
    """States on which the two texts give one question the same two different answers."""

    code: str
    about: Subject
    question: Question
    was: SideAnswer
    becomes: SideAnswer
    states: int
    witness: Witness | NamedWitness | None = None  # dealt, and asked again under both texts
    circumstances: tuple[str, ...] = ()  # what has to be out of the ordinary, in words
    supposed: tuple[str, ...] = ()  # those of them that no card or event shows
    gain: Fraction | None = None  # per unit staked, to the player; below zero to the house
    gain_cents: int | None = None  # of a fixed bonus
    variants: tuple[Variant, ...] = ()
    flags: frozenset[Flag] = frozenset()

    @property
    def favours(self) -> str | None:
        """player, house, neither, or open where a text does not decide what is due; None where no
        money moves."""
        worth = self.gain if self.gain is not None else self.gain_cents
        if worth is None:
            return "open" if self.code in ("R601", "R602") else None
        return "player" if worth > 0 else "house" if worth < 0 else "neither"

    @property
    def key(self) -> tuple[str, Outcome, Outcome]:
        return self.question, self.was.outcome, self.becomes.outcome

    @property
    def ordinary(self) -> bool:
        return not self.flags

    @property
    def other_variants(self) -> tuple[Variant, ...]:
        """By which other clauses states of the class are decided than the hand that is shown."""
        return tuple(
            v
            for v in self.variants
            if not (set(v.old) <= set(self.was.clauses) and set(v.new) <= set(self.becomes.clauses))
        )

    @property
    def old_clauses(self) -> tuple[str, ...]:
        """All clauses that decide somewhere in the class, those of the hand that is shown first."""
        more = [c for v in self.variants for c in v.old]
        return tuple(dict.fromkeys([*self.was.clauses, *more]))

    @property
    def new_clauses(self) -> tuple[str, ...]:
        more = [c for v in self.variants for c in v.new]
        return tuple(dict.fromkeys([*self.becomes.clauses, *more]))


@dataclass(frozen=True, slots=True)
class Undecided:
    """A question on which the texts are worded differently and no answer was found."""

    question: Question
    about: Subject
    reason: str
    old_clauses: tuple[str, ...] = ()
    new_clauses: tuple[str, ...] = ()


@dataclass(slots=True)
class Meaning:
    """All that was found about the meaning of two texts."""

    classes: list[ChangeClass] = field(default_factory=list)
    undecided: list[Undecided] = field(default_factory=list)
    proven: list[str] = field(default_factory=list)  # questions decided over all states
    states: int = 0
    complete: bool = True  # the classes are all there are: nothing is left of the difference
