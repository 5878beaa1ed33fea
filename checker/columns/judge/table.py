"""The mechanics of a round in the working memory, as `checker.table` has them."""

from __future__ import annotations

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.judge.hands import add_card, hand_at, new_hand
from checker.columns.judge.reasons import Reason
from checker.columns.judge.seats import rider_of
from checker.columns.known_game import BONUS_PRICED, BONUS_WON
from checker.columns.machine.compile import inlined, inner
from checker.columns.rules.head import TO_DEALER
from checker.columns.slots import ORIGINAL, slot

ROUND_DECKS = slot("round.decks")
ROUND_BOXES = slot("round.boxes")
HAS_WAGERS = slot("round.has_wagers")
HIGHEST_BOX = slot("round.highest_box")
SUPER_BONUS = slot(BONUS_WON)
SUPER_BONUS_AMOUNT = slot(BONUS_PRICED)
CUT_CARD_FIRST = slot("shoe.cut_card_first")
CALL_MADE = slot("deal.call_made")
KEY_PLAYER_SHIFT, KEY_HAND_SHIFT, KEY_BOX_SHIFT = 6, 16, 24
KEY_BET, KEY_PLAYER, KEY_HAND = 63, 1023, 255
assert c.MOST_BETS <= KEY_BET + 1
BOXES_DEALT = slot("deal.boxes_dealt")


@inlined
def add_wager(w, box, player, bet, stake, marks, holder):
    """0, or why the round is passed on."""
    if marks & (c.UNDISCLOSED | c.CHIPS_HELD):
        return Reason.HOLDS_MORE
    count = w[d.R_BETS]
    if count >= d.MOST_WAGERS:
        return Reason.TOO_LARGE
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
        held = w[d.P + player * d.PLAYER_ROW + d.P_CARD]
        if held != 0 and held != holder + 1:
            return Reason.ODD_EVENT  # two cards of one player
        w[d.P + player * d.PLAYER_ROW + d.P_CARD] = holder + 1
        for other in range(w[d.R_PLAYERS]):
            if other != player and w[d.P + other * d.PLAYER_ROW + d.P_CARD] == holder + 1:
                return Reason.ODD_EVENT  # one card of two players
    if card != 0:
        w[d.R_CARDS_SEEN] = 1
    if bet == c.MAIN:
        return add_main(w, b, box, player, stake, marks)
    if bet >= c.FIRST_OWN:
        return 0
    sides = b + d.B_PAIRS + bet - c.PERFECT_PAIRS
    w[sides] = (w[sides] | 1 << player) + (1 << d.SIDES_SHIFT)
    return 0


@inlined
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
    if marks & c.CONTROL:
        if w[b + d.B_MARKED] and w[b + d.B_CONTROLLER] != player:
            return Reason.ODD_EVENT  # two who decide
        w[b + d.B_MARKED] = 1
        w[b + d.B_CONTROLLER] = player
    seated = (marks >> c.SEATED_SHIFT) & 3
    if seated == 2 and w[b + d.B_SITTER] < 0:
        w[b + d.B_SITTER] = player
    if seated != 0:
        w[b + d.B_SEATED] = max(w[b + d.B_SEATED], seated - 1)
    return ride(w, box, 1, player, ORIGINAL, stake, marks)


@inner
def ride(w, box, hand, player, part, stake, marks):
    """A player's money on a hand: another main wager adds to it."""
    h = hand_at(box, hand)
    rider = rider_of(w, box, hand, player)
    if rider >= 0:
        w[rider + d.RIDER_STAKE] += stake
        return 0
    riders = w[h + d.H_RIDERS]
    if riders >= d.MOST_RIDERS:
        return Reason.TOO_LARGE
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
    w[d.RIDES + (box * d.MOST_HANDS + hand - 1) * d.MOST_PLAYERS + player] = riders
    return 0


@inlined
def wager_key(box, hand, player, bet):
    return (box << KEY_BOX_SHIFT) | (hand << KEY_HAND_SHIFT) | (player << KEY_PLAYER_SHIFT) | bet


@inlined
def settle_main(w, box, hand, player, n):
    """Event `n` settles a main wager; each one has one settlement."""
    b = d.B + box * d.BOX_WIDTH
    if not w[b + d.B_USED] or hand > w[b + d.B_HANDS]:
        return Reason.NOT_OWED
    rider = rider_of(w, box, hand, player)
    if rider < 0:
        return Reason.NOT_OWED
    if w[rider + d.RIDER_SETTLED] >= 0:
        return Reason.SETTLED_TWICE
    w[rider + d.RIDER_SETTLED] = n
    return 0


