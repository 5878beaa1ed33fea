"""The numbers of a printed text, what stands under each, its subject, and what cites it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from rulespec.base.clause_ids import is_numbered, printed, split_number
from rulespec.checks.numbering import between, enclosing, in_sequence
from rulespec.resolve.clause_entry import ClauseEntry
from rulespec.resolve.rulebook import Rulebook
from rulespec.tree import nodes as t

# Topics that a text treats as one subject: both orders of `shuffle and cut` are cited by either
# name. Everything else is told apart; a clause with two subjects names both in its `about`.
NEIGHBOURS: tuple[frozenset[str], ...] = (frozenset({"shuffle", "cut"}),)

# A section or range is also about what this share of its clauses is about; a single clause that
# mentions doubling in passing does not make a section on drawing one on doubling.
LARGE_PART = 4

LONG_SECTION = 200  # no search for a better target there

# --- what is cited

Kind = Literal["cites", "subject to", "despite", "pays as"]
_KINDS: dict[type[t.Node], Kind] = {
    t.Cites: "cites",
    t.SubjectTo: "subject to",
    t.Despite: "despite",
}


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

    @property
    def named(self) -> str:
        """As an acceptance names it."""
        return f"{self.as_printed} read as {self.read_as}" if self.read_as else self.as_printed

    def __str__(self) -> str:
        verb = {"subject to": "is ", "despite": "stands "}.get(self.kind, "")
        return f"`{self.owner}` {verb}{self.kind} `{self.as_printed}`"


def _tidy(number: str) -> str:
    return re.sub(r"\s+", "", number) if re.match(r"\d[^:]*$", number) else number


def citations(rulebook: Rulebook) -> Iterator[Citation]:
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
                    return frozenset(map(broad, outer.tree.about))
        return frozenset(entry.about)

    def topics(self, entry: ClauseEntry) -> frozenset[str]:
        return self._topics[id(entry)]

    def exists(self, number: str) -> bool:
        return number in self.under or number in self.sections

    def meant_by(self, citation: Citation) -> list[ClauseEntry]:
        """The clauses that a reference leads to, as we read it."""
        if citation.up_to is not None and citation.read_as is None:
            both = self.exists(citation.target) and self.exists(citation.up_to)
            return self._range(citation.target, citation.up_to) if both else []
        return self._at(citation.read_as or citation.target)

    def scope(self, entry: ClauseEntry) -> set[tuple[t.Expression, bool]]:
        """When a clause applies: what it and its section ask for, and whether that has to hold."""
        section = self.sections.get(entry.section or "")
        found: set[tuple[t.Expression, bool]] = set()
        for statement in (*(section.rules if section else ()), *entry.tree.statements):
            if isinstance(statement, t.AppliesWhen | t.DoesNotApplyWhen):
                found.add((statement.condition, isinstance(statement, t.AppliesWhen)))
        return found

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
            if topic == broad(topic):
                self._fits[key] = self._is_about(target, up_to, _related_topics(topic))
            else:
                entries = self._range(target, up_to) if up_to else self._at(target)
                self._fits[key] = any(topic in e.tree.about for e in entries)
        return self._fits[key]

    def fits_topic(self, citation: Citation, target: str) -> bool:
        return self.exists(target) and self.fits(target, None, citation.reference.about)

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

    def about(self, target: str, up_to: str | None, wanted: str) -> list[str]:
        """The topics of a target, the most frequent first; as narrow as the one that was wanted."""
        section = self.sections.get(target)
        entries = self._at(target)
        if up_to is not None:
            entries = self._range(target, up_to)
        elif section is not None and section.about:
            return list(section.about)
        counts: dict[str, int] = {}
        if "." in wanted and up_to is None:
            entries = self.bearing.get(target) or entries
        for entry in entries:
            narrow = [x for x in entry.tree.about if "." in x and "." in wanted]
            for topic in narrow or sorted(self.topics(entry)):
                counts[topic] = counts.get(topic, 0) + 1
        return sorted(counts, key=lambda topic: -counts[topic])[:2]

    def alike(self, citation: Citation) -> list[str]:
        """The numbers next to the one that is meant that would fit the words as well."""
        meant = citation.read_as or citation.target
        split = split_number(meant)
        if split is None or citation.up_to is not None:
            return []
        counted = in_sequence(meant, self.under)
        if meant not in counted:
            return []
        place = counted.index(meant)
        beside = counted[max(place - 1, 0) : place] + counted[place + 1 : place + 2]
        topic = citation.reference.about
        return [n for n in beside if n != citation.owner and self.fits(n, None, topic)]

    def near(self, citation: Citation) -> list[str]:
        """The few clauses around the target, or else around the citing clause, on the subject."""
        topic = citation.reference.about
        wanted = _related_topics(topic)
        for start in (citation.target, citation.owner):
            here = self.bearing.get(start)
            outermost = [start, *enclosing(start)][-1]
            around = self.printed_in.get(here[0].section or "") if here else self._at(outermost)
            if around is None or len(around) > LONG_SECTION:
                continue
            fitting = [
                e.id
                for e in around
                if is_numbered(e.id)
                and e.id != citation.owner
                and (topic in e.tree.about if "." in (topic or "") else self.topics(e) & wanted)
            ]
            whole = [i for i in fitting if not set(enclosing(i)) & set(fitting)]
            if 0 < len(whole) <= 3:
                return whole
        return []


def broad(topic: str) -> str:
    """The topic on the list: a part of it that a text tells apart stands after a point."""
    return topic.partition(".")[0]


def _related_topics(topic: str | None) -> frozenset[str]:
    groups = (group for group in NEIGHBOURS if topic in group)
    return frozenset({topic} if topic else ()).union(*groups)
