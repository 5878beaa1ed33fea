"""What players do at their hands, each play judged as it comes (`Judge._judge_play`)."""

from __future__ import annotations

import numpy as np

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge import quiet, table
from checker.columns.judge import scene as s
from checker.columns.judge.hands import DEALER_CARDS, hand_at, reckon
from checker.columns.judge.plays import NOT_PLAIN, doubled_like, offered, place_of, played_like
from checker.columns.judge.reasons import ANSWERED, Reason
from checker.columns.judge.seats import decider, rider_of
from checker.columns.machine.compile import inlined, inner
from checker.columns.machine.units import unit
from checker.columns.rules.head import PLAY_LOOKS, PLAY_OPTIONS
from checker.columns.rules.lookup import ask, is_ok, is_quiet, note
from checker.columns.rules.questions import Q_LEFT, Q_PLAY
from checker.columns.slots import ORIGINAL, UNKNOWN, slot

PLAY_STAKE = slot("play.stake")
OFF_HALF_CHIP = slot("play.off_half_chip")
PAYABLE = slot("play.payable_in_chips")
BEFORE_SUBSEQUENT = slot("play.before_subsequent_deal")
BEFORE_SECOND = slot("play.before_second_dealer_card")
BEFORE_NEXT = slot("play.before_next_card")
CONTROLLER_DID = slot("play.controller_did")
HAND_SETTLED = slot("play.hand_settled")
HALF_IN_CHIPS = slot("play.half_in_chips")
NOTHING, HIT_ASKED, DOUBLE_ASKED = range(3)  # what a hand waits for


@inlined
def ask_card(w, h, do):
    """0: a play of the hand asks for a card, and no other play waits for one but, where it doubles,
    another double."""
    asked = HIT_ASKED if do == c.HIT else DOUBLE_ASKED
    if w[h + d.H_ASKED] == NOTHING:
        w[d.R_WAITING] += 1
        w[h + d.H_ASKED] = asked
    elif asked == HIT_ASKED or w[h + d.H_ASKED] == HIT_ASKED:
        return Reason.NOT_ASKED
    return 0


@inner
def set_play(w, limits, box, hand, player, do, stake, events, event, end):
    """The facts of a play, on a scene that stands."""
    h = hand_at(box, hand)
    b = d.B + box * d.BOX_WIDTH
    w[PLAY_STAKE] = stake
    if do == c.INSURE:
        w[PLAY_STAKE] += insured(w, box, player)
    chip = w[d.R_CHIP]
    w[OFF_HALF_CHIP] = UNKNOWN if chip == 0 else 2 * stake % chip != 0
    w[PAYABLE] = UNKNOWN if chip == 0 else 2 * stake % chip == 0
    w[BEFORE_SUBSEQUENT] = w[d.R_SUBSEQUENT] < 0
    w[BEFORE_SECOND] = w[DEALER_CARDS] < 2
    count = w[h + d.H_CARDS]
    w[BEFORE_NEXT] = count == 0 or w[d.R_LAST_CARD] <= w[h + d.H_N + count - 1]
    # who gives a hand up leaves the decisions on it to the next in line
    controller = w[b + d.B_CONTROLLER] if do == c.SURRENDER else decider(w, box)
    did = 0
    if (do == c.DOUBLE or do == c.SURRENDER) and about_to(
        events, event, end, box, hand, do, controller
    ):
        did = 1
    elif do == c.DOUBLE:
        did = w[h + d.H_DOUBLED] > 0 and (w[h + d.H_DOUBLERS] >> controller) & 1
    elif do == c.SPLIT:
        did = w[h + d.H_SPLIT] > 0
    elif do == c.SURRENDER:
        did = (w[h + d.H_SURRENDERED] >> controller) & 1
    elif do == c.FORFEIT:
        did = (w[h + d.H_FORFEITED] >> controller) & 1
    w[CONTROLLER_DID] = did
    w[HAND_SETTLED] = settled_main(w, box, hand, player)
    w[HALF_IN_CHIPS] = UNKNOWN
    if do == c.INSURE:
        w[HALF_IN_CHIPS] = half_in_chips(w, limits, box, player)


@inner
def about_to(events, begin, end, box, hand, do, controller):
    """The deciding player makes the same choice before any further card."""
    for event in range(begin + c.EVENT_WIDTH, end, c.EVENT_WIDTH):
        if events[event + c.KIND] == c.DEAL:
            return False
        if (
            events[event + c.KIND] == c.PLAY
            and events[event + c.PLAYER] == controller
            and events[event + c.BOX] == box
            and events[event + c.HAND] == hand
            and events[event + c.WHAT] == do
        ):
            return True
    return False


@inner
def insured(w, box, player):
    for k in range(w[d.R_INSURED]):
        at = d.S + k * d.INSURED_ROW
        if w[at + d.S_BOX] == box and w[at + d.S_PLAYER] == player:
            return w[at + d.S_STAKE]
    return 0


