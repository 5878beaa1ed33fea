"""Rows of one event each, many of them: a field is looked at once for each text that it has.

What a cell means depends on the kind of event and on no other cell, so an event that is made of
cells which were all seen before, in an event with the same fields, need not be judged again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from checker.imports.events import Event, check, event, event_fields, quoted, value_of
from checker.imports.fields import raw, read, told
from checker.imports.profile import Field, Profile, Source
from checker.imports.row import Row
from checker.imports.values import BadValue

_KEPT = 500_000  # texts that are remembered
Asked = tuple[str, Field, str, int | None]
"""A key of the event, where it comes from, what it holds, and its column if that is all of it."""


class EventRows:
    def __init__(self, profile: Profile, source: Source, columns: Sequence[str]) -> None:
        self.profile = profile
        self.fields = source.parts.fields
        self.columns = list(columns)
        self._kinds: dict[str, str | None] = {}
        self._kind_place = self._place(self.fields["e"])
        self._starts: dict[str, str] = {}  # of the text of an event, by kind
        self._asked: dict[str, list[tuple[Asked, dict[Any, str]]]] = {}
        self._shapes: set[tuple[str, int]] = set()  # which fields there are
        self._remembered = 0

    def event(self, row: Row) -> Event | None:
        """None: the map says that it is none (`skip`)."""
        values = row.values
        place = self._kind_place
        said = values[place].strip() if place is not None else raw(self.fields["e"], row.cells.get)
        kind = self._kinds[said] if said in self._kinds else self._new_kind(said, row.cells)
        if kind is None:
            return None
        asked = self._asked.get(kind)
        if asked is None:
            asked = self._asked[kind] = [(one, {}) for one in self._asked_of(kind)]
        made = self._starts[kind]
        shape = 0
        bit = 1
        for (key, field, holds, place), known in asked:
            bit <<= 1
            text: Any
            if place is not None:
                text = values[place]
            elif place is None and field.value is not None and field.when is None:
                text = ""
            else:
                text = tuple([row.cells.get(name) for name in field.asked])
            part = known.get(text)
            if part is None:
                part = self._new(kind, key, field, holds, row.cells)
                self._remembered += 1
                if part is None or self._remembered > _KEPT:
                    self._forget()
                    return self._whole(kind, asked, row.cells)
                known[text] = part
            if part:
                made += part
                shape |= bit
        if (kind, shape) not in self._shapes:
            self._whole(kind, asked, row.cells)
            self._shapes.add((kind, shape))
        return Event(made + "}", None)

    def _new_kind(self, said: str, cells: Mapping[str, Any]) -> str | None:
        field = self.fields["e"]
        kind = read(field, cells.get)
        if not kind:
            raise BadValue(f"{told(field)}: it does not say what happened")
        if len(self._kinds) > _KEPT:
            self._kinds.clear()
        self._starts[kind] = f'{{"e":{quoted(kind)}'
        self._kinds[said] = None if kind == "skip" else kind
        return self._kinds[said]

    def _place(self, field: Field) -> int | None:
        """The one column that says it all."""
        plain = field.when is None and field.value is None and field.default is None
        if plain and len(field.asked) == 1 and len(field.columns) == 1:
            return self.columns.index(field.columns[0])
        return None

    def _asked_of(self, kind: str) -> list[Asked]:
        holds = event_fields().get(kind)
        return [
            (key, field, (holds or {}).get(key, "text"), self._place(field))
            for key, field in self.fields.items()
            if key != "e" and (holds is None or key in holds)
        ]

    def _new(
        self, kind: str, key: str, field: Field, holds: str, cells: Mapping[str, Any]
    ) -> str | None:
        """A field as the log has it, empty if it is left out; None: not sound with this kind."""
        value = value_of(self.profile, field, holds, cells.get)
        if value is None:
            return ""
        others = {
            one: value_of(self.profile, other, held, cells.get)
            for (one, other, held, _), _ in self._asked[kind]
        }
        try:
            check(event(kind, **others))
        except BadValue:
            return None
        text = event(kind, **{key: value}).text
        return text.removeprefix(self._starts[kind])[:-1]

    def _whole(
        self, kind: str, asked: list[tuple[Asked, dict[Any, str]]], cells: Mapping[str, Any]
    ) -> Event:
        """The event, or what is wrong with it."""
        found = {
            key: value_of(self.profile, field, holds, cells.get)
            for (key, field, holds, _), _ in asked
        }
        return check(event(kind, **found))

    def _forget(self) -> None:
        self._remembered = 0
        for asked in self._asked.values():
            for _, known in asked:
                known.clear()
