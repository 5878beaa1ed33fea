"""The mechanics of a round in the working memory: `checker.table` and `checker.turns` again."""

from __future__ import annotations

from checker.columns import desk as d
from checker.columns import layout as c
from checker.columns import scenes as s
from checker.columns.compiled import inner
from checker.columns.features import ORIGINAL, UNKNOWN, slot
from checker.columns.hands import clear_dealer, hand_at, new_hand

OPTION_START = slot("option " + next(iter(c.OPTION_CODES)))
OPTION_COUNT = len(c.OPTION_CODES)
APPROVED_RESPLIT = slot("approved resplit")
RESPLIT = c.OPTION_CODES["resplit"]
PAIRS_OFFERED = 1 << c.OPTION_CODES["perfect_pairs"]
SEVENS_OFFERED = 1 << c.OPTION_CODES["super_sevens"]
CUT_CARD_NOW = slot("shoe.cut_card_now")
MARKER = c.OPTION_CODES["betting_marker"]
ROUND_DECKS = slot("round.decks")
ROUND_BOXES = slot("round.boxes")
HAS_WAGERS = slot("round.has_wagers")
HIGHEST_BOX = slot("round.highest_box")
SUPER_BONUS = slot("round.super_bonus")
SUPER_BONUS_AMOUNT = slot("round.super_bonus_amount")
CUT_CARD_FIRST = slot("shoe.cut_card_first")
CALL_MADE = slot("deal.call_made")


