"""A round looked over before any card of it is judged: its wagers, its settlements, what is offered
and what happens last at each box."""

from __future__ import annotations

import numpy as np

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge.hands import clear_dealer
from checker.columns.judge.reasons import Reason
from checker.columns.judge.table import (
    CALL_MADE,
    CUT_CARD_FIRST,
    ROUND_DECKS,
    SUPER_BONUS,
    SUPER_BONUS_AMOUNT,
    add_wager,
    settle_main,
    wager_key,
)
from checker.columns.known_game import APPROVED_OPTION, MECHANICS
from checker.columns.machine.compile import inlined, inner
from checker.columns.machine.units import unit
from checker.columns.rules.head import ASKED_AS, GAME_BETS, OWN
from checker.columns.shoe.follow import (
    SEEN_CARDS_SEEN,
    SEEN_WIDTH,
    SHOE_FACTS,
    SHOE_KNOWN,
    SHOE_WARNS,
)
from checker.columns.slots import ANYBODY_HAS, MOST_STAKED, UNKNOWN, slot

OPTION_START = slot("option " + next(iter(c.OPTION_CODES)))
OPTION_COUNT = len(c.OPTION_CODES)
APPROVED_RESPLIT = slot(f"approved {APPROVED_OPTION}")
RESPLIT = c.OPTION_CODES[APPROVED_OPTION]
PAIRS_OFFERED = 1 << c.OPTION_CODES[c.BETS[c.PERFECT_PAIRS]]
SEVENS_OFFERED = 1 << c.OPTION_CODES[c.BETS[c.SUPER_SEVENS]]
CALL_LOGGED = slot("round.call_logged")
CUT_CARD_NOW = slot("shoe.cut_card_now")
MARKER = c.OPTION_CODES[MECHANICS.roles["a marker leads"]]
SHOE_SLOTS = tuple(
    slot(name)
    for name in (
        "shoe.new",
        "shoe.cut_card_out",
        "shoe.no_cut_card",
        "shoe.shuffled",
        "shoe.burns",
        "shoe.burns_recorded",
        "shoe.cards_out",
        "shoe.cut_card_in_last_rounds",
        "shoe.not_cut",
    )
)


@inlined
def begin(code, w, rounds, row, limits, shoes, shoe, seen):
    """Clear the table. 0, or why the round is not for the columns."""
    players = rounds[row + c.PLAYERS]
    if rounds[row + c.EVENTS] > d.MOST_EVENTS or players > d.MOST_PLAYERS:
        return Reason.TOO_LARGE
    for k in range(d.R_SUBSEQUENT, d.R_SUBSEQUENT + d.R_WIDTH):
        if k != d.R_PERIOD and k != d.R_PLACES:
            w[k] = 0
    w[d.R_SUBSEQUENT] = -1
    w[d.R_LAST_CARD] = -1
    w[d.R_LAST_PLAYED] = -1
    w[d.R_CALL] = UNKNOWN
    w[d.R_LOOKED] = -1
    for k in range(d.BOX_TOUCHED, d.TOUCHED_END):
        w[k] = -1
    for k in range(d.BOXES):
        w[d.B + k * d.BOX_WIDTH + d.B_USED] = 0
    w[d.R_STAMP] += 1
    w[d.R_BOX_STAMP] += 1
    clear_dealer(w)
    w[d.R_PLAYERS] = players
    p = d.P
    told = rounds[row + c.FIRST_PLAYER] * SEEN_WIDTH
    for _ in range(players):
        w[p + d.P_BOXES] = 0
        w[p + d.P_FIRST_BOX] = 99
        w[p + d.P_CARD] = 0
        for j in range(SEEN_WIDTH):
            w[p + d.P_LATE + j] = seen[told + j]
        w[p + d.P_TOLD] = 0
        w[p + d.P_BONUS] = 0
        w[p + d.P_BOX_BITS] = 0
        p += d.PLAYER_ROW
        told += SEEN_WIDTH
    if w[d.R_LIMITS] != rounds[row + c.LIMITS] or w[d.R_LIMITS_PERIOD] != w[d.R_PERIOD]:
        w[d.R_LIMITS_PERIOD] = w[d.R_PERIOD]
        take_limits(w, limits, rounds[row + c.LIMITS], code[w[d.R_PERIOD] + GAME_BETS])
    for k in range(SHOE_FACTS):
        w[SHOE_SLOTS[k]] = shoes[shoe + k]
    w[d.R_KNOWN] = shoes[shoe + SHOE_KNOWN]
    w[d.R_WARNS] = shoes[shoe + SHOE_WARNS]
    w[d.R_CARDS_SEEN] = shoes[shoe + SEEN_CARDS_SEEN]
    w[SUPER_BONUS] = 0
    w[SUPER_BONUS_AMOUNT] = 0
    w[CUT_CARD_FIRST] = 0
    w[CUT_CARD_NOW] = 0
    return 0


