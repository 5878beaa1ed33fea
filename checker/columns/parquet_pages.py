"""The events of a row group in the layout of `rulespec convert`, straight from its pages.

Each part of an event is stored as codes of a dictionary. The general reader of Parquet puts lists
of records together from them; here the codes are unpacked and that is all. Whatever is not stored
exactly as `convert` has it is left to the general reader: then the answer is None.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, BinaryIO, Final

import numpy as np

from checker.columns import memory
from checker.columns.compiled import byte, compiled, inlined, items_at, load64
from checker.parquet_layout import CODED_IN_EVENTS, IN_EVENTS

_PATH: Final = "events.list.element."
_KINDS: Final = {"box": "INT32", "hand": "INT32", "cents": "INT64"}
_NUMBERS: Final = {"box": np.dtype("<i4"), "hand": np.dtype("<i4"), "cents": np.dtype("<i8")}
_DATA_PAGE, _DICTIONARY_PAGE = 0, 2
_PLAIN, _PLAIN_DICTIONARY, _RLE, _RLE_DICTIONARY = 0, 2, 3, 8
_LARGEST: Final = 2**26  # bytes of a page
_MOST: Final = 2**24  # events of a group
CODE: Final = np.uint16
MOST_WORDS: Final = 2**16  # of a dictionary
_SHORT: Final = 2**40  # as the highest number: there are not enough of them
# what bytes that are no pages, and Arrow when it unzips them, end in
_BAD: Final = (ValueError, LookupError, TypeError, OSError, RecursionError)
# fields of the header of a page, and of what it says of a dictionary and of data
_HEADERS: Final = ({1, 2, 3, 7}, {1, 2, 3, 5})
_OF_WORDS: Final = ({1, 2}, {1, 2, 3})
_OF_DATA: Final = ({1, 2, 3, 4}, {1, 2, 3, 4, 5})
_NO_LIST, _NO_ELEMENT, _ELEMENT = range(3)  # as the levels of Parquet number them


@dataclass(frozen=True, slots=True)
class Coded:
    """One part of all events: which word of the dictionary each of them has."""

    codes: Any
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

    def values(self, first: int, stop: int) -> list[Any]:
        """What some of the events have."""
        codes: list[int] = self.codes[first:stop].tolist()
        numbers = self.starts is None
        known = {c: int(self.words[c]) if numbers else self.text(c) for c in set(codes)}
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
    parts: dict[str, Coded]

    def at(self, row: int) -> list[dict[str, Any]]:
        first, stop = int(self.sizes[row]), int(self.sizes[row + 1])
        values = [part.values(first, stop) for part in self.parts.values()]
        return [dict(zip(self.parts, one, strict=True)) for one in zip(*values, strict=True)]


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
    except _BAD:
        return None


def _read(file: BinaryIO, group: Any, columns: tuple[int, ...]) -> Events | None:
    import pyarrow as pa

    if group.num_rows > _MOST:
        return None
    unzip = pa.Codec("zstd")
    parts: dict[str, Coded] = {}
    levels = b""
    sizes, there = np.zeros(group.num_rows + 1, np.int64), np.zeros(group.num_rows, np.bool_)
    room: list[Any] = []
    for name, number in zip(IN_EVENTS, columns, strict=True):
        pages = _pages(file, group.column(number), unzip)
        if pages is None:
            return None
        words, count, page, entries = pages
        cut = _levels_end(page)
        if not room:
            levels = page[:cut]
            if not _rows_of(*_levels(page, entries), sizes, there):
                return None
            room = memory.rows(*(((int(sizes[-1]),), CODE) for _ in IN_EVENTS))
        codes = room[len(parts)]
        if not page.startswith(levels) or cut != len(levels) or count > MOST_WORDS:
            return None
        if not _unpacked(page, cut + 1, len(page), page[cut], codes, count):
            return None
        part = _coded(name, codes, words, count)
        if part is None:
            return None
        parts[name] = part
    return Events(sizes, there, parts)


def _coded(name: str, codes: Any, words: bytes, count: int) -> Coded | None:
    if name not in CODED_IN_EVENTS:
        kind = _NUMBERS[name]
        numbers = np.frombuffer(words, kind, count).astype(np.int64)
        small = name == "cents" or (numbers == numbers.astype(np.int8)).all()
        return Coded(codes, numbers) if small and len(words) == count * kind.itemsize else None
    if not words.isascii() or not 0 <= count <= len(words) // 4:
        return None
    page = np.frombuffer(words, np.uint8)
    starts, lengths = np.empty(count, np.int64), np.empty(count, np.int64)
    return Coded(codes, page, starts, lengths) if _texts(page, starts, lengths) else None


# --- pages


def words_of(file: BinaryIO, column: Any) -> int | None:
    """How many words the dictionary of a column of texts has; 0 where it has none. None: not all
    of the column is stored with it."""
    start, size = column.dictionary_page_offset, column.total_compressed_size
    if start is None:
        return 0
    if not 0 < size <= _LARGEST:
        return None
    file.seek(start)
    raw = file.read(size)
    try:
        header, at = _struct(raw, 0)
        count: int = header[7][1]
        at += header[3]
        while at < size:
            header, at = _struct(raw, at)
            if header[5][2] not in (_PLAIN_DICTIONARY, _RLE_DICTIONARY) or header[3] < 0:
                return None
            at += header[3]
    except _BAD:
        return None
    return count


def _pages(file: BinaryIO, column: Any, unzip: Any) -> tuple[bytes, int, bytes, int] | None:
    """The page of the dictionary and its words, the only page of data and its entries."""
    start, size = column.dictionary_page_offset, column.total_compressed_size
    if start is None or column.compression != "ZSTD" or not 0 < size <= _LARGEST:
        return None
    file.seek(start)
    raw = file.read(size)
    whole = memoryview(raw)
    found: list[tuple[dict[int, Any], bytes]] = []
    at = 0
    while at < size and len(found) < 3:
        header, at = _struct(raw, at)
        plain, packed = header[2], header[3]
        if not (0 <= plain <= _LARGEST and 0 <= packed <= size - at):
            return None
        if _size_of_frame(raw, at) != plain:  # Arrow would give whatever stood there before
            return None
        found.append((header, unzip.decompress(whole[at : at + packed], plain, asbytes=True)))
        at += packed
    if len(found) != 2 or at != size:
        return None
    (first, words), (second, page) = found
    if first[1] != _DICTIONARY_PAGE or second[1] != _DATA_PAGE:
        return None
    told, data = first[7], second[5]
    if (set(first), set(second)) != _HEADERS or set(told) not in _OF_WORDS:
        return None
    if set(data) not in _OF_DATA or told[2] not in (_PLAIN, _PLAIN_DICTIONARY):
        return None
    if data[2] not in (_PLAIN_DICTIONARY, _RLE_DICTIONARY) or (data[3], data[4]) != (_RLE, _RLE):
        return None
    if data[1] != column.num_values or not 0 <= data[1] <= _MOST:
        return None
    return words, told[1], page, data[1]


def _size_of_frame(raw: bytes, at: int) -> int:
    """How much the frame of zstd that begins here holds; -1 if it does not say."""
    told = raw[at + 4]
    alone, wide = told >> 5 & 1, told >> 6
    if raw[at : at + 4] != b"\x28\xb5\x2f\xfd" or told & 3 or not (alone or wide):
        return -1
    start = at + 5 + (not alone)
    size = int.from_bytes(raw[start : start + (1 << wide)], "little")
    return size + 256 if wide == 1 else size


def _struct(raw: bytes, at: int, inner: bool = False) -> tuple[dict[int, Any], int]:
    """A record of Thrift in its compact form. Texts are passed over."""
    found: dict[int, Any] = {}
    field = 0
    while raw[at]:
        kind, step = raw[at] & 15, raw[at] >> 4
        at += 1
        if not step:
            raise ValueError("a field far away")
        field += step
        if kind in (1, 2):
            found[field] = "yes" if kind == 1 else "no"  # which is no number
        elif kind == 5 or (kind == 6 and inner):
            found[field], at = number_at(raw, at)
        elif kind == 8:
            size, at = unsigned_at(raw, at)
            found[field] = None
            at += size
        elif kind == 12:
            found[field], at = _struct(raw, at, inner=True)
        else:
            raise ValueError("another kind of field")
    return found, at + 1


def unsigned_at(raw: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        number |= (raw[at] & 127) << shift
        shift += 7
        at += 1
        if raw[at - 1] < 128:
            return number, at
        if shift > 63:
            raise ValueError("a number that is too long")


def number_at(raw: bytes, at: int) -> tuple[int, int]:
    number, at = unsigned_at(raw, at)
    return (number >> 1) ^ -(number & 1), at


# --- levels and codes


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
    good = _unpacked(page, 4, first, 1, goes_on)
    if not good or not _unpacked(page, first + 4, _levels_end(page), 2, is_event):
        raise ValueError("levels that do not fit")
    return goes_on, is_event


def _unpacked(
    page: bytes, start: int, end: int, width: int, made: Any, below: int = 2**24
) -> bool:
    """Numbers of `width` bits, packed or in runs; False if there are not enough of them, or one is
    not below what is asked."""
    data = np.frombuffer(page, np.uint8)
    return 0 <= width <= 24 and _unpack(data, start, end, width, made) < below


@inlined
def _bytes_from(data: int, at: int, size: int) -> int:
    """Eight bytes as one number; those behind the first `size` bytes of the data are 0."""
    if at + 8 <= size:
        return load64(data, at)
    word = np.uint64(0)
    for place in range(at, size):
        word |= np.uint64(byte(data, place)) << np.uint64(8 * (place - at))
    return word


@compiled
def _unpack(page: Any, start: int, end: int, width: int, made_array: Any) -> int:
    """The highest number."""
    data, size = page.ctypes.data, len(page)
    made, count = items_at(made_array), len(made_array)
    highest = np.uint64(0)
    mask = np.uint64((1 << width) - 1)
    one, two, three = np.uint64(width), np.uint64(2 * width), np.uint64(3 * width)
    half, odd = width >> 1, np.uint64((width & 1) << 2)  # where the second four of eight begin
    at, done = start, 0
    while done < count:
        header = shift = 0
        while True:
            if at >= end or shift > 28:
                return _SHORT
            header |= (byte(data, at) & 127) << shift
            shift += 7
            at += 1
            if byte(data, at - 1) < 128:
                break
        length = header >> 1
        if length == 0:
            return _SHORT
        if header & 1:
            if length * width > end - at:
                return _SHORT
            stop = done + min(length * 8, count - done)
            behind = at + length * width
            if width <= 16:  # four of them fit into a word
                while done + 8 <= stop and at + half + 8 <= size:
                    low, high = load64(data, at), load64(data, at + half) >> odd
                    a, b, c, d = low & mask, low >> one & mask, low >> two & mask, low >> three & mask
                    e, f, g, h = (
                        high & mask, high >> one & mask, high >> two & mask, high >> three & mask
                    )
                    made[done], made[done + 1], made[done + 2], made[done + 3] = a, b, c, d
                    made[done + 4], made[done + 5], made[done + 6], made[done + 7] = e, f, g, h
                    highest = max(highest, a, b, c, d, e, f, g, h)
                    done += 8
                    at += width
            bits = at * 8
            while done < stop:
                value = (_bytes_from(data, bits >> 3, size) >> np.uint64(bits & 7)) & mask
                highest = max(highest, value)
                made[done] = value
                bits += width
                done += 1
            at = behind
        else:
            wide = (width + 7) // 8
            if at + wide > end:
                return _SHORT
            value = _bytes_from(data, at, size) & np.uint64((1 << 8 * wide) - 1)
            highest = max(highest, value)
            for place in range(done, done + min(length, count - done)):
                made[place] = value
            done += min(length, count - done)
            at += wide
    return int(highest)


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


@compiled
def _texts(page: Any, starts: Any, lengths: Any) -> bool:
    """Texts, each behind four bytes that say how long it is."""
    at = 0
    for place in range(len(starts)):
        if at + 4 > len(page):
            return False
        size = (
            np.int64(page[at]) | np.int64(page[at + 1]) << 8 | np.int64(page[at + 2]) << 16
            | np.int64(page[at + 3]) << 24
        )  # fmt: skip
        at += 4
        if size > len(page) - at:
            return False
        starts[place] = at
        lengths[place] = size
        at += size
    return at == len(page)
