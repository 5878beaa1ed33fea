"""What a replay costs, as a multiple of `orjson.loads` of the same log on one core.

    python benchmarks/bench_replay.py [--rounds N] [--repeats N] [--growth N,N,…] [--only WORDS]
                                      [--json FILE] [--markdown FILE]

The clocks of shared machines move, so only ratios within one run count: the log is decoded right
before and right after each repeat, and the median of the ratios is printed. A log is ten thousand
simulated rounds over and over (see `rounds_to_measure`), and what the rules say to them is known
from a run before, as it is for a casino whose logs are replayed every day; the row `fresh log` is a
first run, on rounds never seen before. --rounds 200000 measures longer logs; growth to ten million
rounds is measured with --growth 10000,100000,1000000,10000000 (about twenty minutes); --only
distinct simulates a log without repetition, which takes some milliseconds a round.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

import peers  # noqa: E402
import readers  # noqa: E402
from measure import Figure, decode, ratio  # noqa: E402
from rounds_to_measure import BLOCK, ROOT, RULEBOOKS, SMALL, block, log, repeated  # noqa: E402

MAIN = "nsw-star-pontoon"
SEED = 5  # with it exactly ten of ten thousand rounds are to have a fault
SHARES = (0.0, 0.05)
_PAIRS = 5


@dataclass(frozen=True, slots=True)
class Grown:
    rounds: int
    seconds: float
    megabytes: float


def rules_of(rulebook: str) -> int:
    from rulespec.load import load, shipped

    book = load(shipped()[rulebook]).rulebook
    assert book is not None
    return len(book.rules)


# --- what is measured


def blocks(folder: Path) -> None:
    """Simulate on all cores what is measured, as far as it is not kept from before."""
    wanted = [(rulebook, 0.001, SEED, folder, BLOCK) for rulebook in RULEBOOKS]
    wanted += [(MAIN, 0.001, SEED + 1, folder, BLOCK), (MAIN, 0.001, SEED, folder, SMALL)]
    wanted += [(MAIN, share, SEED, folder, SMALL) for share in SHARES]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(lambda one: block(*one), wanted))


def replays(options: argparse.Namespace, folder: Path) -> Iterator[Figure]:
    from checker.engines import columns_at_hand

    engine = "columns" if columns_at_hand() else "plain"
    rounds = options.rounds
    for rulebook in RULEBOOKS:
        path = log(rulebook, rounds, 0.001, SEED, folder)
        yield _replay(options, f"replay, {rulebook}, 0.1 % findings, 1 core", [path], path,
                      rulebook, engine)  # fmt: skip
        if rulebook != MAIN:
            path.unlink()
    path = log(MAIN, rounds, 0.001, SEED, folder)
    two = min(2, os.cpu_count() or 1)
    yield _replay(options, f"the same, {MAIN}, {two} cores", [path], path, MAIN, engine, two)
    packed = path.with_suffix(".jsonl.gz")
    with gzip.open(packed, "wb", 6) as out:
        out.write(path.read_bytes())
    yield _replay(options, f"the same, {MAIN}, gz, 1 core", [packed], path, MAIN, engine)
    yield _replay(options, f"the same, {MAIN}, gz, {two} cores", [packed], path, MAIN, engine, two)
    yield from parquet(options, folder)
    if engine == "columns":
        yield _fresh(folder)
    begun = time.perf_counter()
    _rulespec("replay", "--engine", engine, "--jobs", "1", "--quiet", "--format", "csv",
              "--output", os.devnull, str(path))  # fmt: skip
    taken = time.perf_counter() - begun
    note = "imports, machine code and rule files are read first"
    yield Figure("the same as a command, from start to end", taken / decode(path), rules_of(MAIN),
                 taken / rounds * 1e6, note)  # fmt: skip
    path.unlink()
    for share in SHARES:
        path = log(MAIN, rounds, share, SEED, folder, SMALL)
        yield _replay(options, f"replay, {MAIN}, {share:.0%} findings, 1 core", [path], path, MAIN,
                      engine)  # fmt: skip
        path.unlink()


def parquet(options: argparse.Namespace, folder: Path) -> Iterator[Figure]:
    from checker.engines import columns_at_hand

    if not find_spec("pyarrow"):
        return
    engine = "columns" if columns_at_hand() else "plain"
    path = log(MAIN, options.rounds, 0.001, SEED, folder)
    table, two = path.with_suffix(".parquet"), min(2, os.cpu_count() or 1)
    _rulespec("convert", str(path), str(table), "--quiet")
    for jobs, cores in ((1, "1 core"), (two, f"{two} cores")):
        yield _replay(options, f"the same, {MAIN}, Parquet, {cores}", [table], path, MAIN, engine,
                      jobs)  # fmt: skip


def _fresh(folder: Path) -> Figure:
    """A first run: no answer of the rules is known from before."""
    from checker.columns.run import replay_columns
    from checker.replay import Filter, Library, Summary
    from rulespec import cache
    from rulespec.load import load, shipped

    book = load(shipped()[MAIN]).rulebook
    assert book is not None
    path = block(MAIN, 0.001, SEED + 1, folder)
    kept, cache.cache_folder = cache.cache_folder, lambda: None
    try:
        summary = Summary()
        before = decode(path)
        begun = time.perf_counter()
        for _ in replay_columns([path], Library([book]), Filter(), summary, 1):
            pass
        taken = time.perf_counter() - begun
    finally:
        cache.cache_folder = kept
    assert summary.rounds == BLOCK
    note = f"{BLOCK:,} rounds, none of them twice; answers not known before"
    times = 2 * taken / (before + decode(path))
    return Figure(f"fresh log, {MAIN}, 1 core", times, len(book.rules), taken / BLOCK * 1e6, note)


def _rulespec(*arguments: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-m", "rulespec", *arguments], cwd=ROOT, check=False,
                          env=environment, stdout=subprocess.DEVNULL)  # fmt: skip
    assert done.returncode in (0, 1, 3), f"rulespec {' '.join(arguments)}: {done.returncode}"


def _replay(
    options: argparse.Namespace, what: str, logs: list[Path], probe: Path, rulebook: str,
    engine: str, jobs: int = 1,
) -> Figure:  # fmt: skip
    from rulespec.load import load, shipped

    book = load(shipped()[rulebook]).rulebook
    assert book is not None
    counted = []

    def run() -> None:
        counted.append(_judged(logs, book, engine, jobs))

    if engine == "columns":
        logs, kept = [block(rulebook, 0.001, SEED, probe.parent)], logs
        run()  # machine code is loaded, and what the rules say to these rounds
        logs = kept
        if logs[0].suffix == ".parquet":
            run()  # so is what reads such files
    found, seconds = ratio(run, probe, options.repeats)
    assert counted[-1] == options.rounds, "every round was judged"
    return Figure(what, found, len(book.rules), seconds / options.rounds * 1e6)


def _judged(logs: list[Path], book: Any, engine: str, jobs: int) -> int:
    """Replay some logs; the rounds."""
    from checker.replay import Filter, Library, Summary, replay

    summary, library = Summary(), Library([book])
    if engine == "columns":
        from checker.columns.run import replay_columns

        found = replay_columns(logs, library, Filter(), summary, jobs)
    else:
        found = replay(logs, library, Filter(), summary, jobs)
    for _ in found:
        pass
    return summary.rounds


def cores(options: argparse.Namespace, folder: Path) -> Iterator[Figure]:
    """A longer log on one core and on two, in turn, and more often: both of them move."""
    from checker.engines import columns_at_hand
    from rulespec.load import load, shipped

    if (os.cpu_count() or 1) < 2:
        return
    engine = "columns" if columns_at_hand() else "plain"
    book = load(shipped()[MAIN]).rulebook
    assert book is not None
    rounds = 3 * options.rounds
    path = log(MAIN, rounds, 0.001, SEED, folder)
    _judged([block(MAIN, 0.001, SEED, folder)], book, engine, 2)  # loads machine code and answers
    measured: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
    for _ in range(max(options.repeats, _PAIRS)):
        for jobs, found in measured.items():
            run = partial(_judged, [path], book, engine, jobs)
            found.append(ratio(run, path, 1))
    path.unlink()
    pairs = zip(measured[1], measured[2], strict=True)
    faster = statistics.median(one / two for (_, one), (_, two) in pairs)
    for jobs, found in measured.items():
        times, seconds = (statistics.median(part) for part in zip(*found, strict=True))
        note = f"{rounds:,} rounds" + (f", {faster:.2f} times as fast as on one core" * (jobs > 1))
        yield Figure(f"replay, {MAIN}, {jobs} core{'s' * (jobs > 1)}", times, len(book.rules),
                     seconds / rounds * 1e6, note)  # fmt: skip


def distinct(options: argparse.Namespace, folder: Path) -> Iterator[Figure]:
    """A log in which no round comes twice; what the rules say to it is known from a run before."""
    from checker.engines import columns_at_hand
    from rulespec.load import load, shipped

    engine = "columns" if columns_at_hand() else "plain"
    book = load(shipped()[MAIN]).rulebook
    assert book is not None
    path = block(MAIN, 0.001, SEED + 2, folder, options.rounds)
    run = partial(_judged, [path], book, engine, 1)
    run()
    times, seconds = ratio(run, path, options.repeats)
    yield Figure(f"replay, {MAIN}, 1 core, no round twice", times, len(book.rules),
                 seconds / options.rounds * 1e6,
                 f"{options.rounds:,} rounds, all of them simulated")  # fmt: skip


def reading(options: argparse.Namespace, folder: Path) -> Iterator[Figure]:
    path = log(MAIN, options.rounds, 0.001, SEED, folder)
    yield from readers.figures(options, path, MAIN, SEED)


def others(options: argparse.Namespace, folder: Path) -> Iterator[Figure]:
    """Peers that do nothing but the payout table, on facts that are ready."""
    rounds = SMALL  # the slow ones take a millisecond for each
    path = some = block(MAIN, 0.001, SEED, folder, SMALL)
    hands = peers.hands(some, 3 * rounds)  # about three hands to a round
    wanted = peers.python(hands)
    for name, (run, package) in peers.PEERS.items():
        try:
            found = run(hands)
        except ImportError:
            yield Figure(name, float("nan"), peers.RULES, float("nan"), f"no package `{package}`")
            continue
        assert found == wanted, f"{name} pays otherwise"
        times, seconds = ratio(lambda run=run: run(hands), path, options.repeats)  # type: ignore[misc]
        yield Figure(name, times, peers.RULES, seconds / rounds * 1e6, "payout table only")


def growth(sizes: list[int], folder: Path) -> Iterator[Grown]:
    """Time and memory of the command, the log through a pipe so that none lies on the disk."""
    some = block(MAIN, 0.001, SEED, folder)
    for rounds in sizes:
        call = [sys.executable, "-m", "rulespec", "replay", "-", "--engine", "columns", "--jobs",
                "1", "--quiet", "--format", "csv", "--output", os.devnull]  # fmt: skip
        begun = time.perf_counter()
        process = subprocess.Popen(call, cwd=ROOT, stdin=subprocess.PIPE,
                                   env={**os.environ, "PYTHONPATH": str(ROOT)})  # fmt: skip
        assert process.stdin is not None
        with process.stdin as pipe:
            for line in repeated(some, rounds):
                pipe.write(line + b"\n")
        _, status, used = os.wait4(process.pid, 0)
        assert os.waitstatus_to_exitcode(status) in (0, 1, 3)
        yield Grown(rounds, time.perf_counter() - begun, used.ru_maxrss / 1024)


# --- how it is shown


def markdown(figures: list[Figure], grown: list[Grown], options: argparse.Namespace) -> str:
    lines = [
        f"{options.rounds:,} rounds ({BLOCK:,} simulated ones over and over), median of "
        f"{options.repeats} repeats. R is the time as a multiple of `orjson.loads` of the same log "
        "on one core.",
        "",
        "| what | R | rules checked | µs a round here | |",
        "| --- | ---: | ---: | ---: | --- |",
    ]
    for f in figures:
        shown = "–" if f.ratio != f.ratio else f"{f.ratio:.2f}"
        speed = "–" if f.ratio != f.ratio else f"{f.microseconds:.1f}"
        lines.append(f"| {f.what} | {shown} | {f.rules or '–'} | {speed} | {f.note} |")
    if grown:
        lines += ["", "| rounds | seconds | peak memory, MB |", "| ---: | ---: | ---: |"]
        lines += [f"| {g.rounds:,} | {g.seconds:.1f} | {g.megabytes:.0f} |" for g in grown]
    return "\n".join(lines) + "\n"


PARTS: dict[str, tuple[Callable[[argparse.Namespace, Path], Iterator[Figure]], ...]] = {
    "": (replays, cores, reading, others), "replays": (replays,), "parquet": (parquet,),
    "cores": (cores,), "readers": (reading,), "others": (others,), "growth": (),
    "distinct": (distinct,),
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--growth", default="10000,100000,300000")
    parser.add_argument("--only", default="", choices=list(PARTS), metavar="PART",
                        help=", ".join(PARTS)[2:])  # fmt: skip
    parser.add_argument("--json", type=Path)
    parser.add_argument("--markdown", type=Path)
    options = parser.parse_args()
    if not find_spec("orjson"):
        print("bench_replay: nothing is measured: the probe needs the package `orjson`"
              " (pip install 'rulespec[bench]')")  # fmt: skip
        return 0
    figures: list[Figure] = []
    grown: list[Grown] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        blocks(folder)
        # first: a process is taken to be as large as the one that started it
        if options.only in ("", "growth") and options.growth and find_spec("numba"):
            for one in growth([int(x) for x in options.growth.split(",")], folder):
                print(f"{one.rounds:,} rounds: {one.seconds:.1f} s, {one.megabytes:.0f} MB",
                      file=sys.stderr, flush=True)  # fmt: skip
                grown.append(one)
        for part in PARTS[options.only]:
            for figure in part(options, folder):
                print(f"{figure.what}: {figure.ratio:.2f}", file=sys.stderr, flush=True)
                figures.append(figure)
    text = markdown(figures, grown, options)
    print(text)
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")
    if options.json:
        told = {
            "rounds": options.rounds, "repeats": options.repeats,
            "figures": [asdict(f) for f in figures], "growth": [asdict(g) for g in grown],
        }  # fmt: skip
        options.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
