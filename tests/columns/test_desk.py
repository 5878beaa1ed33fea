"""The working memory of the judge: no two things stand in the same place."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

pytest.importorskip("numba")

from checker.columns import desk as d
from checker.columns.rules import head

BLOCKS = [
    ("facts", 0, d.FACT_COUNT),
    ("round", d.R_SUBSEQUENT, d.R_WIDTH),
    ("kept", d.R_STAMP, d.AROUND - d.R_STAMP),
    ("around", d.AROUND, d.BOXES),
    ("places", d.PLACE, d.BOXES),
    ("boxes touched", d.BOX_TOUCHED, d.BOXES),
    ("hands touched", d.HAND_TOUCHED, d.BOXES * d.MOST_HANDS),
    ("dealer", d.D_N, d.D_WIDTH),
    ("boxes", d.B, d.BOXES * d.BOX_WIDTH),
    ("hands", d.H, d.BOXES * d.MOST_HANDS * d.HAND_WIDTH),
    ("players", d.P, d.MOST_PLAYERS * d.PLAYER_ROW),
    ("wagers", d.T, d.MOST_WAGERS * d.BET_ROW),
    ("insurance", d.S, d.MOST_INSURED * d.INSURED_ROW),
    ("seats", d.SEAT, d.BOXES * d.MOST_RIDERS * d.SEAT_WIDTH),
    ("rides", d.RIDES, d.BOXES * d.MOST_HANDS * d.MOST_PLAYERS),
    ("settlements", d.Z, d.Z_WIDTH * d.MOST_SETTLED),
    ("next cards", d.NEXT_DEAL - 1, d.MOST_EVENTS + 1),
    ("noted", d.NOTED, 2 * d.MOST_NOTED),
    ("missing", d.MISS, d.FACT_COUNT),
    ("units", d.UNITS, d.MOST_UNITS),
    ("moved", d.MOVED, d.MOVED_WIDTH << d.MOVED_BITS),
    ("endings", d.ENDINGS, 2 * d.ENDING_WIDTH << d.ENDING_BITS),
    ("dealt", d.DEALT, d.DEALT_WIDTH << d.DEALT_BITS),
    ("played", d.PLAYED, d.PLAYED_WIDTH << d.PLAYED_BITS),
    ("seated", d.SEATED, d.SEATED_WIDTH << d.SEATED_BITS),
    ("quiet deals", d.QUIET_DEALS, 1 << d.QUIET_DEAL_BITS),
    ("quiet plays", d.QUIET_PLAYS, 1 << d.QUIET_PLAY_BITS),
    ("kinds", d.KINDS, 2 * d.MOST_KINDS),
    ("the end", d.DESK_SIZE, 0),
]
# What a row holds, with how many words of it: one, if nothing is said.
ROWS = {
    "B_": (d.BOX_WIDTH, {"CARD": 3, "CARD_N": 3, "PAIRS": 2, "ORDER": d.MOST_HANDS}),
    "H_": (
        d.HAND_WIDTH,
        {
            "CODE": d.MOST_CARDS,
            "N": d.MOST_CARDS,
            "RIDER": d.MOST_RIDERS * d.RIDER_WIDTH,
        },
    ),
    "RIDER_": (d.RIDER_WIDTH, {"KEYS": 2 * d.KEY_WIDTH, "SEAT": 2 * d.SEAT_WORDS, "WIDTH": 0}),
    "P_": (d.PLAYER_ROW, {}),
    "T_": (d.BET_ROW, {}),
    "S_": (d.INSURED_ROW, {}),
}


def test_blocks_follow_each_other() -> None:
    for (name, start, size), (_, following, _) in pairwise(BLOCKS):
        assert start + size <= following, name


def test_what_a_text_says_stands_behind_its_programs_one_after_the_other() -> None:
    one = head.Layout(7)
    assert [one.room(), one.room(3), one.room(), one.end] == [7, 8, 11, 12]
    assert head.POINTS == head.QUESTION_COUNT
    assert head.MADE_AT + head.MOST_MADE == head.HEAD


@pytest.mark.parametrize("prefix", ROWS)
def test_a_row_holds_everything_once(prefix: str) -> None:
    width, sizes = ROWS[prefix]
    held = Counter[int]()
    for name, at in vars(d).items():
        if name.startswith(prefix) and sizes.get(name.removeprefix(prefix)) != 0:
            held.update(range(at, at + sizes.get(name.removeprefix(prefix), 1)))
    assert held
    assert max(held.values()) == 1
    assert max(held) < width
