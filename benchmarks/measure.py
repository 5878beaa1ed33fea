"""How something is measured: as a multiple of `orjson.loads` of the same log on one core."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Figure:
    what: str
    ratio: float
    rules: int
    """How many rules each round is judged by."""
    microseconds: float
    """A round, on this machine at this time."""
    note: str = ""


def decode(path: Path) -> float:
    """The probe: seconds that orjson takes for the lines of a log."""
    import orjson

    begun = time.perf_counter()
    with path.open("rb") as lines:
        for line in lines:
            orjson.loads(line)
    return time.perf_counter() - begun


def ratio(run: Callable[[], object], probe: Path, repeats: int) -> tuple[float, float]:
    """Median ratio to the probe, and median seconds."""
    ratios, seconds = [], []
    for _ in range(repeats):
        before = decode(probe)
        begun = time.perf_counter()
        run()
        taken = time.perf_counter() - begun
        ratios.append(2 * taken / (before + decode(probe)))
        seconds.append(taken)
    return statistics.median(ratios), statistics.median(seconds)
