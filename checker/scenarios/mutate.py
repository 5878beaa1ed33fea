"""Does anything notice when a rule is lost, or a number in it is off by one?

Each mutant is put to the scenarios that it can touch: while the scenarios run on the text as it is,
every question that is asked is put to the changed rules too, and where those answer as the rules
do, the scenario cannot tell the two texts apart.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_all_start_methods, get_context
from typing import Any, TypeVar

from checker.edge.cards import reachable
from checker.evaluate.answer import Answer
from checker.evaluate.conditions import Condition, negated
from checker.evaluate.dealer_draw import FINALS, Ends
from checker.evaluate.engine import Engine, Scene
from checker.evaluate.memory.remembering import Known, Remembering, memory_of
from checker.evaluate.ready import facts_of, new_engine
from checker.replay.workers import end_with_parent
from checker.scenarios.mutants import Mutant, mutants
from checker.scenarios.scenarios import Bench, Scenario, run_scenario
from rulespec.resolve.question import (
    CARD_VALUES,
    DEALER_DRAW,
    Question,
    as_of_any_hand,
    defining,
    is_requirement,
    requiring,
    term_asked,
)
from rulespec.resolve.rule_value import as_expression
from rulespec.resolve.rulebook import Rule, Rulebook
from rulespec.tree import nodes as t

CHANGED, TURNED = 0, 1  # ways in which a mutant is tried: as it says, and a lost rule turned round


@dataclass(frozen=True, slots=True)
class Noticed:
    """A mutant and the scenario that fails with it, if any does."""

    mutant: Mutant
    noticed_by: str | None

    @property
    def rule(self) -> Rule | None:
        return self.mutant.changes[0][0] if self.mutant.changes else None


def mutate(
    rulebook: Rulebook,
    scenarios: list[Scenario],
    jobs: int = 1,
    chosen: Iterable[Mutant] | None = None,
) -> Iterator[Noticed]:
    """Every mutant, or those that are chosen. All scenarios pass on the text as it is."""
    every = list(mutants(rulebook) if chosen is None else chosen)
    work = Work(rulebook, scenarios, every, jobs)
    yield from map(Noticed, every, _each(work.noticed, range(len(every)), jobs))


T = TypeVar("T")
_shared: dict[str, Callable[[int], Any]] = {}


def _each(what: Callable[[int], T], numbers: range, jobs: int) -> Iterator[T]:
    """What is said of each number, in order, on several cores."""
    if jobs < 2 or "fork" not in get_all_start_methods():
        yield from map(what, numbers)
        return
    # the engines cannot be sent to another process, but a fork has them already
    _shared["what"] = what
    pool = ProcessPoolExecutor(
        jobs, get_context("fork"), initializer=end_with_parent, initargs=(os.getpid(),)
    )
    try:
        yield from pool.map(_one, numbers, chunksize=8)
    finally:
        pool.shutdown(cancel_futures=True)
        _shared.clear()


def _one(number: int) -> Any:
    return _shared["what"](number)


class Work:
    """A rulebook with its mutants, and the scenarios that each of them can touch."""

    def __init__(
        self, rulebook: Rulebook, scenarios: list[Scenario], every: list[Mutant], jobs: int = 1
    ) -> None:
        self.mutants = every
        self.bench = Bench(rulebook)
        drawn_by = (DEALER_DRAW, CARD_VALUES, requiring("card"))
        self._drawing = {rule.question for rule in reachable(rulebook, drawn_by)}
        self._ends: dict[int, dict[object, Ends]] = {}  # by the identity of an engine
        # what was worked out with the mutant that is tried now: by way and engine
        self._tried: tuple[Mutant | None, dict[tuple[int, int], Known]] = (None, {})
        self._dated: Bench | None = None  # of the mutant that is tried now
        self._watched: dict[int, Watched] = {}
        self.scenarios = sorted(scenarios, key=lambda s: len(s.round.events))
        self.touched: list[list[Scenario]] = [[] for _ in every]
        self._in_a_way: list[dict[str, set[int]]] = [{} for _ in every]  # by scenario
        self.asking: dict[str, list[Scenario]] = {}  # by question
        looked = _each(self._looked, range(len(self.scenarios)), jobs)
        for scenario, (touched, asked) in zip(self.scenarios, looked, strict=True):
            for number, way in sorted(touched):
                ways = self._in_a_way[number].setdefault(scenario.name, set())
                if not ways:
                    self.touched[number].append(scenario)
                ways.add(way)
            for question in asked:
                self.asking.setdefault(question, []).append(scenario)

    def _looked(self, number: int) -> tuple[set[_Way], set[str]]:
        return self._touched_by(self.scenarios[number])

    def draws(self, number: int) -> bool:
        """Whether a mutant is about the cards that the dealer draws."""
        changes = self.mutants[number].changes
        return any(rule.question in self._drawing for pair in changes for rule in pair if rule)

    def touched_by(
        self, scenario: Scenario, but: frozenset[int] = frozenset()
    ) -> tuple[set[int], set[str]]:
        """The mutants that answer some question of a scenario otherwise, and what is asked."""
        touched, asked = self._touched_by(scenario, but)
        return {number for number, _ in touched}, asked

    def _touched_by(
        self, scenario: Scenario, but: frozenset[int] = frozenset()
    ) -> tuple[set[_Way], set[str]]:
        engine = self.bench.engine(scenario)
        if engine is None:
            return set(), set()
        if id(engine) not in self._watched:
            self._watched[id(engine)] = Watched(engine.rulebook, self.mutants)
        watcher = self._watched[id(engine)]
        skipped = {(number, way) for number in but for way in (CHANGED, TURNED)}
        watcher.touched = set(skipped)
        watcher.deciding = {str(clause) for clause in scenario.expected.get("decides", ())}
        watcher.asked = {}
        memory = memory_of(watcher)
        memory.forget()  # what is remembered is not asked again
        if not any(self.draws(n) for n in range(len(self.mutants)) if n not in but):
            memory.known.put(FINALS, self._ends.setdefault(id(watcher), {}))
        run_scenario(watcher, scenario)
        return watcher.touched - skipped, set(watcher.asked)

    def noticed(self, number: int) -> str | None:
        """The first scenario that fails with a mutant. Those that are about its clause are tried
        first, the shortest of them before the others."""
        mutant = self.mutants[number]
        if mutant.kind == "dated":
            return next((s.name for s in self.scenarios if self.fails(mutant, s)), None)
        known = sorted(self.touched[number], key=lambda s: not is_about(s, mutant))
        in_a_way = self._in_a_way[number]
        for way in (CHANGED, TURNED):
            for one in known:
                if way in in_a_way[one.name] and self.fails(mutant, one, (way,)):
                    return one.name
        return None

    def fails(
        self, mutant: Mutant, scenario: Scenario, ways: tuple[int, ...] = (CHANGED, TURNED)
    ) -> bool:
        """Whether a scenario fails with a mutant: a rule that is lost is also turned round."""
        engine = self.bench.engine(scenario)
        if mutant.kind == "dated":
            if self._dated is None or self._dated.rulebook is not mutant.book:
                self._dated = Bench(mutant.book)
            other = self._dated.engine(scenario)
            same = (
                engine is not None
                and other is not None
                and (engine.rulebook.rules == other.rulebook.rules)
            )
            return not same and _fails(other or mutant.book, scenario)
        if engine is None:
            return False
        becomes: dict[int, dict[int, Any]] = {
            CHANGED: {id(old or new): (old, new) for old, new in mutant.changes}
        }
        if mutant.lost:
            becomes[TURNED] = {id(rule): (rule, negated) for rule, _ in mutant.changes}
        about = {rule.question for pair in mutant.changes for rule in pair if rule}
        if self._tried[0] is not mutant:
            self._tried = (mutant, {})
        for way in ways:
            if way not in becomes:
                continue
            known = self._tried[1].setdefault((way, id(engine)), Known())
            if not about & self._drawing:
                known.put(FINALS, self._ends.setdefault(id(engine), {}))
            with _changed(engine, becomes[way], known):
                if _fails(engine, scenario):
                    return True
        return False


def _fails(engine: Engine | Rulebook, scenario: Scenario) -> bool:
    try:
        return not run_scenario(engine, scenario).passed
    except (RecursionError, AssertionError, ZeroDivisionError):
        return True


@contextmanager
def _changed(engine: Engine, way: dict[int, Any], known: Known) -> Iterator[None]:
    """The engine with some rules changed, lost or turned round. `known`: what was worked out with
    the same change before."""
    kept = {
        question: list(entries)
        for question, entries in engine.by_question.items()
        if any(id(rule) in way for rule, _ in entries)
    }
    added = [new for old, new in way.values() if old is None]
    for rule in added:
        kept.setdefault(rule.question, list(engine.by_question.get(rule.question, ())))
    for question, entries in kept.items():
        changed: list[tuple[Rule, Condition]] = []
        for rule, condition in entries:
            if id(rule) not in way:
                changed.append((rule, condition))
                continue
            new = way[id(rule)][1]
            if isinstance(new, Rule):
                changed.append((new, engine.compile(new.condition)))
            elif new is not None:
                changed.append((rule, new(condition)))
        changed += [
            (rule, engine.compile(rule.condition)) for rule in added if rule.question == question
        ]
        engine.by_question[question] = changed
    memory = memory_of(engine)
    memory.forget()
    memory.known = known
    try:
        yield
    finally:
        for question, entries in kept.items():
            if entries:
                engine.by_question[question] = entries
            else:
                del engine.by_question[question]
        memory.forget()


class Watched(Engine):
    """An engine that notes which mutants would have answered otherwise."""

    def __init__(self, rulebook: Rulebook, every: list[Mutant]) -> None:
        super().__init__(rulebook, facts_of(rulebook))
        self.memory = Remembering(self)
        self.asked = {}  # every question is worked out
        self.touched: set[_Way] = set()
        self.deciding: set[str] = set()  # clauses that have to decide something
        self._other = new_engine(rulebook)  # what is looked up for the mutants is not known here
        self._ways: dict[str, list[tuple[Condition | None, list[tuple[_Way, _Test | None]]]]] = {}
        mine = {id(rule) for rule in rulebook.rules}
        by_rule: dict[int, tuple[Rule, list[tuple[_Way, _Test | None]]]] = {}
        for number, mutant in enumerate(every):
            for old, new in mutant.changes:
                if old is None and new is not None:
                    self._ways.setdefault(new.question, []).append(
                        (None, [((number, CHANGED), None)])
                    )
                elif old is not None and id(old) in mine:
                    tests = by_rule.setdefault(id(old), (old, []))[1]
                    if new is not None:
                        tests.append(((number, CHANGED), self._test(old, new)))
                    else:
                        tests.append(((number, CHANGED), self._lost(old, False)))
                        if not isinstance(old.condition, t.Always):  # never is as good as lost
                            tests.append(((number, TURNED), self._lost(old, None)))
        for rule, tests in by_rule.values():
            condition = self._other.compile(rule.condition)
            self._ways.setdefault(rule.question, []).append((condition, tests))

    def _lost(self, rule: Rule, but: bool | None) -> _Test | None:
        """Where a rule is missed, or where it is turned round: not where its condition is `but`,
        and not where all that is required is met anyway."""
        question, clause = rule.question, rule.clause
        if len(self._other.by_question[question]) == 1:
            return None  # nothing is said at all then
        if not is_requirement(question):
            return lambda scene, holds: holds is not but
        met = self._other.compile(as_expression(rule.value))
        return lambda scene, holds: (
            holds is not but
            and (
                met(scene) is not True
                or clause in self.deciding
                or bool(self._other.broken(question, scene))
            )
        )

    def _test(self, old: Rule, new: Rule) -> _Test:
        compile_ = self._other.compile
        condition = compile_(new.condition)
        if old.value == new.value:
            return lambda scene, holds: condition(scene) is not holds
        if is_requirement(old.question):
            was, becomes = (compile_(as_expression(rule.value)) for rule in (old, new))
            return lambda scene, holds: (
                condition(scene) is not holds
                or (holds is not False and was(scene) is not becomes(scene))
            )
        return lambda scene, holds: condition(scene) is not holds or holds is not False

    def work_out(self, question: Question, scene: Scene) -> Answer:
        name = as_of_any_hand(question)
        self._compare(name, scene)
        if name != question:  # a clause may except the dealer alone
            self._compare(defining(term_asked(name).replace("hand.", "dealer.", 1)), scene)
        return Engine.work_out(self, question, scene)

    def _compare(self, question: Question, scene: Scene) -> None:
        view: Scene | None = None
        for condition, tests in self._ways.get(question, ()):
            waiting = [(way, test) for way, test in tests if way not in self.touched]
            if not waiting:
                continue
            if view is None:
                view = scene.but(engine=self._other)  # type: ignore[attr-defined]
                assert view is not None
            holds = condition(view) if condition is not None else True
            for way, test in waiting:
                if test is None or test(view, holds):
                    self.touched.add(way)


_Test = Callable[[Scene, bool | None], bool]
_Way = tuple[int, int]  # a mutant by its number, and which way it is tried


def is_about(scenario: Scenario, mutant: Mutant) -> bool:
    """Whether a scenario names the clause of a mutant."""
    named = {
        str(c) for key in ("clauses", "decides", "breaches") for c in scenario.expected.get(key, ())
    }
    return mutant.clause in named
