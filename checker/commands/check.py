"""`rulespec check`: errors in rule files, and flaws of the printed text."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checker.commands.common import add_command, day, emit, note

if TYPE_CHECKING:
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
        "nowhere,\nnumbers printed twice, terms without a meaning, dates that leave a hole, side "
        "bets on which\nthe player has the edge; and, over all hands that can be dealt, for "
        "contradictions, gaps and rules\nthat never count, each with a hand that shows it.",
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
        "--no-proofs", action="store_true",
        help="do not look for contradictions, gaps and dead rules over all hands",
    )  # fmt: skip
    parser.add_argument(
        "--budget", type=_seconds, metavar="SECONDS",
        help="stop proving after so long; what was not decided is listed (status 3)",
    )  # fmt: skip
    parser.add_argument(
        "--save-witnesses", type=Path, metavar="DIR",
        help="write the hands that show the findings as scenario files",
    )  # fmt: skip
    parser.add_argument(
        "--today", type=day, metavar="DATE", help="judge end dates of acceptances as on this day"
    )


def run(args: argparse.Namespace) -> int:
    today = args.today or date.today()
    report = check(
        args.rules, today, accept=not args.no_accept, proofs=not args.no_proofs,
        budget=args.budget, witnesses=args.save_witnesses,
    )  # fmt: skip
    for line in report.summary.get("undecided", ()):
        note(args, f"not decided in the time given: {line}")
    for path in report.summary.get("witness_files", ()):
        note(args, f"witnesses written to `{path}`")
    return emit(args, report)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of seconds")
    return seconds


def check(
    names: Sequence[str],
    today: date,
    *,
    accept: bool = True,
    proofs: bool = True,
    budget: float | None = None,
    witnesses: Path | None = None,
) -> Report:
    """Load and check what the names stand for; no names means all shipped rulebooks."""
    from checker.commands.named import inputs_of, load_named
    from checker.report import Report, count_by, severity_counts
    from rulespec.diagnostics import ordered
    from rulespec.static_check import static_check

    books, found = load_named(names, whole=True)
    for book in books:
        found += [d for d in static_check(book.loaded, today) if _concerns(d, book)]
        found += _player_edges(book, today)
    undecided: list[str] = []
    written: list[str] = []
    if proofs:
        deadline = None if budget is None else time.monotonic() + budget
        for book in books:
            if book.loaded.usable and not any(d.unusable for d in found):
                proven, left, path = _proofs(book, today, deadline, witnesses)
                found += proven
                undecided += left
                written += [str(path)] if path else []
    if not accept:
        found = [replace(d, accepted=None) for d in found]
    found = _once(ordered(found))
    findings = [d for d in found if d.accepted is None]
    accepted = [d for d in found if d.accepted is not None]
    usable = [book.loaded.rulebook for book in books if book.loaded.rulebook is not None]
    summary: dict[str, Any] = {
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
                "findings": sum(
                    d.rulebook == rulebook.id and d.severity != "note" for d in findings
                ),
                "notes": sum(d.rulebook == rulebook.id and d.severity == "note" for d in findings),
                "accepted": sum(d.rulebook == rulebook.id for d in accepted),
            }
            for rulebook in usable
        },
    }
    if undecided:
        summary["undecided"] = undecided
    if written:
        summary["witness_files"] = written
    return Report(
        "check",
        inputs_of(books),
        findings,
        accepted,
        summary,
        undecided=len(undecided),
        matched=bool(books),
        texts={str(b.loaded.path): b.data for b in books if b.data is not None},
    )


def _player_edges(book: Book, today: date) -> list[Diagnostic]:
    """Bets on which the house loses in the long run (R301), with what the rule file accepts."""
    from rulespec.acceptance import apply_acceptances

    rulebook = book.loaded.rulebook
    if rulebook is None or not book.loaded.usable:
        return []
    found: list[Diagnostic] = []
    priced = {r.question for r in rulebook.rules if r.question.endswith(".odds")}
    if priced - {"main.odds", "super_bonus.odds"}:  # else there is nothing to load the engine for
        from checker.edge import check_edges

        found = check_edges(rulebook, book.day)
    still_open, accepted = apply_acceptances(rulebook, found, today, {"R301"})
    # on one day, an acceptance may be meant for the text of another
    return [d for d in (*still_open, *accepted) if book.day is None or d.code == "R301"]


def _proofs(
    book: Book, today: date, deadline: float | None, witnesses: Path | None
) -> tuple[list[Diagnostic], list[str], Path | None]:
    """What holds or fails over all hands that can be dealt, and what was not decided in time."""
    from checker.proof_cache import cache_key, recall, remember
    from checker.proof_findings import PROOF_CODES, proof_findings, save_witnesses
    from checker.prove import prove, text_in_force
    from rulespec.acceptance import apply_acceptances

    rulebook = book.loaded.rulebook
    assert rulebook is not None
    text = text_in_force(rulebook, book.day)
    key = cache_key(book.loaded, text)
    found = recall(key)
    left: list[str] = []
    if found is None:
        proofs = prove(text, None if deadline is None else max(0.0, deadline - time.monotonic()))
        found = proof_findings(text, proofs)
        left = [f"{rulebook.id}: {what}" for what in proofs.undecided]
        if not left:
            remember(key, found)
    path = save_witnesses(witnesses, rulebook, found) if witnesses is not None else None
    still_open, accepted = apply_acceptances(
        rulebook, found, today, PROOF_CODES if not left else frozenset()
    )
    if left:  # what is accepted may be among what was not decided
        accepted_too = apply_acceptances(rulebook, found, today, PROOF_CODES)[1]
        names = {d.fingerprint for d in accepted_too}
        still_open, accepted = [d for d in found if d.fingerprint not in names], accepted_too
    shown = [d for d in (*still_open, *accepted) if book.day is None or d.code in PROOF_CODES]
    return shown, left, path


def _concerns(found: Diagnostic, book: Book) -> bool:
    """With `id@day`, not what is only found in clauses that are not in force on that day."""
    rulebook = book.loaded.rulebook
    if book.day is None or rulebook is None or found.unusable:
        return True
    versions = [c for c in rulebook.clauses if c.id == found.clause]
    return not versions or any(c.in_force(book.day) for c in versions)


def _once(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Rulebooks that include one file all find what is wrong with it: said once is enough."""
    return list({(d.fingerprint, d.accepted, d.span): d for d in diagnostics}.values())
