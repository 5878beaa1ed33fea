"""Games with named hands: what the columns hand on is judged as the plain engine judges it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulespec import replay

pytest.importorskip("numba")
pytest.importorskip("numpy")


def line(number: int, low: int, *, shoe: str = "S1", minute: int = 0) -> dict[str, Any]:
    """A round that punto wins 9 to 7."""
    limits = {bet: {"min": low, "max": 50 * low} for bet in ("player", "banker", "tie")}
    events: list[dict[str, Any]] = [
        {"e": "wager", "player": "P1", "bet": "player", "stake": low},
        {"e": "no_more_bets"},
        *(
            {"e": "deal", "to": to, "card": card}
            for to, card in zip(["player", "banker"] * 2, ["4S", "KH", "5D", "7C"], strict=True)
        ),
        {"e": "settle", "player": "P1", "bet": "player", "returned": 2 * low},
    ]
    return {
        "format": 1,
        "round": str(number),
        "table": "T1",
        "shoe": shoe,
        "at": f"2012-03-01T20:{minute or number:02}:00+01:00",
        "rulebook": "fr-punto-banco",
        "decks": 6,
        "options": [],
        "limits": limits,
        "events": events,
    }


def told(tmp_path: Path, engine: str, rounds: list[dict[str, Any]]) -> Any:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(one) + "\n" for one in rounds))
    report = replay([log], engine=engine, jobs=1)
    found = [(f.round, f.code, f.clause) for f in report.findings]
    summary = {k: v for k, v in report.summary.items() if k not in ("engine", "one_by_one")}
    return found, summary


def test_a_minimum_that_changes_in_a_shoe_is_found(tmp_path: Path) -> None:
    rounds = [line(1, 20), line(2, 20), line(3, 40), line(4, 20, shoe="S2")]
    found, summary = told(tmp_path, "columns", rounds)
    assert ("3", "R530", "53#last") in found
    assert {number for number, _, _ in found} == {"3"}
    assert (found, summary) == told(tmp_path, "plain", rounds)


def test_nothing_is_taken_from_a_shoe_whose_order_was_broken(tmp_path: Path) -> None:
    rounds = [line(1, 20), line(9, 20), line(3, 40, minute=5), line(10, 60)]
    found, summary = told(tmp_path, "columns", rounds)
    assert {number for number, _, _ in found} == {"10"}
    assert (found, summary) == told(tmp_path, "plain", rounds)


def test_auto_does_not_take_columns_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("checker.which_engine.worth_columns", lambda logs: True)
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps(line(1, 20)) + "\n")
    assert replay([log]).summary["engine"] == "plain"
    log.write_text(json.dumps(line(1, 20) | {"rulebook": "act-pontoon"}) + "\n")
    assert replay([log]).summary["engine"] == "columns"
