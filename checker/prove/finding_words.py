"""What rules say, in the words of people who play the game and not of those who encode it."""

from __future__ import annotations

from collections.abc import Iterable

from checker.evaluate.engine import shown as told
from checker.table.mechanics import Mechanics
from rulespec.resolve.question import (
    DEALER_DRAW,
    ROUNDING,
    Question,
    actor_and_act,
    asks_about_bet,
    bet_and_what,
    is_definition,
    is_requirement,
)
from rulespec.resolve.rule_value import RuleValue, as_expression, as_word, is_expression
from rulespec.resolve.rulebook import WAGER, Rule
from rulespec.tree import game as g
from rulespec.tree import nodes as t
from rulespec.tree.write import condition_text

_RANKS = {"A": "an ace", "T": "a ten", "J": "a jack", "Q": "a queen", "K": "a king", "8": "an 8"}
ACTORS = ("player", "dealer", "casino")
_RESULTS = {"void": "is void", "undecided": "is left undecided"}


def shown(value: RuleValue) -> str:
    """A value as a rule gives it."""
    match value:
        case ("up" | "down" as direction, unit) if is_expression(unit):
            return f"{direction} to {condition_text(unit)}"
        case tuple():
            return " or ".join(map(str, value))
        case _ if is_expression(value):
            return condition_text(value)
        case True:
            return "yes"
        case False:
            return "no"
    return told(value)


def listed(clauses: Iterable[str]) -> str:
    return ", ".join(f"`{c}`" for c in clauses)


def _card(question: Question) -> str:
    return _RANKS.get(question[-1], "a " + question[-1])


def _term(term: str) -> str:
    return f"`{term.rpartition('.')[2].replace('_', ' ')}`"


def _won(term: str) -> str:
    """The bonus that a term says a wager wins."""
    return term.removeprefix(WAGER) if term.startswith(WAGER) else ""


