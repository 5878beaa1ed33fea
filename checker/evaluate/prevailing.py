"""Which of the rules that apply prevails, and what in the text says so."""

from __future__ import annotations

from typing import TypeAlias

from rulespec.resolve.rulebook import Rule, Rulebook
from rulespec.tree import nodes as t

Order: TypeAlias = dict[str, frozenset[str]]  # for each rule those that it prevails over, by ids


def defeated(applies: list[Rule], order: Order) -> tuple[list[Rule], list[tuple[Rule, Rule]]]:
    if len(applies) < 2:
        return applies, []
    kept: list[Rule] = []
    beaten: list[tuple[Rule, Rule]] = []
    for rule in applies:
        winner = next((o for o in applies if rule.id in order.get(o.id, ())), None)
        if winner is None:
            kept.append(rule)
        else:
            beaten.append((rule, winner))
    return kept, beaten


def rank(rule: Rule) -> tuple[int, str]:
    """The rule with the most to say about a hand first, then by its number."""
    parts = len(rule.condition.parts) if isinstance(rule.condition, t.Both) else 1
    return -parts, rule.id


def reasons(rulebook: Rulebook, readings: frozenset[str]) -> dict[tuple[str, str], str]:
    """For two clauses of which one prevails, what says so: a reading before the print."""
    said: dict[tuple[str, str], str] = {}
    for winner, loser, why in rulebook.order:
        told = said.setdefault((winner, loser), why)
        if why in readings and told not in readings:
            said[winner, loser] = why
    return said
