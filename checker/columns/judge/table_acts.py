"""What players do, in the working memory: stand, double, split, surrender, insure."""

from __future__ import annotations

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge import scene as s
from checker.columns.judge.hands import SEVEN, hand_at, new_hand, same_value
from checker.columns.judge.reasons import Reason
from checker.columns.judge.seats import decider, rider_of
from checker.columns.judge.table import original_of, ride
from checker.columns.machine.compile import inner
from checker.columns.slots import SPLIT_PART


@inner
def play(w, box, hand, player, do, stake):
    """The act itself. 0, or why the round is passed on."""
    w[d.R_STAMP] += 1
    b = d.B + box * d.BOX_WIDTH
    h = hand_at(box, hand)
    controls = player == decider(w, box)
    count = w[h + d.H_CARDS]
    if controls and do < c.SPLIT and count == 2:
        if same_value(w[h + d.H_CODE] >> 2, w[h + d.H_CODE + 1] >> 2):
            if w[h + d.H_SPLIT] == 0:
                w[b + d.B_DECLINED] = 1
            else:
                w[b + d.B_REDECLINED] = 1
    bit = 1 << player
    if do == c.STAND:
        w[h + d.H_STOOD] |= controls
    elif do == c.DOUBLE:
        # an amount that nobody recorded leaves the settlement open
        if count == 0 or not w[h + d.H_RIDING] & bit or stake < 0:
            return Reason.SPLIT_ODDLY
        if w[h + d.H_DOUBLERS] & bit:
            return Reason.SPLIT_ODDLY
        if controls and w[h + d.H_DOUBLED] == 0:
            w[h + d.H_DOUBLED] = count
        w[h + d.H_FRESH] = 0
        w[h + d.H_DOUBLERS] |= bit
        w[rider_of(w, box, hand, player) + d.RIDER_DOUBLE] = stake
    elif do == c.SPLIT:
        w[d.R_BOX_STAMP] += 1
        if stake < 0:  # as much again as the original wager, where the log does not say
            stake = original_of(w, box, player)
        return split(w, b, h, box, hand, player, stake, controls)
    elif do == c.SURRENDER:
        w[d.R_BOX_STAMP] += 1
        w[h + d.H_SURRENDERED] |= bit
        w[b + d.B_SURRENDERED] |= bit
        w[d.R_SURRENDERS] += 1
    elif do == c.FORFEIT:
        w[h + d.H_FORFEITED] |= bit
    elif do == c.EVEN_MONEY:
        w[h + d.H_EVEN] |= bit
    elif do == c.INSURE:
        return insure(w, b, box, player, max(stake, 0))
    return 0


@inner
def split(w, b, h, box, hand, player, stake, controls):
    hands = w[b + d.B_HANDS]
    if not controls:
        # a co-player covers the hand that the deciding player's split has formed
        newest = hand_at(box, hands)
        riding = w[newest + d.H_RIDING] & (1 << player)
        if not w[newest + d.H_SPLIT] or riding or not w[h + d.H_RIDING] & (1 << player):
            return Reason.SPLIT_ODDLY
        return ride(w, box, hands, player, SPLIT_PART, stake, s.main_marks(w, box, player))
    if hands >= d.MOST_HANDS or w[h + d.H_CARDS] != 2:
        return Reason.SPLIT_ODDLY
    new = new_hand(w, box, hands + 1)
    w[b + d.B_HANDS] = hands + 1
    at = hands
    while w[b + d.B_ORDER + at - 1] != hand:
        w[b + d.B_ORDER + at] = w[b + d.B_ORDER + at - 1]
        at -= 1
    w[b + d.B_ORDER + at] = hands + 1
    one = w[h + d.H_CODE]
    other = w[h + d.H_CODE + 1]
    if one >> 2 == SEVEN and one == other:
        w[b + d.B_SUITED_SEVENS] = 1
    if w[h + d.H_SPLIT] == 0:
        w[h + d.H_SPLIT] = (one >> 2) + 1
    w[new + d.H_SPLIT] = (other >> 2) + 1
    w[new + d.H_CODE] = other
    w[new + d.H_N] = w[h + d.H_N + 1]
    w[new + d.H_INITIAL] = (w[h + d.H_INITIAL] >> 1) & 1
    w[new + d.H_CARDS] = 1
    w[new + d.H_FRESH] = 0
    w[h + d.H_CARDS] = 1
    w[h + d.H_INITIAL] &= 1
    w[h + d.H_FRESH] = 0
    return ride(w, box, hands + 1, player, SPLIT_PART, stake, s.main_marks(w, box, player))


@inner
def insure(w, b, box, player, stake):
    count = w[d.R_INSURED]
    at = d.S
    for k in range(count):
        at = d.S + k * d.INSURED_ROW
        if w[at + d.S_BOX] == box and w[at + d.S_PLAYER] == player:
            w[at + d.S_STAKE] += stake
            return 0
    if count >= d.MOST_INSURED:
        return Reason.TOO_LARGE
    at = d.S + count * d.INSURED_ROW
    w[at + d.S_BOX] = box
    w[at + d.S_PLAYER] = player
    w[at + d.S_STAKE] = stake
    w[at + d.S_SETTLED] = -1
    w[d.R_INSURED] = count + 1
    w[b + d.B_INSURED] += 1
    return 0
