"""What each wager should get back, against what it got, and when (`settle`, `judge_money`)."""

from __future__ import annotations

import numpy as np

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge import facts as f
from checker.columns.judge import scene as s
from checker.columns.judge.events import part_of
from checker.columns.judge.hands import (
    ASKED_AS,
    COUNTED_IDLE,
    ROUNDS,
    SETTLEMENT_IDLE,
    hand_at,
)
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
from checker.columns.rules.answers import (
    BOUNDED,
    CAP_SHIFT,
    DENOMINATOR_PLACE,
    TIME_SHIFT,
    UNCHECKED,
)
from checker.columns.rules.lookup import (
    K_FORMULA,
    K_ODDS,
    K_VALUE,
    UNSAYABLE,
    ask,
    flags_of,
    is_ok,
    note,
)
from checker.columns.rules.questions import (
    LOSES,
    LOSES_HALF,
    Q_COUNTED,
    Q_ODDS,
    Q_OWN_SETTLEMENT,
    Q_RESULT,
    Q_ROUNDING,
    Q_SETTLEMENT,
    Q_SETTLES,
    TIMINGS,
    VOID_RESULT,
    WINS,
)
from checker.columns.slots import DOUBLE_PART, ORIGINAL, UNKNOWN

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
HIGHEST_STAKE = 10**11  # so that nothing overflows
NOT_KNOWN = -(2**62)


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


@inner
def formula(code, w, at):
    """The amount that a rule names, NOT_KNOWN when a fact of it is not known; and where it ends."""
    value = code[at]
    parts = code[at + 1]
    at += 2
    known = True
    for _ in range(parts):
        one = w[code[at]]
        known = known and one != UNKNOWN
        value += one * code[at + 1]
        at += 2
    return (value if known else NOT_KNOWN), at


@inner
def within_limits(code, w, limits, box, bet, stake):
    """All of the wager counts: it is within the limits, and no rule then says otherwise."""
    period = w[d.R_PERIOD]
    if not code[period + COUNTED_IDLE + code[period + ASKED_AS + bet]]:
        return False
    row = w[d.R_LIMITS] * c.LIMIT_WIDTH
    base = row + c.LIMIT_FIELDS * f.measured_by(bet)
    low = limits[base + c.LIMIT_MIN]
    most = limits[base + c.LIMIT_MAX]
    stated = limits[row + c.BOX_MAX + box] >= 0
    return low >= 0 and stake >= low and most >= 0 and stake <= most and not stated


@inner
def counted_stake(code, known, w, at, bet, stake):
    """How much of the wager is in play, by the answer `at`; below 0: it is missing, or clauses give
    several amounts."""
    if at < 0:
        return at
    if not is_ok(known, at):
        return UNSAYABLE
    counted = stake
    place = known[at + K_FORMULA]
    if place >= 0:
        terms = code[place]
        place += 1
        caps = flags_of(known, at) >> CAP_SHIFT
        base = stake  # as it is deemed to be
        told = NOT_KNOWN
        for k in range(terms):
            value, place = formula(code, w, place)
            if k == terms - caps:
                base = counted
                told = NOT_KNOWN
            if value == NOT_KNOWN:
                continue
            if k >= terms - caps:
                value = min(base, value)
            if told != NOT_KNOWN and told != value:
                return UNSAYABLE
            told = value
            counted = value
    note(known, w, at, 1 if counted != stake and bet == c.MAIN else 0)
    return counted if counted >= 0 else UNSAYABLE


@inner
def rounded(code, known, w, at, won, under):
    """Winnings of `won` / `under` as they can be paid; the fraction, and below 0 a reason. `at`:
    the answer to how they are rounded."""
    if at < 0:
        return at, under
    if not is_ok(known, at):
        return -100 - Reason.ROUNDING, under
    note(known, w, at, 0)
    direction = known[at + K_VALUE]
    place = known[at + K_FORMULA]
    if place < 0:
        chip = w[f.LIMIT_CHIP]
        if (
            flags_of(known, at) & UNCHECKED
            and chip != UNKNOWN
            and chip > 0
            and won % (chip * under) != 0
        ):
            return -100 - Reason.ROUNDING, under
        return won, under
    unit, place = formula(code, w, place + 1)
    if unit <= 0:  # NOT_KNOWN too
        return won, under
    whole = won // (unit * under)
    if direction == 2 and won % (unit * under) != 0:
        whole += 1
    return unit * whole, 1


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
    if times & 6 and bet == c.MAIN:
        h = hand_at(box, hand)
        if w[h + d.H_N + w[h + d.H_CARDS] - 1] > n:
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
