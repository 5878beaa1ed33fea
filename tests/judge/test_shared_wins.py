"""What several winners of one bet get together: shares of a meter, and a limit for all of them."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from tests.judge.test_declared_bets import BASE, LUCKY, of, verdict_of

TWO = """
bet 1 P1 10
bet 2 P2 20
bet 1 P1 {} lucky
bet 2 P2 {} lucky
deal 1:9H 2:{} 0:9D 1:KH 2:KC
1 P1 stand
2 P2 stand
dealer 8S
settle 1 P1 main 20
settle 2 P2 main {}
settle 1 P1 lucky {}
settle 2 P2 lucky {}
"""
SHARED = "lucky pays 100 % of meter jackpot\n  lucky pays equal shares of a meter"
LIMIT = "lucky pays at least 30 to 1\n  lucky pays in all up to $300 by stake"


def found(
    folder: Path, odds: str, *back: str, stakes: str = "5 5", second: str = "9C"
) -> list[int]:
    """Which boxes got what was not due to them."""
    main = "40" if second[0] == "9" else "0" if second[0] == "2" else "40"
    script = TWO.format(*stakes.split(), second, main, *back)
    meters = {"jackpot": Decimal("1234.51")}
    verdict = verdict_of(folder, BASE + LUCKY.format(odds), script, meters=meters)
    wrong = of(verdict, "lucky")
    assert {finding.code for finding in wrong} <= {"R501"}
    return [finding.box or 0 for finding in wrong]


@pytest.mark.parametrize(
    ("first", "second", "wrong"),
    [
        ("617.25", "617.26", []),
        ("617.26", "617.25", []),
        ("617.25", "617.25", []),
        ("1234.51", "1234.51", [1, 2]),
        ("617.24", "617.27", [1, 2]),
        ("1234.51", "0", [1, 2]),
    ],
)
def test_winners_share_a_meter_equally(
    tmp_path: Path, first: str, second: str, wrong: list[int]
) -> None:
    assert found(tmp_path, SHARED, first, second) == wrong


def test_stakes_do_not_count_for_equal_shares(tmp_path: Path) -> None:
    assert found(tmp_path, SHARED, "617.25", "617.25", stakes="5 50") == []


def test_one_winner_gets_all_that_the_meter_holds(tmp_path: Path) -> None:
    assert found(tmp_path, SHARED, "1234.51", "0", second="2C") == []
    assert found(tmp_path, SHARED, "617.25", "0", second="2C") == [1]


def test_without_such_a_rule_each_gets_the_whole_meter(tmp_path: Path) -> None:
    assert found(tmp_path, "lucky pays 100 % of meter jackpot", "1234.51", "1234.51") == []


def test_the_rule_on_the_shares_is_named_first(tmp_path: Path) -> None:
    text = BASE + LUCKY.format("lucky pays 100 % of meter jackpot")
    text += 'clause 7 "Shares" { lucky pays equal shares of a meter }'
    script = TWO.format("5", "5", "9C", "40", "1234.51", "1234.51")
    verdict = verdict_of(tmp_path, text, script, meters={"jackpot": Decimal("1234.51")})
    assert [(f.clause, f.expected) for f in of(verdict, "lucky")] == [("7", 61726)] * 2
    assert all("6" in {clause for clause, _ in f.others} for f in of(verdict, "lucky"))


@pytest.mark.parametrize(
    ("stakes", "first", "second", "wrong"),
    [
        ("5 5", "155", "155", []),  # 150 + 150
        ("10 5", "210", "105", []),  # 300 and 150 are more than 300 together
        ("10 5", "310", "155", [1, 2]),
        ("10 5", "160", "155", [1, 2]),
        ("7 4", "197.90", "113.09", []),  # 190.909… and 109.090…
        ("7 4", "197.91", "113.10", []),
        ("7 4", "197.89", "113.11", [1, 2]),
    ],
)
def test_a_limit_for_all_winners_is_shared_by_stake(
    tmp_path: Path, stakes: str, first: str, second: str, wrong: list[int]
) -> None:
    assert found(tmp_path, LIMIT, first, second, stakes=stakes) == wrong


def test_a_limit_holds_for_one_winner_too(tmp_path: Path) -> None:
    assert found(tmp_path, LIMIT, "320", "0", stakes="20 5", second="2C") == []
    assert found(tmp_path, LIMIT, "620", "0", stakes="20 5", second="2C") == [1]
