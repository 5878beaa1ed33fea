"""Events in their most usual form, eight bytes at a time: compact, one digit to a box and a hand.

Whatever has another form is read by `scan_event`, which says the same, only slower.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from checker.columns import batch as to
from checker.columns.machine.compile import byte, inlined, load64
from checker.columns.machine.fast_names import name_hash
from checker.columns.read.json_bytes import (
    CLOSE,
    COLON,
    COMMA,
    QUOTE,
    RANK_OF,
    SUIT_OF,
    ZERO,
    money,
    quoted_end,
    same,
)
from checker.columns.read.scan_event import PLAYERS_MAX, bet_named, marks_of
from checker.log.model import RETURN_MAX, STAKE_MAX

_D: Final = ord("d")


def _word(text: bytes) -> Any:
    assert len(text) == 8
    return np.uint64(int.from_bytes(text, "little"))


def _masked(text: bytes) -> tuple[Any, Any]:
    """A word in which the places of `?` do not count, and the mask of those that do."""
    mask = bytes(0 if letter == ord("?") else 255 for letter in text)
    return _word(bytes(a & b for a, b in zip(text, mask, strict=True))), _word(mask)


_DEAL, _PLAY, _SETTLE, _WAGER = map(_word, (b'{"e":"de', b'{"e":"pl', b'{"e":"se', b'{"e":"wa'))
_CALL, _CALL_2 = _word(b'{"e":"no'), _word(b"_more_be")
_CALL_3, _CALL_3_MASK = _masked(b'ts"}????')
_DEAL_2: Final = _word(b'al","box')
_PLAY_2: Final = _word(b'ay","box')
_SETTLE_2: Final = _word(b'ttle","b')
_WAGER_2: Final = _word(b'ger","bo')
_BOX_CARD, _BOX_CARD_MASK = _masked(b'":?,"car')
_CARD, _CARD_MASK = _masked(b'd":"??"}')
_BOX_HAND, _BOX_HAND_MASK = _masked(b'":?,"han')
_HAND_CARD, _HAND_CARD_MASK = _masked(b'd":?,"ca')
_CARD_3, _CARD_3_MASK = _masked(b'rd":"??"')
_HAND_PLAYER, _HAND_PLAYER_MASK = _masked(b'd":?,"pl')
_PLAYER_3, _PLAYER_3_MASK = _masked(b'ayer":"?')
_SETTLE_HAND, _SETTLE_HAND_MASK = _masked(b'ox":?,"h')
_SETTLE_HAND_2, _SETTLE_HAND_2_MASK = _masked(b'and":?,"')
_SETTLE_PLAYER: Final = _word(b'player":')
_SETTLE_BOX, _SETTLE_BOX_MASK = _masked(b'ox":?,"p')
_SETTLE_BOX_2: Final = _word(b'layer":"')
_WAGER_BOX, _WAGER_BOX_MASK = _masked(b'x":?,"pl')
_BET: Final = _word(b'","bet":')
_MAIN: Final = _word(b'"main","')
_RETURNED: Final = _word(b'"returne')
_STAKE: Final = _word(b'"stake":')
_DO: Final = _word(b'","do":"')
_HIT, _HIT_MASK = _masked(b'hit"}???')
_STAND, _STAND_MASK = _masked(b'stand"}?')
_DOUBLE, _SPLIT = _word(b'double",'), _word(b'split","')


@inlined
def _row(events: Any, amounts: Any, words: Any, row: int, kind: int, box: int, hand: int) -> None:
    at = row * to.EVENT_WIDTH
    events[at + to.KIND] = kind
    events[at + to.BOX] = box
    events[at + to.HAND] = hand
    events[at + to.PLAYER] = -1
    events[at + to.WHAT] = -1
    events[at + to.CARD] = -1
    events[at + to.MARKS] = 0
    events[at + to.COPIES] = -1
    amounts[row] = to.NO_AMOUNT
    words[2 * row + 1] = -1


@inlined
def usual_row(
    data: int,
    at: int,
    events: Any,
    amounts: Any,
    words: Any,
    row: int,
    players: Any,
    first: int,
    known: int,
    last: int,
    bets: Any,
) -> tuple[int, int]:
    """The place behind an event and which of the round's players it names (-1: none); the place is
    -1 where the event has another form. The one who was named `last` is the likeliest."""
    kind = load64(data, at)
    second = load64(data, at + 8)
    if kind == _DEAL and second == _DEAL_2:
        return _deal(data, at + 16, events, amounts, words, row), -1
    if kind == _PLAY and second == _PLAY_2:
        return _play(data, at + 16, events, amounts, words, row, players, first, known, last, bets)
    if kind == _SETTLE and second == _SETTLE_2:
        return _settle(
            data, at + 16, events, amounts, words, row, players, first, known, last, bets
        )
    if kind == _WAGER and second == _WAGER_2:
        return _wager(data, at + 16, events, amounts, words, row, players, first, known, last, bets)
    if kind == _CALL and second == _CALL_2 and load64(data, at + 16) & _CALL_3_MASK == _CALL_3:
        _row(events, amounts, words, row, to.NO_MORE_BETS, -1, 0)
        return at + 20, -1
    return -1, -1


@inlined
def _digit(data: int, at: int) -> int:
    return byte(data, at) - ZERO


@inlined
def _deal(data: int, at: int, events: Any, amounts: Any, words: Any, row: int) -> int:
    third = load64(data, at)
    fourth = load64(data, at + 8)
    box, hand = _digit(data, at + 2), 1
    if third & _BOX_CARD_MASK == _BOX_CARD and fourth & _CARD_MASK == _CARD:
        rank, suit = RANK_OF[byte(data, at + 12)], SUIT_OF[byte(data, at + 13)]
        at += 16
    elif (
        third & _BOX_HAND_MASK == _BOX_HAND
        and fourth & _HAND_CARD_MASK == _HAND_CARD
        and load64(data, at + 16) & _CARD_3_MASK == _CARD_3
        and byte(data, at + 24) == CLOSE
    ):
        hand = _digit(data, at + 11)
        rank, suit = RANK_OF[byte(data, at + 21)], SUIT_OF[byte(data, at + 22)]
        at += 25
    else:
        return -1
    if not 0 <= box <= 9 or not 1 <= hand <= 9 or rank < 0 or suit < 0:
        return -1
    _row(events, amounts, words, row, to.DEAL, box, hand)
    events[row * to.EVENT_WIDTH + to.CARD] = rank * 4 + suit
    return at


@inlined
def _named(data: int, at: int, players: Any, first: int, known: int, last: int) -> tuple[int, int]:
    """The quote behind the name that begins here, and which of the round's players it is."""
    for turn in range(-1, known):
        index = last if turn < 0 else turn
        if index < 0:
            continue
        who = (first + index) * to.PLAYER_WIDTH
        length = players[who + to.NAME_LENGTH]
        start = players[who + to.NAME_START]
        if byte(data, at + length) == QUOTE and same(data, at, start, length):
            return at + length, index
    end = quoted_end(data, at)
    if end < 0 or known >= PLAYERS_MAX:
        return -1, 0
    who = (first + known) * to.PLAYER_WIDTH
    players[who + to.NAME] = name_hash(data, at, end - at)
    players[who + to.NAME_START] = at
    players[who + to.NAME_LENGTH] = end - at
    return end, known


