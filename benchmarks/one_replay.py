"""One replay in a process of its own, timed against the probe: a line of JSON.

    python benchmarks/one_replay.py RULEBOOK JOBS LOG PROBE WARM

LOG is replayed once. PROBE is the log as JSON Lines, which `orjson.loads` decodes right before and
after it. WARM is a short log that is replayed first, so that machine code is loaded.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from measure import decode  # noqa: E402


def judged(log: Path, rulebook: str, jobs: int) -> int:
    """Replay a log; its rounds."""
    from checker.columns.run import replay_columns
    from checker.replay.replay import Filter, Library, Summary
    from rulespec.load.load import load, shipped

    book = load(shipped()[rulebook]).rulebook
    assert book is not None
    summary = Summary()
    for _ in replay_columns([log], Library([book]), Filter(), summary, jobs):
        pass
    return summary.rounds


def main() -> int:
    rulebook, jobs = sys.argv[1], int(sys.argv[2])
    log, probe, warm = map(Path, sys.argv[3:6])
    judged(warm, rulebook, jobs)
    before = decode(probe)
    begun = time.perf_counter()
    rounds = judged(log, rulebook, jobs)
    seconds = time.perf_counter() - begun
    print(json.dumps({"seconds": seconds, "probe": (before + decode(probe)) / 2, "rounds": rounds}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
