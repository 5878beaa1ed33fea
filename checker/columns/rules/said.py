"""An answer of the plain evaluator in numbers: what machine code needs of it to go on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

# --- the numbers of an answer
FLAGS: Final = 0  # bits below; from TIME_SHIFT the timings, from CAP_SHIFT how many formulas cap
VALUE: Final = 1  # result, points, amount, whether a term holds or a card is due
ODDS: Final = 2  # DENOMINATOR_PLACE * numerator + denominator
VALUES: Final = 3  # a number for the set of values, to compare two answers
FORMULA: Final = 4  # see `Formulas`, -1 for none
ANSWER_WIDTH: Final = 5

# --- in FLAGS
OPEN: Final = 1  # something that is not known could change the answer
INTERIM: Final = 2
SAYS_VOID: Final = 4
PAID_EARLY: Final = 8
UNCHECKED: Final = 16
PRICED: Final = 32  # the bonus has an amount
DECIDED: Final = 64
OK: Final = 128  # nothing to find: else the round goes to the plain evaluator
ELEVEN: Final = 256  # the card may count ten more
BOUNDED: Final = 512  # ODDS are the least; the most stand in VALUE, 0 none
TIME_SHIFT: Final = 16  # bits of TIMINGS
CAP_SHIFT: Final = 32

# --- in VALUE and ODDS
EITHER: Final = 2  # the dealer may draw and may stop
DENOMINATOR_PLACE: Final = 16
LARGEST_ODDS: Final = 10**5


@dataclass(slots=True)
class Said:
    """An answer in numbers, and the clauses that it tests, leaves unchecked or lacks facts for."""

    numbers: list[int]
    tested: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return bool(self.numbers[FLAGS] & OK)
