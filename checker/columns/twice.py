"""Rounds that stand twice, a piece of a log at a time."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from checker.columns.compiled import byte, compiled
from checker.columns.fast_hashing import name_hash
from checker.columns.heads import Heads
from checker.columns.pieces import NINE, ZERO, same
from checker.columns.scan import (
    ID_LENGTH,
    ID_START,
    RULEBOOK,
    SCANNED,
    TABLE_LENGTH,
    TABLE_START,
    Scan,
)
from checker.seen import SeenRounds

_MOST: Final = 256
_SLOTS: Final = 1024
_DIGITS: Final = 18
# series[S, …]: a row that has it, the first and the last number, the digits of the number, and
# whether each number is the one before plus one
_ROW, _FIRST, _LAST, _COUNTED, _FOLLOWS, _WIDTH = range(6)


def identity(found: Scan, heads: Heads, row: int) -> tuple[str | None, str, str]:
    """Rulebook, table and id of a scanned round."""
    span = found.spans[row]
    table, round_id = (
        found.data[start : start + size].tobytes().decode()
        for start, size in (span[TABLE_START : TABLE_LENGTH + 1], span[ID_START : ID_LENGTH + 1])
    )
    return heads.rulebooks[span[RULEBOOK]], table, round_id


def repeated(found: Scan, heads: Heads, seen: SeenRounds) -> list[int]:
    """Remember all scanned rounds of a piece; the rows of those that were there before."""
    series = np.zeros((_MOST, _WIDTH), np.int64)
    member = np.full(len(found.rounds), -1, np.int32)
    count = _series(found.data.ctypes.data, found.spans, series, member)
    single = member == -1  # beyond the series that are told apart
    for number, one in enumerate(series[:count]):
        rulebook, table, round_id = identity(found, heads, one[_ROW])
        before = round_id[: len(round_id) - one[_COUNTED]]
        key = (rulebook or "", table, before, int(one[_COUNTED]))
        if not one[_FOLLOWS] or not seen.add_following(key, int(one[_FIRST]), int(one[_LAST])):
            single |= member == number
    rows = np.flatnonzero(single & (found.spans[:, SCANNED] == 1))
    return [row for row in rows.tolist() if not seen.add(*identity(found, heads, row))]


@compiled
def _series(data: int, spans: Any, series: Any, member: Any) -> int:
    """Which rounds are numbered alike: rulebook, table and what stands before the number."""
    slots = np.full(_SLOTS, -1, np.int32)
    count = 0
    for row in range(len(spans)):
        if not spans[row, SCANNED]:
            continue
        start, size = spans[row, ID_START], spans[row, ID_LENGTH]
        at = start + size
        number, factor, digits = 0, 1, 0
        while digits < min(size, _DIGITS) and ZERO <= byte(data, at - 1) <= NINE:
            at -= 1
            digits += 1
            number += (byte(data, at) - ZERO) * factor
            factor *= 10
        table, table_size = spans[row, TABLE_START], spans[row, TABLE_LENGTH]
        slot = (
            name_hash(data, start, at - start) + 31 * name_hash(data, table, table_size) + digits
        ) & (_SLOTS - 1)
        while slots[slot] >= 0:
            other = series[slots[slot], _ROW]
            if (
                series[slots[slot], _COUNTED] == digits
                and spans[other, ID_LENGTH] == size
                and spans[other, TABLE_LENGTH] == table_size
                and spans[other, RULEBOOK] == spans[row, RULEBOOK]
                and same(data, start, spans[other, ID_START], at - start)
                and same(data, table, spans[other, TABLE_START], table_size)
            ):
                break
            slot = (slot + 1) & (_SLOTS - 1)
        found = slots[slot]
        if found < 0:
            if count == _MOST:
                continue
            found = slots[slot] = count
            count += 1
            series[found, _ROW] = row
            series[found, _FIRST] = number
            series[found, _COUNTED] = digits
            series[found, _FOLLOWS] = 1
        elif number != series[found, _LAST] + 1:
            series[found, _FOLLOWS] = 0
        series[found, _LAST] = number
        member[row] = found
    return count
