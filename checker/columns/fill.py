"""The facts at a moment of the round, written into the working memory (see `checker.facts`).

Each group has a function that fills it, and one for scenes that have no such thing.
"""

from __future__ import annotations

import numpy as np

from checker.columns import desk as d
from checker.columns import layout as c
from checker.columns.compiled import inner
from checker.columns.features import (
    BLACK,
    MIXED,
    NONE_RANK,
    RED,
    SPADES,
    UNKNOWN,
    slot,
    span,
)

BOX_START, BOX_END = span("box")
PLAYER_START, PLAYER_END = span("player")
LIMIT_MIN = slot("limit.min")
LIMIT_MAX = slot("limit.max")
LIMIT_UNIT = slot("limit.unit")
LIMIT_BOX_MAX = slot("limit.box_max")
LIMIT_STATED = slot("limit.box_max_stated")
LIMIT_CHIP = slot("limit.smallest_chip")
LIMIT_NOTICE = slot("limit.multiples_notice")
BOX_NUMBER = slot("box.number")
BOX_PLAYERS = slot("box.players")
BOX_TOTAL = slot("box.main_total")
BOX_SIDE_BETS = slot("box.side_bets")
BOX_HAS_MAIN = slot("box.has_main")
BOX_DOUBLED_BEFORE = slot("box.doubled_before")
BOX_HANDS = slot("box.hands")
HANDS_AFTER = slot("play.hands_after")
CONTROLS = slot("player.controls")
NEXT_IN_LINE = slot("player.next_in_line")
RECOGNISED = slot("player.recognised")
JOINED = slot("player.joined_after_change")
SEATED = slot("player.seated")
SOMEONE_SEATED = slot("player.someone_seated")
HIGHEST = slot("player.highest_stake")
EQUAL = slot("player.equal_stakes")
FIRST_ON_BOX = slot("player.first_on_box")
WAGERS_ON_BOX = slot("player.wagers_on_box")
PLAYER_BOXES = slot("player.boxes")
PLAYER_CARD = slot("player.card")
WARNED = slot("player.warned")
LATE_ENTRY = slot("player.late_entry")
LATE_ENTRY_TWO = slot("player.late_entry_two")
SAT_OUT = slot("player.sat_out")
SAT_OUT_LATER = slot("player.sat_out_later")
IDLE = slot("player.idle_rounds")
STAKE = slot("wager.stake")
WAGER_ORIGINAL = slot("wager.original")
PART = slot("wager.part")
W_DOUBLED = slot("wager.doubled")
W_SURRENDERED = slot("wager.surrendered")
W_FORFEITED = slot("wager.forfeited")
W_EVEN = slot("wager.even_money")
AFTER_CALL = slot("wager.after_call")
WITH_MAIN = slot("wager.with_main")
WITH_PAIRS = slot("wager.with_perfect_pairs")
ROOM = slot("wager.room")
UNDER = slot("wager.under_minimum")
OVER = slot("wager.over_maximum")
OFF_UNIT = slot("wager.off_unit")
OFF_MINIMUM = slot("wager.off_minimum")
WHOLE_UNITS = slot("wager.whole_units")
IN_ORDER = slot("wager.in_order")
STANDS_FOR_ORIGINAL = slot("wager.stands_for_original")
ORIGINAL_BUST = slot("wager.original_bust")
FIRST_OF_PLAYER = slot("wager.first_of_player")
PLAYER_WON = slot("wager.player_won_super_bonus")
HAND_CARDS = slot("hand.cards")
HAND_TOTAL = slot("hand.total")
HAND_HARD = slot("hand.hard_total")
HAND_SOFT = slot("hand.soft")
HAND_ACES = slot("hand.aces")
HAND_TENS = slot("hand.ten_cards")
HAND_RANKS = slot("hand.ranks")
HAND_SUITS = slot("hand.suits")
HAND_NUMBER = slot("hand.number")
EQUAL_VALUE = slot("hand.equal_value")
HAND_SPLIT = slot("hand.split")
STOOD = slot("hand.stood")
SPLIT_ACES = slot("hand.split_aces")
SPLIT_TENS = slot("hand.split_tens")
SUITED_SEVENS = slot("hand.split_suited_sevens")
DECLINED = slot("hand.declined_split")
REDECLINED = slot("hand.declined_resplit")
HAND_DOUBLED = slot("hand.doubled")
DOUBLE_DEALT = slot("hand.double_card_dealt")
LATE_ACE = slot("hand.late_ace_held")
HAND_SURRENDERED = slot("hand.surrendered")
ALL_SURRENDERED = slot("hand.all_surrendered")
UNTOUCHED = slot("play.hand_untouched")
HELD_WHEN_DOUBLED = slot("card.held_when_doubled")
POSITION = slot("card.position")
FIRST_RANK = slot("first.rank")
FIRST_SUIT = slot("first.suit")
FIRST_COLOUR = slot("first.colour")
SECOND_RANK = slot("second.rank")
SECOND_SUIT = slot("second.suit")
SECOND_COLOUR = slot("second.colour")
THIRD_RANK = slot("third.rank")
THIRD_SUIT = slot("third.suit")