@inlined
def _play(
    data: int,
    at: int,
    events: Any,
    amounts: Any,
    words: Any,
    row: int,
    players: Any,
    first: int,
    known: int,
    last: int,
    bets: Any,
) -> tuple[int, int]:
    box, hand = _digit(data, at + 2), _digit(data, at + 11)
    if (
        load64(data, at) & _BOX_HAND_MASK != _BOX_HAND
        or load64(data, at + 8) & _HAND_PLAYER_MASK != _HAND_PLAYER
        or load64(data, at + 16) & _PLAYER_3_MASK != _PLAYER_3
        or not 1 <= box <= 9
        or not 1 <= hand <= 9
    ):
        return -1, -1
    at, player = _named(data, at + 23, players, first, known, last)
    if at < 0 or load64(data, at) != _DO:
        return -1, -1
    at += 8
    word = load64(data, at)
    amount = to.NO_AMOUNT
    if word & _HIT_MASK == _HIT:
        do, at = to.HIT, at + 4
    elif word & _STAND_MASK == _STAND:
        do, at = to.STAND, at + 6
    elif word in (_DOUBLE, _SPLIT):
        do = to.DOUBLE if word == _DOUBLE else to.SPLIT
        at += 8 if word == _DOUBLE else 7
        if load64(data, at) != _STAKE:
            return -1, -1
        at, amount = money(data, at + 8, STAKE_MAX)
        if at < 0 or amount <= 0 or byte(data, at) != CLOSE:
            return -1, -1
    else:
        return -1, -1
    _row(events, amounts, words, row, to.PLAY, box, hand)
    events[row * to.EVENT_WIDTH + to.PLAYER] = player
    events[row * to.EVENT_WIDTH + to.WHAT] = do
    amounts[row] = amount
    return at + 1, player


