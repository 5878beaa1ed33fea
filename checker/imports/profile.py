"""An import profile: YAML to checked data. It names columns, and never holds code."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta, timezone, tzinfo
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from checker.imports.places import key_place, place_of, scalars
from checker.imports.values import (
    ISO,
    BadValue,
    CardFormat,
    MoneyFormat,
    TimeFormat,
    listed_cards,
)
from checker.log.not_recorded import words
from rulespec.base.yaml_files import YamlError, with_places, yaml_text
from rulespec.resolve.typecheck import did_you_mean

ADVICE = "`docs/import.md` shows how a profile is written"
NESTED = ("plays", "bets", "rows", "events")


class ProfileError(Exception):
    """A profile that cannot be used, the place in it, and advice."""

    def __init__(self, path: str, line: int, column: int, message: str, help: str = ADVICE) -> None:
        super().__init__(message)
        self.path, self.line, self.column, self.help = path, line, column, help

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.args[0]}"


@dataclass(frozen=True, slots=True)
class Field:
    """Where a value comes from. `place` is where the profile says so, for messages."""

    name: str
    columns: tuple[str, ...] = ()
    join: str = " "
    value: str | None = None
    map: Mapping[str, str] | None = None
    other: str | None = None
    default: str | None = None
    plus: tuple[str, ...] = ()
    minus: tuple[str, ...] = ()
    times: str | None = None
    when: tuple[str, frozenset[str]] | None = None

    @property
    def asked(self) -> tuple[str, ...]:
        """All columns that it looks at."""
        more = (*(() if self.times is None else (self.times,)), *(self.when or ())[:1])
        return (*self.columns, *self.plus, *self.minus, *(str(name) for name in more))


@dataclass(frozen=True, slots=True)
class Parts:
    """The fields of a row, and what is nested in it."""

    fields: Mapping[str, Field]
    dealt: Mapping[str, Field] = field(default_factory=dict)
    list: str | None = None
    order: tuple[str, ...] = ()
    plays: tuple[Parts, ...] = ()
    bets: tuple[Parts, ...] = ()
    rows: Parts | None = None
    events: Parts | None = None

    def all_fields(self) -> Iterator[Field]:
        yield from self.fields.values()
        yield from self.dealt.values()
        for part in (*self.plays, *self.bets, self.rows, self.events):
            if part is not None:
                yield from part.all_fields()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a flat row that are asked for."""
        asked = [name for one in self.all_fields() for name in one.asked]
        return tuple(dict.fromkeys((*asked, *self.order)))


@dataclass(frozen=True, slots=True)
class Read:
    kind: str | None = None
    delimiter: str | None = None
    quote: str = '"'
    encoding: str | None = None
    skip: int = 0
    sheet: str | None = None
    table: str | None = None
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    each: str
    parts: Parts
    read: Read
    key: tuple[str, ...]
    file: str | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    path: str
    head: Mapping[str, Field]
    sources: tuple[Source, ...]
    title: str = ""
    rulebook: str | None = None
    decks: int | None = None
    options: tuple[str, ...] | None = None
    limits: Mapping[str, Any] = field(default_factory=dict)
    not_recorded: tuple[str, ...] = ()
    recorded: tuple[str, ...] = ()
    time: TimeFormat = field(default_factory=TimeFormat)
    money: MoneyFormat = field(default_factory=MoneyFormat)
    cards: CardFormat = field(default_factory=CardFormat)
    document: Any = None
    root: Any = None

    def wrong(self, keys: tuple[str | int, ...], message: str, help: str = ADVICE) -> ProfileError:
        return ProfileError(self.path, *place_of(self.root, keys), message, help)

    def column_place(self, column: str) -> tuple[int, int]:
        """Where the profile first names a column."""
        node = next(scalars(self.root, column), self.root)
        return node.start_mark.line + 1, node.start_mark.column + 1


