"""The pass over the rounds of a log, in order, that keeps each table's shoe: machine code."""

from __future__ import annotations

from typing import Final

from checker.columns import batch as c
from checker.columns.known_game import MECHANICS
from checker.columns.machine.compile import bytes_at, compiled, numbers_at, small_numbers_at
from checker.columns.shoe.cards import count_cards, decides, only_cards, wagers_main
from checker.columns.slots import UNKNOWN
from checker.table.shoes import LAST_ROUNDS

# shoes[N, SHOE_WIDTH]: the facts `shoe.…` in the order of overview.SHOE_SLOTS, then the rest
(
    SHOE_NEW,
    SHOE_CUT_OUT,
    SHOE_NO_CUT,
    SHOE_SHUFFLED,
    SHOE_BURNS,
    SHOE_BURNS_RECORDED,
    SHOE_CARDS_OUT,
    SHOE_CUT_LAST,
    SHOE_NOT_CUT,
) = range(9)
SHOE_FACTS: Final = 9
SHOE_KNOWN, SHOE_WARNS, SEEN_CARDS_SEEN, SHOE_ANNOUNCED, SHOE_DECISIONS = range(9, 14)
SHOE_WIDTH: Final = 14
# seen[P, SEEN_WIDTH]: of each player of a round
SEEN_LATE, SEEN_LATE_TWO, SEEN_SAT_OUT, SEEN_SAT_LATER, SEEN_IDLE, SEEN_WARNED = range(6)
SEEN_WIDTH: Final = 6

# tables[T, TABLE_WIDTH]
(
    KEY,
    ID,
    BEGUN,
    ROUNDS,
    CARDS_OUT,
    CUT_OUT,
    NO_CUT,
    CUT_SEEN,
    BURNS_SEEN,
    SHUFFLES_SEEN,
    ANNOUNCED,
    PLAYERS,
    WARNED,
    CUT_LAST,
    TABLE_ROUNDS,
    LAST_FROM,
    DECISIONS,
    NOT_CUT,
    SHUFFLED,
    BEGIN_SHOES,
) = range(20)
TABLE_WIDTH: Final = 20
# people[T, slots, PERSON_WIDTH]
NAME, MARKS, LAST_SEEN, NAME_AT, NAME_LENGTH = range(5)
PERSON_WIDTH: Final = 5
FIRST, SECOND, WAGERED, SAT_OUT, SAT_OUT_LATER, HERE = 1, 2, 4, 8, 16, 32
# totals: of the whole log
CARDS_SEEN, WARNINGS_SEEN, TABLES, NAMES = range(4)

NO_CUT_CARD = c.RECORD_CODES[MECHANICS.roles["no cut card"]]
NOT_CUT_AT_ALL = c.RECORD_CODES[MECHANICS.roles["not cut"]]
LAST_ROUNDS_OPTION = c.OPTION_CODES[MECHANICS.roles["last rounds"]]
CARDS: Final = c.JOKER_CARD
AUTOMATIC = c.OPTION_CODES[MECHANICS.roles["cards go back"]]
_MOST: Final = 62  # players, each a bit of a number


@compiled
def place_table(places, tables, row):
    at = tables[row, KEY] & (len(places) - 1)
    while places[at] != 0:
        at = (at + 1) & (len(places) - 1)
    places[at] = row + 1


@compiled
def _find(places, size, tables, key):
    at = key & (size - 1)
    while places[at] != 0:
        if tables[(places[at] - 1) * TABLE_WIDTH + KEY] == key:
            return places[at] - 1
        at = (at + 1) & (size - 1)
    return -1


@compiled
def _new_shoe(tables, t, copies, cards, shoe, begun):
    tables[t + ID] = shoe
    tables[t + BEGUN] = begun
    tables[t + ROUNDS] = 0
    tables[t + CARDS_OUT] = 0
    tables[t + CUT_OUT] = 0
    tables[t + CUT_LAST] = 0
    tables[t + NO_CUT] = 0
    tables[t + NOT_CUT] = 0
    tables[t + SHUFFLED] = 0
    tables[t + PLAYERS] = 0
    for k in range(CARDS):
        copies[cards + k] = 0


@compiled
def _last_rounds(options, tables, t):
    """One of the last rounds, by its options or as announced. LAST_FROM is 0 or the round + 1."""
    if (options >> LAST_ROUNDS_OPTION) & 1:
        return True
    begun = tables[t + LAST_FROM]
    return begun > 0 and tables[t + TABLE_ROUNDS] - begun + 1 < LAST_ROUNDS


@compiled
def _person(people, folk, count, name):
    """Where the player stands in `people`, or -1."""
    for k in range(count):
        if people[folk + k * PERSON_WIDTH + NAME] == name:
            return folk + k * PERSON_WIDTH
    return -1


