"""Scanned lines as tables of Arrow, for Parquet. See `parquet_layout`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
import pyarrow as pa

from checker.columns import layout as to
from checker.columns.compiled import compiled
from checker.columns.gather import Gathered, Reading
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
    TABLE_LENGTH,
    TABLE_START,
    Scan,
)
from checker.columns.source import pieces
from checker.log import Quarantined
from checker.log_files import open_log
from checker.parquet_layout import schema
from checker.replay import Filter

_HEAD_KEYS: Final = ("rulebook", "decks", "options", "limits")
_NO_CARD: Final = 1 << to.PLAYER_CARD_SHIFT
_CARD_BITS: Final = 3 << to.PLAYER_CARD_SHIFT


def tables(path: str, complain: Callable[[Quarantined], None]) -> Iterator[Any]:
    """The rounds of a log of JSON Lines; what is no round goes to `complain`."""
    reading = Reading((), Filter())
    for piece in pieces(open_log(path)):
        scanned = reading.scanned(piece)
        gathered = reading.gathered(0, path, scanned)
        for _, bad in gathered.bad:
            complain(bad)
        table = _table(scanned.found, gathered)
        if table.num_rows:
            yield table


def _table(found: Scan, gathered: Gathered) -> Any:
    rounds = gathered.batch.rounds
    if len(found.rounds) == 0:  # a line of its own, read strictly
        return _texts(gathered, [0] if 0 in gathered.decoded else [])
    heads = [_head(head) for head in found.heads]
    plain = (found.spans[:, SCANNED] == 1) & (rounds[:, to.STATUS] != to.SKIP)
    usable = np.array([head is not None for head in heads], np.bool_)
    plain[plain] = usable[found.spans[plain, HEAD]]
    sizes = np.where(plain, found.rounds[:, to.EVENTS], 0)
    owner = np.repeat(np.arange(len(rounds)), sizes)
    places = np.repeat(found.rounds[:, to.FIRST_EVENT], sizes) + _count_up(owner)
    # A card that is said not to be there is no text that a column could hold.
    marks = found.events[places, to.MARKS]
    denied = owner[(found.events[places, to.KIND] == to.WAGER) & (marks & _CARD_BITS == _NO_CARD)]
    plain[denied] = False
    keep = plain[owner]
    owner, places = owner[keep], places[keep]
    kept = np.flatnonzero(plain)
    there = pa.Table.from_arrays(
        [*_head_columns(found, kept, heads), _events(found, kept, owner, places),
         pa.nulls(len(kept), pa.string())],
        schema=schema(),
    )  # fmt: skip
    others = np.flatnonzero(~plain & (rounds[:, to.STATUS] != to.SKIP)).tolist()
    if not others:
        return there
    both = pa.concat_tables([there, _texts(gathered, others)], promote_options="none")
    order = np.argsort(np.concatenate([kept, np.array(others, np.int64)]), kind="stable")
    return both.unify_dictionaries().take(pa.array(order))


def _count_up(owner: Any) -> Any:
    """0, 1, 2, … within each run of equal numbers."""
    if len(owner) == 0:
        return owner
    begins = np.flatnonzero(np.concatenate([[True], owner[1:] != owner[:-1]]))
    lengths = np.diff(np.concatenate([begins, [len(owner)]]))
    return np.arange(len(owner)) - np.repeat(begins, lengths)


def _texts(gathered: Gathered, rows: list[int]) -> Any:
    from checker.convert import texts_only

    return texts_only([(gathered.round_at(row), gathered.line_at(row)) for row in rows])


def _head(raw: bytes) -> dict[str, Any] | None:
    """The members of a head as texts of JSON; None if there are others than those of format 1."""
    text = raw.decode()
    decoder = json.JSONDecoder()
    members: dict[str, Any] = {}
    at = 0
    while True:
        at = _skip(text, at, ",")
        key, at = decoder.raw_decode(text, at)
        at = _skip(text, at, ":")
        if key == "events":
            return members
        _, end = decoder.raw_decode(text, at)
        if key not in _HEAD_KEYS:
            return None
        members[key] = text[at:end]
        at = end


def _skip(text: str, at: int, sign: str) -> int:
    while text[at : at + 1] in (" ", "\t", sign) and at < len(text):
        at += 1
    return at


def _head_columns(found: Scan, kept: Any, heads: list[dict[str, Any] | None]) -> list[Any]:
    spans = found.spans[kept]
    at = pa.array(spans[:, HEAD].astype(np.int32))

    def of_head(key: str) -> Any:
        values = [None if head is None else head.get(key) for head in heads]
        if key == "rulebook":
            values = [None if value is None else json.loads(value) for value in values]
        if key == "decks":
            return pa.array([int(value or 0) for value in values], pa.int8()).take(at)
        return pa.array(values, pa.string()).take(at).dictionary_encode()

    no_shoe = np.where(spans[:, SHOE_LENGTH] > 0, spans[:, SHOE_LENGTH], -1)
    return [
        _text(found, spans[:, ID_START], spans[:, ID_LENGTH]),
        _text(found, spans[:, TABLE_START], spans[:, TABLE_LENGTH]).dictionary_encode(),
        _text(found, spans[:, SHOE_START], no_shoe).dictionary_encode(),
        _text(found, spans[:, AT_START], spans[:, AT_LENGTH]),
        pa.array(spans[:, CLOCK].astype("datetime64[us]")),
        pa.array(spans[:, AHEAD].astype(np.int16)),
        of_head("rulebook"), of_head("decks"), of_head("options"), of_head("limits"),
    ]  # fmt: skip


def _events(found: Scan, kept: Any, owner: Any, places: Any) -> Any:
    events, amounts, words = found.events[places], found.amounts[places], found.words[places]
    kind, box, hand = events[:, to.KIND], events[:, to.BOX], events[:, to.HAND]
    marks = events[:, to.MARKS]
    wager, play, settle = kind == to.WAGER, kind == to.PLAY, kind == to.SETTLE
    named = (play & (hand > 0)) | ((kind == to.DEAL) & (hand > 1)) | (settle & (hand > 0))
    seated = marks >> to.SEATED_SHIFT & 3
    bettable = wager | settle
    names = _text(found, found.players[:, to.NAME_START], found.players[:, to.NAME_LENGTH])
    people = names.dictionary_encode()
    who = found.rounds[owner, to.FIRST_PLAYER] + events[:, to.PLAYER]
    someone = events[:, to.PLAYER] >= 0
    codes = people.indices.to_numpy()[np.where(someone, who, 0)] if len(names) else who
    paid = amounts != to.NO_AMOUNT
    columns = [
        _coded(kind, None, to.KINDS),
        pa.array(box.astype(np.int8), mask=box < 0),
        pa.array(hand.astype(np.int8), mask=~named),
        pa.DictionaryArray.from_arrays(
            pa.array(codes.astype(np.int32), mask=~someone), people.dictionary
        ),
        _coded(events[:, to.WHAT], ~bettable, to.BETS),
        _coded(events[:, to.CARD], events[:, to.CARD] < 0, (*to.CARD_NAMES, "JOKER")),
        _coded(events[:, to.WHAT], ~play, to.PLAYS),
        _money(amounts, paid & (wager | play)),
        _money(amounts, paid & settle),
        pa.array(np.ones(len(kind), np.bool_), mask=marks & to.CONTROL == 0),
        pa.array(seated == 2, mask=seated == 0),
        _text(found, words[:, 0], np.where(wager, words[:, 1], -1)).dictionary_encode(),
        _text(found, words[:, 0], np.where(wager, -1, words[:, 1])).dictionary_encode(),
    ]
    element = schema().field("events").type.value_type
    struct = pa.StructArray.from_arrays(columns, fields=list(element))
    offsets = np.zeros(len(kept) + 1, np.int32)
    offsets[1:] = np.cumsum(np.bincount(owner, minlength=len(found.rounds))[kept])
    return pa.ListArray.from_arrays(
        pa.array(offsets), struct, type=schema().field("events").type
    )


def _coded(codes: Any, mask: Any, words: tuple[str, ...]) -> Any:
    return pa.DictionaryArray.from_arrays(
        pa.array(codes.astype(np.int32), mask=mask), pa.array(words, pa.string())
    )


def _money(cents: Any, there: Any) -> Any:
    wide = np.zeros((len(cents), 2), np.int64)
    wide[:, 0] = np.where(there, cents, 0)
    valid = pa.py_buffer(np.packbits(there, bitorder="little").tobytes())
    return pa.Array.from_buffers(
        pa.decimal128(18, 2), len(cents), [valid, pa.py_buffer(wide.tobytes())]
    )


def _text(found: Scan, starts: Any, lengths: Any) -> Any:
    """Texts that stand in the bytes of the log; a length below 0 is none."""
    starts, lengths = starts.astype(np.int64), lengths.astype(np.int64)
    offsets = np.zeros(len(starts) + 1, np.int32)
    offsets[1:] = np.cumsum(np.maximum(lengths, 0))
    made = np.empty(int(offsets[-1]), np.uint8)
    _copy(found.data, starts, lengths, offsets, made)
    valid = pa.py_buffer(np.packbits(lengths >= 0, bitorder="little").tobytes())
    return pa.StringArray.from_buffers(
        len(starts), pa.py_buffer(offsets), pa.py_buffer(made), valid
    )


@compiled
def _copy(data: Any, starts: Any, lengths: Any, offsets: Any, made: Any) -> None:
    for row in range(len(starts)):
        at = offsets[row]
        for place in range(lengths[row]):
            made[at + place] = data[starts[row] + place]

