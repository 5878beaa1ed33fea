"""Cross-references as printed: to numbers that do not exist, to clauses on another subject, in a
circle, read as what does not fit, and off by a constant number throughout a document."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.base.clause_ids import covers
from rulespec.base.diagnostics import Diagnostic, Related
from rulespec.base.spans import Span
from rulespec.checks.numbering import enclosing
from rulespec.checks.printed_text import Citation, PrintedText, citations
from rulespec.checks.reference_offset import (
    against_the_offset,
    explained,
    infer_offset,
    leading,
    offset_finding,
)
from rulespec.resolve.rulebook import Rulebook
from rulespec.tree import nodes as t


def references(rulebook: Rulebook) -> list[Diagnostic]:
    text = PrintedText(rulebook)
    cited = list(citations(rulebook))
    wrong = {i: flaw for i, c in enumerate(cited) if (flaw := text.flaw(c))}
    found: list[Diagnostic] = []
    offset = infer_offset(text, cited, wrong)
    misread = [i for i, c in enumerate(cited) if c.read_as and not text.fits_topic(c, c.read_as)]
    if offset is not None:
        shifted = explained(text, cited, wrong, offset)
        low = min(leading(cited[i]) for i in shifted)
        below = any(0 < leading(c) < low for c in cited if c.reference.about)
        found.append(
            offset_finding(rulebook.id, [cited[i] for i in shifted], offset, low if below else None)
        )
        wrong = {i: flaw for i, flaw in wrong.items() if i not in shifted}
        rest = [cited[i] for i in shifted if i not in misread]
        found.extend(against_the_offset(rulebook.id, rest, offset))
    found.extend(_misread(text, cited[i]) for i in misread)
    found.extend(_single(text, cited[i], flaw) for i, flaw in wrong.items() if i not in misread)
    found.extend(_circles(rulebook, text, cited))
    found.extend(_outside(rulebook))
    found.extend(_set_aside(text, cited))
    found.extend(_around_itself(text, cited))
    return found


def not_told_apart(rulebook: Rulebook) -> tuple[list[Citation], int]:
    """How far the check of subjects reaches: the references in which a slip to the number beside
    it would not be noticed, and how many references there are."""
    text = PrintedText(rulebook)
    cited = list(citations(rulebook))
    sound = [c for c in cited if text.exists(c.read_as or c.target)]
    return [c for c in sound if text.alike(c)], len(cited)


# --- single findings


def _single(text: PrintedText, citation: Citation, flaw: str) -> Diagnostic:
    topic, span = citation.reference.about, citation.reference.span
    advice = f"read as `{citation.read_as}`" if citation.read_as else None
    if advice is None and flaw in ("dangling", "stale") and (near := text.near(citation)):
        advice = f"about {topic}: {', '.join(f'`{n}`' for n in near)}"
    code = {"dangling": "R201", "itself": "R217"}.get(flaw, "R202")
    if flaw == "dangling":
        absent = citation.target if not text.exists(citation.target) else citation.up_to
        message = f"{citation}, but no clause or section is numbered `{absent}`"
    elif flaw == "stale":
        message = f"{citation} as `{topic}`, but that is about {_subject(text, citation)}"
    elif flaw == "itself":
        message = f"{citation}, which is itself"
    else:
        message = f"{citation}, but the words fit `{citation.read_as}`"
    return Diagnostic(
        code, message, span, text.rulebook.id, citation.owner, help=advice, about=(citation.named,)
    )


def _subject(text: PrintedText, citation: Citation, target: str | None = None) -> str:
    """What the target is about, or another one that stands for it."""
    topic = citation.reference.about or ""
    up_to = citation.up_to if target is None else None
    topics = text.about(target or citation.target, up_to, topic)
    return " and ".join(f"`{a}`" for a in topics if a != topic) or "more than that"


def _misread(text: PrintedText, citation: Citation) -> Diagnostic:
    """What we apply instead of the printed number is not what the citing words are about."""
    topic, read_as = citation.reference.about, citation.read_as
    near = text.near(citation)
    return Diagnostic(
        "R202",
        f"{citation} as `{topic}`, read as `{read_as}`, but that is about "
        + _subject(text, citation, read_as),
        citation.reference.span,
        text.rulebook.id,
        citation.owner,
        help=f"about {topic}: {', '.join(f'`{n}`' for n in near)}" if near else None,
        about=(citation.named,),
    )


def _set_aside(text: PrintedText, cited: list[Citation]) -> Iterator[Diagnostic]:
    """References to what does not apply where the citing clause does: one finding for a clause."""
    by_clause: dict[str, list[Citation]] = {}
    for citation in cited:
        aims = text.meant_by(citation)
        for owner in text.bearing.get(citation.owner, ()) if citation.kind == "cites" else ():
            against = {(condition, not holds) for condition, holds in text.scope(owner)}
            if aims and all(against & text.scope(aim) for aim in aims):
                by_clause.setdefault(citation.owner, []).append(citation)
    for owner_id, citations_ in by_clause.items():
        shown = " and ".join(f"`{c.read_as or c.as_printed}`" for c in citations_)
        aims = list({x.id: x for c in citations_ for x in text.meant_by(c)}.values())
        alone = len(citations_) == 1
        do = "does" if alone else "do"
        yield Diagnostic(
            "R229",
            f"`{owner_id}` cites {shown}, which {do} not apply where it does",
            citations_[0].reference.span,
            text.rulebook.id,
            owner_id,
            tuple(Related(x.id, "does not apply there", x.tree.id_span) for x in aims),
            f"if {'it is' if alone else 'they are'} named to be set aside, write `despite`",
            about=tuple(c.named for c in citations_),
        )


def _around_itself(text: PrintedText, cited: list[Citation]) -> Iterator[Diagnostic]:
    """A part that sends its readers to the whole clause, and so to itself. A section may well be
    meant by one of its clauses."""
    for citation in cited:
        aim = citation.read_as or citation.target
        whole = aim in text.bearing and aim in set(enclosing(citation.owner))
        if whole and citation.up_to is None and citation.kind in ("cites", "subject to"):
            yield Diagnostic(
                "R217",
                f"{citation}, of which it is a part",
                citation.reference.span,
                text.rulebook.id,
                citation.owner,
                tuple(Related(e.id, "is cited", e.tree.id_span) for e in text.bearing[aim]),
                "which words of it are meant?",
                about=(citation.named,),
            )


def _circles(
    rulebook: Rulebook, text: PrintedText, citations: list[Citation]
) -> Iterator[Diagnostic]:
    """Pairs of clauses that are each subject to the other, as read. A reading has to decide."""
    yields: dict[tuple[str, str], Citation] = {}
    for citation in citations:
        aim = citation.read_as or citation.target
        if citation.kind == "subject to" and citation.owner in text.under:
            for entry in (*text.under.get(aim, ()), *text.printed_in.get(aim, ())):
                if entry.id == aim or covers(aim, entry.id) or entry.section == aim:
                    yields.setdefault((citation.owner, entry.id), citation)
    for (one, other), later in yields.items():
        earlier = yields.get((other, one))
        if one == other or earlier is None or earlier.reference.span > later.reference.span:
            continue
        yield Diagnostic(
            "R217",
            f"`{other}` and `{one}` are each subject to the other",
            later.reference.span,
            rulebook.id,
            one,
            (Related(other, f"subject to {earlier.as_printed}", earlier.reference.span),),
            "a reading has to say which of them prevails",
        )


def _outside(rulebook: Rulebook) -> Iterator[Diagnostic]:
    places: dict[str, list[tuple[str, Span]]] = {}
    for entry in rulebook.clauses:
        for statement in entry.tree.statements:
            if isinstance(statement, t.CitesOutside):
                places.setdefault(statement.text, []).append((entry.id, statement.span))
    for outside, ((clause, span), *others) in places.items():
        yield Diagnostic(
            "R209",
            f"the text relies on `{outside}`, which is not part of it",
            span,
            rulebook.id,
            clause,
            tuple(Related(c, "also relies on it", s) for c, s in others),
            about=(outside,),
        )
