"""What a worker of a cluster does by columns: read a log, and judge the rounds of one table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from checker.columns import batch as to
from checker.columns import judge_batch as columns
from checker.columns.gather import Reading
from checker.columns.piece import Found
from checker.columns.read.json_bytes import PADDING
from checker.columns.read.source import Lines, pieces
from checker.columns.repeated_rounds import identity
from checker.columns.shoe.follow import CARDS_SEEN, WARNINGS_SEEN
from checker.columns.shoe.state import track_in_steps
from checker.log.open import open_log
from checker.log.read import BOM
from checker.replay.replay import Filter, judge_round
from checker.spark.records import Job, Part, judged, refused, table_key, told

if TYPE_CHECKING:
    from checker.log.repeated_rounds import Place
    from checker.replay.replay import Library

_MOST: Final = 2000
_ready: dict[str, tuple[Library, Any]] = {}  # a worker does many tasks of one job


def records(path: str, file: int) -> Iterator[tuple[Any, ...]]:
    """The records of a log of JSON Lines, as `worker.read_files` has them."""
    reading = Reading((), Filter())
    for piece in pieces(open_log(path)):
        scanned = reading.scanned(piece)
        gathered = reading.gathered(0, path, scanned)
        batch = gathered.batch
        bad = [(row, refused(line, file)) for row, line in gathered.bad]
        there = np.flatnonzero(batch.rounds[:, to.STATUS] != to.SKIP).tolist()
        cards, warns = _recorded(batch)
        found = []
        for row in there:
            if row in gathered.decoded:
                round_ = gathered.decoded[row]
                key = table_key(round_.rulebook, round_.table)
            else:
                key = table_key(*identity(scanned.found, reading.heads, row)[:2])
            raw = gathered.line_at(row).strip()
            line = int(batch.rounds[row, to.LINE])
            told = (bool(cards[row]), bool(warns[row]), None, False)
            found.append((row, (key, file, line, raw.removeprefix(BOM), *told)))
        for _, record in sorted([*found, *bad], key=lambda one: one[0]):
            yield record


def _recorded(batch: to.Batch) -> tuple[Any, Any]:
    """Which rounds record a player card, and which a warning."""
    rounds = batch.rounds
    counts = np.where(rounds[:, to.STATUS] == to.SKIP, 0, rounds[:, to.EVENTS])
    owner = np.repeat(np.arange(len(rounds)), counts)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    events = batch.events[rounds[owner, to.FIRST_EVENT] + within]
    card = (events[:, to.MARKS] >> to.PLAYER_CARD_SHIFT) & 3
    marks = ((events[:, to.KIND] == to.WAGER) & (card == 2), events[:, to.KIND] == to.WARN)
    cards, warns = (np.bincount(owner[mark], minlength=len(rounds)) > 0 for mark in marks)
    return cards, warns


class TableJudge:
    """Judges table after table; what the rules answer is kept from one to the next."""

    def __init__(self, job: Job, part: Part) -> None:
        self.job = job
        self.part = part
        if job.id not in _ready:
            _ready.clear()
            library = job.library()
            _ready[job.id] = (library, columns.prepare(library))
        self.library, self.prepared = _ready[job.id]

    def __call__(self, rounds: Iterable[tuple[Place, bytes]]) -> Iterator[tuple[Any, ...]]:
        job, part = self.job, self.part
        reading = Reading(
            self.prepared.books,
            job.wanted,
            self.prepared.zones,
            job.files,
            self.library.unknown,
            self.prepared.bets,
        )
        state = columns.ShoeState.empty()
        for places, piece in _pieces(job, rounds):
            for flag, first in ((CARDS_SEEN, job.first_cards), (WARNINGS_SEEN, job.first_warning)):
                state.totals[flag] = first is not None and first < places[0]
            where = np.array(places, np.int64).reshape(-1, 2)
            gathered = reading.gathered(0, "", reading.scanned(piece), where)
            states = track_in_steps(gathered.batch, state)
            found = Found.judged(gathered, states, self.prepared, columns.Tally())
            yield from (told(one) for _, one in gathered.misplaced)
            yield from (told(one) for _, one in gathered.copies)
            for row, task in found.to_judge().items():
                clash = gathered.clashes.get(row)
                yield from judged(job, self.library, part, places[row], clash, *task)
            part.unknown.update(gathered.unknown)
            self._count(found, places)

    def _count(self, found: Found, places: list[Place]) -> None:
        part = self.part
        passed, wagers, books = found.count_passed()
        part.rounds += passed
        part.wagers += wagers
        for book, count in books.items():
            name = self.job.only.id if self.job.only else self.prepared.books[book]
            part.rulebooks[name] = part.rulebooks.get(name, 0) + count
        part.tested |= found.tally.tested
        last = {key: row for key, row in found.tally.last.items() if key not in part.tested}
        reasons = {
            row: judge_round(*self._task(task)).not_checked
            for row, task in found.tasks(sorted(set(last.values()))).items()
        }
        for key, count in found.tally.unchecked.items():
            row = found.tally.last[key]
            reason = reasons[row].get(key[1], "") if key in last else ""
            part.leave(key, count, places[row], reason)

    def _task(self, task: tuple[Any, Any]) -> tuple[Any, Any, Any]:
        return task[0], self.library, task[1]


def _pieces(job: Job, rounds: Iterable[tuple[Place, bytes]]) -> Iterator[tuple[list[Place], Lines]]:
    """Pieces of rounds before which the log recorded the same kinds of things."""
    firsts = [first for first in (job.first_cards, job.first_warning) if first is not None]
    kept: list[tuple[Place, bytes]] = []
    for one in rounds:
        if kept and (len(kept) == _MOST or any(kept[0][0] <= first < one[0] for first in firsts)):
            yield _piece(kept)
            kept = []
        kept.append(one)
    if kept:
        yield _piece(kept)


def _piece(kept: list[tuple[Place, bytes]]) -> tuple[list[Place], Lines]:
    joined = b"".join([*(raw + b"\n" for _, raw in kept), bytes(PADDING)])
    data = np.frombuffer(joined, np.uint8)
    return [place for place, _ in kept], Lines(data, len(joined) - PADDING)
