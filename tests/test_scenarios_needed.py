"""Is every rule needed by some scenario? Rules are taken out one by one."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from checker.engine import Engine
from checker.mutate import mutate
from checker.scenarios import (
    load_scenarios,
    run_scenario,
    scenario_path,
    unnoticed_reasons,
)
from rulespec.load import load, shipped
from tests.scenario_support import (
    LOST,
    WON,
    Run,
    corner,
    loaded,
    runner,
    scenario,
    written,
)


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Run:
    return runner(tmp_path, monkeypatch, capfd)


ALL_BUT_DECKS = (
    scenario("won", WON, returns={"1 P1 main": 20}),
    scenario("lost", LOST, returns={"1 P1 main": 0}),
    scenario("equal", WON.replace("1:9C", "1:7C"), returns={"1 P1 main": 10}),
    scenario("bust", "bet 1 P1 10\ndeal 1:KH 0:9D 1:6C\n1 P1 hit 9C\ndealer 8S",
             returns={"1 P1 main": 0}),
    scenario("threes and fours", "bet 1 P1 10\ndeal 1:3H 0:2D 1:4C\n1 P1 hit 5C\n1 P1 hit 7D\n"
             "1 P1 stand\ndealer TD JS", returns={"1 P1 main": 0}),
    scenario("too many for the dealer", WON + " 2D", breaches=["2"]),
    scenario("too few for the dealer", WON.replace("dealer 8S", "dealer 5S"), breaches=["2"]),
)  # fmt: skip


def unnoticed(folder: Path, *scenarios: dict[str, Any]) -> set[tuple[str, str]]:
    book = corner(folder)
    made = loaded(folder, *scenarios)
    engine = Engine(book)
    for one in made:
        assert run_scenario(engine, one).passed, one.name
    mutants = list(mutate(book, made))
    assert [m.rule for m in mutants] == list(book.rules)
    return {(m.rule.clause, m.rule.question) for m in mutants if m.noticed_by is None}


def test_a_rule_that_no_scenario_needs_is_found(tmp_path: Path) -> None:
    lost = unnoticed(tmp_path, *ALL_BUT_DECKS)
    assert ("6", "require round") in lost
    needed = {("4(a)", "main.result"), ("4(b)", "main.result"), ("4(c)", "main.result"),
              ("5", "main.odds"), ("3", "player draw"), ("2", "dealer draw")}  # fmt: skip
    assert not needed & lost


def test_a_scenario_for_the_rule_makes_it_noticed(tmp_path: Path) -> None:
    decks = scenario("nine decks", WON, decks=9, breaches=["6"])
    assert ("6", "require round") not in unnoticed(tmp_path, *ALL_BUT_DECKS, decks)


def test_the_engine_is_whole_again_after_mutation(tmp_path: Path) -> None:
    made = loaded(tmp_path, *ALL_BUT_DECKS)
    book = corner(tmp_path)
    first = [m.noticed_by for m in mutate(book, made)]
    assert first == [m.noticed_by for m in mutate(book, made)]
    assert first == [m.noticed_by for m in mutate(book, made, jobs=2)]


def test_the_command_lists_unnoticed_rules(run: Run, tmp_path: Path) -> None:
    written(tmp_path, *ALL_BUT_DECKS)
    ran = run("coverage", "corner.rules", "--mutate", "--format", "json")
    assert ran.status == 1
    assert {f["code"] for f in ran.report["findings"]} == {"R591"}
    clauses = {f["clause"] for f in ran.report["findings"]}
    assert "6" in clauses
    assert not clauses & {"4(a)", "4(b)", "4(c)", "5"}
    found = next(f for f in ran.report["findings"] if f["clause"] == "6")
    assert "require round" in found["message"]
    assert found["span"]["file"].endswith("corner.rules")


def test_a_reason_is_honoured(run: Run, tmp_path: Path) -> None:
    before = written(tmp_path, *ALL_BUT_DECKS)
    assert unnoticed_reasons(before) == {}
    lost = {f["clause"] for f in run("coverage", "corner.rules", "--mutate", "--format",
                                     "json").report["findings"]}  # fmt: skip
    reasons = dict.fromkeys(lost, "no log of this house says so")
    path = written(tmp_path, *ALL_BUT_DECKS, unnoticed=reasons)
    assert unnoticed_reasons(path) == reasons
    ran = run("coverage", "corner.rules", "--mutate", "--format", "json")
    assert (ran.status, ran.report["findings"]) == (0, [])
    counts = ran.report["summary"]["by_rulebook"]["corner"]
    assert counts["unnoticed"] == counts["with_reason"] > 0
    assert {r["because"] for r in counts["unnoticed_rules"]} == {"no log of this house says so"}
    text = run("coverage", "corner.rules", "--mutate").out
    assert "no log of this house says so" in text


def test_a_scenario_that_fails_anyway_notices_nothing(run: Run, tmp_path: Path) -> None:
    failing = scenario("wrong from the start", WON, returns={"1 P1 main": 99})
    written(tmp_path, *ALL_BUT_DECKS, failing)
    ran = run("coverage", "corner.rules", "--mutate", "--format", "json")
    assert ran.status != 0
    lost = {r["clause"] for r in ran.report["summary"]["by_rulebook"]["corner"]["unnoticed_rules"]}
    assert "6" in lost


def test_nothing_to_mutate_is_not_clean(run: Run) -> None:
    assert run("coverage", "corner.rules", "--mutate").status == 2


def test_the_scenarios_of_a_shipped_rulebook_need_its_rules() -> None:
    """A sample: `rulespec coverage --mutate` looks at all of them and takes minutes."""
    path = shipped()["act-pontoon"]
    book = load(path).rulebook
    assert book is not None
    rules = list(book.rules)
    random.Random(3).shuffle(rules)  # the order of rules means nothing
    scenarios = load_scenarios(scenario_path(path), book)
    mutants = list(itertools.islice(mutate(replace(book, rules=tuple(rules)), scenarios), 25))
    lost = [m.rule.id for m in mutants if m.noticed_by is None]
    assert len(mutants) == 25
    assert len(lost) <= 2, lost
