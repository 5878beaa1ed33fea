"""Readings that were made for words which an amendment has replaced."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.base.diagnostics import Diagnostic, Related
from rulespec.resolve.rulebook import Rulebook
from rulespec.tree import nodes as t


def readings_of_replaced_clauses(rulebook: Rulebook) -> list[Diagnostic]:
    return list(_kept(rulebook)) if rulebook.before is not None else []


def _kept(rulebook: Rulebook) -> Iterator[Diagnostic]:
    """A reading of the text before goes on to apply; somebody should look whether it still fits."""
    assert rulebook.before is not None
    old = {r.name: r for r in rulebook.before.readings}
    replaced = {
        line.clause.id: line.clause
        for amend in rulebook.amendments
        for line in amend.lines
        if isinstance(line, t.ReplaceClause)
    }
    for reading in rulebook.readings:
        if reading.active and old.get(reading.name) == reading:
            under = {line.clause.id: line for line in reading.lines if isinstance(line, t.Under)}
            for clause in sorted(under.keys() & replaced.keys()):
                yield Diagnostic(
                    "R221",
                    f"reading `{reading.name}` was made for the words that clause `{clause}` had "
                    f"before {rulebook.amended_from}",
                    replaced[clause].id_span,
                    rulebook.id,
                    clause,
                    (Related(clause, "as it was read", under[clause].clause.span),),
                    f"where it no longer fits, `revoke reading {reading.name}`",
                )
