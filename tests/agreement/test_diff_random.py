"""A small sample of random edits; `make edits` tries many.

Where `diff` calls an edited rulebook the same, the bare evaluator answers alike on rounds of the
scenario files, simulated rounds and rounds shaken at random, and the edit is shown with what hides
it: so nothing that `check` finds new in the edited text goes without a word.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest

from rulespec.load.load import load, shipped
from rulespec.resolve.in_force import text_in_force
from tests.agreement.edits_tried import Tried, Trying
from tests.agreement.random_edits import edits
from tests.support import with_boxes

SEEDS = range(21, 23)
BOOKS = with_boxes()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("edited")


@cache
def trying(name: str, folder: Path) -> Trying:
    return Trying(name, folder, simulated=4, sample=10)


@cache
def tried(name: str, seed: int, folder: Path) -> Tried:
    return trying(name, folder).one(Random(f"{name} {seed}"))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", BOOKS)
def test_what_is_called_the_same_cannot_be_told_apart(name: str, seed: int, folder: Path) -> None:
    one = tried(name, seed, folder)
    assert one.wrong == [], str(one.edit)


def test_that_is_not_nothing(folder: Path) -> None:
    """A guard that the tests above looked at something."""
    every = [tried(name, seed, folder) for name in BOOKS for seed in SEEDS]
    assert sum(one.verdict == "different" for one in every) >= 3
    same = [one for one in every if one.verdict == "same"]
    assert len(same) >= 2
    assert all(one.rounds >= 10 for one in same)


@pytest.mark.parametrize("name", BOOKS)
def test_there_are_edits_of_many_kinds(name: str) -> None:
    kinds = edits(shipped()[name].read_text(encoding="utf-8"))
    assert len(kinds) >= 15
    assert sum(map(len, kinds.values())) > 1_000


def test_a_false_same_would_be_noticed(folder: Path) -> None:
    """The rounds do tell a text from another: with other odds the evaluator says otherwise."""
    book = trying("act-pontoon", folder)
    path = folder / "lost.rules"
    other = next(e for e in edits(book.text)["odds"] if e.where == "14.2#table1")
    path.write_text(other.apply(book.text), encoding="utf-8")
    new = load(path).rulebook
    assert new is not None
    every = list(range(len(book.rounds)))
    assert book.refuted(every, text_in_force(new, None))
