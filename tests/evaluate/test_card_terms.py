"""Choices, meters, cards by position and what is asked of several cards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checker.evaluate.engine import Engine
from checker.evaluate.ready import new_engine
from checker.evaluate.scene import SeenScene
from checker.judge.judge import Judge
from checker.table.shoes import ShoeView
from tests.evaluate.engine_support import CARDS, PLAYS, RESULTS, a_round, engine_of, judged

DECLARED = """
option lucky "lucky pairs are offered"
choice pays in (3:2, 6:5) "odds for a natural"
choice table in (1, 2, 2_alt) "pay table"
choice cap of money "most that is paid"
choice lucky_cards of cards "the cards that pay more"
meter jackpot "the jackpot"
"""
DEAL = "bet 1 P1 10\ndeal 1:{} 0:{} 1:{}\n"
Asked = Callable[..., Any]


@pytest.fixture
def asked(tmp_path: Path) -> Asked:
    """What a condition comes to at the end of a round."""

    def ask(condition: str, script: str, **head: Any) -> bool | None:
        text = CARDS + PLAYS + DECLARED + f'clause 9 "Asked" {{ main wins when {condition} }}\n'
        engine = engine_of(tmp_path, text)
        judge = Judge(engine, a_round(script, **head), ShoeView())
        for event in judge.round.events:
            judge.table.apply(event)
        box = judge.table.boxes[1]
        scene = judge.scene(
            box=box, hand=box.hands[1], player="P1", dealer=tuple(judge.table.dealer)
        )
        return result_of(engine, scene)

    return ask


def result_of(engine: Engine, scene: SeenScene) -> bool | None:
    answer = engine.ask("main.result", scene)
    return None if answer.unknown else bool(answer.values)


@pytest.mark.parametrize(
    ("condition", "first", "dealer", "second", "holds"),
    [
        ("first.suit = hearts", "KH", "9D", "9C", True),
        ("second.points = 9", "KH", "9D", "9C", True),
        ("first.points = 1", "AH", "9D", "9C", True),
        ("first.order = 14 and second.order = 2", "AH", "9D", "2C", True),
        ("first.order < dealer.first.order", "8H", "9D", "9C", True),
        ("second.order - first.order >= 3", "8H", "9D", "JC", True),
        ("third.rank = none", "KH", "9D", "9C", True),
        ("fourth.suit = none", "KH", "9D", "9C", True),
        ("third.order + 1 > 2", "KH", "9D", "9C", None),
        ("dealer.first.colour = red", "KH", "9D", "9C", True),
        ("dealer.first.face", "KH", "9D", "9C", False),
        ("hand.first.face", "KH", "9D", "9C", True),
        ("hand.second.rank = dealer.first.rank", "KH", "9D", "9C", True),
        ("same rank of (first, second)", "KH", "9D", "KC", True),
        ("same rank of (first, second)", "KH", "9D", "TC", False),
        ("same points of (first, second)", "KH", "9D", "TC", True),
        ("same suit of (first, second, dealer.first)", "KH", "9H", "2H", True),
        ("same suit of (first, second, third)", "KH", "9H", "2H", False),
        ("same colour of (first, second)", "KH", "9H", "2D", True),
        ("same card of (first, second)", "KH", "9H", "KH", True),
        ("consecutive ranks of (first, second, dealer.first)", "KH", "AH", "QD", True),
        ("consecutive ranks of (first, second, dealer.first)", "2H", "AH", "3D", True),
        ("consecutive ranks of (first, second, dealer.first)", "KH", "AH", "2D", False),
        ("consecutive ranks of (first, second)", "8H", "AH", "8D", False),
        ("poker rank of (first, second, dealer.first) = straight_flush", "8H", "7H", "9H", True),
        ("poker rank of (first, second, dealer.first) = flush", "8H", "7H", "2H", True),
        ("poker rank of (first, second, dealer.first) = straight", "8H", "7C", "9H", True),
        ("poker rank of (first, second, dealer.first) = pair", "8H", "8C", "9H", True),
        (
            "poker rank of (first, second, dealer.first) in (three_of_a_kind, pair)",
            *("8H", "8C", "8D", True),
        ),
        (
            "poker rank of (first, second, dealer.first) = suited_three_of_a_kind",
            *("8H", "8H", "8H", True),
        ),
        ("poker rank of (first, second, third) = none", "8H", "8H", "8H", True),
        ("points of (first, second) = 13", "3H", "8H", "TH", True),
        ("points of (first, second) = 11", "AH", "8H", "TH", True),
        ("points of (first, second, third) > 1", "AH", "8H", "TH", None),
        ("count of (first, second) with rank = dealer.first.rank = 1", "8C", "8H", "TH", True),
        ("count of hand with (rank = K and suit = hearts) = 2", "KH", "8H", "KH", True),
        ("count of hand with (rank = K and suit = hearts) = 2", "KH", "8H", "KD", False),
        ("count of (first, second, dealer) with points >= 10 = 2", "KH", "8H", "TD", True),
        ("count of (first, second) with rank in (7, 10) = 2", "7H", "8H", "TD", True),
        ("count of (first, second) with rank != 7 = 1", "7H", "8H", "TD", True),
        ("cards of (first, second) = chosen lucky_cards", "JS", "8H", "AS", True),
        ("cards of (first, second) = chosen lucky_cards", "JS", "8H", "AD", False),
    ],
)
def test_cards_by_position(
    asked: Asked, condition: str, first: str, dealer: str, second: str, holds: bool | None
) -> None:
    script = DEAL.format(first, dealer, second)
    assert asked(condition, script, options=["lucky_cards=AS+JS"]) is holds


@pytest.mark.parametrize(
    ("condition", "options", "holds"),
    [
        ("choice pays = 6:5", ["pays=6:5"], True),
        ("choice pays = 6:5", ["pays=3:2"], False),
        ("choice pays in (6:5, 3:2)", ["pays=3:2"], True),
        ("choice pays = 6:5", [], None),
        ("choice pays = 6:5", ["pays=7:5"], None),
        ("choice pays = 6:5", ["pays=6:5", "pays=3:2"], None),
        ("choice table = 2_alt", ["table=2_alt"], True),
        ("choice table = 2", ["table=2_alt"], False),
        ("chosen cap >= $50", ["cap=50"], True),
        ("chosen cap > $50", ["cap=50.00"], False),
        ("chosen cap > $50", ["cap=much"], None),
        ("cards of (first, second) = chosen lucky_cards", [], None),
    ],
)
def test_what_the_house_has_chosen(
    asked: Asked, condition: str, options: list[str], holds: bool | None
) -> None:
    assert asked(condition, DEAL.format("KH", "9D", "9C"), options=options) is holds


def test_meters_and_what_was_done(asked: Asked) -> None:
    script = DEAL.format("5H", "9D", "4C")
    assert asked("meter jackpot >= $100", script, meters={"jackpot": 100}) is True
    assert asked("meter jackpot > $100", script, meters={"jackpot": 100}) is False
    assert asked("meter jackpot > $100", script) is None
    assert asked("times draw = 2", f"{script}1 P1 hit 2D\n1 P1 hit 2C") is True
    assert asked("times double = 0", script) is True


SIDE = """
clause 6 "A natural" {
  main pays 3 to 2 when choice pays = 3:2 and same colour of (first, second)
  main pays 6 to 5 when choice pays = 6:5 and same colour of (first, second)
  main pays 1 to 1 when not same colour of (first, second)
}
"""


def test_no_answer_is_kept_for_another_choice_meter_or_card(tmp_path: Path) -> None:
    """One engine, many rounds: what was answered before must not stand in for another answer."""
    meters = 'clause 7 "Jackpot" { at main require meter jackpot >= $50 }\n'
    text = CARDS + PLAYS + DECLARED + RESULTS + SIDE + meters
    one = engine_of(tmp_path, text)
    seen = set()
    for choice in ("3:2", "6:5"):
        for cards in (("KH", "9D"), ("KH", "9C"), ("KS", "9C"), ("KH", "9D")):
            for jackpot in (49, 50):
                script = DEAL.format(cards[0], "9D", cards[1]) + "1 P1 stand\ndealer 8S"
                round_ = a_round(script, options=[f"pays={choice}"], meters={"jackpot": jackpot})
                shared = Judge(one, round_, ShoeView(), share=True).run()
                alone = Judge(new_engine(one.rulebook), round_, ShoeView()).run()
                found = [(f.code, f.message) for f in alone.findings]
                assert shared.expected == alone.expected
                assert [(f.code, f.message) for f in shared.findings] == found
                seen.add((tuple(alone.expected.values()), len(found)))
    assert len(seen) == 6, "three odds, each with a jackpot that is enough and one that is not"


def test_a_choice_that_the_log_does_not_give_is_named(tmp_path: Path) -> None:
    script = DEAL.format("KH", "9D", "9D") + "1 P1 stand\ndealer 8S\nsettle 1 P1 main 25"
    verdict = judged(tmp_path, CARDS + PLAYS + DECLARED + RESULTS + SIDE, script)
    told = [f.message for f in verdict.findings if f.code == "R550"]
    assert len(told) == 1
    assert "the log does not say what is chosen for `pays`" in told[0]
