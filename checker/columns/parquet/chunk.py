"""The pages of a column of Parquet, unzipped: what `rulespec convert` stores and nothing else.

Whatever is stored otherwise is left to the general reader: then the answer is None, or one of BAD
is raised. The form of a header is that of `parquet.thrift`, compact.
"""

from __future__ import annotations

from typing import Any, BinaryIO, Final

_DATA_PAGE, _DICTIONARY_PAGE = 0, 2
_PLAIN, _PLAIN_DICTIONARY, _RLE, _DELTA_BYTE_ARRAY, _RLE_DICTIONARY = 0, 2, 3, 7, 8
_LARGEST: Final = 2**26  # bytes of a page
MOST: Final = 2**24  # values of a column of a group
# what bytes that are no pages, and Arrow when it unzips them, end in
BAD: Final = (ValueError, LookupError, TypeError, OSError, RecursionError)
# fields of the header of a page, and of what it says of a dictionary and of data
_FIELDS: Final = {_DICTIONARY_PAGE: {1, 2, 3, 7}, _DATA_PAGE: {1, 2, 3, 5}}
_OF_WORDS: Final = ({1, 2}, {1, 2, 3})
_OF_DATA: Final = ({1, 2, 3, 4}, {1, 2, 3, 4, 5})


def coded_pages(file: BinaryIO, column: Any, unzip: Any) -> tuple[bytes, int, bytes] | None:
    """The page of the dictionary and its words, and the only page of data."""
    if not _begins_with_words(column):
        return None
    found = _pages(file, column, column.dictionary_page_offset, 2, unzip)
    if found is None:
        return None
    (first, words), (second, page) = found
    told, data = first[7], second[5]
    if set(told) not in _OF_WORDS or told[2] not in (_PLAIN, _PLAIN_DICTIONARY):
        return None
    if data[2] not in (_PLAIN_DICTIONARY, _RLE_DICTIONARY):
        return None
    return words, told[1], page


def _begins_with_words(column: Any) -> bool:
    """Whether the dictionary comes first, where every reader looks for it."""
    words = column.dictionary_page_offset
    return words is not None and 0 < words < column.data_page_offset


def only_page(file: BinaryIO, column: Any, unzip: Any, joined: bool) -> bytes | None:
    """The only page of a column without a dictionary; `joined`: of texts that each begin as the one
    before does."""
    if column.dictionary_page_offset is not None:
        return None
    found = _pages(file, column, column.data_page_offset, 1, unzip)
    if found is None or found[0][0][5][2] != (_DELTA_BYTE_ARRAY if joined else _PLAIN):
        return None
    return found[0][1]


def _pages(
    file: BinaryIO, column: Any, start: int | None, count: int, unzip: Any
) -> list[tuple[dict[int, Any], bytes]] | None:
    """Each page with its header: the last has the data, one before it the dictionary."""
    size = column.total_compressed_size
    if start is None or column.compression != "ZSTD" or not 0 < size <= _LARGEST:
        return None
    file.seek(start)
    raw = file.read(size)
    whole = memoryview(raw)
    found: list[tuple[dict[int, Any], bytes]] = []
    at = 0
    while at < size and len(found) < count:
        header, at = struct_at(raw, at)
        plain, packed = header[2], header[3]
        kind = _DATA_PAGE if len(found) == count - 1 else _DICTIONARY_PAGE
        if header[1] != kind or set(header) != _FIELDS[kind]:
            return None
        if not (0 <= plain <= _LARGEST and 0 <= packed <= size - at):
            return None
        if _size_of_frame(raw, at) != plain:  # Arrow would give whatever stood there before
            return None
        found.append((header, unzip.decompress(whole[at : at + packed], plain, asbytes=True)))
        at += packed
    if len(found) != count or at != size:
        return None
    data = found[-1][0][5]
    if set(data) not in _OF_DATA or (data[3], data[4]) != (_RLE, _RLE):
        return None
    if data[1] != column.num_values or not 0 <= data[1] <= MOST:
        return None
    return found


def words_of(file: BinaryIO, column: Any) -> int | None:
    """How many words the dictionary of a column of texts has; 0 where it has none. None: not all
    of the column is stored with it."""
    start, size = column.dictionary_page_offset, column.total_compressed_size
    if start is None:
        return 0
    if not 0 < size <= _LARGEST or not _begins_with_words(column):
        return None
    file.seek(start)
    raw = file.read(size)
    try:
        header, at = struct_at(raw, 0)
        count: int = header[7][1]
        at += header[3]
        while at < size:
            header, at = struct_at(raw, at)
            if header[5][2] not in (_PLAIN_DICTIONARY, _RLE_DICTIONARY) or header[3] < 0:
                return None
            at += header[3]
    except BAD:
        return None
    return count


def _size_of_frame(raw: bytes, at: int) -> int:
    """How much the frame of zstd that begins here holds; -1 if it does not say."""
    told = raw[at + 4]
    alone, wide = told >> 5 & 1, told >> 6
    if raw[at : at + 4] != b"\x28\xb5\x2f\xfd" or told & 3 or not (alone or wide):
        return -1
    start = at + 5 + (not alone)
    size = int.from_bytes(raw[start : start + (1 << wide)], "little")
    return size + 256 if wide == 1 else size


def struct_at(raw: bytes, at: int, inner: bool = False) -> tuple[dict[int, Any], int]:
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
            found[field], at = struct_at(raw, at, inner=True)
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
