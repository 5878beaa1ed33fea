"""What the columns found in a piece of a log, and what is still to be told of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from checker.columns import batch as to
from checker.columns import judge_batch as columns
from checker.columns.gathered import Gathered
from checker.columns.read.row_passes import count_passed, mark_asked, mark_flagged, marked
from checker.columns.shoe.state import follow, view
from checker.columns.shoe.steps import STEP
from checker.log.model import Round
from checker.log.read import Quarantined
from checker.log.repeated_rounds import Copied, Place
from checker.replay.order import Misplaced
from checker.replay.workers import Task, Verdicts, Whole

Key: TypeAlias = tuple[str, str]  # rulebook and clause


@dataclass(slots=True)
class Found:
    """A piece that the columns have judged."""

    gathered: Gathered
    states: Sequence[columns.ShoeState]  # what the shoes told before each STEP of it
    asked: Any
    flagged: Any
    doubts: dict[int, frozenset[int]]  # of those, where only the money of some boxes is in doubt
    wagers: Any
    books: int
    tally: columns.Tally

    @classmethod
    def judged(
        cls,
        gathered: Gathered,
        states: Sequence[columns.ShoeState],
        prepared: Any,
        tally: columns.Tally,
    ) -> Found:
        batch = gathered.batch
        asked, flagged = np.empty((2, len(batch.rounds)), np.bool_)
        if not mark_asked(batch.rounds, gathered.wanted, asked):
            rounds = batch.rounds.copy()
            rounds[~asked, to.STATUS] = to.SKIP
            rounds[~asked, to.DAY] = 1  # any day will do
            batch = replace(batch, rounds=rounds)
        verdicts = columns.judge_batch(batch, prepared, tally)
        mark_flagged(asked, verdicts.reasons, flagged)
        doubts = {
            row: boxes
            for row in marked(flagged)
            if (boxes := columns.boxes_in_doubt(int(verdicts.reasons[row]))) is not None
        }
        books = len(prepared.books)
        return cls(gathered, states, asked, flagged, doubts, verdicts.wagers, books, tally)

    @property
    def rows(self) -> list[int]:
        """What the columns flag or cannot judge."""
        return marked(self.flagged)

    @property
    def passed(self) -> Any:
        """The rounds in which there is nothing to find."""
        return self.asked & ~self.flagged

    def count_passed(self) -> tuple[int, int, dict[int, int]]:
        """How many these are, their wagers, and the rounds of each rulebook, -1 for none; as well
        of those that the columns pass but for some of the money."""
        rounds = self.gathered.batch.rounds
        books = np.zeros(self.books + 1, np.int64)
        passed, wagers = count_passed(rounds, self.asked, self.flagged, self.wagers, books)
        for row in self.doubts:
            passed += 1
            wagers += int(self.wagers[row])
            books[rounds[row, to.BOOK] + 1] += 1
        return passed, wagers, {n - 1: one for n, one in enumerate(books.tolist()) if one}

    def to_judge(self) -> dict[int, Task]:
        """What the plain evaluator has to judge."""
        return {
            row: (*task, self.doubts[row]) if row in self.doubts else task
            for row, task in self.tasks(self.rows).items()
        }

    def tasks(self, rows: Iterable[int]) -> dict[int, Whole]:
        """Rounds, in order, with what their shoes told, which is worked out again up to each."""
        found: dict[int, Whole] = {}
        batch = self.gathered.batch
        step = -1
        for row in rows:
            if row // STEP != step:
                step = row // STEP
                state = self.states[step].copy()
                after: dict[int, int] = {}  # how far each table was followed
            table = int(batch.rounds[row, to.TABLE])
            follow(batch, state, table, after.get(table, step * STEP), row)
            round_ = self.gathered.round_at(row)
            found[row] = (round_, view(batch, state, row, round_, tracked=True))
            after[table] = row
        return found


@dataclass(slots=True)
class Told:
    """What is kept of a piece until the plain evaluator has judged what was flagged in it."""

    number: int
    log: str
    flagged: list[int]
    only_money: frozenset[int]  # of these
    rounds: list[Round]  # of all flagged ones, when their verdicts are there
    verdicts: Verdicts
    bad: list[tuple[int, Quarantined]]
    copies: list[Copied]
    misplaced: list[Misplaced]
    clashes: dict[int, Place]
    unknown: Counter[tuple[str, str]]
    passed: int  # by the columns, at least but for the money
    wagers: int
    books: dict[int, int]  # their rounds
    unchecked: dict[Key, int]
    last: dict[Key, int]

    @classmethod
    def of(cls, number: int, found: Found, rounds: list[Round], verdicts: Verdicts) -> Told:
        passed, wagers, books = found.count_passed()
        return cls(
            number,
            found.gathered.log,
            found.rows,
            frozenset(found.doubts),
            rounds,
            verdicts,
            found.gathered.bad,
            [one for _, one in found.gathered.copies],
            [one for _, one in found.gathered.misplaced],
            found.gathered.clashes,
            found.gathered.unknown,
            passed,
            wagers,
            books,
            found.tally.unchecked,
            found.tally.last,
        )


@dataclass(slots=True)
class Unchecked:
    """The last round that left a clause unchecked, which can be asked why.

    Most clauses of this kind turn up in every piece: only the latest pieces are kept, and of an
    older one the few rounds that still count."""

    _rows: dict[Key, tuple[int, Found, int]] = field(default_factory=dict)
    _tasks: dict[Key, tuple[int, Task]] = field(default_factory=dict)

    def add(self, number: int, found: Found, tested: set[Key]) -> None:
        """Pieces come in the order of the log."""
        for key, row in found.tally.last.items():
            if key not in tested:
                self._rows[key] = (number, found, row)
                self._tasks.pop(key, None)
        older = [one for _, one, _ in self._rows.values() if one is not found]
        for one in older[:1]:
            self._settle(one)

    def forget(self, key: Key, number: int) -> None:
        """The plain evaluator has said why, of a round of that piece that comes later."""
        for kept in (self._rows, self._tasks):
            if key in kept and kept[key][0] <= number:
                del kept[key]

    def all(self) -> dict[Key, Task]:
        while self._rows:
            self._settle(next(iter(self._rows.values()))[1])
        return {key: task for key, (_, task) in self._tasks.items()}

    def _settle(self, found: Found) -> None:
        rows = {key: (n, row) for key, (n, one, row) in self._rows.items() if one is found}
        tasks = found.tasks(sorted({row for _, row in rows.values()}))
        for key, (number, row) in rows.items():
            del self._rows[key]
            self._tasks[key] = (number, tasks[row])