@inner
def half_in_chips(w, limits, box, player):
    """Half of the first main wager, rounded up to what the units of the bet allow; UNKNOWN where
    that is no whole number of cents."""
    for k in range(w[d.R_BETS]):
        t = d.T + k * d.BET_ROW
        if w[t + d.T_BOX] == box and w[t + d.T_PLAYER] == player and w[t + d.T_BET] == c.MAIN:
            stake = w[t + d.T_STAKE]
            row = w[d.R_LIMITS] * c.LIMIT_WIDTH
            unit = limits[row + c.LIMIT_FIELDS * c.INSURANCE + c.LIMIT_UNIT]
            if unit > 0:
                return -(-stake // (2 * unit)) * unit
            return UNKNOWN if stake % 2 else stake // 2
    return np.int64(0)


@inner
def settled_main(w, box, hand, player):
    key = table.wager_key(box, hand, player, c.MAIN)
    for k in range(w[d.R_SETTLED_YET]):
        if w[d.Z + d.Z_WIDTH * k] == key:
            return 1
    return 0


@inner
def part_of(w, box, hand, player):
    rider = rider_of(w, box, hand, player)
    return w[rider + d.RIDER_PART] if rider >= 0 else ORIGINAL


@inlined
def judge_play(code, known, w, limits, box, hand, player, do, stake, events, event, end):
    """0: the play was right. Its event is `event`, the last one before `end`."""
    if not (w[hand_at(box, 1) + d.H_RIDING] >> player) & 1:
        return Reason.NO_MAIN_WAGER
    period = w[d.R_PERIOD]
    place = np.int64(NOT_PLAIN)
    looks = code[period + PLAY_LOOKS + do] if do <= c.DOUBLE and hand == 1 else 0
    if looks:
        doubled = np.int64(0)
        if do == c.DOUBLE:
            did = about_to(events, event, end, box, hand, do, decider(w, box))
            doubled = doubled_like(did, stake, table.original_of(w, box, player))
        like = played_like(code, known, w, looks, box, player, doubled)
        if like != NOT_PLAIN:
            other = offered(w, code[period + PLAY_OPTIONS + do], code[period + Q_PLAY + do])
            word = quiet.word_for(quiet.kind_of(w, do, other), like)
            noted = quiet.place_of(d.QUIET_PLAYS, d.QUIET_PLAY_BITS, word)
            if quiet.is_noted(w, noted, word):
                return 0
            place = place_of(w, like, other)
            if w[place + 2] >= 0 and is_quiet(known, w[place + 2]):
                quiet.note_quiet(w, noted, word)
    return ask_play(code, known, w, limits, box, hand, player, do, stake, events, event, end, place)


@unit("nnnniiiiisiii")
def ask_play(code, known, w, limits, box, hand, player, do, stake, events, event, end, place):
    """`place`: where the answer is noted, or is to be noted."""
    question = Q_PLAY + do
    if place != NOT_PLAIN and w[place + 2] >= 0:
        at = w[place + 2]
        note(known, w, at, 1)
        return 0 if is_ok(known, at) else ANSWERED + question
    part = part_of(w, box, hand, player)
    original = table.original_of(w, box, player)
    status = s.set_scene(
        code,
        known,
        w,
        limits,
        s.needs_of(code, w, question),
        box,
        hand,
        player,
        c.MAIN,
        part,
        original,
        0,
    )
    if status < 0:
        return s.trouble(status, question)
    set_play(w, limits, box, hand, player, do, stake, events, event, end)
    at = ask(code, known, w, code[w[d.R_PERIOD] + question])
    if at < 0:
        return s.trouble(at, question)
    if place != NOT_PLAIN:
        w[place + 2] = at
    note(known, w, at, 1)
    return 0 if is_ok(known, at) else ANSWERED + question


@unit("nnnns")
def leave_hands(code, known, w, limits, events):
    """No hand is left while it must still draw."""
    needs = s.needs_of(code, w, Q_LEFT)
    for k in range(w[d.R_AROUND]):
        box = w[d.AROUND + k]
        if not (w[d.R_NOT_LEFT] >> box) & 1:
            continue
        player = decider(w, box)
        original = table.original_of(w, box, player)
        for hand in range(1, w[d.B + box * d.BOX_WIDTH + d.B_HANDS] + 1):
            if w[hand_at(box, hand) + d.H_CARDS] < 2:
                return Reason.SHORT_HAND
            status = s.set_scene(
                code, known, w, limits, needs, box, hand, player, c.MAIN, ORIGINAL, original, 0
            )
            if status < 0:
                return s.trouble(status, Q_LEFT)
            set_play(w, limits, box, hand, player, c.STAND, 0, events, 0, 0)
            status = reckon(code, known, w, hand_at(box, hand))
            if status < 0:
                return s.trouble(status, Q_LEFT)
            if w[hand_at(box, hand) + d.H_TOTAL] == UNKNOWN:
                return Reason.NO_VALUE
            status = s.require(code, known, w, Q_LEFT)
            if status != 0:
                return status
    return 0
