"""What a row of Parquet says between its time and its events, as the head that it would have as a
line: rows share few heads, and each is decoded once."""

from __future__ import annotations

import json
import math
from functools import lru_cache
from typing import Any, Final

import numpy as np

from checker.columns.parquet.arrays import numbers
from checker.log.decode import DecodeError, parse_json

_CODED: Final = ("rulebook", "options", "limits")
_KEYS: Final = 2**16  # up to so many possible heads a list of all is cheaper than sorting


def heads_of(column: dict[str, Any]) -> tuple[list[bytes], Any]:
    """The heads that these rows would have as lines, and which of them each row has; OverflowError
    where the dictionaries are too long to number all heads that there could be."""
    coded = [column[name] for name in _CODED]
    decks = numbers(column["decks"], np.int8, 0)
    if 256 * math.prod(len(one.dictionary) + 1 for one in coded) >= 2**63:
        raise OverflowError
    keys = decks.astype(np.int64) - decks.min(initial=0)
    for one in coded:
        keys *= len(one.dictionary) + 1
        keys += numbers(one.indices, np.int32, len(one.dictionary))
    first, which = _first_of_each(keys)
    heads = []
    for row in first.tolist():
        rulebook, options, limits = (one[row].as_py() for one in coded)
        heads.append(_head(rulebook, int(decks[row]), options, limits))
    return heads, which


def _first_of_each(keys: Any) -> tuple[Any, Any]:
    """A row of each key, and which of these keys each row has."""
    if len(keys) and keys.max() < _KEYS:
        row_of = np.full(int(keys.max()) + 1, -1, np.int32)
        row_of[keys] = np.arange(len(keys), dtype=np.int32)
        there = np.flatnonzero(row_of >= 0)
        first = row_of[there]
        row_of[there] = np.arange(len(there), dtype=np.int32)
        return first, row_of[keys]
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    return first, which.reshape(len(keys)).astype(np.int32)


@lru_cache(maxsize=4096)
def _head(rulebook: str | None, decks: int, options: str | None, limits: str | None) -> bytes:
    parts = [] if rulebook is None else [f'"rulebook":{json.dumps(rulebook)}']
    parts.append(f'"decks":{decks}')
    for name, text in (("options", options), ("limits", limits)):
        if text is not None:
            try:
                parse_json(text)
            except DecodeError:
                return b"not good"
            parts.append(f'"{name}":{text}')
    return ("," + ",".join(parts) + ',"events":').encode()