@compiled
def track_rows(
    rounds_array,
    events_array,
    players_array,
    text_array,
    shoes_array,
    seen_array,
    places_array,
    tables_array,
    copies_array,
    people_array,
    warned_array,
    names_array,
    totals_array,
    scratch_array,
    start,
    stop,
):
    """From round `start`; returns where it had to stop for want of room."""
    rounds = numbers_at(rounds_array)
    events = small_numbers_at(events_array)
    players = numbers_at(players_array)
    shoes = numbers_at(shoes_array)
    places = numbers_at(places_array)
    tables = numbers_at(tables_array)
    copies = numbers_at(copies_array)
    people = numbers_at(people_array)
    warned = numbers_at(warned_array)
    totals = numbers_at(totals_array)
    seen = numbers_at(seen_array)
    text = bytes_at(text_array)
    names = bytes_at(names_array)
    scratch = numbers_at(scratch_array)
    most_people = people_array.shape[1]
    most_warned = warned_array.shape[1]
    for i in range(start, stop):
        r = i * c.ROUND_WIDTH
        if rounds[r + c.STATUS] == c.SKIP:
            continue
        row = _find(places, len(places_array), tables, rounds[r + c.TABLE])
        new = row < 0
        if new:
            row = totals[TABLES]
            if row >= len(tables_array):
                return i
        t = row * TABLE_WIDTH
        first = rounds[r + c.FIRST_EVENT]
        end = first + rounds[r + c.EVENTS]
        who = rounds[r + c.FIRST_PLAYER]
        count = rounds[r + c.PLAYERS]
        length = 0
        for k in range(who, who + count):
            length += players[k * c.PLAYER_WIDTH + c.NAME_LENGTH]
        known = 0 if new else tables[t + PLAYERS]
        if known + count > most_people or totals[NAMES] + length > len(names_array):
            return i
        if (0 if new else tables[t + WARNED]) + count > most_warned:
            return i
        cards = row * CARDS
        shoe = rounds[r + c.SHOE]
        if new:
            totals[TABLES] += 1
            for k in range(TABLE_WIDTH):
                tables[t + k] = 0
            tables[t + KEY] = rounds[r + c.TABLE]
            place_table(places_array, tables_array, row)
            _new_shoe(tables, t, copies, cards, shoe, 0)
        elif tables[t + ID] != shoe:
            done = tables[t + ROUNDS] == 0 and tables[t + SHUFFLED]  # at the end of the last round
            _new_shoe(tables, t, copies, cards, shoe, 1 if shoe != 0 else 0)
            tables[t + SHUFFLED] = done
            tables[t + BEGIN_SHOES] |= done and shoe != 0
        options = rounds[r + c.OPTION_BITS]
        folk = row * most_people * PERSON_WIDTH
        told_off = row * most_warned
        alone = (options >> AUTOMATIC) & 1 != 0 or shoe == 0
        told = i * SHOE_WIDTH
        out, bet, named = -1, 0, 0
        if count <= _MOST:
            out, bet, named = only_cards(events, first, end, copies, cards, scratch, alone)
        if out >= 0:
            _tell(shoes, told, tables, t, totals, shoe, options, 0, False, False)
            for k in range(who, who + count):
                player = k * c.PLAYER_WIDTH
                s = _person(people, folk, tables[t + PLAYERS], players[player + c.NAME])
                wagers = bet & 1
                bet >>= 1
                _tell_of_player(
                    players[player + c.NAME],
                    s,
                    wagers,
                    seen,
                    k,
                    tables,
                    t,
                    people,
                    warned,
                    told_off,
                )
                if wagers:
                    _greet(players, player, text, tables, t, people, folk, s, names, totals)
            tables[t + CARDS_OUT] += out
            totals[CARDS_SEEN] |= named & 1
            tables[t + DECISIONS] |= named >> 1
            _who_was_there(tables, t, people, folk)
            continue
        burns, shuffled, cut_first = _before_cards(events, first, end, tables, t, options)
        if shuffled:
            _shuffle(tables, t, copies, cards, shoe)
        _tell(shoes, told, tables, t, totals, shoe, options, burns, shuffled, cut_first)
        for k in range(count):
            name = players[(who + k) * c.PLAYER_WIDTH + c.NAME]
            s = _person(people, folk, tables[t + PLAYERS], name)
            wagers = s < 0 and wagers_main(events, first, end, k)
            _tell_of_player(name, s, wagers, seen, who + k, tables, t, people, warned, told_off)
        count_cards(events, first, end, copies, cards, scratch, alone)
        if shuffled:
            tables[t + CUT_OUT] = 0
            tables[t + CUT_LAST] = 0
            tables[t + NO_CUT] = 0
            tables[t + NOT_CUT] = 0
        after = _after(
            events,
            first,
            end,
            players,
            who,
            text,
            tables,
            t,
            copies,
            cards,
            people,
            folk,
            warned,
            told_off,
            names,
            totals,
            options,
        )
        _who_was_there(tables, t, people, folk)
        if after:  # shuffled at the end of the round: the next one begins a new shoe
            _new_shoe(tables, t, copies, cards, shoe, 1)
            tables[t + SHUFFLED] = 1
            tables[t + SHUFFLES_SEEN] = 1
    return stop


