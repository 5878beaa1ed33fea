"""Simulate, replay, compare: lawful rounds must be clean, and every seeded fault must be found.

    python benchmarks/million_rounds.py [ROUNDS] [SEED] [plain|columns]

So many lawful rounds, shared among the shipped rulebooks, and as many with faults. Exit status 1
when a lawful round has a finding, a fault is missed, or something else is found. The columns pass
what they prove clean and leave the rest to the plain engine; without numba all is judged plainly.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from checker.judge.findings import ReplayFinding
from checker.replay.replay import Filter, Judged, Library, Summary, replay
from checker.which_engine import columns_at_hand
from rulespec.load.load import load, shipped

SHARE = 0.05
PIECE = 10_000  # rounds to a log


def one(job: tuple[str, int, int, bool, str]) -> tuple[str, int, int, list[str]]:
    """Rounds, faults and complaints of one piece."""
    from checker.cli import main

    name, rounds, seed, faulty, engine = job
    rulebook = load(shipped()[name]).rulebook
    assert rulebook is not None
    with tempfile.TemporaryDirectory() as folder:
        log, listed = Path(folder) / "log.jsonl", Path(folder) / "faults.jsonl"
        call = [
            "simulate",
            name,
            "--rounds",
            str(rounds),
            "--seed",
            str(seed),
            "--quiet",
            "--output",
            str(log),
        ]
        if faulty:
            call += ["--faults", str(SHARE), "--fault-list", str(listed)]
        assert main(call) == 0
        wanted = {}
        if faulty:
            for line in listed.read_text(encoding="utf-8").splitlines():
                fault = json.loads(line)
                wanted[fault["round"]] = fault
        complaints: list[str] = []
        summary = Summary()
        faults = dict(wanted)
        for result in _replayed(engine)([log], Library([rulebook]), Filter(), summary):
            assert isinstance(result, Judged)
            fault = faults.pop(result.round.id, None)
            complaints += compare(result.round.id, result.verdict.findings, fault)
        assert summary.rounds == rounds
        complaints += [c for id_, fault in faults.items() for c in compare(id_, [], fault)]
    return name, rounds, len(wanted), [f"{name} seed {seed}: {c}" for c in complaints]


def _replayed(engine: str) -> Callable[..., Iterable[object]]:
    if engine == "plain":
        return replay
    from checker.columns.run import replay_columns

    return replay_columns


def compare(round_: str, found: list[ReplayFinding], fault: dict[str, object] | None) -> list[str]:
    if fault is None:
        return [f"{f.round}: {f.code} {f.clause} {f.message}" for f in found]
    codes, clauses = fault["codes"], fault.get("clauses") or [fault["clause"]]
    assert isinstance(codes, list)
    assert isinstance(clauses, list)
    hits = [f for f in found if f.code in codes and f.clause in clauses]
    if not hits:
        told = "; ".join(f"{f.code} {f.clause}" for f in found) or "nothing"
        return [f"{round_}: {fault['kind']} ({fault['clause']}) missed, found {told}"]
    others = [f for f in found if f.code not in codes and f.kind != "undecided"]
    return [f"{f.round}: besides the fault {f.code} {f.clause} {f.message}" for f in others]


def main() -> int:
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    engine = "columns" if columns_at_hand() else "plain"
    engine = sys.argv[3] if len(sys.argv) > 3 else engine
    each = max(1, total // len(shipped()))
    jobs = [
        (name, min(PIECE, each - made), seed * 1000 + made // PIECE, faulty, engine)
        for made in range(0, each, PIECE)
        for name in shipped()
        for faulty in (False, True)
    ]
    begun = time.monotonic()
    rounds = faults = 0
    complaints: list[str] = []
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for _name, count, wrong, told in pool.map(one, jobs):
            rounds += count
            faults += wrong
            complaints += told
            for line in told[:5]:
                print(line)
            rate = rounds / (time.monotonic() - begun)
            print(
                f"{rounds:,} rounds, {faults:,} faults, {len(complaints)} complaints, "
                f"{rate:,.0f} a second",
                file=sys.stderr,
            )
    print(f"{rounds:,} rounds, {faults:,} seeded faults, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    raise SystemExit(main())
