"""Conditions and amounts, made ready to be asked of a scene."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from operator import methodcaller
from typing import Any, Protocol, assert_never

from checker.evaluate.card_terms import term_of
from checker.evaluate.conditions import (
    Condition,
    Constant,
    Term,
    Value,
    arithmetic,
    as_bool,
    as_chosen,
    both,
    compare,
    cost,
    either,
    few_values,
    has_listed_values,
    listed,
    may_be_word,
    negated,
    sides,
)
from checker.evaluate.facts.home import FactTable
from checker.evaluate.memory.seam import Memory
from rulespec.resolve.question import Question, defining
from rulespec.resolve.rulebook import Rule, Rulebook
from rulespec.tree import nodes as t


class Defining(Protocol):
    """The engine, which conditions ask what defined words come to."""

    rulebook: Rulebook
    memory: Memory
    by_question: dict[Question, list[tuple[Rule, Condition]]]
    facts: FactTable

    def definition(self, name: str) -> tuple[Question, bool]: ...

    def holds_by(self, question: Question, scene: Any) -> bool | None: ...

    def number_by(self, question: Question, scene: Any) -> Value: ...


class Compiler:
    def __init__(self, engine: Defining) -> None:
        self.engine = engine
        self.rulebook = engine.rulebook
        self.game = engine.rulebook.game
        terms = {info.name for info in self.game.facts.values() if info.definable}
        worked_out = {name for name, home in engine.facts.homes.items() if home.rests_on}
        self._cost = partial(cost, terms | worked_out)

    def _cheap_first(self, parts: Iterable[t.Expression]) -> list[t.Expression]:
        return sorted(parts, key=self._cost)

    def condition(self, node: t.Expression) -> Condition:
        match node:
            case t.Always():
                return lambda scene: True
            case t.Either():
                return either([self.condition(p) for p in self._cheap_first(node.parts)])
            case t.Both():
                return both([self.condition(p) for p in self._cheap_first(node.parts)])
            case t.Negated():
                return negated(self.condition(node.part))
            case t.Compare() | t.OneOf() | t.Between():
                if all(few_values(side, self.game) for side in sides(node)):
                    return self._comparison(node)
                return self.engine.memory.test(node, self._comparison(node))
            case t.Number() | t.Money() | t.Ranks() | t.Arithmetic():
                raise TypeError(f"not a condition: {node}")
            case (
                t.Fact()
                | t.Name()
                | t.Setting()
                | t.Chosen()
                | t.MeterAmount()
                | t.Times()
                | t.Same()
                | t.Consecutive()
                | t.PokerRank()
                | t.PointsOf()
                | t.CardsOf()
                | t.CountOf()
            ):
                asked = self.term(node)
                return lambda scene: as_bool(asked(scene))
            case _:
                assert_never(node)

    def _comparison(self, node: t.Compare | t.OneOf | t.Between) -> Condition:
        match node:
            case t.Compare():
                left, right = self._pair(node.left, node.right)
                return compare(left, node.operator, right)
            case t.OneOf():
                pairs = [self._pair(node.left, value) for value in node.values]
                return either([compare(left, "=", right) for left, right in pairs])
            case t.Between():
                middle, low, high = (self.term(x) for x in (node.left, node.low, node.high))
                return both([compare(middle, ">=", low), compare(middle, "<=", high)])
            case _:
                assert_never(node)

    def _pair(self, left: t.Expression, right: t.Expression) -> tuple[Term, Term]:
        """Listed values are plain words when the other side is a fact with listed values."""
        for one, other in ((left, right), (right, left)):
            word = listed(other)
            if word is None:
                continue
            if isinstance(one, t.Chosen) and not one.amount:
                return self.term(one), Constant(as_chosen(other))
            info = self.game.plain_fact(one.name) if isinstance(one, t.Fact) else None
            if isinstance(one, t.PokerRank) or has_listed_values(info) or may_be_word(info, other):
                return self.term(one), Constant(word)
        return self.term(left), self.term(right)

    def term(self, node: t.Expression) -> Term:
        memory = self.engine.memory
        match node:
            case t.Fact():
                return self.fact(node.name)
            case t.Name():
                return memory.test(node, self._defined_word(defining(node.name)))
            case t.Number():
                return Constant(node.value)
            case t.Money():
                return Constant(node.cents)
            case t.Ranks():
                ranks = "-".join(sorted(node.ranks.split("-"), key="A23456789TJQK".index))
                return Constant(ranks)
            case t.Setting():
                return memory.test(node, methodcaller("setting", node.kind, node.name))
            case t.Arithmetic():
                return arithmetic(self.term(node.left), node.operator, self.term(node.right))
            case (
                t.Chosen()
                | t.MeterAmount()
                | t.Times()
                | t.Same()
                | t.Consecutive()
                | t.PokerRank()
                | t.PointsOf()
                | t.CardsOf()
                | t.CountOf()
            ):
                return memory.test(node, term_of(self, node))
            case _:
                return self.condition(node)

    def fact(self, name: str) -> Term:
        memory = self.engine.memory
        if self.game.plain_fact(name) is not None:
            fact, read = t.Fact(name), methodcaller("fact", name)
            return memory.test(fact, read, name) if few_values(fact, self.game) else read
        return memory.test(("defined", name), self._defined_fact(name))

    def absence(self, name: str) -> Condition:
        """Whether the log does not give a fact."""
        return self.engine.memory.test(("absent", name), lambda scene: scene.fact(name) is None)

    def _defined_word(self, question: Question) -> Term:
        """A number, or whether it holds."""
        rules = self.engine.by_question.get(question, ())
        if any(rule.value is not bool(rule.value) for rule, _ in rules):
            return partial(self.engine.number_by, question)
        return self.engine.memory.of_scene(question, self.engine.holds_by)

    def _defined_fact(self, name: str) -> Condition:
        question, of_dealer = self.engine.definition(name)
        holds = self.engine.memory.of_scene(question, self.engine.holds_by)
        return (lambda scene: holds(scene.as_dealer())) if of_dealer else holds
