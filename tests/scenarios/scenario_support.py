"""A small rulebook, scenarios for it, and the command that runs them."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from checker import cli
from checker.evaluate.ready import new_engine
from checker.scenarios.scenarios import Scenario, load_scenarios, run_scenario
from rulespec.load.load import load
from rulespec.resolve.rulebook import Rulebook

CORNER = """rulebook corner { game pontoon in force from 2020-01-01 }
clause 1 "Card values" {
  cards 2 to 9 count face
  cards T, J, Q, K count 10
}
clause 2 "The dealer draws to 17" {
  dealer must draw when dealer.total <= 16
  dealer must not draw when dealer.total > 16
}
clause 3 "Choices" {
  may draw
  may stand
}
clause 4(a) "Higher wins" { main wins when hand.total <= 21 and hand.total > dealer.total }
clause 4(b) "Lower loses" { main loses when hand.total > 21 or hand.total < dealer.total }
clause 4(c) "Equal stands off" { main stands off when hand.total = dealer.total }
clause 5 "Odds" { main pays 1 to 1 }
clause 6 "Decks" { at round require round.decks <= 8 }
"""
WON = "bet 1 P1 10\ndeal 1:KH 0:9D 1:9C\n1 P1 stand\ndealer 8S"
LOST = "bet 1 P1 10\ndeal 1:KH 0:9D 1:6C\n1 P1 stand\ndealer 8S"


class Ran(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out, parse_float=Decimal)
        return found


Run = Callable[..., Ran]


def runner(folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """`rulespec …` in a folder with a small rulebook, which has no scenarios yet."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("NO_COLOR", "1")
    Path("corner.rules").write_text(CORNER, encoding="utf-8")

    def call(*arguments: str) -> Ran:
        capfd.readouterr()
        status = cli.main(list(arguments))
        return Ran(status, *capfd.readouterr())

    return call


def scenario(name: str, script: str | list[str], **more: Any) -> dict[str, Any]:
    return {"name": name, "play": script, **more}


def written(folder: Path, *scenarios: dict[str, Any], **more: Any) -> Path:
    """A scenario file beside the small rulebook. JSON is YAML."""
    path = folder / "corner.scenarios.yaml"
    document = {"rulebook": "corner", "scenarios": list(scenarios), **more}
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def corner(folder: Path) -> Rulebook:
    path = folder / "corner.rules"
    path.write_text(CORNER, encoding="utf-8")
    result = load(path)
    assert result.diagnostics == ()
    assert result.rulebook is not None
    return result.rulebook


def loaded(folder: Path, *scenarios: dict[str, Any], **more: Any) -> list[Scenario]:
    return load_scenarios(written(folder, *scenarios, **more), corner(folder))


def wrong_with(folder: Path, one: dict[str, Any]) -> tuple[str, ...]:
    (made,) = loaded(folder, one)
    return run_scenario(new_engine(corner(folder).on(made.round.at.date())), made).wrong
