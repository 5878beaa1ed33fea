"""The pass over the rounds of a log, in order, that keeps each table's shoe: machine code."""

from __future__ import annotations

from typing import Final

import numpy as np

from checker.columns import layout as c
from checker.columns.compiled import compiled
from checker.columns.features import UNKNOWN
from checker.shoes import LAST_ROUNDS

# shoes[N, SHOE_WIDTH]: the facts `shoe.…` in the order of walk.SHOE_SLOTS, then the rest
(SHOE_NEW, SHOE_CUT_OUT, SHOE_NO_CUT, SHOE_SHUFFLED, SHOE_BURNS, SHOE_BURNS_RECORDED,
 SHOE_CARDS_OUT, SHOE_CUT_LAST) = range(8)  # fmt: skip
SHOE_FACTS: Final = 8
SHOE_KNOWN, SHOE_WARNS, SEEN_CARDS_SEEN, SHOE_ANNOUNCED = range(8, 12)
SHOE_WIDTH: Final = 12
# seen[P, SEEN_WIDTH]: of each player of a round
SEEN_LATE, SEEN_LATE_TWO, SEEN_SAT_OUT, SEEN_SAT_LATER, SEEN_IDLE, SEEN_WARNED = range(6)
SEEN_WIDTH: Final = 6

# tables[T, TABLE_WIDTH]
(KEY, ID, BEGUN, ROUNDS, CARDS_OUT, CUT_OUT, NO_CUT, CUT_SEEN, BURNS_SEEN, SHUFFLES_SEEN, ANNOUNCED,
 PLAYERS, WARNED, CUT_LAST, TABLE_ROUNDS, LAST_FROM) = range(16)  # fmt: skip
TABLE_WIDTH: Final = 16
# people[T, slots, PERSON_WIDTH]
NAME, MARKS, LAST_SEEN, NAME_AT, NAME_LENGTH = range(5)
PERSON_WIDTH: Final = 5
FIRST, SECOND, WAGERED, SAT_OUT, SAT_OUT_LATER, HERE = 1, 2, 4, 8, 16, 32
# totals: of the whole log
CARDS_SEEN, WARNINGS_SEEN, TABLES, NAMES = range(4)

NO_CUT_CARD = c.RECORD_CODES["no_cut_card"]
LAST_ROUNDS_OPTION = c.OPTION_CODES["last_rounds"]
AUTOMATIC = c.OPTION_CODES["automatic_shuffler"]


@compiled
def place_table(places, tables, row):  # type: ignore[no-untyped-def]
    at = tables[row, KEY] & (len(places) - 1)
    while places[at] != 0:
        at = (at + 1) & (len(places) - 1)
    places[at] = row + 1


@compiled
def _find(places, tables, key):  # type: ignore[no-untyped-def]
    at = key & (len(places) - 1)
    while places[at] != 0:
        if tables[places[at] - 1, KEY] == key:
            return places[at] - 1
        at = (at + 1) & (len(places) - 1)
    return -1


@compiled
def _new_shoe(t, copies, shoe, begun):  # type: ignore[no-untyped-def]
    t[ID] = shoe
    t[BEGUN] = begun
    t[ROUNDS] = 0
    t[CARDS_OUT] = 0
    t[CUT_OUT] = 0
    t[CUT_LAST] = 0
    t[NO_CUT] = 0
    t[PLAYERS] = 0
    copies[:] = 0


@compiled
def last_rounds(r, t):  # type: ignore[no-untyped-def]
    """One of the last rounds, by its options or as announced. LAST_FROM is 0 or the round + 1."""
    if (r[c.OPTION_BITS] >> LAST_ROUNDS_OPTION) & 1:
        return True
    return t[LAST_FROM] > 0 and t[TABLE_ROUNDS] - t[LAST_FROM] + 1 < LAST_ROUNDS


@compiled
def _slot(people, count, name):  # type: ignore[no-untyped-def]
    for k in range(count):
        if people[k, NAME] == name:
            return k
    return -1


