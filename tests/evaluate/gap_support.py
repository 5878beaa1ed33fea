"""Texts with a gap or a clash: a rule of a rulebook taken out, narrowed or contradicted."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from rulespec.resolve.rulebook import Rule, Rulebook
from rulespec.tree import nodes as t

_OTHER = {
    "wins": "loses",
    "loses": "wins",
    "stands off": "loses",
    "loses half": "loses",
    "void": "wins",
    "must": "must not",
    "must not": "must",
    "may": "may not",
    "may not": "must",
    "at once": "at the end",
    "at the end": "at once",
    "before the subsequent deal": "at the end",
    "during the subsequent deal": "at the end",
    "at the second dealer card": "at the end",
}
_ASKED = (
    "dealer draw",
    "main.result",
    "main.odds",
    "insurance.",
    "perfect_pairs.",
    "super_sevens.",
    "super_bonus.",
    "main.counted",
    "payments.rounding",
    "main.settles",
    "player ",
    "casino ",
    "define ",
    "require ",
    "card value ",
)
WAYS = ("deleted", "narrowed", "narrowed", "contradicted", "contradicted")


def edited(book: Rulebook, chance: Random) -> tuple[str, Rulebook]:
    """One rule of the book changed, so that hands are left without an answer or get two."""
    kinds = [kind for kind in _ASKED if any(r.question.startswith(kind) for r in book.rules)]
    kind = chance.choice([*kinds, "dealer draw", "main.result"])
    rule = chance.choice([r for r in book.rules if r.question.startswith(kind)])
    way = chance.choice(WAYS)
    match way:
        case "deleted":
            rules = tuple(r for r in book.rules if r is not rule)
        case "narrowed":
            more = replace(rule, condition=_and(rule.condition, _guard(rule, chance)))
            rules = tuple(more if r is rule else r for r in book.rules)
        case _:
            condition = _and(rule.condition, _guard(rule, chance))
            other = replace(rule, id=rule.id + " too", value=_other(rule), condition=condition)
            rules = (*book.rules, other)
    return f"{rule.clause}, {rule.question}, {way}", replace(book, rules=rules)


def _and(one: t.Expression, other: t.Expression) -> t.Expression:
    return other if isinstance(one, t.Always) else t.Both((one, other))


def _guard(rule: Rule, chance: Random) -> t.Expression:
    """Something that holds of some rounds only."""
    whose = ["dealer.total"] if rule.question == "dealer draw" else ["hand.total", "dealer.total"]
    if rule.question.startswith(("casino ", "require ", "player ", "define ", "card value ")):
        whose = ["hand.total"]
    if rule.question.startswith(("card value ", "require round")):
        return t.Compare(t.Fact("round.decks"), "!=", t.Number(6))
    if chance.random() < 0.2 and rule.question.startswith(("main.", "super_bonus.", "payments.")):
        amount = t.Money(chance.choice((1_000, 2_000, 2_500)))
        return t.Compare(t.Fact("wager.stake"), chance.choice(("<=", ">")), amount)
    fact = t.Fact(chance.choice(whose))
    operator = chance.choice(("!=", "<", ">", "<=", ">="))
    return t.Compare(fact, operator, t.Number(chance.randint(12, 21)))


def _other(rule: Rule) -> object:
    match rule.value:
        case str() as word:
            return _OTHER.get(word, "undecided")
        case bool() as holds:
            return not holds
        case t.Odds():
            return t.Odds(Fraction(7, 2), "7 to 2")
        case t.Amount():
            return t.Amount(rule.value.cents + 5_000)
        case (str() as way, unit):
            return "down" if way == "up" else "up", unit
        case tuple() | int():
            return 7
        case condition if rule.question.startswith("require "):
            return t.Negated(condition)
        case limit:
            return t.Arithmetic(limit, "/", t.Number(2))
