"""`rulespec check`: errors in rule files, and flaws of the printed text."""

from __future__ import annotations

import argparse
import atexit
import gc
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from checker.commands.output import add_command, day, emit, note, wrong_call

if TYPE_CHECKING:
    from checker.commands.output import Subparsers

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
        "rules",
        nargs="*",
        metavar="RULES",
        help="ids, .rules files or folders; `-` is standard input (without any: all that ship)",
    )
    parser.add_argument(
        "--no-accept", action="store_true", help="count findings that the rule file accepts as open"
    )
    parser.add_argument(
        "--full", action="store_true", help="show every related clause, and the accepted findings"
    )
    parser.add_argument(
        "--no-proofs",
        action="store_true",
        help="do not look for contradictions, gaps and dead rules over all hands",
    )
    parser.add_argument(
        "--phase-order",
        choices=("marked", "interim-first", "none"),
        default="marked",
        help="what only interim settlement first keeps apart: report it marked, not at all, or "
        "set that assumption aside and report all that it hides (default: marked)",
    )
    parser.add_argument(
        "--budget",
        type=_seconds,
        metavar="SECONDS",
        help="stop proving after so long; what was not decided is listed (status 3)",
    )
    parser.add_argument(
        "--save-witnesses",
        type=Path,
        metavar="DIR",
        help="write the hands that show the findings as scenario files",
    )
    parser.add_argument(
        "--today", type=day, metavar="DATE", help="judge end dates of acceptances as on this day"
    )


def run(args: argparse.Namespace) -> int:
    from checker.check import check

    today = args.today or date.today()
    made = _witness_folder(args.save_witnesses) if args.save_witnesses is not None else []
    collecting = gc.isenabled()
    gc.disable()  # rulebooks and proofs are kept to the end: looking for rubbish finds little
    atexit.register(gc.freeze)  # nor is it looked for in what is left then
    try:
        report = check(
            args.rules,
            today,
            accept=not args.no_accept,
            proofs=not args.no_proofs,
            budget=args.budget,
            witnesses=args.save_witnesses,
            phases=args.phase_order,
        )
    finally:
        if collecting:
            gc.freeze()
            gc.unfreeze()  # what there is now counts as old: it is not looked through at once
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
        wrong_call(
            "check",
            f"witnesses cannot be written to `{folder}`: {reason}",
            "name a folder in which this account may write",
        )
    return new


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of seconds")
    return seconds