@compiled
def _before_cards(events, first, end, tables, t, options):
    """What is done before the first card: burns, a shuffle, a cut card."""
    continuous = (options >> AUTOMATIC) & 1
    burns = 0
    shuffled = False
    cut_first = False
    begun = False
    for e in range(first, end):
        kind = events[e * c.EVENT_WIDTH + c.KIND]
        if kind == c.DEAL:
            begun = True
        elif kind == c.CUT_CARD:
            tables[t + CUT_SEEN] = 1
            cut_first |= not begun and not continuous
        elif not begun:
            burns += kind == c.BURN
            shuffled |= kind == c.SHUFFLE
    if burns:
        tables[t + BURNS_SEEN] = 1
    return burns, shuffled, cut_first


@compiled
def _shuffle(tables, t, copies, cards, shoe):
    tables[t + SHUFFLES_SEEN] = 1
    out = tables[t + CUT_OUT]
    none = tables[t + NO_CUT]
    in_last = tables[t + CUT_LAST]
    not_cut = tables[t + NOT_CUT]
    tables[t + BEGIN_SHOES] |= tables[t + ROUNDS] == 0 and shoe != 0
    _new_shoe(tables, t, copies, cards, shoe, 1)
    tables[t + SHUFFLED] = 1
    tables[t + CUT_OUT] = out  # the duty was met; the question is still asked
    tables[t + NO_CUT] = none
    tables[t + CUT_LAST] = in_last
    tables[t + NOT_CUT] = not_cut


@compiled
def _tell(shoes, told, tables, t, totals, shoe, options, burns, shuffled, cut_first):
    """What the shoe tells before the round."""
    rounds = tables[t + ROUNDS]
    begun_here = tables[t + BEGUN]
    fresh = rounds == 0
    shoes[told + SHOE_NEW] = fresh if begun_here or not fresh else UNKNOWN
    continuous = (options >> AUTOMATIC) & 1 != 0
    untold = tables[t + BEGIN_SHOES] and not tables[t + SHUFFLED] and not continuous
    done = shuffled or (fresh and begun_here != 0 and not untold)
    unmarked = shoe == 0 and not tables[t + SHUFFLES_SEEN] and not cut_first
    shoes[told + SHOE_SHUFFLED] = UNKNOWN if unmarked and not done else done
    shoes[told + SHOE_CUT_OUT] = tables[t + CUT_OUT] if tables[t + CUT_SEEN] else UNKNOWN
    shoes[told + SHOE_CUT_LAST] = tables[t + CUT_LAST] and _last_rounds(options, tables, t)
    none = tables[t + NO_CUT]
    shoes[told + SHOE_NO_CUT] = none if none or begun_here else UNKNOWN
    shoes[told + SHOE_NOT_CUT] = tables[t + NOT_CUT]
    shoes[told + SHOE_BURNS] = burns if tables[t + BURNS_SEEN] or shuffled else UNKNOWN
    shoes[told + SHOE_BURNS_RECORDED] = tables[t + BURNS_SEEN]
    shoes[told + SHOE_CARDS_OUT] = tables[t + CARDS_OUT]
    shoes[told + SHOE_KNOWN] = begun_here
    shoes[told + SHOE_WARNS] = totals[WARNINGS_SEEN]
    shoes[told + SEEN_CARDS_SEEN] = totals[CARDS_SEEN]
    shoes[told + SHOE_ANNOUNCED] = tables[t + ANNOUNCED]
    shoes[told + SHOE_DECISIONS] = tables[t + DECISIONS]


@compiled
def _tell_of_player(name, s, wagers, seen, row, tables, t, people, warned, told_off):
    """`s`: where the player stands in `people`, or -1."""
    rounds = tables[t + ROUNDS]
    marks = people[s + MARKS] if s >= 0 else 0
    known = s >= 0 or wagers
    mine = row * SEEN_WIDTH
    seen[mine + SEEN_LATE] = known and rounds > 0 and not marks & FIRST
    seen[mine + SEEN_LATE_TWO] = known and rounds > 1 and not marks & (FIRST | SECOND)
    seen[mine + SEEN_SAT_OUT] = marks & SAT_OUT != 0
    seen[mine + SEEN_SAT_LATER] = marks & SAT_OUT_LATER != 0
    seen[mine + SEEN_IDLE] = rounds - people[s + LAST_SEEN] - 1 if s >= 0 else 0
    seen[mine + SEEN_WARNED] = 0
    for j in range(tables[t + WARNED]):
        if warned[told_off + j] == name:
            seen[mine + SEEN_WARNED] = 1


