"""What rules, and the orders between them, do to the answers: seen by leaving them out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from checker.evaluate.engine import Engine
from checker.evaluate.memory.seam import Worked
from checker.prove.issues import BANS, Proven
from checker.states.declared_words import asked_at_all
from checker.states.diagram import Diagram
from checker.states.grid import NOT_MODELLED, modelled_in, on_hands
from checker.states.not_modelled import moving_money
from checker.states.row_facts import asked_of
from checker.states.symbolic import Answers, Symbolic
from rulespec.resolve.question import Question, actor_and_act
from rulespec.resolve.rulebook import Rule, beats
from rulespec.tree import nodes as t
from rulespec.tree.walk import walk


def decided(engine: Engine, rule: Rule) -> bool:
    """All that the rule asks for is among what the search goes through."""
    return _is_decided(engine, rule)


def _decided(engine: Engine, rule: Rule) -> bool:
    if asked_at_all(engine, rule.condition):
        return False
    facts = asked_of(engine, rule.condition, set())
    patterns = any(isinstance(n, t.Ranks) for n in walk(rule.condition))
    if "hand.suits" in facts and not patterns:
        return False
    if not rule.question.startswith(on_hands(engine.mechanics)) and any(
        f.startswith("hand.") for f in facts
    ):
        return False  # side bets are searched over first cards only
    if moving_money(engine.rulebook.game) and any(f.startswith("wager.") for f in facts):
        return False  # by an action of the rulebook's own, which is not searched
    held = {
        fact
        for fact in facts & NOT_MODELLED
        if not rule.question.startswith(modelled_in().get(fact, ("?",)))
    }
    return not held and not engine.optional_of(rule)


_is_decided = Worked(_decided, attrgetter("id"))


def never_counting(
    space: Symbolic, answers: Answers, domain: Diagram
) -> list[tuple[Rule, list[Rule], Diagram]]:
    """Clauses that apply to some hands but always yield to one that prevails."""
    d = space.d
    found: list[tuple[Rule, list[Rule], Diagram]] = []
    for clause in dict.fromkeys(x.clause for x in answers.rules):
        mine = [x for x in answers.rules if x.clause == clause]
        active = d.both(d.any_of([answers.active[x.id] for x in mine]), domain)
        kept = d.both(d.any_of([answers.kept[x.id] for x in mine]), domain)
        if active == d.none or kept != d.none or not all(decided(space.engine, x) for x in mine):
            continue
        over = [
            x
            for x in answers.rules
            if any(y.id in answers.beats.get(x.id, ()) for y in mine)
            and d.both(answers.active[x.id], active) != d.none
        ]
        if all(x.value in {y.value for y in mine} for x in over):
            continue  # they say the same
        found.append((mine[0], over, active))
    return found


def dead(space: Symbolic, question: Question, answers: Answers, domain: Diagram) -> list[Rule]:
    """Rules that no hand meets."""
    return without_use(
        answers.rules,
        {
            id(rule): space.d.both(answers.applies[rule.id], domain) == space.d.none
            and decided(space.engine, rule)
            for rule in answers.rules
        },
    )


def without_use(rules: Sequence[Rule], idle: Mapping[int, bool]) -> list[Rule]:
    """The rules that are idle, by identity. Of a table that a clause uses, some rows may be for
    other cases: the use is idle only where every row of it is, and is then named once."""
    used = [rule for rule in rules if rule.source is not None]
    alive = {(rule.clause, rule.span) for rule in used if not idle[id(rule)]}
    whole = {(rule.clause, rule.span): rule for rule in reversed(used)}
    return [
        rule
        for rule in rules
        if (rule.source is None or rule is whole[rule.clause, rule.span])
        and (rule.clause, rule.span) not in alive
        and idle[id(rule)]
    ]


def robbed(
    space: Symbolic, question: Question, answers: Answers, domain: Diagram
) -> list[tuple[Rule, list[Rule], Diagram]]:
    """Clauses that a printed precedence keeps from ever changing an outcome."""
    book = space.engine.rulebook
    clauses = {x.clause for x in answers.rules}
    pairs = [p for p in book.precedence if p[0] in clauses and p[1] in clauses]
    whole = outcome(space, answers, domain)
    idle: dict[str, list[Rule]] = {}
    for clause in dict.fromkeys(p[1] for p in pairs):
        mine = [x for x in answers.rules if x.clause == clause]
        gone = space.answers(question, without=_ids(mine))
        if changed(space, whole, gone, domain) == space.d.none:
            idle[clause] = mine
    found: list[tuple[Rule, list[Rule], Diagram]] = []
    for clause, mine in idle.items():
        others = _ids(x for twin, rules in idle.items() if twin != clause for x in rules)
        if others and _counts_alone(space, question, mine, others, domain):
            continue
        order = beats(answers.rules, [p for p in pairs if p[1] != clause])
        states = changed(space, whole, space.answers(question, beats=order), domain)
        winners = {p[0] for p in pairs if p[1] == clause}
        if states != space.d.none:
            over = [x for x in answers.rules if x.clause in winners]
            found.append((mine[0], over, states))
    return found


def _ids(rules: Iterable[Rule]) -> frozenset[str]:
    return frozenset(rule.id for rule in rules)


def _counts_alone(
    space: Symbolic, question: Question, mine: list[Rule], others: frozenset[str], domain: Diagram
) -> bool:
    """Clauses that say the same each change nothing beside the other, and yet not both are idle."""
    left = outcome(space, space.answers(question, without=others), domain)
    gone = space.answers(question, without=others | _ids(mine))
    return changed(space, left, gone, domain) != space.d.none


def outcome(space: Symbolic, answers: Answers, domain: Diagram) -> dict[Any, Diagram]:
    d = space.d
    if any(_choice_of_players(rule) for rule in answers.rules):
        # what is not allowed needs no ban, and a permission yields to one; a duty does not
        may, must = answers.value("may"), answers.value("must")
        banned = d.any_of([answers.value(v) for v in BANS])
        allowed = d.without(d.without(may, must), banned)
        left_open = [s for v, s in answers.outcome().items() if str(v).startswith("undecided")]
        said = {
            "allowed": allowed,
            "must": must,
            "must and must not": d.both(must, banned),
            "undecided": d.without(d.any_of(left_open), d.either(allowed, must)),
        }
        return {v: d.both(states, domain) for v, states in said.items()}
    return {v: d.both(s, domain) for v, s in answers.outcome().items()}


def _choice_of_players(rule: Rule) -> bool:
    return rule.value in ("may", *BANS) and actor_and_act(rule.question)[0] == "player"


@dataclass(frozen=True, slots=True)
class Effects:
    """What each clause does to the answers of one question, seen by leaving it out."""

    needless: tuple[Rule, ...]  # the first rule of each clause without which nothing changes
    together: tuple[Rule, ...]  # those that could all go at once
    only_in_conflict: tuple[tuple[Rule, Diagram], ...]


def effects(
    space: Symbolic,
    question: Question,
    answers: Answers,
    domain: Diagram,
    spared: set[str],
    settled: Diagram | None = None,
) -> Effects:
    """What leaving out each clause changes; on the settled states, several values are no conflict,
    since only the highest is paid."""
    d = space.d
    whole = outcome(space, answers, domain)
    conflict = d.without(_several(space, whole), d.none if settled is None else settled)
    needless: list[tuple[int, Rule, frozenset[str]]] = []
    conflicting: list[tuple[Rule, Diagram]] = []
    for clause in dict.fromkeys(r_.clause for r_ in answers.rules):
        mine = [x for x in answers.rules if x.clause == clause]
        if any(x.id in spared or not decided(space.engine, x) for x in mine):
            continue
        ids = frozenset(x.id for x in mine)
        states = changed(space, whole, space.answers(question, without=ids), domain)
        if states == d.none:
            kept = d.cells(d.any_of([answers.kept[x.id] for x in mine])).bit_count()
            needless.append((kept, mine[0], ids))
        elif d.without(states, conflict) == d.none:
            conflicting.append((mine[0], states))
    # those that decide the fewest hands go first, so that what says the most stays
    gone: frozenset[str] = frozenset()
    together: list[Rule] = []
    for _, rule, ids in sorted(needless, key=lambda entry: entry[0]):
        left = space.answers(question, without=gone | ids)
        if changed(space, whole, left, domain) == d.none:
            gone |= ids
            together.append(rule)
    order = {x.id: n for n, x in enumerate(answers.rules)}
    together.sort(key=lambda x: order[x.id])
    return Effects(tuple(x for _, x, _ in needless), tuple(together), tuple(conflicting))


def changed(
    space: Symbolic, whole: dict[Any, Diagram], answers: Answers, domain: Diagram
) -> Diagram:
    """The states on which these answers are others than before."""
    d = space.d
    left = outcome(space, answers, domain)
    parts = []
    for value in dict.fromkeys([*whole, *left]):
        one, other = whole.get(value, d.none), left.get(value, d.none)
        if one != other:
            parts += [d.without(one, other), d.without(other, one)]
    return d.any_of(parts)


def _several(space: Symbolic, outcome: dict[Any, Diagram]) -> Diagram:
    """The states with more than one answer."""
    d = space.d
    seen = several = d.none
    for states in outcome.values():
        several = d.either(several, d.both(seen, states))
        seen = d.either(seen, states)
    return several


def idle_orders(
    space: Symbolic, question: Question, answers: Answers, domain: Diagram
) -> dict[str, bool]:
    """For each clause that says which clause prevails here: whether any hand needs that order."""
    clauses = {x.clause for x in answers.rules}
    pairs = [p for p in space.engine.rulebook.precedence if p[0] in clauses and p[1] in clauses]
    unknown = {x.clause for x in answers.rules if not decided(space.engine, x)}
    whole = outcome(space, answers, domain)
    needed: dict[str, bool] = {}
    for why in dict.fromkeys(p[2] for p in pairs):
        mine = {(p[0], p[1]) for p in pairs if p[2] == why}
        if any(unknown & {*pair} for pair in mine):
            needed[why] = True
            continue
        order = beats(answers.rules, [p for p in pairs if (p[0], p[1]) not in mine])
        freed = space.answers(question, beats=order)
        needed[why] = changed(space, whole, freed, domain) != space.d.none
    return needed


@dataclass(slots=True)
class Orders:
    """Which clause says that one prevails over another, and whether any hand needs that."""

    engine: Engine
    needed: dict[str, bool] = field(default_factory=dict)
    questions: set[Question] = field(default_factory=set)

    def note(self, question: Question, needed: dict[str, bool]) -> None:
        self.questions.add(question)
        for why, here in needed.items():
            self.needed[why] = self.needed.get(why, False) or here

    def idle(self) -> list[Proven]:
        """One finding for all orders without which every hand comes out the same."""
        book = self.engine.rulebook
        answers: dict[str, set[str]] = {}
        for rule in book.rules:
            answers.setdefault(rule.clause, set()).add(rule.question)
        idle: list[Rule] = []
        for why, needed in self.needed.items():
            pairs = [p for p in book.precedence if p[2] == why]
            asked = set().union(
                *(answers.get(w, set()) & answers.get(x, set()) for w, x, _ in pairs)
            )
            if not needed and asked <= self.questions:
                idle += [r for r in book.rules if r.clause == why and r.question in asked][:1]
        order = {r.id: n for n, r in enumerate(book.rules)}
        idle.sort(key=lambda r: order[r.id])
        return [Proven("R318", idle[0].question, tuple(idle), 0)] if idle else []
