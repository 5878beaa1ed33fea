"""Whether a settlement came when it should, and as the text requires of it (`judge_money`)."""

from __future__ import annotations

import numpy as np

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge import scene as s
from checker.columns.judge.hands import hand_at
from checker.columns.judge.played import part_of
from checker.columns.judge.reasons import ANSWERED, Reason
from checker.columns.judge.table import KEY_BET, KEY_BOX_SHIFT
from checker.columns.machine.compile import inner
from checker.columns.machine.units import unit
from checker.columns.rules.head import ASKED_AS, SETTLEMENT_IDLE
from checker.columns.rules.lookup import ask, flags_of, is_ok, note
from checker.columns.rules.questions import Q_OWN_SETTLEMENT, Q_SETTLEMENT, Q_SETTLES, TIMINGS
from checker.columns.rules.said import TIME_SHIFT
from checker.columns.slots import ORIGINAL

(
    BEFORE_OTHERS,
    AFTER_OTHERS,
    FAR_RIGHT,
    LOSERS_FIRST,
    BEFORE_LOOK,
    BEFORE_THIRD,
    BEFORE_DEALERS_THIRD,
    BEFORE_DEALERS_FOURTH,
) = (1 << k for k in range(5, len(TIMINGS)))


@unit("nnnniiiiiii")
def in_time(code, known, w, limits, question, box, hand, player, bet, stake, n):
    """0: the settlement came when it should."""
    program = code[w[d.R_PERIOD] + question]
    if program == -1:
        return 0
    status = s.set_scene(
        code,
        known,
        w,
        limits,
        s.needs_of(code, w, question),
        box,
        hand,
        player,
        bet,
        ORIGINAL,
        stake,
        0,
    )
    if status < 0:
        return s.trouble(status, question)
    return timed(code, known, w, question, box, hand, bet, n)


@inner
def timed(code, known, w, question, box, hand, bet, n):
    """`in_time` where the scene stands."""
    at = ask(code, known, w, code[w[d.R_PERIOD] + question])
    if at < 0:
        return s.trouble(at, question)
    note(known, w, at, 1)
    if not is_ok(known, at):
        return ANSWERED + question
    times = flags_of(known, at) >> TIME_SHIFT
    return 0 if in_due_time(w, times, box, hand, bet, n) else Reason.WRONG_TIME


@inner
def in_due_time(w, times, box, hand, bet, n):
    """Whether event `n` is at the times that are asked for."""
    dealer = w[d.R_DEALER_DEALS]
    subsequent = w[d.R_SUBSEQUENT]
    if times & 1:  # at once
        if bet != c.MAIN:
            b = d.B + box * d.BOX_WIDTH
            if w[b + d.B_RECEIVED] > 2:
                following = w[d.NEXT_DEAL + w[b + d.B_CARD_N + 2]]
                if following >= 0 and following < n:
                    return False
        else:
            h = hand_at(box, hand)
            count = w[h + d.H_CARDS]
            last = w[h + d.H_N + count - 1]
            if count == 2 and w[h + d.H_SPLIT] == 0:
                last = max(last, w[d.R_INITIAL_END])
            if n < last:
                return False
            following = w[d.NEXT_DEAL + last]
            if following >= 0 and following < n:
                return False
            if last < w[d.D_SHOWN] < n:
                return False
    if bet == c.MAIN:
        h = hand_at(box, hand)
        if w[h + d.H_N + w[h + d.H_CARDS] - 1] > n:
            return False
    elif times & 2 and n < w[d.R_INITIAL_END]:
        return False
    if times & 2 and subsequent >= 0 and n > subsequent:
        return False
    if times & 4 and dealer > 1 and n > w[d.D_N + 1]:
        return False
    if times & 8:
        if dealer > 1 and n < w[d.D_N + 1]:
            return False
        if dealer > 2 and n > w[d.D_N + 2]:
            return False
    if times >> 5 and not in_order(w, w, w, times, box, bet, n):
        return False
    return not (times & 16 and n < max(w[d.R_LAST_CARD], w[d.D_SHOWN]))


@unit("nnniiii")
def in_order(w, known, desk, times, box, bet, n):
    """The same of times that only some rulebooks have; `desk` is `w`."""
    returned = np.int64(0)
    for k in range(w[d.R_SETTLED]):
        at = d.Z + d.Z_WIDTH * k
        returned = w[at + 2] if w[at + 1] == n else returned
    for k in range(w[d.R_SETTLED]):
        at = d.Z + d.Z_WIDTH * k
        other = w[at] & KEY_BET
        earlier = w[at + 1] < n
        if other != bet:
            if (times & BEFORE_OTHERS and earlier) or (times & AFTER_OTHERS and w[at + 1] > n):
                return 0
        elif earlier:
            if times & FAR_RIGHT and w[at] >> KEY_BOX_SHIFT < box:
                return 0
            if times & LOSERS_FIRST and returned == 0 and w[at + 2] > 0:
                return 0
    if times & BEFORE_LOOK and 0 <= w[d.R_LOOKED] < n:
        return 0
    b = d.B + box * d.BOX_WIDTH
    if times & BEFORE_THIRD and w[b + d.B_RECEIVED] > 2 and n > w[b + d.B_CARD_N + 2]:
        return 0
    dealer = w[d.R_DEALER_DEALS]
    if times & BEFORE_DEALERS_THIRD and dealer > 2 and n > w[d.D_N + 2]:
        return 0
    if times & BEFORE_DEALERS_FOURTH and dealer > 3 and n > w[d.D_N + 3]:
        return 0
    return 1


@unit("nnnniiiiiii")
def compare(code, known, w, limits, box, hand, player, bet, stake, n, void):
    """Everything about a settlement but its amount."""
    if not void:
        status = in_time(
            code,
            known,
            w,
            limits,
            Q_SETTLES + code[w[d.R_PERIOD] + ASKED_AS + bet],
            box,
            hand,
            player,
            bet,
            stake,
            n,
        )
        if status != 0:
            return status
    return as_required(code, known, w, limits, box, hand, player, bet, stake)


@inner
def as_required(code, known, w, limits, box, hand, player, bet, stake):
    period = w[d.R_PERIOD]
    split = w[d.B + box * d.BOX_WIDTH + d.B_HANDS] > 1
    status = 0
    if code[period + Q_SETTLEMENT] != -1 and (split or not code[period + SETTLEMENT_IDLE]):
        status = required(code, known, w, limits, Q_SETTLEMENT, box, hand, player, bet, stake)
    own = Q_OWN_SETTLEMENT + code[period + ASKED_AS + bet]
    if status == 0 and code[period + own] != -1:
        status = required(code, known, w, limits, own, box, hand, player, bet, stake)
    return status


@inner
def required(code, known, w, limits, question, box, hand, player, bet, stake):
    status = s.set_scene(
        code,
        known,
        w,
        limits,
        s.needs_of(code, w, question),
        box,
        hand,
        player,
        bet,
        part_of(w, box, hand, player),
        stake,
        0,
    )
    if status < 0:
        return s.trouble(status, question)
    return s.require(code, known, w, question)
