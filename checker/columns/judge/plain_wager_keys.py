"""The keys by which the end of a wager is looked up, made of what its seat tells, what its hand and
the dealer's tell, and what was done on the hand."""

from __future__ import annotations

import numpy as np

from checker.columns import desk as d
from checker.columns.judge import scene as s
from checker.columns.judge.hands import (
    fill_marked_hand,
    fill_plain_hand,
    fill_player_of_hand,
    hand_at,
    is_plain,
    reckon,
)
from checker.columns.judge.made import fill_made
from checker.columns.machine.compile import fetch, inner
from checker.columns.machine.units import unit
from checker.columns.rules import fact_groups as g
from checker.columns.rules.head import ENDING, ENDING_IN_PARTS, IF_MARKED, IF_PLAIN
from checker.columns.rules.lookup import key_part, mixed, terms_before, with_marks
from checker.columns.rules.program import P_BEFORE, P_LAST
from checker.columns.rules.questions import Q_ENDING


@unit("nnni")
def make_keys(code, known, w, box):
    """The keys of the wagers on the only hand of a box, before any is looked up: their rows are
    fetched meanwhile."""
    h = hand_at(box, 1)
    how, first, second = hand_key(code, known, w, box, h)
    for j in range(w[h + d.H_RIDERS]):
        rider = h + d.H_RIDER + j * d.RIDER_WIDTH
        seat = rider + d.RIDER_SEAT
        if how == IF_MARKED:
            marked_keys(code, w, box, rider, first, second)
        elif how == IF_PLAIN and w[seat + 1] != 0:
            w[seat] |= first
            w[seat + 1] |= second
            fetch(w, place_of(w[seat], w[seat + 1]))
        else:
            w[seat + 1] = 0
    return 0


@inner
def marked_keys(code, w, box, rider, first, second):
    """Those of a wager on a hand that is not plain: of the original part, and of what was added if
    that is as much."""
    fill_player_of_hand(w, box, w[rider + d.RIDER_PLAYER])
    program = code[w[d.R_PERIOD] + ENDING]
    parts = 1 + (w[rider + d.RIDER_DOUBLE] == w[rider + d.RIDER_STAKE])
    w[rider + d.RIDER_SEAT + d.SEAT_WORDS + 1] *= parts == 2
    for part in range(parts):
        seat = rider + d.RIDER_SEAT + part * d.SEAT_WORDS
        if w[seat + 1] != 0:
            one, other = with_marks(code, w, program, w[seat], w[seat + 1])
            w[seat] = one | first
            w[seat + 1] = other | second
            fetch(w, place_of(w[seat], w[seat + 1]))


@inner
def hand_key(code, known, w, box, h):
    """IF_PLAIN or IF_MARKED, then the part of this hand and the dealer's; 0: there is none."""
    no = np.int64(0)
    how = np.int64(IF_PLAIN)
    b = d.B + box * d.BOX_WIDTH
    if w[b + d.B_SURRENDERED]:
        return no, no, no
    if is_plain(w, h):
        if reckon(code, known, w, h) < 0:
            return no, no, no
        fill_plain_hand(w, box, h)
    else:
        how = np.int64(IF_MARKED)
        if (
            code[w[d.R_PERIOD] + ENDING_IN_PARTS] != how
            or w[b + d.B_HANDS] != 1
            or fill_marked_hand(code, known, w, box) < 0
        ):
            return no, no, no
    if s.needs_of(code, w, Q_ENDING) & g.MISSED_FIRST:
        w[s.MISSED_FIRST] = s.missed_first(w)
    if s.needs_of(code, w, Q_ENDING) >> g.MADE_SHIFT:
        fill_made(code, known, w, s.needs_of(code, w, Q_ENDING), box, 1)
    program = code[w[d.R_PERIOD] + ENDING]
    if code[program + P_BEFORE]:
        if terms_before(code, known, w, program, 0) < 0:
            return no, no, no  # it is to be asked with all facts
    first, second = key_part(code, w, code[program + P_LAST])
    return how, first, second


@inner
def noted_row(w, first, second):
    """Where the answers for a key are noted, -1 when they are not. `second` 0: there is no key."""
    row = place_of(first, second)
    if second != 0:
        for _ in range(2):
            if w[row + 1] == second and w[row] == first:
                return row
            row = beside(row)
    return np.int64(-1)


@inner
def beside(row):
    """The other place where a row may stand."""
    return d.ENDINGS + ((row - d.ENDINGS) ^ d.ENDING_WIDTH)


@inner
def place_of(first, second):
    place = mixed(first, second) & np.uint64((1 << d.ENDING_BITS) - 1)
    return d.ENDINGS + np.int64(place) * d.ENDING_WIDTH
