"""`rulespec explain`: the round as people read it, and why each decision fell as it did."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from checker import cli
from checker.evaluate.words.in_words import card_text
from checker.log.exact_json import dumps
from checker.log.script import events_of

CORNER = """rulebook corner { game pontoon in force from 2020-01-01 }
clause 1 "Card values" {
  cards 2 to 9 count face
  cards T, J, Q, K count 10
  cards A count 1 or 11
}
clause 2 "The dealer draws to 17" {
  dealer must draw when dealer.total <= 16
  dealer must not draw when dealer.total > 16
}
clause 3(a) "Draw and stand" {
  may draw
  may stand
}
clause 3(b) "Double on eleven" { may double when hand.cards = 2 and hand.total = 11 }
clause 3(c) "Pairs" { may split when hand.equal_value }
clause 4 "The higher total" {
  main wins when hand.total <= 21 and hand.total > dealer.total
  main loses when hand.total > 21 or hand.total < dealer.total
  main stands off when hand.total = dealer.total and hand.total <= 21
}
clause 5 "A hand of 20 never loses" { despite 4 main wins when hand.total = 20 }
clause 6 "Odds" {
  main pays {
    hand.cards = 5 -> 3 to 2
    otherwise -> 1 to 1
  }
}
clause 7 "Pairs of tens" { main loses when hand.total = 20 and hand.ranks = K-K }
reading tens {
  because "the house treats two kings as it likes"
  7 prevails over 5
}
"""
SPLIT = """bet 1 P1 10
bet 3 Ann 24.50
deal 1:8H 3:AS 0:TD 1:8C 3:6D
1 P1 split $10
deal 1.1:KD
1.1 P1 stand
deal 1.2:3S
1.2 P1 double $10 9C
3 Ann hit 2H
3 Ann stand
dealer 8S
settle 1.1 P1 main 10
settle 1.2 P1 main 40
settle 3 Ann main 49"""
TWENTY = "bet 1 P1 10\ndeal 1:KH 0:TD 1:QC\n1 P1 stand\ndealer AS\nsettle 1 P1 main 10"
KINGS = TWENTY.replace("1:QC", "1:KC")
FORBIDDEN = "bet 1 P1 10\ndeal 1:KH 0:9D 1:2C\n1 P1 double $10 8C\ndealer 8S\nsettle 1 P1 main 40"


class Ran(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out, parse_float=Decimal)
        return found


Explain = Callable[..., Ran]


def a_round(name: str, script: str, **more: Any) -> dict[str, Any]:
    return {
        "format": 1,
        "round": name,
        "table": "T1",
        "at": "2020-06-01T12:00:00+10:00",
        "rulebook": "corner",
        "decks": 6,
        "events": events_of(script),
        **more,
    }


@pytest.fixture
def explain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Explain:
    """`rulespec explain` of one round, in a log with others before it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    Path("corner.rules").write_text(CORNER, encoding="utf-8")

    def call(script: str, *arguments: str, **more: Any) -> Ran:
        rounds = [a_round("R0", TWENTY), a_round("R1", script, **more)]
        lines = [dumps(one) for one in rounds]
        Path("log.jsonl").write_text("\n".join([lines[0], "{broken", lines[1], ""]), "utf-8")
        capfd.readouterr()
        given = arguments or ("--round", "R1", "--rules", "corner.rules")
        status = cli.main(["explain", "log.jsonl", *given])
        return Ran(status, *capfd.readouterr())

    return call


def as_json(explain: Explain, script: str) -> Ran:
    return explain(script, "--round", "R1", "--rules", "corner.rules", "--format", "json")


def decisions(ran: Ran, question: str) -> list[dict[str, Any]]:
    found = ran.report["summary"]["decisions"]
    return [one for one in found if one["question"] == question]


# --- drawn


@pytest.mark.parametrize(
    ("card", "drawn"),
    [("TS", "10♠"), ("AH", "A♥"), ("9D", "9♦"), ("KC", "K♣"), ("JOKER", "joker")],
)
def test_cards_have_their_signs(card: str, drawn: str) -> None:
    assert card_text(card) == drawn


