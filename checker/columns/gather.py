"""A piece of a log -> a batch to be judged: scanned where it can be, else decoded strictly.

`scanned` may be done for several pieces side by side; `gathered` is done in the order of the log.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from checker.columns import batch as to
from checker.columns.gathered import Gathered
from checker.columns.machine.names import table_hash
from checker.columns.parquet.read import Part
from checker.columns.read.flatten import Builder
from checker.columns.read.heads import Heads
from checker.columns.read.json_bytes import PADDING
from checker.columns.read.law_day import Zones
from checker.columns.read.row_passes import number_lines, set_strange_aside
from checker.columns.read.scan import (
    AHEAD,
    CLOCK,
    HEAD,
    SCANNED,
    TABLE_LENGTH,
    TABLE_START,
    Scan,
    scan,
)
from checker.columns.read.source import Blank, Lines, Odd, Piece
from checker.columns.repeated_rounds import Twice, hashed_lines, identity, set_keys
from checker.log.read import (
    KEPT,
    MAX_LINE,
    MOST_BAD,
    Line,
    LogLine,
    Quarantined,
    given_up,
    is_foreign,
    judge_line,
    judge_row,
)
from checker.log.repeated_rounds import Copied, Place, micros
from checker.log.strict_json import NO_VALUE
from checker.replay.order import Misplaced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from checker.log.model import Round
    from checker.replay.replay import Filter

_EPOCH: Final = datetime(1970, 1, 1)
_MICROSECOND: Final = timedelta(microseconds=1)
_FOREIGN: Final = np.array([is_foreign(bytes([one])) for one in range(256)])  # by first byte


@dataclass(slots=True)
class Scanned:
    """A piece whose lines were read as far as the scanner can."""

    found: Scan
    limits: Any
    lines: Any  # numbers by which equal lines are known; None: there are no lines
    odd: Odd | None = None
    part: Part | None = None  # of a Parquet file
    blank: int = 0  # lines, and nothing else


class Reading:
    """What is kept from one piece of the logs to the next."""

    def __init__(
        self,
        books: Iterable[str],
        wanted: Filter,
        zones: Zones | None = None,
        logs: Sequence[str] | None = None,
        unknown: Callable[[Round], set[tuple[str, str]]] = lambda _: set(),
        bets: Any = None,
    ) -> None:
        """`logs`: rounds that stand in them twice are told; None: that does not matter.
        `unknown`: what of a round is not checked; `bets`: as `set_strange_aside` has it."""
        self.bets = bets
        self.unknown = unknown
        self._unknown: dict[bytes, set[tuple[str, str]]] = {}  # of heads
        self.books = tuple(books)
        self.zones = zones
        self.heads = Heads(self.books)
        self.twice = Twice(logs) if logs is not None else None
        self.wanted = wanted
        self.number = -1  # of the log
        self.lines = 0  # of it so far
        self.bad = 0  # lines of it, the last ones, that are no rounds
        self.given_up = False  # whether there are so many that the rest of it is not read
        self._last: dict[int, tuple[int, Place]] = {}  # of each table: time and place
        self._begun: dict[int, int] = {}  # tables whose order was broken: their number since then

    def scanned(self, piece: Piece | Part) -> Scanned:
        odd, part, blank = None, None, 0
        if isinstance(piece, Lines):
            found = scan(piece.data, piece.length)
        elif isinstance(piece, Part):
            found, part = piece.scan(), piece
        else:
            found = scan(np.zeros(PADDING, np.uint8), 0)
            if isinstance(piece, Blank):
                blank = piece.lines
            else:
                odd = piece
        limits = self.heads.complete(found)
        if self.bets is not None:
            set_strange_aside(found.rounds, found.spans, found.events, self.bets)
        set_keys(found.data.ctypes.data, found.rounds, found.spans)
        if self.zones is not None:
            self.zones.set_days(found)
        lines = hashed_lines(found) if self.twice is not None and part is None else None
        return Scanned(found, limits, lines, odd, part, blank)

    def gathered(self, number: int, log: str, read: Scanned, places: Any = None) -> Gathered:
        """`places`: of each row the number of its file and its line, where that is not as here."""
        if number != self.number:
            self.number, self.lines, self.bad, self.given_up = number, 0, 0, False
        if self.given_up:
            read = self.scanned(Blank(0))
        self.lines += read.blank
        placed = read.part or read.odd
        if placed is not None and placed.before is not None:
            self.lines = placed.before
        found = read.found
        rows = found.rounds
        scanned = np.empty(len(rows), np.bool_)
        slow = number_lines(rows, found.spans, self.lines + 1, scanned)
        self.lines += len(rows)
        result = Gathered(
            to.Batch(
                rows,
                found.events,
                found.amounts,
                read.limits,
                found.players,
                found.data,
                minima=self.heads.minima,
                settings=self.heads.settings,
            ),
            self._wanted(found, scanned),
            log,
            part=read.part,
        )
        if slow or read.odd is not None:
            self._one_by_one(read, result)
        if result.bad or self.bad:
            self._count_bad(result)
        if self.twice is not None:
            result.span = _span(read, result)
            if places is None:
                places = np.full((len(result.batch.rounds), 2), number, np.int64)
                places[:, 1] = result.batch.rounds[:, to.LINE]
            self._tell_repeats(self.twice, read, result, places)
            self._keep_order(read, result, places)
        self._count_unknown(found, result)
        return result

    def _count_bad(self, result: Gathered) -> None:
        """As `log.read` has it: after so many lines in a row that are no rounds nothing is read."""
        rounds = result.batch.rounds
        good = np.flatnonzero(rounds[:, to.STATUS] != to.SKIP)
        first = int(good[0]) if len(good) else len(rounds)
        before = self.bad + sum(row < first for row, _ in result.bad)
        if before > MOST_BAD:
            kept = MOST_BAD - self.bad
            row, one = result.bad[kept]
            result.bad[kept:] = [(row, given_up(one.line))]
            rounds[row:, to.STATUS] = to.SKIP
            result.decoded.clear()  # all of them stand further on
            self.given_up = True
        elif len(good):
            self.bad = sum(row > good[-1] for row, _ in result.bad)
        else:
            self.bad = before

    def _keep_order(self, read: Scanned, result: Gathered, places: Any) -> None:
        """Where a round is earlier than the one before it, its table counts as another one from
        there on: what its shoe told does not hold."""
        rounds = result.batch.rounds
        times = _times(read, result)
        rows = np.flatnonzero(rounds[:, to.STATUS] != to.SKIP)
        if not len(rows):
            return
        rows = rows[np.argsort(rounds[rows, to.TABLE], kind="stable")]
        tables, times = rounds[rows, to.TABLE], times[rows]
        new = np.ones(len(rows), np.bool_)
        new[1:] = tables[1:] != tables[:-1]
        earlier = np.zeros(len(rows), np.bool_)
        earlier[1:] = ~new[1:] & (times[1:] < times[:-1])
        starts = np.flatnonzero(new).tolist()
        for start, end in zip(starts, [*starts[1:], len(rows)], strict=True):
            table = int(tables[start])
            last, after = self._last.get(table, (int(times[start]), None))
            last_row = int(rows[end - 1])
            self._last[table] = (int(times[end - 1]), Place(*places[last_row].tolist()))
            earlier[start] = times[start] < last
            if table not in self._begun and not earlier[start:end].any():
                continue
            for at in range(start, end):
                row = int(rows[at])
                if earlier[at]:
                    self._begun[table] = table_hash(self._begun.get(table, table), 1)
                    if result.wanted[row]:
                        before = after if at == start else Place(*places[rows[at - 1]].tolist())
                        assert before is not None
                        name = self._names(read, result, row)[0]
                        one = Misplaced(name, Place(*places[row].tolist()), before)
                        result.misplaced.append((row, one))
                if table in self._begun:
                    rounds[row, to.TABLE] = self._begun[table]
                    result.batch.broken.append(row)
        result.misplaced.sort(key=lambda one: one[0])

    def _names(self, read: Scanned, result: Gathered, row: int) -> tuple[str, str]:
        """Table and id of a round."""
        if row in result.decoded:
            return result.decoded[row].table, result.decoded[row].id
        return identity(read.found, self.heads, row)[1:]

    def _count_unknown(self, found: Scan, result: Gathered) -> None:
        """Of the rounds that are judged."""
        judged = result.wanted & (result.batch.rounds[:, to.STATUS] != to.SKIP)
        for row, round_ in result.decoded.items():
            if judged[row]:
                result.unknown.update(self.unknown(round_))
        for number, head in enumerate(found.heads):
            unknown = self._unknown_in(head)
            if unknown:
                rows = judged & (found.spans[:, SCANNED] == 1) & (found.spans[:, HEAD] == number)
                count = int(np.count_nonzero(rows))
                result.unknown.update(dict.fromkeys(unknown, count))

    def _unknown_in(self, head: bytes) -> set[tuple[str, str]]:
        found = self._unknown.get(head)
        if found is None:
            round_ = self.heads.rounds.get(head)
            found = self._unknown[head] = self.unknown(round_) if round_ is not None else set()
        return found

    def _tell_repeats(self, twice: Twice, read: Scanned, result: Gathered, places: Any) -> None:
        rounds = result.batch.rounds
        lines = read.lines if read.odd is None else None
        for row, repeat in twice.repeats(result, lines, places).items():
            if not repeat.copy:
                result.clashes[row] = repeat.first
                rounds[row, to.STATUS] = to.ASK  # it is told in any case
                continue
            rounds[row, to.STATUS] = to.SKIP
            if result.wanted[row]:
                table, name = self._names(read, result, row)
                copied = Copied(name, table, Place(*places[row].tolist()), repeat.first)
                result.copies.append((row, copied))

    def _one_by_one(self, read: Scanned, result: Gathered) -> None:
        """Some lines have to be decoded."""
        found = read.found
        builder = Builder(self.books, self.zones)
        placed: list[int] = []
        blank = found.rounds[:, to.LENGTH] == 0 if read.part is None else np.False_
        rows = np.flatnonzero(~blank & (found.spans[:, SCANNED] == 0))
        data = found.data.tobytes()
        if read.part is None and data.isascii():
            rows = _set_foreign_aside(found, rows, data, result)
        places = found.rounds[np.ix_(rows, [to.START, to.LENGTH, to.LINE])].tolist()
        there: Sequence[LogLine]
        for row, (start, size, number) in zip(rows.tolist(), places, strict=True):
            if read.part is not None:
                there = (judge_row(read.part.row_at(row), number),)
            else:
                raw = data[start : start + size]
                line = Line(number, raw if size <= MAX_LINE else raw[:KEPT], size)
                there = judge_line(line)
            if self._decoded(there, row, result, builder):
                placed.append(row)
        if read.odd is not None:
            odd = read.odd
            self.lines += 1
            result.batch.rounds = np.zeros((1, to.ROUND_WIDTH), np.int64)
            result.batch.rounds[0, to.STATUS] = to.SKIP
            result.wanted = np.zeros(1, np.bool_)
            line = Line(self.lines, odd.raw, odd.size, odd.end)
            result.odd = odd.raw
            there = judge_line(line)
            if self._decoded(there, 0, result, builder):
                placed.append(0)
        result.bad.sort(key=lambda one: one[0])  # stable
        if placed:
            _splice(result.batch, builder.batch(), placed)

    def _decoded(
        self, found: Sequence[LogLine], row: int, result: Gathered, builder: Builder
    ) -> bool:
        there = False
        for one in found:
            if isinstance(one, Quarantined):
                result.bad.append((row, one))
            else:
                builder.add(one)
                result.decoded[row] = one
                result.wanted[row] = self.wanted.wants(one)
                there = True
        return there

    def _wanted(self, found: Scan, kept: Any) -> Any:
        """As `Filter.wants`, on the columns, of the rows that are kept."""
        wanted = self.wanted
        for limit, later in ((wanted.start, True), (wanted.end, False)):
            if limit is None:
                continue
            clock = found.spans[:, CLOCK]
            if limit.tzinfo is not None:
                clock = clock - found.spans[:, AHEAD] * 60_000_000
            ahead = limit.utcoffset() or timedelta()
            micros = (limit.replace(tzinfo=None) - _EPOCH - ahead) // _MICROSECOND
            kept &= clock >= micros if later else clock < micros
        if wanted.table is not None:
            name = wanted.table.encode()
            for row in np.flatnonzero(kept).tolist():
                start, size = found.spans[row, [TABLE_START, TABLE_LENGTH]].tolist()
                kept[row] = found.data[start : start + size].tobytes() == name
        return kept


def _times(read: Scanned, result: Gathered) -> Any:
    """Microseconds since 1970 of each row."""
    spans = read.found.spans
    times = np.zeros(len(result.batch.rounds), np.int64)
    times[: len(spans)] = spans[:, CLOCK] - spans[:, AHEAD] * 60_000_000
    for row, round_ in result.decoded.items():
        times[row] = micros(round_.at)
    return times


def _span(read: Scanned, result: Gathered) -> tuple[datetime, datetime, int] | None:
    """The first and the last time of the rounds, as the log writes it, and how many they are."""
    rows = np.flatnonzero(result.batch.rounds[:, to.STATUS] != to.SKIP)
    if not len(rows):
        return None
    times = _times(read, result)[rows]

    def at(row: int) -> datetime:
        if row in result.decoded:
            return result.decoded[row].at
        clock, ahead = read.found.spans[row, [CLOCK, AHEAD]].tolist()
        there: datetime = _EPOCH + clock * _MICROSECOND
        return there.replace(tzinfo=timezone(timedelta(minutes=ahead)))

    return at(int(rows[times.argmin()])), at(int(rows[times.argmax()])), len(rows)


def _set_foreign_aside(found: Scan, rows: Any, data: bytes, result: Gathered) -> Any:
    """Lines that begin as no JSON does, of which a log may have millions; the other rows."""
    starts, sizes, numbers = (found.rounds[rows, at] for at in (to.START, to.LENGTH, to.LINE))
    foreign = _FOREIGN[found.data[starts]] & (sizes > 0) & (sizes <= MAX_LINE)
    places = (one[foreign].tolist() for one in (rows, starts, starts + sizes, numbers))
    result.bad += [
        (row, Quarantined(number, data[start:end], NO_VALUE))
        for row, start, end, number in zip(*places, strict=True)
    ]
    return rows[~foreign]


def _splice(batch: to.Batch, slow: to.Batch, placed: list[int]) -> None:
    """Put strictly decoded rounds into their rows; their events lie behind those of the others."""
    rows = slow.rounds.copy()
    rows[:, to.FIRST_EVENT] += len(batch.events)
    rows[:, to.FIRST_PLAYER] += len(batch.players)
    rows[:, to.LIMITS] += len(batch.limits)
    slow.players[:, to.NAME_START] += len(batch.text)
    kept = [to.START, to.LENGTH]
    rows[:, kept] = batch.rounds[np.ix_(placed, kept)]
    batch.rounds[placed] = rows
    batch.events = np.concatenate([batch.events, slow.events])
    batch.amounts = np.concatenate([batch.amounts, slow.amounts])
    batch.players = np.concatenate([batch.players, slow.players])
    batch.settings = [*batch.settings[: len(batch.limits)], *slow.settings]
    batch.minima = [*batch.minima[: len(batch.limits)], *slow.minima]
    batch.limits = np.concatenate([batch.limits, slow.limits])
    batch.announced = {placed[row]: words for row, words in slow.announced.items()}
    batch.text = np.concatenate([batch.text, slow.text])
