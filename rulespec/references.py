"""Cross-references as printed: to numbers that do not exist, to clauses on another subject, in a
circle, and off by a constant number throughout a document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from rulespec import tree as t
from rulespec.clause_ids import covers, is_numbered, printed
from rulespec.diagnostics import Diagnostic, Related
from rulespec.numbering import between, enclosing
from rulespec.rulebook import ClauseEntry, Rulebook
from rulespec.spans import Span

# Topics that a text treats as one subject: both orders of `shuffle and cut` are cited by either
# name. Everything else is told apart; a clause with two subjects names both in its `about`.
NEIGHBOURS: tuple[frozenset[str], ...] = (frozenset({"shuffle", "cut"}),)

# A section or range is also about what this share of its clauses is about; a single clause that
# mentions doubling in passing does not make a section on drawing one on doubling.
LARGE_PART = 4

MAX_OFFSET = 5
LONG_SECTION = 200  # no search for a better target there


def references(rulebook: Rulebook) -> list[Diagnostic]:
    text = PrintedText(rulebook)
    citations = list(_citations(rulebook))
    wrong = {i: flaw for i, c in enumerate(citations) if (flaw := text.flaw(c))}
    found: list[Diagnostic] = []
    offset = _infer_offset(text, citations, wrong)
    if offset is not None:
        explained = _explained(text, citations, wrong, offset)
        low = min(_leading(citations[i]) for i in explained)
        below = any(0 < _leading(c) < low for c in citations if c.reference.about)
        shifted = [citations[i] for i in explained]
        found.append(_offset_finding(rulebook.id, shifted, offset, low if below else None))
        wrong = {i: flaw for i, flaw in wrong.items() if i not in explained}
    found.extend(_single(text, citations[i], flaw) for i, flaw in wrong.items())
    found.extend(_circles(rulebook, text, citations))
    found.extend(_outside(rulebook))
    return found


# --- what is cited

Kind = Literal["cites", "subject to", "despite", "pays as"]
_KINDS: dict[type[t.Node], Kind] = {
    t.Cites: "cites", t.SubjectTo: "subject to", t.Despite: "despite",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Citation:
    """One reference with the clause or section that makes it."""

    owner: str
    kind: Kind
    reference: t.Reference

    @property
    def target(self) -> str:
        return _tidy(self.reference.target.id)

    @property
    def up_to(self) -> str | None:
        return _tidy(self.reference.up_to.id) if self.reference.up_to else None

    @property
    def read_as(self) -> str | None:
        return _tidy(self.reference.read_as.id) if self.reference.read_as else None

    @property
    def as_printed(self) -> str:
        return f"{self.target} to {self.up_to}" if self.up_to else self.target

    def __str__(self) -> str:
        verb = {"subject to": "is ", "despite": "stands "}.get(self.kind, "")
        return f"`{self.owner}` {verb}{self.kind} `{self.as_printed}`"


def _tidy(number: str) -> str:
    return re.sub(r"\s+", "", number) if re.match(r"\d[^:]*$", number) else number


def _citations(rulebook: Rulebook) -> Iterator[Citation]:
    owners: list[tuple[str, Iterable[t.Node]]] = [
        (section.id, section.rules) for section in rulebook.sections
    ]
    owners += [(entry.id, entry.tree.statements) for entry in rulebook.clauses]
    for owner, statements in owners:
        for statement in statements:
            if isinstance(statement, t.Cites | t.SubjectTo | t.Despite):
                kind = _KINDS[type(statement)]
                yield from (Citation(owner, kind, r) for r in statement.references)
            elif isinstance(statement, t.PaysAs):
                yield from pays_as_citations(owner, statement)


def pays_as_citations(owner: str, statement: t.PaysAs) -> Iterator[Citation]:
    """What a clause pays as. That it is about payouts was seen when its rows were taken over."""
    for target in statement.targets:
        yield Citation(owner, "pays as", t.Reference(target, span=target.span))


# --- the text that they point into


class PrintedText:
    """The numbers of a text, what stands under each, and what it is about."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self.sections = {s.id: s for s in rulebook.sections}
        self.under: dict[str, list[ClauseEntry]] = {}
        self.bearing: dict[str, list[ClauseEntry]] = {}
        self.printed_in: dict[str, list[ClauseEntry]] = {}
        self._fits: dict[tuple[str, str | None, str], bool] = {}
        for entry in rulebook.clauses:
            for number in dict.fromkeys((entry.id, printed(entry.id), *enclosing(entry.id))):
                self.under.setdefault(number, []).append(entry)
            for number in {entry.id, printed(entry.id)}:
                self.bearing.setdefault(number, []).append(entry)
            if entry.section is not None:
                self.printed_in.setdefault(entry.section, []).append(entry)
        self._topics = {id(entry): self._subject(entry) for entry in rulebook.clauses}

    def _subject(self, entry: ClauseEntry) -> frozenset[str]:
        """A clause without an `about` of its own has that of the clause around it, or else that
        of its section."""
        for number in (entry.id, *enclosing(entry.id)):
            for outer in self.bearing.get(number, ()):
                if outer.tree.about and outer.section == entry.section:
                    return frozenset(outer.tree.about)
        return frozenset(entry.about)

    def topics(self, entry: ClauseEntry) -> frozenset[str]:
        return self._topics[id(entry)]

    def exists(self, number: str) -> bool:
        return number in self.under or number in self.sections

    def flaw(self, citation: Citation) -> str | None:
        if citation.kind == "pays as":
            return None  # what cannot be used is an error of its own
        if not (self.exists(citation.target) and self.exists(citation.up_to or citation.target)):
            return "dangling"
        if not self.fits(citation.target, citation.up_to, citation.reference.about):
            return "stale"
        bearing = self.bearing.get(citation.target, ())
        if citation.owner == citation.as_printed and len(bearing) == 1:
            return "itself"
        if citation.read_as not in (None, citation.target):
            return "read otherwise"
        return None

    def fits(self, target: str, up_to: str | None, topic: str | None) -> bool:
        """Whether the target is about the topic; where nothing is said of it, it may be."""
        if topic is None:
            return True
        key = (target, up_to, topic)
        if key not in self._fits:
            self._fits[key] = self._is_about(target, up_to, _related_topics(topic))
        return self._fits[key]

    def _is_about(self, target: str, up_to: str | None, wanted: frozenset[str]) -> bool:
        if up_to is not None:
            return self._large_part(self._range(target, up_to), wanted)
        section = self.sections.get(target)
        if section is not None and target not in self.bearing:
            inside = self.printed_in.get(target) or self.under.get(target, [])
            return bool(wanted & set(section.about)) or self._large_part(inside, wanted)
        about = frozenset().union(*(self.topics(e) for e in self.under[target]))
        return not about or bool(about & wanted)

    def _range(self, first: str, last: str) -> list[ClauseEntry]:
        """The clauses from the first number to the last: as they are counted, wherever they
        stand in the file, or else in the order of the file."""
        if numbers := between(first, last, self.under):
            return [entry for number in numbers for entry in self.under[number]]
        ends = {id(entry) for entry in (*self._at(first), *self._at(last))}
        places = [n for n, e in enumerate(self.rulebook.clauses) if id(e) in ends]
        return list(self.rulebook.clauses[min(places) : max(places) + 1]) if places else []

    def _at(self, number: str) -> list[ClauseEntry]:
        return self.under.get(number) or self.printed_in.get(number, [])

    def _large_part(self, entries: list[ClauseEntry], wanted: frozenset[str]) -> bool:
        known = [self.topics(e) for e in entries if self.topics(e)]
        return not known or LARGE_PART * sum(bool(a & wanted) for a in known) >= len(known)

    def about(self, citation: Citation) -> list[str]:
        """The topics of a target, the most frequent first."""
        section = self.sections.get(citation.target)
        entries = self._at(citation.target)
        if citation.up_to is not None:
            entries = self._range(citation.target, citation.up_to)
        elif section is not None and section.about:
            return list(section.about)
        counts: dict[str, int] = {}
        for topic in (topic for e in entries for topic in sorted(self.topics(e))):
            counts[topic] = counts.get(topic, 0) + 1
        return sorted(counts, key=lambda topic: -counts[topic])[:2]

    def near(self, citation: Citation) -> list[str]:
        """The few clauses around the target, or else around the citing clause, on the subject."""
        wanted = _related_topics(citation.reference.about)
        for start in (citation.target, citation.owner):
            here = self.bearing.get(start)
            outermost = [start, *enclosing(start)][-1]
            around = self.printed_in.get(here[0].section or "") if here else self._at(outermost)
            if around is None or len(around) > LONG_SECTION:
                continue
            fitting = [
                e.id for e in around
                if is_numbered(e.id) and e.id != citation.owner and self.topics(e) & wanted
            ]  # fmt: skip
            whole = [i for i in fitting if not set(enclosing(i)) & set(fitting)]
            if 0 < len(whole) <= 3:
                return whole
        return []


