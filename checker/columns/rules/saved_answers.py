"""Answers of earlier runs to what machine code asks: the same text is not asked twice."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from checker.columns.rules.looker import Looked
from checker.columns.rules.made_facts import MadeFact
from checker.columns.rules.program import Program
from checker.columns.rules.said import ANSWER_WIDTH, Said
from rulespec.base import cache

MOST_ANSWERS = 50_000


Compiled: TypeAlias = tuple[Looked, frozenset[str] | None, Program]
"""What a question looks at, what of it moves while the rest stays, and the program."""


Clauses: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""What answers test, leave unchecked, and lack facts for."""
New: TypeAlias = tuple[int, int, int, Said]
"""Question, key and answer."""

QUESTION, FIRST, SECOND, CLAUSES, NUMBERS = range(5)  # the columns of an answer that is kept


def _no_rows() -> Any:
    return np.zeros((0, NUMBERS + ANSWER_WIDTH), np.int64)


@dataclass(slots=True)
class Answered:
    """Answers as rows of numbers: thousands of them are ready at once. Few differ in the clauses,
    which stand apart, in the order in which they turned up."""

    rows: Any = field(default_factory=_no_rows)
    clauses: list[Clauses] = field(default_factory=list)

    def add(self, new: Sequence[New]) -> None:
        if not new:
            return
        places = {clauses: place for place, clauses in enumerate(self.clauses)}
        rows = []
        for question, first, second, said in new:
            clauses = (said.tested, said.unchecked, said.lacking)
            place = places.setdefault(clauses, len(places))
            rows.append([question, first, second, place, *said.numbers])
        self.rows = np.concatenate([self.rows, np.array(rows, np.int64)])
        self.clauses = list(places)


@dataclass(slots=True)
class Remembered:
    """What one text was made into, by question, and what it was asked: answers; formulas; numbers
    of sets of values; what each card is worth; the ends that a dealer's hand can come to; what its
    rules make of cards by position."""

    programs: dict[int, Compiled | None] = field(default_factory=dict)
    ends: list[list[int] | None] | None = None
    points: list[tuple[int, int, int] | None] | None = None
    answers: Answered = field(default_factory=Answered)
    formulas: list[int] = field(default_factory=list)
    sets: list[tuple[tuple[str, ...], int]] = field(default_factory=list)
    made: dict[str, MadeFact] = field(default_factory=dict)


@dataclass(slots=True)
class _OnDisk:
    """The same with the rows as text, little endian: thousands of numbers are read in one step."""

    remembered: Remembered
    rows: str


def remembered(place: Path | None) -> Remembered:
    found = cache.read(place, _OnDisk, (_OnDisk, Remembered, Answered, Looked, Program, MadeFact))
    if found is None:
        return Remembered()
    try:
        numbers = np.frombuffer(b64decode(found.rows, validate=True), "<i8")
        found.remembered.answers.rows = numbers.astype(np.int64).reshape(-1, NUMBERS + ANSWER_WIDTH)
    except ValueError:
        return Remembered()
    return found.remembered


def keep(place: Path | None, what: Remembered) -> None:
    if place is not None and len(what.answers.rows) <= MOST_ANSWERS:
        rows = b64encode(what.answers.rows.astype("<i8").tobytes()).decode()
        answers = replace(what.answers, rows=None)
        cache.write(place, _OnDisk(replace(what, answers=answers), rows))
