"""What is required before the first card: of the round, of the boxes and of each wager.

A main wager is looked up by the facts of its seat. With what is required of it stands what they
make of keys that are needed later, when the cards tell the rest.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge import facts as f
from checker.columns.judge import scene as s
from checker.columns.judge import table
from checker.columns.judge.hands import hand_at
from checker.columns.judge.quiet import kind_of
from checker.columns.judge.reasons import ANSWERED, Reason
from checker.columns.judge.seats import WAGER_MARKS, rides, set_told
from checker.columns.machine.compile import inner
from checker.columns.machine.units import unit
from checker.columns.rules import fact_groups as g
from checker.columns.rules.head import (
    ASKED_AS,
    BOX_WITH_SEAT,
    DEAL_LOOKS,
    ENDING,
    ENDING_IN_PARTS,
    OFFERED,
    OWN,
    RESULT_IN_PARTS,
    SEAT,
)
from checker.columns.rules.lookup import (
    NOT_THERE,
    ask,
    first_key,
    is_ok,
    is_quiet,
    key_part,
    mixed,
    note,
    still_key,
)
from checker.columns.rules.program import P_LAST
from checker.columns.rules.questions import Q_BOX, Q_DEAL, Q_RESULT, Q_ROUND, Q_SEAT, Q_WAGER
from checker.columns.slots import DOUBLE_PART, ORIGINAL, UNKNOWN

QUIET: Final = -2


@inner
def ask_here(code, known, w, limits, question, box, hand, player, bet, part, stake, marks):
    """Set the scene for one question and ask it."""
    if code[w[d.R_PERIOD] + question] == -1:
        return 0
    needs = s.needs_of(code, w, question)
    if needs:
        status = s.set_scene(
            code, known, w, limits, needs, box, hand, player, bet, part, stake, marks
        )
        if status < 0:
            return s.trouble(status, question)
    w[f.PART] = part
    return s.require(code, known, w, question)


@unit("nnnn")
def start_of_deal(code, known, w, limits):
    status = table.close_betting(code, w)
    if status != 0:
        return status
    status = ask_here(code, known, w, limits, Q_ROUND, 0, 0, -1, c.MAIN, ORIGINAL, 0, 0)
    if status != 0:
        return status
    if not code[w[d.R_PERIOD] + BOX_WITH_SEAT]:
        for k in range(w[d.R_AROUND]):
            status = ask_box(code, known, w, limits, w[d.AROUND + k])
            if status != 0:
                return status
    # the call and the cut card are known to the questions about the round and the boxes only
    w[table.CALL_MADE] = w[d.R_CALL]
    w[table.CUT_CARD_FIRST] = 0
    if code[w[d.R_PERIOD] + DEAL_LOOKS]:
        program = code[w[d.R_PERIOD] + Q_DEAL]
        w[d.R_DEAL_FIRST], w[d.R_DEAL_SECOND] = still_key(code, w, program)
        w[d.R_DEAL_KIND] = kind_of(w, w[d.R_DEAL_FIRST], w[d.R_DEAL_SECOND])
    w[table.CALL_MADE] = UNKNOWN
    for k in range(w[d.R_BETS]):
        status = ask_wager(code, known, w, limits, d.T + k * d.BET_ROW)
        if status != 0:
            return status
    return 0


@inner
def ask_box(code, known, w, limits, box):
    if s.needs_of(code, w, Q_BOX) & ~(g.LIMITS | g.BOX):
        return ask_here(code, known, w, limits, Q_BOX, box, 0, -1, c.MAIN, ORIGINAL, 0, 0)
    s.set_limits(w, limits, box, c.MAIN)
    s.set_box(w, box, c.MAIN)
    w[f.PART] = ORIGINAL
    return s.require(code, known, w, Q_BOX)


@inner
def ask_wager(code, known, w, limits, t):
    bet = w[t + d.T_BET]
    period = w[d.R_PERIOD]
    if not (code[period + OFFERED] >> bet) & 1:
        return Reason.NOT_OFFERED
    box = w[t + d.T_BOX]
    player = w[t + d.T_PLAYER]
    stake = w[t + d.T_STAKE]
    marks = w[t + d.T_MARKS]
    if bet == c.MAIN:
        k = rides(w, box, 1, player)
        s.set_seat(w, limits, box, player, k, stake, marks)
        rider = hand_at(box, 1) + d.H_RIDER + k * d.RIDER_WIDTH
        if code[period + SEAT] >= 0 and not marks & WAGER_MARKS:
            return ask_seat(code, known, w, t, box, player, rider)
        for k in range(2 * d.SEAT_WORDS):
            w[rider + d.RIDER_SEAT + k] = 0
        if code[period + BOX_WITH_SEAT]:
            status = ask_box(code, known, w, limits, box)
            if status != 0:
                return status
    elif code[period + OWN] and rides(w, box, 1, player) < 0:
        return Reason.NO_MAIN_WAGER  # some bets have to lie beside one
    question = Q_WAGER + code[period + ASKED_AS + bet]
    if code[period + question] == -1:
        return 0
    status = s.set_scene(
        code,
        known,
        w,
        limits,
        s.needs_of(code, w, question),
        box,
        1,
        player,
        bet,
        ORIGINAL,
        stake,
        marks,
    )
    if status < 0:
        return s.trouble(status, question)
    w[f.AFTER_CALL] = w[t + d.T_AFTER_CALL]
    set_told(w, player)
    return s.require(code, known, w, question)


@inner
def ask_seat(code, known, w, t, box, player, rider):
    """What is required of a main wager without marks of its own, whose seat stands."""
    f.fill_stake(w, w[t + d.T_STAKE], s.needs_of(code, w, Q_SEAT) & g.UNITS)
    w[f.PART] = ORIGINAL
    w[f.AFTER_CALL] = w[t + d.T_AFTER_CALL]
    w[f.FIRST_OF_PLAYER] = w[d.P + player * d.PLAYER_ROW + d.P_FIRST_BOX] == box
    set_told(w, player)
    program = code[w[d.R_PERIOD] + SEAT]
    first, second = key_of_table(code, w, program)
    more, rest = key_part(code, w, code[program + P_LAST])
    first |= more
    second |= rest
    place = mixed(first, second) & np.uint64((1 << d.SEATED_BITS) - 1)
    row = d.SEATED + np.int64(place) * d.SEATED_WIDTH
    if w[row + 1] != second or w[row] != first:
        w[row + 1] = 0
        status = fill_seat_row(code, known, w, row)
        if status < 0:
            return s.trouble(status, Q_WAGER)
        w[row] = first
        w[row + 1] = second
    b = d.B + box * d.BOX_WIDTH
    alone = np.int64(w[b + d.B_MAIN] == w[b + d.B_PLAYERS])  # nobody has two wagers on the box
    for k in range(2 * d.SEAT_WORDS):
        w[rider + d.RIDER_SEAT + k] = w[row + d.SEATED_WORDS + k] & -alone
    if w[row + d.SEATED_WAGER] == QUIET and w[row + d.SEATED_BOX] == QUIET:
        return 0
    status = noted(known, w, row + d.SEATED_BOX, Q_BOX)
    return status if status != 0 else noted(known, w, row + d.SEATED_WAGER, Q_WAGER)


@inner
def noted(known, w, place, question):
    at = w[place]
    if at == QUIET:
        return 0
    if is_quiet(known, at):
        w[place] = QUIET
    note(known, w, at, 1)
    return 0 if is_ok(known, at) else ANSWERED + question


@inner
def key_of_table(code, w, program):
    """The part of a seat's key that is the same at all seats of a table with the same limits."""
    if (
        w[d.R_TABLE_LIMITS] != w[d.R_LIMITS_OF]
        or w[d.R_TABLE_OPTIONS] != w[d.R_OPTIONS]
        or w[d.R_TABLE_PROGRAM] != program
    ):
        w[d.R_TABLE_LIMITS] = w[d.R_LIMITS_OF]
        w[d.R_TABLE_OPTIONS] = w[d.R_OPTIONS]
        w[d.R_TABLE_PROGRAM] = program
        w[d.R_TABLE_FIRST], w[d.R_TABLE_SECOND] = first_key(code, w, program, 1)
    return w[d.R_TABLE_FIRST], w[d.R_TABLE_SECOND]


