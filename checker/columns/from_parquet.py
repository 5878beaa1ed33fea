"""Row groups of Parquet in the layout of `rulespec convert` -> columns, without a line of JSON.

A row that the columns do not say plainly, or that the strict decoder would refuse, is left to it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, BinaryIO, Final

import numpy as np

from checker.columns import layout as to
from checker.columns import memory
from checker.columns.parquet_fill import (
    NONE,
    OTHER,
    WHAT_WIDTH,
    fill,
    people_of,
    quote,
)
from checker.columns.parquet_pages import Coded, Events, read_events, words_of
from checker.columns.pieces import PADDING
from checker.columns.scan import (
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
from checker.decode import DecodeError, parse_json
from checker.log_parquet import Row, columns_of, row_at
from checker.parquet_layout import (
    CODED,
    CODED_IN_EVENTS,
    IN_EVENTS,
    event_of,
    schema,
    wager_words,
)

_CARDS: Final = (*to.CARD_NAMES, "JOKER", "")


@dataclass(frozen=True, slots=True)
class Group:
    """One row group of a Parquet file."""

    path: str
    number: int
    before: int  # rows of the file before it
    metadata: Any = None  # of the file, where it is at hand
    ours: bool = False  # whether it is in the layout of `convert`
    parts: tuple[int, ...] | None = None  # then: where the parts of the events stand


@dataclass(slots=True)
class Rows:
    """The rows of a group for the strict decoder."""

    group: Group
    table: Any  # where `events` are not None: all columns but those
    events: Events | None = None
    _whole: Any = field(default=None, repr=False)

    def round_at(self, row: int) -> Row:
        """A row that was found to be plain."""
        if self.events is None:
            return row_at(self.table, row)
        found = row_at(self.table, row)
        if isinstance(found, dict):
            found["events"] = [event_of(one) for one in _events_at(self.events, row)]
        return found

    def row_at(self, row: int) -> Row:
        """Any row, its columns in the order in which they are read."""
        if self.events is None:
            return row_at(self.table, row)
        if self._whole is None:
            self._whole = _read(self.group, events=True)
        return row_at(self._whole, row)


def _events_at(events: Events, row: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for event in range(int(events.sizes[row]), int(events.sizes[row + 1])):
        one: dict[str, Any] = {}
        for name, part in events.parts.items():
            code = int(part.codes[event])
            one[name] = int(part.words[code]) if part.starts is None else part.text(code)
        found.append(one)
    return found


def read_group(group: Group) -> tuple[Scan, Rows]:
    """The rows of a group as far as the columns say them, and the rows for the others."""
    if group.parts is not None:
        with open(group.path, "rb") as file:
            told = group.metadata.row_group(group.number)
            events = read_events(file, told, group.parts)
            table = _read(group, events=False) if events is not None else None
            if table is not None and _as_written(table.schema) and _words_once(file, told, table):
                found = _scan(table, events)
                if found is not None:
                    return found, Rows(group, table, events)
    table = _read(group, events=True)
    if group.ours and _as_written(table.schema):
        found = _scan(table, _events_of(table))
        if found is not None:
            return found, Rows(group, table)
    return _nothing(table.num_rows), Rows(group, table)


def _read(group: Group, events: bool) -> Any:
    """Without the events the texts that recur come as codes."""
    import pyarrow.parquet as pq

    coded = None if events else CODED
    with pq.ParquetFile(group.path, read_dictionary=coded, metadata=group.metadata) as file:
        names = [name for name in columns_of(file) if events or name != "events"]
        return file.read_row_group(group.number, columns=names, use_threads=False)


def _words_once(file: BinaryIO, told: Any, table: Any) -> bool:
    """Whether no dictionary has a word twice: then Arrow would count the words wrongly."""
    for number in range(told.num_columns):
        column = told.column(number)
        if column.path_in_schema in CODED:
            there = table.column(column.path_in_schema)
            words = words_of(file, column)
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
    parts = {}
    for name, part in values.items():
        if name in CODED_IN_EVENTS:
            texts = _Texts()
            try:
                starts, lengths = texts.add(part.dictionary)
            except pa.ArrowInvalid:
                return None
            parts[name] = Coded(part.indices.to_numpy(), texts.data(), starts, lengths)
        else:
            numbers, codes = np.unique(part.to_numpy(), return_inverse=True)
            parts[name] = Coded(codes.astype(np.int32), numbers.astype(np.int64))
    return Events(sizes, listed.is_valid().to_numpy(zero_copy_only=False), parts)


def _as_written(found: Any) -> bool:
    """Whether the columns have the types that `convert` gives them."""
    wanted = schema()
    for column in found:
        kind = column.type
        if column.name == "events":
            same = all(
                _same(kind.value_type.field(part.name).type, part.type)
                for part in wanted.field("events").type.value_type
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
        np.zeros(PADDING, np.uint8), rounds, np.zeros((rows, SPAN_WIDTH), np.int64),
        np.zeros((0, to.EVENT_WIDTH), np.int32), np.zeros(0, np.int64),
        np.zeros((0, 2), np.int32), np.zeros((0, to.PLAYER_WIDTH), np.int64), [],
    )  # fmt: skip


class _Texts:
    """Texts laid one behind the other. Each comes with where it starts and how long it is; -1 is
    none."""

    def __init__(self) -> None:
        self.parts: list[Any] = []
        self.size = 0

    def add(self, values: Any) -> tuple[Any, Any]:
        values.validate(full=True)  # that it is UTF-8 above all
        _, offsets_at, data_at = values.buffers()
        offsets = np.zeros(len(values) + 1, np.int32)
        if len(values) and offsets_at is not None:
            whole = np.frombuffer(offsets_at, np.int32)
            offsets = whole[values.offset : values.offset + len(values) + 1]
        data = np.frombuffer(data_at, np.uint8) if data_at is not None else np.zeros(0, np.uint8)
        starts = offsets[:-1].astype(np.int64) + self.size
        lengths = np.diff(offsets).astype(np.int64)
        if values.null_count:
            lengths[values.is_null().to_numpy(zero_copy_only=False)] = -1
        self.join(data)
        return starts, lengths

    def add_quoted(self, values: Any) -> tuple[Any, Any]:
        """In quotes, as `moment` reads a time."""
        inner = _Texts()
        starts, lengths = inner.add(values)
        made = np.empty(int(np.maximum(lengths, 0).sum()) + 2 * len(values), np.uint8)
        places = quote(inner.data(), starts, lengths, made)
        return places + self.join(made), lengths

    def join(self, data: Any) -> int:
        """Where these bytes lie then."""
        self.parts.append(data)
        self.size += len(data)
        return self.size - len(data)

    def data(self) -> Any:
        return np.concatenate([*self.parts, np.zeros(PADDING, np.uint8)])


def _scan(table: Any, events: Events | None) -> Scan | None:
    import pyarrow as pa

    rows = table.num_rows
    if events is None or rows != len(events.there):
        return None
    column = {name: _whole(table.column(name)) for name in table.column_names if name != "events"}
    for name in CODED:
        if name in column and not hasattr(column[name], "indices"):
            column[name] = column[name].dictionary_encode()
    parts = events.parts
    texts = _Texts()
    spans = np.zeros((rows, SPAN_WIDTH), np.int64)
    try:
        for name, start, length in (
            ("round", ID_START, ID_LENGTH), ("table", TABLE_START, TABLE_LENGTH),
            ("shoe", SHOE_START, SHOE_LENGTH), ("at", AT_START, AT_LENGTH),
        ):  # fmt: skip
            spans[:, start], spans[:, length] = _spans(column[name], texts, name == "at")
        first = texts.join(parts["player"].words)
        heads, spans[:, HEAD] = _heads(column, rows)
        words = {name: tuple(parts[name].texts()) for name in ("e", "what", "card")}
    except (UnicodeDecodeError, pa.ArrowInvalid):
        return None
    spans[:, SCANNED] = events.there & _rows_to_look_at(column)
    size = int(events.sizes[-1])
    rounds, made, amounts, players = memory.rows(
        ((rows, to.ROUND_WIDTH), np.int64), ((size, to.EVENT_WIDTH), np.int32), ((size,), np.int64),
        ((size + 1, to.PLAYER_WIDTH), np.int64),
    )  # fmt: skip
    rounds[:] = 0
    data = texts.data()
    people = people_of(data.ctypes.data, parts["player"].starts + first, parts["player"].lengths)
    kind, box, hand, player, what, card, cents = (parts[name] for name in IN_EVENTS)
    used = fill(
        data.ctypes.data, rounds, spans, events.sizes, kind.codes, player.codes, what.codes,
        card.codes, box.codes, hand.codes, cents.codes, _kinds(words["e"]), people,
        _whats(words["what"]), _card_codes(words["card"]), box.words, hand.words, cents.words, made,
        amounts, players,
    )  # fmt: skip
    return Scan(
        data, rounds, spans, made, amounts, np.zeros((0, 2), np.int32), players[:used], heads
    )


def _whole(column: Any) -> Any:
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


# What the words of a dictionary stand for. Most row groups have the same ones.


@lru_cache(maxsize=64)
def _kinds(words: tuple[str, ...]) -> Any:
    return np.array([to.KIND_CODES.get(word, OTHER) for word in words], np.int32)


@lru_cache(maxsize=64)
def _card_codes(words: tuple[str, ...]) -> Any:
    codes = {**{card: code for code, card in enumerate(_CARDS)}, "": NONE}
    return np.array([codes.get(word, OTHER) for word in words], np.int32)


@lru_cache(maxsize=64)
def _whats(words: tuple[str, ...]) -> Any:
    table = np.full((len(words), WHAT_WIDTH), OTHER, np.int32)
    for place, word in enumerate(words):
        bet, marks = wager_words(word)
        seated = marks.get("seated")
        table[place] = (
            to.PLAY_CODES.get(word, OTHER) if word else NONE,
            to.BET_CODES.get(word, OTHER) if word else NONE,
            to.BET_CODES.get(bet, OTHER),
            (to.CONTROL if "control" in marks else 0)
            | (0 if seated is None else 2 if seated else 1) << to.SEATED_SHIFT,
        )
    return table


def _spans(values: Any, texts: _Texts, quoted: bool) -> tuple[Any, Any]:
    if not hasattr(values, "indices"):
        return texts.add_quoted(values) if quoted else texts.add(values)
    starts, lengths = texts.add(values.dictionary)
    codes = values.indices.fill_null(-1).to_numpy()
    if len(starts) == 0:
        return codes * 0, codes * 0 - 1
    return starts[codes], np.where(codes < 0, -1, lengths[codes])


def _heads(column: dict[str, Any], rows: int) -> tuple[list[bytes], Any]:
    """The heads that these rows would have as lines, and which of them each row has."""
    names = ("rulebook", "options", "limits")
    codes = [column[name].indices.fill_null(-1).to_numpy() for name in names]
    words = [[*column[name].dictionary.to_pylist(), None] for name in names]
    decks = column["decks"].fill_null(0).to_numpy()
    keys = np.zeros(rows, np.int64)
    for code, known in zip(codes, words, strict=True):
        keys = keys * len(known) + (code + 1)
    _, first, which = np.unique(keys * 256 + decks, return_index=True, return_inverse=True)
    heads = []
    for row in first.tolist():
        said = (known[code[row]] for code, known in zip(codes, words, strict=True))
        rulebook, options, limits = said
        heads.append(_head(rulebook, int(decks[row]), options, limits))
    return heads, which.reshape(rows)


@lru_cache(maxsize=4096)
def _head(rulebook: str | None, decks: int, options: str | None, limits: str | None) -> bytes:
    import json

    parts = [] if rulebook is None else [f'"rulebook":{json.dumps(rulebook)}']
    parts.append(f'"decks":{decks}')
    for name, text in (("options", options), ("limits", limits)):
        if text is not None:
            try:
                parse_json(text)
            except DecodeError:
                return b"not good"
            parts.append(f'"{name}":{text}')
    return ("," + ",".join(parts) + ',"events":').encode()


def _rows_to_look_at(column: dict[str, Any]) -> Any:
    plain = column["decks"].is_valid().to_numpy(zero_copy_only=False)
    if "line" in column:
        plain = plain & column["line"].is_null().to_numpy(zero_copy_only=False)
    return plain
