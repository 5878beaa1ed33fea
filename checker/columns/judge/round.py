"""One round, and a batch of them, in machine code."""

from __future__ import annotations

from typing import Final

import numpy as np

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge import deals, played, table, wagers
from checker.columns.judge import events as walk
from checker.columns.judge import scene as s
from checker.columns.judge import table_acts as acts
from checker.columns.judge.bonus import bonuses, find_winners
from checker.columns.judge.dealer_draw import HANDS_DECIDED, NO_EFFECT, draw
from checker.columns.judge.further_cards import PLAYERS_DONE
from checker.columns.judge.hands import NEVER_SHOWN, OVER, hand_at, turn_hole
from checker.columns.judge.money import first_bet, main_wager, match, side_bet
from checker.columns.judge.overview import begin, look_over
from checker.columns.judge.plain_wagers import endings
from checker.columns.judge.reasons import DOUBTED, Reason
from checker.columns.machine.compile import (
    bytes_at,
    compiled,
    fetch,
    inner,
    numbers_at,
    small_numbers_at,
)
from checker.columns.machine.units import unit
from checker.columns.rules.head import MONEY_APART, OWN
from checker.columns.rules.learn import WORDS
from checker.columns.rules.lookup import (
    CLAUSE_SHIFT,
    K_ANSWER,
    KNOWN_WIDTH,
    LACKS,
    LEAVES,
    MISSING,
    TESTS,
)
from checker.columns.rules.questions import Q_OFFERS, Q_VOID
from checker.columns.shoe.follow import SEEN_WIDTH, SHOE_ANNOUNCED, SHOE_WIDTH
from checker.columns.slots import FACT_COUNT, ORIGINAL, UNKNOWN, slot

ONLY_SURRENDERED = slot("dealer.only_surrendered")
STILL_MISSING: Final = -1
EVENTS_FETCHED: Final = 16  # lines of the cache: a usual round
LINE_OF_EVENTS: Final = 2
ANSWER_MASK: Final = (1 << CLAUSE_SHIFT) - 1


@inner
def judge_one(code, known, w, rounds, row, events, amounts, limits, shoes, shoe, seen):
    """0: the plain evaluator would find nothing, but for the money in R_DOUBTED. MISSING: an answer
    has to be found first."""
    status = begin(code, w, rounds, row, limits, shoes, shoe, seen)
    if status != 0:
        return status
    status = look_over(code, w, rounds, row, events, amounts, shoes[shoe + SHOE_ANNOUNCED])
    if status != 0:
        return status
    w[NO_EFFECT] = UNKNOWN
    w[PLAYERS_DONE] = 1
    w[ONLY_SURRENDERED] = 0
    w[HANDS_DECIDED] = 0
    first = rounds[row + c.FIRST_EVENT]
    status = wagers.start_of_deal(code, known, w, limits)
    if status != 0:
        return status
    status = go_through(code, known, w, limits, events, amounts, first)
    if status != 0:
        return status
    if w[d.D_HOLE] >= 0 and not turn_hole(code, w, NEVER_SHOWN):
        return Reason.NO_VALUE
    if w[d.R_UNMATCHED]:
        status = match(code, known, w)
    if status == 0:
        status = endings(code, known, w, limits, amounts, first)
    if status == 0 and w[d.R_NOT_LEFT] and not w[OVER]:
        status = played.leave_hands(code, known, w, limits, events)
    if status == 0 and w[d.R_DEALER_DEALS] > 0 and not w[OVER]:
        status = draw(code, known, w, limits, True, True)
    if status == 0:
        status = walk.warnings(code, known, w, limits)
    if status == 0:
        status = walk.of_each_wager(code, known, w, limits, Q_OFFERS)
    if status == 0:
        w[walk.DONE] = given_back(w, amounts, first)
        status = wagers.ask_here(code, known, w, limits, Q_VOID, 0, 0, -1, c.MAIN, ORIGINAL, 0, 0)
    if status == 0:
        status = money(code, known, w, limits, amounts, first)
    if status == 0 and w[d.R_HITS] > d.MOST_NOTED:
        return Reason.TOO_LONG
    return status


