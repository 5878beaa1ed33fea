"""Where something stands in a rule file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from typing import Any


@cache
def _slots(kind: Any) -> tuple[list[Callable[..., Any]], list[Callable[..., Any]]]:
    """What reads and what sets each field of a frozen class."""
    members = [getattr(kind, field.name) for field in fields(kind)]
    return [m.__get__ for m in members], [m.__set__ for m in members]


def stored(node: Any) -> tuple[Any, ...]:
    """What pickle keeps of an object of such a class."""
    kind: Any = type(node)
    return restored, (kind, *[getter(node) for getter in _slots(kind)[0]])


def restored(kind: Any, *values: Any) -> Any:
    """An object from its stored fields; a stored tree has many, and this is the quick way."""
    made = object.__new__(kind)
    for setter, value in zip(_slots(kind)[1], values, strict=True):
        setter(made, value)
    return made


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of text; lines and columns count from 1, the end column is exclusive."""

    file: str
    start_line: int
    start_column: int
    end_line: int
    end_column: int

    def __reduce__(self) -> Any:
        return stored(self)

    def to(self, other: Span) -> Span:
        return Span(self.file, self.start_line, self.start_column, other.end_line, other.end_column)

    def as_json(self) -> dict[str, object]:
        return {
            "file": self.file,
            "start": {"line": self.start_line, "column": self.start_column},
            "end": {"line": self.end_line, "column": self.end_column},
        }


NOWHERE = Span("", 1, 1, 1, 1)
