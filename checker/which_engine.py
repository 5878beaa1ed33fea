"""Which engines can run here, and which one a log is replayed by unless it is told."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from typing import Final

ENGINES: Final = ("auto", "columns", "plain", "spark")
# bytes of JSON Lines: below that, judging them plainly costs less than making the machine code,
# which takes a minute; the plain engine takes most of a second of a core for a megabyte
WORTH_COLUMNS: Final = 100_000_000
WORTH_KEPT_COLUMNS: Final = 4_000_000  # once the machine code is made
_PACKED: Final = 12  # times smaller a compressed log is, roughly


def columns_at_hand() -> bool:
    """Whether the columnar engine can run; only looked up, not imported."""
    return sys.byteorder == "little" and all(find_spec(name) for name in ("numba", "numpy"))


def chosen(engine: str, logs: list[str]) -> str:
    """`auto` made definite."""
    if engine != "auto":
        return engine
    return "columns" if columns_at_hand() and worth_columns(logs) else "plain"


def worth_columns(logs: list[str]) -> bool:
    """Whether there is enough to replay that the columns save more than starting them costs."""
    size = sum(_unpacked(log) for log in logs)
    if not WORTH_KEPT_COLUMNS <= size < WORTH_COLUMNS:
        return size >= WORTH_COLUMNS
    from checker.columns.machine.code_folder import is_kept

    return is_kept()


def _unpacked(log: str) -> int:
    if log == "-" or not os.path.isfile(log):
        return 0
    packed = log.endswith((".gz", ".zst", ".parquet"))
    return os.path.getsize(log) * (_PACKED if packed else 1)
