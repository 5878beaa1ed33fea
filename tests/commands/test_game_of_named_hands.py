"""Casino war, as `docs/another-game.md` writes it down: every command is right on it, or says
what it does not follow."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from checker.cli import main

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "examples" / "casino-war"
RULES = str(FOLDER / "corner-war.rules")


def told(capsys: pytest.CaptureFixture[str], status: int, *call: str) -> str:
    assert main(list(call)) == status
    return capsys.readouterr().out


def test_the_page_shows_what_the_files_say() -> None:
    page = (ROOT / "docs" / "another-game.md").read_text(encoding="utf-8")
    page = page.partition("## With named hands")[2]
    blocks = re.findall(r"```\n(.*?)```", page, flags=re.DOTALL)
    files = "".join(
        (FOLDER / name).read_text(encoding="utf-8")
        for name in ("casino_war.game", "corner-war.rules")
    )
    shown = [block for block in blocks if not block.startswith("rulespec ")]
    assert len(shown) == 3
    for block in shown:
        for part in block.split("\n\n"):
            assert part.strip("\n") in files


@pytest.mark.parametrize("command", ["check", "test", "coverage"])
def test_nothing_is_wrong_with_it(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, 0, command, RULES)


def test_it_is_laid_out(capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, 0, "fmt", "--check", RULES, str(FOLDER / "casino_war.game"))


def test_the_edge_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    out = json.loads(told(capsys, 0, "edge", RULES, "--format", "json"))
    bets = {bet["bet"]: bet["decks"][0] for bet in out["summary"]["rulebooks"][0]["bets"]}
    # 24 cards of a rank among 312; of the tie a second card of the same rank of 310 and 309
    again = Fraction(23, 311)
    two_left, others = Fraction(22, 310) * Fraction(21, 309), Fraction(288, 310)
    second = two_left + others * Fraction(23, 309)
    assert Fraction(bets["main"]["edge"]) == again * second
    assert Fraction(bets["tie"]["edge"]) == 1 - 11 * again


def test_rounds_that_are_made_replay_without_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, faults = tmp_path / "war.jsonl", tmp_path / "faults.jsonl"
    call = ["simulate", RULES, "--rounds", "300", "--seed", "4", "--quiet", "--output", str(log)]
    told(capsys, 0, *call)
    told(capsys, 0, "replay", str(log), "--rules", RULES)
    told(capsys, 0, *call, "--faults", "0.3", "--fault-list", str(faults))
    listed = [json.loads(line) for line in faults.read_text(encoding="utf-8").splitlines()]
    out = json.loads(told(capsys, 1, "replay", str(log), "--rules", RULES, "--format", "json"))
    found = {finding["round"] for finding in out["findings"]}
    assert found == {fault["round"] for fault in listed}
    assert {"overpaid", "extra_card", "wrong_order"} & {fault["kind"] for fault in listed}


def test_an_explanation_draws_the_hands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "war.jsonl"
    round_ = {
        "round": "W1",
        "table": "T1",
        "at": "2030-02-01T20:00:00Z",
        "rulebook": "corner-war",
        "decks": 6,
        "events": [
            {"e": "wager", "player": "P1", "bet": "main", "stake": 10},
            {"e": "no_more_bets"},
            {"e": "deal", "to": "player", "card": "9S"},
            {"e": "deal", "to": "dealer", "card": "9H"},
            {"e": "deal", "to": "player", "card": "AD"},
            {"e": "deal", "to": "dealer", "card": "KC"},
            {"e": "settle", "player": "P1", "bet": "main", "returned": 20},
        ],
    }
    log.write_text(json.dumps(round_) + "\n", encoding="utf-8")
    out = told(capsys, 0, "explain", str(log), "--round", "W1", "--rules", RULES)
    assert "9♠ A♦  14" in out
    assert "clause 2.3 says must" in out


def test_two_versions_differ_and_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = Path(RULES).read_text(encoding="utf-8")
    other = tmp_path / "other.rules"
    other.write_text(text.replace("tie pays 10 to 1", "tie pays 11 to 1"), encoding="utf-8")
    (tmp_path / "casino_war.game").write_bytes((FOLDER / "casino_war.game").read_bytes())
    out = told(capsys, 1, "diff", RULES, str(other))
    assert "wins at 10 to 1" in out
    assert "the list is complete" in out
    out = told(capsys, 0, "compare", RULES, str(other), "--differences")
    assert "11 to 1" in out


def test_what_is_not_followed_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = (FOLDER / "casino_war.game").read_text(encoding="utf-8")
    game += '\naction surrender "give up half" by each player {\n  logged\n  ends the hand\n}\n'
    (tmp_path / "casino_war.game").write_text(game, encoding="utf-8")
    rules = tmp_path / "corner-war.rules"
    rules.write_bytes(Path(RULES).read_bytes())
    assert main(["check", str(rules)]) == 3
    assert "surrender" in capsys.readouterr().err
    assert "undecided" in told(capsys, 3, "edge", str(rules))
    assert "surrender" in told(capsys, 3, "diff", RULES, str(rules))
    log = tmp_path / "war.jsonl"
    assert main(["simulate", str(rules), "--rounds", "3", "--seed", "1", "--output", str(log)]) == 3
