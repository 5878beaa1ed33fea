"""Is every rule, and every number in it, held by some scenario?"""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from checker.evaluate.memory.remembering import Known
from checker.evaluate.ready import new_engine
from checker.scenarios.mutant_same import said_elsewhere, why_same
from checker.scenarios.mutants import mutants
from checker.scenarios.mutate import Work, _changed, mutate
from checker.scenarios.scenarios import (
    load_scenarios,
    run_scenario,
    scenario_path,
    unnoticed_reasons,
)
from rulespec.load.load import load, shipped
from rulespec.resolve.rulebook import Rulebook
from rulespec.tree.conditions import Always
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
)
from tests.support import all_or_some, rulebook, with_boxes

SAMPLE = all_or_some(150, 50)  # changes of one rulebook
MOST_MISSED = SAMPLE // 50  # of them: two in a hundred


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    return runner(tmp_path, monkeypatch, capfd)


ALL_BUT_DECKS = (
    scenario("won", WON, returns={"1 P1 main": 20}),
    scenario("lost", LOST, returns={"1 P1 main": 0}),
    scenario("equal", WON.replace("1:9C", "1:7C"), returns={"1 P1 main": 10}),
    scenario(
        "bust", "bet 1 P1 10\ndeal 1:KH 0:9D 1:6C\n1 P1 hit 9C\ndealer 8S", returns={"1 P1 main": 0}
    ),
    scenario(
        "threes and fours",
        "bet 1 P1 10\ndeal 1:3H 0:2D 1:4C\n1 P1 hit 5C\n1 P1 hit 7D\n1 P1 stand\ndealer TD JS",
        returns={"1 P1 main": 0},
    ),
    scenario("too many for the dealer", WON + " 2D", breaches=["2"]),
    scenario("too few for the dealer", WON.replace("dealer 8S", "dealer 5S"), breaches=["2"]),
)


def unnoticed(folder: Path, *scenarios: dict[str, Any]) -> set[tuple[str, str]]:
    book = corner(folder)
    made = loaded(folder, *scenarios)
    engine = new_engine(book)
    for one in made:
        assert run_scenario(engine, one).passed, one.name
    every = [one for one in mutate(book, made) if one.mutant.lost]
    assert [one.rule for one in every] == list(book.rules)
    return {(one.mutant.clause, one.mutant.question) for one in every if one.noticed_by is None}


def changes(book: Rulebook) -> list[str]:
    return [m.name for m in mutants(book) if not m.lost]


def unheld(folder: Path, *scenarios: dict[str, Any]) -> set[str]:
    every = mutate(corner(folder), loaded(folder, *scenarios))
    return {one.mutant.name for one in every if one.noticed_by is None and not one.mutant.lost}


def test_a_rule_that_no_scenario_needs_is_found(tmp_path: Path) -> None:
    lost = unnoticed(tmp_path, *ALL_BUT_DECKS)
    assert ("6", "require round") in lost
    needed = {
        ("4(a)", "main.result"),
        ("4(b)", "main.result"),
        ("4(c)", "main.result"),
        ("5", "main.odds"),
        ("3", "player draw"),
        ("2", "dealer draw"),
    }
    assert not needed & lost


def test_a_scenario_for_the_rule_makes_it_noticed(tmp_path: Path) -> None:
    decks = scenario("nine decks", WON, decks=9, breaches=["6"])
    assert ("6", "require round") not in unnoticed(tmp_path, *ALL_BUT_DECKS, decks)


# --- numbers


