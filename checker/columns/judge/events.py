"""The events of a round in order, each question asked when the plain evaluator asks it."""

from __future__ import annotations

import numpy as np

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge import deals, table
from checker.columns.judge import facts as f
from checker.columns.judge import scene as s
from checker.columns.judge.dealer_draw import NO_EFFECT, draw
from checker.columns.judge.further_cards import PLAYERS_DONE
from checker.columns.judge.hands import (
    NEVER_SHOWN,
    OVER,
    PEEKED,
    clear_dealer,
    dealer_hides,
    dealer_takes,
    hand_at,
    turn_hole,
)
from checker.columns.judge.played import NOTHING
from checker.columns.judge.reasons import ANSWERED, Reason
from checker.columns.judge.seats import set_told
from checker.columns.machine.compile import inlined, inner
from checker.columns.machine.units import unit
from checker.columns.rules.head import DEAL_LOOKS, OWN, TO_DEALER, WARNS_EARLY
from checker.columns.rules.lookup import K_VALUE, NOT_THERE, ask, is_ok, note
from checker.columns.rules.questions import Q_OVER, Q_PEEK, Q_REVEAL, Q_WARN
from checker.columns.slots import ORIGINAL, UNKNOWN, slot

DONE = slot("done")


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
