"""Why a round is passed on to the plain evaluator: what it holds, below 100, or the question."""

from __future__ import annotations

from enum import IntEnum, auto
from typing import Final


class Reason(IntEnum):
    """What a round holds that the columns do not judge, or that is not as it should be."""

    HOLDS_MORE = auto()
    ODD_EVENT = auto()
    TOO_LARGE = auto()
    LATE_WAGER = auto()
    NO_MAIN_WAGER = auto()
    OUT_OF_ORDER = auto()
    NO_CARDS = auto()
    JOKER = auto()
    SHORT_HAND = auto()
    NOT_SETTLED = auto()
    SETTLED_TWICE = auto()
    NOT_OWED = auto()
    WRONG_AMOUNT = auto()
    WRONG_TIME = auto()
    NOT_DUE = auto()
    STOPPED = auto()
    BONUS = auto()
    NO_TEXT = auto()
    NO_VALUE = auto()
    TOO_LONG = auto()
    NO_ENDS = auto()
    ROUNDING = auto()
    SPLIT_ODDLY = auto()
    NOT_OFFERED = auto()
    OPEN_DRAW = auto()
    NOT_ASKED = auto()
    OUT_OF_TURN = auto()


ANSWERED: Final = 100  # + question: the answer is one that the evaluator would report
CANNOT_ASK: Final = 300  # + question
DOUBTED: Final = 1000  # + R_DOUBTED: only what was paid is wrong, and only there
