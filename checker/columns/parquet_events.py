"""What the words of an event in Parquet stand for, and which kinds of events may have them.

An event is read by machine code if each of its words is one that its kind may have; all others are
for the strict decoder. Which kinds may have a word is a number with a bit for each kind.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np

from checker.columns import layout as to
from checker.columns.compiled import compiled
from checker.parquet_layout import NO_BOX, NO_CENTS, NO_HAND, wager_words
from checker.rounds import BOX_MAX, HAND_MAX, RETURN_MAX, STAKE_MAX

NONE: Final = -1  # an empty text
OTHER: Final = -2  # a word that no list has
NO_KIND: Final = 31  # a word that is no kind of event
KIND_BITS: Final = NO_KIND + 1
# of a word of `what`: its codes as a play, as a bet and as a wager, and for all other events; the
# marks of a wager; which kinds may have it
AS_PLAY, AS_BET, AS_WAGER, AS_NOTHING, MARKS, WHAT_KINDS, WHAT_WIDTH = range(7)
# of a word of `card`: its code, what it marks a wager with, which kinds may have it
CARD, CARD_MARK, CARD_KINDS, CARD_WIDTH = range(4)

_NAMED: Final = (to.WAGER, to.PLAY, to.SETTLE, to.ABSENT, to.WARN)
_UNNAMED: Final = (to.DEAL, to.BURN, to.CUT_CARD, to.OFFER, to.SHUFFLE, to.NO_MORE_BETS)
_READ: Final = (*_NAMED, *_UNNAMED)
_WITH_WORDS: Final = (to.WAGER, to.PLAY, to.SETTLE, to.OFFER, to.WARN)
_CARDS: Final = {**to.CARD_CODES, "": NONE}


def bits(*kinds: int) -> int:
    return sum(1 << kind for kind in kinds)


def _limits(none: int, of: dict[int, tuple[int, int]]) -> Any:
    """The lowest and the highest number of each kind; `none` alone for those that are not named."""
    found = np.array([(1, 0)] * KIND_BITS, np.int64)
    for kind in _READ:
        found[kind] = of.get(kind, (none, none))
    return found


SAYS_WHO: Final = bits(*_NAMED)
SAYS_NOBODY: Final = bits(*_UNNAMED)
HAND_ONE: Final = bits(to.WAGER, to.DEAL, to.PLAY)  # where no hand is named, it is the first
CODE_AS: Final = np.full(KIND_BITS, AS_NOTHING, np.int32)
CODE_AS[[to.PLAY, to.SETTLE, to.WAGER]] = AS_PLAY, AS_BET, AS_WAGER
_OF_A_PLAYER: Final = (1, BOX_MAX)
BOXES: Final = _limits(NO_BOX, {
    **dict.fromkeys((to.WAGER, to.PLAY, to.SETTLE, to.ABSENT), _OF_A_PLAYER),
    to.DEAL: (0, BOX_MAX), to.CUT_CARD: (NO_BOX, BOX_MAX),
})  # fmt: skip
HANDS: Final = _limits(
    NO_HAND, dict.fromkeys((to.DEAL, to.PLAY, to.SETTLE), (NO_HAND, HAND_MAX))
)
CENTS: Final = _limits(NO_CENTS, {
    to.WAGER: (1, STAKE_MAX), to.PLAY: (1, STAKE_MAX), to.SETTLE: (0, RETURN_MAX),
})  # fmt: skip
STAKE_OR_NOT: Final = bits(to.PLAY)


@compiled
def number_kinds(words: Any, limits: Any, none: int, or_none: int) -> Any:
    """Of each number the kinds that may have it; those of `or_none` may also have none."""
    found = np.zeros(len(words), np.int32)
    for place in range(len(words)):
        number = words[place]
        kinds = or_none if number == none else 0
        for kind in range(len(limits)):
            if limits[kind, 0] <= number and number <= limits[kind, 1]:
                kinds |= 1 << kind
        found[place] = kinds
    return found


# Most row groups have the same words.


@lru_cache(maxsize=64)
def kinds_of(words: tuple[str, ...]) -> Any:
    return np.array([to.KIND_CODES.get(word, NO_KIND) for word in words], np.int32)


@lru_cache(maxsize=64)
def cards_of(words: tuple[str, ...]) -> Any:
    table = np.zeros((len(words), CARD_WIDTH), np.int32)
    for place, word in enumerate(words):
        code = _CARDS.get(word, OTHER)
        may = [to.WAGER]
        if code == NONE:
            may += [kind for kind in _READ if kind not in (to.WAGER, to.DEAL)]
        elif code >= 0:
            may += [to.DEAL, to.BURN]
        table[place] = code, 0 if code == NONE else 2 << to.PLAYER_CARD_SHIFT, bits(*may)
    return table


@lru_cache(maxsize=64)
def whats_of(words: tuple[str, ...]) -> Any:
    table = np.zeros((len(words), WHAT_WIDTH), np.int32)
    for place, word in enumerate(words):
        bet, marks = wager_words(word)
        seated = marks.get("seated")
        as_play, as_bet = to.PLAY_CODES.get(word, OTHER), to.BET_CODES.get(word, OTHER)
        as_wager = to.BET_CODES.get(bet, OTHER)
        may = [to.OFFER, to.WARN] if word else [k for k in _READ if k not in _WITH_WORDS]
        may += [to.PLAY] if as_play >= 0 else []
        may += [to.SETTLE] if as_bet >= 0 else []
        may += [to.WAGER] if 0 <= as_wager <= to.SUPER_SEVENS else []
        table[place] = (
            as_play, as_bet, as_wager, NONE,
            (to.CONTROL if "control" in marks else 0)
            | (0 if seated is None else 2 if seated else 1) << to.SEATED_SHIFT,
            bits(*may),
        )  # fmt: skip
    return table
