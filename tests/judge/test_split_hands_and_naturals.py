"""What a dealer's natural takes from split hands, and what the text leaves open before it."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from checker.cli import main
from checker.judge.findings import ReplayFinding
from checker.log.decode import decode_round
from checker.log.exact_json import dumps
from checker.log.script import events_of
from checker.replay.replay import Library, judge_round
from checker.table.shoes import ShoeView
from rulespec.load.load import load, shipped

BOOKS = ("act-pontoon", "nz-pontoon")

FOUR_HANDS = """
bet 1 P1 45 seated controls
no more bets
deal 1:JD 0:JH 1:JS
1 P1 split $45
deal 1:JC
1.1 P1 split $45
deal 1:9H
1.1 P1 stand
deal 1.2:3D
1.2 P1 double $22 7D
deal 1.3:8C
1.3 P1 stand
dealer AC
"""

SHARED = """
bet 5 P3 55 seated controls
bet 5 P5 65 standing
no more bets
deal 5:2H 0:3H 5:6D
5 P3 double $55
5 P5 double $65 4C
dealer 4D 3D 6H KH
settle 5 P5 main 260
settle 5 P3 main 220
"""


@pytest.fixture(scope="module")
def library() -> Library:
    return Library(load(shipped()[book]).rulebook for book in BOOKS)  # type: ignore[misc]


def a_round(book: str, script: str, **more: Any) -> dict[str, Any]:
    at = "2010-01-01T12:00:00+11:00"
    head = {"format": 1, "round": "R1", "table": "T1", "at": at, "rulebook": book, "decks": 6}
    return {**head, **more, "events": events_of(script)}


def found(library: Library, book: str, script: str, **more: Any) -> list[ReplayFinding]:
    round_ = decode_round(json.loads(dumps(a_round(book, script, **more)), parse_float=Decimal))
    return judge_round(round_, library, ShoeView()).findings


def settled(*amounts: str) -> str:
    return "".join(f"settle 1.{n} P1 main {x}\n" for n, x in enumerate(amounts, 1))


@pytest.mark.parametrize(
    "amounts", [("0", "67", "45"), ("45", "22", "45"), ("45", "67", "0")], ids=str
)
def test_the_original_amount_may_be_taken_from_any_hand(
    library: Library, amounts: tuple[str, ...]
) -> None:
    assert not found(library, "act-pontoon", FOUR_HANDS + settled(*amounts))


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(
    ("amounts", "hand", "expected", "actual"),
    [
        (("45", "67", "5"), 3, 0, 500),
        (("45", "27", "45"), 2, 2200, 2700),
        (("0", "67", "40"), 3, 4500, 4000),
        (("40", "22", "45"), 1, 4500, 4000),
    ],
)
def test_a_wrong_sum_is_found_once_and_with_what_it_is_out_by(
    library: Library, book: str, amounts: tuple[str, ...], hand: int, expected: int, actual: int
) -> None:
    told = found(library, book, FOUR_HANDS + settled(*amounts))
    assert [(f.code, f.hand, f.expected, f.actual) for f in told] == [
        ("R501", hand, expected, actual)
    ]


def test_a_bust_hand_that_is_left_open_counts_with_all_that_lies_on_it(library: Library) -> None:
    """What the text leaves open of a doubled hand is anything up to both of its parts."""
    script = FOUR_HANDS.replace("$22 7D", "$45 KD")
    told = found(library, "act-pontoon", script + settled("45", "90", "0"))
    assert {f.code for f in told} == {"R550"}


def test_a_card_is_not_idle_where_the_text_leaves_open_what_it_changes(library: Library) -> None:
    """The wagers on the box pass its maximum: by how much each is cut is open, but not that a
    dealer over 21 pays them."""
    limits = {"main": {"min": 25, "max": 75}}
    told = found(library, "act-pontoon", SHARED, limits=limits)
    assert {(f.code, f.clause) for f in told} == {("R550", "3.5")}


@pytest.mark.parametrize(("book", "clause"), [("act-pontoon", "11.7"), ("nz-pontoon", "13.4(c)")])
def test_odds_that_a_term_keeps_from_the_hand_name_the_term(
    library: Library, book: str, clause: str
) -> None:
    script = """
    bet 1 P1 20 seated controls
    no more bets
    deal 1:AH 0:9D 1:AC
    1 P1 split $20
    deal 1:KS
    settle 1.1 P1 main 50
    deal 1.2:7D
    dealer 9S
    settle 1.2 P1 main 20
    """
    (told,) = found(library, book, script)
    assert (told.code, told.expected, told.actual) == ("R501", 4000, 5000)
    assert told.clause == clause


def test_both_engines_say_the_same(tmp_path: Path, capfdbinary: Any) -> None:
    pytest.importorskip("numba")
    scripts = [FOUR_HANDS + settled(*a) for a in (("45", "22", "45"), ("45", "67", "5"))]
    rounds = [
        {**a_round(book, script, limits={"main": {"min": 25, "max": 75}}), "round": f"R{n}"}
        for book in BOOKS
        for n, script in enumerate([*scripts, SHARED])
    ]
    log = tmp_path / "log.jsonl"
    log.write_text("".join(dumps(one) + "\n" for one in rounds))
    told = []
    for engine in ("plain", "columns"):
        main(["replay", str(log), "--engine", engine, "--format", "json"])
        told.append(json.loads(capfdbinary.readouterr().out)["findings"])
    assert told[0] == told[1]
    assert told[0]
