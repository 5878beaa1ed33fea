"""What goes between the driver of a cluster and its workers: jobs, records, parts of a result."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from checker.judge.findings import Verdict
from checker.log.model import Round
from checker.log.read import Quarantined
from checker.log.repeated_rounds import Copied, Place
from checker.replay.order import Misplaced
from checker.replay.replay import STRANGER, Filter, Library, add_clash, book_name, judge_round
from rulespec.resolve.rulebook import Rulebook

Clause: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Job:
    """What every worker has to know."""

    id: str
    books: list[Rulebook]
    only: Rulebook | None
    others: dict[str, str]
    wanted: Filter
    first_cards: Place | None  # the first round that records a player card
    first_warning: Place | None
    files: list[str] = field(default_factory=list)
    columns: bool = False  # there are enough rounds that the columns are worth starting

    def library(self) -> Library:
        return Library(self.books, self.only, self.others)


@dataclass(slots=True)
class Part:
    """What the rounds of one worker come to, beside their findings."""

    rounds: int = 0
    wagers: int = 0
    rulebooks: dict[str, int] = field(default_factory=dict)
    tested: set[Clause] = field(default_factory=set)
    unchecked: dict[Clause, tuple[int, Place, str]] = field(default_factory=dict)
    """Rounds, and the last of them with its reason."""
    not_recorded: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    unknown: Counter[tuple[str, str]] = field(default_factory=Counter)
    outside: int = 0  # findings that the filter does not show

    def add(self, book: str, verdict: Verdict, place: Place) -> None:
        self.rounds += 1
        self.wagers += verdict.wagers
        self.rulebooks[book] = self.rulebooks.get(book, 0) + 1
        for clause, reason in verdict.not_checked.items():
            self.leave((book, clause), 1, place, reason)
        for clause, reason in verdict.not_recorded.items():
            self.not_recorded[book, clause, reason] += 1
        self.add_money(book, verdict)

    def add_money(self, book: str, verdict: Verdict) -> None:
        """As `Summary.add_money`."""
        self.tested.update((book, clause) for clause in verdict.tested)

    def leave(self, key: Clause, count: int, place: Place, reason: str) -> None:
        before, last, known = self.unchecked.get(key, (0, Place(-1, -1), ""))
        if place >= last:
            last, known = place, reason
        self.unchecked[key] = (before + count, last, known)

    def join(self, other: Part) -> None:
        self.rounds += other.rounds
        self.wagers += other.wagers
        self.tested |= other.tested
        for book, count in other.rulebooks.items():
            self.rulebooks[book] = self.rulebooks.get(book, 0) + count
        for key, (count, place, reason) in other.unchecked.items():
            self.leave(key, count, place, reason)
        self.not_recorded.update(other.not_recorded)
        self.unknown.update(other.unknown)
        self.outside += other.outside


def table_key(rulebook: str | None, table: str) -> str:
    return f"{len(rulebook or '')}:{rulebook or ''}:{table}"


def refused(bad: Quarantined, file: int) -> tuple[Any, ...]:
    return "", file, bad.line, bad.raw, False, False, bad.reason, bad.cut_off


def _rows(
    round_: Round, verdict: Verdict, wanted: Filter, place: Place
) -> Iterator[tuple[Any, ...]]:
    shown = [
        replace(f, line=place[1]) for f in verdict.findings if f.code == STRANGER or wanted.shows(f)
    ]
    if shown or verdict.reports:
        yield "round", *place, 0, pickle.dumps((round_, shown, verdict.reports))


def judged(
    job: Job,
    library: Library,
    part: Part,
    place: Place,
    clash: Place | None,
    round_: Round,
    view: Any,
    money_of: frozenset[int] | None = None,
) -> Iterator[tuple[Any, ...]]:
    verdict = judge_round(round_, library, view, money_of=money_of)
    if clash is not None:
        add_clash(verdict, round_, clash, job.files, library)
    name = book_name(round_, library)
    if money_of is None:
        part.add(name, verdict, place)
    else:
        part.add_money(name, verdict)
    part.outside += sum(
        finding.code != STRANGER and not job.wanted.shows(finding) for finding in verdict.findings
    )
    yield from _rows(round_, verdict, job.wanted, place)


def told(one: Copied | Misplaced) -> tuple[Any, ...]:
    """What the summary tells."""
    return "told", *one.place, 0, pickle.dumps(one)
