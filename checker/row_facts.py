"""Facts of many hands at once, each read off one hand for all that it cannot tell apart.

Most facts look at little: the total at the cards, `wager.doubled` at what was done with the wager.
A fact that is not listed here is read off every row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from checker.cells import Row
from checker.engine import Engine, Value
from checker.lines_of_play import Line

OF_THE_CARDS = frozenset(
    f"hand.{name}"
    for name in ("cards", "total", "hard_total", "soft", "ten_cards", "aces", "ranks", "suits",
                 "number", "equal_value", "split", "split_aces", "split_tens",
                 "split_suited_sevens", "doubled", "double_card_dealt", "late_ace_held")
)  # fmt: skip
"""Facts that are the same for rows with the same cards, see `cards_of`."""

OF_THE_WAGER = frozenset({
    "wager.part", "wager.doubled", "wager.surrendered", "wager.forfeited", "wager.even_money",
    "wager.under_minimum", "wager.chips_held", "wager.undisclosed", "wager.first_of_player",
    "wager.player_won_super_bonus", "hand.surrendered", "hand.all_surrendered", "hand.stood",
    "hand.short", "player.controls", "player.warned", "limit.min", "round.super_bonus",
})  # fmt: skip
"""Facts that are the same for rows of which the same was done with the wager, see `wager_of`."""


def cards_of(line: Line) -> tuple[object, ...]:
    """The cards of a hand, and all by which the value of a card may differ."""
    return (
        line.cards, line.doubled_with, line.number, line.pair, line.surrendered, line.forfeited,
    )  # fmt: skip


def wager_of(line: Line, part: str) -> tuple[object, ...]:
    """What was done with a wager, whatever the cards."""
    return (
        part, line.doubled_with is None, line.number, line.pair is None, line.surrendered,
        line.forfeited, line.even_money, line.shared, line.follows, line.again,
    )  # fmt: skip


def column(engine: Engine, rows: Sequence[Row], fact: str, as_dealer: bool = False) -> list[Value]:
    """What a fact is on each of these rows."""
    if as_dealer:
        return [row.scene.as_dealer().fact(fact) for row in rows]
    numbers: Iterable[int | None]
    if fact in OF_THE_CARDS:
        numbers = [row.cards for row in rows]
    elif fact in OF_THE_WAGER:
        numbers = [row.wager for row in rows]
    else:
        return [row.scene.fact(fact) for row in rows]
    known: dict[int | None, Value] = engine.caches.setdefault(("told of rows", fact), {})
    for number, row in dict(zip(numbers, rows, strict=True)).items():
        if number is None:
            return [row.scene.fact(fact) for row in rows]
        if number not in known:
            known[number] = row.scene.fact(fact)
    return [known[number] for number in numbers]
