"""Row groups of Parquet in the layout of `rulespec convert` -> columns, without a line of JSON.

Arrow reads some rows at a time, the texts that recur as codes of a dictionary; machine code fills
the columns from its memory. A row that the columns do not say plainly, or that the strict decoder
would refuse, is left to it, and so are all rows of a file of another layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

import numpy as np

from checker.columns import batch as to
from checker.columns.machine import buffers as memory
from checker.columns.parquet.arrays import Texts, raw_numbers, there
from checker.columns.parquet.dictionary_pages import words_told
from checker.columns.parquet.events import cards_of, kinds_of, players_of, whats_of
from checker.columns.parquet.fill import fill, people_of
from checker.columns.parquet.heads import heads_of
from checker.columns.read.json_bytes import PADDING
from checker.columns.read.rebuild import rebuilt
from checker.columns.read.scan import (
    AT_LENGTH,
    AT_START,
    HEAD,
    ID_LENGTH,
    ID_START,
    SCANNED,
    SHOE_LENGTH,
    SHOE_START,
    SPAN_WIDTH,
    TABLE_LENGTH,
    TABLE_START,
    Scan,
)
from checker.columns.read.source import Odd
from checker.log.model import Round
from checker.log.parquet_layout import CODED, CODED_IN_EVENTS, IN_EVENTS, schema
from checker.log.parquet_rows import ROWS, Row, batches, damaged_here, few_events, row_at

_TEXTS: Final = (
    ("round", ID_START, ID_LENGTH),
    ("table", TABLE_START, TABLE_LENGTH),
    ("shoe", SHOE_START, SHOE_LENGTH),
    ("at", AT_START, AT_LENGTH),
)
_IN_EVENTS: Final = "events.list.element."
_CODED: Final = (*CODED, *(_IN_EVENTS + name for name in CODED_IN_EVENTS))
_KINDS: Final = {"box": np.int8, "hand": np.int8, "cents": np.int64}


@dataclass(frozen=True, slots=True)
class Group:
    """One row group of a Parquet file."""

    path: str
    number: int
    before: int  # rows of the file before it
    metadata: Any  # of the file
    ours: bool = False  # whether it is in the layout of `convert`


@dataclass(frozen=True, slots=True)
class _Columns:
    """What the columns of some rows say."""

    data: Any
    spans: Any
    heads: list[bytes]
    sizes: Any  # [rows + 1]: the place of the first event of each row
    events: tuple[Any, ...]  # the columns of all events, as IN_EVENTS names them
    words: tuple[Any, ...]  # what `events` tells of their words
    people: Any  # the players that the events name


@dataclass(slots=True)
class Part:
    """Some rows of a group."""

    batch: Any
    before: int  # rows of the file before these
    plain: bool  # whether the columns can be read here: else all is left to the strict decoder
    columns: _Columns | None = None  # once they are read

    def row_at(self, row: int) -> Row:
        return row_at(self.batch, row)

    def rebuilt(self, batch: to.Batch, row: int) -> Round | None:
        """A row that was found to be plain, where the columns of the batch hold all of it."""
        columns = self.columns
        if columns is None:
            return None
        span = columns.spans[row].tolist()
        texts = [
            columns.data[span[start] : span[start] + span[length]].tobytes().decode()
            if span[length] >= 0
            else None
            for _, start, length in _TEXTS
        ]
        cards, first = self.batch.column("events").values.field("card"), int(columns.sizes[row])
        return rebuilt(
            batch, row, texts, columns.heads[span[HEAD]], lambda n: str(cards[first + n].as_py())
        )

    def scan(self) -> Scan:
        self.columns = _columns(self.batch) if self.plain else None
        return _nothing(self.batch.num_rows) if self.columns is None else _filled(self.columns)


def parts_of(groups: Sequence[Group], most: int = ROWS) -> Iterator[Part | Odd]:
    """Read the groups of a file: their rows in order, some at a time."""
    import pyarrow
    import pyarrow.parquet as pq

    if not groups:
        return
    path, told = groups[0].path, groups[0].metadata
    coded = _CODED if groups[0].ours else ()
    usual = pyarrow.default_memory_pool()
    # the allocator of the system keeps for the next rows what these free: see `keep_freed_memory`
    pyarrow.set_memory_pool(pyarrow.system_memory_pool())
    try:
        as_codes = pq.ParquetFile(path, metadata=told, read_dictionary=coded)
        general = pq.ParquetFile(path, metadata=told)
    finally:
        pyarrow.set_memory_pool(usual)
    with open(path, "rb") as raw, as_codes, general:
        for group in groups:
            done, rows = 0, told.row_group(group.number).num_rows
            if group.ours:
                for batch in _by_codes(as_codes, raw, group, most):
                    yield Part(batch, group.before + done, plain=True)
                    done += batch.num_rows
            if done >= rows:
                continue
            try:
                for batch in _behind(batches(general, group.number, most), done):
                    plain = group.ours and _is_valid(batch)
                    yield Part(batch, group.before + done, plain)
                    done += batch.num_rows
            except (pyarrow.ArrowException, OSError) as error:
                yield Odd(b"", 0, damaged_here(error), group.before + done)
                return


def _by_codes(file: Any, raw: BinaryIO, group: Group, most: int) -> Iterator[Any]:
    """The rows of a group with their texts as codes, as far as these can be trusted."""
    from pyarrow import ArrowException

    told, leaves = group.metadata.row_group(group.number), group.metadata.schema
    try:
        known = {
            leaves.column(n).path: words_told(raw, told.column(n))
            for n in range(told.num_columns)
            if leaves.column(n).path in _CODED
        }
        for batch in batches(file, group.number, most):
            columns = _columns_of(batch)
            if not _is_valid(batch) or any(
                count is not None and count != len(columns[path].dictionary)
                for path, count in known.items()
            ):
                return
            yield batch
    except (ArrowException, OSError):
        return  # as codes; perhaps not otherwise


def _behind(found: Iterator[Any], rows: int) -> Iterator[Any]:
    """What comes behind the first rows."""
    for batch in found:
        if rows < batch.num_rows:
            yield batch.slice(rows)
        rows = max(0, rows - batch.num_rows)


def _is_valid(batch: Any) -> bool:
    """Whether every text is UTF-8, and every code has a word."""
    from pyarrow import ArrowException

    try:
        batch.validate(full=True)
    except ArrowException:
        return False
    return True


def as_written(found: Any) -> bool:
    """Whether the columns have the types that `convert` gives them."""
    wanted = schema()
    for column in found:
        kind = column.type
        if column.name == "events":
            element = kind.value_field
            same = (
                column.nullable
                and not element.nullable
                and all(
                    _same(element.type.field(part.name).type, part.type)
                    and not element.type.field(part.name).nullable
                    for part in wanted.field("events").type.value_type
                )
            )
        else:
            same = column.name in wanted.names and _same(kind, wanted.field(column.name).type)
        if not same:
            return False
    return True


def _same(kind: Any, wanted: Any) -> bool:
    """The same type, be it as codes or not."""
    return bool(kind == wanted or kind == getattr(wanted, "value_type", None))


def _nothing(rows: int) -> Scan:
    """All rows are left to the strict decoder."""
    rounds = np.zeros((rows, to.ROUND_WIDTH), np.int64)
    rounds[:, to.STATUS] = to.SKIP
    return Scan(
        np.zeros(PADDING, np.uint8),
        rounds,
        np.zeros((rows, SPAN_WIDTH), np.int64),
        np.zeros((0, to.EVENT_WIDTH), np.int32),
        np.zeros(0, np.int64),
        np.zeros((0, 2), np.int32),
        np.zeros((0, to.PLAYER_WIDTH), np.int64),
        [],
    )


def _columns_of(batch: Any) -> dict[str, Any]:
    """The columns of valid rows, and those of their events."""
    found = {name: batch.column(name) for name in batch.schema.names}
    events = found["events"].values
    found.update((_IN_EVENTS + name, events.field(name)) for name in IN_EVENTS)
    return found


def _columns(batch: Any) -> _Columns | None:
    """What the columns of valid rows say; None where that is too much."""
    column = _columns_of(batch)
    for name in _CODED:
        if not hasattr(column[name], "indices"):
            column[name] = column[name].dictionary_encode()
    texts = Texts()
    spans = np.zeros((batch.num_rows, SPAN_WIDTH), np.int64)
    for name, start, length in _TEXTS:
        add = texts.add_quoted if name == "at" else texts.add_words if name in CODED else texts.add
        spans[:, start], spans[:, length] = add(column[name])
    try:
        heads, spans[:, HEAD] = heads_of(column)
    except OverflowError:
        return None
    listed = column["events"]
    sizes = raw_numbers(listed.offsets, np.int32).astype(np.int64)
    spans[:, SCANNED] = (
        there(listed) & few_events(sizes) & there(column["decks"]) & ~there(column["line"])
    )
    parts = {name: column[_IN_EVENTS + name] for name in IN_EVENTS}
    players, cards = (texts.add(parts[name].dictionary) for name in ("player", "card"))
    data = texts.data()
    kinds, whats = (tuple(parts[name].dictionary.to_pylist()) for name in ("e", "what"))
    return _Columns(
        data,
        spans,
        heads,
        sizes,
        tuple(
            raw_numbers(part.indices, np.int32)
            if name in CODED_IN_EVENTS
            else raw_numbers(part, _KINDS[name])
            for name, part in parts.items()
        ),
        (kinds_of(kinds), players_of(players[1]), whats_of(whats), cards_of(data, *cards)),
        people_of(data.ctypes.data, *players),
    )


def _filled(columns: _Columns) -> Scan:
    data, spans, sizes = columns.data, columns.spans, columns.sizes
    size = int(sizes[-1] - sizes[0])
    rounds, made, amounts, players = memory.rows(
        ((len(spans), to.ROUND_WIDTH), np.int64),
        ((size, to.EVENT_WIDTH), np.int32),
        ((size,), np.int64),
        ((size + 1, to.PLAYER_WIDTH), np.int64),
    )
    met = np.full(len(columns.people), -1, np.int64)
    used = fill(
        data.ctypes.data,
        rounds,
        spans,
        sizes,
        int(sizes[0]),
        columns.events,
        columns.words,
        columns.people,
        met,
        made,
        amounts,
        players,
    )
    no_words = np.zeros((0, 2), np.int32)
    return Scan(data, rounds, spans, made, amounts, no_words, players[:used], columns.heads)
