"""Decisions in the order of the boxes and of the hands of a box."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evaluate.engine_support import EVENS, codes, judged

TURNS = EVENS + 'clause 6 "In turn" {\n'
TURNS += "".join(
    f"  at {play} require play.in_turn\n" for play in ("draw", "stand", "double", "split")
)
TURNS += "}\n"
BETS = "bet 1 P1 10\nbet 3 P3 10\n"
DEAL = "deal 1:TH 3:8S 0:6D 1:5C 3:8C\n"
PAIR = "deal 1:8H 3:TS 0:6D 1:8C 3:9C\n"


@pytest.mark.parametrize(
    ("script", "out_of_turn"),
    [
        (DEAL + "1 P1 stand\n3 P3 stand\n", []),
        (DEAL + "3 P3 stand\n1 P1 stand\n", [3]),
        (DEAL + "1 P1 hit 2S\n3 P3 split $10\n1 P1 stand\ndeal 3:TH\n", [3]),
        (DEAL + "1 P1 hit 2S\n1 P1 stand\n3 P3 double $10 TD\n", []),
        (DEAL + "3 P3 double $10 TD\n1 P1 stand\n", [3]),
        (PAIR + "1 P1 split $10\ndeal 1:TS\n1 P1 stand\ndeal 1.2:9D\n1.2 P1 stand\n3 P3 stand", []),
        (PAIR + "1 P1 split $10\ndeal 1:TS 1.2:9D\n1.2 P1 stand\n1 P1 stand\n3 P3 stand", [1]),
        (
            PAIR + "1 P1 split $10\ndeal 1:TS\n1 P1 stand\n3 P3 stand\ndeal 1.2:9D\n1.2 P1 stand",
            [3],
        ),
    ],
)
def test_a_decision_out_of_turn_is_found(
    tmp_path: Path, script: str, out_of_turn: list[int]
) -> None:
    verdict = judged(tmp_path, TURNS, BETS + script)
    found = [f.box for f in verdict.findings if (f.code, f.clause) == ("R530", "6")]
    assert found == out_of_turn


def test_no_decision_before_the_card_that_was_asked_for(tmp_path: Path) -> None:
    late = "deal 1:TH 3:8S 0:6D 1:5C 3:8C\n1 P1 hit\n1 P1 stand\ndeal 1:2S\n3 P3 stand\n"
    assert ("R530", "6") in codes(judged(tmp_path, TURNS, BETS + late))
