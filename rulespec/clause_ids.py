"""Clause numbers as printed: what is part of what, and which sequence a number belongs to."""

from __future__ import annotations

import re

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


def printed(clause: str) -> str:
    """The number as it stands on paper: `22#2` is printed `22`."""
    return re.sub(r"#\d+$", "", clause)


def is_numbered(clause: str) -> bool:
    """Not a definition (`A:Box`), a table or an unnumbered tail (`14.2#table1`)."""
    return ":" not in clause and not re.search(r"#\D", clause)


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
