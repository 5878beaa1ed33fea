"""Looking up the answer to a question: facts -> classes -> key -> answer. No rule is known here."""

from __future__ import annotations

from typing import Final

import numpy as np

from checker.columns.desk import (
    H_TERM,
    H_TERM_FRESH,
    MISS,
    MOST_NOTED,
    NOTED,
    R_DEALER_FRESH,
    R_HAND,
    R_HAND_FRESH,
    R_HITS,
    R_MISSED,
    R_NEVER,
    R_PLACES,
    R_PLAIN,
)
from checker.columns.machine.compile import compiled, inlined, inner, numbers_at
from checker.columns.machine.units import unit
from checker.columns.rules.program import (
    AT_ONCE,
    DIFFERENCE,
    ENTRY,
    HIGH_SHIFT,
    P_BEFORE,
    P_ENTRIES,
    P_LAST,
    P_MARKS,
    P_MORE,
    P_NEXT,
    P_NUMBER,
    P_PLAIN,
    P_TERMS,
    SEARCH,
    SLOT_MASK,
    TABLE_SHIFT,
)
from checker.columns.rules.said import OK
from checker.columns.slots import FACT_COUNT, UNKNOWN

# an answer in `known`, as long as a line of the cache: two words of key, then the numbers
K_FIRST, K_SECOND, K_ANSWER = range(3)
PROGRAM_SHIFT: Final = 46  # the program + 1 stands in the second word of the key; 0: a free place
CLAUSE_SHIFT: Final = 40  # in K_ANSWER
TESTS, LACKS, LEAVES = 1, 2, 4  # tests or leaves clauses; terms lack facts; leaves unchecked
K_FLAGS, K_VALUE, K_ODDS, K_VALUES, K_FORMULA = range(3, 8)
KNOWN_WIDTH: Final = 8

NOT_THERE: Final = -1  # the text says nothing of it
MISSING: Final = -2  # the answer is not known yet
UNSAYABLE: Final = -3  # the question cannot be put by the columns

K1 = np.uint64(0x9E3779B97F4A7C15)
K2 = np.uint64(0xBF58476D1CE4E5B9)


@inner
def class_of(code, w, entry):
    """The class of an amount among constants, or of a sum of facts."""
    at = code[entry + 3]
    count = code[entry + 2]
    if code[entry] == SEARCH:
        value = w[code[entry + 1]]
        known = value != UNKNOWN
    else:
        value = np.int64(0)
        known = True
        end = at + 2 * code[entry + 1]
        while at < end:
            one = w[code[at]]
            known = known and one != UNKNOWN
            value += one * code[at + 1]
            at += 2
    if not known:
        return code[at + count]
    place = 1
    for k in range(count):  # all of them: where to stop cannot be foretold
        constant = code[at + k]
        place += np.int64(value >= constant) + np.int64(value > constant)
    return code[at + count + place]


@inlined
def difference_class(code, w, entry):
    """The class of a difference of two facts against one constant."""
    slots = code[entry + 1]
    one = w[slots & SLOT_MASK]
    other = w[slots >> HIGH_SHIFT]
    known = (one != UNKNOWN) & (other != UNKNOWN)
    more = one - other - code[entry + 2]
    return code[code[entry + 3] + known * (1 + (more >= 0) + (more > 0))]


# Entries end with END. Loops of a known length would be made ready for hundreds of entries, which
# costs more than the few that there are.


@inlined
def small_class(code, w, one):
    high = (one >> HIGH_SHIFT) & SLOT_MASK
    return code[(one >> TABLE_SHIFT) + min(w[one & SLOT_MASK], high)]


@inlined
def small_classes(code, w, entry):
    """The classes of facts with few values, in their places, and where these entries end; what is
    not known is -1."""
    found = np.int64(0)
    while code[entry] >= 0:
        found |= (
            small_class(code, w, code[entry])
            | small_class(code, w, code[entry + 1])
            | small_class(code, w, code[entry + 2])
            | small_class(code, w, code[entry + 3])
        )
        entry += AT_ONCE
    return found, entry + 1


@inlined
def other_classes(code, w, entry):
    found = np.int64(0)
    kind = code[entry]
    while kind >= 0:
        found |= (
            difference_class(code, w, entry) if kind == DIFFERENCE else class_of(code, w, entry)
        )
        entry += ENTRY
        kind = code[entry]
    return found, entry + 1


@inner
def key_part(code, w, entry):
    """The two words of a key as far as these entries make them; 0: none."""
    if entry == 0:
        return np.int64(0), np.int64(0)
    first, entry = small_classes(code, w, entry)
    more, entry = other_classes(code, w, entry)
    second, entry = small_classes(code, w, entry)
    rest, entry = other_classes(code, w, entry)
    return first | more, second | rest


@inlined
def marks_key(code, w, program, plain):
    """Both words of the key as far as PLAIN facts make them."""
    entry = code[program + P_MARKS]
    if plain or entry == 0:
        return code[program + P_PLAIN], code[program + P_PLAIN + 1]
    first, entry = small_classes(code, w, entry)
    second, entry = small_classes(code, w, entry)
    return first, second


@inlined
def with_marks(code, w, program, first, second):
    """A key that was made as of a plain hand, with what PLAIN facts really make of it."""
    marks, others = marks_key(code, w, program, 0)
    return (
        first ^ code[program + P_PLAIN] | marks,
        second ^ code[program + P_PLAIN + 1] | others,
    )


@inner
def first_key(code, w, program, plain):
    """The key as far as the first entries make it, and those of PLAIN facts."""
    first, second = key_part(code, w, code[program + P_ENTRIES])
    marks, others = marks_key(code, w, program, plain)
    second |= others | (code[program + P_NUMBER] + 1) << PROGRAM_SHIFT
    return first | marks, second


