"""Clause numbers as printed: what is part of what, and which sequence a number belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

_PART_START = ("(", ".", ":", "#")


def covers(outer: str, inner: str) -> bool:
    """`14.1` covers `14.1(d)` and `14.2#table1` is covered by `14.2`; `22` does not cover `22#2`,
    which is another clause that happens to carry the same number."""
    if outer == inner:
        return True
    if not inner.startswith(outer):
        return False
    rest = inner[len(outer) :]
    if re.match(r"#\d", rest):
        return False
    return rest.startswith(_PART_START)


@cache
def printed(clause: str) -> str:
    """The number as it stands on paper: `22#2` is printed `22`."""
    return re.sub(r"#\d+$", "", clause)


def is_numbered(clause: str) -> bool:
    """Not a definition (`A:Box`), a table or an unnumbered tail (`14.2#table1`)."""
    return ":" not in clause and not re.search(r"#\D", clause)


@cache
def split_number(clause: str) -> tuple[str, str] | None:
    """The sequence that a number belongs to and its place in it: `14.1(d)` → (`14.1(`, `d`)."""
    number = printed(clause)
    if not is_numbered(number):
        return None
    match = re.fullmatch(r"(.*?)(?:\(([a-z]+|\d+)\)|(?:^|\.)(\d+))", number)
    if match is None:
        return None
    if match.group(2):
        return match.group(1) + "(", match.group(2)
    return match.group(1), match.group(3)


def outers(clause: str) -> list[str]:
    """Every id that covers this one, itself included."""
    found = [clause]
    for place, character in enumerate(clause):
        another = character == "#" and clause[place + 1 : place + 2].isdigit()
        if place and character in _PART_START and not another:
            found.append(clause[:place])
    return found


class ClauseIndex:
    """Which clauses a printed number is about: itself, its parts, or a whole section."""

    def __init__(self, places: Iterable[tuple[str, str | None]]) -> None:
        self.order: list[str] = []
        self._inside: dict[str, list[str]] = {}
        self._place: dict[str, int] = {}
        for clause, section in places:
            names = outers(clause)
            if section is not None and section not in names:
                names.append(section)
            for name in names:
                self._inside.setdefault(name, []).append(clause)
            self._place.setdefault(clause, len(self.order))
            self.order.append(clause)

    def inside(self, number: str) -> list[str]:
        return list(dict.fromkeys(self._inside.get(number, ())))

    def between(self, first: str, last: str) -> list[str]:
        """From the first clause of one number to the last of another, as they are printed."""
        start = [self._place[c] for c in self._inside.get(first, ())]
        end = [self._place[c] for c in self._inside.get(last, ())]
        if not start or not end:
            return []
        return list(dict.fromkeys(self.order[min(start) : max(end) + 1]))
