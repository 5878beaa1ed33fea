"""How long a check of all shipped rulebooks takes, as a multiple of importing lark and rich.

Machines differ and are noisy, so only ratios within one run count: each repeat measures the bare
imports right before and after the check, and the median of the ratios is printed.

    python benchmarks/bench_check.py [REPEATS]
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
IMPORTS = ["-c", "import lark, rich"]
CHECK = ["-m", "rulespec", "check", "--quiet"]
CALLS = {
    "static check, nothing cached": ([*CHECK, "--no-proofs"], True),
    "static check": ([*CHECK, "--no-proofs"], False),
    "static check of one rulebook": ([*CHECK, "--no-proofs", "nz-pontoon"], False),
    "check with all proofs": (CHECK, True),
    "check with proofs done before": (CHECK, False),
    "coverage": (["-m", "rulespec", "coverage", "--quiet"], False),
    "--version": (["-m", "rulespec", "--version"], False),
}


def seconds(arguments: list[str], cache: str) -> float:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": cache}
    begun = time.perf_counter()
    subprocess.run([sys.executable, *arguments], env=environment, cwd=ROOT, check=False,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    return time.perf_counter() - begun


def measure(arguments: list[str], fresh: bool, repeats: int) -> float:
    ratios = []
    with tempfile.TemporaryDirectory() as warm:
        seconds(arguments, warm)
        for _ in range(repeats):
            with tempfile.TemporaryDirectory() as cold:
                before = seconds(IMPORTS, warm)
                taken = seconds(arguments, cold if fresh else warm)
                after = seconds(IMPORTS, warm)
            ratios.append(2 * taken / (before + after))
    return statistics.median(ratios)


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    results = {name: measure(call, fresh, repeats) for name, (call, fresh) in CALLS.items()}
    print("| call | times `import lark, rich` |\n| --- | --- |")
    for name, ratio in results.items():
        print(f"| {name} | {ratio:.1f} |")
    print(json.dumps({"unit": "import lark, rich", "repeats": repeats, "ratios": results}))


if __name__ == "__main__":
    main()
