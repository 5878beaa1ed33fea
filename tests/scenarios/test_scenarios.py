"""Scenarios: the shipped ones pass, what one can say, and bad files are told with their place."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from checker.log.script import ScriptError, events_of
from checker.scenarios.scenarios import ScenarioError, load_scenarios, scenario_path
from rulespec.load.load import shipped
from tests.scenarios.scenario_support import (
    CORNER,
    LOST,
    WON,
    Run,
    corner,
    loaded,
    runner,
    scenario,
    written,
    wrong_with,
)
from tests.support import PATIENCE

ROOT = Path(__file__).resolve().parent.parent.parent
SHIPPED = (
    "act-pontoon",
    "ma-blackjack",
    "act-blackjack",
    "fr-punto-banco",
    "nz-pontoon",
    "nsw-star-pontoon",
    "sa-adelaide-pontoon",
)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    return runner(tmp_path, monkeypatch, capfd)


# --- what ships


@pytest.fixture(scope="module")
def tested() -> Iterator[dict[str, subprocess.Popen[bytes]]]:
    """`rulespec test` of every shipped rulebook, side by side."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    started = {
        book: subprocess.Popen(
            [sys.executable, "-m", "rulespec", "test", book, "--format", "json"],
            stdout=subprocess.PIPE,
            env=environment,
        )
        for book in SHIPPED
    }
    yield started
    for process in started.values():
        process.kill()
        process.communicate()


def test_every_shipped_rulebook_has_scenarios() -> None:
    assert set(shipped()) == set(SHIPPED)
    for path in shipped().values():
        assert scenario_path(path).is_file(), path


@pytest.mark.parametrize("book", SHIPPED)
def test_the_scenarios_of_a_shipped_rulebook_pass(
    book: str, tested: dict[str, subprocess.Popen[bytes]]
) -> None:
    out, _ = tested[book].communicate(timeout=PATIENCE)
    report = json.loads(out)
    assert [finding["message"] for finding in report["findings"]] == []
    assert tested[book].returncode == 0
    assert report["summary"]["passed"] == report["summary"]["scenarios"] > 100


# --- what a scenario can say


def test_what_is_due_to_the_cent(tmp_path: Path) -> None:
    script = WON.replace("P1 10", "P1 10.25")
    assert wrong_with(tmp_path, scenario("won", script, returns={"1 P1 main": 20.5})) == ()
    assert wrong_with(tmp_path, scenario("won", script, returns={"1 P1 main": "20.50"})) == ()
    assert wrong_with(tmp_path, scenario("won", script, returns={"1 P1 main": 20.51})) == (
        "1 P1 main: the rules give $20.50, expected $20.51",
    )


def test_a_wager_that_is_not_there(tmp_path: Path) -> None:
    one = scenario("won", WON, returns={"2 P1 main": 0})
    assert wrong_with(tmp_path, one) == ("2 P1 main: there is no such wager",)


def test_what_is_open(tmp_path: Path) -> None:
    script = WON.replace("1:9C", "1:AC") + "\nsettle 1 P1 main 10"  # no clause values an ace
    right = scenario("ace", script, returns={"1 P1 main": "undecided"})
    (wrong,) = wrong_with(tmp_path, right)
    assert "is left open, which is not expected" in wrong
    due = scenario("ace", script, returns={"1 P1 main": 20}, undecided=["none"])
    assert any("the rules give undecided, expected $20" in w for w in wrong_with(tmp_path, due))


@pytest.mark.parametrize(
    ("breaches", "wrong"),
    [
        (["6"], ()),
        ([], ("clause 6 is broken, which is not expected",)),
        (["6", "2"], ("clause 2 should be broken and is not",)),
        (
            ["2"],
            ("clause 6 is broken, which is not expected", "clause 2 should be broken and is not"),
        ),
    ],
)
def test_exactly_these_clauses_are_broken(
    tmp_path: Path, breaches: list[str], wrong: tuple[str, ...]
) -> None:
    assert wrong_with(tmp_path, scenario("decks", WON, decks=9, breaches=breaches)) == wrong