ACE = c.RANK_CODES["A"]
TEN = c.RANK_CODES["T"]
PLAYER_FACTS = PLAYER_END - PLAYER_START
assert PLAYER_FACTS + 3 <= d.SEAT_WIDTH
WAGER_MARKS = 3 << c.RECOGNISED_SHIFT | 3 << c.JOINED_SHIFT | 3 << c.IN_ORDER_SHIFT


@inner
def or_unknown(value):
    return np.int64(UNKNOWN) if value < 0 else np.int64(value)


@inner
def two_bits(marks, shift):
    found = (marks >> shift) & 3
    return np.int64(UNKNOWN) if found == 0 else np.int64(found - 1)


@inner
def fill_limits(w, limits, box, bet):
    """`box` 0: no box."""
    row = w[d.R_LIMITS]
    base = c.LIMIT_FIELDS * (0 if bet >= c.INSURANCE else bet)
    w[LIMIT_MIN] = or_unknown(limits[row * c.LIMIT_WIDTH + base + c.LIMIT_MIN])
    most = or_unknown(limits[row * c.LIMIT_WIDTH + base + c.LIMIT_MAX])
    w[LIMIT_MAX] = most
    w[LIMIT_UNIT] = or_unknown(limits[row * c.LIMIT_WIDTH + base + c.LIMIT_UNIT])
    w[LIMIT_CHIP] = or_unknown(limits[row * c.LIMIT_WIDTH + base + c.LIMIT_CHIP])
    w[LIMIT_NOTICE] = or_unknown(limits[row * c.LIMIT_WIDTH + base + c.LIMIT_NOTICE])
    stated = -1
    if box > 0 and base == 0:
        stated = limits[row * c.LIMIT_WIDTH + c.BOX_MAX + box]
    w[LIMIT_STATED] = 1 if stated >= 0 else 0
    w[LIMIT_BOX_MAX] = stated if stated >= 0 else most


@inner
def fill_stake(w, stake, units):
    """What a stake is against the limits, which have to be there; `units`: dividing is slow."""
    w[STAKE] = stake
    low = w[LIMIT_MIN]
    w[UNDER] = UNKNOWN if low == UNKNOWN else stake < low
    most = w[LIMIT_BOX_MAX]
    w[OVER] = UNKNOWN if most == UNKNOWN else stake > most
    if not units:
        return
    if low == UNKNOWN:
        w[OFF_MINIMUM] = UNKNOWN
    else:
        w[OFF_MINIMUM] = low > 0 and stake % low != 0
    unit = w[LIMIT_UNIT]
    if unit == UNKNOWN:
        w[OFF_UNIT] = UNKNOWN
        w[WHOLE_UNITS] = UNKNOWN
    elif unit == 0:
        w[OFF_UNIT] = 0
        w[WHOLE_UNITS] = UNKNOWN
    else:
        w[OFF_UNIT] = stake % unit != 0
        w[WHOLE_UNITS] = stake - stake % unit


