"""What the prover hands on: clashes of rules, joined to issues."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from checker.evaluate.conditions import Value
from checker.evaluate.engine import Engine
from checker.states.diagram import Diagram, Diagrams
from checker.states.marks import PRIME, weight
from checker.states.symbolic import Answers, Symbolic
from checker.states.witness import Witness
from rulespec.resolve.question import Question
from rulespec.resolve.rule_value import RuleValue, is_expression
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.write import condition_text

BANS = ("may not", "must not")


@dataclass(slots=True)
class Clash:
    """Two rules and the states on which they give different values; a gap has no rules."""

    states: Diagram
    one: Rule | None = None
    other: Rule | None = None
    settled: bool = False  # a reading says which of them prevails
    readings: tuple[str, ...] = ()  # and that is this one

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(r for r in (self.one, self.other) if r is not None)

    @property
    def clauses(self) -> tuple[str, ...]:
        return tuple(r.clause for r in self.rules)

    @property
    def values(self) -> tuple[RuleValue, ...]:
        return tuple(r.value for r in self.rules)


@dataclass(frozen=True, slots=True)
class Proven:
    """One thing that was found, with the rules it is about and a hand that shows it."""

    code: str
    question: Question
    rules: tuple[Rule, ...]
    count: int
    witness: Witness | None = None
    hidden: bool = False  # only interim settlement first keeps it from being seen
    readings: tuple[str, ...] = ()  # readings that settle it
    values: tuple[RuleValue, ...] = ()
    others: tuple[Rule, ...] = ()  # rules that could go alone, but not with these
    settled: bool = True  # a reading says which clause prevails on every hand
    where: str = ""  # in what case, for people
    mark: int | None = None  # tells these states from others, see `marks`
    here: tuple[Rule, ...] = ()  # the rules that apply to the hand of the witness
    not_dealt: bool = False  # no round was found that shows it
    was: str = ""  # what was accepted, where that was less or more
    new: bool = False  # the witness is not among what was accepted
    behind: Proven | None = None  # the same, where interim settlement first keeps it from view
    never_alone: tuple[str, ...] = ()  # clauses that decide on no other hands


@dataclass(slots=True)
class Proofs:
    found: list[Proven] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)  # what the budget left open
    not_dealt: list[str] = field(default_factory=list)  # without a round that shows it
    states: int = 0
    # by question and fact some values that the search went through; one is none to compare with
    seen: dict[tuple[str, str], set[Value]] = field(default_factory=dict)


def pairs(space: Symbolic, answers: Answers, domain: Diagram) -> list[Clash]:
    """Rules that give different values on one state, joined by clause and value."""
    d = space.d
    found: dict[tuple[tuple[str, Any], ...], Clash] = {}
    kept = {r.id: d.both(answers.kept[r.id], domain) for r in answers.rules}
    rules = [r for r in answers.rules if kept[r.id] != d.none]
    for n, one in enumerate(rules):
        for other in rules[n + 1 :]:
            if one.value == other.value:
                continue
            states = d.both(kept[one.id], kept[other.id])
            if one.origin.clause == other.origin.clause and (one.source or other.source):
                # two rows of one table: where they clash themselves, its users add nothing
                rows = (kept.get(rule.origin.id, d.none) for rule in (one, other))
                states = d.without(states, d.both(*rows))
            if states == d.none:
                continue
            key = ((one.clause, one.value), (other.clause, other.value))
            clash = found.get(key) or found.get(key[::-1])
            if clash is None:
                found[key] = Clash(states, one, other)
            else:
                clash.states = d.either(clash.states, states)
    return list(found.values())


def apart(read: Engine, space: Symbolic, question: Question, clashes: list[Clash]) -> list[Clash]:
    """The clashes that a reading settles, and those that none does; where a reading says `when`,
    it settles a part."""
    d = space.d
    beats = read.beats(question)
    names = {reading.name for reading in read.rulebook.readings}
    found: list[Clash] = []
    for clash in clashes:
        pair = set(clash.clauses)
        said = [why for one, other, why in read.rulebook.order if {one, other} == pair]
        ordered = d.all if settled(clash, beats) else d.none
        for rule, _ in read.by_question.get(question, ()) if ordered == d.none else ():
            for one, other in (clash.rules, clash.rules[::-1]):
                same = (rule.clause, rule.value) == (one.clause, one.value)
                if rule.over_by and same and other.id in beats.get(rule.id, ()):
                    ordered = d.either(ordered, space.condition(rule.condition)[0])
                    said.append(rule.over_by)
        by = tuple(name for name in dict.fromkeys(said) if name in names)
        inside, outside = d.both(clash.states, ordered), d.without(clash.states, ordered)
        if inside != d.none:
            found.append(replace(clash, states=inside, settled=True, readings=by))
        if outside != d.none:
            found.append(replace(clash, states=outside))
    return found


def settled(clash: Clash, beats: Mapping[str, frozenset[str]]) -> bool:
    """One of the two clauses prevails over the other."""
    if clash.one is None or clash.other is None:
        return False
    one, other = clash.one.id, clash.other.id
    return other in beats.get(one, ()) or one in beats.get(other, ())


def issues(
    read: Engine, space: Symbolic, question: Question, answers: Answers, clashes: list[Clash]
) -> list[list[Clash]]:
    """The clashes of a question by the clause that is the exception: it speaks of fewer hands, it
    takes something out of a definition, or it is what is asked for or allowed, against bans."""
    extent: dict[str, int] = {}

    def narrower(rule: Rule) -> tuple[bool, int]:
        if rule.id not in extent:
            extent[rule.id] = space.marks.count(answers.active[rule.id])
        return rule.value in BANS or rule.value is True, extent[rule.id]

    parts = apart(read, space, question, clashes)
    return _clusters(space, parts, lambda clash: min(clash.rules, key=narrower))


def at_times(read: Engine, questions: Iterable[Question]) -> list[t.Expression]:
    """The conditions under which readings order the rules of these questions."""
    return [
        rule.condition
        for question in questions
        for rule, _ in read.by_question.get(question, ())
        if rule.over
    ]


def _clusters(
    space: Symbolic, clashes: list[Clash], exception: Callable[[Clash], Rule]
) -> list[list[Clash]]:
    """The clashes by issue. What an order of clauses settles is another issue than what none does,
    and what only happens in some circumstances another than what always does."""
    alike: dict[object, list[Clash]] = {}
    for clash in clashes:
        flags, _ = next(space.d.states(clash.states))
        raised = tuple(sorted(space.flags[level] for level in flags))
        alike.setdefault((raised, clash.settled), []).append(clash)
    return [issue for some in alike.values() for issue in _issues(space.d, some, exception)]


def _issues(
    d: Diagrams, left: list[Clash], exception: Callable[[Clash], Rule]
) -> Iterator[list[Clash]]:
    """An exception against all that it departs from is one issue; so is a clause against those that
    say another thing alike or that the same reading puts in order, and what is only said once more
    of the same hands."""
    while left:
        groups: dict[tuple[object, ...], list[Clash]] = {}
        for clash in left:
            groups.setdefault((exception(clash).clause,), []).append(clash)
            for clause in dict.fromkeys(clash.clauses):
                groups.setdefault((clause, frozenset(clash.values)), []).append(clash)
                if clash.readings:
                    groups.setdefault((clause, clash.readings), []).append(clash)
        (hub, *_), issue = max(groups.items(), key=lambda entry: len(entry[1]))
        clauses = {clause for clash in issue for clause in clash.clauses}
        said: dict[frozenset[Any], Diagram] = {}
        for clash in issue:
            values = frozenset(clash.values)
            said[values] = d.either(said.get(values, d.none), clash.states)
        rest: list[Clash] = []
        for clash in left:
            if any(clash is one for one in issue):
                continue
            again = d.without(clash.states, said.get(frozenset(clash.values), d.none)) == d.none
            same = hub in clash.clauses and clauses.issuperset(clash.clauses)
            (issue if again or same else rest).append(clash)
        # the clause that it is about comes first
        yield [c if c.clauses[0] == hub else replace(c, one=c.other, other=c.one) for c in issue]
        left = rest


def by_what_forbids(space: Symbolic, clashes: list[Clash]) -> list[list[Clash]]:
    """All duties that one ban meets are one issue, in whatever circumstances; so are bans that
    forbid what is due on the same hands."""
    d = space.d
    ordinary = d.all
    for level in range(len(space.flags)):
        ordinary = d.both(ordinary, d.flag(level, frozenset({0})))
    found: list[list[Clash]] = []
    for clash in clashes:
        near = [
            issue
            for issue in found
            if issue[0].settled == clash.settled
            and any(
                _ban(other) == _ban(clash)
                or (_duty(other) == _duty(clash) and other.states == clash.states)
                for other in issue
            )
        ]
        found = [issue for issue in found if not any(issue is one for one in near)]
        found.append([*(other for issue in near for other in issue), clash])
    # what happens without a special event is shown
    return [sorted(issue, key=lambda c: d.both(c.states, ordinary) == d.none) for issue in found]


def _ban(clash: Clash) -> str:
    return next(rule.clause for rule in clash.rules if rule.value in BANS)


def _duty(clash: Clash) -> str:
    return next(rule.clause for rule in clash.rules if rule.value not in BANS)


# --- what tells a finding from others


def said_by(rule: Rule) -> str:
    """A clause and what it says, the same in whatever words odds are printed."""
    return f"{rule.clause} {_text(rule.value)}"


def _text(value: RuleValue) -> str:
    match value:
        case t.Odds():
            return str(value.ratio)
        case t.Amount():
            return str(value.cents)
        case tuple():
            return " ".join(map(_text, value))
        case _ if is_expression(value):
            return condition_text(value)
    return str(value)


def mark_of(space: Symbolic, about: str, clashes: list[Clash]) -> int:
    """Made of the clauses, what they say, and the states."""
    marks = space.marks
    return (
        sum(
            weight(" | ".join([about, *sorted(map(said_by, c.rules))])) * marks.mark(c.states)
            for c in clashes
        )
        % PRIME
    )


def count_of(space: Symbolic, clashes: list[Clash]) -> int:
    return space.marks.count(space.d.any_of([c.states for c in clashes]))


def mark_of_rules(about: str, rules: tuple[Rule, ...]) -> int:
    """For what is found by the words of rules, without states."""
    told = sorted(f"{said_by(rule)} when {_text(rule.condition)}" for rule in rules)
    return weight(" | ".join([about, *told]))
