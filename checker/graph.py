"""The rule graph: what a rulebook consists of, and how its parts hang together.

A reference is drawn as it is printed. Where the rule file reads it as another number there are two
edges: the printed one, which is not applied, and the one that is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rulespec.base.clause_ids import covers
from rulespec.base.diagnostics import Diagnostic
from rulespec.checks.numbering import enclosing
from rulespec.checks.printed_text import Citation, pays_as_citations
from rulespec.checks.terms import (  # what counts as the same term is said there
    exact_word,
    singular_form,
)
from rulespec.resolve.clause_entry import ClauseEntry
from rulespec.resolve.precedence import conditional
from rulespec.resolve.question import about_bet, is_definition, term_asked
from rulespec.resolve.rulebook import Rulebook
from rulespec.tree import nodes as t
from rulespec.tree.walk import walk
from rulespec.tree.write import condition_text

SCHEMA = "rulespec-report/1"

# kind of edge: what it says between its two ends
EDGE_KINDS = {
    "part-of": "is part of",
    "cites": "cites",
    "subject-to": "is subject to",
    "despite": "stands despite",
    "pays-as": "pays as",
    "defines": "defines",
    "uses": "uses",
    "decides": "decides",
    "prevails": "prevails over",  # by a reading
    "reads": "is about",  # from a reading to a clause that it names
    "amends": "amends",
    "circle": "prevails in a circle over",
}


@dataclass(frozen=True, slots=True)
class Node:
    """`kind` is clause, section, term, question, table, reading, outside or missing."""

    id: str
    kind: str
    label: str
    section: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {"id": self.id, "kind": self.kind, "label": self.label, "section": self.section}


@dataclass(frozen=True, slots=True)
class Edge:
    """`applied` is False for a printed reference that is read as another one."""

    source: str
    target: str
    kind: str
    printed: str | None = None
    read_as: str | None = None
    applied: bool = True
    reading: str | None = None
    when: str | None = None  # the condition of an order that a reading lays down

    def as_json(self) -> dict[str, Any]:
        return {
            "from": self.source,
            "to": self.target,
            "kind": self.kind,
            "printed": self.printed,
            "read_as": self.read_as,
            "applied": self.applied,
            "reading": self.reading,
            "when": self.when,
        }


@dataclass(frozen=True, slots=True)
class Graph:
    rulebook: str
    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    headings: Mapping[str, str] = field(default_factory=dict)  # of all sections, by number

    def counts(self) -> dict[str, dict[str, int]]:
        counts: dict[str, dict[str, int]] = {"nodes": {}, "edges": {}}
        for name, parts in (("nodes", self.nodes), ("edges", self.edges)):
            for part in parts:
                counts[name][part.kind] = counts[name].get(part.kind, 0) + 1
        return counts

    def only(self, kinds: Iterable[str]) -> Graph:
        """Only edges of these kinds, and the nodes that they join."""
        wanted = set(kinds)
        edges = tuple(e for e in self.edges if e.kind in wanted)
        joined = {end for e in edges for end in (e.source, e.target)}
        return replace(self, nodes=tuple(n for n in self.nodes if n.id in joined), edges=edges)

    def around(self, centre: Sequence[str], depth: int = 1) -> Graph:
        """The given nodes with all that is at most `depth` edges away from them."""
        neighbours: dict[str, list[str]] = {}
        for edge in self.edges:
            neighbours.setdefault(edge.source, []).append(edge.target)
            neighbours.setdefault(edge.target, []).append(edge.source)
        distance = dict.fromkeys(centre, 0)
        ring = list(centre)
        for step in range(1, depth + 1):
            ring = list(dict.fromkeys(m for n in ring for m in neighbours.get(n, ())))
            ring = [n for n in ring if n not in distance]
            distance |= dict.fromkeys(ring, step)
        edges = tuple(
            e
            for e in self.edges
            if min(distance.get(e.source, depth), distance.get(e.target, depth)) < depth
        )
        return replace(self, nodes=tuple(n for n in self.nodes if n.id in distance), edges=edges)

    def named(self, clause: str) -> list[str]:
        """The node of a clause or section, or else the clauses that the number covers."""
        ids = {n.id for n in self.nodes}
        for kind in ("clause", "section"):
            if f"{kind}:{clause}" in ids:
                return [f"{kind}:{clause}"]
        clauses = [n.id.removeprefix("clause:") for n in self.nodes if n.kind == "clause"]
        return [f"clause:{c}" for c in _outermost(c for c in clauses if covers(clause, c))]


def graph(rulebook: Rulebook, diagnostics: Iterable[Diagnostic] = ()) -> Graph:
    """The whole graph; circles of precedence are taken from the diagnostics of the rulebook."""
    builder = _Builder(rulebook)
    builder.printed_text()
    builder.meaning()
    builder.readings()
    builder.circles(diagnostics)
    nodes, edges = tuple(builder.nodes.values()), tuple(builder.edges)
    headings = {s.id: f"{s.id} {s.title}" for s in rulebook.sections}
    return Graph(rulebook.id, rulebook.title, nodes, edges, headings)


def _outermost(numbers: Iterable[str]) -> list[str]:
    """Without those that are part of another one."""
    found = list(dict.fromkeys(numbers))
    inside = set(found)
    return [n for n in found if not any(o in inside and o != n for o in enclosing(n))]


class _Builder:
    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self.nodes: dict[str, Node] = {}
        self.edges: dict[Edge, None] = {}
        self.section_of = {e.id: e.section for e in rulebook.clauses}
        self.sections = {s.id for s in rulebook.sections}

    def node(self, kind: str, name: str, label: str, section: str | None = None) -> str:
        made = Node(f"{kind}:{name}", kind, label, section)
        return self.nodes.setdefault(made.id, made).id

    def edge(self, source: str, target: str, kind: str, **more: Any) -> None:
        self.edges.setdefault(Edge(source, target, kind, **more))

    # --- what is printed: sections, clauses, references, words

    def printed_text(self) -> None:
        for section in self.rulebook.sections:
            self.node("section", section.id, f"{section.id} {section.title}", section.id)
        for entry in self.rulebook.clauses:
            self.node("clause", entry.id, f"{entry.id} {entry.title}", entry.section)
        for entry in self.rulebook.clauses:
            around = self.around(entry)
            if around is not None:
                self.edge(f"clause:{entry.id}", around, "part-of")
        for section in self.rulebook.sections:
            self.references(f"section:{section.id}", section.id, section.rules)
        for entry in self.rulebook.clauses:
            self.references(f"clause:{entry.id}", entry.id, entry.tree.statements)
        self.words()

    def around(self, entry: ClauseEntry) -> str | None:
        """The clause around a clause if it is printed in the same section, or else the section."""
        for number in enclosing(entry.id):
            if number in self.section_of and self.section_of[number] == entry.section:
                return f"clause:{number}"
        return f"section:{entry.section}" if entry.section is not None else None

    def references(self, owner: str, name: str, statements: Sequence[t.Node]) -> None:
        for statement in statements:
            match statement:
                case t.Cites():
                    for reference in statement.references:
                        self.reference(owner, Citation(name, "cites", reference))
                case t.SubjectTo():
                    for reference in statement.references:
                        self.reference(owner, Citation(name, "subject to", reference))
                case t.Despite():
                    for reference in statement.references:
                        self.reference(owner, Citation(name, "despite", reference))
                case t.PaysAs():
                    for citation in pays_as_citations(name, statement):
                        self.reference(owner, citation)
                case t.CitesOutside():
                    outside = self.node("outside", statement.text, statement.text)
                    self.edge(owner, outside, "cites", printed=statement.text)
                case _:
                    pass

    def reference(self, owner: str, citation: Citation) -> None:
        kind = citation.kind.replace(" ", "-")
        printed, read_as = citation.as_printed, citation.read_as
        for target in self.targets(citation.target, citation.up_to):
            self.edge(
                owner, target, kind, printed=printed, read_as=read_as, applied=read_as is None
            )
        for target in self.targets(read_as) if read_as is not None else ():
            self.edge(owner, target, kind, printed=printed, read_as=read_as)

    def targets(self, number: str, up_to: str | None = None) -> list[str]:
        if up_to is None:
            return self.at(number) or [self.missing(number)]
        first, last = self.at(number), self.at(up_to)
        if not first or not last:
            ends = ((number, first), (up_to, last))
            return [place for n, found in ends for place in (found or [self.missing(n)])]
        places = [
            n
            for n, e in enumerate(self.rulebook.clauses)
            if any(covers(end, e.id) or e.section == end for end in (number, up_to))
        ]
        between = self.rulebook.clauses[min(places) : max(places) + 1] if places else ()
        return [f"clause:{i}" for i in _outermost(e.id for e in between)] or [*first, *last]

    def at(self, number: str) -> list[str]:
        """The clause of a number, or its section, or all that the number covers."""
        if number in self.section_of:
            return [f"clause:{number}"]
        if number in self.sections:
            return [f"section:{number}"]
        covered = (i for i in self.section_of if covers(number, i))
        return [f"clause:{i}" for i in _outermost(covered)]

    def missing(self, number: str) -> str:
        return self.node("missing", number, f"{number} (not printed)")

    def words(self) -> None:
        """Terms that the text defines or uses; plurals are found as `rulespec check` finds them."""
        defined: dict[str, str] = {}
        places = [
            (entry, statement)
            for entry in self.rulebook.clauses
            for statement in entry.tree.statements
            if isinstance(statement, t.Defines | t.Uses)
        ]
        for entry, statement in places:
            for term in statement.terms if isinstance(statement, t.Defines) else ():
                node = defined.setdefault(exact_word(term), self.node("term", term, term))
                self.edge(f"clause:{entry.id}", node, "defines")
        singular: dict[str, str] = {}
        for key, node in defined.items():
            singular.setdefault(singular_form(key), node)
        for entry, statement in places:
            for term in statement.terms if isinstance(statement, t.Uses) else ():
                found = defined.get(exact_word(term)) or singular.get(singular_form(term))
                if found is None:
                    found = self.node("missing", f"term {term}", f"{term} (not defined)")
                    singular[singular_form(term)] = found
                self.edge(f"clause:{entry.id}", found, "uses")

    # --- what it means: questions, tables, terms of conditions

    def meaning(self) -> None:
        formal = {
            term_asked(r.question): r.question
            for r in self.rulebook.rules
            if is_definition(r.question)
        }
        for term in formal:
            self.node("term", term, term)
        for entry in self.rulebook.clauses:
            self.tables(f"clause:{entry.id}", entry)
        for rule in self.rulebook.rules:
            owner = f"reading:{rule.reading}" if rule.reading else f"clause:{rule.clause}"
            if rule.reading:
                self.node("reading", rule.reading, rule.reading)
            term = term_asked(rule.question)
            if term != rule.question:
                self.edge(owner, f"term:{term}", "defines")
            else:
                self.edge(owner, self.node("question", term, term), "decides")
            for name in _names((rule.condition, rule.value)):
                used = name.replace("dealer.", "hand.") if name not in formal else name
                if used in formal and used != term:
                    self.edge(owner, f"term:{used}", "uses")

    def tables(self, owner: str, entry: ClauseEntry) -> None:
        tables = [s for s in entry.tree.statements if isinstance(s, t.PayTable)]
        for number, table in enumerate(tables, 1):
            rows = "1 row" if len(table.rows) == 1 else f"{len(table.rows)} rows"
            name = f"{entry.id}/{number}"
            label = f"{entry.id} {table.bet} pays, {rows}"
            node = self.node("table", name, label, entry.section)
            self.edge(node, owner, "part-of")
            question = about_bet(table.bet, "odds")
            self.edge(node, self.node("question", question, question), "decides")

    def readings(self) -> None:
        for reading in self.rulebook.readings:
            label = reading.name if reading.active else f"{reading.name} (inactive)"
            node = self.node("reading", reading.name, label)
            for line in reading.lines:
                if isinstance(line, t.Under):
                    self.reads(node, line.clause)
                    self.references(node, reading.name, [line.statement])
                    continue
                for ref in (line.winner, *line.losers):
                    self.reads(node, ref)
                for loser in line.losers if reading.active else ():
                    self.prevails(reading.name, line, loser)

    def reads(self, reading: str, clause: t.ClauseRef) -> None:
        for target in self.targets(clause.id):
            self.edge(reading, target, "reads")

    def prevails(self, reading: str, line: t.Prevails, loser: t.ClauseRef) -> None:
        when = condition_text(line.condition) if conditional(line) else None
        for over in self.targets(line.winner.id):
            for under in self.targets(loser.id):
                self.edge(over, under, "prevails", reading=reading, when=when)

    def circles(self, diagnostics: Iterable[Diagnostic]) -> None:
        for found in diagnostics:
            if found.code == "R116" and found.clause is not None:
                circle = [found.clause, *(r.clause for r in found.related)]
                for over, under in zip(circle, [*circle[1:], circle[0]], strict=True):
                    self.edge(f"clause:{over}", f"clause:{under}", "circle")


def _names(node: object) -> Iterator[str]:
    """The facts and names that a condition or value asks about."""
    return (one.name for one in walk(node) if isinstance(one, t.Fact | t.Name))
