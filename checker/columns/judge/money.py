"""What each wager should get back, against what it got (`settle`, `judge_money`)."""

from __future__ import annotations

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge import scene as s
from checker.columns.judge.amounts import counted_stake, rounded, within_limits
from checker.columns.judge.due_times import as_required, compare, timed
from checker.columns.judge.reasons import ANSWERED, Reason
from checker.columns.judge.results import ask_result, stake_of
from checker.columns.judge.seats import WAGER_MARKS
from checker.columns.judge.table import (
    KEY_BET,
    KEY_BOX_SHIFT,
    KEY_HAND,
    KEY_HAND_SHIFT,
    KEY_PLAYER,
    KEY_PLAYER_SHIFT,
    settle_main,
)
from checker.columns.machine.compile import inner
from checker.columns.machine.units import unit
from checker.columns.rules import fact_groups as g
from checker.columns.rules.head import ASKED_AS, ROUNDS
from checker.columns.rules.lookup import K_ODDS, K_VALUE, ask, flags_of, is_ok, note
from checker.columns.rules.questions import (
    LOSES,
    LOSES_HALF,
    Q_COUNTED,
    Q_ODDS,
    Q_RESULT,
    Q_ROUNDING,
    Q_SETTLES,
    VOID_RESULT,
    WINS,
)
from checker.columns.rules.said import BOUNDED, DENOMINATOR_PLACE
from checker.columns.slots import DOUBLE_PART, ORIGINAL

HIGHEST_STAKE = 10**11  # so that nothing overflows


@unit("nnn")
def match(code, known, w):
    """Each settlement belongs to one wager, and no wager has two. Those of main wagers on a first
    hand are matched already, unless they came before any card."""
    for k in range(w[d.R_SETTLED]):
        key = w[d.Z + d.Z_WIDTH * k]
        n = w[d.Z + d.Z_WIDTH * k + 1]
        box = key >> KEY_BOX_SHIFT
        hand = (key >> KEY_HAND_SHIFT) & KEY_HAND
        player = (key >> KEY_PLAYER_SHIFT) & KEY_PLAYER
        bet = key & KEY_BET
        if bet == c.MAIN:
            if hand > 1 or n < w[d.R_FIRST_CARD]:
                status = settle_main(w, box, hand, player, n)
                if status != 0:
                    return status
            continue
        if not w[d.B + box * d.BOX_WIDTH + d.B_USED]:
            return Reason.NOT_OWED
        place = -1
        if bet == c.INSURANCE:
            for j in range(w[d.R_INSURED]):
                at = d.S + j * d.INSURED_ROW
                if w[at + d.S_BOX] == box and w[at + d.S_PLAYER] == player:
                    place = at + d.S_SETTLED
        elif bet == c.SUPER_BONUS:
            w[d.R_BONUS] += 1
            continue
        else:
            at = first_bet(w, box, player, bet)
            if at >= 0:
                place = at + d.T_SETTLED
        if place < 0:
            return Reason.NOT_OWED
        if w[place] >= 0:
            return Reason.SETTLED_TWICE
        w[place] = n
    return 0


@inner
def first_bet(w, box, player, bet):
    for j in range(w[d.R_BETS]):
        at = d.T + j * d.BET_ROW
        if w[at + d.T_BOX] == box and w[at + d.T_PLAYER] == player and w[at + d.T_BET] == bet:
            return at
    return -1


