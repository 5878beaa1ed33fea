"""A replay by columns: read, scan, follow the shoes, judge; only what is flagged is judged plainly.

Reading, scanning and judging run side by side for several pieces of a log. The shoes are followed
in the order of the log, and so is all that comes out.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any, TypeAlias

import numpy as np

from checker.columns import judge as columns
from checker.columns import layout as to
from checker.columns.from_parquet import Group
from checker.columns.gather import Gathered, Reading, Scanned
from checker.columns.prune import groups
from checker.columns.shoe import view
from checker.columns.source import Piece, keep_freed_memory, pieces
from checker.findings import Verdict
from checker.log import Quarantined
from checker.log_files import open_log
from checker.replay import Filter, Judged, Library, Summary, counted, judge_by
from checker.workers import Task, Workers

Log: TypeAlias = tuple[int, str]  # the same file may be named twice
Logged: TypeAlias = tuple[Log, Piece | Group]
Tick: TypeAlias = Callable[[], None]


def replay_columns(
    logs: Iterable[str | Path], library: Library, wanted: Filter, summary: Summary, jobs: int = 1,
    tick: Tick = lambda: None,
) -> Iterator[Judged | Quarantined]:  # fmt: skip
    """As `replay.replay`, but rounds in which nothing is found only count in the summary.

    `tick` is called now and then, when the summary has grown."""
    keep_freed_memory()
    source = _source([os.fspath(log) for log in logs], wanted)
    with Workers(partial(judge_by, library), jobs, library.keep) as workers:
        workers.start()
        run = _Run(library, wanted, summary, workers)
        found = run.side_by_side(source, jobs) if jobs > 1 else run.one_by_one(source)
        waiting: deque[tuple[Found, Future[list[Verdict]]]] = deque()
        for one in found:
            waiting.append((one, run.plainly(one)))
            while waiting and (len(waiting) > jobs or waiting[0][1].done()):
                yield from run.told(*waiting.popleft())
                tick()
        while waiting:
            yield from run.told(*waiting.popleft())
        run.finish()


def _source(logs: list[str], wanted: Filter) -> Iterator[Logged]:
    # Of several logs all rows are read: a round may stand in two of them.
    asked = wanted if len(logs) == 1 else None
    for number, log in enumerate(logs):
        opened = open_log(log)
        found: Iterable[Piece | Group] = (
            groups(log, opened.damaged, asked) if opened.parquet else pieces(opened)
        )
        for piece in found:
            yield (number, log), piece


@dataclass(slots=True)
class Found:
    """A piece that the columns have judged."""

    gathered: Gathered
    before: columns.ShoeState  # what the shoes told before it
    flagged: Any
    wagers: Any
    tally: columns.Tally

    @classmethod
    def judged(
        cls, gathered: Gathered, before: columns.ShoeState, prepared: Any, tally: columns.Tally
    ) -> Found:
        batch = gathered.batch
        asked = gathered.wanted & (batch.rounds[:, to.STATUS] != to.SKIP)
        if not asked.all():
            rounds = batch.rounds.copy()
            rounds[~asked, to.STATUS] = to.SKIP
            rounds[~asked, to.DAY] = 1  # any day will do
            batch = replace(batch, rounds=rounds)
        verdicts = columns.judge_batch(batch, prepared, tally)
        return cls(gathered, before, asked & ~verdicts.ok, verdicts.wagers, tally)

    @property
    def passed(self) -> Any:
        """The rounds in which there is nothing to find."""
        asked = self.gathered.wanted & (self.gathered.batch.rounds[:, to.STATUS] != to.SKIP)
        return asked & ~self.flagged

    def tasks(self, rows: Iterable[int]) -> dict[int, Task]:
        """Rounds with what their shoes told, which is worked out again up to each of them."""
        found: dict[int, Task] = {}
        batch = self.gathered.batch
        state = self.before.copy() if rows else self.before
        at = 0
        for row in rows:
            columns.track(batch, state, at, row)
            round_ = self.gathered.round_at(row)
            found[row] = (round_, view(batch, state, row, round_, tracked=True))
            at = row
        return found


class _Unchecked:
    """The last round that left a clause unchecked, which can be asked why.

    Most clauses of this kind turn up in every piece: only the latest pieces are kept, and of an
    older one the few rounds that still count."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str], tuple[Found, int]] = {}
        self._tasks: dict[tuple[str, str], Task] = {}

    def add(self, found: Found, tested: set[tuple[str, str]]) -> None:
        for key, row in found.tally.last.items():
            if key not in tested:
                self._rows[key] = (found, row)
                self._tasks.pop(key, None)
        older = [one for one, _ in self._rows.values() if one is not found]
        for one in older[:1]:
            self._settle(one)

    def forget(self, key: tuple[str, str]) -> None:
        self._rows.pop(key, None)
        self._tasks.pop(key, None)

    def all(self) -> dict[tuple[str, str], Task]:
        while self._rows:
            self._settle(next(iter(self._rows.values()))[0])
        return self._tasks

    def _settle(self, found: Found) -> None:
        rows = {key: row for key, (one, row) in self._rows.items() if one is found}
        tasks = found.tasks(sorted(set(rows.values())))
        for key, row in rows.items():
            del self._rows[key]
            self._tasks[key] = tasks[row]