def test_the_round_is_drawn(explain: Explain) -> None:
    text = explain(SPLIT).out
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert lines[0].startswith("Round R1 table T1, 2020-06-01 12:00:00+10:00, corner, 6 decks")
    assert lines[1:5] == [
        "dealer 10♦ 8♠ 18",
        "box 1 hand 1 8♥ K♦ 18 split P1 $10",
        "box 1 hand 2 8♣ 3♠ 9♣ 20 doubled, split P1 $10 split + $10 double",
        "box 3 A♠ 6♦ 2♥ soft 19 Ann $24.50",
    ]


def test_due_against_given(explain: Explain) -> None:
    wrong = explain(SPLIT.replace("settle 3 Ann main 49", "settle 3 Ann main 48.99"))
    assert wrong.status == 1
    assert "WRONG  main of Ann on box 3: due $49, given $48.99" in wrong.out
    assert "right  main of P1 on box 1 hand 2: due $40, given $40" in wrong.out
    assert "underpaid by $0.01" in wrong.out
    right = explain(SPLIT)
    assert right.status == 0
    assert "WRONG" not in right.out
    assert "Nothing in this round is against the text." in right.out


def test_what_was_never_settled_is_shown(explain: Explain) -> None:
    ran = explain(SPLIT.replace("settle 3 Ann main 49", ""))
    assert ran.status == 1
    assert "main of Ann on box 3: due $49, not settled" in ran.out


# --- why


def test_decisions_name_their_clauses(explain: Explain) -> None:
    ran = as_json(explain, SPLIT)
    first, *_ = decisions(ran, "main.result")
    assert first["answer"] == "stands off"
    assert [(r["clause"], r["title"]) for r in first["reasons"]] == [("4", "The higher total")]
    odds = decisions(ran, "main.odds")
    assert {(o["answer"], o["reasons"][0]["clause"]) for o in odds} == {("1 to 1", "6")}
    parts = [d["subject"] for d in decisions(ran, "main.result")]
    assert parts == [
        "main of P1 on box 1",
        "main of P1 on box 1 hand 2 (split part)",
        "main of P1 on box 1 hand 2 (double part)",
        "main of Ann on box 3",
    ]


def test_what_beat_what(explain: Explain) -> None:
    script = TWENTY.replace("main 10", "main 20")
    (result,) = decisions(as_json(explain, script), "main.result")
    assert result["answer"] == "wins"
    told = {r["clause"]: (r["says"], r["beaten_by"]) for r in result["reasons"]}
    assert told == {"5": ("wins", None), "4": ("loses", "5")}
    text = explain(script).out
    assert "clause 4 says loses, but 5 prevails" in text
    assert "clause 5 says wins: A hand of 20 never loses" in text


def test_a_reading_that_decides_is_seen_in_the_order(explain: Explain) -> None:
    (result,) = decisions(as_json(explain, KINGS.replace("main 10", "main 0")), "main.result")
    assert result["answer"] == "loses"
    beaten = {r["clause"]: r["beaten_by"] for r in result["reasons"]}
    assert beaten["5"] == "7"
    assert beaten["7"] is None


def test_a_reading_that_orders_clauses_is_named(explain: Explain) -> None:
    """Clause 7 prevails over 5 by the reading `tens` alone."""
    assert "[reading tens]" in explain(KINGS.replace("main 10", "main 0")).out
    assert "[reading tens]" not in explain(TWENTY).out


def test_a_rule_of_a_reading_is_marked(explain: Explain, tmp_path: Path) -> None:
    text = (
        CORNER
        + """
reading seventeens {
  because "no clause speaks of it"
  under 4: main is undecided because "both hold 17" when hand.total = 17 and dealer.total = 17
}
"""
    )
    (tmp_path / "read.rules").write_text(text, encoding="utf-8")
    script = "bet 1 P1 10\ndeal 1:KH 0:TD 1:7C\n1 P1 stand\ndealer 7S\nsettle 1 P1 main 10"
    ran = explain(script, "--round", "R1", "--rules", "read.rules")
    assert ran.status == 3
    assert "[reading seventeens]" in ran.out
    assert "both hold 17" in ran.out
    assert "rests on reading: seventeens" in ran.out
    assert "due undecided, given $10" in ran.out