def _related_topics(topic: str | None) -> frozenset[str]:
    groups = (group for group in NEIGHBOURS if topic in group)
    return frozenset({topic} if topic else ()).union(*groups)


# --- one constant for a whole document


@dataclass(frozen=True, slots=True)
class Offset:
    """Every reference is `by` too low; `part` says which number of it is to be raised."""

    part: Literal["section", "rule"]
    by: int

    def apply(self, number: str) -> str | None:
        first, last = r"()(\d{1,9})(.*)", r"((?:.*?\.)?)(\d{1,9})((?:\([^)]*\))*)"
        match = re.fullmatch(first if self.part == "section" else last, number)
        raised = int(match[2]) + self.by if match else 0
        return f"{match[1]}{raised}{match[3]}" if match and raised > 0 else None

    def meant(self, citation: Citation) -> tuple[str, str | None] | None:
        target = self.apply(citation.target)
        up_to = self.apply(citation.up_to) if citation.up_to else None
        if target is None or (citation.up_to and up_to is None):
            return None
        return target, up_to

    def __str__(self) -> str:
        count = "one" if abs(self.by) == 1 else str(abs(self.by))
        plural = "" if abs(self.by) == 1 else "s"
        return f"{count} {self.part}{plural} {'higher' if self.by > 0 else 'lower'}"


