"""Putting a scene together in the working memory, and asking a question of it."""

from __future__ import annotations

from typing import Final

import numpy as np

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge import facts as f
from checker.columns.judge.facts import two_bits
from checker.columns.judge.hands import fill_hand, fill_rider, hand_at, is_plain
from checker.columns.judge.made import fill_made
from checker.columns.judge.reasons import ANSWERED, CANNOT_ASK
from checker.columns.judge.seats import (
    WAGER_MARKS,
    decider,
    fill_player,
    fill_seat,
    keep_seat,
    room_of_none,
    seat_at,
    take_seat,
)
from checker.columns.machine.compile import inner
from checker.columns.machine.units import unit
from checker.columns.rules import fact_groups as g
from checker.columns.rules.head import ASKED_AS, NEEDS, OFFERED_WITH
from checker.columns.rules.lookup import MISSING, NOT_THERE, UNSAYABLE, ask, flags_of, is_ok, note
from checker.columns.rules.questions import Q_RESULT
from checker.columns.rules.said import DECIDED, INTERIM, PAID_EARLY
from checker.columns.slots import DOUBLE_PART, MOST_STAKED, ORIGINAL, PLAYER_HAS, UNKNOWN, slot

EARLY_WIN: Final = 2  # of a hand settled before the dealer draws; 1 is any other result
ONE_BY_ONE: Final = -20  # not a reason: the round is to be judged again, question by question

SPLIT_ANSWERED = slot("wager.split_answered")
OF_OFFER = slot("wager.of_offer")
MISSED_FIRST = slot("dealer.missed_first")
ONLY_SURRENDERED = slot("dealer.only_surrendered")


@inner
def trouble(at, question):
    return MISSING if at == MISSING else CANNOT_ASK + question


@inner
def require(code, known, w, question):
    """0: nothing to find."""
    program = code[w[d.R_PERIOD] + question]
    if program == NOT_THERE:
        return 0
    at = ask(code, known, w, program)
    if at < 0:
        return trouble(at, question)
    note(known, w, at, 1)
    return 0 if is_ok(known, at) else ANSWERED + question


@inner
def needs_of(code, w, question):
    return code[w[d.R_PERIOD] + NEEDS + question]


@inner
def set_limits(w, limits, box, bet):
    of = (w[d.R_LIMITS] + 1) << 12 | w[d.R_BOX_LIMITS] * box << 6 | bet
    if w[d.R_LIMITS_OF] != of:
        w[d.R_LIMITS_OF] = of
        f.fill_limits(w, limits, box, bet)


@inner
def set_box(w, box, bet):
    here = w[d.R_BOX_STAMP] << 12 | box << 6 | bet
    if w[d.R_BOX_OF] != here:
        f.fill_box(w, box, bet)
        w[d.R_BOX_OF] = here
    return here << 8


@inner
def set_seat(w, limits, box, player, k, stake, marks):
    """A player with a main wager on the box, its `k`-th rider: what the facts are will stay so."""
    set_limits(w, limits, box, c.MAIN)
    seat = set_box(w, box, c.MAIN) | player
    b = d.B + box * d.BOX_WIDTH
    if w[b + d.B_MAIN] == w[b + d.B_PLAYERS]:  # one wager each
        fill_seat(w, box, player, 0, w[f.LIMIT_BOX_MAX], stake, 1, two_bits(marks, c.SEATED_SHIFT))
    else:
        fill_player(w, box, player, c.MAIN, 0, w[f.LIMIT_BOX_MAX])
    w[SPLIT_ANSWERED] = 1  # no hand is split yet
    keep_seat(w, seat_at(box, k))
    w[d.R_SEAT_OF] = seat


