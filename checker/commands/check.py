"""`rulespec check`: errors in rule files, and flaws of the printed text."""

from __future__ import annotations

import argparse
import atexit
import gc
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from checker.commands.output import CannotWrite, add_command, day, emit, note, wrong_call

if TYPE_CHECKING:
    from checker.commands.named import Book
    from checker.commands.output import Subparsers
    from checker.report import Report
    from rulespec.base.diagnostics import Diagnostic

ASSUMPTIONS = {
    "interim-first": "interim settlement comes first; what only this order keeps apart is marked "
    "(`--phase-order` shows more or less of it)",
}
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
        "--phase-order", choices=("marked", "interim-first", "none"), default="marked",
        help="what only interim settlement first keeps apart: report it marked, not at all, or "
        "set that assumption aside and report all that it hides (default: marked)",
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
    made = _witness_folder(args.save_witnesses) if args.save_witnesses is not None else []
    collecting = gc.isenabled()
    gc.disable()  # rulebooks and proofs are kept to the end: looking for rubbish finds little
    atexit.register(gc.freeze)  # nor is it looked for in what is left then
    try:
        report = check(
            args.rules, today, accept=not args.no_accept, proofs=not args.no_proofs,
            budget=args.budget, witnesses=args.save_witnesses, phases=args.phase_order,
        )  # fmt: skip
    finally:
        if collecting:
            gc.enable()
        for folder in made:
            with suppress(OSError):  # it holds witnesses
                folder.rmdir()
    for name in report.summary.get("hidden_by", ()):
        word = "set aside" if args.phase_order == "none" else "assumed"
        note(args, f"{word}: {ASSUMPTIONS[name]}")
    for line in report.summary.get("undecided", ()):
        note(args, f"not decided: {line}")
    for path in report.summary.get("witness_files", ()):
        note(args, f"witnesses written to `{path}`")
    return emit(args, report)


def _witness_folder(folder: Path) -> list[Path]:
    """See that witnesses can be written before anything is proven; the folders that are new."""
    import tempfile

    new = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        reason = "it is a file" if folder.is_file() else (error.strerror or str(error)).lower()
        wrong_call("check", f"witnesses cannot be written to `{folder}`: {reason}",
                   "name a folder in which this account may write")  # fmt: skip
    return new


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
    phases: str = "marked",
) -> Report:
    """Load and check what the names stand for; no names means all shipped rulebooks."""
    from checker.commands.named import inputs_of, load_named, texts_of
    from checker.report import Report, count_by, severity_counts
    from rulespec.base.codes import STILL_CHECKED
    from rulespec.base.diagnostics import ordered
    from rulespec.checks.run import static_check

    books, found = load_named(names, whole=True)
    for book in books:
        found += [d for d in static_check(book.loaded, today) if _concerns(d, book)]
        found += _player_edges(book, today)
    more: dict[str, Any] = {}
    if proofs and not any(d.unusable and d.code not in STILL_CHECKED for d in found):
        deadline = None if budget is None else time.monotonic() + budget
        usable = [book for book in books if book.loaded.rulebook is not None]
        proven, more = _proofs(usable, today, deadline, witnesses, phases)
        found += proven
    if not accept:
        found = [replace(d, accepted=None) for d in found]
    found = _once(ordered(found))
    findings = [d for d in found if d.accepted is None]
    accepted = [d for d in found if d.accepted is not None]
    read = [book.loaded.rulebook for book in books if book.loaded.rulebook is not None]
    summary: dict[str, Any] = {
        "rulebooks": len(read),
        "checked": [rulebook.id for rulebook in read],
        "clauses": sum(len(rulebook.clauses) for rulebook in read),
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
            for rulebook in read
        },
    }
    summary |= more
    assumed = [d.witness["assumption"] for d in findings if d.witness and "assumption" in d.witness]
    if assumed:
        summary["hidden_by"] = {name: assumed.count(name) for name in dict.fromkeys(assumed)}
    return Report(
        "check",
        inputs_of(books),
        findings,
        accepted,
        summary,
        undecided=len(more.get("undecided", ())),
        matched=bool(books),
        texts=texts_of(books),
    )


def _player_edges(book: Book, today: date) -> list[Diagnostic]:
    """Bets on which the house loses in the long run (R301), with what the rule file accepts."""
    from rulespec.checks.acceptance import apply_acceptances

    rulebook = book.loaded.rulebook
    if rulebook is None or not book.loaded.usable:
        return []
    found: list[Diagnostic] = []
    priced = {r.question for r in rulebook.rules if r.question.endswith(".odds")}
    if priced - {"main.odds", "super_bonus.odds"}:  # else there is nothing to load the engine for
        from checker.edge.side_bets import check_edges

        found = check_edges(rulebook, book.day)
    still_open, accepted = apply_acceptances(rulebook, found, today, {"R301"})
    # on one day, an acceptance may be meant for the text of another
    return [d for d in (*still_open, *accepted) if book.day is None or d.code == "R301"]


def _proofs(
    books: list[Book], today: date, deadline: float | None, witnesses: Path | None, phases: str
) -> tuple[list[Diagnostic], dict[str, Any]]:
    """What holds or fails over all hands that can be dealt, and what the summary says of it."""
    from checker.prove.all_texts import prove_all, text_in_force
    from checker.scenarios.save_witnesses import save_witnesses

    texts = []
    for book in books:
        assert book.loaded.rulebook is not None
        texts.append((book.loaded, text_in_force(book.loaded.rulebook, book.day)))
    shown: list[Diagnostic] = []
    more: dict[str, list[str]] = {"undecided": [], "not_dealt": [], "witness_files": []}
    covers: dict[str, Any] = {}
    for book, record in zip(books, prove_all(texts, phases, deadline), strict=True):
        rulebook = book.loaded.rulebook
        assert rulebook is not None
        found = list(record.found)
        covers[rulebook.id] = record.cover
        more["undecided"] += [f"{rulebook.id}: {what}" for what in record.undecided]
        more["not_dealt"] += [f"{rulebook.id}: {what}" for what in record.not_dealt]
        if witnesses is not None:
            try:
                path = save_witnesses(witnesses, rulebook, found)
            except OSError as error:
                raise CannotWrite(witnesses, error) from None
            more["witness_files"] += [str(path)] if path else []
        shown += _accepted(book, found, today, whole=not record.undecided and phases == "marked")
    summary: dict[str, Any] = {name: told for name, told in more.items() if told}
    summary["proofs"] = covers
    return shown, summary


def _accepted(
    book: Book, found: list[Diagnostic], today: date, *, whole: bool
) -> list[Diagnostic]:
    """The findings, with the reason of those that the rule file accepts."""
    from checker.prove.findings import PROOF_CODES
    from rulespec.checks.acceptance import apply_acceptances

    assert book.loaded.rulebook is not None
    still_open, accepted = apply_acceptances(book.loaded.rulebook, found, today, PROOF_CODES)
    if not whole or book.day is not None:
        # what an acceptance is meant for may not have been looked for, or be of another day
        still_open = [d for d in still_open if d.code in PROOF_CODES]
    return [*still_open, *accepted]


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