@inner
def take_limits(w, limits, row, bets):
    """`bets`: bits of those that the game knows."""
    w[d.R_LIMITS] = row
    chip = 0
    for bet in range(c.MOST_BETS):
        if not (bets >> bet) & 1:
            continue
        stated = limits[row * c.LIMIT_WIDTH + c.LIMIT_FIELDS * bet + c.LIMIT_CHIP]
        if stated > 0 and (chip == 0 or stated < chip):
            chip = stated
    w[d.R_CHIP] = chip
    w[d.R_BOX_LIMITS] = 0
    for box in range(d.BOXES):
        if limits[row * c.LIMIT_WIDTH + c.BOX_MAX + box] >= 0:
            w[d.R_BOX_LIMITS] = 1


@inlined
def look_over(code, w, rounds, row, events, amounts, announced):
    """0, or why the round is not for the columns."""
    first = rounds[row + c.FIRST_EVENT]
    begin = first * c.EVENT_WIDTH
    end = begin + rounds[row + c.EVENTS] * c.EVENT_WIDTH
    options = rounds[row + c.OPTION_BITS]
    w[d.R_OPTION_BITS] = options | announced
    event = begin
    wagered = np.int64(0)
    n = np.int64(0)
    while event < end:
        kind = events[event + c.KIND]
        if kind == c.WAGER:
            bet = np.int64(events[event + c.WHAT])
            wagered |= 1 << bet
            status = add_wager(
                w,
                np.int64(events[event + c.BOX]),
                np.int64(events[event + c.PLAYER]),
                bet,
                amounts[first + n],
                np.int64(events[event + c.MARKS]),
                np.int64(events[event + c.HOLDER]),
            )
            if status != 0:
                return status
        elif kind == c.DEAL:
            break
        else:
            status = other_event(events, event, w, amounts, n, False, first)
            if status != 0:
                return status
        event += c.EVENT_WIDTH
        n += 1
    if event == end:
        return Reason.NO_CARDS
    w[d.R_FIRST_CARD] = n
    w[d.R_SETTLED_YET] = w[d.R_SETTLED]
    acted = n
    while event < end:
        kind = events[event + c.KIND]
        if kind == c.DEAL:
            if events[event + c.CARD] >= c.JOKER_CARD:
                return Reason.JOKER
            if events[event + c.HAND] > d.MOST_HANDS:
                return Reason.TOO_LARGE
            touch(w, np.int64(events[event + c.BOX]), np.int64(events[event + c.HAND]), n)
            acted = n
        elif kind == c.PLAY:
            if events[event + c.HAND] > d.MOST_HANDS:
                return Reason.TOO_LARGE
            if events[event + c.WHAT] <= c.SPLIT:
                touch(w, np.int64(events[event + c.BOX]), np.int64(events[event + c.HAND]), n)
            acted = n
        elif kind == c.SETTLE:
            status = settle(w, events, event, n, amounts[first + n], True)
            if status != 0:
                return status
        else:
            status = other_event(events, event, w, amounts, n, True, first)
            if status != 0:
                return status
        event += c.EVENT_WIDTH
        n += 1
    w[d.R_LAST_ACT] = max(acted, w[d.R_LAST_SHOWN])
    bits = w[d.R_OPTION_BITS]
    if options & c.NO_OPTIONS:  # a log without options shows by its wagers what is offered
        bits |= PAIRS_OFFERED if (wagered >> c.PERFECT_PAIRS) & 1 else 0
        bits |= SEVENS_OFFERED if (wagered >> c.SUPER_SEVENS) & 1 else 0
    if code[w[d.R_PERIOD] + OWN]:
        if announced or w[d.R_ANNOUNCES]:
            return Reason.ODD_EVENT  # the text was chosen by what the round itself states
        note_bets(code, w, wagered)
    w[CALL_LOGGED] = w[d.R_CALLED]
    w[CALL_MADE] = w[d.R_CALL]
    w[d.R_MARKER] = (options >> MARKER) & 1
    set_options(w, bits, (options >> RESPLIT) & 1, rounds[row + c.DECKS])
    return 0


