"""How a report is shown: one file for each format, each with one function from report to text."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from checker.render.lines import View
    from checker.report import Report


def render(report: Report, format: str, view: View) -> str:
    """The report in a format for machines; `to_NAME.py` holds the function `to_NAME`."""
    module = import_module(f"checker.render.to_{format}")
    text: str = getattr(module, f"to_{format}")(report, view)
    return text
