"""What may be done or wagered at one stage of the round alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from checker.judge.judge import judge
from checker.log.script import events_of
from tests.evaluate.engine_support import EVENS, a_round, engine_of

DECLARED = """
stage side "side wagers" after the deal
stage last "last calls" after play
action peep "look again" by each player { logged  at most 1 on a box  at stage side }
action shout "shout" by each player { logged  at stage last }
action nod "nod" by each player { logged  at stage play }
bet late "Late" { placed at stage side  on the box  decided by dealer.second }
clause 8 "Peep" {
  may peep  may shout  may nod
  late wins when dealer.second = K  late loses when dealer.second != K  late pays 1 to 1
}
"""
BET = "bet 1 P1 10\nbet 2 P2 10\n"
DEAL = "deal 1:TH 2:9S 0:6D 1:5C 2:8C\n"
HIT = "1 P1 hit 2S\n"
REST = "1 P1 stand\n2 P2 stand\n"
END = "dealer TC 9S\n"


@pytest.mark.parametrize(
    ("script", "found"),
    [
        (BET + DEAL + "1 P1 peep\n" + HIT + REST + END, []),
        (BET + DEAL + HIT + "2 P2 peep\n" + REST + END, [("R511", "8")]),
        (BET + DEAL + HIT + REST + END + "1 P1 peep\n", [("R511", "8")]),
        (BET + DEAL + "1 P1 nod\n" + HIT + "2 P2 nod\n" + REST + END, []),
        (BET + DEAL + HIT + REST + END + "2 P2 nod\n", [("R511", "8")]),
        (BET + DEAL + "bet 1 P1 5 late\n" + HIT + REST + END, []),
        (BET + DEAL + HIT + "bet 1 P1 5 late\n" + REST + END, [("R530", None)]),
        ("bet 1 P1 5 late\n" + BET + DEAL + HIT + REST + END, [("R530", None)]),
    ],
)
def test_what_is_done_at_another_stage(
    tmp_path: Path, script: str, found: list[tuple[str, str | None]]
) -> None:
    engine = engine_of(tmp_path, EVENS + DECLARED)
    head: dict[str, Any] = {"events": events_of(script, engine.rulebook.game)}
    verdict = judge(engine, a_round("", **head))
    assert [(f.code, f.clause) for f in verdict.findings if f.code != "R503"] == found
