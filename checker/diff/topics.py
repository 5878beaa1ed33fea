"""The words of a comparison: topics in the order of a game, circumstances as people say them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from checker.evaluate.engine import Value
from checker.states.grid import Flag
from rulespec.base.money import money_text
from rulespec.resolve.question import (
    Question,
    actor_and_act,
    asks_about_bet,
    bet_and_what,
    clause_in_force,
    is_act_of,
    rank_asked,
)
from rulespec.tree.game import Declared, Game
from rulespec.tree.kinds import FactInfo

DECLARATIONS = "Declarations"
_PLACES = {
    # the order of a game: wagers (`Subject.of_a_bet`) and choices each in the order of its file
    "How bets end": 0,
    "Which hand draws": 1,
    "Other wagers": 3,
    "Dealer's draw": 4,
    "Card values": 6,
    "When wagers are settled": 7,
    "How much of a wager counts": 8,
    "Rounding": 9,
    "Requirements": 10,
    "Who decides and other choices": 11,
    "Duties of dealer and casino": 12,
    "Days in force": 13,
    DECLARATIONS: 14,
}
_BETS, _CHOICES = 2, 5
_FROM_HERE_WITHOUT_HANDS = _PLACES["Card values"]
_WHAT = {"settles": "settled", "counted": "counts at most", "deemed": "counts as"}
_TOPIC_OF_WHAT = {
    "settles": "When wagers are settled",
    "counted": "How much of a wager counts",
    "deemed": "How much of a wager counts",
    "rounding": "Rounding",
}
_MOMENTS = {
    "round": "of a round",
    "card": "of the cards",
    "deal": "of the deal",
    "box": "of a box",
    "wager": "of any wager",
    "settlement": "of a settlement",
}
_RANKS = {"A": "an ace", "T": "a ten", "J": "a jack", "Q": "a queen", "K": "a king"}


@dataclass(frozen=True, slots=True)
class Subject:
    """What a question is about: the topic that it is reported under, and the words of its line."""

    topic: str
    asked: str
    place: tuple[int, int]  # of the topic in the order of a game

    @property
    def of_a_bet(self) -> bool:
        """All of the topic is what becomes of wagers."""
        return self.place[0] <= _BETS and self.topic != "Which hand draws"

    @property
    def of_one_bet(self) -> bool:
        return self.place[0] == _BETS

    @property
    def several_questions(self) -> bool:
        """The topic has several questions, of which most are not about a hand."""
        return self.topic == "Other wagers" or self.place[0] >= _FROM_HERE_WITHOUT_HANDS


class Subjects:
    """The subjects of all questions that texts on some games can answer."""

    def __init__(self, *games: Game) -> None:
        self.hands = {hand for game in games for hand in game.hands}
        bets = {bet.name: bet for game in games for bet in game.bets.values()}
        # what lies on the hand before what lies beside it
        by_place = sorted(bets.values(), key=lambda bet: bet.lies_on != "hand")
        self.bets = {bet.name: bet.title for bet in bets.values()}
        self.shared = [bet.name for bet in by_place if not bet.own]
        acts = [a for game in games for a in game.actions_of("player").values()]
        self.choices = list(dict.fromkeys(a.name for a in acts if a.play and not a.own))

    def of(self, question: Question) -> Subject:
        topic = self._topic(question)
        place = _PLACES.get(topic)
        return Subject(
            topic, self._asked(question), self._place(question) if place is None else (place, 0)
        )

    def _place(self, question: Question) -> tuple[int, int]:
        if is_act_of(question, "player"):
            return _CHOICES, self.choices.index(actor_and_act(question)[1])
        return _BETS, self.shared.index(bet_and_what(question)[0])

    def _topic(self, question: Question) -> str:
        kind, rest = actor_and_act(question)
        if kind in self.hands:
            return "Which hand draws"
        if self.hands and asks_about_bet(question, "result", "odds"):
            return "How bets end"
        match kind:
            case "player":
                return _titled(rest) if rest in self.choices else "Who decides and other choices"
            case "dealer":
                return "Dealer's draw" if rest == "draw" else "Duties of dealer and casino"
            case "casino":
                return "Duties of dealer and casino"
            case "require":
                return "Requirements"
            case "card":
                return "Card values"
            case "in":
                return "Days in force"
            case "declarations":
                return DECLARATIONS
        bet, what = bet_and_what(question)
        usual = _titled(self.bets[bet]) if bet in self.shared else "Other wagers"
        return _TOPIC_OF_WHAT.get(what, usual)

    def _asked(self, question: Question) -> str:
        kind, rest = actor_and_act(question)
        match kind:
            case "player":
                return f"player may {rest.replace('_', ' ')}"
            case "dealer" | "casino":
                return f"{kind} {rest.replace('_', ' ')}"
            case "require":
                return f"requirement {self._moment(rest)}"
            case "card":
                rank = rank_asked(question)
                return f"what {_RANKS.get(rank, f'a {rank}')} counts"
            case "in":
                return f"clause {clause_in_force(question)}"
        bet, what = bet_and_what(question)
        name = _titled(self.bets[bet]) if bet in self.shared else bet
        return f"{name} {_WHAT[what]}" if what in _WHAT else name

    def _moment(self, moment: str) -> str:
        if moment in _MOMENTS:
            return _MOMENTS[moment]
        if moment in self.bets:
            title = self.bets[moment]
            return f"of the {title}" if title.endswith("wager") else f"of a wager on {title}"
        return f"of `{moment}`"


def _titled(text: str) -> str:
    text = text.replace("_", " ")
    return text[:1].upper() + text[1:]


def _meaning(words: Mapping[str, Declared], name: str) -> str:
    return (words[name].title if name in words else name).replace("_", " ")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of the games of both texts."""

    facts: Mapping[str, FactInfo]
    options: Mapping[str, Declared]
    approvals: Mapping[str, Declared]
    records: Mapping[str, Declared]

    @classmethod
    def of(cls, *games: Game) -> Words:
        return cls(
            {k: v for game in games for k, v in game.facts.items()},
            {k: v for game in games for k, v in game.options.items()},
            {k: v for game in games for k, v in game.approvals.items()},
            {k: v for game in games for k, v in game.records.items()},
        )

    def circumstance(self, flag: Flag, value: Value) -> str:
        """What has to be the case, as a reader would say it."""
        kind, name = flag
        match kind:
            case "option":
                return f"table option: {_meaning(self.options, name)}"
            case "approved":
                return f"approved: {_meaning(self.approvals, name)}"
            case "recorded":
                return f"recorded: {_meaning(self.records, name)}"
            case "choice":
                return str(value)
            case "supposed":
                return f"{self.facts[name].meaning}: {self.value(name, value)}"
        words = {
            "round.void": "the round is declared void",
            "hand.void": "the hand is declared void",
            "withdrawn": "the wager is withdrawn",
            "absent": "the player is absent",
            "refused": "the player refused a card",
            "found": f"found {str(value).replace('_', ' ')}",
        }
        return words.get(name, name)

    def value(self, fact: str, value: Value) -> str:
        match value:
            case None:
                return "not recorded"
            case bool():
                return "yes" if value else "no"
            case int() if self.facts[fact].kind.name == "money":
                return money_text(value)
            case _:
                return str(value)