@inner
def fill_box(w, box, bet):
    b = d.B + box * d.BOX_WIDTH
    w[BOX_NUMBER] = box
    w[BOX_PLAYERS] = w[b + d.B_PLAYERS]
    w[BOX_TOTAL] = w[b + d.B_TOTAL]
    w[BOX_HAS_MAIN] = w[b + d.B_MAIN] > 0
    w[BOX_HANDS] = w[b + d.B_HANDS]
    w[HANDS_AFTER] = w[b + d.B_HANDS] + 1
    w[SOMEONE_SEATED] = or_unknown(w[b + d.B_SEATED])
    w[EQUAL] = w[b + d.B_EQUAL]
    count = w[b + d.B_MAIN] if bet == c.MAIN else 0
    if bet == c.PERFECT_PAIRS or bet == c.SUPER_SEVENS:
        for k in range(w[d.R_BETS]):
            t = d.T + k * d.BET_ROW
            if w[t + d.T_BOX] == box and w[t + d.T_BET] == bet:
                count += 1
    w[BOX_SIDE_BETS] = count


@inner
def no_box(w):
    for k in range(BOX_START, BOX_END):
        w[k] = UNKNOWN
    w[HANDS_AFTER] = UNKNOWN
    for k in range(PLAYER_START, PLAYER_END):
        w[k] = UNKNOWN
    w[PLAYER_BOXES] = 0
    w[WARNED] = 0 if w[d.R_KNOWN] else UNKNOWN
    w[WAGER_ORIGINAL] = UNKNOWN
    w[WITH_MAIN] = UNKNOWN
    w[WITH_PAIRS] = UNKNOWN
    w[ROOM] = UNKNOWN
    w[IN_ORDER] = UNKNOWN
    w[FIRST_OF_PLAYER] = 0


@inner
def fill_cards_of_box(w, box):
    b = d.B + box * d.BOX_WIDTH
    received = w[b + d.B_RECEIVED] if box > 0 else 0
    w[FIRST_RANK] = UNKNOWN
    w[FIRST_SUIT] = UNKNOWN
    w[FIRST_COLOUR] = UNKNOWN
    w[SECOND_RANK] = UNKNOWN
    w[SECOND_SUIT] = UNKNOWN
    w[SECOND_COLOUR] = UNKNOWN
    w[THIRD_RANK] = NONE_RANK
    w[THIRD_SUIT] = NONE_RANK
    if received > 0:
        card = w[b + d.B_CARD]
        w[FIRST_RANK] = card >> 2
        w[FIRST_SUIT] = SPADES + (card & 3)
        w[FIRST_COLOUR] = colour(card & 3)
    if received > 1:
        card = w[b + d.B_CARD + 1]
        w[SECOND_RANK] = card >> 2
        w[SECOND_SUIT] = SPADES + (card & 3)
        w[SECOND_COLOUR] = colour(card & 3)
    if received > 2:
        card = w[b + d.B_CARD + 2]
        w[THIRD_RANK] = card >> 2
        w[THIRD_SUIT] = SPADES + (card & 3)


@inner
def colour(suit):
    return RED if suit == 1 or suit == 2 else BLACK


@inner
def fill_player(w, box, player, bet, marks, limit_box_max):
    """The player at a box. `marks`: of the wager that is asked about, 0 for none."""
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
    original = 0
    on_box = 0
    seated = np.int64(UNKNOWN)
    pairs = 0
    for k in range(w[d.R_BETS]):
        t = d.T + k * d.BET_ROW
        if w[t + d.T_BOX] != box or w[t + d.T_PLAYER] != player:
            continue
        kind = w[t + d.T_BET]
        if kind == c.MAIN:
            original += w[t + d.T_STAKE]
            if seated == UNKNOWN:
                seated = two_bits(w[t + d.T_MARKS], c.SEATED_SHIFT)
        pairs |= kind == c.PERFECT_PAIRS
        on_box += kind == bet
    if limit_box_max == UNKNOWN:
        w[ROOM] = UNKNOWN
    elif w[b + d.B_MAIN] == 1 and original > 0:
        w[ROOM] = limit_box_max
    else:
        w[ROOM] = room_for(w, box, player, controller, limit_box_max)
    if seated == UNKNOWN and w[b + d.B_SEATED] == 1:
        seated = np.int64(0)  # one player sits at a box
    w[SEATED] = seated
    w[WAGER_ORIGINAL] = original
    w[WITH_MAIN] = original > 0
    w[WITH_PAIRS] = pairs
    w[WAGERS_ON_BOX] = on_box
    w[HIGHEST] = w[b + d.B_HIGHEST] <= original
    w[FIRST_ON_BOX] = w[b + d.B_FIRST] == player
    w[PLAYER_BOXES] = w[p + d.P_BOXES]
    if w[p + d.P_CARD]:
        w[PLAYER_CARD] = 1
    else:
        w[PLAYER_CARD] = 0 if w[d.R_CARDS_SEEN] else UNKNOWN
    w[WARNED] = 1 if w[p + d.P_WARNED] else (0 if w[d.R_KNOWN] else UNKNOWN)
    if w[d.R_KNOWN]:
        w[LATE_ENTRY] = w[p + d.P_LATE]
        w[LATE_ENTRY_TWO] = w[p + d.P_LATE_TWO]
        w[SAT_OUT] = w[p + d.P_SAT_OUT]
        w[SAT_OUT_LATER] = w[p + d.P_SAT_OUT_LATER]
        w[IDLE] = w[p + d.P_IDLE]
    else:
        w[LATE_ENTRY] = UNKNOWN
        w[LATE_ENTRY_TWO] = UNKNOWN
        w[SAT_OUT] = UNKNOWN
        w[SAT_OUT_LATER] = UNKNOWN
        w[IDLE] = UNKNOWN


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


