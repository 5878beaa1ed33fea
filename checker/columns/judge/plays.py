"""Drawing, standing and doubling on plain hands: most plays are like others before them.

What tells such plays apart is packed into one word, the options of the table into another; where
the answer stands is noted with both.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from checker.columns import desk as d
from checker.columns.batch import OPTION_CODES
from checker.columns.judge.facts import EQUAL, PLAYER_START, SOMEONE_SEATED
from checker.columns.judge.hands import DEALER_CARDS, hand_at, is_plain, reckon, same_value
from checker.columns.judge.seats import CONTROLS, FIRST_ON_BOX, HIGHEST, SEATED, seat_of
from checker.columns.known_game import APPROVED_OPTION
from checker.columns.machine.compile import inlined, inner
from checker.columns.rules.looker import Looked
from checker.columns.rules.lookup import mixed
from checker.columns.rules.program import PLAIN
from checker.columns.slots import UNKNOWN

NOT_PLAIN: Final = -1

# What tells one play from another, with the bits of `played_like` for it.
OF_A_PLAY: Final = {
    "hand.cards": 31,
    "hand.total": 63 << 5,
    "hand.hard_total": 63 << 11,
    "hand.soft": 1 << 17,
    "hand.aces": 15 << 18,
    "hand.ten_cards": 15 << 22,
    "hand.stood": 1 << 26,
    "hand.equal_value": 1 << 27,
    "hand.declined_split": 1 << 28,
    "box.players": 15 << 29,
    "dealer.cards": 1 << 33,
    "player.controls": 3 << 34,
    "player.seated": 3 << 36,
    "player.someone_seated": 3 << 38,
    "player.equal_stakes": 3 << 40,
    "player.first_on_box": 3 << 42,
    "player.highest_stake": 3 << 44,
}
# The same of doubling, where the stake is only held against the original wager.
OF_A_DOUBLE: Final = {"play.controller_did": 1 << 46, "play.stake": 3 << 47}
_MORE: Final = (("play.stake", 1), ("wager.original", -1))
# The same for all such plays, as long as nobody has given a hand of the box up.
_SAME: Final = {*PLAIN, "box.hands", "player.next_in_line", "play.controller_did", "wager.part"}
_RESPLIT: Final = len(OPTION_CODES)
# What a table offers, with the bits of R_OPTIONS for it.
OFFERS: Final = {
    **{f"option {word}": 1 << code for word, code in OPTION_CODES.items()},
    f"approved {APPROVED_OPTION}": 1 << _RESPLIT,
    "round.decks": (1 << d.PROGRAM_OF_PLAY) - (2 << _RESPLIT),
}


def play_looks(found: Looked, term: Looked | None, doubles: bool) -> int:
    """Bits of what a question looks at, also through the term of the hand; 0: at more than that."""
    told = OF_A_PLAY | (OF_A_DOUBLE if doubles else {})
    same = _SAME - set(told)
    looks = set(found.facts) - {"hand.pontoon"}
    sums = dict(found.sums)
    if doubles:
        against = {constant for _, constant in sums.pop(_MORE, ())}
        if not against <= {0} or any(found.facts.get(name) for name, _ in _MORE):
            return 0
        same |= {"wager.original"}
    if "hand.pontoon" in found.terms:
        if term is None or term.sums or term.terms:
            return 0
        looks |= set(term.facts)
    if sums or set(found.terms) - {"hand.pontoon"}:
        return 0
    if looks - same - set(told) - set(OFFERS):
        return 0
    return sum(bits for name, bits in told.items() if name in looks) | 1 << 62


def option_looks(*found: Looked | None) -> int:
    """Bits of what the table offers that questions look at."""
    looks = {name for one in found if one is not None for name in one.facts}
    return sum(bits for name, bits in OFFERS.items() if name in looks)


@inlined
def _three(w, seat, fact):
    """0 not known, 1 no, 2 yes."""
    value = w[seat + fact - PLAYER_START]
    return np.int64(0) if value == UNKNOWN else value + 1


@inlined
def doubled_like(did, stake, original):
    """`did`: whether who decides doubles too."""
    return np.int64(did) << 46 | (np.int64(stake >= original) + np.int64(stake > original)) << 47


@inner
def played_like(code, known, w, looks, box, player, doubled):
    """What tells this play from others; NOT_PLAIN: it takes more to tell. `doubled`: what tells it
    from others that double."""
    h = hand_at(box, 1)
    b = d.B + box * d.BOX_WIDTH
    if w[b + d.B_SURRENDERED] or w[DEALER_CARDS] > 1 or not is_plain(w, h):
        return np.int64(NOT_PLAIN)
    seat = seat_of(w, box, player)
    if seat < 0 or reckon(code, known, w, h) < 0 or w[h + d.H_TOTAL] == UNKNOWN:
        return np.int64(NOT_PLAIN)
    count = w[h + d.H_CARDS]
    equal = count == 2 and same_value(w[h + d.H_CODE] >> 2, w[h + d.H_CODE + 1] >> 2)
    if w[h + d.H_HARD] > 63:
        return np.int64(NOT_PLAIN)
    return looks & (
        doubled
        | count
        | w[h + d.H_TOTAL] << 5
        | w[h + d.H_HARD] << 11
        | w[h + d.H_SOFT] << 17
        | w[h + d.H_ACES] << 18
        | w[h + d.H_TENS] << 22
        | w[h + d.H_STOOD] << 26
        | np.int64(equal) << 27
        | w[b + d.B_DECLINED] << 28
        | w[b + d.B_PLAYERS] << 29
        | w[DEALER_CARDS] << 33
        | _three(w, seat, CONTROLS) << 34
        | _three(w, seat, SEATED) << 36
        | _three(w, seat, SOMEONE_SEATED) << 38
        | _three(w, seat, EQUAL) << 40
        | _three(w, seat, FIRST_ON_BOX) << 42
        | _three(w, seat, HIGHEST) << 44
    )


@inlined
def place_of(w, like, other):
    """Where the answer is noted; it is another one's until it is noted anew."""
    spread = mixed(like, other) & np.uint64((1 << d.PLAYED_BITS) - 1)
    place = d.PLAYED + np.int64(spread) * d.PLAYED_WIDTH
    if w[place] != like + 1 or w[place + 1] != other:
        w[place] = like + 1  # 0: nothing is noted
        w[place + 1] = other
        w[place + 2] = NOT_PLAIN
    return place


@inlined
def offered(w, options, program):
    """The program, and of what the table offers the `options` that it looks at."""
    return w[d.R_OPTIONS] & options | program << d.PROGRAM_OF_PLAY