def test_every_number_is_moved_both_ways(tmp_path: Path) -> None:
    found = changes(
        rulebook(
            tmp_path,
            """
clause 1 "Cards" { cards 2 to 9 count face
  cards J, Q, K count 10
  cards A count 1 or 11 }
section 2 "Pairs" { applies when round.decks in 4 to 8
  clause 2.1 "Odds" { perfect_pairs pays 25 to 1 when first.rank = second.rank } }
clause 3 "Draw" { dealer must draw when dealer.hard_total <= 16 or dealer.total <= 17 }
clause 4 "Bonus" { super_bonus pays $1,000 when wager.stake < $25 }
clause 5 "Split" { at split require play.stake <= wager.original / 2 }
clause 6 "Straight" { main pays { hand.ranks = 6-7-8 -> 3 to 2 otherwise -> 1 to 1 } }
clause 7 "Later" { in force from 2021-05-01 until 2022-01-01
  main wins when hand.total > dealer.total }
""",
        )
    )
    assert set(found) == {
        "1/9: 2 to 9 count face -> 2 to T count face",
        "1/9: J, Q, K count 10 -> J, Q, K count 9",
        "1/9: J, Q, K count 10 -> J, Q, K count 11",
        "1/12: A count 1 or 11 -> A count 2 or 12",
        "2.1/1: 25 to 1 -> 24 to 1",
        "2.1/1: 25 to 1 -> 26 to 1",
        "2.1/1: 25 to 1 -> 25 to 2",
        "2.1/1: round.decks in 4 to 8 -> round.decks in 3 to 8",
        "2.1/1: round.decks in 4 to 8 -> round.decks in 5 to 8",
        "2.1/1: round.decks in 4 to 8 -> round.decks in 4 to 7",
        "2.1/1: round.decks in 4 to 8 -> round.decks in 4 to 9",
        "3/1: dealer.hard_total <= 16 -> dealer.hard_total <= 15",
        "3/1: dealer.hard_total <= 16 -> dealer.hard_total <= 17",
        "3/1: dealer.total <= 17 -> dealer.total <= 16",
        "3/1: dealer.total <= 17 -> dealer.total <= 18",
        "4/1: $1,000 -> $999.99",
        "4/1: $1,000 -> $1,000.01",
        "4/1: wager.stake < $25 -> wager.stake < $24.99",
        "4/1: wager.stake < $25 -> wager.stake < $25.01",
        "5/1: play.stake <= wager.original / 2 -> play.stake <= wager.original / 1",
        "5/1: play.stake <= wager.original / 2 -> play.stake <= wager.original / 3",
        "5/1: play.stake <= wager.original / 2 -> play.stake < wager.original / 2",
        "6/1: 3 to 2 -> 1 to 1",
        "6/1: 3 to 2 -> 2 to 1",
        "6/1: 3 to 2 -> 3 to 1",
        "6/1: hand.ranks = 6-7-8 -> hand.ranks = 5-7-8",
        "6/1: hand.ranks = 6-7-8 -> hand.ranks = 7-7-8",
        "6/1: hand.ranks = 6-7-8 -> hand.ranks = 6-7-7",
        "6/1: hand.ranks = 6-7-8 -> hand.ranks = 6-7-9",
        "6/2: 1 to 1 -> 2 to 1",
        "6/2: 1 to 1 -> 1 to 2",
        "7/1: hand.total > dealer.total -> hand.total >= dealer.total",
        "7: from 2021-05-01 -> from 2021-04-30",
        "7: from 2021-05-01 -> from 2021-05-02",
        "7: until 2022-01-01 -> until 2021-12-31",
        "7: until 2022-01-01 -> until 2022-01-02",
        "header: from 2020-01-01 -> from 2019-12-31",
        "header: from 2020-01-01 -> from 2020-01-02",
    }


def test_a_row_of_a_table_moves_its_otherwise_with_it(tmp_path: Path) -> None:
    """`otherwise` is every hand that no other row names, also of the changed table."""
    book = rulebook(
        tmp_path,
        """
clause 6 "Odds" { main pays { hand.total = 21 -> 3 to 2 otherwise -> 1 to 1 } }
""",
    )
    (moved,) = [m for m in mutants(book) if m.name.endswith("hand.total = 20")]
    assert len(moved.changes) == 2
    assert len(moved.book.rules) == len(book.rules)


def test_a_number_that_no_scenario_holds_is_found(tmp_path: Path) -> None:
    draw = "2/1: dealer.total <= 16 -> dealer.total <= 15"
    assert draw in unheld(tmp_path, *ALL_BUT_DECKS)
    sixteen = scenario("sixteen", WON.replace("dealer 8S", "dealer 7S"), breaches=["2"])
    assert draw not in unheld(tmp_path, *ALL_BUT_DECKS, sixteen)


