"""Settlements that have an order among themselves, and rules that look at other wagers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evaluate.engine_support import clauses, codes, judged

PAIRS = """
    perfect_pairs wins when first.rank = second.rank
    perfect_pairs loses when first.rank != second.rank
    perfect_pairs pays 10 to 1
    main wins when hand.total > dealer.total
    main loses when hand.total <= dealer.total
    main pays 1 to 1
"""
TWO = """
    bet 1 P1 10
    bet 1 P1 5 perfect_pairs
    bet 2 P2 10
    bet 2 P2 5 perfect_pairs
    deal 1:KH 2:9S 0:8D 1:KC 2:7S
"""
LEFT = "settle 1 P1 perfect_pairs 55\n"
RIGHT = "settle 2 P2 perfect_pairs 0\n"
END = "1 P1 stand\n2 P2 stand\ndealer KD\nsettle 1 P1 main 20\nsettle 2 P2 main 0\n"


@pytest.mark.parametrize(
    ("order", "kept", "broken"),
    [
        ("from the far right", TWO + RIGHT + LEFT + END, TWO + LEFT + RIGHT + END),
        ("losers first", TWO + RIGHT + LEFT + END, TWO + LEFT + RIGHT + END),
        ("before the other wagers", TWO + LEFT + RIGHT + END, TWO + LEFT + END + RIGHT),
        ("after the other wagers", TWO + END + LEFT + RIGHT, TWO + LEFT + END + RIGHT),
        ("before third", TWO + LEFT + RIGHT + END, TWO + "1 P1 hit 2D\n" + LEFT + RIGHT + END),
    ],
)
def test_settlements_have_an_order(tmp_path: Path, order: str, kept: str, broken: str) -> None:
    text = clauses(PAIRS, f"perfect_pairs settles {order}")
    late = [("R502", "2")]
    assert [x for x in codes(judged(tmp_path, text, kept)) if x in late] == []
    assert [x for x in codes(judged(tmp_path, text, broken)) if x in late] == late


def test_a_requirement_at_the_settlement_of_one_bet(tmp_path: Path) -> None:
    text = clauses(
        PAIRS,
        "at perfect_pairs settlement require approved proceed when settlement.returned > $50",
    )
    assert ("R530", "2") in codes(judged(tmp_path, text, TWO + RIGHT + LEFT + END))
    allowed = "approve proceed\n" + TWO + RIGHT + LEFT + END
    assert "2" not in [clause for _, clause in codes(judged(tmp_path, text, allowed))]


def test_a_rule_may_ask_which_wagers_there_are(tmp_path: Path) -> None:
    mine = clauses(PAIRS, "at main require player has perfect_pairs")
    any_ = clauses(PAIRS, "at main require anybody has perfect_pairs")
    one = TWO.replace("    bet 2 P2 5 perfect_pairs\n", "") + LEFT + END
    assert "2" in [clause for _, clause in codes(judged(tmp_path, mine, one))]
    assert "2" not in [clause for _, clause in codes(judged(tmp_path, any_, one))]
    assert "2" not in [clause for _, clause in codes(judged(tmp_path, mine, TWO + END))]
