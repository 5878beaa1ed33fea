"""The law's day of a round: the day in the zone that its rulebook names."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from checker.columns import batch as to
from checker.columns.read.scan import AHEAD, CLOCK, SCANNED, Scan

if TYPE_CHECKING:
    from rulespec.resolve.rulebook import Rulebook

Offsets: TypeAlias = tuple[int, int, int]
"""On one day of universal time: how far a zone is ahead at first, when that changes, and how far
it is ahead then. Microseconds."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY: Final = 86_400_000_000
_MINUTE: Final = 60_000_000
_FIRST_DAY: Final = 719163  # the ordinal of 1970-01-01


class Zones:
    """Of the rulebooks of a library, as the rows of a batch number them."""

    def __init__(self, books: list[Rulebook | None]) -> None:
        """`books`: first the one for rounds that name none that is at hand."""
        self.books = books
        self.named = {number for number, book in enumerate(books) if book and book.zone}
        self._known: dict[tuple[int, int], Offsets] = {}

    def day(self, book: int, at: datetime) -> int:
        found = self.books[book + 1] if self.books else None
        return (found.day_of(at) if found is not None else at.date()).toordinal()

    def set_days(self, found: Scan) -> None:
        """Of the rows that were scanned: until now they have the day as it is written."""
        for number in self.named:
            rows = found.rounds[:, to.BOOK] == number - 1
            rows = np.flatnonzero(rows & (found.spans[:, SCANNED] == 1))
            clock = found.spans[rows, CLOCK] - found.spans[rows, AHEAD] * _MINUTE
            days, which = np.unique(clock // _DAY, return_inverse=True)
            if not len(days):
                continue
            offsets = [self._offsets(number, day) for day in days.tolist()]
            before, change, after = np.array(offsets, np.int64).T[:, which]
            there = clock + np.where(clock < change, before, after)
            found.rounds[rows, to.DAY] = there // _DAY + _FIRST_DAY

    def _offsets(self, number: int, day: int) -> Offsets:
        known = self._known.get((number, day))
        if known is None:
            low, high = day * _DAY, (day + 1) * _DAY - 1
            before, after = self._ahead(number, low), self._ahead(number, high)
            while before != after and high - low > 1:
                middle = (low + high) // 2
                if self._ahead(number, middle) == before:
                    low = middle
                else:
                    high = middle
            known = self._known[number, day] = (before, high, after)
        return known

    def _ahead(self, number: int, clock: int) -> int:
        book = self.books[number]
        assert book is not None
        at = _EPOCH + timedelta(microseconds=clock)
        offset = at.astimezone(book.clock).utcoffset() or timedelta()
        return offset // timedelta(microseconds=1)
