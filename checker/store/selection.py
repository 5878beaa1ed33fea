"""Which findings of a run are meant: filters, order, page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from checker.store.schema import FACETS

Order = Literal["place", "at", "amount", "clause", "casino_table", "player", "state"]
ORDERS: dict[Order, str] = {
    "place": "n",
    "at": "at, n",
    "amount": "size DESC, n",
    "clause": "rulebook, clause, n",
    "casino_table": "rulebook, casino_table, n",
    "player": "player, n",
    "state": "(SELECT state FROM states WHERE states.fingerprint = findings.fingerprint), n",
}


@dataclass(frozen=True, slots=True)
class Selection:
    """Several values of one facet are alternatives; different facets go together."""

    run: int
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by facet
    states: tuple[str, ...] = ()
    least: int | None = None  # the smallest difference that counts, either way, in minor units
    words: str = ""  # in the message, the round or the player
    source: str = "findings"  # or the table of those that `Store.picked` took out

    def without(self, facet: str) -> Selection:
        """All but one facet: what its own list of values is counted over."""
        if facet == "state":
            return replace(self, states=())
        return replace(self, values={k: v for k, v in self.values.items() if k != facet})

    @property
    def narrowed(self) -> bool:
        return bool(self.values or self.states or self.least is not None or self.words)

    def where(self) -> tuple[str, list[Any]]:
        """What a row of the findings has to be."""
        tests = ["run = ?"]
        bound: list[Any] = [self.run]
        for facet, chosen in self.values.items():
            if facet not in FACETS:
                raise ValueError(f"there is no facet `{facet}`")
            tests.append(f"{facet} IN ({_marks(chosen)})")
            bound += chosen
        if self.source != "findings":
            return " AND ".join(tests), bound
        if self.states:
            # only what was ever reviewed has a row among the states: all else is open
            is_open = "open" in self.states
            tests.append(
                f"fingerprint {'NOT ' * is_open}IN (SELECT fingerprint FROM states "
                f"WHERE state {'NOT ' * is_open}IN ({_marks(self.states)}))"
            )
            bound += self.states
        if self.least is not None:
            tests.append("size >= ?")
            bound.append(self.least)
        if self.words:
            tests.append("(instr(message, ?) OR instr(round, ?) OR instr(player, ?))")
            bound += [self.words] * 3
        return " AND ".join(tests), bound


def _marks(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values))
