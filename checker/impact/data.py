"""What two texts make of one round: the wagers that part, the plays that cannot be."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, order=True)
class Cause:
    """Why wagers settle differently: what they were and become, and who says so."""

    bet: str
    was: str
    becomes: str
    old_clauses: tuple[str, ...]
    new_clauses: tuple[str, ...]

    @property
    def text(self) -> str:
        return f"{self.bet}: {self.was} → {self.becomes}"


@dataclass(frozen=True, slots=True)
class Example:
    """A wager that settles differently, as it lay on the table."""

    round: str
    table: str
    line: int
    player: str
    box: int
    hand: int
    stake: int
    cards: str
    dealer: str
    old: int
    new: int


@dataclass(frozen=True, slots=True)
class Change:
    """A wager to which the two texts give back different amounts, in cents."""

    player: str
    cause: Cause
    old: int
    new: int
    example: Example | None = None

    @property
    def difference(self) -> int:
        """Above zero the player gains, below zero the house."""
        return self.new - self.old


@dataclass(frozen=True, slots=True)
class Forbidden:
    """A recorded play that only one of the texts forbids."""

    action: str
    clause: str
    by_new: bool


@dataclass(slots=True)
class RoundImpact:
    """What the two texts make of one round."""

    table: str
    rulebook: str | None
    wagers: int = 0  # settled under both texts
    old_returned: int = 0
    new_returned: int = 0
    changes: list[Change] = field(default_factory=list)
    forbidden: list[Forbidden] = field(default_factory=list)
    not_settled: int = 0  # wagers that a forbidden play leaves out
    undecided: list[tuple[str, str]] = field(default_factory=list)  # which text, why
    dealer_differs: bool = False
    occurred: set[int] = field(default_factory=set)  # classes of the diff, by their number
