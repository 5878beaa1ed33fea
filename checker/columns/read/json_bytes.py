"""Pieces of a line of JSON, in the plain form that ordinary writers use and no other.

Every function takes the address of the bytes and a place in them, and returns the place behind the
piece, or -1 where something else stands: the strict decoder then looks at the line. The bytes must
go on for PADDING bytes after the last place that is asked about.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from checker.columns.machine.compile import byte, inlined, load64, trailing_zeros
from checker.log.model import RANKS, SUITS

PADDING: Final = 128
NAME_MAX: Final = 64
"""The longest name in bytes that is read here."""

Token: TypeAlias = tuple[int, int, int, int, int]

NEWLINE, RETURN, SPACE, QUOTE, PLUS, COMMA, MINUS, POINT = b'\n\r "+,-.'
ZERO, ONE, NINE, COLON = b"019:"
T, Z, LIST, BACKSLASH, LIST_END, OPEN, CLOSE = b"TZ[\\]{}"


_ONES: Final = np.uint64(0x0101010101010101)
_HIGHEST: Final = np.uint64(0x8080808080808080)
_QUOTES: Final = np.uint64(QUOTE) * _ONES
_SPACES: Final = np.uint64(SPACE) * _ONES
_BACKSLASHES: Final = np.uint64(BACKSLASH) * _ONES


def token(text: bytes) -> Token:
    """Up to sixteen bytes as two numbers, each with the mask of the bytes that count."""
    assert 0 < len(text) <= 16
    words = []
    for part in (text[:8], text[8:]):
        mask = int.from_bytes(b"\xff" * len(part), "little")
        words += [np.uint64(mask), np.uint64(int.from_bytes(part, "little"))]
    return (*words, len(text))


@inlined
def literal(data: int, at: int, wanted: Token) -> int:
    if load64(data, at) & wanted[0] != wanted[1]:
        return -1
    if wanted[4] > 8 and load64(data, at + 8) & wanted[2] != wanted[3]:
        return -1
    return at + wanted[4]


@inlined
def value(data: int, at: int, key: Token) -> int:
    """Behind `"key":` and one space, if there is one."""
    at = literal(data, at, key)
    if at >= 0 and byte(data, at) == SPACE:
        at += 1
    return at


@inlined
def member(data: int, at: int, key: Token) -> int:
    """Behind `,"key":`, spaced or not."""
    if byte(data, at) != COMMA:
        return -1
    at += 1
    if byte(data, at) == SPACE:
        at += 1
    return value(data, at, key)


@inlined
def name(data: int, at: int) -> int:
    """The closing quote of a text in ASCII without escapes, not empty, that opens at `at`."""
    return quoted_end(data, at + 1) if byte(data, at) == QUOTE else -1


@inlined
def quoted_end(data: int, first: int) -> int:
    """The same for a text of which the opening quote stands before `first`."""
    at = first
    while at - first <= NAME_MAX:
        word = load64(data, at)
        # the lowest byte that is marked in each of these is marked rightly
        quotes = word ^ _QUOTES
        found = (quotes - _ONES) & ~quotes
        slashes = word ^ _BACKSLASHES
        found |= (slashes - _ONES) & ~slashes
        found |= (word - _SPACES) & ~word
        found |= word | (word + _ONES)  # above 126
        found &= _HIGHEST
        if found:
            at += trailing_zeros(found) >> 3
            good = byte(data, at) == QUOTE and 0 < at - first <= NAME_MAX
            return at if good else -1
        at += 8
    return -1


@inlined
def same(data: int, one: int, other: int, length: int) -> bool:
    """Whether two runs of bytes are equal."""
    at = 0
    while at + 8 <= length:
        if load64(data, one + at) != load64(data, other + at):
            return False
        at += 8
    while at < length:
        if byte(data, one + at) != byte(data, other + at):
            return False
        at += 1
    return True


@inlined
def money(data: int, at: int, most: int) -> tuple[int, int]:
    """A decimal number from 0 up with at most two decimals: the place behind it, and the cents."""
    first = at
    whole = 0
    while ZERO <= byte(data, at) <= NINE:
        whole = whole * 10 + (byte(data, at) - ZERO)
        at += 1
        if at - first > 14:
            return -1, 0
    if at == first or (byte(data, first) == ZERO and at - first > 1):
        return -1, 0
    cents = whole * 100
    if byte(data, at) == POINT:
        at += 1
        if not ZERO <= byte(data, at) <= NINE:
            return -1, 0
        cents += (byte(data, at) - ZERO) * 10
        at += 1
        if ZERO <= byte(data, at) <= NINE:
            cents += byte(data, at) - ZERO
            at += 1
    if (byte(data, at) != COMMA and byte(data, at) != CLOSE) or cents > most:
        return -1, 0
    return at, cents


@inlined
def small(data: int, at: int) -> tuple[int, int]:
    """A whole number from 0 to 99 without a leading zero, and the place behind it."""
    if not ZERO <= byte(data, at) <= NINE:
        return -1, 0
    number = byte(data, at) - ZERO
    at += 1
    if ZERO <= byte(data, at) <= NINE:
        if number == 0:
            return -1, 0
        number = number * 10 + (byte(data, at) - ZERO)
        at += 1
    if byte(data, at) != COMMA and byte(data, at) != CLOSE:
        return -1, 0
    return at, number


def _places(letters: str) -> Any:
    made = np.full(256, -1, dtype=np.int8)
    for number, letter in enumerate(letters):
        made[ord(letter)] = number
    return made


RANK_OF: Final = _places(RANKS)
SUIT_OF: Final = _places(SUITS)
_JOKER: Final = token(b'"JOKER"')
JOKER_CODE: Final = 52


@inlined
def card(data: int, at: int) -> tuple[int, int]:
    """A card in quotes: the place behind it, and rank × 4 + suit (52 is the joker)."""
    rank, suit = RANK_OF[byte(data, at + 1)], SUIT_OF[byte(data, at + 2)]
    if byte(data, at) == QUOTE and rank >= 0 and suit >= 0 and byte(data, at + 3) == QUOTE:
        return at + 4, rank * 4 + suit
    behind = literal(data, at, _JOKER)
    return behind, JOKER_CODE


@inlined
def digits(data: int, at: int, count: int) -> int:
    """Exactly `count` digits as a number; -1 if another byte is among them."""
    number = 0
    for place in range(at, at + count):
        if not ZERO <= byte(data, place) <= NINE:
            return -1
        number = number * 10 + (byte(data, place) - ZERO)
    return number


@inlined
def days(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01 of a day in the Gregorian calendar."""
    if month <= 2:
        year -= 1
    era = year // 400
    of_era = year - era * 400
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468


