"""Which groups of facts a question looks at, as bits: what nobody looks at is not worked out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

LIMITS: Final = 1
BOX: Final = 2
PLAYER: Final = 4
HAND: Final = 8
CARDS_OF_BOX: Final = 16
STAKE: Final = 32
ORIGINAL: Final = 64  # wager.stands_for_original
ONLY_SURRENDERED: Final = 128
MISSED_FIRST: Final = 256
MARKS: Final = 1024  # the little of a hand that dealing asks for
UNITS: Final = 512  # whether a stake is made up of whole units

_OF_GROUP = {
    "limit": LIMITS,
    "box": BOX,
    "player": PLAYER | BOX | LIMITS,
    "hand": HAND,
    "first": CARDS_OF_BOX,
    "second": CARDS_OF_BOX,
    "third": CARDS_OF_BOX,
    "wager": PLAYER | BOX | LIMITS | HAND | STAKE,
    "play": PLAYER | BOX | LIMITS | HAND,
}
OF_A_SEAT: Final = LIMITS | BOX | PLAYER | STAKE | UNITS
_ALONE = LIMITS | STAKE
_OF_FACT = {
    "wager.part": 0,
    **dict.fromkeys(
        ("wager.stake", "wager.under_minimum", "wager.over_maximum", "wager.after_call"), _ALONE
    ),
    **dict.fromkeys(
        (
            "wager.doubled",
            "wager.surrendered",
            "wager.forfeited",
            "wager.even_money",
            "wager.original_bust",
            "play.hand_untouched",
        ),
        HAND,
    ),
    **dict.fromkeys(
        (
            "wager.original",
            "wager.with_main",
            "wager.with_perfect_pairs",
            "wager.room",
            "wager.in_order",
        ),
        PLAYER | BOX | LIMITS,
    ),
    **dict.fromkeys(
        (
            "play.stake",
            "play.off_half_chip",
            "play.payable_in_chips",
            "play.before_next_card",
            "play.before_subsequent_deal",
            "play.before_second_dealer_card",
            "play.controller_did",
            "play.hand_settled",
        ),
        0,
    ),
    **dict.fromkeys(("play.hands_after", "player.someone_seated", "player.equal_stakes"), BOX),
    "wager.stands_for_original": _OF_GROUP["wager"] | ORIGINAL,
    "dealer.only_surrendered": ONLY_SURRENDERED,
    "dealer.missed_first": MISSED_FIRST,
    "box.doubled_before": HAND | BOX,
    **dict.fromkeys(
        (
            "hand.split",
            "hand.split_aces",
            "hand.split_tens",
            "hand.cards",
            "hand.number",
            "hand.doubled",
        ),
        MARKS,
    ),
    "card.held_when_doubled": HAND,
    **dict.fromkeys(("wager.off_unit", "wager.off_minimum", "wager.whole_units"), _ALONE | UNITS),
}


def needs(facts: Iterable[str]) -> int:
    bits = 0
    for fact in facts:
        group = fact.partition(".")[0]
        bits |= _OF_FACT[fact] if fact in _OF_FACT else _OF_GROUP.get(group, 0)
    return bits
