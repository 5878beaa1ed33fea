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


@pytest.fixture
def war(folder: Path) -> Path:
    """With the lines that the page adds for a war that players may go to."""
    text = PAGE.read_text(encoding="utf-8")
    (more,) = re.findall(r"^```\n(stage play .*?)^```", text, re.MULTILINE | re.DOTALL)
    (clauses,) = re.findall(r"^```\n(clause 2\.1 .*?)^```", text, re.MULTILINE | re.DOTALL)
    game = (folder / "war.game").read_text(encoding="utf-8")
    game = game.replace("require at round, wager", "require at round, wager, go_to_war")
    (folder / "war.game").write_text(game + "\n" + more, encoding="utf-8")
    rules = (folder / "sample.rules").read_text(encoding="utf-8")
    rules = re.sub(r"clause 2 .*?^}\n", clauses, rules, flags=re.MULTILINE | re.DOTALL)
    (folder / "sample.rules").write_text(rules, encoding="utf-8")
    assert main(["fmt", "--check", "--quiet", "sample.rules"]) == 0
    return folder


def test_a_war_is_settled_part_by_part(war: Path) -> None:
    (war / "sample.scenarios.yaml").write_text(
        """rulebook: sample
scenarios:
- name: a war that is won, beside a hand that was lost at once
  play: |
    bet 1 P1 10
    bet 2 P2 10
    deal 1:9H 2:8C 0:9D
    1 P1 go_to_war $10 3D
    dealer 2C
  returns: {1 P1 main: 30, 2 P2 main: 0}
- name: the last card counts, not the sum
  play: |
    bet 1 P1 10
    bet 2 P2 10
    deal 1:AH 2:AC 0:AD
    1 P1 go_to_war $10 2D
    2 P2 surrender
    dealer 3C
  returns: {1 P1 main: 0, 2 P2 main: 5}
- name: a card for nobody
  play: |
    bet 1 P1 10
    deal 1:9H 0:8D
    dealer 3C
  returns: {1 P1 main: 20}
  breaches: ["2.3"]
- name: a war for too little
  play: |
    bet 1 P1 10
    deal 1:9H 0:9D
    1 P1 go_to_war $5 KD
    dealer 3C
  returns: {1 P1 main: 20}
  breaches: ["2.2"]
- name: half may be given up in a tie only
  play: |
    bet 1 P1 10
    deal 1:9H 0:TD
    1 P1 surrender
  returns: {1 P1 main: 0}
  breaches: ["2.2"]
""",
        encoding="utf-8",
    )
    status, report = run("test", "sample.rules")
    assert (status, report["findings"]) == (0, [])


def test_players_of_a_simulation_do_what_the_game_declares(war: Path) -> None:
    made = ("simulate", "sample.rules", "--rounds", "300", "--seed", "4", "--quiet")
    assert main([*made, "--output", "log.jsonl"]) == 0
    lines = [json.loads(x) for x in Path("log.jsonl").read_text(encoding="utf-8").splitlines()]
    done = {event.get("do") for line in lines for event in line["events"]}
    assert {"go_to_war", "surrender"} <= done
    assert not any(line["options"] for line in lines)  # the game declares none
    status, report = run("replay", "log.jsonl", "--rules", "sample.rules")
    assert (status, report["findings"], report["summary"]["unknown"]) == (0, [], [])
    faults = ("--faults", "0.3", "--fault-list", "faults.jsonl")
    assert main([*made, *faults, "--output", "log.jsonl"]) == 0
    report = run("replay", "log.jsonl", "--rules", "sample.rules")[1]
    found = {(f["round"], f["clause"]) for f in report["findings"]}
    told = Path("faults.jsonl").read_text(encoding="utf-8").splitlines()
    assert told
    for fault in map(json.loads, told):
        assert (fault["round"], fault["clause"]) in found, fault


def test_hands_of_boxes_add_up_as_their_game_says(folder: Path) -> None:
    """The units of the sum, as in baccarat: king and nine beat eight and seven."""
    game = (folder / "war.game").read_text(encoding="utf-8")
    game = game.replace("the rank of its card", "the sum of its cards modulo 10")
    game = game.replace("each box 1 up", "each box 2 up").replace("dealer 1 up", "dealer 2 up")
    (folder / "war.game").write_text(game, encoding="utf-8")
    (folder / "sample.scenarios.yaml").write_text(
        """rulebook: sample
scenarios:
- name: nine beats five
  play: |
    bet 1 P1 10
    deal 1:TH 1:9C 0:8D 0:7D
  returns: {1 P1 main: 20}
""",
        encoding="utf-8",
    )
    status, report = run("test", "sample.rules")
    assert (status, report["findings"]) == (0, [])


@pytest.mark.parametrize(
    ("clause", "code", "help_"),
    [
        ("may split when hand.total = 2", "R106", "the casino, or the player"),
        ("dealer must draw when dealer.total = 2", "R108", "declare `moment dealer knows …`"),
    ],
)
def test_advice_speaks_of_the_game_at_hand(
    folder: Path, clause: str, code: str, help_: str
) -> None:
    game = (folder / "war.game").read_text(encoding="utf-8")
    (folder / "war.game").write_text(game + 'action draw "draw" by the dealer\n', encoding="utf-8")
    rules = (folder / "sample.rules").read_text(encoding="utf-8")
    (folder / "sample.rules").write_text(rules + f'\nclause 5 "X" {{\n  {clause}\n}}\n')
    _, report = run("check", "sample.rules")
    (finding,) = [f for f in report["findings"] if f["code"] == code]
    assert help_ in finding["help"]
    assert "double" not in finding["help"]