@inlined
def month_length(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


@inlined
def moment(data: int, at: int) -> tuple[int, int, int]:
    """A time in quotes such as "2024-08-20T21:14:03+10:00": the place behind it, the
    microseconds since 1970 on the casino's own clock, and the minutes that it is ahead."""
    if byte(data, at) != QUOTE or byte(data, at + 5) != MINUS or byte(data, at + 8) != MINUS:
        return -1, 0, 0
    if byte(data, at + 11) != T or byte(data, at + 14) != COLON or byte(data, at + 17) != COLON:
        return -1, 0, 0
    year, month, day = digits(data, at + 1, 4), digits(data, at + 6, 2), digits(data, at + 9, 2)
    hour, minute = digits(data, at + 12, 2), digits(data, at + 15, 2)
    second = digits(data, at + 18, 2)
    if not (1900 <= year <= 2999) or not (1 <= month <= 12) or day < 1:
        return -1, 0, 0
    if day > month_length(year, month) or not (0 <= hour <= 23):
        return -1, 0, 0
    if not (0 <= minute <= 59) or not (0 <= second <= 59):
        return -1, 0, 0
    at += 20
    micros = 0
    if byte(data, at) == POINT:
        at += 1
        first = at
        while ZERO <= byte(data, at) <= NINE:
            micros = micros * 10 + (byte(data, at) - ZERO)
            at += 1
            if at - first > 6:
                return -1, 0, 0
        if at == first:
            return -1, 0, 0
        for _ in range(6 - (at - first)):
            micros *= 10
    ahead = 0
    if byte(data, at) == Z:
        at += 1
    else:
        hours, minutes = digits(data, at + 1, 2), digits(data, at + 4, 2)
        if byte(data, at + 3) != COLON or not (0 <= hours <= 23) or not (0 <= minutes <= 59):
            return -1, 0, 0
        ahead = hours * 60 + minutes
        if byte(data, at) == MINUS:
            ahead = -ahead
        elif byte(data, at) != PLUS:
            return -1, 0, 0
        at += 6
    if byte(data, at) != QUOTE:
        return -1, 0, 0
    clock = ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
    return at + 1, clock * 1_000_000 + micros, ahead
