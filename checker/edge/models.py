"""What the calculation of an edge looks at, and the rules that rest on something else.

A calculation goes through hands of cards. What it supposes of the rest is said with the result.
What it neither goes through nor supposes is not known to it, and where a rule on it could decide,
the edge is undecided, with the clause.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from checker.evaluate.answer import Answer
from checker.evaluate.card_terms import card_and_trait
from checker.evaluate.compile import Compiler
from checker.evaluate.conditions import Term, Value
from checker.evaluate.engine import Engine
from checker.evaluate.facts.boxes import BOXES, HOMES
from checker.evaluate.memory.remembering import Remembering
from rulespec.resolve.question import Question, is_definition, is_requirement, term_asked
from rulespec.resolve.rule_value import as_expression
from rulespec.resolve.rulebook import Rule, Rulebook
from rulespec.tree import nodes as t
from rulespec.tree.game import Game
from rulespec.tree.walk import asked_words, walk

NOT_MODELLED = "edge.not_modelled"  # a fact that is never known

# Supposed of every wager whose edge is worked out; `ASSUMED` of each calculation says so.
SUPPOSED = frozenset(
    name for name, home in HOMES.items() if home.edge in ("alone", "ordinary", "limits")
)
_AMOUNTS = ("wager.stake", "wager.original", "play.stake", "box.main_total", "wager.room")

Exact = Callable[[t.Expression], str | None]
"""What a calculation does not keep apart of a comparison that it otherwise knows; None is all."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A clause that could decide and rests on what is not modelled."""

    clause: str
    why: str

    def __str__(self) -> str:
        return f"{self.clause} {self.why}"


@dataclass(slots=True)
class Terms:
    """The definitions of a rulebook, to look through."""

    game: Game
    definitions: dict[str, list[t.Expression]] = field(default_factory=dict)

    @classmethod
    def of(cls, rules: Iterable[Rule], game: Game) -> Terms:
        found: dict[str, list[t.Expression]] = {}
        for rule in rules:
            if is_definition(rule.question):
                found.setdefault(term_asked(rule.question), []).append(rule.condition)
        return cls(game, found)

    def facts(self, node: object, seen: frozenset[str] = frozenset()) -> set[str]:
        """The facts that a condition asks for, also through terms."""
        found: set[str] = set()
        for word in asked_words(node):
            if isinstance(word, t.Setting):
                continue
            name = word.name
            if self.game.declared_fact(name):
                found.add(name)
            for term in {name, name.replace("dealer.", "hand.")} - seen:
                for condition in self.definitions.get(term, ()):
                    found |= self.facts(condition, seen | {term})
        return found


def blinded(
    rules: Iterable[Rule],
    game: Game,
    modelled: frozenset[str],
    exact: Exact,
    chosen: Collection[str] = (),
) -> tuple[list[Rule], dict[str, str]]:
    """The rules with what a calculation does not look at put out of its sight, and by rule what
    that is. A rule is then not known to apply, unless the rest of its condition tells. `chosen`
    are the choices of the house that it goes through."""
    made: list[Rule] = []
    unseen: dict[str, str] = {}
    blind = _Blind(game, modelled, exact, chosen)
    for rule in rules:
        what: list[str] = []
        condition = blind.to(rule.condition, what)
        value = rule.value
        if is_requirement(rule.question):
            value = blind.to(as_expression(value), what)
        if what:
            unseen[rule.id] = " and ".join(dict.fromkeys(what))
            rule = replace(rule, condition=condition, value=value)
        made.append(rule)
    return made, unseen


@dataclass(frozen=True, slots=True)
class _Blind:
    """Of a calculation that looks at these facts only."""

    game: Game
    modelled: frozenset[str]
    exact: Exact
    chosen: Collection[str]

    def to(self, node: t.Expression, what: list[str]) -> t.Expression:
        match node:
            case t.Both() | t.Either():
                return replace(node, parts=tuple(self.to(part, what) for part in node.parts))
            case t.Negated():
                return replace(node, part=self.to(node.part, what))
            case _:
                found = self._unseen(node) or self.exact(node)
                if found is None:
                    return node
                what.append(found)
                return t.Fact(NOT_MODELLED, span=node.span)

    def _unseen(self, node: t.Expression) -> str | None:
        """The first thing in a comparison that a calculation does not look at."""
        for word in asked_words(node):
            # cards by position are left to the caller, who knows which of them are dealt
            plain = isinstance(word, t.Fact) and self.game.declared_fact(word.name)
            if plain and word.name not in self.modelled:
                return f"`{word.name}`"
        if (declared := _declared(node, self.chosen)) is not None:
            return declared
        amounts = [word.name for word in asked_words(node) if word.name in _AMOUNTS]
        in_money = amounts and any(isinstance(one, t.Money) for one in walk(node))
        return f"`{amounts[0]}`" if in_money else None


