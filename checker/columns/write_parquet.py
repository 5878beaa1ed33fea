"""Scanned lines as tables of Arrow, for Parquet. See `parquet_layout`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa

from checker.columns import batch as to
from checker.columns.gather import Reading
from checker.columns.gathered import Gathered
from checker.columns.machine.compile import compiled
from checker.columns.read.scan import (
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
from checker.columns.read.source import pieces
from checker.log.open import open_log
from checker.log.parquet_layout import CONTROL, NO_CENTS, NO_HAND, SEATED, schema, texts_only
from checker.log.read import Quarantined
from checker.replay.replay import Filter

_HEAD_KEYS: Final = ("rulebook", "decks", "options", "limits")
_DECKS: Final = re.compile(r"[1-9]\d?")
_NO_CARD: Final = 1 << to.PLAYER_CARD_SHIFT
_CARD_BITS: Final = 3 << to.PLAYER_CARD_SHIFT
_CARDS: Final = ("", *to.CARD_NAMES, "JOKER")
# what follows the bet of a wager, by its marks
_MARKS: Final = tuple(
    f"{control}{seated}"
    for seated in ("", f" {SEATED[False]}", f" {SEATED[True]}", "")
    for control in ("", f" {CONTROL}")
)
_BETS: Final = tuple(to.BETS[: to.FIRST_OWN])
_WAGERS: Final = tuple(f"{bet}{marks}" for bet in _BETS[:3] for marks in _MARKS)
_ALL_WORDS: Final = ("", *to.PLAYS, *_BETS, *_WAGERS)
_WORDS: Final = tuple(dict.fromkeys(_ALL_WORDS))
_CODES: Final = np.array([_WORDS.index(word) for word in _ALL_WORDS], np.int32)
_PLAY_WORDS: Final = 1
_BET_WORDS: Final = 1 + len(to.PLAYS)
_WAGER_WORDS: Final = 1 + len(to.PLAYS) + len(_BETS)


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
    kinds = found.events[places, to.KIND]
    plain[owner[(kinds == to.WAGER) & (marks & _CARD_BITS == _NO_CARD)]] = False
    # Nor has it room for bets that rulebooks declare, and for cards that lie face down.
    own = np.isin(kinds, (to.WAGER, to.SETTLE)) & (found.events[places, to.WHAT] >= to.FIRST_OWN)
    down = (kinds == to.DEAL) & (marks & to.DOWN != 0)
    plain[owner[own | down | np.isin(kinds, (to.REVEAL, to.PEEK))]] = False
    keep = plain[owner]
    owner, places = owner[keep], places[keep]
    kept = np.flatnonzero(plain)
    there = pa.Table.from_arrays(
        [
            *_head_columns(found, kept, heads),
            _player_cards(found, kept, owner, places),
            _events(found, kept, owner, places),
            pa.nulls(len(kept), pa.string()),
        ],
        schema=schema(),
    )
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
    return texts_only([(gathered.round_at(row), gathered.line_at(row)) for row in rows])


def _head(raw: bytes) -> dict[str, Any] | None:
    """The members of a head as texts of JSON; None if they are not those of format 1."""
    try:
        members = _members(raw.decode())
    except (ValueError, RecursionError):  # its rounds are not valid, or they are read plainly
        return None
    if members is None or not _DECKS.fullmatch(members.get("decks", "")):
        return None
    return members if members.get("rulebook", "null")[0] in '"n' else None


def _members(text: str) -> dict[str, Any] | None:
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
        of_head("rulebook"),
        of_head("decks"),
        of_head("options"),
        of_head("limits"),
    ]


def _player_cards(found: Scan, kept: Any, owner: Any, places: Any) -> Any:
    there = found.events[places, to.MARKS] & _CARD_BITS == 2 << to.PLAYER_CARD_SHIFT
    there &= found.events[places, to.KIND] == to.WAGER
    return pa.array(np.bincount(owner[there], minlength=len(found.rounds))[kept] > 0)


def _events(found: Scan, kept: Any, owner: Any, places: Any) -> Any:
    events, amounts, words = found.events[places], found.amounts[places], found.words[places]
    kind, box, hand = events[:, to.KIND], events[:, to.BOX], events[:, to.HAND]
    wager, play, settle = kind == to.WAGER, kind == to.PLAY, kind == to.SETTLE
    named = (play & (hand > 0)) | ((kind == to.DEAL) & (hand > 1)) | (settle & (hand > 0))
    names = _text(found, found.players[:, to.NAME_START], found.players[:, to.NAME_LENGTH])
    people = names.dictionary_encode()
    who = found.rounds[owner, to.FIRST_PLAYER] + events[:, to.PLAYER]
    someone = events[:, to.PLAYER] >= 0
    codes = np.zeros(len(kind), np.int32)
    codes[someone] = people.indices.to_numpy()[who[someone]] + 1
    marks = events[:, to.MARKS]
    of_wager = events[:, to.WHAT] * len(_MARKS) + (marks & (to.CONTROL | 3 << to.SEATED_SHIFT))
    what = np.zeros(len(kind), np.int32)
    for which, code, first in (
        (play, events[:, to.WHAT], _PLAY_WORDS),
        (settle, events[:, to.WHAT], _BET_WORDS),
        (wager, of_wager, _WAGER_WORDS),
    ):
        what[which] = code[which] + first
    worded = words[:, 1] >= 0
    cents = np.where(amounts == to.NO_AMOUNT, NO_CENTS, amounts)
    columns = [
        _coded(kind, to.KINDS),
        pa.array(box.astype(np.int8)),
        pa.array(np.where(named, hand, NO_HAND).astype(np.int8)),
        pa.DictionaryArray.from_arrays(
            pa.array(codes), pa.concat_arrays([pa.array([""]), people.dictionary])
        ),
        _worded(found, _CODES[what], _WORDS, words, worded & ~wager),
        _worded(found, events[:, to.CARD] + 1, _CARDS, words, worded & wager),
        pa.array(cents),
    ]
    element = schema().field("events").type.value_type
    struct = pa.StructArray.from_arrays(columns, fields=list(element))
    offsets = np.zeros(len(kept) + 1, np.int32)
    offsets[1:] = np.cumsum(np.bincount(owner, minlength=len(found.rounds))[kept])
    return pa.ListArray.from_arrays(pa.array(offsets), struct, type=schema().field("events").type)


def _coded(codes: Any, words: Sequence[str]) -> Any:
    return pa.DictionaryArray.from_arrays(
        pa.array(codes.astype(np.int32)), pa.array(words, pa.string())
    )


def _worded(found: Scan, codes: Any, known: Sequence[str], words: Any, there: Any) -> Any:
    """Texts of a list, and for some events a word of the log."""
    at = np.flatnonzero(there)
    read = _text(found, words[at, 0], words[at, 1]).dictionary_encode()
    place = {word: code for code, word in enumerate(known)}  # a dictionary has no word twice
    new = [place.setdefault(word, len(place)) for word in read.dictionary.to_pylist()]
    codes = codes.astype(np.int32)
    codes[at] = np.array(new, np.int32)[read.indices.to_numpy()]
    return _coded(codes, list(place))


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
