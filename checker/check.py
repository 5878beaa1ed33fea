"""The order of the passes of `rulespec check`: load, look at the text, price the bets, prove.

Every pass takes rulebooks and returns diagnostics; what the rule file accepts is told apart at
the end of each."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from checker.report import Report, count_by, inputs_of, severity_counts, texts_of
from rulespec.base.codes import STILL_CHECKED
from rulespec.base.diagnostics import Diagnostic, ordered
from rulespec.base.errors import CannotWrite
from rulespec.checks.acceptance import apply_acceptances
from rulespec.checks.run import static_check
from rulespec.load.named import Book, load_named
from rulespec.resolve.question import about_bet
from rulespec.resolve.rulebook import Rulebook


def check(
    names: Sequence[str | Book],
    today: date,
    *,
    accept: bool = True,
    proofs: bool = True,
    budget: float | None = None,
    witnesses: Path | None = None,
    phases: str = "marked",
) -> Report:
    """Load and check what the names stand for; no names means all shipped rulebooks.

    `accept` False counts what the rule file accepts as open; `budget` are the seconds for proofs;
    `witnesses` is a folder for the hands that show the findings; `phases` says how findings count
    that only the order of settlement hides (`--phase-order`)."""
    books, found = load_named(names, whole=True)
    for book in books:
        found += [d for d in static_check(book.loaded, today) if _concerns(d, book)]
        found += _player_edges(book, today)
    more: dict[str, Any] = {}
    if proofs and not any(d.unusable and d.code not in STILL_CHECKED for d in found):
        deadline = None if budget is None else time.monotonic() + budget
        usable = [book for book in books if book.loaded.rulebook is not None]
        proven, more = _proofs(usable, today, deadline, witnesses, phases)
        found += proven
    if not accept:
        found = [replace(d, accepted=None) for d in found]
    found = _once(ordered(found))
    findings = [d for d in found if d.accepted is None]
    accepted = [d for d in found if d.accepted is not None]
    read = [book.loaded.rulebook for book in books if book.loaded.rulebook is not None]
    summary: dict[str, Any] = {
        "rulebooks": len(read),
        "checked": [rulebook.id for rulebook in read],
        "clauses": sum(len(rulebook.clauses) for rulebook in read),
        "findings": len(findings),
        **severity_counts(findings),
        "accepted": len(accepted),
        "by_code": count_by(findings, "code"),
        "accepted_by_code": count_by(accepted, "code"),
        "by_rulebook": {
            rulebook.id: {
                "clauses": len(rulebook.clauses),
                "findings": sum(
                    d.rulebook == rulebook.id and d.severity != "note" for d in findings
                ),
                "notes": sum(d.rulebook == rulebook.id and d.severity == "note" for d in findings),
                "accepted": sum(d.rulebook == rulebook.id for d in accepted),
            }
            for rulebook in read
        },
    }
    summary |= more
    assumed = [d.witness["assumption"] for d in findings if d.witness and "assumption" in d.witness]
    if assumed:
        summary["hidden_by"] = {name: assumed.count(name) for name in dict.fromkeys(assumed)}
    return Report(
        "check",
        inputs_of(books),
        findings,
        accepted,
        summary,
        undecided=len(more.get("undecided", ())),
        matched=bool(books),
        texts=texts_of(books),
    )


def _player_edges(book: Book, today: date) -> list[Diagnostic]:
    """Bets on which the house loses in the long run (R301), with what the rule file accepts."""
    rulebook = book.loaded.rulebook
    if rulebook is None or not book.loaded.usable:
        return []
    found: list[Diagnostic] = []
    bets = rulebook.game.bets.values()
    beside = {about_bet(b.name, "odds") for b in bets if b.lies_on == "box" and not b.settle_only}
    if rulebook.game.hands:
        from checker.edge.named_hands import check_named_edges

        found = check_named_edges(rulebook, book.day)
    elif any(r.question in beside for r in rulebook.rules):  # else there is nothing to load it for
        from checker.edge.player_edges import check_edges

        found = check_edges(rulebook, book.day)
    still_open, accepted = apply_acceptances(rulebook, found, today, {"R301"})
    # on one day, an acceptance may be meant for the text of another
    return [d for d in (*still_open, *accepted) if book.day is None or d.code == "R301"]


def _proofs(
    books: list[Book], today: date, deadline: float | None, witnesses: Path | None, phases: str
) -> tuple[list[Diagnostic], dict[str, Any]]:
    """What holds or fails over all hands that can be dealt, and what the summary says of it."""
    # only with proofs: the prover takes a while to import
    from checker.prove.all_texts import prove_all
    from checker.scenarios.save_witnesses import save_witnesses
    from rulespec.resolve.in_force import text_in_force

    texts = []
    for book in books:
        assert book.loaded.rulebook is not None
        texts.append((book.loaded, text_in_force(book.loaded.rulebook, book.day)))
    shown: list[Diagnostic] = []
    more: dict[str, list[str]] = {"undecided": [], "not_dealt": [], "witness_files": []}
    covers: dict[str, Any] = {}
    for book, record in zip(books, prove_all(texts, phases, deadline), strict=True):
        rulebook = book.loaded.rulebook
        assert rulebook is not None
        found = list(record.found)
        covers[rulebook.id] = record.cover
        more_found, not_modelled = _declared(text_in_force(rulebook, book.day))
        found += more_found
        more["undecided"] += [f"{rulebook.id}: {what}" for what in not_modelled]
        more["undecided"] += [f"{rulebook.id}: {what}" for what in record.undecided]
        more["not_dealt"] += [f"{rulebook.id}: {what}" for what in record.not_dealt]
        if witnesses is not None:
            try:
                path = save_witnesses(witnesses, rulebook, found)
            except OSError as error:
                raise CannotWrite(witnesses, error) from None
            more["witness_files"] += [str(path)] if path else []
        shown += _accepted(book, found, today, whole=not record.undecided and phases == "marked")
    summary: dict[str, Any] = {name: told for name, told in more.items() if told}
    summary["proofs"] = covers
    return shown, summary


def _declared(text: Rulebook) -> tuple[list[Diagnostic], list[str]]:
    """What is found about the bets that a rulebook declares, and what no proof models."""
    game = text.game
    if game.hands or not (any(game.own_words) or any(deal.own for deal in game.deals)):
        return [], []
    from checker.edge.declared_proofs import declared_proofs
    from checker.evaluate.ready import new_engine
    from checker.states.not_modelled import left_out

    proofs = declared_proofs(text)
    return proofs.found, [str(one) for one in left_out(new_engine(text), proofs.proven)]


def _accepted(book: Book, found: list[Diagnostic], today: date, *, whole: bool) -> list[Diagnostic]:
    """The findings, with the reason of those that the rule file accepts."""
    from checker.prove.findings import PROOF_CODES

    assert book.loaded.rulebook is not None
    still_open, accepted = apply_acceptances(book.loaded.rulebook, found, today, PROOF_CODES)
    if not whole or book.day is not None:
        # what an acceptance is meant for may not have been looked for, or be of another day
        still_open = [d for d in still_open if d.code in PROOF_CODES]
    return [*still_open, *accepted]


def _concerns(found: Diagnostic, book: Book) -> bool:
    """With `id@day`, not what is only found in clauses that are not in force on that day."""
    rulebook = book.loaded.rulebook
    if book.day is None or rulebook is None or found.unusable:
        return True
    versions = [c for c in rulebook.clauses if c.id == found.clause]
    return not versions or any(c.in_force(book.day) for c in versions)


def _once(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Rulebooks that include one file all find what is wrong with it: said once is enough."""
    return list({(d.fingerprint, d.accepted, d.span): d for d in diagnostics}.values())
