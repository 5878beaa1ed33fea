"""What all commands share: the common options, and how a result is written out."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from checker.commands.writing.whole_files import leave, leave_stdout, replace_file
from rulespec.base.errors import CannotWrite as CannotWrite

if TYPE_CHECKING:
    from checker.render.lines import Line, View
    from checker.report import Report

    Subparsers: TypeAlias = argparse._SubParsersAction[argparse.ArgumentParser]


class UsageError(Exception):
    """The call was wrong (exit status 2). `prog` names the command whose help says how it goes,
    `help` is advice."""

    def __init__(self, prog: str, message: str, help: str = "") -> None:
        super().__init__(message)
        self.prog = prog
        self.help = help or f"`{prog} --help` shows how it is called"


def wrong_call(command: str, message: str, help: str = "") -> NoReturn:
    """For what only the command itself can see to be wrong."""
    raise UsageError(f"rulespec {command}", message, help)


def add_command(
    subparsers: Subparsers, name: str, description: str, formats: Sequence[str] = ("text", "json")
) -> argparse.ArgumentParser:
    """A parser for a command, with the options that every command has."""
    parser = subparsers.add_parser(name, description=description)
    common = parser.add_argument_group("output")
    common.add_argument(
        "--format",
        type=_one_of("format", formats),
        default=formats[0],
        metavar="FORMAT",
        help=f"{', '.join(formats[:-1])} or {formats[-1]} (without this option: {formats[0]})",
    )
    common.add_argument(
        "--output", type=writable, metavar="FILE", help="write the result to FILE, all or nothing"
    )
    common.add_argument("--quiet", action="store_true", help="findings only: no notes, no summary")
    common.add_argument("--no-color", action="store_true", help="no colours (so does NO_COLOR)")
    return parser


def day(text: str) -> date:
    """The type of an option that takes a date."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"`{text}` is not a date; write it as YYYY-MM-DD, such as 2024-08-19"
        ) from None


def _one_of(what: str, known: Sequence[str]) -> Callable[[str], str]:
    def check(word: str) -> str:
        if word in known:
            return word
        listed = ", ".join(known)
        raise argparse.ArgumentTypeError(f"there is no {what} `{word}` here, only {listed}")

    return check


def writable(name: str) -> Path:
    """The type of an option that takes a file to write: a wrong one is told at once, not after the
    work is done."""
    path = Path(name)
    if path.is_dir():
        raise argparse.ArgumentTypeError(f"cannot write `{name}`: it is a folder")
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"cannot write `{name}`: no folder `{path.parent}`")
    return path


def jobs_of(args: argparse.Namespace, worth_it: bool) -> int:
    """How many processes share the work, with a note where it is fewer than --jobs says."""
    from checker.replay.workers import useful_jobs

    useful = useful_jobs(args.jobs, worth_it)
    if args.jobs is not None and useful < args.jobs:
        note(args, f"{useful} jobs are used: this machine has {os.cpu_count() or 1} cores")
    return useful


def note(args: argparse.Namespace, line: str) -> None:
    """Progress and notes go to stderr, and nowhere with --quiet."""
    if not args.quiet:
        say(line)


def say(message: str) -> None:
    """Lines on stderr. A name or a word of a log that is told there cannot steer the terminal, and
    where nothing can be written, nothing is: the result and its status stand all the same."""
    from checker.render.lines import visible

    try:
        encoding = sys.stderr.encoding or "utf-8"
        for line in message.split("\n"):
            readable = visible(line).encode(encoding, "backslashreplace").decode(encoding)
            print(readable, file=sys.stderr, flush=True)
    except (AttributeError, OSError, ValueError):
        leave(sys.stderr)


def emit(
    args: argparse.Namespace,
    report: Report,
    text: Callable[[View], Iterable[Line]] | None = None,
) -> int:
    """Write the report in the format that was asked for and return its exit status.

    `text` draws the text format of a command that shows more than findings."""
    from checker.render import render
    from checker.render.lines import View, painted, plain

    colour = args.output is None and _colour_wanted(args.no_color)
    full = getattr(args, "full", False)
    view = View(width=_terminal_width(args.output), full=full, quiet=args.quiet)
    if args.format != "text":
        write_result(render(report, args.format, view), args.output, "utf-8")
        return report.exit_status
    if text is None:
        from checker.render.to_text import to_text

        lines: Iterable[Line] = to_text(report, view)
    else:
        lines = text(view)
    write_result(painted(lines) if colour else plain(lines), args.output)
    return report.exit_status


def _colour_wanted(switched_off: bool) -> bool:
    if switched_off or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout is not None and sys.stdout.isatty()


def _terminal_width(output: Path | None) -> int | None:
    """None when nobody's screen sets a width: the lines stay whole for the tool that reads them."""
    if output is not None or sys.stdout is None or not sys.stdout.isatty():
        return None
    try:
        return max(40, os.get_terminal_size(sys.stdout.fileno()).columns)
    except (OSError, ValueError):
        return None


def write_result(result: str, output: Path | None, encoding: str | None = None) -> None:
    """`encoding` None is the terminal's own on stdout and UTF-8 in a file."""
    try:
        if output is not None:
            replace_file(output, result.encode("utf-8", "backslashreplace"))
        elif sys.stdout is None:
            raise OSError(0, "standard output is closed")
        else:
            encoding = encoding or sys.stdout.encoding or "utf-8"
            sys.stdout.flush()
            sys.stdout.buffer.write(result.encode(encoding, "backslashreplace"))
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader (`head`, a closed pager) has seen enough: that is no fault, and the status of
        # what was found stands.
        leave_stdout()
    except OSError as error:
        if output is None:
            leave_stdout()
        raise CannotWrite(output or "the result", error) from None
