"""Coded events of Parquet -> columns: machine code. See `from_parquet`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from checker.columns import layout as to
from checker.columns.compiled import compiled, inlined, items_at, numbers_at, small_numbers_at
from checker.columns.parquet_events import (
    BOXES,
    CARD,
    CARD_KINDS,
    CARD_MARK,
    CARD_WIDTH,
    CENTS,
    CODE_AS,
    HAND_ONE,
    HANDS,
    MARKS,
    SAYS_NOBODY,
    SAYS_WHO,
    STAKE_OR_NOT,
    WHAT_KINDS,
    WHAT_WIDTH,
    number_kinds,
)
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

_PLAYERS_MOST: Final = 64
# where an event says no player, and where the round has too many of them
_NOBODY, _TOO_MANY, _HERE = range(_PLAYERS_MOST, _PLAYERS_MOST + 3)


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
    kind, kinds = items_at(kind_codes), small_numbers_at(kind_words)
    what, whats = items_at(what_codes), small_numbers_at(what_words)
    card, cards = items_at(card_codes), small_numbers_at(card_words)
    box, boxes = items_at(box_codes), numbers_at(box_words)
    hand, hands = items_at(hand_codes), numbers_at(hand_words)
    cents, money = items_at(cents_codes), numbers_at(cents_words)
    player = items_at(player_codes)
    box_kinds = number_kinds(box_words, BOXES, NO_BOX, 0)
    hand_kinds = number_kinds(hand_words, HANDS, NO_HAND, 0)
    cents_kinds = number_kinds(cents_words, CENTS, NO_CENTS, STAKE_OR_NOT)
    met = np.full(len(people_array), -1, np.int64)  # in which round last, and as which player
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
        if good:
            may = -1
            here = row * _HERE
            for event in range(sizes[row], sizes[row + 1]):
                who, said, shown = player[event], what[event] * WHAT_WIDTH, card[event] * CARD_WIDTH
                if met[who] < here:
                    known, met[who] = _meet(who, people, players, used, known, here)
                    if met[who] == here + _TOO_MANY:
                        may = 0
                one, place = kinds[kind[event]], met[who] - here
                number, amount = hands[hand[event]], money[cents[event]]
                wager = one == to.WAGER
                named = place != _NOBODY
                may &= (
                    box_kinds[box[event]] & hand_kinds[hand[event]] & cents_kinds[cents[event]]
                    & whats[said + WHAT_KINDS] & cards[shown + CARD_KINDS]
                    & (SAYS_WHO if named else SAYS_NOBODY)
                ) >> one  # fmt: skip
                e = event * to.EVENT_WIDTH
                events[e + to.KIND] = one
                events[e + to.BOX] = boxes[box[event]]
                events[e + to.HAND] = number | (number == NO_HAND) & (HAND_ONE >> one)
                events[e + to.PLAYER] = place if named else -1
                events[e + to.WHAT] = whats[said + CODE_AS[one]]
                events[e + to.CARD] = -1 if wager else cards[shown + CARD]
                marks = whats[said + MARKS] | cards[shown + CARD_MARK]
                events[e + to.MARKS] = marks if wager else 0
                events[e + to.COPIES] = -1
                amounts[event] = amount if amount != NO_CENTS else to.NO_AMOUNT
            good = may & 1 != 0
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
def _meet(
    player: int, people: Any, players: Any, first: int, known: int, here: int
) -> tuple[int, int]:
    """How many players the round has then, and which of them it is, in this round."""
    one = player * to.PLAYER_WIDTH
    if people[one + to.NAME_LENGTH] <= 0:
        return known, here + _NOBODY
    for place in range(known):  # a dictionary may have a name twice
        if players[(first + place) * to.PLAYER_WIDTH + to.NAME] == people[one + to.NAME]:
            return known, here + place
    if known >= _PLAYERS_MOST:
        return known, here + _TOO_MANY
    who = (first + known) * to.PLAYER_WIDTH
    players[who + to.NAME] = people[one + to.NAME]
    players[who + to.NAME_START] = people[one + to.NAME_START]
    players[who + to.NAME_LENGTH] = people[one + to.NAME_LENGTH]
    return known + 1, here + known


@compiled
def people_of(data: int, starts: Any, lengths: Any) -> Any:
    """The players that the dictionary names, as rows of `players`."""
    people = np.empty((len(starts), to.PLAYER_WIDTH), np.int64)
    for place in range(len(starts)):
        people[place, to.NAME] = name_hash(data, starts[place], lengths[place])
        people[place, to.NAME_START] = starts[place]
        people[place, to.NAME_LENGTH] = lengths[place]
    return people
