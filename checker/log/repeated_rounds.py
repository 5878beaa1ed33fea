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
from hashlib import blake2b
from operator import attrgetter
from typing import Any, Final, NamedTuple

from checker.log.model import Limits, Round
from checker.log.read import Quarantined, read_log

_SECRET: Final = os.urandom(16)  # so that nobody can choose rounds with the same digest
_RECENT: Final = 20_000  # rounds
_AT_HAND: Final = 16_000  # kilobytes
_MARKS: Final = 1 << 23
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
    """As good as digests of 64 bits. The last rounds are at hand, those before them on disk, and so
    is every round that shares with another what it is known by."""

    def __init__(self) -> None:
        self._recent: dict[int, Seen] = {}
        self._older: _Older | None = None

    def add(self, round_: Round, place: Place) -> Repeat | None:
        """Remember a round; None if there is nothing to remark on."""
        key = _digest(identity(round_))
        return self.keep(key, Seen(_digest(content(round_)), micros(round_.at), *place))

    def keep(self, key: int, seen: Seen) -> Repeat | None:
        """`key`: of what a round is known by."""
        older = self._older
        if key not in self._recent and (older is None or not older.may_have(key)):
            self._recent[key] = seen
            if len(self._recent) > _RECENT:
                self._on_disk().add(self._recent)
                self._recent = {}
            return None
        older = self._on_disk()
        if key in self._recent:
            older.add({key: self._recent.pop(key)})
        repeat = older.repeat(key, seen)
        if repeat is None or not repeat.copy:
            older.add({key: seen})
        return repeat

    def _on_disk(self) -> _Older:
        self._older = self._older or _Older()
        return self._older


class Seen(NamedTuple):
    what: int
    """All that the round says, as a digest."""
    at: int
    file: int
    line: int


class _Older:
    """Rounds on disk, by their keys."""

    def __init__(self) -> None:
        self._marks = bytearray(_MARKS)  # 0 where no key of this remainder was kept: most are not
        self._kept = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        for setting in ("journal_mode=OFF", "synchronous=OFF", f"cache_size=-{_AT_HAND}"):
            self._kept.execute(f"PRAGMA {setting}")
        self._kept.execute(
            "CREATE TABLE seen (key INTEGER, what INTEGER, at INTEGER, file INTEGER, line INTEGER, "
            "PRIMARY KEY (key, what)) WITHOUT ROWID"
        )
        for part in ("file", "at"):
            self._kept.execute(f"CREATE INDEX by_{part} ON seen (key, {part}, file, line)")

    def may_have(self, key: int) -> bool:
        return self._marks[key % _MARKS] != 0

    def add(self, seen: dict[int, Seen]) -> None:
        for key in seen:
            self._marks[key % _MARKS] = 1
        rows = [(key, *one) for key, one in sorted(seen.items())]
        self._kept.execute("BEGIN")
        self._kept.executemany("INSERT INTO seen VALUES (?, ?, ?, ?, ?)", rows)
        self._kept.execute("COMMIT")

    def repeat(self, key: int, seen: Seen) -> Repeat | None:
        """The same elsewhere; or else something that the round cannot be beside."""
        for part in ("what", "file", "at"):
            query = f"SELECT file, line FROM seen WHERE key = ? AND {part} = ? ORDER BY file, line"
            found = self._kept.execute(f"{query} LIMIT 1", (key, getattr(seen, part))).fetchone()
            if found is not None:
                return Repeat(Place(*found), copy=part == "what")
        return None


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
        [type(event).__name__ for event in round_.events],
        [_FIELDS[type(event)](event) for event in round_.events],
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


class _Fields(dict[type, Callable[[Any], Any]]):
    """How to take an event apart, by its kind."""

    def __missing__(self, kind: Any) -> Callable[[Any], Any]:
        take = self[kind] = attrgetter(*(field.name for field in fields(kind)))
        return take


_FIELDS: Final = _Fields()


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
