"""What the house chooses, put into the rules: for each choice a text that leaves nothing to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import product

from checker.evaluate.conditions import as_chosen
from rulespec.resolve.question import is_requirement
from rulespec.resolve.rule_value import as_expression
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.game import Game
from rulespec.tree.walk import walk

Chosen = tuple[tuple[str, str], ...]  # names and values
MOST = 64  # combinations that are worked out; more are not listed one by one

_NEVER = t.Negated(t.Always())


def combinations(rules: Iterable[Rule], game: Game) -> list[Chosen]:
    """All that the house may choose of what these rules ask for; one empty one if nothing."""
    asked = {
        node.name for rule in rules for node in walk(rule.condition) if isinstance(node, t.Chosen)
    }
    listed = [choice for name, choice in game.choices.items() if name in asked and choice.values]
    sizes = 1
    for choice in listed:
        sizes *= len(choice.values)
    if sizes > MOST:
        return [()]
    return list(product(*([(choice.name, value) for value in choice.values] for choice in listed)))


def about_choices(rules: Iterable[Rule]) -> frozenset[str]:
    """The requirements, by their ids, on what the house may choose."""
    return frozenset(
        rule.id
        for rule in rules
        if is_requirement(rule.question)
        and any(isinstance(node, t.Chosen) for node in walk((rule.condition, rule.value)))
    )


def chosen_rules(rules: Iterable[Rule], chosen: Chosen) -> list[Rule]:
    """The rules for a house that has chosen so."""
    values = dict(chosen)
    made = [replace(rule, condition=_put(rule.condition, values)) for rule in rules]
    return [
        replace(rule, value=_put(as_expression(rule.value), values))
        if is_requirement(rule.question)
        else rule
        for rule in made
    ]


def _put(node: t.Expression, values: Mapping[str, str]) -> t.Expression:
    match node:
        case t.Both() | t.Either():
            return replace(node, parts=tuple(_put(part, values) for part in node.parts))
        case t.Negated():
            return replace(node, part=_put(node.part, values))
        case t.Compare(left=t.Chosen(amount=False) as choice) if choice.name in values:
            meant = values[choice.name] == as_chosen(node.right)
            return t.Always() if meant == (node.operator == "=") else _NEVER
        case t.OneOf(left=t.Chosen(amount=False) as choice) if choice.name in values:
            among = values[choice.name] in map(as_chosen, node.values)
            return t.Always() if among else _NEVER
        case _:
            return node
