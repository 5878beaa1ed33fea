"""Hands in the working memory: totals by the card values of the rulebook, and their facts."""

from __future__ import annotations

from typing import Final

import numpy as np

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge import facts as f
from checker.columns.machine.compile import inlined, inner
from checker.columns.rules.head import DEALER_POINTS, FLEXIBLE, PLAIN_POINTS, POINTS
from checker.columns.rules.lookup import K_VALUE, UNSAYABLE, ask, flags_of, is_ok
from checker.columns.rules.questions import Q_POINTS
from checker.columns.rules.said import ELEVEN
from checker.columns.slots import MIXED, NONE_RANK, SPADES, UNKNOWN, slot

CARD_INITIAL = slot("card.initial")
NEVER_SHOWN: Final = 1 << 40  # of a card that was never turned
DEALER_CARDS = slot("dealer.cards")
DEALER_TOTAL = slot("dealer.total")
DEALER_HARD = slot("dealer.hard_total")
DEALER_SOFT = slot("dealer.soft")
DEALER_ACES = slot("dealer.aces")
DEALER_TENS = slot("dealer.ten_cards")
DEALER_FIRST = slot("dealer.first")
DEALER_SECOND = slot("dealer.second")
PEEKED = slot("dealer.peeked")
OVER = slot("round.over")

PONTOON = slot("hand.pontoon")
ACE = c.RANK_CODES["A"]
SEVEN = c.RANK_CODES["7"]
TEN = c.RANK_CODES["T"]


@inlined
def hand_at(box, hand):
    return d.H + (box * d.MOST_HANDS + hand - 1) * d.HAND_WIDTH


@inner
def new_hand(w, box, hand):
    h = hand_at(box, hand)
    for k in range(d.H_CODE):
        w[h + k] = 0
    w[h + d.H_FRESH] = 1
    w[h + d.H_SUITS] = MIXED
    w[h + d.H_INITIAL] = 0
    return h


@inner
def is_plain(w, h):
    """Neither split nor doubled nor given up, by anyone."""
    return (
        w[h + d.H_SPLIT]
        | w[h + d.H_DOUBLED]
        | w[h + d.H_DOUBLERS]
        | w[h + d.H_SURRENDERED]
        | w[h + d.H_FORFEITED]
        | w[h + d.H_EVEN]
    ) == 0


@inner
def same_value(one, other):
    return one == other or (one >= TEN and other >= TEN)


@inner
def reckon(code, known, w, h):
    """Bring the totals of a hand up to date. Below 0: it could not be done."""
    if w[h + d.H_FRESH]:
        return 0
    w[d.R_HAND_OF] = -1
    period = w[d.R_PERIOD]
    hard = 0
    tens = 0
    aces = 0
    ranks = 0
    flexible = False
    count = w[h + d.H_CARDS]
    suits = 0
    doubled = w[h + d.H_DOUBLED]
    good = True
    for k in range(count):
        card = w[h + d.H_CODE + k]
        rank = card >> 2
        suits |= 1 << (card & 3)
        ranks += 1 << (4 * rank)
        aces += rank == ACE
        points = code[period + (POINTS if doubled else PLAIN_POINTS) + rank]
        if points < 0:
            w[d.R_PLAIN] = 0
            w[f.HAND_DOUBLED] = doubled > 0
            w[f.POSITION] = k + 1
            w[CARD_INITIAL] = (w[h + d.H_INITIAL] >> k) & 1
            w[f.HELD_WHEN_DOUBLED] = doubled > 0 and k + 1 <= doubled
            program = code[period + Q_POINTS + rank]
            if program < 0:
                return UNSAYABLE
            at = ask(code, known, w, program)
            if at < 0:
                return at
            if not is_ok(known, at):
                good = False
                break
            points = known[at + K_VALUE]
            if flags_of(known, at) & ELEVEN:
                points |= FLEXIBLE
        if points & FLEXIBLE:
            hard += points ^ FLEXIBLE
            flexible = True
        else:
            hard += points
            tens += points == 10
    soft = flexible and hard + 10 <= 21
    w[h + d.H_TOTAL] = hard + 10 if soft else hard
    w[h + d.H_HARD] = hard
    w[h + d.H_SOFT] = soft
    w[h + d.H_TENS] = tens
    if not good:
        w[h + d.H_TOTAL] = UNKNOWN
        w[h + d.H_HARD] = UNKNOWN
        w[h + d.H_SOFT] = UNKNOWN
        w[h + d.H_TENS] = UNKNOWN
    w[h + d.H_ACES] = aces
    w[h + d.H_RANKS] = ranks
    w[h + d.H_FLEXIBLE] = flexible
    w[h + d.H_SUIT_BITS] = suits
    w[h + d.H_SUITS] = suit_of(suits)
    w[h + d.H_FRESH] = 1
    w[h + d.H_TERM_FRESH] = 0
    return 0


@inlined
def suit_of(bits):
    """The suit of all cards; one bit stands for each that there is."""
    one = (bits & (bits - 1)) == 0 and bits != 0
    return SPADES + (bits >> 1) - (bits >> 3) if one else MIXED


