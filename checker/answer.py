"""The answer to a question, and how values are written."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rulespec import tree as t
from rulespec.rulebook import Rule


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome set of one question on one scene, with what made it."""

    question: str
    values: tuple[Any, ...]
    rules: tuple[Rule, ...]
    beaten: tuple[tuple[Rule, Rule], ...] = ()
    unknown: tuple[Rule, ...] = ()
    unchecked: tuple[Rule, ...] = ()  # ask for something optional that the log does not give
    order: tuple[str, ...] = ()  # for each beaten rule the clause or reading that says so
    readings: tuple[str, ...] = ()  # what the answer rests on
    clauses: tuple[str, ...] = field(init=False, compare=False, repr=False)
    permits: bool | None = field(init=False, compare=False, repr=False)  # of a question about acts
    holds: bool | None = field(init=False, compare=False, repr=False)  # of a defined term
    decided: bool = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        clauses = tuple(dict.fromkeys(r.clause for r in self.rules))
        object.__setattr__(self, "clauses", clauses)
        object.__setattr__(self, "permits", self._permits())
        object.__setattr__(self, "holds", self._holds())
        one = len(self.values) == 1 and not self.unknown
        object.__setattr__(self, "decided", one and "undecided" not in self.values)

    def _permits(self) -> bool | None:
        values = set(self.values)
        if values & {"undecided may", "undecided may not", "undecided must not"}:
            return None
        if values & {"may not", "must not"}:
            return False
        if any(r.value in ("may not", "must not") for r in self.unknown):
            return None
        if values & {"may", "must", "undecided must"}:
            return True
        return None if self.unknown else False

    def _holds(self) -> bool | None:
        if self.unknown or len(self.values) > 1:
            return None
        return self.values[0] if self.values else False

    @property
    def value(self) -> Any:
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
        told = "; ".join(
            f"clause {r.clause} says {shown(r.value)}" for r in self.rules
        )
        return f"the text says several things: {told}"


def shown(value: Any) -> str:
    match value:
        case t.Odds():
            return value.printed
        case t.Amount():
            return money_text(value.cents)
        case _:
            return str(value)


def money_text(cents: int | Fraction) -> str:
    amount = Fraction(cents)
    sign = "-" if amount < 0 else ""
    whole, rest = divmod(abs(amount), 100)
    if rest == 0:
        return f"{sign}${whole:,}"
    if rest.denominator == 1:
        return f"{sign}${whole:,}.{int(rest):02d}"
    return f"{sign}${abs(amount) / 100}"
