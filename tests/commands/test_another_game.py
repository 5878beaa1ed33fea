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


def test_what_players_and_the_dealer_decide_is_made_and_judged(folder: Path) -> None:
    """The lines that the page adds for a war that players may go to, and a dealer who may draw."""
    text = PAGE.read_text(encoding="utf-8")
    (more,) = re.findall(r"^```\n(stage play .*?)^```", text, re.MULTILINE | re.DOTALL)
    dealer = """
stage war "the dealer's card for the war" after play {
  dealer draws
}
action draw "draw a card" by the dealer
fact wager.original is money "the original wager"
fact dealer.cards is 0 to 22 "number of cards of the dealer"
moment dealer knows round, dealer
"""
    game = (folder / "war.game").read_text(encoding="utf-8")
    game = game.replace("require at round, wager", "require at round, wager, go_to_war")
    (folder / "war.game").write_text(game + more + dealer, encoding="utf-8")
    war = """
clause 5 "War" {
  may go_to_war when first.rank = dealer.first.rank
  at go_to_war require play.stake = wager.original
}
"""
    rules = (folder / "sample.rules").read_text(encoding="utf-8") + war
    made = ("simulate", "sample.rules", "--rounds", "500", "--seed", "4", "--quiet")
    draw = """clause 6 "Dealer" {
  dealer may draw when dealer.cards < 2
  dealer must not draw when dealer.cards = 2
}
"""
    for draws in ("", draw):
        (folder / "sample.rules").write_text(rules + draws, encoding="utf-8")
        assert main([*made, "--output", "log.jsonl"]) == 0
        lines = [json.loads(x) for x in Path("log.jsonl").read_text(encoding="utf-8").splitlines()]
        events = [event for line in lines for event in line["events"]]
        assert any(event.get("do") == "go_to_war" for event in events)
        dealt = sum(event["e"] == "deal" and event["box"] == 0 for event in events)
        assert dealt > len(lines) if draws else dealt == len(lines)
        status, report = run("replay", "log.jsonl", "--rules", "sample.rules")
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
