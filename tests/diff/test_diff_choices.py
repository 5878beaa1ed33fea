"""What the house chooses (`choice`): every value is compared, each by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.cli import main

TEXT = """rulebook chosen {
  title "Blackjack"
  game blackjack
  undated because "an example"
}

choice blackjack_pays in (3:2, 6:5) "odds for a blackjack"
choice lost_to_blackjack in (all, original) "what a dealer's blackjack takes"

clause 1 "Values" {
  cards 2 to 9 count face
  cards T, J, Q, K count 10
  cards A count 1 or 11
  define hand.pontoon as hand.cards = 2 and hand.total = 21
}
clause 2 "Play" {
  may draw when hand.total < 21
  may stand
  may double when hand.cards = 2
  may not draw when hand.doubled
  at double require play.stake = wager.original
  dealer must draw when dealer.total <= 16
  dealer must not draw when dealer.total > 16
}
clause 3 "Results" {
  main wins when hand.total <= 21 and (hand.total > dealer.total or dealer.total > 21)
  main loses when hand.total > 21 or dealer.total <= 21 and hand.total < dealer.total
  main stands off when hand.total = dealer.total and hand.total <= 21
}
clause 4 "The added part" {
  despite 3
  main stands off when dealer.pontoon and wager.part = double and hand.total < 21
    and choice lost_to_blackjack = original
}
clause 5 "Odds" {
  main pays by choice blackjack_pays when hand.pontoon {
    3:2 -> 3 to 2
    6:5 -> 6 to 5
  }
  main pays 1 to 1 when not hand.pontoon
}
"""


def told(
    was: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str]:
    old, new = tmp_path / "old.rules", tmp_path / "new.rules"
    old.write_text(TEXT, encoding="utf-8")
    assert was[0] in TEXT
    new.write_text(TEXT.replace(*was), encoding="utf-8")
    status = main(["diff", str(old), str(new)])
    return status, capsys.readouterr().out


def test_the_odds_of_a_value_that_is_not_the_first_are_a_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, text = told(("6:5 -> 6 to 5", "6:5 -> 7 to 5"), tmp_path, capsys)
    assert status == 1
    assert "when blackjack_pays=6:5   wins at 6 to 5 → wins at 7 to 5" in text
    assert "no effect" not in text


def test_each_value_is_a_difference_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, text = told(
        ("choice lost_to_blackjack = original", "choice lost_to_blackjack = all"), tmp_path, capsys
    )
    assert status == 1
    assert "when lost_to_blackjack=all   loses → stands off" in text
    assert "when lost_to_blackjack=original   stands off → loses" in text


def test_a_choice_has_one_value_in_both_texts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A house that may choose one more thing still chooses one."""
    status, text = told(("in (3:2, 6:5)", "in (3:2, 6:5, 1:1)"), tmp_path, capsys)
    assert status == 3
    assert "Main wager" not in text
    assert "the choice `blackjack_pays` is declared otherwise" in text


def test_a_requirement_says_of_which_amounts_it_speaks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, text = told(
        ("require play.stake = wager.original", "require play.stake <= wager.original"),
        tmp_path,
        capsys,
    )
    assert status == 1
    assert "always" not in text
    assert "when the amount added: $5" in text
