"""What rules say, in the words of people who play the game and not of those who encode it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from checker.evaluate.engine import shown as told
from rulespec.load.ordinary import ACTIONS, FACTS
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.write import condition_text

_BETS = {
    "main": "the main wager",
    "insurance": "insurance",
    "perfect_pairs": "Perfect Pairs",
    "super_sevens": "Super Sevens",
    "super_bonus": "the Super Bonus",
}
_RANKS = {"A": "an ace", "T": "a ten", "J": "a jack", "Q": "a queen", "K": "a king", "8": "an 8"}
_RESULTS = {"void": "is void", "undecided": "is left undecided"}


def shown(value: Any) -> str:
    """A value as a rule gives it."""
    match value:
        case (str() as direction, t.Node() as unit):
            return f"{direction} to {condition_text(unit)}"  # type: ignore[arg-type]
        case tuple():
            return " or ".join(map(str, value))
        case t.Amount() | t.Odds():
            return told(value)
        case t.Node():
            return condition_text(value)  # type: ignore[arg-type]
        case True:
            return "yes"
        case False:
            return "no"
    return told(value)


def asked(question: str) -> str:
    """A question as a phrase: `the result of the main wager`."""
    kind, _, rest = question.partition(" ")
    bet, _, what = question.partition(".")
    if question == "define wager.super_bonus":
        return "whether the Super Bonus is won"
    if question == "super_bonus.odds":
        return "the amount of the Super Bonus"
    if question == "dealer draw":
        return "whether the dealer draws"
    if question == "payments.rounding":
        return "how payments are rounded"
    if question == "player decide":
        return "who decides for a box"
    if kind == "card":
        return f"what {_card(question)} counts"
    if kind == "define":
        return f"what is {_term(rest)}"
    if kind == "require":
        return f"what is required of {_moment(rest)}"
    if kind in ACTIONS:
        return f"whether the {kind} may {_do(kind, rest)}"
    if what == "settles":
        return f"when {_BETS[bet]} is settled"
    if what in ("counted", "deemed"):
        return f"how much of {_BETS[bet]} counts"
    return f"the {what} of {_BETS.get(bet, bet)}"


def says(question: str, rules: Iterable[Rule]) -> str:
    """Who says what: `` `9.4` says that the main wager loses half, `14.1(f)` that it loses ``."""
    by_value: dict[str, list[str]] = {}
    for rule in rules:
        clauses = by_value.setdefault(_said(rule), [])
        if rule.clause not in clauses:
            clauses.append(rule.clause)
    subject = _subject(question)
    pronoun = {"the dealer": "he", "the player": "he", "payments": "they"}.get(subject, "it")
    parts: list[str] = []
    for said, clauses in by_value.items():
        alone = len(clauses) == 1
        whom = pronoun if parts else subject
        if question.startswith("require "):
            verb = "asks" if alone else "ask"
            parts.append(f"{listed(clauses)} {verb} of {whom}: {said}")
        else:
            verb = "" if parts else " says" if alone else " say"
            parts.append(f"{listed(clauses)}{verb} that {whom} {said}")
    return ", ".join(parts)


def listed(clauses: Iterable[str]) -> str:
    return ", ".join(f"`{c}`" for c in clauses)


def _subject(question: str) -> str:
    kind, _, rest = question.partition(" ")
    bet, _, _ = question.partition(".")
    if kind == "card":
        return _card(question)
    if kind == "define":
        return {"wager": "the wager", "hand": "the hand", "dealer": "the dealer's hand"}.get(
            rest.partition(".")[0], "this"
        )
    if kind == "require":
        return _moment(rest)
    return f"the {kind}" if kind in ACTIONS else _BETS.get(bet, bet)


def _said(rule: Rule) -> str:
    """What a rule says of the subject of its question."""
    value = rule.value
    kind, _, rest = rule.question.partition(" ")
    _, _, what = rule.question.partition(".")
    if rule.question == "define wager.super_bonus":
        return "wins the Super Bonus" if value else "does not win the Super Bonus"
    if kind == "define":
        return f"counts as {_term(rest)}" if value else f"does not count as {_term(rest)}"
    if kind == "card":
        return f"counts {'its number' if value == 'face' else shown(value)}"
    if kind == "require":
        return _required(value)
    if kind in ACTIONS:
        return f"{value} {_do(kind, rest)}"
    if rule.question == "payments.rounding":
        return f"are rounded {shown(value)}"
    if what == "odds":
        return f"pays {shown(value)}"
    if what == "settles":
        return f"is settled {value}"
    if what in ("counted", "deemed"):
        amount = _required(value)
        the = "" if amount.startswith(("`", "the ", "what ")) else "the "
        return f"counts {'as' if what == 'deemed' else 'up to'} {the}{amount}"
    if what == "result":
        return _RESULTS.get(value, str(value))
    return shown(value)


def as_role(rule: Rule) -> str:
    """What a rule says, in short."""
    value = rule.value
    if rule.question.startswith("require "):
        return f"asks: {_said(rule)}"
    if rule.question.startswith("define ") or rule.question.endswith((".counted", ".deemed")):
        return f"says that it {_said(rule)}"
    return f"says {shown(value)}"


def _required(value: t.Expression) -> str:
    match value:
        case t.Fact() if value.name in FACTS:
            return FACTS[value.name].meaning
        case t.Negated(part=t.Fact() as fact) if fact.name in FACTS:
            return f"not {FACTS[fact.name].meaning}"
    return f"`{condition_text(value)}`"


def _card(question: str) -> str:
    return _RANKS.get(question[-1], "a " + question[-1])


def _term(term: str) -> str:
    return f"`{term.rpartition('.')[2].replace('_', ' ')}`"


def _moment(moment: str) -> str:
    if moment in _BETS and moment != "main":
        return f"{_BETS[moment]}"
    words = {"main": "a main wager", "insure": "insurance", "even_money": "even money"}
    article = "an" if moment[0] in "aeiou" else "a"
    return words.get(moment, f"{article} {moment.replace('_', ' ')}")


def _do(actor: str, action: str) -> str:
    if (actor, action) in (("dealer", "draw"), ("player", "stand")):
        return action  # `may take no further card` could be a ban
    return ACTIONS[actor].get(action, action.replace("_", " "))
