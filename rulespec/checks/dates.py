"""Versions of a clause in time: together, with a hole between them, outside their rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import pairwise

from rulespec.base.diagnostics import Diagnostic, Related
from rulespec.base.spans import Span
from rulespec.resolve.clause_entry import ClauseEntry
from rulespec.resolve.rulebook import Rulebook
from rulespec.tree import nodes as t


def dates(rulebook: Rulebook) -> list[Diagnostic]:
    versions: dict[str, list[ClauseEntry]] = {}
    for entry in rulebook.clauses:
        versions.setdefault(entry.id, []).append(entry)
    found: list[Diagnostic] = []
    for entries in versions.values():
        entries.sort(key=lambda e: e.start or date.min)
        for earlier, later in pairwise(entries):
            found.extend(_between(rulebook.id, earlier, later))
        for entry in entries:
            found.extend(_outside(rulebook, entry))
    return found


def _between(rulebook: str, earlier: ClauseEntry, later: ClauseEntry) -> Iterator[Diagnostic]:
    """`until` is the first day without the clause, so versions meet when the dates are equal."""
    if later.start is not None and earlier.end == later.start:
        return
    if later.start is None or earlier.end is None or earlier.end > later.start:
        since = f" from {later.start}" if later.start else ""
        yield Diagnostic(
            "R210",
            f"two versions of clause `{later.id}` are in force together{since}",
            _in_force(later),
            rulebook,
            later.id,
            (Related(earlier.id, "earlier version", _in_force(earlier)),),
            f"end the earlier version with `until {later.start}`" if later.start else None,
        )
    else:
        yield Diagnostic(
            "R211",
            f"no version of clause `{later.id}` is in force from {earlier.end} until {later.start}",
            _in_force(later),
            rulebook,
            later.id,
            (Related(earlier.id, "earlier version", _in_force(earlier)),),
            "`until` is the first day on which it is no longer in force",
        )


def _outside(rulebook: Rulebook, entry: ClauseEntry) -> Iterator[Diagnostic]:
    lines = [s for s in entry.tree.statements if isinstance(s, t.InForce)]
    if not lines:
        return
    line = lines[0]
    end = line.end or entry.end
    message = None
    if rulebook.start is not None and line.start < rulebook.start:
        message = f"is in force from {line.start}, before its rulebook begins on {rulebook.start}"
    elif rulebook.end is not None and line.start >= rulebook.end:
        message = f"is in force from {line.start}, when its rulebook has ended on {rulebook.end}"
    elif rulebook.end is not None and end is not None and end > rulebook.end:
        message = f"is in force until {end}, but its rulebook ends on {rulebook.end}"
    if message is not None:
        yield Diagnostic(
            "R220",
            f"clause `{entry.id}` {message}",
            line.span,
            rulebook.id,
            entry.id,
            help="a rulebook is in force at least as long as each of its clauses",
        )


def _in_force(entry: ClauseEntry) -> Span:
    """The line that dates a version, or its number when it has the dates of its rulebook."""
    for statement in entry.tree.statements:
        if isinstance(statement, t.InForce):
            return statement.span
    return entry.tree.id_span
