"""Hands that only come about where the house offers or has chosen something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checker.states.declared_words import CHOICE, values_of
from checker.states.diagram import Diagram

if TYPE_CHECKING:
    from checker.states.symbolic import Symbolic


def not_offered(space: Symbolic) -> Diagram:
    """The states that cannot be: a play was made that the house did not offer."""
    d, cells = space.d, space.cells
    rows: dict[str, int] = {}
    for n, row in enumerate(cells.players):
        for asked in row.line.asked if row.line is not None else ():
            rows[asked] = rows.get(asked, 0) | 1 << n
    return d.any_of(
        [
            d.without(d.leaf(cells.of("player", bits)), _offered(space, asked))
            for asked, bits in rows.items()
        ]
    )


def _offered(space: Symbolic, asked: str) -> Diagram:
    """Where an option is in use, or a choice was made so; everywhere, if no clause here asks it."""
    name, _, value = asked.partition("=")
    for level, flag in enumerate(space.flags):
        if flag == ("option", asked):
            return space.d.flag(level, frozenset({1}))
        if flag[0] == CHOICE and flag[1].partition("=")[0] == name:
            return space.d.flag(level, frozenset({1 + values_of(flag).index(value)}))
    return space.d.all