@inner
def close_betting(code, w):
    """All wagers are down: who decides, and the order of dealing."""
    around = 0
    bits = 0
    for box in range(1, d.BOXES):
        used = w[d.B + box * d.BOX_WIDTH + d.B_USED]
        w[d.AROUND + around] = box  # the next one's place unless it is used
        w[d.PLACE + box] = around if used else -1
        around += used
        bits |= used << box
    for k in range(around):
        box = w[d.AROUND + k]
        b = d.B + box * d.BOX_WIDTH
        if w[b + d.B_MAIN] == 0:
            return Reason.NO_MAIN_WAGER
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
    w[d.AROUND + around] = 0
    w[d.R_NOT_LEFT] = bits
    w[d.R_NOT_DONE] = bits
    w[d.R_TO_COME] = around + code[w[d.R_PERIOD] + TO_DEALER]
    w[d.R_SHORT_BOXES] = around
    w[BOXES_DEALT] = around == 0
    w[ROUND_BOXES] = around
    w[HAS_WAGERS] = around > 0
    return 0 if around > 0 else Reason.NO_MAIN_WAGER


@inner
def begin_at(w, box):
    """A betting marker sets where the round begins: at the box of the first card."""
    around = w[d.R_AROUND]
    turn = w[d.PLACE + box]
    for k in range(1, d.BOXES):
        if w[d.PLACE + k] >= 0:
            w[d.PLACE + k] = (w[d.PLACE + k] - turn) % around
            w[d.AROUND + w[d.PLACE + k]] = k


@inlined
def initially_in_turn(code, w, box):
    """One card to each box, one to the dealer (who stands behind the boxes in AROUND as box 0),
    another one to each box, and one more to the dealer where the deal gives two."""
    around = w[d.R_AROUND]
    place = w[d.R_DEALT]
    w[d.R_DEALT] = place + 1
    again = around + 1 if place > around else 0
    most = 2 * around + code[w[d.R_PERIOD] + TO_DEALER] - 1
    return place <= most and w[d.AROUND + place - again] == box


@inlined
def boxes_in_turn(w, box, n):
    """Nothing happens any more at the boxes that come before."""
    for k in range(w[d.PLACE + box]):
        if w[d.BOX_TOUCHED + w[d.AROUND + k]] >= n:
            return False
    return True


@inner
def hands_in_turn(w, box, hand, n):
    b = d.B + box * d.BOX_WIDTH
    for k in range(w[b + d.B_HANDS]):
        other = w[b + d.B_ORDER + k]
        if other == hand:
            return True
        if other < hand and w[d.HAND_TOUCHED + box * d.MOST_HANDS + other - 1] > n:
            return False
    return True


@inlined
def decides_in_turn(w, box, hand, n):
    """A decision comes after all that happens at the boxes and hands before."""
    several = w[d.B + box * d.BOX_WIDTH + d.B_HANDS] > 1
    return boxes_in_turn(w, box, n) and (not several or hands_in_turn(w, box, hand, n))


@inner
def original_of(w, box, player):
    rider = rider_of(w, box, 1, player)
    return w[rider + d.RIDER_STAKE] if rider >= 0 else 0


@inlined
def card_comes(w, n):
    """Event `n` is the next card after the last one."""
    w[d.NEXT_DEAL + w[d.R_LAST_CARD]] = n
    w[d.NEXT_DEAL + n] = c.NO_AMOUNT
    w[d.R_LAST_CARD] = n


@inlined
def take_card(code, w, b, h, card, n):
    count = w[h + d.H_CARDS]
    if count >= d.MOST_CARDS:
        return Reason.TOO_LARGE
    received = w[b + d.B_RECEIVED]
    w[b + d.B_RECEIVED] = received + 1
    if received < 3:
        w[b + d.B_CARD + received] = card
        w[b + d.B_CARD_N + received] = n
    if received < 2:
        w[h + d.H_INITIAL] |= 1 << count
        w[d.R_TO_COME] -= received
        w[d.R_SHORT_BOXES] -= received
        w[BOXES_DEALT] = w[d.R_SHORT_BOXES] == 0
    w[h + d.H_CODE + count] = card
    w[h + d.H_N + count] = n
    w[h + d.H_CARDS] = count + 1
    add_card(code, w, h, card)
    w[d.R_STAMP] += 1
    return 0
