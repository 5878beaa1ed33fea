"""Facts that stay open when two texts are compared, and the values that rules can tell apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from checker.evaluate.engine import Value
from checker.evaluate.facts.boxes import HOMES
from checker.evaluate.scene import SeenScene
from checker.states.grid import NOT_MODELLED, STAKE_FACTS, Flag
from checker.states.lines_of_play import STAKE
from checker.table.mechanics import Mechanics
from rulespec.resolve.question import Question, bet_and_what, is_act_of
from rulespec.tree import nodes as t
from rulespec.tree.game import Game
from rulespec.tree.kinds import FactInfo
from rulespec.tree.walk import asked_facts, walk

SUPPOSED = "supposed"
"""The kind of a flag that stands for a fact: ("supposed", "box.players")."""

_OF_THE_ROWS = frozenset(name for name, home in HOMES.items() if home.dealt)
_SEEN_ALIKE = frozenset(name for name, home in HOMES.items() if not home.rests_on)


def seen_alike(fact: str, game: Game) -> bool:
    """A fact that is the same whatever the text says cards count and hands win."""
    info = game.declared_fact(fact)
    return info is not None and fact in _SEEN_ALIKE and not info.by_values


AGAINST_LIMITS: tuple[tuple[str, str, Callable[[int, Any], bool]], ...] = (
    # facts that a stake and a limit decide together
    ("wager.under_minimum", "limit.min", lambda stake, limit: stake < limit),
    ("wager.over_maximum", "limit.max", lambda stake, limit: stake > limit),
    ("wager.off_unit", "limit.unit", lambda stake, limit: limit > 0 and stake % limit != 0),
)


StaysOpen = Callable[[str, Game], bool]
Domains = dict[Flag, tuple[Value, ...]]


def stays_open(fact: str, game: Game) -> bool:
    """Whether the dealt hands do not show a fact: limits, other boxes, what a log need not give."""
    info = game.declared_fact(fact)
    if fact in game.brought_about or fact in STAKE_FACTS or info is None:
        return False
    return (
        info.optional
        or fact.startswith("settlement.")
        or (fact in NOT_MODELLED and fact not in _OF_THE_ROWS)
    )


def every_fact(fact: str, game: Game) -> bool:
    """For questions that are not about hands: nothing is dealt, all facts stay open."""
    return game.declared_fact(fact) is not None and fact not in game.brought_about


def domain_of(
    info: FactInfo, nodes: list[t.Expression], scene: SeenScene | None, stakes: list[int]
) -> tuple[Value, ...]:
    """The values of a fact that the conditions can tell apart, the ordinary one first."""
    ordinary: Value = None
    if scene is not None:
        ordinary = scene.fact(info.name)
    values: list[Value] = [ordinary] if ordinary is not None or info.optional else []
    match info.kind.name:
        case "bool":
            values += [False, True]
        case "enum" | "rank":
            values += list(info.kind.values)
        case "int":
            values += [n for n in _numbers_near(nodes) if info.kind.low <= n <= info.kind.high]
        case "money":
            values += _amounts(info.name, nodes, stakes)
            if ordinary == 0:  # nothing is an amount, but no example
                values = [*values[1:], 0]
        case _:
            values += [n.ranks for node in nodes for n in walk(node) if isinstance(n, t.Ranks)]
            values += [""]
    return tuple(dict.fromkeys(values))


AMOUNTS = [500, 1000, 1500, 2000]  # half a stake, a stake, more than one, two


def stakes_of(nodes: Iterable[t.Expression]) -> list[int]:
    """Stakes that some conditions can tell apart, the ordinary one first."""
    turns = {turn for node in nodes for turn in _turns(node, ())}
    return list(dict.fromkeys([STAKE, *_around(turns, [STAKE])]))


def _amounts(fact: str, nodes: list[t.Expression], stakes: list[int]) -> list[int]:
    """Values of an amount that conditions can tell apart, also by holding it against a stake."""
    several = [node for node in nodes if len(asked_facts(node)) > 1]
    turns = {turn for node in nodes for turn in _turns(node, stakes if node in several else ())}
    found = _around(turns, AMOUNTS, 2 if several else 1)
    if several or any(fact == limit for _, limit, _ in AGAINST_LIMITS):
        found += [min(stakes) - 50, *stakes, max(stakes) + 50]
    return sorted({n for n in found if n > 0})


def _turns(node: t.Expression, stakes: Iterable[int]) -> set[int]:
    """Amounts at which a condition may turn: those that it names; where it reckons, also their
    parts and multiples and what they come to together, and so with the stakes."""
    inside = list(walk(node))
    named = {n.cents for n in inside if isinstance(n, t.Money)}
    if not any(isinstance(n, t.Arithmetic) for n in inside):
        return named | ({STAKE} if stakes else set())
    named |= set(stakes)
    numbers = {n.value for n in inside if isinstance(n, t.Number) and n.value > 0}
    turns = named | {part for c in named for n in numbers for part in (c * n, c // n)}
    return turns | {c + more for c in turns for other in named for more in (other, -other)}


def _around(turns: set[int], usual: list[int], each: int = 1) -> list[int]:
    """Some amounts, and so many of those below, between and above them: the usual ones first."""
    inner = sorted(turn for turn in turns if turn > 0)
    found: list[int] = []
    ends = [0, *inner, max(inner, default=0) + 2 * max(AMOUNTS)]
    for low, high in pairwise(ends):
        near = [*usual, low + 50 if low else high - 50, (low + high) // 2, (low + 3 * high) // 4]
        between = list(dict.fromkeys(n for n in near if low < n < high))
        found += [*sorted(between[:each]), high]
    return found[:-1]


def _numbers_near(nodes: Iterable[t.Expression]) -> list[int]:
    named = {n.value for node in nodes for n in walk(node) if isinstance(n, t.Number)}
    return sorted({n + more for n in named for more in (-1, 0, 1)}) or [0, 1, 2]


OF_CARDS = ("hand.", "first.", "second.", "third.")


def untold(question: Question, fact: str, mechanics: Mechanics) -> bool:
    """Whether the hands that a question is compared on do not tell all values of a fact: for the
    dealer's draw one hand stands for all, for side bets the first cards, for others suits by
    place."""
    if is_act_of(question, "dealer"):
        return fact.startswith(OF_CARDS) or fact in ("box.players", "box.hands")
    if mechanics.first_cards(bet_and_what(question)[0]):
        told = fact == "hand.cards" or not fact.startswith(("hand.", "third."))
        return not told or fact in ("box.players", "box.hands")
    return fact in ("first.suit", "second.suit", "third.suit")


def exact(info: FactInfo) -> bool:
    """Whether the values of its domain stand for all there are; amounts are only examples."""
    return info.kind.name not in ("money", "ranks")
