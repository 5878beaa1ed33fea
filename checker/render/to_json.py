"""The report as the JSON envelope of the contract."""

from __future__ import annotations

from checker.log.exact_json import dumps
from checker.render.lines import View
from checker.report import Report


def to_json(report: Report, view: View) -> str:
    return dumps(report.as_json(), indent=2, allow_nan=False) + "\n"
