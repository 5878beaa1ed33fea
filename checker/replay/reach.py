"""How much of a rulebook a log could put to the test: every clause that a log can decide, and what
became of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checker.judge.casino import shown_by_logs
from checker.replay.summary import Summary
from rulespec.checks.ledger import ClauseList, LedgerRow, ledger, load_clause_list
from rulespec.resolve.question import actor_and_act, is_definition
from rulespec.resolve.rulebook import Rulebook

OF_A_LOG = ("log", "unlisted")  # without a list nobody has said what a clause can be decided from


@dataclass(frozen=True, slots=True)
class Reach:
    """The clauses of one rulebook that a log can decide, each in one of the four lists."""

    rulebook: str
    listed: bool  # whether a clause list says which clauses a log can decide
    decided: tuple[str, ...]
    not_checked: tuple[str, ...]  # some round asked, and none told what they need
    not_asked: tuple[str, ...]  # no round put them to the test
    through_others: tuple[str, ...]  # they define a word or introduce parts

    @property
    def total(self) -> int:
        lists = (self.decided, self.not_checked, self.not_asked, self.through_others)
        return sum(map(len, lists))

    def as_json(self) -> dict[str, Any]:
        return {
            "rulebook": self.rulebook,
            "clause_list": self.listed,
            "clauses": self.total,
            "decided": len(self.decided),
            "not_checked": list(self.not_checked),
            "not_asked": list(self.not_asked),
            "through_others": list(self.through_others),
        }

    def told(self) -> str:
        """In one line; each part only where there is something to tell."""
        kind = "that a log can decide" if self.listed else "that are encoded"
        parts = [
            f"{len(clauses):,} {what}"
            for clauses, what in (
                (self.not_checked, "not checked for want of data"),
                (self.not_asked, "that no round put to the test"),
                (self.through_others, "that only define or introduce"),
            )
            if clauses
        ]
        rest = f" (the others: {', '.join(parts)})" if parts else ""
        return (
            f"Tested {len(self.decided):,} of the {self.total:,} clauses of {self.rulebook} "
            f"{kind}{rest}."
        )


def reach(books: Iterable[Rulebook], summary: Summary) -> list[Reach]:
    """For each rulebook that judged a round; holds once the replay has come to its end."""
    return [_of(book, summary) for book in books if summary.rulebooks[book.id]]


def name_unseen_duties(books: Iterable[Rulebook], summary: Summary) -> None:
    """Put the duties of the casino that no log shows to be done among what was not checked."""
    for book in books:
        rounds, shown = summary.rulebooks[book.id], shown_by_logs(book.game)
        acts = book.game.actions_of("casino")
        for rule in (rule for text in book.texts for rule in text.rules if rounds):
            actor, act = actor_and_act(rule.question)
            key = (book.id, rule.clause)
            if actor == "casino" and rule.value == "must" and act in acts and act not in shown:
                reason = f"no log shows whether the casino did its duty: {acts[act].title}"
                summary.not_checked.setdefault(key, (reason, rounds))


def _of(book: Rulebook, summary: Summary) -> Reach:
    clauses = _clause_list(book)
    rows = [row for row in _rows(book, clauses) if row.clause_class in OF_A_LOG]
    tested = {clause for rulebook, clause in summary.tested if rulebook == book.id}
    lacking = {clause for rulebook, clause in summary.not_checked if rulebook == book.id}
    lacking |= {clause for rulebook, clause, _ in summary.not_recorded if rulebook == book.id}
    asked_for = {
        rule.clause
        for text in book.texts
        for rule in text.rules
        if not is_definition(rule.question)
    }
    lists: dict[str, list[str]] = {name: [] for name in ("tested", "lacking", "others", "rest")}
    for row in rows:
        if row.id in tested:
            lists["tested"].append(row.id)
        elif row.id in lacking:
            lists["lacking"].append(row.id)
        else:
            lists["rest" if row.id in asked_for else "others"].append(row.id)
    named = {name: tuple(found) for name, found in lists.items()}
    return Reach(
        book.id,
        clauses is not None,
        named["tested"],
        named["lacking"],
        named["rest"],
        named["others"],
    )


def _rows(book: Rulebook, clauses: ClauseList | None) -> Iterable[LedgerRow]:
    """Of every text that the rulebook has had: a clause that was revoked judged earlier rounds."""
    rows = {row.id: row for text in book.texts for row in ledger(text, clauses).rows}
    return [row for row in rows.values() if row.standing == "encoded"]


def _clause_list(book: Rulebook) -> ClauseList | None:
    found = (load_clause_list(Path(file))[0] for file in book.files)
    return next((clauses for clauses in found if clauses is not None), None)
