"""Logs to measure with: ten thousand simulated rounds, repeated under fresh ids.

The simulator takes some milliseconds a round, so a long log is one block of rounds over and over:
the rounds go on counting, and every block begins new shoes. What the rules say to the rounds of
the block is thus known after its first turn. Blocks are kept in the user's cache folder.
"""

from __future__ import annotations

import hashlib
import os
import re
import signal
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from rulespec.base.cache import cache_folder  # noqa: E402

BLOCK = 10_000
SMALL = 3000
_KEPT = 32
RULEBOOKS = (
    "act-pontoon",
    "act-blackjack",
    "nz-pontoon",
    "nsw-star-pontoon",
    "sa-adelaide-pontoon",
)
_IDS = re.compile(
    rb'^\{"format":1,"round":"(?P<table>[^"]+)-(?P<number>\d+)","table":"(?P=table)",'
    rb'"shoe":"(?P<shoe>[^"]+)"'
)


def block(rulebook: str, faults: float, seed: int, folder: Path, rounds: int = BLOCK) -> Path:
    """A simulated log; `faults` is the share of rounds with a violation."""
    name = f"block-{rulebook}-{faults:g}-{seed}-{rounds}.jsonl"
    path = folder / name
    if path.exists():
        return path
    kept = _kept(rulebook, name)
    if kept is not None and kept.exists():
        _write(path, zlib.decompress(kept.read_bytes()))
        return path
    beside = _beside(path)
    call = [
        sys.executable,
        "-m",
        "rulespec",
        "simulate",
        rulebook,
        "--rounds",
        str(rounds),
        "--seed",
        str(seed),
        "--quiet",
        "--output",
        str(beside),
    ]
    call += ["--faults", str(faults)] if faults else []
    subprocess.run(call, cwd=ROOT, check=True, preexec_fn=_heed_interrupts)
    beside.replace(path)
    if kept is not None:
        kept.parent.mkdir(exist_ok=True)
        _write(kept, zlib.compress(path.read_bytes(), 6))
        others = sorted(kept.parent.glob("*.z"), key=lambda one: one.stat().st_mtime)
        for old in others[:-_KEPT]:
            old.unlink(missing_ok=True)
    return path


def _heed_interrupts() -> None:
    """Whoever calls may leave Ctrl-C to its parent; the simulator has to end with it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _beside(path: Path) -> Path:
    """Where a file is written until it is whole: whoever ends the run leaves no half of one."""
    return path.with_name(f"{path.name}.{os.getpid()}.part")


def _write(path: Path, data: bytes) -> None:
    beside = _beside(path)
    beside.write_bytes(data)
    beside.replace(path)


def _kept(rulebook: str, name: str) -> Path | None:
    """Where the block is kept, by the rules and the code that made it."""
    home = cache_folder()
    if home is None:
        return None
    digest = hashlib.sha256(name.encode())
    folders = (ROOT / "checker", ROOT / "rulespec", ROOT / "jurisdictions")
    for path in sorted(one for folder in folders for one in folder.rglob("*")):
        if path.suffix in (".py", ".rules") and "columns" not in path.parts:
            digest.update(path.read_bytes())
    return home / "measured-rounds" / f"{rulebook}-{digest.hexdigest()[:24]}.z"


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
        players = b'"player":"P%d' % turn  # who was warned in an earlier turn may not be so again
        for table, number, shoe, rest in lines[: rounds - made]:
            at = b"%09d" % (turn * highest[table] + number)
            yield (
                b'{"format":1,"round":"'
                + table
                + b"-"
                + at
                + b'","table":"'
                + table
                + b'","shoe":"'
                + shoe
                + b"-%d" % turn
                + b'"'
                + rest.replace(b'"player":"P', players)
            )
        made += len(lines[: rounds - made])
        turn += 1


def log(
    rulebook: str, rounds: int, faults: float, seed: int, folder: Path, size: int = BLOCK
) -> Path:
    """A long log as a file of JSON Lines; `size` is that of its block."""
    path = folder / f"{rulebook}-{faults:g}-{rounds}.jsonl"
    if not path.exists():
        beside = _beside(path)
        with beside.open("wb") as out:
            for line in repeated(block(rulebook, faults, seed, folder, size), rounds):
                out.write(line + b"\n")
        beside.replace(path)
    return path
