"""`rulespec import`: a casino's own export to a round log, by a profile."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from checker.commands.output import add_command, emit, note, say, writable, wrong_call

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from checker.commands.output import Subparsers
    from checker.commands.writing.whole_files import WholeFile
    from checker.imports.check import Checked
    from checker.imports.profile import Profile
    from checker.imports.run import Import, Quarantined
    from checker.render.lines import Line, View
    from rulespec.resolve.rulebook import Rulebook

_TOLD = 10
_ADVICE = "`rulespec import --init FILE` writes a profile to begin with; see `docs/import.md`"


def register(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "import",
        "Turn a casino's own export (CSV, TSV, Excel, Parquet, JSON, JSON Lines, SQLite, DuckDB) "
        "into a round log of\nformat 1, by a profile in YAML. The log says in `not_recorded` what "
        "the export does not tell. Rows that\ncannot be imported go to a file of their own, with "
        "the reason. Status 1: there are such rows.",
        ("text", "json"),
    )
    parser.add_argument("profile", metavar="PROFILE", help="the profile; with --init the export")
    parser.add_argument("files", nargs="*", metavar="FILE", help="the files of the export")
    parser.add_argument(
        "--check",
        action="store_true",
        help="show what becomes of the first thousand rows, and which clauses they can decide",
    )
    parser.add_argument(
        "--init", action="store_true", help="write a profile to begin with, from a file's columns"
    )
    parser.add_argument(
        "--quarantine",
        type=writable,
        metavar="FILE",
        help="where rows go that cannot be imported (LOG.quarantine.jsonl unless told)",
    )
    parser.add_argument(
        "--rules", metavar="RULES", help="the rulebook, if the profile does not name it by its id"
    )
    parser.add_argument("--sheet", metavar="NAME", help="--init: the sheet of an Excel file")
    parser.add_argument("--table", metavar="NAME", help="--init: the table of a database")


def run(args: argparse.Namespace) -> int:
    from checker.imports.files import FileError
    from checker.imports.profile import ProfileError

    try:
        return _init(args) if args.init else _import(args)
    except ProfileError as error:
        say(f"rulespec import: {error}\nhelp: {error.help}")
    except FileError as error:
        say(f"rulespec import: {error}\nhelp: {error.help or _ADVICE}")
    return 2


def _init(args: argparse.Namespace) -> int:
    from pathlib import Path

    from checker.commands.output import write_result
    from checker.imports.profile import Read
    from checker.imports.start import starting_profile

    if args.files or args.check:
        wrong_call("import", "--init takes one FILE and no profile")
    text = starting_profile(Path(args.profile), Read(table=args.table, sheet=args.sheet))
    write_result(text, args.output, "utf-8")
    return 0


def _import(args: argparse.Namespace) -> int:
    from pathlib import Path

    from checker.imports.profile import read_profile
    from checker.imports.run import Import

    if not args.files:
        wrong_call("import", "no file of the export is named", _ADVICE)
    if args.output is None and not args.check:
        wrong_call("import", "it has to be said where the log goes", "add --output LOG.jsonl")
    profile = read_profile(Path(args.profile))
    paths = [Path(name) for name in args.files]
    _check_output(args, paths)
    rulebook = _rulebook(args, profile)
    with Import(profile, paths, rulebook) as export:
        if args.check:
            return _check(args, export, rulebook)
        return _write(args, export)


def _check_output(args: argparse.Namespace, paths: list[Path]) -> None:
    import os

    for written in (args.output, args.quarantine):
        for path in (*paths, args.profile):
            there = written and os.path.exists(written) and os.path.exists(path)
            if there and os.path.samefile(written, path):
                wrong_call("import", f"`{written}` is read, so it cannot be written to")
    if args.output is not None and not args.check:
        kinds = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".json")
        if not str(args.output).endswith(kinds):
            wrong_call(
                "import",
                f"what `{args.output.name}` should be is not known from its name",
                "name the log .jsonl, .jsonl.gz or .jsonl.zst; `rulespec convert` makes Parquet",
            )


def _rulebook(args: argparse.Namespace, profile: Profile) -> Rulebook | None:
    """Of the profile, for its game and for which clauses can be decided."""
    from rulespec.load.find import shipped
    from rulespec.load.named import load_one
    from rulespec.resolve.typecheck import did_you_mean

    name = args.rules or profile.rulebook
    if name is None:
        return None
    if args.rules is None and name not in shipped():  # never a path: a profile opens no file
        help = did_you_mean(name, shipped(), "name its file with --rules")
        message = f"no rulebook `{name}` ships with rulespec"
        raise profile.wrong(("rulebook",), message, help)
    book, wrong = load_one(name)
    if book is None or book.loaded.rulebook is None:
        reason = wrong[0].message if wrong else "it cannot be read"
        wrong_call("import", reason, (wrong[0].help if wrong else None) or "")
    return book.loaded.rulebook


# --- the log


def _write(args: argparse.Namespace, export: Import) -> int:
    import json
    from pathlib import Path
    from tempfile import TemporaryFile

    from checker.commands.writing.whole_files import WholeFile
    from checker.imports.by_time import write_log

    place = args.quarantine or Path(f"{args.output}.quarantine.jsonl")
    told: list[Quarantined] = []
    with ExitStack() as files:
        aside: WholeFile | None = None

        def quarantine(one: Quarantined) -> None:
            nonlocal aside
            if aside is None:
                aside = files.enter_context(WholeFile(place))
            line = json.dumps(one.as_json(), ensure_ascii=False)
            aside.write(line.encode("utf-8", "backslashreplace") + b"\n")
            if len(told) < _TOLD:
                told.append(one)

        out = files.enter_context(WholeFile(args.output))
        scratch = files.enter_context(TemporaryFile())
        write, end = _writer(args.output, out)
        made: Iterator[Any] = export.made(quarantine)
        export.result.moved = write_log(made, scratch, write)
        end()
        if export.result.rounds:
            out.keep()
        if aside is not None:
            aside.keep()
    return _report(args, export, told, place if export.result.quarantined else None)


def _writer(path: Path, out: WholeFile) -> tuple[Callable[[bytes], object], Callable[[], object]]:
    if path.suffix == ".gz":
        import gzip

        packed = gzip.GzipFile("", "wb", 6, out.file, mtime=0)
        return packed.write, packed.close
    if path.suffix == ".zst":
        try:
            import zstandard
        except ImportError:
            wrong_call(
                "import",
                "writing .zst needs the package `zstandard`",
                "install rulespec[zstd], or name the file .gz",
            )
        stream = zstandard.ZstdCompressor(level=6).stream_writer(out.file, closefd=False)
        return stream.write, stream.close
    return out.write, lambda: None


def _inputs(args: argparse.Namespace) -> list[Any]:
    from pathlib import Path

    from checker.report import input_of

    exports = [input_of(Path(name), "export") for name in args.files]
    return [input_of(Path(args.profile), "profile"), *exports]


def _report(
    args: argparse.Namespace, export: Import, told: list[Quarantined], place: Path | None
) -> int:
    import argparse as parsing

    from checker.report import Report
    from checker.report import input_of as hashed

    result = export.result
    log = hashed(args.output, "log") if result.rounds else None
    summary = {
        **result.as_json(),
        "log": None if log is None else log.as_json(),
        "quarantine": None if place is None else str(place),
        "quarantined_rows": [one.as_json() for one in told],
    }
    status = 2 if not result.rounds else 1 if result.quarantined else 0
    report = Report("import", _inputs(args), [], summary=summary, status=status)
    shown = parsing.Namespace(**{**vars(args), "output": None})  # --output is the log
    emit(shown, report, lambda view: _lines(export, told, place, args.output, view))
    if not result.rounds:
        say("rulespec import: nothing could be imported, so no log is written")
        say("help: --check shows what becomes of the first rows")
    return status


def _lines(
    export: Import, told: list[Quarantined], place: Path | None, log: Path, view: View
) -> list[Line]:
    from checker.render.lines import line
    from checker.render.to_text import count

    result = export.result
    lines: list[Line] = []
    if not view.quiet and result.rounds:
        rows = f"{result.imported:,} of {count(result.rows, 'row')}"
        rounds = count(result.rounds, "round")
        lines.append(line(f"{rounds} with {count(result.events, 'event')} in {log}, from {rows}"))
        if result.not_recorded:
            lines.append(line(f"not recorded: {', '.join(result.not_recorded)}"))
    if result.quarantined:
        text = f"{count(result.quarantined, 'row')} not imported, in {place}:"
        lines.append(line((text, "warning")))
        lines += [line(f"  {one.place}: {one.reason}") for one in told]
        if result.quarantined > len(told):
            lines.append(line(f"  and {result.quarantined - len(told):,} more"))
    return lines


# --- --check


def _check(args: argparse.Namespace, export: Import, rulebook: Rulebook | None) -> int:
    from checker.imports.check import ROWS, check_import
    from checker.report import Report

    found = check_import(export, rulebook)
    if rulebook is None:
        note(args, "no rulebook is named, so nothing is said about clauses; --rules names one")
    result = export.result.as_json()
    summary = {
        "rows": found.rows,
        "rows_at_most": ROWS,
        "rounds": len(found.rounds),
        "not_recorded": result["not_recorded"],
        "quarantined": len(found.quarantined),
        "reasons": result["reasons"],
        "unused_columns": found.unused,
        "quarantined_rows": [one.as_json() for one in found.quarantined[:100]],
        "first_round": found.rounds[0] if found.rounds else None,
        "clauses": None if found.clauses is None else found.clauses.as_json(),
    }
    status = 2 if not found.rounds else 1 if found.quarantined else 0
    report = Report("import", _inputs(args), [], summary=summary, status=status)
    emit(args, report, lambda view: _check_lines(found, summary, view))
    return status


def _check_lines(found: Checked, summary: dict[str, Any], view: View) -> list[Line]:
    from checker.render.lines import line
    from checker.render.to_text import count

    lines: list[Line] = []
    if not view.quiet:
        rows = count(found.rows, "row")
        lines.append(line(f"The first {rows} make {count(len(found.rounds), 'round')}."))
        if found.rounds:
            lines += [line(("The first round:", "strong")), line(f"  {found.rounds[0]}")]
        for file, names in found.unused.items():
            lines.append(line(f"not used of {file}: {', '.join(names)}"))
    if found.quarantined:
        text = f"{count(len(found.quarantined), 'row')} cannot be imported:"
        lines.append(line((text, "warning")))
        lines += [line(f"  {one.place}: {one.reason}") for one in found.quarantined[:_TOLD]]
    if view.quiet or found.clauses is None:
        return lines
    said = ", ".join(summary["not_recorded"]) or "nothing is missing"
    lines.append(line(("Not recorded: ", "strong"), said))
    told = found.clauses
    whole = len(told.decided) + len(told.decidable)
    every = whole + len(told.in_part) + len(told.not_decidable)
    lines.append(
        line(
            (f"Clauses of {told.rulebook} that a log can decide: ", "strong"),
            f"{every}; this export can decide {whole}, {len(told.in_part)} in part, "
            f"{len(told.not_decidable)} not.",
        )
    )
    lines.append(line(f"  can decide: {', '.join((*told.decided, *told.decidable)) or 'none'}"))
    lines += [line(f"  in part {clause}: {why}") for clause, why in told.in_part.items()]
    lines += [line(f"  not {clause}: {why}") for clause, why in told.not_decidable.items()]
    return lines