@compiled
def track_rows(rounds, events, players, text, shoes, seen, places, tables, copies, people, warned,
               names, totals, start, stop):  # type: ignore[no-untyped-def]  # fmt: skip
    """From round `start`; returns where it had to stop for want of room."""
    scratch = np.zeros(52, np.int64)
    for i in range(start, stop):
        r = rounds[i]
        if r[c.STATUS] == c.SKIP:
            continue
        row = _find(places, tables, r[c.TABLE])
        if row < 0:
            if totals[TABLES] >= len(tables):
                return i
            row = totals[TABLES]
        t = tables[row]
        first = r[c.FIRST_EVENT]
        end = first + r[c.EVENTS]
        who = r[c.FIRST_PLAYER]
        count = r[c.PLAYERS]
        length = 0
        for k in range(who, who + count):
            length += players[k, c.NAME_LENGTH]
        known = t[PLAYERS] if row < totals[TABLES] else 0
        if known + count > people.shape[1] or totals[NAMES] + length > len(names):
            return i
        if t[WARNED] + r[c.EVENTS] > warned.shape[1]:
            warns = 0
            for e in range(first, end):
                warns += events[e, c.KIND] == c.WARN
            if t[WARNED] + warns > warned.shape[1]:
                return i
        if row == totals[TABLES]:
            totals[TABLES] += 1
            for k in range(TABLE_WIDTH):
                t[k] = 0
            t[KEY] = r[c.TABLE]
            place_table(places, tables, row)
            _new_shoe(t, copies[row], r[c.SHOE], 0)
        elif t[ID] != r[c.SHOE]:
            _new_shoe(t, copies[row], r[c.SHOE], 1 if r[c.SHOE] != 0 else 0)
        _tell(r, events, players, shoes[i], seen, t, copies[row], people[row], warned[row], totals)
        _count(r, events, copies[row], scratch)
        _after(r, events, players, text, t, copies[row], people[row], warned[row], names, totals)
    return stop


@compiled
def _tell(r, events, players, told, seen, t, copies, people, warned, totals):  # type: ignore[no-untyped-def]
    first = r[c.FIRST_EVENT]
    end = first + r[c.EVENTS]
    burns = 0
    shuffled = False
    begun = False
    for e in range(first, end):
        kind = events[e, c.KIND]
        if kind == c.DEAL:
            begun = True
        elif kind == c.CUT_CARD:
            t[CUT_SEEN] = 1
        elif not begun:
            burns += kind == c.BURN
            shuffled |= kind == c.SHUFFLE
    if burns:
        t[BURNS_SEEN] = 1
    if shuffled:
        t[SHUFFLES_SEEN] = 1
        out = t[CUT_OUT]
        none = t[NO_CUT]
        in_last = t[CUT_LAST]
        _new_shoe(t, copies, r[c.SHOE], 1)
        t[CUT_OUT] = out  # the duty was met; the question is still asked
        t[NO_CUT] = none
        t[CUT_LAST] = in_last
    rounds = t[ROUNDS]
    told[SHOE_NEW] = rounds == 0 if t[BEGUN] or rounds > 0 else UNKNOWN
    told[SHOE_SHUFFLED] = shuffled or told[SHOE_NEW] == 1
    if r[c.SHOE] == 0 and not t[SHUFFLES_SEEN] and not told[SHOE_SHUFFLED]:
        told[SHOE_SHUFFLED] = UNKNOWN
    told[SHOE_CUT_OUT] = t[CUT_OUT] if t[CUT_SEEN] else UNKNOWN
    told[SHOE_CUT_LAST] = t[CUT_LAST] and last_rounds(r, t)
    told[SHOE_NO_CUT] = t[NO_CUT] if t[NO_CUT] or t[BEGUN] else UNKNOWN
    told[SHOE_BURNS] = burns if t[BURNS_SEEN] or shuffled else UNKNOWN
    told[SHOE_BURNS_RECORDED] = t[BURNS_SEEN]
    told[SHOE_CARDS_OUT] = t[CARDS_OUT]
    told[SHOE_KNOWN] = t[BEGUN]
    told[SHOE_WARNS] = totals[WARNINGS_SEEN]
    told[SEEN_CARDS_SEEN] = totals[CARDS_SEEN]
    told[SHOE_ANNOUNCED] = t[ANNOUNCED]
    who = r[c.FIRST_PLAYER]
    for k in range(r[c.PLAYERS]):
        name = players[who + k, c.NAME]
        s = _slot(people, t[PLAYERS], name)
        marks = people[s, MARKS] if s >= 0 else 0
        known = s >= 0
        if not known:
            for e in range(first, end):
                if (events[e, c.PLAYER] == k and events[e, c.KIND] == c.WAGER
                        and events[e, c.WHAT] == c.MAIN):  # fmt: skip
                    known = True
                    break
        mine = seen[who + k]
        mine[SEEN_LATE] = known and rounds > 0 and not marks & FIRST
        mine[SEEN_LATE_TWO] = known and rounds > 1 and not marks & (FIRST | SECOND)
        mine[SEEN_SAT_OUT] = marks & SAT_OUT != 0
        mine[SEEN_SAT_LATER] = marks & SAT_OUT_LATER != 0
        mine[SEEN_IDLE] = rounds - people[s, LAST_SEEN] - 1 if s >= 0 else 0
        mine[SEEN_WARNED] = 0
        for j in range(t[WARNED]):
            if warned[j] == name:
                mine[SEEN_WARNED] = 1


