"""Amounts that a limit or a chip would explain which the log does not tell.

Where a text lets a wager count only up to a limit, or rounds a payment to the smallest chip, an
amount may be right although the log does not say why."""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING

from checker.judge.due import Due
from checker.log import model as r

if TYPE_CHECKING:
    from checker.judge.bench import Bench


def explained(judge: Bench, due: Due, event: r.Settle) -> str | None:
    """What the log would have to record, if it could explain the amount."""
    silences = judge.engine.silences
    if due.amount is None:
        return None
    limited = any(judge.engine.has(f"{event.bet}.{way}") for way in ("counted", "deemed"))
    if "limits" in silences and limited and _in_part(due.amount, due.stake, event.returned):
        return silences["limits"]
    rounds = judge.engine.has("payments.rounding")
    if "chips" in silences and rounds and _rounded(judge, due.amount, due.stake, event):
        return silences["chips"]
    return None


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
