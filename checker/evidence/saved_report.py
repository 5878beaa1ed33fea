"""A report that was saved as JSON, read back with suspicion: it may come from anybody."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from decimal import Decimal
from importlib import resources
from pathlib import Path
from typing import Any, Final, NoReturn

from checker.evidence.canonical import seal_of, written
from rulespec.base.errors import WrongCall
from rulespec.base.regular_files import NotRegular, open_regular

LARGEST: Final = 512 << 20  # bytes
_DIGITS: Final = 20  # of a number
_DEEPEST: Final = 20  # lists and objects in each other
_BEGINS: Final = (
    b'"schema": "rulespec-report/1"',
    b'"command": "replay"',
    b'"options": {"rules": ',
)
_WHAT: Final = "it takes the JSON report of a replay: rulespec replay LOG --format json"


class DamagedReport(WrongCall):
    """It begins like the report of a replay, and is none."""


@dataclass(frozen=True, slots=True)
class SavedReport:
    """The report of a replay, of a shape that can be relied on."""

    path: str
    document: dict[str, Any]
    text: str | None = None  # as it was read, where that matters

    @property
    def folder(self) -> Path:
        """Where it lies, and perhaps its logs with it."""
        return Path(self.path).parent if self.path != "-" else Path()

    @property
    def findings(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.document["findings"]
        return found

    @property
    def summary(self) -> dict[str, Any]:
        found: dict[str, Any] = self.document["summary"]
        return found

    @property
    def seal_is_broken(self) -> bool:
        """Whether it was changed after it was written; a report without a seal does not tell."""
        return self.document.get("seal") not in (None, seal_of(self.document))

    @property
    def is_written_otherwise(self) -> bool:
        """Whether it says the same, and was not written so by the command line."""
        return self.text is not None and self.text != written(self.document)

    def inputs(self, kind: str) -> list[dict[str, Any]]:
        return [one for one in self.document["inputs"] if one["kind"] == kind]


def load_report(path: str, keep_text: bool = False) -> SavedReport:
    data = read_bytes(path, LARGEST)
    try:
        text = as_text(path, data)
        document = _report(path, text)
    except WrongCall as error:
        if not _was_a_report(data):
            raise
        raise DamagedReport(error.message, error.help) from None
    return SavedReport(path, document, text if keep_text else None)


def _was_a_report(data: bytes) -> bool:
    """Begun and sealed as the command line does it; one of the marks may be what was changed."""
    head, tail = data[:4096], data[-1024:]
    digits = sum(byte in b"0123456789abcdef" for byte in tail[-90:])
    marks = [*(mark in head for mark in _BEGINS), b'"seal": "' in tail]
    return sum(marks) >= len(marks) - 1 and (digits > 60 or b'"signature": {' in tail)


def _report(path: str, text: str) -> dict[str, Any]:
    document = parse(path, text)
    told = document.get("schema") if isinstance(document, dict) else None
    if told != "rulespec-report/1":
        raise WrongCall(f"`{path}` is no report of rulespec", _WHAT)
    if document.get("command") != "replay":
        command = str(document.get("command"))[:40]
        raise WrongCall(f"`{path}` is a report of `rulespec {command}`", _WHAT)
    check_shape(path, document)
    found: dict[str, Any] = document
    return found


def parse(path: str, text: str) -> Any:
    """JSON in which nothing stands twice and every number is exact."""
    try:
        found = json.loads(
            text,
            parse_float=_decimal,
            parse_int=_integer,
            parse_constant=_no_number,
            object_pairs_hook=_once,
        )
        if _is_deep(found):
            raise RecursionError
        return found
    except RecursionError:
        raise WrongCall(f"`{path}` is nested too deeply", _WHAT) from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise WrongCall(f"`{path}` is no JSON: {place}", _WHAT) from None
    except ValueError as error:
        raise WrongCall(f"`{path}` cannot be used: {error}", _WHAT) from None


def read_text(path: str, largest: int) -> str:
    return as_text(path, read_bytes(path, largest))


def read_bytes(path: str, largest: int) -> bytes:
    try:
        if path == "-":
            if sys.stdin is None:
                raise WrongCall("there is no standard input", _WHAT)
            data = sys.stdin.buffer.read(largest + 1)
        else:
            with open_regular(path) as file:
                data = file.read(largest + 1)
    except NotRegular:
        raise WrongCall(f"`{path}` is no regular file", "`-` is standard input") from None
    except (OSError, ValueError) as error:
        told = (getattr(error, "strerror", None) or str(error)).lower()
        raise WrongCall(f"`{path}` cannot be read: {told}", _WHAT) from None
    if len(data) > largest:
        raise WrongCall(f"`{path}` is larger than {largest >> 20} MiB", "replay with a filter")
    return data


def as_text(path: str, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise WrongCall(f"`{path}` is not text in UTF-8", _WHAT) from None


def _is_deep(found: Any) -> bool:
    level = [found]
    for _ in range(_DEEPEST):
        inside = [one for one in level if isinstance(one, dict | list)]
        level = [x for one in inside for x in (one.values() if isinstance(one, dict) else one)]
    return any(isinstance(one, dict | list) for one in level)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"`{twice[:40]}` stands twice in one object")
    return found


def _decimal(text: str) -> Decimal:
    if len(text) > _DIGITS or "e" in text.lower():
        raise ValueError(f"`{text[:40]}` is no number of a report")
    return Decimal(text)


def _integer(text: str) -> int:
    if len(text) > _DIGITS:
        raise ValueError(f"`{text[:40]}…` is no number of a report")
    return int(text)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"`{text}` is no number")


# --- shape


def schema() -> dict[str, Any]:
    """The published JSON Schema of a report."""
    text = resources.files("checker.evidence").joinpath("report_schema.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def check_shape(path: str, document: dict[str, Any]) -> None:
    """By the schema; the findings one by one, of which there may be many."""
    from jsonschema import Draft202012Validator

    published = schema()
    if not isinstance(document.get("findings"), list):
        _refuse(path, "findings", "is no list")
    wrong = next(Draft202012Validator(published).iter_errors({**document, "findings": []}), None)
    if wrong is None:
        rules = {**published["$defs"]["finding"], "$defs": published["$defs"]}
        names = {name: _kinds(rule) for name, rule in rules["properties"].items()}
        for number, finding in enumerate(document["findings"]):
            if not isinstance(finding, dict):
                _refuse(path, f"findings[{number}]", "is no object")
            for name, kinds in names.items():
                if name in finding:
                    if not isinstance(finding[name], kinds) or isinstance(finding[name], bool):
                        _refuse(path, f"findings[{number}].{name}", "is of the wrong kind")
                elif name in rules["required"]:
                    _refuse(path, f"findings[{number}].{name}", "is missing")
            _check_lists(path, number, finding)
        return
    place = ".".join(str(part) for part in wrong.absolute_path) or "the report"
    _refuse(path, place, f"is not as it should be: {' '.join(wrong.message.split())[:120]}")


def _check_lists(path: str, number: int, finding: dict[str, Any]) -> None:
    for name, kind in (("readings", str), ("related", dict)):
        if not all(isinstance(one, kind) for one in finding.get(name, ())):
            _refuse(path, f"findings[{number}].{name}", "is of the wrong kind")
    for one in finding["related"]:
        if not (isinstance(one.get("clause"), str) and isinstance(one.get("role"), str)):
            _refuse(path, f"findings[{number}].related", "is of the wrong kind")


_PYTHON: Final[dict[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, Decimal),
    "null": (type(None),),
    "array": (list,),
    "object": (dict,),
    "boolean": (bool,),
}


def _kinds(rule: dict[str, Any]) -> tuple[type, ...]:
    named = rule["type"] if isinstance(rule["type"], list) else [rule["type"]]
    return tuple(kind for name in named for kind in _PYTHON[name])


def _refuse(path: str, place: str, what: str) -> NoReturn:
    raise WrongCall(f"`{path}` is no report of a replay: `{place}` {what}", _WHAT)
