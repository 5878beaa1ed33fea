"""What is moved after a settlement puts a wrong one right; it may not undo one that was right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from checker.cli import main
from checker.log.script import events_of

STAR = "nsw-star-pontoon"
PONTOON = "bet 1 P1 10\nno more bets\ndeal 1:AS 0:9H 1:KD\nsettle 1 P1 main {}\n"
LOST = (
    "bet 1 P1 10\nno more bets\ndeal 1:KS 0:9H 1:8D\n1 P1 stand\ndealer KC\nsettle 1 P1 main {}\n"
)
VOID = "record placement_error found subsequent_deal\nrecord cannot_reconstruct\nvoid round\n"

CASES: list[tuple[str, list[int], list[tuple[str | None, int, int]]]] = [
    (PONTOON.format(25) + VOID, [-15], [("11.1", 2500, 1000)]),  # an interim payment stands
    (LOST.format(0), [5], [("17.1.9", 0, 500)]),
    (LOST.format(5), [-10], [("17.1.9", 0, 500)]),  # wrong before, and not right now
    (LOST.format(20), [-20], []),
    (LOST.format(0), [0], []),
]


def line(number: int, script: str, moved: list[int]) -> dict[str, Any]:
    more = [{"e": "adjust", "player": "P1", "amount": amount} for amount in moved]
    return {
        "format": 1,
        "round": f"R{number}",
        "table": f"T{number}",
        "at": "2024-08-16T21:00:00+10:00",
        "rulebook": STAR,
        "decks": 6,
        "options": [],
        "events": [*events_of(script), *more],
    }


@pytest.mark.parametrize("engine", ["plain", "columns"])
def test_a_right_settlement_that_a_correction_undoes(
    engine: str, tmp_path: Path, capfdbinary: Any
) -> None:
    if engine == "columns":
        pytest.importorskip("numba")
    log = tmp_path / "log.jsonl"
    lines = (
        json.dumps(line(n, script, moved), default=float)
        for n, (script, moved, _) in enumerate(CASES)
    )
    log.write_text("\n".join(lines), encoding="utf-8")
    main(["replay", str(log), "--engine", engine, "--format", "json"])
    told = json.loads(capfdbinary.readouterr().out)["findings"]
    for number, (_, _, wrong) in enumerate(CASES):
        found = [
            (f["clause"], round(f["expected"] * 100), round(f["actual"] * 100))
            for f in told
            if f["round"] == f"R{number}" and f["code"] == "R501"
        ]
        assert found == wrong
