"""The one walker over a tree: what a condition or a statement is made of."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.tree import game as g
from rulespec.tree import nodes as t

Word = t.Fact | t.Name | t.Setting


def walk(node: object) -> Iterator[t.Node]:
    """A condition, a value or several of them, with all their parts, each before its own."""
    waiting = [node]
    while waiting:
        match waiting.pop():
            case t.Node() as one:
                yield one
                slots = [getattr(one, slot) for slot in one.__slots__ if slot != "span"]
                waiting += slots[::-1]
            case (tuple() | list()) as several:
                waiting += several[::-1]
            case _:
                pass


def asked_cards(node: object) -> list[str]:
    """The cards by position that a condition asks about, beyond its facts."""
    return [card for one in walk(node) if isinstance(one, t.CardQuestion) for card in one.cards]


def declared_words(node: object) -> list[t.Chosen | t.MeterAmount]:
    """The choices and meters that a condition asks for."""
    return [one for one in walk(node) if isinstance(one, t.Chosen | t.MeterAmount)]


def asked_words(node: object) -> list[Word]:
    """The facts, terms and settings that a condition is made of."""
    return [one for one in walk(node) if isinstance(one, t.Fact | t.Name | t.Setting)]


def asked_facts(node: object) -> set[str]:
    return {one.name for one in walk(node) if isinstance(one, t.Fact)}


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
