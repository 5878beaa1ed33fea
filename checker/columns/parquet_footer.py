"""Whether the footer of a Parquet file agrees with itself.

Arrow ends the whole process when it is asked about a column whose kind or levels are not those of
the schema. So these are looked at before. The form is that of `parquet.thrift`, compact.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO, Final, TypeAlias

from checker.columns.parquet_chunk import number_at, unsigned_at

_MAGIC: Final = b"PAR1"
# fields of the file, of an element of the schema, of a row group, of a column and what it tells
_SCHEMA, _GROUPS = 2, 4
_TYPE, _REPETITION, _CHILDREN = 1, 3, 5
_COLUMNS: Final = 1
_TOLD: Final = 3
_TYPE_OF_COLUMN, _SIZES = 1, 16
_REPEATED_SIZES, _DEFINED_SIZES = 2, 3
_OPTIONAL, _REPEATED = 1, 2

Leaf: TypeAlias = tuple[int, int, int]
"""The kind of a column, how often it may be repeated and how many of its parts may be absent."""


def is_sound(file: BinaryIO) -> bool:
    """Whether every column of every row group is as the schema says."""
    try:
        footer, _ = _record(_footer(file), 0)
        leaves = _leaves(iter(footer[_SCHEMA]), (0, 0), top=True)
        return all(_fits(group[_COLUMNS], leaves) for group in footer.get(_GROUPS, ()))
    except (IndexError, KeyError, TypeError, ValueError, AttributeError, RecursionError,
            StopIteration):  # fmt: skip
        return False


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


def _fits(columns: list[dict[int, Any]], leaves: list[Leaf]) -> bool:
    for column, (kind, repeated, defined) in zip(columns, leaves, strict=True):
        told = column[_TOLD]
        sizes = told.get(_SIZES, {})
        for field, levels in ((_REPEATED_SIZES, repeated), (_DEFINED_SIZES, defined)):
            if sizes.get(field) and len(sizes[field]) != levels + 1:
                return False
        if told[_TYPE_OF_COLUMN] != kind:
            return False
    return True


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
    while head := raw[at]:
        at += 1
        if head >> 4:
            field += head >> 4
        else:
            field, at = number_at(raw, at)
        kind = head & 15
        if kind > 2:
            found[field], at = _value(raw, at, kind)
    return found, at + 1


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
