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
