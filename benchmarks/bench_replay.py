"""What a replay costs, as a multiple of `orjson.loads` of the same log on one core.

    python benchmarks/bench_replay.py [--rounds N] [--repeats N] [--growth N,N,…] [--only WORDS]
                                      [--json FILE] [--markdown FILE]

The clocks of shared machines move, so only ratios within one run count: the log is decoded right
before and right after each repeat, and the median of the ratios is printed. What leads is a log in
which no round comes twice, judged with answers that were learnt from another seed (see
`unlike_rounds`), by the engine alone and by the whole command; then a first run, in which nothing
is known. Logs that repeat ten thousand rounds over and over (see `rounds_to_measure`) cost less,
and are measured only to tell how much. Simulating takes some milliseconds a round, the first time.
Growth to ten million rounds is measured with --growth 10000,100000,1000000,10000000 (about twenty
minutes).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

import peers  # noqa: E402
import readers  # noqa: E402
from measure import Figure, decode, ratio  # noqa: E402
from one_replay import judged  # noqa: E402
from rounds_to_measure import BLOCK, ROOT, RULEBOOKS, SMALL, block, log, repeated  # noqa: E402

MAIN = "nsw-star-pontoon"
SEED = 5  # with it exactly ten of ten thousand rounds are to have a fault
SHARES = (0.0, 0.05)


@dataclass(frozen=True, slots=True)
class Grown:
    rounds: int
    seconds: float
    megabytes: float


def rules_of(rulebook: str) -> int:
    from rulespec.load.load import load, shipped

    book = load(shipped()[rulebook]).rulebook
    assert book is not None
    return len(book.rules)


# --- what is measured


def blocks(options: argparse.Namespace, folder: Path) -> None:
    """Simulate on all cores what is measured, as far as it is not kept from before."""
    from unlike_rounds import LEARNT_SEED, MEASURED_SEED, OTHERS

    wanted = [(MAIN, 0.001, SEED, folder, BLOCK), (MAIN, 0.001, SEED, folder, SMALL)]
    if options.only in ("", "first"):
        wanted.append((MAIN, 0.001, SEED + 1, folder, BLOCK))
    if options.only in ("", "repeated"):
        wanted += [(MAIN, share, SEED, folder, SMALL) for share in SHARES]
    if options.only in ("", "unlike"):
        sizes = {name: options.rounds // (1 if name == MAIN else OTHERS) for name in RULEBOOKS}
        wanted += [
            (name, 0.001, seed, folder, size)
            for name, size in sizes.items()
            for seed in (LEARNT_SEED, MEASURED_SEED)
        ]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(lambda one: block(*one), wanted))


def unlike(options: argparse.Namespace, folder: Path) -> Iterator[Figure]:
    """No round twice, answers learnt from another seed."""
    import unlike_rounds

    yield from unlike_rounds.figures(options, folder)


def declared(options: argparse.Namespace, folder: Path) -> Iterator[Figure]:
    """A rulebook with words of its own."""
    import declared_rounds

    yield from declared_rounds.figures(options, folder)


def first(options: argparse.Namespace, folder: Path) -> Iterator[Figure]:
    """Nothing known."""
    yield _fresh(folder)


def again(options: argparse.Namespace, folder: Path) -> Iterator[Figure]:
    """Ten thousand rounds over and over: a side note."""
    path = log(MAIN, options.rounds, 0.001, SEED, folder)
    for jobs in (1, min(2, os.cpu_count() or 1)):
        cores = f"{jobs} core{'s' * (jobs > 1)}"
        yield _replay(options, f"{BLOCK:,} rounds over and over, {cores}", [path], path, MAIN, jobs)
    path.unlink()
    for share in SHARES:
        path = log(MAIN, options.rounds, share, SEED, folder, SMALL)
        yield _replay(
            options,
            f"{SMALL:,} rounds over and over, {share:.0%} findings, 1 core",
            [path],
            path,
            MAIN,
        )
        path.unlink()


def _fresh(folder: Path) -> Figure:
    """A first run: no answer of the rules is known from before."""
    from checker.columns.run import replay_columns
    from checker.replay.replay import Filter, Library, Summary
    from rulespec.base import cache
    from rulespec.load.load import load, shipped

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


def _replay(
    options: argparse.Namespace,
    what: str,
    logs: list[Path],
    probe: Path,
    rulebook: str,
    jobs: int = 1,
) -> Figure:
    counted = []

    def run() -> None:
        counted.append(judged(logs[0], rulebook, jobs))

    logs, kept = [block(rulebook, 0.001, SEED, probe.parent)], logs
    run()  # machine code is loaded, and what the rules say to these rounds
    logs = kept
    found, seconds = ratio(run, probe, options.repeats)
    assert counted[-1] == options.rounds, "every round was judged"
    return Figure(what, found, rules_of(rulebook), seconds / options.rounds * 1e6)


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
        call = [
            sys.executable,
            "-m",
            "rulespec",
            "replay",
            "-",
            "--engine",
            "columns",
            "--jobs",
            "1",
            "--quiet",
            "--format",
            "csv",
            "--output",
            os.devnull,
        ]
        begun = time.perf_counter()
        process = subprocess.Popen(
            call, cwd=ROOT, stdin=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
        assert process.stdin is not None
        with process.stdin as pipe:
            for line in repeated(some, rounds):
                pipe.write(line + b"\n")
        _, status, used = os.wait4(process.pid, 0)
        assert os.waitstatus_to_exitcode(status) in (0, 1, 3)
        yield Grown(rounds, time.perf_counter() - begun, used.ru_maxrss / 1024)


# --- how it is shown


def markdown(
    parts: list[tuple[str, list[Figure]]], grown: list[Grown], options: argparse.Namespace
) -> str:
    lines = [
        f"Median of {options.repeats} repeats. R is the time as a multiple of `orjson.loads` of "
        "the same log on one core.",
    ]
    for title, figures in parts:
        lines += ["", f"{title}:", "", "| what | R | rules checked | µs a round here | |"]
        lines.append("| --- | ---: | ---: | ---: | --- |")
        for f in figures:
            shown = "–" if f.ratio != f.ratio else f"{f.ratio:.2f}"
            speed = "–" if f.ratio != f.ratio else f"{f.microseconds:.1f}"
            lines.append(f"| {f.what} | {shown} | {f.rules or '–'} | {speed} | {f.note} |")
    if grown:
        lines += [
            "",
            "Time and memory of the whole command (one core, the log through a pipe, "
            f"{BLOCK:,} rounds over and over) as the log grows:",
            "",
            "| rounds | seconds | peak memory, MB |",
            "| ---: | ---: | ---: |",
        ]
        lines += [f"| {g.rounds:,} | {g.seconds:.1f} | {g.megabytes:.0f} |" for g in grown]
    return "\n".join(lines) + "\n"


Part = tuple[str, Callable[[argparse.Namespace, Path], Iterator[Figure]]]
PARTS: dict[str, Part] = {
    "unlike": ("No round comes twice, and answers were learnt from another seed", unlike),
    "declared": ("A rulebook that declares bets, options and a deal of its own", declared),
    "first": ("A first run: no answer is known from before", first),
    "repeated": ("A side note: logs that repeat their rounds", again),
    "readers": ("What merely reading costs", reading),
    "others": ("Peers that do only the payout table, on facts of hands that are ready", others),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--growth", default="10000,100000,300000")
    parser.add_argument(
        "--only",
        default="",
        choices=["", *PARTS, "growth"],
        metavar="PART",
        help=", ".join((*PARTS, "growth")),
    )
    parser.add_argument("--json", type=Path)
    parser.add_argument("--markdown", type=Path)
    options = parser.parse_args()
    options.main = MAIN
    for package, what in (("orjson", "the probe"), ("numba", "the columnar engine")):
        if not find_spec(package):
            print(
                f"bench_replay: nothing is measured: {what} needs the package `{package}`"
                " (pip install 'rulespec[bench]')"
            )
            return 0
    parts: list[tuple[str, list[Figure]]] = []
    grown: list[Grown] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        blocks(options, folder)
        # first: a process is taken to be as large as the one that started it
        if options.only in ("", "growth") and options.growth:
            for one in growth([int(x) for x in options.growth.split(",")], folder):
                print(
                    f"{one.rounds:,} rounds: {one.seconds:.1f} s, {one.megabytes:.0f} MB",
                    file=sys.stderr,
                    flush=True,
                )
                grown.append(one)
        for name, (title, part) in PARTS.items():
            if options.only in ("", name):
                parts.append((title, []))
                for figure in part(options, folder):
                    print(f"{figure.what}: {figure.ratio:.2f}", file=sys.stderr, flush=True)
                    parts[-1][1].append(figure)
    text = markdown(parts, grown, options)
    print(text)
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")
    if options.json:
        told = {
            "rounds": options.rounds,
            "repeats": options.repeats,
            "figures": [{"part": title, **asdict(f)} for title, figures in parts for f in figures],
            "growth": [asdict(g) for g in grown],
        }
        options.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
