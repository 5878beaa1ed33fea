"""A game that rulespec does not know, as its page writes it down: judged, or said what is open."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from checker.cli import main

PAGE = Path(__file__).parent.parent.parent / "docs" / "another-game.md"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    text = PAGE.read_text(encoding="utf-8")
    for kind, file in (("game", "war.game"), ("war", "sample.rules")):
        (block,) = re.findall(rf"^```{kind}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        (tmp_path / file).write_text(block, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*call: str) -> tuple[int, dict[str, Any]]:
    status = main([*call, "--format", "json", "--quiet", "--output", "told.json"])
    return status, json.loads(Path("told.json").read_text(encoding="utf-8"))


def test_both_files_are_in_the_canonical_layout(folder: Path) -> None:
    assert main(["fmt", "--check", "--quiet", "."]) == 0


def test_check_finds_no_flaw_and_says_that_no_hand_was_looked_at(folder: Path) -> None:
    status, report = run("check", "sample.rules")
    assert (status, report["findings"]) == (3, [])
    (open_,) = report["summary"]["undecided"]
    assert "how a hand adds up, the deal" in open_
    assert [entry["path"] for entry in report["inputs"]] == ["sample.rules", "war.game"]


def test_rounds_are_made_and_judged(folder: Path) -> None:
    made = ("simulate", "sample.rules", "--rounds", "200", "--seed", "4", "--quiet")
    assert main([*made, "--output", "log.jsonl"]) == 0
    status, report = run("replay", "log.jsonl", "--rules", "sample.rules")
    assert (status, report["findings"]) == (0, [])
    lines = [json.loads(x) for x in Path("log.jsonl").read_text(encoding="utf-8").splitlines()]
    bets = {event["bet"] for line in lines for event in line["events"] if event["e"] == "wager"}
    assert bets == {"main", "tie"}
    for event in lines[0]["events"]:
        if event["e"] == "settle":
            event["returned"] += 5
    Path("log.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines), encoding="utf-8")
    status, report = run("replay", "log.jsonl", "--rules", "sample.rules")
    assert status == 1
    assert {(f["code"], f["round"]) for f in report["findings"]} == {("R501", lines[0]["round"])}


def test_the_edge_of_the_tie_is_exact_and_that_of_the_main_wager_open(folder: Path) -> None:
    status, report = run("edge", "sample.rules", "--main")
    (book,) = report["summary"]["rulebooks"]
    edges = {bet["bet"]: bet["decks"] for bet in book["bets"]}
    # 1 - 11 * 23/311: of the 311 other cards of six decks, 23 have the rank of the first
    assert [edge["edge"] for edge in edges["tie"]] == ["58/311"]
    assert status == 3
    assert report["summary"]["main"][0]["undecided"]


def test_a_change_is_shown_and_what_it_comes_to_is_left_open(folder: Path) -> None:
    assert run("diff", "sample.rules", "sample.rules")[0] == 0
    changed = (folder / "sample.rules").read_text(encoding="utf-8").replace("10 to 1", "11 to 1")
    (folder / "other.rules").write_text(changed, encoding="utf-8")
    status, report = run("diff", "sample.rules", "other.rules")
    assert status == 3
    assert any("not modelled" in str(finding) for finding in report["findings"])


def test_a_comparison_says_that_its_questions_do_not_fit(folder: Path) -> None:
    assert run("compare", "sample.rules")[0] == 3