@cache
def profile_schema() -> dict[str, Any]:
    text = files("checker.imports").joinpath("profile_schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def read_profile(path: Path) -> Profile:
    """The profile; ProfileError says what is wrong with it and where."""
    try:
        document, root = with_places(yaml_text(path))
    except YamlError as error:
        raise ProfileError(
            str(path), error.line, error.column, f"cannot read it: {error}"
        ) from None
    return profile_of(document, root, str(path))


def profile_of(document: Any, root: Any, path: str) -> Profile:
    if not isinstance(document, dict):
        raise ProfileError(path, 1, 1, "this is no mapping with `profile`, `round` and `columns`")
    _check_shape(document, root, path)
    bare = Profile(path, {}, (), root=root)
    keys = _names(document["round"].get("key"))
    head = {
        name: _field(name, said) for name, said in document["round"].items() if name not in ("key",)
    }
    if not keys:
        told = (head[name] for name in ("id", "table", "shoe") if name in head)
        keys = tuple(dict.fromkeys(column for one in told for column in one.asked))
    if not keys:
        raise bare.wrong(("round", "id"), "no column tells the rounds apart", "name one in `id`")
    own = {"each", "columns"} & set(document)
    if ("sources" in document) == bool(own) or (own and len(own) < 2):
        place: tuple[str | int, ...] = ("sources",) if "sources" in document else ()
        raise bare.wrong(place, "it needs either `each` and `columns`, or `sources`")
    said = document.get("sources") or [document]
    sources = tuple(
        Source(
            one["each"],
            _parts(one["columns"]),
            _read(one.get("read") or document.get("read")),
            _names(one.get("key")) or keys if one is not document else keys,
            one.get("file"),
        )
        for one in said
    )
    for number, one in enumerate(sources):
        place = ("sources", number) if "sources" in document else ()
        _check_parts(bare, one, place)
    known = words()
    for kind in ("not_recorded", "recorded"):
        for number, word in enumerate(document.get(kind, ())):
            if word not in known:
                listed = f"known are {', '.join(sorted(known))}"
                help = did_you_mean(word, known, listed)
                raise bare.wrong((kind, number), f"nobody knows the word `{word}`", help)
    if "decks" not in document and "decks" not in head:
        raise bare.wrong((), "it does not say how many decks there are", "add `decks: 6`")
    if "table" not in head:
        raise bare.wrong(
            ("round",), "it does not say which table it was", "add `table: {value: T1}` or a column"
        )
    return Profile(
        path,
        head,
        sources,
        document.get("title", ""),
        document.get("rulebook"),
        document.get("decks"),
        None if "options" not in document else tuple(document["options"]),
        document.get("limits", {}),
        tuple(document.get("not_recorded", ())),
        tuple(document.get("recorded", ())),
        _time(bare, document.get("time", {})),
        _money(document.get("money", {}), document.get("currency")),
        _cards(bare, document.get("cards", {})),
        document,
        root,
    )


# --- parts of it


def _names(said: Any) -> tuple[str, ...]:
    return () if said is None else (said,) if isinstance(said, str) else tuple(said)


def _text(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _field(name: str, said: Any) -> Field:
    if isinstance(said, str):
        return Field(name, (said,))
    when = said.get("when")
    values = () if when is None else when["is"]
    values = values if isinstance(values, list) else [values]
    return Field(
        name,
        (*_names(said.get("column")), *_names(said.get("columns"))),
        said.get("join", " "),
        _text(said["value"]) if "value" in said else None,
        {_text(k): _text(v) for k, v in said["map"].items()} if "map" in said else None,
        _text(said["other"]) if "other" in said else None,
        _text(said["default"]) if "default" in said else None,
        _names(said.get("plus")),
        _names(said.get("minus")),
        said.get("times"),
        None if when is None else (when["column"], frozenset(map(_text, values))),
    )


def _parts(said: Mapping[str, Any]) -> Parts:
    def several(name: str) -> tuple[Parts, ...]:
        inner = said.get(name, [])
        return tuple(map(_parts, inner if isinstance(inner, list) else [inner]))

    inner = {name: _parts(said[name]) if name in said else None for name in ("rows", "events")}
    apart = {*NESTED, "dealt", "list", "order"}
    return Parts(
        {name: _field(name, one) for name, one in said.items() if name not in apart},
        {name: _field(name, one) for name, one in said.get("dealt", {}).items()},
        said.get("list"),
        _names(said.get("order")),
        several("plays"),
        several("bets"),
        inner["rows"],
        inner["events"],
    )


def _read(said: Mapping[str, Any] | None) -> Read:
    return Read(**(said or {}))


def _check_parts(profile: Profile, source: Source, place: tuple[str | int, ...]) -> None:
    at = (*place, "columns")
    parts = source.parts
    if source.each == "event" and "e" not in parts.fields:
        raise profile.wrong(at, "rows of events need `e`, the kind of event")
    named = parts.fields.keys()
    if source.each in ("wager", "hand") and "stake" not in named and "returned" in named:
        raise profile.wrong(at, f"rows of one {source.each} need `stake`")
    nested = parts.rows or parts.events
    if source.each == "round" and nested is not None and nested.list is None:
        raise profile.wrong(at, "rows inside a round need `list`, where they stand")
    for one in parts.all_fields():
        if one.value is None and not one.columns:
            raise profile.wrong((*at, one.name), f"`{one.name}` names no column and no value")


def _time(profile: Profile, said: Mapping[str, Any]) -> TimeFormat:
    zone: tzinfo | None = None
    if "zone" in said:
        zone = _zone(said["zone"])
        if zone is None:
            help = "a name such as Australia/Sydney, or an offset such as +10:00"
            raise profile.wrong(("time", "zone"), f"there is no time zone `{said['zone']}`", help)
    return TimeFormat(_names(said.get("format")) or (ISO,), zone)


def _zone(name: str) -> tzinfo | None:
    import re
    from zoneinfo import ZoneInfo

    offset = re.fullmatch(r"([+-])([01][0-9]|2[0-3]):([0-5][0-9])", name)
    if offset:
        minutes = int(offset[2]) * 60 + int(offset[3])
        return timezone(timedelta(minutes=-minutes if offset[1] == "-" else minutes))
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):  # KeyError: ZoneInfoNotFoundError
        return None


def _money(said: Mapping[str, Any], currency: str | None) -> MoneyFormat:
    symbols = (*said.get("symbols", ()), *(() if currency is None else (currency,)))
    return MoneyFormat(
        said.get("decimal", "."),
        said.get("thousands", ""),
        said.get("in") == "cents",
        tuple(dict.fromkeys((*symbols, "$", "€", "£"))),
    )


def _cards(profile: Profile, said: Mapping[str, Any]) -> CardFormat:
    order = said.get("order", ())
    order = order.split() if isinstance(order, str) else order
    try:
        numbers = listed_cards(order)
    except BadValue as error:
        raise profile.wrong(("cards", "order"), str(error)) from None
    try:
        own = {name: CardFormat().card(card) for name, card in said.get("map", {}).items()}
    except BadValue as error:
        raise profile.wrong(("cards", "map"), str(error)) from None
    return CardFormat(
        numbers, said.get("first", 0), said.get("between"), said.get("suits", True), own
    )


# --- what is wrong with the shape, and where


def _check_shape(document: Any, root: Any, path: str) -> None:
    from jsonschema import Draft202012Validator

    errors = sorted(
        Draft202012Validator(profile_schema()).iter_errors(document),
        key=lambda e: (len(e.absolute_path), str(e.absolute_path)),
    )
    if not errors:
        return
    error = errors[0]
    while error.context:  # of several ways to write it, the one that was meant
        error = max(error.context, key=lambda e: (len(e.absolute_path), e.validator != "type"))
    keys = tuple(error.absolute_path)
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", ()))
        strange = next(key for key in error.instance if key not in known)
        help = did_you_mean(str(strange), known, f"known are {', '.join(known)}")
        place = key_place(root, keys, strange)
        raise ProfileError(path, *place, f"nobody knows the key `{strange}`", help)
    message = " ".join(error.message.split())[:200]
    where = ".".join(map(str, keys)) or "the profile"
    raise ProfileError(path, *place_of(root, keys), f"{where}: {message}")
