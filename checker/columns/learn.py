"""What the plain evaluator said to questions that machine code could not look up, kept by key."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from checker.columns.answers import ANSWER_WIDTH, FORMULA, Answers, ColumnScene, Formulas, Said
from checker.columns.ask import (
    CLAUSE_SHIFT,
    K_FIRST,
    K_SECOND,
    KNOWN_WIDTH,
    LACKS,
    LEAVES,
    PROGRAM_SHIFT,
    TESTS,
    insert_all,
    key_in,
    place_in,
)
from checker.columns.features import SLOTS
from checker.columns.program import NotColumnar, Program
from checker.columns.remember import Remembered, keep
from checker.engine import Engine

SECOND_MASK = (1 << PROGRAM_SHIFT) - 1
WORDS = 5  # of 62 bits each: clauses that may be left unchecked


@dataclass(slots=True)
class Period:
    """One text of a rulebook: where it stands in `code`, and who answers for it."""

    book: str
    engine: Engine
    start: int
    programs: dict[int, tuple[int, Program]] = field(default_factory=dict)  # question: number
    answers: Answers | None = None
    formulas: Formulas | None = None
    ranks: frozenset[tuple[str, int]] = frozenset()  # what the bonus asks of the ranks of a hand
    asked: list[tuple[int, int, int, Said]] = field(default_factory=list)  # question, key, answer
    place: Path | None = None  # where they are kept
    kept: Remembered = field(default_factory=Remembered)
    learnt: int = 0  # answers that are not kept yet


class Learning:
    """Texts as they turn up, and the answers to what was asked of them."""

    def __init__(self) -> None:
        self.code: Any = np.zeros(0, np.int64)
        self.known: Any = np.zeros(KNOWN_WIDTH << 10, np.int64)
        self.periods: dict[tuple[str, int], Period | None] = {}
        self.of_program: list[tuple[Period, int]] = []  # by number: text and question
        self.said: list[Said] = []
        self.books_said: list[str] = []
        self.bits: dict[tuple[str, str], int] = {}  # (book, clause): bit
        self.unchecked: Any = np.zeros((0, 2, WORDS), np.int64)
        self.lock = threading.Lock()

    def learn(self, misses: Any) -> None:
        """Ask the plain evaluator what machine code could not look up. Threads that are at work
        keep the arrays that they began with."""
        self.known = self.known.copy()
        self.unchecked = self.unchecked.copy()
        for miss in misses:
            facts = miss[1:].copy()
            program_at = int(miss[0])
            number = int(self.code[program_at])
            first, second = key_in(self.code, facts, program_at)
            at = place_in(self.known, first, second)
            if self.known[at + K_SECOND] != 0:
                continue
            said = self._say(number, [int(x) for x in facts])
            period, place = self.of_program[number]
            period.asked.append((place, int(first), int(second) & SECOND_MASK, said))
            period.learnt += 1
            self.known[at : at + KNOWN_WIDTH] = self._row(number, int(first), int(second), said)
            if 2 * KNOWN_WIDTH * len(self.said) > len(self.known):
                self._widen()

    def _row(self, number: int, first: int, second: int, said: Said) -> list[int]:
        clauses = (
            TESTS * bool(said.tested) | LACKS * bool(said.lacking)
            | (TESTS | LEAVES) * bool(said.unchecked)
        )  # fmt: skip
        answer = len(self.said) | clauses << CLAUSE_SHIFT
        self._count_bits(number, said)
        numbers = list(said.numbers)
        formulas = self.of_program[number][0].formulas
        if said.ok and numbers[FORMULA] >= 0 and formulas is not None:
            assert formulas.start is not None
            numbers[FORMULA] += formulas.start
        return [first, second, answer, *numbers]

    def _recall(self, period: Period, found: Remembered) -> None:
        """The answers of earlier runs."""
        assert period.answers is not None
        assert period.formulas is not None
        period.asked = found.answers
        period.formulas.numbers = found.formulas
        self._place_formulas(period)
        period.answers.sets = {frozenset(values): number for values, number in found.sets}
        self.unchecked = self.unchecked.copy()
        rows = []
        for place, first, low, said in found.answers:
            number = period.programs[place][0]
            second = low | (number + 1) << PROGRAM_SHIFT
            rows.append(self._row(number, first, second, said))
        self.known = self.known.copy()
        while 2 * KNOWN_WIDTH * len(self.said) > len(self.known):
            self._widen()
        if rows:
            insert_all(self.known, np.array(rows, np.int64))

    def keep(self) -> None:
        """Let the next run know what this one asked."""
        with self.lock:
            for period in self.periods.values():
                if period is not None and period.learnt:
                    assert period.answers is not None
                    assert period.formulas is not None
                    period.learnt = 0
                    numbered = period.answers.sets.items()
                    period.kept.sets = [(tuple(sorted(values)), n) for values, n in numbered]
                    keep(period.place, period.kept)

    def _say(self, number: int, facts: list[int]) -> Said:
        period, place = self.of_program[number]
        assert period.answers is not None
        assert period.formulas is not None
        program = period.programs[place][1]
        terms = {term: SLOTS[term] for term in program.terms}
        scene = ColumnScene(period.engine, facts, program.looks, terms)
        before = len(period.formulas.numbers)
        try:
            said = period.answers.say(place, scene)
        except NotColumnar:
            period.engine.lacking.clear()
            said = Said([0] * ANSWER_WIDTH)
        if len(period.formulas.numbers) > before:
            self._place_formulas(period)
        return said

    def _place_formulas(self, period: Period) -> None:
        assert period.formulas is not None
        period.formulas.start = len(self.code)
        added = np.array(period.formulas.numbers, np.int64)
        self.code = np.concatenate([self.code, added])

    def _count_bits(self, number: int, said: Said) -> None:
        book = self.of_program[number][0].book
        if len(self.said) >= len(self.unchecked):
            more = np.zeros((max(1024, len(self.unchecked)), 2, WORDS), np.int64)
            self.unchecked = np.concatenate([self.unchecked, more])
        for kind, clauses in enumerate((said.unchecked, said.lacking)):
            for clause in clauses:
                bit = self.bits.setdefault((book, clause), len(self.bits))
                assert bit < 62 * WORDS
                self.unchecked[len(self.said), kind, bit // 62] |= 1 << (bit % 62)
        self.said.append(said)
        self.books_said.append(book)

    def _widen(self) -> None:
        wider = np.zeros(2 * len(self.known), np.int64)
        for at in range(0, len(self.known), KNOWN_WIDTH):
            row = self.known[at : at + KNOWN_WIDTH]
            if row[K_SECOND]:
                to = place_in(wider, row[K_FIRST], row[K_SECOND])
                wider[to : to + KNOWN_WIDTH] = row
        self.known = wider
