"""Names of tables, shoes and players as numbers that nobody can foretell.

The columns take two names for one if their numbers are equal. Each run has its own secret, so that
nobody can choose names for a log of which two have the same number.
"""

from __future__ import annotations

import os
from array import array
from typing import Final

MASK: Final = 2**64 - 1
SECRET: Final = array("Q", os.urandom(16))
SECRET[1] |= 1


def following(h: int, word: int) -> int:
    """The next number: of a product of twice the length, both halves count, so that every bit
    depends on the secret."""
    product = (h ^ word) * SECRET[1]
    return (product >> 64) ^ (product & MASK)


def signed(h: int) -> int:
    """As a signed number of 64 bits, never 0, which stands for no name."""
    h = h or 1
    return h - 2**64 if h >= 2**63 else h


def text_hash(text: bytes) -> int:
    """The number of a name. `fast_hashing.name_hash` is its twin in machine code."""
    h = following(SECRET[0], len(text))
    for start in range(0, len(text), 8):
        h = following(h, int.from_bytes(text[start : start + 8], "little"))
    return signed(h)


def table_hash(rulebook: int, table: int) -> int:
    """One number for a table of a rulebook, from the two numbers; 0: no rulebook was named."""
    return signed(following(following(SECRET[0], rulebook & MASK), table & MASK))


def round_hash(table: int, shoe: int, day: int, round_id: bytes) -> int:
    """By what a round is known: its table with the rulebook, its shoe, the written day, its id."""
    return table_hash(table_hash(table, shoe), table_hash(day, text_hash(round_id)))
