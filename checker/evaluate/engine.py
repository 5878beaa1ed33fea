"""The plain evaluator of conditions and questions. THE MEANING of the language.

A condition is true, false or not known (None): the log may not say what it asks for. A question
is answered by the rules whose condition holds and that no prevailing clause beats. One value is
an answer, several are a contradiction, none is a gap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from operator import methodcaller
from typing import Any, assert_never

from checker.evaluate.answer import Answer, shown
from checker.evaluate.answer_trees import Recall
from checker.evaluate.card_terms import term_of
from checker.evaluate.conditions import (
    Condition,
    Constant,
    Later,
    Scene,
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
from checker.evaluate.depends_on import Reads
from checker.evaluate.home import FactTable, Readers
from checker.log.known import KnownWords
from checker.table.mechanics import Mechanics
from rulespec.resolve.rulebook import VOID_FIRST, Rule, Rulebook, beats, ends_a_wager
from rulespec.tree import nodes as t
from rulespec.tree.cards import NONE
from rulespec.tree.walk import Word, asked_words, declared_words

__all__ = ["Answer", "Engine", "Scene", "Value", "shown"]


MET = "met: "  # asked of what is required
Requirement = tuple[Condition, tuple[str, ...]]  # with the facts in it that a log need not give


@dataclass(slots=True)
class Engine:
    """A rulebook made ready to be asked."""

    rulebook: Rulebook
    facts: FactTable  # how facts are read off a scene of its game
    readers: Readers = field(init=False)
    by_question: dict[str, list[tuple[Rule, Condition]]] = field(init=False)
    caches: dict[Any, Any] = field(init=False, default_factory=dict)
    asked: dict[str, set[str]] | None = field(init=False, default=None)  # rules, on request
    _optional: dict[str, tuple[str, ...]] = field(init=False, default_factory=dict)
    _words: dict[str, list[Word]] | None = field(init=False, default=None)  # of definitions
    _beats: dict[str, dict[str, frozenset[str]]] = field(init=False, default_factory=dict)
    _ready: set[str] = field(init=False, default_factory=set)  # questions that are compiled
    lacking: dict[str, Rule] = field(init=False, default_factory=dict)  # terms not known of late
    _reading_names: frozenset[str] = field(init=False, default=frozenset())
    reads: Reads = field(init=False)
    recall: Recall = field(init=False)
    words: KnownWords = field(init=False)
    _said: dict[tuple[str, str], str] = field(init=False, default_factory=dict)
    mechanics: Mechanics = field(init=False)
    # for logs that do not tell everything: what is not judged, which settings nobody knows, and why
    silences: dict[str, str] = field(init=False, default_factory=dict)
    hushed: dict[str, str] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._reading_names = frozenset(r.name for r in self.rulebook.readings)
        self.words = KnownWords(self.rulebook.game)
        self.by_question = {}
        self.mechanics = Mechanics(self.rulebook.game)
        self.readers = Readers(self.facts)
        game, homes = self.rulebook.game, self.facts.homes
        self.reads = Reads(self.by_question, self.optional_facts, game, homes)
        self.recall = Recall(self.reads, self.readers)
        for rule in self.rulebook.rules:
            entry = (rule, Later(self.compile, rule.condition))
            self.by_question.setdefault(rule.question, []).append(entry)
        for own in [q for q in self.by_question if q.startswith("define dealer.")]:
            self._join_with_hands(own)

    @property
    def tells_less(self) -> bool:
        """Whether it is asked of rounds that leave something out."""
        return False

    def _join_with_hands(self, own: str) -> None:
        """What a natural is holds for both; a clause may still except the dealer alone."""
        name = own.removeprefix("define ")
        twin = own.replace("dealer.", "hand.", 1)
        words = (word for rule in self.rulebook.rules for word in asked_words(rule.condition))
        if any(isinstance(word, t.Fact) and word.name == name for word in words):
            both_ = [*self.by_question.get(twin, ()), *self.by_question[own]]
            self.by_question[f"{twin} of the dealer"] = both_

    def ready(self, question: str) -> None:
        """Compile the rules of a question."""
        self._ready.add(question)
        entries = self.by_question.get(question)
        if entries:
            entries[:] = [
                (rule, test.now() if isinstance(test, Later) else test) for rule, test in entries
            ]

    def requirement(self, rule: Rule) -> Requirement:
        key = ("requirement", rule.id)
        found: Requirement | None = self.caches.get(key)
        if found is None:
            optional = tuple(sorted(self.optional_facts(rule.value)))
            found = self.caches[key] = (self.compile(rule.value), optional)
        return found

    def lacks(self, rule: Rule, scene: Scene) -> bool:
        """What a rule requires asks, if only through a term, for what the log does not give."""
        return any(scene.fact(name) is None for name in self.requirement(rule)[1])

    def met(self, scene: Scene, question: str, other: str = "") -> tuple[str, ...] | None:
        """The clauses of what is required here, where all of it is met and nothing is left open;
        else None, and it has to be looked at rule by rule."""
        key = f"{MET}{question} and {other}"
        found: tuple[tuple[str, ...] | None] | None = self.recall.find(self.caches, key, scene)
        if found is None:
            with self.recall.watching() as seen:
                found = (self._met(scene, (question, other) if other else (question,)),)
            self.recall.keep(self.caches, key, seen, found, scene)
        return found[0]

    def _met(self, scene: Scene, questions: tuple[str, ...]) -> tuple[str, ...] | None:
        clauses: list[str] = []
        for question in questions:
            answer = self.work_out(question, scene)
            if answer.unknown or answer.unchecked:
                return None
            for rule in answer.rules:
                holds, optional = self.requirement(rule)
                if not holds(scene) or any(self._absent(name, scene) for name in optional):
                    return None
            clauses.extend(answer.clauses)
        return tuple(clauses)

    def broken(self, question: str, scene: Scene) -> tuple[Rule, ...]:
        """What is required here and not kept. What is not known breaks nothing."""
        key = f"broken: {question}"
        found: tuple[Rule, ...] | None = self.recall.find(self.caches, key, scene)
        if found is None:
            with self.recall.watching() as seen:
                rules = self.work_out(question, scene).rules
                found = tuple(rule for rule in rules if self.requirement(rule)[0](scene) is False)
            self.recall.keep(self.caches, key, seen, found, scene)
        return found

    def optional_of(self, rule: Rule) -> tuple[str, ...]:
        """What a rule asks for, if only through a term, that a log need not give."""
        found = self._optional.get(rule.id)
        if found is None:
            found = tuple(sorted(self.optional_facts(rule.condition)))
            self._optional[rule.id] = found
        return found

    def optional_facts(self, node: object) -> set[str]:
        """Facts in a condition, also through defined terms, that a log need not give."""
        found: set[str] = set()
        seen: set[str] = set()
        waiting = asked_words(node)
        game = self.rulebook.game
        while waiting:
            word = waiting.pop()
            info = game.plain_fact(word.name) if isinstance(word, t.Fact) else None
            if info is not None:
                if info.optional:
                    found.add(word.name)
            elif word.name not in seen and not isinstance(word, t.Setting):
                seen.add(word.name)
                term = "define " + word.name.replace("dealer.", "hand.")
                waiting.extend(self._words_of(term))
        return found

    def declared_words(self, node: object) -> list[t.Chosen | t.MeterAmount]:
        """Choices and meters that a condition asks for, also through defined terms."""
        found: list[t.Chosen | t.MeterAmount] = []
        seen: set[str] = set()
        waiting = [node]
        while waiting:
            part = waiting.pop()
            found.extend(declared_words(part))
            for word in asked_words(part):
                question, _ = self.definition(word.name)
                if question not in seen and not isinstance(word, t.Setting):
                    seen.add(question)
                    rules = self.by_question.get(question, ())
                    waiting.extend(rule.condition for rule, _ in rules)
        return found

    def _words_of(self, term: str) -> list[Word]:
        if self._words is None:
            self._words = {}
            for rule in self.rulebook.rules:
                if rule.question.startswith("define "):
                    words = self._words.setdefault(rule.question, [])
                    words.extend(asked_words(rule.condition))
        return self._words.get(term, [])

    def beats(self, question: str) -> dict[str, frozenset[str]]:
        """For each rule of a question the rules of it that it prevails over, by their ids."""
        if question not in self._beats:
            rules = [rule for rule, _ in self.by_question.get(question, ())]
            self._beats[question] = beats(rules, self.rulebook.order)
        return self._beats[question]

    def forget(self, questions: Iterable[str]) -> None:
        """The rules on these questions are other ones now: what was worked out is gone."""
        self.caches.clear()
        self.recall.forget()
        for question in questions:
            self._beats.pop(question, None)

    def has(self, question: str) -> bool:
        return question in self.by_question

    def asks_for(self, fact: str) -> bool:
        """Whether any rule asks for a fact."""
        key = ("asks for", fact)
        if key not in self.caches:
            words = (w for x in self.rulebook.rules for w in asked_words((x.condition, x.value)))
            self.caches[key] = any(isinstance(w, t.Fact) and w.name == fact for w in words)
        return bool(self.caches[key])

    def asked_as(self, bet: str) -> str:
        """The bet by whose rules a bet is settled: itself, if a clause gives it a result."""
        return bet if self.has(f"{bet}.result") else self.mechanics.like(bet)

    def clauses_of(self, question: str) -> frozenset[str]:
        """The clauses with something to say to a question."""
        key = ("clauses of", question)
        found: frozenset[str] | None = self.caches.get(key)
        if found is None:
            found = frozenset(rule.clause for rule, _ in self.by_question.get(question, ()))
            self.caches[key] = found
        return found

    # --- questions

    def ask(self, question: str, scene: Scene) -> Answer:
        """The answer to a question; what is the same as before is not worked out again."""
        if self.asked is not None:
            return self.work_out(question, scene)
        found: Answer | None = self.recall.find(self.caches, question, scene)
        if found is None:
            with self.recall.watching() as seen:
                found = self.work_out(question, scene)
            self.recall.keep(self.caches, question, seen, found, scene)
        return found

    def work_out(self, question: str, scene: Scene) -> Answer:
        applies: list[Rule] = []
        unknown: list[Rule] = []
        unchecked: list[Rule] = []
        if question not in self._ready:
            self.ready(question)
        for rule, condition in self.by_question.get(question, ()):
            holds = condition(scene)
            if holds:
                applies.append(rule)
            elif holds is None:
                optional = any(self._absent(name, scene) for name in self.optional_of(rule))
                (unchecked if optional else unknown).append(rule)
        if self.asked is not None:
            self.asked.setdefault(question, set()).update(r.id for r in applies)
        return self.conclude(question, applies, unknown, unchecked)

    def conclude(
        self, question: str, applies: list[Rule], unknown: list[Rule], unchecked: list[Rule]
    ) -> Answer:
        """The answer that rules give together, in the order of the text."""
        if any(r.interim for r in applies):
            applies = [r for r in applies if r.interim]
            unknown = [r for r in unknown if r.interim]
        order = self.beats(question)
        kept, beaten = self._defeat(applies, order)
        values = tuple(dict.fromkeys(r.value for r in kept))
        # What is not known only matters where it could change the answer: it says something else,
        # or would prevail over what says something else.
        upset = {
            u.id
            for u in unknown
            if any(r.value != u.value and r.id in order.get(u.id, ()) for r in kept)
        }
        open_ = tuple(
            u
            for u in unknown
            if (u.value not in values or u.id in upset)
            and not any(u.id in order.get(w.id, ()) for w in kept)
        )
        if len(kept) > 1:
            kept.sort(key=self._rank)  # the same whatever the order of the file
        why = tuple(self._why(winner, loser) for loser, winner in beaten)
        readings = dict.fromkeys(
            [r.reading for r in kept if r.reading] + [w for w in why if w in self._reading_names]
        )
        return Answer(
            question,
            values,
            tuple(kept),
            tuple(beaten),
            open_,
            tuple(unchecked),
            why,
            tuple(readings),
            any(u.id in upset for u in open_),
        )

    def _absent(self, name: str, scene: Scene) -> bool:
        return self.absence(name)(scene)

    def absence(self, name: str) -> Callable[[Scene], bool]:
        """Whether the log does not give a fact."""
        key = ("absent", name)
        found: Callable[[Scene], bool] | None = self.caches.get(key)
        if found is None:
            found = self.recall.test(key, lambda scene: scene.fact(name) is None)
            self.caches[key] = found
        return found

    def _rank(self, rule: Rule) -> tuple[int, str]:
        """The rule with the most to say about a hand first, then by its number."""
        parts = len(rule.condition.parts) if isinstance(rule.condition, t.Both) else 1
        return -parts, rule.id

    def _why(self, winner: Rule, loser: Rule) -> str:
        """Which clause or reading lets one rule prevail over another."""
        said, readings = self._said, self._reading_names
        if not said:
            for one, other, why in self.rulebook.order:
                told = said.setdefault((one, other), why)
                if why in readings and told not in readings:
                    said[one, other] = why
        first = VOID_FIRST if ends_a_wager(winner) else ""
        return winner.over_by or said.get((winner.clause, loser.clause), first)

    @staticmethod
    def _defeat(
        applies: list[Rule], order: dict[str, frozenset[str]]
    ) -> tuple[list[Rule], list[tuple[Rule, Rule]]]:
        if len(applies) < 2:
            return applies, []
        kept: list[Rule] = []
        beaten: list[tuple[Rule, Rule]] = []
        for rule in applies:
            winner = next((o for o in applies if rule.id in order.get(o.id, ())), None)
            if winner is None:
                kept.append(rule)
            else:
                beaten.append((rule, winner))
        return kept, beaten

    def allowed(self, question: str, scene: Scene) -> tuple[bool | None, Answer]:
        """Whether an act is allowed: what one clause forbids, a mere permission does not allow."""
        answer = self.ask(question, scene)
        return answer.permits, answer

    def holds(self, term: str, scene: Scene) -> bool | None:
        """Whether a defined term holds; without a definition that applies it does not."""
        return self._holds(f"define {term}", scene)

    def _holds(self, key: str, scene: Scene) -> bool | None:
        memory = scene.memory
        if key in memory:
            known: bool | None = memory[key]
            return known
        answer = self.ask(key, scene)
        # What asks for something optional that the log does not give is not taken to hold: a wager
        # is not called invalid, nor left undecided, because nobody logged player cards.
        for rule in answer.unchecked:
            self.lacking[rule.clause] = rule
        result = memory[key] = answer.holds
        return result

    def _entries(self, question: str) -> list[tuple[Rule, Condition]]:
        return self.by_question.get(question, [])

    def _number(self, key: str, scene: Scene) -> Value:
        """The number that a term stands for; none where no definition applies."""
        answer = self.ask(key, scene)
        values = {self.value_term(rule)(scene) for rule in answer.rules}
        if answer.unknown or None in values or len(values) > 1:
            return None
        return values.pop() if values else NONE

    # --- conditions

    def compile(self, node: t.Expression) -> Condition:
        match node:
            case t.Always():
                return lambda scene: True
            case t.Either():
                return either([self.compile(p) for p in sorted(node.parts, key=cost)])
            case t.Both():
                return both([self.compile(p) for p in sorted(node.parts, key=cost)])
            case t.Negated():
                return negated(self.compile(node.part))
            case t.Compare() | t.OneOf() | t.Between():
                if all(few_values(side, self.rulebook.game) for side in sides(node)):
                    return self._comparison(node)
                return self.recall.test(node, self._comparison(node))
            case t.Fact() | t.Name() | t.Setting():
                term = self.term(node)
                return lambda scene: as_bool(term(scene))
            case t.Number() | t.Money() | t.Ranks() | t.Arithmetic():
                raise TypeError(f"not a condition: {node}")
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
            info = self.rulebook.game.plain_fact(one.name) if isinstance(one, t.Fact) else None
            if isinstance(one, t.PokerRank) or has_listed_values(info) or may_be_word(info, other):
                return self.term(one), Constant(word)
        return self.term(left), self.term(right)

    def term(self, node: t.Expression) -> Term:
        match node:
            case t.Fact():
                return self._fact(node.name)
            case t.Name():
                key = f"define {node.name}"
                numbers = any(rule.value is not bool(rule.value) for rule, _ in self._entries(key))
                return self.recall.test(
                    node, partial(self._number if numbers else self._holds, key)
                )
            case t.Number():
                return Constant(node.value)
            case t.Money():
                return Constant(node.cents)
            case t.Ranks():
                ranks = "-".join(sorted(node.ranks.split("-"), key="A23456789TJQK".index))
                return Constant(ranks)
            case t.Setting():
                return self.recall.test(node, methodcaller("setting", node.kind, node.name))
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
                return self.recall.test(node, term_of(self, node))
            case _:
                return self.compile(node)

    def value_term(self, rule: Rule) -> Term:
        """What a rule gives as an amount."""
        key = ("value", rule.id)
        found: Term | None = self.caches.get(key)
        if found is None:
            found = self.caches[key] = self.term(rule.value)
        return found

    def _fact(self, name: str) -> Term:
        game = self.rulebook.game
        if game.plain_fact(name) is not None:
            fact, read = t.Fact(name), methodcaller("fact", name)
            return self.recall.test(fact, read, name) if few_values(fact, game) else read
        return self.recall.test(("defined", name), self._defined(name))

    def definition(self, name: str) -> tuple[str, bool]:
        """The question that a defined word stands for, and whether it is put to the dealer."""
        group, _, rest = name.partition(".")
        if group != "dealer":
            return f"define {name}", False
        twin = f"define hand.{rest}"
        return (f"{twin} of the dealer" if f"define {name}" in self.by_question else twin), True

    def _defined(self, name: str) -> Term:
        question, of_dealer = self.definition(name)
        if of_dealer:
            return lambda scene: self._holds(question, scene.as_dealer())
        return partial(self._holds, question)
