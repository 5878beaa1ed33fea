"""What a replay comes to, in sentences."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from checker.evidence.saved_report import SavedReport
from checker.render.lines import visible


def amount(value: int | Decimal | None) -> str | None:
    """With two decimals, exact."""
    return None if value is None else f"{Decimal(value):,.2f}"


def moment(text: str | None) -> str:
    """A time as people write it, with its zone."""
    return re.sub(r"^(\S{10})T(\S{8}(?:\.\d+)?)", r"\1 \2 ", visible(text or "")).rstrip()


def counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def audited(saved: SavedReport) -> list[dict[str, Any]]:
    """The logs; what the report does not tell of one is a dash."""
    return [
        {
            "name": "standard input" if one["path"] == "-" else visible(one["path"]),
            "rounds": "–" if one.get("rounds") is None else f"{one['rounds']:,}",
            "lines": "–" if one.get("lines") is None else f"{one['lines']:,}",
            "from": moment(one.get("from")) or "–",
            "to": moment(one.get("to")) or "–",
            "sha256": one["sha256"] or "–",
        }
        for one in saved.inputs("log")
    ]


def verdict(saved: SavedReport) -> tuple[str, list[str]]:
    """How it stands, and one paragraph."""
    summary = saved.summary
    books = ", ".join(visible(one["id"]) for one in saved.document["rulebooks"]) or "no rulebook"
    logs = counted(len(saved.inputs("log")), "log")
    said = [
        f"{counted(summary['rounds'], 'round')} with {counted(summary['wagers'], 'wager')} "
        f"of {logs} were judged by {books}."
    ]
    within = " within the filter" if saved.document.get("filtered") else ""
    found, undecided = summary["findings"], summary["undecided"]
    if found:
        kinds = [
            f"{number:,} of {visible(kind)}"
            for kind, number in summary.get("by_kind", {}).items()
            if kind != "undecided"
        ]
        of = f": {', '.join(kinds)}" if kinds else ""
        breaches = "1 breach" if found == 1 else f"{found:,} breaches"
        were = "was" if found == 1 else "were"
        said.append(f"{breaches} of the text in force {were} found{within}{of}.")
    elif summary["rounds"]:
        said.append(f"Nothing was found{within} that the text in force does not allow.")
    over, under = summary["overpaid"], summary["underpaid"]
    if over or under:
        said.append(f"Players were paid {amount(over)} too much and {amount(under)} too little.")
    else:
        said.append(f"No wager{within} was paid a wrong amount." if summary["rounds"] else "")
    if undecided:
        said.append(
            f"{counted(undecided, 'question')} could not be decided, because the text or the log "
            "leaves it open; nothing is passed off as right."
        )
    if summary["quarantined"]:
        one = summary["quarantined"] == 1
        said.append(
            f"{counted(summary['quarantined'], 'line')} {'is' if one else 'are'} no valid round "
            f"and {'was' if one else 'were'} not judged."
        )
    untested = len(summary.get("not_checked", ()))
    if untested:
        said.append(f"{counted(untested, 'clause')} could not be tested for want of data.")
    left = (undecided, summary["quarantined"], summary.get("misplaced"), summary.get("unknown"))
    standing = "bad" if found else "" if any(left) or within else "good"
    return standing if summary["rounds"] else "", [one for one in said if one]
