"""Bets that a rulebook declares for itself: a change of them is told in every format."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.cli import main
from tests.diff.diff_support import changed, text_of

ODDS = "over_13 pays 1 to 1"


@pytest.mark.parametrize("form", ["text", "json", "markdown", "html"])
def test_other_odds_of_an_own_bet_are_a_difference(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = tmp_path / "ma-blackjack.rules"
    text = changed(text_of("ma-blackjack"), (ODDS, "over_13 pays 2 to 1"))
    new.write_text(text, encoding="utf-8")
    status = main(["diff", "ma-blackjack", str(new), "--format", form])
    told = capsys.readouterr().out.replace("\\_", "_")  # as Markdown writes it
    assert status == 1
    assert "Other wagers" in told
    assert "over_13" in told
    assert "no winning hand" not in told  # it has an effect


def test_a_requirement_that_asks_a_choice_by_a_term_is_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = tmp_path / "ma-blackjack.rules"
    was = "define multiple_action as choice multiple_action in (2, 3)"
    text = changed(
        text_of("ma-blackjack"), (was, "define multiple_action as choice multiple_action = 2")
    )
    new.write_text(text, encoding="utf-8")
    assert main(["diff", "ma-blackjack", str(new), "--format", "json"]) in (1, 3)
    assert "multiple_action" in capsys.readouterr().out


@pytest.mark.parametrize(
    "asked", ["count of (first, second) with rank = dealer.first.rank >= 1", "times redouble = 1"]
)
def test_a_rule_on_what_no_hand_shows_is_not_decided(
    asked: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the rule of one text asks for cards or plays and that of the other does not."""
    text = """rulebook own {
  title "Blackjack"
  game blackjack
  undated because "an example"
}

bet match "Match" {
  placed before the first card
  on the box
  decided by first, second, dealer.first
}

action redouble "double again" {
  logged
  deals 1
}

clause 1 "Match" {
  may redouble
  match wins when ASKED
  match loses when not (ASKED)
}
"""
    old, new = tmp_path / "old.rules", tmp_path / "new.rules"
    old.write_text(text.replace("ASKED", asked), encoding="utf-8")
    new.write_text(
        text.replace("wins when ASKED", "wins").replace("ASKED", asked), encoding="utf-8"
    )
    assert main(["diff", str(old), str(new)]) == 3
    assert "match: " in (told := capsys.readouterr().out)
    assert "not modelled (1 / 1)" in told


def test_what_an_own_action_adds_to_a_wager_is_not_called_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No hand on which it was done is compared."""
    text = """rulebook raising {
  title "Blackjack"
  game blackjack
  undated because "an example"
}

action raise "raise" {
  logged
  adds a stake as part double
}

clause 1 "All of it" {
  cards 2 to 9 count face
  cards T, J, Q, K count 10
  cards A count 1 or 11
  may draw, stand, raise
  dealer must draw when dealer.total <= 16
  dealer must not draw when dealer.total > 16
  main wins when hand.total <= 21 and (hand.total > dealer.total or dealer.total > 21)
  main loses when hand.total > 21 or dealer.total <= 21 and hand.total < dealer.total
  main loses when hand.total = dealer.total and hand.total <= 21 and wager.part = original
  main stands off when hand.total = dealer.total and hand.total <= 21 and wager.part = double
  main pays 1 to 1
}
"""
    old, new = tmp_path / "old.rules", tmp_path / "new.rules"
    old.write_text(text, encoding="utf-8")
    new.write_text(text.replace("main stands off when", "main wins when"), encoding="utf-8")
    assert main(["diff", str(old), str(new)]) == 3
    assert "the action `raise`: not modelled (1 / 1)" in capsys.readouterr().out
