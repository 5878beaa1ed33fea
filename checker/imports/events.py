"""Events as the log writes them: fields by the published schema, judged by the strict decoder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any, NamedTuple

from checker.imports.fields import Get, money, read, told
from checker.imports.profile import Field, Profile
from checker.imports.values import BadValue, flag, units_text, whole
from checker.log.decode import DecodeError, decode_round
from checker.log.model import round_schema
from checker.log.strict_json import parse_json

_BY_REF = {
    "stake": "money",
    "returned": "money",
    "amount": "money",
    "card": "card",
    "box": "whole",
    "player_box": "whole",
    "seat": "whole",
    "hand": "whole",
}
_HEAD = {"round": "R", "table": "T", "at": "2024-01-01T00:00:00Z", "decks": 1}


class Event(NamedTuple):
    """One event, as a line of the log has it and as the decoder is given it."""

    text: str
    said: dict[str, Any] | None  # None: not needed so far


@cache
def event_fields() -> dict[str, dict[str, str]]:
    """The kinds of events that the format names, the fields of each, and what they hold."""
    schema = round_schema()
    kinds: dict[str, dict[str, str]] = {}
    for name, one in schema["$defs"].items():
        if name.startswith("event_"):
            fields = one.get("properties", {})
            kinds[name.removeprefix("event_")] = {
                key: _holds(said) for key, said in fields.items() if key != "e"
            }
    return kinds


def _holds(said: Mapping[str, Any]) -> str:
    if said.get("type") == "boolean":
        return "flag"
    if said.get("type") == "integer":
        return "whole"
    return _BY_REF.get(said.get("$ref", "").rpartition("/")[2], "text")


@lru_cache(maxsize=65536)
def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def event(kind: str, **values: Any) -> Event:
    """`values` as they are: cents, numbers, cards, words; None is left out."""
    texts = [f'"e":{quoted(kind)}']
    said: dict[str, Any] = {"e": kind}
    holds = event_fields().get(kind, {})
    for key, value in values.items():
        if value is None:
            continue
        match holds.get(key, "text"):
            case "money":
                text = units_text(value)
                said[key] = Decimal(text)
            case "whole":
                text, said[key] = str(value), value
            case "flag":
                text, said[key] = ("true" if value else "false"), value
            case _:
                text, said[key] = quoted(value), value
        texts.append(f'"{key}":{text}')
    return Event("{" + ",".join(texts) + "}", said)


def check(made: Event) -> Event:
    """The event, if the decoder takes it."""
    try:
        decode_round({**_HEAD, "events": [made.said or parse_json(made.text)]})
    except DecodeError as error:
        raise BadValue(str(error).removeprefix("events[0].")) from None
    return made


def event_of(profile: Profile, fields: Mapping[str, Field], get: Get) -> Event | None:
    """The event of a row; None: the map says that it is none (`skip`)."""
    kind = read(fields["e"], get)
    if not kind:
        raise BadValue(f"{told(fields['e'])}: it does not say what happened")
    if kind == "skip":
        return None
    values: dict[str, Any] = {}
    holds = event_fields().get(kind)
    for key, field in fields.items():
        if key == "e" or (holds is not None and key not in holds):
            continue
        values[key] = value_of(profile, field, (holds or {}).get(key, "text"), get)
    return check(event(kind, **values))


def value_of(profile: Profile, field: Field, holds: str, get: Get) -> Any:
    if holds == "money":
        return money(field, get, profile.money)
    text = read(field, get)
    if not text:
        return None
    try:
        match holds:
            case "card":
                return profile.cards.card(text)
            case "whole":
                return whole(text)
            case "flag":
                return flag(text)
            case _:
                return text
    except BadValue as error:
        raise BadValue(f"{told(field)}: {error}") from None
