"""What two texts that are compared are called."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from checker.diff.diff import Difference
from rulespec.resolve.rulebook import Rulebook
from rulespec.tree import nodes as t


@dataclass(frozen=True, slots=True)
class Amendment:
    """What amended a text, since when."""

    title: str
    instrument: str
    day: date

    @property
    def name(self) -> str:
        return self.instrument or self.title or "an amendment"

    def as_json(self) -> dict[str, object]:
        return {
            "title": self.title,
            "instrument": self.instrument,
            "in_force_from": self.day.isoformat(),
        }


def amendments(book: Rulebook) -> list[Amendment]:
    """All that amended a text, the earliest first."""
    found: list[Amendment] = []
    for text in reversed(list(book.texts)):
        for amend in text.amendments:
            said = {x.key: x.text for x in amend.lines if isinstance(x, t.TextProperty)}
            assert text.amended_from is not None
            found.append(
                Amendment(said.get("title", ""), said.get("instrument", ""), text.amended_from)
            )
    return found


def dated(book: Rulebook) -> str:
    """Since when a text is in force, and since when as amended by what; empty when it does not
    say."""
    words = [f"in force from {book.start}"] if book.start else []
    words += [f"as amended from {x.day} by {x.name}" for x in amendments(book)]
    return ", ".join(words)


def headings(found: Difference) -> tuple[str, str]:
    """What the two texts are called: what amended them if anything did, or else how they were
    named where they are versions of one rulebook."""
    return _heading(found, 0), _heading(found, 1)


def _heading(found: Difference, place: int) -> str:
    book = (found.old, found.new)[place]
    amended = amendments(book)
    if amended and found.old.id == found.new.id:
        by = " and ".join(f"{x.name} ({x.day})" for x in amended)
        return f"{book.id} as amended by {by}"
    named = found.named[place] if found.named else book.id
    if found.old.id != found.new.id or book.id in named:
        return named if found.old.id == found.new.id else book.id
    return f"{book.id} ({named})"