@inner
def still_key(code, w, program):
    """All of the key but what the last entries make."""
    first, second = first_key(code, w, program, w[R_PLAIN])
    more, rest = key_part(code, w, code[program + P_NEXT])
    return first | more, second | rest


@inlined
def key_of(code, w, program, plain):
    """`plain`: the facts of PLAIN need not be looked at."""
    marks, second = marks_key(code, w, program, plain)
    first, entry = small_classes(code, w, code[program + P_ENTRIES])
    first |= marks
    if code[entry] >= 0:
        more, entry = other_classes(code, w, entry)
        first |= more
    else:
        entry += 1
    second |= (code[program + P_NUMBER] + 1) << PROGRAM_SHIFT
    if code[program + P_MORE]:
        more, rest = more_of_key(code, w, program, entry)
        first |= more
        second |= rest
    return first, second


@inner
def more_of_key(code, w, program, entry):
    """What stands behind the entries of the first word."""
    second, entry = small_classes(code, w, entry)
    rest, entry = other_classes(code, w, entry)
    first, then = key_part(code, w, code[program + P_NEXT])
    more, last = key_part(code, w, code[program + P_LAST])
    return first | more, second | rest | then | last


@inlined
def mixed(first, second):
    """32 bits, each of which depends on every bit of a key."""
    h = (np.uint64(first) ^ (np.uint64(second) * K2)) * K1
    h ^= h >> np.uint64(32)
    return (h * K2) >> np.uint64(32)


@inlined
def place_for(known, places, first, second):
    """Where an answer stands, or where it would have to stand."""
    at = np.int64(mixed(first, second) & np.uint64(places - 1)) * KNOWN_WIDTH
    while True:
        there = known[at + K_SECOND]
        if there == 0 or (there == second and known[at] == first):
            return at
        at += KNOWN_WIDTH
        if at >= places * KNOWN_WIDTH:
            at = 0


@inlined
def flags_of(known, at):
    return known[at + K_FLAGS]


@inlined
def is_ok(known, at):
    return known[at + K_FLAGS] & OK != 0


@inlined
def is_quiet(known, at):
    """Nothing to find, and nothing that `note` would note."""
    return known[at + K_FLAGS] & OK != 0 and known[at + K_ANSWER] >> CLAUSE_SHIFT == 0


@inlined
def look_up(code, known, w, program):
    """Where the answer of a program on these facts stands in `known`, or MISSING."""
    first, second = key_of(code, w, program, w[R_PLAIN])
    at = place_for(known, w[R_PLACES], first, second)
    return at if known[at + K_SECOND] != 0 else missed(w, program)


@inner
def missed(w, program):
    w[R_MISSED] = program
    for k in range(FACT_COUNT):  # they may be put back before they are read
        w[MISS + k] = w[k]
    return np.int64(MISSING)


@compiled
def key_in(code, facts, program):
    """`key_of` for arrays, and so for Python."""
    return key_of(numbers_at(code), numbers_at(facts), program, 0)


@compiled
def place_in(known, first, second):
    return place_for(numbers_at(known), len(known) // KNOWN_WIDTH, first, second)


@compiled
def insert_all(known, rows):
    for k in range(len(rows)):
        at = place_in(known, rows[k, K_FIRST], rows[k, K_SECOND])
        for j in range(KNOWN_WIDTH):
            known[at + j] = rows[k, j]


@inner
def terms_before(code, known, w, program, only):
    """Work out the terms that a program is given; with `only` those that change as `only` says."""
    for k in range(code[program + P_BEFORE]):
        term = program + P_TERMS + 3 * k
        fresh = code[term + 2]
        if w[fresh] or (only != 0 and fresh != only):
            continue
        at = look_up(code, known, w, code[term])
        if at < 0:
            return at
        holds = known[at + K_VALUE]
        w[code[term + 1]] = holds
        if fresh != R_NEVER:
            w[fresh] = 1
            if fresh == R_HAND_FRESH and w[R_HAND] > 0:
                w[w[R_HAND] + H_TERM] = holds
                w[w[R_HAND] + H_TERM_FRESH] = 1
    return np.int64(0)


@unit("nnni")
def ask(code, known, w, program):
    """`look_up`, after the defined terms that the program is given."""
    if program < 0:
        return np.int64(program)
    if code[program + P_BEFORE]:
        at = terms_before(code, known, w, program, 0)
        if at < 0:
            return at
    return look_up(code, known, w, program)


@unit("nnniii")
def ask_moved(code, known, w, program, first, second):
    """The answer where only the dealer's hand has changed since `still_key`. NOT_THERE: the facts
    have to be set in full, and asked again."""
    at = terms_before(code, known, w, program, R_DEALER_FRESH)
    if at < 0:
        return at
    more, rest = key_part(code, w, code[program + P_LAST])
    at = place_for(known, w[R_PLACES], first | more, second | rest)
    return at if known[at + K_SECOND] != 0 else np.int64(NOT_THERE)


@inlined
def note(known, w, at, asked):
    """The answer counts for what the round puts to the test, if the round is passed.
    `asked` 0: only for the terms whose facts the log lacks."""
    if (known[at + K_ANSWER] >> CLAUSE_SHIFT) & (TESTS | LACKS if asked else LACKS):
        hits = w[R_HITS]
        if hits < MOST_NOTED:
            w[NOTED + 2 * hits] = at
            w[NOTED + 2 * hits + 1] = asked
        w[R_HITS] = hits + 1
