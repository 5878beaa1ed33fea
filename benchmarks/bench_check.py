"""How long a check takes, as a multiple of importing lark and rich, and proofs of a static check.

Machines differ and are noisy, so only ratios within one run count: each repeat measures the bare
imports right before and after the check, and the median of the ratios is printed. The proofs, with
nothing kept from before, are also measured against the static check of the same rulebooks.
Bytecode is kept for rulespec as it is for what is installed: else all calls would compile it.

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
BYTECODE = tempfile.TemporaryDirectory()
CALLS = {
    "static check, nothing cached": ([*CHECK, "--no-proofs"], True),
    "static check": ([*CHECK, "--no-proofs"], False),
    "static check of one rulebook": ([*CHECK, "--no-proofs", "nz-pontoon"], False),
    "check with all proofs": (CHECK, True),
    "check of one rulebook with all proofs": ([*CHECK, "nsw-star-pontoon"], True),
    "check with proofs done before": (CHECK, False),
    "coverage": (["-m", "rulespec", "coverage", "--quiet"], False),
    "--version": (["-m", "rulespec", "--version"], False),
}


def seconds(arguments: list[str], cache: str) -> float:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": cache}
    environment |= {"PYTHONPYCACHEPREFIX": BYTECODE.name, "PYTHONDONTWRITEBYTECODE": ""}
    begun = time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        cwd=ROOT,
        check=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return time.perf_counter() - begun


PROOFS = {
    # proofs of one rulebook, and of all: each against the static check of the same
    "all proofs of nsw-star-pontoon": ["nsw-star-pontoon"],
    "all proofs of the five rulebooks": [],
}


def against_static(books: list[str], repeats: int) -> tuple[float, float]:
    """How often the static check fits into a check with all proofs, and that check's seconds."""
    taken: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as warm:
        seconds([*CHECK, *books], warm)
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            static = seconds([*CHECK, "--no-proofs", *books], one)
            whole = seconds([*CHECK, *books], other)
            taken.append((whole / static, whole))
    return statistics.median(r for r, _ in taken), statistics.median(s for _, s in taken)


def measure(arguments: list[str], fresh: bool, repeats: int) -> float:
    ratios = []
    with tempfile.TemporaryDirectory() as warm:
        seconds(arguments, warm)
        seconds(IMPORTS, warm)
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
    print("\n| proofs, nothing kept | times the static check | seconds |\n| --- | --- | --- |")
    proofs = {name: against_static(books, repeats) for name, books in PROOFS.items()}
    for name, (ratio, whole) in proofs.items():
        print(f"| {name} | {ratio:.1f} | {whole:.1f} |")
    print(
        json.dumps(
            {
                "unit": "import lark, rich",
                "repeats": repeats,
                "ratios": results,
                "proofs": {name: ratio for name, (ratio, _) in proofs.items()},
            }
        )
    )


if __name__ == "__main__":
    main()
