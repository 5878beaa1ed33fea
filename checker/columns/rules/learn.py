"""What the plain evaluator said to questions that machine code could not look up, kept by key."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from checker.columns.rules.answers import Answers
from checker.columns.rules.column_scene import ColumnScene
from checker.columns.rules.formulas import Formulas
from checker.columns.rules.looker import NotColumnar
from checker.columns.rules.lookup import (
    CLAUSE_SHIFT,
    K_ANSWER,
    K_FIRST,
    K_FLAGS,
    K_FORMULA,
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
from checker.columns.rules.program import Program
from checker.columns.rules.questions import QUESTIONS
from checker.columns.rules.said import ANSWER_WIDTH, FORMULA, OK, Said
from checker.columns.rules.saved_answers import (
    CLAUSES,
    FIRST,
    NUMBERS,
    QUESTION,
    SECOND,
    New,
    Remembered,
    keep,
)
from checker.columns.rules.settings import Settings
from checker.columns.slots import SLOTS
from checker.evaluate.engine import Engine

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
    asked: list[New] = field(default_factory=list)  # by this run
    place: Path | None = None  # where they are kept
    kept: Remembered = field(default_factory=Remembered)
    learnt: int = 0  # answers that are not kept yet
    settings: Settings | None = None  # of the table, where the rulebook has words of its own


class Learning:
    """Texts as they turn up, and the answers to what was asked of them."""

    def __init__(self) -> None:
        self.code: Any = np.zeros(0, np.int64)
        self.known: Any = np.zeros(KNOWN_WIDTH << 10, np.int64)
        self.periods: dict[tuple[Any, ...], Period | None] = {}
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
        answer = len(self.said) | _kinds(said) << CLAUSE_SHIFT
        book = self.of_program[number][0].book
        self._make_room(1)
        self.unchecked[len(self.said)] = self._bits(book, said)
        self.said.append(said)
        self.books_said.append(book)
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
        period.formulas.numbers = found.formulas
        self._place_formulas(period)
        period.answers.sets = {frozenset(values): number for values, number in found.sets}
        kept = found.answers.rows
        if not len(kept):
            return
        said = [Said([], *clauses) for clauses in found.answers.clauses]
        of_row = kept[:, CLAUSES]
        rows = np.zeros((len(kept), KNOWN_WIDTH), np.int64)
        programs = np.zeros(len(QUESTIONS) + 2, np.int64)
        for place, (number, _) in period.programs.items():
            programs[place] = number + 1
        rows[:, K_FIRST] = kept[:, FIRST]
        rows[:, K_SECOND] = kept[:, SECOND] | programs[kept[:, QUESTION]] << PROGRAM_SHIFT
        kinds = np.array([_kinds(one) for one in said], np.int64)[of_row] << CLAUSE_SHIFT
        rows[:, K_ANSWER] = np.arange(len(self.said), len(self.said) + len(kept)) | kinds
        rows[:, K_FLAGS:] = kept[:, NUMBERS:]
        placed = (rows[:, K_FLAGS] & OK != 0) & (rows[:, K_FORMULA] >= 0)
        rows[placed, K_FORMULA] += period.formulas.start or 0
        self.unchecked = self.unchecked.copy()
        self._make_room(len(kept))
        bits = np.array([self._bits(period.book, one) for one in said], np.int64)
        self.unchecked[len(self.said) : len(self.said) + len(kept)] = bits[of_row]
        self.said += [said[place] for place in of_row.tolist()]
        self.books_said += [period.book] * len(kept)
        self._widen()
        insert_all(self.known, rows)

    def keep(self) -> None:
        """Let the next run know what this one asked."""
        with self.lock:
            for period in self.periods.values():
                if period is not None and period.learnt:
                    assert period.answers is not None
                    assert period.formulas is not None
                    period.learnt = 0
                    period.kept.answers.add(period.asked)
                    period.asked = []
                    numbered = period.answers.sets.items()
                    period.kept.sets = [(tuple(sorted(values)), n) for values, n in numbered]
                    keep(period.place, period.kept)

    def _say(self, number: int, facts: list[int]) -> Said:
        period, place = self.of_program[number]
        assert period.answers is not None
        assert period.formulas is not None
        program = period.programs[place][1]
        terms = {term: SLOTS[term] for term in program.terms}
        scene = ColumnScene(
            period.engine,
            facts,
            program.looks,
            terms,
            settings=period.settings,
            left=program.left,
        )
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

    @property
    def words(self) -> int:
        """How many words the clauses take that were left unchecked so far."""
        return max(1, -(-len(self.bits) // 62))

    def _bits(self, book: str, said: Said) -> Any:
        """The clauses that an answer leaves unchecked, and those that it lacks facts for."""
        found = np.zeros((2, WORDS), np.int64)
        for kind, clauses in enumerate((said.unchecked, said.lacking)):
            for clause in clauses:
                bit = self.bits.setdefault((book, clause), len(self.bits))
                assert bit < 62 * WORDS
                found[kind, bit // 62] |= 1 << (bit % 62)
        return found

    def _make_room(self, answers: int) -> None:
        needed = len(self.said) + answers
        if needed > len(self.unchecked):
            more = max(1024, len(self.unchecked), needed - len(self.unchecked))
            self.unchecked = np.concatenate([self.unchecked, np.zeros((more, 2, WORDS), np.int64)])

    def _widen(self) -> None:
        """A new table, in which half of the places are free."""
        size = len(self.known)
        while 2 * KNOWN_WIDTH * len(self.said) > size:
            size *= 2
        rows = self.known.reshape(-1, KNOWN_WIDTH)
        self.known = np.zeros(size, np.int64)
        insert_all(self.known, rows[rows[:, K_SECOND] != 0])


def _kinds(said: Said) -> int:
    """Of the clauses that an answer is about."""
    return (
        TESTS * bool(said.tested)
        | LACKS * bool(said.lacking)
        | (TESTS | LEAVES) * bool(said.unchecked)
    )
