"""What conditions look at: the facts and sums that a question rests on, with the tests of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from checker.columns.rules.made_facts import Asked, most_of
from checker.columns.rules.settings import Settings
from checker.columns.slots import (
    AS_DEALER,
    FILLED,
    FIXED,
    NOT_OF_A_DEALER,
    SLOTS,
    WORDS,
    ranks_code,
)
from checker.evaluate.asked_for import optional_facts
from checker.evaluate.card_terms import card_and_trait
from checker.evaluate.conditions import has_listed_values, listed
from checker.evaluate.engine import Engine
from rulespec.resolve.question import Question, defining
from rulespec.resolve.rule_value import as_expression
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t

_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
Linear = tuple[tuple[tuple[str, Fraction], ...], Fraction]  # facts with factors, and a constant


class NotColumnar(Exception):
    """A condition that the columns cannot say: what asks it is left to the plain evaluator."""


@dataclass(slots=True)
class Looked:
    """What a question looks at: constants per fact, sums that are compared with nothing."""

    facts: dict[str, set[tuple[str, int]]] = field(default_factory=dict)  # fact: tests
    sums: dict[tuple[tuple[str, int], ...], set[tuple[str, int]]] = field(default_factory=dict)
    terms: dict[str, None] = field(default_factory=dict)  # definable facts that are given
    left: set[str] = field(default_factory=set)  # facts that do not matter with these settings


class Looker:
    """Walks conditions and notes what they look at. `dealer`: asked about the dealer's hand."""

    def __init__(
        self,
        engine: Engine,
        given: frozenset[str],
        dealer: bool = False,
        settings: Settings | None = None,
    ) -> None:
        self.engine = engine
        self.settings = settings
        self.game = engine.rulebook.game
        self.given = given  # definable facts that are worked out beforehand
        self.dealer = dealer
        self.found = Looked()
        self._inside: set[str] = set()

    def rules(self, question: Question, values: bool = False) -> None:
        for rule, _ in self.engine.by_question.get(question, ()):
            self.rule(rule, values)

    def rule(self, rule: Rule, value: bool = False) -> None:
        if self.settings is not None and self.settings.says(rule.condition) is False:
            self.found.left |= self.settings.facts_in((rule.condition, rule.value))
            return
        self.condition(rule.condition)
        optional = optional_facts(self.engine, rule.condition)
        if value:
            required = as_expression(rule.value)
            self.condition(required)
            optional |= optional_facts(self.engine, required)
        for name in optional:
            self.fact(name)

    def fact(self, name: str, *tests: tuple[str, int]) -> None:
        if self.dealer:
            if name in NOT_OF_A_DEALER:
                return
            name = AS_DEALER.get(name, name)
            if name.startswith("hand."):
                raise NotColumnar(name)
        if name in FIXED:
            return
        if self._is_of_a_card(name):
            self._made(name)
            return
        if name not in FILLED:
            raise NotColumnar(name)
        self.found.facts.setdefault(name, set()).update(tests)

    def condition(self, node: t.Expression) -> None:
        settings = self.settings
        if settings is not None and (settings.says(node) is not None or settings.alone(node)):
            self.found.left |= settings.facts_in(node)
            return
        match node:
            case t.Always():
                pass
            case t.Either() | t.Both():
                for part in node.parts:
                    self.condition(part)
            case t.Negated():
                self.condition(node.part)
            case t.Compare():
                self._compare(node.left, node.operator, node.right)
            case t.OneOf():
                for value in node.values:
                    self._compare(node.left, "=", value)
            case t.Between():
                self._compare(node.left, ">=", node.low)
                self._compare(node.left, "<=", node.high)
            case t.Fact():
                if self.game.plain_fact(node.name):
                    self.fact(node.name, ("=", 0))
                else:
                    self.term(node.name)
            case t.Name():
                self.term(node.name)
            case t.Setting():
                self.setting(node)
            case t.Same() | t.Consecutive():
                self._made(node)
            case _:
                raise NotColumnar(str(node))

    def setting(self, node: t.Setting) -> None:
        name: str | None = f"{node.kind} {node.name}"
        if self.settings is not None:
            name = self.settings.setting(node.kind, node.name)
        if name is None or (self.settings is None and node.kind.endswith(" has")):
            raise NotColumnar(node.name)
        if name in SLOTS:
            self.found.facts.setdefault(name, set()).add(("=", 0))
        elif node.kind == "option":
            raise NotColumnar(name)  # approvals and records: rounds with them are passed on

    def term(self, name: str) -> None:
        group, _, rest = name.partition(".")
        if name in self.given:
            if self.dealer:
                raise NotColumnar(name)
            self.found.terms[name] = None
            self.found.facts.setdefault(name, set()).add(("=", 0))
            return
        if group == "dealer" and rest:
            raise NotColumnar(name)
        if name in self._inside:
            raise NotColumnar(name)  # defined by itself: the evaluator will say what it makes of it
        self._inside.add(name)
        self.rules(defining(name))
        self._inside.discard(name)

    # --- cards by position: their facts stand in the key as they are

    def _is_of_a_card(self, name: str) -> bool:
        return name not in FILLED and card_and_trait(name) is not None

    def _made(self, asked: Asked) -> None:
        made = self.settings.made_of(asked) if self.settings is not None else None
        if made is None or self.dealer:
            raise NotColumnar(str(asked))
        tests = (("=", value) for value in range(most_of(made[1]) + 1))
        self.found.facts.setdefault(made[0], set()).update(tests)

    def _is_made(self, node: t.Expression) -> bool:
        """Whether it rests on cards by position, and may be more than true or false."""
        match node:
            case t.Fact():
                return self._is_of_a_card(node.name)
            case t.Name():
                return any(not isinstance(rule.value, bool) for rule in self._defined(node.name))
            case t.Arithmetic():
                return self._is_made(node.left) or self._is_made(node.right)
            case _:
                return isinstance(node, t.CardQuestion)

    def _defined(self, name: str) -> list[Rule]:
        return [rule for rule, _ in self.engine.by_question.get(defining(name), ())]

    def _whole(self, node: t.Expression) -> None:
        """Look at all that it may be."""
        match node:
            case t.Fact() if self._is_of_a_card(node.name):
                self._made(node.name)
            case t.Fact() if has_listed_values(self.game.plain_fact(node.name)):
                self.fact(node.name, *(("=", code) for code in WORDS.values()))
            case t.Name():
                for rule in self._defined(node.name):
                    self.rule(rule)
                    if not isinstance(rule.value, bool):
                        self._whole(as_expression(rule.value))
            case t.Arithmetic():
                self._whole(node.left)
                self._whole(node.right)
            case t.Number() | t.Money() | t.Ranks() | t.Chosen():
                pass
            case _ if isinstance(node, t.CardQuestion):
                self._made(node)
            case _:
                raise NotColumnar(str(node))

    def _compare(self, left: t.Expression, operator: str, right: t.Expression) -> None:
        if self.settings is not None and (self._is_made(left) or self._is_made(right)):
            self._whole(left)
            self._whole(right)
            return
        for one, other, op in (
            (left, right, operator),
            (right, left, _FLIPPED.get(operator, operator)),
        ):
            word = listed(other)
            info = self.game.facts.get(one.name) if isinstance(one, t.Fact) else None
            if isinstance(one, t.Fact) and word is not None and has_listed_values(info):
                if word in WORDS:
                    self.fact(one.name, (op, WORDS[word]))
                elif one.name not in FIXED:
                    raise NotColumnar(word)
                return
            if isinstance(one, t.Fact) and isinstance(other, t.Ranks):
                self.fact(one.name, (op, ranks_code(other.ranks)))
                return
        (parts, constant) = _minus(self.linear(left), self.linear(right))
        for name, _ in parts:
            self.fact(name)
        if any(FIXED.get(name, 0) is None for name, _ in parts):
            return  # never known
        fixed = [(name, factor) for name, factor in parts if name in FIXED]
        constant += sum((factor * int(FIXED[name]) for name, factor in fixed), Fraction(0))
        parts = tuple(p for p in parts if p[0] not in FIXED)
        if not parts:
            return
        scale = lcm(*(f.denominator for _, f in parts), constant.denominator)
        whole = [(name, int(f * scale)) for name, f in parts]
        rest = int(constant * scale)
        if len(whole) == 1 and abs(whole[0][1]) == 1:
            name, factor = whole[0]
            op = operator if factor == 1 else _FLIPPED.get(operator, operator)
            self.fact(name, (op, -rest * factor))
            return
        whole.sort()
        if whole[0][1] < 0:
            whole = [(name, -f) for name, f in whole]
            rest, operator = -rest, _FLIPPED.get(operator, operator)
        key = tuple(whole)
        if self.dealer and any(n.startswith("hand.") for n, _ in key):
            raise NotColumnar(str(key))
        self.found.sums.setdefault(key, set()).add((operator, -rest))

    def linear(self, node: t.Expression) -> Linear:
        match node:
            case t.Fact() if self.game.plain_fact(node.name):
                return ((node.name, Fraction(1)),), Fraction(0)
            case t.Number():
                return (), Fraction(node.value)
            case t.Money():
                return (), Fraction(node.cents)
            case t.Arithmetic():
                left, right = self.linear(node.left), self.linear(node.right)
                match node.operator:
                    case "+":
                        return _minus(left, _times(right, Fraction(-1)))
                    case "-":
                        return _minus(left, right)
                    case "*" if not left[0]:
                        return _times(right, left[1])
                    case "*" if not right[0]:
                        return _times(left, right[1])
                    case "/" if not right[0] and right[1]:
                        return _times(left, 1 / right[1])
                raise NotColumnar(str(node))
            case _:
                raise NotColumnar(str(node))


def _minus(one: Linear, other: Linear) -> Linear:
    factors = dict(one[0])
    for name, factor in other[0]:
        factors[name] = factors.get(name, Fraction(0)) - factor
    return tuple(factors.items()), one[1] - other[1]


def _times(form: Linear, factor: Fraction) -> Linear:
    return tuple((name, f * factor) for name, f in form[0]), form[1] * factor
