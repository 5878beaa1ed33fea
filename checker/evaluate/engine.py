"""The plain evaluator of conditions and questions. THE MEANING of the language.

A condition is true, false or not known (None): the log may not say what it asks for. A question
is answered by the rules whose condition holds and that no prevailing clause beats. One value is
an answer, several are a contradiction, none is a gap.

Nothing is remembered here. `memory` is the seam at which an engine is given a memory; without one
it gives the same answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from checker.evaluate.answer import Answer, shown
from checker.evaluate.asked_for import optional_facts
from checker.evaluate.compile import Compiler
from checker.evaluate.conditions import Condition, Later, Scene, Term, Value
from checker.evaluate.facts.home import FactTable, Readers
from checker.evaluate.memory.seam import Memory, Worked
from checker.evaluate.prevailing import Order, defeated, rank, reasons
from checker.log.known_words import KnownWords
from checker.table.mechanics import Mechanics
from rulespec.resolve.question import Question, about_bet, as_of_dealer, defining, term_asked
from rulespec.resolve.rule_value import as_expression
from rulespec.resolve.rulebook import VOID_FIRST, Rule, Rulebook, beats, ends_a_wager
from rulespec.tree import nodes as t
from rulespec.tree.cards import NONE
from rulespec.tree.walk import asked_words, conditions_of

__all__ = ["Answer", "Engine", "Scene", "Value", "shown"]

MET = "met: "  # asked of what is required
Requirement = tuple[Condition, tuple[str, ...]]  # with the facts in it that a log need not give


class Engine:
    """A rulebook made ready to be asked."""

    def __init__(self, rulebook: Rulebook, facts: FactTable) -> None:
        """`facts`: how they are read off a scene of its game."""
        self.rulebook = rulebook
        self.facts = facts
        self.readers = Readers(facts)
        self.words = KnownWords(rulebook.game)
        self.mechanics = Mechanics(rulebook.game)
        self.by_question: dict[Question, list[tuple[Rule, Condition]]] = {}
        self.memory = Memory(self)
        self.compiler = self._compiler()
        self.asked: dict[str, set[str]] | None = None  # rules that applied, noted on request
        self.lacking: dict[str, Rule] = {}  # terms not known of late, by clause
        # for logs that do not tell everything: what is not judged, which settings nobody knows, why
        self.silences: dict[str, str] = {}
        self.hushed: dict[str, str] = {}
        self._reading_names = frozenset(r.name for r in rulebook.readings)
        self._said = reasons(rulebook, self._reading_names)
        for rule in rulebook.rules:
            entry = (rule, Later(self.compile, rule.condition))
            self.by_question.setdefault(rule.question, []).append(entry)
        for own in [q for q in self.by_question if q.startswith(defining("dealer."))]:
            self._join_with_hands(own)

    def _compiler(self) -> Compiler:
        return Compiler(self)

    def _join_with_hands(self, own: Question) -> None:
        """What a natural is holds for both; a clause may still except the dealer alone."""
        name = term_asked(own)
        twin = defining(name.replace("dealer.", "hand.", 1))
        conditions = [rule.condition for rule in self.rulebook.rules]
        conditions += [condition for _, condition in conditions_of(self.rulebook.game)]
        words = (word for condition in conditions for word in asked_words(condition))
        if any(isinstance(word, t.Fact) and word.name == name for word in words):
            both_ = [*self.by_question.get(twin, ()), *self.by_question[own]]
            self.by_question[as_of_dealer(twin)] = both_

    @property
    def tells_less(self) -> bool:
        """Whether it is asked of rounds that leave something out."""
        return False

    def compile(self, node: t.Expression) -> Condition:
        return self.compiler.condition(node)

    def term(self, node: t.Expression) -> Term:
        return self.compiler.term(node)

    # --- questions

    def ask(self, question: Question, scene: Scene) -> Answer:
        if self.asked is not None:
            return self.work_out(question, scene)
        return self.memory.answer(question, scene, self.work_out)

    def work_out(self, question: Question, scene: Scene) -> Answer:
        applies: list[Rule] = []
        unknown: list[Rule] = []
        unchecked: list[Rule] = []
        for rule, condition in self.by_question.get(question, ()):
            holds = condition(scene)
            if holds:
                applies.append(rule)
            elif holds is None:
                optional = any(self.absent(name, scene) for name in self.optional_of(rule))
                (unchecked if optional else unknown).append(rule)
        if self.asked is not None:
            self.asked.setdefault(question, set()).update(r.id for r in applies)
        return self.conclude(question, applies, unknown, unchecked)

    def conclude(
        self, question: Question, applies: list[Rule], unknown: list[Rule], unchecked: list[Rule]
    ) -> Answer:
        """The answer that rules give together, in the order of the text."""
        if any(r.interim for r in applies):
            applies = [r for r in applies if r.interim]
            unknown = [r for r in unknown if r.interim]
        order = self.beats(question) if len(applies) + len(unknown) > 1 else {}
        kept, beaten = defeated(applies, order)
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
            kept.sort(key=rank)  # the same whatever the order of the file
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

    def _why(self, winner: Rule, loser: Rule) -> str:
        """Which clause or reading lets one rule prevail over another."""
        first = VOID_FIRST if ends_a_wager(winner) else ""
        return winner.over_by or self._said.get((winner.clause, loser.clause), first)

    def allowed(self, question: Question, scene: Scene) -> tuple[bool | None, Answer]:
        """Whether an act is allowed: what one clause forbids, a mere permission does not allow."""
        answer = self.ask(question, scene)
        return answer.permits, answer

    # --- defined words

    def definition(self, name: str) -> tuple[Question, bool]:
        """The question that a defined word stands for, and whether it is put to the dealer."""
        group, _, rest = name.partition(".")
        if group != "dealer":
            return defining(name), False
        twin = defining(f"hand.{rest}")
        return (as_of_dealer(twin) if defining(name) in self.by_question else twin), True

    def holds(self, term: str, scene: Scene) -> bool | None:
        """Whether a defined term holds; without a definition that applies it does not."""
        question = defining(term)
        return self.memory.once(scene, question, lambda: self.holds_by(question, scene))

    def holds_by(self, question: Question, scene: Scene) -> bool | None:
        answer = self.ask(question, scene)
        # What asks for something optional that the log does not give is not taken to hold: a wager
        # is not called invalid, nor left undecided, because nobody logged player cards.
        for rule in answer.unchecked:
            self.lacking[rule.clause] = rule
        return answer.holds

    def number_by(self, question: Question, scene: Scene) -> Value:
        """The number that a term stands for; none where no definition applies."""
        answer = self.ask(question, scene)
        values = {self.value_term(rule)(scene) for rule in answer.rules}
        if answer.unknown or None in values or len(values) > 1:
            return None
        return values.pop() if values else NONE

    def value_term(self, rule: Rule) -> Term:
        """What a rule gives as an amount."""
        return _value_term(self, rule)

    # --- what is required

    def requirement(self, rule: Rule) -> Requirement:
        return _requirement(self, rule)

    def lacks(self, rule: Rule, scene: Scene) -> bool:
        """What a rule requires asks, if only through a term, for what the log does not give."""
        return any(scene.fact(name) is None for name in self.requirement(rule)[1])

    def met(
        self, scene: Scene, question: Question, other: Question | None = None
    ) -> tuple[str, ...] | None:
        """The clauses of what is required here, where all of it is met and nothing is left open;
        else None, and it has to be looked at rule by rule."""
        questions = (question, other) if other else (question,)
        key = f"{MET}{question} and {other or ''}"
        return self.memory.answer(key, scene, lambda *_: (self._met(scene, questions),))[0]

    def _met(self, scene: Scene, questions: Sequence[Question]) -> tuple[str, ...] | None:
        clauses: list[str] = []
        for question in questions:
            answer = self.work_out(question, scene)
            if answer.unknown or answer.unchecked:
                return None
            for rule in answer.rules:
                holds, optional = self.requirement(rule)
                if not holds(scene) or any(self.absent(name, scene) for name in optional):
                    return None
            clauses.extend(answer.clauses)
        return tuple(clauses)

    def broken(self, question: Question, scene: Scene) -> tuple[Rule, ...]:
        """What is required here and not kept. What is not known breaks nothing."""
        key = f"broken: {question}"
        return self.memory.answer(key, scene, lambda *_: self._broken(question, scene))

    def _broken(self, question: Question, scene: Scene) -> tuple[Rule, ...]:
        rules = self.work_out(question, scene).rules
        return tuple(rule for rule in rules if self.requirement(rule)[0](scene) is False)

    # --- what a log need not give

    def absence(self, name: str) -> Condition:
        """Whether the log does not give a fact."""
        return _absence(self, name)

    def absent(self, name: str, scene: Scene) -> bool:
        return bool(self.absence(name)(scene))

    def optional_of(self, rule: Rule) -> tuple[str, ...]:
        """What a rule asks for, if only through a term, that a log need not give."""
        return _optional_of(self, rule)

    # --- what the rules are

    def rules_on(self, question: Question) -> list[Rule]:
        return [rule for rule, _ in self.by_question.get(question, ())]

    def has(self, question: Question) -> bool:
        return question in self.by_question

    def beats(self, question: Question) -> Order:
        return _beats(self, question)

    def asked_as(self, bet: str) -> str:
        """The bet by whose rules a bet is settled: itself, if a clause gives it a result."""
        return bet if self.has(about_bet(bet, "result")) else self.mechanics.like(bet)

    def clauses_of(self, question: Question) -> frozenset[str]:
        """The clauses with something to say to a question."""
        return _clauses_of(self, question)


def _required(engine: Engine, rule: Rule) -> Requirement:
    required = as_expression(rule.value)
    return engine.compile(required), tuple(sorted(optional_facts(engine, required)))


def _given(engine: Engine, rule: Rule) -> Term:
    return engine.term(as_expression(rule.value))


def _need_not_be_given(engine: Engine, rule: Rule) -> tuple[str, ...]:
    return tuple(sorted(optional_facts(engine, rule.condition)))


def _not_given(engine: Engine, name: str) -> Condition:
    return engine.compiler.absence(name)


def _order(engine: Engine, question: Question) -> Order:
    return beats(engine.rules_on(question), engine.rulebook.order)


def _with_a_say(engine: Engine, question: Question) -> frozenset[str]:
    return frozenset(rule.clause for rule in engine.rules_on(question))


_by_id = attrgetter("id")
_requirement = Worked(_required, _by_id)
_value_term = Worked(_given, _by_id)
_optional_of = Worked(_need_not_be_given, _by_id)
_absence = Worked(_not_given)
_beats = Worked(_order)
_clauses_of = Worked(_with_a_say)
