"""What stands in a line between the time and the events: decoded once, by the strict decoder."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock
from typing import Any, Final

import numpy as np

from checker.columns import batch as to
from checker.columns.machine.compile import brief
from checker.columns.machine.fast_names import fast_table_hash
from checker.columns.machine.names import text_hash
from checker.columns.read.flatten import Builder
from checker.columns.read.scan import HEAD, HEAD_MAX, RULEBOOK, SCANNED, Scan
from checker.log.decode import DecodeError, decode_line
from checker.log.model import Round

# Every key that can stand before a head, so that one that stands twice is seen.
_BEFORE: Final = b'{"format":1,"round":"r","table":"t","shoe":"s","at":"2000-01-01T00:00:00Z"'
_AFTER: Final = b"[]}"
_MOST: Final = 20_000

# What the scanner finds out itself of a line; all other columns of a round come from its head.
_SCANNED: Final = (
    to.FIRST_EVENT,
    to.EVENTS,
    to.FIRST_PLAYER,
    to.PLAYERS,
    to.TABLE,
    to.SHOE,
    to.DAY,
    to.LINE,
    to.START,
    to.LENGTH,
    to.KEY,
)
_COPIED: Final = np.array([c for c in range(to.ROUND_WIDTH) if c not in _SCANNED])
# a row of a head: that of a round with it, and these
_GOOD, _RULEBOOK_HASH, _RULEBOOK, _WIDTH = range(to.ROUND_WIDTH, to.ROUND_WIDTH + 4)
_BAD: Final = 0  # the row of a head that is not good


def head_of(head: bytes) -> Round:
    """A round that says what this head says."""
    return decode_line(_BEFORE + head + _AFTER)


class Heads:
    """The heads of a log so far. Chunks of it may be completed side by side."""

    def __init__(self, books: Iterable[str]) -> None:
        self._builder = Builder(books)
        self._known = {b"": _BAD}
        self._rows = np.zeros((64, _WIDTH), np.int64)
        self._limits = np.zeros((0, to.LIMIT_WIDTH), np.int64)
        self._lock = Lock()
        self.rulebooks: list[str | None] = []
        """The rulebooks that the lines name, as `RULEBOOK` counts them."""
        self._rulebook_codes: dict[str | None, int] = {}
        self.rounds: dict[bytes, Round] = {}
        """For each head a round that says what it says."""

    @property
    def minima(self) -> list[dict[str, int]]:
        """As `Batch.minima` has them."""
        return self._builder.minima

    @property
    def settings(self) -> list[frozenset[str]]:
        """As `Batch.settings` has them."""
        return self._builder.settings

    def complete(self, found: Scan) -> Any:
        """Fill in what the head of each line says, and return the rows of limits. Lines whose
        head is not good are left to the strict decoder."""
        with self._lock:
            chosen = np.array([self._row_of(head) for head in found.heads], np.int64)
            rows, limits = self._rows, self._limits
        if len(chosen):
            _fill(found.rounds, found.spans, rows[chosen])
        return limits

    def _row_of(self, head: bytes) -> int:
        row = self._known.get(head)
        if row is None:
            row = len(self._known)
            if row >= _MOST or len(head) > HEAD_MAX:  # a log that writes another into every line
                return _BAD
            if row == len(self._rows):
                self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
            self._rows[row] = self._decoded(head)
            self._known[head] = row
        return row

    def _decoded(self, head: bytes) -> list[int]:
        try:
            round_ = head_of(head)
        except DecodeError:
            return [0] * _WIDTH
        self.rounds[head] = round_
        builder = self._builder
        builder.add(round_)
        row = builder.rounds.pop()
        if len(builder.limits) > len(self._limits):
            self._limits = np.array(builder.limits, np.int64)
        named = round_.rulebook
        if named not in self._rulebook_codes:
            self._rulebook_codes[named] = len(self.rulebooks)
            self.rulebooks.append(named)
        hashed = 0 if named is None else text_hash(named.encode())
        return [*row, 1, hashed, self._rulebook_codes[named]]


@brief
def _fill(rounds: Any, spans: Any, heads: Any) -> None:
    for row in range(len(rounds)):
        if not spans[row, SCANNED]:
            continue
        head = heads[spans[row, HEAD]]
        if not head[_GOOD]:
            spans[row, SCANNED] = 0
            rounds[row, to.STATUS] = to.SKIP
            continue
        for column in _COPIED:
            rounds[row, column] = head[column]
        spans[row, RULEBOOK] = head[_RULEBOOK]
        rounds[row, to.TABLE] = fast_table_hash(head[_RULEBOOK_HASH], rounds[row, to.TABLE])
