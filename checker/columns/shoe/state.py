"""What earlier rounds of a shoe tell, batch by batch (see `checker.table.shoes`).

What rules seldom ask, and only in rounds that the plain evaluator judges, is not followed by
machine code: it is read off the last round of a table before a batch, and in the batch.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from checker.columns import batch as c
from checker.columns.known_game import MAIN_BET, MECHANICS
from checker.columns.machine import buffers as memory
from checker.columns.shoe.follow import (
    CARDS,
    FIRST,
    ID,
    KEY,
    LAST_SEEN,
    MARKS,
    NAME,
    NAME_AT,
    NAME_LENGTH,
    NAMES,
    PERSON_WIDTH,
    PLAYERS,
    ROUNDS,
    SAT_OUT,
    SAT_OUT_LATER,
    SECOND,
    SEEN_CARDS_SEEN,
    SEEN_WIDTH,
    SHOE_ANNOUNCED,
    SHOE_BURNS,
    SHOE_BURNS_RECORDED,
    SHOE_CARDS_OUT,
    SHOE_CUT_LAST,
    SHOE_CUT_OUT,
    SHOE_DECISIONS,
    SHOE_KNOWN,
    SHOE_NEW,
    SHOE_NO_CUT,
    SHOE_NOT_CUT,
    SHOE_SHUFFLED,
    SHOE_WARNS,
    SHOE_WIDTH,
    TABLE_WIDTH,
    TABLES,
    WARNED,
    place_table,
    track_rows,
)
from checker.columns.shoe.steps import STEP, copied, track_few, track_steps
from checker.columns.slots import UNKNOWN
from checker.log import model as r
from checker.table.shoes import ShoeView

OTHER_WORDS = 1 << 61
"""In SHOE_ANNOUNCED: something was announced at the table in words that have no number."""

if TYPE_CHECKING:
    from checker.columns.batch import Batch
    from checker.log.model import Round


@dataclass(slots=True)
class ShoeState:
    """All tables of a log after the rounds so far. Grows as it must."""

    places: Any  # hash table: row of `tables` + 1
    tables: Any
    copies: Any
    people: Any
    warned: Any
    names: Any
    totals: Any
    # in the last round of a table, and words without a number that were announced there
    minimum: dict[int, dict[str, int]] = field(init=False, default_factory=dict)
    announced: dict[int, frozenset[str]] = field(init=False, default_factory=dict)

    @classmethod
    def empty(cls) -> ShoeState:
        return cls(
            np.zeros(64, np.int64),
            np.zeros((16, TABLE_WIDTH), np.int64),
            np.zeros((16, 52), np.int64),
            np.zeros((16, 32, PERSON_WIDTH), np.int64),
            np.zeros((16, 32), np.int64),
            np.zeros(1 << 14, np.uint8),
            np.zeros(4, np.int64),
        )

    def copy(self) -> ShoeState:
        return ShoeState(*copied(*self.arrays)).with_words_of(self)

    def with_words_of(self, other: ShoeState) -> ShoeState:
        self.minimum, self.announced = dict(other.minimum), dict(other.announced)
        return self

    @property
    def arrays(self) -> tuple[Any, ...]:
        return (
            self.places,
            self.tables,
            self.copies,
            self.people,
            self.warned,
            self.names,
            self.totals,
        )

    def grow(self, players: int, length: int) -> None:
        """Room for one more round."""
        count = int(self.totals[TABLES])
        if count + 1 > len(self.tables):
            self.tables = _longer(self.tables, 0)
            self.copies = _longer(self.copies, 0)
            self.people = _longer(self.people, 0)
            self.warned = _longer(self.warned, 0)
            self.places = np.zeros(4 * len(self.tables), np.int64)
            for row in range(count):
                place_table(self.places, self.tables, row)
        while int(self.tables[:count, PLAYERS].max(initial=0)) + players > self.people.shape[1]:
            self.people = _longer(self.people, 1)
        while int(self.tables[:count, WARNED].max(initial=0)) + players > self.warned.shape[1]:
            self.warned = _longer(self.warned, 1)
        if int(self.totals[NAMES]) + length > len(self.names):
            self._pack(length)

    def _pack(self, length: int) -> None:
        """Forget the names of players of shoes that are over."""
        kept = bytearray()
        for row in range(int(self.totals[TABLES])):
            for person in self.people[row, : self.tables[row, PLAYERS]]:
                at, size = int(person[NAME_AT]), int(person[NAME_LENGTH])
                person[NAME_AT] = len(kept)
                kept += self.names[at : at + size].tobytes()
        size = max(len(self.names), 2 * (len(kept) + length))
        self.names = np.zeros(size, np.uint8)
        self.names[: len(kept)] = np.frombuffer(bytes(kept), np.uint8)
        self.totals[NAMES] = len(kept)


def _longer(array: Any, axis: int) -> Any:
    return np.concatenate([array, np.zeros_like(array)], axis=axis)


def track(
    batch: Batch, state: ShoeState, first: int = 0, stop: int | None = None, few: bool = False
) -> None:
    """Fill in `shoes`, `seen` and the copies of cards, from round `first` up to `stop`."""
    count = len(batch.rounds) if stop is None else stop
    pass_over: Any = track_few if few else track_rows
    columns = _columns(batch)
    scratch = np.zeros(CARDS, np.int64)
    at = first
    while at < count:
        at = pass_over(*columns, *state.arrays, scratch, at, count)
        if at < count:
            _grow(state, batch, at)
    _keep_words(batch, state, first, count)


def track_in_steps(batch: Batch, state: ShoeState) -> list[ShoeState]:
    """Follow a whole batch; what was known before it and before each further STEP of its rounds:
    so that nobody has to follow all of it again to know what was known before a round."""
    count = len(batch.rounds)
    steps = -(-count // STEP)
    found: dict[int, ShoeState] = {}
    columns = _columns(batch)
    scratch = np.zeros(CARDS, np.int64)
    pass_over: Any = track_steps
    at = 0
    while at < count:
        kept = tuple(np.empty((steps, *one.shape), one.dtype) for one in state.arrays)
        first = -(-at // STEP)
        at = pass_over(*columns, *state.arrays, scratch, kept, at, count)
        for step in range(first, min(at // STEP + 1, steps)):
            found[step] = ShoeState(*(one[step] for one in kept)).with_words_of(state)
        if at < count:
            _grow(state, batch, at)
    _keep_words(batch, state, 0, count)
    if batch.broken:
        assert batch.shoes is not None
        batch.shoes[batch.broken, SHOE_WARNS] = 0  # who was told before cannot be known there
    return list(found.values())


def _keep_words(batch: Batch, state: ShoeState, first: int, stop: int) -> None:
    """What the rounds from `first` up to `stop` leave at their tables."""
    there = batch.rounds[first:stop]
    if not len(there):
        return
    there = there[there[:, c.STATUS] != c.SKIP][::-1]
    tables, last = np.unique(there[:, c.TABLE], return_index=True)
    rows = there[last, c.LIMITS].tolist()
    for table, row in zip(tables.tolist(), rows, strict=True):
        state.minimum[table] = batch.minima[row]
    for row, words in batch.announced.items():
        if first <= row < stop and batch.rounds[row, c.STATUS] != c.SKIP:
            table = int(batch.rounds[row, c.TABLE])
            state.announced[table] = state.announced.get(table, frozenset()) | {*words}
    if state.announced:
        assert batch.shoes is not None
        told = np.isin(batch.rounds[:, c.TABLE], list(state.announced))
        batch.shoes[told, SHOE_ANNOUNCED] |= OTHER_WORDS


def _columns(batch: Batch) -> tuple[Any, ...]:
    if batch.shoes is None:
        batch.shoes, batch.seen = memory.rows(
            ((len(batch.rounds), SHOE_WIDTH), np.int64),
            ((len(batch.players), SEEN_WIDTH), np.int64),
        )
        batch.shoes[:] = 0
        batch.seen[:] = 0
    return batch.rounds, batch.events, batch.players, batch.text, batch.shoes, batch.seen


def _grow(state: ShoeState, batch: Batch, at: int) -> None:
    row = batch.rounds[at]
    mine = batch.players[row[c.FIRST_PLAYER] : row[c.FIRST_PLAYER] + row[c.PLAYERS]]
    state.grow(int(row[c.PLAYERS]), int(mine[:, c.NAME_LENGTH].sum()))


def _words_before(
    batch: Batch, state: ShoeState, index: int
) -> tuple[dict[str, int], frozenset[str]]:
    """The minimum of each bet in the round of the table before this one, and what was announced
    there in words that have no number. `state` may be that before the batch."""
    table = int(batch.rounds[index, c.TABLE])
    rows = batch.rounds[:index]
    earlier = np.flatnonzero((rows[:, c.TABLE] == table) & (rows[:, c.STATUS] != c.SKIP))
    minimum = state.minimum.get(table, {})
    if len(earlier):
        minimum = batch.minima[int(rows[earlier[-1], c.LIMITS])]
    words = state.announced.get(table, frozenset())
    for row in {*earlier.tolist()} & {*batch.announced}:
        words |= {*batch.announced[row]}
    return minimum, words


def follow(batch: Batch, state: ShoeState, table: int, first: int, stop: int) -> None:
    """Bring the state of one table up to round `stop` of a batch that `track` has been over."""
    rows = first + np.flatnonzero(batch.rounds[first:stop, c.TABLE] == table)
    told = np.zeros((len(rows), SHOE_WIDTH), np.int64)  # what the log told is known already
    track(replace(batch, rounds=batch.rounds[rows], shoes=told, announced={}), state, few=True)


def view(
    batch: Batch, state: ShoeState, index: int, round_: Round, tracked: bool = False
) -> ShoeView:
    """What the tracker of the plain engine would say before this round, which is the next one
    that `state` will be told about. `tracked`: the batch was followed before, up to its end."""
    if not tracked:
        track(batch, state.copy(), index, index + 1)
    assert batch.shoes is not None
    told: list[int] = batch.shoes[index].tolist()
    row = _row(state, int(batch.rounds[index, c.TABLE]))
    first, count = batch.rounds[index, [c.FIRST_PLAYER, c.PLAYERS]].tolist()
    names: dict[int, str] = {
        key: batch.text[start : start + size].tobytes().decode()
        for key, start, size in batch.players[first : first + count].tolist()
    }
    known: dict[int, str] = {}
    seen: dict[int, list[int]] = {}
    fresh = row is None or _begins(batch, state, index, row, round_)
    if row is not None and not fresh:
        for person in state.people[row, : state.tables[row, PLAYERS]].tolist():
            at, key = person[NAME_AT], person[NAME]
            known[key] = state.names[at : at + person[NAME_LENGTH]].tobytes().decode()
            seen[key] = person
    main = {e.player for e in round_.events if type(e) is r.Wager and e.bet == MAIN_BET}
    everybody = {h: name for h, name in names.items() if name in main} | known
    by_name = sorted(everybody.items(), key=lambda x: x[1])
    rounds = 0 if row is None or fresh else int(state.tables[row, ROUNDS])

    def mark(bits: int) -> dict[str, bool]:
        return {n: h in seen and bool(seen[h][MARKS] & bits) for h, n in by_name}

    def not_marked(bits: int) -> dict[str, bool]:
        return {name: not holds for name, holds in mark(bits).items()}

    def late_by_two() -> dict[str, bool]:
        if rounds > 1:
            return not_marked(FIRST | SECOND)
        first = [known[h] for h, person in seen.items() if person[MARKS] & FIRST]
        return dict.fromkeys(sorted(first), False) if rounds == 1 else {}

    copies: dict[str, int] = {}
    continuous = MECHANICS.roles["cards go back"] in round_.options
    if row is not None and not fresh and not continuous and round_.shoe is not None:
        counts = state.copies[row, :52].tolist()
        copies = {c.CARD_NAMES[k]: count for k, count in enumerate(counts) if count}
    warned: set[int] = set()
    if row is not None:
        warned.update(state.warned[row, : state.tables[row, WARNED]].tolist())
    bits = told[SHOE_ANNOUNCED]
    minimum, announced = _words_before(batch, state, index)
    return ShoeView(
        new=_maybe(told[SHOE_NEW]),
        cut_card_out=_maybe(told[SHOE_CUT_OUT]),
        cut_card_in_last_rounds=bool(told[SHOE_CUT_LAST]),
        no_cut_card=_maybe(told[SHOE_NO_CUT]),
        not_cut=bool(told[SHOE_NOT_CUT]),
        shuffled=_maybe(told[SHOE_SHUFFLED]),
        burns=None if told[SHOE_BURNS] == UNKNOWN else told[SHOE_BURNS],
        burns_recorded=bool(told[SHOE_BURNS_RECORDED]),
        cards_out=told[SHOE_CARDS_OUT],
        copies=copies,
        late_entry=not_marked(FIRST) if rounds > 0 else {},
        late_entry_two=late_by_two(),
        sat_out=mark(SAT_OUT),
        sat_out_later=mark(SAT_OUT_LATER),
        idle={known[h]: rounds - person[LAST_SEEN] - 1 for h, person in seen.items()},
        warned=frozenset(n for h, n in (names | known).items() if h in warned),
        warnings_seen=bool(told[SHOE_WARNS]),
        announced=announced | {word for word, k in c.OPTION_CODES.items() if bits >> k & 1},
        decisions_seen=bool(told[SHOE_DECISIONS]),
        player_cards_seen=bool(told[SEEN_CARDS_SEEN]),
        known=bool(told[SHOE_KNOWN]),
        minimum=minimum if rounds else {},
    )


def _maybe(value: int) -> bool | None:
    return None if value == UNKNOWN else bool(value)


def _begins(batch: Batch, state: ShoeState, index: int, row: int, round_: Round) -> bool:
    """A new shoe: another name, or a shuffle before the first card."""
    if int(batch.rounds[index, c.SHOE]) != int(state.tables[row, ID]):
        return True
    for event in round_.events:
        kind = type(event).__name__
        if kind == "Deal":
            return False
        if kind == "Shuffle":
            return True
    return False


def _row(state: ShoeState, key: int) -> int | None:
    found = np.flatnonzero(state.tables[: int(state.totals[TABLES]), KEY] == key)
    return int(found[0]) if len(found) else None