def test_what_was_paid_is_judged_only_when_it_is_written(tmp_path: Path) -> None:
    assert wrong_with(tmp_path, scenario("unpaid", WON)) == ()
    paid = WON + "\nsettle 1 P1 main 30"
    assert len(wrong_with(tmp_path, scenario("paid", paid))) == 1
    assert wrong_with(tmp_path, scenario("right", WON + "\nsettle 1 P1 main 20")) == ()


def test_which_clause_decides(tmp_path: Path) -> None:
    assert wrong_with(tmp_path, scenario("won", WON, decides=["4(a)", "5"])) == ()
    wrong = wrong_with(tmp_path, scenario("won", WON, decides=["4(b)"]))
    assert wrong == ("clause 4(b) decided nothing here",)


def test_several_rounds_of_one_shoe(tmp_path: Path) -> None:
    (made,) = loaded(tmp_path, scenario("two", [LOST, WON], returns={"1 P1 main": 20}))
    assert len(made.rounds) == 2
    assert {r.shoe for r in made.rounds} == {"S1"}
    assert made.rounds[0].at < made.rounds[1].at
    assert wrong_with(tmp_path, scenario("two", [LOST, WON], returns={"1 P1 main": 20})) == ()
    assert wrong_with(tmp_path, scenario("two", [WON, LOST], returns={"1 P1 main": 20})) != ()


def test_money_in_limits_is_exact(tmp_path: Path) -> None:
    (made,) = loaded(tmp_path, scenario("limits", WON, limits={"main": {"min": 0.1, "max": 2.3}}))
    assert (made.round.limits["main"].min, made.round.limits["main"].max) == (10, 230)


