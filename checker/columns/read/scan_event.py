"""One event of a line, bytes -> a row of columns. See `scan`: only the plain form is read here."""

from __future__ import annotations

from typing import Any, Final

from checker.columns import batch as to
from checker.columns.machine.compile import byte, compiled, inlined
from checker.columns.machine.fast_names import name_hash
from checker.columns.read.json_bytes import (
    CLOSE,
    card,
    literal,
    member,
    money,
    name,
    same,
    small,
    token,
    value,
)
from checker.log.model import RETURN_MAX, STAKE_MAX

PLAYERS_MAX: Final = 64

_E: Final = token(b'{"e":')
_K_BOX: Final = token(b'"box":')
_K_HAND: Final = token(b'"hand":')
_K_CARD: Final = token(b'"card":')
_K_WHAT: Final = token(b'"what":')
_K_PLAYER: Final = token(b'"player":')
_K_BET: Final = token(b'"bet":')
_K_STAKE: Final = token(b'"stake":')
_K_DO: Final = token(b'"do":')
_K_RETURNED: Final = token(b'"returned":')
_K_CONTROL: Final = token(b'"control":')
_K_SEATED: Final = token(b'"seated":')
_K_PLAYER_CARD: Final = token(b'"player_card":')
_K_FACE: Final = token(b'"face":')
_DOWN: Final = token(b'"down"')
_TRUE: Final = token(b"true")
_FALSE: Final = token(b"false")
_NULL: Final = token(b"null")

_V_WAGER: Final = token(b'"wager"')
_V_DEAL: Final = token(b'"deal"')
_V_PLAY: Final = token(b'"play"')
_V_SETTLE: Final = token(b'"settle"')
_V_BURN: Final = token(b'"burn"')
_V_CUT_CARD: Final = token(b'"cut_card"')
_V_SHUFFLE: Final = token(b'"shuffle"')
_V_NO_MORE_BETS: Final = token(b'"no_more_bets"')
_V_OFFER: Final = token(b'"offer"')
_V_WARN: Final = token(b'"warn"')
_V_REVEAL: Final = token(b'"reveal"')
_V_PEEK: Final = token(b'"peek"')
_V_ABSENT: Final = token(b'"absent"')

_D_HIT: Final = token(b'"hit"')
_D_STAND: Final = token(b'"stand"')
_D_DOUBLE: Final = token(b'"double"')
_D_SPLIT: Final = token(b'"split"')
_D_SURRENDER: Final = token(b'"surrender"')
_D_INSURE: Final = token(b'"insure"')
_D_EVEN_MONEY: Final = token(b'"even_money"')
_D_FORFEIT: Final = token(b'"forfeit"')


@inlined
def bet_named(data: int, start: int, length: int, bets: Any) -> int:
    """The number of a bet, -1 none; `bets` has how many are known, and the hash of each."""
    known = name_hash(data, start, length)
    for bet in range(bets[0]):
        if bets[1 + bet] == known:
            return bet
    return -1


@compiled
def _bet(data: int, at: int, bets: Any) -> tuple[int, int]:
    """A bet in quotes: the place behind it, and its number."""
    end = name(data, at)
    if end < 0:
        return -1, 0
    bet = bet_named(data, at + 1, end - at - 1, bets)
    return (end + 1 if bet >= 0 else -1), bet


@compiled
def _do(data: int, at: int) -> tuple[int, int]:
    behind = literal(data, at, _D_HIT)
    if behind >= 0:
        return behind, to.HIT
    behind = literal(data, at, _D_STAND)
    if behind >= 0:
        return behind, to.STAND
    behind = literal(data, at, _D_DOUBLE)
    if behind >= 0:
        return behind, to.DOUBLE
    behind = literal(data, at, _D_SPLIT)
    if behind >= 0:
        return behind, to.SPLIT
    behind = literal(data, at, _D_SURRENDER)
    if behind >= 0:
        return behind, to.SURRENDER
    behind = literal(data, at, _D_INSURE)
    if behind >= 0:
        return behind, to.INSURE
    behind = literal(data, at, _D_EVEN_MONEY)
    if behind >= 0:
        return behind, to.EVEN_MONEY
    return literal(data, at, _D_FORFEIT), to.FORFEIT


@compiled
def _box(data: int, at: int) -> tuple[int, int]:
    at = member(data, at, _K_BOX)
    if at < 0:
        return -1, 0
    at, number = small(data, at)
    return (at, number) if number <= 9 else (-1, 0)


@compiled
def _hand(data: int, at: int, absent: int) -> tuple[int, int]:
    """The hand if one is named: the place behind it, and its number."""
    behind = member(data, at, _K_HAND)
    if behind < 0:
        return at, absent
    at, number = small(data, behind)
    return (at, number) if number >= 1 else (-1, 0)


