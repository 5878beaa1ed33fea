"""A table is written once: what a clause pays as another comes out as if the rows were copied."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from checker.cli import main
from checker.diff.diff import diff
from checker.evaluate.ready import new_engine
from checker.graph import graph
from checker.prove.findings import proof_findings
from checker.prove.prove import prove
from checker.scenarios.mutate import mutate
from checker.scenarios.scenarios import load_scenarios
from rulespec.checks.run import static_check
from rulespec.load.load import load
from rulespec.resolve.in_force import text_in_force
from rulespec.syntax.printer import format_text
from tests.evaluate.engine_support import CARDS, PLAYS, RESULTS, Told, due, engine_of, judged
from tests.support import loaded, only, rulebook, underlined

TABLE = """
clause 14 "Payouts" { introduces its parts }
clause 14#table1 "Odds" about payout {
  main pays {
    hand.cards = 5 -> 3 to 2
    otherwise      -> 1 to 1
  }
}
clause 13 "Who wins it" about super_bonus { define wager.super_bonus as hand.cards = 4 }
clause 14#table2 "Bonus" about super_bonus {
  super_bonus pays $1,000 when wager.super_bonus and wager.stake < $25
  super_bonus pays $5,000 when wager.super_bonus and wager.stake >= $25
}
"""
USES = """
clause 9 "Early" about payout {
  applies when not option tournament
  main pays as 14#table1 when hand.total = 21
  super_bonus pays as 14#table2
}
"""
COPIED = """
clause 9 "Early" about payout {
  applies when not option tournament
  main pays when hand.total = 21 {
    hand.cards = 5 -> 3 to 2
    otherwise      -> 1 to 1
  }
  super_bonus pays $1,000 when wager.super_bonus and wager.stake < $25
  super_bonus pays $5,000 when wager.super_bonus and wager.stake >= $25
}
"""
GAME = CARDS + PLAYS + RESULTS
FIVE = "bet 1 P1 10\ndeal 1:2H 0:9D 1:3H\n1 P1 hit 4D\n1 P1 hit 5H\n1 P1 hit 7C\ndealer 8S"


def answers(folder: Path, text: str) -> list[object]:
    engine = engine_of(folder, text)
    told = []
    for cards in (4, 5):
        for total in (20, 21):
            for stake in (2000, 3000):
                for settings in ((), ("option tournament",)):
                    facts = {"hand__cards": cards, "hand__total": total, "wager__stake": stake}
                    for bet in ("main", "super_bonus"):
                        answer = engine.work_out(f"{bet}.odds", Told(*settings, **facts))
                        told.append((answer.values, set(answer.clauses)))
    return told


def test_it_is_as_if_the_rows_were_copied(tmp_path: Path) -> None:
    used = answers(tmp_path, TABLE + USES)
    assert used == answers(tmp_path, TABLE + COPIED)
    assert len({values for values, _ in used}) == 5, "each row, and none"


def test_the_prover_and_the_diff_see_it_so_too(tmp_path: Path) -> None:
    used, copied = (rulebook(tmp_path, GAME + TABLE + x) for x in (USES, COPIED))
    found = diff(text_in_force(used, None), text_in_force(copied, None))
    assert found.same_meaning
    assert [c.clause for c in found.structure.changes] == ["9"]


def test_a_wager_is_paid_by_the_table_alone(tmp_path: Path) -> None:
    use = 'clause 9 "Wins" { main pays as 15 } clause 15 "Odds" { main pays 2 to 1 }'
    assert due(judged(tmp_path, GAME + use, FIVE)) == 3000


def test_several_clauses_and_a_chain_of_them(tmp_path: Path) -> None:
    text = """
clause 3 "By both tables" { super_bonus pays as 4, 5 when hand.cards = 3 }
clause 4 "First" { super_bonus pays $10 when hand.total = 21 }
clause 5 "Second" { super_bonus pays as 6 }
clause 6 "Third" { super_bonus pays $50 when hand.total < 21 }
"""
    engine = engine_of(tmp_path, text)
    for total, cents, clauses in ((21, 1000, {"3", "4"}), (20, 5000, {"3", "5", "6"})):
        told = engine.work_out("super_bonus.odds", Told(hand__total=total, hand__cards=3))
        assert [v.cents for v in told.values] == [cents]
        assert set(told.clauses) == clauses
        assert {r.origin.clause for r in told.rules} == {"4" if total == 21 else "6"}
    alone = engine.work_out("super_bonus.odds", Told(hand__total=20, hand__cards=4))
    assert set(alone.clauses) == {"5", "6"}


def test_the_user_is_beaten_by_what_prevails_over_it_not_over_the_table(tmp_path: Path) -> None:
    text = """