@inner
def fill_seat_row(code, known, w, row):
    """Where the answers stand, then the keys of the ending and of the result as far as they are
    known: of the original wager, and of as much again. Below 0: an answer is missing."""
    period = w[d.R_PERIOD]
    w[row + d.SEATED_WAGER] = QUIET
    w[row + d.SEATED_BOX] = QUIET
    if code[period + BOX_WITH_SEAT] and code[period + Q_BOX] != NOT_THERE:
        w[row + d.SEATED_BOX] = ask(code, known, w, code[period + Q_BOX])
        if w[row + d.SEATED_BOX] < 0:
            return w[row + d.SEATED_BOX]
    if code[period + Q_WAGER] != NOT_THERE:
        w[row + d.SEATED_WAGER] = ask(code, known, w, code[period + Q_WAGER])
        if w[row + d.SEATED_WAGER] < 0:
            return w[row + d.SEATED_WAGER]
    for part in range(2):
        words = row + d.SEATED_WORDS + part * d.SEAT_WORDS
        w[f.PART] = DOUBLE_PART if part else ORIGINAL
        for k in range(d.SEAT_WORDS):
            w[words + k] = 0
        if code[period + ENDING_IN_PARTS]:
            w[words], w[words + 1] = first_key(code, w, code[period + ENDING], 1)
        words += d.OF_RESULT
        if code[period + RESULT_IN_PARTS]:
            w[words], w[words + 1] = first_key(code, w, code[period + Q_RESULT], 1)
    w[f.PART] = ORIGINAL
    return np.int64(0)
