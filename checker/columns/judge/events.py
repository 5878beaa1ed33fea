"""The events of a round in order, each question asked when the plain evaluator asks it."""

from __future__ import annotations

import numpy as np

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge import deals, quiet, table
from checker.columns.judge import facts as f
from checker.columns.judge import scene as s
from checker.columns.judge.dealer_draw import NO_EFFECT, PLAYERS_DONE, draw
from checker.columns.judge.hands import (
    DEAL_LOOKS,
    DEALER_CARDS,
    NEVER_SHOWN,
    OVER,
    OWN,
    PEEKED,
    PLAY_LOOKS,
    PLAY_OPTIONS,
    TO_DEALER,
    WARNS_EARLY,
    clear_dealer,
    dealer_hides,
    dealer_takes,
    hand_at,
    reckon,
    turn_hole,
)
from checker.columns.judge.plays import NOT_PLAIN, doubled_like, offered, place_of, played_like
from checker.columns.judge.reasons import ANSWERED, Reason
from checker.columns.judge.seats import decider, rider_of, set_told
from checker.columns.machine.compile import inlined, inner
from checker.columns.machine.units import unit
from checker.columns.rules.lookup import K_VALUE, NOT_THERE, ask, is_ok, is_quiet, note
from checker.columns.rules.questions import (
    Q_LEFT,
    Q_OVER,
    Q_PEEK,
    Q_PLAY,
    Q_REVEAL,
    Q_WARN,
)
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
DONE = slot("done")
NOTHING, HIT_ASKED, DOUBLE_ASKED = range(3)  # what a hand waits for


@inlined
def player_card(code, known, w, limits, events, event, box, n):
    """0: the card of event `n` was rightly dealt to the box."""
    hand = np.int64(events[event + c.HAND])
    card = np.int64(events[event + c.CARD])
    copies = np.int64(events[event + c.COPIES])
    b = d.B + box * d.BOX_WIDTH
    if not w[b + d.B_USED] or hand > w[b + d.B_HANDS]:
        return Reason.OUT_OF_ORDER
    h = hand_at(box, hand)
    initial = np.int64(w[d.R_TO_COME] != 0)
    in_turn = np.int64(
        table.initially_in_turn(code, w, box) if initial else table.boxes_in_turn(w, box, n)
    )
    hands_in_turn = np.int64(w[b + d.B_HANDS] < 2 or table.hands_in_turn(w, box, hand, n))
    held = w[h + d.H_CARDS]
    looks = code[w[d.R_PERIOD] + DEAL_LOOKS]
    like = deals.dealt_like(
        box, held, card, copies - w[table.ROUND_DECKS], in_turn, hands_in_turn, initial, hand
    )
    like |= w[b + d.B_PLAYERS] << 25
    if w[h + d.H_SPLIT] | w[h + d.H_DOUBLED]:
        like |= deals.dealt_to(w[h + d.H_SPLIT], w[h + d.H_DOUBLED], held)
    like |= deals.dealt_beside(code, w, looks, box, hand)
    like = looks & (like | deals.missed_first(w, looks) | deals.dealt_when(w, 0))
    if not deals.as_before(w, looks, like):
        status = deals.judge_deal(
            code,
            known,
            w,
            limits,
            like,
            box,
            hand,
            card,
            copies,
            initial,
            in_turn,
            hands_in_turn,
            0,
        )
        if status != 0:
            return status
    if initial:
        if w[h + d.H_ASKED] and w[b + d.B_RECEIVED] > 1:
            return Reason.NOT_ASKED
        w[d.R_INITIAL_END] = n
    else:
        if w[h + d.H_ASKED]:
            w[h + d.H_ASKED] = NOTHING
            w[d.R_WAITING] -= 1
        elif w[h + d.H_CARDS] != 1 or not w[h + d.H_SPLIT]:
            return Reason.NOT_ASKED
        if w[d.R_SUBSEQUENT] < 0:
            w[d.R_SUBSEQUENT] = n
    table.card_comes(w, n)
    return table.take_card(code, w, b, h, card, n)