clause 3 "Paid by the table" { main pays as 4 }
clause 4 "The table" { main pays 3 to 2 }
clause 5 "Doubled" { despite 4 main pays 1 to 1 when hand.doubled }
"""
    told = engine_of(tmp_path, text).work_out("main.odds", Told(hand__doubled=True))
    assert {(r.clause, r.value.printed) for r in told.rules} == {("3", "3 to 2"), ("5", "1 to 1")}


# --- time, amendments, readings


DATED = """
clause 3 "Paid by the table" { super_bonus pays as 4 }
clause 4 "The table" { in force from 2020-01-01 until 2021-01-01 super_bonus pays $10 }
clause 4 "The table" { in force from 2021-01-01 until 2022-01-01 super_bonus pays $20 }
"""


@pytest.mark.parametrize(("year", "cents"), [(2020, [1000]), (2021, [2000]), (2022, [])])
def test_the_version_of_the_day_is_used(tmp_path: Path, year: int, cents: list[int]) -> None:
    book = rulebook(tmp_path, DATED).on(date(year, 6, 1))
    mine = [r for r in book.rules if r.clause == "3"]
    assert [r.value.cents for r in mine] == cents


def test_an_amended_table_changes_all_its_users(tmp_path: Path) -> None:
    amendment = """
amend sample {
  in force from 2021-01-01
  replace clause 14#table2 "Bonus" {
    super_bonus pays $1,000 when wager.super_bonus and wager.stake <= $25
    super_bonus pays $5,000 when wager.super_bonus and wager.stake > $25
  }
}
"""
    book = rulebook(tmp_path, TABLE + USES + amendment)
    at_25 = Told(hand__cards=4, wager__stake=2500)
    for day, cents in ((date(2020, 6, 1), 500_000), (date(2021, 6, 1), 100_000)):
        told = new_engine(book.on(day)).work_out("super_bonus.odds", at_25)
        assert [v.cents for v in told.values] == [cents]
        assert set(told.clauses) == {"9", "14#table2"}


def test_a_revoked_table_leaves_its_users_without_one(tmp_path: Path) -> None:
    amendment = "amend sample { in force from 2021-01-01 revoke clause 14#table2 }"
    found = loaded(tmp_path, TABLE + USES + amendment).diagnostics
    assert [(d.code, d.clause, underlined(d.span)) for d in found] == [("R114", "9", "14#table2")]


def test_readings_may_use_a_table_and_are_left_out_with_it(tmp_path: Path) -> None:
    text = """
