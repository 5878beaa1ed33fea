"""`rulespec check`: errors in rule files, and flaws of the printed text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from checker.commands.common import add_command, day, emit

if TYPE_CHECKING:
    import argparse

    from checker.commands.common import Subparsers
    from checker.commands.named import Book
    from checker.report import Report
    from rulespec.diagnostics import Diagnostic

FORMATS = ("text", "json", "sarif", "junit", "github")


def register(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "check",
        "Look for errors in rule files, and for flaws in the printed text: references that lead "
        "nowhere,\nnumbers printed twice, terms without a meaning, dates that leave a hole.",
        FORMATS,
    )
    parser.add_argument(
        "rules", nargs="*", metavar="RULES",
        help="ids, .rules files or folders; `-` is standard input (without any: all that ship)",
    )  # fmt: skip
    parser.add_argument(
        "--no-accept", action="store_true", help="count findings that the rule file accepts as open"
    )
    parser.add_argument(
        "--full", action="store_true", help="show every related clause, and the accepted findings"
    )
    parser.add_argument(
        "--today", type=day, metavar="DATE", help="judge end dates of acceptances as on this day"
    )


def run(args: argparse.Namespace) -> int:
    today = args.today or date.today()
    return emit(args, check(args.rules, today, accept=not args.no_accept))


def check(names: Sequence[str], today: date, *, accept: bool = True) -> Report:
    """Load and check what the names stand for; no names means all shipped rulebooks."""
    from checker.commands.named import inputs_of, load_named
    from checker.report import Report, count_by, severity_counts
    from rulespec.diagnostics import ordered
    from rulespec.static_check import static_check

    books, found = load_named(names, whole=True)
    for book in books:
        found += [d for d in static_check(book.loaded, today) if _concerns(d, book)]
    if not accept:
        found = [replace(d, accepted=None) for d in found]
    found = _once(ordered(found))
    findings = [d for d in found if d.accepted is None]
    accepted = [d for d in found if d.accepted is not None]
    usable = [book.loaded.rulebook for book in books if book.loaded.rulebook is not None]
    summary = {
        "rulebooks": len(usable),
        "checked": [rulebook.id for rulebook in usable],
        "clauses": sum(len(rulebook.clauses) for rulebook in usable),
        "findings": len(findings),
        **severity_counts(findings),
        "accepted": len(accepted),
        "by_code": count_by(findings, "code"),
        "accepted_by_code": count_by(accepted, "code"),
        "by_rulebook": {
            rulebook.id: {
                "clauses": len(rulebook.clauses),
                "findings": sum(d.rulebook == rulebook.id for d in findings),
                "accepted": sum(d.rulebook == rulebook.id for d in accepted),
            }
            for rulebook in usable
        },
    }
    return Report(
        "check",
        inputs_of(books),
        findings,
        accepted,
        summary,
        matched=bool(books),
        texts={str(b.loaded.path): b.data for b in books if b.data is not None},
    )


def _concerns(found: Diagnostic, book: Book) -> bool:
    """With `id@day`, not what is only found in clauses that are not in force on that day."""
    rulebook = book.loaded.rulebook
    if book.day is None or rulebook is None or found.unusable:
        return True
    versions = [c for c in rulebook.clauses if c.id == found.clause]
    return not versions or any(c.in_force(book.day) for c in versions)


def _once(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Rulebooks that include one file all find what is wrong with it: said once is enough."""
    return list({(d, d.span): d for d in diagnostics}.values())
