"""What a page is, and what it was asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rulespec.base.money import ORDINARY

if TYPE_CHECKING:
    from checker.workbench.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Asked:
    """The parts of an address: those of the path, and those behind the question mark."""

    path: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def one(self, name: str, otherwise: str = "") -> str:
        found = self.path.get(name)
        if found is None:
            found = next(iter(self.values.get(name, ())), otherwise)
        return found.strip()

    def all(self, name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(v for v in self.values.get(name, ()) if v))

    def number(self, name: str, otherwise: int = 0) -> int:
        text = self.one(name)
        return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else otherwise


@dataclass(frozen=True, slots=True)
class Page:
    template: str
    data: dict[str, Any]
    sign: str = ORDINARY  # of the money on the page
    part: str | None = None  # the template of what changes, for a page that is filtered in place


Maker = Callable[["Workspace", Asked], Page]