@inner
def begin(w, rounds, row, events, limits, announced):
    """Clear the table and look ahead over the events. 0, or why it is not for the columns."""
    first = rounds[row + c.FIRST_EVENT]
    count = rounds[row + c.EVENTS]
    players = rounds[row + c.PLAYERS]
    if count > d.MOST_EVENTS or players > d.MOST_PLAYERS:
        return s.TOO_LARGE
    for k in range(d.R_SUBSEQUENT, d.R_SUBSEQUENT + d.R_WIDTH):
        if k != d.R_PERIOD and k != d.R_PLACES:
            w[k] = 0
    w[d.R_SUBSEQUENT] = -1
    w[d.R_LAST_CARD] = -1
    for k in range(d.BOX_TOUCHED, d.TOUCHED_END):
        w[k] = -1
    for k in range(d.BOXES):
        w[d.B + k * d.BOX_WIDTH + d.B_USED] = 0
    w[d.R_STAMP] += 1
    w[d.R_BOX_STAMP] += 1
    clear_dealer(w)
    w[d.R_PLAYERS] = players
    for k in range(players):
        p = d.P + k * d.PLAYER_ROW
        for j in range(d.PLAYER_ROW):
            w[p + j] = 0
        w[p + d.P_FIRST_BOX] = 99
    if w[d.R_LIMITS] != rounds[row + c.LIMITS]:
        take_limits(w, limits, rounds[row + c.LIMITS])
    w[ROUND_DECKS] = rounds[row + c.DECKS]
    w[SUPER_BONUS] = 0
    w[SUPER_BONUS_AMOUNT] = 0
    options = rounds[row + c.OPTION_BITS]
    w[APPROVED_RESPLIT] = (options >> RESPLIT) & 1
    w[d.R_MARKER] = (options >> MARKER) & 1
    w[CALL_MADE] = UNKNOWN
    w[d.R_CALL] = UNKNOWN
    w[CUT_CARD_FIRST] = 0
    started = False
    wagered = 0
    w[CUT_CARD_NOW] = 0
    bits = options | announced
    for n in range(count):
        e = first + n
        kind = events[e * c.EVENT_WIDTH + c.KIND]
        if kind == c.SETTLE:
            continue
        if kind == c.DEAL:
            if events[e * c.EVENT_WIDTH + c.CARD] >= c.JOKER_CARD:
                return s.JOKER
            if events[e * c.EVENT_WIDTH + c.HAND] > d.MOST_HANDS:
                return s.TOO_LARGE
            started = True
            touch(w, events[e * c.EVENT_WIDTH + c.BOX], events[e * c.EVENT_WIDTH + c.HAND], n)
        elif kind == c.PLAY:
            if events[e * c.EVENT_WIDTH + c.HAND] > d.MOST_HANDS:
                return s.TOO_LARGE
            if events[e * c.EVENT_WIDTH + c.WHAT] <= c.SPLIT:
                touch(w, events[e * c.EVENT_WIDTH + c.BOX], events[e * c.EVENT_WIDTH + c.HAND], n)
        elif kind == c.WAGER:
            if started:
                return s.LATE_WAGER
            if events[e * c.EVENT_WIDTH + c.WHAT] == c.PERFECT_PAIRS:
                wagered |= PAIRS_OFFERED
            elif events[e * c.EVENT_WIDTH + c.WHAT] == c.SUPER_SEVENS:
                wagered |= SEVENS_OFFERED
        elif kind == c.NO_MORE_BETS:
            w[CALL_MADE] = not started
            w[d.R_CALL] = not started
        elif kind == c.CUT_CARD:
            w[CUT_CARD_NOW] = 1
            if not started:
                w[CUT_CARD_FIRST] = 1
        elif kind == c.WARN:
            w[d.R_WARNS] = 1
            w[d.P + events[e * c.EVENT_WIDTH + c.PLAYER] * d.PLAYER_ROW + d.P_TOLD] = 1
        elif kind == c.ANNOUNCE:
            if events[e * c.EVENT_WIDTH + c.WHAT] >= 0:
                bits |= 1 << events[e * c.EVENT_WIDTH + c.WHAT]
        elif (kind == c.ABSENT or kind == c.APPROVE or kind == c.VOID or kind == c.MALFUNCTION
              or kind == c.IRREGULARITY or kind == c.REFUSE or kind == c.WITHDRAW):  # fmt: skip
            return s.ODD_EVENT
    if options & c.NO_OPTIONS:
        bits |= wagered  # a log without options shows by its wagers what is offered
    w[d.R_OPTIONS] = bits & ((1 << OPTION_COUNT) - 1)
    w[d.R_OPTIONS] |= (w[APPROVED_RESPLIT] | w[ROUND_DECKS] << 1) << OPTION_COUNT
    for k in range(OPTION_COUNT):
        w[OPTION_START + k] = (bits >> k) & 1
    following = c.NO_AMOUNT
    for n in range(count - 1, -1, -1):
        w[d.NEXT_DEAL + n] = following
        if events[(first + n) * c.EVENT_WIDTH + c.KIND] == c.DEAL:
            following = n
    return 0 if started else s.NO_CARDS


@inner
def take_limits(w, limits, row):
    w[d.R_LIMITS] = row
    chip = 0
    for bet in range(len(c.BETS)):
        stated = limits[row * c.LIMIT_WIDTH + c.LIMIT_FIELDS * bet + c.LIMIT_CHIP]
        if stated > 0 and (chip == 0 or stated < chip):
            chip = stated
    w[d.R_CHIP] = chip
    w[d.R_BOX_LIMITS] = 0
    for box in range(d.BOXES):
        if limits[row * c.LIMIT_WIDTH + c.BOX_MAX + box] >= 0:
            w[d.R_BOX_LIMITS] = 1


@inner
def touch(w, box, hand, n):
    w[d.BOX_TOUCHED + box] = n
    w[d.HAND_TOUCHED + box * d.MOST_HANDS + hand - 1] = n


