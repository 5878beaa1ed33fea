"""The tests of cards on which it hangs what becomes of a bet, and which of them is asked next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from checker.edge.cards import reachable, reads_cards
from checker.edge.side_bets import settlement
from checker.evaluate.card_terms import card_and_trait, card_named
from checker.evaluate.conditions import Value
from checker.evaluate.engine import Engine
from checker.evaluate.scene import SeenScene
from rulespec.resolve.question import Question, about_bet, defining, is_definition
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.game import DEALER, Bet
from rulespec.tree.walk import walk

Signature = tuple[tuple[int, Value], ...]
"""The tests that were asked, in their order, and what came out."""
Progress = tuple[int, bool]
"""How many rules were gone through, and whether the bet may be won."""
START: Progress = (0, False)
Ask = Callable[[int], Value]
Outcome = Callable[[Ask], bool | None]  # None: it hangs on more than cards


class NotTold(Exception):
    """Why the deals of a bet cannot be told apart, or not in so few."""


class Fork:
    """A test that is asked next, and where each reply leads; without a test all is told."""

    __slots__ = ("branches", "number", "progress", "signature", "test")

    def __init__(
        self,
        signature: Signature,
        progress: Progress,
        number: int = -1,
        test: Callable[[SeenScene], Value] | None = None,
    ) -> None:
        self.signature = signature
        self.progress = progress
        self.number = number
        self.test = test
        self.branches: dict[Value, Fork] = {}


class _NotAsked(Exception):
    """What is told does not go so far."""

    def __init__(self, number: int) -> None:
        self.number = number


class Needed:
    """The tests of cards on which it hangs what becomes of a bet, whatever the house chooses."""

    def __init__(self, engine: Engine, bet: str, face_down: SeenScene) -> None:
        self.engine = engine
        self.rules = reachable(engine.rulebook, settlement(bet))
        self._face_down = face_down  # a scene in which no card was turned yet
        self._nodes: list[t.Node] = []
        self._tests: list[Callable[[SeenScene], Value]] = []
        self._numbers: dict[object, int] = {}
        self._reading: dict[str, bool] = {}
        self._terms: dict[str, Outcome | None] = {}
        by_question: dict[Question, list[tuple[Rule, Outcome]]] = {}
        for rule in self.rules:
            if not is_definition(rule.question):
                made = self._rule(rule)
                by_question.setdefault(rule.question, []).append((rule, made))
        after_a_win = (about_bet(bet, "odds"), about_bet(bet, "highest"), about_bet(bet, "sum"))
        results = by_question.pop(about_bet(bet, "result"), [])
        when_won = [entry for q in after_a_win for entry in by_question.pop(q, ())]
        others = [entry for entries in by_question.values() for entry in entries]
        self._in_order = [*results, *others, *when_won]
        self._results, self._always = len(results), len(results) + len(others)

    def first(self) -> Fork:
        return self._fork((), START)

    def follow(self, fork: Fork, reply: Value) -> Fork:
        """Where a reply leads: found out once, for all the deals that come to give it."""
        found = fork.branches.get(reply)
        if found is None:
            signature = (*fork.signature, (fork.number, reply))
            found = fork.branches[reply] = self._fork(signature, fork.progress)
        return found

    def _fork(self, signature: Signature, progress: Progress) -> Fork:
        """What is asked next, where so much is told."""
        told = dict(signature)

        def ask(number: int) -> Value:
            if number not in told:
                raise _NotAsked(number)
            return told[number]

        try:
            while (further := self._next_rule(ask, progress)) is not None:
                progress = further
        except _NotAsked as left:
            return Fork(signature, progress, left.number, self._tests[left.number])
        return Fork(signature, progress)

    def _next_rule(self, ask: Ask, progress: Progress) -> Progress | None:
        """Go through one rule more; None where nothing more is needed."""
        n, may_win = progress
        if n == len(self._in_order) or (n == self._always and not may_win):
            return None
        rule, outcome = self._in_order[n]
        wins = outcome(ask) is not False and n < self._results and rule.value == "wins"
        return n + 1, may_win or wins

    def places_alike(self, bet: Bet, dealer: int) -> list[tuple[int, ...]]:
        """The places of cards that can change with each other in every test."""
        place = {
            card: found[1] + (0 if found[0] == DEALER else dealer)
            for card in bet.decided_by
            if (found := card_named(card)) is not None
        }
        left, groups = list(place), list[tuple[int, ...]]()
        while left:
            one, *left = left
            same = [other for other in left if all(self._alike(x, one, other) for x in self._nodes)]
            left = [other for other in left if other not in same]
            if same:
                groups.append(tuple(sorted(place[card] for card in (one, *same))))
        return groups

    def _alike(self, test: t.Node, one: str, other: str) -> bool:
        """Whether it asks the same when two cards have changed places."""
        whole_hands = any(
            isinstance(part, t.Fact) and card_and_trait(part.name) is None for part in walk(test)
        )
        return not whole_hands and _sorted(test) == _sorted(
            _changed(test, {one: other, other: one})
        )

    # --- conditions

    def _rule(self, rule: Rule) -> Outcome:
        """Its condition, and the number that it stands for where that is asked of cards."""
        condition = self._outcome(rule.condition)
        if not (is_definition(rule.question) and isinstance(rule.value, t.Node)):
            return condition
        value = self._value(rule.value)

        def outcome(ask: Ask) -> bool | None:
            if condition(ask) is not False:
                value(ask)
            return None

        return outcome

    def _value(self, node: t.Node) -> Outcome:
        terms = [self._term(part.name) for part in walk(node) if isinstance(part, t.Fact | t.Name)]
        number = self._number(node, self.engine.term) if self._asks_cards(node) else None

        def outcome(ask: Ask) -> None:
            for term in terms:
                if term is not None:
                    term(ask)
            if number is not None:
                ask(number)

        return outcome

    def _outcome(self, node: t.Expression) -> Outcome:
        match node:
            case t.Always():
                return lambda ask: True
            case t.Both():
                return _until(False, [self._outcome(part) for part in node.parts])
            case t.Either():
                return _until(True, [self._outcome(part) for part in node.parts])
            case t.Negated():
                inner = self._outcome(node.part)
                return lambda ask: None if (holds := inner(ask)) is None else not holds
            case t.Name():
                return self._term(node.name) or _unknown
        if not self._asks_cards(node):
            return self._value(node)
        number = self._number(node, self.engine.compile)
        rest = self._value(node) if any(self._defined(part) for part in walk(node)) else None

        def outcome(ask: Ask) -> bool | None:
            if rest is not None:
                rest(ask)
            found = ask(number)
            return found if isinstance(found, bool) else None

        return outcome

    def _asks_cards(self, node: t.Node) -> bool:
        return any(
            isinstance(part, t.CardQuestion)
            or (isinstance(part, t.Fact) and self._reads_cards(part.name))
            for part in walk(node)
        )

    def _reads_cards(self, fact: str) -> bool:
        if fact not in self._reading:
            plain = self.engine.rulebook.game.plain_fact(fact) is not None
            self._reading[fact] = not plain or reads_cards(self._face_down, fact)
        return self._reading[fact]

    def _defined(self, part: t.Node) -> bool:
        return isinstance(part, t.Name) and self.engine.has(defining(part.name))

    def _term(self, name: str) -> Outcome | None:
        """What the definitions of a term need; whether it holds, where they only say when it does.
        None for what is no term."""
        if name in self._terms:
            return self._terms[name]
        question = defining(name)
        rules = [rule for rule in self.rules if rule.question == question]
        self._terms[name] = None
        if rules:
            made = [self._rule(rule) for rule in rules]
            plain = all(rule.value is True for rule in rules) and not self.engine.beats(question)
            found = _until(True, made)
            self._terms[name] = found if plain else _for_all(made)
        return self._terms[name]

    def _number(self, node: t.Node, made: Callable[[Any], Callable[[Any], Value]]) -> int:
        key = (node, made.__name__)
        if key not in self._numbers:
            if self._hangs_on_more(node):
                raise NotTold(": what is asked of its cards hangs on decks or on a choice, too")
            self._numbers[key] = len(self._tests)
            self._nodes.append(node)
            self._tests.append(made(node))
        return self._numbers[key]

    def _hangs_on_more(self, node: object, seen: frozenset[str] = frozenset()) -> bool:
        """A test comes out alike for all decks and choices, or it tells nothing of the cards."""
        for part in walk(node):
            if isinstance(part, t.Chosen) or getattr(part, "name", "") == "round.decks":
                return True
            if isinstance(part, t.Fact | t.Name) and part.name not in seen:
                terms = {defining(part.name), defining(part.name.replace("dealer.", "hand."))}
                inside = [(x.condition, x.value) for x in self.rules if x.question in terms]
                if self._hangs_on_more(tuple(inside), seen | {part.name}):
                    return True
        return False


def _until(stop: bool, parts: list[Outcome]) -> Outcome:
    """All parts in their order up to the first that comes to `stop`."""

    def outcome(ask: Ask) -> bool | None:
        known: bool | None = not stop
        for part in parts:
            holds = part(ask)
            if holds is stop:
                return stop
            known = None if holds is None else known
        return known

    return outcome


def _for_all(parts: list[Outcome]) -> Outcome:
    def outcome(ask: Ask) -> None:
        for part in parts:
            part(ask)

    return outcome


def _unknown(ask: Ask) -> None:
    return None


def _changed(node: Any, names: dict[str, str]) -> Any:
    if isinstance(node, tuple):
        return tuple(_changed(part, names) for part in node)
    if isinstance(node, str):
        card, _, trait = node.rpartition(".")
        return names.get(node) or (f"{names[card]}.{trait}" if card in names else node)
    if isinstance(node, t.Node):
        slots = [f.name for f in fields(node) if f.name != "span"]
        return replace(node, **{slot: _changed(getattr(node, slot), names) for slot in slots})
    return node


def _sorted(node: Any) -> Any:
    """With the cards that a test takes together in one order."""
    if isinstance(node, tuple):
        return tuple(map(_sorted, node))
    if isinstance(node, t.Node):
        slots = [f.name for f in fields(node) if f.name != "span"]
        told = {slot: _sorted(getattr(node, slot)) for slot in slots}
        if isinstance(node, t.CardQuestion):
            told["cards"] = tuple(sorted(told["cards"]))
        return replace(node, **told)
    return node
