"""Questions that two texts answer by the same rules: the same whatever is dealt, without a search.

Rules are written out without their numbers and places, the parts of `and` and `or` in a fixed
order, together with all that they rest on: terms, card values, precedence.
"""

from __future__ import annotations

import hashlib

from checker.evaluate.engine import Engine
from checker.table.mechanics import won_by
from rulespec.resolve.question import DEALER_DRAW, Question, about_bet, defining, value_of_card
from rulespec.resolve.rule_value import RuleValue, is_expression
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.kinds import RANKS
from rulespec.tree.walk import walk
from rulespec.tree.write import condition_text

_CARD_VALUES = frozenset(value_of_card(rank) for rank in RANKS)


class Prints:
    """A fingerprint for each question of one text; equal prints are equal rules."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._known: dict[Question, frozenset[Question]] = {}
        self._written: dict[str, str] = {}
        self._prints: dict[str, str] = {}
        mechanics = engine.mechanics
        results = [about_bet(mechanics.main, "result")]
        later = [
            about_bet(bet, "result") for bet in mechanics.game.bets if mechanics.placed_by(bet)
        ]
        won = [defining(won_by(bet)) for bet in mechanics.bonuses]
        # what facts are worked out from, see `Home.rests_on`
        self._rests: dict[str, list[Question]] = {
            "": [],
            "results": results,
            "draw": [*results, *later, DEALER_DRAW],
            "bonus": won,
            "bonus amount": [*won, *(about_bet(bet, "odds") for bet in mechanics.bonuses)],
        }
        self._by_question: dict[Question, list[Rule]] = {}
        for rule in engine.rulebook.rules:
            self._by_question.setdefault(rule.question, []).append(rule)

    def of(self, question: Question) -> str:
        """The rules of a question and of all that it rests on."""
        if question not in self._prints:
            self._prints[question] = self._print(question)
        return self._prints[question]

    def of_rule(self, rule: Rule) -> str:
        """One rule and all that it rests on."""
        return repr((_rule(rule), sorted(self.of(question) for question in self._under(rule))))

    def _print(self, question: Question) -> str:
        seen: dict[str, str] = {}
        waiting = [question]
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen[name] = self._rules(name)
                waiting += sorted(self._rests_on(name))
        return hashlib.sha256(repr(sorted(seen.items())).encode()).hexdigest()

    def _all(self, question: Question) -> list[Rule]:
        return self._by_question.get(question, [])

    def _rules(self, question: Question) -> str:
        if question not in self._written:
            self._written[question] = self._write(question)
        return self._written[question]

    def _write(self, question: Question) -> str:
        rules = self._all(question)
        order = self.engine.beats(question)
        forms = {rule.id: _rule(rule) for rule in rules}
        beats = {
            (forms[one.id], forms[other.id])
            for one in rules
            for other in rules
            if other.id in order.get(one.id, ())
        }
        return repr((sorted(set(forms.values())), sorted(beats)))

    def _rests_on(self, question: Question) -> frozenset[Question]:
        if question not in self._known:
            found = {q for rule in self._all(question) for q in self._under(rule)}
            self._known[question] = frozenset(found - {question})
        return self._known[question]

    def _under(self, rule: Rule) -> set[Question]:
        """What a rule rests on."""
        found: set[Question] = set()
        for node in walk([rule.condition, *_expressions(rule.value)]):
            if isinstance(node, t.Name):
                found.add(defining(node.name))
            elif isinstance(node, t.Fact):
                found |= self._of_fact(node.name)
            elif isinstance(node, t.PointsOf):
                found |= _CARD_VALUES
        return {q for q in found if self.engine.has(q)}

    def _of_fact(self, fact: str) -> set[Question]:
        info = self.engine.rulebook.game.plain_fact(fact)
        if info is None:
            return {defining(fact), defining(fact.replace("dealer.", "hand."))}
        home = self.engine.facts.homes.get(fact)
        found = set(self._rests[home.rests_on if home is not None else ""])
        if info.by_values or fact.endswith(".points"):
            found |= _CARD_VALUES
        return found


def _expressions(value: RuleValue) -> list[t.Expression]:
    parts = value if isinstance(value, tuple) else (value,)
    return [part for part in parts if is_expression(part)]


def _rule(rule: Rule) -> str:
    return repr((value_form(rule.value), form(rule.condition), rule.interim))


def value_form(value: RuleValue | None) -> str:
    match value:
        case t.Odds():
            return f"odds {value.ratio}"
        case t.Amount():
            return f"amount {value.cents}"
        case t.MeterShare():
            return f"{value.share} of {value.meter}"
        case t.PayoutRange():
            return f"from {value_form(value.least)} to {value_form(value.most)}"
        case tuple():
            return repr(tuple(value_form(part) for part in value))
        case _ if is_expression(value):
            return form(value)
        case _:
            return repr(value)


def form(node: t.Expression) -> str:
    """A condition written so that the order of its parts does not count."""
    match node:
        case t.Both() | t.Either():
            word = " and " if isinstance(node, t.Both) else " or "
            return "(" + word.join(sorted({form(p) for p in node.parts})) + ")"
        case t.Negated():
            return f"not {form(node.part)}"
        case t.OneOf():
            values = ", ".join(sorted(condition_text(v) for v in node.values))
            return f"{condition_text(node.left)} in ({values})"
        case _:
            return condition_text(node)


def form_of(rule: Rule) -> tuple[str, str]:
    """What a rule says, by its words alone."""
    return form(rule.condition), value_form(rule.value)
