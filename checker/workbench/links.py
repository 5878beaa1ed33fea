"""Addresses: which page a name stands for, and how a page links to another one."""

from __future__ import annotations

from typing import Any

from checker.workbench.page import Maker
from checker.workbench.pages.change import change, compare
from checker.workbench.pages.findings import findings
from checker.workbench.pages.review import review
from checker.workbench.pages.round import round_
from checker.workbench.pages.rulebook import clause, rulebook
from checker.workbench.pages.start import start
from checker.workbench.pages.try_hand import try_hand
from checker.workbench.pages.unchanged import unchanged
from checker.workbench.query import query

PAGES: dict[str, Maker] = {
    "start": start,
    "findings": findings,
    "round": round_,
    "rulebook": rulebook,
    "clause": clause,
    "change": change,
    "compare": compare,
    "review": review,
    "try": try_hand,
    "unchanged": unchanged,
}
ADDRESSES: dict[str, str] = {
    "start": "/",
    "findings": "/findings",
    "round": "/round",
    "rulebook": "/rulebook",
    "clause": "/clause",
    "change": "/change",
    "compare": "/compare",
    "review": "/review",
    "try": "/try",
    "unchanged": "/unchanged",
}


def live_link(name: str, **values: Any) -> str:
    asked = query(values)
    return ADDRESSES[name] + (f"?{asked}" if asked else "")
