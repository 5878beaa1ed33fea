"""Which of several clauses answers."""

from __future__ import annotations

import itertools
import random
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from checker.evaluate.engine import Engine
from checker.evaluate.ready import new_engine
from checker.judge.findings import Verdict
from checker.judge.judge import judge
from checker.scenarios.scenarios import load_scenarios, scenario_path
from checker.table.shoes import ShoeTracker
from rulespec.load.load import load, shipped
from rulespec.syntax.parse import parse
from tests.evaluate.engine_support import (
    CARDS,
    EVENS,
    PLAYS,
    WON,
    Told,
    a_round,
    asked,
    clauses,
    due,
    engine_of,
    judged,
)
from tests.support import rulebook

# --- outcome sets


def test_clauses_that_agree_are_all_cited(tmp_path: Path) -> None:
    text = clauses("main wins when hand.total = 21", "main wins when hand.cards = 2")
    answer = asked(tmp_path, text, "main.result", Told(hand__total=21, hand__cards=2))
    assert (answer.value, answer.clauses, answer.beaten) == ("wins", ("1", "2"), ())


def test_clauses_that_differ_contradict_each_other(tmp_path: Path) -> None:
    text = clauses("main wins when hand.total = 21", "main loses when dealer.total = 21")
    answer = asked(tmp_path, text, "main.result", Told(hand__total=21, dealer__total=21))
    assert set(answer.values) == {"wins", "loses"}
    assert (answer.decided, answer.value) == (False, None)
    why = answer.why_undecided()
    assert "clause 1 says wins" in why
    assert "clause 2 says loses" in why


def test_no_clause_is_a_gap(tmp_path: Path) -> None:
    text = clauses("main wins when hand.total = 21")
    answer = asked(tmp_path, text, "main.result", Told(hand__total=20))
    assert (answer.values, answer.decided) == ((), False)
    assert answer.why_undecided() == "no clause gives an answer here"


def test_a_gap_in_a_round_is_undecided_and_not_passed_over(tmp_path: Path) -> None:
    text = CARDS + PLAYS + 'clause 4 "Only 21" { main wins when hand.total = 21 main pays 1 to 1 }'
    script = "bet 1 P1 10\ndeal 1:KH 0:9D 1:9C\n1 P1 stand\ndealer 8S\nsettle 1 P1 main 20"
    verdict = judged(tmp_path, text, script)
    assert [(f.code, f.kind) for f in verdict.findings] == [("R550", "undecided")]
    assert due(verdict) is None


# --- precedence

TWO_VALUES = Told(hand__total=21, dealer__total=21)


@pytest.mark.parametrize(
    ("first", "second", "winner"),
    [
        ("despite 2", "", "1"),
        ("", "despite 1", "2"),
        ("subject to 2", "", "2"),
        ("", "subject to 1", "1"),
    ],
)
def test_despite_and_subject_to(tmp_path: Path, first: str, second: str, winner: str) -> None:
    text = clauses(
        f"{first} main wins when hand.total = 21", f"{second} main loses when dealer.total = 21"
    )
    answer = asked(tmp_path, text, "main.result", TWO_VALUES)
    loser = "2" if winner == "1" else "1"
    assert answer.value == {"1": "wins", "2": "loses"}[winner]
    assert answer.clauses == (winner,)
    assert [(r.clause, by.clause) for r, by in answer.beaten] == [(loser, winner)]


def test_a_clause_that_does_not_apply_beats_nothing(tmp_path: Path) -> None:
    text = clauses("despite 2 main wins when hand.total = 21", "main loses when dealer.total = 21")
    answer = asked(tmp_path, text, "main.result", Told(hand__total=20, dealer__total=21))
    assert (answer.value, answer.beaten) == ("loses", ())


