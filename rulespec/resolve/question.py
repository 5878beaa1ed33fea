"""The names of questions: how they are made, and what is asked by them. Nobody else takes one
apart, so that their form is known here alone.

`define hand.pontoon`, `require round`, `card value A`, `main.result`, `player double`.
"""

from __future__ import annotations

from typing import Final

_DEFINE: Final = "define "
_REQUIRE: Final = "require "
_CARD_VALUE: Final = "card value "


def defining(term: str) -> str:
    """What a defined word comes to."""
    return _DEFINE + term


def is_definition(question: str) -> bool:
    return question.startswith(_DEFINE)


def term_asked(question: str) -> str:
    """The word that a definition is about."""
    return question.removeprefix(_DEFINE)


def requiring(moment: str) -> str:
    """What has to be so at some moment."""
    return _REQUIRE + moment


def is_requirement(question: str) -> bool:
    return question.startswith(_REQUIRE)


def moment_asked(question: str) -> str:
    """The moment at which something is required."""
    return question.removeprefix(_REQUIRE)


def value_of_card(rank: str) -> str:
    """What a card counts."""
    return _CARD_VALUE + rank


def is_card_value(question: str) -> bool:
    return question.startswith(_CARD_VALUE)


def rank_asked(question: str) -> str:
    """The rank of the cards that a card value is about."""
    return question.removeprefix(_CARD_VALUE)


def about_bet(bet: str, what: str) -> str:
    """Something of a bet: its `result`, `odds`, what is `counted`, when it `settles`."""
    return f"{bet}.{what}"


def asks_about_bet(question: str, *what: str) -> bool:
    """Whether one of these things is asked of some bet."""
    return question.endswith(tuple(f".{one}" for one in what))


def bet_and_what(question: str) -> tuple[str, str]:
    """The bet, and what is asked of it; nothing where no bet is asked about."""
    bet, _, what = question.partition(".")
    return bet, what


def actor_and_act(question: str) -> tuple[str, str]:
    """Who acts, and what is asked of the act."""
    actor, _, act = question.partition(" ")
    return actor, act
