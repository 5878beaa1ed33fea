"""The facts of a player at a box, which are kept for the round, and who decides there."""

from __future__ import annotations

import numpy as np

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge.facts import (
    IN_ORDER,
    PLAYER_BOXES,
    PLAYER_END,
    PLAYER_START,
    ROOM,
    WAGER_ORIGINAL,
    WARNED,
    WITH_MAIN,
    WITH_PAIRS,
    two_bits,
)
from checker.columns.machine.compile import inlined, inner
from checker.columns.slots import UNKNOWN, slot

CONTROLS = slot("player.controls")
NEXT_IN_LINE = slot("player.next_in_line")
RECOGNISED = slot("player.recognised")
JOINED = slot("player.joined_after_change")
SEATED = slot("player.seated")
WAGERS_ON_BOX = slot("player.wagers_on_box")
HIGHEST = slot("player.highest_stake")
FIRST_ON_BOX = slot("player.first_on_box")
PLAYER_CARD = slot("player.card")
CARD_SHARED = slot("player.card_shared")
LATE_ENTRY = slot("player.late_entry")
LATE_ENTRY_TWO = slot("player.late_entry_two")
SAT_OUT = slot("player.sat_out")
SAT_OUT_LATER = slot("player.sat_out_later")
IDLE = slot("player.idle_rounds")
TOLD = slot("told")
PLAYER_FACTS = PLAYER_END - PLAYER_START
assert PLAYER_FACTS + 3 <= d.SEAT_WIDTH
WAGER_MARKS = 3 << c.RECOGNISED_SHIFT | 3 << c.JOINED_SHIFT | 3 << c.IN_ORDER_SHIFT


@inner
def bets_of(w, box, player, bet):
    """What a player has on a box: the main wagers, how many of the kind `bet`, whether seated."""
    original = np.int64(0)
    on_box = np.int64(0)
    seated = np.int64(UNKNOWN)
    for k in range(w[d.R_BETS]):
        t = d.T + k * d.BET_ROW
        if w[t + d.T_BOX] != box or w[t + d.T_PLAYER] != player:
            continue
        kind = w[t + d.T_BET]
        if kind == c.MAIN:
            original += w[t + d.T_STAKE]
            if seated == UNKNOWN:
                seated = two_bits(w[t + d.T_MARKS], c.SEATED_SHIFT)
        on_box += kind == bet
    return original, on_box, seated


@inner
def fill_player(w, box, player, bet, marks, limit_box_max):
    """The player at a box. `marks`: of the wager that is asked about, 0 for none."""
    b = d.B + box * d.BOX_WIDTH
    rider = rider_of(w, box, 1, player)
    sides = np.int64(0)
    if bet == c.PERFECT_PAIRS or bet == c.SUPER_SEVENS:
        sides = w[b + d.B_PAIRS + bet - c.PERFECT_PAIRS]
    one_each = w[b + d.B_MAIN] == w[b + d.B_PLAYERS] and sides >> d.SIDES_SHIFT <= 1
    if rider >= 0 and one_each and bet < c.FIRST_OWN:
        original = w[rider + d.RIDER_STAKE]
        on_box = np.int64(bet == c.MAIN) | (sides >> player) & 1
        seated = two_bits(w[rider + d.RIDER_MARKS], c.SEATED_SHIFT)
    else:
        original, on_box, seated = bets_of(w, box, player, bet)
    fill_seat(w, box, player, marks, limit_box_max, original, on_box, seated)


@inner
def fill_seat(w, box, player, marks, limit_box_max, original, on_box, seated):
    b = d.B + box * d.BOX_WIDTH
    p = d.P + player * d.PLAYER_ROW
    controller = w[b + d.B_CONTROLLER]
    w[CONTROLS] = player == controller
    gone = w[b + d.B_SURRENDERED]
    w[NEXT_IN_LINE] = 0
    if (gone >> controller) & 1 and not (gone >> player) & 1:
        w[NEXT_IN_LINE] = decider(w, box) == player
    w[RECOGNISED] = two_bits(marks, c.RECOGNISED_SHIFT)
    w[JOINED] = two_bits(marks, c.JOINED_SHIFT)
    w[IN_ORDER] = two_bits(marks, c.IN_ORDER_SHIFT)
    if limit_box_max == UNKNOWN:
        w[ROOM] = UNKNOWN
    elif player == controller or (w[b + d.B_MAIN] == 1 and original > 0):
        w[ROOM] = limit_box_max
    else:
        w[ROOM] = room_for(w, box, player, controller, limit_box_max)
    # what is not known becomes 0: one player sits at a box
    w[SEATED] = seated + ((seated == UNKNOWN) & (w[b + d.B_SEATED] == 1))
    w[WAGER_ORIGINAL] = original
    w[WITH_MAIN] = original > 0
    w[WITH_PAIRS] = (w[b + d.B_PAIRS] >> player) & 1
    w[WAGERS_ON_BOX] = on_box
    w[HIGHEST] = w[b + d.B_HIGHEST] <= original
    w[FIRST_ON_BOX] = w[b + d.B_FIRST] == player
    w[PLAYER_BOXES] = w[p + d.P_BOXES]
    # without branches, which nobody could foretell
    unknown = np.int64(UNKNOWN) * (w[d.R_KNOWN] == 0)
    w[CARD_SHARED] = np.int64(UNKNOWN) * (w[p + d.P_CARD] == 0) * (w[d.R_CARDS_SEEN] == 0)
    w[PLAYER_CARD] = 1 if w[p + d.P_CARD] else w[CARD_SHARED]
    w[WARNED] = 1 if w[p + d.P_WARNED] else unknown
    w[LATE_ENTRY] = w[p + d.P_LATE] | unknown
    w[LATE_ENTRY_TWO] = w[p + d.P_LATE_TWO] | unknown
    w[SAT_OUT] = w[p + d.P_SAT_OUT] | unknown
    w[SAT_OUT_LATER] = w[p + d.P_SAT_OUT_LATER] | unknown
    w[IDLE] = w[p + d.P_IDLE] | unknown


