"""A saved replay as a person reads it, laid out once for every format of `rulespec report`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from checker.evidence.saved_report import SavedReport
from checker.render.lines import visible
from checker.render.report_verdict import amount, audited, counted, moment, verdict
from checker.replay.provenance import readings_left_out

UNDECIDED: Final = "undecided"
NO_CLAUSE: Final = "no clause"
_DAYS: Final = 40  # more are told by month


@dataclass(frozen=True, slots=True)
class Text:
    """A rulebook that judged, where its very text is at hand."""

    title: str
    about: str  # casino, instrument, regulator
    currency: str
    titles: Mapping[str, str]  # of its clauses
    readings: Mapping[str, str]  # why each of them is read so


@dataclass(frozen=True, slots=True)
class Drawn:
    """A round, where the log is at hand."""

    lines: tuple[str, ...]  # the table at its end
    reasons: tuple[str, ...]  # of what was decided about the finding, in words


@dataclass(frozen=True, slots=True)
class Limits:
    """What a format holds before it becomes unwieldy."""

    told: int  # findings that are told at length
    of_a_clause: int  # the same, of one clause if there are more
    rows: int  # findings in a row of a table


@dataclass(frozen=True, slots=True)
class Told:
    """One finding."""

    finding: Mapping[str, Any]
    place: str
    facts: tuple[tuple[str, str], ...]
    expected: str | None
    actual: str | None
    difference: str | None
    related: tuple[str, ...]
    readings: tuple[tuple[str, str], ...]  # name and reason
    drawn: Drawn | None = None

    def __getitem__(self, name: str) -> str:
        value = self.finding.get(name)
        return "" if value is None else visible(str(value))


@dataclass(slots=True)
class Clause:
    """The findings about one clause."""

    rulebook: str
    clause: str
    title: str
    undecided: bool
    findings: list[Mapping[str, Any]] = field(default_factory=list)
    overpaid: Decimal = Decimal(0)
    underpaid: Decimal = Decimal(0)
    told: list[Told] = field(default_factory=list)  # at length
    rows: list[Told] = field(default_factory=list)  # in a line each
    left: int = 0  # not shown at all

    @property
    def anchor(self) -> str:
        word = re.sub(r"[^\w.-]+", "-", f"{self.rulebook}-{self.clause}")
        return ("open-" if self.undecided else "clause-") + word


@dataclass(slots=True)
class Page:
    """All that a report shows."""

    saved: SavedReport
    filtered: str | None
    readings_left_out: str | None
    verdict: list[str]
    standing: str  # good, bad, or nothing where it is open
    logs: list[dict[str, Any]]
    texts: list[dict[str, Any]]
    clauses: list[Clause]
    money_note: str
    tables: list[tuple[str, str, int, Decimal, Decimal]]
    days: list[tuple[str, int, int]]
    not_checked: list[dict[str, Any]]
    reach: list[str]
    left_out: list[str]
    drawn_note: str
    broken: bool  # whether the report was changed after it was written

    @property
    def summary(self) -> Mapping[str, Any]:
        return self.saved.summary

    @property
    def breaches(self) -> list[Clause]:
        return [one for one in self.clauses if not one.undecided]

    @property
    def open(self) -> list[Clause]:
        return [one for one in self.clauses if one.undecided]


def page_of(
    saved: SavedReport,
    limits: Limits,
    texts: Mapping[str, Text],
    drawn: Mapping[int, Drawn] | None = None,
    order: Sequence[Clause] | None = None,
) -> Page:
    """`drawn` by the number of the finding in the report; None: no log is at hand."""
    clauses = list(order) if order is not None else clauses_of(saved, texts, limits)
    shown = 0
    numbers = {id(finding): number for number, finding in enumerate(saved.findings)}
    for clause in clauses:
        told = set(map(id, at_length(clause, limits, len(saved.findings))))
        for finding in clause.findings:
            round_ = (drawn or {}).get(numbers[id(finding)])
            one = told_of(finding, texts.get(clause.rulebook), round_)
            if id(finding) in told:
                clause.told.append(one)
            elif shown < limits.rows:
                clause.rows.append(one)
            else:
                clause.left += 1
            shown += 1
    standing, sentences = verdict(saved)
    currencies = {text.currency for text in texts.values()}
    return Page(
        saved,
        _shown(saved.document.get("filtered")),
        readings_left_out(saved.document["options"]),
        sentences,
        standing,
        audited(saved),
        [_text_row(one, texts.get(one["id"])) for one in saved.document["rulebooks"]],
        clauses,
        f"Amounts are in {currencies.pop()}." if len(currencies) == 1 else "",
        _by_table(saved.findings),
        _by_day(saved.findings),
        list(saved.summary.get("not_checked", ())),
        list(_reach(saved.summary.get("clauses_tested", ()))),
        list(_left_out(saved)),
        _drawn_note(clauses, drawn),
        saved.seal_is_broken,
    )


def clauses_of(saved: SavedReport, texts: Mapping[str, Text], limits: Limits) -> list[Clause]:
    """The findings by clause, in the order of the rulebook."""
    found: dict[tuple[bool, str, str], Clause] = {}
    for finding in saved.findings:
        clause, book = finding["clause"] or NO_CLAUSE, finding["rulebook"]
        key = (finding["kind"] == UNDECIDED, book, clause)
        if key not in found:
            text = texts.get(book)
            title = "" if text is None else text.titles.get(clause, "")
            found[key] = Clause(visible(book), visible(clause), title, key[0])
        found[key].findings.append(finding)
        over, under = money_of(finding)
        found[key].overpaid += over
        found[key].underpaid += under
    return [found[key] for key in sorted(found, key=lambda k: (k[0], k[1], natural(k[2])))]


def at_length(clause: Clause, limits: Limits, total: int) -> Sequence[Mapping[str, Any]]:
    """The findings of a clause that are told at length: all, where there are not too many."""
    if total <= limits.told:
        return clause.findings
    return clause.findings[: limits.of_a_clause]


def natural(clause: str) -> list[tuple[int, int, str]]:
    """So that 9.2 comes before 10.1."""
    parts = re.findall(r"\d+|\D+", clause)
    return [(0, int(x), "") if x.isdecimal() and len(x) < 18 else (1, 0, x) for x in parts]


def money_of(finding: Mapping[str, Any]) -> tuple[Decimal, Decimal]:
    """What was paid too much and too little, as the summary of a replay counts it."""
    difference = Decimal(finding.get("difference", 0)) if finding["kind"] == "settlement" else 0
    return Decimal(max(difference, 0)), Decimal(max(-difference, 0))


def told_of(finding: Mapping[str, Any], text: Text | None, drawn: Drawn | None = None) -> Told:
    facts = [
        (name, moment(finding[key]) if key == "at" else visible(str(finding[key])))
        for name, key in (
            ("time", "at"),
            ("box", "box"),
            ("hand", "hand"),
            ("player", "player"),
            ("bet", "bet"),
            ("review", "state"),
        )
        if finding.get(key) is not None
    ]
    log = f" of {finding['log']}" if finding.get("log") else ""
    place = f"round {finding['round']}, table {finding['table']}, line {finding['line']}{log}"
    why = text.readings if text is not None else {}
    return Told(
        finding,
        visible(place),
        tuple(facts),
        amount(finding.get("expected")),
        amount(finding.get("actual")),
        amount(finding.get("difference")),
        tuple(visible(f"{one['clause']} ({one['role']})") for one in finding["related"]),
        tuple((visible(name), why.get(name, "")) for name in finding.get("readings", ())),
        drawn,
    )


def _text_row(recorded: Mapping[str, Any], text: Text | None) -> dict[str, Any]:
    return {
        "id": visible(recorded["id"]),
        "title": text.title if text is not None else "",
        "about": text.about if text is not None else "",
        "day": recorded["day"] or "undated",
        "sha256": recorded["sha256"] or "",
    }


def _by_table(
    findings: Iterable[Mapping[str, Any]],
) -> list[tuple[str, str, int, Decimal, Decimal]]:
    """By rulebook and table, which are of one casino: findings, paid too much, too little."""
    found: dict[tuple[str, str], list[Any]] = {}
    for finding in findings:
        key = (visible(finding["rulebook"]), visible(finding["table"]))
        row = found.setdefault(key, [0, Decimal(0), Decimal(0)])
        over, under = money_of(finding)
        row[0] += finding["kind"] != UNDECIDED
        row[1] += over
        row[2] += under
    return [(*key, *row) for key, row in sorted(found.items(), key=lambda x: (-x[1][0], x[0]))]


def _by_day(findings: Iterable[Mapping[str, Any]]) -> list[tuple[str, int, int]]:
    """Findings and open questions of each day, of each month where there are many days."""
    times = [
        (visible(finding["at"]), finding["kind"] == UNDECIDED)
        for finding in findings
        if finding.get("at")
    ]
    size = 10 if len({at[:10] for at, _ in times}) <= _DAYS else 7
    found: dict[str, list[int]] = {}
    for at, undecided in times:
        found.setdefault(at[:size], [0, 0])[undecided] += 1
    return [(day, numbers[0], numbers[1]) for day, numbers in sorted(found.items())]


def _reach(tested: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for one in tested:
        yield visible(
            f"{one['rulebook']}: {one['decided']:,} of {counted(one['clauses'], 'clause')} were "
            f"put to the test; {len(one['not_checked']):,} could not be, for want of data, and "
            f"{len(one['not_asked']):,} no round had to do with"
        )


def _left_out(saved: SavedReport) -> Iterator[str]:
    """What was not judged, beside clauses."""
    summary = saved.summary
    for one in summary.get("unknown", ()):
        rounds = counted(one["rounds"], "round")
        yield visible(f"{one['part']} `{one['name']}` in {rounds}: not known, and not checked")
    if summary.get("misplaced"):
        yield (
            f"{counted(summary['misplaced'], 'round')} out of order: what a shoe tells from round "
            "to round is not checked across such a place"
        )
    if summary.get("copies"):
        yield f"{counted(summary['copies'], 'round')} stood in the logs before: judged once"
    if summary.get("cut_off"):
        yield "a log is cut off: what came after is not known"
    if summary["quarantined"]:
        yield f"{counted(summary['quarantined'], 'line')} that are no valid round were not judged"
    for one in summary.get("quarantined_lines", ()):
        log = f" of {one['log']}" if one.get("log") else ""
        yield visible(f"line {one['line']}{log}: {one['reason']}")


def _drawn_note(clauses: Iterable[Clause], drawn: Mapping[int, Drawn] | None) -> str:
    if drawn is None:
        return "No round is drawn: this page was made without the logs."
    rows = sum(len(one.rows) + one.left for one in clauses)
    if not rows:
        return ""
    shown = sum(one.drawn is not None for clause in clauses for one in clause.told)
    return f"{counted(shown, 'round')} are drawn; {counted(rows, 'more finding')} are listed only."


def _shown(text: str | None) -> str | None:
    return None if text is None else visible(text)
