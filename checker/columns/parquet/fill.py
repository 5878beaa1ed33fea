"""The events of Parquet -> columns: machine code. See `read`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from checker.columns import batch as to
from checker.columns.machine.compile import (
    bytes_at,
    compiled,
    inlined,
    numbers_at,
    small_numbers_at,
)
from checker.columns.machine.fast_names import name_hash
from checker.columns.parquet.events import (
    BOXES,
    CARD_BYTE,
    HAND_BYTE,
    HANDS,
    HOLDER_BITS,
    HOLDER_PLACE,
    KIND_BITS,
    MARK_BITS,
    MARKS_TAKEN,
    WHAT_BYTE,
    may_have_cents,
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
from checker.log.parquet_layout import NO_CENTS

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
    data: int,
    rounds: Any,
    spans: Any,
    sizes: Any,
    first: int,
    events_in: Any,
    words: Any,
    people_array: Any,
    met_array: Any,
    events_array: Any,
    amounts_array: Any,
    players_array: Any,
) -> int:
    """How many players there are in all; the rounds that are not plain lose their mark. The events
    of the first round begin at `first` in `events_in`, which has the columns that IN_EVENTS names.
    `words` is what `events` tells of each word for a kind, a player, what is done and a card.
    `met` is -1 for each of the people; the caller keeps it, since a bare address does not."""
    kinds, whose = small_numbers_at(events_in[0]), small_numbers_at(events_in[3])
    whats, cards = small_numbers_at(events_in[4]), small_numbers_at(events_in[5])
    boxes, hands, cents = bytes_at(events_in[1]), bytes_at(events_in[2]), numbers_at(events_in[6])
    kind_words, player_words = numbers_at(words[0]), numbers_at(words[1])
    what_words, card_words = numbers_at(words[2]), numbers_at(words[3])
    events, amounts = small_numbers_at(events_array), numbers_at(amounts_array)
    people, players = numbers_at(people_array), numbers_at(players_array)
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
            for at in range(sizes[row], sizes[row + 1]):
                event = at - first
                e = event * to.EVENT_WIDTH
                who = whose[at]
                if met[who] < here:
                    known, met[who] = _meet(data, who, people, players, used, known, here)
                    may &= met[who] != here + _TOO_MANY
                place = met[who] - here
                kind, what = kind_words[kinds[at]], what_words[whats[at]]
                card, box, hand = card_words[cards[at]], BOXES[boxes[at]], HANDS[hands[at]]
                one = kind & 255
                allowed = box & hand & what & card & player_words[who]
                may &= allowed >> (KIND_BITS + one) & may_have_cents(one, cents[at])
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
                amounts[event] = cents[at] if cents[at] != NO_CENTS else to.NO_AMOUNT
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
        rounds[row, to.FIRST_EVENT] = sizes[row] - first
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
