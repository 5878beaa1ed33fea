"""How a plain wager ends: all that is asked about it when the round is over, looked up at once.

Plain is a wager on a box that was not split, without marks of its own. All questions are then put
to the same scene, or for a doubled wager to two. Of the facts that any of them looks at one key is
made, and where their answers stand is kept with it.
"""

from __future__ import annotations

import numpy as np

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge import scene as s
from checker.columns.judge.amounts import counted_stake, rounded, within_limits
from checker.columns.judge.due_times import in_due_time
from checker.columns.judge.hands import OVER, hand_at, reckon
from checker.columns.judge.money import HIGHEST_STAKE
from checker.columns.judge.plain_wager_keys import beside, make_keys, noted_row, place_of
from checker.columns.judge.reasons import ANSWERED, Reason
from checker.columns.judge.results import stake_of
from checker.columns.judge.seats import WAGER_MARKS, decider
from checker.columns.machine.compile import inner
from checker.columns.machine.units import unit
from checker.columns.rules.head import DOUBLED_APART, ENDING, ENDING_IN_PARTS, SETTLEMENT_IDLE
from checker.columns.rules.lookup import (
    K_FORMULA,
    K_ODDS,
    K_VALUE,
    UNSAYABLE,
    ask,
    flags_of,
    is_ok,
    is_quiet,
    key_of,
    note,
    terms_before,
)
from checker.columns.rules.program import P_BEFORE
from checker.columns.rules.questions import (
    LOSES,
    LOSES_HALF,
    Q_BONUS,
    Q_BONUS_TERM,
    Q_COUNTED,
    Q_ENDING,
    Q_LEFT,
    Q_ODDS,
    Q_OWN_SETTLEMENT,
    Q_RESULT,
    Q_ROUNDING,
    Q_SETTLEMENT,
    Q_SETTLES,
    VOID_RESULT,
    WINS,
)
from checker.columns.rules.said import DENOMINATOR_PLACE, TIME_SHIFT
from checker.columns.slots import DOUBLE_PART, ORIGINAL, UNKNOWN, span

LIMIT_START, LIMIT_END = span("limit")
ALL_COUNTS = -5  # in E_COUNTED: the whole wager, whatever it is


@inner
def endings(code, known, w, limits, amounts, first):
    """0: nothing to find about the plain wagers, which are marked as done."""
    if w[d.R_ONE_BY_ONE] or code[w[d.R_PERIOD] + ENDING] < 0:
        return 0
    if code[w[d.R_PERIOD] + ENDING_IN_PARTS]:
        for k in range(w[d.R_AROUND]):
            make_keys(code, known, w, w[d.AROUND + k])
    for k in range(w[d.R_AROUND]):
        box = w[d.AROUND + k]
        if w[d.B + box * d.BOX_WIDTH + d.B_HANDS] == 1:
            status = end_of_box(code, known, w, limits, amounts, first, box)
            if status != 0:
                return status
    return 0


@unit("nnnnnii")
def end_of_box(code, known, w, limits, amounts, first, box):
    h = hand_at(box, 1)
    if w[h + d.H_CARDS] < 2:
        return Reason.SHORT_HAND
    status = reckon(code, known, w, h)
    if status < 0:
        return s.trouble(status, Q_LEFT)
    if w[h + d.H_TOTAL] == UNKNOWN:
        return Reason.NO_VALUE
    decides = np.int64(-1) if w[OVER] else decider(w, box)  # then nobody leaves a hand
    plain = not code[w[d.R_PERIOD] + DOUBLED_APART]
    done = True
    for j in range(w[h + d.H_RIDERS]):
        rider = h + d.H_RIDER + j * d.RIDER_WIDTH
        if w[rider + d.RIDER_MARKS] & WAGER_MARKS or (w[rider + d.RIDER_DOUBLE] >= 0 and not plain):
            done = False
            continue
        n = w[rider + d.RIDER_SETTLED]
        if n < 0:
            return Reason.NOT_SETTLED
        seat = rider + d.RIDER_SEAT
        row = noted_row(w, w[seat], w[seat + 1])
        added = row
        if row >= 0 and w[rider + d.RIDER_DOUBLE] >= 0:
            added = noted_row(w, w[seat + d.SEAT_WORDS], w[seat + d.SEAT_WORDS + 1])
            row = row if added >= 0 else added
        status = end_of_wager(
            code, known, w, limits, box, rider, row, added, decides, amounts[first + n], n
        )
        if status != 0:
            return status
        w[rider + d.RIDER_DONE] = 1
    if done:
        w[d.R_NOT_DONE] &= ~(1 << box)
    return 0


