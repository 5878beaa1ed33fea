"""JSON as a log may have it: exact numbers, no key twice, and errors that say where."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any, Final, NoReturn, TypeAlias

Object: TypeAlias = dict[str, Any]


class DecodeError(Exception):
    """The line is not a valid round. `not_json`: it does not even end as JSON must."""

    def __init__(self, reason: str, *, not_json: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.not_json = not_json


class _HookError(Exception):
    """Something that JSON or Python allows and a log does not; the slow pass says where."""


def _refuse(_: str) -> NoReturn:
    raise _HookError


def _pairs(pairs: list[tuple[str, Any]]) -> Object:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _HookError
    return made


_FAST: Final = json.JSONDecoder(
    parse_float=Decimal, parse_constant=_refuse, object_pairs_hook=_pairs
)


FIRST: Final = frozenset(("", *'{["-0123456789tfnNI \t\r\n\ufeff'))
"""What the text may begin with for the reason to be another one."""
NO_VALUE: Final = "not JSON: expecting value at character 1"


def parse_json(text: str) -> Any:
    """Parse JSON with exact numbers, no NaN and no key twice; raises only DecodeError."""
    if text[:1] not in FIRST:
        raise DecodeError(NO_VALUE, not_json=True)
    try:
        return _FAST.decode(text)
    except (ValueError, ArithmeticError, RecursionError, _HookError):
        raise trouble_in(text) or DecodeError("nested too deeply") from None


class _Marker:
    """Stands in the parsed value where something was wrong, so that its path can be told."""

    def __init__(self, problem: str) -> None:
        self.problem = problem


def trouble_in(text: str) -> DecodeError | None:
    """Parse again, slowly, to say what is wrong and where. Broken syntax outranks the rest."""

    def pairs(found: list[tuple[str, Any]]) -> Object:
        made: Object = {}
        for key, value in found:
            made[key] = _Marker("this key stands twice in one object") if key in made else value
        return made

    def number(digits: str) -> object:
        try:
            return Decimal(digits)
        except ArithmeticError:
            return _Marker(f"{short(digits)} is out of range")

    def integer(digits: str) -> object:
        try:
            return int(digits)
        except ValueError:  # Python refuses thousands of digits, which would take it minutes
            return _Marker(f"{short(digits)} is out of range")

    try:
        top = json.loads(
            text,
            parse_float=number,
            parse_int=integer,
            parse_constant=lambda name: _Marker(f"{name} is not a number"),
            object_pairs_hook=pairs,
        )
    except json.JSONDecodeError as error:
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated"):
            return DecodeError("not JSON: the line ends in the middle", not_json=True)
        what = error.msg[:1].lower() + error.msg[1:].removesuffix(" at")
        return DecodeError(f"not JSON: {what} at character {error.pos + 1}", not_json=True)
    except RecursionError:
        return DecodeError("nested too deeply")
    waiting: list[tuple[str, object]] = [("", top)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, _Marker):
            return DecodeError(f"{path.removeprefix('.') or 'the line'}: {value.problem}")
        if isinstance(value, dict):
            waiting += [(f"{path}.{short(key)}", inner) for key, inner in value.items()][::-1]
        elif isinstance(value, list):
            waiting += [(f"{path}[{index}]", inner) for index, inner in enumerate(value)][::-1]
    return None


def short(text: str) -> str:
    """The user's words on one line, fit for a terminal, and not too many of them."""
    shown = "".join(
        char if char.isprintable() and char != "`" else char.encode("unicode_escape").decode()
        for char in text[:60]
    )
    return shown[:40] + "…" if len(shown) > 40 or len(text) > 60 else shown
