"""The rows of one round to a line of the log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

from checker.imports.event_rows import EventRows
from checker.imports.events import Event, quoted
from checker.imports.fields import Get, inside, read, told
from checker.imports.hands import BadRound, Hands, Pieces
from checker.imports.not_told import not_recorded
from checker.imports.opening import Openings
from checker.imports.profile import Profile, Source
from checker.imports.row import Row
from checker.imports.values import BadValue, whole
from checker.log.decode import DecodeError, decode_round
from checker.log.strict_json import parse_json
from checker.table.arrange import arrangement

LONGEST_ROUND = timedelta(hours=6)
_DIGITS = 30  # of a number that orders rows


@dataclass(slots=True)
class Made:
    """A round as a line of the log, and when it was."""

    line: str
    at: datetime
    events: int
    last: int = 0  # the highest number among its rows


@dataclass(slots=True)
class Failed:
    """Why a round was not made: the reason of each row that has one of its own."""

    reason: str
    rows: dict[int, str] = field(default_factory=dict)


class Rounds:
    """Makes rounds by a profile. Asked for one round at a time."""

    def __init__(self, profile: Profile, openings: Openings) -> None:
        self.profile = profile
        self.openings = openings
        self.mechanics = mechanics = openings.mechanics
        self.hands = Hands(profile, mechanics)
        self.not_recorded = not_recorded(profile, bool(mechanics.game.hands))
        self._whole = "turn_order" in self.not_recorded
        self._events: dict[int, EventRows] = {}
        more: dict[str, Any] = {}
        if profile.options is not None and "options" not in profile.head:
            more["options"] = list(profile.options)
        if profile.limits:
            more["limits"] = profile.limits
        if self.not_recorded:
            more["not_recorded"] = self.not_recorded
        self._same = more
        self._same_text = "".join(
            f",{quoted(name)}:{json.dumps(value, ensure_ascii=False)}"
            for name, value in more.items()
        )

    def make(
        self, heads: Sequence[Get], times: Sequence[str], rows: Sequence[Row]
    ) -> Made | Failed:
        """`heads`: one for each way in which the rows tell what is the same for all of them.
        `times`: the different times that they name."""
        unread = {place: row.problem for place, row in enumerate(rows) if row.problem is not None}
        if unread:
            return Failed("another row of the round cannot be imported", unread)
        try:
            if not heads:
                return Failed("no row tells its table and time")
            if len(heads) > 1:
                return Failed("its rows disagree about table, shoe, rulebook or decks")
            head, at = self._head(heads[0], times)
        except BadValue as error:
            return Failed(str(error))
        pieces = Pieces()
        bad: dict[int, str] = {}
        try:
            for place, row in enumerate(rows):
                try:
                    self._row(row, place, pieces)
                except BadValue as error:
                    bad[place] = str(error)
            if bad:
                return Failed("another row of the round cannot be imported", bad)
            self.hands.deal(pieces)
            return self._line(head, at, pieces)
        except (BadRound, BadValue) as error:
            return Failed(str(error))

    def _row(self, row: Row, place: int, pieces: Pieces) -> None:
        source: Source = self.profile.sources[row.source]
        if source.each == "event":
            rows = self._events.get(row.source)
            if rows is None:
                rows = self._events[row.source] = EventRows(self.profile, source, row.columns)
            one = rows.event(row)
            if one is not None:
                pieces.ordered.append((_order(row.order, place), one))
        elif source.each == "round":
            self.hands.round(source.parts, inside(row.cells), row.cells, pieces)
        else:
            self.hands.row(source.parts, row.cells.get, (row.cells,), pieces)

    def _head(self, get: Get, times: Sequence[str]) -> tuple[dict[str, Any], datetime]:
        fields = self.profile.head
        said = {name: read(one, get) for name, one in fields.items() if name != "at"}
        options: list[str] | None = None
        if "options" in fields:
            options = [*(self.profile.options or ()), *said["options"].replace(",", " ").split()]
        moments = [self._time(text) for text in times if text]
        if not moments:
            raise BadValue(f"{told(fields['at'])}: there is no time")
        first, last = min(moments), max(moments)
        if last[0] - first[0] > LONGEST_ROUND:
            raise BadValue(
                f"its rows are {last[0] - first[0]} apart: they look like several rounds of one "
                "number; say in `round: key` which columns tell rounds apart"
            )
        decks: int | None = self.profile.decks
        if "decks" in fields:
            decks = whole(said["decks"]) if said["decks"] else decks
        head = {
            "round": said.get("id"),
            "table": said.get("table"),
            "shoe": said.get("shoe") or None,
            "at": first[1],
            "rulebook": said.get("rulebook") or self.profile.rulebook,
            "decks": decks,
            "options": options,
        }
        return {name: value for name, value in head.items() if value is not None}, first[0]

    def _time(self, text: str) -> tuple[datetime, str]:
        field_ = self.profile.head["at"]
        try:
            written = self.profile.time.time(text)
        except BadValue as error:
            raise BadValue(f"{told(field_)}: {error}") from None
        return datetime.fromisoformat(written), written

    def _line(self, head: dict[str, Any], at: datetime, pieces: Pieces) -> Made:
        ordered = [one for _, one in sorted(pieces.ordered, key=lambda pair: pair[0])]
        made = bool(pieces.deals or pieces.plays)
        events = [*pieces.wagers, *ordered, *pieces.deals, *pieces.plays, *pieces.settles]
        said = {**head, **self._same, "events": [_said(one) for one in events] if made else []}
        try:
            round_ = decode_round(_exact(said))
        except DecodeError as error:
            raise BadRound(str(error)) from None
        if made and self._whole and not self.mechanics.game.hands:
            places = arrangement(round_, self.mechanics, self.openings.of(round_), whole=True)
            events = [events[place] for place in places]
        if not events:
            raise BadRound("nothing happens in it")
        parts = [
            f'"{name}":{quoted(value) if isinstance(value, str) else json.dumps(value)}'
            for name, value in head.items()
        ]
        listed = ",".join([one.text for one in events])
        line = f'{{"format":1,{",".join(parts)}{self._same_text},"events":[{listed}]}}'
        return Made(line, at, len(events))


def _exact(said: Any) -> Any:
    """Numbers that a profile wrote with decimals, by their text."""
    if isinstance(said, float):
        return Decimal(repr(said))
    if isinstance(said, dict):
        return {name: _exact(value) for name, value in said.items()}
    return said


def _said(one: Event) -> Any:
    return parse_json(one.text) if one.said is None else one.said


def _order(texts: tuple[str, ...], place: int) -> tuple[Any, ...]:
    """By the columns of the order, numbers as numbers; rows that are alike as they stand."""
    if len(texts) == 1 and texts[0].isdecimal():
        return (0, int(texts[0][:_DIGITS]), ""), (0, place, "")
    parts: list[Any] = []
    for text in texts:
        try:
            parts.append((0, Decimal(text.strip()), ""))
        except InvalidOperation:
            parts.append((1, 0, text.strip()))
    return (*parts, (0, place, ""))