# --- bad files


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("scenarios: [", "is not YAML"),
        ("[]", "corner.scenarios.yaml"),
        ("rulebook: corner", "scenarios"),
        ("rulebook: corner\nscenarios: []", "scenarios"),
        ("rulebook: corner\nscenarios:\n- name: one", "scenarios[0]"),
        (
            "rulebook: corner\nscenarios:\n- {name: one, play: shuffle}\n- {name: two, play: 7}",
            "scenarios[1].play",
        ),
        ("rulebook: corner\nscenarios:\n- {name: one, play: shuffle, pays: 3}", "pays"),
        (
            "rulebook: corner\nscenarios:\n- {name: one, play: shuffle, decks: 0}",
            "scenarios[0].decks",
        ),
        (
            "rulebook: corner\nscenarios:\n- {name: one, play: shuffle, returns: {1 P1 main: -1}}",
            "scenarios[0].returns",
        ),
        ("rulebook: other\nscenarios:\n- {name: one, play: shuffle}", "is about `other`"),
        ("rulebook: corner\nscenarios:\n- {name: one, play: a}\n- {name: one, play: a}", "one"),
        (
            "rulebook: corner\nscenarios:\n- {name: one, play: shuffle}\n- {name: one, play: shuffle}",
            "two scenarios are called `one`",
        ),
        (
            "rulebook: corner\nunnoticed: {'6': short}\nscenarios:\n- {name: one, play: shuffle}",
            "unnoticed",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_told_with_the_place(
    tmp_path: Path, text: str, told: str
) -> None:
    path = tmp_path / "corner.scenarios.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioError) as caught:
        load_scenarios(path, corner(tmp_path))
    message = str(caught.value)
    assert told in message
    assert str(path) in message
    assert "\n" not in message


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="cannot read"):
        load_scenarios(tmp_path / "none.yaml", corner(tmp_path))


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("bet 1 P1 10\nbet 1 P1", "line 2 `bet 1 P1`"),
        ("bet 1 P1 ten", "line 1 `bet 1 P1 ten`"),
        ("bet 1 P1 10 loudly", "`loudly` is not known after a bet"),
        ("\n\nbet one P1 10", "line 3"),
        ("bet 1 P1 10\ndeal 1:XX", "`XX` is not a card"),
        ("bet 0 P1 10", "0 is the dealer"),
        ("bet 1 P1 -10", "-10 is not above 0"),
        ("bet 1 P1 10.005", "more than two decimals"),
        ("1 P1 jump", "unknown do `jump`"),
        ("dance", "line 1 `dance`"),
        ("settle 1 P1 main", "line 1"),
        ("void box", "line 1"),
        ("void everything", "line 1"),
        ("record fraud found eventually", "eventually"),
        ("bet 1 P1 10 perfect_pairs=7", "`perfect_pairs` takes no value, and `7` is given"),
        ("bet 1 P1 10 controls=yes", "`controls` takes no value"),
        ("bet 1 P1 10 nocard=1", "`nocard` takes no value"),
        ("bet 1 P1 10 in_order=maybe", "`in_order=maybe` says neither yes nor no"),
        ("bet 1 P1 10 seated standing", "`seated` and `standing` say one thing twice"),
        ("bet 1 P1 10 perfect_pairs super_sevens", "say one thing twice"),
        ("bet 1 P1 10 card=", "`card=` is not known after a bet"),
        ("bet 1 P1 10 chips=many", "`many` is not an amount"),
        ("bet 1.2 P1 10", "`1.2` names a hand"),
        ("bet ١ P1 10", "`١` is not a box"),
        ("bet 1 P1 1e3", "`1e3` is not an amount"),
        ("bet 1 P1 NaN", "`NaN` is not an amount"),
        ("bet 1 P1 1_0", "`1_0` is not an amount"),
        ("deal", "cannot be read"),
        ("deal 1KH", "does not say where the card goes"),
        ("deal 1.:KH", "`1.` is not a box or hand"),
        ("deal 1.0:KH", "`1.0` is not a box or hand"),
        ("dealer", "cannot be read"),
        ("settle 1 P1 main 25 10", "cannot be read"),
        ("settle 1 P1 side 25", "unknown bet `side`"),
        ("settle 1 P1 main -5", "-5 is below 0"),
        ("void round 1", "cannot be read"),
        ("void round because", "no reason"),
        ("record mischief", "unknown record `mischief`"),
        ("record fraud later", "cannot be read"),
        ("approve everything", "unknown approval `everything`"),
        ("announce closing", "unknown option `closing`"),
        ("offer coffee", "unknown offer `coffee`"),
        ("warn P1 twice", "cannot be read"),
        ("shuffle twice", "cannot be read"),
        ("cut the cards", "cannot be read"),
        ("no bets", "cannot be read"),
        ("burn 5H 6H", "cannot be read"),
        ("bet 1 P1 10\n1 P1 hit $10 9C", "nothing is added to a wager by `hit`"),
        ("bet 1 P1 10\n1 P1 double 10 9C", "`10` is not a card"),
        ("bet 1 P1 10\ndeal 1:KH 0:9D 1:9C\n1.2 P1 hit 2C", "line 3: box 1 has no hand 2 then"),
        ("bet 1 P1 10\ndeal 1.3:KH", "line 2: box 1 has no hand 3 then"),
    ],
)
def test_a_script_that_cannot_be_read_is_told_with_the_place(
    tmp_path: Path, script: str, told: str
) -> None:
    with pytest.raises(ScenarioError) as caught:
        loaded(tmp_path, scenario("a fine one", WON), scenario("the bad one", script))
    message = str(caught.value)
    assert "scenario `the bad one`" in message
    assert told in message


