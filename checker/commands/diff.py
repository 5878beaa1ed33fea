"""`rulespec diff`: what changed between two texts, in structure and in meaning."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from checker.commands.output import add_command, emit, write_result

if TYPE_CHECKING:
    from checker.commands.output import Subparsers

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
        "--full",
        action="store_true",
        help="open every class: clauses with their titles, the round that shows it, all variants",
    )
    parser.add_argument(
        "--budget",
        type=_seconds,
        metavar="SECONDS",
        help="stop comparing after so long; what was not decided is listed (status 3)",
    )


def run(args: argparse.Namespace) -> int:
    from checker.diff.by_name import diff_by_name

    report = diff_by_name(args.old, args.new, args.budget)
    found = report.difference
    if found is None and args.format != "json":
        args.format = "text"  # what is wrong with the rules is no comparison
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


def _seconds(text: str) -> float:
    from checker.commands.check import _seconds as seconds

    return seconds(text)
