"""The hands and stakes on which two texts are compared, and what they show of facts.

All cells are the product of the three; a set of cells is an int.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from checker.evaluate.engine import Value
from checker.evaluate.scene import SeenScene
from checker.states.grid import Row, seen_as
from checker.states.lines_of_play import Line


@dataclass(frozen=True, slots=True)
class Joint:
    """A hand of a player or of the dealer, as both texts see it."""

    line: Line | None
    part: str
    dealer: tuple[str, ...]
    scenes: tuple[SeenScene, SeenScene]
    size: int
    reach: tuple[bool, bool] = (True, True)  # which text lets it come about
    firsts: tuple[frozenset[str] | None, frozenset[str] | None] = (None, None)
    supposed: tuple[tuple[str, Value], ...] = ()  # facts of this row that no card shows

    def row(self, side: int) -> Row:
        return Row(self.line, self.part, self.dealer, self.scenes[side], self.size)


class Hands:
    """Player rows × dealer rows × stakes."""

    def __init__(self, players: list[Joint], dealers: list[Joint], stakes: list[int]) -> None:
        self.players, self.dealers, self.stakes = players, dealers, stakes
        self.block = len(dealers) * len(stakes)
        self.size = len(players) * self.block
        self._told: dict[object, dict[tuple[Value, ...], list[int]]] = {}

    def cells_of(self, side: str, rows: Iterable[int]) -> int:
        """All cells of some rows of a side (player, dealer, stake)."""
        chosen = set(rows)
        players, dealers, stakes = len(self.players), len(self.dealers), len(self.stakes)
        if side == "player":
            yes, no = "1" * self.block, "0" * self.block
            text = "".join([yes if n in chosen else no for n in range(players - 1, -1, -1)])
            return int(text or "0", 2)
        if side == "dealer":
            one = (1 << stakes) - 1
            return sum(one << (n * stakes) for n in chosen) * _repeated(self.block, players)
        return sum(1 << n for n in chosen) * _repeated(stakes, players * dealers)

    def values(
        self, place: int, side: str, facts: tuple[str, ...], as_dealer: bool
    ) -> dict[tuple[Value, ...], list[int]]:
        """The distinct values of some facts of a side, each with the rows that have them."""
        key = (place, side, facts, as_dealer)
        if key not in self._told:
            found: dict[tuple[Value, ...], list[int]] = {}
            if side == "stake":
                found = {(s,) * len(facts): [n] for n, s in enumerate(self.stakes)}
            else:
                rows = self.players if side == "player" else self.dealers
                for n, row in enumerate(rows):
                    scene = seen_as(row.scenes[place], as_dealer)
                    told = tuple([scene.fact(f) for f in facts])
                    found.setdefault(told, []).append(n)
            self._told[key] = found
        return self._told[key]


def _repeated(step: int, times: int) -> int:
    """One bit at the start of each of so many blocks."""
    found, made = 1, 1
    while made < times:
        more = min(made, times - made)
        found |= (found & ((1 << (more * step)) - 1)) << (made * step)
        made += more
    return found
