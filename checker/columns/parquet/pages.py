"""The events of a row group in the layout of `rulespec convert`, straight from its pages.

Each part of an event is stored as codes of a dictionary. The general reader of Parquet puts lists
of records together from them; here the codes are unpacked and that is all. Whatever is not stored
exactly as `convert` has it is left to the general reader: then the answer is None.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, BinaryIO, Final

import numpy as np

from checker.columns.machine import buffers as memory
from checker.columns.machine.compile import byte, compiled, trailing_zeros
from checker.columns.parquet.chunk import BAD, MOST, coded_pages
from checker.columns.parquet.codes import CODE, MOST_WORDS, PARTS, run_at, texts_at, unpacked
from checker.log.parquet_layout import CODED_IN_EVENTS, IN_EVENTS
from checker.log.parquet_rows import few_events

_PATH: Final = "events.list.element."
_CARD: Final = IN_EVENTS.index("card")
_KINDS: Final = {"box": "INT32", "hand": "INT32", "cents": "INT64"}
_NUMBERS: Final = {"box": np.dtype("<i4"), "hand": np.dtype("<i4"), "cents": np.dtype("<i8")}
_NO_LIST, _NO_ELEMENT, _ELEMENT = range(3)  # as the levels of Parquet number them


@dataclass(frozen=True, slots=True)
class Coded:
    """The dictionary of one part of all events."""

    first: int  # the code of its first word: each word of a group has another one
    words: Any  # numbers; of texts the bytes of the page
    starts: Any = None  # of the texts in it
    lengths: Any = None

    @property
    def count(self) -> int:
        """Of the words."""
        return len(self.words if self.starts is None else self.starts)

    def text(self, code: int) -> str:
        start, size = int(self.starts[code]), int(self.lengths[code])
        return bytes(self.words[start : start + size]).decode()

    def values(self, codes: list[int]) -> list[Any]:
        numbers, first = self.starts is None, self.first
        known = {
            c: int(self.words[c - first]) if numbers else self.text(c - first) for c in set(codes)
        }
        return [known[code] for code in codes]

    def texts(self) -> list[str]:
        raw = bytes(self.words)
        ends = (self.starts + self.lengths).tolist()
        return [raw[a:b].decode() for a, b in zip(self.starts.tolist(), ends, strict=True)]


@dataclass(frozen=True, slots=True)
class Events:
    """All events of a row group: those of a row lie together."""

    sizes: Any  # [rows + 1]: the place of the first event of each row
    there: Any  # [rows]: whether the row has a list of events
    codes: Any  # [events, PARTS]: the word of each part
    parts: dict[str, Coded]

    def at(self, row: int) -> list[dict[str, Any]]:
        first, stop = int(self.sizes[row]), int(self.sizes[row + 1])
        columns = self.codes[first:stop].T.tolist()
        values = [part.values(c) for part, c in zip(self.parts.values(), columns, strict=False)]
        return [dict(zip(self.parts, one, strict=True)) for one in zip(*values, strict=True)]

    def card_of(self, row: int, n: int) -> str:
        """What stands as card in event `n` of a row."""
        cards = self.parts["card"]
        return cards.text(int(self.codes[self.sizes[row] + n, _CARD]) - cards.first)


def event_columns(metadata: Any) -> tuple[int, ...] | None:
    """Where the parts of the events stand in a file, if they are laid out as `convert` does."""
    found: dict[str, int] = {}
    for number in range(metadata.num_columns):
        column = metadata.schema.column(number)
        if not column.path.startswith(_PATH):
            continue
        name = column.path.removeprefix(_PATH)
        kind = _KINDS.get(name, "BYTE_ARRAY")
        levels = (column.max_repetition_level, column.max_definition_level)
        if levels != (1, _ELEMENT) or column.physical_type != kind or name in found:
            return None
        found[name] = number
    return tuple(found[name] for name in IN_EVENTS) if set(found) == set(IN_EVENTS) else None


def read_events(file: BinaryIO, group: Any, columns: tuple[int, ...]) -> Events | None:
    """The events of a row group, `group` being what the file says of it."""
    try:
        return _read(file, group, columns)
    except BAD:
        return None


def _read(file: BinaryIO, group: Any, columns: tuple[int, ...]) -> Events | None:
    import pyarrow as pa

    if group.num_rows > MOST:
        return None
    unzip = pa.Codec("zstd")
    parts: dict[str, Coded] = {}
    levels = b""
    sizes, there = np.zeros(group.num_rows + 1, np.int64), np.zeros(group.num_rows, np.bool_)
    codes: Any = None
    known = entries = 0
    for name, number in zip(IN_EVENTS, columns, strict=True):
        column = group.column(number)
        pages = coded_pages(file, column, unzip)
        if pages is None:
            return None
        words, count, page = pages
        cut = _levels_end(page)
        entries = column.num_values if codes is None else entries
        if column.num_values != entries:
            return None
        if codes is None:
            levels = page[:cut]
            if not _rows_by_levels(page, entries, sizes, there):
                return None
            (codes,) = memory.rows(((int(sizes[-1]), PARTS), CODE))
        if not page.startswith(levels) or cut != len(levels) or known + count > MOST_WORDS:
            return None
        if not unpacked(page, cut + 1, len(page), page[cut], codes, count, known, len(parts)):
            return None
        part = _coded(name, known, words, count)
        if part is None:
            return None
        parts[name] = part
        known += count
    return Events(sizes, there & few_events(sizes), codes, parts)


def _coded(name: str, first: int, words: bytes, count: int) -> Coded | None:
    if name not in CODED_IN_EVENTS:
        kind = _NUMBERS[name]
        numbers = np.frombuffer(words, kind, count).astype(np.int64)
        small = name == "cents" or (numbers == numbers.astype(np.int8)).all()
        return Coded(first, numbers) if small and len(words) == count * kind.itemsize else None
    if not words.isascii() or not 0 <= count <= len(words) // 4:
        return None
    page = np.frombuffer(words, np.uint8)
    starts, lengths = np.empty(count, np.int64), np.empty(count, np.int64)
    return Coded(first, page, starts, lengths) if texts_at(page, starts, lengths) else None


# --- levels


def _levels_end(page: bytes) -> int:
    """Where the codes begin: two lists of levels come first, each with its length."""
    first = int.from_bytes(page[:4], "little") + 4
    second = int.from_bytes(page[first : first + 4], "little") + 4
    if first + second >= len(page):
        raise ValueError("a page that is too short")
    return first + second


def _levels(page: bytes, entries: int) -> tuple[Any, Any]:
    """Of each entry whether it goes on with a row, and whether it is an event."""
    first = int.from_bytes(page[:4], "little") + 4
    goes_on, is_event = memory.rows(((entries,), np.uint16), ((entries,), np.uint16))
    good = unpacked(page, 4, first, 1, goes_on, 2)
    if not good or not unpacked(page, first + 4, _levels_end(page), 2, is_event):
        raise ValueError("levels that do not fit")
    return goes_on, is_event


def _rows_by_levels(page: bytes, entries: int, sizes: Any, there: Any) -> bool:
    """Which events belong to each row."""
    first = int.from_bytes(page[:4], "little") + 4
    data = np.frombuffer(page, np.uint8)
    if _is_one_run(page[first + 4 : _levels_end(page)], entries):
        return _rows_of_events(data, 4, first, entries, sizes, there)
    return _rows_of(*_levels(page, entries), sizes, there)


def _is_one_run(levels: bytes, entries: int) -> bool:
    """Whether all entries are events, and are said to be so at one go."""
    header = entries << 1
    said = bytearray()
    while header > 127:
        said.append(header & 127 | 128)
        header >>= 7
    return levels == bytes((*said, header, _ELEMENT))


@compiled
def _rows_of_events(page: Any, at: int, end: int, entries: int, sizes: Any, there: Any) -> bool:
    """`_rows_of`, from the packed numbers that say which of the events go on with a row."""
    data = page.ctypes.data
    row, done = -1, 0
    while done < entries:
        header, at = run_at(data, at, end)
        length = header >> 1
        bytes_of_it = length if header & 1 else 1
        if header < 0 or at + bytes_of_it > end:
            return False
        if header & 1:  # eight to a byte: a row begins wherever a bit is not set
            for place in range(at, at + length):
                count = min(8, entries - done)
                begins = np.uint64(~byte(data, place) & ((1 << count) - 1))
                while begins:
                    row += 1
                    if row >= len(there):
                        return False
                    sizes[row] = done + trailing_zeros(begins)
                    begins &= begins - np.uint64(1)
                done += count
        else:
            count = min(length, entries - done)
            if byte(data, at) > 1:
                return False
            if byte(data, at) == 0:
                for place in range(done, done + count):
                    row += 1
                    if row >= len(there):
                        return False
                    sizes[row] = place
            done += count
        if row < 0 or sizes[0] != 0:  # something goes on that did not begin
            return False
        at += bytes_of_it
    for k in range(len(there)):
        there[k] = True
    sizes[len(there)] = entries
    return row + 1 == len(there)


@compiled
def _rows_of(goes_on: Any, is_event: Any, sizes: Any, there: Any) -> bool:
    row, events = -1, 0
    for entry in range(len(goes_on)):
        kind = is_event[entry]
        if goes_on[entry] == 0:
            row += 1
            if row >= len(there) or kind > _ELEMENT:
                return False
            sizes[row] = events
            there[row] = kind != _NO_LIST
        elif row < 0 or kind != _ELEMENT or sizes[row] == events:
            return False
        events += kind == _ELEMENT
    sizes[len(there)] = events
    return row + 1 == len(there)