def test_a_day_is_held_by_its_eve(tmp_path: Path) -> None:
    first = scenario("first day", WON, at="2020-01-01T12:00:00+10:00")
    eve = scenario("eve", WON, at="2019-12-31T12:00:00+10:00", breaches=["none"])
    days = {
        "header: from 2020-01-01 -> from 2019-12-31",
        "header: from 2020-01-01 -> from 2020-01-02",
    }
    assert days <= unheld(tmp_path, *ALL_BUT_DECKS)
    assert not days & unheld(tmp_path, *ALL_BUT_DECKS, first, eve)


def test_no_scenario_is_left_out_that_would_notice(tmp_path: Path) -> None:
    """Only scenarios that a change can touch are run again: the others would not fail."""
    made = loaded(tmp_path, *ALL_BUT_DECKS)
    book = corner(tmp_path)
    every = list(mutants(book))
    work = Work(book, made, every)
    for number, mutant in enumerate(every):
        touched = {s.name for s in work.touched[number]}
        for one in made:
            if one.name not in touched and mutant.kind != "dated":
                assert not work.fails(mutant, one), (mutant.name, one.name)
    assert any(work.touched)


def test_a_lost_requirement_is_tried_where_it_is_not_met(tmp_path: Path) -> None:
    text = CORNER.partition("\n")[2]
    book = rulebook(tmp_path, text + 'clause 7 "Cards" { at round require round.decks >= 1 }')
    nine = scenario("nine decks", WON, decks=9, breaches=["6"])
    made = loaded(tmp_path, *ALL_BUT_DECKS, nine)
    every = list(mutants(book))
    work = Work(book, made, every)
    tried = {m.clause: {s.name for s in work.touched[n]} for n, m in enumerate(every) if m.lost}
    assert tried["6"] == {"nine decks"}
    assert "won" not in tried["7"]


def test_a_change_that_says_the_same_is_not_missed(run: Run, tmp_path: Path) -> None:
    written(tmp_path, *ALL_BUT_DECKS)
    rules = CORNER.replace("wins when ", "wins when dealer.cards > 0 and ")
    (tmp_path / "corner.rules").write_text(rules, encoding="utf-8")
    ran = run("coverage", "corner.rules", "--mutate", "--format", "json")
    counts = ran.report["summary"]["by_rulebook"]["corner"]
    same = {one["change"]: one["because"] for one in counts["equivalent"]}
    assert "dealer.cards > 0 -> dealer.cards > 1" in "; ".join(same)
    assert all(why for why in same.values())
    missed = {one["change"] for one in counts["unnoticed_changes"]}
    assert missed
    assert not missed & set(same)
    assert counts["changes"] == counts["noticed"] + len(same) + len(missed)


@pytest.mark.parametrize(
    ("more", "same"),
    [
        ("", True),
        ('reading r { because "it is so" 7 prevails over 8 }', False),
        ('reading r { because "it is so" 8 prevails over 3 }', False),
    ],
)
def test_what_another_clause_says_of_more_is_not_missed(
    tmp_path: Path, more: str, same: bool
) -> None:
    path = tmp_path / "corner.rules"
    path.write_text(
        CORNER
        + f"""
clause 7 "Stand again" {{ may stand when player.idle_rounds <= 3 }}
clause 8 "No stand" {{ may not stand when hand.cards > 9 }}
{more}
""",
        encoding="utf-8",
    )
    book = load(path).rulebook
    assert book is not None
    moved = [m for m in mutants(book) if m.clause == "7" and not m.lost]
    assert len(moved) == 2
    assert {said_elsewhere(book, m) for m in moved} == {("3",) if same else None}