@unit("nnnniiiii")
def main_wager(code, known, w, limits, box, hand, rider, returned, n):
    """0: the main wager got what it should, when it should."""
    player = w[rider + d.RIDER_PLAYER]
    marks = w[rider + d.RIDER_MARKS]
    period = w[d.R_PERIOD]
    total = 0  # all in halves
    won = 0
    under = 1
    staked = 0
    void = False
    for part in range(1 + (w[rider + d.RIDER_DOUBLE] >= 0)):
        stake = stake_of(w, rider, part)
        if stake > HIGHEST_STAKE:
            return Reason.TOO_LARGE
        at = ask_result(code, known, w, limits, box, hand, rider, part)
        if at < 0:
            return s.trouble(at, Q_RESULT)
        note(known, w, at, 1)
        if not is_ok(known, at):
            return ANSWERED + Q_RESULT
        staked += stake
        result = known[at + K_VALUE]
        if part == 0:
            void = result == VOID_RESULT
        idle = within_limits(code, w, limits, box, c.MAIN, stake)
        needs = 0 if idle else s.needs_of(code, w, Q_COUNTED)
        if result == WINS:
            needs |= s.needs_of(code, w, Q_ODDS)
        which = DOUBLE_PART if part else w[rider + d.RIDER_PART]
        if not idle or result == WINS:
            status = s.set_scene(
                code, known, w, limits, needs, box, hand, player, c.MAIN, which, stake, marks
            )
            if status < 0:
                return s.trouble(status, Q_COUNTED)
        counted = stake
        if not idle:
            at = ask(code, known, w, code[period + Q_COUNTED])
            counted = counted_stake(code, known, w, at, c.MAIN, stake)
            if counted < 0:
                return s.trouble(counted, Q_COUNTED)
        if result == WINS:
            at = ask(code, known, w, code[period + Q_ODDS])
            if at < 0:
                return s.trouble(at, Q_ODDS)
            note(known, w, at, 1)
            if not is_ok(known, at):
                return ANSWERED + Q_ODDS
            below = known[at + K_ODDS] % DENOMINATOR_PLACE
            won = won * below + known[at + K_ODDS] // DENOMINATOR_PLACE * counted * under
            under *= below
            total += 2 * stake
        elif result == LOSES:
            total += 2 * max(stake - counted, 0)
        elif result == LOSES_HALF:
            total += 2 * stake - counted
        else:
            total += 2 * stake
    if won != 0:
        status = s.set_scene(
            code,
            known,
            w,
            limits,
            s.needs_of(code, w, Q_ROUNDING) | g.LIMITS,
            box,
            hand,
            player,
            c.MAIN,
            w[rider + d.RIDER_PART],
            w[rider + d.RIDER_STAKE],
            0,
        )
        if status < 0:
            return s.trouble(status, Q_ROUNDING)
        at = ask(code, known, w, code[period + Q_ROUNDING])
        won, under = rounded(code, known, w, at, won, under)
        if won < 0:
            return -100 - won if won < -100 else s.trouble(won, Q_ROUNDING)
    if total * under + 2 * won != 2 * returned * under:
        w[d.R_DOUBTED] |= 1 << box
    return compare(code, known, w, limits, box, hand, player, c.MAIN, staked, n, void)


@unit("nnnniiiiiii")
def side_bet(code, known, w, limits, bet, box, player, stake, marks, returned, n):
    """0: insurance or a side bet got what it should, when it should."""
    period = w[d.R_PERIOD]
    asked = code[period + ASKED_AS + bet]
    if stake > HIGHEST_STAKE:
        return Reason.TOO_LARGE
    needs = (
        s.needs_of(code, w, Q_RESULT + asked)
        | s.needs_of(code, w, Q_ODDS + asked)
        | s.needs_of(code, w, Q_COUNTED + asked)
        | s.needs_of(code, w, Q_ROUNDING)
        | s.needs_of(code, w, Q_SETTLES + asked)
        | g.LIMITS
    )
    status = s.set_scene(code, known, w, limits, needs, box, 1, player, bet, ORIGINAL, stake, marks)
    if status < 0:
        return s.trouble(status, Q_RESULT + asked)
    at = ask(code, known, w, code[period + Q_RESULT + asked])
    if at < 0:
        return s.trouble(at, Q_RESULT + asked)
    note(known, w, at, 1)
    if not is_ok(known, at):
        return ANSWERED + Q_RESULT + asked
    result = known[at + K_VALUE]
    counted = stake
    if not within_limits(code, w, limits, box, bet, stake):
        at = ask(code, known, w, code[period + Q_COUNTED + asked])
        counted = counted_stake(code, known, w, at, bet, stake)
        if counted < 0:
            return s.trouble(counted, Q_COUNTED + asked)
    due = stake
    under = 1
    if result == WINS:
        at = ask(code, known, w, code[period + Q_ODDS + asked])
        if at < 0:
            return s.trouble(at, Q_ODDS + asked)
        note(known, w, at, 1)
        if not is_ok(known, at):
            return ANSWERED + Q_ODDS + asked
        under = known[at + K_ODDS] % DENOMINATOR_PLACE
        won = known[at + K_ODDS] // DENOMINATOR_PLACE * counted
        if flags_of(known, at) & BOUNDED:
            if code[period + ROUNDS]:
                return Reason.ROUNDING
            least = returned * under >= stake * under + won
            most = known[at + K_VALUE]
            over = most != 0 and (returned - stake) * (most % DENOMINATOR_PLACE) > (
                most // DENOMINATOR_PLACE * counted
            )
            if not least or over:
                w[d.R_DOUBTED] |= 1 << box
            due = returned
            under = 1
        else:
            at = ask(code, known, w, code[period + Q_ROUNDING])
            won, under = rounded(code, known, w, at, won, under)
            if won < 0:
                return -100 - won if won < -100 else s.trouble(won, Q_ROUNDING)
            due = stake * under + won
    elif result == LOSES:
        due = stake - counted
    elif result == LOSES_HALF:
        due = 2 * stake - counted
        under = 2
    if due != returned * under:
        w[d.R_DOUBTED] |= 1 << box
    void = result == VOID_RESULT
    if marks & WAGER_MARKS:
        return compare(code, known, w, limits, box, 1, player, bet, stake, n, void)
    if not void and code[period + Q_SETTLES + asked] != -1:
        status = timed(code, known, w, Q_SETTLES + asked, box, 1, bet, n)
        if status != 0:
            return status
    return as_required(code, known, w, limits, box, 1, player, bet, stake)
