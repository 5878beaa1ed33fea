"""Row groups of Parquet in the layout of `rulespec convert` -> columns, without a line of JSON.

A row that the columns do not say plainly, or that the strict decoder would refuse, is left to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from checker.columns import layout as to
from checker.columns.compiled import compiled, inlined, numbers_at, small_numbers_at
from checker.columns.pieces import PADDING, QUOTE, moment, name_hash
from checker.columns.scan import (
    AHEAD,
    AT_LENGTH,
    AT_START,
    CLOCK,
    HEAD,
    ID_LENGTH,
    ID_START,
    SCANNED,
    SHOE_LENGTH,
    SHOE_START,
    SPAN_WIDTH,
    TABLE_LENGTH,
    TABLE_START,
    Scan,
    day_of,
)
from checker.decode import DecodeError, parse_json
from checker.parquet_layout import (
    CODED,
    CODED_IN_EVENTS,
    IN_EVENTS,
    NO_BOX,
    NO_CENTS,
    NO_HAND,
    is_ours,
    schema,
    wager_words,
)
from checker.rounds import RETURN_MAX, STAKE_MAX

_PLAYERS_MOST: Final = 64
_CARDS: Final = (*to.CARD_NAMES, "JOKER", "")
_NONE: Final = -1  # an empty text
_OTHER: Final = -2  # a word that no list has
# of a word of `what`: its codes as a play, as a bet and as a wager, and the marks of a wager
_AS_PLAY, _AS_BET, _AS_WAGER, _MARKS, _WHAT_WIDTH = range(5)


@dataclass(frozen=True, slots=True)
class Group:
    """One row group of a Parquet file."""

    path: str
    number: int
    before: int  # rows of the file before it
    metadata: Any = None  # of the file, where it is at hand


def read_group(group: Group) -> tuple[Scan, Any]:
    """The rows of a group as far as the columns say them, and the table for the others."""
    import pyarrow.parquet as pq

    from checker.log_parquet import columns_of

    coded = [*CODED, *(f"events.list.element.{name}" for name in CODED_IN_EVENTS)]
    with pq.ParquetFile(group.path, read_dictionary=coded, metadata=group.metadata) as file:
        table = file.read_row_group(group.number, columns=columns_of(file), use_threads=False)
        ours = is_ours(file)
    if ours and _as_written(table.schema):
        found = _scan(table)
        if found is not None:
            return found, table
    return _nothing(table.num_rows), table


def _as_written(found: Any) -> bool:
    """Whether the columns have the types that `convert` gives them."""
    wanted = schema()
    for field in found:
        kind = field.type
        if field.name == "events":
            same = all(
                kind.value_type.field(part.name).type == part.type
                for part in wanted.field("events").type.value_type
            )
        else:
            same = kind == wanted.field(field.name).type
        if not same:
            return False
    return True


def _nothing(rows: int) -> Scan:
    """All rows are left to the strict decoder."""
    rounds = np.zeros((rows, to.ROUND_WIDTH), np.int64)
    rounds[:, to.STATUS] = to.SKIP
    return Scan(
        np.zeros(PADDING, np.uint8), rounds, np.zeros((rows, SPAN_WIDTH), np.int64),
        np.zeros((0, to.EVENT_WIDTH), np.int32), np.zeros(0, np.int64),
        np.zeros((0, 2), np.int32), np.zeros((0, to.PLAYER_WIDTH), np.int64), [],
    )  # fmt: skip


class _Texts:
    """Texts laid one behind the other. Each comes with where it starts and how long it is; -1 is
    none."""

    def __init__(self) -> None:
        self.parts: list[Any] = []
        self.size = 0

    def add(self, values: Any) -> tuple[Any, Any]:
        values.validate(full=True)  # that it is UTF-8 above all
        _, offsets_at, data_at = values.buffers()
        offsets = np.zeros(len(values) + 1, np.int32)
        if len(values) and offsets_at is not None:
            whole = np.frombuffer(offsets_at, np.int32)
            offsets = whole[values.offset : values.offset + len(values) + 1]
        data = np.frombuffer(data_at, np.uint8) if data_at is not None else np.zeros(0, np.uint8)
        starts = offsets[:-1].astype(np.int64) + self.size
        lengths = np.diff(offsets).astype(np.int64)
        if values.null_count:
            lengths[values.is_null().to_numpy(zero_copy_only=False)] = -1
        self.parts.append(data)
        self.size += len(data)
        return starts, lengths

    def add_quoted(self, values: Any) -> tuple[Any, Any]:
        """In quotes, as `moment` reads a time."""
        inner = _Texts()
        starts, lengths = inner.add(values)
        made = np.empty(int(np.maximum(lengths, 0).sum()) + 2 * len(values), np.uint8)
        places = _quote(inner.data(), starts, lengths, made)
        self.parts.append(made)
        self.size += len(made)
        return places + (self.size - len(made)), lengths

    def data(self) -> Any:
        return np.concatenate([*self.parts, np.zeros(PADDING, np.uint8)])


@compiled
def _quote(data: Any, starts: Any, lengths: Any, made: Any) -> Any:
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


def _scan(table: Any) -> Scan | None:
    import pyarrow as pa

    rows = table.num_rows
    column = {name: table.column(name).combine_chunks() for name in table.column_names}
    listed = column["events"]
    events = listed.flatten()
    parts = {name: events.field(name) for name in IN_EVENTS}
    if events.null_count or any(part.null_count for part in parts.values()):
        return None
    texts = _Texts()
    try:
        spans = np.zeros((rows, SPAN_WIDTH), np.int64)
        for name, start, length in (
            ("round", ID_START, ID_LENGTH), ("table", TABLE_START, TABLE_LENGTH),
            ("shoe", SHOE_START, SHOE_LENGTH), ("at", AT_START, AT_LENGTH),
        ):  # fmt: skip
            spans[:, start], spans[:, length] = _spans(column[name], texts, name == "at")
        starts, lengths = texts.add(parts["player"].dictionary)
        people = np.stack([starts, lengths], axis=1)
        kinds, whats, cards = (_words(parts[name], name) for name in ("e", "what", "card"))
        heads, spans[:, HEAD] = _heads(column, rows)
    except (UnicodeDecodeError, pa.ArrowInvalid):
        return None
    spans[:, SCANNED] = _rows_to_look_at(column)
    sizes = np.zeros(rows + 1, np.int64)
    sizes[1:] = np.cumsum(listed.value_lengths().fill_null(0).to_numpy())
    kind, player, what, card = (_codes(parts[name]) for name in CODED_IN_EVENTS)
    box, hand, cents = (parts[name].to_numpy() for name in ("box", "hand", "cents"))
    rounds = np.zeros((rows, to.ROUND_WIDTH), np.int64)
    made = np.empty((len(events), to.EVENT_WIDTH), np.int32)
    amounts = np.empty(len(events), np.int64)
    players = np.empty((len(events) + 1, to.PLAYER_WIDTH), np.int64)
    data = texts.data()
    used = _fill(
        data.ctypes.data, rounds, spans, sizes, kind, player, what, card, box, hand, cents, kinds,
        people, whats, cards, made, amounts, players,
    )  # fmt: skip
    return Scan(
        data, rounds, spans, made, amounts, np.zeros((0, 2), np.int32), players[:used], heads
    )


def _codes(values: Any) -> Any:
    """Which word each event has."""
    codes = values.indices.to_numpy()
    if len(codes) and not 0 <= codes.min() <= codes.max() < len(values.dictionary):
        raise IndexError("a code of no word")
    return codes


def _words(values: Any, name: str) -> Any:
    """What the words of a column stand for."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if name != "what":
        known = pa.array(to.KINDS if name == "e" else _CARDS, pa.string())
        codes = pc.index_in(values.dictionary, known).fill_null(_OTHER).to_numpy()
        return codes if name == "e" else np.where(codes == _CARDS.index(""), _NONE, codes)
    words = values.dictionary.to_pylist()
    table = np.full((len(words), _WHAT_WIDTH), _OTHER, np.int32)
    for place, word in enumerate(words):
        bet, marks = wager_words(word)
        seated = marks.get("seated")
        table[place] = (
            to.PLAY_CODES.get(word, _OTHER) if word else _NONE,
            to.BET_CODES.get(word, _OTHER) if word else _NONE,
            to.BET_CODES.get(bet, _OTHER),
            (to.CONTROL if "control" in marks else 0)
            | (0 if seated is None else 2 if seated else 1) << to.SEATED_SHIFT,
        )
    return table


