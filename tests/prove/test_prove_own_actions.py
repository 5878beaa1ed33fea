"""Actions that a rulebook declares for itself: they are not searched, and nothing is called dead
that only they bring about."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.cli import main

TEXT = """rulebook raising {
  title "Blackjack"
  game blackjack
  undated because "an example"
}
action raise "raise" {
  logged
  adds a stake as part double
  at most 1 on a hand
}
clause 1 "Values" {
  cards 2 to 9 count face
  cards T, J, Q, K count 10
  cards A count 1 or 11
}
clause 2 "Play" {
  may draw when hand.total < 21
  may stand
  may raise when hand.cards = 2
  dealer must draw when dealer.total <= 16
  dealer must not draw when dealer.total > 16
}
clause 3 "Results" {
  main wins when hand.total <= 21 and (hand.total > dealer.total or dealer.total > 21)
  main loses when hand.total > 21 or dealer.total <= 21 and hand.total < dealer.total
  main loses when hand.total = dealer.total and hand.total <= 21 and wager.part = original
  main stands off when hand.total = dealer.total and hand.total <= 21 and wager.part = double
  main pays 1 to 1
}
"""


def test_a_part_that_an_own_action_adds_is_not_dead(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "raising.rules"
    path.write_text(TEXT, encoding="utf-8")
    assert main(["check", str(path)]) == 3
    told = capsys.readouterr()
    assert "R313" not in told.out
    assert "the action `raise`: not searched" in told.err + told.out


def test_without_the_action_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "raising.rules"
    path.write_text(
        TEXT[: TEXT.index("action raise")]
        + TEXT[TEXT.index("clause 1") :].replace("may raise", "may draw"),
        encoding="utf-8",
    )
    assert main(["check", str(path)]) == 1
    assert "warning R313" in capsys.readouterr().out
