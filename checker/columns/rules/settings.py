"""What a table offers and the house has chosen, for a rulebook that declares such words itself.

They stand in the head of every round. All rounds with the same settings have a text of their own
in the columns, in which a condition that rests on settings alone is true or false for good: what
such a text does not come to need not be looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice

from checker.columns.batch import BET_CODES, BETS, FIRST_OWN
from checker.columns.rules.made_facts import Asked, MadeFact, NotMade, make
from checker.columns.slots import FILLED, MOST_MADE, MOST_OWN, SLOTS
from checker.evaluate.card_terms import card_and_trait
from checker.evaluate.deals import ending, opening_of
from checker.evaluate.engine import Engine
from checker.evaluate.scene import SeenScene
from checker.judge.casino import OFFER
from checker.log import model as r
from checker.table.mechanics import Opening
from checker.table.shoes import ShoeView
from checker.table.state import Table
from rulespec.resolve.question import Question, defining, is_card_value, is_definition, whether
from rulespec.tree import game as g
from rulespec.tree import nodes as t
from rulespec.tree.walk import asked_words

_OFFERS = ("player has", "anybody has")
_ONE_CARD = [(1, False), (2, False), (r.DEALER, False), (1, False), (2, False)]
_MORE: tuple[list[tuple[int, bool]], ...] = (
    [],
    [(r.DEALER, True)],
)  # what else comes in the initial deal: nothing, or a hole card
_LITERAL = (t.Always, t.Number, t.Money, t.Ranks, t.Chosen)


@dataclass(slots=True)
class Settings:
    """One set of options and choices under one text."""

    engine: Engine
    words: frozenset[str]
    bets: tuple[str, ...] = field(init=False)
    """The rulebook's own bets that are placed at such a table, beside the hands and for a round.
    Rounds with others of its own are passed on."""
    scene: SeenScene = field(init=False)
    opening: Opening | None = field(init=False)
    made: dict[str, MadeFact] = field(default_factory=dict)
    """What rules make of cards by position, as an earlier run may have found it."""
    named: dict[str, str] = field(init=False, default_factory=dict)
    """By what name each of them is known."""
    _alone: dict[str, bool] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        at = datetime(2000, 1, 1, tzinfo=UTC)
        empty = r.Round("", "", None, at, None, 1, self.words, {}, (), 0)
        table = Table(empty, self.engine.mechanics)
        self.scene = SeenScene(self.engine, table, ShoeView(), no_effect=False)
        self.opening = opening_of(self.scene)
        self.bets = ()
        offered = (
            bet.name
            for bet in self.engine.rulebook.game.bets.values()
            if bet.own and _is_plain(bet) and self.says(bet.offered) is True
        )
        self.bets = tuple(islice(offered, MOST_OWN))
        self._alone.clear()
        if self.made:
            self.named = {asked: _name(number) for number, asked in enumerate(self.made)}
        else:
            self._number_made()

    def says(self, node: t.Expression) -> bool | None:
        """What a condition comes to whatever else is the case; None: that depends."""
        match node:
            case t.Both() | t.Either():
                decisive = isinstance(node, t.Either)
                said = [self.says(part) for part in node.parts]
                if decisive in said:
                    return decisive
                return None if None in said else not decisive
            case t.Negated():
                one = self.says(node.part)
                return None if one is None else not one
            case t.Name() | t.Fact() if not self.alone(node):
                return self._says_term(node)
            case _:
                return self.engine.compile(node)(self.scene) if self.alone(node) else None

    def _says_term(self, node: t.Name | t.Fact) -> bool | None:
        if self.engine.rulebook.game.plain_fact(node.name) is not None:
            return None
        rules = [rule for rule, _ in self.engine.by_question.get(_definition(node.name), ())]
        said = {self.says(rule.condition) for rule in rules if rule.value is True}
        return False if rules and said == {False} else None

    def alone(self, node: t.Expression) -> bool:
        """Whether it rests on nothing but settings."""
        match node:
            case t.Setting():
                if node.kind in _OFFERS:
                    return node.name in self.engine.rulebook.game.bets and self._is_absent(node)
                return node.kind == "option" or f"{node.kind} {node.name}" not in SLOTS
            case t.Both() | t.Either():
                return all(map(self.alone, node.parts))
            case t.Negated():
                return self.alone(node.part)
            case t.Compare():
                return self._compared(node.left, node.right)
            case t.OneOf():
                return self._compared(node.left, *node.values)
            case t.Between():
                return all(map(self.alone, (node.left, node.low, node.high)))
            case t.Arithmetic():
                return self.alone(node.left) and self.alone(node.right)
            case t.Name() | t.Fact():
                return self._term_alone(node.name)
            case _:
                return isinstance(node, _LITERAL)

    def _is_absent(self, node: t.Setting) -> bool:
        return not self.may_be_placed(node.name)

    def may_be_placed(self, name: str) -> bool:
        """Rounds with other wagers are passed on."""
        bet = self.engine.rulebook.game.bets[name]
        return name in self.bets if bet.own else self.says(bet.offered) is not False

    def _compared(self, *sides: t.Expression) -> bool:
        """What a choice is held against are its own words."""
        chosen = any(isinstance(side, t.Chosen) for side in sides)
        return all(
            (chosen and isinstance(side, t.Name | t.Arithmetic)) or self.alone(side)
            for side in sides
        )

    def _term_alone(self, name: str) -> bool:
        if self.engine.rulebook.game.plain_fact(name) is not None or "." in name:
            return False
        if name not in self._alone:
            self._alone[name] = False  # what is defined by itself is not
            rules = self.engine.by_question.get(_definition(name), ())
            self._alone[name] = bool(rules) and all(
                rule.value is True and self.alone(rule.condition) for rule, _ in rules
            )
        return self._alone[name]

    def facts_in(self, node: object) -> frozenset[str]:
        """The facts that a condition asks for, also through what it defines."""
        found = self._named_in(node)
        seen: set[str] = set()
        waiting = asked_words(node)
        while waiting:
            word = waiting.pop()
            if isinstance(word, t.Setting) or word.name in seen:
                continue
            seen.add(word.name)
            found.add(word.name)
            rules = self.engine.by_question.get(_definition(word.name), ())
            for rule, _ in rules:
                parts = (rule.condition, rule.value)
                found |= self._named_in(parts)
                waiting += asked_words(parts)
        return frozenset(found)

    def scene_with(self, bets: Sequence[str]) -> SeenScene:
        """Of a table at which somebody has these bets."""
        table = Table(self.scene.table.round, self.engine.mechanics)
        for bet in bets:
            table.apply(r.Wager(1, "", bet, 1))
        return self.scene.but(table=table)

    def asked_of_anybody(self, looks: frozenset[str]) -> dict[str, str]:
        """Of the facts that are looked at those that tell whether anybody has a bet, with it."""
        bets = (*BETS[: FIRST_OWN - 1], *self.bets)
        told = {self.setting(_OFFERS[1], bet): bet for bet in bets}
        return {fact: told[fact] for fact in sorted(looks) if fact in told}

    def setting(self, kind: str, name: str) -> str | None:
        """By what name a fact stands in the working memory; None: it is none, or is no fact."""
        if kind not in _OFFERS:
            return f"{kind} {name}"
        if name in self.bets:
            return f"{kind} {FIRST_OWN - 1 + self.bets.index(name)}"
        code = BET_CODES.get(name, FIRST_OWN)
        return f"{kind} {code}" if code < FIRST_OWN - 1 else None

    # --- cards by position

    def made_of(self, asked: Asked) -> tuple[str, MadeFact] | None:
        """By what name it is known what rules make of cards, and how it is made."""
        text = _text(asked)
        return (self.named[text], self.made[text]) if text in self.made else None

    def _named_in(self, node: object) -> set[str]:
        return {self.named[_text(one)] for one in card_questions(node) if _text(one) in self.made}

    def _number_made(self) -> None:
        """All that rules make of cards by position at such a table, in the order of the text."""
        game, rules = self.engine.rulebook.game, self.engine.by_question
        others = {bet.name for bet in game.bets.values() if bet.own} - {*self.bets}
        waiting = [
            question
            for question in rules
            if not is_definition(question) and not others & {*question.replace(".", " ").split(" ")}
        ]
        waiting.reverse()
        seen = set(waiting)
        while waiting:
            for rule, _ in rules.get(waiting.pop(), ()):
                if self.says(rule.condition) is False:
                    continue
                parts = (rule.condition, rule.value)
                for asked in card_questions(parts):
                    self._number(asked)
                for word in asked_words(parts):
                    if _definition(word.name) not in seen:
                        seen.add(_definition(word.name))
                        waiting.append(_definition(word.name))

    @property
    def _worth_is_fixed(self) -> bool:
        """Whether what a card counts depends on nothing but its rank."""
        return all(
            self.says(rule.condition) is not None
            for question, rules in self.engine.by_question.items()
            if is_card_value(question)
            for rule, _ in rules
        )

    def _number(self, asked: Asked) -> None:
        text = _text(asked)
        if text in self.made or len(self.made) == MOST_MADE:
            return
        if isinstance(asked, str) and asked in FILLED:
            return
        points = isinstance(asked, t.PointsOf) or (
            isinstance(asked, str) and asked.endswith(".points")
        )
        if points and not self._worth_is_fixed:
            return
        with suppress(NotMade):
            self.made[text] = make(self.scene, asked)
            self.named[text] = _name(len(self.named))

    @property
    def columnar(self) -> bool:
        """Whether the columns know how such a round goes."""
        if self.opening is None:
            return False
        steps = self.opening.order([1, 2], r.DEALER)
        first, rest = steps[: len(_ONE_CARD)], steps[len(_ONE_CARD) :]
        return first == _ONE_CARD and rest in _MORE and set(self.looking) == set(self._ends)

    @property
    def _ends(self) -> list[g.Stage]:
        """The stages that may end such a round."""
        return [
            stage
            for stage in self.engine.rulebook.game.stages.values()
            if self.says(stage.condition) is not False and any(ending(stage))
        ]

    @property
    def looking(self) -> list[g.Stage]:
        """Those of them in which the dealer looks at a card."""
        return [s for s in self._ends if any(isinstance(step, g.Looks) for step in s.steps)]

    def made_in(self, looks: Iterable[str]) -> list[MadeFact]:
        """What rules make of cards, of the facts that are looked at."""
        made = {self.named[asked]: fact for asked, fact in self.made.items()}
        return [made[name] for name in looks if name in made]

    def deepest(self, looks: frozenset[str]) -> tuple[int, bool]:
        """The place of the last card of the dealer that facts look at, and whether they look at
        all of the dealer's cards."""
        cards = [made.of_dealer for made in self.made_in(looks)]
        cards += [1] * ("dealer.second" in looks)
        others = (name for name in looks if name not in ("dealer.first", "dealer.second"))
        return max(cards, default=0), any(name.startswith(f"{g.DEALER}.") for name in others)

    @property
    def offers(self) -> list[Question]:
        """What the rulebook itself has the dealer offer."""
        actions = self.engine.rulebook.game.actions_of(g.DEALER)
        asked = (
            whether(g.DEALER, name)
            for name, action in actions.items()
            if action.own and name.startswith(OFFER)
        )
        return [question for question in asked if self.engine.has(question)]


def _is_plain(bet: g.Bet) -> bool:
    before = bet.placed.when == "before the first card"
    return before and bet.lies_on == "box" and bet.against == 1 and not bet.carried


def card_questions(node: object) -> Iterator[Asked]:
    """Questions about cards in a condition, and facts about single cards."""
    if isinstance(node, tuple):
        for part in node:
            yield from card_questions(part)
    elif isinstance(node, t.Fact):
        if card_and_trait(node.name) is not None:
            yield node.name
    elif isinstance(node, t.CardQuestion):
        yield node
    elif isinstance(node, t.Node):
        for slot in node.__slots__:
            if slot != "span":
                yield from card_questions(getattr(node, slot))


def _text(asked: Asked) -> str:
    return asked if isinstance(asked, str) else repr(asked)


def _name(number: int) -> str:
    return f"made {number}"


def _definition(name: str) -> Question:
    return defining(name.replace("dealer.", "hand."))
