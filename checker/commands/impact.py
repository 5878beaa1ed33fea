"""`rulespec impact`: one log under two texts, and what the change would have cost whom."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from checker.commands.output import add_command, emit, jobs_of, note, say, write_result, wrong_call

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from checker.commands.output import Subparsers
    from checker.diff.classes import ChangeClass
    from checker.diff.diff import Difference
    from checker.impact.run import NeverSeen, Texts, Totals
    from checker.report import Input
    from rulespec.load.named import Book
    from rulespec.resolve.rulebook import Rulebook

_WORTH_IT = 100_000  # bytes of log, compressed or not


def register(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "impact",
        "Settle a log of rounds under two texts: how many wagers settle differently, for how much "
        "money each way,\nby which clauses and at which tables. Both texts are applied to every "
        "round, whatever its date.",
        ("text", "json", "markdown"),
    )
    parser.add_argument("old", metavar="OLD", help="id, id@day, .rules file or REV:path")
    parser.add_argument("new", metavar="NEW", help="the same")
    parser.add_argument(
        "logs",
        nargs="+",
        metavar="LOG",
        help="round logs (.jsonl, .gz, .zst, .parquet), folders of them, patterns; "
        "`-` is standard input",
    )
    parser.add_argument("--full", action="store_true", help="show every cause and all examples")
    parser.add_argument(
        "--jobs", type=int, metavar="N", help="settle on N cores (all, for a long log, unless told)"
    )
    parser.add_argument(
        "--no-classes", action="store_true", help="do not look for differences that never occurred"
    )


def run(args: argparse.Namespace) -> int:
    from checker.commands.writing.nothing_found import say_why_nothing
    from checker.evaluate.ready import new_engine
    from checker.impact.run import Texts, Totals
    from checker.log.find import log_files
    from checker.log.read import LogError
    from checker.report import UNUSABLE, Report, inputs_of, log_inputs, texts_of
    from rulespec.base.money import common_sign, in_currency
    from rulespec.load.named import load_one
    from rulespec.resolve.in_force import text_in_force

    if args.jobs is not None and args.jobs < 1:
        wrong_call("impact", "`--jobs` takes a number from 1 up")
    if [args.old, args.new, *args.logs].count("-") > 1:
        wrong_call("impact", "standard input can be only one of the texts or logs")
    books: list[Book] = []
    found = []
    for name in (args.old, args.new):
        book, wrong = load_one(name)
        found += wrong
        books += [book] if book is not None else []
    texts = [
        text_in_force(b.loaded.rulebook, b.day) for b in books if b.loaded.rulebook is not None
    ]
    if found or len(texts) < 2:
        if args.format == "markdown":
            args.format = "text"
        report = Report("impact", inputs_of(books), found, matched=False, texts=texts_of(books))
        return emit(args, report)
    totals = Totals()
    try:
        args.logs = log_files(args.logs)
        ready = Texts(new_engine(texts[0]), new_engine(texts[1]), _diff(args, texts))
        begun = time.monotonic()
        _settle(args, ready, totals)
    except LogError as error:
        say(f"rulespec impact: {error}\nhelp: {error.help}")
        return UNUSABLE
    seconds = max(time.monotonic() - begun, 1e-9)
    note(
        args,
        f"{totals.rounds:,} rounds under two texts in {seconds:.1f} s "
        f"({totals.rounds / seconds:,.0f} a second)",
    )
    if not totals.rounds:
        say_why_nothing("impact", args.logs, totals.quarantined)
    unseen = ready.never_seen(totals)
    with in_currency(common_sign(text.currency for text in texts)):
        _write(args, totals, unseen, [*inputs_of(books), *log_inputs(args.logs)], _names(args))
    return totals.status


def _diff(args: argparse.Namespace, texts: Sequence[Rulebook]) -> Difference | None:
    if args.no_classes:
        return None
    from checker.diff.diff import diff

    return diff(texts[0], texts[1])


def _settle(args: argparse.Namespace, texts: Texts, totals: Totals) -> None:
    from checker.impact.run import impact

    size = sum(os.path.getsize(log) for log in args.logs if os.path.isfile(log))
    jobs = jobs_of(args, size > _WORTH_IT)
    told = time.monotonic()
    shown = not args.quiet and sys.stderr is not None and sys.stderr.isatty()
    for _ in impact(args.logs, texts, totals, jobs):
        if shown and time.monotonic() - told > 0.5:
            told = time.monotonic()
            print(f"\r{totals.rounds:,} rounds", end="", file=sys.stderr, flush=True)
    if shown:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def _names(args: argparse.Namespace) -> tuple[str, str]:
    return args.old, args.new


def _write(
    args: argparse.Namespace,
    totals: Totals,
    unseen: NeverSeen | None,
    inputs: list[Input],
    names: tuple[str, str],
) -> None:
    from checker.report import Report

    match args.format:
        case "markdown":
            from checker.render.impact_markdown import impact_markdown

            write_result(impact_markdown(totals, names, unseen), args.output, "utf-8")
        case _:
            from checker.render.impact_text import impact_text

            summary = totals.as_json()
            if unseen is not None:
                summary["classes_of_the_diff"] = unseen.known
                summary["classes_never_seen"] = [_class_json(one) for one in unseen.classes]
            report = Report("impact", inputs, totals.clashing, (), summary)
            emit(args, report, lambda view: impact_text(totals, names, unseen, view))


def _class_json(one: ChangeClass) -> dict[str, object]:
    return {
        "question": one.question,
        "topic": one.about.topic,
        "was": one.was.outcome.text,
        "becomes": one.becomes.outcome.text,
        "old_clauses": list(one.was.clauses),
        "new_clauses": list(one.becomes.clauses),
        "states": one.states,
        "witness": one.witness.as_json() if one.witness is not None else None,
    }
