"""Which questions the columns ask of a rulebook, in the order of their numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from checker.columns.batch import BETS, FIRST_OWN, PLAYS
from checker.columns.known_game import (
    BONUS_BET,
    GAME,
    MAIN_BET,
    MECHANICS,
    WINS_BONUS,
)
from checker.columns.slots import MOST_OWN, MOST_STAKED
from rulespec.tree import nodes as t

ACTIONS: Final = tuple(MECHANICS.action(play) for play in PLAYS)


def _duties() -> dict[str, tuple[str, int] | None]:
    """Before the first card: the fact that shows it was done, and from where up; None: rounds in
    which it was done are not for the columns."""
    found: dict[str, tuple[str, int] | None] = {
        "shuffle": ("shoe.shuffled", 1),
        "burn": ("shoe.burns", 1),
    }
    for name, action in GAME.actions_of("casino").items():
        match action.done:
            case t.Compare(t.Fact(fact), ">=", t.Number(least)):
                found[name] = (fact, int(least))
            case t.Setting("approved"):
                found[name] = None
    return found


DUTIES: Final = _duties()
VOIDS: Final = MECHANICS.roles["voids the round"]
RANKS_ASKED: Final = 13
_OWN: Final = tuple(f"own bet {number}" for number in range(MOST_OWN))
STAKED: Final = (*BETS[: FIRST_OWN - 1], *_OWN)
"""What questions are asked of each bet that somebody stakes on, by its place here."""
assert len(STAKED) == MOST_STAKED


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as the judge puts it. `needed`: it is asked even of a text that is silent."""

    kind: str
    subject: str  # several words: what is asked at one moment is asked in one
    needed: bool = False
    done: str | None = None  # what else the answer is measured by


QUESTIONS: Final[tuple[Asked, ...]] = (
    Asked("opening", "round"),  # what is required of the round, and the duties before it
    *(Asked("require", f"wager {bet}") for bet in STAKED),
    Asked("require", "box"),
    Asked("require", "card deal"),
    Asked("require", "settlement"),
    *(Asked("play", action, needed=True) for action in ACTIONS),
    Asked("left", "draw", needed=True),
    Asked("duty", "warn", done="told"),
    Asked("duty", VOIDS, done="done"),
    Asked("require", "reveal"),
    Asked("require", "peek"),
    Asked("over", "round"),  # whether a look at a card that lies face down ends it
    Asked("offers", "dealer"),  # what the rulebook itself has the dealer offer
    Asked("draw", "dealer draw", needed=True),
    *(Asked("result", bet, needed=True) for bet in STAKED),
    *(Asked("odds", bet, needed=True) for bet in STAKED),
    *(Asked("counted", bet, needed=True) for bet in STAKED),
    *(Asked("settles", bet) for bet in STAKED),
    Asked("settles", BETS[FIRST_OWN - 1]),
    *(Asked("settled", bet) for bet in STAKED),
    Asked("rounding", "payments.rounding", needed=True),
    Asked("bonus", BONUS_BET, needed=True),
    Asked("term", "hand.pontoon", needed=True),
    Asked("term", WINS_BONUS, needed=True),
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
Q_WAGER: Final = _at("require", f"wager {BETS[0]}")  # + bet
Q_BOX: Final = _at("require", "box")
Q_DEAL: Final = _at("require", "card deal")
Q_SETTLEMENT: Final = _at("require", "settlement")
Q_PLAY: Final = _at("play", "draw")  # + play
Q_LEFT: Final = _at("left", "draw")
Q_WARN: Final = _at("duty", "warn")
Q_VOID: Final = _at("duty", VOIDS)
Q_REVEAL: Final = _at("require", "reveal")
Q_PEEK: Final = _at("require", "peek")
Q_OVER: Final = _at("over", "round")
Q_OFFERS: Final = _at("offers", "dealer")
Q_DRAW: Final = _at("draw", "dealer draw")
Q_RESULT: Final = _at("result", MAIN_BET)  # + bet
Q_ODDS: Final = _at("odds", MAIN_BET)
Q_COUNTED: Final = _at("counted", MAIN_BET)
Q_SETTLES: Final = _at("settles", MAIN_BET)
Q_SETTLES_BONUS: Final = _at("settles", BETS[FIRST_OWN - 1])
Q_OWN_SETTLEMENT: Final = _at("settled", BETS[0])  # + bet
Q_ROUNDING: Final = _at("rounding", "payments.rounding")
Q_BONUS: Final = _at("bonus", BONUS_BET)
Q_HAND_TERM: Final = _at("term", "hand.pontoon")
Q_BONUS_TERM: Final = _at("term", WINS_BONUS)
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
    Q_OWN_SETTLEMENT,
)

TIMINGS: Final = (
    "at once",
    "before the subsequent deal",
    "during the subsequent deal",
    "at the second dealer card",
    "at the end",
    "before the other wagers",
    "after the other wagers",
    "from the far right",
    "losers first",
    "before the dealer looks",
    "before third",
    "before dealer.third",
    "before dealer.fourth",
)


def asked_of(asked: Asked, own: tuple[str, ...]) -> Asked | None:
    """The question with the names of a rulebook's own bets; None: there are not so many."""
    for number, stands_for in enumerate(_OWN):
        if stands_for in asked.subject:
            if number >= len(own):
                return None
            return replace(asked, subject=asked.subject.replace(stands_for, own[number]))
    return asked


RESULTS: Final = ("wins", "loses", "loses half", "stands off", "void")
WINS, LOSES, LOSES_HALF, STANDS_OFF, VOID_RESULT = range(5)