@inlined
def add_card(code, w, h, card):
    """Totals that are up to date stay so: what a card is worth on a hand that nobody doubled is
    known, mostly."""
    rank = card >> 2
    points = code[w[d.R_PERIOD] + PLAIN_POINTS + rank]
    w[h + d.H_FRESH] &= np.int64(points >= 0) & np.int64(w[h + d.H_DOUBLED] == 0)
    w[h + d.H_TERM_FRESH] = 0
    flexible = w[h + d.H_FLEXIBLE] | np.int64(points & FLEXIBLE != 0)
    hard = w[h + d.H_HARD] + (points & ~FLEXIBLE)
    soft = flexible & np.int64(hard <= 11)
    bits = w[h + d.H_SUIT_BITS] | 1 << (card & 3)
    w[h + d.H_FLEXIBLE] = flexible
    w[h + d.H_HARD] = hard
    w[h + d.H_SOFT] = soft
    w[h + d.H_TOTAL] = hard + 10 * soft
    w[h + d.H_TENS] += np.int64(points == 10)
    w[h + d.H_ACES] += np.int64(rank == ACE)
    w[h + d.H_RANKS] += 1 << (4 * rank)
    w[h + d.H_SUIT_BITS] = bits
    w[h + d.H_SUITS] = suit_of(bits)


@inlined
def fill_totals(w, h):
    """What the cards of a hand come to."""
    w[d.R_HAND_FRESH] = w[h + d.H_TERM_FRESH]
    w[PONTOON] = w[h + d.H_TERM]
    w[d.R_HAND] = h
    w[f.HAND_CARDS] = w[h + d.H_CARDS]
    w[f.HAND_TOTAL] = w[h + d.H_TOTAL]
    w[f.HAND_HARD] = w[h + d.H_HARD]
    w[f.HAND_SOFT] = w[h + d.H_SOFT]
    w[f.HAND_TENS] = w[h + d.H_TENS]
    w[f.HAND_ACES] = w[h + d.H_ACES]
    w[f.HAND_RANKS] = w[h + d.H_RANKS]
    w[f.HAND_SUITS] = w[h + d.H_SUITS]


@inner
def fill_hand(code, known, w, box, hand):
    h = hand_at(box, hand)
    first = hand_at(box, 1)
    status = reckon(code, known, w, first)  # writes facts of its own: before all others
    if status == 0 and hand > 1:
        status = reckon(code, known, w, h)
    if status < 0:
        return status
    b = d.B + box * d.BOX_WIDTH
    fill_totals(w, h)
    count = w[h + d.H_CARDS]
    split = w[h + d.H_SPLIT]
    doubled = w[h + d.H_DOUBLED]
    w[f.HAND_NUMBER] = hand
    one = w[h + d.H_CODE] >> 2
    other = w[h + d.H_CODE + 1] >> 2
    w[f.EQUAL_VALUE] = count == 2 and same_value(one, other)
    w[f.HAND_SPLIT] = split > 0
    w[f.STOOD] = w[h + d.H_STOOD]
    w[f.SPLIT_ACES] = split == ACE + 1
    w[f.SPLIT_TENS] = split > TEN
    w[f.SUITED_SEVENS] = w[b + d.B_SUITED_SEVENS]
    w[f.DECLINED] = w[b + d.B_DECLINED]
    w[f.REDECLINED] = w[b + d.B_REDECLINED]
    w[f.HAND_DOUBLED] = doubled > 0
    w[f.DOUBLE_DEALT] = doubled > 0 and count > doubled
    w[f.LATE_ACE] = 0
    for k in range(2, min(doubled, count)):
        if w[h + d.H_CODE + k] >> 2 == ACE:
            w[f.LATE_ACE] = 1
    gone = w[h + d.H_SURRENDERED]
    w[f.HAND_SURRENDERED] = (gone >> w[b + d.B_CONTROLLER]) & 1
    riding = w[h + d.H_RIDING]
    w[f.ALL_SURRENDERED] = riding != 0 and (riding & gone) == riding
    w[f.UNTOUCHED] = count == 2 and split == 0
    w[f.POSITION] = 0
    w[CARD_INITIAL] = 0
    w[f.HELD_WHEN_DOUBLED] = doubled > 0
    before = 0
    for k in range(1, hand):
        if k <= w[b + d.B_HANDS] and w[hand_at(box, k) + d.H_DOUBLED] > 0:
            before = 1
    w[f.BOX_DOUBLED_BEFORE] = before
    w[f.STANDS_FOR_ORIGINAL] = 0
    w[f.ORIGINAL_BUST] = 0
    if hand > 1:
        total = w[first + d.H_TOTAL]
        w[f.ORIGINAL_BUST] = UNKNOWN if total == UNKNOWN else total > 21
    w[d.R_HAND_OF] = w[d.R_STAMP]
    return 0


