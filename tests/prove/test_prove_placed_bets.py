"""A bet that players place later, such as insurance: it is searched with their hands too."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.cli import main

TEXT = """rulebook placed {
  title "Blackjack"
  game blackjack
  undated because "an example"
}
clause 1 "Values" {
  cards 2 to 9 count face
  cards T, J, Q, K count 10
  cards A count 1 or 11
  define hand.pontoon as hand.cards = 2 and hand.total = 21
}
clause 2 "Play" {
  may draw when hand.total < 21
  may stand
  may insure when dealer.first = A and hand.cards = 2
  dealer must draw when dealer.total <= 16
  dealer must not draw when dealer.total > 16
}
clause 3 "Results" {
  main wins when hand.total <= 21 and (hand.total > dealer.total or dealer.total > 21)
  main loses when hand.total > 21 or dealer.total <= 21 and hand.total < dealer.total
  main stands off when hand.total = dealer.total and hand.total <= 21
  main pays 1 to 1
}
clause 4 "Insurance" {
  insurance wins when dealer.pontoon
  insurance loses when not dealer.pontoon
  insurance pays 2 to 1
}
"""


@pytest.mark.parametrize(
    ("was", "becomes", "message"),
    [
        ("insurance pays 2 to 1", "insurance pays 2 to 1", ""),
        (
            "insurance pays 2 to 1",
            "insurance pays 2 to 1\n  insurance pays 3 to 1 when hand.pontoon",
            "pay 2 to 1 and 3 to 1",
        ),
        (
            "insurance loses when not dealer.pontoon",
            "insurance loses when not dealer.pontoon and hand.total <= 20",
            "no clause says the result of insurance",
        ),
    ],
)
def test_what_hangs_on_the_hand_is_found(
    was: str, becomes: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "placed.rules"
    assert was in TEXT
    path.write_text(TEXT.replace(was, becomes), encoding="utf-8")
    status = main(["check", str(path)])
    told = capsys.readouterr().out
    assert status == (1 if message else 0), told
    assert message in told
