"""Logs in which no round comes twice, and answers that were learnt from another seed.

A casino's log does not repeat itself. What the rules say to many of its hands is known from the
logs of other days, and so it is here: a log of one seed is replayed first, with nothing known; what
that run kept is what every measured run of the log of the other seed begins with, in a process of
its own.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from measure import Figure, decode
from rounds_to_measure import ROOT, RULEBOOKS, block

LEARNT_SEED, MEASURED_SEED = 21, 22
SHARE = 0.001  # of the rounds have a fault
WARM = 200  # rounds
OTHERS = 4  # the logs of the other rulebooks are so many times shorter


@dataclass(slots=True)
class Learnt:
    """A cache folder as a replay of one log leaves it, from which each measured run starts."""

    rulebook: str
    folder: Path
    rounds: int

    @property
    def log(self) -> Path:
        return block(self.rulebook, SHARE, MEASURED_SEED, self.folder, self.rounds)

    @property
    def warm(self) -> Path:
        path = self.folder / f"warm-{self.rulebook}.jsonl"
        if not path.exists():
            lines = self._source.read_bytes().splitlines(keepends=True)[:WARM]
            path.write_bytes(b"".join(lines))
        return path

    @property
    def _source(self) -> Path:
        return block(self.rulebook, SHARE, LEARNT_SEED, self.folder, self.rounds)

    @property
    def _kept(self) -> Path:
        return self.folder / f"learnt-{self.rulebook}"

    def learn(self) -> None:
        """Once more than once: the first run makes machine code and leaves fewer answers."""
        for _ in range(2):
            _command(self._source, 1, self._kept)

    def fresh(self) -> Path:
        """A copy of the folder, in which nothing is known of the log that is measured."""
        here = self.folder / "cache"
        shutil.rmtree(here, ignore_errors=True)
        shutil.copytree(self._kept, here)
        return here


def _environment(cache: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(cache)}


def _command(log: Path, jobs: int, cache: Path) -> float:
    """Seconds of `rulespec replay`, from start to end."""
    call = [
        sys.executable,
        "-m",
        "rulespec",
        "replay",
        "--engine",
        "columns",
        "--jobs",
        str(jobs),
        "--quiet",
        "--format",
        "csv",
        "--output",
        os.devnull,
        str(log),
    ]
    cache.mkdir(exist_ok=True, mode=0o700)
    begun = time.perf_counter()
    done = subprocess.run(call, cwd=ROOT, check=False, env=_environment(cache))
    taken = time.perf_counter() - begun
    assert done.returncode in (0, 1, 3), f"{' '.join(call)}: {done.returncode}"
    return taken


def _engine(learnt: Learnt, log: Path, jobs: int) -> tuple[float, float]:
    """Ratio and seconds of the replay alone, machine code loaded."""
    call = [
        sys.executable,
        "benchmarks/one_replay.py",
        learnt.rulebook,
        str(jobs),
        str(log),
        str(learnt.log),
        str(learnt.warm),
    ]
    done = subprocess.run(
        call, cwd=ROOT, check=True, env=_environment(learnt.fresh()), stdout=subprocess.PIPE
    )
    told = json.loads(done.stdout)
    assert told["rounds"] == learnt.rounds, "every round was judged"
    return told["seconds"] / told["probe"], told["seconds"]


def _whole(learnt: Learnt, jobs: int) -> tuple[float, float]:
    """Ratio and seconds of the command from start to end."""
    cache = learnt.fresh()
    before = decode(learnt.log)
    taken = _command(learnt.log, jobs, cache)
    return 2 * taken / (before + decode(learnt.log)), taken


def figures(options: argparse.Namespace, folder: Path) -> Iterator[Figure]:
    main = options.main
    for rulebook in (main, *(name for name in RULEBOOKS if name != main)):
        rounds = options.rounds if rulebook == main else options.rounds // OTHERS
        learnt = Learnt(rulebook, folder, rounds)
        learnt.learn()
        yield from _of_main(options, learnt) if rulebook == main else _of_other(options, learnt)
        shutil.rmtree(learnt.folder / f"learnt-{rulebook}")


def _of_other(options: argparse.Namespace, learnt: Learnt) -> Iterator[Figure]:
    runs = [_engine(learnt, learnt.log, 1) for _ in range(options.repeats)]
    yield _figure(f"replay, {learnt.rulebook}, 1 core", runs, learnt)


def _of_main(options: argparse.Namespace, learnt: Learnt) -> Iterator[Figure]:
    """One core and two in turn, so that both meet the same machine."""
    two = min(2, os.cpu_count() or 1)
    for what, measure in (
        ("replay, {book}, {cores}", lambda jobs: _engine(learnt, learnt.log, jobs)),
        ("the same as a command from start to end, {cores}", lambda jobs: _whole(learnt, jobs)),
    ):
        measured: dict[int, list[tuple[float, float]]] = {1: [], two: []}
        for _ in range(options.repeats):
            for jobs, runs in measured.items():
                runs.append(measure(jobs))
        pairs = zip(measured[1], measured[two], strict=True)
        faster = statistics.median(one / other for (_, one), (_, other) in pairs)
        for jobs, runs in measured.items():
            cores = f"{jobs} core{'s' * (jobs > 1)}"
            note = f"{faster:.2f} times as fast as on one core" * (jobs > 1)
            yield _figure(what.format(book=learnt.rulebook, cores=cores), runs, learnt, note)
    packed = learnt.log.with_suffix(".jsonl.gz")
    with gzip.open(packed, "wb", 6) as out:
        out.write(learnt.log.read_bytes())
    runs = [_engine(learnt, packed, 1) for _ in range(options.repeats)]
    yield _figure("the same log as .gz, 1 core", runs, learnt)
    if find_spec("pyarrow"):
        table = learnt.log.with_suffix(".parquet")
        call = [sys.executable, "-m", "rulespec", "convert", str(learnt.log), str(table), "--quiet"]
        subprocess.run(call, cwd=ROOT, check=True, env=_environment(learnt.fresh()))
        for jobs in (1, two):
            runs = [_engine(learnt, table, jobs) for _ in range(options.repeats)]
            yield _figure(f"the same log as Parquet, {jobs} core{'s' * (jobs > 1)}", runs, learnt)


def _figure(what: str, runs: list[tuple[float, float]], learnt: Learnt, note: str = "") -> Figure:
    from rulespec.load.load import load, shipped

    book = load(shipped()[learnt.rulebook]).rulebook
    assert book is not None
    times, seconds = (statistics.median(part) for part in zip(*runs, strict=True))
    spread = f"{min(r for r, _ in runs):.2f} to {max(r for r, _ in runs):.2f}"
    note = "; ".join(part for part in (f"{learnt.rounds:,} rounds", spread, note) if part)
    return Figure(what, times, len(book.rules), seconds / learnt.rounds * 1e6, note)
