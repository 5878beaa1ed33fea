"""One round, and a batch of them, in machine code."""

from __future__ import annotations

from typing import Final

import numpy as np

from checker.columns import acts, deals, table, wagers, walk
from checker.columns import desk as d
from checker.columns import layout as c
from checker.columns import scenes as s
from checker.columns.ask import (
    CLAUSE_SHIFT,
    K_ANSWER,
    KNOWN_WIDTH,
    LACKS,
    LEAVES,
    MISSING,
    TESTS,
)
from checker.columns.bonus import bonuses, find_winners
from checker.columns.compiled import compiled, inner, numbers_at, small_numbers_at
from checker.columns.draw import NO_EFFECT, PLAYERS_DONE, draw
from checker.columns.endings import endings
from checker.columns.features import FACT_COUNT, ORIGINAL, UNKNOWN, slot
from checker.columns.hands import hand_at
from checker.columns.money import first_bet, main_wager, match, side_bet
from checker.columns.questions import Q_VOID
from checker.columns.shoe_pass import (
    SEEN_CARDS_SEEN,
    SEEN_WIDTH,
    SHOE_ANNOUNCED,
    SHOE_FACTS,
    SHOE_KNOWN,
    SHOE_WARNS,
    SHOE_WIDTH,
)

ONLY_SURRENDERED = slot("dealer.only_surrendered")
STILL_MISSING: Final = -1
ANSWER_MASK: Final = (1 << CLAUSE_SHIFT) - 1


@inner
def judge_one(code, known, w, rounds, row, events, amounts, limits, shoes, shoe, seen):
    """0: the plain evaluator would find nothing. MISSING: an answer has to be found first."""
    status = table.begin(w, rounds, row, events, limits, shoes[shoe + SHOE_ANNOUNCED])
    if status != 0:
        return status
    for k in range(SHOE_FACTS):
        w[walk.SHOE_SLOTS[k]] = shoes[shoe + k]
    w[d.R_KNOWN] = shoes[shoe + SHOE_KNOWN]
    w[d.R_WARNS] |= shoes[shoe + SHOE_WARNS]
    w[d.R_CARDS_SEEN] = shoes[shoe + SEEN_CARDS_SEEN]
    players = rounds[row + c.FIRST_PLAYER]
    for k in range(rounds[row + c.PLAYERS]):
        p = d.P + k * d.PLAYER_ROW
        for j in range(SEEN_WIDTH):
            w[p + d.P_LATE + j] = seen[(players + k) * SEEN_WIDTH + j]
    call = w[table.CALL_MADE]
    deals.no_deal(w)
    w[table.CALL_MADE] = call
    w[NO_EFFECT] = UNKNOWN
    w[PLAYERS_DONE] = 1
    w[ONLY_SURRENDERED] = 0
    first = rounds[row + c.FIRST_EVENT]
    started = False
    for n in range(rounds[row + c.EVENTS]):
        e = first + n
        kind = events[e * c.EVENT_WIDTH + c.KIND]
        box = np.int64(events[e * c.EVENT_WIDTH + c.BOX])
        if kind == c.DEAL:
            if not started:
                started = True
                status = wagers.start_of_deal(code, known, w, limits)
                if status != 0:
                    return status
            status = walk.deal(
                code, known, w, limits, events, box, np.int64(events[e * c.EVENT_WIDTH + c.HAND]),
                np.int64(events[e * c.EVENT_WIDTH + c.CARD]),
                np.int64(events[e * c.EVENT_WIDTH + c.COPIES]), n,
            )  # fmt: skip
        elif kind == c.PLAY:
            if not started:
                return s.OUT_OF_ORDER
            last = first + rounds[row + c.EVENTS]
            status = play(code, known, w, limits, events, amounts, e, last)
        elif kind == c.WAGER:
            status = table.add_wager(
                w, box, np.int64(events[e * c.EVENT_WIDTH + c.PLAYER]),
                np.int64(events[e * c.EVENT_WIDTH + c.WHAT]), amounts[e],
                np.int64(events[e * c.EVENT_WIDTH + c.MARKS]), n,
            )  # fmt: skip
        elif kind == c.SETTLE:
            count = w[d.R_SETTLED]
            if count >= d.MOST_SETTLED:
                return s.TOO_LARGE
            hand = max(np.int64(events[e * c.EVENT_WIDTH + c.HAND]), 1)
            w[d.Z + 2 * count] = walk.wager_key(
                box, hand, np.int64(events[e * c.EVENT_WIDTH + c.PLAYER]),
                np.int64(events[e * c.EVENT_WIDTH + c.WHAT]),
            )
            w[d.Z + 2 * count + 1] = n
            w[d.R_SETTLED] = count + 1
        elif kind == c.NO_MORE_BETS:
            w[d.R_CALLED] = 1
        elif kind == c.OFFER:
            if w[d.R_SUBSEQUENT] >= 0:
                return s.ODD_EVENT  # an offer that comes late has consequences
        if status != 0:
            return status
    status = match(w)
    if status == 0:
        status = endings(code, known, w, limits, amounts, first)
    if status == 0:
        status = walk.leave_hands(code, known, w, limits, events)
    if status == 0 and w[d.R_DEALER_DEALS] > 0:
        status = draw(code, known, w, limits, True, True)
    if status == 0:
        status = walk.warnings(code, known, w, limits)
    if status == 0:
        w[walk.DONE] = given_back(w, amounts, first)
        status = wagers.ask_here(
            code, known, w, limits, Q_VOID, 0, 0, -1, c.MAIN, ORIGINAL, 0, 0
        )
    if status == 0:
        status = money(code, known, w, limits, amounts, first)
    if status == 0 and w[d.R_HITS] > d.MOST_NOTED:
        return s.TOO_LONG
    return status


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