def _spans(values: Any, texts: _Texts, quoted: bool) -> tuple[Any, Any]:
    if not hasattr(values, "indices"):
        return texts.add_quoted(values) if quoted else texts.add(values)
    starts, lengths = texts.add(values.dictionary)
    codes = values.indices.fill_null(-1).to_numpy()
    if len(starts) == 0:
        return codes * 0, codes * 0 - 1
    return starts[codes], np.where(codes < 0, -1, lengths[codes])


def _heads(column: dict[str, Any], rows: int) -> tuple[list[bytes], Any]:
    """The heads that these rows would have as lines, and which of them each row has."""
    names = ("rulebook", "options", "limits")
    codes = [column[name].indices.fill_null(-1).to_numpy() for name in names]
    words = [[*column[name].dictionary.to_pylist(), None] for name in names]
    decks = column["decks"].fill_null(0).to_numpy()
    keys = np.zeros(rows, np.int64)
    for code, known in zip(codes, words, strict=True):
        keys = keys * len(known) + (code + 1)
    _, first, which = np.unique(keys * 256 + decks, return_index=True, return_inverse=True)
    heads = []
    for row in first.tolist():
        said = (known[code[row]] for code, known in zip(codes, words, strict=True))
        rulebook, options, limits = said
        heads.append(_head(rulebook, int(decks[row]), options, limits))
    return heads, which.reshape(rows)