@unit("nnnnsni")
def go_through(code, known, w, limits, events, amounts, first):
    """The events from the first card on, as they come."""
    begins = w[d.R_FIRST_CARD]
    ends = w[d.R_LAST_ACT] + 1
    event = (first + begins) * c.EVENT_WIDTH
    box = np.int64(events[event + c.BOX])
    if w[d.R_MARKER] and box > 0 and w[d.PLACE + box] > 0:
        table.begin_at(w, box)
    for n in range(begins, ends):
        kind = events[event + c.KIND]
        status = 0
        if kind == c.DEAL:
            box = np.int64(events[event + c.BOX])
            if box == 0:
                status = walk.dealer_card(code, known, w, limits, events, event, n)
            elif events[event + c.MARKS] & c.DOWN:
                return Reason.ODD_EVENT
            else:
                status = walk.player_card(code, known, w, limits, events, event, box, n)
        elif kind == c.PLAY:
            last = (first + ends) * c.EVENT_WIDTH
            status = play(code, known, w, limits, events, event, n, last, amounts[first + n])
        elif kind == c.SETTLE:
            w[d.R_SETTLED_YET] += 1
        elif kind == c.REVEAL or kind == c.PEEK:
            status = walk.shown(code, known, w, limits, events, event, n, kind == c.PEEK)
        if status != 0:
            return status
        event += c.EVENT_WIDTH
    w[d.R_SETTLED_YET] = w[d.R_SETTLED]
    if w[d.R_WAITING]:
        return Reason.NOT_ASKED
    if w[d.R_LAST_OFFER] > w[d.R_SUBSEQUENT] >= 0:
        return Reason.ODD_EVENT  # an offer that comes late has consequences
    return 0


@inner
def given_back(w, amounts, first):
    """Every main wager got its money back, which is as good as a void round."""
    if w[d.R_SETTLED] == 0:
        return UNKNOWN
    for k in range(w[d.R_AROUND]):
        box = w[d.AROUND + k]
        for hand in range(1, w[d.B + box * d.BOX_WIDTH + d.B_HANDS] + 1):
            h = hand_at(box, hand)
            for j in range(w[h + d.H_RIDERS]):
                rider = h + d.H_RIDER + j * d.RIDER_WIDTH
                n = w[rider + d.RIDER_SETTLED]
                stake = w[rider + d.RIDER_STAKE] + max(w[rider + d.RIDER_DOUBLE], 0)
                if (amounts[first + n] if n >= 0 else 0) != stake:
                    return 0
    return 1


@unit("nnnnsiiii")
def play(code, known, w, limits, events, event, n, end, stake):
    """The play of event `n`; `stake` below 0: not stated."""
    box = np.int64(events[event + c.BOX])
    hand = np.int64(events[event + c.HAND])
    b = d.B + box * d.BOX_WIDTH
    if not w[b + d.B_USED] or hand > w[b + d.B_HANDS]:
        return Reason.OUT_OF_ORDER
    if w[d.R_TO_COME] != 0 and code[w[d.R_PERIOD] + OWN]:
        return Reason.OUT_OF_ORDER  # the initial deal is then over before all of it was dealt
    player = np.int64(events[event + c.PLAYER])
    do = np.int64(events[event + c.WHAT])
    if do <= c.SPLIT:
        waits = w[hand_at(box, hand) + d.H_ASKED]
        if waits and not (do == c.DOUBLE and waits == played.DOUBLE_ASKED):
            return Reason.OUT_OF_TURN
        if not table.decides_in_turn(w, box, hand, n):
            return Reason.OUT_OF_TURN
    status = played.judge_play(
        code, known, w, limits, box, hand, player, do, max(stake, 0), events, event, end
    )
    if status != 0:
        return status
    if do == c.HIT or do == c.DOUBLE:
        status = played.ask_card(w, hand_at(box, hand), do)
        if status != 0:
            return status
    return acts.play(w, box, hand, player, do, stake)


