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

FILTERS = ("table", "from", "to", "clause", "only")


def options_record(asked: Mapping[str, Any], summary: Summary) -> str:
    """A line of jsonl, where something narrows what the other lines hold: what was asked for."""
    if not any(asked[name] not in (None, []) for name in (*FILTERS, "limit", "without_reading")):
        return ""
    record = {"record": "options", "options": asked, "outside_filter": summary.outside}
    return dumps(record) + "\n"


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
