"""Findings as GitHub workflow commands, which become annotations beside the changed lines."""

from __future__ import annotations

from checker.render.lines import View
from checker.render.to_text import place_in_text, shown_path
from checker.report import Finding, Report

_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def to_github(report: Report, view: View) -> str:
    shown = [f for f in report.findings if not (view.quiet and f.severity == "note")]
    return "".join(_command(finding) + "\n" for finding in shown)


def _command(finding: Finding) -> str:
    title = f"{finding.code} {finding.slug}{place_in_text(finding)}"
    message = finding.message + (f"\nhelp: {finding.help}" if finding.help else "")
    properties = [*_place(finding), ("title", title)]
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties)
    return f"::{_LEVELS[finding.severity]} {listed}::{_data(message)}"


def _place(finding: Finding) -> list[tuple[str, str]]:
    span = finding.span
    if span is None or not span.file:
        return []
    place = [("file", shown_path(span.file).replace("\\", "/")), ("line", str(span.start_line))]
    if span.start_line != span.end_line:
        # Columns across lines are refused by GitHub, which then shows no place at all.
        return [*place, ("endLine", str(span.end_line))]
    columns = [
        ("col", str(span.start_column)),
        ("endLine", str(span.end_line)),
        ("endColumn", str(span.end_column)),
    ]
    return [*place, *columns]


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