@inner
def room_for(w, box, player, controller, limit):
    """What the box maximum leaves for a player once those before have had theirs."""
    room = limit
    for turn in range(2):  # the controller's come first
        for k in range(w[d.R_BETS]):
            t = d.T + k * d.BET_ROW
            if w[t + d.T_BOX] != box or w[t + d.T_BET] != c.MAIN:
                continue
            who = w[t + d.T_PLAYER]
            if (who == controller) == (turn == 0):
                if who == player:
                    return max(room, 0)
                room -= min(w[t + d.T_STAKE], max(room, 0))
    return max(room, 0)


@inlined
def rides(w, box, hand, player):
    """Which rider of the hand the player is, -1 none."""
    number = box * d.MOST_HANDS + hand - 1
    riding = w[d.H + number * d.HAND_WIDTH + d.H_RIDING]
    if player < 0 or player >= d.MOST_PLAYERS or not (riding >> player) & 1:
        return np.int64(-1)
    return w[d.RIDES + number * d.MOST_PLAYERS + player]


@inlined
def rider_of(w, box, hand, player):
    """Where the player's money on the hand stands, -1 none."""
    k = rides(w, box, hand, player)
    h = d.H + (box * d.MOST_HANDS + hand - 1) * d.HAND_WIDTH
    return h + d.H_RIDER + k * d.RIDER_WIDTH if k >= 0 else np.int64(-1)


@inner
def seat_of(w, box, player):
    """Where the facts of a rider of the first hand are kept; -1 when there is no such rider."""
    k = rides(w, box, 1, player)
    return seat_at(box, k) if k >= 0 else -1


@inlined
def seat_at(box, k):
    return d.SEAT + (box * d.MOST_RIDERS + k) * d.SEAT_WIDTH


@inner
def keep_seat(w, seat):
    """What `fill_player` found will stay so."""
    for j in range(PLAYER_FACTS):
        w[seat + j] = w[PLAYER_START + j]
    w[seat + PLAYER_FACTS] = w[WAGER_ORIGINAL]
    w[seat + PLAYER_FACTS + 1] = w[WITH_PAIRS]
    w[seat + PLAYER_FACTS + 2] = w[ROOM]


@inner
def take_seat(w, box, player, bet, marks):
    """The facts of a player as they were kept; False when there is no such seat."""
    seat = seat_of(w, box, player)
    if seat < 0:
        return False
    for j in range(PLAYER_FACTS):
        w[PLAYER_START + j] = w[seat + j]
    w[WAGER_ORIGINAL] = w[seat + PLAYER_FACTS]
    w[WITH_PAIRS] = w[seat + PLAYER_FACTS + 1]
    w[ROOM] = w[seat + PLAYER_FACTS + 2]
    w[WITH_MAIN] = 1
    b = d.B + box * d.BOX_WIDTH
    gone = w[b + d.B_SURRENDERED]
    if gone != 0 and (gone >> w[b + d.B_CONTROLLER]) & 1 and not (gone >> player) & 1:
        w[NEXT_IN_LINE] = decider(w, box) == player
    if bet != c.MAIN:
        w[WAGERS_ON_BOX] = 0
    w[IN_ORDER] = UNKNOWN
    if marks & WAGER_MARKS:
        w[RECOGNISED] = two_bits(marks, c.RECOGNISED_SHIFT)
        w[JOINED] = two_bits(marks, c.JOINED_SHIFT)
        w[IN_ORDER] = two_bits(marks, c.IN_ORDER_SHIFT)
    return True


@inner
def set_told(w, player):
    """Whether the player was told about the wager, in a log that records such a thing."""
    p = d.P + player * d.PLAYER_ROW
    w[TOLD] = (w[p + d.P_TOLD] or w[p + d.P_WARNED]) if w[d.R_WARNS] else UNKNOWN


@inner
def room_of_none(w, box, limit_box_max):
    """What the box maximum leaves once everybody has had theirs."""
    if limit_box_max == UNKNOWN:
        return np.int64(UNKNOWN)
    return max(limit_box_max - w[d.B + box * d.BOX_WIDTH + d.B_TOTAL], 0)


@inner
def decider(w, box):
    """Who decides: the controller, or the next bettor once that one surrendered."""
    b = d.B + box * d.BOX_WIDTH
    controller = w[b + d.B_CONTROLLER]
    gone = w[b + d.B_SURRENDERED]
    if not (gone >> controller) & 1:
        return controller
    for k in range(w[d.R_BETS]):
        t = d.T + k * d.BET_ROW
        if w[t + d.T_BOX] == box and w[t + d.T_BET] == c.MAIN:
            if not (gone >> w[t + d.T_PLAYER]) & 1:
                return w[t + d.T_PLAYER]
    return controller
