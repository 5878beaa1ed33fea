"""Two texts on a game with named hands: where they differ in meaning."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from checker.cli import main
from checker.diff.diff import Difference, diff
from rulespec.load.load import load, shipped

PATH = shipped()["fr-punto-banco"]


def compared(folder: Path, *edits: tuple[str, str]) -> Difference:
    text = PATH.read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    path = folder / "new.rules"
    path.write_text(text, encoding="utf-8")
    old_book, new_book = load(PATH).rulebook, load(path).rulebook
    assert old_book is not None
    assert new_book is not None
    return diff(old_book, new_book)


def test_a_text_means_the_same_as_itself(tmp_path: Path) -> None:
    assert compared(tmp_path).same_meaning


def test_other_odds(tmp_path: Path) -> None:
    found = compared(tmp_path, ("banker pays 19 to 20", "banker pays 1 to 1"))
    (one,) = found.classes
    assert (one.question, one.code, one.gain) == ("banker.result", "R602", Fraction(1, 20))
    assert found.decided


def test_another_cell_of_the_table(tmp_path: Path) -> None:
    found = compared(
        tmp_path,
        ("      4 | 2 to 7, none       -> yes", "      4 | 1 to 7, none       -> yes"),
        ("      4 | 0 to 1, 8 to 9     -> no", "      4 | 0, 8 to 9          -> no"),
    )
    (one,) = found.classes
    assert (one.question, one.was.text, one.becomes.text) == ("banker draw", "must not", "must")
    assert one.witness is not None
    assert "banker" in one.witness.describe()


def test_a_row_written_otherwise_is_no_difference(tmp_path: Path) -> None:
    found = compared(tmp_path, ("      6 to 7 -> no\n      8 to 9 -> no\n", "      6 to 9 -> no\n"))
    assert found.same_meaning


def test_another_number_of_decks(tmp_path: Path) -> None:
    found = compared(tmp_path, ("round.decks = 6", "round.decks in 6 to 8"))
    (one,) = found.classes
    assert (one.was.text, one.becomes.text) == ("not allowed", "allowed")
    assert any("7" in told for told in one.circumstances)


def test_texts_of_two_games_are_not_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "fr-punto-banco", "nz-pontoon"]) == 3
    assert "not decided" in capsys.readouterr().out
