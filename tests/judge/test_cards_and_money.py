"""Money on a hand is a list of parts, and each card is one that a decision asked for."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from checker.cli import main
from checker.judge.findings import ReplayFinding, Verdict
from checker.log.decode import decode_round
from checker.log.exact_json import dumps
from checker.log.script import events_of
from checker.replay.replay import Library, judge_round
from checker.table.shoes import ShoeView
from rulespec.load.load import load, shipped


class Text(NamedTuple):
    """Where a text says that a hand is doubled once, that a split is covered once, and that cards
    follow decisions."""

    at: str
    doubled: set[str]
    covered: set[str]
    decided: str


TEXTS = {
    "act-pontoon": Text(
        "2010-01-01T12:00:00+11:00", {"A:Double/double down", "12.3"}, {"11.2(a)"}, "10.1"
    ),
    "act-blackjack": Text(
        "2010-01-01T12:00:00+11:00", {"A:Double/double down", "11.2"}, {"10.2(a)"}, "9.1"
    ),
    "nz-pontoon": Text("2010-01-01T12:00:00+13:00", {"12.3(a)", "12.4"}, {"15.3(d)"}, "8.4"),
    "nsw-star-pontoon": Text(
        "2024-09-01T12:00:00+10:00", {"13.1", "13.1#tail"}, {"14.10.1"}, "12.4"
    ),
    "sa-adelaide-pontoon": Text("2010-01-01T12:00:00+10:30", {"62(a)", "62(b)"}, {"81"}, "50"),
}
BOOKS = tuple(TEXTS)

ALONE = "no more bets\ndeal 1:6H 0:8D 1:5C\n"  # 11 against 8
STIFF = "no more bets\ndeal 1:9H 0:8D 1:6C\n"  # 15 against 8
PAIR = "no more bets\ndeal 1:8H 0:9D 1:8C\n"
P1 = "bet 1 P1 20 seated controls\n"
P2 = "bet 1 P2 20 standing\n"


def a_round(book: str, script: str, name: str = "R1", **more: Any) -> dict[str, Any]:
    return {
        "format": 1,
        "round": name,
        "table": more.pop("table", "T1"),
        "at": TEXTS[book].at,
        "rulebook": book,
        "decks": 6,
        **more,
        "events": events_of(script),
    }


@pytest.fixture(scope="module")
def library() -> Library:
    return Library(load(shipped()[book]).rulebook for book in BOOKS)  # type: ignore[misc]


def judged(library: Library, book: str, script: str, **more: Any) -> Verdict:
    round_ = decode_round(a_round(book, script, **more))
    return judge_round(round_, library, ShoeView())


def found(library: Library, book: str, script: str, **more: Any) -> list[ReplayFinding]:
    return judged(library, book, script, **more).findings


def cited(finding: ReplayFinding) -> set[str]:
    return {finding.clause or "", *(clause for clause, _ in finding.others)}


# money


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(
    ("card", "doubles", "returned"),
    [("9S", 2, 120), ("9S", 3, 160), ("7S", 2, 60), ("2S", 2, 0)],
)
def test_every_double_counts_and_all_but_the_first_break_the_text(
    library: Library, book: str, card: str, doubles: int, returned: int
) -> None:
    script = P1 + ALONE + "1 P1 double $20\n" * doubles + f"deal 1:{card}\ndealer KS\n"
    exact = found(library, book, script + f"settle 1 P1 main {returned}")
    assert [f.code for f in exact] == ["R510"] * (doubles - 1)
    assert all(cited(f) & TEXTS[book].doubled for f in exact)
    wrong = found(library, book, script + f"settle 1 P1 main {returned + 5}")
    told = [(f.expected, f.actual) for f in wrong if f.code == "R501"]
    assert told == [(100 * returned, 100 * returned + 500)]


@pytest.mark.parametrize("book", BOOKS)
def test_doubles_of_different_amounts_are_added(library: Library, book: str) -> None:
    script = P1 + ALONE + "1 P1 double $10\n1 P1 double $7.50 9S\ndealer KS\n"
    assert [f.code for f in found(library, book, script + "settle 1 P1 main 75")] == ["R510"]


@pytest.mark.parametrize("book", BOOKS)
def test_one_double_by_each_player_is_lawful(library: Library, book: str) -> None:
    script = P1 + P2 + ALONE + "1 P1 double $20\n1 P2 double $20 9S\ndealer KS\n"
    assert not found(library, book, script + "settle 1 P1 main 80\nsettle 1 P2 main 80")


@pytest.mark.parametrize("book", BOOKS)
def test_a_second_double_of_another_player_on_the_box(library: Library, book: str) -> None:
    script = P1 + P2 + ALONE + "1 P1 double $20\n1 P2 double $20\n1 P2 double $20 9S\ndealer KS\n"
    (one,) = found(library, book, script + "settle 1 P1 main 80\nsettle 1 P2 main 120")
    assert (one.code, one.player) == ("R510", "P2")
    assert cited(one) & TEXTS[book].doubled
    two = found(library, book, script + "settle 1 P1 main 80\nsettle 1 P2 main 80")
    assert [(f.code, f.expected) for f in two if f.player == "P2"][1:] == [("R501", 12000)]


@pytest.mark.parametrize("book", BOOKS)
def test_a_second_double_on_a_split_hand(library: Library, book: str) -> None:
    script = (
        P1 + PAIR + "1.1 P1 split $20\ndeal 1.1:3S\n1.1 P1 double $20\n1.1 P1 double $20 9S\n"
        "deal 1.2:KC\n1.2 P1 stand\ndealer KS\nsettle 1.1 P1 main 120\nsettle 1.2 P1 main 0"
    )
    (one,) = found(library, book, script)
    assert (one.code, one.hand) == ("R510", 1)
    assert cited(one) & TEXTS[book].doubled


SPLIT = (
    "1.1 P1 split $20\n{covers}deal 1.1:KS\n1.1 P1 stand\ndeal 1.2:KC\n1.2 P1 stand\ndealer 8S\n"
)


@pytest.mark.parametrize("book", BOOKS)
def test_a_split_that_another_player_covers_twice(library: Library, book: str) -> None:
    once = P1 + P2 + PAIR + SPLIT.format(covers="1.1 P2 split $20\n")
    paid = "settle 1.1 P1 main 40\nsettle 1.2 P1 main 40\nsettle 1.1 P2 main 40\n"
    assert not found(library, book, once + paid + "settle 1.2 P2 main 40")
    twice = P1 + P2 + PAIR + SPLIT.format(covers="1.1 P2 split $20\n" * 2)
    (one,) = found(library, book, twice + paid + "settle 1.2 P2 main 80")
    assert (one.code, one.player) == ("R510", "P2")
    assert cited(one) & TEXTS[book].covered
    two = found(library, book, twice + paid + "settle 1.2 P2 main 40")
    assert [(f.code, f.expected) for f in two if f.code != "R510"] == [("R501", 8000)]


# cards and decisions


WRONG = {
    "a hit without a card": STIFF + "1 P1 hit\n1 P1 stand\ndealer KS\nsettle 1 P1 main 0",
    "the second of two hits without a card": (
        STIFF + "1 P1 hit 2S\n1 P1 hit\n1 P1 stand\ndealer KS\nsettle 1 P1 main 0"
    ),
    "a hit without a card before a double": (
        ALONE + "1 P1 hit\n1 P1 double $20 2S\ndealer KS\nsettle 1 P1 main 0"
    ),
    "a card that nobody asked for": (
        STIFF + "deal 1:2S\n1 P1 stand\ndealer KS\nsettle 1 P1 main 0"
    ),
    "two cards for one hit": STIFF + "1 P1 hit 2S 2C\n1 P1 stand\ndealer KS\nsettle 1 P1 main 40",
    "a card to a split hand": (
        PAIR + "1.1 P1 split $20\ndeal 1.1:5S 1.1:6S\n1.1 P1 stand\ndeal 1.2:KC\n1.2 P1 stand\n"
        "dealer 8S\nsettle 1.1 P1 main 40\nsettle 1.2 P1 main 40"
    ),
    "a card that went to another hand": (
        PAIR + "1.1 P1 split $20\ndeal 1.1:5S\n1.1 P1 hit\ndeal 1.2:KC\n1.2 P1 stand\n"
        "dealer 8S\nsettle 1.1 P1 main 0\nsettle 1.2 P1 main 40"
    ),
}


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("what", WRONG)
def test_cards_and_decisions_that_do_not_match(library: Library, book: str, what: str) -> None:
    findings = found(library, book, P1 + WRONG[what])
    assert [(f.code, f.clause) for f in findings] == [("R530", TEXTS[book].decided)], findings


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(
    "script",
    [
        ALONE + "1 P1 double $20\ndealer KS\nsettle 1 P1 main 0",
        ALONE + "1 P1 double $20 2S 7S\ndealer KS\nsettle 1 P1 main 80",
        STIFF + "1 P1 stand\ndeal 1:2S\ndealer KS\nsettle 1 P1 main 0",
    ],
    ids=["no card on a double", "two cards on a double", "a card after standing"],
)
def test_a_double_gets_one_card_and_who_stands_none(
    library: Library, book: str, script: str
) -> None:
    assert found(library, book, P1 + script)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(
    "script",
    [
        STIFF + "1 P1 hit 2S\n1 P1 hit 2C\n1 P1 stand\ndealer KS\nsettle 1 P1 main 40",
        STIFF + "1 P1 hit\n1 P1 hit 2S 2C\n1 P1 stand\ndealer KS\nsettle 1 P1 main 40",
        STIFF + "1 P1 hit KC\nsettle 1 P1 main 0",
        PAIR + SPLIT.format(covers="") + "settle 1.1 P1 main 40\nsettle 1.2 P1 main 40",
    ],
    ids=["hits", "two hits at once", "over", "split"],
)
def test_cards_that_were_asked_for_are_nothing_to_remark_on(
    library: Library, book: str, script: str
) -> None:
    assert not found(library, book, P1 + script)


NO_DECISIONS = P1 + STIFF + "deal 1:2S\ndealer KS\nsettle 1 P1 main 0"
A_HIT_LEFT_OUT = P1 + WRONG["a card that nobody asked for"]


@pytest.mark.parametrize("book", BOOKS)
def test_a_log_that_does_not_record_decisions_is_not_checked(library: Library, book: str) -> None:
    silent = judged(library, book, NO_DECISIONS)
    assert not silent.findings
    reason = {TEXTS[book].decided: "the log does not record what players decide"}
    assert silent.not_recorded == reason
    for word in ("decisions", "hits", "plays"):
        said = judged(library, book, A_HIT_LEFT_OUT, not_recorded=[word])
        assert (said.findings, said.not_recorded) == ([], reason)


def test_a_hit_before_the_second_card_gets_the_third(library: Library) -> None:
    script = P1 + "no more bets\ndeal 1:9H 0:8D\n1 P1 hit\ndeal 1:6C 1:2S\n1 P1 stand\n"
    for book in BOOKS:
        told = [f.clause for f in found(library, book, script + "dealer KS\nsettle 1 P1 main 0")]
        assert TEXTS[book].decided not in told


def test_a_round_that_is_void_owes_no_card(library: Library) -> None:
    script = P1 + STIFF + "1 P1 hit\nrecord cannot_reconstruct\nvoid round\nsettle 1 P1 main 20"
    for book in BOOKS:
        answered = [f for f in found(library, book, script) if f.code == "R530"]
        assert not answered


def test_an_absent_player_gets_the_cards_that_the_text_gives(library: Library) -> None:
    script = "bet 1 P1 20\nbet 2 P3 20\nno more bets\ndeal 1:6H 2:9S 0:8D 1:5C 2:9C\n"
    script += "absent 1 P1\ndeal 1:9S\n2 P3 stand\ndealer KS\nsettle 1 P1 main 40\n"
    for book in ("act-pontoon", "sa-adelaide-pontoon"):
        assert not found(library, book, script + "settle 2 P3 main 20")


# both engines


def replayed(capfdbinary: Any, engine: str, *arguments: str) -> dict[str, Any]:
    main(["replay", "--engine", engine, "--quiet", "--format", "json", *arguments])
    report: dict[str, Any] = json.loads(capfdbinary.readouterr().out, parse_float=Decimal)
    report["summary"].pop("engine")
    report.pop("seal", None)  # which names the engine
    return report


def test_both_engines_say_the_same(tmp_path: Path, capfdbinary: Any) -> None:
    pytest.importorskip("numba")
    scripts = [NO_DECISIONS, *(P1 + script for script in WRONG.values()), NO_DECISIONS]
    scripts += [P1 + STIFF + "1 P1 stand\ndealer KS\nsettle 1 P1 main 0"]
    scripts += [
        P1 + ALONE + "1 P1 double $20\n1 P1 double $20 9S\ndealer KS\nsettle 1 P1 main 80",
        P1
        + P2
        + PAIR
        + SPLIT.format(covers="1.1 P2 split $20\n" * 2)
        + "settle 1.1 P1 main 40\nsettle 1.2 P1 main 40\nsettle 1.1 P2 main 40\n"
        "settle 1.2 P2 main 40",
    ]
    rounds = [
        a_round(book, script, f"R{number}", **more)
        for book in BOOKS
        for number, script in enumerate(scripts)
        for more in ({}, {"not_recorded": ["decisions"], "table": "T2"})
    ]
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(one, default=float) + "\n" for one in rounds))
    plain = replayed(capfdbinary, "plain", str(log))
    assert plain == replayed(capfdbinary, "columns", str(log))
    assert plain["summary"]["quarantined"] == 0
    told = {
        (one["rulebook"], one["clause"]): one["rounds"]
        for one in plain["summary"]["not_checked"]
        if "decide" in one["reason"]
    }
    # before the table has recorded a decision, and where the log says that it does not
    assert told == {(book, TEXTS[book].decided): 6 for book in BOOKS}
    for book in BOOKS:
        found = [f for f in plain["findings"] if f["rulebook"] == book]
        assert {"R501", "R510", "R530"} <= {f["code"] for f in found}
        again = f"R{len(WRONG) + 1}"  # a card that nobody asked for, at a table that records hits
        assert [f["clause"] for f in found if f["round"] == again] == [TEXTS[book].decided]


def test_words_of_what_is_not_recorded_that_nobody_knows_are_told(
    tmp_path: Path, capfdbinary: Any
) -> None:
    script = P1 + STIFF + "1 P1 stand\ndealer KS\nsettle 1 P1 main 0"
    log = tmp_path / "log.jsonl"
    log.write_text(
        json.dumps(a_round("nz-pontoon", script, not_recorded=["weather"]), default=float)
    )
    told = replayed(capfdbinary, "plain", str(log))["summary"]["unknown"]
    assert told == [{"part": "not_recorded", "name": "weather", "rounds": 1}]


# who decides


@pytest.mark.parametrize("engine", ["plain", "columns"])
def test_two_players_marked_as_deciding_on_one_box(
    engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if engine == "columns":
        pytest.importorskip("numba")
    book = "nsw-star-pontoon"
    ends = "1 P1 stand\ndealer KS\nsettle 1 P1 main 0\nsettle 1 P2 main 0"
    both = P1 + "bet 1 P2 20 standing controls\n" + STIFF + ends
    one = P1 + P2 + STIFF + ends
    log = tmp_path / "log.jsonl"
    rounds = [a_round(book, one, "R1"), a_round(book, both, "R2", table="T2")]
    log.write_text("".join(dumps(r) + "\n" for r in rounds))
    assert main(["replay", str(log), "--engine", engine, "--format", "json"]) == 3
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert (found["code"], found["round"], found["box"]) == ("R550", "R2", 1)
    assert "P1 and P2" in found["message"]