def test_why_not(explain: Explain) -> None:
    ran = explain(FORBIDDEN)
    assert ran.status == 1
    assert "clause 3(b) asks for: hand.total = 11" in ran.out
    (choice,) = decisions(as_json(explain, FORBIDDEN), "player double")
    assert choice["answer"] == "no"
    assert choice["why_not"] == ["not may: clause 3(b) asks for: hand.total = 11"]


def test_why_not_the_better_odds(explain: Explain) -> None:
    odds = decisions(as_json(explain, SPLIT), "main.odds")
    assert all(o["why_not"] == ["not 3 to 2: clause 6 asks for: hand.cards = 5"] for o in odds)


def test_the_dealers_card_is_explained(explain: Explain) -> None:
    (draw,) = decisions(as_json(explain, SPLIT), "dealer draw")
    assert (draw["subject"], draw["answer"]) == ("the dealer", "a card is due")
    assert [r["clause"] for r in draw["reasons"]] == ["2"]


def test_full_shows_what_nobody_contested(explain: Explain) -> None:
    short = explain(SPLIT).out
    whole = explain(SPLIT, "--round", "R1", "--rules", "corner.rules", "--full").out
    assert "may stand, Ann on box 3: yes" in whole
    assert "may stand, Ann on box 3: yes   with soft 19 (A♠ 6♦ 2♥) against 10 (10♦)\n" in short
    assert "clause 3(a) says may: Draw and stand" in whole
    assert "clause 3(a) says may: Draw and stand" not in short
    assert "result, main of Ann on box 3: wins" in short


# --- as data


def test_the_json_form(explain: Explain) -> None:
    ran = as_json(explain, SPLIT.replace("settle 3 Ann main 49", "settle 3 Ann main 48.99"))
    report = ran.report
    assert (ran.status, report["schema"], report["command"]) == (1, "rulespec-report/1", "explain")
    summary = report["summary"]
    assert (summary["round"], summary["rulebook"]) == ("R1", "corner")
    rows = {(r["box"], r["hand"], r["player"]): r for r in summary["settlements"]}
    assert set(rows) == {(1, 1, "P1"), (1, 2, "P1"), (3, 1, "Ann")}
    row = rows[(3, 1, "Ann")]
    assert (row["expected"], row["actual"], row["right"]) == (49, Decimal("48.99"), False)
    (found,) = report["findings"]
    assert (found["code"], found["line"], found["difference"]) == ("R501", 3, Decimal("-0.01"))
    assert '"actual": 48.99' in ran.out


def test_the_inputs_are_named(explain: Explain) -> None:
    inputs = {(i["kind"], i["path"]) for i in as_json(explain, SPLIT).report["inputs"]}
    assert inputs == {("log", "log.jsonl"), ("rules", "corner.rules")}


def test_earlier_rounds_of_the_shoe_are_known(explain: Explain) -> None:
    """What makes a shuffle due happened in the round before."""
    played = "bet 1 P1 10\ndeal 1:KH 0:9D 1:9S\n1 P1 stand\ndealer 9C\nsettle 1 P1 main 20"
    act = {"rulebook": "act-pontoon", "shoe": "S1"}
    explain(played)
    rounds = [a_round("R1", f"shuffle\n{played}\ncut card", **act), a_round("R2", played, **act)]
    Path("log.jsonl").write_text("\n".join(map(dumps, rounds)) + "\n", encoding="utf-8")
    assert cli.main(["explain", "log.jsonl", "--round", "R1"]) == 0
    assert cli.main(["explain", "log.jsonl", "--round", "R2"]) == 1


# --- what cannot be explained