@inlined
def _bet(data: int, at: int, bets: Any) -> tuple[int, int]:
    """Behind `","bet":"…",` and which bet it is."""
    if load64(data, at) != _BET:
        return -1, 0
    word = load64(data, at + 8)
    if word == _MAIN:
        return at + 15, to.MAIN
    if byte(data, at + 8) != QUOTE:
        return -1, 0
    end = quoted_end(data, at + 9)
    if end < 0 or byte(data, end + 1) != COMMA:
        return -1, 0
    bet = bet_named(data, at + 9, end - at - 9, bets)
    if bet < 0 or bet == to.INSURANCE or bet == to.SUPER_BONUS:
        return -1, 0
    return end + 2, bet


@inlined
def _settle(
    data: int,
    at: int,
    events: Any,
    amounts: Any,
    words: Any,
    row: int,
    players: Any,
    first: int,
    known: int,
    last: int,
    bets: Any,
) -> tuple[int, int]:
    third, fourth = load64(data, at), load64(data, at + 8)
    box, hand = _digit(data, at + 4), 0
    if (
        third & _SETTLE_HAND_MASK == _SETTLE_HAND
        and fourth & _SETTLE_HAND_2_MASK == _SETTLE_HAND_2
        and load64(data, at + 16) == _SETTLE_PLAYER
        and byte(data, at + 24) == QUOTE
    ):
        hand = _digit(data, at + 13)
        if not 1 <= hand <= 9:
            return -1, -1
        at += 25
    elif third & _SETTLE_BOX_MASK == _SETTLE_BOX and fourth == _SETTLE_BOX_2:
        at += 16
    else:
        return -1, -1
    if not 1 <= box <= 9:
        return -1, -1
    at, player = _named(data, at, players, first, known, last)
    if at < 0:
        return -1, -1
    at, bet = _bet(data, at, bets)
    if at < 0 or load64(data, at) != _RETURNED or byte(data, at + 8) != _D:
        return -1, -1
    if byte(data, at + 9) != QUOTE or byte(data, at + 10) != COLON:
        return -1, -1
    at, amount = money(data, at + 11, RETURN_MAX)
    if at < 0 or byte(data, at) != CLOSE:
        return -1, -1
    _row(events, amounts, words, row, to.SETTLE, box, hand)
    events[row * to.EVENT_WIDTH + to.PLAYER] = player
    events[row * to.EVENT_WIDTH + to.WHAT] = bet
    amounts[row] = amount
    return at + 1, player


@inlined
def _wager(
    data: int,
    at: int,
    events: Any,
    amounts: Any,
    words: Any,
    row: int,
    players: Any,
    first: int,
    known: int,
    last: int,
    bets: Any,
) -> tuple[int, int]:
    box = _digit(data, at + 3)
    if (
        load64(data, at) & _WAGER_BOX_MASK != _WAGER_BOX
        or load64(data, at + 8) & _PLAYER_3_MASK != _PLAYER_3
        or not 1 <= box <= 9
    ):
        return -1, -1
    at, player = _named(data, at + 15, players, first, known, last)
    if at < 0:
        return -1, -1
    at, bet = _bet(data, at, bets)
    if at < 0 or load64(data, at) != _STAKE:
        return -1, -1
    at, amount = money(data, at + 8, STAKE_MAX)
    if at < 0 or amount <= 0:
        return -1, -1
    _row(events, amounts, words, row, to.WAGER, box, 1)
    events[row * to.EVENT_WIDTH + to.PLAYER] = player
    events[row * to.EVENT_WIDTH + to.WHAT] = bet
    amounts[row] = amount
    at, events[row * to.EVENT_WIDTH + to.MARKS] = marks_of(data, at, events, words, row)
    if at < 0 or byte(data, at) != CLOSE:
        return -1, -1
    return at + 1, player
