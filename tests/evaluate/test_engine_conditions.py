"""What holds, what does not, and what is not known."""

from __future__ import annotations

import itertools
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from checker.evaluate.facts.boxes import HOMES
from rulespec.load.games import ordinary_game
from tests.evaluate.engine_support import (
    CARDS,
    EVENS,
    RESULTS,
    WON,
    Told,
    a_round,
    asked,
    clauses,
    codes,
    due,
    engine_of,
    judged,
)

FACTS = ordinary_game().facts


def condition(folder: Path, text: str, scene: Told) -> bool | None:
    engine = engine_of(folder, clauses(f"main wins when {text}"))
    return engine.compile(engine.rulebook.rules[0].condition)(scene)


# --- conditions

TRUTH = (False, None, True)


@pytest.mark.parametrize(("one", "other"), list(itertools.product(TRUTH, repeat=2)))
def test_and_or_not_have_three_values(tmp_path: Path, one: Any, other: Any) -> None:
    """Kleene: `and` is the lesser, `or` the greater, where not known stands between."""
    scene = Told(hand__split=one, hand__doubled=other)
    low, high = sorted((one, other), key=TRUTH.index)
    assert condition(tmp_path, "hand.split and hand.doubled", scene) is low
    assert condition(tmp_path, "hand.split or hand.doubled", scene) is high
    turned = {True: False, False: True, None: None}[one]
    assert condition(tmp_path, "not hand.split", scene) is turned
    assert (
        condition(tmp_path, "not (hand.split and hand.doubled)", scene)
        is {
            True: False,
            False: True,
            None: None,
        }[low]
    )


@pytest.mark.parametrize(
    ("text", "total", "expected"),
    [
        ("hand.total = 21", 21, True),
        ("hand.total = 21", 20, False),
        ("hand.total = 21", None, None),
        ("hand.total != 21", None, None),
        ("hand.total <= 16", 16, True),
        ("hand.total < 16", 16, False),
        ("hand.total in 3 to 8", 3, True),
        ("hand.total in 3 to 8", 8, True),
        ("hand.total in 3 to 8", 9, False),
        ("hand.total in 3 to 8", None, None),
        ("hand.total in (4, 6)", 6, True),
        ("hand.total in (4, 6)", 5, False),
        ("hand.total in (4, 6)", None, None),
        ("hand.total + 1 = hand.total * 2 - 4", 5, True),
        ("hand.total + 1 = hand.total * 2 - 4", 6, False),
        ("hand.total + 1 > 0", None, None),
    ],
)
def test_comparisons(tmp_path: Path, text: str, total: int | None, expected: bool | None) -> None:
    assert condition(tmp_path, text, Told(hand__total=total)) is expected


def test_halves_are_exact(tmp_path: Path) -> None:
    """Half of $0.25 is 12½ cents: neither 12 nor 13 is as much."""
    text = "wager.stake = wager.original / 2"
    assert condition(tmp_path, text, Told(wager__stake=12, wager__original=25)) is False
    assert condition(tmp_path, text, Told(wager__stake=13, wager__original=25)) is False
    half = Told(wager__stake=Fraction(25, 2), wager__original=25)
    assert condition(tmp_path, text, half) is True


def test_nothing_is_known_of_a_division_by_nought(tmp_path: Path) -> None:
    scene = Told(wager__stake=100, box__hands=0)
    assert condition(tmp_path, "wager.stake / box.hands > $1", scene) is None


def test_ten_is_a_rank_too(tmp_path: Path) -> None:
    assert condition(tmp_path, "dealer.first in (10, K)", Told(dealer__first="T")) is True
    assert condition(tmp_path, "dealer.first in (10, K)", Told(dealer__first="9")) is False
    assert condition(tmp_path, "dealer.first = 7", Told(dealer__first="7")) is True


def test_ranks_of_a_hand_have_no_order(tmp_path: Path) -> None:
    assert condition(tmp_path, "hand.ranks = 8-6-7", Told(hand__ranks="6-7-8")) is True
    assert condition(tmp_path, "hand.ranks = 6-7-8", Told(hand__ranks="6-7-9")) is False


def test_settings(tmp_path: Path) -> None:
    text = "option tournament and not approved resplit and recorded fraud"
    assert condition(tmp_path, text, Told("option tournament", "recorded fraud")) is True
    assert condition(tmp_path, text, Told("option fraud", "recorded tournament")) is False


# --- what is not known