@compiled
def _count(r, events, copies, scratch):  # type: ignore[no-untyped-def]
    """For each card how often it is out of the shoe with this one, as the judge counts."""
    first = r[c.FIRST_EVENT]
    end = first + r[c.EVENTS]
    alone = (r[c.OPTION_BITS] >> AUTOMATIC) & 1 or r[c.SHOE] == 0
    for e in range(first, end):
        card = events[e, c.CARD]
        if card >= 0 and card < c.JOKER_CARD:
            scratch[card] += 1
            events[e, c.COPIES] = scratch[card] + (0 if alone else copies[card])
    for e in range(first, end):
        card = events[e, c.CARD]
        if card >= 0 and card < c.JOKER_CARD:
            scratch[card] = 0


@compiled
def _after(r, events, players, text, t, copies, people, warned, names, totals):  # type: ignore[no-untyped-def]
    first = r[c.FIRST_EVENT]
    end = first + r[c.EVENTS]
    who = r[c.FIRST_PLAYER]
    begun = False
    after = False
    for e in range(first, end):
        kind = events[e, c.KIND]
        if kind == c.DEAL:
            begun = True
        elif kind == c.SHUFFLE and not begun:
            t[CUT_OUT] = 0
            t[CUT_LAST] = 0
            t[NO_CUT] = 0
    for e in range(first, end):
        kind = events[e, c.KIND]
        if kind == c.DEAL or kind == c.BURN:
            card = events[e, c.CARD]
            after &= kind != c.DEAL
            if card >= 0 and card < c.JOKER_CARD:
                copies[card] += 1
            if kind == c.BURN or card < c.JOKER_CARD:
                t[CARDS_OUT] += 1
        elif kind == c.WAGER:
            if (events[e, c.MARKS] >> c.PLAYER_CARD_SHIFT) & 3 == 2:
                totals[CARDS_SEEN] = 1
            if events[e, c.WHAT] == c.MAIN:
                _greet(players[who + events[e, c.PLAYER]], text, t, people, names, totals)
        elif kind == c.CUT_CARD:
            t[CUT_OUT] = 1
            t[CUT_LAST] = last_rounds(r, t)
        elif kind == c.SHUFFLE:
            after = True
            copies[:] = 0
            t[CUT_OUT] = 0
            t[CUT_LAST] = 0
        elif kind == c.IRREGULARITY and events[e, c.WHAT] == NO_CUT_CARD:
            t[NO_CUT] = 1
        elif kind == c.WARN:
            totals[WARNINGS_SEEN] = 1
            name = players[who + events[e, c.PLAYER], c.NAME]
            there = False
            for j in range(t[WARNED]):
                there |= warned[j] == name
            if not there:
                warned[t[WARNED]] = name
                t[WARNED] += 1
        elif kind == c.ANNOUNCE and events[e, c.WHAT] >= 0:
            t[ANNOUNCED] |= 1 << events[e, c.WHAT]
            if events[e, c.WHAT] == LAST_ROUNDS_OPTION:
                t[LAST_FROM] = t[TABLE_ROUNDS] + 1
    _who_was_there(t, people)
    if after:  # shuffled at the end of the round: the next one begins a new shoe
        _new_shoe(t, copies, r[c.SHOE], 1)
        t[SHUFFLES_SEEN] = 1


@compiled
def _greet(player, text, t, people, names, totals):  # type: ignore[no-untyped-def]
    name = player[c.NAME]
    s = _slot(people, t[PLAYERS], name)
    if s < 0:
        s = t[PLAYERS]
        t[PLAYERS] = s + 1
        length = player[c.NAME_LENGTH]
        people[s, NAME] = name
        people[s, MARKS] = 0
        people[s, NAME_AT] = totals[NAMES]
        people[s, NAME_LENGTH] = length
        for k in range(length):
            names[totals[NAMES] + k] = text[player[c.NAME_START] + k]
        totals[NAMES] += length
    people[s, MARKS] |= HERE


@compiled
def _who_was_there(t, people):  # type: ignore[no-untyped-def]
    rounds = t[ROUNDS]
    for s in range(t[PLAYERS]):
        marks = people[s, MARKS]
        if marks & HERE:
            if rounds == 0:
                marks |= FIRST
            elif rounds == 1:
                marks |= SECOND
            marks |= WAGERED
            people[s, LAST_SEEN] = rounds
        else:
            if marks & WAGERED:
                marks |= SAT_OUT
            if rounds >= 2 and marks & (FIRST | SECOND):
                marks |= SAT_OUT_LATER
        people[s, MARKS] = marks & ~HERE
    t[ROUNDS] = rounds + 1
    t[TABLE_ROUNDS] += 1