@unit("nnnniiiiiiii")
def set_scene(code, known, w, limits, needs, box, hand, player, bet, part, stake, marks):
    """`box` 0, `hand` 0 and `player` -1 stand for none. Below 0: an answer is missing."""
    if needs & g.LIMITS:
        set_limits(w, limits, box, bet)
    w[f.PART] = part
    if needs & g.STAKE:
        f.fill_stake(w, stake, needs & g.UNITS)
        w[f.AFTER_CALL] = 0
    if needs & (g.BOX | g.PLAYER):
        if box == 0:
            if w[d.R_BOX_OF] != d.NO_BOX:
                f.no_box(w)
                w[d.R_BOX_OF] = d.NO_BOX
                w[d.R_SEAT_OF] = -1
            w[d.R_HAND_OF] = -1  # some facts of a box are told with its hands
            w[f.BOX_DOUBLED_BEFORE] = UNKNOWN
            w[f.FIRST_OF_PLAYER] = 0
        else:
            seat = set_box(w, box, bet) | player
            if player >= 0:
                if needs & g.PLAYER and (w[d.R_SEAT_OF] != seat or marks & WAGER_MARKS):
                    side = bet == c.PERFECT_PAIRS or bet == c.SUPER_SEVENS or bet >= c.FIRST_OWN
                    if side or not take_seat(w, box, player, bet, marks):
                        fill_player(w, box, player, bet, marks, w[f.LIMIT_BOX_MAX])
                    w[d.R_SEAT_OF] = -1 if marks & WAGER_MARKS else seat
            else:
                w[d.R_BOX_OF] = -1
                w[d.R_SEAT_OF] = -1
                someone = w[f.SOMEONE_SEATED]
                equal = w[f.EQUAL]
                for k in range(f.PLAYER_START, f.PLAYER_END):
                    w[k] = UNKNOWN
                w[f.SOMEONE_SEATED] = someone
                w[f.EQUAL] = equal
                w[f.PLAYER_BOXES] = 0
                w[f.WARNED] = 0 if w[d.R_KNOWN] else UNKNOWN
                w[f.WAGER_ORIGINAL] = UNKNOWN
                w[f.WITH_MAIN] = UNKNOWN
                w[f.WITH_PAIRS] = UNKNOWN
                w[f.ROOM] = room_of_none(w, box, w[f.LIMIT_BOX_MAX])
                w[f.IN_ORDER] = UNKNOWN
        w[SPLIT_ANSWERED] = split_answered(w, box, player)
    if needs & g.CARDS_OF_BOX:
        f.fill_cards_of_box(w, box)
    if needs & g.HAND:
        if hand == 0:
            f.no_hand(w)
            w[f.BOX_DOUBLED_BEFORE] = 0 if box > 0 else UNKNOWN
            w[f.FIRST_OF_PLAYER] = 0
        else:
            w[f.STANDS_FOR_ORIGINAL] = 0
            if w[d.R_HAND] != hand_at(box, hand) or w[d.R_HAND_OF] != w[d.R_STAMP]:
                status = fill_hand(code, known, w, box, hand)
                if status < 0:
                    return status
            if player >= 0:
                fill_rider(w, box, hand, player)
            else:
                w[f.W_DOUBLED] = 0
                w[f.W_SURRENDERED] = 0
                w[f.W_FORFEITED] = 0
                w[f.ANOTHER_FORFEITED] = 0
                w[f.W_EVEN] = 0
                w[f.FIRST_OF_PLAYER] = 0
        w[f.PLAYER_WON] = w[d.P + player * d.PLAYER_ROW + d.P_BONUS] if player >= 0 else 0
        w[d.R_PLAIN] = hand == 1 and w[f.PLAYER_WON] == 0 and is_plain(w, hand_at(box, 1))
    elif needs & g.MARKS:
        f.fill_marks(w, box, hand)
        w[d.R_PLAIN] = 0
    if needs & g.MISSED_FIRST:
        w[MISSED_FIRST] = missed_first(w)
    if needs & g.HAS:
        fill_has(code, w, box, player)
    if needs & g.OFFER:
        w[OF_OFFER] = staked_with(code, w, box, player, bet)
    if needs >> g.MADE_SHIFT:
        fill_made(code, known, w, needs, box, hand)
    if needs & g.ORIGINAL and hand > 1 and player >= 0 and part != DOUBLE_PART:
        found = stands_for_original(code, known, w, box, hand, player)
        if found < 0:
            return found
        w[f.PART] = part
        status = fill_hand(code, known, w, box, hand)
        fill_rider(w, box, hand, player)
        w[f.STANDS_FOR_ORIGINAL] = found
    return 0


@inner
def split_answered(w, box, player):
    """As `of_other_wagers` has it, where nobody has named a hand."""
    if box == 0 or player < 0:
        return np.int64(UNKNOWN)
    b = d.B + box * d.BOX_WIDTH
    hands = w[b + d.B_HANDS]
    if hands < 2 or player == w[b + d.B_CONTROLLER] or player == decider(w, box):
        return np.int64(1)
    riding = np.int64(0)
    for hand in range(2, hands + 1):
        riding |= (w[hand_at(box, hand) + d.H_RIDING] >> player) & 1
    return riding


