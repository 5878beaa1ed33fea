"""What the rows of a Parquet log say before their events: texts, and the head that each would have
as a line.

`read_heads` takes them straight from the pages, as `parquet_pages` does with the events. Whatever
is not stored exactly as `convert` has it is left to the general reader: then the answer is None.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, BinaryIO, Final

import numpy as np

from checker.columns.machine import buffers as memory
from checker.columns.machine.compile import compiled
from checker.columns.parquet.chunk import BAD, MOST, coded_pages, only_page
from checker.columns.parquet.codes import CODE, MOST_WORDS, join_texts, sizes_at, texts_at, unpacked
from checker.columns.read.json_bytes import PADDING, QUOTE
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
)
from checker.log.decode import DecodeError, parse_json

_MOST_WORDS: Final = 2**20  # bytes
_KINDS: Final = {
    **dict.fromkeys(("round", "table", "shoe", "at", "rulebook", "options", "limits", "line"),
                    "BYTE_ARRAY"),
    "decks": "INT32",
}  # fmt: skip
IN_HEAD: Final = ("rulebook", "options", "limits")
_BEHIND: Final = ',"events":'  # a head
_KEYS: Final = 2**16  # up to so many possible heads a list of all is cheaper than sorting
_MOST_BYTES: Final = 2**26  # of the texts of a group


@dataclass(frozen=True, slots=True)
class RowTexts:
    """The texts of the rows of a group, in `data`, which has PADDING more."""

    data: Any
    spans: Any
    heads: list[bytes]


def head_columns(metadata: Any) -> dict[str, int] | None:
    """Where what is read here stands in a file, if it is laid out as `convert` does."""
    found: dict[str, int] = {}
    for number in range(metadata.num_columns):
        column = metadata.schema.column(number)
        kind = _KINDS.get(column.path)
        if kind is None:
            continue
        levels = (column.max_repetition_level, column.max_definition_level)
        if levels != (0, 1) or column.physical_type != kind or column.path in found:
            return None
        found[column.path] = number
    return found if set(found) == set(_KINDS) else None


def read_heads(
    file: BinaryIO, group: Any, columns: dict[str, int], there: Any, behind: Any
) -> tuple[RowTexts, int] | None:
    """What the rows of a group say, `group` being what the file says of it, `there` which of them
    have events; and where the bytes of `behind` stand, which are laid behind the texts."""
    try:
        return _read(file, group, columns, there, behind)
    except BAD:
        return None


def _read(
    file: BinaryIO, group: Any, columns: dict[str, int], there: Any, behind: Any
) -> tuple[RowTexts, int] | None:
    import pyarrow as pa

    rows = group.num_rows
    told = {name: group.column(number) for name, number in columns.items()}
    if rows > MOST or any(column.num_values != rows for column in told.values()):
        return None
    unzip = pa.Codec("zstd")
    if not _never(only_page(file, told["line"], unzip, joined=False), rows):
        return None
    joined = [
        _sizes(only_page(file, told[name], unzip, joined=True), rows) for name in ("round", "at")
    ]
    coded = {
        name: _codes(coded_pages(file, told[name], unzip), rows)
        for name in ("table", "shoe", "decks", *IN_HEAD)
    }
    words = [np.frombuffer(coded[name].words, np.uint8) for name in ("table", "shoe")]
    size = sum(int(one.same.sum() + one.more.sum()) + 2 * rows for one in joined)
    size += sum(map(len, (*words, behind)))
    if size > _MOST_BYTES:
        return None
    data, spans, places = memory.rows(
        ((size + PADDING,), np.uint8), ((rows, SPAN_WIDTH), np.int64), ((4, rows), np.int64)
    )
    at = 0
    for one, quote, place in zip(joined, (0, QUOTE), (places[:2], places[2:]), strict=True):
        used = join_texts(
            one.page, one.start, one.same, one.more, quote, data[at:], place[0], place[1]
        )
        if used < 0:
            return None
        place[0] += at
        at += used
    known = []
    for part, name in zip(words, ("table", "shoe"), strict=True):
        starts, lengths = coded[name].texts()
        if not coded[name].words.isascii():
            return None
        data[at : at + len(part)] = part
        known += [starts + at, lengths]
        at += len(part)
    data[at : at + len(behind)] = behind
    data[at + len(behind) :] = 0
    decks, known_decks = coded["decks"], coded["decks"].numbers()
    said = [coded[name].strings() for name in IN_HEAD]
    heads, which = heads_of([coded[name].codes for name in IN_HEAD], said, decks.codes, known_decks)
    _lay(
        spans, places, coded["table"].codes, known[0], known[1], coded["shoe"].codes, known[2],
        known[3], which, there, decks.codes, decks.count,
    )  # fmt: skip
    return RowTexts(data, spans, heads), at


def heads_of(
    codes: list[Any], words: list[tuple[str | None, ...]], decks: Any, known: list[int]
) -> tuple[list[bytes], Any]:
    """The heads that rows would have as lines, and which of them each row has. Each row has a code
    of each of IN_HEAD, and one for its decks."""
    keys = np.zeros(len(decks), np.int64)
    for code, count in zip((*codes, decks), (*map(len, words), len(known)), strict=True):
        keys *= count
        keys += code
    first, which = _first_of_each(keys)
    heads = []
    for row in first.tolist():
        rulebook, options, limits = (
            some[code[row]] for code, some in zip(codes, words, strict=True)
        )
        heads.append(_head(rulebook, known[decks[row]], options, limits))
    return heads, which


def _first_of_each(keys: Any) -> tuple[Any, Any]:
    """A row of each key, and which of these keys each row has."""
    if len(keys) and keys.max() < _KEYS:
        row_of = np.full(int(keys.max()) + 1, -1, np.int32)
        row_of[keys] = np.arange(len(keys), dtype=np.int32)
        there = np.flatnonzero(row_of >= 0)
        first = row_of[there]
        row_of[there] = np.arange(len(there), dtype=np.int32)
        return first, row_of[keys]
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    return first, which.reshape(len(keys)).astype(np.int32)


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
    return ("," + ",".join(parts) + _BEHIND).encode()


@lru_cache(maxsize=4096)
def said_by(head: bytes) -> dict[str, Any]:
    """What a good head says."""
    found: dict[str, Any] = parse_json("{" + head.decode()[1 : -len(_BEHIND)] + "}")
    return found


# --- columns


@dataclass(frozen=True, slots=True)
class _Joined:
    """Texts that each begin as the one before does."""

    page: Any
    start: int  # of the bytes that are new
    same: Any
    more: Any


@dataclass(frozen=True, slots=True)
class _Codes:
    """Which word of the dictionary each row has; the code behind all words: none."""

    codes: Any
    words: bytes
    count: int

    def texts(self) -> tuple[Any, Any]:
        """Where each word starts and how long it is."""
        starts, lengths = np.zeros(self.count + 1, np.int64), np.full(self.count + 1, -1, np.int64)
        if not texts_at(np.frombuffer(self.words, np.uint8), starts[:-1], lengths[:-1]):
            raise ValueError("no texts")
        return starts, lengths

    def strings(self) -> tuple[str | None, ...]:
        if len(self.words) > _MOST_WORDS:  # they are kept
            raise ValueError("too many words")
        return _strings(self.words, self.count)

    def numbers(self) -> list[int]:
        found = np.frombuffer(self.words, np.dtype("<i4"), self.count)
        if len(self.words) != 4 * self.count or (found != found.astype(np.int8)).any():
            raise ValueError("numbers that are too large")
        return [*found.tolist(), 0]


@lru_cache(maxsize=64)
def _strings(words: bytes, count: int) -> tuple[str | None, ...]:
    starts, lengths = _Codes(None, words, count).texts()
    ends = starts + lengths
    spans = zip(starts[:-1].tolist(), ends[:-1].tolist(), strict=True)
    return *(words[start:end].decode() for start, end in spans), None


def _levels(page: bytes, rows: int) -> tuple[Any, int]:
    """Of each row 1 where it has a value, and where the levels end."""
    end = int.from_bytes(page[:4], "little") + 4
    found = np.empty(rows, CODE)
    if end > len(page) or not unpacked(page, 4, end, 1, found, 2):
        raise ValueError("levels that do not fit")
    return found, end


def _never(page: bytes | None, rows: int) -> bool:
    """Whether no row has a value."""
    return page is not None and not _levels(page, rows)[0].any()


def _sizes(page: bytes | None, rows: int) -> _Joined:
    if page is None:
        raise ValueError("stored otherwise")
    levels, start = _levels(page, rows)
    data = np.frombuffer(page, np.uint8)
    same, more = np.empty(rows, np.int64), np.empty(rows, np.int64)
    middle = sizes_at(data, start, same)
    end = sizes_at(data, middle, more) if middle >= 0 else -1
    if end < 0 or not levels.all() or not page[end:].isascii():
        raise ValueError("texts that are stored otherwise")
    return _Joined(data, end, same, more)


def _codes(pages: tuple[bytes, int, bytes] | None, rows: int) -> _Codes:
    if pages is None:
        raise ValueError("stored otherwise")
    words, count, page = pages
    levels, cut = _levels(page, rows)
    codes = np.empty(rows, CODE)
    some = int(np.count_nonzero(levels))
    if not 0 <= count <= MOST_WORDS or (some and cut >= len(page)):
        raise ValueError("stored otherwise")
    if some and not unpacked(page, cut + 1, len(page), page[cut], codes[:some], count):
        raise ValueError("codes that do not fit")
    if some < rows:
        found = codes[:some].copy()
        codes[:] = count
        codes[levels != 0] = found
    return _Codes(codes, words, count)


@compiled
def _lay(
    spans: Any, places: Any, tables: Any, table_starts: Any, table_lengths: Any, shoes: Any,
    shoe_starts: Any, shoe_lengths: Any, heads: Any, there: Any, decks: Any, no_decks: int,
) -> None:  # fmt: skip
    for row in range(len(spans)):
        for column in range(SPAN_WIDTH):
            spans[row, column] = 0
        spans[row, SCANNED] = there[row] and decks[row] != no_decks
        spans[row, HEAD] = heads[row]
        spans[row, ID_START], spans[row, ID_LENGTH] = places[0, row], places[1, row]
        spans[row, AT_START], spans[row, AT_LENGTH] = places[2, row], places[3, row]
        spans[row, TABLE_START] = table_starts[tables[row]]
        spans[row, TABLE_LENGTH] = table_lengths[tables[row]]
        spans[row, SHOE_START] = shoe_starts[shoes[row]]
        spans[row, SHOE_LENGTH] = shoe_lengths[shoes[row]]
