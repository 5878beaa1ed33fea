"""What the plain engine takes for a round, on one core and in processor time.

Machines differ and are shared, so each repeat decodes the same log with `json.loads` right before
and after, and the median of the ratios is printed beside the rounds a second. What a replay of the
first rounds alone takes is taken off: start-up, the rulebooks, and what earlier runs left.

    python benchmarks/bench_plain.py [--rounds N] [--repeats N] [RULEBOOK...]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rounds_to_measure import ROOT, block

from rulespec.load.load import shipped

FEW = 200  # rounds that are taken off
SEED = 5


def replayed(log: Path) -> float:
    """Processor seconds of the whole command."""
    call = ["replay", str(log), "--engine", "plain", "--jobs", "1", "--format", "json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run(
        [sys.executable, "-m", "rulespec", *call, "--quiet"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    if ran.returncode not in (0, 1, 3):
        raise SystemExit(f"{log}: the replay ended with status {ran.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def decoded(lines: list[bytes]) -> float:
    """Processor seconds that `json.loads` takes."""
    begun = time.process_time()
    for line in lines:
        json.loads(line)
    return time.process_time() - begun


def measure(log: Path, few: Path, repeats: int) -> tuple[float, float]:
    """Rounds a second, and the ratio to `json.loads`."""
    lines = log.read_bytes().splitlines()[FEW:]
    replayed(log)  # what is kept for the next run is there then
    seconds, ratios = [], []
    for _ in range(repeats):
        before = decoded(lines)
        taken = replayed(log) - replayed(few)
        seconds.append(taken)
        ratios.append(2 * taken / (before + decoded(lines)))
    return len(lines) / statistics.median(seconds), statistics.median(ratios)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rulebooks", nargs="*", metavar="RULEBOOK")
    parser.add_argument("--rounds", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    print("| rulebook | rounds a second and core | times `json.loads` |\n| --- | ---: | ---: |")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for book in args.rulebooks or sorted(shipped()):
            log, few = block(book, 0, SEED, folder, args.rounds), folder / "few.jsonl"
            few.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:FEW]))
            speed, ratio = measure(log, few, args.repeats)
            print(f"| {book} | {speed:,.0f} | {ratio:.1f} |", flush=True)


if __name__ == "__main__":
    main()