def test_an_unknown_that_could_change_the_answer_leaves_it_open(tmp_path: Path) -> None:
    text = clauses("main wins when hand.total = 21", "main loses when hand.split")
    answer = asked(tmp_path, text, "main.result", Told(hand__total=21))
    assert not answer.decided
    assert answer.why_undecided() == "the log does not say what clause 2 asks for"


def test_an_unknown_that_says_the_same_or_is_beaten_changes_nothing(tmp_path: Path) -> None:
    text = clauses(
        "despite 3 main wins when hand.total = 21",
        "main wins when hand.split",
        "main loses when hand.split",
    )
    answer = asked(tmp_path, text, "main.result", Told(hand__total=21))
    assert (answer.value, answer.unknown) == ("wins", ())


def test_a_rule_on_an_optional_fact_is_not_checked_rather_than_undecided(tmp_path: Path) -> None:
    text = clauses("main wins when hand.total = 21", "main loses when player.seated")
    answer = asked(tmp_path, text, "main.result", Told(hand__total=21))
    assert answer.value == "wins"
    assert [r.clause for r in answer.unchecked] == ["2"]
    assert answer.unknown == ()


GUESTS = """
clause 7(a) "Guests" { define guest as not player.card }
clause 7(b) "Wagers of guests" { despite 4 main is void when guest }
clause 7(c) "No guests" { at main require not guest }
"""


def test_a_term_over_an_optional_fact_that_the_log_lacks(tmp_path: Path) -> None:
    """It is not taken to hold, nor is what depends on it passed off as tested."""
    script = WON.format(10).replace("P1 10", "P1 10 nocard") + "\nsettle 1 P1 main 20"
    verdict = judged(tmp_path, EVENS + GUESTS, script)
    assert verdict.findings == []
    assert due(verdict) == 2000
    assert not {"7(a)", "7(b)", "7(c)"} & verdict.tested
    assert "7(c)" in verdict.not_checked
    assert {"7(a)", "7(b)"} & set(verdict.not_checked)


def test_a_term_over_an_optional_fact_that_the_log_gives(tmp_path: Path) -> None:
    """Another player's card shows that this log records them."""
    script = """bet 1 P1 10
bet 2 P2 10 nocard
deal 1:KH 2:KC 0:9D 1:9C 2:9S
1 P1 stand
2 P2 stand
dealer 8D
settle 1 P1 main 20
settle 2 P2 main 10"""
    verdict = judged(tmp_path, EVENS + GUESTS, script)
    assert codes(verdict) == [("R530", "7(c)")]
    assert verdict.findings[0].player == "P2"
    assert (due(verdict), due(verdict, box=2, player="P2")) == (2000, 1000)


def test_a_requirement_on_what_the_log_lacks_is_listed_as_not_checked(tmp_path: Path) -> None:
    text = CARDS + 'clause 7 "Seats" { at main require player.seated }'
    verdict = judged(tmp_path, text, "bet 1 P1 10\ndeal 1:KH 0:9D 1:9C")
    assert "player.seated" in verdict.not_checked["7"]
    assert "7" not in verdict.tested
    assert all(f.clause != "7" for f in verdict.findings)
    standing = judged(tmp_path, text, "bet 1 P1 10 standing\ndeal 1:KH 0:9D 1:9C")
    assert ("R530", "7") in codes(standing)
    assert "7" in standing.tested
    assert "7" not in standing.not_checked
    seated = judged(tmp_path, text, "bet 1 P1 10 seated\ndeal 1:KH 0:9D 1:9C")
    assert all(f.clause != "7" for f in seated.findings)
    assert "7" in seated.tested


# --- vocabulary


def test_every_fact_can_be_read_off_a_scene_and_nothing_else_can() -> None:
    wanted = {name for name, info in FACTS.items() if not info.definable}
    assert len(wanted) > 100
    assert set(HOMES) == wanted


def test_every_fact_can_be_asked_of_an_empty_moment(tmp_path: Path) -> None:
    """A scene without box, hand, player or card answers or says that it does not know."""
    from checker.evaluate.scene import SeenScene
    from checker.table.shoes import ShoeView
    from checker.table.state import Table

    engine = engine_of(tmp_path, CARDS + RESULTS)
    scene = SeenScene(engine, Table(a_round("shuffle")), ShoeView())
    kinds = {"bool": bool, "int": int, "money": int, "rank": str, "enum": str, "ranks": str}
    for name in HOMES:
        value = scene.fact(name)
        assert value is None or type(value) is kinds[FACTS[name].kind.name], (name, value)
