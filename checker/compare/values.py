"""What a rulebook says about one row of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal[
    "may",
    "must",
    "result",
    "returns",
    "settles",
    "bound",
    "dealer",
    "casino",
    "term",
    "keeps",
    "clauses",
    "points",
    "rounding",
    "asks",
    "deck",
    "breaks",
    "printed",
]

NOT_CHECKABLE = "°"
SEE_CLAUSE = "§"

Standing = Literal["said", "open", "undecided", "not checkable", "see clause", "silent"]
CANNOT_ARISE = "cannot arise"


@dataclass(frozen=True, slots=True)
class Cell:
    """One answer: what the rules say, by which clauses, or that they cannot tell."""

    value: str | None
    clauses: tuple[str, ...] = ()
    note: str | None = None
    standing: Standing = "said"
    readings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        match self.standing:
            case "silent":
                return "–"
            case "open" | "undecided":
                return self.standing
            case "not checkable":
                return f"{NOT_CHECKABLE} {self.value}"
            case "see clause":
                return f"{SEE_CLAUSE} {self.value}"
            case _:
                return self.value or ""

    def as_json(self) -> dict[str, Any]:
        shown: dict[str, Any] = {
            "standing": self.standing,
            "value": self.value,
            "clauses": list(self.clauses),
        }
        if self.note:
            shown["note"] = self.note
        if self.readings:
            shown["readings"] = list(self.readings)
        return shown


SILENT = Cell(None, standing="silent")


def ranges(numbers: Sequence[int], whole: Sequence[int]) -> str:
    """`3 to 8`, `6 or 8`, `up to 7`, `at least 4`: the numbers that are permitted of all there
    are."""
    if not numbers:
        return "none"
    if list(numbers) == list(whole):
        return "any"
    low, high = numbers[0], numbers[-1]
    if list(numbers) == [n for n in whole if low <= n <= high]:
        if low == high:
            return str(low)
        if low == whole[0]:
            return f"up to {high}"
        return f"at least {low}" if high == whole[-1] else f"{low} to {high}"
    return " or ".join(str(n) for n in numbers)
