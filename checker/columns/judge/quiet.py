"""What was asked before and left nothing to note, known again by one word.

The tables of the judge hold where answers stand. Most of what is asked about cards and plays needs
no more than that it was asked before: words lie closer together than rows, and stay in the cache.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from checker.columns import desk as d
from checker.columns.machine.compile import inlined, inner
from checker.columns.rules.lookup import K1, mixed

KIND_SHIFT: Final = 50  # below it what tells one from others of the same kind
_THERE: Final = 1 << 62  # no such word is 0
_TRIES: Final = 8


@inner
def kind_of(w, first, second):
    """A small number for what many have in common; 0: there are too many. `second` is not 0."""
    spread = np.int64(mixed(first, second) & np.uint64(d.MOST_KINDS - 1))
    for k in range(_TRIES):
        number = (spread + k) & (d.MOST_KINDS - 1)
        place = d.KINDS + 2 * number
        if w[place + 1] == 0:
            w[place] = first
            w[place + 1] = second
        if w[place] == first and w[place + 1] == second:
            return number + 1
    return 0


@inlined
def word_for(kind, like):
    """0 for no kind: nothing is noted for it, and nothing found."""
    return (like | kind << KIND_SHIFT | _THERE) * np.int64(kind != 0)


@inlined
def place_of(table, bits, word):
    return table + np.int64((np.uint64(word) * K1) >> np.uint64(64 - bits))


@inlined
def is_noted(w, place, word):
    return ((w[place] == word) | (w[place ^ 1] == word)) & (word != 0)


@inlined
def note_quiet(w, place, word):
    """The one before gives way to its neighbour's place."""
    if word != 0:
        w[place ^ 1] = w[place]
        w[place] = word
