"""Known flaws of the approved text: findings that a rule file accepts with a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import date

from rulespec.base.clause_ids import covers
from rulespec.base.diagnostics import Diagnostic
from rulespec.resolve.rulebook import Rulebook
from rulespec.tree import nodes as t


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
    concerned = [a for a in rulebook.acceptances if looked_for is None or a.code in looked_for]
    expired = [a for a in concerned if a.until is not None and a.until <= today]
    often = Counter((d.code, d.clause) for d in diagnostics)
    used: set[int] = set()
    still_open: list[Diagnostic] = []
    accepted: list[Diagnostic] = []
    for found in diagnostics:
        reason: str | None = None
        for acceptance in concerned:
            alone = often[found.code, found.clause] == 1
            reached = _reached(acceptance, found, rulebook.id, section_of, alone)
            if not reached:
                continue
            used.update(id(node) for node in reached)
            if acceptance not in expired and reason is None:
                reason = acceptance.because
        if reason is None:
            still_open.append(_told_what_to_write(found))
        else:
            accepted.append(replace(found, accepted=reason))
    for acceptance in concerned:
        if acceptance in expired:
            still_open.append(_expired(acceptance, rulebook.id))
            continue
        near = [d for d in still_open if _near(acceptance, d, rulebook.id, section_of)]
        if id(acceptance) not in used and near and _names_too_little(acceptance, near):
            still_open.append(_vague(acceptance, rulebook.id, near))
        elif rulebook.before is None or acceptance not in rulebook.before.acceptances:
            # an acceptance of an earlier text lapses when an amendment has mended the flaw
            still_open.extend(_unused(acceptance, used, rulebook.id, near))
    return still_open, accepted


def is_near(acceptance: t.Accept, found: Diagnostic, rulebook: Rulebook) -> bool:
    """The acceptance is of this kind and clause, so that only what it is for tells them apart."""
    section_of = {e.id: e.section for e in rulebook.clauses}
    return _near(acceptance, found, rulebook.id, section_of)


def _reached(
    acceptance: t.Accept,
    found: Diagnostic,
    rulebook: str,
    section_of: dict[str, str | None],
    alone: bool,
) -> list[t.Accept | t.ClauseRef | t.Quoted]:
    """The parts of an acceptance that speak of a finding: itself and what it names.

    It has to name the clause, if there is one, and all that tells the finding from others of its
    kind. Where a clause has one misprint of a kind, the clause is enough; hands are many."""
    if found.unusable or found.code != acceptance.code or found.rulebook not in (None, rulebook):
        return []
    named: list[t.Quoted] = [word for word in acceptance.only if word.text in found.about]
    plain = alone and not acceptance.only and found.clause is not None and found.code < "R300"
    if {word.text for word in named} != set(found.about) and not plain:
        return []
    if not acceptance.clauses:
        # a finding about the whole document, or about a clause that is not written down yet
        whole = bool(named) or found.clause not in section_of
        return [acceptance, *named] if whole else []
    reached = _clauses_reached(acceptance, found, section_of)
    return [acceptance, *reached, *named] if reached else []


def _clauses_reached(
    acceptance: t.Accept, found: Diagnostic, section_of: dict[str, str | None]
) -> list[t.ClauseRef]:
    concerned = {r.clause for r in found.related} | ({found.clause} if found.clause else set())
    return [
        ref
        for ref in acceptance.clauses
        if any(covers(ref.id, c) or section_of.get(c) == ref.id for c in concerned)
    ]


def _near(
    acceptance: t.Accept, found: Diagnostic, rulebook: str, section_of: dict[str, str | None]
) -> bool:
    if found.code != acceptance.code or found.rulebook not in (None, rulebook):
        return False
    return not acceptance.clauses or bool(_clauses_reached(acceptance, found, section_of))


def _names_too_little(acceptance: t.Accept, near: list[Diagnostic]) -> bool:
    if not acceptance.only and any(found.about for found in near):
        return True
    return not acceptance.clauses and any(found.clause for found in near)


def to_write(found: list[Diagnostic], clauses: Iterable[str] = ()) -> str:
    """The head of an acceptance that names these findings, which are of one kind, at these clauses
    or else at their own."""
    # a clause that is not there cannot be named by its place
    own = dict.fromkeys(d.clause for d in found if d.clause and d.about != (d.clause,))
    at = ", ".join(f'"{c}"' if " " in c else c for c in list(clauses) or own)
    words = ", ".join(dict.fromkeys(f'"{word}"' for d in found for word in d.about))
    return f"accept {found[0].code}" + f" at {at}" * bool(at) + f" for {words}" * bool(words)


def _told_what_to_write(found: Diagnostic) -> Diagnostic:
    """A known flaw of the text can be accepted: with these words."""
    if not found.about or found.severity == "note":
        return found
    advice = f'a known flaw is accepted with `{to_write([found])} because "…"`'
    return replace(found, help=f"{found.help}; {advice}" if found.help else advice)


def _vague(acceptance: t.Accept, rulebook: str, near: list[Diagnostic]) -> Diagnostic:
    where = f" at {', '.join(f'`{c.id}`' for c in acceptance.clauses)}"
    lacking = "does not say what it is for" if acceptance.clauses else "names no clause"
    return Diagnostic(
        "R230",
        f"this acceptance of `{acceptance.code}`{where * bool(acceptance.clauses)} {lacking}",
        acceptance.span,
        rulebook,
        acceptance.clauses[0].id if acceptance.clauses else None,
        help=f"once what is found was compared with the source: `{to_write(near)}`",
    )


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
    acceptance: t.Accept, used: set[int], rulebook: str, near: list[Diagnostic]
) -> list[Diagnostic]:
    clause = acceptance.clauses[0].id if acceptance.clauses else None
    where = f" at {', '.join(f'`{c.id}`' for c in acceptance.clauses)}" * bool(clause)
    stale = [word for word in acceptance.only if id(word) not in used]
    if stale:
        return [_stale(acceptance.code, where, word, rulebook, clause, near) for word in stale]
    if id(acceptance) not in used:
        nothing = f"nothing is found that this acceptance of `{acceptance.code}` could accept"
        span, advice = acceptance.span, "take it out"
        return [Diagnostic("R215", nothing + where, span, rulebook, clause, help=advice)]
    return [
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


def _stale(
    code: str,
    where: str,
    word: t.Quoted,
    rulebook: str,
    clause: str | None,
    near: list[Diagnostic],
) -> Diagnostic:
    """What was accepted is not found any more; perhaps more is, or something else."""
    instead = [d for d in near if d.witness and d.witness.get("accepted") == word.text]
    now = ", ".join(dict.fromkeys(f"`{one}`" for d in instead or near for one in d.about))
    advice = "compare with the source before it is accepted" if near else "take these words out"
    for found in instead or near:
        if found.witness is not None:
            hand = found.witness["hand"]
            new = f"new is {hand}" if instead else f"found is {hand}"
            advice = f"{new}; {advice}"
            break
    return Diagnostic(
        "R215",
        f"no `{code}` is found{where} for `{word.text}`" + f", but for {now}" * bool(now),
        word.span,
        rulebook,
        clause,
        help=advice,
    )
