"""What is kept of rounds with named hands: parts in which the plain judge found nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from checker.evaluate.engine import Engine
from checker.evaluate.hand_draws import Draws, Turn, question_of
from checker.evaluate.named_scene import NamedScene
from checker.log import model as r
from checker.table.named_hands import not_followed, order_of_deal
from checker.table.shoes import ShoeView
from checker.table.state import Dealt
from rulespec.resolve.question import (
    ROUNDING,
    Question,
    about_bet,
    asks_about_bet,
    defining,
    is_requirement,
    moment_asked,
    requiring,
    whether,
)
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.walk import asked_words, walk

MOST = 200_000  # parts that are kept
_LOOKS_AT = {
    # by the beginning of a question: what its rules may ask for a part of that kind to be known
    requiring("round"): ("round.", "limit.", "shoe."),
    "require limits": ("round.", "limit.", "shoe."),
    "casino ": ("round.", "limit.", "shoe."),
    "require end": ("round.", "shoe."),
    "require wager": ("round.", "limit.", "wager.", "shoe."),
    requiring("card"): ("round.", "card.", "deal.", "shoe."),
    requiring("deal"): ("round.", "card.", "deal.", "shoe."),
    requiring("settlement"): ("settlement.losers_first",),
}


# what the key of a wager or a card tells, with the game, its options and the limits
_TOLD = frozenset({"limit.min", "limit.max", "limit.unit", "round.decks"})
_TOLD_OF = ("wager.", "card.", "deal.")
DRAWING, MONEY = "drawing", "money"
Reasons = tuple[tuple[str, str], ...]  # by clause
Seen = dict[str, int]  # how each hand looks
Hands = dict[str, str]  # the cards of each hand one after the other, as far as rules look at them


class Said(NamedTuple):
    """What the plain judge said where it found nothing."""

    tested: frozenset[str]
    not_checked: Reasons = ()
    not_recorded: Reasons = ()
    lacking: Reasons = ()


class Part(NamedTuple):
    said: int  # the number of what was said: of many parts the same
    more: Any = None


class Step(NamedTuple):
    """What follows in the drawing."""

    draws: Draws
    turn: Turn | None
    said: int


class KnownParts:
    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        game = engine.rulebook.game
        self.order = order_of_deal(game)
        self.hands = game.hands
        self.bets = frozenset(game.bets)
        self.parts: dict[Any, Part] = {}
        self.numbers: dict[Any, int] = {}
        self._steps: dict[Any, Step] = {}
        self._looks: dict[tuple[str, str, str], int] = {}
        self._sayings: list[Said] = []
        self._together: dict[tuple[int, ...], Said] = {}
        self._reasons: dict[tuple[str, str], str] = {}
        self._one_reason = True  # for each clause, wherever it is not checked
        self._limits: dict[int, tuple[dict[str, r.Limits], int]] = {}
        of_draws = [question_of(engine)(hand) for hand in self.hands]
        of_money = [about_bet(bet, what) for bet in game.bets for what in ("result", "odds")]
        conditions = [stage.condition for stage in game.stages.values()]
        asked = {DRAWING: {w.name for node in conditions for w in asked_words(node)}}
        asked[DRAWING].update(*map(self._facts, of_draws))
        asked[MONEY] = set().union(*map(self._facts, of_money))
        self._asked = {
            (about, hand): [name for name in sorted(names) if self._plain(name, hand)]
            for about, names in asked.items()
            for hand in self.hands
        }
        ranks = all(_by_rank(name) for names in self._asked.values() for name in names)
        self.letters = 1 if ranks else 2
        """How many letters of a card the rules look at: its rank, or its suit too."""
        self.wagers_alone = self._alone(requiring("wager"))
        self.cards_alone = self._alone(requiring("card"), requiring("deal"))
        self.usable = self._usable([*of_draws, *of_money], asked[DRAWING] | asked[MONEY])

    def _plain(self, name: str, hand: str) -> bool:
        return (
            name.startswith(f"{hand}.") and self.engine.rulebook.game.plain_fact(name) is not None
        )

    def _alone(self, *questions: Question) -> bool:
        """Whether the rules ask for nothing that the shoe or the rest of the round tells."""
        facts = {name for question in questions for name in self._facts(question)}
        return all(name in _TOLD or name.startswith(_TOLD_OF) for name in facts)

    # --- whether the rules look at no more than parts are told apart by

    def _usable(self, questions: list[Question], asked: set[str]) -> bool:
        engine = self.engine
        if not_followed(engine.rulebook.game):
            return False
        if engine.has(ROUNDING) or engine.has(whether("casino", "report")):
            return False
        allowed = (*(f"{hand}." for hand in self.hands), "round.")
        for question in engine.by_question:
            for start, looks in _LOOKS_AT.items():
                if question.startswith(start) and not self._only(question, looks):
                    return False
            if is_requirement(question) and moment_asked(question) in self.bets:
                return False
            if asks_about_bet(question, "counted", "deemed", "sum", "together"):
                return False
            if asks_about_bet(question, "settles") and not self._at_the_end(question):
                return False
        cards = any(self._asks_for_cards(question) for question in questions)
        return not cards and all(name.startswith(allowed) for name in asked)

    def _rules(self, question: Question) -> Iterator[Rule]:
        """The rules on a question, and on the terms that they ask for."""
        waiting, seen = [question], {question}
        while waiting:
            for rule, _ in self.engine.by_question.get(waiting.pop(), ()):
                yield rule
                for word in (*asked_words(rule.condition), *asked_words(rule.value)):
                    term = defining(word.name)
                    if term in self.engine.by_question and term not in seen:
                        seen.add(term)
                        waiting.append(term)

    def _facts(self, question: Question) -> set[str]:
        """The facts that the rules on a question ask for, also by defined terms."""
        return {
            word.name
            for rule in self._rules(question)
            for word in (*asked_words(rule.condition), *asked_words(rule.value))
            if isinstance(word, t.Fact) and defining(word.name) not in self.engine.by_question
        }

    def _only(self, question: Question, looks: tuple[str, ...]) -> bool:
        return all(name.startswith(looks) for name in self._facts(question))

    def _at_the_end(self, question: Question) -> bool:
        return all(rule.value == "at the end" for rule, _ in self.engine.by_question[question])

    def _asks_for_cards(self, question: Question) -> bool:
        """Questions about several cards at once, which are no facts of one hand."""
        return any(_card_question(rule.condition) for rule in self._rules(question))

    # --- what is known

    def number(self, key: Any) -> int:
        """Stands for a key: quicker to look up than what it is made of."""
        return self.numbers.setdefault(key, len(self.numbers))

    def limits(self, stated: dict[str, r.Limits]) -> int:
        """Stands for the limits of a table: rounds of a log share them."""
        kept = self._limits.get(id(stated))
        if kept is not None and kept[0] is stated:
            return kept[1]
        found = self.number(("limits", *[(bet, *_limits(one)) for bet, one in stated.items()]))
        if len(self._limits) < MOST:
            self._limits[id(stated)] = (stated, found)
        return found

    def look(self, about: str, hand: str, cards: str) -> int:
        """Stands for what rules about something see of a hand."""
        found = self._looks.get((about, hand, cards))
        if found is None:
            blank = NamedScene(self.engine, None, ShoeView())  # type: ignore[arg-type]
            view = blank.but(hands={hand: self.dealt(cards)})
            found = self.number((hand, *[view.fact(name) for name in self._asked[about, hand]]))
            self._looks[about, hand, cards] = found
        return found

    def dealt(self, cards: str) -> tuple[Dealt, ...]:
        suit = r.SUITS[: 2 - self.letters]
        places = range(0, len(cards), self.letters)
        return tuple(Dealt(cards[n : n + self.letters] + suit, 0, False) for n in places)

    def step(self, draws: Draws, game: int, seen: Seen, scene: Callable[[], NamedScene]) -> Step:
        """Which hand may draw next, as the hands look."""
        key = (draws.place, draws.taken, game, *seen.values())
        found = self._steps.get(key)
        if found is None:
            following, turn = draws.next(scene())
            said = Said(frozenset(() if turn is None else turn.answer.clauses))
            found = self._steps[key] = Step(following, turn, self.saying(said))
        return found

    # --- what was said

    def saying(self, said: Said) -> int:
        """Its number."""
        key = ("said", said)
        if key not in self.numbers:
            self.numbers[key] = number = len(self._sayings)
            self._sayings.append(said)
            for kind, reasons in zip(said._fields[1:], said[1:], strict=True):
                for clause, why in reasons:
                    self._one_reason &= self._reasons.setdefault((kind, clause), why) == why
            return number
        return self.numbers[key]

    def together(self, order: Sequence[int]) -> Said:
        """What several sayings come to, one after the other."""
        if self._one_reason:  # so that to say it twice adds nothing
            order = dict.fromkeys(order)  # type: ignore[assignment]
        key = tuple(order)
        found = self._together.get(key)
        if found is None:
            found = self._joined([self._sayings[number] for number in key])
            if len(self._together) < MOST:
                self._together[key] = found
        return found

    @staticmethod
    def _joined(sayings: list[Said]) -> Said:
        tested: set[str] = set()
        not_checked: dict[str, str] = {}
        not_recorded: dict[str, str] = {}
        lacking: dict[str, str] = {}
        for said in sayings:
            tested |= said.tested
            not_checked |= {c: why for c, why in said.not_checked if c not in tested}
            not_recorded |= dict(said.not_recorded)
            lacking |= dict(said.lacking)
        for clause, why in lacking.items():
            not_checked.setdefault(clause, why)
        return Said(frozenset(tested), tuple(not_checked.items()), tuple(not_recorded.items()))


def _limits(one: r.Limits) -> tuple[Any, ...]:
    boxes = tuple(one.box_max.items()) if one.box_max else None
    return one.min, one.max, one.unit, boxes, one.smallest_chip, one.multiples_notice


def _by_rank(fact: str) -> bool:
    """Whether a fact of a hand is the same whatever the suits of its cards."""
    what = fact.partition(".")[2]
    return what in ("cards", "total") or what.partition(".")[2] in ("rank", "points")


def _card_question(node: object) -> bool:
    return any(isinstance(one, t.CardQuestion) for one in walk(node))