def test_an_unknown_round(explain: Explain) -> None:
    ran = explain(SPLIT, "--round", "R99", "--rules", "corner.rules")
    assert (ran.status, ran.out) == (2, "")
    assert "no round `R99` in `log.jsonl`" in ran.err


def test_an_unknown_table(explain: Explain) -> None:
    assert explain(SPLIT, "--round", "R1", "--rules", "corner.rules", "--table", "T9").status == 2
    assert explain(SPLIT, "--round", "R1", "--rules", "corner.rules", "--table", "T1").status == 0


def test_an_unknown_log(explain: Explain, capfd: pytest.CaptureFixture[str]) -> None:
    explain(SPLIT)
    assert cli.main(["explain", "gone.jsonl", "--round", "R1", "--rules", "corner.rules"]) == 2
    assert "`gone.jsonl` does not exist" in capfd.readouterr().err


def test_unknown_rules(explain: Explain) -> None:
    assert explain(SPLIT, "--round", "R1", "--rules", "no-such-rules").status == 2
    ran = explain(SPLIT, "--round", "R1")
    assert ran.status == 1
    assert "R561" in ran.out


def test_a_day_without_a_text(explain: Explain) -> None:
    ran = explain(SPLIT, at="2019-12-31T12:00:00+10:00")
    assert ran.status == 1
    assert "R560" in ran.out


def test_a_round_is_needed(explain: Explain) -> None:
    assert explain(SPLIT, "--rules", "corner.rules").status == 2


def test_names_cannot_play_tricks_on_a_terminal(explain: Explain) -> None:
    script = SPLIT.replace("Ann", "A\x1b[31mnn")
    out = explain(script).out
    assert "\x1b" not in out
    assert "box 3" in out


# --- the moment of each decision


def test_json_has_the_cards_of_each_moment(explain: Explain) -> None:
    ran = as_json(explain, SPLIT)
    moments = {
        (one["question"], one["subject"]): (one["seen"]["text"], one["seen"]["dealer"])
        for one in ran.report["summary"]["decisions"]
        if one["question"].startswith("player ")
    }
    assert moments["player split", "P1 on box 1"] == ("8♥ 8♣   16", ["TD"])
    assert moments["player double", "P1 on box 1 hand 2"] == ("8♣ 3♠   11", ["TD"])
    assert moments["player draw", "Ann on box 3"] == ("A♠ 6♦   soft 17", ["TD"])
    assert moments["player stand", "Ann on box 3"] == ("A♠ 6♦ 2♥   soft 19", ["TD"])
    (dealer, *_) = decisions(ran, "dealer draw")
    assert dealer["seen"]["cards"] == []
    assert dealer["seen"]["dealer"] == ["TD"]


def test_the_drawing_has_stakes_and_side_bets(explain: Explain) -> None:
    sided = SPLIT.replace("bet 3 Ann 24.50", "bet 3 Ann 24.50\nbet 3 Bo 5 perfect_pairs")
    text = explain(sided).out
    assert "P1 $10 split + $10 double" in text
    assert "Ann $24.50   Bo $5 on perfect_pairs" in text
    hands = as_json(explain, sided).report["summary"]["hands"]
    assert [(one["box"], one["hand"], one["cards"]) for one in hands] == [
        (0, 1, ["TD", "8S"]),
        (1, 1, ["8H", "KD"]),
        (1, 2, ["8C", "3S", "9C"]),
        (3, 1, ["AS", "6D", "2H"]),
    ]
    assert hands[2]["stakes"] == [
        {"player": "P1", "bet": "main", "part": "split", "stake": 10},
        {"player": "P1", "bet": "main", "part": "double", "stake": 10},
    ]
    assert hands[3]["stakes"][0]["stake"] == Decimal("24.50")
    assert hands[3]["side_bets"] == [
        {"player": "Bo", "bet": "perfect_pairs", "part": "original", "stake": 5}
    ]


def test_a_log_that_cannot_be_opened_is_told(explain: Explain) -> None:
    for name in ("a" * 5000, "no-such.jsonl", "."):
        explain(TWENTY)
        assert cli.main(["explain", name, "--round", "R1"]) == 2
