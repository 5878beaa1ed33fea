"""What the workers of a Spark cluster do: read files, and judge the rounds of one table in order.

A record is one round or one line that is none: where it stands (file and line), the table it
belongs to, its line, and whether it tells that the log records player cards or warnings.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby
from typing import Any

from checker.convert import good_lines, row_lines
from checker.judge.findings import ReplayFinding
from checker.log import model as r
from checker.log.decode import decode_line
from checker.log.read import Quarantined
from checker.log.repeated_rounds import Copied, Place, SeenRounds
from checker.replay.order import TimeOrder
from checker.replay.replay import Library
from checker.spark.records import Job, Part, judged, refused, table_key, told
from checker.table.shoes import ShoeTracker
from checker.which_engine import columns_at_hand

COLUMNS = ("key", "file", "line", "raw", "cards", "warns", "reason", "cut_off")
RECORD = (
    "key string, file int, line long, raw binary, cards boolean, warns boolean, "
    "reason string, cut_off boolean"
)
RESULT = "kind string, file int, line long, n int, value binary"
_PIECE = 2000


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
    kinds = (
        pa.string(),
        pa.int32(),
        pa.int64(),
        pa.binary(),
        pa.bool_(),
        pa.bool_(),
        pa.string(),
        pa.bool_(),
    )
    columns = [
        pa.array(values, kind)
        for values, kind in zip(zip(*records, strict=True), kinds, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, names=list(COLUMNS))


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
    columns = [
        pa.array(values, kind) for values, kind in zip(zip(*found, strict=True), kinds, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, names=["kind", "file", "line", "n", "value"])


def plainly(
    job: Job, library: Library, part: Part, rounds: Iterable[tuple[Place, bytes]]
) -> Iterator[tuple[Any, ...]]:
    shoes, seen, order = ShoeTracker(library.mechanics_of), SeenRounds(), TimeOrder()
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
            part.unknown.update(library.unknown(round_))
            clash = repeat.first if repeat is not None else None
            yield from judged(job, library, part, place, clash, round_, view)


def finding_row(file: str, finding: ReplayFinding) -> dict[str, Any]:
    """A finding as a row of the Parquet that a cluster leaves behind."""
    shown = finding.as_json()
    names = (
        "code",
        "kind",
        "message",
        "rulebook",
        "clause",
        "round",
        "table",
        "line",
        "event",
        "box",
        "hand",
        "player",
        "bet",
        "help",
        "fingerprint",
    )
    row = {name: shown.get(name) for name in names}
    money = {"expected": finding.expected, "actual": finding.actual}
    return {"file": file, **row, **{f"{name}_cents": cents for name, cents in money.items()}}