def test_despite_reaches_the_parts_of_a_clause(tmp_path: Path) -> None:
    text = """
clause 9.4 "First" { despite 14.1 main wins when hand.total = 21 }
clause 14.1 "Tests" { introduces its parts }
clause 14.1(b) "Part" { main loses when dealer.total = 21 }
clause 14.10 "Another clause" { main stands off when hand.cards = 3 }
"""
    scene = Told(hand__total=21, dealer__total=21, hand__cards=3)
    answer = asked(tmp_path, text, "main.result", scene)
    assert set(answer.values) == {"wins", "stands off"}
    assert [r.clause for r, _ in answer.beaten] == ["14.1(b)"]


def test_precedence_is_transitive_within_a_question(tmp_path: Path) -> None:
    """The middle clause answers the question, and need not apply here to carry the order on."""
    text = clauses(
        "despite 2 main wins when hand.total = 21",
        "despite 3 main stands off when hand.total = 3",
        "main loses when dealer.total = 21",
    )
    answer = asked(tmp_path, text, "main.result", TWO_VALUES)
    assert (answer.value, answer.clauses) == ("wins", ("1",))


def test_precedence_does_not_travel_through_another_question(tmp_path: Path) -> None:
    """The middle clause speaks of odds only, so it orders nothing about results."""
    text = clauses(
        "despite 2 main wins when hand.total = 21",
        "despite 3 main pays 2 to 1 when hand.total = 21",
        "main loses when dealer.total = 21",
    )
    answer = asked(tmp_path, text, "main.result", TWO_VALUES)
    assert set(answer.values) == {"wins", "loses"}


def test_precedence_is_only_between_answers_to_one_question(tmp_path: Path) -> None:
    text = clauses(
        "despite 2 main wins when hand.total = 21", "main pays 2 to 1 when hand.total = 21"
    )
    engine = engine_of(tmp_path, text)
    assert engine.ask("main.odds", TWO_VALUES).clauses == ("2",)
    assert engine.ask("main.result", TWO_VALUES).clauses == ("1",)


# --- readings

PRINTED_AND_READ = (
    clauses("despite 2 main wins when hand.total = 21", "main loses when dealer.total = 21")
    + 'reading other-way { because "the house pays last" 2 prevails over 1 }\n'
)


def test_a_reading_prevails_over_the_printed_order(tmp_path: Path) -> None:
    assert asked(tmp_path, PRINTED_AND_READ, "main.result", TWO_VALUES).value == "loses"


def test_an_inactive_reading_says_nothing(tmp_path: Path) -> None:
    text = PRINTED_AND_READ.replace("other-way", "other-way inactive")
    assert asked(tmp_path, text, "main.result", TWO_VALUES).value == "wins"


def test_a_reading_can_be_switched_off(tmp_path: Path) -> None:
    text = clauses("main wins when hand.total = 21", "main loses when dealer.total = 21")
    text += 'reading paid-first { because "a 21 is removed before" 1 prevails over 2 }\n'
    book = rulebook(tmp_path, text)
    assert new_engine(book).ask("main.result", TWO_VALUES).value == "wins"
    bare = new_engine(book.without_reading("paid-first")).ask("main.result", TWO_VALUES)
    assert set(bare.values) == {"wins", "loses"}


def test_without_a_reading_the_printed_order_is_back(tmp_path: Path) -> None:
    book = rulebook(tmp_path, PRINTED_AND_READ).without_reading("other-way")
    assert new_engine(book).ask("main.result", TWO_VALUES).value == "wins"


def test_a_reading_that_leaves_it_open_is_named(tmp_path: Path) -> None:
    text = (
        CARDS
        + PLAYS
        + """
clause 4 "Any 20 wins" { main wins when hand.total = 20  main pays 1 to 1 }
reading ties {
  because "the text does not speak of ties"
  under 4: main is undecided because "both have 20" when dealer.total = 20
}
"""
    )
    script = "bet 1 P1 10\ndeal 1:KH 0:KD 1:QC\n1 P1 stand\ndealer JS\nsettle 1 P1 main 20"
    book = rulebook(tmp_path, text)
    (finding,) = judge(new_engine(book), a_round(script)).findings
    assert (finding.code, finding.clause, finding.readings) == ("R550", "4", ("ties",))
    assert "both have 20" in finding.message
    assert judge(new_engine(book.without_reading("ties")), a_round(script)).findings == []


