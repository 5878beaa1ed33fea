"""A rulebook and its clauses: contents, coverage, encoding, what cites what."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from checker.coverage import coverage
from checker.graph import EDGE_KINDS
from checker.store.selection import Selection
from checker.store.store import StoreError
from checker.workbench.clause_sources import LARGEST, printed, scenarios
from checker.workbench.drawings.highlight import highlighted
from checker.workbench.drawings.sections import sections_svg
from checker.workbench.page import Asked, Page
from checker.workbench.workspace import NotHere, Workspace
from rulespec.base.regular_files import read_regular
from rulespec.load.named import Book
from rulespec.resolve.clause_entry import ClauseEntry
from rulespec.resolve.rulebook import Rulebook

MOST_FINDINGS = 25


def rulebook(workspace: Workspace, asked: Asked) -> Page:
    name = asked.one("rules")
    book = workspace.book(name)
    text = _text(book)
    ledger = coverage([book.loaded], date.today()).books
    standing = {row.id: row.standing for row in ledger[0].rows} if ledger else {}
    sections: dict[str | None, list[ClauseEntry]] = {}
    for clause in text.clauses:
        sections.setdefault(clause.section, []).append(clause)
    titles = {section.id: section.title for section in text.sections}
    return Page(
        "rulebook.html",
        {
            "title": f"{text.title} ({text.id})",
            "name": name,
            "book": text,
            "sections": [
                (titles.get(key or "", key or ""), rows) for key, rows in sections.items()
            ],
            "standing": standing,
            "counts": ledger[0].counts if ledger else {},
            "graph_svg": sections_svg(workspace.graph(name)),
        },
    )


def clause(workspace: Workspace, asked: Asked) -> Page:
    name, number = asked.one("rules"), asked.one("clause")
    book = workspace.book(name)
    text = _text(book)
    entry = text.clause(number)
    if entry is None:
        raise NotHere(f"`{name}` has no clause `{number}`")
    drawn = workspace.graph(name)
    here = f"clause:{number}"
    labels = {node.id: node.label for node in drawn.nodes}
    known = {c.id for c in text.clauses}

    def ends(edges: list[Any], other: str) -> list[tuple[str, str, str | None]]:
        found = []
        for edge in edges:
            target = getattr(edge, other)
            kind, _, ident = target.partition(":")
            link = ident if kind == "clause" and ident in known else None
            found.append((EDGE_KINDS[edge.kind], labels.get(target, ident), link))
        return found

    run, total, rows = _findings(workspace, asked, text.id, number)
    return Page(
        "clause.html",
        {
            "title": f"{number} {entry.title}",
            "name": name,
            "book": text,
            "clause": entry,
            "encoding": highlighted(_source(entry)),
            "readings": [r for r in text.readings if number in _mentioned(r)],
            "acceptances": [a for a in text.acceptances if number in _mentioned(a)],
            "cites": ends([e for e in drawn.edges if e.source == here], "target"),
            "cited": ends([e for e in drawn.edges if e.target == here], "source"),
            "scenarios": scenarios(workspace, name, number),
            "history": _history(text, number),
            "printed": printed(workspace, name, number),
            "run": run,
            "total": total,
            "rows": rows,
        },
    )


def _text(book: Book) -> Rulebook:
    found = book.loaded.rulebook
    assert found is not None  # the workspace gives no other
    return found


def _source(entry: ClauseEntry) -> str:
    """The clause as its file has it."""
    span = entry.tree.span
    try:
        lines = read_regular(Path(span.file), LARGEST).decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    return "\n".join(lines[span.start_line - 1 : span.end_line])


def _mentioned(node: object) -> set[str]:
    """The clause numbers that stand in a reading or an acceptance."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            found.add(one)
        elif isinstance(one, list | tuple):
            waiting += one
        elif hasattr(one, "__dataclass_fields__"):
            waiting += [getattr(one, name) for name in one.__dataclass_fields__ if name != "span"]
    return found


def _history(text: Rulebook, number: str) -> list[tuple[str, str]]:
    """The clause in the texts before each amendment, the newest first, with its encoding."""
    found: list[tuple[str, str]] = []
    before: Rulebook | None = text.before
    since = text.amended_from
    while before is not None:
        entry = before.clause(number)
        told = _source(entry) if entry is not None else "the clause did not exist"
        found.append((f"before {since}" if since else "before the amendment", told))
        since = before.amended_from
        before = before.before
    return found


def _findings(
    workspace: Workspace, asked: Asked, rulebook: str, number: str
) -> tuple[int | None, int, list[Any]]:
    if not workspace.has_store:
        return None, 0, []
    with workspace.store() as store:
        try:
            run = store.run(asked.number("run") or None)
        except StoreError:
            return None, 0, []
        chosen = Selection(run.id, {"rulebook": (rulebook,), "clause": (number,)})
        total = store.totals(chosen).findings
        return run.id, total, store.findings(chosen, limit=MOST_FINDINGS)
