"""What a replay was asked for, and by which texts it judged."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from checker.log.exact_json import dumps

if TYPE_CHECKING:
    from checker.replay.summary import Summary
    from checker.report import Input
    from rulespec.resolve.rulebook import Rulebook

OF_ROUNDS = ("table", "from", "to")  # rounds outside them are not judged
OF_FINDINGS = (
    "clause",
    "player",
    "kind",
    "code",
    "rulebook",
    "amount",
)  # findings outside them are counted in `Summary.outside`
FILTERS = (*OF_ROUNDS, *OF_FINDINGS, "only")  # the last of a state of review


def filtered(
    asked: Mapping[str, Any], summary: Summary, of_other_states: int = 0, limit: bool = True
) -> str | None:
    """What narrows a result, and what that leaves out: said first in every format."""
    named = [name for name in FILTERS if asked[name] not in (None, [])]
    told = [", ".join(f"{name} {_words(asked[name])}" for name in named)] if named else []
    if any(name in OF_ROUNDS for name in named):
        told.append("rounds outside the filter are not judged")
    if any(name in OF_FINDINGS for name in named):
        told.append(f"{_count(summary.outside)} outside the filter")
    if asked["only"] is not None:
        told.append(f"{_count(of_other_states)} of other states")
    if limit and asked["limit"] is not None:
        found = summary.findings + summary.undecided - of_other_states
        beyond = max(found - asked["limit"], 0)
        told += [f"limit {asked['limit']}", f"{_count(beyond)} beyond the limit"]
    return "; ".join(told) or None


def readings_left_out(asked: Mapping[str, Any]) -> str | None:
    names = asked["without_reading"]
    return f"Judged without reading {', '.join(names)}." if names else None


def first_lines(asked: Mapping[str, Any], told: str | None) -> list[str]:
    """What a reader has to know of a table of findings before its first row; `told` is what
    narrows it."""
    without = readings_left_out(asked)
    lines = [None if told is None else f"FILTERED: {told}", without]
    return [line for line in lines if line is not None]


def options_record(asked: Mapping[str, Any], told: str | None, summary: Summary) -> str:
    """The same as a line of jsonl."""
    record = {
        "filtered": told,
        "record": "options",
        "options": asked,
        "outside_filter": summary.outside,
    }
    return dumps({name: one for name, one in record.items() if one is not None}) + "\n"


def narrowed(asked: Mapping[str, Any]) -> bool:
    names = (*FILTERS, "limit", "without_reading")
    return any(asked[name] not in (None, []) for name in names)


def _words(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _count(findings: int) -> str:
    return f"{findings:,} finding{'' if findings == 1 else 's'}"


def rulebooks_used(
    books: Iterable[Rulebook], rules: Sequence[Input], summary: Summary
) -> list[dict[str, Any]]:
    """Each rulebook that judged a round: its id, the day from which it is in force, and the hash of
    its text."""
    sums = {one.path: one.sha256 for one in rules}
    found = []
    for book in books:
        if summary.rulebooks[book.id]:
            texts = [sums.get(file) for file in book.files]
            several = hashlib.sha256(repr(texts).encode()).hexdigest()
            found.append(
                {
                    "id": book.id,
                    "day": None if book.start is None else book.start.isoformat(),
                    "sha256": texts[0] if len(texts) == 1 else several,
                }
            )
    return found
