"""Whether the footer of a Parquet file agrees with itself.

Arrow ends the whole process when it is asked about a column whose kind or levels are not those of
the schema. So these are looked at before. The form is that of `parquet.thrift`, compact.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO, Final, TypeAlias

import numpy as np

from checker.columns.parquet.chunk import number_at, unsigned_at
from checker.columns.parquet.footer_groups import LIST, groups_end

_LAST_FIELD: Final = 2**15 - 1
_MAGIC: Final = b"PAR1"
# fields of the file and of an element of the schema
_SCHEMA, _GROUPS = 2, 4
_TYPE, _REPETITION, _CHILDREN = 1, 3, 5
_OPTIONAL, _REPEATED = 1, 2

Leaf: TypeAlias = tuple[int, int, int]
"""The kind of a column, how often it may be repeated and how many of its parts may be absent."""


def is_sound(file: BinaryIO) -> bool:
    """Whether every column of every row group is as the schema says."""
    try:
        raw = _footer(file)
        return _fits(raw, np.frombuffer(raw, np.uint8))
    except (IndexError, KeyError, TypeError, ValueError, AttributeError, OverflowError,
            RecursionError, StopIteration):  # fmt: skip
        return False


def _fits(raw: bytes, data: Any) -> bool:
    leaves: Any = None
    seen: set[int] = set()
    at = field = 0
    while raw[at]:
        field, kind, at = _field(raw, at, field)
        if field in seen:
            return False  # it is another one that counts
        seen.add(field)
        if field == _GROUPS:
            at = groups_end(data, at, leaves) if leaves is not None and kind == LIST else -1
            if at < 0:
                return False
        elif kind > 2:
            value, at = _value(raw, at, kind)
            if field == _SCHEMA:
                found = _leaves(iter(value), (0, 0), top=True)
                leaves = np.array(found, np.int64).reshape(-1, 3)
    return leaves is not None


def _leaves(schema: Iterator[dict[int, Any]], levels: tuple[int, int], top: bool) -> list[Leaf]:
    """The columns of the next element of the schema, which comes before its parts."""
    one = next(schema)
    if not top:
        how = one[_REPETITION]
        if how is None:
            raise ValueError("not said")
        levels = levels[0] + (how == _REPEATED), levels[1] + (how in (_OPTIONAL, _REPEATED))
    if not one.get(_CHILDREN):
        return [(one[_TYPE], *levels)]
    return [leaf for _ in range(one[_CHILDREN]) for leaf in _leaves(schema, levels, top=False)]


def _footer(file: BinaryIO) -> bytes:
    file.seek(-8, 2)
    last = file.read(8)
    size = int.from_bytes(last[:4], "little")
    if last[4:] != _MAGIC:
        raise ValueError("no Parquet")
    file.seek(-8 - size, 2)
    return file.read(size)


def _record(raw: bytes, at: int) -> tuple[dict[int, Any], int]:
    found: dict[int, Any] = {}
    field = 0
    while raw[at]:
        field, kind, at = _field(raw, at, field)
        if kind > 2:
            found[field], at = _value(raw, at, kind)
    return found, at + 1


def _field(raw: bytes, at: int, before: int) -> tuple[int, int, int]:
    """The number of a field and its kind, and where its value begins."""
    head = raw[at]
    if not head & 15:
        raise ValueError("a field of no kind")
    if head >> 4:
        field, at = before + (head >> 4), at + 1
    else:
        field, at = number_at(raw, at + 1)
    if not 1 <= field <= _LAST_FIELD:
        raise ValueError("a field that others would count as another one")
    return field, head & 15, at


def _value(raw: bytes, at: int, kind: int) -> tuple[Any, int]:
    """What stands there; None where nothing of that kind is looked at, nor by Arrow."""
    match kind:
        case 5:
            return number_at(raw, at)
        case 4 | 6:
            return None, unsigned_at(raw, at)[1]
        case 8:
            size, at = unsigned_at(raw, at)
            return None, at + size
        case 9 | 10:
            return _list(raw, at)
        case 12:
            return _record(raw, at)
        case 1 | 2 | 3:
            return None, at + 1
        case 7:
            return None, at + 8
        case _:
            raise ValueError("another kind of field")


def _list(raw: bytes, at: int) -> tuple[list[Any], int]:
    size, kind = raw[at] >> 4, raw[at] & 15
    at += 1
    if size == 15:
        size, at = unsigned_at(raw, at)
    if size > len(raw):
        raise ValueError("a list that is too long")
    found = []
    for _ in range(size):
        one, at = _value(raw, at, kind)
        found.append(one)
    return found, at
