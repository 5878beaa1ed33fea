"""All that the interpreters have to know of one fact, in one place.

The game file says what a fact is and means; its home says how it is read off a scene, and what
the others make of it: the memory, the proofs, the comparison of texts, the columns, the edge. All
their lists are derived from these. What is left out is the safe answer: remembered for its moment
only, not modelled by the proofs and named there, not filled by the columns (which then leave the
round to this evaluator), not followed by an edge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from checker.evaluate.conditions import Value
from checker.evaluate.memory.shelves import MOMENT

Read = Callable[[Any], Value]


@dataclass(frozen=True, slots=True)
class Fixed:
    """The same in every round that the columns judge; others are passed on."""

    value: Any


@dataclass(frozen=True, slots=True)
class Home:
    read: Read
    reads: int = MOMENT
    """What it depends on beyond the round, its records and its shoe: how long a reply holds."""
    of_dealer: Literal["", "cards", "none"] = ""
    """A fact of a hand, asked of the dealer's: read off the dealer's cards, or a mark that such a
    hand never has."""
    proof: Literal["held", "varied", "event", "stake"] = "held"
    """In the search over hands it stands at its ordinary value, goes through all its values, comes
    about by an event of its own, or is one of the stakes."""
    varied_for: Literal[
        "", "choices", "deciding", "splitting", "dealer draw", "side bets", "hands"
    ] = ""
    """The questions for which a fact that is held goes through its values all the same."""
    choice_event: str = ""
    """The event that brings it about before a choice."""
    rows: Literal["", "cards", "wager", "first_hand", "later_hands", "dealer"] = ""
    """What part of a hand it looks at: it is read once for all hands that are alike there."""
    dealt: bool = False
    """Held by the proofs, but shown by the hands that two texts are compared on."""
    rests_on: Literal["", "results", "draw", "bonus", "bonus amount"] = ""
    """It is worked out from what the rules say of something else."""
    fixed: Fixed | None = None
    column: tuple[str, ...] | None = None
    """What the columns work out before it, where that is not what its group needs."""
    edge: Literal["", "alone", "ordinary", "limits", "dealt"] = ""
    """The calculation of an edge supposes one player alone, nothing out of the ordinary, stakes
    within the limits; or goes through its values."""


@dataclass(frozen=True, slots=True)
class FactTable:
    """How the facts of a kind of game are read off its scenes: a value that an engine is given."""

    homes: Mapping[str, Home]
    of_card: Callable[[str], Read | None]  # how cards by position are read
    worth: Callable[[Any, str], Any]  # what a card counts that comes first to a hand


class Readers(dict[str, Read]):
    """The reader of each fact; those of cards by position are made as they are asked for."""

    def __init__(self, table: FactTable) -> None:
        super().__init__({name: home.read for name, home in table.homes.items()})
        self._of_card = table.of_card

    def __missing__(self, name: str) -> Read:
        read = self._of_card(name)
        if read is None:
            raise KeyError(name)
        return read
