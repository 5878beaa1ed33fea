"""Known flaws of the approved text: findings that a rule file accepts with a reason."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import date

from rulespec import tree as t
from rulespec.clause_ids import covers
from rulespec.diagnostics import Diagnostic
from rulespec.rulebook import Rulebook


def apply_acceptances(
    rulebook: Rulebook,
    diagnostics: list[Diagnostic],
    today: date,
    looked_for: Collection[str] | None = None,
) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """The findings that stay open, and those that are accepted, each with the reason.

    `looked_for` names the codes that the passes before this one can report: an acceptance of
    another code is not called unused. What makes a file unusable is never accepted.
    """
    section_of = {e.id: e.section for e in rulebook.clauses}
    concerned = [
        a for a in rulebook.acceptances if looked_for is None or a.code in looked_for
    ]  # fmt: skip
    expired = [a for a in concerned if a.until is not None and a.until <= today]
    used: set[int] = set()
    still_open: list[Diagnostic] = []
    accepted: list[Diagnostic] = []
    for found in diagnostics:
        reason: str | None = None
        for acceptance in concerned:
            reached = _reached(acceptance, found, rulebook.id, section_of)
            if not reached:
                continue
            used.update(id(node) for node in reached)
            if acceptance not in expired and reason is None:
                reason = acceptance.because
        if reason is None:
            valid = [a for a in concerned if a not in expired]
            still_open.append(_told_what_to_name(found, valid, rulebook.id, section_of))
        else:
            accepted.append(replace(found, accepted=reason))
    for acceptance in concerned:
        if acceptance in expired:
            still_open.append(_expired(acceptance, rulebook.id))
        elif rulebook.before is None or acceptance not in rulebook.before.acceptances:
            # an acceptance of an earlier text lapses when an amendment has mended the flaw
            near = any(_near(acceptance, found, rulebook.id, section_of) for found in diagnostics)
            still_open.extend(_unused(acceptance, used, rulebook.id, near))
    return still_open, accepted


def _reached(
    acceptance: t.Accept,
    found: Diagnostic,
    rulebook: str,
    section_of: dict[str, str | None],
) -> list[t.Accept | t.ClauseRef | t.Quoted]:
    """The parts of an acceptance that speak of a finding: itself and what it names."""
    if found.unusable or found.code != acceptance.code or found.rulebook not in (None, rulebook):
        return []
    named: list[t.Quoted] = [word for word in acceptance.only if word.text in found.about]
    if acceptance.only and not {word.text for word in named} >= set(found.about or ("",)):
        return []
    if not acceptance.only and not found.settled:
        return []
    if not acceptance.clauses:
        return [acceptance, *named]
    reached = _clauses_reached(acceptance, found, section_of)
    return [acceptance, *reached, *named] if reached else []


def _clauses_reached(
    acceptance: t.Accept, found: Diagnostic, section_of: dict[str, str | None]
) -> list[t.ClauseRef]:
    concerned = {r.clause for r in found.related} | ({found.clause} if found.clause else set())
    return [
        ref for ref in acceptance.clauses
        if any(covers(ref.id, c) or section_of.get(c) == ref.id for c in concerned)
    ]  # fmt: skip


def _near(
    acceptance: t.Accept, found: Diagnostic, rulebook: str, section_of: dict[str, str | None]
) -> bool:
    """The acceptance is of this kind and clause, so that only what it is for tells them apart."""
    if not found.about or found.code != acceptance.code or found.rulebook not in (None, rulebook):
        return False
    return not acceptance.clauses or bool(_clauses_reached(acceptance, found, section_of))


def _told_what_to_name(
    found: Diagnostic,
    acceptances: list[t.Accept],
    rulebook: str,
    section_of: dict[str, str | None],
) -> Diagnostic:
    """Something was accepted at this clause, but not this: what would have to be named."""
    if not any(_near(a, found, rulebook, section_of) for a in acceptances):
        return found
    words = ", ".join(f'"{word}"' for word in found.about)
    advice = (
        f"what is accepted here is another `{found.code}`; once it was compared with the source, "
        f"`for {words}` in an acceptance covers this one"
    )
    return replace(found, help=f"{found.help}; {advice}" if found.help else advice)


def _expired(acceptance: t.Accept, rulebook: str) -> Diagnostic:
    return Diagnostic(
        "R219",
        f"the acceptance of `{acceptance.code}` ended on {acceptance.until}",
        acceptance.span,
        rulebook,
        acceptance.clauses[0].id if acceptance.clauses else None,
        help="mend the text, or accept it for longer with a new reason",
    )


def _unused(
    acceptance: t.Accept, used: set[int], rulebook: str, near: bool
) -> list[Diagnostic]:
    if id(acceptance) not in used:
        where = f" at {', '.join(f'`{c.id}`' for c in acceptance.clauses)}"
        return [
            Diagnostic(
                "R215",
                f"nothing is found that this acceptance of `{acceptance.code}` could accept"
                + (where if acceptance.clauses else ""),
                acceptance.span,
                rulebook,
                acceptance.clauses[0].id if acceptance.clauses else None,
                help="compare what is found there now, and accept that" if near else "take it out",
            )
        ]
    words = [
        Diagnostic(
            "R215",
            f"no `{acceptance.code}` is found for `{word.text}`",
            word.span,
            rulebook,
            acceptance.clauses[0].id if acceptance.clauses else None,
            help="take these words out of the acceptance",
        )
        for word in acceptance.only
        if id(word) not in used
    ]
    return words + [
        Diagnostic(
            "R215",
            f"no `{acceptance.code}` is found at `{ref.id}`",
            ref.span,
            rulebook,
            ref.id,
            help="take this clause out of the acceptance",
        )
        for ref in acceptance.clauses
        if id(ref) not in used
    ]
