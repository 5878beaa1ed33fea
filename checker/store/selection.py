"""Which findings of a run are meant: filters, order, page."""

from __future__ import annotations

from collections.abc import Mapping
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
    "state": "state, n",
}
STATE = "coalesce(states.state, 'open')"


@dataclass(frozen=True, slots=True)
class Selection:
    """Several values of one facet are alternatives; different facets go together."""

    run: int
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by facet
    states: tuple[str, ...] = ()
    least: int | None = None  # the smallest difference that counts, either way, in minor units
    words: str = ""  # in the message, the round or the player

    def without(self, facet: str) -> Selection:
        """All but one facet: what its own list of values is counted over."""
        if facet == "state":
            return replace(self, states=())
        return replace(self, values={k: v for k, v in self.values.items() if k != facet})

    @property
    def narrowed(self) -> bool:
        return bool(self.values or self.states or self.least is not None or self.words)

    def where(self) -> tuple[str, list[Any]]:
        tests = ["run = ?"]
        bound: list[Any] = [self.run]
        for facet, chosen in self.values.items():
            if facet not in FACETS:
                raise ValueError(f"there is no facet `{facet}`")
            tests.append(f"{facet} IN ({', '.join('?' * len(chosen))})")
            bound += chosen
        if self.states:
            tests.append(f"{STATE} IN ({', '.join('?' * len(self.states))})")
            bound += self.states
        if self.least is not None:
            tests.append("size >= ?")
            bound.append(self.least)
        if self.words:
            tests.append("(instr(message, ?) OR instr(round, ?) OR instr(player, ?))")
            bound += [self.words] * 3
        return " AND ".join(tests), bound

    @property
    def source(self) -> str:
        """The tables to look in; the states of reviews only where they are asked for."""
        joined = " LEFT JOIN states USING (fingerprint)" if self.states else ""
        return f"findings{joined}"
