"""Which findings of a run are meant: filters, and in which order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

Order = Literal["place", "at", "amount", "clause", "casino_table", "player", "state"]
ORDERS: dict[Order, tuple[str, ...]] = {
    "place": (),
    "at": ("at",),
    "amount": ("difference",),
    "clause": ("rulebook", "clause"),
    "casino_table": ("rulebook", "casino_table"),
    "player": ("player",),
    "state": ("state",),
}


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
    def of_all_facets(self) -> Selection:
        return replace(self, values={})

    @property
    def narrowed(self) -> bool:
        return bool(self.values or self.states or self.least is not None or self.words)

    @property
    def key(self) -> Any:
        return (self.run, tuple(self.values.items()), self.states, self.least, self.words)
