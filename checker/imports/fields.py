"""Reading the fields of a profile off a row: a flat one, or a part of a nested document."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from checker.imports.profile import Field
from checker.imports.values import BadValue, MoneyFormat, cents, number
from checker.log.strict_json import short

Get = Callable[[str], Any]
"""The value of a column, or of a path in a nested document; None is nothing."""

_MIDNIGHT = re.compile(r"(\d{4}-\d{2}-\d{2})[ T]00:00(?::00(?:\.0+)?)?")


def text_of(value: Any) -> str:
    """A cell as text. Numbers of a document are exact, so their text is."""
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case list():
            return ",".join(text_of(one) for one in value)
        case dict():
            return " ".join(text_of(one) for one in value.values())
        case _:
            return str(value)


def raw(field: Field, get: Get) -> str:
    """What stands there, before the map; empty is nothing."""
    if field.when is not None:
        column, wanted = field.when
        if text_of(get(column)).strip() not in wanted:
            return ""
    if field.value is not None:
        return field.value
    if len(field.columns) == 1:
        text = text_of(get(field.columns[0])).strip()
    else:
        parts = [text_of(get(column)).strip() for column in field.columns]
        # a spreadsheet has a day as its midnight: the time stands in the next column
        days = (_MIDNIGHT.fullmatch(part) for part in parts[:-1])
        parts = [day[1] if day else part for day, part in zip(days, parts, strict=False)] + (
            parts[-1:]
        )
        text = field.join.join(parts) if any(parts) else ""
    return text or (field.default or "")


def mapped(field: Field, text: str) -> str:
    if field.map is None or not text:
        return text
    found = field.map.get(text)
    if found is None and field.other is not None:
        found = text if field.other == "keep" else field.other
    if found is None:
        raise BadValue(f"{told(field)}: `{short(text)}` is not in the map")
    return found


def read(field: Field, get: Get) -> str:
    return mapped(field, raw(field, get))


def read_list(field: Field, get: Get) -> list[str]:
    """Several words in one cell, each by the map."""
    text = raw(field, get)
    if field.map is not None and text in field.map:
        return [field.map[text]]
    return [mapped(field, word) for word in re.split(r"[\s,;|/]+", text) if word]


def told(field: Field) -> str:
    return f"column `{'`, `'.join(field.columns)}`" if field.columns else f"`{field.name}`"


def money(field: Field, get: Get, how: MoneyFormat) -> int | None:
    """In cents; None: nothing stands there."""
    written = raw(field, get)
    text = mapped(field, written)
    if not text:
        return None
    try:
        # what the profile itself says is written as it always is
        own = text != written or field.value is not None
        amount: Decimal = number(text, MoneyFormat() if own else how)
        for names, sign in ((field.plus, 1), (field.minus, -1)):
            for name in names:
                more = text_of(get(name)).strip()
                amount += sign * (number(more, how) if more else 0)
        if field.times is not None:
            by = text_of(get(field.times)).strip()
            text = f"{text} × {by}"
            amount *= number(by, how) if by else 0
        return cents(amount, how, text)
    except (BadValue, ArithmeticError) as error:
        why = str(error) if isinstance(error, BadValue) else f"`{short(text)}` is out of range"
        raise BadValue(f"{told(field)}: {why}") from None


# --- nested documents


def inside(*scopes: Any) -> Get:
    """Names in the innermost part first, then outwards; `a.b` goes into a part."""

    def get(path: str) -> Any:
        for scope in scopes:
            if isinstance(scope, Mapping):
                if path in scope:
                    return scope[path]
                first, _, rest = path.partition(".")
                if first in scope:
                    value = scope[first]
                    for name in rest.split("."):
                        if isinstance(value, list):
                            value = [one.get(name) for one in value if isinstance(one, Mapping)]
                        else:
                            value = value.get(name) if isinstance(value, Mapping) else None
                    return value
            elif path == "value":
                return scope
        return None

    return get


def listed(path: str, scopes: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Each part of a list, with what it is a part of: `seats[].hands[]`."""
    step, _, rest = path.partition("[]")
    rest = rest.removeprefix(".")
    found = inside(*scopes)(step.strip("."))
    if found is None:
        return
    if not isinstance(found, list):
        raise BadValue(f"`{short(step)}` is not a list")
    for one in found:
        inner = (one, *scopes)
        if rest:
            yield from listed(rest, inner)
        else:
            yield inner
