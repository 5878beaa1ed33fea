"""Which rounds the logs have had so far, so that one that stands twice is known.

A round is known by its rulebook, table, shoe, day and id. The same round with the same content is a
copy; with another content the two clash. Ids that start again in another file are told from that by
the time of the round. Only digests are kept, on disk once there are many.
"""

from __future__ import annotations

import marshal
import os
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import cache
from hashlib import blake2b
from operator import attrgetter
from typing import Any, Final, NamedTuple

from checker.log.model import Event, Limits, Round
from checker.log.read import Quarantined, read_log

_SECRET: Final = os.urandom(16)  # so that nobody can choose rounds with the same digest
_AT_HAND: Final = 16_000  # kilobytes
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Place(NamedTuple):
    """Of a round: the number of its file, and its line there."""

    file: int
    line: int


@dataclass(frozen=True, slots=True)
class Repeat:
    """A round that stood in the logs before."""

    first: Place
    copy: bool  # else the two say different things


@dataclass(frozen=True, slots=True)
class Copied:
    """A round that is not judged, since the same was judged before."""

    round: str
    table: str
    place: Place
    first: Place

    def as_json(self, logs: Sequence[str]) -> dict[str, Any]:
        at, first = ({"log": logs[one.file], "line": one.line} for one in (self.place, self.first))
        return {"round": self.round, "table": self.table, **at, "first": first}


class SeenRounds:
    """As good as digests of 64 bits."""

    def __init__(self) -> None:
        self._kept = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        for setting in ("journal_mode=OFF", "synchronous=OFF", f"cache_size=-{_AT_HAND}"):
            self._kept.execute(f"PRAGMA {setting}")
        for table in ("contents", "times", "files"):
            self._kept.execute(
                f"CREATE TABLE {table} (key INTEGER, what INTEGER, file INTEGER, line INTEGER, "
                "PRIMARY KEY (key, what)) WITHOUT ROWID"
            )

    def add(self, round_: Round, place: Place) -> Repeat | None:
        """Remember a round; None if there is nothing to remark on."""
        key = _digest(identity(round_))
        first = self._first("contents", key, _digest(content(round_)), place)
        if first is not None:
            return Repeat(first, copy=True)
        at_this_time = self._first("times", key, _digest((micros(round_.at),)), place)
        in_this_file = self._first("files", key, place.file, place)
        before = in_this_file or at_this_time
        return Repeat(before, copy=False) if before is not None else None

    def _first(self, table: str, key: int, what: int, place: Place) -> Place | None:
        """Where this stands that was kept before; None if it is new."""
        added = self._kept.execute(
            f"INSERT OR IGNORE INTO {table} VALUES (?, ?, ?, ?)", (key, what, *place)
        )
        if added.rowcount:
            return None
        query = f"SELECT file, line FROM {table} WHERE key = ? AND what = ?"
        return Place(*self._kept.execute(query, (key, what)).fetchone())


def identity(round_: Round) -> tuple[Any, ...]:
    day = round_.at.toordinal()
    return round_.rulebook, round_.table, round_.shoe, day, round_.id


def content(round_: Round) -> tuple[Any, ...]:
    """All that a round says, however it was written."""
    limits = [(bet, _limits(stated)) for bet, stated in sorted(round_.limits.items())]
    return (
        *identity(round_),
        micros(round_.at),
        round_.decks,
        sorted(round_.options),
        round_.options_stated,
        limits,
        sorted(round_.not_recorded),
        sorted(round_.meters.items()),
        [_event(event) for event in round_.events],
    )


def micros(at: datetime) -> int:
    since = at - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def _limits(stated: Limits) -> tuple[Any, ...]:
    boxes = sorted(stated.box_max.items()) if stated.box_max is not None else None
    return (
        stated.min,
        stated.max,
        stated.unit,
        boxes,
        stated.smallest_chip,
        stated.multiples_notice,
    )


@cache
def _parts(kind: Any) -> tuple[str, Callable[[Any], Any]]:
    """The name of a kind of event, and how to take one apart."""
    return kind.__name__, attrgetter(*(field.name for field in fields(kind)))


def _event(event: Event) -> tuple[str, Any]:
    kind: Any = type(event)
    name, parts = _parts(kind)
    return name, parts(event)


def _digest(parts: tuple[Any, ...]) -> int:
    # the version without references: they would tell equal texts apart
    raw = marshal.dumps(parts, 0)
    found = blake2b(raw, digest_size=8, key=_SECRET).digest()
    return int.from_bytes(found, "big", signed=True)


class Earlier:
    """Rounds that were read before, read again. Mostly asked for in their order."""

    def __init__(self, logs: Sequence[str]) -> None:
        self.logs = logs
        self._open: dict[int, Any] = {}

    def at(self, place: Place) -> Round | None:
        """None where a log cannot be read twice."""
        name = self.logs[place.file]
        if name == "-":
            return None
        lines, found = self._open.get(place.file, (None, None))
        while found is None or found.line != place.line:
            if lines is None or (found is not None and found.line > place.line):
                lines = read_log(name)
            found = next(lines, None)
            if found is None:  # somebody has changed the file
                return None
        self._open[place.file] = lines, found
        return None if isinstance(found, Quarantined) else found
