"""`rulespec report`: a saved replay as one page to hand over."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from checker.commands.output import add_command, note, say, write_result, wrong_call

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping, Sequence

    from checker.commands.output import Subparsers
    from checker.evidence.saved_report import SavedReport
    from checker.judge.explanation import Explained
    from checker.judge.findings import Decision
    from checker.log.model import Round
    from checker.render.report_data import Drawn, Text
    from checker.replay.replay import Library
    from checker.table.shoes import ShoeView

_KINDS = (".html", ".xlsx", ".pdf", ".md")
_REASONS = 8  # of a finding


def register(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "report",
        "Make one page of a saved replay (rulespec replay --format json), to hand over: what was "
        "audited, by which\ntexts, what was found and why, what was not checked, and how it came "
        "about.",
    )
    parser.add_argument("result", metavar="RESULT", help="rulespec replay --format json")
    parser.add_argument(
        "--log",
        action="append",
        default=[],
        metavar="LOG",
        help="a log of the report, or a folder of them, where they are not where the report says",
    )
    parser.add_argument(
        "--no-rounds", action="store_true", help="do not draw and explain rounds of the logs"
    )


def run(args: argparse.Namespace) -> int:
    from checker.evidence.saved_report import load_report
    from checker.render.report_data import Limits, clauses_of, page_of
    from checker.report import CLEAN, FINDINGS

    output = args.output
    if output is None:
        wrong_call("report", "no file to write is named", "--output FILE, " + " or ".join(_KINDS))
    kind = output.suffix.lower()
    if kind not in _KINDS:
        wrong_call("report", f"`{output}` is of no known kind", "one of " + ", ".join(_KINDS))
    saved = load_report(args.result)
    if saved.seal_is_broken:
        say(f"`{args.result}` was changed after it was written: its seal is broken, and so it says")
    _not_over_an_input(output, saved, args)
    limits = {
        ".html": Limits(200, 5, 20_000),
        ".pdf": Limits(60, 3, 1_000),
        ".md": Limits(200, 5, 5_000),
        ".xlsx": Limits(0, 0, 0),
    }[kind]
    library = _library(saved)
    texts = {} if library is None else _texts(saved, library)
    clauses = clauses_of(saved, texts, limits)
    drawn = None
    if args.no_rounds and args.log:
        wrong_call("report", "`--log` and `--no-rounds` go against each other")
    if not args.no_rounds and kind != ".xlsx":
        if library is None:
            note(args, "rounds are not drawn: the rules of the report are not at hand as they were")
        else:
            drawn = _drawn(args, saved, library, clauses, limits)
    page = page_of(saved, limits, texts, drawn, clauses)
    _write(output, kind, page)
    if args.format == "json":
        _tell(saved, output)
    else:
        note(args, f"`{output}`: {len(saved.findings):,} findings")
    return FINDINGS if saved.seal_is_broken else CLEAN


def _tell(saved: SavedReport, output: Path) -> None:
    from checker.render.lines import View
    from checker.render.to_json import to_json
    from checker.report import Input, Report

    inputs = [Input(one["path"], one["kind"], one["sha256"]) for one in saved.document["inputs"]]
    summary = {"written": str(output), "findings": len(saved.findings)}
    write_result(to_json(Report("report", inputs, [], (), summary), View()), None, "utf-8")


def _write(output: Path, kind: str, page: Any) -> None:
    from checker.commands.writing.whole_files import replace_file

    if kind == ".xlsx":
        from checker.render.report_excel import report_excel

        replace_file(output, report_excel(page))
        return
    from checker.render.report_page import report_html, report_markdown, report_pdf

    if kind == ".pdf":
        replace_file(output, report_pdf(page))
    else:
        text = report_html(page) if kind == ".html" else report_markdown(page)
        replace_file(output, text.encode("utf-8", "replace"))


def _not_over_an_input(output: Path, saved: SavedReport, args: argparse.Namespace) -> None:
    for one in (saved.path, *args.log):
        if output.exists() and Path(one).exists() and output.samefile(one):
            wrong_call("report", f"`{output}` is read, so it cannot be written to")


# --- the rules, where they are at hand as they were


def _library(saved: SavedReport) -> Library | None:
    from checker.evidence.find_inputs import find_rules
    from checker.replay_logs import load_library
    from rulespec.base.errors import RulesError, WrongCall

    options = saved.document["options"]
    try:
        library, read = load_library(
            find_rules(saved), options["without_reading"], "report", options["force"]
        )
    except (RulesError, WrongCall):
        return None
    recorded = {one["sha256"] for one in saved.inputs("rules")}
    now = {one.path: one.sha256 for one in read.inputs}
    ids = {one["id"] for one in saved.document["rulebooks"]}
    used = [book for book in library.books() if book.id in ids]
    same = all(now.get(file) in recorded for book in used for file in book.files)
    return library if same and {book.id for book in used} == ids else None


def _texts(saved: SavedReport, library: Library) -> dict[str, Text]:
    from checker.render.report_data import Text
    from rulespec.tree.nodes import Currency, TextProperty

    ids = {one["id"] for one in saved.document["rulebooks"]}
    found = {}
    for book in library.books():
        if book.id in ids:
            said = {
                one.key: one.text for one in book.header.properties if isinstance(one, TextProperty)
            }
            about = [said[key] for key in ("casino", "instrument", "regulator") if key in said]
            titles = {clause.id: clause.title for text in book.texts for clause in text.clauses}
            readings = {reading.name: reading.because for reading in book.readings}
            named = [one.name for one in book.header.properties if isinstance(one, Currency)]
            money = named[0] if named else "dollars"
            found[book.id] = Text(book.title, ", ".join(about), money, titles, readings)
    return found


# --- the rounds, where the log is at hand


def _drawn(
    args: argparse.Namespace,
    saved: SavedReport,
    library: Library,
    clauses: Sequence[Any],
    limits: Any,
) -> dict[int, Drawn] | None:
    """By the number of the finding: those that are told at length; None where no log is there."""
    from checker.evidence.find_inputs import find_logs, sha256_of
    from checker.log.read import LogError
    from checker.render.report_data import at_length
    from checker.replay.find_round import rounds_on

    where = find_logs(saved, args.log)
    hashes = {one["path"]: one["sha256"] for one in saved.inputs("log")}
    numbers = {id(finding): number for number, finding in enumerate(saved.findings)}
    wanted: dict[str, dict[int, list[int]]] = {}  # by log and line
    for clause in clauses:
        for finding in at_length(clause, limits, len(saved.findings)):
            lines = wanted.setdefault(finding.get("log", ""), {})
            lines.setdefault(finding["line"], []).append(numbers[id(finding)])
    drawn: dict[int, Drawn] = {}
    for path, lines in wanted.items():
        here = where.get(path)
        if here is None:
            note(args, f"rounds of `{path}` are not drawn: the log is not at hand (--log)")
            continue
        if sha256_of(here) != hashes[path]:
            if args.log:
                wrong_call("report", f"`{here}` is not the log that was judged", "rulespec verify")
            note(args, f"rounds of `{path}` are not drawn: `{here}` is not the log that was judged")
            continue
        try:
            for round_, view in rounds_on(here, lines):
                drawn.update(_explained(saved, library, round_, view, lines[round_.line]))
        except LogError as error:
            wrong_call("report", error.message, error.help)
    return drawn or None


def _explained(
    saved: SavedReport,
    library: Library,
    round_: Round,
    view: ShoeView,
    findings: Sequence[int],
) -> Iterator[tuple[int, Drawn]]:
    from checker.commands.explain import drawn_round
    from checker.judge.explanation import explain
    from checker.render.report_data import Drawn
    from checker.replay_logs import judge_to_explain

    engine, verdict = judge_to_explain(round_, library, view)
    if engine is None:
        return
    lines = tuple(
        "".join(piece.text for piece in line) for line in drawn_round(engine, round_, view)
    )
    decisions = list(zip(verdict.decisions, explain(engine, verdict), strict=True))
    for number in findings:
        yield number, Drawn(lines, tuple(_reasons(saved.findings[number], decisions)))


def _reasons(
    finding: Mapping[str, Any], decisions: Sequence[tuple[Decision, Explained]]
) -> Iterator[str]:
    """Why it should have been otherwise: what was decided about the hand, clause by clause."""
    from checker.log.model import NO_BOX

    named = {finding["clause"], *(one["clause"] for one in finding["related"])}
    told: dict[str, None] = {}
    for decision, explained in decisions:
        if decision.box not in (None, NO_BOX, finding.get("box")):
            continue
        if decision.player is not None and finding.get("player") not in (None, decision.player):
            continue
        if decision.bet is not None and finding.get("bet") not in (None, decision.bet):
            continue
        for reason in explained.reasons:
            if reason.clause not in named:
                continue
            read = f", by the reading {reason.reading}" if reason.reading else ""
            says = f"clause {reason.clause} says {reason.says}"
            beaten = f", but {reason.beaten_by} prevails" if reason.beaten_by else ""
            title = f": {reason.title}" if reason.title and not beaten else ""
            told[f"{explained.subject}: {says}{beaten}{title}{read}"] = None
    yield from list(told)[:_REASONS]
