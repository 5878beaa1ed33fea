"""The hash of a table, `layout.table_hash`, as machine code."""

from __future__ import annotations

import numpy as np
from numba import njit

_K1 = np.uint64(0x9E3779B97F4A7C15)
_K2 = np.uint64(0xBF58476D1CE4E5B9)


@njit(cache=True, nogil=True, inline="always")  # type: ignore[misc,unused-ignore]
def fast_table_hash(rulebook, table):
    h = (np.uint64(rulebook) * _K1) ^ np.uint64(table)
    h = h * _K2
    h ^= h >> np.uint64(31)
    if h == np.uint64(0):
        h = np.uint64(1)
    return np.int64(h)
