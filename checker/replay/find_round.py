"""One round of a log with what its shoe told before: of a long log without reading all of it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from functools import cache
from typing import Final

from checker.log.indexed import IndexedLog, indexed
from checker.log.model import Deal, Round, Shuffle
from checker.log.read import read_log
from checker.table.mechanics import ordinary
from checker.table.shoes import (
    ShoeTracker,
    ShoeView,
    TableLog,
    before_first_card,
    shuffled_after_last_card,
)
from rulespec.base.regular_files import open_regular

_WORTH_IT: Final = 2**24  # bytes
_PACKED: Final = 16  # so many times a log is smaller when it is compressed
_FEW: Final = 4  # rounds: as far back as an announcement holds
# What tells something of all that follows at a table, or in the log.
_ONCE: Final = ("cut_card", "burn", "shuffle")
_ONCE_SEEN: Final = ("cut_cards_seen", "burns_seen", "shuffles_seen", "decisions_seen")
_EVERY: Final = ("warn", "announce")
_EVERY_ONE: Final = 0b110000  # the marks of these
_ANYWHERE: Final = ((0b10000, "warnings_seen"), (0b1000000, "player_cards_seen"))


@cache
def marks() -> tuple[tuple[str, ...], ...]:
    """What an index keeps of each line, so that a shoe can be followed back."""
    telling = tuple(sorted(ordinary().telling))
    return (*((word,) for word in _ONCE), telling, *((word,) for word in _EVERY), ("player_card",))


def find_round(
    log: str, name: str, table: str | None = None, worth_it: int = _WORTH_IT
) -> tuple[Round, ShoeView] | None:
    """The first round of that id; LogError where the log cannot be read."""
    places = indexed(log, marks()) if _is_long(log, worth_it) else None
    return _by_reading(log, name, table) if places is None else _find(places, name, table)


def rounds_on(
    log: str, lines: Collection[int], worth_it: int = _WORTH_IT
) -> Iterator[tuple[Round, ShoeView]]:
    """The rounds on these lines, in order, each with what its shoe told before; LogError where
    the log cannot be read."""
    places = indexed(log, marks()) if _is_long(log, worth_it) else None
    if places is not None:
        for line in sorted(lines):
            round_ = places.round(line - 1) if 0 < line <= len(places.places) else None
            if round_ is not None:
                view = shoe_before(places, line - 1, round_)
                assert view is not None  # there is no bound
                yield round_, view
        return
    shoes, left = ShoeTracker(), set(lines)
    for one in read_log(log):
        if not left:
            return
        if isinstance(one, Round):
            view = shoes.view(one)
            if one.line in left:
                left.discard(one.line)
                yield one, view
            shoes.after(one)


def _is_long(log: str, worth_it: int) -> bool:
    """Only a regular file can be looked at twice."""
    try:
        state = os.stat(log)
        with open_regular(log) as file:
            packed = file.read(1) not in (b"{", b"\xef", b" ")
    except OSError:
        return False
    return state.st_size >= max(worth_it // (_PACKED if packed else 1), 1)


def _by_reading(log: str, name: str, table: str | None) -> tuple[Round, ShoeView] | None:
    shoes = ShoeTracker()
    for line in read_log(log):
        if isinstance(line, Round):
            view = shoes.view(line)
            if line.id == name and table in (None, line.table):
                return line, view
            shoes.after(line)
    return None


def _find(log: IndexedLog, name: str, table: str | None) -> tuple[Round, ShoeView] | None:
    for row in log.places.rows_of(name):
        round_ = log.round(row)
        if round_ is not None and round_.id == name and table in (None, round_.table):
            view = shoe_before(log, row, round_)
            assert view is not None  # there is no bound
            return round_, view
    return None


def shoe_before(
    log: IndexedLog, row: int, round_: Round, most: int | None = None
) -> ShoeView | None:
    """What the log told before a round, as if all of it had been read; None where more than so
    many rounds would have to be."""
    shoes = ShoeTracker()
    its_shoe = _its_shoe(log, row, round_, most)
    if its_shoe is None:
        return None
    for one in its_shoe:
        _add(shoes, one)
    _add_past(shoes, log, row, round_)
    for mark, flag in _ANYWHERE:
        for at in log.places.marked(mark, row):
            if getattr(shoes, flag):
                break
            elsewhere = ShoeTracker()
            if (other := log.round(at)) is not None:
                _add(elsewhere, other)
                setattr(shoes, flag, getattr(elsewhere, flag))
    return shoes.view(round_)


def _add(shoes: ShoeTracker, round_: Round) -> None:
    shoes.view(round_)
    shoes.after(round_)


def _its_shoe(log: IndexedLog, row: int, round_: Round, most: int | None) -> list[Round] | None:
    """The rounds of the table since the shoe began, one before it, and some at least."""
    found: list[Round] = []
    whole = False
    for at in log.places.before(row):
        one = log.round(at)
        if one is None or (one.rulebook, one.table) != (round_.rulebook, round_.table):
            continue
        if len(found) == most:
            return None
        found.append(one)
        if whole and len(found) >= _FEW:
            break
        # a shoe that ends here, or one of which this is the first round
        whole = whole or one.shoe != round_.shoe or _begins_or_ends_a_shoe(one)
    return found[::-1]


def _begins_or_ends_a_shoe(round_: Round) -> bool:
    events = round_.events
    cards = [n for n, event in enumerate(events) if isinstance(event, Deal)]
    shuffles = [n for n, event in enumerate(events) if isinstance(event, Shuffle)]
    return bool(shuffles) and (not cards or shuffles[0] < cards[0] or shuffles[-1] > cards[-1])


def _add_past(shoes: ShoeTracker, log: IndexedLog, row: int, round_: Round) -> None:
    """What stays known of a table once it was seen, however long ago."""
    known = shoes.tables.get((round_.rulebook, round_.table))
    if known is None:
        return
    for at in log.places.before(row, _EVERY_ONE):
        if (other := _alone(log, at, round_)) is not None:
            known.warned |= other.warned
            known.announced |= other.announced

    for mark, flag in enumerate(_ONCE_SEEN):
        for at in log.places.before(row, 1 << mark):
            if getattr(known, flag):
                break
            if (other := _alone(log, at, round_)) is not None:
                setattr(known, flag, getattr(other, flag))

    # of rounds that are read out of their place this is not told by the tracker
    shuffled = log.places.before(row, 1 << _ONCE.index("shuffle"))
    known.shuffles_begin_shoes = any(_begins_a_shoe(log, at, row, round_) for at in shuffled)


def _begins_a_shoe(log: IndexedLog, at: int, row: int, round_: Round) -> bool:
    """Whether a shoe with a name of its own began with a shuffle on this line."""
    one = _at_table(log, at, round_)
    if one is None:
        return False
    if one.shoe is not None and any(isinstance(e, Shuffle) for e in before_first_card(one)):
        earlier = (_at_table(log, k, round_) for k in log.places.before(at))
        last = next((other for other in earlier if other is not None), None)
        if last is None or last.shoe != one.shoe or shuffled_after_last_card(last):
            return True
    if not shuffled_after_last_card(one):
        return False
    later = (_at_table(log, k, round_) for k in range(at + 1, row))
    following = next((other for other in later if other is not None), round_)
    return following.shoe is not None and following.shoe != one.shoe


def _at_table(log: IndexedLog, row: int, round_: Round) -> Round | None:
    one = log.round(row)
    if one is None or (one.rulebook, one.table) != (round_.rulebook, round_.table):
        return None
    return one


def _alone(log: IndexedLog, row: int, round_: Round) -> TableLog | None:
    """What one round of the table tells by itself."""
    one = _at_table(log, row, round_)
    if one is None:
        return None
    shoes = ShoeTracker()
    _add(shoes, one)
    return shoes.tables[one.rulebook, one.table]