class _Run:
    def __init__(
        self, library: Library, wanted: Filter, summary: Summary, workers: Workers
    ) -> None:
        self.library = library
        self.wanted = wanted
        self.summary = summary
        self.workers = workers
        self.prepared = columns.prepare(library)
        self.reading = Reading(self.prepared.books, wanted)
        self.state = columns.ShoeState.empty()
        self.all = columns.Tally()
        self.unchecked = _Unchecked()

    # --- the steps

    def scan(self, piece: Piece | Group) -> Scanned:
        return self.reading.scanned(piece)

    def order(self, log: Log, scanned: Scanned) -> tuple[Gathered, columns.ShoeState]:
        gathered = self.reading.gathered(*log, scanned)
        before = self.state.copy()
        columns.track(gathered.batch, self.state)
        return gathered, before

    def judge(self, ordered: tuple[Gathered, columns.ShoeState]) -> Found:
        tally = columns.Tally(self.all.tested, _answers=self.all._answers, shared=True)
        return Found.judged(*ordered, self.prepared, tally)

    def plainly(self, found: Found) -> Future[list[Verdict]]:
        """The verdicts of what the columns flag or cannot judge."""
        rows = np.flatnonzero(found.flagged).tolist()
        return self.workers.judge(list(found.tasks(rows).values()))

    # --- the order of the steps

    def one_by_one(self, source: Iterator[Logged]) -> Iterator[Found]:
        for log, piece in source:
            yield self.judge(self.order(log, self.scan(piece)))

    def side_by_side(self, source: Iterator[Logged], jobs: int) -> Iterator[Found]:
        scans: deque[tuple[Log, Future[Scanned]]] = deque()
        judged: deque[Future[Found]] = deque()
        trouble: BaseException | None = None
        with ThreadPoolExecutor(jobs) as pool, _Ahead(source) as read:
            while True:
                item = read.next()
                if isinstance(item, BaseException):
                    trouble, item = item, None
                if item is not None:
                    scans.append((item[0], pool.submit(self.scan, item[1])))
                while scans and (item is None or len(scans) > jobs):
                    log, scanned = scans.popleft()
                    judged.append(pool.submit(self.judge, self.order(log, scanned.result())))
                    if len(judged) >= jobs:
                        yield judged.popleft().result()
                if item is None:
                    break
            while judged:
                yield judged.popleft().result()
        if trouble is not None:
            raise trouble

    # --- what comes out

    def told(
        self, found: Found, verdicts: Future[list[Verdict]]
    ) -> Iterator[Judged | Quarantined]:
        """What is to be shown of a piece, in the order of the log; the summary counts all of it."""
        gathered, summary = found.gathered, self.summary
        shown: list[tuple[int, int, Judged | Quarantined]] = []
        rows = np.flatnonzero(found.flagged).tolist()
        self.unchecked.add(found, self.all.tested)
        for row, verdict in zip(rows, verdicts.result(), strict=True):
            round_ = gathered.round_at(row)
            one = counted(round_, verdict, gathered.log, self.library, self.wanted, summary)
            book = self.library.book_for(round_)
            for clause in verdict.not_checked:
                key = (book.id if book else "", clause)
                if row > found.tally.last.get(key, -1):
                    self.unchecked.forget(key)
            if one.shown:
                shown.append((row, 0, one))
        for row, bad in gathered.bad:
            summary.quarantine(bad)
            shown.append((row, 1, bad))
        self._count(found)
        yield from (one for _, _, one in sorted(shown, key=lambda x: x[:2]))

    def _count(self, found: Found) -> None:
        """The rounds that the columns passed."""
        summary, rounds = self.summary, found.gathered.batch.rounds
        passed = found.passed
        summary.rounds += int(np.count_nonzero(passed))
        summary.wagers += int(found.wagers[passed].sum())
        books, counts = np.unique(rounds[passed, to.BOOK], return_counts=True)
        only = self.library.only
        for book, count in zip(books.tolist(), counts.tolist(), strict=True):
            summary.rulebooks[only.id if only else self.prepared.books[book]] += count
        for key, count in found.tally.unchecked.items():
            reason, before = summary.not_checked.get(key, ("", 0))
            summary.not_checked[key] = (reason, before + count)

    def finish(self) -> None:
        """Say why clauses stayed unchecked, as the last round that left them so has it."""
        self.prepared.keep()
        summary = self.summary
        summary.tested |= self.all.tested
        asked = {k: task for k, task in self.unchecked.all().items() if k not in summary.tested}
        verdicts = self.workers.judge(list(asked.values())).result()
        for key, verdict in zip(asked, verdicts, strict=True):
            reason = verdict.not_checked.get(key[1], "")
            summary.not_checked[key] = (reason, summary.not_checked[key][1])


class _Ahead:
    """Reads the log in a thread of its own, a little ahead of those who work on it."""

    def __init__(self, source: Iterator[Logged]) -> None:
        self._queue: Queue[Logged | BaseException | None] = Queue(2)
        self._source = source
        self._stop = False
        self._thread = Thread(target=self._read, daemon=True)

    def __enter__(self) -> _Ahead:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop = True
        while self._thread.is_alive():
            try:
                self._queue.get(timeout=0.05)
            except Exception:
                continue

    def next(self) -> Logged | BaseException | None:
        return self._queue.get()

    def _read(self) -> None:
        last: BaseException | None = None
        try:
            for item in self._source:
                if self._stop:
                    return
                self._queue.put(item)
        except BaseException as error:
            last = error
        self._queue.put(last)
