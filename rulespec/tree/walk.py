"""The one walker over a tree: what a condition or a statement is made of."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.tree import game as g
from rulespec.tree import nodes as t

Word = t.Fact | t.Name | t.Setting


def asked_cards(node: object) -> list[str]:
    """The cards by position that a condition asks about, beyond its facts."""
    if isinstance(node, tuple):
        return [card for part in node for card in asked_cards(part)]
    if not isinstance(node, t.Node):
        return []
    parts = (getattr(node, slot) for slot in node.__slots__ if slot != "span")
    found = list(node.cards) if isinstance(node, t.CardQuestion) else []
    return found + [card for part in parts for card in asked_cards(part)]


def declared_words(node: object) -> list[t.Chosen | t.MeterAmount]:
    """The choices and meters that a condition asks for."""
    if isinstance(node, t.Chosen | t.MeterAmount):
        return [node]
    if isinstance(node, tuple):
        return [word for part in node for word in declared_words(part)]
    if isinstance(node, t.Node):
        parts = (getattr(node, slot) for slot in node.__slots__ if slot != "span")
        return [word for part in parts for word in declared_words(part)]
    return []


def asked_words(node: object) -> list[Word]:
    """The facts, terms and settings that a condition is made of."""
    if isinstance(node, t.Fact | t.Name | t.Setting):
        return [node]
    if isinstance(node, tuple):
        return [word for part in node for word in asked_words(part)]
    if isinstance(node, t.Node):
        parts = (getattr(node, slot) for slot in node.__slots__ if slot != "span")
        return [word for part in parts for word in asked_words(part)]
    return []


def conditions_of(game: g.Game) -> Iterator[tuple[g.Declared, t.Expression]]:
    """What declarations ask for, each with the word that asks."""
    yield from ((bet, bet.offered) for bet in game.bets.values())
    for stage in game.stages.values():
        yield stage, stage.condition
        yield from ((stage, step.condition) for step in stage.steps if isinstance(step, g.Ends))
    for action in game.actions.values():
        if action.done is not None:
            yield action, action.done


def of_hands(name: str) -> str:
    """The word of all hands by which a word of the dealer's hand is defined."""
    return f"hand.{name.removeprefix('dealer.')}" if name.startswith("dealer.") else name
