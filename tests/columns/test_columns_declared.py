"""Rounds of a rulebook that declares something for itself: what columns leave to the plain evaluator
is counted."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from checker.cli import main
from checker.columns import prepare
from checker.log.script import events_of
from rulespec.load.load import load
from tests.evaluate.engine_support import CARDS, PLAYS, RESULTS
from tests.support import HEADER

pytest.importorskip("numba")

TEXT = (
    HEADER
    + CARDS
    + PLAYS
    + RESULTS
    + """
choice table in (1, 2) "pay table"
bet pair "Pair" { decided by first, second }
clause 5 "Evens" { main pays 1 to 1 }
clause 6 "Pair" {
  pair wins when same rank of (first, second)
  pair loses when not same rank of (first, second)
  pair pays 5 to 1 when choice table = 1
  pair pays 9 to 1 when choice table = 2
}
"""
)
SCRIPT = """
bet 1 P1 10
bet 1 P1 5 pair
deal 1:{} 0:9D 1:{}
1 P1 stand
dealer 8S
settle 1 P1 main {}
settle 1 P1 pair {}
"""


TOGETHER = """
bet king "King" { offered when choice table in (1, 2) decided by first }
clause 7 "King" {
  king wins when first.rank = K
  king loses when first.rank != K
  king pays 2 to 1
}
clause 8 "At most $6 on both" { at king require wager.of_offer <= $6 }
"""

ROUNDS = [
    ("9H", "9C", 20, 30, 1),
    ("9H", "9C", 20, 30, 2),
    ("9H", "8C", 10, 0, 1),
    ("KH", "KC", 20, 50, 2),
    ("KH", "QC", 20, 50, 2),
]
UNASKED = {
    "a duty of its own before the first card": """
record wiped "the table was wiped"
action wipe "wipe the table" by the casino { done when recorded wiped }
clause 7 "Wiping" { casino must wipe }
""",
}


def test_both_engines_judge_declared_bets_alike(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    findings, summary, said = both(TEXT, ROUNDS, tmp_path, capfd)
    wrong = {f["round"] for f in findings if f["bet"] == "pair"}
    assert (wrong, summary["rounds"]) == ({"R1", "R4"}, 5)
    assert "2 of them one by one" in said, "those in which the money is wrong"


def test_tables_of_yet_another_house_are_left_to_the_plain_evaluator(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepare, "MOST_HOUSES", 1)
    _, _, said = both(TEXT, ROUNDS, tmp_path, capfd)
    assert "3 of them one by one" in said, "those of the second house"


@pytest.mark.parametrize("what", UNASKED)
def test_what_columns_do_not_ask_is_left_to_the_plain_evaluator(
    what: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    findings, _, said = both(TEXT + UNASKED[what], ROUNDS[2:3], tmp_path, capfd)
    assert [f["clause"] for f in findings] == ["7"]
    assert "1 of them one by one" in said


@pytest.mark.parametrize(("stake", "broken"), [(1, []), (2, ["8"])])
def test_bets_that_are_offered_together_are_added_up(
    stake: int, broken: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    script = SCRIPT.replace("deal", f"bet 1 P1 {stake} king\ndeal", 1) + "settle 1 P1 king 0\n"
    text = TEXT.replace("{ decided by first, second", "{ offered when choice table in (1, 2)")
    findings, _, said = both(text + TOGETHER, ROUNDS[2:3], tmp_path, capfd, script)
    assert [f["clause"] for f in findings] == broken
    assert ("one by one" in said) == bool(broken)


def both(
    text: str,
    rounds: list[tuple[str, str, int, int, int]],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    script: str = SCRIPT,
) -> tuple[list[dict[str, Any]], dict[str, Any], str]:
    """What both engines find, and what the columns say of how they went about it."""
    rules = tmp_path / "text.rules"
    rules.write_text(text)
    book = load(rules).rulebook
    assert book is not None
    lines = []
    for number, (first, second, main_, pair, table) in enumerate(rounds):
        round_: dict[str, Any] = {
            "format": 1,
            "round": f"R{number}",
            "table": "T1",
            "at": f"2020-02-01T12:0{number}:00+10:00",
            "decks": 6,
            "options": [f"table={table}"],
            "events": events_of(script.format(first, second, main_, pair), book.game),
        }
        lines.append(json.dumps(round_, default=float) + "\n")
    log = tmp_path / "log.jsonl"
    log.write_text("".join(lines))
    told = {}
    for engine in ("plain", "columns"):
        arguments = ["replay", str(log), "--rules", str(rules), "--engine", engine]
        main([*arguments, "--format", "json"])
        report = json.loads(capfd.readouterr().out, parse_float=Decimal)
        report["summary"].pop("engine")
        told[engine] = (report["findings"], report["summary"])
    assert told["plain"] == told["columns"]
    findings, summary = told["columns"]
    main([*arguments])
    return findings, summary, capfd.readouterr().err
