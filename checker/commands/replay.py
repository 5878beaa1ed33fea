"""`rulespec replay`: recorded rounds judged by the approved rules."""

from __future__ import annotations

import os
from datetime import datetime
from typing import TYPE_CHECKING

from checker.commands.output import add_command, emit, writable, wrong_call
from rulespec.base.clause_ids import covers

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from checker.commands.output import Subparsers
    from checker.replay.replay import Library
    from checker.report import Input, Report

KINDS = ("settlement", "play", "deal", "wager", "integrity", "undecided")
SHOWN = 50
LOOKED_AT = 20  # rounds


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
    parser.add_argument("--force", action="store_true",
                        help="judge by --rules also what names another game")  # fmt: skip
    parser.add_argument("--table", metavar="ID", help="only this table")
    parser.add_argument("--from", dest="start", type=moment, metavar="TIME",
                        help="only rounds at or after this date or time")  # fmt: skip
    parser.add_argument("--to", dest="end", type=moment, metavar="TIME",
                        help="only rounds before this date or time")  # fmt: skip
    parser.add_argument("--clause", metavar="ID", help="only findings about this clause")
    parser.add_argument("--limit", type=int, metavar="N",
                        help=f"show at most N findings (text: {SHOWN} unless told)")  # fmt: skip
    parser.add_argument("--full", action="store_true", help="show every finding and every clause")
    parser.add_argument(
        "--engine", metavar="ENGINE", choices=("auto", "columns", "plain", "spark"),
        default="auto", help="auto, columns (fast, for long logs), plain, or spark (a cluster)",
    )  # fmt: skip
    parser.add_argument("--master", metavar="URL",
                        help="spark: the cluster, such as spark://host:7077")  # fmt: skip
    parser.add_argument("--results", metavar="FOLDER",
                        help="spark: write the findings to FOLDER as Parquet too")  # fmt: skip
    parser.add_argument("--jobs", type=int, metavar="N",
                        help="judge on N cores (all, for a long log, unless told)")  # fmt: skip
    parser.add_argument(
        "--fail-on", metavar="KINDS", default=",".join(KINDS[:-1]),
        help="findings of which kinds make exit status 1 (comma-separated)",
    )  # fmt: skip
    parser.add_argument("--quarantine", type=writable, metavar="FILE",
                        help="write lines that are no valid round to FILE, unchanged")  # fmt: skip
    parser.add_argument("--without-reading", action="append", default=[], metavar="NAME",
                        help="judge without this reading of the text")  # fmt: skip


def moment(text: str) -> datetime:
    import argparse

    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"`{text}` is not a date or time; write it as 2024-08-19 or 2024-08-19T21:00"
        ) from None
    return found  # without a zone it is the time on the wall of the casino


def run(args: argparse.Namespace) -> int:
    from checker.commands.replay_report import Sink

    wanted_kinds = [k.strip() for k in args.fail_on.split(",") if k.strip()]
    for kind in wanted_kinds:
        if kind not in KINDS:
            wrong_call("replay", f"there is no kind `{kind}`", "one of " + ", ".join(KINDS))
    if not wanted_kinds:
        wrong_call("replay", "`--fail-on` names no kind", "one of " + ", ".join(KINDS))
    _check_times(args)
    if args.jobs is not None and args.jobs < 1:
        wrong_call("replay", "`--jobs` takes a number from 1 up")
    if args.limit is not None and args.limit < 0:
        wrong_call("replay", "`--limit` takes a number from 0 up")
    _check_engine(args)
    library, report = load_library(args.rules, args.without_reading, force=args.force)
    if library is None:
        if args.format in ("jsonl", "csv"):
            args.format = "text"  # what is wrong with the rules is no row of a table
        return emit(args, report)
    _not_over_an_input(args, report)
    clauses = [c.id for book in library.books() for text in book.texts for c in text.clauses]
    if args.clause and not any(covers(args.clause, c) for c in clauses):
        from rulespec.resolve.typecheck import did_you_mean

        advice = did_you_mean(args.clause, clauses, "`rulespec coverage --clauses` lists them")
        wrong_call("replay", f"no rulebook at hand has a clause `{args.clause}`", advice)
    _refuse_other_game(args, library)
    return Sink(args, library, wanted_kinds, report.inputs).run()


