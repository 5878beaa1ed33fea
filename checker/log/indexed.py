"""A log whose rounds are found by their places, wherever they stand in it."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from checker.log.model import Round
from checker.log.open import open_log
from checker.log.parquet_rows import batches, open_parquet, row_at
from checker.log.places import Marks, Places, places_of
from checker.log.read import Line, LogLine, Quarantined, judge_line, judge_row
from checker.log.text_at import Text, text_of

_GROUPS: Final = 4  # of Parquet, kept at hand


class IndexedLog:
    def __init__(self, name: str, places: Places) -> None:
        self.name, self.places = name, places
        opened = open_log(name)
        opened.close()
        self._rows: _ParquetRows | None = None
        self._text: Text | None = None
        if opened.parquet:
            self._rows = _ParquetRows(name, opened.damaged)
        else:
            self._text = text_of(Path(name), opened.plain)

    def go_through(self) -> None:
        """Make every later look a quick one."""
        if self._text is not None:
            self._text.go_through(self.places.starts[-1])

    def line(self, row: int) -> LogLine | None:
        """What stands on a line; None where nothing does."""
        if self._rows is not None:
            return self._rows.at(row)
        assert self._text is not None
        start, end = self.places.starts[row : row + 2]
        raw = self._text.at(start, end).removesuffix(b"\n")
        found = judge_line(Line(row + 1, raw, len(raw)))
        return found[0] if found else None

    def round(self, row: int) -> Round | None:
        found = self.line(row)
        return None if isinstance(found, Quarantined) else found


def indexed(name: str, marks: Marks, make: bool = True) -> IndexedLog | None:
    """As `places_of` has it."""
    places = places_of(name, marks, make)
    return None if places is None else IndexedLog(name, places)


class _ParquetRows:
    """Row groups, the last ones that were looked at kept."""

    def __init__(self, name: str, damaged: bool) -> None:
        self.name, self.damaged = name, damaged
        with open_parquet(name, damaged) as file:
            meta = file.metadata
            sizes = [meta.row_group(number).num_rows for number in range(meta.num_row_groups)]
        self._ends = list(accumulate(sizes))
        self._kept: dict[int, list[Any]] = {}

    def at(self, row: int) -> LogLine | None:
        group = bisect_right(self._ends, row)
        if group == len(self._ends):
            return None
        index = row - (self._ends[group - 1] if group else 0)
        for batch in self._batches(group):
            if index < batch.num_rows:
                return judge_row(row_at(batch, index), row + 1)
            index -= batch.num_rows
        return None

    def _batches(self, group: int) -> list[Any]:
        import pyarrow

        if group not in self._kept:
            found: list[Any] = []
            try:
                with open_parquet(self.name, self.damaged) as file:
                    found += batches(file, group)
            except (pyarrow.ArrowException, OSError):
                pass  # what stands before the damage can be looked at
            while len(self._kept) >= _GROUPS:
                del self._kept[next(iter(self._kept))]
            self._kept[group] = found
        return self._kept[group]
