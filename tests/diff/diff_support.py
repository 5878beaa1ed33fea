"""What the tests of the comparison share: the five rulebooks, and each pair compared once."""

from __future__ import annotations

import itertools
from functools import cache
from pathlib import Path

from checker.diff.diff import Difference, diff
from rulespec.load.load import load, shipped
from rulespec.resolve.in_force import text_in_force
from rulespec.resolve.rulebook import Rulebook
from tests.support import all_or_some, with_boxes

BOOKS = with_boxes()
EVERY_PAIR = list(itertools.combinations(BOOKS, 2))
# each rulebook with two others; a test that goes over the pairs is marked `slow`
SOME_PAIRS = [
    ("act-blackjack", "act-pontoon"),
    ("act-pontoon", "nz-pontoon"),
    ("nsw-star-pontoon", "nz-pontoon"),
    ("nsw-star-pontoon", "sa-adelaide-pontoon"),
    ("act-blackjack", "sa-adelaide-pontoon"),
]
PAIRS = all_or_some(EVERY_PAIR, SOME_PAIRS)
assert set(SOME_PAIRS) < set(EVERY_PAIR)


@cache
def text_of(name: str) -> str:
    return shipped()[name].read_text(encoding="utf-8")


@cache
def book(name: str) -> Rulebook:
    rulebook = load(shipped()[name]).rulebook
    assert rulebook is not None
    return text_in_force(rulebook, None)


@cache
def compared(old: str, new: str) -> Difference:
    return diff(book(old), book(new))


def written(folder: Path, text: str, name: str = "changed.rules") -> Rulebook:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    loaded = load(path)
    assert loaded.usable, [d.message for d in loaded.diagnostics if d.unusable]
    assert loaded.rulebook is not None
    return text_in_force(loaded.rulebook, None)


def changed(text: str, *pairs: tuple[str, str]) -> str:
    for before, after in pairs:
        assert before in text, f"the text has no {before!r} any more"
        text = text.replace(before, after)
    return text