@inner
def money(code, known, w, limits, amounts, first):
    done = w[d.R_NOT_DONE] == 0
    status = 0 if done else main_wagers(code, known, w, limits, amounts, first)
    if status != 0:
        return status
    for k in range(w[d.R_BETS]):
        t = d.T + k * d.BET_ROW
        bet = w[t + d.T_BET]
        if bet == c.MAIN or first_bet(w, w[t + d.T_BOX], w[t + d.T_PLAYER], bet) != t:
            continue
        n = w[t + d.T_SETTLED]
        if n < 0:
            return Reason.NOT_SETTLED
        stake = 0
        for j in range(k, w[d.R_BETS]):
            other = d.T + j * d.BET_ROW
            if (
                w[other + d.T_BOX] == w[t + d.T_BOX]
                and w[other + d.T_BET] == bet
                and w[other + d.T_PLAYER] == w[t + d.T_PLAYER]
            ):
                stake += w[other + d.T_STAKE]
        status = side_bet(
            code,
            known,
            w,
            limits,
            bet,
            w[t + d.T_BOX],
            w[t + d.T_PLAYER],
            stake,
            w[t + d.T_MARKS],
            amounts[first + n],
            n,
        )
        if status != 0:
            return status
    for k in range(w[d.R_INSURED]):
        at = d.S + k * d.INSURED_ROW
        n = w[at + d.S_SETTLED]
        if n < 0:
            return Reason.NOT_SETTLED
        status = side_bet(
            code,
            known,
            w,
            limits,
            c.INSURANCE,
            w[at + d.S_BOX],
            w[at + d.S_PLAYER],
            w[at + d.S_STAKE],
            0,
            amounts[first + n],
            n,
        )
        if status != 0:
            return status
    if done and w[d.R_BONUS] == 0:
        return 0
    return bonuses(code, known, w, limits, amounts, first)


@inner
def fetch_round(rounds, events, amounts, shoes, seen, i):
    """The next round is on its way while this one is judged."""
    first = rounds[i * c.ROUND_WIDTH + c.FIRST_EVENT]
    for k in range(EVENTS_FETCHED):
        fetch(events, (first + LINE_OF_EVENTS * k) * c.EVENT_WIDTH)
    for k in range(0, LINE_OF_EVENTS * EVENTS_FETCHED, 8):
        fetch(amounts, first + k)
    players = rounds[i * c.ROUND_WIDTH + c.FIRST_PLAYER] * SEEN_WIDTH
    for k in range(4):
        fetch(seen, players + 8 * k)
    for k in range(0, SHOE_WIDTH, 8):
        fetch(shoes, i * SHOE_WIDTH + k)
    fetch(rounds, (i + 2) * c.ROUND_WIDTH)
    fetch(rounds, (i + 2) * c.ROUND_WIDTH + 8)


@unit("nnnnni")
def main_wagers(code, known, w, limits, amounts, first):
    """Those that have to be judged question by question."""
    status = find_winners(code, known, w, limits)
    if status != 0:
        return status
    for k in range(w[d.R_AROUND]):
        box = w[d.AROUND + k]
        if not (w[d.R_NOT_DONE] >> box) & 1:
            continue
        for hand in range(1, w[d.B + box * d.BOX_WIDTH + d.B_HANDS] + 1):
            h = hand_at(box, hand)
            for j in range(w[h + d.H_RIDERS]):
                rider = h + d.H_RIDER + j * d.RIDER_WIDTH
                if w[rider + d.RIDER_DONE]:
                    continue
                n = w[rider + d.RIDER_SETTLED]
                if n < 0:
                    return Reason.NOT_SETTLED
                status = main_wager(code, known, w, limits, box, hand, rider, amounts[first + n], n)
                if status != 0:
                    return status
    return 0


