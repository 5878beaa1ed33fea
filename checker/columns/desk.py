"""The working memory of the judge: facts first, then the round as it stands on the table.

One array of whole numbers, so that machine code passes it on cheaply. Boxes, hands, riders (a
player's money on a hand), players, bets and insurance each have their block.
"""

from __future__ import annotations

from typing import Final

from checker.columns.slots import FACT_COUNT

LINE: Final = 8  # words of a line of the cache
# What fits. A round with more is passed on to the plain evaluator.
MOST_HANDS: Final = 6
MOST_CARDS: Final = 15
MOST_RIDERS: Final = 8
MOST_PLAYERS: Final = 40
MOST_WAGERS: Final = 64
MOST_INSURED: Final = 24
MOST_SETTLED: Final = 96
MOST_EVENTS: Final = 400
BOXES: Final = 10

# --- the round, cleared when one begins
_ROUND: Final = 46
(
    R_SUBSEQUENT,  # index of the first card beyond the initial deal, -1 none yet
    R_LAST_CARD,
    R_TO_COME,  # whose initial deal is not over: boxes, and the dealer
    R_LAST_PLAYED,  # the last event at any box
    R_BETS,
    R_INSURED,
    R_SETTLED,
    R_SURRENDERS,
    R_CALLED,
    R_AROUND,  # how many boxes are dealt to
    R_FIRST_CARD,
    R_LAST_ACT,  # the last card or play
    R_DEALER_DEALS,  # how many cards the dealer has
    R_HITS,  # answers noted
    R_PLAYERS,
    R_CARDS_SEEN,  # some wager of the log tells of a player card
    R_PERIOD,
    R_INITIAL_END,  # the last card of the initial deal
    R_KNOWN,  # the shoe began in the log
    R_DOUBTED,  # bits of boxes with a wrong amount, bit 0 for the bonus
    R_WARNS,  # this log records warnings
    R_WINNERS,
    R_MISSED,
    R_DEALT,
    R_BONUS,
    R_MARKER,
    R_CALL,  # the call that closed the betting came before any card
    R_PLACES,  # how many places the memory of answers has
    R_HAND_FRESH,  # the term of the hand in the scene holds
    R_DEALER_FRESH,
    R_NEVER,  # always 0
    R_HAND,  # the hand in the scene, 0 none
    R_LACKED,
    R_SETTLED_YET,  # of the settlements, how many have come
    R_BOX_OF,  # whose facts stand in the scene already
    R_SEAT_OF,
    R_HAND_OF,
    R_PLAIN,  # the hand in the scene is plain (see `program.PLAIN`)
    R_NOT_LEFT,  # bits of boxes: whether rightly left is not judged yet
    R_LAST_OFFER,
    R_UNMATCHED,  # some settlement has to be matched at the end
    R_OPTION_BITS,  # offered or announced
    R_WAITING,  # hands that asked for a card and wait for it
    R_LAST_SHOWN,  # the last event that looks at a card or turns it
    R_LOOKED,  # the first look at a card that lies face down, -1 none
    R_ANNOUNCES,  # something is announced in the round
) = range(FACT_COUNT, FACT_COUNT + _ROUND)
R_WIDTH: Final = _ROUND
NO_BOX: Final = -2  # in R_BOX_OF: nobody's
# --- what is kept from round to round
_KEPT: Final = 19
(
    R_STAMP,  # counts whatever changes on the table; never put back
    R_ONE_BY_ONE,  # wagers are judged question by question (see `endings`)
    R_BOX_STAMP,  # counts what changes facts of a box: hands split or given up
    R_DEAL_FIRST,  # of the key of a deal, what is the same all round
    R_DEAL_SECOND,
    R_LIMITS_OF,  # which limits stand in the scene already
    R_LIMITS,
    R_BOX_LIMITS,  # 1 some box has a maximum of its own
    R_CHIP,  # smallest chip stated, 0 none
    R_OPTIONS,  # options and decks of the round
    # of which table the key stands that is the same at all seats, and that key
    R_TABLE_LIMITS,
    R_TABLE_OPTIONS,
    R_TABLE_PROGRAM,
    R_TABLE_FIRST,
    R_TABLE_SECOND,
    R_NOT_DONE,  # bits of boxes with main wagers that are not judged yet
    R_DEAL_KIND,
    R_SHORT_BOXES,  # boxes that have not got what the initial deal gives them
    R_LIMITS_PERIOD,  # the text that R_LIMITS was taken for
) = range(R_SUBSEQUENT + R_WIDTH, R_SUBSEQUENT + R_WIDTH + _KEPT)
AROUND: Final = R_STAMP + _KEPT  # the boxes in the order in which they are dealt to, then 0
PLACE: Final = AROUND + BOXES  # box: its place in that order, -1
BOX_TOUCHED: Final = PLACE + BOXES  # the last event at the box
HAND_TOUCHED: Final = BOX_TOUCHED + BOXES  # and at the hand
TOUCHED_END: Final = HAND_TOUCHED + BOXES * MOST_HANDS

