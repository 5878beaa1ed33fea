"""What a rulebook leaves to the house: a comparison says what hangs on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.cli import main

TEXT = """rulebook chosen {
  title "Blackjack"
  game blackjack
  undated because "an example"
}

option surrendering "surrender is offered"
option lucky_bet "Lucky is offered"
choice blackjack_pays in (3:2, 6:5) "odds for a blackjack"
choice soft_17 in (stand, hit) or none "whether the dealer draws on a soft 17"

bet lucky "Lucky" {
  placed before the first card
  on the box
  offered when option lucky_bet
  decided by first
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
  may surrender when hand.cards = 2 and option surrendering
  dealer must draw when dealer.total <= 16 or dealer.total = 17 and dealer.soft
    and choice soft_17 = hit
  dealer must not draw when dealer.total > 17 or dealer.total = 17
    and not (dealer.soft and choice soft_17 = hit)
}
clause 3 "Results" {
  main wins when hand.total <= 21 and (hand.total > dealer.total or dealer.total > 21)
  main loses when hand.total > 21 or dealer.total <= 21 and hand.total < dealer.total
  main stands off when hand.total = dealer.total and hand.total <= 21
}
clause 4 "Odds" {
  main pays by choice blackjack_pays when hand.pontoon {
    3:2 -> 3 to 2
    6:5 -> 6 to 5
  }
  main pays 1 to 1 when not hand.pontoon
  lucky wins when first.rank = 7
  lucky loses when first.rank != 7
  lucky pays 10 to 1
}
"""


def told(
    capsys: pytest.CaptureFixture[str], folder: Path, *others: tuple[str, str]
) -> tuple[int, str]:
    paths = []
    for n, change in enumerate((("", ""), *others)):
        assert change[0] in TEXT
        path = folder / f"text{n}.rules"
        path.write_text(TEXT.replace(*change) if change[0] else TEXT, encoding="utf-8")
        paths.append(str(path))
    status = main(["compare", *paths, "--format", "markdown"])
    return status, capsys.readouterr().out.replace("\\", "")


@pytest.mark.parametrize(
    "cell",
    [
        "wins 6 to 5 with blackjack_pays=6:5; else wins 3 to 2",
        "yes with surrendering; else no",
        "draws with soft_17=hit; else stands",
    ],
)
def test_a_cell_says_what_it_hangs_on(
    cell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, text = told(capsys, tmp_path)
    assert status == 0
    assert cell in text
    assert "lucky_bet" not in text  # no question is about a bet of the rulebook's own


def test_other_odds_of_one_choice_are_a_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, text = told(capsys, tmp_path, ("6:5 -> 6 to 5", "6:5 -> 7 to 5"))
    assert status == 0
    assert "wins 7 to 5 with blackjack_pays=6:5; else wins 3 to 2" in text
    assert "0 differ" not in text
