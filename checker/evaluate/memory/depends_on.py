"""What the reply to a test reads, found from the rules: it says how long the reply holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from checker.evaluate.card_terms import card_and_trait, card_named
from checker.evaluate.facts.home import Home
from checker.evaluate.memory.shelves import BOX, DEALER, HAND, MOMENT, OF_MOMENT, WAGER, shelf_for
from rulespec.resolve.question import Question, defining, is_card_value
from rulespec.tree import nodes as t
from rulespec.tree.game import Game

if TYPE_CHECKING:
    from checker.evaluate.conditions import Condition
    from rulespec.resolve.rulebook import Rule

# Of one card of a hand, so known with the hand.
_OF_A_CARD = frozenset({"card.position", "card.initial", "card.held_when_doubled", "hand.doubled"})


def _seat_reads(seat: str) -> int:
    """What cards are, by whose they are; those of the box have no seat."""
    return {"dealer": DEALER, "hand": BOX | HAND, "": BOX | HAND}.get(seat, MOMENT)


class _FactShelves(dict[str, int]):
    """The shelf of each fact that was asked for."""

    def __init__(self, reads: Reads) -> None:
        super().__init__()
        self._reads = reads

    def __missing__(self, name: str) -> int:
        shelf = self[name] = self._reads.shelf_of_fact(name)
        return shelf


class Reads:
    """Asked of a test by its name in `Recall`: a part of a condition, or a word and a fact."""

    def __init__(
        self,
        by_question: dict[Question, list[tuple[Rule, Condition]]],
        optional: Callable[[object], set[str]],
        game: Game,
        homes: Mapping[str, Home],
    ) -> None:
        self._game = game
        self._homes = homes
        self._by_question = by_question
        self._optional = optional
        self._known: dict[tuple[str, bool], int] = {}
        self.fact_shelves = _FactShelves(self)

    def shelf(self, test: object) -> int:
        return shelf_for(self._of(test, False))

    def asked_early(self, test: object) -> bool:
        """It may be asked although the rules do not come to it: it holds beyond the moment, and
        no term in it can tell that the log lacks something."""
        return self.shelf(test) != OF_MOMENT and not self._may_lack(test)

    def _may_lack(self, node: object) -> bool:
        match node:
            case ("absent", str()) | t.Setting():
                return False
            case ("defined", str() as name):
                return self._may_lack(t.Fact(name))
            case t.Fact() | t.Name():
                plain = isinstance(node, t.Fact) and self._game.plain_fact(node.name)
                return not plain and bool(self._optional(node))
            case tuple():
                return any(self._may_lack(part) for part in node)
            case t.Node():
                parts = (getattr(node, slot) for slot in node.__slots__ if slot != "span")
                return any(self._may_lack(part) for part in parts)
            case _:
                return False

    def shelf_of_fact(self, name: str) -> int:
        return shelf_for(self._fact(name, False))

    def _of(self, node: object, dealer: bool) -> int:
        match node:
            case ("absent", str() as name):
                return self._fact(name, dealer)
            case ("defined", str() as name):
                return self._defined(name, dealer)
            case t.Fact():
                if self._game.plain_fact(node.name) is None:
                    return self._defined(node.name, dealer)
                return self._fact(node.name, dealer)
            case t.Name():
                return self._question(defining(node.name), dealer)
            case t.Setting():
                if node.kind in ("approved", "player has"):
                    return BOX | WAGER
                return BOX if node.kind == "recorded" else 0
            case t.Chosen() | t.MeterAmount():
                return 0
            case t.Times():
                return MOMENT if dealer else BOX | WAGER | HAND
            case (
                t.Same()
                | t.Consecutive()
                | t.PokerRank()
                | t.PointsOf()
                | t.CardsOf()
                | t.CountOf()
            ):
                return self._cards(node, dealer)
            case tuple():
                return self._all(node, dealer)
            case t.Node():
                return self._all([getattr(node, s) for s in node.__slots__ if s != "span"], dealer)
            case _:
                return 0

    def _all(self, nodes: Iterable[object], dealer: bool) -> int:
        reads = 0
        for node in nodes:
            reads |= self._of(node, dealer)
        return reads

    def _cards(self, node: t.CardQuestion, dealer: bool) -> int:
        reads = 0
        for name in node.cards:
            reads |= _seat_reads(name if card_named(name) is None else name.rpartition(".")[0])
        if isinstance(node, t.CountOf):
            reads |= self._all([value for trait in node.traits for value in trait.values], dealer)
        by_points = isinstance(node, t.PointsOf) or getattr(node, "trait", "") == "points"
        by_points |= isinstance(node, t.CountOf) and any(x.name == "points" for x in node.traits)
        return MOMENT if by_points or (dealer and reads & HAND) else reads

    def _defined(self, name: str, dealer: bool) -> int:
        group, _, rest = name.partition(".")
        if group != "dealer":
            return self._question(defining(name), dealer)
        twin, own = defining(f"hand.{rest}"), defining(name)
        return self._question(twin, True) | self._question(own, True)

    def _question(self, question: Question, dealer: bool) -> int:
        key = (question, dealer)
        if key not in self._known:
            self._known[key] = MOMENT  # for a term that comes back to itself
            asked = [rule for rule, _ in self._by_question.get(question, ())]
            rules = [part for rule in asked for part in (rule.condition, rule.value)]
            self._known[key] = self._all(rules, dealer)
        return self._known[key]

    def _fact(self, name: str, dealer: bool) -> int:
        home = self._homes.get(name)
        of_dealer = home.of_dealer if home is not None and dealer else ""
        if of_dealer == "none":
            return 0
        if of_dealer == "cards":
            reads = DEALER
        else:
            reads = MOMENT if home is None else home.reads
            card = card_and_trait(name) if home is None else None
            if card is not None and card[2] != "points":
                reads = _seat_reads(card[0])
            if dealer and reads & HAND:
                return MOMENT
        info = self._game.facts.get(name)
        if info is not None and info.by_values:
            reads |= self._card_values(bool(reads & DEALER))
        return reads

    def _card_values(self, dealer: bool) -> int:
        key = ("card value", dealer)
        if key not in self._known:
            self._known[key] = MOMENT
            reads = 0
            for question, rules in self._by_question.items():
                if is_card_value(question):
                    for rule, _ in rules:
                        reads |= self._card_value(rule.condition, dealer)
            self._known[key] = reads
        return self._known[key]

    def _card_value(self, node: object, dealer: bool) -> int:
        """What a hand comes to is worked out card by card."""
        if isinstance(node, t.Fact) and node.name in _OF_A_CARD:
            return 0
        if isinstance(node, t.Both | t.Either | t.Negated):
            parts = [node.part] if isinstance(node, t.Negated) else node.parts
            reads = 0
            for part in parts:
                reads |= self._card_value(part, dealer)
            return reads
        if isinstance(node, t.Compare) and isinstance(node.left, t.Fact):
            return self._card_value(node.left, dealer) | self._of(node.right, False)
        reads = self._of(node, False)
        return MOMENT if dealer and reads & HAND else reads
