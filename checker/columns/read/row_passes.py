"""Short passes over the rows of a batch.

Where numpy works on more than a few hundred rows it lets other threads run, and Python then makes
the one that let go wait for its turn: longer than all of these take.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from checker.columns import batch as c
from checker.columns.machine.compile import brief
from checker.columns.read.scan import SCANNED


@brief
def number_lines(rounds: Any, spans: Any, first: int, scanned: Any) -> int:
    """Number the lines, mark those that were scanned, and count the others."""
    others = 0
    for row in range(len(rounds)):
        rounds[row, c.LINE] = first + row
        scanned[row] = spans[row, SCANNED] == 1
        others += spans[row, SCANNED] != 1
    return others


@brief
def set_strange_aside(rounds: Any, spans: Any, events: Any, bets: Any) -> None:
    """Rounds that hold a bet that is not in the game of their rulebook are for the strict decoder,
    as are lines that were not scanned. `bets`: by rulebook the bits of those that are; last those
    of rounds that name no rulebook that is at hand."""
    for row in range(len(rounds)):
        if not spans[row, SCANNED]:
            continue
        known = bets[rounds[row, c.BOOK]]
        first = rounds[row, c.FIRST_EVENT]
        for event in range(first, first + rounds[row, c.EVENTS]):
            kind = events[event, c.KIND]
            if (kind == c.WAGER or kind == c.SETTLE) and not known >> events[event, c.WHAT] & 1:
                spans[row, SCANNED] = 0
                rounds[row, c.STATUS] = c.SKIP
                break


@brief
def mark_asked(rounds: Any, wanted: Any, asked: Any) -> bool:
    """Mark the rounds that are to be judged. Whether all are."""
    every = True
    for row in range(len(rounds)):
        asked[row] = wanted[row] and rounds[row, c.STATUS] != c.SKIP
        every = every and asked[row]
    return every


@brief
def mark_flagged(asked: Any, reasons: Any, flagged: Any) -> None:
    for row in range(len(asked)):
        flagged[row] = asked[row] and reasons[row] != 0


def marked(marks: Any) -> list[int]:
    """The rows that have a mark."""
    rows = np.empty(len(marks), np.int64)
    found: list[int] = rows[: _marked(marks, rows)].tolist()
    return found


@brief
def _marked(marks: Any, rows: Any) -> int:
    count = 0
    for row in range(len(marks)):
        if marks[row]:
            rows[count] = row
            count += 1
    return count


@brief
def count_passed(rounds: Any, asked: Any, flagged: Any, wagers: Any, books: Any) -> tuple[int, int]:
    """The rounds that were passed and their wagers; `books` counts the rounds of each rulebook,
    those of none first."""
    passed, settled = 0, 0
    for row in range(len(rounds)):
        if asked[row] and not flagged[row]:
            passed += 1
            settled += wagers[row]
            books[rounds[row, c.BOOK] + 1] += 1
    return passed, settled


@brief
def same_day(rounds: Any, starts: Any) -> int:
    """Where rounds begin that have another rulebook or another day than the one before."""
    count = 0
    for row in range(len(rounds)):
        if (
            row == 0
            or rounds[row, c.DAY] != rounds[row - 1, c.DAY]
            or rounds[row, c.BOOK] != rounds[row - 1, c.BOOK]
        ):
            starts[count] = row
            count += 1
    return count


@brief
def spread(starts: Any, values: Any, rows: Any) -> None:
    """To each row the value of the last start before it."""
    for k in range(len(starts)):
        for row in range(starts[k], starts[k + 1] if k + 1 < len(starts) else len(rows)):
            rows[row] = values[k]
