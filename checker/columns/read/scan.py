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

from checker.columns import batch as to
from checker.columns.machine import buffers as memory
from checker.columns.machine.compile import byte, compiled, numbers_at, small_numbers_at
from checker.columns.machine.fast_names import name_hash
from checker.columns.machine.names import text_hash
from checker.columns.read.json_bytes import (
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
    same,
    token,
    value,
)
from checker.columns.read.scan_event import event_row
from checker.columns.read.scan_usual import usual_row
from checker.log.model import MOST_EVENTS

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
_LINE_BYTES: Final = 256  # most lines are longer
_USUAL_EVENT_BYTES: Final = 40  # on average most logs have more
_EVENT_BYTES: Final = 13  # the shortest event and its comma: {"e":"burn"},
_NO_ROOM: Final = -2
_EVENT_COUNT, _PLAYER_COUNT, _HEAD_COUNT = range(3)  # so far
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


def scan(data: Any, length: int) -> Scan:
    """Read lines: the first `length` bytes of `data`, which has PADDING more."""
    assert len(data) >= length + PADDING
    lines = -1
    for usual in (True, False):
        rows = length // _LINE_BYTES + 16
        most = length // (_USUAL_EVENT_BYTES if usual else _EVENT_BYTES) + 16
        if not usual:
            rows = int(np.count_nonzero(data[:length] == NEWLINE)) + 1
        rounds, spans, events, amounts, words, players = memory.rows(
            ((rows, to.ROUND_WIDTH), np.int64),
            ((rows, SPAN_WIDTH), np.int64),
            ((most, to.EVENT_WIDTH), np.int32),
            ((most,), np.int64),
            ((most, 2), np.int32),
            ((most + rows, to.PLAYER_WIDTH), np.int64),
        )
        heads = np.zeros((HEADS_MAX, 2), np.int64)
        counts = np.zeros(3, np.int64)
        lines = _scan(
            data.ctypes.data,
            length,
            rounds,
            spans,
            events,
            amounts,
            words,
            players,
            heads,
            np.empty(_SLOTS, np.int32),
            np.empty(_LAST, np.int32),
            counts,
            known_bets(),
        )
        if lines >= 0:
            break
    assert lines >= 0
    used, people, kinds = counts.tolist()
    return Scan(
        data,
        rounds[:lines],
        spans[:lines],
        events[:used],
        amounts[:used],
        words[:used],
        players[:people],
        [data[start : start + size].tobytes() for start, size in heads[:kinds]],
    )


def known_bets() -> Any:
    """How many bets have a number, and the hashes of their names in that order."""
    bets = [text_hash(bet.encode()) for bet in [*to.BETS]]
    return np.array([len(bets), *bets], np.int64)


@compiled
def _scan(
    data: int,
    length: int,
    rounds_array: Any,
    spans_array: Any,
    events_array: Any,
    amounts_array: Any,
    words_array: Any,
    players_array: Any,
    heads_array: Any,
    slots_array: Any,
    last_array: Any,
    counts_array: Any,
    bets_array: Any,
) -> int:
    """How many lines there are; -1 if there is no room for them."""
    rounds, spans = numbers_at(rounds_array), numbers_at(spans_array)
    events, amounts = small_numbers_at(events_array), numbers_at(amounts_array)
    words, players = small_numbers_at(words_array), numbers_at(players_array)
    heads, counts = numbers_at(heads_array), numbers_at(counts_array)
    slots, last = small_numbers_at(slots_array), small_numbers_at(last_array)
    for place in range(_SLOTS):
        slots[place] = -1
    for place in range(_LAST):
        last[place] = -1
    line = 0
    at = 0
    while at < length:
        if line == len(rounds_array):
            return -1
        start = at
        row, span = line * to.ROUND_WIDTH, line * SPAN_WIDTH
        for place in range(to.ROUND_WIDTH):
            rounds[row + place] = 0
        for place in range(SPAN_WIDTH):
            spans[span + place] = 0
        at = _line(
            data,
            at,
            rounds,
            row,
            spans,
            span,
            events,
            amounts,
            words,
            players,
            heads,
            slots,
            last,
            counts,
            len(events_array),
            numbers_at(bets_array),
        )
        if at == _NO_ROOM:
            return -1
        good = at >= 0
        if good and at < length and byte(data, at) == RETURN:
            at += 1
        good = good and (at == length or (at < length and byte(data, at) == NEWLINE))
        if good and at - start <= LINE_MAX:
            spans[span + SCANNED] = 1
            counts[_EVENT_COUNT] += rounds[row + to.EVENTS]
            counts[_PLAYER_COUNT] += rounds[row + to.PLAYERS]
        else:
            at = start
            while at < length and byte(data, at) != NEWLINE:
                at += 1
            rounds[row + to.STATUS] = to.SKIP
        rounds[row + to.START] = start
        rounds[row + to.LENGTH] = at - start
        line += 1
        at += 1
    return line


