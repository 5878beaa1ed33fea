"""Coded events of Parquet -> columns: machine code. See `from_parquet`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from checker.columns import batch as to
from checker.columns.machine.compile import (
    compiled,
    inlined,
    items_at,
    numbers_at,
    small_numbers_at,
)
from checker.columns.machine.fast_names import name_hash
from checker.columns.parquet.codes import PARTS
from checker.columns.parquet.events import (
    CARD_BYTE,
    HAND_BYTE,
    HOLDER_BITS,
    HOLDER_PLACE,
    KIND_BITS,
    MARK_BITS,
    MARKS_TAKEN,
    WHAT_BYTE,
)
from checker.columns.read.json_bytes import QUOTE, moment, same
from checker.columns.read.scan import (
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

# codes[M, PARTS]: of each event, as IN_EVENTS has them
_KIND, _BOX, _HAND, _PLAYER, _WHAT, _CARD, _CENTS = range(7)
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
    data: int, rounds: Any, spans: Any, sizes: Any, codes_array: Any, words_array: Any,
    people_array: Any, met_array: Any, first_person: int, money_array: Any, first_amount: int,
    events_array: Any, amounts_array: Any, players_array: Any,
) -> int:  # fmt: skip
    """How many players there are in all; the rounds that are not plain lose their mark. `words` is
    what `parquet_events` tells of each code; codes from `first_person` on are `people`, those from
    `first_amount` on `money`. `met` is -1 for each of the people; the caller keeps it, since a bare
    address does not."""
    events, amounts = small_numbers_at(events_array), numbers_at(amounts_array)
    people, players = numbers_at(people_array), numbers_at(players_array)
    codes, words, money = items_at(codes_array), numbers_at(words_array), numbers_at(money_array)
    met = numbers_at(met_array)  # in which round last, and as which of its players
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
            may = 1
            here = row * _HERE
            for event in range(sizes[row], sizes[row + 1]):
                code, e = event * PARTS, event * to.EVENT_WIDTH
                who = codes[code + _PLAYER] - first_person
                if met[who] < here:
                    known, met[who] = _meet(data, who, people, players, used, known, here)
                    may &= met[who] != here + _TOO_MANY
                place = met[who] - here
                kind, box = words[codes[code + _KIND]], words[codes[code + _BOX]]
                hand, what = words[codes[code + _HAND]], words[codes[code + _WHAT]]
                card, cents = words[codes[code + _CARD]], codes[code + _CENTS]
                one = kind & 255
                allowed = box & hand & what & card & words[cents] & words[who + first_person]
                may &= allowed >> (KIND_BITS + one)
                marks = (what | card) >> MARK_BITS & kind >> MARKS_TAKEN
                events[e + to.KIND] = one
                events[e + to.BOX] = np.int8(box)
                events[e + to.HAND] = np.int8(hand >> (kind >> HAND_BYTE & 255))
                events[e + to.PLAYER] = place if place != _NOBODY else -1
                events[e + to.WHAT] = np.int8(what >> (kind >> WHAT_BYTE & 255))
                events[e + to.CARD] = np.int8(card >> (kind >> CARD_BYTE & 255))
                events[e + to.MARKS] = marks
                events[e + to.COPIES] = -1
                if one == to.WAGER:
                    events[e + to.HOLDER] = card >> HOLDER_PLACE & HOLDER_BITS
                amounts[event] = money[cents - first_amount]
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
    data: int, player: int, people: Any, players: Any, first: int, known: int, here: int
) -> tuple[int, int]:
    """How many players the round has then, and which of them it is, in this round."""
    one = player * to.PLAYER_WIDTH
    if people[one + to.NAME_LENGTH] <= 0:
        return known, here + _NOBODY
    length = people[one + to.NAME_LENGTH]
    for place in range(known):  # a dictionary may have a name twice
        other = (first + place) * to.PLAYER_WIDTH
        if players[other + to.NAME] == people[one + to.NAME]:
            if players[other + to.NAME_LENGTH] == length and same(
                data, players[other + to.NAME_START], people[one + to.NAME_START], length
            ):
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