def test_scenarios_are_proposed_for_what_is_missed(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path, *ALL_BUT_DECKS)
    document = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    ran = run("coverage", "corner.rules", "--mutate", "--write", "--format", "json")
    before = ran.report["summary"]["by_rulebook"]["corner"]["unnoticed_changes"]
    assert ran.report["summary"]["proposed"] > 0
    assert run("test", "corner.rules").status == 0
    proposed = yaml.safe_load(path.read_text(encoding="utf-8"))["scenarios"][len(ALL_BUT_DECKS) :]
    assert proposed
    assert all("not held against the printed text" in one["note"] for one in proposed)
    ran = run("coverage", "corner.rules", "--mutate", "--format", "json")
    after = ran.report["summary"]["by_rulebook"]["corner"]["unnoticed_changes"]
    assert len(after) < len(before)
    assert run("coverage", "corner.rules", "--write").status == 2


def test_a_reason_covers_what_it_names_and_no_more(run: Run, tmp_path: Path) -> None:
    written(tmp_path, *ALL_BUT_DECKS)
    found = run("coverage", "corner.rules", "--mutate", "--format", "json").report
    missed = found["summary"]["by_rulebook"]["corner"]["unnoticed_changes"]
    moved = [one["change"] for one in missed if ": " in one["change"]]
    written(
        tmp_path,
        *ALL_BUT_DECKS,
        unnoticed={
            moved[0]: "no log of this house shows it",
            "5": "nothing is ever paid here",
        },
    )
    again = run("coverage", "corner.rules", "--mutate", "--format", "json").report
    told = {f["message"] for f in again["findings"] if f["code"] == "R591"}
    assert len(told) == len({f["message"] for f in found["findings"]}) - 1
    (idle,) = [f for f in again["findings"] if f["code"] == "R592"]
    assert "`5`" in idle["message"]


def test_the_engine_is_whole_again_after_mutation(tmp_path: Path) -> None:
    made = loaded(tmp_path, *ALL_BUT_DECKS)
    book = corner(tmp_path)
    first = [m.noticed_by for m in mutate(book, made)]
    assert first == [m.noticed_by for m in mutate(book, made)]
    assert first == [m.noticed_by for m in mutate(book, made, jobs=2)]


def test_a_rule_that_others_prevail_over_stays_so_when_it_is_turned_round(tmp_path: Path) -> None:
    made = loaded(tmp_path, scenario("won", WON, returns={"1 P1 main": 20}))
    path = tmp_path / "corner.rules"
    rules = CORNER.replace("main wins when", "despite 7  main wins when")
    never = 'clause 7 "Never" { main loses when hand.total > 99 }\n'
    path.write_text(rules + never, encoding="utf-8")
    book = load(path).rulebook
    assert book is not None
    (lost,) = [m for m in mutants(book) if m.lost and m.clause == "7"]
    (found,) = mutate(book, made, chosen=[lost])
    assert found.noticed_by is None


def test_a_term_for_the_dealer_alone_is_held(tmp_path: Path) -> None:
    beaten = scenario(
        "beaten", WON.replace("0:9D", "0:KD").replace("8S", "QS"), decks=1, returns={"1 P1 main": 0}
    )
    made = loaded(tmp_path, beaten)
    path = tmp_path / "corner.rules"
    path.write_text(
        CORNER
        + """
clause 7 "Natural" { define hand.pontoon as hand.cards = 2 and hand.total = 20 }
clause 8 "None for the dealer" { despite 7 define dealer.pontoon as false when round.decks = 1 }
clause 9 "Against a natural" { despite 4(b) main wins when dealer.pontoon }
""",
        encoding="utf-8",
    )
    book = load(path).rulebook
    assert book is not None
    (lost,) = [m for m in mutants(book) if m.lost and m.clause == "8"]
    (found,) = mutate(book, made, chosen=[lost])
    assert found.noticed_by == "beaten"