@compiled
def _player(data: int, at: int, players: Any, first: int, known: int) -> tuple[int, int]:
    """The player: the place behind the name, and which of the round's players it is.

    A player who is new to the round is put at row first + known."""
    at = member(data, at, _K_PLAYER)
    if at < 0:
        return -1, 0
    end = name(data, at)
    if end < 0:
        return -1, 0
    start, length = at + 1, end - at - 1
    for index in range(known):
        who = (first + index) * to.PLAYER_WIDTH
        if players[who + to.NAME_LENGTH] == length and same(
            data, start, players[who + to.NAME_START], length
        ):
            return end + 1, index
    if known >= PLAYERS_MAX:
        return -1, 0
    who = (first + known) * to.PLAYER_WIDTH
    players[who + to.NAME] = name_hash(data, start, length)
    players[who + to.NAME_START] = start
    players[who + to.NAME_LENGTH] = length
    return end + 1, known


@compiled
def _flag(data: int, at: int, key: Any) -> tuple[int, int]:
    """0 absent, 1 false, 2 true; the place is -1 when it is something else."""
    behind = member(data, at, key)
    if behind < 0:
        return at, 0
    true = literal(data, behind, _TRUE)
    if true >= 0:
        return true, 2
    return literal(data, behind, _FALSE), 1


@compiled
def marks_of(data: int, at: int, events: Any, words: Any, row: int) -> tuple[int, int]:
    """What a wager says beyond its stake."""
    at, control = _flag(data, at, _K_CONTROL)
    if at < 0:
        return -1, 0
    marks = to.CONTROL if control == 2 else 0
    at, seated = _flag(data, at, _K_SEATED)
    if at < 0:
        return -1, 0
    marks |= seated << to.SEATED_SHIFT
    behind = member(data, at, _K_PLAYER_CARD)
    if behind >= 0:
        null = literal(data, behind, _NULL)
        if null >= 0:
            return null, marks | 1 << to.PLAYER_CARD_SHIFT
        end = name(data, behind)
        if end < 0:
            return -1, 0
        words[2 * row] = behind + 1
        words[2 * row + 1] = end - behind - 1
        holder = name_hash(data, behind + 1, end - behind - 1) & to.HOLDERS
        events[row * to.EVENT_WIDTH + to.HOLDER] = holder
        return end + 1, marks | 2 << to.PLAYER_CARD_SHIFT
    return at, marks


@compiled
def event_row(
    data: int,
    at: int,
    events: Any,
    amounts: Any,
    words: Any,
    row: int,
    players: Any,
    first: int,
    known: int,
    bets: Any,
) -> tuple[int, int]:
    """One event from its brace on: the place behind it, and how many players are known then."""
    e = row * to.EVENT_WIDTH
    at = value(data, at, _E)
    if at < 0:
        return -1, known
    events[e + to.BOX] = -1
    events[e + to.HAND] = 0
    events[e + to.PLAYER] = -1
    events[e + to.WHAT] = -1
    events[e + to.CARD] = -1
    events[e + to.MARKS] = 0
    events[e + to.COPIES] = -1
    amounts[row] = to.NO_AMOUNT
    words[2 * row + 1] = -1
    number = 0
    behind = literal(data, at, _V_DEAL)
    if behind >= 0:
        events[e + to.KIND] = to.DEAL
        at, events[e + to.BOX] = _box(data, behind)
        if at < 0:
            return -1, known
        at, events[e + to.HAND] = _hand(data, at, 1)
        if at < 0:
            return -1, known
        at = member(data, at, _K_CARD)
        if at < 0:
            return -1, known
        at, events[e + to.CARD] = card(data, at)
        behind = member(data, at, _K_FACE) if at >= 0 else -1
        if behind >= 0:
            events[e + to.MARKS] = to.DOWN
            at = literal(data, behind, _DOWN)
        return _closed(data, at), known
    behind = literal(data, at, _V_SETTLE)
    if behind >= 0:
        events[e + to.KIND] = to.SETTLE
        at, events[e + to.BOX] = _box(data, behind)
        if at < 0 or events[e + to.BOX] == 0:
            return -1, known
        at, events[e + to.HAND] = _hand(data, at, 0)
        if at < 0:
            return -1, known
        at, number = _player(data, at, players, first, known)
        if at < 0:
            return -1, known
        events[e + to.PLAYER] = number
        known = max(known, number + 1)
        at = member(data, at, _K_BET)
        if at < 0:
            return -1, known
        at, events[e + to.WHAT] = _bet(data, at, bets)
        if at < 0:
            return -1, known
        at = member(data, at, _K_RETURNED)
        if at < 0:
            return -1, known
        at, amounts[row] = money(data, at, RETURN_MAX)
        return _closed(data, at), known
    behind = literal(data, at, _V_PLAY)
    if behind >= 0:
        events[e + to.KIND] = to.PLAY
        at, events[e + to.BOX] = _box(data, behind)
        if at < 0 or events[e + to.BOX] == 0:
            return -1, known
        at, events[e + to.HAND] = _hand(data, at, 1)
        if at < 0:
            return -1, known
        at, number = _player(data, at, players, first, known)
        if at < 0:
            return -1, known
        events[e + to.PLAYER] = number
        known = max(known, number + 1)
        at = member(data, at, _K_DO)
        if at < 0:
            return -1, known
        at, events[e + to.WHAT] = _do(data, at)
        if at < 0:
            return -1, known
        behind = member(data, at, _K_STAKE)
        if behind >= 0:
            at, amounts[row] = money(data, behind, STAKE_MAX)
            if at < 0 or amounts[row] <= 0:
                return -1, known
        return _closed(data, at), known
    behind = literal(data, at, _V_WAGER)
    if behind >= 0:
        events[e + to.KIND] = to.WAGER
        events[e + to.HAND] = 1
        at, events[e + to.BOX] = _box(data, behind)
        if at < 0 or events[e + to.BOX] == 0:
            return -1, known
        at, number = _player(data, at, players, first, known)
        if at < 0:
            return -1, known
        events[e + to.PLAYER] = number
        known = max(known, number + 1)
        at = member(data, at, _K_BET)
        if at < 0:
            return -1, known
        at, events[e + to.WHAT] = _bet(data, at, bets)
        bet = events[e + to.WHAT]
        if at < 0 or bet == to.INSURANCE or bet == to.SUPER_BONUS:
            return -1, known
        at = member(data, at, _K_STAKE)
        if at < 0:
            return -1, known
        at, amounts[row] = money(data, at, STAKE_MAX)
        if at < 0 or amounts[row] <= 0:
            return -1, known
        at, events[e + to.MARKS] = marks_of(data, at, events, words, row)
        return _closed(data, at), known
    return _seldom(data, at, events, words, row, players, first, known)


