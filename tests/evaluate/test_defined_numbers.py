"""Terms that stand for a number, and choices that a house need not make."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evaluate.engine_support import clauses, due, judged

SPREAD = """
    cards 2 to T count face
    cards J, Q, K count 10
    cards A count 1 or 11
    define spread as number {
      first.order >= second.order -> first.order - second.order
      otherwise                   -> second.order - first.order
    }
    define place as number 1 when spread = 1
    define place as number 2 when spread in 2 to 3
    perfect_pairs wins when spread >= 1
    perfect_pairs loses when spread = 0
    perfect_pairs pays by place { 1 -> 5 to 1  2 -> 2 to 1 }
"""
PLAY = "bet 1 P1 10\nbet 1 P1 5 perfect_pairs\ndeal 1:{} 0:8D 1:{}\n1 P1 stand\ndealer KD\n"


@pytest.mark.parametrize(
    ("one", "other", "back"), [("AH", "KC", 3000), ("9H", "QC", 1500), ("9H", "9C", 0)]
)
def test_a_term_may_stand_for_a_number(tmp_path: Path, one: str, other: str, back: int) -> None:
    verdict = judged(tmp_path, clauses(SPREAD), PLAY.format(one, other))
    assert due(verdict, bet="perfect_pairs") == back


def test_odds_are_open_where_the_number_has_no_row(tmp_path: Path) -> None:
    verdict = judged(tmp_path, clauses(SPREAD), PLAY.format("2H", "KC"))
    assert due(verdict, bet="perfect_pairs") is None


def test_a_choice_that_need_not_be_made_is_none_where_the_log_is_silent(tmp_path: Path) -> None:
    rule = "at round require choice {} != b"
    declared = 'choice free in (a, b) or none "free"\nchoice due in (a, b) "due"\n'
    text = declared + clauses(rule.format("free"), rule.format("due"))
    silent = judged(tmp_path, text, PLAY.format("9H", "9C"))
    assert "1" in silent.tested
    assert set(silent.not_checked) == {"2"}
    told = judged(tmp_path, text, PLAY.format("9H", "9C"), options=["free=b", "due=a"])
    assert [f.clause for f in told.findings if f.clause] == ["1"]
