"""The report as the JSON envelope of the contract."""

from __future__ import annotations

import json

from checker.render.lines import View
from checker.report import Report


def to_json(report: Report, view: View) -> str:
    return json.dumps(report.as_json(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