# --- the dealer
D_N: Final = TOUCHED_END  # events
D_HARD: Final = D_N + MOST_CARDS + 1
D_FLEXIBLE: Final = D_HARD + 1
D_HOLE: Final = D_FLEXIBLE + 1  # the card that lies face down, -1 none
D_SHOWN: Final = D_HOLE + 1  # the event that turned it, -1 none did
D_CODE: Final = D_SHOWN + 1  # cards
D_WIDTH: Final = 2 * MOST_CARDS + 6

# --- boxes
B: Final = D_N + D_WIDTH
B_MAIN: Final = 0  # main wagers
B_TOTAL: Final = 1
B_CONTROLLER: Final = 2
B_RECEIVED: Final = 3
B_CARD: Final = 4  # the first three cards
B_CARD_N: Final = 7  # and their events
B_HANDS: Final = 10
B_SUITED_SEVENS: Final = 11
B_DECLINED: Final = 12
B_REDECLINED: Final = 13
B_SURRENDERED: Final = 14  # bits of players
B_INSURED: Final = 15
B_PLAYERS: Final = 16  # different players with a main wager
B_SEATED: Final = 17  # -1 nobody says, 0 nobody sits, 1 somebody sits
B_EQUAL: Final = 18
B_HIGHEST: Final = 19
B_FIRST: Final = 20  # the player of the first main wager
B_USED: Final = 21
B_MARKED: Final = 22  # the controller is marked
B_SITTER: Final = 23  # the first player who is marked as seated, -1
B_PAIRS: Final = 24  # bits of players with Perfect Pairs, then with Super Sevens; and above:
SIDES_SHIFT: Final = 48  # how many such wagers there are
B_ORDER: Final = 26  # hand numbers in the order of play
BOX_WIDTH: Final = B_ORDER + MOST_HANDS

# --- hands
H: Final = B + BOXES * BOX_WIDTH
H_CARDS: Final = 0  # how many
H_SPLIT: Final = 1  # rank of the pair + 1, 0 when not split
H_DOUBLED: Final = 2  # cards held when doubled, 0 when not
H_SURRENDERED: Final = 3  # bits of players
H_FORFEITED: Final = 4
H_EVEN: Final = 5
H_RIDERS: Final = 6
H_FRESH: Final = 7  # the totals are up to date
H_TOTAL: Final = 8  # UNKNOWN when a card has no value
H_HARD: Final = 9
H_SOFT: Final = 10
H_TENS: Final = 11
H_ACES: Final = 12
H_RANKS: Final = 13
H_SUITS: Final = 14
H_ASKED: Final = 15  # what it waits for
H_WINNERS: Final = 16  # bits of players whose wager wins the Super Bonus
H_DOUBLERS: Final = 17  # bits of players
H_RIDING: Final = 18  # bits of players
H_STOOD: Final = 19
H_TERM: Final = 20  # whether it is a natural, once that was asked
H_TERM_FRESH: Final = 21
H_FLEXIBLE: Final = 22  # some card may count eleven
H_SUIT_BITS: Final = 23
H_CODE: Final = 24  # cards
H_N: Final = H_CODE + MOST_CARDS  # events
H_INITIAL: Final = H_N + MOST_CARDS  # bits of cards
H_RIDER: Final = H_INITIAL + 1
(RIDER_PLAYER, RIDER_PART, RIDER_STAKE, RIDER_DOUBLE, RIDER_SETTLED, RIDER_MARKS, RIDER_DONE) = (
    range(7)
)
RIDER_KEYS: Final = 7  # of each part: the key of its result so far, and when that was
KEY_WIDTH: Final = 3
SEAT_WORDS: Final = 4  # of each part
RIDER_SEAT: Final = RIDER_KEYS + 2 * KEY_WIDTH  # of the keys of its end and its result, what the
# seat makes of them; a second word 0: not known
OF_RESULT: Final = 2  # in them, behind those of the end
RIDER_WIDTH: Final = RIDER_SEAT + 2 * SEAT_WORDS
HAND_WIDTH: Final = H_RIDER + MOST_RIDERS * RIDER_WIDTH

