"""The row groups in the footer of a Parquet file, held against its schema: machine code.

A long file has thousands of columns. Each function takes a place and returns the one behind what
stands there, or -1 where that is damaged or does not fit.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from checker.columns.machine.compile import compiled, inner

# kinds of fields, as Thrift numbers them in its compact form
_FALSE, _BYTE, _NUMBER16, _NUMBER, _NUMBER64, _DOUBLE, _TEXT, LIST, _SET = range(2, 11)
_RECORD: Final = 12
# fields of a row group, of a column, of what it tells, and of its sizes
_COLUMNS: Final = 1
_TOLD: Final = 3
_TYPE, _CODEC, _LIMITS, _SIZES = 1, 4, 12, 16
_CODECS: Final = 8  # that there are
_WIDTHS: Final = (1, 4, 8, 12, 4, 8)  # bytes of a value of each kind that has a fixed width
_BOUNDS: Final = (1, 2, 5, 6)  # among what is told of the values: the lowest and the highest
_LAST_FIELD: Final = 2**15 - 1
_REPEATED_SIZES, _DEFINED_SIZES = 2, 3
_DEEPEST: Final = 64


@compiled
def groups_end(raw: Any, at: int, leaves: Any) -> int:
    """`leaves[C, 3]`: the kind of each column, how often it may be repeated and how many of its
    parts may be absent."""
    stack = np.zeros(_DEEPEST, np.int64)
    count, kind, at = _list(raw, at)
    if at < 0 or (count and kind != _RECORD):
        return -1
    for _ in range(count):
        at = _group_end(raw, at, stack, leaves)
        if at < 0:
            return -1
    return at


@inner
def _group_end(raw: Any, at: int, stack: Any, leaves: Any) -> int:
    field = 0
    seen = False
    while True:
        field, kind, at = _field(raw, at, field)
        if at < 0 or kind == 0:
            return at if seen else -1
        if field != _COLUMNS:
            at = _value_end(raw, at, kind, stack)
            continue
        if kind != LIST:
            return -1
        count, kind, at = _list(raw, at)
        if at < 0 or kind != _RECORD or count != len(leaves):
            return -1
        for column in range(count):
            at = _column_end(raw, at, stack, leaves[column])
            if at < 0:
                return -1
        seen = True


@inner
def _column_end(raw: Any, at: int, stack: Any, leaf: Any) -> int:
    field = 0
    seen = False
    while True:
        field, kind, at = _field(raw, at, field)
        if at < 0 or kind == 0:
            return at if seen else -1
        if field != _TOLD:
            at = _value_end(raw, at, kind, stack)
            continue
        at = _told_end(raw, at, stack, leaf) if kind == _RECORD else -1
        seen = True


@inner
def _told_end(raw: Any, at: int, stack: Any, leaf: Any) -> int:
    field = 0
    seen = False
    while True:
        field, kind, at = _field(raw, at, field)
        if at < 0 or kind == 0:
            return at if seen else -1
        if field == _TYPE:
            number, at = _unsigned(raw, at)
            if kind != _NUMBER or (number >> 1) ^ -(number & 1) != leaf[0]:
                return -1
            seen = True
        elif field == _CODEC:
            number, at = _unsigned(raw, at)
            if kind != _NUMBER or number & 1 or not 0 <= number >> 1 < _CODECS:
                return -1
        elif field == _LIMITS:
            at = _limits_end(raw, at, stack, leaf) if kind == _RECORD else -1
        elif field == _SIZES:
            at = _sizes_end(raw, at, stack, leaf) if kind == _RECORD else -1
        else:
            at = _value_end(raw, at, kind, stack)


@inner
def _limits_end(raw: Any, at: int, stack: Any, leaf: Any) -> int:
    """The lowest and the highest value have to be as wide as such values are."""
    field = 0
    while True:
        field, kind, at = _field(raw, at, field)
        if at < 0 or kind == 0:
            return at
        if field in _BOUNDS:
            if kind != _TEXT:
                return -1
            size, behind = _unsigned(raw, at)
            if behind < 0 or (leaf[0] < len(_WIDTHS) and size != _WIDTHS[leaf[0]]):
                return -1
        at = _value_end(raw, at, kind, stack)


@inner
def _sizes_end(raw: Any, at: int, stack: Any, leaf: Any) -> int:
    field = 0
    while True:
        field, kind, at = _field(raw, at, field)
        if at < 0 or kind == 0:
            return at
        if field in (_REPEATED_SIZES, _DEFINED_SIZES):
            levels = leaf[1] if field == _REPEATED_SIZES else leaf[2]
            if kind != LIST:
                return -1
            count, _, behind = _list(raw, at)
            if behind < 0 or (count and count != levels + 1):
                return -1
        at = _value_end(raw, at, kind, stack)


@inner
def _value_end(raw: Any, at: int, kind: int, stack: Any) -> int:
    """`stack`: of each list around what is looked at how many are left and their kind; -1 for a
    record."""
    depth = 0
    while True:
        if at < 0:
            return -1
        if kind in (_BYTE, _DOUBLE):
            at += 1 if kind == _BYTE else 8
        elif kind in (_NUMBER16, _NUMBER, _NUMBER64):
            at = _unsigned(raw, at)[1]
        elif kind == _TEXT:
            size, at = _unsigned(raw, at)
            at = at + size if 0 <= size <= len(raw) - at else -1
        elif kind in (LIST, _SET, _RECORD):
            if depth == len(stack):
                return -1
            left = -1
            if kind != _RECORD:
                count, each, at = _list(raw, at)
                left = count << 4 | each
            stack[depth] = left
            depth += 1
        elif kind > _FALSE:
            return -1
        while depth > 0 and at >= 0:
            left = stack[depth - 1]
            if left == -1:
                _, kind, at = _field(raw, at, 0)
                if kind != 0:
                    break
            elif left >> 4:
                stack[depth - 1] = left - 16
                kind = max(left & 15, _BYTE)  # in a list, what is true or false is a byte
                break
            depth -= 1
        if depth == 0 or at < 0:
            return at


@inner
def _field(raw: Any, at: int, before: int) -> tuple[int, int, int]:
    """The number of a field and its kind, and where its value begins; kind 0 ends a record."""
    if at < 0 or at >= len(raw):
        return 0, 0, -1
    head = np.int64(raw[at])
    if head & 15 == 0:  # with a number it would end the record for some readers only
        return 0, 0, at + 1 if head == 0 else -1
    if head >> 4:
        field, at = before + (head >> 4), at + 1
    else:
        number, at = _unsigned(raw, at + 1)
        field = (number >> 1) ^ -(number & 1)
    if field < 1 or field > _LAST_FIELD:  # others would count it as another one
        return 0, 0, -1
    return field, head & 15, at


@inner
def _list(raw: Any, at: int) -> tuple[int, int, int]:
    """How many there are, of which kind, and where the first begins."""
    if at < 0 or at >= len(raw):
        return 0, 0, -1
    size, kind = np.int64(raw[at]) >> 4, np.int64(raw[at]) & 15
    at += 1
    if size == 15:
        size, at = _unsigned(raw, at)
    if size < 0 or size > len(raw) or kind == 0:
        return 0, 0, -1
    return size, kind, at


@inner
def _unsigned(raw: Any, at: int) -> tuple[int, int]:
    number = shift = 0
    while 0 <= at < len(raw) and shift <= 63:
        one = np.int64(raw[at])
        number |= (one & 127) << shift
        shift += 7
        at += 1
        if one < 128:
            return number, at
    return 0, -1
