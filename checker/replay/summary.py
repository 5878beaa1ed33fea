"""What a replay comes to: counts, money, and the places of what is only told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from checker.evidence.log_digest import LogDigest
from checker.judge.findings import ReplayFinding, Verdict, units
from checker.log.model import Round
from checker.log.read import Quarantined
from checker.log.repeated_rounds import Copied
from checker.replay.order import Misplaced

STRANGER = "R561"
PLACES_TOLD = 100
UNKNOWN_TOLD = 100


@dataclass(slots=True)
class Stranger:
    """The first round that names a rulebook which is not at hand, and how many do."""

    round: Round
    finding: ReplayFinding
    log: str
    rounds: int = 0


@dataclass(slots=True)
class Summary:
    """What a replay comes to. Money in minor units."""

    rounds: int = 0
    wagers: int = 0
    findings: int = 0
    undecided: int = 0
    quarantined: int = 0
    overpaid: int = 0
    underpaid: int = 0
    cut_off: bool = False
    copies: int = 0
    copied: list[dict[str, Any]] = field(default_factory=list)  # where the first of them stand
    strangers: dict[str | None, Stranger] = field(default_factory=dict)
    misplaced: int = 0
    out_of_order: list[dict[str, Any]] = field(default_factory=list)  # the first of them
    outside: int = 0  # findings that the filter does not show
    unknown: Counter[tuple[str, str]] = field(default_factory=Counter)
    by_clause: Counter[tuple[str, str]] = field(default_factory=Counter)
    by_table: Counter[tuple[str, str]] = field(default_factory=Counter)  # rulebook and table
    by_log: Counter[str] = field(default_factory=Counter)
    bad_by_log: Counter[str] = field(default_factory=Counter)
    by_kind: Counter[str] = field(default_factory=Counter)
    by_code: Counter[str] = field(default_factory=Counter)
    rulebooks: Counter[str] = field(default_factory=Counter)
    not_checked: dict[tuple[str, str], tuple[str, int]] = field(default_factory=dict)
    not_recorded: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """Rulebook, clause and reason: rounds. These count although others put the clause to a test."""
    tested: set[tuple[str, str]] = field(default_factory=set)
    _told: dict[str, set[str]] = field(default_factory=dict)  # the same, by rulebook
    reports: list[dict[str, Any]] = field(default_factory=list)
    engine: str = "plain"
    one_by_one: int = 0  # rounds that the columns left to the plain evaluator
    digests: list[LogDigest] | None = None  # of the logs as they are read; None: nobody asks

    def watch(self, log: str) -> LogDigest | None:
        """Of a log that is now read, what is to be told of its bytes."""
        if self.digests is None:
            return None
        self.digests.append(LogDigest(log))
        return self.digests[-1]

    def add(self, book: str, verdict: Verdict, shown: list[ReplayFinding]) -> None:
        self.rounds += 1
        self.wagers += verdict.wagers
        self.rulebooks[book] += 1
        for clause, reason in verdict.not_checked.items():
            _, rounds = self.not_checked.get((book, clause), (reason, 0))
            self.not_checked[(book, clause)] = (reason, rounds + 1)
        for clause, reason in verdict.not_recorded.items():
            self.not_recorded[book, clause, reason] += 1
        self.add_money(book, verdict, shown)

    def add_money(self, book: str, verdict: Verdict, shown: list[ReplayFinding]) -> None:
        """Of a round that is counted already, and of which only the money was judged."""
        told = self._told.setdefault(book, set())
        if not verdict.tested <= told:  # as few rounds tell anything new
            told |= verdict.tested
            self.tested.update((book, clause) for clause in told)
        self.reports.extend(verdict.reports)
        self.find(shown)

    def find(self, shown: list[ReplayFinding]) -> None:
        for finding in shown:
            self.by_kind[finding.kind] += 1
            self.by_code[finding.code] += 1
            if finding.kind == "undecided":
                self.undecided += 1
            else:
                self.findings += 1
                self.by_clause[(finding.rulebook, finding.clause or "no clause")] += 1
                self.by_table[finding.rulebook, finding.table] += 1
                self.by_log[finding.log or ""] += 1
            difference = finding.difference
            if difference is not None and finding.kind == "settlement":
                self.overpaid += max(difference, 0)
                self.underpaid += max(-difference, 0)

    def quarantine(self, *lines: Quarantined) -> None:
        self.quarantined += len(lines)
        self.bad_by_log.update(line.log for line in lines)
        self.cut_off |= any(line.cut_off for line in lines)

    def copy(self, copied: Copied, logs: Sequence[str]) -> None:
        self.copies += 1
        if len(self.copied) < PLACES_TOLD:
            self.copied.append(copied.as_json(logs))

    def know_book(
        self, findings: list[ReplayFinding], log: str, round_: Round
    ) -> list[ReplayFinding]:
        """The findings but for that of a rulebook which is not at hand: that is told once."""
        for finding in findings:
            if finding.code == STRANGER:
                name = round_.rulebook
                if name not in self.strangers and len(self.strangers) >= PLACES_TOLD:
                    name = "and others"
                self.strangers.setdefault(name, Stranger(round_, finding, log)).rounds += 1
        return [finding for finding in findings if finding.code != STRANGER]

    def misplace(self, one: Misplaced, logs: Sequence[str]) -> None:
        self.misplaced += 1
        if len(self.out_of_order) < PLACES_TOLD:
            self.out_of_order.append(one.as_json(logs))

    def not_known(self) -> list[dict[str, Any]]:
        """What rounds hold that nothing is known about; the most frequent first."""
        items = [one for one in self.unknown.items() if one[1]]
        found = sorted(items, key=lambda one: (-one[1], one[0]))
        return [
            {"part": part, "name": name, "rounds": rounds}
            for (part, name), rounds in found[:UNKNOWN_TOLD]
        ]

    def untested(self) -> list[dict[str, Any]]:
        return [
            {"rulebook": book, "clause": clause, "reason": reason, "rounds": rounds}
            for (book, clause), (reason, rounds) in sorted(self.not_checked.items())
            if (book, clause) not in self.tested
        ]

    def untold(self) -> list[dict[str, Any]]:
        """The same of clauses that some rounds do not record enough for."""
        return [
            {"rulebook": book, "clause": clause, "reason": reason, "rounds": rounds}
            for (book, clause, reason), rounds in sorted(self.not_recorded.items())
        ]

    def _by_table(self) -> dict[str, int]:
        """Tables of one name taken together, whatever the casino."""
        found: Counter[str] = Counter()
        for (_, table), n in self.by_table.items():
            found[table] += n
        return dict(sorted(found.items()))

    def as_json(self) -> dict[str, Any]:
        return {
            "rounds": self.rounds,
            "wagers": self.wagers,
            "findings": self.findings,
            "undecided": self.undecided,
            "quarantined": self.quarantined,
            "overpaid": units(self.overpaid),
            "underpaid": units(self.underpaid),
            "cut_off": self.cut_off,
            "misplaced": self.misplaced,
            "out_of_order": self.out_of_order,
            "outside_filter": self.outside,
            "unknown": self.not_known(),
            "copies": self.copies,
            "copied": self.copied,
            "engine": self.engine,
            "by_kind": dict(sorted(self.by_kind.items())),
            "by_code": dict(sorted(self.by_code.items())),
            "by_clause": [
                {"rulebook": book, "clause": clause, "findings": n}
                for (book, clause), n in sorted(self.by_clause.items())
            ],
            "by_table": self._by_table(),
            "by_rulebook_and_table": [
                {"rulebook": book, "table": table, "findings": n}
                for (book, table), n in sorted(self.by_table.items())
            ],
            "by_log": [
                {"log": log, "findings": self.by_log[log], "quarantined": self.bad_by_log[log]}
                for log in sorted({*self.by_log, *self.bad_by_log})
            ],
            "rulebooks": dict(sorted(self.rulebooks.items())),
            "not_checked": [*self.untested(), *self.untold()],
            "reports": [_shown_report(r) for r in self.reports],
        }


def _shown_report(report: dict[str, Any]) -> dict[str, Any]:
    money = {"expected", "actual", "difference"}
    shown = {k: units(v) if k in money else v for k, v in report.items()}
    shown["adjusted"] = [units(v) for v in report["adjusted"]]
    return shown
