"""Two texts by their names, compared, as the result document of `rulespec diff`."""

from __future__ import annotations

from dataclasses import dataclass

from checker.diff.diff import Difference, diff
from checker.diff.findings import findings
from checker.diff.findings import summary as summary_of
from checker.report import Report, inputs_of, severity_counts
from rulespec.load.named import Book, load_one
from rulespec.resolve.in_force import text_in_force


@dataclass(frozen=True, slots=True)
class DiffReport(Report):
    """The result document, with the comparison itself; None when a text cannot be used."""

    difference: Difference | None = None


def diff_by_name(old: str | Book, new: str | Book, budget: float | None = None) -> DiffReport:
    one, wrong = load_one(old)
    other, more = load_one(new)
    books = [book for book in (one, other) if book is not None]
    texts = {str(b.loaded.path): b.data for b in books if b.data is not None}
    if one is None or other is None:
        faults = list({d.fingerprint: d for d in (*wrong, *more)}.values())
        summary = {"findings": len(faults), **severity_counts(faults)}
        return DiffReport("diff", inputs_of(books), faults, (), summary, texts=texts)
    assert one.loaded.rulebook is not None
    assert other.loaded.rulebook is not None
    whole = (one.loaded.rulebook, other.loaded.rulebook)
    found = diff(
        text_in_force(whole[0], one.day),
        text_in_force(whole[1], other.day),
        budget,
        whole if one.day is None and other.day is None else None,
        (one.name, other.name),
    )
    listed = findings(found)
    summary = {**summary_of(found), "findings": len(listed), **severity_counts(listed)}
    undecided = 0 if found.decided else max(1, len(found.meaning.undecided))
    return DiffReport(
        "diff", inputs_of(books), listed, (), summary, undecided, texts=texts, difference=found
    )
