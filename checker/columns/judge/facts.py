"""The facts at a moment of the round, in the working memory (see `checker.evaluate.facts.boxes`).

Each group has a function that fills it, and one for scenes that have no such thing.
"""

from __future__ import annotations

import numpy as np

from checker.columns import batch as c
from checker.columns import desk as d
from checker.columns.known_game import PLAYER_WON_BONUS, WITH_SIDE_BET
from checker.columns.machine.compile import inner
from checker.columns.slots import BLACK, MIXED, NONE_RANK, RED, SPADES, UNKNOWN, slot, span

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
SOMEONE_SEATED = slot("player.someone_seated")
EQUAL = slot("player.equal_stakes")
PLAYER_BOXES = slot("player.boxes")
WARNED = slot("player.warned")
STAKE = slot("wager.stake")
WAGER_ORIGINAL = slot("wager.original")
PART = slot("wager.part")
W_DOUBLED = slot("wager.doubled")
W_SURRENDERED = slot("wager.surrendered")
W_FORFEITED = slot("wager.forfeited")
W_EVEN = slot("wager.even_money")
AFTER_CALL = slot("wager.after_call")
WITH_MAIN = slot("wager.with_main")
WITH_PAIRS = slot(WITH_SIDE_BET[c.BETS[c.PERFECT_PAIRS]])
ROOM = slot("wager.room")
UNDER = slot("wager.under_minimum")
OVER = slot("wager.over_maximum")
OFF_UNIT = slot("wager.off_unit")
OFF_MINIMUM = slot("wager.off_minimum")
WHOLE_UNITS = slot("wager.whole_units")
IN_ORDER = slot("wager.in_order")
STANDS_FOR_ORIGINAL = slot("wager.stands_for_original")
ORIGINAL_BUST = slot("wager.original_bust")
ANOTHER_FORFEITED = slot("wager.another_forfeited")
FIRST_OF_PLAYER = slot("wager.first_of_player")
PLAYER_WON = slot(PLAYER_WON_BONUS)
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


@inner
def or_unknown(value):
    return max(np.int64(value), np.int64(UNKNOWN))


@inner
def two_bits(marks, shift):
    return np.int64((marks >> shift) & 3) - 1


@inner
def measured_by(bet):
    """The bet whose limits hold for another."""
    return 0 if bet == c.INSURANCE or bet == c.SUPER_BONUS else bet


@inner
def fill_limits(w, limits, box, bet):
    """`box` 0: no box."""
    row = w[d.R_LIMITS]
    base = c.LIMIT_FIELDS * measured_by(bet)
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
        count = w[b + d.B_PAIRS + bet - c.PERFECT_PAIRS] >> d.SIDES_SHIFT
    elif bet >= c.FIRST_OWN:
        for k in range(w[d.R_BETS]):
            t = d.T + k * d.BET_ROW
            count += w[t + d.T_BOX] == box and w[t + d.T_BET] == bet
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
    w[ANOTHER_FORFEITED] = 0
