"""`rulespec replay`: recorded rounds judged by the approved rules."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from checker.commands.output import add_command, emit, note, writable, wrong_call

if TYPE_CHECKING:
    import argparse

    from checker.commands.output import Subparsers
    from checker.replay_logs import Replay

SHOWN = 50
ALSO = (".json", ".jsonl", ".csv", ".html", ".xlsx", ".pdf", ".md")


def register(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "replay",
        "Judge recorded rounds by the approved rules: which settlements, plays, deals and wagers "
        "does the text\nin force not allow, what should have been paid, and which clause says so.",
        ("text", "json", "jsonl", "csv"),
    )
    parser.add_argument(
        "logs",
        nargs="*",
        metavar="LOG",
        help="round logs (.jsonl, .gz, .zst, .parquet), folders of them, patterns such as "
        "'2024-*/**/*.jsonl'; `-` is standard input; none: those of `rulespec.toml`",
    )
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="a saved job (else `rulespec.toml` in this folder or one above it); options beat it",
    )
    parser.add_argument("--no-config", action="store_true", help="no saved job")
    parser.add_argument(
        "--also",
        action="append",
        type=_another_output,
        default=[],
        metavar="FILE",
        help=f"write the result to FILE too, as its ending says ({', '.join(ALSO)})",
    )
    parser.add_argument(
        "--rules",
        metavar="RULES",
        help="judge every round by this rulebook (else by the id in the round)",
    )
    parser.add_argument(
        "--force", action="store_true", help="judge by --rules also what names another game"
    )
    parser.add_argument("--table", metavar="ID", help="only this table")
    parser.add_argument(
        "--from",
        dest="start",
        type=moment,
        metavar="TIME",
        help="only rounds at or after this date or time",
    )
    parser.add_argument(
        "--to", dest="end", type=moment, metavar="TIME", help="only rounds before this date or time"
    )
    parser.add_argument("--clause", metavar="ID", help="only findings about this clause")
    for name, meta, what in (
        ("player", "ID", "only findings about this player"),
        ("kind", "KIND", "only findings of this kind"),
        ("code", "CODE", "only findings with this code"),
        ("rulebook", "ID", "only findings by this rulebook"),
    ):
        parser.add_argument(
            f"--{name}",
            action="append",
            default=[],
            metavar=meta,
            help=f"{what} (may be given several times)",
        )
    parser.add_argument(
        "--amount",
        metavar="MONEY",
        help="only findings of at least so much money paid too much or too little",
    )
    parser.add_argument(
        "--limit",
        type=int,
        metavar="N",
        help=f"show at most N findings (text: {SHOWN} unless told)",
    )
    parser.add_argument("--full", action="store_true", help="show every finding and every clause")
    parser.add_argument(
        "--engine",
        metavar="ENGINE",
        choices=("auto", "columns", "plain", "spark"),
        default="auto",
        help="auto, columns (fast, for long logs), plain, or spark (a cluster)",
    )
    parser.add_argument(
        "--master", metavar="URL", help="spark: the cluster, such as spark://host:7077"
    )
    parser.add_argument(
        "--results", metavar="FOLDER", help="spark: write the findings to FOLDER as Parquet too"
    )
    parser.add_argument(
        "--jobs", type=int, metavar="N", help="judge on N cores (all, for a long log, unless told)"
    )
    parser.add_argument(
        "--fail-on",
        metavar="KINDS",
        default="settlement,play,deal,wager,integrity",
        help="findings of which kinds make exit status 1 (comma-separated)",
    )
    parser.add_argument(
        "--quarantine",
        type=writable,
        metavar="FILE",
        help="write lines that are no valid round to FILE, unchanged",
    )
    parser.add_argument(
        "--store",
        type=writable,
        metavar="FILE",
        help="keep the run and its findings in this audit store (SQLite), and show reviews",
    )
    parser.add_argument(
        "--only",
        metavar="STATE",
        help="with --store: only findings that are open, confirmed, explained or dismissed",
    )
    parser.add_argument(
        "--sign", metavar="KEY", help="sign the JSON report with this Ed25519 key (PEM)"
    )
    parser.add_argument(
        "--without-reading",
        action="append",
        default=[],
        metavar="NAME",
        help="judge without this reading of the text",
    )


def completed(parser: argparse.ArgumentParser, words: list[str]) -> list[str]:
    """With what a saved job says."""
    from checker.commands.saved_job import with_saved_job

    words, job = with_saved_job(parser, words, register)
    parser.set_defaults(job=job)
    return words


def _another_output(name: str) -> Path:
    import argparse

    path = writable(name)
    if path.suffix.lower() not in ALSO:
        raise argparse.ArgumentTypeError(f"`{name}` ends in none of {', '.join(ALSO)}")
    return path


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
    from checker.commands.writing.replay_report import Sink
    from checker.replay_logs import Replay
    from checker.report import UnusableRules

    if args.sign is not None and args.format != "json":
        wrong_call("replay", "`--sign` signs the JSON report", "--format json")
    limit = args.limit
    if limit is None and args.format == "text" and not args.full and not args.also:
        limit = SHOWN
    try:
        replay = Replay(
            args.logs,
            rules=args.rules,
            force=args.force,
            table=args.table,
            start=args.start,
            end=args.end,
            clause=args.clause,
            player=args.player,
            kind=args.kind,
            code=args.code,
            rulebook=args.rulebook,
            amount=args.amount,
            limit=limit,
            without_reading=args.without_reading,
            fail_on=args.fail_on.split(","),
            engine=args.engine,
            jobs=args.jobs,
            master=args.master,
            results=args.results,
            store=args.store,
            only=args.only,
        )
    except UnusableRules as error:
        if args.format in ("jsonl", "csv"):
            args.format = "text"  # what is wrong with the rules is no row of a table
        return emit(args, error.report)
    replay.config = None if args.job is None else args.job.as_json()
    if args.job is not None:
        note(args, f"by the job `{args.job.path}`")
    _not_over_an_input(args, replay)
    return Sink(args, replay, _page).run()


def _page(saved: Path, logs: list[str], output: Path) -> None:
    from argparse import Namespace

    from checker.commands import report

    asked = {"result": str(saved), "log": logs, "no_rounds": False, "output": output}
    report.run(Namespace(**asked, format="text", quiet=True))


def _not_over_an_input(args: argparse.Namespace, replay: Replay) -> None:
    """Nothing that is read may be written over."""
    inputs = [*replay.logs, *(i.path for i in replay.read.inputs)]
    inputs += [args.job.path] if args.job is not None else []
    named = (args.output, args.quarantine, args.store, *args.also)
    written = [str(w) for w in named if w is not None]
    for target in written:
        for source in inputs:
            if (
                os.path.exists(target)
                and os.path.exists(source)
                and (os.path.samefile(target, source))
            ):
                wrong_call("replay", f"`{target}` is read, so it cannot be written to")
    if len({os.path.abspath(one) for one in written}) < len(written):
        wrong_call("replay", "two of --output, --also, --quarantine and --store name one file")