def test_what_is_noticed_does_not_hang_on_what_was_tried_before(tmp_path: Path) -> None:
    """Which rule prevails is worked out anew once the lost one is back."""
    text = (
        CORNER.partition("\n")[2]
        + """
clause 7 "Twenty wins ties" { main wins when hand.total = 20 }
reading twenty-first { because "7 is the narrower rule" 7 prevails over 4(c) }
"""
    )
    book = rulebook(tmp_path, text)
    twenty = WON.replace("1:9C", "1:JC").replace("dealer 8S", "dealer 2S 9S")
    tie = loaded(tmp_path, scenario("a tie at twenty", twenty, returns={"1 P1 main": 20}))
    every = list(mutants(book))
    work = Work(book, tie, every)
    (seven,) = [m for m in every if m.lost and m.clause == "7"]
    (decks,) = [m for m in every if m.lost and m.clause == "6"]
    assert work.fails(seven, tie[0])
    assert not work.fails(decks, tie[0])


def test_the_command_lists_unnoticed_rules(run: Run, tmp_path: Path) -> None:
    written(tmp_path, *ALL_BUT_DECKS)
    ran = run("coverage", "corner.rules", "--mutate", "--format", "json")
    assert ran.status == 1
    assert {f["code"] for f in ran.report["findings"]} == {"R591"}
    lost = [f for f in ran.report["findings"] if f["message"].endswith("is lost")]
    clauses = {f["clause"] for f in lost}
    assert "6" in clauses
    assert not clauses & {"4(a)", "4(b)", "4(c)", "5"}
    moved = [f for f in ran.report["findings"] if "round.decks <= 9" in f["message"]]
    assert moved[0]["span"]["start"]["column"] > 1
    found = next(f for f in lost if f["clause"] == "6")
    assert "require round" in found["message"]
    assert found["span"]["file"].endswith("corner.rules")


def test_a_reason_is_honoured(run: Run, tmp_path: Path) -> None:
    before = written(tmp_path, *ALL_BUT_DECKS)
    assert unnoticed_reasons(before) == {}
    counts = run("coverage", "corner.rules", "--mutate", "--format", "json").report["summary"][
        "by_rulebook"
    ]["corner"]
    lost = [
        one["change"] if ": " in one["change"] else one["clause"]
        for one in counts["unnoticed_changes"]
    ]
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
    assert f"{counts['changes']} changes" in text


def test_a_scenario_that_fails_anyway_notices_nothing(run: Run, tmp_path: Path) -> None:
    failing = scenario("wrong from the start", WON, returns={"1 P1 main": 99})
    written(tmp_path, *ALL_BUT_DECKS, failing)
    ran = run("coverage", "corner.rules", "--mutate", "--format", "json")
    assert ran.status != 0
    lost = {r["clause"] for r in ran.report["summary"]["by_rulebook"]["corner"]["unnoticed_rules"]}
    assert "6" in lost


def test_nothing_to_mutate_is_not_clean(run: Run) -> None:
    assert run("coverage", "corner.rules", "--mutate").status == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", all_or_some(with_boxes(), ["act-blackjack", "act-pontoon"]))
def test_the_scenarios_of_a_shipped_rulebook_need_its_rules(name: str) -> None:
    """A sample: `rulespec coverage --mutate` looks at all of them and takes minutes."""
    path = shipped()[name]
    book = load(path).rulebook
    assert book is not None
    chosen = random.Random(3).sample(list(mutants(book)), SAMPLE)
    scenarios = load_scenarios(scenario_path(path), book)
    every = list(mutate(book, scenarios, chosen=chosen))
    assert len(every) == SAMPLE
    reasons = unnoticed_reasons(scenario_path(path))
    missed = [
        one.mutant.name
        for one in every
        if one.noticed_by is None
        and not {one.mutant.name, one.mutant.clause} & set(reasons)
        and why_same(book, one.mutant) is None
    ]
    assert len(missed) <= MOST_MISSED, missed


def test_a_changed_rule_is_asked_with_its_own_optional_facts() -> None:
    """They decide whether a rule that is not known to apply leaves the answer open."""
    book = load(shipped()["act-pontoon"]).rulebook
    assert book is not None
    engine = new_engine(book)
    old = next(rule for rule in book.rules if engine.optional_of(rule))
    new = replace(old, condition=Always())
    before = engine.optional_of(old)
    with _changed(engine, {id(old): (old, new)}, Known()):
        assert engine.optional_of(new) == ()
    assert engine.optional_of(old) == before != ()
