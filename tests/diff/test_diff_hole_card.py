"""Two texts with a hole card: what the dealer has seen before anybody goes on makes no difference."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.cli import main
from tests.prove.test_prove_hole_card import DEAL, HEADER, INITIAL, TEXT

WHOLE = TEXT.replace("TIE", "hand.cards >= 2")


def _told(folder: Path, capsys: pytest.CaptureFixture[str], *texts: str) -> tuple[int, str]:
    paths = []
    for name, text in zip(("old", "new"), texts, strict=True):
        path = folder / f"{name}.rules"
        path.write_text(HEADER + text, encoding="utf-8")
        paths.append(str(path))
    status = main(["diff", *paths, "--full"])
    return status, capsys.readouterr().out


def test_a_natural_that_ends_the_round_meets_no_hand_that_was_played_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = (WHOLE.replace("NATURAL", kind) for kind in (INITIAL, "hand.cards >= 2"))
    status, told = _told(tmp_path, capsys, DEAL + old, DEAL + new)
    assert status == 0
    assert "Same meaning, proven" in told
    status, told = _told(tmp_path, capsys, old, new)
    assert status == 1


def test_a_difference_is_shown_by_a_round_with_a_hole_card(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = DEAL + WHOLE.replace("NATURAL", INITIAL)
    new = old.replace("hand.cards >= 2\n  main pays", "hand.cards != 4\n  main pays")
    assert old != new
    status, told = _told(tmp_path, capsys, old, new)
    assert status == 1
    assert "0:6H:down / peek / 1 P1 hit AD / 1 P1 hit 4C / reveal 0" in told
