"""Looking up the answer to a question: facts -> classes -> key -> answer. No rule is known here."""

from __future__ import annotations

from typing import Final

import numpy as np

from checker.columns.answers import ANSWER_WIDTH, VALUE
from checker.columns.compiled import compiled, numbers_at
from checker.columns.desk import MISS, MOST_NOTED, NOTED, R_HITS, R_MISSED, R_PLACES
from checker.columns.features import FACT_COUNT, UNKNOWN
from checker.columns.program import ENTRY, RANGE, SEARCH
from checker.columns.units import unit

# a program in `code`: number, entries of the first and of the second word, terms before it
P_NUMBER, P_FIRST, P_SECOND, P_BEFORE = range(4)
P_TERMS: Final = 4  # pairs: where the program of the term stands, slot
# the entries follow the terms

# an answer in `known`: program + 1 (0: a free place), two words of key, then the numbers
K_PROGRAM, K_FIRST, K_SECOND, K_ANSWER, K_CLAUSES = range(5)
# K_CLAUSES: bit 0 it tests clauses or leaves them unchecked, bit 1 terms lack facts
K_NUMBERS: Final = 5
KNOWN_WIDTH: Final = 16
assert K_NUMBERS + ANSWER_WIDTH <= KNOWN_WIDTH

NOT_THERE: Final = -1  # the text says nothing of it
MISSING: Final = -2  # the answer is not known yet
UNSAYABLE: Final = -3  # the question cannot be put by the columns

_K1 = np.uint64(0x9E3779B97F4A7C15)
_K2 = np.uint64(0xBF58476D1CE4E5B9)


@compiled
def class_of(code, w, entry):  # type: ignore[no-untyped-def]
    kind = code[entry]
    table = code[entry + 4]
    if kind == RANGE:
        value = w[code[entry + 1]]
        if value == UNKNOWN:
            return code[table]
        low = code[entry + 2]
        high = code[entry + 3]
        value = min(max(value, low), high)
        return code[table + 1 + value - low]
    if kind == SEARCH:
        value = w[code[entry + 1]]
        count = code[entry + 2]
        at = table
    else:
        value = 0
        for part in range(code[entry + 1]):
            one = w[code[table + 2 * part]]
            if one == UNKNOWN:
                value = UNKNOWN
                break
            value += one * code[table + 2 * part + 1]
        count = code[entry + 2]
        at = table + 2 * code[entry + 1]
    if value == UNKNOWN:
        return code[at + count]
    place = 1
    for k in range(count):
        constant = code[at + k]
        if value < constant:
            break
        place += 1
        if value == constant:
            break
        place += 1
    return code[at + count + place]


@compiled
def key_of(code, w, program):  # type: ignore[no-untyped-def]
    first = np.int64(0)
    second = np.int64(0)
    entry = program + P_TERMS + 2 * code[program + P_BEFORE]
    end = entry + ENTRY * code[program + P_FIRST]
    while entry < end:
        if code[entry] == RANGE:
            value = w[code[entry + 1]]
            low = code[entry + 2]
            high = code[entry + 3]
            place = min(max(value, low), high) - low + 1
            if value == UNKNOWN:
                place = 0
            first |= code[code[entry + 4] + place]
        else:
            first |= class_of(code, w, entry)
        entry += ENTRY
    end += ENTRY * code[program + P_SECOND]
    while entry < end:
        second |= class_of(code, w, entry)
        entry += ENTRY
    return first, second


@compiled
def place_for(known, places, number, first, second):  # type: ignore[no-untyped-def]
    """Where an answer stands, or where it would have to stand."""
    h = (np.uint64(first) ^ (np.uint64(number) << np.uint64(48))) * _K1
    h ^= (np.uint64(second) + np.uint64(number)) * _K2
    h ^= h >> np.uint64(32)
    at = np.int64(h & np.uint64(places - 1)) * KNOWN_WIDTH
    while True:
        found = known[at]
        if found == 0:
            return at
        if found == number and known[at + 1] == first and known[at + 2] == second:
            return at
        at += KNOWN_WIDTH
        if at >= places * KNOWN_WIDTH:
            at = 0


@compiled
def look_up(code, known, w, program):  # type: ignore[no-untyped-def]
    """Where the answer of a program on these facts stands in `known`, or MISSING."""
    first, second = key_of(code, w, program)
    at = place_for(known, w[R_PLACES], code[program + P_NUMBER] + 1, first, second)
    if known[at] == 0:
        w[R_MISSED] = program
        for k in range(FACT_COUNT):  # they may be put back before they are read
            w[MISS + k] = w[k]
        return np.int64(MISSING)
    return at


@compiled
def key_in(code, facts, program):  # type: ignore[no-untyped-def]
    """`key_of` for arrays, and so for Python."""
    return key_of(numbers_at(code), numbers_at(facts), program)


@compiled
def place_in(known, number, first, second):  # type: ignore[no-untyped-def]
    return place_for(numbers_at(known), len(known) // KNOWN_WIDTH, number, first, second)


@unit("nnni")
def ask(code, known, w, program):  # type: ignore[no-untyped-def]
    """`look_up`, after the defined terms that the program is given."""
    if program < 0:
        return np.int64(program)
    for k in range(code[program + P_BEFORE]):
        at = look_up(code, known, w, code[program + P_TERMS + 2 * k])
        if at < 0:
            return at
        w[code[program + P_TERMS + 2 * k + 1]] = known[at + K_NUMBERS + VALUE]
    return look_up(code, known, w, program)


@compiled
def note(known, w, at, asked):  # type: ignore[no-untyped-def]
    """The answer counts for what the round puts to the test, if the round is passed.
    `asked` 0: only for the terms whose facts the log lacks."""
    if known[at + K_CLAUSES] & (3 if asked else 2):
        hits = w[R_HITS]
        if hits < MOST_NOTED:
            w[NOTED + 2 * hits] = at
            w[NOTED + 2 * hits + 1] = asked
        w[R_HITS] = hits + 1
