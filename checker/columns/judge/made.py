"""What a rulebook makes of cards by position, worked out from the cards as they lie."""

from __future__ import annotations

import numpy as np

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge.hands import DEALER_CARDS, hand_at
from checker.columns.machine.compile import inner
from checker.columns.machine.units import unit
from checker.columns.rules.fact_groups import MADE_SHIFT
from checker.columns.rules.head import MADE_AT
from checker.columns.rules.made_facts import CARDS, COUNT, IN_A_ROW, POINTS, SAME, SEAT_SHIFT, TRAIT
from checker.columns.slots import MADE, UNKNOWN

PLACE_MASK = (1 << SEAT_SHIFT) - 1
ACE = c.RANK_CODES["A"]
RANKS = len(c.RANK_CODES)
HIGH_CARD, PAIR, FLUSH, STRAIGHT, THREE, STRAIGHT_FLUSH, SUITED_THREE = range(1, 8)


@inner
def card_at(w, where, box, hand):
    """The code of a card by its seat and place, -1 when it is not dealt or cannot be seen."""
    seat = where >> SEAT_SHIFT
    place = where & PLACE_MASK
    if seat == 0:
        b = d.B + box * d.BOX_WIDTH
        return w[b + d.B_CARD + place] if box > 0 and w[b + d.B_RECEIVED] > place else -1
    if seat == 1:
        if box == 0 or hand == 0:
            return -1
        h = hand_at(box, hand)
        return w[h + d.H_CODE + place] if w[h + d.H_CARDS] > place else -1
    return w[d.D_CODE + place] if w[DEALER_CARDS] > place else -1


@unit("nnniii")
def fill_made(code, known, w, needs, box, hand):
    """Those that the bits of `needs` name."""
    bits = needs >> MADE_SHIFT
    k = 0
    while bits:
        if bits & 1:
            w[MADE + k] = made(code, w, code[w[d.R_PERIOD] + MADE_AT + k], box, hand)
        bits >>= 1
        k += 1
    return 0


@inner
def made(code, w, at, box, hand):
    kind = code[at]
    count = code[at + 1]
    first = at + 2
    table = first + count + 1
    if kind == TRAIT:
        card = card_at(w, code[first], box, hand)
        return code[table + (card if card >= 0 else c.JOKER_CARD)]
    if kind == COUNT:
        return how_many(code, w, first, count, table, box, hand)
    for k in range(count):
        if card_at(w, code[first + k], box, hand) < 0:
            return UNKNOWN if kind == POINTS else 0
    if kind == SAME:
        one = code[table + card_at(w, code[first], box, hand)]
        same = np.int64(1)
        for k in range(count):
            other = code[table + card_at(w, code[first + k], box, hand)]
            if other == UNKNOWN:
                return UNKNOWN
            same &= np.int64(other == one)
        return same
    if kind == POINTS:
        total = np.int64(0)
        for k in range(count):
            worth = code[table + card_at(w, code[first + k], box, hand)]
            if worth == UNKNOWN:
                return UNKNOWN
            total += worth
        return total
    if kind == CARDS:
        return listed(code, w, first, count, table, box, hand)
    if kind == IN_A_ROW:
        return np.int64(in_a_row(code, w, first, count, box, hand))
    return poker(code, w, first, count, box, hand)


@inner
def how_many(code, w, first, count, table, box, hand):
    if code[table - 1] >= 0:
        other = card_at(w, code[table - 1], box, hand)
        table += (other if other >= 0 else c.JOKER_CARD) * c.JOKER_CARD
    found = np.int64(0)
    for k in range(count):
        card = card_at(w, code[first + k], box, hand)
        if card >= 0:
            one = code[table + card]
            if one == UNKNOWN:
                return UNKNOWN
            found += one
    return found


@inner
def listed(code, w, first, count, table, box, hand):
    """1: the cards that are chosen, in whatever order; 2: others."""
    if code[table] != count:
        return np.int64(2)
    low = np.int64(-1)
    for k in range(count):  # the next of the cards from below
        least = np.int64(c.JOKER_CARD)
        for j in range(count):
            card = card_at(w, code[first + j], box, hand)
            if low < card < least:
                least = card
        if least != code[table + 1 + k]:
            return np.int64(2)
        low = least
    return np.int64(1)


@inner
def in_a_row(code, w, first, count, box, hand):
    """An ace is the highest, or the lowest."""
    ranks = np.int64(0)
    for k in range(count):
        ranks |= 1 << (card_at(w, code[first + k], box, hand) >> 2)
    high = ranks >> 1 | ((ranks >> ACE) & 1) << (RANKS - 1)
    return is_run(ranks, count) or is_run(high, count)


@inner
def is_run(bits, count):
    low = bits & -bits
    return bits == low * ((1 << count) - 1)


@inner
def poker(code, w, first, count, box, hand):
    ranks = np.int64(0)
    suits = np.int64(0)
    for k in range(count):
        card = card_at(w, code[first + k], box, hand)
        ranks |= 1 << (card >> 2)
        suits |= 1 << (card & 3)
    suited = suits & (suits - 1) == 0
    fewer = ranks & (ranks - 1)
    if fewer == 0:
        return np.int64(SUITED_THREE if suited else THREE)
    if in_a_row(code, w, first, count, box, hand):
        return np.int64(STRAIGHT_FLUSH if suited else STRAIGHT)
    if suited:
        return np.int64(FLUSH)
    return np.int64(PAIR if fewer & (fewer - 1) == 0 else HIGH_CARD)
