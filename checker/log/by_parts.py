"""A line of a log cut where its parts ought to begin: most of them were read before, the same card,
the same wager, the limits of the table, and each is decoded by itself.

That is sound whatever stands in the line. No JSON object is the beginning of another one: if every
piece by itself is whole, the line reads as these pieces. Else it has to be decoded at one go.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from checker.log.strict_json import DecodeError, Object, parse_json

Key = TypeVar("Key")
Part = TypeVar("Part")

_EVENTS: Final = (('"events":[{', "},{"), ('"events": [{', "}, {"))
_AT: Final = re.compile(r'"at": ?"[^"\\]*", ?')
_OWN: Final = frozenset({"format", "round", "table", "shoe", "at", "events"})
_MOST: Final = 1 << 15  # parts that are kept


class Known(dict[Key, Part], Generic[Key, Part]):
    """What parts were found to be, by their text. When there are too many, it begins anew."""

    def __init__(self, decode: Callable[[Key], Part]) -> None:
        super().__init__()
        self._decode = decode

    def __missing__(self, key: Key) -> Part:
        part = self._decode(key)
        if len(self) >= _MOST:
            self.clear()
        self[key] = part
        return part


def cut(text: str) -> tuple[Object, str, list[str]] | None:
    """The fields of a line up to its time, decoded; the text of the others before the events; that
    of each event without its braces. None, or DecodeError, if it is not written so."""
    form = next((one for one in _EVENTS if one[0] in text), None)
    if form is None:
        return None
    begins, between = form
    top, _, events = text.partition(begins)
    at = _AT.search(top)
    if at is None or not events.endswith("}]}"):
        return None
    own = _before_events(top[: at.end()])
    return (own, top[at.end() :], events[:-3].split(between)) if own.keys() <= _OWN else None


def in_common(text: str) -> Object:
    """The fields that stand between the time and the events."""
    fields = _before_events("{" + text)
    del fields["events"]
    if not fields.keys().isdisjoint(_OWN):
        raise DecodeError("a key stands twice")
    return fields


def _before_events(text: str) -> Object:
    fields: Object = parse_json(text + '"events":[]}')
    if next(reversed(fields)) != "events":  # the text ends in the middle of a name
        raise DecodeError("not whole")
    return fields