@compiled
def _after(
    events,
    first,
    end,
    players,
    who,
    text,
    tables,
    t,
    copies,
    cards,
    people,
    folk,
    warned,
    told_off,
    names,
    totals,
    options,
):
    """What the round leaves behind. True when it was shuffled after the last card."""
    shuffled = False
    for e in range(first, end):
        event = e * c.EVENT_WIDTH
        kind = events[event + c.KIND]
        if kind == c.DEAL or kind == c.BURN:
            card = events[event + c.CARD]
            shuffled &= kind != c.DEAL
            if card >= 0 and card < c.JOKER_CARD:
                copies[cards + card] += 1
            if kind == c.BURN or card < c.JOKER_CARD:
                tables[t + CARDS_OUT] += 1
        elif kind == c.WAGER:
            if (events[event + c.MARKS] >> c.PLAYER_CARD_SHIFT) & 3 == 2:
                totals[CARDS_SEEN] = 1
            if events[event + c.WHAT] == c.MAIN:
                player = (who + events[event + c.PLAYER]) * c.PLAYER_WIDTH
                s = _person(people, folk, tables[t + PLAYERS], players[player + c.NAME])
                _greet(players, player, text, tables, t, people, folk, s, names, totals)
        elif kind == c.PLAY:
            tables[t + DECISIONS] |= decides(events[event + c.WHAT])
        elif kind == c.CUT_CARD:
            tables[t + CUT_OUT] = 1
            tables[t + CUT_LAST] = _last_rounds(options, tables, t)
        elif kind == c.SHUFFLE:
            shuffled = True
            for k in range(CARDS):
                copies[cards + k] = 0
            tables[t + CUT_OUT] = 0
            tables[t + CUT_LAST] = 0
            tables[t + NOT_CUT] = 0
        elif kind == c.IRREGULARITY and events[event + c.WHAT] == NO_CUT_CARD:
            tables[t + NO_CUT] = 1
        elif kind == c.IRREGULARITY and events[event + c.WHAT] == NOT_CUT_AT_ALL:
            tables[t + NOT_CUT] = 1
        elif kind == c.WARN:
            totals[WARNINGS_SEEN] = 1
            name = players[(who + events[event + c.PLAYER]) * c.PLAYER_WIDTH + c.NAME]
            there = False
            for j in range(tables[t + WARNED]):
                there |= warned[told_off + j] == name
            if not there:
                warned[told_off + tables[t + WARNED]] = name
                tables[t + WARNED] += 1
        elif kind == c.ANNOUNCE and events[event + c.WHAT] >= 0:
            tables[t + ANNOUNCED] |= 1 << events[event + c.WHAT]
            if events[event + c.WHAT] == LAST_ROUNDS_OPTION:
                tables[t + LAST_FROM] = tables[t + TABLE_ROUNDS] + 1
    return shuffled


@compiled
def _greet(players, player, text, tables, t, people, folk, s, names, totals):
    if s < 0:
        s = folk + tables[t + PLAYERS] * PERSON_WIDTH
        tables[t + PLAYERS] += 1
        length = players[player + c.NAME_LENGTH]
        people[s + NAME] = players[player + c.NAME]
        people[s + MARKS] = 0
        people[s + NAME_AT] = totals[NAMES]
        people[s + NAME_LENGTH] = length
        for k in range(length):
            names[totals[NAMES] + k] = text[players[player + c.NAME_START] + k]
        totals[NAMES] += length
    people[s + MARKS] |= HERE


@compiled
def _who_was_there(tables, t, people, folk):
    rounds = tables[t + ROUNDS]
    present = WAGERED | (FIRST if rounds == 0 else SECOND if rounds == 1 else 0)
    later = SAT_OUT_LATER if rounds >= 2 else 0
    for k in range(tables[t + PLAYERS]):
        s = folk + k * PERSON_WIDTH
        marks = people[s + MARKS]
        here = marks & HERE != 0
        sat_out = (SAT_OUT if marks & WAGERED else 0) | (later if marks & (FIRST | SECOND) else 0)
        people[s + MARKS] = (marks | (present if here else sat_out)) & ~HERE
        people[s + LAST_SEEN] = rounds if here else people[s + LAST_SEEN]
    tables[t + ROUNDS] = rounds + 1
    tables[t + TABLE_ROUNDS] += 1