# --- players
P: Final = H + BOXES * MOST_HANDS * HAND_WIDTH
P_BOXES: Final = 0  # how many have a main wager of the player
P_FIRST_BOX: Final = 1  # the lowest of them, 99
P_CARD: Final = 2  # 0 no player card is recorded, else 1 more than its HOLDER
P_LATE, P_LATE_TWO, P_SAT_OUT, P_SAT_OUT_LATER, P_IDLE, P_WARNED, P_TOLD = range(3, 10)
P_BONUS: Final = 10
P_BOX_BITS: Final = 11
P_DUE: Final = 12
PLAYER_ROW: Final = 13

# --- bets, in the order of the log
T: Final = P + MOST_PLAYERS * PLAYER_ROW
T_BOX, T_PLAYER, T_BET, T_STAKE, T_MARKS, T_AFTER_CALL, T_SETTLED = range(7)
BET_ROW: Final = 8

# --- insurance
S: Final = T + MOST_WAGERS * BET_ROW
S_BOX, S_PLAYER, S_STAKE, S_SETTLED = range(4)
INSURED_ROW: Final = 4

# --- seats: what the facts of a player at a box are, for each rider of the first hand
SEAT: Final = S + MOST_INSURED * INSURED_ROW
SEAT_WIDTH: Final = 32
# --- which rider of a hand a player is, by hand
RIDES: Final = SEAT + BOXES * MOST_RIDERS * SEAT_WIDTH
# --- settlements: which wager (see `table.wager_key`), the event, and what was returned
Z_WIDTH: Final = 3
Z: Final = RIDES + BOXES * MOST_HANDS * MOST_PLAYERS
# --- for each card, by its event, that of the next one; in front of them what the first one follows
NEXT_DEAL: Final = Z + Z_WIDTH * MOST_SETTLED + 1
# --- answers noted: place in the memory of answers, and whether it counts as asked
NOTED: Final = NEXT_DEAL + MOST_EVENTS + 1
MOST_NOTED: Final = 1500
# --- the facts for which an answer was missing
MISS: Final = NOTED + 2 * MOST_NOTED
# --- where the units stand
UNITS: Final = MISS + FACT_COUNT
MOST_UNITS: Final = 40
# --- whether further cards could change a result, by its key and the dealer's hand; kept for good
MOVED: Final = (UNITS + MOST_UNITS + LINE - 1) // LINE * LINE  # as all that follow, whole lines
MOVED_BITS: Final = 14
MOVED_WIDTH: Final = 4
# --- how plain wagers end (see `endings`): two words of key, then where the answers stand
ENDINGS: Final = MOVED + (1 << MOVED_BITS) * MOVED_WIDTH
ENDING_BITS: Final = 15
ENDING_WIDTH: Final = 8  # what is mostly needed: a line of the cache
# whether anything of them has to be noted; the result, odds and times themselves
E_QUIET, E_SAYS, E_PAYS, E_TIMES = range(2, 6)
E_COUNTED, E_ROUNDING = range(6, 8)
E_MORE: Final = (1 << ENDING_BITS) * ENDING_WIDTH  # from a row to the rest of it, behind them all
E_LEFT, E_TERM, E_BONUS, E_RESULT, E_ODDS, E_SETTLES, E_SETTLEMENT, E_OWN = range(
    E_MORE, E_MORE + ENDING_WIDTH
)
# --- cards dealt (see `deals`): what is the same all round, what is not, where the answer stands
DEALT: Final = ENDINGS + 2 * E_MORE
DEALT_BITS: Final = 12
DEALT_WIDTH: Final = 4
# --- plays (see `plays`): what tells them apart, options and program, where the answer stands
PLAYED: Final = DEALT + (1 << DEALT_BITS) * DEALT_WIDTH
PLAYED_BITS: Final = 14
PLAYED_WIDTH: Final = 4
PROGRAM_OF_PLAY: Final = 32
# --- seats (see `wagers`): two words of key, where the answers about the wager and the box stand,
# the words of RIDER_SEAT
SEATED: Final = PLAYED + (1 << PLAYED_BITS) * PLAYED_WIDTH
SEATED_BITS: Final = 11
SEATED_WIDTH: Final = 16
SEATED_WAGER, SEATED_BOX, SEATED_WORDS = range(2, 5)
# --- what left nothing to note (see `quiet`): of cards and of plays, from even places
QUIET_DEALS: Final = SEATED + (1 << SEATED_BITS) * SEATED_WIDTH
QUIET_DEAL_BITS: Final = 12
QUIET_PLAYS: Final = QUIET_DEALS + (1 << QUIET_DEAL_BITS)
QUIET_PLAY_BITS: Final = 13
# --- the kinds of them: two words each
KINDS: Final = QUIET_PLAYS + (1 << QUIET_PLAY_BITS)
MOST_KINDS: Final = 256
DESK_SIZE: Final = KINDS + 2 * MOST_KINDS
