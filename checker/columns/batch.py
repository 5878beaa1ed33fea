"""A batch of rounds as flat columns of whole numbers: what the scanner fills and the judge reads.

Every well-formed round fits. What the judge does not know how to judge, it passes on to the plain
evaluator. Names are kept as 64-bit hashes, and where they stand in `text`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final, TypeAlias

from checker.columns.known_game import (
    BONUS_BET,
    INSURANCE_BET,
    MAIN_BET,
    MECHANICS,
    OPTIONS,
    RECORDS,
    SIDE_BETS,
)
from checker.log import model as r

# Arrays of numpy, which need not be installed.
Numbers: TypeAlias = Any  # int64
Small: TypeAlias = Any  # int32
Bytes: TypeAlias = Any  # uint8

# --- rounds[N, ROUND_WIDTH], int64

STATUS: Final = 0
FIRST_EVENT: Final = 1  # index into `events`
EVENTS: Final = 2  # how many
FIRST_PLAYER: Final = 3  # index into `players`
PLAYERS: Final = 4  # how many
BOOK: Final = 5  # index of the rulebook in `Prepared.books`, -1 when none of them or none named
TABLE: Final = 6  # hash of rulebook and table, see `hashing`
SHOE: Final = 7  # hash, 0 when the round names none
DAY: Final = 8  # `date.toordinal()` of the day in the rulebook's zone; without one: as written
DECKS: Final = 9
OPTION_BITS: Final = 10  # bit i: the i-th word of OPTIONS; other words say nothing to any rule
NO_OPTIONS: Final = 1 << 60  # in OPTION_BITS: the round has no field `options`
LIMITS: Final = 11  # row of `limits`
LINE: Final = 12  # of the log, from 1
START: Final = 13  # of the line in `text`
LENGTH: Final = 14
KEY: Final = 15  # by which a round that stands twice is known, see `hashing.round_hash`
ROUND_WIDTH: Final = 16

# values of STATUS
PLAIN: Final = 0
ASK: Final = 1  # holds something that the columns cannot say: the evaluator has to judge it
SKIP: Final = 2  # not a round (quarantined): neither judged nor known to the shoe

# --- events[M, EVENT_WIDTH], int32, and amounts[M], int64

KIND: Final = 0
BOX: Final = 1  # -1 when not given
HAND: Final = 2  # 1 when a wager, deal or play names none; 0 when a settlement names none
PLAYER: Final = 3  # index within the round in order of first appearance, -1 when none
WHAT: Final = 4  # bet, play, option or record; -1 when it is another word
CARD: Final = 5  # 4 * rank + suit, JOKER_CARD, -1 when not given
MARKS: Final = 6  # of a wager or a card, below
COPIES: Final = 7  # times the card is out with this one; the shoe pass fills it in
HOLDER: Final = 7  # of a wager: a number of its player card, the same for the same card
HOLDERS: Final = 2**31 - 1
EVENT_WIDTH: Final = 8
# amounts: cents of stake, returned or amount; NO_AMOUNT when not given
NO_AMOUNT: Final = -(2**62)

KINDS: Final = (
    "wager",
    "deal",
    "play",
    "settle",
    "burn",
    "cut_card",
    "shuffle",
    "no_more_bets",
    "offer",
    "absent",
    "approve",
    "void",
    "adjust",
    "malfunction",
    "irregularity",
    "refuse",
    "announce",
    "warn",
    "withdraw",
    "note",
    "reveal",
    "peek",
)
(
    WAGER,
    DEAL,
    PLAY,
    SETTLE,
    BURN,
    CUT_CARD,
    SHUFFLE,
    NO_MORE_BETS,
    OFFER,
    ABSENT,
    APPROVE,
    VOID,
    ADJUST,
    MALFUNCTION,
    IRREGULARITY,
    REFUSE,
    ANNOUNCE,
    WARN,
    WITHDRAW,
    NOTE,
    REVEAL,
    PEEK,
) = range(22)

# bets by number: those of the ordinary game, then whatever rulebooks at hand declare (`know_bets`)
BETS: Final = [MAIN_BET, *SIDE_BETS, INSURANCE_BET, BONUS_BET]
FIRST_OWN: Final = len(BETS)
MOST_BETS: Final = 48
MAIN, PERFECT_PAIRS, SUPER_SEVENS, INSURANCE, SUPER_BONUS = range(5)

PLAYS: Final = (
    MECHANICS.drawing,
    MECHANICS.standing,
    MECHANICS.doubling,
    MECHANICS.splitting,
    MECHANICS.leaving,
    MECHANICS.placed_by(INSURANCE_BET),
    MECHANICS.claiming,
    MECHANICS.giving_up,
)
HIT, STAND, DOUBLE, SPLIT, SURRENDER, INSURE, EVEN_MONEY, FORFEIT = range(8)

# MARKS of a wager. Two bits for what may be absent: 0 absent, 1 false (a card: null), 2 true
CONTROL: Final = 1
SEATED_SHIFT: Final = 1
PLAYER_CARD_SHIFT: Final = 3
RECOGNISED_SHIFT: Final = 5
JOINED_SHIFT: Final = 7  # joined_after_change
IN_ORDER_SHIFT: Final = 9
UNDISCLOSED: Final = 1 << 11
CHIPS_HELD: Final = 1 << 12  # the amount itself is not kept: such a round is ASK
# MARKS of a card
DOWN: Final = 1  # it lies face down

JOKER_CARD: Final = 52
RANK_CODES: Final = {rank: code for code, rank in enumerate(r.RANKS)}
SUIT_CODES: Final = {suit: code for code, suit in enumerate(r.SUITS)}
CARD_NAMES: Final = tuple(rank + suit for rank in r.RANKS for suit in r.SUITS)
CARD_CODES: Final = {name: code for code, name in enumerate((*CARD_NAMES, r.JOKER))}
OPTION_CODES: Final = {word: code for code, word in enumerate(OPTIONS)}
RECORD_CODES: Final = {word: code for code, word in enumerate(RECORDS)}
KIND_CODES: Final = {word: code for code, word in enumerate(KINDS)}
BET_CODES: Final = {word: code for code, word in enumerate(BETS)}
_KNOWING: Final = Lock()


def know_bets(names: Iterable[str]) -> None:
    """Number bets that are not numbered yet, as far as there is room."""
    with _KNOWING:
        for name in names:
            if name not in BET_CODES and len(BETS) < MOST_BETS:
                BET_CODES[name] = len(BETS)
                BETS.append(name)


PLAY_CODES: Final = {word: code for code, word in enumerate(PLAYS)}

# --- limits[L, LIMIT_WIDTH], int64: rounds that state the same limits may share a row.
# For bet b: column LIMIT_FIELDS * b + field; cents, or 0 and 1 for the notice; -1 not stated.

LIMIT_MIN, LIMIT_MAX, LIMIT_UNIT, LIMIT_CHIP, LIMIT_NOTICE = range(5)
LIMIT_FIELDS: Final = 5
BOX_MAX: Final = LIMIT_FIELDS * MOST_BETS  # + box number 1…9, of the main bet; others are ASK
LIMIT_WIDTH: Final = BOX_MAX + r.BOX_MAX + 1

# --- players[P, PLAYER_WIDTH], int64: the players of a round lie together

NAME: Final = 0  # hash
NAME_START: Final = 1  # in `text`, as it stands there: no escapes (such a line is read slowly)
NAME_LENGTH: Final = 2
PLAYER_WIDTH: Final = 3


@dataclass(slots=True)
class Batch:
    """Rounds in the order of the log. `text` is what the offsets point into."""

    rounds: Numbers
    events: Small
    amounts: Numbers
    limits: Numbers
    players: Numbers
    text: Bytes
    shoes: Numbers | None = field(default=None)  # what the shoe pass tells, see `shoe`
    seen: Numbers | None = field(default=None)  # the same of each player
    broken: list[int] = field(default_factory=list)  # rounds at tables whose order was broken
    minima: list[dict[str, int]] = field(default_factory=list)
    """For each row of `limits` the minimum of each bet that states one, known here or not."""
    settings: list[frozenset[str]] = field(default_factory=list)
    """For each row of `limits` the options and choices that go with them."""
    announced: dict[int, list[str]] = field(default_factory=dict)
    """Words that rounds announce and that have no number."""