@pytest.mark.parametrize(
    "key", ["x", "1 P1", "a P1 main", "1 P1 main more", "1 P1 side", "0 P1 main"]
)
def test_a_wager_that_cannot_be_named_so_is_told(tmp_path: Path, key: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        loaded(tmp_path, scenario("a fine one", WON), scenario("bad", WON, returns={key: 1}))
    assert "scenarios[1]" in str(caught.value) or "`bad`" in str(caught.value)


@pytest.mark.parametrize(
    ("more", "told", "help"),
    [
        ({"options": ["perfect_pair"]}, "no option `perfect_pair`", "did you mean `perfect_"),
        ({"breaches": ["4(d)"]}, "breaches: there is no clause `4(d)`", "did you mean `4("),
        ({"decides": ["none"]}, "decides: there is no clause `none`", "name a clause"),
        ({"undecided": ["99"]}, "undecided: there is no clause `99`", "name a clause"),
        ({"clauses": ["4"]}, "clauses: there is no clause `4`", "name a clause"),
        ({"breaches": [4.1]}, "breaches[0]: 4.1 is not of type", "put it in quotes"),
        ({"returns": {"1 P1 main": 20.505}}, "`20.505` is not an amount", "two decimals"),
        ({"returns": {"1 P1 main": True}}, "True is not valid", "docs"),
        ({"limits": {"side": {"min": 1}}}, "unknown bet `side`", "docs"),
        ({"limits": {"main": {"max": 0}}}, "0 is not above 0", "docs"),
        ({"limits": {"main": {"maximum": 5}}}, "`maximum` is not known here", "did you mean `max`"),
        ({"return": {"1 P1 main": 20}}, "`return` is not known here", "did you mean `returns`?"),
        ({"decks": 6.5}, "decks: 6.5 is not of type", "docs"),
    ],
)
def test_what_a_scenario_may_not_say(
    run: Run, tmp_path: Path, more: dict[str, Any], told: str, help: str
) -> None:
    written(tmp_path, scenario("a fine one", WON), scenario("the bad one", WON, **more))
    ran = run("test", "corner.rules", "--format", "json")
    assert ran.status == 2
    (found,) = ran.report["findings"]
    assert found["code"] == "R011"
    assert told in found["message"]
    assert help in found["help"] or help == "docs"
    assert found["span"]["file"].endswith("corner.scenarios.yaml")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("limits: {main: {min: .nan}}", "limits: `nan` is not an amount"),
        ("limits: {main: {min: .inf}}", "limits: `inf` is not an amount"),
        ("returns: {1 P1 main: .inf}", "`inf` is not an amount"),
        ("returns: {1 P1 main: .nan}", "`nan` is not an amount"),
        ("at: 2020-06-01T12:00:00+10:00", "at: "),
        ("decks: 0x6F", "decks: 111 is greater"),
        ("? [1, 2]\n  : 3", "not YAML"),
    ],
)
def test_what_yaml_makes_of_it_is_looked_at(run: Run, tmp_path: Path, line: str, told: str) -> None:
    text = f"rulebook: corner\nscenarios:\n- name: one\n  play: shuffle\n  {line}\n"
    (tmp_path / "corner.scenarios.yaml").write_text(text, encoding="utf-8")
    ran = run("test", "corner.rules", "--format", "json")
    assert ran.status == 2
    (found,) = ran.report["findings"]
    assert told in found["message"]


def test_what_is_given_twice_is_not_taken_once(run: Run, tmp_path: Path) -> None:
    (tmp_path / "corner.scenarios.yaml").write_text(
        "rulebook: corner\nscenarios:\n- name: twice\n  play: |\n    bet 1 P1 10\n"
        "  returns: {1 P1 main: 20}\n  breaches: []\n  returns: {1 P1 main: 0}\n",
        encoding="utf-8",
    )
    ran = run("test", "corner.rules", "--format", "json")
    assert ran.status == 2
    (found,) = ran.report["findings"]
    assert found["message"] == "`returns` is given twice"
    assert found["span"]["start"]["line"] == 8


def test_every_error_of_a_file_is_told_at_its_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "corner.scenarios.yaml").write_text(
        "rulebook: corner\nscenarios:\n- name: one\n  play: |\n    bet 1 P1 10\n\n    dance\n"
        "- name: two\n  play: |\n    bet 1 P1 10\n    deal 1:XX\n  options: [low_limt]\n"
        "- name: three\n  play:\n  - shuffle\n  - |\n    shufle\n",
        encoding="utf-8",
    )
    ran = run("test", "corner.rules", "--format", "json")
    assert ran.status == 2
    places = [(f["message"], f["span"]["start"]["line"]) for f in ran.report["findings"]]
    assert [line for _, line in places] == [7, 12, 17]
    assert "no line begins with `dance`" in places[0][0]
    assert "did you mean `shuffle`?" in ran.report["findings"][2]["help"]


# --- why a scenario fails


