"""`rulespec convert`: a round log from JSON Lines to Parquet, and back."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from checker.commands.output import CannotWrite, add_command, emit, say, writable, wrong_call

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from pathlib import Path

    from checker.commands.output import Subparsers
    from checker.commands.writing.whole_files import WholeFile
    from checker.log.read import Quarantined

_TOLD = 5


def register(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "convert",
        "Turn a round log into another kind of file, as the end of its name says: .parquet is "
        "compact and\nother tools query it; .jsonl, .jsonl.gz and .jsonl.zst are JSON Lines. "
        "Nothing is lost. A log with lines\nthat are no valid rounds is refused, unless "
        "--quarantine says where they go. --format and --output\nare for the summary.",
        ("text", "json"),
    )
    parser.add_argument("log", metavar="IN", help="a round log (.jsonl, .gz, .zst, .parquet)")
    parser.add_argument("target", metavar="OUT", help="the file to write")
    parser.add_argument(
        "--quarantine",
        type=writable,
        metavar="FILE",
        help="write lines that are no valid round to FILE, unchanged",
    )


def run(args: argparse.Namespace) -> int:
    from importlib.util import find_spec
    from pathlib import Path

    from checker.commands.writing.nothing_found import say_why_nothing
    from checker.commands.writing.whole_files import WholeFile
    from checker.log.read import LogError
    from checker.report import UNDECIDED, Report, log_inputs

    target = Path(args.target)
    _check(args, target)
    if target.suffix == ".parquet" and find_spec("pyarrow") is None:
        wrong_call(
            "convert",
            "writing Parquet needs the package `pyarrow`",
            "install rulespec[parquet], or name the file .jsonl.gz",
        )
    bad: list[Quarantined] = []
    try:
        with ExitStack() as files:
            aside = None
            if args.quarantine is not None:
                aside = files.enter_context(WholeFile(args.quarantine))
            keep = _keeper(aside, bad)
            try:
                rounds = _convert(args.log, target, keep, bad, refuse=aside is None)
            except _Refused:
                return _refuse(args, bad)
            except _Empty:
                say_why_nothing("convert", [args.log], len(bad))
                return 2
            if aside is not None:
                aside.keep()
    except LogError as error:
        say(f"rulespec convert: {error}\nhelp: {error.help}")
        return 2
    summary = {
        "rounds": rounds,
        "quarantined": len(bad),
        "bytes_in": _size(args.log),
        "bytes_out": target.stat().st_size,
    }
    report = Report("convert", list(log_inputs([args.log])), [], summary=summary)
    emit(args, report, lambda view: [] if view.quiet else _told(summary, target))
    return UNDECIDED if bad else 0


def _size(name: str) -> int | None:
    import os

    return os.path.getsize(name) if os.path.isfile(name) else None


def _told(summary: dict[str, Any], target: Path) -> list[Any]:
    from checker.render.lines import Piece
    from checker.render.to_text import count

    size = summary["bytes_out"]
    text = f"{count(summary['rounds'], 'round')} in {target}, {size:,} bytes"
    if summary["bytes_in"]:
        text += f" (before: {summary['bytes_in']:,})"
    lines = [(Piece(text),)]
    if summary["quarantined"]:
        lines.append((Piece(f"{count(summary['quarantined'], 'line')} quarantined"),))
    return lines


def _check(args: argparse.Namespace, target: Path) -> None:
    import os

    kinds = (".parquet", ".jsonl", ".json", ".gz", ".zst")
    if not target.name.endswith(kinds):
        wrong_call(
            "convert",
            f"what `{target.name}` should be is not known from its name",
            "a name that ends in .parquet, .jsonl, .jsonl.gz or .jsonl.zst",
        )
    if target.is_dir() or not target.parent.is_dir():
        what = "it is a folder" if target.is_dir() else f"no folder `{target.parent}`"
        wrong_call("convert", f"cannot write `{target}`: {what}", "name a file in a folder")
    for written in (str(target), args.quarantine):
        if (
            written
            and os.path.exists(written)
            and os.path.exists(args.log)
            and (os.path.samefile(written, args.log))
        ):
            wrong_call("convert", f"`{written}` is read, so it cannot be written to")
    if args.quarantine and os.path.abspath(args.quarantine) == os.path.abspath(target):
        wrong_call("convert", "OUT and --quarantine name one file")


class _Refused(Exception):
    """There are lines that are no rounds, and nobody said where they should go."""


class _Empty(Exception):
    """There is no round to convert."""


def _refuse(args: argparse.Namespace, bad: list[Quarantined]) -> int:

    for line in bad[:_TOLD]:
        say(f"rulespec convert: line {line.line} of `{args.log}`: {line.reason}")
    more = f", and {len(bad) - _TOLD} more" if len(bad) > _TOLD else ""
    say(f"rulespec convert: nothing is written: not every line is a valid round{more}")
    say("help: --quarantine FILE puts such lines aside and converts the rest")
    return 2


def _keeper(aside: WholeFile | None, bad: list[Quarantined]) -> Callable[[Quarantined], None]:
    def keep(line: Quarantined) -> None:
        bad.append(line)
        if aside is not None and line.raw:
            aside.write(line.raw + b"\n")

    return keep


def _convert(
    log: str,
    target: Path,
    keep: Callable[[Quarantined], None],
    bad: list[Quarantined],
    refuse: bool,
) -> int:
    """Into a file beside the target, which takes its place when it is complete."""
    import os
    import tempfile
    from pathlib import Path

    from checker.convert import to_lines, to_parquet
    from checker.log.open import open_log
    from checker.log.read import LogError

    try:
        place = target.resolve().parent
        handle, name = tempfile.mkstemp(dir=place, prefix=f".{target.name[:100]}.")
    except OSError as error:
        raise CannotWrite(target, error) from None
    try:
        os.close(handle)
        if target.suffix == ".parquet":
            source = open_log(log)
            source.close()
            if source.parquet:
                raise LogError(f"`{log}` is Parquet already", "name OUT .jsonl to have lines")
            rounds = to_parquet(log, name, keep)
        else:
            with ExitStack() as files:
                rounds = to_lines(log, _writer(target, name, files), keep)
        if bad and refuse:
            raise _Refused
        if not rounds:
            raise _Empty
        os.chmod(name, 0o644)
        os.replace(name, target.resolve())
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise CannotWrite(target, error) from None
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return rounds


def _writer(target: Path, name: str, files: ExitStack) -> Callable[[bytes], object]:
    import gzip
    from pathlib import Path

    raw = files.enter_context(Path(name).open("wb"))  # noqa: SIM115
    if target.suffix == ".gz":
        return files.enter_context(gzip.GzipFile("", "wb", 6, raw, mtime=0)).write
    if target.suffix == ".zst":
        try:
            import zstandard
        except ImportError:
            wrong_call(
                "convert",
                "writing .zst needs the package `zstandard`",
                "install rulespec[zstd], or name the file .gz",
            )
        packer = zstandard.ZstdCompressor(level=6).stream_writer(raw, closefd=False)
        write: Callable[[bytes], object] = files.enter_context(packer).write
        return write
    return raw.write
