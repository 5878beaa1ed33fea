"""Which clauses of the printed text are encoded, which cannot be checked, which are missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from rulespec.base.diagnostics import Diagnostic, ordered
from rulespec.checks.acceptance import apply_acceptances
from rulespec.checks.ledger import CLASSES, STANDINGS, LedgerRow, ledger, load_clause_list
from rulespec.load.load import Loaded

# Missing, silent, or called not checkable although it is not: what keeps a text from being covered.
GAPS = ("R212", "R214", "R216")

Counts = dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class BookCoverage:
    """The ledger of one rulebook; `listed` says whether a clause list stands beside it."""

    rulebook: str
    title: str
    listed: bool
    rows: tuple[LedgerRow, ...]

    @property
    def counts(self) -> Counts:
        return count(self.rows)

    def as_json(self) -> dict[str, Any]:
        return {
            "rulebook": self.rulebook,
            "title": self.title,
            "clause_list": self.listed,
            "total": totals(self.rows),
            "by_class": self.counts,
            "clauses": [row.as_json() for row in self.rows],
        }


@dataclass(frozen=True, slots=True)
class Coverage:
    books: Sequence[BookCoverage]
    findings: Sequence[Diagnostic] = ()
    accepted: Sequence[Diagnostic] = field(default=())

    @property
    def rows(self) -> list[LedgerRow]:
        return [row for book in self.books for row in book.rows]

    @property
    def unlisted(self) -> list[str]:
        """Rulebooks without a clause list: what may be missing from them nobody can tell."""
        return [book.rulebook for book in self.books if not book.listed]

    def summary(self) -> dict[str, Any]:
        return {
            "total": totals(self.rows),
            "by_class": count(self.rows),
            "without_clause_list": self.unlisted,
            "rulebooks": [book.as_json() for book in self.books],
        }


def coverage(loaded: Iterable[Loaded], today: date) -> Coverage:
    """The ledgers of the rulebooks, with the gaps as findings."""
    books: list[BookCoverage] = []
    found: list[Diagnostic] = []
    accepted: list[Diagnostic] = []
    for one in loaded:
        clause_list, broken_list = load_clause_list(one.path)
        found += [*(d for d in one.diagnostics if d.unusable), *broken_list]
        if one.rulebook is None or broken_list:
            continue
        book = ledger(one.rulebook, clause_list)
        gaps = [d for d in book.diagnostics if d.code in GAPS]
        still_open, excused = apply_acceptances(one.rulebook, gaps, today, GAPS)
        # Whether an acceptance is still needed is for `rulespec check` to say.
        found += [d for d in still_open if d.code in GAPS]
        accepted += excused
        books.append(
            BookCoverage(one.rulebook.id, one.rulebook.title, clause_list is not None, book.rows)
        )
    return Coverage(books, ordered(found), ordered(accepted))


def count(rows: Iterable[LedgerRow]) -> Counts:
    """By class, how many clauses have each standing; every class is there, also with none."""
    table: Counts = {name: dict.fromkeys((*STANDINGS, "total"), 0) for name in CLASSES}
    for row in rows:
        line = table.setdefault(row.clause_class, dict.fromkeys((*STANDINGS, "total"), 0))
        line[row.standing] += 1
        line["total"] += 1
    return table


def totals(rows: Iterable[LedgerRow]) -> dict[str, int]:
    """How many clauses have each standing, whatever their class."""
    line: dict[str, int] = dict.fromkeys((*STANDINGS, "total"), 0)
    for row in rows:
        line[row.standing] += 1
        line["total"] += 1
    return line
