"""Values as JSON and back: what is kept between runs is data, and reading it runs nothing.

A reader names the classes that it expects. Any other class, a field that is missing or holds
something of another kind, and anything that is no JSON is refused with a ValueError.
"""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Callable, Iterable
from dataclasses import fields
from datetime import date
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Any, Final

_TUPLE, _LIST, _SET, _FROZEN_SET, _DICT, _FRACTION, _DATE, _OBJECT = range(8)
_PLAIN: Final = (str, int, bool, type(None))
_SEQUENCES: Final[dict[type, int]] = {tuple: _TUPLE, list: _LIST, set: _SET, frozenset: _FROZEN_SET}
_ANYTHING: Final = None  # a field that may hold any value


def dumps(value: object) -> bytes:
    """The value as bytes. What is not data is a TypeError."""
    names: dict[type, int] = {}
    data = _plain(value, names)
    return json.dumps([[*map(_name, names)], data], separators=(",", ":")).encode()


def loads(content: bytes, classes: Iterable[type]) -> Any:
    known = {_name(kind): kind for kind in classes}
    try:
        names, data = json.loads(content)
        return _Reader([known[name] for name in names]).value(data)
    except (LookupError, TypeError, ValueError, ArithmeticError, RecursionError) as error:
        raise ValueError(f"not what was written: {error}") from error


def _name(kind: type) -> str:
    """Two modules may each have a class of the same name."""
    return f"{kind.__module__}.{kind.__qualname__}"


def _plain(value: Any, names: dict[type, int]) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind in _SEQUENCES:
        parts = sorted(value, key=repr) if kind in (set, frozenset) else value
        return [_SEQUENCES[kind], *[_plain(part, names) for part in parts]]
    if kind is dict:
        return [_DICT, *[_plain(part, names) for item in value.items() for part in item]]
    if kind is Fraction:
        return [_FRACTION, value.numerator, value.denominator]
    if kind is date:
        return [_DATE, value.isoformat()]
    if issubclass(kind, Enum):
        raise TypeError(f"{kind.__name__} is not kept")
    number = names.setdefault(kind, len(names))
    parts = [_plain(getattr(value, field.name), names) for field in fields(value)]
    return [_OBJECT + number, *parts]


_MAKERS: Final[dict[int, Callable[[list[Any]], Any]]] = {
    _TUPLE: tuple,
    _LIST: list,
    _SET: set,
    _FROZEN_SET: frozenset,
    _DICT: lambda parts: dict(zip(parts[::2], parts[1::2], strict=True)),
    _FRACTION: lambda parts: Fraction(*parts),
    _DATE: lambda parts: date.fromisoformat(*parts),
}


class _Reader:
    def __init__(self, kinds: list[type]) -> None:
        self._shapes = [_shape(kind) for kind in kinds]
        self._kinds = kinds

    def value(self, data: Any) -> Any:
        if type(data) is not list:
            if type(data) not in _PLAIN:
                raise TypeError(type(data).__name__)
            return data
        code = data[0]
        if code >= _OBJECT:
            return self._object(self._kinds[code - _OBJECT], self._shapes[code - _OBJECT], data)
        parts = [
            part if type(part) is str or type(part) is int else self.value(part)
            for part in data[1:]
        ]
        return _MAKERS[code](parts)

    def _object(self, kind: type, shape: _Shape, data: list[Any]) -> Any:
        made: Any = object.__new__(kind)
        if len(data) != len(shape) + 1:
            raise ValueError(f"{kind.__name__} has {len(shape)} fields")
        for (put, allowed), part in zip(shape, data[1:], strict=True):
            found = self.value(part) if type(part) is list else part
            if allowed is not _ANYTHING and type(found) not in allowed:
                raise TypeError(f"{type(found).__name__} in {kind.__name__}")
            put(made, found)
        return made


_Shape = list[tuple[Callable[[Any, Any], None], frozenset[type] | None]]


@cache
def _shape(kind: type) -> _Shape:
    """What sets each field of a class, and the kinds of values that it may hold."""
    hints = typing.get_type_hints(kind)
    return [(_setter(kind, field.name), _kinds(hints[field.name])) for field in fields(kind)]


def _setter(kind: type, name: str) -> Callable[[Any, Any], None]:
    member = getattr(kind, name, None)
    if isinstance(member, types.MemberDescriptorType):
        return member.__set__
    return lambda made, value: object.__setattr__(made, name, value)


def _kinds(hint: Any) -> frozenset[type] | None:
    """The classes whose values a hint allows; a subclass counts where it adds no field."""
    origin = typing.get_origin(hint)
    if hint is Any or hint is object or isinstance(hint, typing.TypeVar):
        return _ANYTHING
    if origin in (typing.Union, types.UnionType):
        found = [_kinds(part) for part in typing.get_args(hint)]
        return None if None in found else frozenset[type]().union(*[f for f in found if f])
    if origin is typing.Literal:
        return frozenset(type(value) for value in typing.get_args(hint))
    kind = origin or hint
    if hint is None:
        kind = type(None)
    if not isinstance(kind, type):
        return _ANYTHING
    return frozenset(_with_subclasses(kind))


def _with_subclasses(kind: type) -> set[type]:
    found = {kind}
    subclasses: list[type] = type.__subclasses__(kind)
    return found.union(*map(_with_subclasses, subclasses))
