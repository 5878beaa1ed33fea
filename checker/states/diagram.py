"""Sets of states as decision diagrams: flags on the way down, sets of dealt hands at the leaves.

A state is a *cell* (a player's hand, a dealer's hand, a stake) together with a choice for every
flag (`round.void`, `recorded fraud`, …). A set of cells is an int with one bit for each cell. The
diagrams are canonical: two sets of states are equal exactly when they have the same number.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from typing import TypeAlias

Diagram: TypeAlias = int


class OutOfTime(Exception):
    """The budget ran out."""


class Diagrams:
    """Makes and joins diagrams over a fixed list of flags and a fixed number of cells."""

    def __init__(self, cells: int, arities: list[int], tick: Callable[[], None]) -> None:
        self.arities = arities
        self.full = (1 << cells) - 1
        self._tick = tick
        self._level: list[int] = []  # the flag a node asks; past the last flag for a leaf
        self._leaf: list[int] = []
        self._below: list[tuple[Diagram, ...]] = []
        self._leaves: dict[int, Diagram] = {}
        self._nodes: dict[tuple[int, tuple[Diagram, ...]], Diagram] = {}
        self._both: dict[tuple[Diagram, Diagram], Diagram] = {}
        self._either: dict[tuple[Diagram, Diagram], Diagram] = {}
        self._without: dict[tuple[Diagram, Diagram], Diagram] = {}
        self._cells: dict[Diagram, int] = {}
        self.none = self.leaf(0)
        self.all = self.leaf(self.full)

    def leaf(self, cells: int) -> Diagram:
        found = self._leaves.get(cells)
        if found is None:
            found = self._leaves[cells] = self._add(len(self.arities), cells, ())
        return found

    def flag(self, level: int, choices: frozenset[int]) -> Diagram:
        """All states in which the flag has one of these values."""
        below = tuple(
            self.all if choice in choices else self.none for choice in range(self.arities[level])
        )
        return self._node(level, below)

    def _add(self, level: int, cells: int, below: tuple[Diagram, ...]) -> Diagram:
        self._level.append(level)
        self._leaf.append(cells)
        self._below.append(below)
        return len(self._level) - 1

    def _node(self, level: int, below: tuple[Diagram, ...]) -> Diagram:
        if below.count(below[0]) == len(below):
            return below[0]
        key = (level, below)
        found = self._nodes.get(key)
        if found is None:
            self._tick()
            found = self._nodes[key] = self._add(level, 0, below)
        return found

    def _joined(
        self, join: Callable[[Diagram, Diagram], Diagram], one: Diagram, other: Diagram
    ) -> Diagram:
        """Two diagrams of which one asks a flag, joined choice by choice."""
        level, under = self._level[one], self._level[other]
        if level == under:
            below = [join(a, b) for a, b in zip(self._below[one], self._below[other], strict=True)]
        elif level < under:
            below = [join(a, other) for a in self._below[one]]
        else:
            level = under
            below = [join(one, b) for b in self._below[other]]
        return self._node(level, tuple(below))

    def both(self, one: Diagram, other: Diagram) -> Diagram:
        if one == other or other == self.all:
            return one
        if one == self.all:
            return other
        if self.none in (one, other):
            return self.none
        key = (one, other) if one < other else (other, one)
        found = self._both.get(key)
        if found is None:
            if self._level[one] == self._level[other] == len(self.arities):
                found = self.leaf(self._leaf[one] & self._leaf[other])
            else:
                found = self._joined(self.both, one, other)
            self._both[key] = found
        return found

    def either(self, one: Diagram, other: Diagram) -> Diagram:
        if one == other or other == self.none:
            return one
        if one == self.none:
            return other
        if self.all in (one, other):
            return self.all
        key = (one, other) if one < other else (other, one)
        found = self._either.get(key)
        if found is None:
            if self._level[one] == self._level[other] == len(self.arities):
                found = self.leaf(self._leaf[one] | self._leaf[other])
            else:
                found = self._joined(self.either, one, other)
            self._either[key] = found
        return found

    def without(self, one: Diagram, other: Diagram) -> Diagram:
        """The states of the one that are not in the other."""
        if one == other or self.none == one or other == self.all:
            return self.none
        if other == self.none:
            return one
        key = (one, other)
        found = self._without.get(key)
        if found is None:
            if self._level[one] == self._level[other] == len(self.arities):
                found = self.leaf(self._leaf[one] & ~self._leaf[other])
            else:
                found = self._joined(self.without, one, other)
            self._without[key] = found
        return found

    def any_of(self, parts: Iterator[Diagram] | list[Diagram]) -> Diagram:
        joined = self.none
        for part in parts:
            joined = self.either(joined, part)
        return joined

    def cells(self, node: Diagram) -> int:
        """The cells that are in the set for some choice of the flags."""
        found = self._cells.get(node)
        if found is None:
            if self._level[node] == len(self.arities):
                found = self._leaf[node]
            else:
                found = 0
                for below in self._below[node]:
                    found |= self.cells(below)
            self._cells[node] = found
        return found

    def parts(self, node: Diagram) -> tuple[int, tuple[Diagram, ...]]:
        """The flag that a diagram asks and what is below each choice; nothing below a leaf."""
        return self._level[node], self._below[node]

    def states(self, node: Diagram) -> Iterator[tuple[dict[int, int], int]]:
        """Every choice of flags with its cells, those with the fewest flags raised first.

        Only flags that matter are in the choice; 0 is the ordinary value of a flag."""
        waiting: list[tuple[int, tuple[tuple[int, int], ...], Diagram]] = [(0, (), node)]
        while waiting:
            raised, chosen, here = heapq.heappop(waiting)
            if self._level[here] == len(self.arities):
                if self._leaf[here]:
                    yield dict(chosen), self._leaf[here]
                continue
            level = self._level[here]
            for choice, below in enumerate(self._below[here]):
                if below != self.none:
                    more = (*chosen, (level, choice)) if choice else chosen
                    heapq.heappush(waiting, (raised + bool(choice), more, below))


def bits(cells: int) -> Iterator[int]:
    """The cells of a set, the first first."""
    while cells:
        low = cells & -cells
        yield low.bit_length() - 1
        cells ^= low
