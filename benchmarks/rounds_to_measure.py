"""Logs to measure with: a few thousand simulated rounds, repeated under fresh ids.

The simulator takes a millisecond a round, so a long log is one block of rounds over and over: the
rounds go on counting, and every block begins new shoes.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
BLOCK = 3000
RULEBOOKS = (
    "act-pontoon", "act-blackjack", "nz-pontoon", "nsw-star-pontoon", "sa-adelaide-pontoon",
)  # fmt: skip
_IDS = re.compile(
    rb'^\{"format":1,"round":"(?P<table>[^"]+)-(?P<number>\d+)","table":"(?P=table)",'
    rb'"shoe":"(?P<shoe>[^"]+)"'
)


def block(rulebook: str, faults: float, seed: int, folder: Path, rounds: int = BLOCK) -> Path:
    """A simulated log; `faults` is the share of rounds with a violation."""
    path = folder / f"block-{rulebook}-{faults:g}-{seed}-{rounds}.jsonl"
    if not path.exists():
        call = [sys.executable, "-m", "rulespec", "simulate", rulebook, "--rounds", str(rounds),
                "--seed", str(seed), "--quiet", "--output", str(path)]  # fmt: skip
        call += ["--faults", str(faults)] if faults else []
        subprocess.run(call, cwd=ROOT, check=True)
    return path


def repeated(path: Path, rounds: int) -> Iterator[bytes]:
    """That many lines: the block again and again, each time with other ids."""
    lines = []
    highest: dict[bytes, int] = {}
    for line in path.read_bytes().splitlines():
        found = _IDS.match(line)
        assert found, "the simulator writes lines that are not known here"
        table, number = found["table"], int(found["number"])
        highest[table] = max(highest.get(table, 0), number)
        lines.append((table, number, found["shoe"], line[found.end() :]))
    made = turn = 0
    while made < rounds:
        for table, number, shoe, rest in lines[: rounds - made]:
            at = b"%09d" % (turn * highest[table] + number)
            yield (b'{"format":1,"round":"' + table + b"-" + at + b'","table":"' + table
                   + b'","shoe":"' + shoe + b"-%d" % turn + b'"' + rest)  # fmt: skip
        made += len(lines[: rounds - made])
        turn += 1


def log(rulebook: str, rounds: int, faults: float, seed: int, folder: Path) -> Path:
    """A long log as a file of JSON Lines."""
    path = folder / f"{rulebook}-{faults:g}-{rounds}.jsonl"
    if not path.exists():
        part = path.with_suffix(".part")
        with part.open("wb") as out:
            for line in repeated(block(rulebook, faults, seed, folder), rounds):
                out.write(line + b"\n")
        part.rename(path)
    return path
