"""`rulespec simulate`: a log of rounds that obey the rules, and on request some that do not."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from checker.commands.output import (
    CannotWrite,
    add_command,
    emit,
    note,
    writable,
    wrong_call,
)
from checker.commands.writing.whole_files import leave_stdout

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from pathlib import Path

    from checker.commands.output import Subparsers
    from checker.commands.writing.whole_files import WholeFile
    from checker.render.lines import Line
    from checker.simulate.simulate import Made, NothingLawful
    from rulespec.resolve.rulebook import Rulebook

MOST_TABLES = 99
MOST_REASONS = 8


def register(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "simulate",
        "Make a log of rounds that obey the rules, from a seed: the same call gives the same "
        "bytes. Each\nround is judged by the rules before it is written; where none can be made "
        "that they allow and\ndecide, that is said with the clause, and the status is 3. "
        "With --faults, known violations go into some rounds, and --fault-list says "
        "which. The log goes\nto standard output, or to --output FILE (.gz and .zst are "
        "compressed); --format is that of the summary,\nwhich is printed when the log goes to a "
        "file.",
        ("text", "json"),
    )
    parser.add_argument("rules", metavar="RULES", help="one rulebook: an id, id@day or a file")
    parser.add_argument("--rounds", type=int, required=True, metavar="N", help="how many rounds")
    parser.add_argument("--seed", type=int, required=True, metavar="S", help="a whole number")
    parser.add_argument("--tables", type=int, default=4, metavar="T", help="tables (4)")
    parser.add_argument(
        "--start", metavar="TIME", help="when the first round begins (first day of the rulebook)"
    )
    parser.add_argument(
        "--faults",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="share of rounds with one violation each, such as 0.01",
    )
    parser.add_argument(
        "--fault-list",
        type=writable,
        metavar="FILE",
        help="where the violations are listed, in JSON Lines",
    )


def run(args: argparse.Namespace) -> int:
    import sys
    from datetime import datetime

    from checker.render.lines import Piece, plain
    from checker.report import Report, inputs_of
    from checker.simulate.house import not_simulated
    from checker.simulate.named_hands import NamedSimulation
    from checker.simulate.simulate import (
        NothingLawful,
        Simulation,
        SimulationError,
        default_start,
        zone_of,
    )
    from rulespec.load.named import load_named

    _check(args)
    books, found = load_named([args.rules])
    for book in books:
        found += [d for d in book.loaded.diagnostics if d.unusable]
    if found or not books:
        args.output = None
        return emit(args, Report("simulate", inputs_of(books), found, matched=bool(books)))
    if len(books) > 1:
        wrong_call("simulate", f"`{args.rules}` holds {len(books)} rulebooks", "name one of them")
    rulebook = cast("Rulebook", books[0].loaded.rulebook)
    start = default_start(rulebook, books[0].day)
    if args.start is not None:
        try:
            start = datetime.fromisoformat(args.start)
        except ValueError:
            wrong_call("simulate", f"`{args.start}` is not a date or time")
        if start.tzinfo is None:
            start = start.replace(tzinfo=zone_of(rulebook))
        elif rulebook.zone is not None:
            try:
                start = start.astimezone(zone_of(rulebook))
            except OverflowError:
                wrong_call("simulate", "the calendar ends in 9999", "another --start")
    if rulebook.zone is None and str(start.tzinfo) == "UTC":
        note(args, f"`{rulebook.id}` names no time zone: the times are in UTC")
    try:
        kind = NamedSimulation if rulebook.game.hands else Simulation
        making = kind(rulebook, args.seed, args.tables, start, args.faults)
        summary = _write(args, making.run(args.rounds))
    except NothingLawful as nothing:
        report = Report(
            "simulate",
            inputs_of(books),
            [],
            undecided=1,
            summary={"rounds": 0, "zone": rulebook.zone, **making.referee.as_json()},
        )
        told = list(_unlawful(rulebook.id, nothing))
        if args.output is None:  # standard output has the rounds
            sys.stderr.write(plain(told))
            return report.exit_status
        args.output = None
        return emit(args, report, lambda _: told)
    except (SimulationError, OverflowError) as error:
        what = str(error) if isinstance(error, SimulationError) else "the calendar ends in 9999"
        wrong_call("simulate", what, "another --start, or fewer rounds")
    left_out = [] if rulebook.game.hands else not_simulated(rulebook.game)
    summary |= {
        "zone": rulebook.zone,
        **making.referee.as_json(),
        "not_simulated": left_out,
    }
    report = Report("simulate", inputs_of(books), [], undecided=len(left_out), summary=summary)
    if args.output is None:
        note(args, _told(summary))
        return report.exit_status
    args.output = None
    return emit(args, report, lambda view: [] if view.quiet else [(Piece(_told(summary)),)])


def _unlawful(name: str, nothing: NothingLawful) -> Iterator[Line]:
    from checker.render.lines import line

    yield line((f"undecided for {name}: ", "warning"), str(nothing))
    for refusal, attempts in nothing.reasons[:MOST_REASONS]:
        yield line(f"  {attempts} of them: {refusal}")


def _check(args: argparse.Namespace) -> None:
    if args.rounds < 0:
        wrong_call("simulate", "`--rounds` takes a number from 0 up")
    if not 1 <= args.tables <= MOST_TABLES:
        wrong_call("simulate", f"`--tables` takes a number from 1 to {MOST_TABLES}")
    if not 0 <= args.faults <= 1:
        wrong_call("simulate", "`--faults` takes a share from 0 to 1")
    if args.fault_list and not args.faults:
        wrong_call("simulate", "`--fault-list` needs `--faults`")
    files = [
        path.resolve()
        for path in (args.output, args.fault_list)
        if path is not None and (path.is_file() or not path.exists())
    ]
    if len(files) == 2 and files[0] == files[1]:
        wrong_call("simulate", "--output and --fault-list name one file")


def _told(summary: dict[str, Any]) -> str:
    faults = f", {summary['faults']} with a fault" if summary["fault_kinds"] else ""
    others = ""
    if summary["not_written"]:
        why = summary["not_written_because"][0]
        clauses = f" [{', '.join(why['clauses'])}]" if why["clauses"] else ""
        others = (
            f"; {summary['not_written']} others were not written, as they are not lawful or "
            f"not decided: {why['example']}{clauses}"
        )
        if len(summary["not_written_because"]) > 1:
            others += " …"
    left = "; ".join(summary["not_simulated"])
    left = f"; no round has {left}" if left else ""
    return f"{summary['rounds']} round{'' if summary['rounds'] == 1 else 's'}{faults}{others}{left}"


def _write(args: argparse.Namespace, rounds: Iterator[Made]) -> dict[str, Any]:
    """Write the log as it grows; memory stays flat. Files appear when all rounds are in them."""
    import json
    from collections import Counter

    from checker.commands.writing.whole_files import WholeFile

    made = 0
    kinds: Counter[str] = Counter()
    try:
        with ExitStack() as files:
            whole = [
                files.enter_context(WholeFile(path))
                for path in (args.output, args.fault_list)
                if path is not None
            ]
            listed = whole[-1] if args.fault_list is not None else None
            with ExitStack() as packing:
                log = _log_file(args.output, whole, packing)
                for one in rounds:
                    log.write(one.text.encode() + b"\n")
                    made += 1
                    if one.fault is not None:
                        kinds[one.fault["kind"]] += 1
                        if listed is not None:
                            shown = json.dumps(one.fault, separators=(",", ":"), ensure_ascii=False)
                            listed.write(shown.encode() + b"\n")
                log.flush()
            for file in whole:
                file.keep()
    except BrokenPipeError:
        leave_stdout()
    except OSError as error:
        if args.output is None:
            leave_stdout()
        raise CannotWrite("the log", error) from None
    return {"rounds": made, "faults": kinds.total(), "fault_kinds": dict(sorted(kinds.items()))}


def _log_file(output: Path | None, whole: list[WholeFile], packing: ExitStack) -> BinaryIO:
    """The log, compressed as its name says. gzip without a time, so that bytes stay the same."""
    import gzip
    import sys

    if output is None:
        return sys.stdout.buffer
    raw = cast(BinaryIO, whole[0].file)
    if output.suffix == ".gz":
        return cast(BinaryIO, packing.enter_context(gzip.GzipFile("", "wb", 6, raw, mtime=0)))
    if output.suffix == ".zst":
        try:
            import zstandard
        except ImportError:
            wrong_call(
                "simulate",
                "writing .zst needs the package `zstandard`",
                "install rulespec[zstd], or name the file .gz",
            )
        return cast(
            BinaryIO,
            packing.enter_context(
                zstandard.ZstdCompressor(level=6).stream_writer(raw, closefd=False)
            ),
        )
    return raw
