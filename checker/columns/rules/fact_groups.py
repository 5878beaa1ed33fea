"""Which groups of facts a question looks at, as bits: what nobody looks at is not worked out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from checker.columns.slots import MADE, SLOTS
from checker.evaluate.facts.boxes import HOMES

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
HAS: Final = 2048  # whether the player has some bet
OFFER: Final = 4096  # what the player has in bets that are offered together
MADE_SHIFT: Final = 16  # from here on one bit for each of what rules make of cards by position

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
_NAMED = {
    "limits": LIMITS,
    "box": BOX,
    "player": PLAYER,
    "hand": HAND,
    "stake": STAKE,
    "original": ORIGINAL,
    "only surrendered": ONLY_SURRENDERED,
    "missed first": MISSED_FIRST,
    "marks": MARKS,
    "units": UNITS,
    "offer": OFFER,
}
_OF_FACT = {
    name: sum(_NAMED[word] for word in home.column)
    for name, home in HOMES.items()
    if home.column is not None
}


def needs(facts: Iterable[str]) -> int:
    bits = 0
    for fact in facts:
        if fact.startswith("made "):
            bits |= 1 << (MADE_SHIFT + SLOTS[fact] - MADE)
            continue
        if fact.startswith("player has "):
            bits |= HAS
        group = fact.partition(".")[0]
        bits |= _OF_FACT[fact] if fact in _OF_FACT else _OF_GROUP.get(group, 0)
    return bits