def _infer_offset(
    text: PrintedText, citations: list[Citation], wrong: dict[int, str]
) -> Offset | None:
    """The constant that puts most wrong references right, judged by numbers and topics only.

    A section that was put in moves only what comes after it, so the references that are right
    count against it from the lowest wrong one on. Where neighbours are on one subject many look
    right as printed; then nearly all have to be right when they are moved.
    """
    flawed = [i for i, flaw in wrong.items() if flaw != "read otherwise"]
    if len(flawed) < 3:
        return None
    best: tuple[int, Offset] = 0, Offset("rule", 0)
    for by in sorted((n for n in range(-MAX_OFFSET, MAX_OFFSET + 1) if n), key=abs):
        parts = [Offset("section", by), Offset("rule", by)]
        # Where clauses are counted through the text, a plain number is that of a rule.
        for offset in parts if any(s.isdigit() for s in text.sections) else parts[::-1]:
            mended = sum(_mends(text, citations[i], offset) for i in flawed)
            if mended > best[0]:
                best = mended, offset
    if best[0] < 3 or 3 * best[0] < 2 * len(flawed):
        return None
    low = min(_leading(citations[i]) for i in flawed)
    reached = [i for i, c in enumerate(citations) if c.reference.about and _leading(c) >= low]
    typed = sum(i in wrong for i in reached)
    fitting = sum(_mends(text, citations[i], best[1]) for i in reached)
    many = 2 * typed >= len(reached)
    some = 4 * typed >= len(reached) and 10 * fitting >= 9 * len(reached)
    return best[1] if typed >= 3 and (many or some) else None


def _mends(text: PrintedText, citation: Citation, offset: Offset) -> bool:
    meant = offset.meant(citation)
    if meant is None or meant[0] == citation.owner:
        return False
    target, up_to = meant
    return (
        text.exists(target)
        and text.exists(up_to or target)
        and text.fits(target, up_to, citation.reference.about)
    )


def _leading(citation: Citation) -> int:
    match = re.match(r"\d{1,9}", citation.target)
    return int(match[0]) if match else 0


def _explained(
    text: PrintedText, citations: list[Citation], wrong: dict[int, str], offset: Offset
) -> list[int]:
    """What the offset mends, and what is read as if it did."""
    return [
        i for i, flaw in wrong.items()
        if (flaw != "read otherwise" and _mends(text, citations[i], offset))
        or (citations[i].read_as == (offset.meant(citations[i]) or ("",))[0])
    ]  # fmt: skip


def _offset_finding(
    rulebook: str, shifted: list[Citation], offset: Offset, start: int | None
) -> Diagnostic:
    related = []
    for citation in shifted:
        target, up_to = offset.meant(citation) or ("", None)
        meant = f"{target} to {up_to}" if up_to else target
        role = f"{citation.kind} {citation.as_printed}, meant {meant}"
        if citation.read_as not in (None, target):
            role += f", but read as {citation.read_as}"
        related.append(Related(citation.owner, role, citation.reference.span))
    which = "every reference" if start is None else f"every reference to `{start}` and beyond"
    return Diagnostic(
        "R203",
        f"{len(shifted)} references are off by a constant: each means {offset} than printed",
        shifted[0].reference.span,
        rulebook,
        related=tuple(related),
        help=f"read {which} as {offset}",
    )


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
        is_about = " and ".join(f"`{a}`" for a in text.about(citation))
        message = f"{citation} as `{topic}`, but that is about {is_about}"
    elif flaw == "itself":
        message = f"{citation}, which is itself"
    else:
        message = f"{citation}, but the words fit `{citation.read_as}`"
    return Diagnostic(code, message, span, text.rulebook.id, citation.owner, help=advice)


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
        )
