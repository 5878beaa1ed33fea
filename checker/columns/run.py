"""A replay by columns: read, scan, follow the shoes, judge; only what is flagged is judged plainly.

Reading, scanning and judging run side by side for several pieces of a log. The shoes are followed
in the order of the log, and so is all that comes out.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from checker.columns import judge_batch as columns
from checker.columns.gather import Reading, Scanned
from checker.columns.gathered import Gathered
from checker.columns.machine import buffers as memory
from checker.columns.parquet.prune import groups
from checker.columns.parquet.read import Part, parts_of
from checker.columns.piece import Found, Told, Unchecked
from checker.columns.read.source import Piece, keep_freed_memory, pieces
from checker.columns.shoe.state import track_in_steps
from checker.columns.threads import side_by_side
from checker.log.model import Round
from checker.log.open import open_log
from checker.log.read import Quarantined
from checker.replay.replay import Filter, Judged, Library, Summary, add_clash, counted, judge_by
from checker.replay.workers import Verdicts, Workers

Log: TypeAlias = tuple[int, str]  # the same file may be named twice
Logged: TypeAlias = tuple[Log, Piece | Part]
Ordered: TypeAlias = tuple[Gathered, list[columns.ShoeState]]
Tick: TypeAlias = Callable[[], None]

# What may wait for the plain evaluator, for each core.
_ROUNDS_WAITING: Final = 1000
_PIECES_WAITING: Final = 64


def replay_columns(
    logs: Iterable[str | Path],
    library: Library,
    wanted: Filter,
    summary: Summary,
    jobs: int = 1,
    tick: Tick = lambda: None,
) -> Iterator[Judged | Quarantined]:
    """As `replay.replay`, but rounds in which nothing is found only count in the summary.

    `tick` is called now and then, when the summary has grown."""
    keep_freed_memory()
    names = [os.fspath(log) for log in logs]
    with Workers(partial(judge_by, library), jobs, library.keep, few=True) as workers:
        run = _Run(names, library, wanted, summary, workers)
        waiting: deque[Told] = deque()
        rounds = 0
        for piece in run.pieces(run.source(), jobs):
            waiting.append(piece)
            rounds += len(piece.flagged)
            while waiting and (
                waiting[0].verdicts.done()
                or rounds > _ROUNDS_WAITING * jobs
                or len(waiting) > _PIECES_WAITING * jobs
            ):
                rounds -= len(waiting[0].flagged)
                yield from run.told(waiting.popleft())
                tick()
        while waiting:
            yield from run.told(waiting.popleft())
        run.finish()


class _Run:
    def __init__(
        self, logs: list[str], library: Library, wanted: Filter, summary: Summary, workers: Workers
    ) -> None:
        self.logs = logs
        self.library = library
        self.wanted = wanted
        self.summary = summary
        self.workers = workers
        self.prepared = columns.prepare(library)
        self.reading = Reading(
            self.prepared.books,
            wanted,
            self.prepared.zones,
            logs,
            library.unknown,
            self.prepared.bets,
        )
        self.state = columns.ShoeState.empty()
        self.all = columns.Tally()
        self.unchecked = Unchecked()

    # --- the steps

    def source(self) -> Iterator[Logged]:
        # Of several logs all rows are read: a round may stand in two of them.
        asked = self.wanted if len(self.logs) == 1 else None
        for number, log in enumerate(self.logs):
            watch = self.summary.watch(log)
            opened = open_log(log, watch)
            if opened.parquet and asked is not None and watch is not None:
                if asked.table is not None or asked.end is not None:
                    watch.not_all_rounds()
            found: Iterable[Piece | Part] = (
                parts_of(groups(log, opened.damaged, asked)) if opened.parquet else pieces(opened)
            )
            for piece in found:
                yield (number, log), piece
                if self.reading.number == number and self.reading.given_up:
                    break

    def scan(self, logged: Logged) -> tuple[Log, Scanned]:
        return logged[0], self.reading.scanned(logged[1])

    def order(self, read: tuple[Log, Scanned]) -> Ordered:
        (number, log), scanned = read
        gathered = self.reading.gathered(number, log, scanned)
        if self.summary.digests is not None:
            if gathered.span is not None:
                self.summary.digests[number].saw(*gathered.span)
            if self.reading.given_up:
                self.summary.digests[number].not_all_lines()
        return gathered, track_in_steps(gathered.batch, self.state)

    def judge(self, ordered: Ordered) -> Found:
        tally = columns.Tally(self.all.tested, _answers=self.all._answers, shared=True)
        gathered, states = ordered
        return Found.judged(gathered, states, self.prepared, tally)

    def plainly(self, found: Found) -> tuple[Found, list[Round], Verdicts]:
        """With what the columns flag or cannot judge."""
        tasks = found.to_judge().values()
        return found, [task[0] for task in tasks], self.workers.judge(tasks)

    # --- the order of the steps

    def pieces(self, source: Iterator[Logged], jobs: int) -> Iterator[Told]:
        if jobs > 1:
            found = side_by_side(
                source,
                self.scan,
                self.order,
                lambda it: self.plainly(self.judge(it)),
                jobs,
                (self.workers.behind, self.fork),
                self.workers.help,
            )
        else:
            found = map(self.plainly, self.one_by_one(source))
        for number, (one, rounds, verdicts) in enumerate(found):
            self.unchecked.add(number, one, self.all.tested)
            yield Told.of(number, one, rounds, verdicts)

    def fork(self) -> None:
        with memory.kept_back():
            self.workers.start()

    def one_by_one(self, source: Iterator[Logged]) -> Iterator[Found]:
        for piece in source:
            yield self.judge(self.order(self.scan(piece)))
            self.workers.help()

    # --- what comes out

    def told(self, piece: Told) -> Iterator[Judged | Quarantined]:
        """What is to be shown of a piece, in the order of the log; the summary counts all of it."""
        summary = self.summary
        shown: list[tuple[int, int, Judged | Quarantined]] = []
        verdicts = piece.verdicts.all()  # waits for them
        summary.one_by_one += len(piece.rounds)
        for row, round_, verdict in zip(piece.flagged, piece.rounds, verdicts, strict=True):
            only_money = row in piece.only_money
            if row in piece.clashes:
                add_clash(verdict, round_, piece.clashes[row], self.logs, self.library)
            one = counted(
                round_, verdict, piece.log, self.library, self.wanted, summary, only_money
            )
            book = self.library.book_for(round_)
            for clause in () if only_money else verdict.not_checked:
                key = (book.id if book else "", clause)
                if row > piece.last.get(key, -1):
                    self.unchecked.forget(key, piece.number)
            if one.shown:
                shown.append((row, 0, one))
        for _, bad in piece.bad:
            bad.log = piece.log
        summary.quarantine(*(bad for _, bad in piece.bad))
        summary.unknown.update(piece.unknown)
        for misplaced in piece.misplaced:
            summary.misplace(misplaced, self.logs)
        for copied in piece.copies:
            summary.copy(copied, self.logs)
        self._count(piece)
        if shown:
            shown += [(row, 1, bad) for row, bad in piece.bad]
            shown.sort(key=lambda x: x[:2])
            yield from (one for _, _, one in shown)
        else:
            yield from [bad for _, bad in piece.bad]

    def _count(self, piece: Told) -> None:
        """The rounds that the columns passed."""
        summary, only = self.summary, self.library.only
        summary.rounds += piece.passed
        summary.wagers += piece.wagers
        for book, count in piece.books.items():
            summary.rulebooks[only.id if only else self.prepared.books[book]] += count
        for key, count in piece.unchecked.items():
            reason, before = summary.not_checked.get(key, ("", 0))
            summary.not_checked[key] = (reason, before + count)

    def finish(self) -> None:
        """Say why clauses stayed unchecked, as the last round that left them so has it."""
        self.prepared.keep()
        summary = self.summary
        summary.tested |= self.all.tested
        asked = {k: task for k, task in self.unchecked.all().items() if k not in summary.tested}
        verdicts = self.workers.judge(asked.values()).all()
        for key, verdict in zip(asked, verdicts, strict=True):
            reason = verdict.not_checked.get(key[1], "")
            summary.not_checked[key] = (reason, summary.not_checked[key][1])