@inner
def note_bets(code, w, wagered):
    """Which bets somebody has."""
    for k in range(MOST_STAKED):
        w[ANYBODY_HAS + k] = 0
    bet = 0
    while wagered >> bet:
        if (wagered >> bet) & 1:
            w[ANYBODY_HAS + code[w[d.R_PERIOD] + ASKED_AS + bet]] = 1
        bet += 1


@inlined
def settle(w, events, event, n, returned, started):
    """Note a settlement. Once all wagers are down it can be told which one it belongs to, unless
    it is of a bet or hand that is made later."""
    count = w[d.R_SETTLED]
    if count >= d.MOST_SETTLED:
        return Reason.TOO_LARGE
    box = np.int64(events[event + c.BOX])
    hand = max(np.int64(events[event + c.HAND]), 1)
    player = np.int64(events[event + c.PLAYER])
    bet = np.int64(events[event + c.WHAT])
    at = d.Z + d.Z_WIDTH * count
    w[at] = wager_key(box, hand, player, bet)
    w[at + 1] = n
    w[at + 2] = returned
    w[d.R_SETTLED] = count + 1
    if started and bet == c.MAIN and hand == 1:
        return settle_main(w, box, hand, player, n)
    w[d.R_UNMATCHED] = 1
    return 0


@inlined
def set_options(w, bits, resplit, decks):
    """Those of the round before mostly stand already."""
    together = bits & ((1 << OPTION_COUNT) - 1) | (resplit | decks << 1) << OPTION_COUNT
    if w[d.R_OPTIONS] == together:
        return
    w[d.R_OPTIONS] = together
    w[ROUND_DECKS] = decks
    w[APPROVED_RESPLIT] = resplit
    for k in range(OPTION_COUNT):
        w[OPTION_START + k] = (bits >> k) & 1


@unit("sinniii")
def other_event(events, event, w, amounts, n, started, first):
    """What seldom comes."""
    kind = events[event + c.KIND]
    if kind == c.NO_MORE_BETS:
        w[d.R_CALLED] = 1
        w[d.R_CALL] = not started
    elif kind == c.SETTLE:
        return settle(w, events, event, n, amounts[first + n], False)
    elif kind == c.CUT_CARD:
        w[CUT_CARD_NOW] = 1
        if not started:
            w[CUT_CARD_FIRST] = 1
    elif kind == c.WARN:
        w[d.R_WARNS] = 1
        w[d.P + np.int64(events[event + c.PLAYER]) * d.PLAYER_ROW + d.P_TOLD] = 1
    elif kind == c.ANNOUNCE:
        w[d.R_ANNOUNCES] = 1
        if events[event + c.WHAT] >= 0:
            w[d.R_OPTION_BITS] |= 1 << np.int64(events[event + c.WHAT])
    elif kind == c.OFFER:
        w[d.R_LAST_OFFER] = n
    elif kind == c.REVEAL or kind == c.PEEK:
        if not started:
            return Reason.OUT_OF_ORDER
        w[d.R_LAST_SHOWN] = n
        if kind == c.PEEK and w[d.R_LOOKED] < 0:
            w[d.R_LOOKED] = n
    elif kind == c.WAGER:
        return Reason.LATE_WAGER
    elif kind == c.PLAY:
        return Reason.OUT_OF_ORDER
    elif (
        kind == c.ABSENT
        or kind == c.APPROVE
        or kind == c.VOID
        or kind == c.ADJUST
        or kind == c.MALFUNCTION
        or kind == c.IRREGULARITY
        or kind == c.REFUSE
        or kind == c.WITHDRAW
    ):
        return Reason.ODD_EVENT
    return 0


@inlined
def touch(w, box, hand, n):
    w[d.R_LAST_PLAYED] = n if box > 0 else w[d.R_LAST_PLAYED]
    w[d.BOX_TOUCHED + box] = n
    w[d.HAND_TOUCHED + box * d.MOST_HANDS + hand - 1] = n
