"""Row groups of Parquet in the layout of `rulespec convert` -> columns, without a line of JSON.

A group is read whole; a long one is judged in parts. A row that the columns do not say plainly, or
that the strict decoder would refuse, is left to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, BinaryIO, Final

import numpy as np

from checker.columns import batch as to
from checker.columns.machine import buffers as memory
from checker.columns.parquet.chunk import words_of
from checker.columns.parquet.codes import CODE, MOST_WORDS, PARTS
from checker.columns.parquet.events import kinds_of, told_of, whats_of
from checker.columns.parquet.fill import fill, people_of
from checker.columns.parquet.heads import IN_HEAD, heads_of, read_heads, said_by
from checker.columns.parquet.pages import Coded, Events, read_events
from checker.columns.parquet.texts import Texts, numbers, there
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
from checker.log.decode import DecodeError
from checker.log.model import Round
from checker.log.parquet_layout import CODED, CODED_IN_EVENTS, IN_EVENTS, NO_CENTS, event_of, schema
from checker.log.parquet_rows import Row, columns_of, damaged_here, few_events, row_at

ROUNDS: Final = 8192
"""How many rows are worked on at once at most; other tools write longer groups than `convert`."""
_TEXTS: Final = (
    ("round", ID_START, ID_LENGTH), ("table", TABLE_START, TABLE_LENGTH),
    ("shoe", SHOE_START, SHOE_LENGTH), ("at", AT_START, AT_LENGTH),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Group:
    """One row group of a Parquet file."""

    path: str
    number: int
    before: int  # rows of the file before it
    metadata: Any = None  # of the file, where it is at hand
    ours: bool = False  # whether it is in the layout of `convert`
    parts: tuple[int, ...] | None = None  # then: where the parts of the events stand
    heads: dict[str, int] | None = None  # and what stands before them


@dataclass(slots=True)
class Rows:
    """The rows of a group for the strict decoder."""

    group: Group
    count: int
    _table: Any = field(default=None, repr=False)  # as the general reader has them

    def at(self, row: int) -> Row:
        import pyarrow

        try:
            if self._table is None:
                self._table = _read(self.group)
            return row_at(self._table, row)
        except (pyarrow.ArrowException, OSError) as error:
            return DecodeError(damaged_here(error))


@dataclass(frozen=True, slots=True)
class _Columns:
    """What the columns of a group say, still as codes."""

    data: Any
    spans: Any
    heads: list[bytes]
    events: Events
    people: Any  # the players that the events name
    words: Any  # what `parquet_events` tells of each word of the events
    money: Any  # the amounts among these words

    def texts_at(self, row: int) -> list[str | None]:
        """What the row has in each of _TEXTS."""
        span = self.spans[row].tolist()
        return [
            self.data[span[start] : span[start] + span[length]].tobytes().decode()
            if span[length] >= 0
            else None
            for _, start, length in _TEXTS
        ]

    def head_at(self, row: int) -> bytes:
        head: bytes = self.heads[self.spans[row, HEAD]]
        return head

    def round_at(self, row: int) -> Row:
        texts = zip(_TEXTS, self.texts_at(row), strict=True)
        found: dict[str, Any] = {name: text for (name, _, _), text in texts if text is not None}
        found.update(said_by(self.head_at(row)))
        found["events"] = [event_of(one) for one in self.events.at(row)]
        return found


@dataclass(frozen=True, slots=True)
class Part:
    """Some rows of a group that was read."""

    rows: Rows
    columns: _Columns | None  # None: all rows are left to the strict decoder
    first: int
    stop: int

    @property
    def before(self) -> int:
        """Rows of the file before these."""
        return self.rows.group.before + self.first

    def round_at(self, row: int) -> Row:
        """A row that was found to be plain."""
        if self.columns is None:
            return self.row_at(row)
        return self.columns.round_at(self.first + row)

    def rebuilt(self, batch: to.Batch, row: int) -> Round | None:
        """The same, where the columns of the batch hold all of it."""
        if self.columns is None:
            return None
        columns, at = self.columns, self.first + row
        card_of = partial(columns.events.card_of, at)
        return rebuilt(batch, row, columns.texts_at(at), columns.head_at(at), card_of)

    def row_at(self, row: int) -> Row:
        """Any row, its columns in the order in which they are read."""
        return self.rows.at(self.first + row)

    def scan(self) -> Scan:
        if self.columns is None:
            return _nothing(self.stop - self.first)
        return _filled(self.columns, self.first, self.stop)


def parts_of(groups: Sequence[Group], most: int = ROUNDS) -> Iterator[Part | Odd]:
    """Read the groups of a file: their rows in order, some at a time."""
    import pyarrow
    import pyarrow.parquet as pq

    if not groups:
        return
    path, told = groups[0].path, groups[0].metadata
    leaves = {told.schema.column(number).path for number in range(told.num_columns)}
    coded = [name for name in CODED if name in leaves]
    with (
        open(path, "rb") as pages,
        pq.ParquetFile(path, read_dictionary=coded, metadata=told) as general,
    ):
        names = [name for name in columns_of(general) if name != "events"]
        opened = _Opened(pages, general, names)
        for group in groups:
            try:
                columns, rows = _read_group(group, opened)
            except (pyarrow.ArrowException, OSError) as error:
                yield Odd(b"", 0, damaged_here(error), group.before)
                return
            for first in range(0, rows.count, most):
                yield Part(rows, columns, first, min(first + most, rows.count))


@dataclass(frozen=True, slots=True)
class _Opened:
    """A file that stays open while its groups are read."""

    pages: BinaryIO
    general: Any
    names: list[str]

    def without_events(self, group: int) -> Any:
        """The texts that recur come as codes."""
        return self.general.read_row_group(group, columns=self.names, use_threads=False)


def _read_group(group: Group, opened: _Opened) -> tuple[_Columns | None, Rows]:
    """The rows of a group as far as the columns say them, and the rows for the others."""
    if group.parts is not None:
        told = group.metadata.row_group(group.number)
        events = read_events(opened.pages, told, group.parts)
        found = _with_heads(group, told, opened, events) if events is not None else None
        if found is not None:
            return found, Rows(group, len(found.spans))
    table = _read(group)
    found = None
    if group.ours and as_written(table.schema):
        found = _columns(table, _events_of(table))
    return found, Rows(group, table.num_rows, table)


def _with_heads(group: Group, told: Any, opened: _Opened, events: Events) -> _Columns | None:
    """What stands before the events, from the pages too or by the general reader."""
    from pyarrow import ArrowException

    player = events.parts["player"]
    if group.heads is not None:
        read = read_heads(opened.pages, told, group.heads, events.there, player.words)
        if read is not None:
            texts, first = read
            return _joined(texts.data, texts.spans, texts.heads, events, first)
    try:
        table = opened.without_events(group.number)
    except (ArrowException, OSError):
        return None  # as codes; perhaps not otherwise
    if as_written(table.schema) and _words_once(opened, told, table):
        return _columns(table, events)
    return None


def _read(group: Group) -> Any:
    import pyarrow.parquet as pq

    with pq.ParquetFile(group.path, metadata=group.metadata) as file:
        return file.read_row_group(group.number, columns=columns_of(file), use_threads=False)


def _words_once(opened: _Opened, told: Any, table: Any) -> bool:
    """Whether no dictionary has a word twice: then Arrow would count the words wrongly."""
    for number in range(told.num_columns):
        column = told.column(number)
        if column.path_in_schema in CODED:
            there = table.column(column.path_in_schema)
            words = words_of(opened.pages, column)
            if there.num_chunks != 1 or words is None:
                return False
            if words and words != len(there.chunk(0).dictionary):
                return False
    return True


def _events_of(table: Any) -> Events | None:
    """The events as the general reader of Parquet has them."""
    import pyarrow as pa

    listed = _whole(table.column("events"))
    events = listed.flatten()
    values = {name: events.field(name) for name in IN_EVENTS}
    for name in CODED_IN_EVENTS:
        values[name] = values[name].dictionary_encode()
    if events.null_count or any(part.null_count for part in values.values()):
        return None
    sizes = np.zeros(len(listed) + 1, np.int64)
    sizes[1:] = np.cumsum(listed.value_lengths().fill_null(0).to_numpy())
    parts: dict[str, Coded] = {}
    codes = np.zeros((len(events), PARTS), np.int32)
    known = 0
    for column, (name, part) in enumerate(values.items()):
        if name in CODED_IN_EVENTS:
            texts = Texts()
            try:
                starts, lengths = texts.add(part.dictionary)
            except pa.ArrowInvalid:
                return None
            parts[name] = Coded(known, texts.data(), starts, lengths)
            codes[:, column] = part.indices.to_numpy()
        else:
            words, codes[:, column] = np.unique(part.to_numpy(), return_inverse=True)
            parts[name] = Coded(known, words.astype(np.int64))
        codes[:, column] += known
        known += parts[name].count
    if known <= MOST_WORDS:
        codes = codes.astype(CODE)
    there = listed.is_valid().to_numpy(zero_copy_only=False)
    return Events(sizes, there & few_events(sizes), codes, parts)


def as_written(found: Any) -> bool:
    """Whether the columns have the types that `convert` gives them."""
    wanted = schema()
    for column in found:
        kind = column.type
        if column.name == "events":
            element = kind.value_field
            same = column.nullable and not element.nullable and all(
                _same(element.type.field(part.name).type, part.type)
                and not element.type.field(part.name).nullable
                for part in wanted.field("events").type.value_type
            )  # fmt: skip
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
        np.zeros(PADDING, np.uint8), rounds, np.zeros((rows, SPAN_WIDTH), np.int64),
        np.zeros((0, to.EVENT_WIDTH), np.int32), np.zeros(0, np.int64),
        np.zeros((0, 2), np.int32), np.zeros((0, to.PLAYER_WIDTH), np.int64), [],
    )  # fmt: skip


def _columns(table: Any, events: Events | None) -> _Columns | None:
    import pyarrow as pa

    rows = table.num_rows
    if events is None or rows != len(events.there):
        return None
    try:
        table.validate(full=True)  # codes without a word would be found by nobody
    except pa.ArrowException:
        return None
    column = {name: _whole(table.column(name)) for name in table.column_names if name != "events"}
    for name in CODED:
        if name in column and not hasattr(column[name], "indices"):
            column[name] = column[name].dictionary_encode()
    player = events.parts["player"]
    texts = Texts()
    spans = np.zeros((rows, SPAN_WIDTH), np.int64)
    try:
        for name, start, length in _TEXTS:
            spans[:, start], spans[:, length] = _spans(column[name], texts, name == "at")
        first = texts.join(player.words)
        heads, spans[:, HEAD] = _heads(column)
    except (UnicodeDecodeError, pa.ArrowInvalid):
        return None
    spans[:, SCANNED] = events.there & _rows_to_look_at(column)
    return _joined(texts.data(), spans, heads, events, first)


def _joined(
    data: Any, spans: Any, heads: list[bytes], events: Events, first: int
) -> _Columns | None:
    """`first`: where the names of the players begin in `data`."""
    parts = events.parts
    player, card = parts["player"], parts["card"]
    try:
        kinds, whats = (tuple(parts[name].texts()) for name in ("e", "what"))
    except UnicodeDecodeError:
        return None
    people = people_of(data.ctypes.data, player.starts + first, player.lengths)
    cents = parts["cents"].words
    words = told_of(
        kinds_of(kinds), parts["box"].words, parts["hand"].words, player.lengths, whats_of(whats),
        card.words, card.starts, card.lengths, cents,
    )  # fmt: skip
    money = np.where(cents == NO_CENTS, to.NO_AMOUNT, cents)
    return _Columns(data, spans, heads, events, people, words, money)


def _filled(columns: _Columns, start: int, stop: int) -> Scan:
    """The rows from one up to another."""
    sizes = columns.events.sizes[start : stop + 1]
    first, last = int(sizes[0]), int(sizes[-1])
    size = last - first
    rounds, made, amounts, players = memory.rows(
        ((stop - start, to.ROUND_WIDTH), np.int64), ((size, to.EVENT_WIDTH), np.int32),
        ((size,), np.int64), ((size + 1, to.PLAYER_WIDTH), np.int64),
    )  # fmt: skip
    data, spans, parts = columns.data, columns.spans[start:stop], columns.events.parts
    met = np.full(len(columns.people), -1, np.int64)
    used = fill(
        data.ctypes.data, rounds, spans, sizes - first, columns.events.codes[first:last],
        columns.words, columns.people, met, parts["player"].first, columns.money,
        parts["cents"].first, made, amounts, players,
    )  # fmt: skip
    no_words = np.zeros((0, 2), np.int32)
    return Scan(data, rounds, spans, made, amounts, no_words, players[:used], columns.heads)


def _whole(column: Any) -> Any:
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def _spans(values: Any, texts: Texts, quoted: bool) -> tuple[Any, Any]:
    if not hasattr(values, "indices"):
        return texts.add_quoted(values) if quoted else texts.add(values)
    starts, lengths = texts.add(values.dictionary)
    codes = numbers(values.indices, np.int32, -1)
    if len(starts) == 0:
        return codes * 0, codes * 0 - 1
    return starts[codes], np.where(codes < 0, -1, lengths[codes])


def _heads(column: dict[str, Any]) -> tuple[list[bytes], Any]:
    """The heads that these rows would have as lines, and which of them each row has."""
    coded = [column[name] for name in IN_HEAD]
    codes = [numbers(one.indices, np.int32, len(one.dictionary)) for one in coded]
    words = [(*one.dictionary.to_pylist(), None) for one in coded]
    decks = numbers(column["decks"], np.int8, 0).astype(np.int64)
    least, most = int(decks.min(initial=0)), int(decks.max(initial=0))
    return heads_of(codes, words, decks - least, list(range(least, most + 1)))


def _rows_to_look_at(column: dict[str, Any]) -> Any:
    plain = there(column["decks"])
    return plain & ~there(column["line"]) if "line" in column else plain
