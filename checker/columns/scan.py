"""Lines of a log, bytes -> columns, without a Python object for any of them.

Only the plain form of a line is read here: the keys in the order of the documentation, no escapes,
ASCII, money with at most two decimals. A line that holds any other byte is left to the strict
decoder. What stands between the time and the events (rulebook, decks, options, limits) is the same
bytes for thousands of rounds: it is only told apart here, and decoded once by the strict decoder.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from checker.columns import layout as to
from checker.columns.compiled import byte, compiled
from checker.columns.pieces import (
    BACKSLASH,
    CLOSE,
    COMMA,
    LIST,
    LIST_END,
    NEWLINE,
    ONE,
    OPEN,
    PADDING,
    QUOTE,
    RETURN,
    SPACE,
    literal,
    member,
    moment,
    name,
    name_hash,
    same,
    token,
    value,
)
from checker.columns.scan_event import event_row

# --- spans[N, SPAN_WIDTH], int64: what only the reading of a log needs of a line

SCANNED: Final = 0  # 1: the line is in the columns; 0: the strict decoder has to look at it
HEAD: Final = 1  # index into `heads`
ID_START: Final = 2
ID_LENGTH: Final = 3
TABLE_START: Final = 4
TABLE_LENGTH: Final = 5
CLOCK: Final = 6  # microseconds since 1970 on the casino's own clock
AHEAD: Final = 7  # minutes that this clock is ahead of universal time
SHOE_START: Final = 8
SHOE_LENGTH: Final = 9  # 0 when none is named
AT_START: Final = 10
AT_LENGTH: Final = 11
RULEBOOK: Final = 12  # which of the rulebooks that the log names; `heads` fills it in
SPAN_WIDTH: Final = 13

LINE_MAX: Final = 2**20
"""A longer line is for the strict decoder."""
HEAD_MAX: Final = 4096
HEADS_MAX: Final = 512
"""How many different heads one chunk may have; the lines beyond are for the strict decoder."""

_SLOTS: Final = 4096  # a power of two well above HEADS_MAX
_LAST: Final = 256
_EVENT_BYTES: Final = 13  # the shortest event and its comma: {"e":"burn"},
_EPOCH: Final = 719163  # the ordinal of 1970-01-01
_DAY: Final = 86_400_000_000

_FORMAT: Final = token(b'{"format":')
_ROUND: Final = token(b'"round":')
_TABLE: Final = token(b'"table":')
_SHOE: Final = token(b'"shoe":')
_AT: Final = token(b'"at":')
_EVENTS: Final = token(b'"events":')


@dataclass(slots=True)
class Scan:
    """One chunk of whole lines. A line that could not be read here has only its place."""

    data: Any
    rounds: Any
    spans: Any
    events: Any
    amounts: Any
    words: Any  # where the player card of a wager or the `what` of an event stands; length -1: none
    players: Any
    heads: list[bytes]


def scan(data: Any, length: int, count: int) -> Scan:
    """Read `count` lines at most: the first `length` bytes of `data`, which has PADDING more."""
    assert len(data) >= length + PADDING
    rows = count
    rounds = np.zeros((rows, to.ROUND_WIDTH), np.int64)
    spans = np.zeros((rows, SPAN_WIDTH), np.int64)
    events = np.empty((length // _EVENT_BYTES + 1, to.EVENT_WIDTH), np.int32)
    amounts = np.empty(len(events), np.int64)
    words = np.empty((len(events), 2), np.int32)
    players = np.empty((len(events) + rows, to.PLAYER_WIDTH), np.int64)
    heads = np.zeros((HEADS_MAX, 2), np.int64)
    lines, used, people, kinds = _scan(
        data.ctypes.data, length, rounds, spans, events, amounts, words, players, heads
    )
    return Scan(
        data, rounds[:lines], spans[:lines], events[:used], amounts[:used], words[:used],
        players[:people],
        [data[start : start + size].tobytes() for start, size in heads[:kinds]],
    )  # fmt: skip


@compiled
def _scan(
    data: int, length: int, rounds: Any, spans: Any, events: Any, amounts: Any, words: Any,
    players: Any, heads: Any,
) -> tuple[int, int, int, int]:  # fmt: skip
    slots = np.full(_SLOTS, -1, np.int32)
    last = np.full(_LAST, -1, np.int32)
    counts = np.zeros(3, np.int64)  # events, players, heads so far
    row = 0
    at = 0
    while at < length:
        start = at
        at = _line(
            data, at, rounds, spans, row, events, amounts, words, players, heads, slots, last,
            counts,
        )  # fmt: skip
        good = at >= 0
        if good and at < length and byte(data, at) == RETURN:
            at += 1
        good = good and (at == length or (at < length and byte(data, at) == NEWLINE))
        if good and at - start <= LINE_MAX:
            spans[row, SCANNED] = 1
            counts[0] += rounds[row, to.EVENTS]
            counts[1] += rounds[row, to.PLAYERS]
        else:
            at = start
            while at < length and byte(data, at) != NEWLINE:
                at += 1
            rounds[row, to.STATUS] = to.SKIP
        rounds[row, to.START] = start
        rounds[row, to.LENGTH] = at - start
        row += 1
        at += 1
    return row, counts[0], counts[1], counts[2]


@compiled
def _line(
    data: int, at: int, rounds: Any, spans: Any, line: int, events: Any, amounts: Any, words: Any,
    players: Any, heads: Any, slots: Any, last: Any, counts: Any,
) -> int:  # fmt: skip
    """One line: the place behind its last brace, or -1."""
    behind = value(data, at, _FORMAT)
    if behind >= 0:
        if byte(data, behind) != ONE:
            return -1
        at = member(data, behind + 1, _ROUND)
    elif byte(data, at) == OPEN:
        at = value(data, at + 1, _ROUND)
    else:
        return -1
    if at < 0:
        return -1
    end = name(data, at)
    if end < 0:
        return -1
    spans[line, ID_START] = at + 1
    spans[line, ID_LENGTH] = end - at - 1
    at = member(data, end + 1, _TABLE)
    if at < 0:
        return -1
    end = name(data, at)
    if end < 0:
        return -1
    spans[line, TABLE_START] = at + 1
    spans[line, TABLE_LENGTH] = end - at - 1
    table = name_hash(data, at + 1, end - at - 1)
    rounds[line, to.TABLE] = table
    behind = member(data, end + 1, _SHOE)
    if behind >= 0:
        shoe_end = name(data, behind)
        if shoe_end < 0:
            return -1
        rounds[line, to.SHOE] = name_hash(data, behind + 1, shoe_end - behind - 1)
        spans[line, SHOE_START] = behind + 1
        spans[line, SHOE_LENGTH] = shoe_end - behind - 1
        end = shoe_end
    at = member(data, end + 1, _AT)
    if at < 0:
        return -1
    spans[line, AT_START] = at + 1
    at, spans[line, CLOCK], spans[line, AHEAD] = moment(data, at)
    if at < 0:
        return -1
    spans[line, AT_LENGTH] = at - 1 - spans[line, AT_START]
    rounds[line, to.DAY] = day_of(spans[line, CLOCK])
    at, spans[line, HEAD] = _head(data, at, table, heads, slots, last, counts)
    if at < 0:
        return -1
    return _events(data, at, rounds, line, events, amounts, words, players, counts)


@compiled
def day_of(clock: int) -> int:
    return clock // _DAY + _EPOCH


@compiled
def _head(
    data: int, at: int, table: int, heads: Any, slots: Any, last: Any, counts: Any
) -> tuple[int, int]:
    """From the time up to the list of events: the place behind it, and which head it is.

    Whether its bytes are good is for the strict decoder to say, once for each head."""
    place = table & (_LAST - 1)
    found = last[place]  # most likely that of the round before at this table
    if found >= 0 and same(data, at, heads[found, 0], heads[found, 1]):
        return at + heads[found, 1], found
    start = at
    while True:
        letter = byte(data, at)
        if letter == QUOTE:
            behind = literal(data, at, _EVENTS)
            if behind >= 0:
                at = behind
                break
        elif letter in (NEWLINE, BACKSLASH, 0):
            return -1, 0
        at += 1
        if at - start > HEAD_MAX:
            return -1, 0
    size = at - start
    slot = name_hash(data, start, size) & (_SLOTS - 1)
    while slots[slot] >= 0:
        found = slots[slot]
        if heads[found, 1] == size and same(data, start, heads[found, 0], size):
            last[place] = found
            return at, found
        slot = (slot + 1) & (_SLOTS - 1)
    found = counts[2]
    if found >= HEADS_MAX:
        return -1, 0
    counts[2] += 1
    heads[found, 0] = start
    heads[found, 1] = size
    slots[slot] = found
    last[place] = found
    return at, found


@compiled
def _events(
    data: int, at: int, rounds: Any, line: int, events: Any, amounts: Any, words: Any,
    players: Any, counts: Any,
) -> int:
    """The list of events and the brace behind it."""
    if byte(data, at) == SPACE:
        at += 1
    if byte(data, at) != LIST:
        return -1
    at += 1
    row, first, known = counts[0], counts[1], 0
    if byte(data, at) != LIST_END:
        while True:
            if row >= events.shape[0]:
                return -1
            at, known = event_row(
                data, at, events, amounts, words, row, players, first, known
            )
            if at < 0:
                return -1
            row += 1
            if byte(data, at) == LIST_END:
                break
            if byte(data, at) != COMMA:
                return -1
            at += 1
            if byte(data, at) == SPACE:
                at += 1
    at += 1
    if byte(data, at) != CLOSE:
        return -1
    rounds[line, to.FIRST_EVENT] = counts[0]
    rounds[line, to.EVENTS] = row - counts[0]
    rounds[line, to.FIRST_PLAYER] = first
    rounds[line, to.PLAYERS] = known
    return at + 1
