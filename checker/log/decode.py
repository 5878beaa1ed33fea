"""One line of a round log, bytes -> Round: strict, written by hand, and exact about money.

`round_schema.json` publishes the same format for others. The tests hold the two together; the
schema is not used to read, because a generic validator takes many times as long as this does.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from checker.log import fields as f
from checker.log import model as r
from checker.log.by_parts import Known, cut, in_common
from checker.log.events import event_of
from checker.log.strict_json import DecodeError, Object, parse_json, short, trouble_in

__all__ = ["DecodeError", "decode_line", "decode_round", "parse_json", "short"]


def decode_line(raw: bytes, line: int = 1) -> r.Round:
    """Decode one line of a log; DecodeError is all that this raises."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        trouble = trouble_in(raw.decode(errors="replace"))
        not_json = trouble is not None and trouble.not_json
        reason = f"not UTF-8: byte 0x{raw[error.start]:02x} at byte {error.start + 1} of the line"
        raise DecodeError(reason, not_json=not_json) from None
    try:
        round_ = _by_parts(text, line)
    except (DecodeError, f.Bad):  # it is told below what is wrong with the line
        round_ = None
    return decode_round(parse_json(text), line) if round_ is None else round_


def _by_parts(text: str, line: int) -> r.Round | None:
    parts = cut(text)
    if parts is None or len(parts[2]) > r.MOST_EVENTS:
        return None
    own, table, events = parts
    like = _TABLES[table]
    _check_format(own)
    return r.Round(
        f.name(own, "round"),
        f.name(own, "table"),
        f.opt(f.name, own, "shoe"),
        _at(own),
        like.rulebook,
        like.decks,
        like.options,
        like.limits,
        tuple(map(_EVENTS.__getitem__, enumerate(events))),
        line,
        like.options_stated,
        like.not_recorded,
        like.meters,
    )


def _like(table: str) -> r.Round:
    """A round with these fields, which are the same for all rounds of a table."""
    return _round({**_NO_ROUND, **in_common(table)}, 0)


def _event(numbered: tuple[int, str]) -> r.Event:
    number, text = numbered
    return event_of(parse_json("{" + text + "}"), number)


_NO_ROUND: Final = {"round": "-", "table": "-", "at": "2000-01-01T00:00:00Z", "events": []}
_TABLES: Final = Known(_like)
_EVENTS: Final = Known(_event)


def decode_round(obj: object, line: int = 1) -> r.Round:
    """Decode a parsed JSON value whose numbers are int or Decimal; raises only DecodeError."""
    if type(obj) is not dict:
        raise DecodeError(f"{f.kind_of(obj)} is not an object")
    try:
        return _round(obj, line)
    except f.Bad as bad:
        raise DecodeError(f"{bad.path}: {bad.problem}") from None


_DATE: Final = r"(?:19|2[0-9])[0-9]{2}-[0-9]{2}-[0-9]{2}"
_CLOCK: Final = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?"
_ZONE: Final = r"(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
_AT: Final = re.compile(f"{_DATE}[T ]{_CLOCK}({_ZONE})?")


def _at(d: Object) -> datetime:
    text = f.words(d, "at")
    found = _AT.fullmatch(text)
    if not found:
        raise f.Bad("at", f"`{short(text)}` is not a time like 2024-08-20T21:14:03+10:00")
    if not found[1]:
        raise f.Bad("at", f"`{text}` has no time zone")
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise f.Bad("at", f"`{text}` is not a day of the calendar") from None


def _limits(d: Object) -> dict[str, r.Limits]:
    if "limits" not in d:
        return {}
    value = d["limits"]
    if type(value) is not dict:
        raise f.wrong("limits", value, "an object")
    return {f.name({"limits": bet}, "limits"): _limits_of(bet, d) for bet, d in value.items()}


def _limits_of(bet: str, d: object) -> r.Limits:
    if type(d) is not dict:
        raise f.wrong(f"limits.{short(bet)}", d, "an object")
    try:
        return r.Limits(
            min=f.amount(d, "min", r.STAKE_MAX) if "min" in d else None,
            max=f.opt(f.stake, d, "max"),
            unit=f.opt(f.stake, d, "unit"),
            box_max=f.opt(_box_max, d, "box_max"),
            smallest_chip=f.opt(f.stake, d, "smallest_chip"),
            multiples_notice=f.opt(f.flag, d, "multiples_notice"),
        )
    except f.Bad as bad:
        raise f.Bad(f"limits.{short(bet)}.{bad.path}", bad.problem) from None


def _meters(d: Object) -> dict[str, int]:
    if "meters" not in d:
        return {}
    value = d["meters"]
    if type(value) is not dict:
        raise f.wrong("meters", value, "an object")
    try:
        return {f.name({"meters": name}, "meters"): f.amount(value, name) for name in value}
    except f.Bad as bad:
        path = bad.path if bad.path == "meters" else f"meters.{short(bad.path)}"
        raise f.Bad(path, bad.problem) from None


def _box_max(d: Object, key: str) -> dict[int, int]:
    value = d[key]
    if type(value) is not dict:
        raise f.wrong("box_max", value, "an object")
    most: dict[int, int] = {}
    for box in value:
        if not (len(box) == 1 and box in "123456789"):
            raise f.Bad("box_max", f"`{short(box)}` is not a box from 1 to {r.BOX_MAX}")
        try:
            most[int(box)] = f.stake(value, box)
        except f.Bad as bad:
            raise f.Bad(f"box_max.{bad.path}", bad.problem) from None
    return most


def _names(d: Object, key: str) -> frozenset[str]:
    if key not in d:
        return frozenset()
    value = d[key]
    if type(value) is not list:
        raise f.wrong(key, value, "a list")
    return frozenset(
        f.name({f"{key}[{index}]": word}, f"{key}[{index}]") for index, word in enumerate(value)
    )


def _check_format(d: Object) -> None:
    if "format" in d and (type(d["format"]) is not int or d["format"] != r.FORMAT):
        raise f.Bad(
            "format", f"{f.kind_of(d['format'])} is not a format that is read here, which is 1"
        )


def _round(d: Object, line: int) -> r.Round:
    _check_format(d)
    events = d.get("events", f.ABSENT)
    if type(events) is not list:
        raise f.wrong("events", events, "a list")
    if len(events) > r.MOST_EVENTS:
        raise f.Bad("events", f"{len(events):,}, and a round may have {r.MOST_EVENTS:,}")
    return r.Round(
        id=f.name(d, "round"),
        table=f.name(d, "table"),
        shoe=f.opt(f.name, d, "shoe"),
        at=_at(d),
        rulebook=f.opt(f.name, d, "rulebook"),
        decks=f.whole(d, "decks", 1, r.DECKS_MAX, "a number of decks"),
        options=_names(d, "options"),
        options_stated="options" in d,
        limits=_limits(d),
        events=tuple([event_of(event, n) for n, event in enumerate(events)]),
        line=line,
        not_recorded=_names(d, "not_recorded"),
        meters=_meters(d),
    )