@compiled
def _seldom(
    data: int, at: int, events: Any, words: Any, row: int, players: Any, first: int, known: int
) -> tuple[int, int]:
    """An event that a round has once or not at all."""
    e = row * to.EVENT_WIDTH
    behind = literal(data, at, _V_BURN)
    if behind >= 0:
        events[e + to.KIND] = to.BURN
        at = member(data, behind, _K_CARD)
        if at < 0:
            at = behind
        else:
            at, events[e + to.CARD] = card(data, at)
        return _closed(data, at), known
    behind = literal(data, at, _V_CUT_CARD)
    if behind >= 0:
        events[e + to.KIND] = to.CUT_CARD
        if byte(data, behind) != CLOSE:
            behind, events[e + to.BOX] = _box(data, behind)
        return _closed(data, behind), known
    behind = literal(data, at, _V_SHUFFLE)
    if behind >= 0:
        events[e + to.KIND] = to.SHUFFLE
        return _closed(data, behind), known
    behind = literal(data, at, _V_NO_MORE_BETS)
    if behind >= 0:
        events[e + to.KIND] = to.NO_MORE_BETS
        return _closed(data, behind), known
    behind = literal(data, at, _V_PEEK)
    if behind >= 0:
        events[e + to.KIND] = to.PEEK
        events[e + to.BOX] = 0
        return _closed(data, behind), known
    behind = literal(data, at, _V_REVEAL)
    if behind >= 0:
        events[e + to.KIND] = to.REVEAL
        at, events[e + to.BOX] = _box(data, behind)
        return _closed(data, at), known
    behind = literal(data, at, _V_OFFER)
    if behind >= 0:
        events[e + to.KIND] = to.OFFER
        return _closed(data, _what(data, behind, words, row)), known
    behind = literal(data, at, _V_WARN)
    if behind >= 0:
        events[e + to.KIND] = to.WARN
        at, number = _player(data, behind, players, first, known)
        if at < 0:
            return -1, known
        events[e + to.PLAYER] = number
        return _closed(data, _what(data, at, words, row)), max(known, number + 1)
    behind = literal(data, at, _V_ABSENT)
    if behind >= 0:
        events[e + to.KIND] = to.ABSENT
        at, events[e + to.BOX] = _box(data, behind)
        if at < 0 or events[e + to.BOX] == 0:
            return -1, known
        at, number = _player(data, at, players, first, known)
        if at < 0:
            return -1, known
        events[e + to.PLAYER] = number
        return _closed(data, at), max(known, number + 1)
    return -1, known


@compiled
def _what(data: int, at: int, words: Any, row: int) -> int:
    """Behind a word that says nothing to any rule."""
    at = member(data, at, _K_WHAT)
    if at < 0:
        return -1
    end = name(data, at)
    words[2 * row] = at + 1
    words[2 * row + 1] = end - at - 1
    return end + 1 if end >= 0 else -1


@compiled
def _closed(data: int, at: int) -> int:
    """Behind the brace that ends an event."""
    return at + 1 if at >= 0 and byte(data, at) == CLOSE else -1
