"""To which hands further cards lead the dealer, where a text counts the cards or asks for the first."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.cli import main

RULES = """rulebook sample {{
  title "Sample"
  game blackjack
  in force from 2024-01-01
}}

clause 1 "Values" {{
  cards 2 to 9 count face
  cards T, J, Q, K count 10
  cards A count 1 or 11
}}

clause 2 "Results" {{
  main wins when hand.total <= 21 and (hand.total > dealer.total or dealer.total > 21)
  main loses when hand.total > 21 or dealer.total > hand.total and dealer.total <= 21
  main stands off when hand.total = dealer.total and hand.total <= 21
  main pays 1 to 1
}}

clause 3 "Draw" {{
{draw}
}}

clause 4 "No card that changes nothing" {{
  despite 3
  may draw, stand
  dealer must not draw when dealer.no_effect
}}
"""
FOUR_CARDS = """  dealer must draw when dealer.total <= 16 and dealer.cards < 4
  dealer must not draw when dealer.total > 16 or dealer.cards >= 4"""
BY_FIRST_CARD = """  dealer must draw when dealer.total <= 16 and dealer.first != 5
  dealer must draw when dealer.total <= 15 and dealer.first = 5
  dealer must not draw when dealer.total > 16 or dealer.total = 16 and dealer.first = 5"""


@pytest.mark.parametrize(
    ("draw", "up", "drawn"),
    [
        (FOUR_CARDS, "2D", "2C 2S"),  # 6 on three cards: one more comes to 17 at most
        (
            FOUR_CARDS,
            "2D",
            "4C TS",
        ),  # 16 on three cards: a four would beat nobody's 20, a five does
        (BY_FIRST_CARD, "5D", "TC AS"),
    ],
)
def test_the_dealer_stops_where_no_card_can_change_anything(
    tmp_path: Path, draw: str, up: str, drawn: str
) -> None:
    (tmp_path / "sample.rules").write_text(RULES.format(draw=draw), encoding="utf-8")
    more = "" if drawn != "4C TS" else "  breaches: ['3']\n"
    (tmp_path / "sample.scenarios.yaml").write_text(
        f"""rulebook: sample
scenarios:
- name: the dealer stops
  play: |
    bet 1 P1 10
    deal 1:KH 0:{up} 1:QD
    1 P1 stand
    dealer {drawn}
{more}""",
        encoding="utf-8",
    )
    assert main(["test", "--quiet", str(tmp_path / "sample.rules")]) == 0
