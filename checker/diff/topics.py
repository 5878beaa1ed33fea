"""The words of a comparison: topics in the order of a game, circumstances as people say them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from checker.evaluate.engine import Value
from checker.states.grid import Flag
from rulespec.base.money import money_text
from rulespec.tree.game import Declared, Game
from rulespec.tree.kinds import FactInfo

BETS = ("main", "insurance", "perfect_pairs", "super_sevens", "super_bonus")
OPTIONS = ("draw", "stand", "double", "split", "surrender", "insure", "even_money", "forfeit")

_BET_NAMES = {
    "main": "Main wager",
    "insurance": "Insurance",
    "perfect_pairs": "Perfect Pairs",
    "super_sevens": "Super Sevens",
    "super_bonus": "Super Bonus",
}
_OPTION_NAMES = {
    "draw": "Drawing a card",
    "stand": "Standing",
    "double": "Doubling",
    "split": "Splitting",
    "surrender": "Surrender",
    "insure": "Taking insurance",
    "even_money": "Even money",
    "forfeit": "Forfeit after doubling",
}
TOPICS = (
    "How bets end",
    "Which hand draws",
    "Main wager",
    "Super Bonus",
    "Insurance",
    "Perfect Pairs",
    "Super Sevens",
    "Other wagers",
    "Dealer's draw",
    *_OPTION_NAMES.values(),
    "Card values",
    "When wagers are settled",
    "How much of a wager counts",
    "Rounding",
    "Requirements",
    "Who decides and other choices",
    "Duties of dealer and casino",
    "Days in force",
)
DECLARATIONS = "Declarations"
OTHER_BETS = "Other wagers"
"""Those that a rulebook declares for itself; each is named in its line."""
DRAWING, RESULTS = "Which hand draws", "How bets end"
"""Of games with named hands."""
BET_TOPICS = frozenset((*_BET_NAMES.values(), RESULTS))
WITHOUT_HANDS = frozenset((OTHER_BETS, *TOPICS[TOPICS.index("Card values") :]))
"""Topics with several questions each, of which most are not about a hand."""
_MOMENTS = {
    "round": "of a round",
    "card": "of the cards",
    "deal": "of the deal",
    "box": "of a box",
    "wager": "of any wager",
    "main": "of the main wager",
    "settlement": "of a settlement",
    "perfect_pairs": "of a Perfect Pairs wager",
    "super_sevens": "of a Super Sevens wager",
    "double": "of a double",
    "split": "of a split",
    "insure": "of insurance",
    "stand": "of standing",
}


def topic_of(question: str, game: Game | None = None) -> str:
    """The heading under which a question is reported; `game`: one with named hands."""
    kind, _, rest = question.partition(" ")
    if game is not None and kind in game.hands:
        return DRAWING
    if game is not None and question.endswith((".result", ".odds")):
        return RESULTS
    match kind:
        case "player":
            return _OPTION_NAMES.get(rest, "Who decides and other choices")
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
    bet, _, what = question.partition(".")
    match what:
        case "settles":
            return "When wagers are settled"
        case "counted" | "deemed":
            return "How much of a wager counts"
        case "rounding":
            return "Rounding"
        case _:
            return _BET_NAMES.get(bet, OTHER_BETS)


def asked_of(question: str) -> str:
    """What a question is about, for a line under its topic."""
    kind, _, rest = question.partition(" ")
    match kind:
        case "player":
            return f"player may {rest.replace('_', ' ')}"
        case "dealer" | "casino":
            return f"{kind} {rest.replace('_', ' ')}"
        case "require":
            return f"requirement {_MOMENTS.get(rest, rest)}"
        case "card":
            return f"what {_article(question.split()[-1])} counts"
        case "in":
            return f"clause {question.removeprefix('in force ')}"
    bet, _, what = question.partition(".")
    name = _BET_NAMES.get(bet, bet)
    words = {"settles": "settled", "counted": "counts at most", "deemed": "counts as"}
    return f"{name} {words[what]}" if what in words else name


def _article(rank: str) -> str:
    names = {"A": "an ace", "T": "a ten", "J": "a jack", "Q": "a queen", "K": "a king"}
    return names.get(rank, f"a {rank}")


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
