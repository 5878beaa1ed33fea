"""Random edits of the shipped rulebooks: what `diff` calls the same, the bare evaluator cannot tell
apart.

    python benchmarks/random_edits.py [EDITS] [SEED] [RULEBOOK…]

Each edit is a slip of the pen (`random_edits.py`). Where `rulespec diff` proves the same
meaning, scenario rounds, simulated rounds and rounds shaken at random are judged under both texts
without any memory (`same_answers.py`). Where `rulespec check` finds something new, `diff` has
to show a class, or say what hides the change. Exit status 1 when something of this is not so; each
case is printed with its seed.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

sys.path[:0] = [str(Path(__file__).parent.parent)]

from rulespec.load.load import shipped  # noqa: E402
from tests.agreement.edits_tried import Tried, Trying  # noqa: E402


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    names = sys.argv[3:] or sorted(shipped())
    counts: Counter[str] = Counter()
    wrong: list[Tried] = []
    with tempfile.TemporaryDirectory() as folder:
        trying = {name: Trying(name, Path(folder), simulated=200, sample=60) for name in names}
        for seed in range(first, first + count):
            started = time.monotonic()
            tried = trying[names[seed % len(names)]].one(Random(seed))
            counts[tried.verdict] += 1
            took = time.monotonic() - started
            on = f" on {tried.rounds} rounds" if tried.rounds else ""
            on += f", {tried.news} new in check" if tried.news else ""
            print(f"{seed} {tried.book} {took:.1f} s {tried.verdict}{on}: {tried.edit}", flush=True)
            for line in tried.wrong:
                print(f"    WRONG {line}", flush=True)
            if tried.wrong:
                wrong.append(tried)
    print(", ".join(f"{n} {verdict}" for verdict, n in counts.most_common()))
    print(f"{len(wrong)} of {count} edits with a false statement")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