@compiled
def judge_rows(
    code_array,
    known_array,
    desk,
    rounds_array,
    events_array,
    amounts_array,
    limits_array,
    shoes_array,
    seen_array,
    periods,
    which,
    reasons,
    wagers,
    tested,
    unchecked,
    words,
    counts,
    last,
    misses,
    once,
):
    """Judge the rounds `which`; the reasons of those that are passed are 0, and from DOUBTED up
    where the plain evaluator need only look at some of the money. Answers that are missing go into
    `misses` (the program, then the facts); those rounds get STILL_MISSING. `once`: what
    an answer puts to the test is to be told once, not in every batch."""
    code = numbers_at(code_array)
    known = numbers_at(known_array)
    w = numbers_at(desk)
    rounds = numbers_at(rounds_array)
    events = small_numbers_at(events_array)
    amounts = numbers_at(amounts_array)
    limits = numbers_at(limits_array)
    shoes = numbers_at(shoes_array)
    seen = numbers_at(seen_array)
    if w[d.R_PLACES] != len(known_array) // KNOWN_WIDTH:
        w[d.R_PLACES] = len(known_array) // KNOWN_WIDTH
        for k in range(d.ENDINGS, d.DESK_SIZE):  # the answers stand elsewhere now
            w[k] = 0
    w[d.R_LIMITS] = -1  # those of another batch
    w[d.R_LIMITS_OF] = 0
    w[d.R_TABLE_LIMITS] = -1
    deals.no_deal(w)
    found = 0
    for k in range(len(which)):
        i = which[k]
        row = i * c.ROUND_WIDTH
        if k + 1 < len(which):
            fetch_round(rounds, events, amounts, shoes, seen, which[k + 1])
        if rounds[row + c.STATUS] != c.PLAIN:
            reasons[i] = Reason.HOLDS_MORE
            continue
        period = periods[i]
        if period < 0:
            reasons[i] = Reason.NO_TEXT
            continue
        w[d.R_PERIOD] = period
        w[d.R_ONE_BY_ONE] = 0
        status = judge_one(
            code, known, w, rounds, row, events, amounts, limits, shoes, i * SHOE_WIDTH, seen
        )
        if status == s.ONE_BY_ONE:
            w[d.R_ONE_BY_ONE] = 1
            status = judge_one(
                code, known, w, rounds, row, events, amounts, limits, shoes, i * SHOE_WIDTH, seen
            )
        if status == MISSING:
            reasons[i] = STILL_MISSING
            if found < len(misses):
                misses[found, 0] = w[d.R_MISSED]
                for k in range(FACT_COUNT):
                    misses[found, 1 + k] = w[d.MISS + k]
            found += 1
            continue
        if status == 0 and w[d.R_DOUBTED]:
            status = DOUBTED + w[d.R_DOUBTED] if code[period + MONEY_APART] else Reason.WRONG_AMOUNT
        reasons[i] = status
        if status == 0 or status >= DOUBTED:
            wagers[i] = w[d.R_BETS]
            commit(
                known,
                w,
                i,
                bytes_at(tested),
                numbers_at(unchecked),
                numbers_at(words),
                len(words),
                numbers_at(counts),
                numbers_at(last),
                once,
            )
    return found


@inner
def commit(known, w, i, tested, unchecked, words, used, counts, last, once):
    """A round is passed, at least but for its money: count what it put to the test and what it left
    unchecked."""
    word = np.int64(0)
    for k in range(1, used):
        words[k] = 0
    for k in range(w[d.R_HITS]):
        at = w[d.NOTED + 2 * k]
        asked = w[d.NOTED + 2 * k + 1]
        answer = known[at + K_ANSWER] & ANSWER_MASK
        left = known[at + K_ANSWER] >> CLAUSE_SHIFT
        if asked:
            tested[answer] = 1
            if once and left == TESTS:
                known[at + K_ANSWER] = answer  # counted: it need not be noted again
        if left & (LACKS | LEAVES if asked else LACKS):
            word |= unchecked[(2 * answer + 1) * WORDS]
            if asked:
                word |= unchecked[2 * answer * WORDS]
            for j in range(1, used):  # one word mostly does
                words[j] |= unchecked[(2 * answer + 1) * WORDS + j]
                if asked:
                    words[j] |= unchecked[2 * answer * WORDS + j]
    words[0] = word
    for j in range(used):
        bits = words[j]
        place = 62 * j
        while bits:
            if bits & 1:
                counts[place] += 1
                last[place] = max(last[place], i)
            bits >>= 1
            place += 1
