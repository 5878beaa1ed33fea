"""An engine for logs that do not tell everything: what they leave out is unknown to every rule.

A rule that asks for it does not apply and is not broken; an answer that could depend on it stays
open. Nothing is made up, and nothing is found because of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from checker.evaluate.compile import Compiler
from checker.evaluate.conditions import Condition, Constant, Scene, Term, Value
from checker.evaluate.engine import Answer, Engine
from checker.evaluate.memory.seam import Worked
from checker.log.not_recorded import Untold, untold_by
from rulespec.resolve.question import (
    ROUNDING,
    Question,
    asks_about_bet,
    bet_asked,
    defining,
    is_card_value,
    is_definition,
)
from rulespec.tree import nodes as t
from rulespec.tree.walk import Word

if TYPE_CHECKING:
    from rulespec.resolve.rulebook import Rule

_OF_DEALER, _OF_PLAYERS = " of dealer", " of players"
_SUIT_TRAITS = frozenset({"suit", "colour", "card"})
Asked = Word | t.Declarable


def untold(engine: Engine, said: frozenset[str]) -> Engine:
    """The engine for rounds that say that they do not tell this."""
    if not said:
        return engine
    chosen = _silent(engine, said)
    chosen.asked = engine.asked
    return chosen


def _new_silent(engine: Engine, said: frozenset[str]) -> Engine:
    found = tuple(one for one in untold_by(said) if one.hides)
    if not found:
        return engine
    made = SilentEngine(engine, found)
    engine.memory.like(made)
    return made


class SilentEngine(Engine):
    """The rules as they are, asked of rounds that leave something out."""

    def __init__(self, base: Engine, words: tuple[Untold, ...]) -> None:
        super().__init__(base.rulebook, base.facts)
        self.base = base
        self.silences = {kind: one.told for one in words for kind in one.judged}
        self.hushed = {kind: one.told for one in words for kind in one.settings}
        self._terms = {kind: one.told for one in words for kind in one.terms}
        self._told_where: dict[str, list[tuple[str, Any]]] = {}
        # by fact or `group.*`, either with `of dealer` and the like
        self._reasons: dict[str, str] = {}
        for one in words:
            for fact in one.facts:
                self._reasons.setdefault(fact, one.told)
        loud = {name for one in words if not one.as_absent for name in (*one.facts, *one.settings)}
        self._absent_like = {*self._reasons, *self.hushed} - loud
        for fact in self._reasons:
            # told only if every word that hides it leaves it told there
            hiding = [one for one in words if fact in one.facts]
            if all(fact in one.told_where for one in hiding):
                self._told_where[fact] = [one.told_where[fact] for one in hiding]

    def _compiler(self) -> Compiler:
        return SilentCompiler(self)

    @property
    def reasons(self) -> list[str]:
        return list(dict.fromkeys([*self._reasons.values(), *self.hushed.values()]))

    @property
    def tells_less(self) -> bool:
        return True

    # --- which facts are hidden, and where

    def why_untold(self, name: str) -> str | None:
        """What the log would have to record for a fact, of whatever hand."""
        for key in _keys(name):
            for ending in ("", _OF_DEALER, _OF_PLAYERS):
                if key + ending in self._reasons:
                    return self._reasons[key + ending]
        return self._card_untold(name)

    def _card_untold(self, name: str) -> str | None:
        """Of a card by its position: `dealer.first.rank`, `hand.third.points`."""
        *_, trait = parts = name.split(".")
        if len(parts) < 3:
            return None
        if "cards" in self._terms:
            return self._terms["cards"]
        return self._terms.get("suits") if trait in _SUIT_TRAITS else None

    def term_untold(self, node: object) -> str | None:
        """The same of what is no fact."""
        terms = self._terms
        match node:
            case t.Chosen():
                return terms.get("choices")
            case t.Times():
                return terms.get("times")
            case (
                t.Same()
                | t.Consecutive()
                | t.PokerRank()
                | t.PointsOf()
                | t.CardsOf()
                | t.CountOf()
            ):
                if "cards" in terms:
                    return terms["cards"]
                if (
                    any(card.startswith("dealer") for card in node.cards)
                    and "dealer cards" in terms
                ):
                    return terms["dealer cards"]
                return terms.get("suits") if _by_suits(node) else None
            case _:
                return None

    def hidden_when(self, name: str) -> Callable[[Any], bool] | bool:
        keys = _keys(name)
        if self._card_untold(name) is not None:
            return True
        if any(key in self._reasons for key in keys):
            gates = self._told_where.get(name)
            if gates is None:
                return True
            # read as the round has it, though it may be hidden itself
            return lambda scene: any(scene.fact(fact) != value for fact, value in gates)
        of_dealer = any(key + _OF_DEALER in self._reasons for key in keys)
        of_players = any(key + _OF_PLAYERS in self._reasons for key in keys)
        if of_dealer and of_players:
            return True
        if of_dealer or of_players:
            return lambda scene: scene.is_dealer is of_dealer
        return False

    def lacks(self, rule: Rule, scene: Scene) -> bool:
        return any(self.absence(name)(scene) for name in self.requirement(rule)[1])

    def optional_of(self, rule: Rule) -> tuple[str, ...]:
        """A rule that asks for more than a log may leave out anyway does not just not apply."""
        return () if _leaves_open(self, rule) else Engine.optional_of(self, rule)

    def loud(self, word: Asked) -> bool:
        if self._why_unknown(word) is None:
            return False
        if isinstance(word, t.Setting):
            return word.kind not in self._absent_like
        if not isinstance(word, t.Fact):
            return True
        info = self.rulebook.game.facts.get(word.name)
        group = word.name.partition(".")[0]
        quiet = word.name in self._absent_like or f"{group}.*" in self._absent_like
        return not (quiet and info is not None and info.optional)

    def conclude(
        self, question: Question, applies: list[Rule], unknown: list[Rule], unchecked: list[Rule]
    ) -> Answer:
        if (
            bet_asked(question) or is_definition(question) or question == ROUNDING
        ):  # not what somebody may do
            quiet = [rule for rule in unknown if self._is_quiet(rule)]
            if quiet:
                unknown = [rule for rule in unknown if rule not in quiet]
                unchecked = [*unchecked, *quiet]
        return Engine.conclude(self, question, applies, unknown, unchecked)

    def _is_quiet(self, rule: Rule) -> bool:
        """Whether it is unknown only for want of what a log need not give."""
        asked = [word for word in self.all_words(rule.condition) if self._why_unknown(word)]
        return bool(asked) and not any(map(self.loud, asked))

    # --- why something stays open

    def wanting(self, node: object) -> list[str]:
        """What the log does not record of all that a condition asks for, also through terms."""
        reasons = (self._why_unknown(word) for word in self.all_words(node))
        return list(dict.fromkeys(why for why in reasons if why is not None))

    def all_words(self, node: object) -> list[Asked]:
        """All that a condition asks for, also through the terms in it."""
        found: list[Asked] = []
        seen: set[str] = set()
        waiting = list(_asked(node))
        while waiting:
            word = waiting.pop()
            found.append(word)
            for question in self._through(word):
                if question not in seen:
                    seen.add(question)
                    for rule, _ in self.by_question.get(question, ()):
                        waiting.extend(_asked(rule.condition))
        return found

    def _why_unknown(self, word: Asked) -> str | None:
        if isinstance(word, t.Setting):
            return self.hushed.get(word.kind)
        if isinstance(word, t.Fact | t.Name):
            return self.why_untold(word.name)
        return self.term_untold(word)

    def _through(self, word: Asked) -> list[Question]:
        """The questions that a word stands for."""
        if not isinstance(word, t.Fact | t.Name):
            return []
        info = self.rulebook.game.facts.get(word.name)
        if info is not None and info.by_values:
            return [q for q in self.by_question if is_card_value(q)]
        home = self.facts.homes.get(word.name)
        if home is not None and home.rests_on:
            return [q for q in self.by_question if _of_a_wager(q)]
        return [defining(word.name), defining(word.name.replace("dealer.", "hand."))]


class SilentCompiler(Compiler):
    """What is hidden is not known to any condition."""

    engine: SilentEngine

    def fact(self, name: str) -> Term:
        hidden = self.engine.hidden_when(name)
        if hidden is True:
            return Constant(None)
        read = Compiler.fact(self, name)
        if hidden is False:
            return read
        when = hidden

        def told(scene: Scene) -> Value:
            return None if when(scene) else read(scene)

        return self.engine.memory.test(("untold", name), told)

    def term(self, node: t.Expression) -> Term:
        if isinstance(node, t.Setting) and node.kind in self.engine.hushed:
            return Constant(None)
        if self.engine.term_untold(node) is not None:
            return Constant(None)
        return Compiler.term(self, node)

    def condition(self, node: t.Expression) -> Condition:
        if self.engine.term_untold(node) is not None:
            return _unknown
        return Compiler.condition(self, node)

    def absence(self, name: str) -> Condition:
        if self.engine.hidden_when(name) is True:
            return _always
        return Compiler.absence(self, name)


def _asks_for_what_is_hidden(engine: SilentEngine, rule: Rule) -> bool:
    return any(map(engine.loud, engine.all_words(rule.condition)))


_silent = Worked(_new_silent)
_leaves_open = Worked(_asks_for_what_is_hidden, attrgetter("id"))


def _always(scene: Scene) -> bool:
    return True


def _unknown(scene: Scene) -> None:
    return None


def _keys(name: str) -> list[str]:
    """Under what a fact may be hidden: itself, what it is a part of, its group."""
    parts = name.split(".")
    return [*(".".join(parts[:n]) for n in range(len(parts), 1, -1)), f"{parts[0]}.*"]


def _by_suits(node: t.CardQuestion) -> bool:
    match node:
        case t.PokerRank() | t.CardsOf():
            return True
        case t.Same():
            return node.trait in _SUIT_TRAITS
        case t.CountOf():
            return any(trait.name in _SUIT_TRAITS for trait in node.traits)
        case _:
            return False


def _of_a_wager(question: Question) -> bool:
    """How a wager ends, what it wins, and words that are about it."""
    return asks_about_bet(question, "result", "odds") or question.startswith(defining("wager."))


def _asked(node: object) -> Iterator[Asked]:
    """As `asked_words`, with what came with declared games."""
    if isinstance(node, t.Fact | t.Name | t.Setting | t.Declarable):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from _asked(part)
    elif isinstance(node, t.Node):
        for slot in node.__slots__:
            if slot != "span":
                yield from _asked(getattr(node, slot))
