"""To which ends further cards can lead the dealer's hand, worked out once for each text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from checker.columns.rules.head import END_STATES, FLEXIBLE
from checker.columns.rules.settings import Settings
from checker.evaluate.dealer_draw import ends_of, must_draw, ranks_in_play
from checker.evaluate.engine import Engine
from checker.evaluate.scene import SeenScene
from checker.log import model as r
from checker.table.shoes import ShoeView
from checker.table.state import Dealt, Table

_KNOWN = frozenset(
    f"dealer.{name}"
    for name in (
        "cards",
        "total",
        "hard_total",
        "soft",
        "aces",
        "ten_cards",
        "first",
        "second",
        "no_effect",
        "players_done",
        "only_surrendered",
        "missed_first",
        "hands_decided",  # of no hand that is still to come about
    )
) | {"dealer.pontoon"}
Hand = tuple[Dealt, ...]


def ends_table(
    engine: Engine,
    looks: frozenset[str],
    points: Sequence[int],
    settings: Settings | None = None,
    bets: Sequence[str] = (),
) -> list[list[int] | None]:
    """For each state of a dealer's hand that is to be drawn to: how many ends, how many of them are
    sure, and of each, the sure ones first, the cards, points, tens and aces added, whether one may
    count eleven, and the first card. `bets`: what somebody has at the table."""
    table: list[list[int] | None] = [None] * END_STATES
    if not looks <= _KNOWN:
        return table  # the draw depends on more than the hand
    scene = _scene(engine) if settings is None else settings.scene_with(bets)
    dealt = ranks_in_play(engine, scene)
    options = engine.rulebook.game.options if settings is None else ()
    if any(ranks_in_play(engine, _scene(engine, option)) != dealt for option in options):
        return table
    if any(points[r.RANKS.index(rank)] < 0 for rank in dealt):
        return table  # what a card is worth depends on more than the hand
    waiting: list[str] = list(dealt)
    while waiting:
        hand = waiting.pop()
        state = _state(hand, points)
        if state is None or table[state] is not None:
            continue
        dealer = tuple(Dealt(rank + "C", 0, False) for rank in hand)
        stands = len(hand) > 1 and must_draw(scene.but(dealer=dealer)) is not True
        if stands and "dealer.hands_decided" not in looks:
            continue
        sure, left_open = ends_of(scene, dealer)
        found = [len(sure) + len(left_open), len(sure)]
        for end in (*_telling_first(sure, points), *left_open):
            found += _added("".join(d.rank for d in end[len(hand) :]), points)
        table[state] = found
        if not stands:
            waiting += [hand + rank for rank in dealt]
    return table


def _scene(engine: Engine, *options: str) -> SeenScene:
    at = datetime(2000, 1, 1, tzinfo=UTC)
    empty = r.Round("", "", None, at, None, 1, frozenset(options), {}, (), 0)
    return SeenScene(engine, Table(empty), ShoeView(), no_effect=False)


def _state(hand: str, points: Sequence[int]) -> int | None:
    if len(hand) == 1:
        return r.RANKS.index(hand)
    worth = [points[r.RANKS.index(rank)] for rank in hand]
    hard = sum(p & ~FLEXIBLE for p in worth)
    soft = any(p & FLEXIBLE for p in worth) and hard + 10 <= 21
    total = hard + 10 if soft else hard
    return None if total > 22 else 13 + 23 * soft + total


def _telling_first(ends: list[Hand], points: Sequence[int]) -> list[Hand]:
    """An end over 21 and the highest of the others come first: most wagers tell them apart."""
    found = sorted(ends, key=lambda end: -_total(end, points))
    over = [end for end in found if _total(end, points) > 21]
    below = found[len(over) :]
    return [*over[:1], *below, *over[1:]]


def _total(end: Hand, points: Sequence[int]) -> int:
    worth = [points[r.RANKS.index(card.rank)] for card in end]
    hard = sum(p & ~FLEXIBLE for p in worth)
    soft = any(p & FLEXIBLE for p in worth) and hard + 10 <= 21
    return hard + 10 if soft else hard


def _added(ranks: str, points: Sequence[int]) -> list[int]:
    worth = [int(points[r.RANKS.index(rank)]) for rank in ranks]
    return [
        len(ranks),
        sum(p & ~FLEXIBLE for p in worth),
        sum(p == 10 for p in worth),
        ranks.count("A"),
        int(any(p & FLEXIBLE for p in worth)),
        r.RANKS.index(ranks[0]),
    ]
