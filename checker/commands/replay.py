"""`rulespec replay`: recorded rounds judged by the approved rules."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from checker.commands.common import add_command, emit, wrong_call

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from checker.commands.common import Subparsers
    from checker.replay import Library

KINDS = ("settlement", "play", "deal", "wager", "integrity", "undecided")
SHOWN = 50


def register(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "replay",
        "Judge recorded rounds by the approved rules: which settlements, plays, deals and wagers "
        "does the text\nin force not allow, what should have been paid, and which clause says so.",
        ("text", "json", "jsonl", "csv"),
    )
    parser.add_argument(
        "logs", nargs="+", metavar="LOG",
        help="round logs (.jsonl, .gz, .zst, .parquet); `-` is standard input",
    )  # fmt: skip
    parser.add_argument(
        "--rules", metavar="RULES",
        help="judge every round by this rulebook (else by the id in the round)",
    )  # fmt: skip
    parser.add_argument("--table", metavar="ID", help="only this table")
    parser.add_argument("--from", dest="start", type=moment, metavar="TIME",
                        help="only rounds at or after this date or time")  # fmt: skip
    parser.add_argument("--to", dest="end", type=moment, metavar="TIME",
                        help="only rounds before this date or time")  # fmt: skip
    parser.add_argument("--clause", metavar="ID", help="only findings about this clause")
    parser.add_argument("--limit", type=int, metavar="N",
                        help=f"show at most N findings (text: {SHOWN} unless told)")  # fmt: skip
    parser.add_argument("--full", action="store_true", help="show every finding and every clause")
    parser.add_argument("--jobs", type=int, metavar="N",
                        help="judge on N cores (all, for a long log, unless told)")  # fmt: skip
    parser.add_argument(
        "--fail-on", metavar="KINDS", default=",".join(KINDS[:-1]),
        help="findings of which kinds make exit status 1 (comma-separated)",
    )  # fmt: skip
    parser.add_argument("--quarantine", metavar="FILE",
                        help="write lines that are no valid round to FILE, unchanged")  # fmt: skip
    parser.add_argument("--without-reading", action="append", default=[], metavar="NAME",
                        help="judge without this reading of the text")  # fmt: skip


def moment(text: str) -> datetime:
    import argparse

    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{text}` is not a date or time") from None
    return found if found.tzinfo else found.astimezone()


def run(args: argparse.Namespace) -> int:
    from checker.commands.replay_report import Sink

    wanted_kinds = [k.strip() for k in args.fail_on.split(",") if k.strip()]
    for kind in wanted_kinds:
        if kind not in KINDS:
            wrong_call("replay", f"there is no kind `{kind}`", "one of " + ", ".join(KINDS))
    if args.jobs is not None and args.jobs < 1:
        wrong_call("replay", "`--jobs` takes a number from 1 up")
    if args.limit is not None and args.limit < 0:
        wrong_call("replay", "`--limit` takes a number from 0 up")
    library, report = load_library(args.rules, args.without_reading)
    if library is None:
        assert report is not None
        return emit(args, report)  # type: ignore[arg-type]
    return Sink(args, library, wanted_kinds).run()


def load_library(
    rules: str | None, without: list[str]
) -> tuple[Library | None, object | None]:
    """The rulebooks to judge by, or a report of what is wrong with them."""
    from checker.commands.named import inputs_of, load_named
    from checker.replay import Library
    from checker.report import Report

    books, found = load_named([rules] if rules else [])
    for book in books:
        found += [d for d in book.loaded.diagnostics if d.unusable]
    if found or not books:
        return None, Report("replay", inputs_of(books), found, matched=bool(books))
    loaded = [b.loaded.rulebook for b in books if b.loaded.rulebook is not None]
    names = {reading.name for book in loaded for reading in book.readings}
    for name in without:
        if name not in names:
            wrong_call("replay", f"no rulebook has a reading `{name}`")
    loaded = [book.without_reading(*without) for book in loaded]
    only = loaded[0] if rules and len(loaded) == 1 else None
    return Library(loaded, only), None


def log_inputs(logs: list[str]) -> Iterator[object]:
    from pathlib import Path

    from checker.report import input_of

    for log in logs:
        if log != "-":
            yield input_of(Path(log), "log")