@inner
def add_wager(w, box, player, bet, stake, marks, n):
    """0, or why the round is passed on."""
    if marks & (c.UNDISCLOSED | c.CHIPS_HELD):
        return s.HOLDS_MORE
    count = w[d.R_BETS]
    if count >= d.MOST_BETS:
        return s.TOO_LARGE
    t = d.T + count * d.BET_ROW
    w[t + d.T_BOX] = box
    w[t + d.T_PLAYER] = player
    w[t + d.T_BET] = bet
    w[t + d.T_STAKE] = stake
    w[t + d.T_MARKS] = marks
    w[t + d.T_AFTER_CALL] = w[d.R_CALLED]
    w[t + d.T_SETTLED] = -1
    w[d.R_BETS] = count + 1
    b = d.B + box * d.BOX_WIDTH
    if not w[b + d.B_USED]:
        for k in range(d.B_ORDER):
            w[b + k] = 0
        w[b + d.B_USED] = 1
        w[b + d.B_SEATED] = -1
        w[b + d.B_SITTER] = -1
        w[b + d.B_EQUAL] = 1
    card = (marks >> c.PLAYER_CARD_SHIFT) & 3
    if card == 2:
        w[d.P + player * d.PLAYER_ROW + d.P_CARD] = 1
    if card != 0:
        w[d.R_CARDS_SEEN] = 1
    if bet == c.PERFECT_PAIRS:
        w[b + d.B_PAIRS] |= 1 << player
    return add_main(w, b, box, player, stake, marks) if bet == c.MAIN else 0


@inner
def add_main(w, b, box, player, stake, marks):
    p = d.P + player * d.PLAYER_ROW
    if not (w[p + d.P_BOX_BITS] >> box) & 1:
        w[p + d.P_BOX_BITS] |= 1 << box
        w[p + d.P_BOXES] += 1
        w[p + d.P_FIRST_BOX] = min(w[p + d.P_FIRST_BOX], box)
    if w[b + d.B_MAIN] == 0:
        w[b + d.B_FIRST] = player
        w[b + d.B_HANDS] = 1
        w[b + d.B_ORDER] = 1
        new_hand(w, box, 1)
    w[b + d.B_MAIN] += 1
    w[b + d.B_TOTAL] += stake
    w[b + d.B_HIGHEST] = max(w[b + d.B_HIGHEST], stake)
    if marks & c.CONTROL and not w[b + d.B_MARKED]:
        w[b + d.B_MARKED] = 1
        w[b + d.B_CONTROLLER] = player
    seated = (marks >> c.SEATED_SHIFT) & 3
    if seated == 2 and w[b + d.B_SITTER] < 0:
        w[b + d.B_SITTER] = player
    if seated != 0:
        w[b + d.B_SEATED] = max(w[b + d.B_SEATED], seated - 1)
    return ride(w, hand_at(box, 1), player, ORIGINAL, stake, True, marks)


@inner
def ride(w, h, player, part, stake, adds, marks):
    """A player's money on a hand: another main wager adds to it, a split sets it."""
    riders = w[h + d.H_RIDERS]
    for k in range(riders):
        rider = h + d.H_RIDER + k * d.RIDER_WIDTH
        if w[rider + d.RIDER_PLAYER] == player:
            w[rider + d.RIDER_PART] = part
            w[rider + d.RIDER_STAKE] = stake + (w[rider + d.RIDER_STAKE] if adds else 0)
            return 0
    if riders >= d.MOST_RIDERS:
        return s.TOO_LARGE
    rider = h + d.H_RIDER + riders * d.RIDER_WIDTH
    w[rider + d.RIDER_PLAYER] = player
    w[rider + d.RIDER_PART] = part
    w[rider + d.RIDER_STAKE] = stake
    w[rider + d.RIDER_DOUBLE] = -1
    w[rider + d.RIDER_MARKS] = marks
    w[rider + d.RIDER_SETTLED] = -1
    w[rider + d.RIDER_DONE] = 0
    w[rider + d.RIDER_KEYS + 2] = -1
    w[rider + d.RIDER_KEYS + d.KEY_WIDTH + 2] = -1
    w[h + d.H_RIDERS] = riders + 1
    w[h + d.H_RIDING] |= 1 << player
    return 0