@inner
def fill_plain_hand(w, box, h):
    """What tells the first hand of a box from others as long as it `is_plain`."""
    fill_totals(w, h)
    w[d.R_HAND_OF] = -1  # not all of its facts
    w[d.R_PLAIN] = 1
    count = w[h + d.H_CARDS]
    pair = count == 2
    w[f.EQUAL_VALUE] = pair and same_value(w[h + d.H_CODE] >> 2, w[h + d.H_CODE + 1] >> 2)
    w[f.UNTOUCHED] = pair
    w[f.STOOD] = w[h + d.H_STOOD]
    w[f.DECLINED] = w[d.B + box * d.BOX_WIDTH + d.B_DECLINED]


@inner
def fill_marked_hand(code, known, w, box):
    """All facts of the only hand of a box, plain or not. Below 0: an answer is missing."""
    w[d.R_PLAIN] = 0
    if w[d.R_HAND] == hand_at(box, 1) and w[d.R_HAND_OF] == w[d.R_STAMP]:
        w[f.STANDS_FOR_ORIGINAL] = 0
        return 0
    return fill_hand(code, known, w, box, 1)


@inner
def fill_player_of_hand(w, box, player):
    """What else is told of a player on a hand that is not plain."""
    fill_rider(w, box, 1, player)
    w[f.PLAYER_WON] = w[d.P + player * d.PLAYER_ROW + d.P_BONUS]


@inner
def fill_rider(w, box, hand, player):
    """What the player did on the hand."""
    h = hand_at(box, hand)
    w[f.W_DOUBLED] = (w[h + d.H_DOUBLERS] >> player) & 1
    w[f.W_SURRENDERED] = (w[h + d.H_SURRENDERED] >> player) & 1
    w[f.W_FORFEITED] = (w[h + d.H_FORFEITED] >> player) & 1
    others = 0
    for k in range(1, w[d.B + box * d.BOX_WIDTH + d.B_HANDS] + 1):
        if k != hand:
            others |= w[hand_at(box, k) + d.H_FORFEITED]
    w[f.ANOTHER_FORFEITED] = (others >> player) & 1
    w[f.W_EVEN] = (w[h + d.H_EVEN] >> player) & 1
    p = d.P + player * d.PLAYER_ROW
    w[f.FIRST_OF_PLAYER] = hand == 1 and w[p + d.P_FIRST_BOX] == box


# --- the dealer


@inner
def clear_dealer(w):
    w[d.R_DEALER_DEALS] = 0
    w[d.D_HOLE] = -1
    w[d.D_SHOWN] = -1
    w[PEEKED] = 0
    w[OVER] = 0
    w[d.R_DEALER_FRESH] = 0
    w[d.D_HARD] = 0
    w[d.D_FLEXIBLE] = 0
    w[DEALER_CARDS] = 0
    w[DEALER_TOTAL] = 0
    w[DEALER_HARD] = 0
    w[DEALER_SOFT] = 0
    w[DEALER_ACES] = 0
    w[DEALER_TENS] = 0
    w[DEALER_FIRST] = UNKNOWN
    w[DEALER_SECOND] = NONE_RANK


@inner
def dealer_takes(code, w, card, n):
    """False when the card cannot be reckoned with."""
    count = w[d.R_DEALER_DEALS]
    if count >= d.MOST_CARDS:
        return False
    w[d.D_N + count] = n
    w[d.D_CODE + count] = card
    w[d.R_DEALER_DEALS] = count + 1
    return dealer_shows(code, w, card, count)


@inner
def dealer_hides(w, card, n):
    """The second card lies face down: it is seen when it is turned, or when all is over."""
    w[d.D_N + 1] = NEVER_SHOWN
    w[d.D_CODE + 1] = card
    w[d.R_DEALER_DEALS] = 2
    w[d.D_HOLE] = card


@inner
def turn_hole(code, w, n):
    """The card that lies face down is seen from event `n` on."""
    card = w[d.D_HOLE]
    if card < 0:
        return True
    w[d.D_HOLE] = -1
    w[d.D_N + 1] = n
    w[d.D_SHOWN] = n if n < NEVER_SHOWN else -1
    w[d.R_STAMP] += 1
    return dealer_shows(code, w, card, 1)


@inner
def dealer_shows(code, w, card, count):
    rank = card >> 2
    points = code[w[d.R_PERIOD] + DEALER_POINTS + rank]
    if points < 0:
        return False
    if points & FLEXIBLE:
        points ^= FLEXIBLE
        w[d.D_FLEXIBLE] = 1
    elif points == 10:
        w[DEALER_TENS] += 1
    w[d.D_HARD] += points
    w[DEALER_ACES] += rank == ACE
    if count == 0:
        w[DEALER_FIRST] = rank
        w[d.R_STAMP] += 1
    if count == 1:
        w[DEALER_SECOND] = rank
    w[DEALER_CARDS] = count + 1
    dealer_totals(w, w[d.D_HARD], w[d.D_FLEXIBLE])
    return True


@inner
def dealer_totals(w, hard, flexible):
    soft = flexible != 0 and hard + 10 <= 21
    w[d.R_DEALER_FRESH] = 0
    w[DEALER_HARD] = hard
    w[DEALER_SOFT] = soft
    w[DEALER_TOTAL] = hard + 10 if soft else hard
