"""What may, must and may not be done."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.evaluate.engine_support import (
    CARDS,
    EVENS,
    RESULTS,
    Told,
    clauses,
    codes,
    engine_of,
    judged,
)

# --- what may and may not be done

PERMISSIONS = [
    (["may double when hand.cards = 2"], True),
    (["may double when hand.cards = 3"], False),
    (["may double when hand.cards = 2", "may not double when hand.total = 21"], False),
    (["despite 2 may double when hand.cards = 2", "may not double when hand.total = 21"], True),
    (["may double when hand.cards = 2", "may not double when hand.split"], None),
    (["may double when hand.split"], None),
    (["may double when hand.split", "may not double when hand.total = 21"], False),
    (["may double when hand.cards = 2", "may double when hand.split"], True),
    (['may double undecided because "open" when hand.cards = 2'], None),
    (["must double when hand.cards = 2"], True),
    (["may not double when hand.cards = 3"], False),
]


@pytest.mark.parametrize(("texts", "expected"), PERMISSIONS)
def test_a_permission_is_needed_and_a_prohibition_counts_more(
    tmp_path: Path, texts: Sequence[str], expected: bool | None
) -> None:
    engine = engine_of(tmp_path, clauses(*texts))
    allowed, _ = engine.allowed("player double", Told(hand__cards=2, hand__total=21))
    assert allowed is expected


def test_a_choice_without_a_clause_is_found_with_the_nearest_one(tmp_path: Path) -> None:
    text = (
        CARDS
        + RESULTS
        + """
clause 3(a) "Draw" { may draw  may stand }
clause 3(b) "Double on two" { may double when hand.cards = 2 and hand.total = 11 }
clause 3(c) "Double on aces" { may double when hand.aces = 2 and hand.split and hand.cards = 3 }
"""
    )
    script = "bet 1 P1 10\ndeal 1:KH 0:9D 1:2C\n1 P1 double $10 8C\ndealer 8S"
    verdict = judged(tmp_path, text, script)
    found = [f for f in verdict.findings if f.kind == "play"]
    assert [(f.code, f.clause, f.player, f.box) for f in found] == [("R511", "3(b)", "P1", 1)]
    assert found[0].help == "clause 3(b) asks for: hand.total = 11"


def test_a_prohibition_is_found_under_its_own_clause(tmp_path: Path) -> None:
    text = EVENS + 'clause 9 "No doubling on 20" { may not double when hand.total = 20 }'
    script = "bet 1 P1 10\ndeal 1:KH 0:9D 1:QC\n1 P1 double $10 AC\ndealer 8S"
    found = [f for f in judged(tmp_path, text, script).findings if f.kind == "play"]
    assert [(f.code, f.clause) for f in found] == [("R510", "9")]


def test_a_hand_that_must_draw_may_not_be_left(tmp_path: Path) -> None:
    text = EVENS + 'clause 9 "Under 12" { must draw when hand.total < 12 }'
    left = "bet 1 P1 10\ndeal 1:5H 0:9D 1:6C\n1 P1 stand\ndealer 8S"
    assert codes(judged(tmp_path, text, left)) == [("R512", "9")]
    silent = "bet 1 P1 10\ndeal 1:5H 0:9D 1:6C\ndealer 8S"
    assert codes(judged(tmp_path, text, silent)) == [("R512", "9")]
    drawn = "bet 1 P1 10\ndeal 1:5H 0:9D 1:6C\n1 P1 hit 2C\n1 P1 stand\ndealer 8S"
    assert codes(judged(tmp_path, text, drawn)) == []


def test_the_dealers_draw(tmp_path: Path) -> None:
    stopped = "bet 1 P1 10\ndeal 1:KH 0:9D 1:9C\n1 P1 stand\ndealer 5S"
    assert codes(judged(tmp_path, EVENS, stopped)) == [("R521", "2")]
    drew = "bet 1 P1 10\ndeal 1:KH 0:9D 1:9C\n1 P1 stand\ndealer 8S 2C"
    assert codes(judged(tmp_path, EVENS, drew)) == [("R520", "2")]


# --- requirements stand side by side


def test_every_requirement_that_is_broken_is_found(tmp_path: Path) -> None:
    text = (
        CARDS
        + """
clause 6 "Decks" { at round require round.decks in 4 to 8 }
clause 7 "Six decks" { at round require round.decks = 6 when option tournament }
"""
    )
    script = "bet 1 P1 10\ndeal 1:KH 0:9D 1:9C"
    both = judged(tmp_path, text, script, decks=3, options=["tournament"])
    assert {c for c in codes(both) if c[0] == "R530"} == {("R530", "6"), ("R530", "7")}
    one = judged(tmp_path, text, script, decks=3)
    assert {c for c in codes(one) if c[0] == "R530"} == {("R530", "6")}
    assert not [c for c in codes(judged(tmp_path, text, script)) if c[0] == "R530"]
