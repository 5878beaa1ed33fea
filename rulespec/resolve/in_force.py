"""The text of one day."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from rulespec.resolve.rulebook import Rulebook

if TYPE_CHECKING:
    pass


def text_in_force(rulebook: Rulebook, day: date | None) -> Rulebook:
    """The text of one day; without a day, when every clause that ever begins has begun."""
    if day is None:
        day = rulebook.last_start
        if day is None:
            return rulebook
    return rulebook.on(day)
