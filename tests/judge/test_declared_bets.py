"""Bets that a rulebook declares: what they pay, within which bounds, and when they stay."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from checker.judge.findings import ReplayFinding, Verdict
from checker.judge.judge import judge
from tests.evaluate.engine_support import CARDS, PLAYS, RESULTS, a_round, engine_of

DECLARED = """
option lucky "Lucky is offered"
choice pays in (low, high) "pay table of Lucky"
meter jackpot "the jackpot"
bet lucky "Lucky" {
  placed before the first card
  with main
  offered when option lucky
  decided by first, second, dealer.first
}
bet gift "Gift" {
  not placed
  on the box
}
bet run "Run" {
  carried over rounds
}
"""
BASE = CARDS + PLAYS + RESULTS + 'clause 5 "Evens" { main pays 1 to 1 }\n' + DECLARED
LUCKY = """
clause 6 "Lucky" {{
  lucky wins when count of (first, second) with rank = dealer.first.rank >= 1
  lucky loses when count of (first, second) with rank = dealer.first.rank = 0
  {}
}}
"""
SCRIPT = """
bet 1 P1 10
bet 1 P1 5 lucky
deal 1:{} 0:9D 1:{}
1 P1 stand
dealer 8S
settle 1 P1 main {}
settle 1 P1 lucky {}
"""


def verdict_of(folder: Path, text: str, script: str, **head: Any) -> Verdict:
    engine = engine_of(folder, text)
    from checker.log.script import events_of

    head = {"options": ["lucky"], **head, "events": events_of(script, engine.rulebook.game)}
    return judge(engine, a_round("", **head))


def of(verdict: Verdict, bet: str) -> list[ReplayFinding]:
    return [f for f in verdict.findings if f.bet == bet]


def lucky(folder: Path, odds: str, back: float, cards: str = "9H KH", **head: Any) -> Verdict:
    first, second = cards.split()
    main = 20 if {first[0], second[0]} == {"9", "K"} else 10
    script = SCRIPT.format(first, second, main, back)
    return verdict_of(folder, BASE + LUCKY.format(odds), script, **head)


@pytest.mark.parametrize(
    ("odds", "due"),
    [
        ("lucky pays 2.5 to 1", 17.5),
        ("lucky pays 30 for 1", 150),
        ("lucky pays 1 to 1 less 5 %", 9.75),
        ("lucky pays 10 % of meter jackpot", 123.45),
        (
            "lucky pays by choice pays | round.decks { low | any -> 2 to 1 high | any -> 9 to 1 }",
            50,
        ),
        ("lucky pays 3 to 1 lucky pays 4 to 1 lucky pays the sum of its rows", 40),
        ("lucky pays { first.rank = 9 -> 3 to 1  otherwise -> 1 to 1 }", 20),
    ],
)
def test_what_a_declared_bet_pays(tmp_path: Path, odds: str, due: float) -> None:
    head: dict[str, Any] = {
        "meters": {"jackpot": Decimal("1234.5")},
        "options": ["lucky", "pays=high"],
    }
    assert of(lucky(tmp_path, odds, due, **head), "lucky") == []
    found = of(lucky(tmp_path, odds, due + 1, **head), "lucky")
    assert [(f.code, f.expected, f.actual) for f in found] == [
        ("R501", round(due * 100), round(due * 100 + 100))
    ]
    lost = of(lucky(tmp_path, odds, due, "8H KH", **head), "lucky")
    assert [(f.code, f.expected) for f in lost] == [("R501", 0)]


def test_equal_rows_are_both_paid(tmp_path: Path) -> None:
    text = """lucky pays 4 to 1 when first.rank = dealer.first.rank
      lucky pays 4 to 1 when second.rank = dealer.first.rank
      lucky pays the sum of its rows"""
    assert of(lucky(tmp_path, text, 45, "9H 9C"), "lucky") == []
    assert of(lucky(tmp_path, text, 25, "9H KC"), "lucky") == []
    assert len(of(lucky(tmp_path, text, 25, "9H 9C"), "lucky")) == 1


@pytest.mark.parametrize(
    ("odds", "back", "wrong"),
    [
        ("at least 3 to 1", 20, None),
        ("at least 3 to 1", 90, None),
        ("at least 3 to 1", 19, 20),
        ("at most 3 to 1", 20, None),
        ("at most 3 to 1", 21, 20),
        ("from 2 to 1 up to 10 to 1", 15, None),
        ("from 2 to 1 up to 10 to 1", 55, None),
        ("from 2 to 1 up to 10 to 1", 14, 15),
        ("from 2 to 1 up to 10 to 1", 56, 55),
        ("from $50 up to $500", 50, None),
        ("from $50 up to $500", 505, None),
        ("from $50 up to $500", 40, 50),
        ("from $50 up to $500", 506, 505),
    ],
)
def test_what_the_text_leaves_to_the_house(
    tmp_path: Path, odds: str, back: int, wrong: int | None
) -> None:
    found = of(lucky(tmp_path, f"lucky pays {odds}", back), "lucky")
    expected = [] if wrong is None else [("R501", "6", wrong * 100)]
    assert [(f.code, f.clause, f.expected) for f in found] == expected


def test_an_amount_leaves_open_whether_the_stake_goes_back(tmp_path: Path) -> None:
    for back in (50, 55):
        found = of(lucky(tmp_path, "lucky pays $50", back), "lucky")
        assert [f.code for f in found] == ["R550"]
        assert "no clause says whether the stake goes back beside $50" in found[0].message
    assert [f.code for f in of(lucky(tmp_path, "lucky pays $50", 60), "lucky")] == ["R501"]


def test_a_meter_that_the_log_does_not_give_is_named(tmp_path: Path) -> None:
    found = of(lucky(tmp_path, "lucky pays 10 % of meter jackpot", 50), "lucky")
    assert [f.code for f in found] == ["R550"]
    assert "the log does not give the meter `jackpot`" in found[0].message


def test_a_wager_that_is_not_offered_or_has_no_main_wager_beside_it(tmp_path: Path) -> None:
    verdict = lucky(tmp_path, "lucky pays 3 to 1", 20, options=[])
    assert [f.message.partition(": ")[2] for f in of(verdict, "lucky")] == [
        "the table does not offer it"
    ]
    script = "bet 1 P1 10\nbet 1 P2 5 lucky\ndeal 1:9H 0:9D 1:KH\nsettle 1 P2 lucky 20"
    verdict = verdict_of(tmp_path, BASE + LUCKY.format("lucky pays 3 to 1"), script)
    assert [f.message.partition(": ")[2] for f in of(verdict, "lucky")] == [
        "the player has no main wager there"
    ]


GIFT = """
clause 7 "Gift" {
  gift wins when hand.cards >= 2 and dealer.total > 21
  gift pays { dealer.cards = 3 -> $5  dealer.cards > 3 -> $20 }
}
"""
BUST = "bet 1 P1 10\ndeal 1:9H 0:9D 1:KH\n1 P1 stand\ndealer 5S KD\nsettle 1 P1 main 20\n"


@pytest.mark.parametrize(
    ("paid", "codes"),
    [("settle 1 P1 gift 5", []), ("settle 1 P1 gift 6", ["R501"]), ("", ["R501"])],
)
def test_a_bonus_is_paid_to_every_wager_that_wins_it(
    tmp_path: Path, paid: str, codes: list[str]
) -> None:
    verdict = verdict_of(tmp_path, BASE + GIFT, BUST + paid)
    assert [f.code for f in verdict.findings] == codes
    assert verdict.expected[1, 1, "P1", "gift"] == 500


@pytest.mark.parametrize(
    ("clause", "due"),
    [
        ("gift wins when dealer.total < 17 gift pays $5", 0),
        ("gift wins when dealer.total > 21 gift pays $5", 500),
        ("gift loses when dealer.total < 17 gift pays $5", 500),
        ("gift pays $5 when dealer.total > 21", 500),
        ("gift pays $5 when dealer.total < 17", 0),
    ],
)
def test_who_wins_a_bonus(tmp_path: Path, clause: str, due: int) -> None:
    """Odds without a condition of their own give nothing to those who do not win."""
    text = BASE + f'clause 7 "Gift" {{ {clause} }}'
    for paid in (0, 500):
        verdict = verdict_of(tmp_path, text, BUST + f"settle 1 P1 gift {paid / 100:g}")
        assert [f.code for f in of(verdict, "gift")] == ["R501"] * (paid != due)


def test_a_bonus_that_nobody_wins_is_not_paid(tmp_path: Path) -> None:
    script = BUST.replace("5S KD", "8D").replace("main 20", "main 20") + "settle 1 P1 gift 5"
    verdict = verdict_of(tmp_path, BASE + GIFT, script)
    assert [(f.code, f.expected, f.actual, f.clause) for f in of(verdict, "gift")] == [
        ("R501", 0, 500, "7")
    ]


def test_a_wager_that_stays_is_not_settled(tmp_path: Path) -> None:
    text = BASE + 'clause 8 "Run" { run stays when wager.wins < 1 run wins when wager.wins >= 1 '
    text += "run pays 3 to 1 }"
    script = "bet 1 P1 10\nbet 1 P1 5 run wins={}\ndeal 1:9H 0:9D 1:KH\n1 P1 stand\ndealer 8D\n"
    script += "settle 1 P1 main 20\n"
    assert of(verdict_of(tmp_path, text, script.format(0)), "run") == []
    early = of(verdict_of(tmp_path, text, script.format(0) + "settle 1 P1 run 20"), "run")
    assert [(f.code, f.clause) for f in early] == [("R502", "8")]
    won = verdict_of(tmp_path, text, script.format(1) + "settle 1 P1 run 20")
    assert (of(won, "run"), won.expected[1, 1, "P1", "run"]) == ([], 2000)
    assert [f.code for f in of(verdict_of(tmp_path, text, script.format(1)), "run")] == ["R503"]


def test_a_wager_is_designated_to_a_hand_of_a_split(tmp_path: Path) -> None:
    script = """
    bet 1 P1 10 controls
    bet 1 P2 10
    deal 1:8H 0:9D 1:8C
    1 P1 split $10
    designate 1.2 P2
    deal 1.1:KH 1.2:2D
    1.1 P1 stand
    1.2 P1 stand
    dealer 8D
    """
    verdict = verdict_of(tmp_path, BASE, script)
    assert verdict.expected == {
        (1, 1, "P1", "main"): 2000,
        (1, 2, "P1", "main"): 0,
        (1, 2, "P2", "main"): 0,
    }
