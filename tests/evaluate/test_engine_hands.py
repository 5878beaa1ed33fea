"""Terms that a rulebook defines, and what cards are worth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.evaluate.engine_support import (
    CARDS,
    PLAYS,
    RESULTS,
    Told,
    asked,
    clauses,
    due,
    engine_of,
    judged,
)

# --- definitions

NATURAL = """
clause A:Pontoon "Natural" {
  define hand.pontoon as hand.cards = 2 and hand.aces = 1 and hand.ten_cards = 1
}
"""
NOT_AFTER_SPLIT = """
clause 11.7 "Never after a split" { despite A:Pontoon define hand.pontoon as false when hand.split }
"""
BY_NATURAL = """
clause 14 "By the natural" {
  main wins when hand.pontoon
  main loses when not hand.pontoon and dealer.pontoon
  main stands off when not hand.pontoon and not dealer.pontoon
  main pays 3 to 2
}
"""


@pytest.mark.parametrize(
    ("cards", "dealer", "expected"),
    [
        ("AH KD", "9H 8D", 2500),
        ("KH QD", "AH KC", 0),
        ("KH QD", "9H 8D", 1000),
        ("AH KD", "AS KS", 2500),
    ],
)
def test_the_dealers_natural_follows_the_definition_of_the_players(
    tmp_path: Path, cards: str, dealer: str, expected: int
) -> None:
    first, second = cards.split()
    up, down = dealer.split()
    script = f"bet 1 P1 10\ndeal 1:{first} 0:{up} 1:{second}\n1 P1 stand\ndealer {down}"
    verdict = judged(tmp_path, CARDS + PLAYS + NATURAL + BY_NATURAL, script)
    assert due(verdict) == expected


def test_a_definition_as_false_takes_hands_out(tmp_path: Path) -> None:
    text = CARDS + PLAYS + NATURAL + NOT_AFTER_SPLIT + BY_NATURAL
    script = """bet 1 P1 10
deal 1:AH 0:9D 1:AC
1 P1 split $10
deal 1.1:KD 1.2:5S
1.1 P1 stand
1.2 P1 stand
dealer 8D"""
    verdict = judged(tmp_path, text, script)
    assert due(verdict) == 1000  # ace and king after a split: no natural
    whole = judged(tmp_path, text.replace(NOT_AFTER_SPLIT, ""), script)
    assert due(whole) == 2500


def test_the_dealer_can_be_excepted_alone(tmp_path: Path) -> None:
    text = (
        CARDS
        + PLAYS
        + NATURAL
        + BY_NATURAL
        + """
clause 15 "Not with an ace up" {
  despite A:Pontoon
  define dealer.pontoon as false when dealer.first = A
}
"""
    )
    lost = "bet 1 P1 10\ndeal 1:KH 0:KC 1:QD\n1 P1 stand\ndealer AH"
    assert due(judged(tmp_path, text, lost)) == 0
    kept = "bet 1 P1 10\ndeal 1:KH 0:AC 1:QD\n1 P1 stand\ndealer KS"
    assert due(judged(tmp_path, text, kept)) == 1000
    players_own = "bet 1 P1 10\ndeal 1:AH 0:AC 1:KD\ndealer 5S AS"
    assert due(judged(tmp_path, text, players_own)) == 2500


def test_a_term_with_two_meanings_is_not_known(tmp_path: Path) -> None:
    text = clauses(
        "define big as hand.total > 10",
        "define big as false when hand.cards = 2",
        "main wins when big",
    )
    engine = engine_of(tmp_path, text)
    assert engine.holds("big", Told(hand__total=11, hand__cards=2)) is None
    assert engine.holds("big", Told(hand__total=11, hand__cards=3)) is True
    assert engine.holds("big", Told(hand__total=9, hand__cards=3)) is False
    assert not engine.ask("main.result", Told(hand__total=11, hand__cards=2)).decided


def test_what_no_clause_defines_never_holds(tmp_path: Path) -> None:
    text = clauses(
        "main wins when hand.pontoon or dealer.pontoon", "main loses when hand.cards = 2"
    )
    answer = asked(tmp_path, text, "main.result", Told(hand__cards=2, hand__aces=1))
    assert answer.value == "loses"


# --- cards


def totals(folder: Path, text: str, script: str) -> tuple[Any, ...]:
    """Total, hard total and softness of the hand when the results are asked."""
    verdict = judged(folder, text, script)
    scene = next(d.scene for d in verdict.decisions if d.answer.question == "main.result")
    return tuple(scene.fact(f"hand.{name}") for name in ("total", "hard_total", "soft"))


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("AH 6D", (17, 7, True)),
        ("AH 6D TC", (17, 17, False)),
        ("AH AD", (12, 2, True)),
        ("AH AD 9C", (21, 11, True)),
        ("AH AD TC", (12, 12, False)),
        ("KH QD", (20, 20, False)),
        ("TH 9D 3C", (22, 22, False)),
    ],
)
def test_an_ace_counts_as_is_better(tmp_path: Path, cards: str, expected: tuple[Any, ...]) -> None:
    first, second, *more = cards.split()
    hits = "".join(f"1 P1 hit {card}\n" for card in more)
    script = f"bet 1 P1 10\ndeal 1:{first} 0:9D 1:{second}\n{hits}1 P1 stand\ndealer 8S"
    assert totals(tmp_path, CARDS + PLAYS + RESULTS, script) == expected


DOUBLED_ACES = CARDS.replace(
    "cards A count 1 or 11",
    "cards A count 1 or 11 when not (hand.doubled and card.position <= 2)\n"
    "  cards A count 1 when hand.doubled and card.position <= 2",
)


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        ("1 P1 double $10 4C", (11, 11, False)),  # the ace that was held is worth one
        ("1 P1 hit 4C\n1 P1 stand", (21, 11, True)),
    ],
)
def test_aces_may_be_worth_less_after_doubling(
    tmp_path: Path, play: str, expected: tuple[Any, ...]
) -> None:
    script = f"bet 1 P1 10\ndeal 1:AH 0:9D 1:6C\n{play}\ndealer 8S"
    assert totals(tmp_path, DOUBLED_ACES + PLAYS + RESULTS, script) == expected


def test_an_ace_drawn_to_a_doubled_hand_is_not_held(tmp_path: Path) -> None:
    script = "bet 1 P1 10\ndeal 1:4H 0:9D 1:6C\n1 P1 double $10 AC\ndealer 8S"
    assert totals(tmp_path, DOUBLED_ACES + PLAYS + RESULTS, script) == (21, 11, True)


def test_a_card_without_a_value_leaves_the_hand_undecided(tmp_path: Path) -> None:
    text = CARDS.replace("cards T, J, Q, K", "cards J, Q, K") + PLAYS + RESULTS
    script = "bet 1 P1 10\ndeal 1:TH 0:9D 1:6C\n1 P1 stand\ndealer 8S\nsettle 1 P1 main 0"
    verdict = judged(tmp_path, text, script)
    assert due(verdict) is None
    assert [f.code for f in verdict.findings if f.kind == "undecided"] == ["R550"]
