"""The requirements of a deal, asked for each card: most cards are dealt like others before them."""

from __future__ import annotations

from typing import Final

import numpy as np

from checker.columns import desk as d
from checker.columns.ask import mixed
from checker.columns.compiled import inner
from checker.columns.program import Looked

# Facts that are not the same for all cards of a round, with the bits of `dealt_like` for them.
OF_A_DEAL: Final = {
    "card.copies": 7, "deal.in_turn": 1 << 3, "deal.hands_in_turn": 1 << 4,
    "deal.initial": 1 << 5, "deal.to_dealer": 1 << 6, "box.has_main": 1 << 6,
    "card.position": 31 << 7, "hand.cards": 31 << 7, "card.rank": 15 << 12,
    "hand.split": 15 << 16, "hand.split_aces": 15 << 16, "hand.split_tens": 15 << 16,
    "hand.doubled": 1 << 20, "card.held_when_doubled": 1 << 21, "hand.number": 7 << 22,
    "box.players": 15 << 25, "dealer.missed_first": 1 << 29,
}  # fmt: skip
MISSED_FIRST: Final = OF_A_DEAL["dealer.missed_first"]
_COPIES: Final = ((("card.copies", 1), ("round.decks", -1)), {-1, 0, 1})
_SAME = ("option ", "shoe.", "approved ", "round.", "deal.call_made", "card.initial")


def deal_looks(found: Looked) -> int:
    """Bits of what a question looks at; 0: at more than a deal is told by."""
    for name, tests in found.facts.items():
        if name not in OF_A_DEAL and not name.startswith(_SAME):
            return 0
        if name == "card.copies" and tests:
            return 0
    for parts, tests in found.sums.items():
        names = {name for name, _ in parts}
        if names & set(OF_A_DEAL) and (
            parts != _COPIES[0] or not {constant for _, constant in tests} <= _COPIES[1]
        ):
            return 0
    bits = (bits for name, bits in OF_A_DEAL.items() if name in found.facts)
    return int(np.bitwise_or.reduce([7 | 15 << 3, *bits]))


@inner
def dealt_like(looks, box, held, card, over, in_turn, hands_in_turn, initial, split, doubled,
               number, players, missed):  # fmt: skip
    """What tells this card from others of the round. `over`: copies of it beyond the decks."""
    return looks & (
        (min(max(over, -2), 2) + 2) | in_turn << 3 | hands_in_turn << 4 | initial << 5
        | np.int64(box == 0) << 6 | (held + 1) << 7 | (card >> 2) << 12 | split << 16
        | np.int64(doubled > 0) << 20 | np.int64(doubled > held) << 21 | number << 22
        | players << 25 | missed << 29
    )  # fmt: skip


@inner
def place_of(w, like):
    """Where the answer for such a card is noted."""
    place = mixed(w[d.R_DEAL_FIRST], like) & np.uint64((1 << d.DEALT_BITS) - 1)
    return d.DEALT + np.int64(place) * d.DEALT_WIDTH


@inner
def noted_at(w, place, like):
    """Where the answer stands, -1 when that is not known."""
    if (w[place] == w[d.R_DEAL_FIRST] and w[place + 1] == w[d.R_DEAL_SECOND]
            and w[place + 2] == like):  # fmt: skip
        return w[place + 3]
    return -1


@inner
def note_deal(w, place, like, at):
    w[place] = w[d.R_DEAL_FIRST]
    w[place + 1] = w[d.R_DEAL_SECOND]
    w[place + 2] = like
    w[place + 3] = at
