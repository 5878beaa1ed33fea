"""What the prover hands on: clashes of rules, joined to issues."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from checker.diagram import Diagram
from checker.symbolic import Answers, Symbolic
from checker.witness import Witness
from rulespec.rulebook import Rule


@dataclass(slots=True)
class Clash:
    """Two rules and the states on which they give different values; a gap has no rules."""

    states: Diagram
    one: Rule | None = None
    other: Rule | None = None

    @property
    def clauses(self) -> tuple[str, ...]:
        return tuple(r.clause for r in (self.one, self.other) if r is not None)

    @property
    def values(self) -> tuple[Any, ...]:
        return tuple(r.value for r in (self.one, self.other) if r is not None)


@dataclass(frozen=True, slots=True)
class Proven:
    """One thing that was found, with the rules it is about and a hand that shows it."""

    code: str
    question: str
    rules: tuple[Rule, ...]
    count: int
    witness: Witness | None = None
    hidden: bool = False  # only interim settlement first keeps it from being seen
    readings: tuple[str, ...] = ()  # readings that settle it
    values: tuple[Any, ...] = ()
    others: tuple[Rule, ...] = ()  # rules that could go alone, but not with these
    settled: bool = True  # a reading says which clause prevails on every hand
    where: str = ""  # in what case, for people


@dataclass(slots=True)
class Proofs:
    found: list[Proven] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)  # what the budget left open
    not_dealt: list[str] = field(default_factory=list)  # without a round that shows it
    states: int = 0
    # by question and fact some values that the search went through; one is none to compare with
    seen: dict[tuple[str, str], set[Any]] = field(default_factory=dict)


def pairs(space: Symbolic, answers: Answers, domain: Diagram) -> list[Clash]:
    """Rules that give different values on one state, joined by the clauses they stand in."""
    d = space.d
    found: dict[tuple[str, str], Clash] = {}
    kept = {r.id: d.both(answers.kept[r.id], domain) for r in answers.rules}
    rules = [r for r in answers.rules if kept[r.id] != d.none]
    for n, one in enumerate(rules):
        for other in rules[n + 1 :]:
            if one.value == other.value:
                continue
            states = d.both(kept[one.id], kept[other.id])
            if states == d.none:
                continue
            key = (one.clause, other.clause)
            if one.clause == other.clause:
                key = (one.id, other.id)
            if key in found:
                found[key].states = d.either(found[key].states, states)
            else:
                found[key] = Clash(states, one, other)
    return list(found.values())


def settled(clash: Clash, beats: Mapping[str, frozenset[str]]) -> bool:
    """One of the two clauses prevails over the other."""
    if clash.one is None or clash.other is None:
        return False
    one, other = clash.one.clause, clash.other.clause
    return other in beats.get(one, ()) or one in beats.get(other, ())


def clusters(
    space: Symbolic, clashes: list[Clash], beats: Mapping[str, frozenset[str]]
) -> list[list[Clash]]:
    """Clashes of one clause with several others, in the same circumstances, are one issue; what
    an order of clauses settles is another issue than what none does."""
    buckets: dict[object, list[Clash]] = {}
    for clash in clashes:
        flags, _ = next(space.d.states(clash.states))
        raised = tuple(sorted(space.flags[level] for level in flags))
        alike = "void" in clash.values if raised else frozenset(map(str, clash.values))
        buckets.setdefault((raised, alike, settled(clash, beats)), []).append(clash)
    made: list[list[Clash]] = []
    for bucket in buckets.values():
        left = bucket
        while left:
            counts: dict[str, int] = {}
            for clash in left:
                for clause in clash.clauses:
                    counts[clause] = counts.get(clause, 0) + 1
            hub = max(counts, key=lambda c: counts[c])
            made.append([c for c in left if hub in c.clauses])
            left = [c for c in left if hub not in c.clauses]
    return made


def merged(found: list[Proven]) -> list[Proven]:
    """What one clause does to several questions in special circumstances is one issue."""
    kept: dict[object, Proven] = {}
    for n, one in enumerate(found):
        flagged = one.witness is not None and any(
            not f.startswith("option ") for f in one.witness.flags
        )
        void = "void" in one.values
        key: object = n
        if flagged and void and one.rules:
            key = (one.code, one.rules[0].clause, one.settled)
        first = kept.get(key)
        if first is None:
            kept[key] = one
        else:
            rules = tuple(dict.fromkeys([*first.rules, *one.rules]))
            kept[key] = replace(first, rules=rules, count=first.count + one.count)
    return list(kept.values())
