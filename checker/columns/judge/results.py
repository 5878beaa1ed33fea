"""The result of a main wager, asked again and again while the dealer draws and at the end.

Most of its key stays the same until something but the dealer's hand changes.
"""

from __future__ import annotations

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge import facts as f
from checker.columns.judge.hands import (
    fill_marked_hand,
    fill_plain_hand,
    fill_player_of_hand,
    hand_at,
    is_plain,
    reckon,
)
from checker.columns.judge.made import fill_made
from checker.columns.judge.scene import MISSED_FIRST, missed_first, needs_of, set_scene
from checker.columns.machine.compile import inner
from checker.columns.machine.units import unit
from checker.columns.rules import fact_groups as g
from checker.columns.rules.head import IF_MARKED, MOVES, RESULT_IN_PARTS
from checker.columns.rules.lookup import (
    NOT_THERE,
    ask,
    ask_moved,
    key_part,
    still_key,
    terms_before,
    with_marks,
)
from checker.columns.rules.program import P_NEXT
from checker.columns.rules.questions import Q_RESULT
from checker.columns.slots import DOUBLE_PART


@inner
def stake_of(w, rider, part):
    return w[rider + (d.RIDER_DOUBLE if part else d.RIDER_STAKE)]


@inner
def set_by_parts(code, known, w, box, rider, part):
    """The still part of the key of a wager on the only hand of a box, made of what its seat and the
    hand make of it: whether that could be done."""
    h = hand_at(box, 1)
    b = d.B + box * d.BOX_WIDTH
    seat = rider + d.RIDER_SEAT + part * d.SEAT_WORDS + d.OF_RESULT
    first = w[seat]
    second = w[seat + 1]
    if second == 0 or w[b + d.B_SURRENDERED]:
        return False
    program = code[w[d.R_PERIOD] + Q_RESULT]
    if is_plain(w, h):
        if reckon(code, known, w, h) < 0:
            return False
        fill_plain_hand(w, box, h)
    else:
        if code[w[d.R_PERIOD] + RESULT_IN_PARTS] != IF_MARKED or w[b + d.B_HANDS] != 1:
            return False
        if part and w[rider + d.RIDER_DOUBLE] != w[rider + d.RIDER_STAKE]:
            return False
        if fill_marked_hand(code, known, w, box) < 0:
            return False
        fill_player_of_hand(w, box, w[rider + d.RIDER_PLAYER])
        first, second = with_marks(code, w, program, first, second)
    if needs_of(code, w, Q_RESULT) & g.MISSED_FIRST:
        w[MISSED_FIRST] = missed_first(w)
    if needs_of(code, w, Q_RESULT) >> g.MADE_SHIFT:
        fill_made(code, known, w, needs_of(code, w, Q_RESULT), box, 1)
    if terms_before(code, known, w, program, 0) < 0:
        return False
    more, rest = key_part(code, w, code[program + P_NEXT])
    place = rider + d.RIDER_KEYS + part * d.KEY_WIDTH
    w[place] = first | more
    w[place + 1] = second | rest
    w[place + 2] = w[d.R_STAMP]
    return True


@unit("nnnniiii")
def set_result(code, known, w, limits, box, hand, rider, part):
    """The scene in full; the still part of the key is kept with the rider."""
    needs = needs_of(code, w, Q_RESULT)
    status = set_scene(
        code,
        known,
        w,
        limits,
        needs,
        box,
        hand,
        w[rider + d.RIDER_PLAYER],
        c.MAIN,
        DOUBLE_PART if part else w[rider + d.RIDER_PART],
        stake_of(w, rider, part),
        w[rider + d.RIDER_MARKS],
    )
    if status < 0:
        return status
    program = code[w[d.R_PERIOD] + Q_RESULT]
    if code[w[d.R_PERIOD] + MOVES] and not (needs & g.ORIGINAL and hand > 1):
        status = terms_before(code, known, w, program, 0)
        if status < 0:
            return status
        place = rider + d.RIDER_KEYS + part * d.KEY_WIDTH
        w[place], w[place + 1] = still_key(code, w, program)
        w[place + 2] = w[d.R_STAMP]
    return 0


@unit("nnnniiii")
def set_key(code, known, w, limits, box, hand, rider, part):
    """The still part of the key is kept with the rider; where it takes the scene, that stands."""
    if hand == 1 and set_by_parts(code, known, w, box, rider, part):
        return 0
    return set_result(code, known, w, limits, box, hand, rider, part)


@unit("nnnniiii")
def ask_result(code, known, w, limits, box, hand, rider, part):
    """Where the answer stands, for the dealer's hand as the facts have it now."""
    program = code[w[d.R_PERIOD] + Q_RESULT]
    if program < 0:
        return program
    place = rider + d.RIDER_KEYS + part * d.KEY_WIDTH
    if w[place + 2] != w[d.R_STAMP]:
        status = set_key(code, known, w, limits, box, hand, rider, part)
        if status < 0:
            return status
        if w[place + 2] != w[d.R_STAMP]:
            return ask(code, known, w, program)
    h = hand_at(box, hand)
    w[d.R_HAND_OF] = -1
    w[f.HAND_TOTAL] = w[h + d.H_TOTAL]
    w[f.HAND_HARD] = w[h + d.H_HARD]
    at = ask_moved(code, known, w, program, w[place], w[place + 1])
    if at != NOT_THERE:
        return at
    status = set_result(code, known, w, limits, box, hand, rider, part)
    if status < 0:
        return status
    return ask(code, known, w, program)