@unit("nnnnsii")
def dealer_card(code, known, w, limits, events, event, n):
    """0: the card of event `n` was rightly dealt to the dealer."""
    card = np.int64(events[event + c.CARD])
    copies = np.int64(events[event + c.COPIES])
    initial = np.int64(w[d.R_TO_COME] != 0)
    done = w[d.R_LAST_PLAYED] < n
    in_turn = np.int64(table.initially_in_turn(code, w, 0) if initial else done)
    held = w[d.R_DEALER_DEALS]
    down = np.int64(events[event + c.MARKS]) & c.DOWN
    to_dealer = code[w[d.R_PERIOD] + TO_DEALER]
    if w[d.D_HOLE] >= 0 or (down and (held != 1 or to_dealer < 2)):
        return Reason.ODD_EVENT
    if events[event + c.HAND] > 1 and code[w[d.R_PERIOD] + OWN]:
        return Reason.ODD_EVENT  # another hand of the dealer
    looks = code[w[d.R_PERIOD] + DEAL_LOOKS]
    like = deals.dealt_like(0, held, card, copies - w[table.ROUND_DECKS], in_turn, 1, initial, 0)
    like |= deals.dealt_beside(code, w, looks, 0, 0)
    like = looks & (like | deals.missed_first(w, looks) | deals.dealt_when(w, down))
    if not deals.as_before(w, looks, like):
        status = deals.judge_deal(
            code, known, w, limits, like, 0, 0, card, copies, initial, in_turn, 1, down
        )
        if status != 0:
            return status
    if held >= to_dealer:
        status = draw(code, known, w, limits, done, False)
        if status != 0:
            return status
    else:
        w[d.R_TO_COME] -= 1
    if initial:
        w[d.R_INITIAL_END] = n
    elif w[d.R_SUBSEQUENT] < 0:
        w[d.R_SUBSEQUENT] = n
    table.card_comes(w, n)
    if down:
        dealer_hides(w, card, n)
        return 0
    return 0 if dealer_takes(code, w, card, n) else Reason.NO_VALUE


@unit("nnnnsiii")
def shown(code, known, w, limits, events, event, n, looks):
    """0: the dealer rightly looked at the card that lies face down (`looks`), or turned it."""
    if events[event + c.BOX] > 0 or w[d.R_TO_COME] != 0 or not code[w[d.R_PERIOD] + OWN]:
        return Reason.ODD_EVENT
    question = Q_PEEK if looks else Q_REVEAL
    if code[w[d.R_PERIOD] + question] != NOT_THERE:
        status = s.set_scene(
            code,
            known,
            w,
            limits,
            s.needs_of(code, w, question),
            0,
            0,
            -1,
            c.MAIN,
            ORIGINAL,
            0,
            0,
        )
        if status < 0:
            return s.trouble(status, question)
        w[deals.TO_DEALER_FACT] = 1
        w[PLAYERS_DONE] = w[d.R_LAST_PLAYED] < n
        w[NO_EFFECT] = 0
        status = s.require(code, known, w, question)
        w[NO_EFFECT] = UNKNOWN
        w[deals.TO_DEALER_FACT] = 0
        w[PLAYERS_DONE] = 1
        if status != 0:
            return status
    if not looks:
        return 0 if turn_hole(code, w, n) else Reason.NO_VALUE
    w[PEEKED] = 1
    w[d.R_STAMP] += 1
    return ends_round(code, known, w, limits)


@inner
def ends_round(code, known, w, limits):
    """Whether the round is over now that all cards of the dealer are known to whoever looked."""
    program = code[w[d.R_PERIOD] + Q_OVER]
    if program == NOT_THERE or w[OVER]:
        return 0
    hole = w[d.D_HOLE]
    if hole >= 0 and not turn_hole(code, w, NEVER_SHOWN):
        return Reason.NO_VALUE
    at = ask(code, known, w, program)
    if at < 0:
        return s.trouble(at, Q_OVER)
    note(known, w, at, 0)
    if not is_ok(known, at):
        return ANSWERED + Q_OVER
    w[OVER] = known[at + K_VALUE]
    if hole >= 0:
        hide_again(code, w, hole)
    w[d.R_STAMP] += 1
    return 0


@inner
def hide_again(code, w, hole):
    """As the dealer is seen with the first card alone."""
    first = w[d.D_CODE]
    n = w[d.D_N]
    peeked = w[PEEKED]
    over = w[OVER]
    clear_dealer(w)
    w[PEEKED] = peeked
    w[OVER] = over
    dealer_takes(code, w, first, n)
    dealer_hides(w, hole, 0)


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


@inner
def warnings(code, known, w, limits):
    """Owners of wagers under the minimum are to be told, in logs that record such a thing."""
    if code[w[d.R_PERIOD] + WARNS_EARLY]:
        return 0
    return of_each_wager(code, known, w, limits, Q_WARN)


@unit("nnnni")
def of_each_wager(code, known, w, limits, question):
    """A duty towards the owner of each main wager."""
    if code[w[d.R_PERIOD] + question] == NOT_THERE:
        return 0
    for k in range(w[d.R_BETS]):
        t = d.T + k * d.BET_ROW
        if w[t + d.T_BET] != c.MAIN:
            continue
        player = w[t + d.T_PLAYER]
        status = s.set_scene(
            code,
            known,
            w,
            limits,
            s.needs_of(code, w, question),
            w[t + d.T_BOX],
            1,
            player,
            c.MAIN,
            ORIGINAL,
            w[t + d.T_STAKE],
            w[t + d.T_MARKS],
        )
        if status < 0:
            return s.trouble(status, question)
        w[f.AFTER_CALL] = w[t + d.T_AFTER_CALL]
        set_told(w, player)
        status = s.require(code, known, w, question)
        if status != 0:
            return status
    return 0
