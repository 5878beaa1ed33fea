"""What the workers of a Spark cluster do: read files, and judge the rounds of one table in order.

A record is one round or one line that is none: where it stands (file and line), the table it
belongs to, its line, and whether it tells that the log records player cards or warnings.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from typing import Any, TypeAlias

from checker.convert import good_lines, row_lines
from checker.judge.findings import ReplayFinding, Verdict
from checker.log import model as r
from checker.log.decode import decode_line
from checker.log.model import Round
from checker.log.read import Quarantined
from checker.log.repeated_rounds import Copied, Place, SeenRounds
from checker.replay.order import Misplaced, TimeOrder
from checker.replay.replay import STRANGER, Filter, Library, add_clash, book_name, judge_round
from checker.table.shoes import ShoeTracker
from checker.which_engine import columns_at_hand
from rulespec.resolve.rulebook import Rulebook

Clause: TypeAlias = tuple[str, str]
COLUMNS = ("key", "file", "line", "raw", "cards", "warns", "reason", "cut_off")
RECORD = ("key string, file int, line long, raw binary, cards boolean, warns boolean, "
          "reason string, cut_off boolean")  # fmt: skip
RESULT = "kind string, file int, line long, n int, value binary"
_PIECE = 2000


@dataclass(frozen=True, slots=True)
class Job:
    """What every worker has to know."""

    id: str
    books: list[Rulebook]
    only: Rulebook | None
    others: dict[str, str]
    wanted: Filter
    first_cards: Place | None  # the first round that records a player card
    first_warning: Place | None
    files: list[str] = field(default_factory=list)
    columns: bool = False  # there are enough rounds that the columns are worth starting

    def library(self) -> Library:
        return Library(self.books, self.only, self.others)


@dataclass(slots=True)
class Part:
    """What the rounds of one worker come to, beside their findings."""

    rounds: int = 0
    wagers: int = 0
    rulebooks: dict[str, int] = field(default_factory=dict)
    tested: set[Clause] = field(default_factory=set)
    unchecked: dict[Clause, tuple[int, Place, str]] = field(default_factory=dict)
    """Rounds, and the last of them with its reason."""
    not_recorded: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    unknown: Counter[tuple[str, str]] = field(default_factory=Counter)
    outside: int = 0  # findings that the filter does not show

    def add(self, book: str, verdict: Verdict, place: Place) -> None:
        self.rounds += 1
        self.wagers += verdict.wagers
        self.rulebooks[book] = self.rulebooks.get(book, 0) + 1
        for clause, reason in verdict.not_checked.items():
            self.leave((book, clause), 1, place, reason)
        for clause, reason in verdict.not_recorded.items():
            self.not_recorded[book, clause, reason] += 1
        self.add_money(book, verdict)

    def add_money(self, book: str, verdict: Verdict) -> None:
        """As `Summary.add_money`."""
        self.tested.update((book, clause) for clause in verdict.tested)

    def leave(self, key: Clause, count: int, place: Place, reason: str) -> None:
        before, last, known = self.unchecked.get(key, (0, Place(-1, -1), ""))
        if place >= last:
            last, known = place, reason
        self.unchecked[key] = (before + count, last, known)

    def join(self, other: Part) -> None:
        self.rounds += other.rounds
        self.wagers += other.wagers
        self.tested |= other.tested
        for book, count in other.rulebooks.items():
            self.rulebooks[book] = self.rulebooks.get(book, 0) + count
        for key, (count, place, reason) in other.unchecked.items():
            self.leave(key, count, place, reason)
        self.not_recorded.update(other.not_recorded)
        self.unknown.update(other.unknown)
        self.outside += other.outside


# --- reading


def read_files(columns: bool, batches: Iterable[Any]) -> Iterator[Any]:
    """Batches of (file, path) -> batches of records."""
    import pyarrow as pa

    for batch in batches:
        for file, path in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            records: list[tuple[Any, ...]] = []
            for record in _records(path, file, columns):
                records.append(record)
                if len(records) == _PIECE:
                    yield _batch(pa, records)
                    records = []
            if records:
                yield _batch(pa, records)


def _batch(pa: Any, records: list[tuple[Any, ...]]) -> Any:
    kinds = (pa.string(), pa.int32(), pa.int64(), pa.binary(), pa.bool_(), pa.bool_(),
             pa.string(), pa.bool_())  # fmt: skip
    columns = [pa.array(values, kind) for values, kind in zip(zip(*records, strict=True), kinds,
                                                             strict=True)]  # fmt: skip
    return pa.RecordBatch.from_arrays(columns, names=list(COLUMNS))


def table_key(rulebook: str | None, table: str) -> str:
    return f"{len(rulebook or '')}:{rulebook or ''}:{table}"


def _records(path: str, file: int, columns: bool) -> Iterator[tuple[Any, ...]]:
    if columns and columns_at_hand() and not path.endswith(".parquet"):
        from checker.spark.by_columns import records

        yield from records(path, file)
        return
    bad: list[Quarantined] = []
    reader = row_lines if path.endswith(".parquet") else good_lines
    for round_, raw in reader(path, bad.append):
        while bad:
            yield refused(bad.pop(0), file)
        key = table_key(round_.rulebook, round_.table)
        cards = any(isinstance(e, r.Wager) and bool(e.player_card) for e in round_.events)
        warns = any(isinstance(e, r.Warn) for e in round_.events)
        yield key, file, round_.line, raw, cards, warns, None, False
    for line in bad:
        yield refused(line, file)


def refused(bad: Quarantined, file: int) -> tuple[Any, ...]:
    return "", file, bad.line, bad.raw, False, False, bad.reason, bad.cut_off


# --- judging


def judge_tables(job: Job, batches: Iterable[Any]) -> Iterator[Any]:
    """Records sorted by table, file and line -> findings, copies, and a Part."""
    import pyarrow as pa

    part = Part()
    found: list[tuple[Any, ...]] = []
    judge = _judge_of(job, part)
    for _, rounds in groupby(_sorted(batches), key=lambda record: record[0]):
        for one in judge((place, raw) for _, place, raw in rounds):
            found.append(one)
            if len(found) == _PIECE:
                yield _results(pa, found)
                found = []
    found.append(("part", 0, 0, 0, pickle.dumps(part)))
    yield _results(pa, found)


def _judge_of(
    job: Job, part: Part
) -> Callable[[Iterable[tuple[Place, bytes]]], Iterator[tuple[Any, ...]]]:
    if not (job.columns and columns_at_hand()):
        return partial(plainly, job, job.library(), part)
    from checker.spark.by_columns import TableJudge

    return TableJudge(job, part)


def _sorted(batches: Iterable[Any]) -> Iterator[tuple[str, Place, bytes]]:
    for batch in batches:
        names = ("key", "file", "line", "raw")
        columns = [batch.column(batch.schema.get_field_index(n)).to_pylist() for n in names]
        for key, file, line, raw in zip(*columns, strict=True):
            yield key, Place(file, line), raw


def _results(pa: Any, found: list[tuple[Any, ...]]) -> Any:
    kinds = (pa.string(), pa.int32(), pa.int64(), pa.int32(), pa.binary())
    columns = [pa.array(values, kind)
               for values, kind in zip(zip(*found, strict=True), kinds, strict=True)]  # fmt: skip
    return pa.RecordBatch.from_arrays(columns, names=["kind", "file", "line", "n", "value"])


def _rows(
    round_: Round, verdict: Verdict, wanted: Filter, place: Place
) -> Iterator[tuple[Any, ...]]:
    shown = [
        replace(f, line=place[1]) for f in verdict.findings
        if f.code == STRANGER or wanted.shows(f)
    ]  # fmt: skip
    if shown or verdict.reports:
        yield "round", *place, 0, pickle.dumps((round_, shown, verdict.reports))


def plainly(
    job: Job, library: Library, part: Part, rounds: Iterable[tuple[Place, bytes]]
) -> Iterator[tuple[Any, ...]]:
    shoes, seen, order = ShoeTracker(), SeenRounds(), TimeOrder()
    for place, raw in rounds:
        round_ = decode_line(raw, place[1])
        repeat = seen.add(round_, place)
        if repeat is not None and repeat.copy:
            if job.wanted.wants(round_):
                yield told(Copied(round_.id, round_.table, place, repeat.first))
            continue
        misplaced = order.add(round_, place)
        if misplaced is not None:
            shoes.forget(round_)
            if job.wanted.wants(round_):
                yield told(misplaced)
        shoes.player_cards_seen = job.first_cards is not None and job.first_cards < place
        shoes.warnings_seen = job.first_warning is not None and job.first_warning < place
        view = shoes.view(round_)
        shoes.after(round_)
        if job.wanted.wants(round_):
            part.unknown.update(round_.unknown)
            clash = repeat.first if repeat is not None else None
            yield from judged(job, library, part, place, clash, round_, view)


def judged(
    job: Job, library: Library, part: Part, place: Place, clash: Place | None, round_: Round,
    view: Any, money_of: frozenset[int] | None = None,
) -> Iterator[tuple[Any, ...]]:  # fmt: skip
    verdict = judge_round(round_, library, view, money_of=money_of)
    if clash is not None:
        add_clash(verdict, round_, clash, job.files, library)
    name = book_name(round_, library)
    if money_of is None:
        part.add(name, verdict, place)
    else:
        part.add_money(name, verdict)
    part.outside += sum(
        finding.code != STRANGER and not job.wanted.shows(finding) for finding in verdict.findings
    )
    yield from _rows(round_, verdict, job.wanted, place)


def told(one: Copied | Misplaced) -> tuple[Any, ...]:
    """What the summary tells."""
    return "told", *one.place, 0, pickle.dumps(one)


def finding_row(file: str, finding: ReplayFinding) -> dict[str, Any]:
    """A finding as a row of the Parquet that a cluster leaves behind."""
    shown = finding.as_json()
    names = ("code", "kind", "message", "rulebook", "clause", "round", "table", "line", "event",
             "box", "hand", "player", "bet", "help", "fingerprint")  # fmt: skip
    row = {name: shown.get(name) for name in names}
    money = {"expected": finding.expected, "actual": finding.actual}
    return {"file": file, **row, **{f"{name}_cents": cents for name, cents in money.items()}}