# --- interim

INTERIM = clauses(
    "interim main wins when hand.total = 21",
    "main loses when dealer.total = 21",
    "main stands off when hand.cards = 2",
)


def test_what_is_decided_before_the_dealer_draws_stays_decided(tmp_path: Path) -> None:
    scene = Told(hand__total=21, dealer__total=21, hand__cards=2)
    answer = asked(tmp_path, INTERIM, "main.result", scene)
    assert (answer.value, answer.clauses) == ("wins", ("1",))


def test_interim_comes_first_even_against_precedence(tmp_path: Path) -> None:
    text = clauses(
        "interim main wins when hand.total = 21", "despite 1 main loses when dealer.total = 21"
    )
    assert asked(tmp_path, text, "main.result", TWO_VALUES).value == "wins"


def test_the_final_rules_answer_where_no_interim_rule_applies(tmp_path: Path) -> None:
    scene = Told(hand__total=20, dealer__total=20, hand__cards=2)
    assert asked(tmp_path, INTERIM, "main.result", scene).value == "stands off"


def test_an_interim_rule_that_is_not_known_leaves_the_final_answer_open(tmp_path: Path) -> None:
    scene = Told(hand__total=None, dealer__total=21, hand__cards=3)
    answer = asked(tmp_path, INTERIM, "main.result", scene)
    assert (answer.values, answer.decided) == (("loses",), False)
    assert [r.clause for r in answer.unknown] == ["1"]


# --- the order of clauses and statements means nothing


def shuffled(text: str, seed: int) -> str:
    """The rule file with its items, the clauses of each section and the statements of each clause
    in another order. The header stays first."""
    document, wrong = parse(text, "shuffled.rules")
    assert document is not None
    assert wrong == []
    lines = text.splitlines(keepends=True)
    starts = [0, *itertools.accumulate(len(line) for line in lines)]
    chance = random.Random(seed)

    def place(node: Any) -> tuple[int, int]:
        span = node.span
        return (
            starts[span.start_line - 1] + span.start_column - 1,
            starts[span.end_line - 1] + span.end_column - 1,
        )

    def moved(node: Any) -> str:
        """The text of a node with what stands inside it in another order."""
        begin, end = place(node)
        inside = sorted(
            (*getattr(node, "clauses", ()), *getattr(node, "statements", ())), key=place
        )
        pieces = [moved(one) for one in inside]
        chance.shuffle(pieces)
        made, at = [], begin
        for one, piece in zip(inside, pieces, strict=True):
            made += [text[at : place(one)[0]], piece]
            at = place(one)[1]
        return "".join(made) + text[at:end]

    head, *items = document.items
    pieces = [moved(item) for item in items]
    chance.shuffle(pieces)
    begin, end = place(head)
    return "\n".join([text[begin:end], *pieces]) + "\n"


def seen_in(verdict: Verdict) -> object:
    """What a verdict says. Clauses that speak together have no order among themselves."""
    found = {
        (
            f.code,
            f.kind,
            frozenset({f.clause, *(c for c, role in f.others if "asks" not in role)}),
            f.event,
            f.box,
            f.hand,
            f.player,
            f.bet,
            f.expected,
            f.actual,
            frozenset(f.readings),
        )
        for f in verdict.findings
    }
    answers = {
        (
            d.subject,
            d.box,
            d.hand,
            d.player,
            d.bet,
            d.part,
            d.answer.question,
            frozenset(map(str, d.answer.values)),
            frozenset(d.answer.clauses),
        )
        for d in verdict.decisions
    }
    untested = set(verdict.not_checked) - verdict.tested
    return found, answers, verdict.expected, verdict.tested, untested, len(verdict.reports)


