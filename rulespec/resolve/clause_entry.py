"""One clause of a rulebook: where it stands, what it is about, and when it is in force."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from rulespec.tree import nodes as t


@dataclass(frozen=True, slots=True)
class ClauseEntry:
    """A clause with where it stands and what it is about."""

    id: str
    title: str
    section: str | None
    about: tuple[str, ...]
    tree: t.Clause
    start: date | None
    end: date | None

    @property
    def standing(self) -> str:
        """encoded, not checkable, or silent"""
        standing = "silent"
        for statement in self.tree.statements:
            match statement:
                case t.NotCheckable():
                    return "not checkable"
                case t.Uses() | t.Cites() | t.CitesOutside() | t.InForce() | t.Defines():
                    if isinstance(statement, t.Defines):
                        standing = "encoded"
                case _:
                    standing = "encoded"
        return standing

    def in_force(self, day: date | None) -> bool:
        if day is None:
            return True
        return (self.start is None or self.start <= day) and (self.end is None or day < self.end)
