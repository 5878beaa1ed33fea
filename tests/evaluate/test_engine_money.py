"""Odds, and the amounts that are in play."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from rulespec.base.money import money_text
from tests.evaluate.engine_support import CARDS, EVENS, PLAYS, RESULTS, WON, due, judged

# --- payouts

ODDS = """
clause 14 "Odds" {
  main pays {
    hand.ranks = 7-7-7 and hand.suits = hearts -> 3 to 1
    hand.ranks = 7-7-7 and hand.suits = mixed -> 2 to 1
    hand.cards = 5 -> 3 to 2
    otherwise -> 1 to 1
  }
}
"""


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("7H 7H 7H", 4000),
        ("7H 7H 7D", 3000),
        ("2H 3H 4D 5H 6C", 2500),
        ("KH 9D", 2000),
        ("7S 7S 7S", 2000),
    ],
)
def test_otherwise_is_every_hand_that_no_row_names(
    tmp_path: Path, cards: str, expected: int
) -> None:
    first, second, *more = cards.split()
    hits = "".join(f"1 P1 hit {card}\n" for card in more)
    script = f"bet 1 P1 10\ndeal 1:{first} 0:9D 1:{second}\n{hits}1 P1 stand\ndealer 8S"
    assert due(judged(tmp_path, CARDS + PLAYS + RESULTS + ODDS, script)) == expected


SEVENS = """
clause 14 "Sevens" {
  super_sevens wins when first.rank = 7
  super_sevens loses when first.rank != 7
  super_sevens pays 3 to 1 when first.rank = 7
  super_sevens pays 50 to 1 when first.rank = 7 and second.rank = 7
}
"""
TWO_SEVENS = "bet 1 P1 10\nbet 1 P1 2 super_sevens\ndeal 1:7H 0:9D 1:7C\n1 P1 stand\ndealer 8S"


def test_only_the_highest_is_paid_where_a_clause_says_so(tmp_path: Path) -> None:
    text = CARDS + PLAYS + RESULTS + SEVENS
    rule = 'clause 15 "One prize" { super_sevens pays only the highest }'
    assert due(judged(tmp_path, text + rule, TWO_SEVENS), bet="super_sevens") == 10200
    assert due(judged(tmp_path, text, TWO_SEVENS), bet="super_sevens") is None
    one = TWO_SEVENS.replace("1:7C", "1:8C")
    assert due(judged(tmp_path, text + rule, one), bet="super_sevens") == 800


# --- amounts in play

LOST = "bet 1 P1 {}\ndeal 1:KH 0:9D 1:7C\n1 P1 stand\ndealer KS"
LIMITS = {"main": {"min": 10, "max": 50, "unit": 5}}


@pytest.mark.parametrize(
    ("script", "stake", "expected"),
    [(WON, 30, 6000), (WON, 80, 13000), (LOST, 30, 0), (LOST, 80, 3000), (LOST, 50, 0)],
)
def test_what_is_over_the_limit_is_neither_won_nor_lost(
    tmp_path: Path, script: str, stake: int, expected: int
) -> None:
    text = EVENS + 'clause 6 "Over the limit" { main counts up to limit.max }'
    verdict = judged(tmp_path, text, script.format(stake), limits=LIMITS)
    assert due(verdict) == expected
    assert due(judged(tmp_path, EVENS, WON.format(80), limits=LIMITS)) == 16000


def test_a_wager_counts_as_another_amount(tmp_path: Path) -> None:
    text = EVENS + 'clause 6 "Small ones" { main counts as limit.min when wager.under_minimum }'
    assert due(judged(tmp_path, text, WON.format(4), limits=LIMITS)) == 1400
    assert due(judged(tmp_path, text, WON.format(20), limits=LIMITS)) == 4000
    assert due(judged(tmp_path, text, LOST.format(4), limits=LIMITS)) == 0


THREE_TO_TWO = CARDS + PLAYS + RESULTS + 'clause 5 "Odds" { main pays 3 to 2 }\n'
CHIPS = {"main": {"min": 1, "max": 500, "smallest_chip": 1}}


@pytest.mark.parametrize(
    ("direction", "stake", "expected"),
    [("up", 5, 1300), ("down", 5, 1200), ("up", 4, 1000), ("down", 4, 1000)],
)
def test_winnings_are_rounded_to_chips(
    tmp_path: Path, direction: str, stake: int, expected: int
) -> None:
    """$5 at 3 to 2 wins $7.50, which no $1 chip pays; $4 wins $6 either way."""
    rule = f"payments round {direction} to limit.smallest_chip"
    text = THREE_TO_TWO + f'clause 6 "Chips" {{ {rule} }}'
    assert due(judged(tmp_path, text, WON.format(stake), limits=CHIPS)) == expected


def test_without_a_rule_on_rounding_cents_are_paid(tmp_path: Path) -> None:
    assert due(judged(tmp_path, THREE_TO_TWO, WON.format(5), limits=CHIPS)) == 1250


def test_a_part_of_a_cent_is_left_open(tmp_path: Path) -> None:
    script = WON.format("0.25") + "\nsettle 1 P1 main 0.62"
    verdict = judged(tmp_path, THREE_TO_TWO, script)
    assert [f.code for f in verdict.findings] == ["R550"]
    assert "cannot be paid exactly" in verdict.findings[0].message


def test_half_is_lost(tmp_path: Path) -> None:
    text = (
        CARDS
        + PLAYS
        + """
clause 4 "Surrender" { may surrender  main loses half when wager.surrendered }
"""
    )
    script = "bet 1 P1 {}\ndeal 1:KH 0:9D 1:7C\n1 P1 surrender"
    assert due(judged(tmp_path, text, script.format(25))) == 1250
    odd = judged(tmp_path, text, script.format("0.25") + "\nsettle 1 P1 main 0.12")
    assert due(odd) is None
    assert [f.code for f in odd.findings if f.kind == "undecided"] == ["R550"]


@pytest.mark.parametrize(
    ("cents", "text"),
    [
        (0, "$0"),
        (7350, "$73.50"),
        (-7305, "-$73.05"),
        (123456700, "$1,234,567"),
        (5, "$0.05"),
        (Fraction(1, 2), "$1/200"),
    ],
)
def test_money_is_written_out(cents: int | Fraction, text: str) -> None:
    assert money_text(cents) == text