@compiled
def _line(
    data: int,
    at: int,
    rounds: Any,
    row: int,
    spans: Any,
    span: int,
    events: Any,
    amounts: Any,
    words: Any,
    players: Any,
    heads: Any,
    slots: Any,
    last: Any,
    counts: Any,
    most: int,
    bets: Any,
) -> int:
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
    spans[span + ID_START] = at + 1
    spans[span + ID_LENGTH] = end - at - 1
    at = member(data, end + 1, _TABLE)
    if at < 0:
        return -1
    end = name(data, at)
    if end < 0:
        return -1
    spans[span + TABLE_START] = at + 1
    spans[span + TABLE_LENGTH] = end - at - 1
    table = name_hash(data, at + 1, end - at - 1)
    rounds[row + to.TABLE] = table
    behind = member(data, end + 1, _SHOE)
    if behind >= 0:
        shoe_end = name(data, behind)
        if shoe_end < 0:
            return -1
        rounds[row + to.SHOE] = name_hash(data, behind + 1, shoe_end - behind - 1)
        spans[span + SHOE_START] = behind + 1
        spans[span + SHOE_LENGTH] = shoe_end - behind - 1
        end = shoe_end
    at = member(data, end + 1, _AT)
    if at < 0:
        return -1
    spans[span + AT_START] = at + 1
    at, spans[span + CLOCK], spans[span + AHEAD] = moment(data, at)
    if at < 0:
        return -1
    spans[span + AT_LENGTH] = at - 1 - spans[span + AT_START]
    rounds[row + to.DAY] = day_of(spans[span + CLOCK])
    at, spans[span + HEAD] = _head(data, at, table, heads, slots, last, counts)
    if at < 0:
        return -1
    return _events(data, at, rounds, row, events, amounts, words, players, counts, most, bets)


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
    if found >= 0 and same(data, at, heads[2 * found], heads[2 * found + 1]):
        return at + heads[2 * found + 1], found
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
        if heads[2 * found + 1] == size and same(data, start, heads[2 * found], size):
            last[place] = found
            return at, found
        slot = (slot + 1) & (_SLOTS - 1)
    found = counts[_HEAD_COUNT]
    if found >= HEADS_MAX:
        return -1, 0
    counts[_HEAD_COUNT] += 1
    heads[2 * found] = start
    heads[2 * found + 1] = size
    slots[slot] = found
    last[place] = found
    return at, found


@compiled
def _events(
    data: int,
    at: int,
    rounds: Any,
    row: int,
    events: Any,
    amounts: Any,
    words: Any,
    players: Any,
    counts: Any,
    most: int,
    bets: Any,
) -> int:
    """The list of events and the brace behind it."""
    if byte(data, at) == SPACE:
        at += 1
    if byte(data, at) != LIST:
        return -1
    at += 1
    event, first, known, last = counts[_EVENT_COUNT], counts[_PLAYER_COUNT], 0, -1
    if byte(data, at) != LIST_END:
        while True:
            if event >= most:
                return _NO_ROOM
            behind, who = usual_row(
                data, at, events, amounts, words, event, players, first, known, last, bets
            )
            if behind >= 0:
                at, known = behind, max(known, who + 1)
                last = who if who >= 0 else last
            else:
                at, known = event_row(
                    data, at, events, amounts, words, event, players, first, known, bets
                )
                if at < 0:
                    return -1
            event += 1
            if event - counts[_EVENT_COUNT] > MOST_EVENTS:
                return -1
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
    rounds[row + to.FIRST_EVENT] = counts[_EVENT_COUNT]
    rounds[row + to.EVENTS] = event - counts[_EVENT_COUNT]
    rounds[row + to.FIRST_PLAYER] = first
    rounds[row + to.PLAYERS] = known
    return at + 1
