"""A wrong settlement is put down to the clause that was not kept, not only to those that the cards
come under."""

from __future__ import annotations

from typing import Any

import pytest

from checker.judge.findings import ReplayFinding
from checker.log.decode import decode_round
from checker.log.script import events_of
from checker.replay.replay import Library, judge_round
from checker.table.shoes import ShoeView
from rulespec.load.load import load, shipped

ACT, STAR = "act-blackjack", "nsw-star-pontoon"
PONTOON, NZ, ADELAIDE = "act-pontoon", "nz-pontoon", "sa-adelaide-pontoon"
MASSACHUSETTS = "ma-blackjack"
AT = dict.fromkeys((ACT, PONTOON, NZ, ADELAIDE), "2012-03-04T21:00:00+11:00") | {
    STAR: "2024-08-16T21:00:00+10:00",
    MASSACHUSETTS: "2021-05-01T12:00:00-04:00",
}
NARROW = {"main": {"min": 10, "max": 100}}
CHIPS = {"main": {"min": 5, "max": 100, "smallest_chip": 5}}

TWENTY = "no more bets\ndeal 1:KS 0:9H 1:KD\n1 P1 stand\ndealer KC\n"
EIGHTEEN = "no more bets\ndeal 1:KS 0:9H 1:8D\n1 P1 stand\n"
SPLIT_KINGS = (
    "bet 1 P1 10\nno more bets\ndeal 1:KS 0:9H 1:KD\n1.1 P1 split $10\ndeal 1.1:AC\n{}"
    "deal 1.2:9S\n1.2 P1 stand\ndealer KC\nsettle 1.2 P1 main {}\n"
)
DOUBLED = "bet 1 P1 10\nno more bets\ndeal 1:AS 0:9H 1:6D\n1 P1 double $10 {}\ndealer 8C\n"


@pytest.fixture(scope="module")
def library() -> Library:
    return Library(load(shipped()[book]).rulebook for book in AT)  # type: ignore[misc]


def found(library: Library, book: str, script: str, **more: Any) -> list[ReplayFinding]:
    line = {"format": 1, "round": "R1", "table": "T1", "at": AT[book], "rulebook": book, "decks": 6}
    round_ = decode_round(line | more | {"events": events_of(script)})
    return judge_round(round_, library, ShoeView()).findings


def test_a_clause_that_another_prevails_over_is_told_too(library: Library) -> None:
    late = "bet 1 P1 10\nbet 2 P2 10\ndeal 1:TH 2:TS 0:TD 1:AC 2:9C\n2 P2 stand\n"
    wrong = "dealer 5S 6S\nsettle 2 P2 main 0\nsettle 1 P1 main 10\n"
    options = ["blackjack_pays=3:2", "dealer_soft_17=stand"]
    (finding,) = found(library, MASSACHUSETTS, late + wrong, options=options)
    related = {one.clause: one.role for one in finding.related}
    assert finding.clause == "7(b)"
    assert related["3(a)(3)"] == "says wins, but 7(b) prevails"


@pytest.mark.parametrize(
    ("book", "clause", "limits", "script"),
    [
        # the limit to what counts of a wager, won and lost
        (ACT, "3.5", NARROW, "bet 1 P1 150\n" + TWENTY + "settle 1 P1 main 300"),
        (ACT, "3.5", NARROW, "bet 1 P1 150\n" + EIGHTEEN + "dealer KC\nsettle 1 P1 main 0"),
        # a term that a clause takes something out of
        (
            ACT,
            "10.7",
            {},
            SPLIT_KINGS.format("", 10).replace("dealer", "settle 1.1 P1 main 25\ndealer"),
        ),
        (STAR, "14.3", {}, SPLIT_KINGS.format("settle 1.1 P1 main 25\n", 10)),
        (STAR, "7.2", NARROW, "bet 1 P1 5\n" + TWENTY + "settle 1 P1 main 5"),
        # what a card is worth
        (STAR, "13.1.4.1", {}, DOUBLED.format("9C").replace("6D", "AD") + "settle 1 P1 main 40"),
        # rounding
        (
            STAR,
            "6.10",
            CHIPS,
            "bet 1 P1 15\nno more bets\ndeal 1:AS 0:9H 1:KD\nsettle 1 P1 main 37.5",
        ),
    ],
)
def test_the_clause_without_which_the_payment_were_right(
    library: Library, book: str, clause: str, limits: dict[str, Any], script: str
) -> None:
    wrong = [f for f in found(library, book, script, limits=limits) if f.code == "R501"]
    assert [f.clause for f in wrong] == [clause]
    assert len(wrong[0].others) > 0


