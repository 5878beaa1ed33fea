"""Trees of rule files that were parsed before: an unchanged file is not parsed again."""

from __future__ import annotations

from dataclasses import is_dataclass
from functools import cache
from pathlib import Path

from rulespec.base import cache as files
from rulespec.base.spans import Span
from rulespec.tree import game, kinds
from rulespec.tree import nodes as t


@cache
def _nodes() -> tuple[type, ...]:
    named = [*vars(t).values(), *vars(game).values(), *vars(kinds).values()]
    found = (kind for kind in named if isinstance(kind, type) and is_dataclass(kind))
    return (*dict.fromkeys(found), Span)


def _place(text: str, file: str) -> Path | None:
    return files.place_of("tree", *(part.encode("utf-8", "surrogatepass") for part in (file, text)))


def remembered(text: str, file: str) -> t.Document | None:
    return files.read(_place(text, file), t.Document, _nodes())


def remember(document: t.Document, text: str, file: str) -> None:
    files.write(_place(text, file), document)