def test_the_order_of_clauses_and_statements_changes_no_answer(tmp_path: Path) -> None:
    path = shipped()["act-pontoon"]
    text = path.read_text(encoding="utf-8")
    original = load(path).rulebook
    assert original is not None
    # every fourth scenario: each is about other clauses, and all of them would take long
    scenarios = load_scenarios(scenario_path(path), original)[::4]
    assert len(scenarios) > 40

    def verdicts(rulebook_: Any) -> list[object]:
        engines: dict[date, Engine] = {}
        found = []
        for scenario in scenarios:
            day = scenario.round.at.date()
            if day not in engines:
                engines[day] = new_engine(rulebook_.on(day))
            engine = engines[day]
            shoes = ShoeTracker()
            for round_ in scenario.rounds:
                view = shoes.view(round_)
                if round_ is scenario.round:
                    found.append(seen_in(judge(engine, round_, view)))
                shoes.after(round_)
        return found

    before = verdicts(original)
    for seed in (1, 2, 3):
        other = tmp_path / f"{seed}.rules"
        other.write_text(shuffled(text, seed), encoding="utf-8")
        result = load(other)
        assert result.usable, result.diagnostics
        assert result.rulebook is not None
        assert [r.clause for r in result.rulebook.rules] != [r.clause for r in original.rules]
        assert sorted(r.clause for r in result.rulebook.rules) == sorted(
            r.clause for r in original.rules
        )
        for scenario, one, two in zip(scenarios, before, verdicts(result.rulebook), strict=True):
            assert two == one, f"seed {seed}: {scenario.name}"


# --- text in force


@pytest.mark.parametrize(
    ("day", "broken"), [("2024-08-18", set()), ("2024-08-19", {"6.1", "20.1"})]
)
def test_a_clause_counts_from_its_own_day(day: str, broken: set[str]) -> None:
    """The Star asks for player cards from 19 August 2024, three days after the order itself."""
    book = load(shipped()["nsw-star-pontoon"]).rulebook
    assert book is not None
    script = """bet 1 P1 10
bet 2 P2 10 nocard
deal 1:KH 2:KC 0:9D 1:9C 2:9S
1 P1 stand
2 P2 stand
dealer 8D"""
    round_ = a_round(script, at=f"{day}T12:00:00+10:00")
    verdict = judge(new_engine(book.on(date.fromisoformat(day))), round_)
    about = [f for f in verdict.findings if f.code == "R530"]
    assert {f.clause for f in about} == broken
    assert {f.player for f in about} <= {"P2"}


@pytest.mark.parametrize("between", ["\n", " "])
def test_two_versions_of_a_clause_follow_each_other(tmp_path: Path, between: str) -> None:
    earlier = 'clause 5 "Odds" { in force from 2020-01-01 until 2020-06-01 main pays 1 to 1 }'
    later = 'clause 5 "Odds" { in force from 2020-06-01 main pays 2 to 1 }'
    text = EVENS.replace('clause 5 "Evens" { main pays 1 to 1 }', earlier + between + later)
    book = rulebook(tmp_path, text)
    change = datetime(2020, 6, 1)
    for moment, expected in ((change - timedelta(days=1), 2000), (change, 3000)):
        round_ = a_round(WON.format(10), at=f"{moment.isoformat()}+10:00")
        assert due(judge(new_engine(book.on(moment.date())), round_)) == expected


def test_the_order_that_another_version_lays_down_does_not_count(tmp_path: Path) -> None:
    text = """
clause 5 "Odds" { main pays 1 to 1 }
clause 6 "Doubled" { in force from 2020-01-01 until 2020-06-01 despite 5 main pays 2 to 1 }
clause 6 "Doubled" { in force from 2020-06-01 main pays 2 to 1 }
"""
    book = rulebook(tmp_path, text)
    for month, said in ((1, ["2 to 1"]), (7, ["1 to 1", "2 to 1"])):
        answer = new_engine(book.on(date(2020, month, 1))).work_out("main.odds", Told())
        assert sorted(v.printed for v in answer.values) == said