@inner
def play(code, known, w, limits, events, amounts, e, end):
    box = np.int64(events[e * c.EVENT_WIDTH + c.BOX])
    hand = np.int64(events[e * c.EVENT_WIDTH + c.HAND])
    b = d.B + box * d.BOX_WIDTH
    if not w[b + d.B_USED] or hand > w[b + d.B_HANDS]:
        return s.OUT_OF_ORDER
    player = np.int64(events[e * c.EVENT_WIDTH + c.PLAYER])
    do = np.int64(events[e * c.EVENT_WIDTH + c.WHAT])
    stake = amounts[e]  # below 0: not stated
    status = walk.judge_play(
        code, known, w, limits, box, hand, player, do, max(stake, 0), events, e, end
    )
    if status != 0:
        return status
    if do == c.HIT or do == c.DOUBLE:
        w[hand_at(box, hand) + d.H_SERVED] = 1
    return acts.play(w, box, hand, player, do, stake)


@inner
def money(code, known, w, limits, amounts, first):
    status = find_winners(code, known, w, limits)
    if status != 0:
        return status
    for k in range(w[d.R_AROUND]):
        box = w[d.AROUND + k]
        for hand in range(1, w[d.B + box * d.BOX_WIDTH + d.B_HANDS] + 1):
            h = hand_at(box, hand)
            for j in range(w[h + d.H_RIDERS]):
                rider = h + d.H_RIDER + j * d.RIDER_WIDTH
                if w[rider + d.RIDER_DONE]:
                    continue
                n = w[rider + d.RIDER_SETTLED]
                if n < 0:
                    return s.NOT_SETTLED
                status = main_wager(
                    code, known, w, limits, box, hand, rider, amounts[first + n], n
                )
                if status != 0:
                    return status
    for k in range(w[d.R_BETS]):
        t = d.T + k * d.BET_ROW
        bet = w[t + d.T_BET]
        if bet == c.MAIN or first_bet(w, w[t + d.T_BOX], w[t + d.T_PLAYER], bet) != t:
            continue
        n = w[t + d.T_SETTLED]
        if n < 0:
            return s.NOT_SETTLED
        stake = 0
        for j in range(k, w[d.R_BETS]):
            other = d.T + j * d.BET_ROW
            if (w[other + d.T_BOX] == w[t + d.T_BOX] and w[other + d.T_BET] == bet
                    and w[other + d.T_PLAYER] == w[t + d.T_PLAYER]):  # fmt: skip
                stake += w[other + d.T_STAKE]
        status = side_bet(
            code, known, w, limits, bet, w[t + d.T_BOX], w[t + d.T_PLAYER], stake,
            w[t + d.T_MARKS], amounts[first + n], n,
        )  # fmt: skip
        if status != 0:
            return status
    for k in range(w[d.R_INSURED]):
        at = d.S + k * d.INSURED_ROW
        n = w[at + d.S_SETTLED]
        if n < 0:
            return s.NOT_SETTLED
        status = side_bet(
            code, known, w, limits, c.INSURANCE, w[at + d.S_BOX], w[at + d.S_PLAYER],
            w[at + d.S_STAKE], 0, amounts[first + n], n,
        )  # fmt: skip
        if status != 0:
            return status
    return bonuses(code, known, w, limits, amounts, first)


@compiled
def judge_rows(code_array, known_array, desk, rounds_array, events_array, amounts_array,
               limits_array, shoes_array, seen_array, periods, which, reasons, wagers, tested,
               unchecked, words, counts, last, misses, once):  # fmt: skip
    """Judge the rounds `which`; the reasons of those that are passed are 0. Answers that are
    missing go into `misses` (the program, then the facts); those rounds get STILL_MISSING.
    `once`: what an answer puts to the test is to be told once, not in every batch."""
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
    found = 0
    for i in which:
        row = i * c.ROUND_WIDTH
        if rounds[row + c.STATUS] != c.PLAIN:
            reasons[i] = s.HOLDS_MORE
            continue
        period = periods[i]
        if period < 0:
            reasons[i] = s.NO_TEXT
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
        reasons[i] = status
        if status == 0:
            wagers[i] = w[d.R_BETS]
            commit(known, w, i, tested, unchecked, words, counts, last, once)
    return found


@inner
def commit(known, w, i, tested, unchecked, words, counts, last, once):
    """A round is passed: count what it put to the test and what it left unchecked."""
    for k in range(len(words)):
        words[k] = 0
    for k in range(w[d.R_HITS]):
        at = w[d.NOTED + 2 * k]
        answer = known[at + K_ANSWER] & ANSWER_MASK
        left = known[at + K_ANSWER] >> CLAUSE_SHIFT
        asked = w[d.NOTED + 2 * k + 1]
        if asked:
            tested[answer] = 1
            if once and left == TESTS:
                known[at + K_ANSWER] = answer  # counted: it need not be noted again
        if left & LACKS or (left & LEAVES and asked):
            for j in range(len(words)):
                words[j] |= unchecked[answer, 1, j]
                if asked:
                    words[j] |= unchecked[answer, 0, j]
    for j in range(len(words)):
        bits = words[j]
        place = 62 * j
        while bits:
            if bits & 1:
                counts[place] += 1
                last[place] = max(last[place], i)
            bits >>= 1
            place += 1


