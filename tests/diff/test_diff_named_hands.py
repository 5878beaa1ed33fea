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


def test_a_requirement_by_a_term_that_says_something_else(tmp_path: Path) -> None:
    """It is worded alike in both texts; how many cards a four burns is not."""
    found = compared(tmp_path, ("shoe.turned = 4          -> 4", "shoe.turned = 4          -> 5"))
    assert {(one.was.text, one.becomes.text) for one in found.classes} == {
        ("not allowed", "allowed"),
        ("allowed", "not allowed"),
    }
    assert {one.question for one in found.classes} == {"require round"}


def test_texts_of_two_games_are_not_compared(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "fr-punto-banco", "nz-pontoon"]) == 3
    assert "not decided" in capsys.readouterr().out


@pytest.fixture
def of_the_house(tmp_path: Path) -> tuple[Path, str]:
    """A text in which the house chooses the odds of banco, and may offer better ones for a tie."""
    text = PATH.read_text(encoding="utf-8")
    odds = "banker pays by choice odds {\n  low -> 19 to 20\n  high -> 1 to 1\n}"
    tie = "tie pays 8 to 1 when not option nine\n tie pays 9 to 1 when option nine"
    for old, new in (("banker pays 19 to 20", odds), ("tie pays 8 to 1", tie)):
        assert text.count(old) == 1
        text = text.replace(old, new)
    text += 'choice odds in (low, high) "odds of banco"\noption nine "nine for a tie"\n'
    path = tmp_path / "old.rules"
    path.write_text(text, encoding="utf-8")
    return path, text


@pytest.mark.parametrize(
    ("old", "new", "when", "becomes"),
    [
        ("high -> 1 to 1", "high -> 11 to 10", "odds=high", "wins at 11 to 10"),
        ("low -> 19 to 20", "low -> 1 to 1", "odds=low", "wins at 1 to 1"),
        ("tie pays 9 to 1", "tie pays 10 to 1", "nine", "wins at 10 to 1"),
    ],
)
def test_what_the_house_offers_and_chooses_is_gone_through(
    old: str, new: str, when: str, becomes: str, of_the_house: tuple[Path, str]
) -> None:
    path, text = of_the_house
    assert text.count(old) == 1
    changed = path.with_name("new.rules")
    changed.write_text(text.replace(old, new), encoding="utf-8")
    books = [load(one).rulebook for one in (path, changed)]
    assert books[0] is not None
    assert books[1] is not None
    found = diff(books[0], books[1])
    told = [(one.circumstances, one.becomes.outcome.text) for one in found.classes]
    assert told == [((when,), becomes)]


def test_a_requirement_on_a_choice_is_compared(of_the_house: tuple[Path, str]) -> None:
    path, text = of_the_house
    changed = path.with_name("new.rules")
    clause = (
        'clause own "A bet" {\n  at limits require limit.min >= $20 when choice odds = high\n}\n'
    )
    changed.write_text(text + clause, encoding="utf-8")
    assert main(["diff", str(path), str(changed)]) == 1


def test_more_houses_than_are_gone_through_together_are_not_called_all(
    of_the_house: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("checker.states.houses.AT_MOST", 1)
    path, text = of_the_house
    changed = path.with_name("new.rules")
    changed.write_text(text.replace("high -> 1 to 1", "high -> 11 to 10"), encoding="utf-8")
    books = [load(one).rulebook for one in (path, changed)]
    assert books[0] is not None
    assert books[1] is not None
    found = diff(books[0], books[1])
    assert found.classes
    assert not found.decided
