"""Make the example logs: simulated rounds of every shipped rulebook with a few seeded faults.

    python examples/make_logs.py [ROUNDS]

The same call gives the same bytes. `NAME.faults.jsonl` lists what was put in.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from checker.cli import main
from rulespec.load.load import shipped

HERE = Path(__file__).parent
SHARE = "0.004"
SEEDS = {
    "act-blackjack": 2024,
    "act-pontoon": 2025,
    "nsw-star-pontoon": 2026,
    "nz-pontoon": 2027,
    "sa-adelaide-pontoon": 2028,
    "fr-punto-banco": 2030,
    "ma-blackjack": 2031,
}
# of a text that leaves many of its tables undecided fewer rounds can be made, with more faults
FEWER = {"ma-blackjack": (600, "0.02")}


def make(rounds: int) -> None:
    for name in shipped():
        many, share = FEWER.get(name, (rounds, SHARE))
        log, faults = HERE / f"{name}.jsonl.gz", HERE / f"{name}.faults.jsonl"
        start = ["--start", "2024-09-02T12:00:00+10:00"] if "star" in name else []
        status = main(
            [
                "simulate",
                name,
                "--rounds",
                str(min(many, rounds)),
                "--seed",
                str(SEEDS.get(name, 2029)),
                "--faults",
                share,
                "--fault-list",
                str(faults),
                "--output",
                str(log),
                "--quiet",
                *start,
            ]
        )
        assert status == 0, name
    listed = (HERE / "nsw-star-pontoon.faults.jsonl").read_text(encoding="utf-8").splitlines()
    wrong = [json.loads(line) for line in listed]
    paid = next(f for f in wrong if "R501" in f["codes"])
    (HERE / "explained-round.txt").write_text(paid["round"] + "\n", encoding="utf-8")


if __name__ == "__main__":
    make(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
