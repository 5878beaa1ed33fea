"""`rulespec diff`: what changed between two texts, in structure and in meaning."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from checker.commands.output import add_command, emit, write_result

if TYPE_CHECKING:
    from checker.commands.output import Subparsers
    from checker.diff.diff import Difference
    from checker.report import Report

FORMATS = ("text", "json", "markdown", "html")


def register(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "diff",
        "Show what changed between two texts: which clauses were added, removed, renumbered or "
        "reworded,\nand what that means at the table: every class of hands that comes out "
        "differently, with a hand\nthat shows it, the clauses that decide on both sides, and who "
        "gains. Status 0: same meaning,\nproven; 1: different meaning; 3: not decided.",
        FORMATS,
    )
    what = "an id, id@date, a .rules file or a git revision (REV:path)"
    parser.add_argument("old", metavar="OLD", help=what)
    parser.add_argument("new", metavar="NEW", help="the same for the text that is compared with it")
    parser.add_argument(
        "--full", action="store_true",
        help="open every class: clauses with their titles, the round that shows it, all variants",
    )  # fmt: skip
    parser.add_argument(
        "--budget", type=_seconds, metavar="SECONDS",
        help="stop comparing after so long; what was not decided is listed (status 3)",
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    report, found = compare(args.old, args.new, args.budget)
    if found is None or args.format == "json":
        return emit(args, report)
    from checker.render.diff_html import diff_html
    from checker.render.diff_markdown import diff_markdown
    from checker.render.diff_text import diff_text

    if args.format == "text":
        return emit(args, report, lambda view: diff_text(found, view))
    drawn = diff_html(found) if args.format == "html" else diff_markdown(found, args.full)
    write_result(drawn, args.output, "utf-8")
    return report.exit_status


def compare(old: str, new: str, budget: float | None = None) -> tuple[Report, Difference | None]:
    """The report on two texts by their names; no difference when one of them cannot be used."""
    from checker.commands.named import inputs_of, load_one
    from checker.prove.all_texts import text_in_force
    from checker.report import Report, severity_counts

    one, wrong = load_one(old)
    other, more = load_one(new)
    books = [book for book in (one, other) if book is not None]
    texts = {str(b.loaded.path): b.data for b in books if b.data is not None}
    if one is None or other is None:
        faults = list({d.fingerprint: d for d in (*wrong, *more)}.values())
        summary = {"findings": len(faults), **severity_counts(faults)}
        return Report("diff", inputs_of(books), faults, (), summary, texts=texts), None
    from checker.diff.diff import diff
    from checker.diff.findings import findings
    from checker.diff.findings import summary as summary_of

    assert one.loaded.rulebook is not None
    assert other.loaded.rulebook is not None
    whole = (one.loaded.rulebook, other.loaded.rulebook)
    found = diff(
        text_in_force(whole[0], one.day), text_in_force(whole[1], other.day), budget,
        whole if one.day is None and other.day is None else None, (old, new),
    )  # fmt: skip
    listed = findings(found)
    summary = {**summary_of(found), "findings": len(listed), **severity_counts(listed)}
    undecided = 0 if found.decided else max(1, len(found.meaning.undecided))
    return Report(
        "diff", inputs_of(books), listed, (), summary, undecided=undecided, texts=texts
    ), found


def _seconds(text: str) -> float:
    from checker.commands.check import _seconds as seconds

    return seconds(text)