def _declared(node: object, chosen: Collection[str]) -> str | None:
    """What a test asks for that no hand of cards shows, though a rulebook may declare it."""
    for one in walk(node):
        match one:
            case t.MeterAmount():
                return f"the meter `{one.name}`"
            case t.Chosen() if one.name not in chosen:
                return f"what is chosen for `{one.name}`"
            case t.Times():
                return f"how often `{one.action}` was done"
            case t.Setting() if one.kind not in ("option", "approved", "recorded"):
                return f"whether somebody has `{one.name}`"
            case _:
                pass
    return None


def other_cards(node: object, known: Collection[str], facts: Collection[str] = ()) -> str | None:
    """What a test asks of cards by position other than these, and other than by these facts."""
    for one in walk(node):
        match one:
            case t.Fact() if one.name not in facts and card_and_trait(one.name) is not None:
                if one.name.rpartition(".")[0] not in known:
                    return f"`{one.name}`"
            case _ if isinstance(one, t.CardQuestion):
                for card in one.cards:
                    if card not in known:
                        return f"the cards of `{card}`"
            case _:
                pass
    return None


class ModelEngine(Engine):
    """An engine that notes where an answer hangs on what is not modelled."""

    def __init__(
        self,
        rulebook: Rulebook,
        unseen: dict[str, str],
        partly: dict[str, Callable[[Any], bool]] | None = None,
    ) -> None:
        """`partly`: facts that are known of some scenes only."""
        self.unseen = unseen
        self.partly = partly or {}
        self.missing: dict[str, Missing] = {}  # by clause
        super().__init__(rulebook, BOXES)
        self.memory = Remembering(self)
        terms = Terms.of(rulebook.rules, rulebook.game)
        for rule in rulebook.rules:
            for name in sorted(terms.facts((rule.condition, rule.value)) & set(self.partly)):
                unseen.setdefault(rule.id, f"`{name}` of hands in which it is not followed")

    def _compiler(self) -> Compiler:
        return _ModelCompiler(self)

    def conclude(
        self, question: Question, applies: list[Rule], unknown: list[Rule], unchecked: list[Rule]
    ) -> Answer:
        answer = Engine.conclude(self, question, applies, unknown, unchecked)
        for rule in answer.unknown:
            if rule.id in self.unseen:
                self.miss(rule.clause, f"rests on {self.unseen[rule.id]}")
        return answer

    def miss(self, clause: str, why: str) -> None:
        self.missing.setdefault(clause, Missing(clause, why))

    def all_missing(self) -> tuple[Missing, ...]:
        return tuple(self.missing[clause] for clause in sorted(self.missing))


class _ModelCompiler(Compiler):
    engine: ModelEngine

    def fact(self, name: str) -> Term:
        if name == NOT_MODELLED:
            return _nobody_knows
        read = Compiler.fact(self, name)
        known = self.engine.partly.get(name)
        if known is None:
            return read

        def followed(scene: Any) -> Value:
            return read(scene) if known(scene) else None

        return self.engine.memory.test(("partly", name), followed)


def _nobody_knows(scene: Any) -> None:
    return None


def options_of(rules: Iterable[Rule]) -> dict[str, list[str]]:
    """The options that rules ask about, each with its clauses: they are taken to be off."""
    found: dict[str, list[str]] = {}
    for rule in rules:
        for word in asked_words((rule.condition, rule.value)):
            if isinstance(word, t.Setting) and word.kind == "option":
                found.setdefault(word.name, []).append(rule.clause)
    return {name: list(dict.fromkeys(clauses)) for name, clauses in sorted(found.items())}
