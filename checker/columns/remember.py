"""Answers of earlier runs to what machine code asks: the same text is not asked twice."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from checker import cache_files
from checker.columns.answers import Said
from checker.columns.program import Looked, Program
from rulespec.rulebook import Rulebook

MOST_ANSWERS = 50_000


Compiled: TypeAlias = tuple[Looked, frozenset[str] | None, Program]
"""What a question looks at, what of it moves while the rest stays, and the program."""


@dataclass(slots=True)
class Remembered:
    """What one text was made into, by question, and what it was asked: question, key and answer;
    formulas; numbers of sets of values; the ends that a dealer's hand can come to."""

    programs: dict[int, Compiled | None] = field(default_factory=dict)
    ends: list[list[int] | None] | None = None
    answers: list[tuple[int, int, int, Said]] = field(default_factory=list)
    formulas: list[int] = field(default_factory=list)
    sets: list[tuple[tuple[str, ...], int]] = field(default_factory=list)


def place_of(book: Rulebook) -> Path | None:
    return cache_files.place_of(book, "answers")


def remembered(place: Path | None) -> Remembered:
    found = cache_files.read(place)
    return found if isinstance(found, Remembered) else Remembered()


def keep(place: Path | None, what: Remembered) -> None:
    if place is not None and len(what.answers) <= MOST_ANSWERS:
        cache_files.write(place, what)
