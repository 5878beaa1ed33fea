"""Questions that rules answer: how they are made, and what is asked by them. Nobody else makes one
or takes one apart, so that their form is known here alone.

`define hand.pontoon`, `require round`, `card value A`, `main.result`, `player double`.
"""

from __future__ import annotations

from typing import Final, NewType

Question = NewType("Question", str)
"""As it is written in reports. A text of any other origin is no question for the type checker."""

DECLARATIONS: Final = Question("declarations")
DEALS: Final = Question("deals")
"""What two texts can differ in although no rule answers it: what is declared, and what is dealt."""

ROUNDING: Final = Question("payments.rounding")
"""How what is paid is rounded."""

_DEFINE: Final = "define "
_REQUIRE: Final = "require "
CARD_VALUES: Final = Question("card value ")
"""What cards count: so the questions about each of them begin."""


def defining(term: str) -> Question:
    """What a defined word comes to."""
    return Question(_DEFINE + term)


def is_definition(question: Question) -> bool:
    return question.startswith(_DEFINE)


def term_asked(question: Question) -> str:
    """The word that a definition is about."""
    return question.removeprefix(_DEFINE)


def requiring(moment: str) -> Question:
    """What has to be so at some moment."""
    return Question(_REQUIRE + moment)


def is_requirement(question: Question) -> bool:
    return question.startswith(_REQUIRE)


def moment_asked(question: Question) -> str:
    """The moment at which something is required."""
    return question.removeprefix(_REQUIRE)


def value_of_card(rank: str) -> Question:
    """What a card counts."""
    return Question(CARD_VALUES + rank)


def is_card_value(question: Question) -> bool:
    return question.startswith(CARD_VALUES)


def rank_asked(question: Question) -> str:
    """The rank of the cards that a card value is about."""
    return question.removeprefix(CARD_VALUES)


def about_bet(bet: str, what: str) -> Question:
    """Something of a bet: its `result`, `odds`, what is `counted`, when it `settles`."""
    return Question(f"{bet}.{what}")


def best_odds(odds: Question) -> Question:
    """Whether the highest odds are paid of those that this question comes to."""
    return Question(odds.replace(".odds", ".highest"))


def asks_about_bet(question: Question, *what: str) -> bool:
    """Whether one of these things is asked of some bet."""
    return question.endswith(tuple(f".{one}" for one in what))


def bet_and_what(question: Question) -> tuple[str, str]:
    """The bet, and what is asked of it; where no bet is asked about, nothing is asked of it."""
    bet, _, what = question.partition(".")
    return bet, what


def is_about_bet(bet: str, question: Question) -> bool:
    """Whether something of this bet is asked."""
    return question.startswith(f"{bet}.")


def bet_asked(question: Question) -> str | None:
    """The bet that a question of settlement is about."""
    bet, dot, _ = question.partition(".")
    return bet if dot and " " not in bet and question != ROUNDING else None


def whether(actor: str, act: str) -> Question:
    """Whether somebody may, must, may not or must not do something."""
    return Question(f"{actor} {act}")


IN_FORCE: Final = Question("in force")


def force_of(clause: str) -> Question:
    """On which days a clause is in force."""
    return Question(f"{IN_FORCE} {clause}")


def clause_in_force(question: Question) -> str:
    """The clause whose days in force are asked for."""
    return question.removeprefix(f"{IN_FORCE} ")


DEALER_DRAW: Final = whether("dealer", "draw")
"""Whether the dealer takes another card."""

_OF_THE_DEALER: Final = " of the dealer"


def as_of_dealer(question: Question) -> Question:
    """What a word of any hand comes to for the dealer's, where a clause excepts that one."""
    return Question(question + _OF_THE_DEALER)


def as_of_any_hand(question: Question) -> Question:
    return Question(question.removesuffix(_OF_THE_DEALER))


def is_act_of(question: Question, *actors: str) -> bool:
    """Whether this is asked of what somebody may and must do."""
    return question.startswith(tuple(f"{actor} " for actor in actors))


def actor_and_act(question: Question) -> tuple[str, str]:
    """Who acts, and what is asked of the act."""
    actor, _, act = question.partition(" ")
    return actor, act
