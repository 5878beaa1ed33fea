"""Amounts that a limit, a chip or the ground of a void would explain which the log does not tell.

Where a text lets a wager count only up to a limit, rounds a payment to the smallest chip, or has
grounds for a void, an amount may be right although the log does not say why."""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING

from checker.judge.due import Due
from checker.log import model as r
from rulespec.resolve.question import ROUNDING, about_bet

if TYPE_CHECKING:
    from checker.judge.bench import Bench


def explained(judge: Bench, due: Due, event: r.Settle) -> str | None:
    """What the log would have to record, if it could explain the amount."""
    silences = judge.engine.silences
    if due.amount is None:
        return None
    if event.returned == due.stake and _void_without_ground(judge, event):
        return "on what ground something was declared void"
    limited = any(judge.engine.has(about_bet(event.bet, way)) for way in ("counted", "deemed"))
    if "limits" in silences and limited and _in_part(due.amount, due.stake, event.returned):
        return silences["limits"]
    rounds = judge.engine.has(ROUNDING)
    if "chips" in silences and rounds and _rounded(judge, due.amount, due.stake, event):
        return silences["chips"]
    return None


def _void_without_ground(judge: Bench, event: r.Settle) -> bool:
    """A wager that goes back because of a void, of which the log does not say why it was made."""
    table, box = judge.table, judge.table.boxes.get(event.box)
    if table.records or box is None:
        return False
    hand = box.hands.get(event.hand or 1)
    return table.void or box.void or (hand is not None and hand.void)


def _in_part(due: Fraction | int, stake: int, paid: int) -> bool:
    """As if only a part of the wager had counted, and the rest had been given back."""
    return min(due, stake) < paid < max(due, stake)


def _rounded(judge: Bench, due: Fraction | int, stake: int, event: r.Settle) -> bool:
    """As if the winnings had been rounded to a chip; wagers are made of whole chips."""
    won, paid = due - stake, event.returned - stake
    box = judge.table.boxes.get(event.box)
    hand = box.hands.get(event.hand or 1) if box is not None else None
    parts = [amount for _, amount in hand.money.get(event.player, ())] if hand is not None else []
    chip = gcd(*(parts or [stake]), paid)
    return won > 0 and paid > 0 and abs(Fraction(paid) - won) < chip
