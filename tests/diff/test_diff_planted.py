"""Flaws planted in the five rulebooks, one in each kind of number: each is a class with its hand,
the right statement, and who gains.

The flaws of a book are planted all at once; none of them touches the hands of another.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from checker.diff.diff import Difference, diff
from tests.diff.diff_support import book, text_of, written

OPEN, NOBODY = "open", None
GAP, NO_RIGHT = "no clause says", "no clause allows it"
Flaw = tuple[str, str, str, str, str, str, str | None]
FLAWS: dict[str, list[Flaw]] = {
    # clause, words, what they become; question, was, becomes, who gains
    "act-blackjack": [
        (
            "12.1",
            "dealer.total in 17 to 21",
            "dealer.total in 18 to 21",
            "dealer draw",
            "stands",
            GAP,
            NOBODY,
        ),
        (
            "2.1",
            "in 4 to 8",
            "in 4 to 9",
            "require round",
            "requires round.decks in 4 to 8",
            "allowed",
            NOBODY,
        ),
        (
            "7.1",
            "wager.original / 2",
            "wager.original / 3",
            "require insure",
            "allowed",
            "requires play.stake <= wager.original / 3",
            NOBODY,
        ),
        (
            "7.5(b)",
            "insurance wins when dealer.second in (T, J, Q, K)",
            "insurance wins when dealer.second in (T, J, Q)",
            "insurance.result",
            "wins at 2 to 1",
            GAP,
            OPEN,
        ),
        (
            "9.2(b)",
            "hand.hard_total < 12",
            "hand.hard_total <= 12",
            "player draw",
            "may",
            "must",
            NOBODY,
        ),
        (
            "13.1(g)",
            "hand.total <= 21\n",
            "hand.total < 21\n",
            "main.result",
            "stands off",
            GAP,
            OPEN,
        ),
        (
            "16.6",
            "player.idle_rounds >= 3",
            "player.idle_rounds >= 4",
            "casino vacate_seat",
            "may",
            GAP,
            NOBODY,
        ),
        (
            "17.7#table",
            "50 to 1",
            "51 to 1",
            "super_sevens.result",
            "wins at 50 to 1",
            "wins at 51 to 1",
            "player",
        ),
        (
            "4.5",
            "box.players <= 3",
            "box.players <= 4",
            "require box",
            "requires box.players <= 3",
            "allowed",
            NOBODY,
        ),
        (
            "18.14(b)",
            "12 to 1",
            "11 to 1",
            "perfect_pairs.result",
            "wins at 12 to 1",
            "wins at 11 to 1",
            "house",
        ),
    ],
    "act-pontoon": [
        (
            "14.2#table1",
            "hand.cards >= 7 ",
            "hand.cards > 7 ",
            "main.result",
            "wins at 3 to 1",
            "wins at 1 to 1",
            "house",
        ),
        (
            "14.3#table2",
            "wager.stake < $25",
            "wager.stake <= $25",
            "super_bonus.result",
            "$5,000",
            "clauses clash: $1,000 or $5,000",
            OPEN,
        ),
        (
            "13.1(a)",
            "dealer.soft and dealer.total <= 17",
            "dealer.soft and dealer.total <= 16",
            "dealer draw",
            "draws",
            GAP,
            NOBODY,
        ),
        (
            "2.1",
            "in 3 to 8",
            "in 2 to 8",
            "require round",
            "requires round.decks in 3 to 8",
            "allowed",
            NOBODY,
        ),
        (
            "14.1(b)",
            "hand.total > dealer.total",
            "hand.total >= dealer.total",
            "main.result",
            "stands off",
            "clauses clash: stands off or wins",
            OPEN,
        ),
        (
            "10.2(c)",
            "hand.hard_total < 12",
            "hand.hard_total < 11",
            "player draw",
            "must",
            "may",
            NOBODY,
        ),
        (
            "14.2#table1",
            "6-7-8 and hand.suits = spades ",
            "6-7-8 and hand.suits = hearts ",
            "main.result",
            "wins at 2 to 1",
            "wins, clauses clash: 2 to 1 or 3 to 1",
            OPEN,
        ),
        (
            "18.14(c)",
            "25 to 1",
            "24 to 1",
            "perfect_pairs.result",
            "wins at 25 to 1",
            "wins at 24 to 1",
            "house",
        ),
        (
            "7.4",
            "2 to 1",
            "3 to 1",
            "insurance.result",
            "wins at 2 to 1",
            "wins at 3 to 1",
            "player",
        ),
    ],
    "nz-pontoon": [
        ("11.2#table", "$2 to $24", "$3 to $24", "super_bonus.result", "$1,000", GAP, OPEN),
        (
            "11.2#table",
            "wager.original >= $25",
            "wager.original >= $26",
            "super_bonus.result",
            "$5,000",
            GAP,
            OPEN,
        ),
        (
            "13.4(a)",
            "play.hands_after > 3",
            "play.hands_after > 4",
            "player split",
            "may not",
            "may",
            NOBODY,
        ),
        (
            "3.3(a)",
            "in 4 to 8",
            "in 4 to 7",
            "require round",
            "allowed",
            "requires round.decks in 4 to 7",
            NOBODY,
        ),
        (
            "9.3",
            "may surrender when dealer.first in (A, K, Q, J)",
            "may surrender when dealer.first in (A, K, Q)",
            "player surrender",
            "may",
            NO_RIGHT,
            NOBODY,
        ),
        (
            "14.1(d)",
            "must draw when hand.total <= 11",
            "must draw when hand.total <= 10",
            "player draw",
            "must",
            "may",
            NOBODY,
        ),
        (
            "15.1",
            "box.players <= 3",
            "box.players <= 2",
            "require box",
            "allowed",
            "requires box.players <= 2",
            NOBODY,
        ),
        (
            "11.1#table",
            "hand.cards = 6 and hand.total = 21                             -> 2 to 1",
            "hand.cards = 6 and hand.total = 21 -> 5 to 2",
            "main.result",
            "wins at 2 to 1",
            "wins at 5 to 2",
            "player",
        ),
    ],
    "sa-adelaide-pontoon": [
        (
            "25",
            "insurance wins when dealer.second in (K, Q, J)",
            "insurance wins when dealer.second in (K, Q)",
            "insurance.result",
            "wins at 2 to 1",
            GAP,
            OPEN,
        ),
        (
            "5",
            "in 6 to 8",
            "in 5 to 8",
            "require round",
            "requires round.decks in 6 to 8",
            "allowed",
            NOBODY,
        ),
        (
            "22#2",
            "player.idle_rounds >= 1",
            "player.idle_rounds >= 2",
            "casino vacate_seat",
            "left undecided",
            GAP,
            NOBODY,
        ),
        (
            "99(a)",
            "5 to 1",
            "6 to 1",
            "perfect_pairs.result",
            "wins at 5 to 1",
            "wins at 6 to 1",
            "player",
        ),
        (
            "3",
            "round.highest_box <= 7",
            "round.highest_box < 7",
            "require round",
            "allowed",
            "requires round.highest_box < 7",
            NOBODY,
        ),
        (
            "27#table1",
            "6-7-8 and hand.suits = spades",
            "6-7-8 and hand.suits = clubs",
            "main.result",
            "wins at 3 to 1",
            "wins at 2 to 1",
            "house",
        ),
        (
            "63",
            "main pays 1 to 1",
            "main pays 2 to 1",
            "main.result",
            "wins at 1 to 1",
            "wins at 2 to 1",
            "player",
        ),
    ],
    "nsw-star-pontoon": [
        (
            "15.4",
            "dealer.soft and dealer.total = 17",
            "dealer.soft and dealer.total = 18",
            "dealer draw",
            "stands",
            "clauses clash: draws or stands",
            NOBODY,
        ),
        (
            "16.8.3",
            "25 to 1",
            "24 to 1",
            "perfect_pairs.result",
            "wins at 25 to 1",
            "wins at 24 to 1",
            "house",
        ),
        (
            "14.9",
            "despite 13.8 as splitting.once read as 14.8",
            "",
            "player split",
            "may",
            "may not",
            NOBODY,
        ),
        (
            "17.1.6",
            "2 to 1",
            "1 to 1",
            "insurance.result",
            "wins at 2 to 1",
            "wins at 1 to 1",
            "house",
        ),
        (
            "6.1",
            "in force from 2024-08-19",
            "in force from 2024-08-20",
            "in force 6.1",
            "in force",
            "not in force",
            NOBODY,
        ),
        ("15.4", "dealer.total <= 16", "dealer.total < 16", "dealer draw", "draws", GAP, NOBODY),
    ],
}


def planted(text: str, clause: str, was: str, becomes: str) -> str:
    found = re.search(rf"clause {re.escape(clause)} .*?(?=\n *clause |\n\}}|\Z)", text, re.S)
    assert found is not None, f"there is no clause {clause} any more"
    assert was in found[0], f"clause {clause} does not say {was!r} any more"
    return text[: found.start()] + found[0].replace(was, becomes, 1) + text[found.end() :]


@cache
def compared(name: str, folder: Path) -> Difference:
    from rulespec.load.load import load, shipped

    text = text_of(name)
    for clause, was, becomes, *_ in FLAWS[name]:
        text = planted(text, clause, was, becomes)
    new = written(folder, text)
    whole = load(shipped()[name]).rulebook, load(folder / "changed.rules").rulebook
    assert whole[0] is not None
    assert whole[1] is not None
    return diff(book(name), new, whole=(whole[0], whole[1]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("planted")


@pytest.mark.parametrize(
    ("name", "flaw"),
    [(name, flaw) for name, flaws in FLAWS.items() for flaw in flaws],
    ids=[f"{name} {flaw[0]} {flaw[2]}" for name, flaws in FLAWS.items() for flaw in flaws],
)
def test_a_planted_flaw_is_a_class(name: str, flaw: Flaw, folder: Path) -> None:
    clause, _, becomes_in_words, question, was, becomes, favours = flaw
    found = compared(name, folder)
    assert found.meaning.complete
    mine = [c for c in found.classes if c.question == question]
    told = {(c.was.text, c.becomes.text, c.favours) for c in mine}
    assert (was, becomes, favours) in told
    if question.startswith("in force "):
        return
    (change,) = [c for c in found.structure.changes if c.clause == clause]
    assert change.effect is True
    lines = [x for x in change.lines if becomes_in_words.strip() in x.becomes]
    assert any(x.effect for x in lines)