@inner
def end_of_wager(code, known, w, limits, box, rider, noted, added, decides, returned, n):
    """`noted`, `added`: the rows of the answers about the original wager and about what was added
    to it if the scene was not needed to find them, else -1."""
    stands = noted < 0
    total = np.int64(0)  # in halves
    won = np.int64(0)
    under = np.int64(1)
    row = np.int64(0)
    result = np.int64(0)
    for part in range(w[rider + d.RIDER_DOUBLE] >= 0, -1, -1):  # the other questions come last
        stake = stake_of(w, rider, part)
        if stake > HIGHEST_STAKE:
            return Reason.TOO_LARGE
        if noted >= 0:
            row = added if part else noted
            stands = False
        else:
            row = row_of(code, known, w, limits, box, rider, part, stake)
            if row < 0:
                return s.trouble(row, Q_RESULT)
        if w[row + d.E_QUIET] <= 0:
            status = note_result(known, w, row)
            if status != 0:
                return status
        result = w[row + d.E_SAYS]
        counted = stake
        if w[row + d.E_COUNTED] != ALL_COUNTS and not within_limits(
            code, w, limits, box, c.MAIN, stake
        ):
            if not stands:
                status = set_ending(code, known, w, limits, box, rider, part, stake)
                if status < 0:
                    return s.trouble(status, Q_COUNTED)
                stands = True
            counted = counted_by(code, known, w, row, stake)
            if counted < 0:
                return s.trouble(counted, Q_COUNTED)
        total += 2 * stake
        if result == WINS:
            odds = w[row + d.E_PAYS]
            below = odds % DENOMINATOR_PLACE
            won = won * below + odds // DENOMINATOR_PLACE * counted * under
            under *= below
        elif result == LOSES:
            total -= 2 * min(stake, counted)
        elif result == LOSES_HALF:
            total -= counted
    if won != 0:
        if not stands:
            s.set_limits(w, limits, box, c.MAIN)
            if not by_limits(code, known, w[row + d.E_ROUNDING]):
                status = set_ending(code, known, w, limits, box, rider, 0, stake)
                if status < 0:
                    return s.trouble(status, Q_ROUNDING)
        if w[row + d.E_ROUNDING] < 0:
            w[row + d.E_ROUNDING] = ask(code, known, w, code[w[d.R_PERIOD] + Q_ROUNDING])
        won, under = rounded(code, known, w, w[row + d.E_ROUNDING], won, under)
        if won < 0:
            return -100 - won if won < -100 else s.trouble(won, Q_ROUNDING)
    if total * under + 2 * won != 2 * returned * under:
        w[d.R_DOUBTED] |= 1 << box
    return end_otherwise(known, w, row, box, w[rider + d.RIDER_PLAYER] == decides, result, n)


@inner
def note_result(known, w, row):
    note(known, w, w[row + d.E_RESULT], 1)
    if not is_ok(known, w[row + d.E_RESULT]):
        return ANSWERED + Q_RESULT
    if w[row + d.E_SAYS] == WINS:
        note(known, w, w[row + d.E_ODDS], 1)
        if not is_ok(known, w[row + d.E_ODDS]):
            return ANSWERED + Q_ODDS
    return 0


@inner
def counted_by(code, known, w, row, stake):
    at = w[row + d.E_COUNTED]
    if at < 0:
        at = ask(code, known, w, code[w[d.R_PERIOD] + Q_COUNTED])
        w[row + d.E_COUNTED] = at
    if at >= 0 and known[at + K_FORMULA] < 0 and is_quiet(known, at):
        w[row + d.E_COUNTED] = ALL_COUNTS
    return counted_stake(code, known, w, at, c.MAIN, stake)


@inner
def end_otherwise(known, w, row, box, decides, result, n):
    """All but the amount."""
    quiet = w[row + d.E_QUIET]
    if quiet <= 0:
        status = note_rest(known, w, row, decides, result)
        if status != 0:
            return status
        if quiet == 0:
            w[row + d.E_QUIET] = quiet_row(known, w, row)
    if decides:
        w[d.R_NOT_LEFT] &= ~(1 << box)
    if result != VOID_RESULT and not in_due_time(w, w[row + d.E_TIMES], box, 1, c.MAIN, n):
        return Reason.WRONG_TIME
    return 0


@inner
def note_rest(known, w, row, decides, result):
    if decides:
        at = w[row + d.E_LEFT]
        note(known, w, at, 1)
        if not is_ok(known, at):
            return ANSWERED + Q_LEFT
    at = w[row + d.E_TERM]
    if known[at + K_VALUE] != 0:
        return s.ONE_BY_ONE
    note(known, w, at, 0)
    at = w[row + d.E_BONUS]
    if not is_ok(known, at) or known[at + K_VALUE] >= 0:
        return s.ONE_BY_ONE
    note(known, w, at, 0)
    at = w[row + d.E_SETTLES]
    if at >= 0 and result != VOID_RESULT:
        note(known, w, at, 1)
    at = w[row + d.E_SETTLEMENT]
    if at >= 0:
        note(known, w, at, 1)
        if not is_ok(known, at):
            return ANSWERED + Q_SETTLEMENT
    at = w[row + d.E_OWN]
    if at >= 0:
        note(known, w, at, 1)
        if not is_ok(known, at):
            return ANSWERED + Q_OWN_SETTLEMENT
    return 0