def _refuse_other_game(args: argparse.Namespace, library: Library) -> None:
    """Where the log begins with rounds of another game, --rules is most likely a slip."""
    from itertools import islice

    from checker.log.model import Round
    from checker.log.read import LogError, read_log

    for log in args.logs if library.others else ():
        if log == "-":
            continue
        try:
            for found in islice(read_log(log), LOOKED_AT):
                name = found.rulebook if isinstance(found, Round) else None
                if name in library.others:
                    assert library.only is not None
                    wrong_call(
                        "replay",
                        f"line {found.line} of `{log}` names rulebook `{name}` of "
                        f"{library.others[name]}, and `{library.only.id}` is of "
                        f"{library.only.game}",
                        f"--rules {name}, or --force to judge it all the same",
                    )
        except LogError:
            continue  # it is told when it is read


def _check_times(args: argparse.Namespace) -> None:
    start, end = args.start, args.end
    if start is None or end is None or (start.tzinfo is None) != (end.tzinfo is None):
        return
    if start >= end:
        wrong_call("replay", "`--from` is not before `--to`",
                   "rounds from the one time up to the other are replayed")  # fmt: skip


def _check_engine(args: argparse.Namespace) -> None:
    from importlib.util import find_spec
    from shutil import which

    from checker.which_engine import chosen, columns_at_hand

    if args.engine == "columns" and not columns_at_hand():
        wrong_call("replay", "the columns engine needs the package `numba`",
                   "pip install 'rulespec[fast]', or --engine plain")  # fmt: skip
    if args.engine == "spark":
        for module in ("pyspark", "pyarrow", "pandas"):
            if not find_spec(module):
                wrong_call("replay", f"the spark engine needs the package `{module}`",
                           "pip install 'rulespec[spark]'")  # fmt: skip
        if not (os.environ.get("JAVA_HOME") or which("java")):
            wrong_call("replay", "the spark engine needs Java 17 or newer", "install it, or set "
                       "JAVA_HOME")  # fmt: skip
        args.logs = _logs_in(args.logs)
    elif args.results is not None:
        wrong_call("replay", "`--results` is for --engine spark", "--format csv --output FILE")
    elif args.master is not None:
        wrong_call("replay", "`--master` is for --engine spark", "--engine spark --master URL")
    args.engine = chosen(args.engine, args.logs)


def _logs_in(names: list[str]) -> list[str]:
    """A cluster reads whole folders."""
    from checker.log.open import LogError
    from checker.spark.driver import log_files

    try:
        return log_files(names)
    except LogError as error:
        wrong_call("replay", error.message, error.help)


def _not_over_an_input(args: argparse.Namespace, report: Report) -> None:
    """Nothing that is read may be written over."""
    inputs = [*args.logs, *(i.path for i in report.inputs)]
    written = [str(w) for w in (args.output, args.quarantine) if w is not None]
    for target in written:
        for source in inputs:
            if os.path.exists(target) and os.path.exists(source) and (
                os.path.samefile(target, source)
            ):
                wrong_call("replay", f"`{target}` is read, so it cannot be written to")
    if len(written) == 2 and os.path.abspath(written[0]) == os.path.abspath(written[1]):
        wrong_call("replay", "--output and --quarantine name one file")


def load_library(
    rules: str | None, without: list[str], command: str = "replay", force: bool = False
) -> tuple[Library | None, Report]:
    """The rulebooks to judge by, and a report of what was read and what is wrong with it."""
    from checker.commands.named import inputs_of, load_named
    from checker.replay.replay import Library
    from checker.report import Report

    books, found = load_named([rules] if rules is not None else [])
    for book in books:
        found += [d for d in book.loaded.diagnostics if d.unusable]
    if found or not books:
        return None, Report(command, inputs_of(books), found, matched=bool(books))
    loaded = [b.loaded.rulebook for b in books if b.loaded.rulebook is not None]
    names = {reading.name for book in loaded for reading in book.readings}
    for name in without:
        if name not in names:
            wrong_call("replay", f"no rulebook has a reading `{name}`")
    loaded = [book.without_reading(*without) for book in loaded]
    only = loaded[0] if rules and len(loaded) == 1 else None
    others = {}
    if only is not None and not force:
        from rulespec.load.find import games

        others = {name: game for name, game in games().items() if game != only.game}
        others.pop(only.id, None)
    return Library(loaded, only, others), Report(command, inputs_of(books), [])


def log_inputs(logs: list[str]) -> Iterator[Input]:
    from pathlib import Path

    from checker.report import Input, input_of

    for log in logs:
        if log == "-" or os.path.isdir(log):
            yield Input(log, "log", None)
        else:
            yield input_of(Path(log), "log")
