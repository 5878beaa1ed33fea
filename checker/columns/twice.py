"""Rounds that stand twice, a piece of a log at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from checker.columns.compiled import brief, byte
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


@dataclass(slots=True)
class Series:
    """The rounds of a piece that are numbered alike."""

    rows: Any
    member: Any  # of which of them each round is; -1: of none
    beyond: int  # rounds that are of none, since there are too many

    @classmethod
    def of(cls, found: Scan) -> Series:
        series = np.zeros((_MOST, _WIDTH), np.int64)
        member = np.empty(len(found.rounds), np.int32)
        count, beyond = _series(found.data.ctypes.data, found.spans, series, member)
        return cls(series[:count], member, beyond)


def repeated(found: Scan, series: Series, heads: Heads, seen: SeenRounds) -> list[int]:
    """Remember all scanned rounds of a piece; the rows of those that were there before."""
    single = []
    for number, (row, first, last, digits, follows) in enumerate(series.rows.tolist()):
        rulebook, table, round_id = identity(found, heads, row)
        key = (rulebook or "", table, round_id[: len(round_id) - digits], digits)
        if not follows or not seen.add_following(key, first, last):
            single.append(number)
    if not single and not series.beyond:
        return []
    alone = np.isin(series.member, [-1, *single]) & (found.spans[:, SCANNED] == 1)
    rows = np.flatnonzero(alone).tolist()
    return [row for row in rows if not seen.add(*identity(found, heads, row))]


@brief
def _series(data: int, spans: Any, series: Any, member: Any) -> tuple[int, int]:
    """Which rounds are numbered alike: rulebook, table and what stands before the number."""
    slots = np.full(_SLOTS, -1, np.int32)
    count, beyond = 0, 0
    for row in range(len(spans)):
        member[row] = -1
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
                beyond += 1
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
    return count, beyond