@inner
def quiet_row(known, w, row):
    """1: none of these answers has to be looked at again; 0: not yet."""
    for k in range(d.E_LEFT, d.E_OWN + 1):
        at = w[row + k]
        if at >= 0 and not is_quiet(known, at):
            return 0
    return 1


@inner
def by_limits(code, known, at):
    """Whether it is known how winnings are rounded, and it depends on nothing but the limits."""
    if at < 0:
        return False
    place = known[at + K_FORMULA]
    if place < 0:
        return True
    for k in range(code[place + 2]):
        fact = code[place + 3 + 2 * k]
        if fact < LIMIT_START or fact >= LIMIT_END:
            return False
    return True


@inner
def set_ending(code, known, w, limits, box, rider, part, stake):
    return s.set_scene(
        code,
        known,
        w,
        limits,
        s.needs_of(code, w, Q_ENDING),
        box,
        1,
        w[rider + d.RIDER_PLAYER],
        c.MAIN,
        DOUBLE_PART if part else ORIGINAL,
        stake,
        0,
    )


@inner
def row_of(code, known, w, limits, box, rider, part, stake):
    """Where the answers are noted; the scene stands then. Below 0: one is missing."""
    status = set_ending(code, known, w, limits, box, rider, part, stake)
    if status < 0:
        return status
    program = code[w[d.R_PERIOD] + ENDING]
    if code[program + P_BEFORE]:
        at = terms_before(code, known, w, program, 0)
        if at < 0:
            return at
    first, second = key_of(code, w, program, w[d.R_PLAIN])
    row = noted_row(w, first, second)
    if row >= 0:
        return row
    row = place_of(first, second)
    if w[row + 1] != 0 and w[beside(row) + 1] == 0:
        row = beside(row)
    w[row + 1] = 0
    status = fill_row(code, known, w, row)
    if status < 0:
        return status
    w[row] = first
    w[row + 1] = second
    return row


@inner
def fill_row(code, known, w, row):
    period = w[d.R_PERIOD]
    w[row + d.E_QUIET] = 0
    w[row + d.E_TIMES] = 0
    w[row + d.E_ODDS] = -1
    w[row + d.E_COUNTED] = -1
    w[row + d.E_ROUNDING] = -1
    w[row + d.E_SETTLEMENT] = -1
    w[row + d.E_OWN] = -1
    w[row + d.E_LEFT] = ask(code, known, w, code[period + Q_LEFT])
    w[row + d.E_TERM] = ask(code, known, w, code[period + Q_BONUS_TERM])
    w[row + d.E_BONUS] = ask(code, known, w, code[period + Q_BONUS])
    w[row + d.E_RESULT] = ask(code, known, w, code[period + Q_RESULT])
    w[row + d.E_SETTLES] = ask(code, known, w, code[period + Q_SETTLES])
    lowest = min(
        min(w[row + d.E_LEFT], w[row + d.E_TERM]), min(w[row + d.E_BONUS], w[row + d.E_RESULT])
    )
    if lowest < 0:
        return lowest
    if w[row + d.E_SETTLES] >= 0:
        if not is_ok(known, w[row + d.E_SETTLES]):
            return UNSAYABLE
        w[row + d.E_TIMES] = flags_of(known, w[row + d.E_SETTLES]) >> TIME_SHIFT
    elif code[period + Q_SETTLES] >= 0:
        return w[row + d.E_SETTLES]
    w[row + d.E_SAYS] = known[w[row + d.E_RESULT] + K_VALUE]
    if w[row + d.E_SAYS] == WINS:
        w[row + d.E_ODDS] = ask(code, known, w, code[period + Q_ODDS])
        if w[row + d.E_ODDS] < 0:
            return w[row + d.E_ODDS]
        w[row + d.E_PAYS] = known[w[row + d.E_ODDS] + K_ODDS]
    if code[period + Q_SETTLEMENT] >= 0 and not code[period + SETTLEMENT_IDLE]:
        w[row + d.E_SETTLEMENT] = ask(code, known, w, code[period + Q_SETTLEMENT])
        if w[row + d.E_SETTLEMENT] < 0:
            return w[row + d.E_SETTLEMENT]
    if code[period + Q_OWN_SETTLEMENT] >= 0:
        w[row + d.E_OWN] = ask(code, known, w, code[period + Q_OWN_SETTLEMENT])
        if w[row + d.E_OWN] < 0:
            return w[row + d.E_OWN]
    return 0
