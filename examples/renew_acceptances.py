"""Write anew what the acceptances of rule files are for, from what `rulespec check` finds now.

    python examples/renew_acceptances.py [RULES …]

Each acceptance keeps its reason, and gets the words (states, stakes, references, terms) of the
findings at its clauses; both are printed, to be read: the reason has to be the reason of all that
it then covers. What nothing is found for is taken out; what no acceptance is meant for is listed,
and stays open. Only for use after the findings were compared with the source: an acceptance says
that this was done.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

from checker.check import check
from rulespec.base.diagnostics import Diagnostic
from rulespec.checks.acceptance import is_near, to_write
from rulespec.load.named import load_named
from rulespec.resolve.rulebook import Rulebook
from rulespec.syntax.printer import format_text
from rulespec.tree import nodes as t

ABOUT_ACCEPTANCES = frozenset({"R215", "R219", "R230"})


def renew(book: Rulebook, found: list[Diagnostic]) -> list[Diagnostic]:
    """Rewrite the files of one rulebook; what is left open comes back."""
    meant: dict[int, list[Diagnostic]] = {id(a): [] for a in book.acceptances}
    left: list[Diagnostic] = []
    for one in found:
        near = [a for a in book.acceptances if is_near(a, one, book)]
        if near:
            meant[id(max(near, key=lambda a: _fit(a, one)))].append(one)
        elif one.severity != "note":
            left.append(one)
    for file in {a.span.file for a in book.acceptances}:
        _rewrite(book, Path(file), [a for a in book.acceptances if a.span.file == file], meant)
    return left


def _fit(acceptance: t.Accept, found: Diagnostic) -> tuple[bool, bool]:
    """Whether the acceptance names something that the finding is about, and its own clause."""
    named = any(word.text in found.about for word in acceptance.only)
    return named, any(ref.id == found.clause for ref in acceptance.clauses)


def _rewrite(
    book: Rulebook, path: Path, acceptances: list[t.Accept], meant: dict[int, list[Diagnostic]]
) -> None:
    lines = path.read_text(encoding="utf-8").split("\n")
    for acceptance in sorted(acceptances, key=lambda a: a.span, reverse=True):
        span = acceptance.span
        found = meant[id(acceptance)]
        until = f" until {acceptance.until}" if acceptance.until else ""
        reached = [
            ref.id
            for ref in acceptance.clauses
            if any(is_near(replace(acceptance, clauses=(ref,)), one, book) for one in found)
        ]
        head = to_write(found, reached) if found else ""
        kept = f'{head} because "{acceptance.because}"{until}' if found else ""
        first, last = lines[span.start_line - 1], lines[span.end_line - 1]
        whole = first[: span.start_column - 1] + kept + last[span.end_column - 1 :]
        lines[span.start_line - 1 : span.end_line] = [whole] if whole.strip() else []
        print(f"{path.name}:{span.start_line}: {acceptance.because}")
        for one in found:
            print(f"    {one.code} at {one.clause}: {one.message}")
        if not found:
            print(f"    nothing is found for `{acceptance.code}`: taken out")
    text, wrong = format_text("\n".join(lines), str(path))
    assert text is not None, wrong
    path.write_text(text, encoding="utf-8")


def main(names: list[str]) -> None:
    books, _ = load_named(names, whole=True)
    for book in books:
        rulebook = book.loaded.rulebook
        assert rulebook is not None
        report = check([str(book.loaded.path)], date.today(), accept=False)
        found = [
            d
            for d in report.findings
            if isinstance(d, Diagnostic) and d.code not in ABOUT_ACCEPTANCES
        ]
        for one in renew(rulebook, found):
            print(f"{rulebook.id}: open: {to_write([one])}\n    {one.message}")


if __name__ == "__main__":
    main(sys.argv[1:])