@pytest.mark.parametrize(
    ("book", "clauses"),
    [(PONTOON, {"2.5(a)"}), (NZ, {"4.1(c)(ii)", "12.2"})],
)
@pytest.mark.parametrize("cards", ["1:AS 0:9H 1:2D", "1:2S 0:9H 1:AD"])
def test_an_ace_of_a_double_that_counted_eleven(
    library: Library, book: str, clauses: set[str], cards: str
) -> None:
    script = f"bet 1 P1 10\nno more bets\ndeal {cards}\n1 P1 double $10 8C\ndealer KC\n"
    (wrong,) = found(library, book, script + "settle 1 P1 main 40")
    assert wrong.code == "R501"
    assert {wrong.clause, *(clause for clause, _ in wrong.others)} >= clauses
    assert wrong.clause in clauses


FIVE_CARDS = (
    "bet 1 P1 10\nno more bets\ndeal 1:2S 0:9H 1:3D\n1 P1 hit 4C\n1 P1 hit 5S\n1 P1 hit 7H\n"
)
NATURAL = "bet 1 P1 10\nno more bets\ndeal 1:AS 0:9H 1:KD\n"


@pytest.mark.parametrize(
    ("book", "table", "natural"),
    [
        (PONTOON, "14.2#table1", "8.1"),
        (NZ, "11.1#table", "9.1"),
        (ADELAIDE, "27#table1", "58"),
    ],
)
def test_the_clause_that_prints_the_odds_leads(
    library: Library, book: str, table: str, natural: str
) -> None:
    (wrong,) = found(library, book, FIVE_CARDS + "settle 1 P1 main 20")
    assert wrong.clause == table
    (wrong,) = found(library, book, NATURAL + "settle 1 P1 main 20")
    assert wrong.clause == natural
    assert table in [clause for clause, _ in wrong.others]


@pytest.mark.parametrize(("book", "clause"), [(PONTOON, "3.4"), (ADELAIDE, "118")])
def test_a_first_wager_under_the_minimum_is_not_given_back(
    library: Library, book: str, clause: str
) -> None:
    script = "bet 1 P1 5\n" + EIGHTEEN + "dealer KC\nsettle 1 P1 main 5"
    wrong = [f for f in found(library, book, script, limits=NARROW) if f.code == "R501"]
    assert [f.clause for f in wrong] == [clause]
    # without limits in the log nothing speaks for that clause
    (wrong_too,) = found(library, book, script)
    assert wrong_too.clause != clause


def test_a_doubled_hand_that_lost_and_was_paid_breaks_no_bonus(library: Library) -> None:
    script = DOUBLED.format("3C") + "settle 1 P1 main 40"
    (wrong,) = found(library, STAR, script.replace("AS", "5S"))
    assert wrong.clause == "17.1.9"


def test_a_dealer_card_that_is_to_be_burnt_names_the_clause(library: Library) -> None:
    script = "bet 1 P1 10\n" + EIGHTEEN + "dealer 8C 3H\nsettle 1 P1 main 20"
    (drawn,) = found(library, ACT, script)
    assert drawn.clause == "12.1"
    assert [clause for clause, _ in drawn.others] == ["14.3"]
