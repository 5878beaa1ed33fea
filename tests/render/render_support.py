"""Reports to render."""

from pathlib import Path
from typing import Any

from checker.report import Report, input_of
from rulespec.base.diagnostics import Diagnostic
from rulespec.base.spans import Span

TEXT = 'rulebook x {}\nclause 12.7 "Doubled" {\n  cites 14.4 as payout\n}\n'


def finding(code: str = "R201", **more: Any) -> Diagnostic:
    settings: dict[str, Any] = {
        "message": "`12.7` cites `14.4`, but no clause or section is numbered `14.4`",
        "span": Span("book.rules", 3, 9, 3, 13),
        "rulebook": "act-pontoon",
        "clause": "12.7",
        "help": "read as `14.2`",
    }
    return Diagnostic(code, **{**settings, **more})


def report(*findings: Diagnostic, accepted: tuple[Diagnostic, ...] = (), **more: Any) -> Report:
    inputs = [input_of(Path("book.rules"), "rules")]
    summary = {"rulebooks": 1, "checked": ["act-pontoon"], "clauses": 1}
    return Report("check", inputs, findings, accepted, summary, **more)
