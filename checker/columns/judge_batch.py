"""A batch of rounds judged by columns: which are proven clean, and what they put to the test.

A round that is not proven clean goes to the plain evaluator, with a reason that says why.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import get_ident
from typing import TYPE_CHECKING, Any

import numpy as np

from checker.columns import batch as c
from checker.columns.desk import BOXES, DESK_SIZE, LINE
from checker.columns.judge.reasons import ANSWERED, CANNOT_ASK, DOUBTED, Reason
from checker.columns.judge.round import STILL_MISSING, judge_rows
from checker.columns.machine.units import note_units
from checker.columns.prepare import BY_SETTINGS, Prepared
from checker.columns.read.row_passes import marked, same_day, spread
from checker.columns.rules.learn import WORDS
from checker.columns.rules.questions import QUESTIONS
from checker.columns.shoe.state import ShoeState, track
from checker.columns.slots import FACT_COUNT

if TYPE_CHECKING:
    from checker.columns.batch import Batch
    from checker.replay.replay import Library

MOST_MISSES = 256
MOST_TURNS = 400
_numbers = np.arange(0)


@dataclass(slots=True)
class Tally:
    """What the rounds that were passed put to the test and left unchecked, over many batches."""

    tested: set[tuple[str, str]] = field(default_factory=set)  # (rulebook, clause)
    unchecked: dict[tuple[str, str], int] = field(default_factory=dict)  # rounds
    last: dict[tuple[str, str], int] = field(default_factory=dict)  # index in the latest batch
    _answers: bytearray = field(default_factory=bytearray)  # 1: its clauses are counted
    shared: bool = False  # with all batches that are judged by the same answers

    def add(self, prepared: Prepared, tested: Any, counts: Any, last: Any) -> None:
        self._answers.extend(bytes(max(0, len(tested) - len(self._answers))))
        for answer in marked(tested):
            if self._answers[answer]:
                continue
            self._answers[answer] = 1
            book = prepared.books_said[answer]
            self.tested.update((book, clause) for clause in prepared.said[answer].tested)
        self.last = {}
        rounds = counts.tolist()
        for key, bit in prepared.bits.items():
            if rounds[bit]:
                self.unchecked[key] = self.unchecked.get(key, 0) + rounds[bit]
                self.last[key] = int(last[bit])


@dataclass(slots=True)
class Judged:
    """`reasons[i]` is 0 for a round that the plain evaluator would pass without a finding."""

    reasons: Any
    wagers: Any

    @property
    def ok(self) -> Any:
        return self.reasons == 0


def prepare(library: Library) -> Prepared:
    return Prepared(library)


def judge_batch(batch: Batch, prepared: Prepared, tally: Tally) -> Judged:
    """Judge the rounds of a batch that `track` has been over. Other threads run meanwhile."""
    count = len(batch.rounds)
    reasons = np.zeros(count, np.int64)
    wagers = np.zeros(count, np.int64)
    desk, misses = _desk(prepared)
    counts = np.zeros(62 * WORDS, np.int64)
    last = np.zeros(62 * WORDS, np.int64)
    periods = _periods(batch, prepared)
    which = _all(count)
    tested = np.zeros(0, np.uint8)
    for _ in range(MOST_TURNS):
        with prepared.lock:
            code, known, unchecked = prepared.code, prepared.known, prepared.unchecked
            words = np.zeros(prepared.words, np.int64)
        if len(tested) < len(unchecked):
            tested = np.concatenate([tested, np.zeros(len(unchecked) - len(tested), np.uint8)])
        found = judge_rows(
            code,
            known,
            desk,
            batch.rounds,
            batch.events,
            batch.amounts,
            batch.limits,
            batch.shoes,
            batch.seen,
            periods,
            which,
            reasons,
            wagers,
            tested,
            unchecked,
            words,
            counts,
            last,
            misses,
            tally.shared,
        )
        if not found:
            break
        with prepared.lock:
            prepared.learn(misses[: min(found, MOST_MISSES)])
        which = np.flatnonzero(reasons == STILL_MISSING)
    else:
        reasons[reasons == STILL_MISSING] = Reason.TOO_LONG
    with prepared.lock:
        prepared.desks[get_ident()] = (desk, misses)
        tally.add(prepared, tested, counts, last)
    return Judged(reasons, wagers)


def _desk(prepared: Prepared) -> tuple[Any, Any]:
    """A working memory, with what an earlier batch found out about the same rulebooks, and room for
    what is missing."""
    with prepared.lock:
        found = prepared.desks.pop(get_ident(), None)
    if found is not None:
        return found
    room = np.zeros(DESK_SIZE + LINE, np.int64)
    first = -room.ctypes.data // room.itemsize % LINE
    desk = room[first : first + DESK_SIZE]
    note_units(desk)
    return desk, np.zeros((MOST_MISSES, 1 + FACT_COUNT), np.int64)


def _periods(batch: Batch, prepared: Prepared) -> Any:
    """For each round where its text stands. The rounds of a day mostly lie together."""
    starts, periods = np.empty((2, len(batch.rounds)), np.int64)
    starts = starts[: same_day(batch.rounds, starts)]
    with prepared.lock:
        found = [
            prepared.period(book, day)
            for book, day in batch.rounds[starts][:, [c.BOOK, c.DAY]].tolist()
        ]
    spread(starts, np.array(found, np.int64), periods)
    if BY_SETTINGS in found:
        _by_settings(batch, prepared, periods)
    return periods


def _by_settings(batch: Batch, prepared: Prepared, periods: Any) -> None:
    """The same for rounds whose text depends on what the table offers."""
    rows = np.flatnonzero(periods == BY_SETTINGS)
    told = batch.rounds[rows][:, [c.BOOK, c.DAY, c.LIMITS]]
    low = told.min(axis=0)
    packed = np.ravel_multi_index(tuple((told - low).T), tuple(told.max(axis=0) - low + 1))
    _, first, which = np.unique(packed, return_index=True, return_inverse=True)
    with prepared.lock:
        found = [
            prepared.period(book, day, batch.settings[limits])
            for book, day, limits in told[first].tolist()
        ]
    periods[rows] = np.array(found, np.int64)[which]
    unstated = batch.rounds[rows, c.OPTION_BITS] & c.NO_OPTIONS != 0
    periods[rows[unstated]] = -1


def _all(count: int) -> Any:
    """The numbers of so many rows."""
    global _numbers
    if count > len(_numbers):
        _numbers = np.arange(2 * count)
    return _numbers[:count]


def reason_text(reason: int) -> str:
    """Why a round was passed on, for those who work on the columns."""
    if boxes := boxes_in_doubt(reason):
        return f"what was paid at {sorted(boxes)}"
    if reason >= CANNOT_ASK:
        return f"cannot ask {_asked(reason - CANNOT_ASK)}"
    if reason >= ANSWERED:
        return f"answer to {_asked(reason - ANSWERED)}"
    return Reason(reason).name.lower()


def boxes_in_doubt(reason: int) -> frozenset[int] | None:
    """The boxes whose money the plain evaluator has to look at, 0 for the bonus; None: everything
    of the round."""
    if reason < DOUBTED:
        return None
    return frozenset(k for k in range(BOXES) if (reason - DOUBTED) >> k & 1)


def _asked(place: int) -> str:
    return f"{QUESTIONS[place].kind} {QUESTIONS[place].subject}"


__all__ = ["Judged", "ShoeState", "Tally", "judge_batch", "prepare", "reason_text", "track"]
