"""Facts of many hands at once, each read off one hand for all that it cannot tell apart.

Most facts look at little: the total at the cards, `wager.doubled` at what was done with the wager.
A fact that is not listed here is read off every row.
"""

from __future__ import annotations

from collections.abc import Sequence

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


OF_THE_FIRST_HAND = "wager.original_bust"
"""Looks at nothing but the number of the hand, and the cards of the first hand of the box."""

OF_LATER_HANDS = "wager.stands_for_original"
"""Looks at more than the wager only where that wager opens a later hand of the box."""


def cards_of(line: Line) -> tuple[object, ...]:
    """The cards of a hand, and all by which the value of a card may differ."""
    return (
        line.cards, line.doubled_with, line.number, line.pair, line.surrendered, line.forfeited,
    )  # fmt: skip


def first_hand_of(line: Line) -> tuple[object, ...]:
    """The number of a hand and, for a later one, the cards of the first hand of its box."""
    return (1,) if line.number == 1 else (line.number, line.sibling, line.pair)


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
    numbers = _numbers(rows, fact)
    if numbers is None:
        return [row.scene.fact(fact) for row in rows]
    known: dict[int | None, Value] = engine.caches.setdefault(("told of rows", fact), {})
    for number, row in dict(zip(numbers, rows, strict=True)).items():
        if number is not None and number not in known:
            known[number] = row.scene.fact(fact)
    if None not in numbers:
        return [known[number] for number in numbers]
    return [
        row.scene.fact(fact) if number is None else known[number]
        for number, row in zip(numbers, rows, strict=True)
    ]


def _numbers(rows: Sequence[Row], fact: str) -> list[int | None] | None:
    """The same number for rows that a fact cannot tell apart, None for a row that stands alone."""
    if fact in OF_THE_CARDS:
        return [row.cards for row in rows]
    if fact in OF_THE_WAGER:
        return [row.wager for row in rows]
    if fact == OF_THE_FIRST_HAND:
        return [row.first_hand for row in rows]
    if fact == OF_LATER_HANDS:
        return [
            None if row.line is None or (row.line.number > 1 and row.part != "double")
            else row.wager for row in rows
        ]  # fmt: skip
    return None
