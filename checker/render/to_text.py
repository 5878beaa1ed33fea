"""Findings for people: what is wrong, where, what to do about it, and a summary in plain words."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from checker.render.cover_text import cover_lines
from checker.render.excerpt import Sources, excerpt
from checker.render.lines import Line, View, line, wrapped
from checker.report import Finding, Report, count_by
from rulespec.base.codes import CODES, STILL_CHECKED
from rulespec.base.diagnostics import Related

_RELATED_SHOWN = 8


def to_text(report: Report, view: View) -> list[Line]:
    """All findings, then the summary."""
    lines = list(finding_lines(report, view))
    if not view.quiet:
        lines.extend(summary_lines(report, view))
    return lines


def finding_lines(report: Report, view: View) -> Iterator[Line]:
    """The open findings, one paragraph each; with --full the accepted ones too."""
    sources = Sources(report.texts)
    for finding in report.findings:
        if view.full or finding.severity != "note" or report.command != "check":
            yield from _paragraph(finding, sources, view)
    if view.full:
        for finding in report.accepted:
            yield from _paragraph(finding, sources, view)


def _paragraph(finding: Finding, sources: Sources, view: View) -> Iterator[Line]:
    severity = "accepted" if finding.accepted is not None else finding.severity
    style = "good" if severity == "accepted" else severity
    header = line(
        (severity, style),
        " ",
        (finding.code, style),
        place_in_text(finding),
        ": ",
        (finding.message, "strong"),
    )
    yield from wrapped(header, view.width)
    if finding.span is not None and finding.span.file:
        span = finding.span
        where = f"{shown_path(span.file)}:{span.start_line}:{span.start_column}"
        yield line(("  at ", "faint"), where)
        yield from excerpt(span, sources, view.width, style)
    if finding.accepted is not None:
        yield from wrapped(line(("  because: ", "good"), finding.accepted), view.width)
    elif finding.help:
        yield from wrapped(line(("  help: ", "help"), finding.help), view.width)
    yield from _related(finding.related, view)
    yield ()


def place_in_text(finding: Finding) -> str:
    """` in act-pontoon clause 12.7`, as far as it is known."""
    parts = [finding.rulebook or "", f"clause {finding.clause}" if finding.clause else ""]
    named = " ".join(part for part in parts if part)
    return f" in {named}" if named else ""


def _related(related: Sequence[Related], view: View) -> Iterator[Line]:
    """`related: 14.2, 14.3 (cited)`; on a line each when there is much to say."""
    shown = related if view.full else related[:_RELATED_SHOWN]
    if not shown:
        return
    groups = []
    for role, members in groupby(shown, key=lambda r: r.role):
        groups.append(", ".join(m.clause for m in members) + (f" ({role})" if role else ""))
    if len(shown) < len(related):
        groups.append(f"and {len(related) - len(shown)} more (--full shows them)")
    if len(groups) <= 2:
        yield from wrapped(line(("  related: ", "faint"), "; ".join(groups)), view.width)
        return
    yield line(("  related:", "faint"))
    for group in groups:
        yield from wrapped(line(f"    {group}"), view.width, indent=8)


def shown_path(file: str) -> str:
    """A path as short as it can be said from here."""
    try:
        path = Path(os.path.abspath(file))
        here = Path.cwd()
        return str(path.relative_to(here)) if path.is_relative_to(here) else file
    except OSError:
        return file


def summary_lines(report: Report, view: View) -> Iterator[Line]:
    """What it comes to, for somebody who reads nothing else; with --full what was not asked."""
    if view.full and "proofs" in report.summary:
        yield from cover_lines(report.summary["proofs"], report.summary.get("undecided", ()), view)
    books, clauses = report.summary.get("rulebooks"), report.summary.get("clauses")
    if books:
        what = f" with {count(clauses, 'clause')}" if clauses else ""
        yield line((f"{count(books, 'rulebook')}{what} checked.", "strong"))
        yield from _by_rulebook(report.summary.get("by_rulebook", {}))
    for sentence, style in unusable_sentence(report):
        yield from wrapped(line((sentence, style)), view.width, indent=0)
    flaws = [f for f in report.findings if not f.unusable]
    counted = [f for f in flaws if f.severity != "note"]
    if counted:
        yield line((f"{count(len(counted), 'open finding')}:", "warning"))
        yield from _kinds(counted)
    elif books and len(flaws) == len(report.findings) and not report.undecided:
        yield line(("No open findings.", "good"))
    if report.undecided and books:
        what = "is" if report.undecided == 1 else "are"
        sentence = f"{count(report.undecided, 'question')} of the proofs {what} not decided."
        yield line((sentence, "warning"))
    for sentence in _asides(report, len(flaws) - len(counted), view):
        yield from wrapped(line(sentence), view.width, indent=0)
    if counted:
        code = counted[0].code
        yield line((f"`rulespec docs {code}` explains {code}, and so on.", "faint"))


def _by_rulebook(table: Mapping[str, Mapping[str, int]]) -> Iterator[Line]:
    """A row for each rulebook, when there are several."""
    if len(table) < 2:
        return
    names = max(len(name) for name in table)
    columns = list(next(iter(table.values())))
    heading = "".join(f"  {column:>8}" for column in columns)
    yield line((f"  {'rulebook':<{names}}{heading}", "faint"))
    for name, row in table.items():
        yield line(f"  {name:<{names}}" + "".join(f"  {row[column]:>8,}" for column in columns))


def _kinds(findings: Sequence[Finding]) -> Iterator[Line]:
    """How many of each code, with what the code means."""
    counts = count_by(findings, "code")
    digits = max(len(f"{number:,}") for number in counts.values())
    for code, number in counts.items():
        title = CODES[code].title if code in CODES else ""
        yield line(f"  {number:>{digits},} × ", (code, "strong"), f"  {title}")


def _asides(report: Report, notes: int, view: View) -> Iterator[str]:
    if notes:
        those = "that is" if notes == 1 else "those are"
        hidden = (
            ""
            if view.full or report.command != "check"
            else (f" (--full shows {'it' if notes == 1 else 'them'})")
        )
        yield f"{count(notes, 'note')}: {those} for information and no fault of the text{hidden}."
    if report.accepted:
        more = "" if view.full else " (--full shows them)"
        what = (
            "known flaw of the text is"
            if len(report.accepted) == 1
            else ("known flaws of the texts are")
        )
        yield f"{len(report.accepted):,} {what} accepted with a written reason{more}."


def unusable_sentence(report: Report) -> Iterator[tuple[str, str]]:
    """What could not be used, if anything: said first, because the rest does not cover it."""
    unusable = [f for f in report.findings if f.unusable]
    files = {f.span.file for f in unusable if f.span is not None and f.span.file}
    if files:
        errors = (
            "the error above is"
            if len(unusable) == 1
            else (f"the {len(unusable):,} errors above are")
        )
        known = all(f.code in STILL_CHECKED for f in unusable)
        decided = (
            "the other findings are about what is left"
            if known
            else f"nothing is decided about what {'it says' if len(files) == 1 else 'they say'}"
        )
        unused = f"{count(len(files), 'rule file')} cannot be used until {errors} mended"
        yield f"{unused}; {decided}.", "error"
    elif unusable:
        yield "What could not be found was not checked.", "error"


def count(number: object, what: str) -> str:
    """`1 clause`, `1,332 clauses`"""
    assert isinstance(number, int)
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def clauses_are(number: int) -> str:
    """`1 clause of the printed text is`, `12 clauses of the printed text are`"""
    one = number == 1
    return f"{count(number, 'clause')} of the printed text {'is' if one else 'are'}"
