"""The answer to a question, and how values are written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, get_args

from rulespec.base.money import money_text
from rulespec.resolve.question import Question
from rulespec.resolve.rule_value import RuleValue
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.write import condition_text, payout

BANS = frozenset({"may not", "must not"})


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome set of one question on one scene, with what made it."""

    question: Question
    values: tuple[RuleValue, ...]
    rules: tuple[Rule, ...]
    beaten: tuple[tuple[Rule, Rule], ...] = ()
    unknown: tuple[Rule, ...] = ()
    unchecked: tuple[Rule, ...] = ()  # ask for something optional that the log does not give
    order: tuple[str, ...] = ()  # for each beaten rule the clause or reading that says so
    readings: tuple[str, ...] = ()  # what the answer rests on
    shaky: bool = False  # a rule that is not known to apply would prevail over one that does
    clauses: tuple[str, ...] = field(init=False, compare=False, repr=False)
    permits: bool | None = field(init=False, compare=False, repr=False)  # of a question about acts
    demands: bool | None = field(init=False, compare=False, repr=False)  # likewise: it must be done
    holds: bool | None = field(init=False, compare=False, repr=False)  # of a defined term
    decided: bool = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        clauses = tuple(dict.fromkeys(r.clause for r in self.rules))
        object.__setattr__(self, "clauses", clauses)
        object.__setattr__(self, "permits", self._permits())
        object.__setattr__(self, "demands", self._demands())
        object.__setattr__(self, "holds", self._holds())
        one = len(self.values) == 1 and not self.unknown
        object.__setattr__(self, "decided", one and "undecided" not in self.values)

    def _permits(self) -> bool | None:
        values = set(self.values)
        perhaps = {r.value for r in self.unknown}
        if values & {"undecided may not", "undecided must not"}:
            return None
        if "undecided may" in values and not (self._plainly_allowed() and not values & BANS):
            return None
        if values & BANS:
            return None if self.shaky or (values | perhaps) & {"must", "undecided must"} else False
        if perhaps & BANS:
            return None
        if values & {"may", "must", "undecided must"}:
            return True
        return None if self.unknown else False

    def _plainly_allowed(self) -> bool:
        """A clause allows it: it does not matter then that another clause may allow it too. A
        reading that leaves it open is about all of them."""
        open_ = [r for r in self.rules if r.value == "undecided may"]
        clauses = {r.clause for r in open_}
        allowing = (r for r in self.rules if r.value in ("may", "must"))
        return not any(r.reading for r in open_) and any(r.clause not in clauses for r in allowing)

    def _demands(self) -> bool | None:
        """None: the text leaves open whether it must be done, or forbids it too."""
        values = set(self.values)
        if not values & {"must", "undecided must"}:
            return False
        perhaps = any(r.value in BANS for r in self.unknown)
        return True if values <= {"must", "may"} and not perhaps and not self.shaky else None

    def _holds(self) -> bool | None:
        if self.unknown or len(self.values) > 1:
            return None
        value = self.values[0] if self.values else False
        return value if isinstance(value, bool) else None

    @property
    def value(self) -> RuleValue | None:
        """The one value, or None when there is a gap, a contradiction or something unknown."""
        return self.values[0] if self.decided else None

    def why_undecided(self) -> str:
        notes = [r.note for r in self.rules if str(r.value).startswith("undecided") and r.note]
        if notes:
            return notes[0]
        if self.unknown:
            clauses = ", ".join(dict.fromkeys(r.clause for r in self.unknown))
            return f"the log does not say what clause {clauses} asks for"
        if not self.values:
            return "no clause gives an answer here"
        # a permission takes no part where clauses ask for the act and forbid it
        said = (r for r in self.rules if r.value != "may" or self.values == ("may",))
        told = dict.fromkeys(f"clause {r.clause} says {shown(r.value)}" for r in said)
        return f"the text says several things: {'; '.join(told)}"


def shown(value: Any) -> str:
    match value:
        case t.Odds():
            return value.printed
        case t.Amount():
            return money_text(value.cents)
        case t.MeterShare() | t.PayoutRange():
            return payout(value)
        case (str() as way, unit):
            return f"{way} to {condition_text(unit)}"
        case (int() as low, int() as high):
            return f"{low} or {high}"
        case _ if isinstance(value, get_args(t.Expression)):
            return condition_text(value)
        case _:
            return str(value)
