"""Row groups of Parquet in the layout of `rulespec convert` -> columns, without a line of JSON.

A row that the columns do not say plainly, or that the strict decoder would refuse, is left to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from checker.columns import layout as to
from checker.columns.compiled import compiled
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
from checker.parquet_layout import CODED, CODED_IN_EVENTS, is_ours
from checker.rounds import RETURN_MAX, STAKE_MAX

_PLAYERS_MOST: Final = 64
# the columns of an event as numbers; -1 is none
(_E, _BOX, _HAND, _PLAYER, _BET, _CARD, _DO, _CONTROL, _SEATED, _CARD_TEXT, _WHAT, _STAKE,
 _RETURNED) = range(13)  # fmt: skip
_SMALL: Final = ("e", "box", "hand", "player", "bet", "card", "do", "control", "seated",
                 "player_card", "what")  # fmt: skip
_CODES: Final = {
    "e": to.KINDS, "bet": to.BETS, "card": (*to.CARD_NAMES, "JOKER"), "do": to.PLAYS,
}  # fmt: skip
_UNKNOWN: Final = -2  # a word or number that no event may have there
_NULL: Final = -1000


@dataclass(frozen=True, slots=True)
class Group:
    """One row group of a Parquet file."""

    path: str
    number: int
    before: int  # rows of the file before it


def read_group(group: Group) -> tuple[Scan, Any]:
    """The rows of a group as far as the columns say them, and the table for the others."""
    import pyarrow.parquet as pq

    from checker.log_parquet import columns_of

    coded = [*CODED, *(f"events.list.element.{name}" for name in CODED_IN_EVENTS)]
    with pq.ParquetFile(group.path, read_dictionary=coded) as file:
        table = file.read_row_group(group.number, columns=columns_of(file), use_threads=False)
        ours = is_ours(file)
    if ours:
        found = _scan(table)
        if found is not None:
            return found, table
    return _nothing(table.num_rows), table


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
    if events.null_count:
        return None
    texts = _Texts()
    try:
        spans = np.zeros((rows, SPAN_WIDTH), np.int64)
        for name, start, length in (
            ("round", ID_START, ID_LENGTH), ("table", TABLE_START, TABLE_LENGTH),
            ("shoe", SHOE_START, SHOE_LENGTH), ("at", AT_START, AT_LENGTH),
        ):  # fmt: skip
            spans[:, start], spans[:, length] = _spans(column[name], texts, name == "at")
        people = _spans_of_words(events.field("player"), texts)
        small = _small(events)
        heads, spans[:, HEAD] = _heads(column, rows)
    except (UnicodeDecodeError, pa.ArrowInvalid):
        return None
    spans[:, SCANNED] = _rows_to_look_at(column)
    sizes = np.zeros(rows + 1, np.int64)
    sizes[1:] = np.cumsum(listed.value_lengths().fill_null(0).to_numpy())
    rounds = np.zeros((rows, to.ROUND_WIDTH), np.int64)
    made = np.full((len(events), to.EVENT_WIDTH), -1, np.int32)
    amounts = np.full(len(events), to.NO_AMOUNT, np.int64)
    players = np.zeros((len(events) + 1, to.PLAYER_WIDTH), np.int64)
    data = texts.data()
    stakes, returned = (_cents(events.field(name)) for name in ("stake", "returned"))
    used = _fill(data.ctypes.data, rounds, spans, sizes, small, stakes, returned, people, made,
                 amounts, players)  # fmt: skip
    return Scan(
        data, rounds, spans, made, amounts, np.zeros((0, 2), np.int32), players[:used], heads
    )


def _spans(values: Any, texts: _Texts, quoted: bool) -> tuple[Any, Any]:
    if not hasattr(values, "indices"):
        return texts.add_quoted(values) if quoted else texts.add(values)
    starts, lengths = texts.add(values.dictionary)
    codes = values.indices.fill_null(-1).to_numpy()
    if len(starts) == 0:
        return codes * 0, codes * 0 - 1
    return starts[codes], np.where(codes < 0, -1, lengths[codes])


def _spans_of_words(values: Any, texts: _Texts) -> Any:
    starts, lengths = texts.add(values.dictionary)
    return np.stack([starts, lengths], axis=1) if len(starts) else np.zeros((1, 2), np.int64)


def _small(events: Any) -> Any:
    found = np.empty((len(_SMALL), len(events)), np.int32)
    for place, name in enumerate(_SMALL):
        values = events.field(name)
        if name in ("control", "seated"):
            found[place] = values.cast("int8").fill_null(-1).to_numpy(zero_copy_only=False)
        elif hasattr(values, "indices"):
            codes = values.indices.fill_null(-1).to_numpy()
            words = values.dictionary.to_pylist()
            if name in _CODES:
                known = {word: code for code, word in enumerate(_CODES[name])}
                table = np.array([known.get(word, _UNKNOWN) for word in words] + [-1], np.int32)
                codes = table[codes]
            elif name != "player":
                table = np.array([0 if word else _UNKNOWN for word in words] + [-1], np.int32)
                codes = table[codes]
            found[place] = codes
        else:
            numbers = values.cast("int16").fill_null(_NULL).to_numpy()
            found[place] = np.where(numbers < 0, _UNKNOWN, numbers)
            found[place, numbers == _NULL] = -1
    return found


def _cents(values: Any) -> Any:
    """Cents of a decimal column, NO_AMOUNT where there is none."""
    if len(values) == 0:
        return np.zeros(0, np.int64)
    words = np.frombuffer(values.buffers()[1], np.int64).reshape(-1, 2)
    cents = words[values.offset : values.offset + len(values), 0]
    there = values.is_valid().to_numpy(zero_copy_only=False)
    return np.where(there, cents, to.NO_AMOUNT)


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
    data: int, rounds: Any, spans: Any, sizes: Any, small: Any, stakes: Any, returned: Any,
    people: Any, events: Any, amounts: Any, players: Any,
) -> int:  # fmt: skip
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
            good = _event(small, event, stakes, returned, events, amounts)
            player = small[_PLAYER, event]
            if good and events[event, to.PLAYER] == 0:
                known, place = _who(data, player, people, players, used, known)
                events[event, to.PLAYER] = place
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


@compiled
def _who(
    data: int, player: int, people: Any, players: Any, first: int, known: int
) -> tuple[int, int]:
    """How many players the round has then, and which of them it is."""
    start, length = people[player, 0], people[player, 1]
    for place in range(known):
        if players[first + place, to.NAME_START] == start:
            return known, place
    if length <= 0 or known >= _PLAYERS_MOST:
        return known, -1
    players[first + known, to.NAME] = name_hash(data, start, length)
    players[first + known, to.NAME_START] = start
    players[first + known, to.NAME_LENGTH] = length
    return known + 1, known


@compiled
def _event(
    small: Any, row: int, stakes: Any, returned: Any, events: Any, amounts: Any
) -> bool:
    """One event. PLAYER is left 0 where a player has to be named."""
    kind, box, hand = small[_E, row], small[_BOX, row], small[_HAND, row]
    events[row, to.KIND] = kind
    events[row, to.HAND] = 0
    events[row, to.MARKS] = 0
    if hand != -1 and not 1 <= hand <= 99:
        return False
    if kind == to.DEAL:
        events[row, to.BOX], events[row, to.CARD] = box, small[_CARD, row]
        events[row, to.HAND] = max(hand, 1)
        return bool(0 <= box <= 9 and small[_CARD, row] >= 0)
    if kind in (to.WAGER, to.PLAY, to.SETTLE, to.ABSENT):
        events[row, to.BOX], events[row, to.PLAYER] = box, 0
        if not 1 <= box <= 9 or small[_PLAYER, row] < 0:
            return False
    if kind == to.WAGER:
        events[row, to.HAND] = 1
        events[row, to.WHAT] = small[_BET, row]
        amounts[row] = stakes[row]
        control, seated, card = small[_CONTROL, row], small[_SEATED, row], small[_CARD_TEXT, row]
        if card == _UNKNOWN:
            return False
        events[row, to.MARKS] = (
            (to.CONTROL if control == 1 else 0)
            | (seated + 1) << to.SEATED_SHIFT
            | (0 if card < 0 else 2) << to.PLAYER_CARD_SHIFT
        )
        return bool(0 <= small[_BET, row] <= to.SUPER_SEVENS and 0 < stakes[row] <= STAKE_MAX)
    if kind == to.PLAY:
        events[row, to.HAND] = max(hand, 1)
        events[row, to.WHAT] = small[_DO, row]
        amounts[row] = stakes[row]
        paid = stakes[row] != to.NO_AMOUNT
        return bool(small[_DO, row] >= 0 and (not paid or 0 < stakes[row] <= STAKE_MAX))
    if kind == to.SETTLE:
        events[row, to.HAND] = max(hand, 0)
        events[row, to.WHAT] = small[_BET, row]
        amounts[row] = returned[row]
        return bool(small[_BET, row] >= 0 and 0 <= returned[row] <= RETURN_MAX)
    if kind == to.BURN:
        events[row, to.CARD] = small[_CARD, row]
        return bool(small[_CARD, row] != _UNKNOWN)
    if kind == to.CUT_CARD:
        events[row, to.BOX] = box
        return bool(-1 <= box <= 9)
    if kind == to.OFFER:
        return bool(small[_WHAT, row] >= 0)
    if kind == to.WARN:
        events[row, to.PLAYER] = 0
        return bool(small[_PLAYER, row] >= 0 and small[_WHAT, row] >= 0)
    return bool(kind in (to.ABSENT, to.SHUFFLE, to.NO_MORE_BETS))

