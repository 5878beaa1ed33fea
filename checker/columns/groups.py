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
TURNS: Final = 512

_OF_GROUP = {
    "limit": LIMITS, "box": BOX, "player": PLAYER | BOX | LIMITS, "hand": HAND,
    "first": CARDS_OF_BOX, "second": CARDS_OF_BOX, "third": CARDS_OF_BOX,
    "wager": PLAYER | BOX | LIMITS | HAND | STAKE, "play": PLAYER | BOX | LIMITS | HAND,
}  # fmt: skip
_OF_FACT = {
    "wager.stands_for_original": _OF_GROUP["wager"] | ORIGINAL,
    "dealer.only_surrendered": ONLY_SURRENDERED,
    "dealer.missed_first": MISSED_FIRST,
    "box.doubled_before": HAND | BOX,
    "card.held_when_doubled": HAND,
    "deal.in_turn": TURNS,
    "deal.hands_in_turn": TURNS,
}


def needs(facts: Iterable[str]) -> int:
    bits = 0
    for fact in facts:
        bits |= _OF_FACT.get(fact) or _OF_GROUP.get(fact.partition(".")[0], 0)
    return bits