clause 4 "The table" { super_bonus pays $10 }
clause 5 "Silent" { super_bonus settles at once }
reading by-the-table { because "only the table can be meant" under 5: super_bonus pays as 4 }
reading high { because "as printed on the layout" under 4: super_bonus pays $20 when hand.doubled }
"""
    book = rulebook(tmp_path, text)
    told = {(r.clause, r.value.cents, r.reading) for r in book.rules if r.question.endswith("odds")}
    assert told == {
        ("4", 1000, None),
        ("4", 2000, "high"),
        ("5", 1000, "by-the-table"),
        ("5", 2000, "by-the-table"),
    }
    left = {
        r.value.cents
        for r in book.without_reading("high").rules
        if r.clause == "5" and r.question == "super_bonus.odds"
    }
    assert left == {1000}
    assert not [r for r in book.without_reading("by-the-table").rules if r.source is not None]


# --- what cannot be used


@pytest.mark.parametrize(
    ("clauses", "code", "at", "message", "advice"),
    [
        (
            'clause 1 "A" { main pays as 3 } clause 2 "B" { main pays 1 to 1 }',
            "R114",
            "3",
            "there is no clause `3`",
            "name a clause of this rulebook",
        ),
        (
            'clause 1 "A" { insurance pays as 2 } clause 2 "B" { main pays 1 to 1 }',
            "R123",
            "2",
            "`1` pays as `2`, but that has no payout of `insurance`",
            "no clause says what `insurance` pays",
        ),
        (
            'clause 1 "A" { main pays as 3 } clause 2 "B" { main pays 1 to 1 } '
            'clause 3 "C" { main wins }',
            "R123",
            "3",
            "`1` pays as `3`, but that has no payout of `main`",
            "what it pays stands in `2`",
        ),
        (
            'clause 1 "A" { main pays as 1 }',
            "R123",
            "1",
            "`1` pays as itself",
            "name the clause in which the table stands",
        ),
        (
            'clause 1(a) "A" { main pays as 1 } clause 1(b) "B" { main pays 1 to 1 }',
            "R123",
            "1",
            "`1(a)` pays as `1`, which it is part of",
            "name the clause in which the table stands",
        ),
        (
            'clause 1 "A" { main pays as 2 } clause 2 "B" { main pays as 1 }',
            "R123",
            "1",
            "what is paid runs in a circle: `1` as `2` as `1`",
            "name the clause in which the table stands",
        ),
        (
            'clause 1 "A" { main pays as 2 } clause 2(a) "B" { main pays 1 to 1 } '
            'clause 2(b) "C" { despite 2(a) main pays 2 to 1 when hand.doubled }',
            "R123",
            "2",
            "`1` pays as `2`, of which `2(b)` prevails over `2(a)`",
            "name the clauses that are meant, each with its own condition",
        ),
    ],
)
def test_what_cannot_be_taken_over_is_an_error_at_its_place(
    tmp_path: Path, clauses: str, code: str, at: str, message: str, advice: str
) -> None:
    (found,) = loaded(tmp_path, clauses).diagnostics
    assert (found.code, found.message, found.help) == (code, message, advice)
    assert underlined(found.span) == at
    assert found.unusable


def test_it_is_a_reference_that_is_no_flaw(tmp_path: Path) -> None:
    result = loaded(tmp_path, TABLE + USES)
    found = static_check(result, date(2025, 1, 1))
    assert [d for code in ("R201", "R202", "R203") for d in only(found, code)] == []
    assert result.rulebook is not None
    drawn = graph(result.rulebook)
    assert {(e.source, e.target) for e in drawn.edges if e.kind == "pays-as"} == {
        ("clause:9", "clause:14#table1"),
        ("clause:9", "clause:14#table2"),
    }


def test_fmt_lays_it_out() -> None:
    text = 'clause 1 "A" { main   pays as 2,3 when hand.total=21 and hand.cards = 5 }'
    assert format_text(text)[0] == (
        'clause 1 "A" {\n  main pays as 2, 3 when hand.total = 21 and hand.cards = 5\n}\n'
    )


# --- what people see


def test_explain_names_both_clauses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = tmp_path / "sample.rules"
    rules.write_text(
        "rulebook sample { game pontoon in force from 2020-01-01 }\n" + GAME + TABLE + USES
    )
    events = [
        {"e": "wager", "box": 1, "player": "P1", "bet": "main", "stake": 10},
        {"e": "deal", "box": 1, "card": "KH"},
        {"e": "deal", "box": 0, "card": "9D"},
        {"e": "deal", "box": 1, "card": "AH"},
        {"e": "deal", "box": 0, "card": "8S"},
        {"e": "settle", "box": 1, "player": "P1", "bet": "main", "returned": 20},
    ]
    log = tmp_path / "log.jsonl"
    log.write_text(
        json.dumps(
            {
                "format": 1,
                "round": "1",
                "table": "T",
                "at": "2024-01-01T12:00:00+11:00",
                "decks": 6,
                "rulebook": "sample",
                "events": events,
            }
        )
        + "\n"
    )
    call = ["explain", str(log), "--round", "1", "--rules", str(rules)]
    assert main(call) == 0
    assert "clause 9 says 1 to 1 as clause 14#table1 does: Early" in capsys.readouterr().out
    assert main([*call, "--format", "json"]) == 0
    decisions = json.loads(capsys.readouterr().out)["summary"]["decisions"]
    (odds,) = [d for d in decisions if d["question"] == "main.odds"]
    assert {(r["clause"], r["pays_as"]) for r in odds["reasons"]} == {
        ("9", "14#table1"),
        ("14#table1", None),
    }


def test_a_row_that_is_lost_is_lost_for_its_users(tmp_path: Path) -> None:
    """`coverage --mutate`: the users do not hide that a row of the table is gone."""
    rules = tmp_path / "sample.rules"
    rules.write_text(
        "rulebook sample { game pontoon in force from 2020-01-01 }\n" + GAME + TABLE + USES
    )
    (tmp_path / "sample.scenarios.yaml").write_text(f"""
rulebook: sample
scenarios:
- name: five cards
  play: |
    {FIVE.replace(chr(10), chr(10) + "    ")}
  returns: {{1 P1 main: 25}}
""")
    book = load(rules).rulebook
    assert book is not None
    scenarios = load_scenarios(tmp_path / "sample.scenarios.yaml", book)
    found = {m.mutant.name: m.noticed_by for m in mutate(book, scenarios)}
    assert found["14#table1/1"] == "five cards"
    assert not [name for name in found if name.startswith("9/") and ": " not in name]
    moved = [name for name in found if name.startswith("14#table1/1: ")]
    assert moved
    assert all(found[name] == "five cards" for name in moved if " to " in name), found


@pytest.mark.parametrize(
    ("condition", "codes"), [("hand.cards = 2", set()), ("hand.total > 40", {"9"})]
)
def test_a_use_is_dead_only_where_no_row_is_ever_met(
    condition: str, codes: set[str], tmp_path: Path
) -> None:
    """Rows for five cards say nothing against a clause that uses the table for two."""
    rules = tmp_path / "sample.rules"
    rules.write_text(
        "rulebook sample { game pontoon in force from 2020-01-01 }\n"
        + GAME
        + TABLE
        + f'clause 9 "Uses" {{ main pays as 14#table1 when {condition} }}\n'
    )
    book = load(rules).rulebook
    assert book is not None
    found = [d for d in proof_findings(book, prove(book)) if d.code == "R313" and d.clause == "9"]
    assert {d.clause for d in found} == codes
    assert len(found) == len(codes)