@lru_cache(maxsize=4096)
def _head(rulebook: str | None, decks: int, options: str | None, limits: str | None) -> bytes:
    import json

    parts = [] if rulebook is None else [f'"rulebook":{json.dumps(rulebook)}']
    parts.append(f'"decks":{decks}')
    for name, text in (("options", options), ("limits", limits)):
        if text is not None:
            try:
                parse_json(text)
            except DecodeError:
                return b"not good"
            parts.append(f'"{name}":{text}')
    return ("," + ",".join(parts) + ',"events":').encode()


def _rows_to_look_at(column: dict[str, Any]) -> Any:
    plain = column["events"].is_valid().to_numpy(zero_copy_only=False)
    if "line" in column:
        plain = plain & column["line"].is_null().to_numpy(zero_copy_only=False)
    return plain & column["decks"].is_valid().to_numpy(zero_copy_only=False)


@compiled
def _fill(
    data: int, rounds: Any, spans: Any, sizes: Any, kind: Any, player: Any, what: Any, card: Any,
    box: Any, hand: Any, cents: Any, kinds: Any, people_array: Any, whats: Any, cards: Any,
    events_array: Any, amounts_array: Any, players_array: Any,
) -> int:  # fmt: skip
    events, amounts = small_numbers_at(events_array), numbers_at(amounts_array)
    people, players = numbers_at(people_array), numbers_at(players_array)
    used = 0
    for row in range(len(rounds)):
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
            word, who = what[event], player[event]
            named = people[2 * who + 1] > 0
            good = _event(
                events, amounts, event, kinds[kind[event]], box[event], hand[event], named,
                whats[word, _AS_PLAY], whats[word, _AS_BET], whats[word, _AS_WAGER],
                whats[word, _MARKS], cards[card[event]], cents[event],
            )  # fmt: skip
            if good and named:
                known, place = _who(data, who, people, players, used, known)
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
def _who(
    data: int, player: int, people: Any, players: Any, first: int, known: int
) -> tuple[int, int]:
    """How many players the round has then, and which of them it is."""
    start, length = people[2 * player], people[2 * player + 1]
    for place in range(known):
        if players[(first + place) * to.PLAYER_WIDTH + to.NAME_START] == start:
            return known, place
    if known >= _PLAYERS_MOST:
        return known, -1
    who = (first + known) * to.PLAYER_WIDTH
    players[who + to.NAME] = name_hash(data, start, length)
    players[who + to.NAME_START] = start
    players[who + to.NAME_LENGTH] = length
    return known + 1, known


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
    silent = play == _NONE and cents == NO_CENTS  # no word and no money
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
        return good and named and card == _NONE
    if kind == to.SETTLE:
        events[e + to.WHAT] = bet
        good = 1 <= box <= 9 and 0 <= hand <= 99 and bet >= 0 and 0 <= cents <= RETURN_MAX
        return good and named and card == _NONE
    if kind == to.WAGER:
        events[e + to.HAND] = 1
        events[e + to.WHAT] = wager
        events[e + to.MARKS] = marks | (0 if card == _NONE else 2) << to.PLAYER_CARD_SHIFT
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
        return card != _OTHER and silent and not named and box == NO_BOX
    if card != _NONE:
        return False
    if kind == to.CUT_CARD:
        return silent and not named and -1 <= box <= 9
    if kind == to.ABSENT:
        return silent and named and 1 <= box <= 9
    if box != NO_BOX:
        return False
    if kind == to.OFFER:
        return play != _NONE and not named
    if kind == to.WARN:
        return play != _NONE and named
    return silent and not named and kind in (to.SHUFFLE, to.NO_MORE_BETS)
