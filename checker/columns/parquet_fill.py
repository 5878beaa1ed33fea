"""Coded events of Parquet -> columns: machine code. See `from_parquet`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from checker.columns import layout as to
from checker.columns.compiled import compiled, inlined, numbers_at, small_numbers_at
from checker.columns.pieces import QUOTE, moment, name_hash
from checker.columns.scan import (
    AHEAD,
    AT_LENGTH,
    AT_START,
    CLOCK,
    ID_LENGTH,
    SCANNED,
    SHOE_LENGTH,
    SHOE_START,
    TABLE_LENGTH,
    TABLE_START,
    day_of,
)
from checker.parquet_layout import NO_BOX, NO_CENTS, NO_HAND
from checker.rounds import RETURN_MAX, STAKE_MAX

_PLAYERS_MOST: Final = 64
NONE: Final = -1  # an empty text
OTHER: Final = -2  # a word that no list has
# of a word of `what`: its codes as a play, as a bet and as a wager, and the marks of a wager
AS_PLAY, AS_BET, AS_WAGER, MARKS, WHAT_WIDTH = range(5)


@compiled
def quote(data: Any, starts: Any, lengths: Any, made: Any) -> Any:
    places = np.empty(len(starts), np.int64)
    at = 0
    for row in range(len(starts)):
        made[at] = QUOTE
        places[row] = at + 1
        at += 1
        for place in range(max(lengths[row], 0)):
            made[at] = data[starts[row] + place]
            at += 1
        made[at] = QUOTE
        at += 1
    return places


@compiled
def fill(
    data: int, rounds: Any, spans: Any, sizes: Any, kind_codes: Any, player_codes: Any,
    what_codes: Any, card_codes: Any, box_codes: Any, hand_codes: Any, cents_codes: Any,
    kind_words: Any, people_array: Any, what_words: Any, card_words: Any, box_words: Any,
    hand_words: Any, cents_words: Any, events_array: Any, amounts_array: Any, players_array: Any,
) -> int:  # fmt: skip
    """How many players there are in all; the rounds that are not plain lose their mark."""
    events, amounts = small_numbers_at(events_array), numbers_at(amounts_array)
    people, players = numbers_at(people_array), numbers_at(players_array)
    kind, kinds = small_numbers_at(kind_codes), small_numbers_at(kind_words)
    what, whats = small_numbers_at(what_codes), small_numbers_at(what_words)
    card, cards = small_numbers_at(card_codes), small_numbers_at(card_words)
    box, boxes = small_numbers_at(box_codes), numbers_at(box_words)
    hand, hands = small_numbers_at(hand_codes), numbers_at(hand_words)
    cents, money = small_numbers_at(cents_codes), numbers_at(cents_words)
    player = small_numbers_at(player_codes)
    used = 0
    for row in range(len(rounds)):
        for column in range(to.ROUND_WIDTH):
            rounds[row, column] = 0
        good = spans[row, SCANNED] == 1
        good = good and spans[row, ID_LENGTH] > 0 and spans[row, TABLE_LENGTH] > 0
        good = good and spans[row, SHOE_LENGTH] != 0
        if good:
            at = spans[row, AT_START] - 1
            behind, spans[row, CLOCK], spans[row, AHEAD] = moment(data, at)
            good = behind == at + spans[row, AT_LENGTH] + 2
        known = 0
        for event in range(sizes[row], sizes[row + 1]):
            if not good:
                break
            word, who = what[event] * WHAT_WIDTH, player[event]
            named = people[who * to.PLAYER_WIDTH + to.NAME_LENGTH] > 0
            good = _event(
                events, amounts, event, kinds[kind[event]], boxes[box[event]], hands[hand[event]],
                named, whats[word + AS_PLAY], whats[word + AS_BET], whats[word + AS_WAGER],
                whats[word + MARKS], cards[card[event]], money[cents[event]],
            )  # fmt: skip
            if good and named:
                known, place = _who(who, people, players, used, known)
                events[event * to.EVENT_WIDTH + to.PLAYER] = place
                good = place >= 0
        spans[row, SCANNED] = good
        if not good:
            rounds[row, to.STATUS] = to.SKIP
            continue
        if spans[row, SHOE_LENGTH] > 0:
            shoe = name_hash(data, spans[row, SHOE_START], spans[row, SHOE_LENGTH])
            rounds[row, to.SHOE] = shoe
        rounds[row, to.TABLE] = name_hash(data, spans[row, TABLE_START], spans[row, TABLE_LENGTH])
        rounds[row, to.DAY] = day_of(spans[row, CLOCK])
        rounds[row, to.FIRST_EVENT] = sizes[row]
        rounds[row, to.EVENTS] = sizes[row + 1] - sizes[row]
        rounds[row, to.FIRST_PLAYER] = used
        rounds[row, to.PLAYERS] = known
        used += known
    return used


@inlined
def _who(player: int, people: Any, players: Any, first: int, known: int) -> tuple[int, int]:
    """How many players the round has then, and which of them it is."""
    one = player * to.PLAYER_WIDTH
    for place in range(known):
        if players[(first + place) * to.PLAYER_WIDTH + to.NAME] == people[one + to.NAME]:
            return known, place
    if known >= _PLAYERS_MOST:
        return known, -1
    who = (first + known) * to.PLAYER_WIDTH
    players[who + to.NAME] = people[one + to.NAME]
    players[who + to.NAME_START] = people[one + to.NAME_START]
    players[who + to.NAME_LENGTH] = people[one + to.NAME_LENGTH]
    return known + 1, known


@compiled
def people_of(data: int, starts: Any, lengths: Any) -> Any:
    """The players that the dictionary names, as rows of `players`."""
    people = np.empty((len(starts), to.PLAYER_WIDTH), np.int64)
    for place in range(len(starts)):
        people[place, to.NAME] = name_hash(data, starts[place], lengths[place])
        people[place, to.NAME_START] = starts[place]
        people[place, to.NAME_LENGTH] = lengths[place]
    return people


@inlined
def _event(
    events: Any, amounts: Any, row: int, kind: int, box: int, hand: int, named: bool, play: int,
    bet: int, wager: int, marks: int, card: int, cents: int,
) -> bool:  # fmt: skip
    """One event as it stands in the columns; False where the strict decoder has to look."""
    e = row * to.EVENT_WIDTH
    events[e + to.KIND] = kind
    events[e + to.BOX] = box
    events[e + to.HAND] = hand
    events[e + to.PLAYER] = -1
    events[e + to.WHAT] = -1
    events[e + to.CARD] = -1
    events[e + to.MARKS] = 0
    events[e + to.COPIES] = -1
    amounts[row] = cents if cents != NO_CENTS else to.NO_AMOUNT
    silent = play == NONE and cents == NO_CENTS  # no word and no money
    if kind == to.DEAL:
        events[e + to.HAND] = hand if hand != NO_HAND else 1
        events[e + to.CARD] = card
        good = 0 <= box <= 9 and 0 <= hand <= 99 and card >= 0
        return good and silent and not named
    if kind == to.PLAY:
        events[e + to.HAND] = hand if hand != NO_HAND else 1
        events[e + to.WHAT] = play
        paid = cents == NO_CENTS or 0 < cents <= STAKE_MAX
        good = 1 <= box <= 9 and 0 <= hand <= 99 and play >= 0 and paid
        return good and named and card == NONE
    if kind == to.SETTLE:
        events[e + to.WHAT] = bet
        good = 1 <= box <= 9 and 0 <= hand <= 99 and bet >= 0 and 0 <= cents <= RETURN_MAX
        return good and named and card == NONE
    if kind == to.WAGER:
        events[e + to.HAND] = 1
        events[e + to.WHAT] = wager
        events[e + to.MARKS] = marks | (0 if card == NONE else 2) << to.PLAYER_CARD_SHIFT
        good = 1 <= box <= 9 and 0 <= wager <= to.SUPER_SEVENS and 0 < cents <= STAKE_MAX
        return good and named and hand == NO_HAND
    return _seldom(events, e, kind, box, hand, named, play, card, cents, silent)


@compiled
def _seldom(
    events: Any, e: int, kind: int, box: int, hand: int, named: bool, play: int, card: int,
    cents: int, silent: bool,
) -> bool:  # fmt: skip
    if hand != NO_HAND or cents != NO_CENTS:
        return False
    if kind == to.BURN:
        events[e + to.CARD] = card
        return card != OTHER and silent and not named and box == NO_BOX
    if card != NONE:
        return False
    if kind == to.CUT_CARD:
        return silent and not named and -1 <= box <= 9
    if kind == to.ABSENT:
        return silent and named and 1 <= box <= 9
    if box != NO_BOX:
        return False
    if kind == to.OFFER:
        return play != NONE and not named
    if kind == to.WARN:
        return play != NONE and named
    return silent and not named and kind in (to.SHUFFLE, to.NO_MORE_BETS)
