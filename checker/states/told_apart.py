"""What the rules of a text can tell apart in a hand: patterns, numbers, and ranks by name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from rulespec.tree import nodes as t
from rulespec.tree.walk import walk

ORDER = "A23456789TJQK"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the rules can tell apart: patterns of ranks, and the highest numbers they name."""

    patterns: tuple[tuple[str, ...], ...]
    cards: int
    aces: int
    tens: int
    dealer_cards: int
    ranks: frozenset[str]  # ranks that rules name one by one
    facts: frozenset[str]


def wanted(conditions: Iterable[object]) -> Wanted:
    patterns: set[tuple[str, ...]] = set()
    highest = {"hand.cards": 2, "hand.aces": 1, "hand.ten_cards": 1, "dealer.cards": 2}
    facts: set[str] = set()
    ranks: set[str] = {"A"}
    for node in walk(conditions):
        if isinstance(node, t.Ranks):
            patterns.add(tuple(sorted(node.ranks.split("-"), key=ORDER.index)))
        elif isinstance(node, t.Fact):
            facts.add(node.name)
        elif isinstance(node, t.Compare | t.OneOf | t.Between):
            inside = list(walk([node]))
            numbers = [n.value for n in inside if isinstance(n, t.Number)]
            for fact in (n.name for n in inside if isinstance(n, t.Fact)):
                if fact in highest:
                    highest[fact] = max([highest[fact], *numbers])
                if fact in ("dealer.first", "dealer.second"):
                    ranks |= set(told_apart(ranks_in(node)))
    return Wanted(
        tuple(sorted(patterns)),
        highest["hand.cards"],
        highest["hand.aces"],
        highest["hand.ten_cards"],
        highest["dealer.cards"],
        frozenset(ranks),
        frozenset(facts),
    )


@cache
def pieces(patterns: tuple[tuple[str, ...], ...]) -> frozenset[str]:
    """Every choice of ranks that some pattern can be made of by adding more."""
    return frozenset(
        "".join(sorted(ranks))
        for pattern in patterns
        for held in range(len(pattern) + 1)
        for ranks in combinations(pattern, held)
    )


def ranks_in(node: t.Compare | t.OneOf | t.Between) -> set[str]:
    """The ranks that a comparison names."""
    words = {n.name for n in walk([node]) if isinstance(n, t.Name)}
    words |= {str(n.value) for n in walk([node]) if isinstance(n, t.Number)}
    return {"T" if word == "10" else word for word in words} & set(ORDER)


def told_apart(named: set[str]) -> set[str]:
    """The ranks to look at one by one, so that others can be taken together: those that are named,
    or where that is most of them the rest. Ten-value cards that are named together stay so."""
    few = named if len(named) < 7 else set(ORDER) - named
    tens = set("TJQK")
    return few - tens if tens <= few else few
