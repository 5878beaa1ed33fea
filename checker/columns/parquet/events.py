"""What the words of an event in Parquet stand for, and which kinds of events may have them.

An event is read by machine code if each of its words is one that its kind may have; all others are
for the strict decoder. All that is to be known of a word stands in one number: what it stands for
in its lowest bytes, then a bit for each kind that may have it, then how it marks a wager. What a
word stands for may depend on the kind: then each byte has another meaning of it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np

from checker.columns import batch as to
from checker.columns.machine.compile import compiled, inlined, inner
from checker.columns.read.json_bytes import RANK_OF, SUIT_OF
from checker.log.model import BOX_MAX, HAND_MAX, JOKER, RETURN_MAX, STAKE_MAX
from checker.log.parquet_layout import NO_BOX, NO_CENTS, NO_HAND, wager_words

KIND_BITS: Final = 32  # where the bits for the kinds begin
MARK_BITS: Final = 52
_KINDS: Final = MARK_BITS - KIND_BITS
assert to.NOTE < _KINDS  # those behind it are not read here
# of a kind: the lowest byte is its code, then come the places of the bytes that count for it, and
# the bits of the marks
WHAT_BYTE, HAND_BYTE, CARD_BYTE, MARKS_TAKEN = 8, 16, 24, 32
HOLDER_PLACE, HOLDER_BITS = 16, 0x7FFF  # of a card: which player card it may be
_MARKS: Final = 0xFFF
_AS_PLAY, _AS_BET, _AS_WAGER, _AS_NOTHING = 0, 8, 16, 24
_NONE, _OTHER = -1, -2  # an empty text, and a word that no list has
_AS_WRITTEN, _OF_A_WAGER, _FIRST_HAND = 0, 8, 8

_NAMED: Final = (to.WAGER, to.PLAY, to.SETTLE, to.ABSENT, to.WARN)
_UNNAMED: Final = (to.DEAL, to.BURN, to.CUT_CARD, to.OFFER, to.SHUFFLE, to.NO_MORE_BETS)
_READ: Final = (*_NAMED, *_UNNAMED)
_WITH_WORDS: Final = (to.WAGER, to.PLAY, to.SETTLE, to.OFFER, to.WARN)


def _bits(*kinds: int) -> int:
    return sum(1 << KIND_BITS + kind for kind in set(kinds))


def _limits(none: int, of: dict[int, tuple[int, int]]) -> Any:
    """The lowest and the highest number of each kind; `none` alone for those that are not named."""
    found = np.array([(1, 0)] * _KINDS, np.int64)
    for kind in _READ:
        found[kind] = of.get(kind, (none, none))
    return found


_SAYS_WHO: Final = _bits(*_NAMED)
_SAYS_NOBODY: Final = _bits(*_UNNAMED)
_BOXES: Final = _limits(
    NO_BOX,
    {
        **dict.fromkeys((to.WAGER, to.PLAY, to.SETTLE, to.ABSENT), (1, BOX_MAX)),
        to.DEAL: (0, BOX_MAX),
        to.CUT_CARD: (NO_BOX, BOX_MAX),
    },
)
_HANDS: Final = _limits(NO_HAND, dict.fromkeys((to.DEAL, to.PLAY, to.SETTLE), (NO_HAND, HAND_MAX)))
_CENTS: Final = _limits(
    NO_CENTS,
    {
        to.WAGER: (1, STAKE_MAX),
        to.PLAY: (1, STAKE_MAX),
        to.SETTLE: (0, RETURN_MAX),
    },
)
_NO_CARD: Final = _bits(*(kind for kind in _READ if kind != to.DEAL))
_A_CARD: Final = _bits(to.WAGER, to.DEAL, to.BURN)
_ANY_TEXT: Final = _bits(to.WAGER)  # has the number of a player card
_PLAYER_CARD: Final = (2 << to.PLAYER_CARD_SHIFT) << MARK_BITS
_JOKER: Final = np.frombuffer(JOKER.encode(), np.uint8)


# Most row groups have the same words for kinds, and for what is done.


@lru_cache(maxsize=64)
def kinds_of(words: tuple[str, ...]) -> Any:
    found = []
    for word in words:
        kind = min(to.KIND_CODES.get(word, to.NOTE), to.NOTE)  # which is not read here
        wager = kind == to.WAGER
        places = {to.PLAY: _AS_PLAY, to.SETTLE: _AS_BET, to.WAGER: _AS_WAGER}
        found.append(
            kind
            | places.get(kind, _AS_NOTHING) << WHAT_BYTE
            | (_FIRST_HAND if kind in (to.WAGER, to.DEAL, to.PLAY) else _AS_WRITTEN) << HAND_BYTE
            | (_OF_A_WAGER if wager else _AS_WRITTEN) << CARD_BYTE
            | (_MARKS if wager else 0) << MARKS_TAKEN
        )
    return np.array(found, np.int64)


def _ordinary(bet: str) -> int:
    """Bets that rulebooks declare themselves are read strictly."""
    code = to.BET_CODES.get(bet, _OTHER)
    return code if code < to.FIRST_OWN else _OTHER


@lru_cache(maxsize=64)
def whats_of(words: tuple[str, ...]) -> Any:
    found = []
    for word in words:
        bet, marks = wager_words(word)
        seated = marks.get("seated")
        as_play, as_bet = to.PLAY_CODES.get(word, _OTHER), _ordinary(word)
        as_wager = _ordinary(bet)
        may = [to.OFFER, to.WARN] if word else [k for k in _READ if k not in _WITH_WORDS]
        may += [to.PLAY] if as_play >= 0 else []
        may += [to.SETTLE] if as_bet >= 0 else []
        may += [to.WAGER] if 0 <= as_wager <= to.SUPER_SEVENS else []
        marked = to.CONTROL if "control" in marks else 0
        marked |= (0 if seated is None else 2 if seated else 1) << to.SEATED_SHIFT
        found.append(
            (as_play & 255) << _AS_PLAY
            | (as_bet & 255) << _AS_BET
            | (as_wager & 255) << _AS_WAGER
            | (_NONE & 255) << _AS_NOTHING
            | _bits(*may)
            | marked << MARK_BITS
        )
    return np.array(found, np.int64)


def _numbers(limits: Any) -> Any:
    """Of each number of one byte, by that byte."""
    found = np.empty(256, np.int64)
    for number in range(-128, 128):
        first = 1 if number == NO_HAND else number
        known = number & 255 | (first & 255) << _FIRST_HAND
        may = [kind for kind, (least, most) in enumerate(limits) if least <= number <= most]
        found[number & 255] = known | _bits(*may)
    return found


BOXES: Final = _numbers(_BOXES)
HANDS: Final = _numbers(_HANDS)


def players_of(lengths: Any) -> Any:
    """`lengths`: of their names."""
    return np.where(lengths > 0, _SAYS_WHO, _SAYS_NOBODY)


@inlined
def may_have_cents(kind: int, cents: int) -> bool:
    if cents == NO_CENTS and kind == to.PLAY:
        return True
    return bool(_CENTS[kind, 0] <= cents and cents <= _CENTS[kind, 1])


@compiled
def cards_of(data: Any, starts: Any, lengths: Any) -> Any:
    """`starts` and `lengths` say where the words stand in the data."""
    found = np.empty(len(starts), np.int64)
    for place in range(len(starts)):
        found[place] = _card(data, starts[place], lengths[place])
    return found


@inner
def _card(page: Any, start: int, length: int) -> int:
    code, may, mark = _OTHER, _ANY_TEXT, _PLAYER_CARD
    if length == 0:
        code, may, mark = _NONE, _NO_CARD, 0
    elif length == 2:
        rank, suit = RANK_OF[page[start]], SUIT_OF[page[start + 1]]
        if rank >= 0 and suit >= 0:
            code, may = rank * 4 + suit, _A_CARD
    elif length == len(_JOKER):
        joker = True
        for k in range(length):
            joker &= page[start + k] == _JOKER[k]
        if joker:
            code, may = to.JOKER_CARD, _A_CARD
    holder = 0
    for k in range(length):
        holder = (31 * holder + page[start + k]) & HOLDER_BITS
    return code & 255 | (_NONE & 255) << _OF_A_WAGER | holder << HOLDER_PLACE | may | mark
