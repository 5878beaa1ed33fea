"""Does anything notice when a rule is lost? Each rule is removed, and negated, in turn."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from multiprocessing import get_all_start_methods, get_context
from typing import Any

from checker.conditions import Condition, negated
from checker.engine import Engine
from checker.scenarios import Scenario, run_scenario
from checker.workers import end_with_parent
from rulespec.rulebook import Rule, Rulebook


@dataclass(frozen=True, slots=True)
class Mutant:
    rule: Rule
    noticed_by: str | None  # the scenario that fails without the rule


def mutate(rulebook: Rulebook, scenarios: list[Scenario], jobs: int = 1) -> Iterator[Mutant]:
    """One mutant for each rule. A rule is noticed when losing or negating it fails a scenario."""
    engines: dict[date, Engine] = {}
    for scenario in scenarios:
        day = rulebook.day_of(scenario.round.at)
        if day not in engines:
            engines[day] = Engine(rulebook.on(day))
    asked, applied = _asked(scenarios, engines)
    rules = [rule for rule in rulebook.rules if rule.source is None]
    _work.update(rules=rules, engines=engines, asked=asked, applied=applied)
    numbers = range(len(rules))
    if jobs > 1 and "fork" in get_all_start_methods():
        # the engines cannot be sent to another process, but a fork has them already
        pool = ProcessPoolExecutor(
            jobs, get_context("fork"), initializer=end_with_parent, initargs=(os.getpid(),)
        )
        try:
            yield from map(Mutant, rules, pool.map(_judge, numbers, chunksize=4))
        finally:
            pool.shutdown(cancel_futures=True)
    else:
        yield from map(Mutant, rules, map(_judge, numbers))


_work: dict[str, Any] = {}


def _judge(number: int) -> str | None:
    rule = _work["rules"][number]
    engines = _work["engines"]
    return _noticed(_work["applied"].get(rule.id, []), engines, rule, None) or _noticed(
        _work["asked"].get(rule.question, []), engines, rule, negated
    )


def _engine(engines: dict[date, Engine], scenario: Scenario) -> Engine:
    book = next(iter(engines.values())).rulebook
    return engines[book.day_of(scenario.round.at)]


def _noticed(
    scenarios: list[Scenario], engines: dict[date, Engine], rule: Rule, change: object
) -> str | None:
    for scenario in scenarios:
        if _fails(_engine(engines, scenario), rule, scenario, change):
            return scenario.name
    return None


def _asked(
    scenarios: list[Scenario], engines: dict[date, Engine]
) -> tuple[dict[str, list[Scenario]], dict[str, list[Scenario]]]:
    """The scenarios in which a question is asked, and those in which a rule applies."""
    asked: dict[str, list[Scenario]] = {}
    applied: dict[str, list[Scenario]] = {}
    origins = {
        rule.id: rule.origin.id for engine in engines.values() for rule in engine.rulebook.rules
    }
    for scenario in sorted(scenarios, key=lambda s: len(s.round.events)):
        engine = _engine(engines, scenario)
        engine.caches.clear()  # what is remembered is not asked again
        engine.asked = {}
        run_scenario(engine, scenario)
        for question, rules in engine.asked.items():
            asked.setdefault(question.removesuffix(" of the dealer"), []).append(scenario)
            for rule in {origins.get(rule, rule) for rule in rules}:
                applied.setdefault(rule, []).append(scenario)
        engine.asked = None
    return asked, applied


def _fails(engine: Engine, rule: Rule, scenario: Scenario, change: object) -> bool:
    with _changed(engine, rule, change):
        try:
            return not run_scenario(engine, scenario).passed
        except (RecursionError, AssertionError):
            return True


@contextmanager
def _changed(engine: Engine, rule: Rule, change: object) -> Iterator[None]:
    """The engine without the rule, or with its condition turned round, and without what clauses
    that pay as it take over."""
    kept = {q: list(entries) for q, entries in engine.by_question.items()
            if any(r.origin is rule for r, _ in entries)}  # fmt: skip
    for question, entries in kept.items():
        changed: list[tuple[Rule, Condition]] = []
        for other, condition in entries:
            if other.origin is not rule:
                changed.append((other, condition))
            elif callable(change) and other is rule:
                changed.append((other, change(condition)))
        engine.by_question[question] = changed
    engine.caches.clear()
    try:
        yield
    finally:
        engine.by_question.update(kept)
        engine.caches.clear()
