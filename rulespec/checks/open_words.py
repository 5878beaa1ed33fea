"""Where the printed words are not enough: readings that fill them in, cases left open, remarks."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.base.diagnostics import Diagnostic, Related
from rulespec.checks.ledger import ClauseList
from rulespec.resolve.rulebook import Rule, Rulebook
from rulespec.tree import nodes as t


def open_words(rulebook: Rulebook, clause_list: ClauseList | None) -> list[Diagnostic]:
    noted = _noted(rulebook, clause_list) if clause_list else ()
    return [*_left_open(rulebook), *_read(rulebook), *noted]


def _noted(rulebook: Rulebook, clause_list: ClauseList) -> Iterator[Diagnostic]:
    """What the list of the printed clauses remarks, once for all clauses with the same remark."""
    entries = {entry.id: entry for entry in rulebook.clauses}
    remarks: dict[str, list[str]] = {}
    for clause in clause_list.clauses:
        if clause.note is not None and clause.id in entries:
            remarks.setdefault(clause.note, []).append(clause.id)
    for remark, clauses in remarks.items():
        more = f" and {len(clauses) - 1} more" if len(clauses) > 1 else ""
        yield Diagnostic(
            "R224",
            f"`{clauses[0]}`{more}: {remark}",
            entries[clauses[0]].tree.id_span,
            rulebook.id,
            clauses[0],
            tuple(Related(c, "the same", entries[c].tree.id_span) for c in clauses[1:]),
            f"noted in the list of clauses, `{clause_list.path.name}`",
        )


def _left_open(rulebook: Rulebook) -> Iterator[Diagnostic]:
    """What the text does not decide, once for each clause and reason."""
    readings = {reading.name: reading for reading in rulebook.readings}
    seen: dict[tuple[str, str], Rule] = {}
    for rule in rulebook.rules:
        if rule.note is not None and str(rule.value).startswith("undecided"):
            seen.setdefault((rule.clause, rule.note), rule)
    for (clause, why), rule in seen.items():
        reading = readings.get(rule.reading or "")
        yield Diagnostic(
            "R222",
            f"`{clause}` leaves a case open: {why}",
            rule.span,
            rulebook.id,
            clause,
            _others(reading, clause) if reading else (),
            f"as read in `{reading.name}`: {reading.because}" if reading else None,
        )


def _read(rulebook: Rulebook) -> Iterator[Diagnostic]:
    """Readings that decide something, and so go beyond the words."""
    undecided = {
        r.reading for r in rulebook.rules if str(r.value).startswith("undecided") and r.reading
    }
    for reading in rulebook.readings:
        if not reading.active or reading.name in undecided:
            continue
        clauses = [ref.id for ref in _clauses(reading)] or _mentioned(rulebook, reading)
        applied = f"`{clauses[0]}` is" if clauses else "the text is"
        yield Diagnostic(
            "R223",
            f"{applied} not applied by the words alone: reading `{reading.name}`",
            reading.span,
            rulebook.id,
            clauses[0] if clauses else None,
            _others(reading, clauses[0]) if clauses else (),
            reading.because,
        )


def _mentioned(rulebook: Rulebook, reading: t.Reading) -> list[str]:
    """The clauses that the reason of a reading names; a reading need not change any rule."""
    known = {entry.id for entry in rulebook.clauses}
    words = (word.strip(",.;:") for word in reading.because.split())
    return [word for word in words if word in known]


def _clauses(reading: t.Reading) -> list[t.ClauseRef]:
    found: dict[str, t.ClauseRef] = {}
    for line in reading.lines:
        named = (line.clause,) if isinstance(line, t.Under) else (line.winner, *line.losers)
        found.update({ref.id: ref for ref in named if ref.id not in found})
    return list(found.values())


def _others(reading: t.Reading, clause: str) -> tuple[Related, ...]:
    return tuple(
        Related(ref.id, "read together with it", ref.span)
        for ref in _clauses(reading)
        if ref.id != clause
    )
