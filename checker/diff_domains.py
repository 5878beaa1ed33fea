"""Facts that stay open when two texts are compared, and the values that rules can tell apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from checker.cells import FLAG_FACTS, NOT_MODELLED, STAKE_FACTS
from checker.engine import Value
from checker.scene import SeenScene
from checker.states import walk
from rulespec import tree as t
from rulespec.vocabulary import FACTS

SUPPOSED = "supposed"
"""The kind of a flag that stands for a fact: ("supposed", "box.players")."""

_OF_THE_ROWS = frozenset({
    # facts that the dealt hands do show
    "first.suit", "second.suit", "third.rank", "third.suit", "hand.number", "box.hands",
    "hand.declined_split", "box.players", "play.hands_after", "player.first_on_box",
    "play.controller_did", "player.next_in_line", "hand.all_surrendered",
    "play.before_subsequent_deal",
})  # fmt: skip


_BY_THE_TEXT = frozenset({
    # facts for which the rules themselves are asked
    "wager.stands_for_original", "wager.original_bust", "dealer.only_surrendered",
    "dealer.no_effect", "round.super_bonus", "round.super_bonus_amount",
    "wager.player_won_super_bonus",
})  # fmt: skip
SEEN_ALIKE = frozenset(
    name for name, info in FACTS.items()
    if not info.definable and name not in _BY_THE_TEXT
    and name.split(".")[1] not in ("total", "hard_total", "soft", "ten_cards")
)  # fmt: skip
"""Facts that are the same whatever the text says cards count and hands win."""
AGAINST_LIMITS: tuple[tuple[str, str, Callable[[int, Any], bool]], ...] = (
    # facts that a stake and a limit decide together
    ("wager.under_minimum", "limit.min", lambda stake, limit: stake < limit),
    ("wager.over_maximum", "limit.max", lambda stake, limit: stake > limit),
    ("wager.off_unit", "limit.unit", lambda stake, limit: limit > 0 and stake % limit != 0),
)


def stays_open(fact: str) -> bool:
    """Whether the dealt hands do not show a fact: limits, other boxes, what a log need not give."""
    info = FACTS.get(fact)
    if fact in FLAG_FACTS or fact in STAKE_FACTS or info is None or info.definable:
        return False
    return info.optional or fact.startswith("settlement.") or (
        fact in NOT_MODELLED and fact not in _OF_THE_ROWS
    )


def every_fact(fact: str) -> bool:
    """For questions that are not about hands: nothing is dealt, all facts stay open."""
    info = FACTS.get(fact)
    return info is not None and not info.definable and fact not in FLAG_FACTS


def domain_of(
    fact: str, nodes: Iterable[t.Expression], scene: SeenScene | None
) -> tuple[Value, ...]:
    """The values of a fact that the conditions can tell apart, the ordinary one first."""
    info = FACTS[fact]
    ordinary: Value = None
    if scene is not None:
        ordinary = scene.fact(fact)
    values: list[Value] = [ordinary] if ordinary is not None or info.optional else []
    match info.kind.name:
        case "bool":
            values += [False, True]
        case "enum" | "rank":
            values += list(info.kind.values)
        case "int":
            values += [n for n in _near(nodes, t.Number, 1)
                       if info.kind.low <= n <= info.kind.high]  # fmt: skip
        case "money":
            values += [n for n in _near(nodes, t.Money, 50) if n > 0]
            values += AMOUNTS
        case _:
            values += [n.ranks for node in nodes for n in walk(node) if isinstance(n, t.Ranks)]
            values += [""]
    return tuple(dict.fromkeys(values))


AMOUNTS = [500, 1000, 1500, 2000]  # half a stake, a stake, more than one, two


def _near(
    nodes: Iterable[t.Expression], kind: type[t.Number] | type[t.Money], step: int
) -> list[int]:
    named: set[int] = set()
    for node in nodes:
        for part in walk(node):
            if isinstance(part, kind):
                named.add(part.value if isinstance(part, t.Number) else part.cents)
    around = {n + more for n in named for more in (-step, 0, step)}
    if named and kind is t.Money:
        around.add(max(named) + 2 * step)  # two amounts that no condition names, and one is more
    return sorted(around) or ([0, 1, 2] if kind is t.Number else [])


_OF_CARDS = ("hand.", "first.", "second.", "third.")


def untold(question: str, fact: str) -> bool:
    """Whether the hands that a question is compared on do not tell all values of a fact: for the
    dealer's draw and for insurance one hand stands for all, for other wagers suits by place."""
    if question.startswith(("dealer ", "insurance.")):
        return fact.startswith(_OF_CARDS) or fact in ("box.players", "box.hands")
    if question.startswith(("perfect_pairs.", "super_sevens.")):
        return fact.startswith(("hand.", "third.")) or fact in ("box.players", "box.hands")
    return fact in ("first.suit", "second.suit", "third.suit")


def exact(fact: str) -> bool:
    """Whether the values of its domain stand for all there are; amounts are only examples."""
    return FACTS[fact].kind.name not in ("money", "ranks")
