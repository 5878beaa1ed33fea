"""Keys that are made of parts, and what is known again by one word."""

from __future__ import annotations

from datetime import date

import pytest

np = pytest.importorskip("numpy")
numba = pytest.importorskip("numba")

from checker.columns import desk as d
from checker.columns.judge import quiet
from checker.columns.judge_batch import prepare
from checker.columns.machine.compile import numbers_at
from checker.columns.rules.head import (
    BOX_WITH_SEAT,
    ENDING_IN_PARTS,
    IF_MARKED,
    PLAIN_POINTS,
    RESULT_IN_PARTS,
    SEAT,
)
from checker.columns.rules.looked_at import seat, told_by_cards, told_by_seat
from checker.columns.rules.looker import Looked
from checker.replay.replay import Library
from rulespec.load.load import load, shipped
from tests.support import with_boxes

TEST = {("=", 1)}


def facts(*names: str) -> Looked:
    return Looked({name: set(TEST) for name in names})


def with_sum(found: Looked, one: str, other: str) -> Looked:
    found.sums[(one, 1), (other, -1)] = {(">=", 0)}
    return found


def test_only_the_cards_tell_of_hands_and_of_the_dealer() -> None:
    found = facts("hand.total", "dealer.first", "wager.stake", "player.card", "option tournament")
    assert told_by_cards(found) == {"hand.total", "dealer.first"}


def test_marks_of_a_hand_that_was_played_otherwise_are_no_part_of_either() -> None:
    assert told_by_cards(facts("hand.doubled", "hand.total")) == {"hand.total"}


def test_a_sum_of_a_wager_and_cards_cannot_be_parted() -> None:
    assert told_by_cards(with_sum(facts("hand.total"), "wager.stake", "hand.total")) is None
    assert told_by_cards(with_sum(facts("hand.total"), "dealer.total", "hand.total")) is not None


def test_what_neither_wagers_nor_hands_tell_is_not_parted() -> None:
    assert told_by_cards(facts("hand.total", "first.rank")) is None


def test_a_box_that_is_asked_about_the_cut_card_is_asked_at_once() -> None:
    assert told_by_seat(facts("box.players", "limit.box_max"))
    assert not told_by_seat(facts("box.players", "shoe.cut_card_first"))
    assert not told_by_seat(facts("box.players", "player.card"))


def test_a_seat_is_told_by_all_that_its_wager_box_and_later_questions_look_at() -> None:
    later = facts("hand.total", "hand.doubled", "player.card", "wager.over_maximum")
    program = seat(
        facts("wager.under_minimum"),
        facts("box.number"),
        [
            (later, frozenset({"hand.total"})),
        ],
    )
    assert program is not None
    assert program.looks == {
        "wager.under_minimum",
        "box.number",
        "player.card",
        "wager.over_maximum",
    }


def test_later_nobody_asks_whether_a_wager_came_after_the_call() -> None:
    assert seat(facts("wager.after_call"), None, []) is not None
    assert seat(None, None, [(facts("wager.after_call"), frozenset())]) is None


@pytest.mark.parametrize("name", with_boxes())
def test_the_rulebooks_are_judged_by_parts(name: str) -> None:
    book = load(shipped()[name]).rulebook
    assert book is not None
    prepared = prepare(Library([book]))
    start = prepared.period(0, date(2026, 3, 1).toordinal())
    head = prepared.code[start:]
    assert head[SEAT] > 0
    in_parts = name != "nz-pontoon"  # whose text looks at the first two cards of a box
    assert head[ENDING_IN_PARTS] == IF_MARKED * in_parts
    assert head[RESULT_IN_PARTS] == IF_MARKED * in_parts
    assert head[BOX_WITH_SEAT] == 1
    assert all(points >= 0 for points in head[PLAIN_POINTS + 1 : PLAIN_POINTS + 9])


@numba.njit
def numbered(desk, firsts, seconds, found):  # type: ignore[no-untyped-def]
    w = numbers_at(desk)
    for k in range(len(firsts)):
        found[k] = quiet.kind_of(w, firsts[k], seconds[k])


@numba.njit
def noted(desk, words, note):  # type: ignore[no-untyped-def]
    w = numbers_at(desk)
    found = 0
    for word in words:
        place = quiet.place_of(d.QUIET_DEALS, d.QUIET_DEAL_BITS, word)
        if note:
            quiet.note_quiet(w, place, word)
        found += quiet.is_noted(w, place, word)
    return found


def test_each_kind_has_a_number_of_its_own_until_there_are_too_many() -> None:
    desk = np.zeros(d.DESK_SIZE, np.int64)
    firsts = np.arange(400, dtype=np.int64) // 2
    seconds = np.arange(400, dtype=np.int64) % 2 + 1
    found = np.zeros(400, np.int64)
    numbered(desk, firsts, seconds, found)
    given = found[found > 0]
    assert len(set(given.tolist())) == len(given) >= 200
    assert 0 in found  # there was no room for all
    again = np.zeros(400, np.int64)
    numbered(desk, firsts, seconds, again)
    assert (again == found).all()


def test_a_word_is_known_again_and_no_other() -> None:
    desk = np.zeros(d.DESK_SIZE, np.int64)
    words = np.array([(like << 3 | 1 << 62) for like in range(1, 200)], np.int64)
    assert noted(desk, words, False) == 0
    assert noted(desk, words, True) == len(words)
    assert noted(desk, words[-2:], False) == 2
    assert noted(desk, words + 1, False) == 0
    assert noted(desk, np.zeros(3, np.int64), True) == 0  # no kind, no word
