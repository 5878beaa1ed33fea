"""Cards by position: which words name a card, and what may be asked of it."""

from __future__ import annotations

from rulespec.tree.kinds import BOOL, RANKS, SUITS, FactInfo, Kind, one_of

ORDINALS = (
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)
SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
"""By the letter of a log."""
NONE = "none"
"""The value of everything that is asked of a card that is not dealt."""
TRAITS: dict[str, Kind] = {
    "rank": one_of(*RANKS, NONE),
    "suit": one_of(*SUITS, NONE),
    "colour": one_of("red", "black", NONE),
    "points": Kind("int", (NONE,), 0, 21),
    "face": BOOL,
    "order": Kind("int", (NONE,), 2, 14),  # by rank, the ace the highest
}
SAME = ("rank", "suit", "colour", "points", "card")
POKER_RANKS = (
    "high_card",
    "pair",
    "flush",
    "straight",
    "three_of_a_kind",
    "straight_flush",
    "suited_three_of_a_kind",
    NONE,
)
"""Of three cards, the lowest first."""


def card_positions(hands: tuple[str, ...]) -> tuple[str, ...]:
    """All words for a card; alone they are the cards of the box, as they were dealt."""
    seats = hands or ("dealer", "hand")
    alone = () if hands else ORDINALS
    return (*alone, *(f"{seat}.{ordinal}" for seat in seats for ordinal in ORDINALS))


def card_fact(name: str, hands: tuple[str, ...]) -> FactInfo | None:
    """What may be asked of a card by position: `dealer.first.suit`."""
    card, _, trait = name.rpartition(".")
    if trait not in TRAITS or card not in card_positions(hands):
        return None
    seat, _, ordinal = card.rpartition(".")
    whose = f"the {ordinal} card of {f'the {seat}' if seat else 'the box'}"
    meaning = f"{whose} is a picture" if trait == "face" else f"{trait} of {whose}"
    return FactInfo(name, TRAITS[trait], f"{meaning}, none if not dealt")


def group_of(name: str, hands: tuple[str, ...]) -> str:
    """The group of a fact, which decides when it is known."""
    group = name.partition(".")[0]
    return "first" if group in ORDINALS and not hands else group


def colour_of(suit: str) -> str:
    return "red" if suit in "HD" else "black"
