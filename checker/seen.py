"""Which rounds a log has had so far, so that one that stands twice is known.

Casinos number their rounds: numbers that follow each other cost nothing to remember. Of ids that
are not numbered a digest of eight bytes is kept, on disk once there are many.
"""

from __future__ import annotations

import mmap
import os
import re
import tempfile
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from hashlib import blake2b
from heapq import merge
from typing import Final

Series = tuple[str, str, str, int]
"""Rulebook, table, what stands before the number, and how many digits the number has."""

_NUMBER: Final = re.compile(r"[0-9]{1,18}\Z", re.ASCII)
_RANGES_MOST: Final = 200_000
_DIGESTS_AT_HAND: Final = 200_000
_SECRET: Final = os.urandom(16)  # so that nobody can choose ids with the same digest


class SeenRounds:
    """Exact for numbered rounds; for others as good as a digest of 64 bits."""

    def __init__(self, most: int = _RANGES_MOST) -> None:
        self._most = most
        self._ranges: dict[Series, list[int]] = {}  # first and last, first and last, …
        self._count = 0
        self._full = False  # once they are, what follows on nothing is kept as a digest
        self._digests = Digests()

    def add(self, rulebook: str | None, table: str, round_id: str) -> bool:
        """Remember a round; False if it was there before."""
        # casinos number their tables alike: a rulebook keeps them apart
        series, number = series_of(rulebook or "", table, round_id)
        parts = (rulebook or "", table, round_id)
        if self._full and self._digests.holds(*parts):
            return False
        ranges = self._ranges.get(series, [])
        place = bisect_right(ranges, number)
        if place % 2 or (place and ranges[place - 1] == number):
            return False
        before = place > 0 and ranges[place - 1] == number - 1
        after = place < len(ranges) and ranges[place] == number + 1
        if before and after:
            del ranges[place - 1 : place + 1]
        elif before:
            ranges[place - 1] = number
        elif after:
            ranges[place] = number
        elif self._full:
            self._digests.add(*parts)
        else:
            ranges[place:place] = [number, number]
            self._ranges[series] = ranges
            self._count += 1
            self._full = self._count >= self._most
        return True

    def add_following(self, series: Series, first: int, last: int) -> bool:
        """Remember a run of numbers that begins a series or goes on where it ends; else do
        nothing."""
        if self._full:
            return False
        ranges = self._ranges.get(series)
        if ranges is None:
            self._ranges[series] = [first, last]
            self._count += 1
            self._full = self._count >= self._most
        elif ranges[-1] == first - 1:
            ranges[-1] = last
        else:
            return False
        return True


def series_of(rulebook: str, table: str, round_id: str) -> tuple[Series, int]:
    found = _NUMBER.search(round_id)
    digits = found[0] if found else ""
    before = round_id[: len(round_id) - len(digits)]
    return (rulebook, table, before, len(digits)), int(digits or 0)


class Digests:
    """A set of digests that only grows. Sorted runs of eight bytes each, the long ones on disk."""

    def __init__(self, at_hand: int = _DIGESTS_AT_HAND) -> None:
        self._at_hand = at_hand
        self._recent: set[int] = set()
        self._runs: list[memoryview] = []  # each at least twice as long as the next

    def holds(self, *parts: str) -> bool:
        digest = _digest(parts)
        return digest in self._recent or any(_holds(run, digest) for run in self._runs)

    def add(self, *parts: str) -> None:
        self._recent.add(_digest(parts))
        if len(self._recent) >= self._at_hand:
            self._store()

    def _store(self) -> None:
        joined: list[Sequence[int]] = [sorted(self._recent)]
        size = len(self._recent)
        while self._runs and len(self._runs[-1]) < 2 * size:
            size += len(self._runs[-1])
            joined.append(self._runs.pop())
        self._recent.clear()
        self._runs.append(_run(joined, size, on_disk=size > 2 * self._at_hand))


def _digest(parts: tuple[str, ...]) -> int:
    key = "".join(f"{len(part)}:{part}" for part in parts).encode()
    return int.from_bytes(blake2b(key, digest_size=8, key=_SECRET).digest(), "big")


def _holds(run: memoryview, digest: int) -> bool:
    place = bisect_left(run, digest)
    return place < len(run) and run[place] == digest


def _run(joined: list[Sequence[int]], size: int, on_disk: bool) -> memoryview:
    if not on_disk:
        return memoryview(array("Q", merge(*joined)))
    with tempfile.TemporaryFile() as file:
        file.truncate(8 * size)
        view = memoryview(mmap.mmap(file.fileno(), 8 * size)).cast("Q")
    for place, digest in enumerate(merge(*joined)):
        view[place] = digest
    return view
