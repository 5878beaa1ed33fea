"""The order of the rounds at each table: only where it is kept can a shoe be followed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from checker.log.model import Round
from checker.log.read import LogError, read_log
from checker.log.repeated_rounds import Place


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A round that is earlier than the one before it at its table."""

    table: str
    place: Place
    after: Place

    def as_json(self, logs: Sequence[str]) -> dict[str, Any]:
        at, after = ({"log": logs[one.file], "line": one.line} for one in (self.place, self.after))
        return {"table": self.table, **at, "after": after}


class TimeOrder:
    """Where the round before stands at each table, and its time."""

    def __init__(self) -> None:
        self._last: dict[tuple[str | None, str], tuple[datetime, Place]] = {}

    def add(self, round_: Round, place: Place) -> Misplaced | None:
        key = (round_.rulebook, round_.table)
        at, after = self._last.get(key, (round_.at, place))
        self._last[key] = (round_.at, place)
        return Misplaced(round_.table, place, after) if round_.at < at else None


def in_time_order(logs: Sequence[str]) -> list[str]:
    """Logs as they follow each other, by the time of their first rounds; as they are named where
    one of them cannot be read twice."""
    if len(logs) < 2 or "-" in logs:
        return list(logs)
    first: dict[str, datetime] = {}
    for log in logs:
        with suppress(LogError):  # it is told when its turn comes
            found = next((line for line in read_log(log) if isinstance(line, Round)), None)
            if found is not None:
                first[log] = found.at
    if len(first) < len(set(logs)):
        return list(logs)
    return sorted(logs, key=lambda log: first[log])
