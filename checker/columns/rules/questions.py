"""Which questions the columns ask of a rulebook, in the order of their numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from checker.columns.batch import BETS, PLAYS

_ACTION = {"hit": "draw"}
ACTIONS: Final = tuple(_ACTION.get(play, play) for play in PLAYS)
DUTIES: Final = {  # before the first card: the fact that shows it was done, and from where up
    "shuffle": ("shoe.shuffled", 1),
    "burn": ("shoe.burns", 1),
    "burn_five": ("shoe.burns", 5),
    "notify_inspector": None,  # rounds in which that is recorded are not for the columns
    "notify_surveillance": None,
}
RANKS_ASKED: Final = 13


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as the judge puts it. `needed`: it is asked even of a text that is silent."""

    kind: str
    subject: str  # several words: what is asked at one moment is asked in one
    needed: bool = False
    done: str | None = None  # what else the answer is measured by


QUESTIONS: Final[tuple[Asked, ...]] = (
    Asked("opening", "round"),  # what is required of the round, and the duties before it
    Asked("require", "wager main"),
    Asked("require", "wager perfect_pairs"),
    Asked("require", "wager super_sevens"),
    Asked("require", "box"),
    Asked("require", "card deal"),
    Asked("require", "settlement"),
    *(Asked("play", action, needed=True) for action in ACTIONS),
    Asked("left", "draw", needed=True),
    Asked("duty", "warn", done="told"),
    Asked("duty", "void_round", done="done"),
    Asked("draw", "dealer draw", needed=True),
    *(Asked("result", bet, needed=True) for bet in BETS[:4]),
    *(Asked("odds", bet, needed=True) for bet in BETS[:4]),
    *(Asked("counted", bet, needed=True) for bet in BETS[:4]),
    *(Asked("settles", bet) for bet in BETS),
    Asked("rounding", "payments.rounding", needed=True),
    Asked("bonus", "super_bonus", needed=True),
    Asked("term", "hand.pontoon", needed=True),
    Asked("term", "wager.super_bonus", needed=True),
    Asked("dealer term", "dealer.pontoon", needed=True),
    *(Asked("points", str(rank), needed=True) for rank in range(RANKS_ASKED)),
)


def _at(kind: str, subject: str) -> int:
    return next(
        place
        for place, asked in enumerate(QUESTIONS)
        if (asked.kind, asked.subject) == (kind, subject)
    )


Q_ROUND: Final = _at("opening", "round")
Q_WAGER: Final = _at("require", "wager main")  # + bet
Q_BOX: Final = _at("require", "box")
Q_DEAL: Final = _at("require", "card deal")
Q_SETTLEMENT: Final = _at("require", "settlement")
Q_PLAY: Final = _at("play", "draw")  # + play
Q_LEFT: Final = _at("left", "draw")
Q_WARN: Final = _at("duty", "warn")
Q_VOID: Final = _at("duty", "void_round")
Q_DRAW: Final = _at("draw", "dealer draw")
Q_RESULT: Final = _at("result", "main")  # + bet
Q_ODDS: Final = _at("odds", "main")
Q_COUNTED: Final = _at("counted", "main")
Q_SETTLES: Final = _at("settles", "main")
Q_ROUNDING: Final = _at("rounding", "payments.rounding")
Q_BONUS: Final = _at("bonus", "super_bonus")
Q_HAND_TERM: Final = _at("term", "hand.pontoon")
Q_BONUS_TERM: Final = _at("term", "wager.super_bonus")
Q_DEALER_TERM: Final = _at("dealer term", "dealer.pontoon")
Q_POINTS: Final = _at("points", "0")  # + rank
QUESTION_COUNT: Final = len(QUESTIONS)
Q_SEAT: Final = QUESTION_COUNT + 1  # a main wager, and what its seat tells of its end
Q_ENDING: Final = QUESTION_COUNT  # the next ones together
OF_AN_ENDING: Final = (
    Q_LEFT,
    Q_BONUS_TERM,
    Q_BONUS,
    Q_RESULT,
    Q_ODDS,
    Q_ROUNDING,
    Q_SETTLES,
    Q_COUNTED,
    Q_SETTLEMENT,
)

TIMINGS: Final = (
    "at once",
    "before the subsequent deal",
    "during the subsequent deal",
    "at the second dealer card",
    "at the end",
)
RESULTS: Final = ("wins", "loses", "loses half", "stands off", "void")
WINS, LOSES, LOSES_HALF, STANDS_OFF, VOID_RESULT = range(5)
