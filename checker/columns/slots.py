"""The facts of the vocabulary as numbers: where each stands in the working memory of the judge.

A fact that is not known, or that makes no sense at the moment, is UNKNOWN. Facts that can only be
otherwise in rounds which the columns pass on to the plain evaluator are FIXED.
"""

from __future__ import annotations

from typing import Any, Final

from checker.columns.known_game import APPROVED_OPTION, FACTS, MECHANICS, OPTIONS
from checker.evaluate.facts.boxes import HOMES
from checker.log.model import RANKS

UNKNOWN: Final = -1  # no fact is below 0

FIXED: Final[dict[str, Any]] = {
    name: home.fixed.value for name, home in HOMES.items() if home.fixed is not None
}
"""The same in every round that the columns judge."""

WORDS: Final = {
    word: code
    for code, word in enumerate(
        (
            *RANKS,
            "none",
            "joker",
            "spades",
            "hearts",
            "diamonds",
            "clubs",
            "mixed",
            "red",
            "black",
            "original",
            MECHANICS.doubled_part,
            MECHANICS.part_of(MECHANICS.splitting),
        )
    )
}
NONE_RANK: Final = WORDS["none"]
SPADES: Final = WORDS["spades"]
MIXED: Final = WORDS["mixed"]
RED: Final = WORDS["red"]
BLACK: Final = WORDS["black"]
ORIGINAL: Final = WORDS["original"]
DOUBLE_PART: Final = WORDS[MECHANICS.doubled_part]
SPLIT_PART: Final = WORDS[MECHANICS.part_of(MECHANICS.splitting)]

_NAMES = [name for name in FACTS if name not in FIXED]
_SETTINGS = [f"option {word}" for word in OPTIONS] + [f"approved {APPROVED_OPTION}"]
_EXTRA = ["done", "told", "nothing"]  # what a duty is measured by; always 0

MOST_MADE: Final = 44
"""What rules of one text make of cards by position (see `rules.made_facts`)."""
_MADE = [f"made {number}" for number in range(MOST_MADE)]

MOST_OWN: Final = 8
"""Bets that a rulebook declares itself, at one table."""
MOST_STAKED: Final = 4 + MOST_OWN
"""Bets that somebody stakes on, by their place in `questions.STAKED`."""
_HAS = [f"{who} has {number}" for who in ("player", "anybody") for number in range(MOST_STAKED)]

SLOTS: Final[dict[str, int]] = {
    name: slot for slot, name in enumerate((*_NAMES, *_SETTINGS, *_EXTRA, *_MADE, *_HAS))
}
FACT_COUNT: Final = len(SLOTS)
MADE: Final = SLOTS[_MADE[0]]
PLAYER_HAS: Final = SLOTS[_HAS[0]]
ANYBODY_HAS: Final = SLOTS[_HAS[MOST_STAKED]]
FILLED: Final[set[str]] = {*_EXTRA, *_MADE, *_HAS}
"""The facts that the columns fill in. A fact that is new to the vocabulary is not among them, and
what asks for it goes to the plain evaluator."""


def slot(name: str) -> int:
    FILLED.add(name)
    return SLOTS[name]


def span(group: str) -> tuple[int, int]:
    """First slot and end of a group of facts; they lie together."""
    found = [at for name, at in SLOTS.items() if name.startswith(group + ".")]
    assert found == list(range(found[0], found[0] + len(found))), group
    return found[0], found[0] + len(found)


def ranks_code(ranks: str) -> int:
    """The ranks of a hand, four bits for how many of each."""
    return sum(1 << (4 * RANKS.index(rank)) for rank in ranks.split("-")) if ranks else 0


def decoded(name: str, value: int) -> Any:
    """A number of the working memory as the plain evaluator has it."""
    if value == UNKNOWN:
        return None
    kind = FACTS[name].kind if name in FACTS else None
    if kind is None or kind.name == "bool":
        return bool(value)
    match kind.name:
        case "rank" | "enum":
            return _WORD_OF[value]
        case "ranks":
            return "-".join(
                rank for place, rank in enumerate(RANKS) for _ in range(value >> (4 * place) & 15)
            )
        case _:
            return value


_WORD_OF: Final = {code: word for word, code in WORDS.items()}

AS_DEALER: Final[dict[str, Any]] = {
    name: name.replace("hand.", "dealer.", 1)
    for name, home in HOMES.items()
    if home.of_dealer == "cards" and name.replace("hand.", "dealer.", 1) in HOMES
}
"""Facts of a hand that are read off the dealer's when the dealer's hand is asked about."""

NOT_OF_A_DEALER: Final[dict[str, Any]] = {
    name: 1 if name == "hand.number" else False
    for name, home in HOMES.items()
    if home.of_dealer == "none"
}
"""Marks that a dealer's hand does not have."""
