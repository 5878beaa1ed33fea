"""Which clause prevails over which, and circles in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec.base.clause_ids import ClauseIndex
from rulespec.base.diagnostics import Diagnostic, Related
from rulespec.resolve.clause_entry import ClauseEntry
from rulespec.tree import nodes as t


def conditional(line: t.Prevails) -> bool:
    return not isinstance(line.condition, t.Always)


def targets(reference: t.Reference, index: ClauseIndex) -> list[str]:
    """The clauses that a reference, as read, is about."""
    aim = (reference.read_as or reference.target).id
    if reference.up_to is not None and reference.read_as is None:
        span = index.between(aim, reference.up_to.id)
        if span:
            return span
    return index.inside(aim)


def precedence(
    entries: tuple[ClauseEntry, ...],
    sections: tuple[t.Section, ...],
    readings: tuple[t.Reading, ...],
    index: ClauseIndex,
) -> tuple[tuple[str, str, str], ...]:
    """Who prevails over whom, and which clause or reading says so."""
    pairs: list[tuple[str, str, str]] = []

    def add(owner: str, members: list[str], statement: t.Node) -> None:
        match statement:
            case t.Despite():
                for reference in statement.references:
                    for loser in targets(reference, index):
                        pairs.extend((m, loser, owner) for m in members if m != loser)
            case t.SubjectTo():
                for reference in statement.references:
                    for winner in targets(reference, index):
                        pairs.extend((winner, m, owner) for m in members if m != winner)
            case _:
                pass

    for entry in entries:
        for statement in entry.tree.statements:
            add(entry.id, [entry.id], statement)
    for section in sections:
        members = [c.id for c in section.clauses]
        for rule in section.rules:
            add(section.id, members, rule)
    for reading in readings:
        for line in reading.lines:
            if isinstance(line, t.Prevails) and reading.active and not conditional(line):
                winners = index.inside(line.winner.id)
                for loser_ref in line.losers:
                    losers = index.inside(loser_ref.id)
                    pairs.extend((w, x, reading.name) for w in winners for x in losers if w != x)
    return tuple(dict.fromkeys(pairs))


def cycles(
    pairs: Iterable[tuple[str, str, str]], entries: tuple[ClauseEntry, ...]
) -> Iterator[Diagnostic]:
    """Each circle of precedence once, shown whole. Sections alone cannot make one."""
    graph: dict[str, list[str]] = {}
    for winner, loser, _ in pairs:
        graph.setdefault(winner, []).append(loser)
    spans = {e.id: e.tree.id_span for e in entries}
    state: dict[str, int] = {}
    reported: set[frozenset[str]] = set()
    for root in graph:
        if state.get(root):
            continue
        stack: list[tuple[str, Iterator[str]]] = [(root, iter(graph[root]))]
        path = [root]
        state[root] = 1
        while stack:
            node, following = stack[-1]
            step = next(following, None)
            if step is None:
                stack.pop()
                path.pop()
                state[node] = 2
            elif state.get(step) == 1:
                circle = [*path[path.index(step) :], step]
                if frozenset(circle) not in reported:
                    reported.add(frozenset(circle))
                    yield Diagnostic(
                        "R116",
                        "clauses prevail over each other in a circle: " + " over ".join(circle),
                        spans.get(step),
                        clause=step,
                        related=tuple(
                            Related(c, "in the circle", spans.get(c)) for c in circle[1:-1]
                        ),
                        help="drop one `despite` or `subject to`, or decide it in a reading",
                    )
            elif not state.get(step):
                state[step] = 1
                path.append(step)
                stack.append((step, iter(graph.get(step, ()))))