@inner
def fill_has(code, w, box, player):
    for k in range(MOST_STAKED):
        w[PLAYER_HAS + k] = 0
    for k in range(w[d.R_BETS]):
        t = d.T + k * d.BET_ROW
        if w[t + d.T_BOX] == box and w[t + d.T_PLAYER] == player:
            w[PLAYER_HAS + code[w[d.R_PERIOD] + ASKED_AS + w[t + d.T_BET]]] = 1


@inner
def staked_with(code, w, box, player, bet):
    """What the player has on the box in bets that are offered together with this one."""
    if box == 0 or player < 0:
        return np.int64(UNKNOWN)
    together = code[w[d.R_PERIOD] + OFFERED_WITH + bet]
    staked = np.int64(0)
    for k in range(w[d.R_BETS]):
        t = d.T + k * d.BET_ROW
        if w[t + d.T_BOX] == box and w[t + d.T_PLAYER] == player:
            staked += w[t + d.T_STAKE] * ((together >> w[t + d.T_BET]) & 1)
    return staked


@inner
def main_marks(w, box, player):
    """The marks of the player's first main wager on the box."""
    for k in range(w[d.R_BETS]):
        t = d.T + k * d.BET_ROW
        if w[t + d.T_BOX] == box and w[t + d.T_PLAYER] == player and w[t + d.T_BET] == c.MAIN:
            return w[t + d.T_MARKS]
    return 0


@inner
def missed_first(w):
    if w[d.R_DEALER_DEALS] == 0:
        return 0
    first = w[d.D_N]
    for k in range(w[d.R_AROUND]):
        b = d.B + w[d.AROUND + k] * d.BOX_WIDTH
        if w[b + d.B_RECEIVED] > 2 and w[b + d.B_CARD_N + 2] < first:
            return 1
    return 0


@inner
def stands_for_original(code, known, w, box, hand, player):
    """As `facts` has it: the original wager was paid early; this is the first hand left."""
    early = settled_early(code, known, w, box, 1, player)
    if early != EARLY_WIN:
        return min(early, 0)
    over = 0
    b = d.B + box * d.BOX_WIDTH
    for k in range(w[b + d.B_HANDS]):
        number = w[b + d.B_ORDER + k]
        if (w[hand_at(box, number) + d.H_RIDING] >> player) & 1:
            early = settled_early(code, known, w, box, number, player)
            if early < 0:
                return early
            if early == 0 and w[f.HAND_TOTAL] <= 21:
                return 1 if number == hand else 0
            if early == 0 and over == 0:
                over = number
    return 1 if over == hand else 0


@inner
def settled_early(code, known, w, box, hand, player):
    """0: it waits for the dealer."""
    status = fill_hand(code, known, w, box, hand)
    if status < 0:
        return status
    fill_rider(w, box, hand, player)
    w[f.PART] = ORIGINAL
    at = ask(code, known, w, code[w[d.R_PERIOD] + Q_RESULT])
    if at < 0:
        return at
    note(known, w, at, 0)
    if not flags_of(known, at) & INTERIM:
        return 0
    if not flags_of(known, at) & DECIDED:
        return UNSAYABLE
    return EARLY_WIN if flags_of(known, at) & PAID_EARLY else 1


@inner
def set_only_surrendered(code, known, w, limits):
    """Some hand was surrendered, and every other one is decided whatever the dealer draws."""
    w[ONLY_SURRENDERED] = 0
    if w[d.R_SURRENDERS] == 0:
        return 0
    needs = needs_of(code, w, Q_RESULT)
    program = code[w[d.R_PERIOD] + Q_RESULT]
    for k in range(w[d.R_AROUND]):
        box = w[d.AROUND + k]
        b = d.B + box * d.BOX_WIDTH
        if w[b + d.B_INSURED]:
            return 0
        for hand in range(1, w[b + d.B_HANDS] + 1):
            h = hand_at(box, hand)
            for rider in range(w[h + d.H_RIDERS]):
                player = w[h + d.H_RIDER + rider * d.RIDER_WIDTH + d.RIDER_PLAYER]
                if (w[h + d.H_SURRENDERED] >> player) & 1:
                    continue
                status = set_scene(
                    code, known, w, limits, needs, box, hand, player, c.MAIN, ORIGINAL, 0, 0
                )
                if status < 0:
                    return status
                at = ask(code, known, w, program)
                if at < 0:
                    return at
                note(known, w, at, 0)
                if not flags_of(known, at) & INTERIM:
                    return 0
    w[ONLY_SURRENDERED] = 1
    return 0