@inner
def keep_seat(w, box, k):
    """What `fill_player` found about a rider of the first hand will stay so."""
    seat = d.SEAT + (box * d.MOST_RIDERS + k) * d.SEAT_WIDTH
    for j in range(PLAYER_FACTS):
        w[seat + j] = w[PLAYER_START + j]
    w[seat + PLAYER_FACTS] = w[WAGER_ORIGINAL]
    w[seat + PLAYER_FACTS + 1] = w[WITH_PAIRS]
    w[seat + PLAYER_FACTS + 2] = w[ROOM]


@inner
def take_seat(w, box, player, bet, marks):
    """The facts of a player as they were kept; False when there is no such seat."""
    h = d.H + box * d.MOST_HANDS * d.HAND_WIDTH
    place = -1
    for k in range(w[h + d.H_RIDERS]):
        if w[h + d.H_RIDER + k * d.RIDER_WIDTH + d.RIDER_PLAYER] == player:
            place = k
    if place < 0:
        return False
    seat = d.SEAT + (box * d.MOST_RIDERS + place) * d.SEAT_WIDTH
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


@inner
def fill_marks(w, box, hand):
    """Only what is needed of a hand when a card is dealt; 0 for no hand."""
    w[d.R_HAND_OF] = -1
    h = d.H + (box * d.MOST_HANDS + hand - 1) * d.HAND_WIDTH
    split = w[h + d.H_SPLIT] if hand > 0 else 0
    w[HAND_CARDS] = w[h + d.H_CARDS] if hand > 0 else 0
    w[HAND_DOUBLED] = w[h + d.H_DOUBLED] > 0 if hand > 0 else 0
    w[HAND_NUMBER] = max(hand, 1)
    w[HAND_SPLIT] = split > 0
    w[SPLIT_ACES] = split == ACE + 1
    w[SPLIT_TENS] = split > TEN


@inner
def no_hand(w):
    w[d.R_HAND] = 0
    w[d.R_HAND_OF] = -1
    w[d.R_HAND_FRESH] = 0
    w[HAND_CARDS] = 0
    w[HAND_TOTAL] = UNKNOWN
    w[HAND_HARD] = UNKNOWN
    w[HAND_SOFT] = UNKNOWN
    w[HAND_TENS] = UNKNOWN
    w[HAND_ACES] = 0
    w[HAND_RANKS] = 0
    w[HAND_SUITS] = MIXED
    w[HAND_NUMBER] = 1
    w[EQUAL_VALUE] = 0
    w[HAND_SPLIT] = 0
    w[STOOD] = 0
    w[SPLIT_ACES] = 0
    w[SPLIT_TENS] = 0
    w[SUITED_SEVENS] = 0
    w[DECLINED] = 0
    w[REDECLINED] = 0
    w[HAND_DOUBLED] = 0
    w[DOUBLE_DEALT] = 0
    w[LATE_ACE] = 0
    w[HAND_SURRENDERED] = 0
    w[ALL_SURRENDERED] = 0
    w[UNTOUCHED] = 0
    w[HELD_WHEN_DOUBLED] = 0
    w[W_DOUBLED] = 0
    w[W_SURRENDERED] = 0
    w[W_FORFEITED] = 0
    w[W_EVEN] = 0
    w[STANDS_FOR_ORIGINAL] = 0
    w[ORIGINAL_BUST] = 0


