"""Rounds that stand twice, a piece of a log at a time."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from checker.columns import batch as to
from checker.columns.machine.compile import brief, compiled
from checker.columns.machine.fast_names import fast_table_hash, name_hash
from checker.columns.read.heads import Heads
from checker.columns.read.scan import (
    ID_LENGTH,
    ID_START,
    RULEBOOK,
    SCANNED,
    TABLE_LENGTH,
    TABLE_START,
    Scan,
)
from checker.log.repeated_rounds import Earlier, Place, Repeat, SeenRounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from checker.columns.gathered import Gathered

_ON_DISK: Final = 2**19  # rounds
_LINE_BITS: Final = 40
_KEY, _RAW, _PLACE = range(3)  # what is kept of a round


def identity(found: Scan, heads: Heads, row: int) -> tuple[str | None, str, str]:
    """Rulebook, table and id of a scanned round."""
    span = found.spans[row]
    table, round_id = (
        found.data[start : start + size].tobytes().decode()
        for start, size in (span[TABLE_START : TABLE_LENGTH + 1], span[ID_START : ID_LENGTH + 1])
    )
    return heads.rulebooks[span[RULEBOOK]], table, round_id


@brief
def set_keys(data: int, rounds: Any, spans: Any) -> None:
    """By what the scanned rounds are known; `hashing.round_hash` is its twin."""
    for row in range(len(rounds)):
        if spans[row, SCANNED]:
            named = name_hash(data, spans[row, ID_START], spans[row, ID_LENGTH])
            table = fast_table_hash(rounds[row, to.TABLE], rounds[row, to.SHOE])
            rounds[row, to.KEY] = fast_table_hash(
                table, fast_table_hash(rounds[row, to.DAY], named)
            )


def hashed_lines(found: Scan) -> Any:
    """Of each line a number: lines with the same number say the same."""
    lines = np.empty(len(found.rounds), np.int64)
    _hash_lines(found.data.ctypes.data, found.rounds, lines)
    return lines


@compiled
def _hash_lines(data: int, rounds: Any, lines: Any) -> None:
    for row in range(len(rounds)):
        lines[row] = name_hash(data, rounds[row, to.START], rounds[row, to.LENGTH])


class Twice:
    """What is kept of all rounds so far: runs, each sorted and at least twice as long as the next.

    Only rounds that seem to have stood before are decoded and compared."""

    def __init__(self, logs: Sequence[str]) -> None:
        self._earlier = Earlier(logs)
        self._runs: list[Any] = []
        self._seen: SeenRounds | None = None

    def repeats(self, piece: Gathered, lines: Any, places: Any) -> dict[int, Repeat]:
        """Remember the rounds of a piece; the rows of those that stood before. `lines`: numbers of
        the lines, None where there are none; `places`: of each row the file and the line."""
        rounds = piece.batch.rounds
        rows = np.flatnonzero(rounds[:, to.STATUS] != to.SKIP)
        rows = rows[np.argsort(rounds[rows, to.KEY], kind="stable")]
        kept = np.empty((3, len(rows)), np.int64)
        keys = kept[_KEY] = rounds[rows, to.KEY]
        kept[_RAW] = 0 if lines is None else lines[rows]
        kept[_PLACE] = (places[rows, 0] << _LINE_BITS) | places[rows, 1]
        known = np.zeros(len(rows), np.bool_)
        known[1:] = keys[1:] == keys[:-1]
        for run in self._runs:
            at = np.minimum(np.searchsorted(run[_KEY], keys), run.shape[1] - 1)
            known |= run[_KEY][at] == keys
        if not known.any():
            self._add(kept)
            return {}
        self._add(kept[:, ~known])
        here = dict(zip(kept[_PLACE].tolist(), rows.tolist(), strict=True))
        again = zip(rows[known].tolist(), kept[:, known].T.tolist(), strict=True)
        found = {row: self._repeat(piece, row, one, here) for row, one in sorted(again)}
        return {row: repeat for row, repeat in found.items() if repeat is not None}

    def _repeat(
        self, piece: Gathered, row: int, kept: list[int], here: dict[int, int]
    ) -> Repeat | None:
        key, raw, place = kept
        first, known = next(
            (int(run[_PLACE][at]), int(run[_RAW][at]))
            for run in self._runs
            if (at := int(np.searchsorted(run[_KEY], key))) < run.shape[1] and run[_KEY][at] == key
        )
        if raw and raw == known:
            return Repeat(_place(first), copy=True)
        before = piece.round_at(here[first]) if first in here else self._earlier.at(_place(first))
        if before is None:
            return Repeat(_place(first), copy=False)
        if self._seen is None:
            self._seen = SeenRounds()
        self._seen.add(before, _place(first))
        return self._seen.add(piece.round_at(row), _place(place))

    def _add(self, run: Any) -> None:
        joined = [run]
        size = run.shape[1]
        if not size:
            return
        while self._runs and self._runs[-1].shape[1] < 2 * size:
            joined.append(self._runs.pop())
            size += joined[-1].shape[1]
        if len(joined) > 1:
            run = np.concatenate(joined, axis=1)
            run = run[:, np.argsort(run[_KEY], kind="stable")]
        self._runs.append(_on_disk(run) if size > _ON_DISK else run)


def _place(packed: int) -> Place:
    return Place(packed >> _LINE_BITS, packed & (1 << _LINE_BITS) - 1)


def _on_disk(run: Any) -> Any:
    with tempfile.TemporaryFile() as file:
        kept = np.memmap(file, np.int64, "w+", shape=run.shape)
    kept[:] = run
    return kept
