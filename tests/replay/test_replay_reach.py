"""How much of the rulebook a log could test, told in the summary."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.replay.replay_support import CORNER, GOOD, Run, Write, a_round, corner

LISTED = "rulebook: corner\nsections: []\nclauses:\n" + "".join(
    f"- {{id: '{clause}', title: x, kind: rule, checkable: {kind}}}\n"
    for clause, kind in (
        ("1", "external"),
        ("2", "log"),
        ("3", "log"),
        ("4", "log"),
        ("5", "log"),
        ("6", "log"),
        ("7", "shoe"),
    )
)
BUST = "bet 1 P1 10\ndeal 1:KH 0:9D 1:9C\n1 P1 hit 5S\ndealer 8S\nsettle 1 P1 main 0"


@pytest.fixture
def listed(tmp_path: Path) -> None:
    (tmp_path / "corner.clauses.yaml").write_text(LISTED, encoding="utf-8")


@pytest.mark.usefixtures("listed")
@pytest.mark.parametrize("engine", ["plain", "columns"])
def test_each_clause_of_a_log_is_in_one_list(run: Run, write: Write, engine: str) -> None:
    if engine == "columns":
        pytest.importorskip("numba")
    [told] = corner(run, write(a_round("R1", BUST)), "--engine", engine).summary["clauses_tested"]
    assert told == {
        "rulebook": "corner",
        "clause_list": True,
        "clauses": 5,  # not 1, which no log decides, and not 7, which needs a shoe
        "decided": 3,
        "not_checked": ["6"],  # whether the player was seated is not recorded
        "not_asked": ["5"],  # nobody won
        "through_others": [],
    }


@pytest.mark.usefixtures("listed")
def test_the_text_says_it_in_one_line(run: Run, write: Write) -> None:
    out = run(write(a_round("R1", BUST)), "--rules", "corner.rules").out
    assert (
        "Tested 3 of the 5 clauses of corner that a log can decide (the others: 1 not "
        "checked for want of data, 1 that no round put to the test)."
    ) in " ".join(out.split())


@pytest.mark.usefixtures("listed")
def test_a_round_that_tells_it_decides_the_clause(run: Run, write: Write) -> None:
    won = a_round("R1", GOOD)
    won["events"][0]["seated"] = True
    [told] = corner(run, write(won, a_round("R2", BUST))).summary["clauses_tested"]
    assert (told["decided"], told["not_checked"], told["not_asked"]) == (5, [], [])


def test_without_a_list_all_that_is_encoded_counts(run: Run, write: Write) -> None:
    report = corner(run, write(a_round("R1", BUST))).summary["clauses_tested"]
    [told] = report
    assert not told["clause_list"]
    assert told["clauses"] == CORNER.count("\nclause ")
    out = run(write(a_round("R1", BUST)), "--rules", "corner.rules").out
    assert "of the 7 clauses of corner that are encoded" in " ".join(out.split())


def test_a_rulebook_that_judged_nothing_is_not_counted(run: Run, write: Write) -> None:
    log = write(a_round("R1", rulebook="elsewhere"))
    assert run(log, "--format", "json").summary["clauses_tested"] == []


@pytest.mark.parametrize("engine", ["plain", "columns"])
def test_a_duty_that_no_log_shows_is_named(
    run: Run, write: Write, tmp_path: Path, engine: str
) -> None:
    if engine == "columns":
        pytest.importorskip("numba")
    rules = tmp_path / "corner.rules"
    duty = 'clause 8 "Losers leave" { casino must eliminate when round.decks > 1 }\n'
    rules.write_text(rules.read_text(encoding="utf-8") + duty, encoding="utf-8")
    listed = corner(run, write(a_round("R1", BUST)), "--engine", engine).summary["not_checked"]
    [told] = [one for one in listed if one["clause"] == "8"]
    assert (told["rounds"], "eliminate" in told["reason"]) == (1, True)
