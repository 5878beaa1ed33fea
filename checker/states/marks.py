"""How many states a set has, and a mark that tells the set from others.

The mark is made of the hands themselves: cards, what was done with them, stakes, circumstances. It
is the same on every machine, whatever else the search goes through, and the mark of two sets that
have nothing in common is the sum of theirs: so it can be tested what was in a set whose mark alone
is known.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from typing import Protocol

from checker.states.diagram import Diagram, Diagrams, bits
from checker.states.grid import Block, Cells, Flag, Row
from checker.states.lines_of_play import Line

PRIME = 4_294_967_291  # the largest below 2 to the power of 32: a mark has eight digits


@cache
def weight(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % (PRIME - 1) + 1


def written(count: int, mark: int) -> str:
    """As an acceptance names it."""
    return f"{counted(count)} {mark % PRIME:08x}"


def counted(count: int) -> str:
    return "1 state" if count == 1 else f"{count:,} states"


def row_text(row: Row) -> str:
    """A hand and how it came about."""
    return f"{line_text(row.line)} {row.part}" if row.line else " ".join(row.dealer)


def line_text(line: Line) -> str:
    told = (
        line.cards,
        line.doubled_with,
        line.number,
        line.pair,
        line.sibling,
        line.surrendered,
        line.forfeited,
        line.even_money,
        line.shared,
        line.follows,
        line.again,
    )
    return repr(told)


class Space(Protocol):
    """What is looked at here of a space of states (`checker.states.symbolic`)."""

    cells: Cells
    joined_players: list[list[Row]]
    joined_dealers: list[list[Row]]
    d: Diagrams
    flags: list[Flag]


class Marks:
    """Counts and marks of the sets of states of one space."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.cells: Cells = space.cells
        self._players = [self._side(group) for group in space.joined_players]
        self._dealers = [self._side(group) for group in space.joined_dealers]
        self._stakes = [weight(str(stake)) for stake in self.cells.stakes]
        self._marks: dict[Diagram, int] = {}
        self._fields: dict[tuple[int, int], tuple[int, int]] = {}

    @staticmethod
    def _side(rows: Iterable[Row]) -> tuple[int, int]:
        weights = [weight(row_text(row)) for row in rows]
        return len(weights), sum(weights) % PRIME

    def count(self, states: Diagram) -> int:
        """The hands that are in the set in some circumstances."""
        return self._of_cells(self.space.d.cells(states))[0]

    def mark(self, states: Diagram) -> int:
        found = self._marks.get(states)
        if found is None:
            d = self.space.d
            level, below = d.parts(states)
            if below:
                weights = self._choices(level)
                found = sum(w * self.mark(b) for w, b in zip(weights, below, strict=True)) % PRIME
            else:
                found = self._of_cells(d.cells(states))[1]
            self._marks[states] = found
        return found

    def _choices(self, level: int) -> list[int]:
        """They sum up to one: a circumstance that does not matter leaves a mark as it is."""
        kind, name = self.space.flags[level]
        raised = [weight(f"{kind} {name} {n}") for n in range(1, self.space.d.arities[level])]
        return [1 - sum(raised), *raised]

    def _of_cells(self, cells: int) -> tuple[int, int]:
        count = mark = 0
        width = len(self.cells.stakes)
        for number, block in enumerate(self.cells.blocks):
            size = len(block.dealers) * width
            here = cells >> block.start & (1 << block.players * size) - 1
            player = block.first
            while here:
                field = here & (1 << size) - 1
                if field:
                    hands, total = self._players[player]
                    many, sum_ = self._field(number, block, field)
                    count += hands * many
                    mark += total * sum_
                here >>= size
                player += 1
        return count, mark % PRIME

    def _field(self, number: int, block: Block, field: int) -> tuple[int, int]:
        """The dealer's hands and stakes beside one player's hand."""
        found = self._fields.get((number, field))
        if found is None:
            count = mark = 0
            for n in bits(field):
                dealer, stake = divmod(n, len(self.cells.stakes))
                hands, total = self._dealers[block.dealers[dealer]]
                count += hands
                mark += total * self._stakes[stake]
            found = self._fields[number, field] = count, mark % PRIME
        return found
