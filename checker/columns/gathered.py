"""A piece of a log as a batch: rounds in the order of the log, and what is no round."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from checker.columns import batch as to
from checker.columns.parquet.read import Part
from checker.log.decode import decode_line, decode_round
from checker.log.model import Round
from checker.log.read import (
    Quarantined,
)
from checker.log.repeated_rounds import Copied, Place
from checker.replay.order import Misplaced


@dataclass(slots=True)
class Gathered:
    """Rounds in the order of the log, and what is no round, each before the row it is listed at."""

    batch: to.Batch
    wanted: Any
    """Which rounds are to be shown."""
    log: str
    bad: list[tuple[int, Quarantined]] = field(default_factory=list)
    copies: list[tuple[int, Copied]] = field(default_factory=list)
    misplaced: list[tuple[int, Misplaced]] = field(default_factory=list)
    clashes: dict[int, Place] = field(default_factory=dict)  # where the other round stands
    unknown: Counter[tuple[str, str]] = field(default_factory=Counter)
    decoded: dict[int, Round] = field(default_factory=dict)
    odd: bytes | None = None  # the only line, where it was read on its own
    part: Part | None = None  # of a Parquet file
    span: tuple[datetime, datetime, int] | None = None  # the first and last time, and the rounds

    def round_at(self, row: int) -> Round:
        """The round as the plain evaluator takes it."""
        if row not in self.decoded:
            line = int(self.batch.rounds[row, to.LINE])
            if self.part is not None:
                known = self.part.rebuilt(self.batch, row)
                self.decoded[row] = known or decode_round(self.part.row_at(row), line)
            else:
                self.decoded[row] = decode_line(self.line_at(row), line)
        return self.decoded[row]

    def line_at(self, row: int) -> bytes:
        if self.odd is not None:
            return self.odd
        start, size = self.batch.rounds[row, [to.START, to.LENGTH]].tolist()
        raw: bytes = self.batch.text[start : start + size].tobytes()
        return raw