class Phrases:
    """What is asked and said of a game, in words."""

    def __init__(self, game: g.Game) -> None:
        self.game = game
        self.mechanics = Mechanics(game)

    def bet(self, name: str) -> str:
        """`the main wager`, `insurance`, `the Super Bonus`."""
        known = self.game.bets.get(name)
        if known is None:
            return name
        the = known.settle_only or known.title.endswith("wager")
        return f"the {known.title}" if the else known.title

    def asked(self, question: Question) -> str:
        """A question as a phrase: `the result of the main wager`."""
        kind, rest = actor_and_act(question)
        bet, what = bet_and_what(question)
        if kind == "define" and (bonus := _won(rest)) in self.game.bets:
            return f"whether {self.bet(bonus)} is won"
        if what == "odds" and bet in self.game.bets and self.game.bets[bet].settle_only:
            return f"the amount of {self.bet(bet)}"
        if question == DEALER_DRAW:
            return "whether the dealer draws"
        if question == ROUNDING:
            return "how payments are rounded"
        if kind == "player" and rest == self.mechanics.deciding:
            return "who decides for a box"
        if kind == "card":
            return f"what {_card(question)} counts"
        if kind == "define":
            return f"what is {_term(rest)}"
        if kind == "require":
            return f"what is required of {self._moment(rest)}"
        if kind in ACTORS or kind in self.game.hands:
            return f"whether the {kind} may {self._do(kind, rest)}"
        if what == "settles":
            return f"when {self.bet(bet)} is settled"
        if what in ("counted", "deemed"):
            return f"how much of {self.bet(bet)} counts"
        return f"the {what} of {self.bet(bet)}"

    def says(self, question: Question, rules: Iterable[Rule]) -> str:
        """Who says what: `` `9.4` says that the main wager loses half, `14.1` that it loses ``."""
        by_value: dict[str, list[str]] = {}
        for rule in rules:
            clauses = by_value.setdefault(self._said(rule), [])
            if rule.clause not in clauses:
                clauses.append(rule.clause)
        subject = self._subject(question)
        pronoun = {"the dealer": "he", "the player": "he", "payments": "they"}.get(subject, "it")
        parts: list[str] = []
        for said, clauses in by_value.items():
            alone = len(clauses) == 1
            whom = pronoun if parts else subject
            if is_requirement(question):
                verb = "asks" if alone else "ask"
                parts.append(f"{listed(clauses)} {verb} of {whom}: {said}")
            else:
                verb = "" if parts else " says" if alone else " say"
                parts.append(f"{listed(clauses)}{verb} that {whom} {said}")
        return ", ".join(parts)

    def _subject(self, question: Question) -> str:
        kind, rest = actor_and_act(question)
        bet, _ = bet_and_what(question)
        if kind == "card":
            return _card(question)
        if kind == "define":
            return {"wager": "the wager", "hand": "the hand", "dealer": "the dealer's hand"}.get(
                rest.partition(".")[0], "this"
            )
        if kind == "require":
            return self._moment(rest)
        return f"the {kind}" if kind in ACTORS or kind in self.game.hands else self.bet(bet)

    def _said(self, rule: Rule) -> str:
        """What a rule says of the subject of its question."""
        value = rule.value
        kind, rest = actor_and_act(rule.question)
        _, what = bet_and_what(rule.question)
        if kind == "define" and (bonus := _won(rest)) in self.game.bets:
            return f"wins {self.bet(bonus)}" if value else f"does not win {self.bet(bonus)}"
        if kind == "define":
            return f"counts as {_term(rest)}" if value else f"does not count as {_term(rest)}"
        if kind == "card":
            return f"counts {'its number' if value == 'face' else shown(value)}"
        if kind == "require":
            return self._required(as_expression(value))
        if kind in ACTORS or kind in self.game.hands:
            return f"{value} {self._do(kind, rest)}"
        if rule.question == ROUNDING:
            return f"are rounded {shown(value)}"
        if what == "odds":
            return f"pays {shown(value)}"
        if what == "settles":
            return f"is settled {value}"
        if what in ("counted", "deemed"):
            amount = self._required(as_expression(value))
            the = "" if amount.startswith(("`", "the ", "what ")) else "the "
            return f"counts {'as' if what == 'deemed' else 'up to'} {the}{amount}"
        if what == "result":
            return _RESULTS.get(as_word(value), str(value))
        return shown(value)

    def as_role(self, rule: Rule) -> str:
        """What a rule says, in short."""
        value = rule.value
        if is_requirement(rule.question):
            return f"asks: {self._said(rule)}"
        if is_definition(rule.question) or asks_about_bet(rule.question, "counted", "deemed"):
            return f"says that it {self._said(rule)}"
        return f"says {shown(value)}"

    def _required(self, value: t.Expression) -> str:
        facts = self.game.facts
        match value:
            case t.Fact() if value.name in facts:
                return facts[value.name].meaning
            case t.Negated(part=t.Fact() as fact) if fact.name in facts:
                return f"not {facts[fact.name].meaning}"
        return f"`{condition_text(value)}`"

    def _moment(self, moment: str) -> str:
        article = "an" if moment[0] in "aeiou" else "a"
        if moment in self.game.bets:
            title = self.game.bets[moment].title
            return f"a {title}" if title.endswith("wager") else self.bet(moment)
        act = self.game.action("player", moment)
        placed = act.effect(g.PlacesBet) if act is not None else None
        if placed is not None:
            return self.bet(placed.bet)
        words = moment.replace("_", " ")
        claims = act is not None and any(isinstance(e, g.Claims) for e in act.effects)
        return words if claims else f"{article} {words}"

    def _do(self, actor: str, action: str) -> str:
        if (actor, action) == ("dealer", "draw") or self._stands(actor, action):
            return action  # `may take no further card` could be a ban
        known = self.game.action(actor, action)
        return known.title if known is not None else action.replace("_", " ")

    def _stands(self, actor: str, action: str) -> bool:
        return actor == "player" and action == self.mechanics.action(self.mechanics.standing)