@inner
def close_betting(w):
    """All wagers are down: who decides, and the order of dealing."""
    around = 0
    for box in range(1, d.BOXES):
        b = d.B + box * d.BOX_WIDTH
        w[d.PLACE + box] = -1
        if not w[b + d.B_USED]:
            continue
        if w[b + d.B_MAIN] == 0:
            return s.NO_MAIN_WAGER
        w[d.AROUND + around] = box
        w[d.PLACE + box] = around
        around += 1
        if not w[b + d.B_MARKED]:
            sitter = w[b + d.B_SITTER]
            w[b + d.B_CONTROLLER] = w[b + d.B_FIRST] if sitter < 0 else sitter
        h = hand_at(box, 1)
        w[b + d.B_PLAYERS] = w[h + d.H_RIDERS]
        for k in range(1, w[h + d.H_RIDERS]):
            rider = h + d.H_RIDER + k * d.RIDER_WIDTH
            if w[rider + d.RIDER_STAKE] != w[h + d.H_RIDER + d.RIDER_STAKE]:
                w[b + d.B_EQUAL] = 0
        w[HIGHEST_BOX] = box
    w[d.R_AROUND] = around
    w[d.R_IN_PLAY] = around
    w[ROUND_BOXES] = around
    w[HAS_WAGERS] = around > 0
    return 0 if around > 0 else s.NO_MAIN_WAGER


@inner
def in_turn(w, box, n, initial):
    place = w[d.R_DEALT]
    w[d.R_DEALT] = place + 1
    around = w[d.R_AROUND]
    if w[d.R_MARKER] and place == 0 and box > 0 and w[d.PLACE + box] > 0:
        turn = w[d.PLACE + box]  # a betting marker sets where the round begins
        for k in range(1, d.BOXES):
            if w[d.PLACE + k] >= 0:
                w[d.PLACE + k] = (w[d.PLACE + k] - turn) % around
                w[d.AROUND + w[d.PLACE + k]] = k
    if initial:
        if place < around:
            return w[d.AROUND + place] == box
        if place == around:
            return box == 0
        return place <= 2 * around and w[d.AROUND + place - around - 1] == box
    if box == 0:
        return players_done(w, n)
    for k in range(w[d.PLACE + box]):
        if w[d.BOX_TOUCHED + w[d.AROUND + k]] >= n:
            return False
    return True


@inner
def players_done(w, n):
    for box in range(1, d.BOXES):
        if w[d.BOX_TOUCHED + box] >= n:
            return False
    return True


@inner
def hands_in_turn(w, box, hand, n):
    b = d.B + box * d.BOX_WIDTH
    if box == 0 or w[b + d.B_HANDS] < 2:
        return True
    for k in range(w[b + d.B_HANDS]):
        other = w[b + d.B_ORDER + k]
        if other == hand:
            return True
        if other < hand and w[d.HAND_TOUCHED + box * d.MOST_HANDS + other - 1] > n:
            return False
    return True


@inner
def original_of(w, box, player):
    h = hand_at(box, 1)
    for k in range(w[h + d.H_RIDERS]):
        rider = h + d.H_RIDER + k * d.RIDER_WIDTH
        if w[rider + d.RIDER_PLAYER] == player:
            return w[rider + d.RIDER_STAKE]
    return 0


@inner
def take_card(w, box, hand, card, n):
    b = d.B + box * d.BOX_WIDTH
    h = hand_at(box, hand)
    count = w[h + d.H_CARDS]
    if count >= d.MOST_CARDS:
        return s.TOO_LARGE
    received = w[b + d.B_RECEIVED]
    w[b + d.B_RECEIVED] = received + 1
    if received < 3:
        w[b + d.B_CARD + received] = card
        w[b + d.B_CARD_N + received] = n
    if received < 2:
        w[h + d.H_INITIAL] |= 1 << count
        if received == 1:
            w[d.R_WITH_TWO] += 1
    w[h + d.H_CODE + count] = card
    w[h + d.H_N + count] = n
    w[h + d.H_CARDS] = count + 1
    w[h + d.H_FRESH] = 0
    w[d.R_STAMP] += 1
    return 0