def reasons(folder: Path, run: Run, one: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    written(folder, one)
    ran = run("test", "corner.rules", "--format", "json")
    assert ran.status == 1
    (found,) = ran.report["findings"]
    return found, [f"{r['clause']}: {r['role']}" for r in found["related"]]


def test_a_wrong_amount_names_the_clauses_that_answered(run: Run, tmp_path: Path) -> None:
    found, told = reasons(tmp_path, run, scenario("won", WON, returns={"1 P1 main": 0}))
    assert "the rules give $20, expected $0" in found["message"]
    assert "4(a): says wins for the original part, where hand.total = 19, dealer.total = 17" in told
    assert "5: says 1 to 1 for the original part" in told
    assert "4(c): would say stands off if hand.total = dealer.total" in told
    assert "it would pass with returns: {1 P1 main: 20}" in found["help"]
    assert found["span"]["file"].endswith("corner.scenarios.yaml")


def test_a_breach_is_told_with_what_was_found(run: Run, tmp_path: Path) -> None:
    found, told = reasons(tmp_path, run, scenario("nine decks", WON, decks=9))
    assert told == ["6: nine decks; at most eight are allowed"]
    assert 'would pass with breaches: ["6"]' in found["help"]


def test_a_clause_that_is_not_broken_is_told_with_what_it_asks(run: Run, tmp_path: Path) -> None:
    found, told = reasons(tmp_path, run, scenario("six decks", WON, breaches=["6"]))
    assert "6: was asked and is kept" in told
    assert "6: `require round`: round.decks <= 8" in told
    assert "nothing is broken and nothing open" in found["help"]


def test_a_day_without_a_text(run: Run, tmp_path: Path) -> None:
    eve = scenario("the eve", WON, at="2019-12-31T23:59:00+10:00")
    found, told = reasons(tmp_path, run, eve)
    assert "something is broken for which no clause answers" in found["message"]
    assert told == ["none: no text of corner was in force on 2019-12-31"]
    written(tmp_path, {**eve, "breaches": ["none"]})
    assert run("test", "corner.rules").status == 0


def test_what_is_left_open_is_never_passed_over(run: Run, tmp_path: Path) -> None:
    """Without settlements too: a draw that no clause decides is not a pass."""
    rules = CORNER.replace("may draw\n", 'may draw undecided because "who knows"\n')
    hit = scenario("hit", "bet 1 P1 10\ndeal 1:3H 0:9D 1:9C\n1 P1 hit 5C\n1 P1 stand\ndealer 8S")
    (tmp_path / "corner.rules").write_text(rules, encoding="utf-8")
    written(tmp_path, hit)
    ran = run("test", "corner.rules", "--format", "json")
    assert ran.status == 1
    assert "clause 3 is left open" in ran.report["findings"][0]["message"]
    written(tmp_path, {**hit, "undecided": ["3"]})
    assert run("test", "corner.rules").status == 0


@pytest.mark.parametrize("at", ["tomorrow", "2020-06-01", "2020-06-01T12:00:00"])
def test_a_time_that_is_none_is_told(tmp_path: Path, at: str) -> None:
    with pytest.raises(ScenarioError, match="the bad one"):
        loaded(tmp_path, scenario("the bad one", WON, at=at))


@pytest.mark.parametrize(
    ("line", "events"),
    [
        (
            "bet 2 P1 7.5 perfect_pairs nocard standing chips=500",
            [
                {
                    "e": "wager",
                    "box": 2,
                    "player": "P1",
                    "bet": "perfect_pairs",
                    "stake": Decimal("7.5"),
                    "seated": False,
                    "chips_held": 500,
                }
            ],
        ),
        (
            "deal 1:6H 0:9D 1.2:KS",
            [
                {"e": "deal", "box": 1, "hand": 1, "card": "6H"},
                {"e": "deal", "box": 0, "hand": 1, "card": "9D"},
                {"e": "deal", "box": 1, "hand": 2, "card": "KS"},
            ],
        ),
        (
            "1.2 P1 double $10 9C",
            [
                {"e": "play", "box": 1, "hand": 2, "player": "P1", "do": "double", "stake": 10},
                {"e": "deal", "box": 1, "hand": 2, "card": "9C"},
            ],
        ),
        (
            "dealer KC 2S # the dealer's own",
            [{"e": "deal", "box": 0, "card": "KC"}, {"e": "deal", "box": 0, "card": "2S"}],
        ),
        (
            "void hand 1.2 because of a wrong card",
            [{"e": "void", "scope": "hand", "box": 1, "hand": 2, "reason": "of a wrong card"}],
        ),
        (
            "record placement_error found next_round",
            [{"e": "irregularity", "what": "placement_error", "found": "next_round"}],
        ),
        ("adjust P1 -15", [{"e": "adjust", "player": "P1", "amount": -15}]),
        ("burn", [{"e": "burn"}]),
        ("cut card", [{"e": "cut_card"}]),
        ("no more bets", [{"e": "no_more_bets"}]),
        ("# only a remark", []),
    ],
)
def test_the_short_way_of_writing(line: str, events: list[dict[str, Any]]) -> None:
    assert events_of(line) == events


def test_a_script_error_names_the_line() -> None:
    with pytest.raises(ScriptError, match="line 2 `bet`: cannot be read"):
        events_of("shuffle\nbet\nshuffle")


# --- the command


@pytest.mark.parametrize("format_", ["text", "json", "junit"])
@pytest.mark.parametrize(
    ("returned", "status"), [({"1 P1 main": 20}, 0), ({"1 P1 main": 21}, 1), ({"x": 1}, 2)]
)
def test_exit_status_in_every_format(
    run: Run, tmp_path: Path, format_: str, returned: dict[str, Any], status: int
) -> None:
    written(tmp_path, scenario("won", WON, returns=returned))
    assert run("test", "corner.rules", "--format", format_).status == status


def test_without_scenarios_nothing_was_tested(run: Run, tmp_path: Path) -> None:
    ran = run("test", "corner.rules")
    assert ran.status == 2
    assert "no scenarios found" in ran.out
    written(tmp_path, scenario("won", WON))
    assert run("test", "corner.rules", "--only", "no such words").status == 2
    assert run("test", "no-such-rulebook").status == 2


def test_the_report(run: Run, tmp_path: Path) -> None:
    written(
        tmp_path,
        scenario("it is won", WON, returns={"1 P1 main": 20}),
        scenario("it is lost", LOST, returns={"1 P1 main": 10}),
    )
    ran = run("test", "corner.rules", "--format", "json")
    report = ran.report
    assert (ran.status, report["command"]) == (1, "test")
    assert report["summary"]["scenarios"] == 2
    assert (report["summary"]["passed"], report["summary"]["failed"]) == (1, 1)
    (found,) = report["findings"]
    assert (found["code"], found["rulebook"]) == ("R590", "corner")
    assert "scenario `it is lost`" in found["message"]
    assert "the rules give $0, expected $10" in found["message"]
    only = run("test", "corner.rules", "--only", "is WON", "--format", "json")
    assert (only.status, only.report["summary"]["scenarios"]) == (0, 1)


def test_a_bad_file_does_not_hide_the_others(run: Run, tmp_path: Path) -> None:
    written(tmp_path, scenario("won", WON, returns={"1 P1 main": 21}))
    other = tmp_path / "second.rules"
    other.write_text(CORNER.replace("rulebook corner", "rulebook second"), encoding="utf-8")
    scenario_path(other).write_text("rulebook: second", encoding="utf-8")
    ran = run("test", "corner.rules", "second.rules", "--format", "json")
    assert ran.status == 2
    assert {f["code"] for f in ran.report["findings"]} == {"R011", "R590"}


def test_junit(run: Run, tmp_path: Path) -> None:
    written(
        tmp_path,
        scenario("it is won", WON, returns={"1 P1 main": 20}),
        scenario("it is <lost>", LOST, returns={"1 P1 main": 10}),
    )
    root = ET.fromstring(run("test", "corner.rules", "--format", "junit").out)
    assert root.tag == "testsuites"
    assert root.get("failures") == "1"
    failed = [case for case in root.iter("testcase") if case.find("failure") is not None]
    assert len(failed) == 1
    assert "it is <lost>" in str(failed[0].get("name"))


def test_junit_has_a_case_for_each_scenario(run: Run, tmp_path: Path) -> None:
    written(
        tmp_path,
        scenario("it is won", WON, returns={"1 P1 main": 20}),
        scenario("it is lost", LOST, returns={"1 P1 main": 10}),
    )
    root = ET.fromstring(run("test", "corner.rules", "--format", "junit").out)
    assert (root.get("tests"), root.get("failures")) == ("2", "1")
    written(tmp_path, scenario("it is won", WON, returns={"1 P1 main": 20}))
    root = ET.fromstring(run("test", "corner.rules", "--format", "junit").out)
    assert (root.get("tests"), root.get("failures")) == ("1", "0")
