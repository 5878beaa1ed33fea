"""The result of a main wager, asked again and again while the dealer draws and at the end.

Most of its key stays the same until something but the dealer's hand changes.
"""

from __future__ import annotations

from checker.columns import desk as d
from checker.columns import fill as f
from checker.columns import groups as g
from checker.columns import layout as c
from checker.columns.ask import NOT_THERE, ask, ask_moved, still_key, terms_before
from checker.columns.compiled import inner
from checker.columns.features import DOUBLE_PART
from checker.columns.hands import MOVES, hand_at
from checker.columns.questions import Q_RESULT
from checker.columns.scenes import needs_of, set_scene
from checker.columns.units import unit


@inner
def stake_of(w, rider, part):
    return w[rider + (d.RIDER_DOUBLE if part else d.RIDER_STAKE)]


@inner
def set_result(code, known, w, limits, box, hand, rider, part):
    """The scene in full; the still part of the key is kept with the rider."""
    needs = needs_of(code, w, Q_RESULT)
    status = set_scene(
        code, known, w, limits, needs, box, hand, w[rider + d.RIDER_PLAYER], c.MAIN,
        DOUBLE_PART if part else w[rider + d.RIDER_PART], stake_of(w, rider, part),
        w[rider + d.RIDER_MARKS],
    )  # fmt: skip
    if status < 0:
        return status
    program = code[w[d.R_PERIOD] + Q_RESULT]
    if code[w[d.R_PERIOD] + MOVES] and not (needs & g.ORIGINAL and hand > 1):
        status = terms_before(code, known, w, program, 0)
        if status < 0:
            return status
        place = rider + d.RIDER_KEYS + part * d.KEY_WIDTH
        first, second, entry = still_key(code, w, program)
        w[place] = first
        w[place + 1] = second
        w[place + 2] = w[d.R_STAMP]
        w[place + 3] = entry
    return 0


@unit("nnnniiii")
def ask_result(code, known, w, limits, box, hand, rider, part):
    """Where the answer stands, for the dealer's hand as the facts have it now."""
    program = code[w[d.R_PERIOD] + Q_RESULT]
    if program < 0:
        return program
    place = rider + d.RIDER_KEYS + part * d.KEY_WIDTH
    if w[place + 2] != w[d.R_STAMP]:
        status = set_result(code, known, w, limits, box, hand, rider, part)
        if status < 0:
            return status
        if w[place + 2] != w[d.R_STAMP]:
            return ask(code, known, w, program)
    h = hand_at(box, hand)
    w[d.R_HAND_OF] = -1
    w[f.HAND_TOTAL] = w[h + d.H_TOTAL]
    w[f.HAND_HARD] = w[h + d.H_HARD]
    at = ask_moved(code, known, w, program, w[place], w[place + 1], w[place + 3])
    if at != NOT_THERE:
        return at
    status = set_result(code, known, w, limits, box, hand, rider, part)
    if status < 0:
        return status
    return ask(code, known, w, program)
