"""The hands on which texts are compared tell apart what rules can: else it is not decided."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.diff.diff import diff
from checker.diff.without_effect import EffectOfChanges
from checker.states.diagram import OutOfTime
from tests.diff.diff_support import written

GAME = """
rulebook small { title "Small" in force from 2020-01-01 }
clause 1 "Values" {
  cards 2 to 9 count face
  cards T, J, Q, K count 10
  cards A count 1 or 11
}
clause 2 "Dealer" {
  dealer must draw when dealer.total <= 16
  dealer must not draw when dealer.total >= 17
}
clause 3 "Player" {
  may draw when hand.total < 21 may stand may double when hand.cards = 2
  may split when hand.equal_value and play.hands_after <= 4 may insure when dealer.first = A
}
clause 4 "Results" {
  main wins when hand.total <= 21 and (dealer.total > 21 or hand.total > dealer.total)
  main loses when hand.total > 21 or (dealer.total <= 21 and hand.total < dealer.total)
  main stands off when hand.total <= 21 and hand.total = dealer.total
}
clause 5 "Odds" { main pays 1 to 1 }
clause 7 "Side bets" {
  insurance wins when dealer.second = K insurance loses when dealer.second != K
  insurance pays 2 to 1
  perfect_pairs wins when first.rank = second.rank
  perfect_pairs loses when first.rank != second.rank
  perfect_pairs pays 5 to 1
}
"""


@pytest.mark.parametrize(
    ("rule", "was", "becomes"),
    [
        ("main pays 2 to 1 when first.rank = {}", "4", "5"),
        ("main pays 2 to 1 when second.rank = {}", "K", "Q"),
        ("main pays 2 to 1 when third.rank = {}", "5", "6"),
        ("main pays 2 to 1 when dealer.second in (2, 3, 4, 5, {})", "6", "7"),
        ("main pays 2 to 1 when dealer.aces > {}", "5", "6"),
        ("main pays 2 to 1 when box.players > {}", "3", "4"),
        ("main pays 2 to 1 when box.hands > {}", "2", "3"),
        ("main pays 2 to 1 when hand.number > {}", "2", "3"),
        ("main pays 2 to 1 when wager.stake > ${}", "100", "200"),
        ("main pays 2 to 1 when settlement.count > {}", "4", "5"),
        ("may not split when play.hands_after > {}", "2", "3"),
        ("may not double when box.hands > {}", "2", "3"),
        (
            "must draw when hand.doubled and not hand.double_card_dealt and hand.total < {}",
            "10",
            "11",
        ),
        ("must draw when hand.total > {}", "21", "22"),
        ("dealer must draw when dealer.total > {}", "21", "22"),
        ("perfect_pairs pays 9 to 1 when first.suit = {}", "diamonds", "clubs"),
        # first cards that no player may leave, and a shared hand that nobody doubled
        ("must draw when hand.total < 12 perfect_pairs pays 9 to 1 when first.rank = {}", "3", "4"),
        ("main pays 2 to 1 when not hand.doubled and box.players > {}", "1", "2"),
        ("may not stand when box.players > {}", "1", "2"),
        ("at box require box.players <= {}", "3", "4"),
        ("insurance pays 9 to 1 when hand.total = {}", "20", "19"),
        ("perfect_pairs pays 9 to 1 when hand.cards = {}", "3", "4"),
    ],
)
def test_what_rules_can_tell_apart_is_told_apart(
    tmp_path: Path, rule: str, was: str, becomes: str
) -> None:
    old, new = (
        GAME + f'clause 6 "Special" {{ despite 2, 3, 5, 7 {rule.format(x)} }}'
        for x in (was, becomes)
    )
    found = diff(written(tmp_path, old, "old.rules"), written(tmp_path, new, "new.rules"))
    assert found.classes
    (change,) = found.structure.changes
    assert change.effect is True


@pytest.mark.parametrize(
    ("rule", "was", "becomes"),
    [
        ("main pays 2 to 1 when second.suit = {}", "diamonds", "clubs"),
    ],
)
def test_what_the_hands_do_not_show_is_not_decided(
    tmp_path: Path, rule: str, was: str, becomes: str
) -> None:
    old, new = (
        GAME + f'clause 6 "Special" {{ despite 5, 7 {rule.format(x)} }}' for x in (was, becomes)
    )
    found = diff(written(tmp_path, old, "old.rules"), written(tmp_path, new, "new.rules"))
    assert not found.same_meaning
    assert not found.decided
    if not found.classes:
        (one,) = found.meaning.undecided
        assert "the hands compared do not show all of" in one.reason


@pytest.mark.parametrize(
    ("rule", "was", "becomes", "moment"),
    [
        ("may not draw when hand.stood and hand.total >= {}", "12", "13", "has stood"),
        ("may not draw when hand.split and hand.cards >= {}", "2", "1", "second card"),
        ("must draw when hand.split_aces and hand.cards < {}", "2", "1", "second card"),
        ("main wins when hand.short and dealer.total > {}", "21", "22", "left short"),
        (
            "define lagging as hand.short and hand.total < {} main wins when lagging",
            "12",
            "13",
            "left short",
        ),
    ],
)
def test_where_wordings_part_only_at_a_moment_that_is_not_looked_at(
    tmp_path: Path, rule: str, was: str, becomes: str, moment: str
) -> None:
    old, new = (
        GAME + f'clause 6 "Special" {{ despite 3, 4, 5 {rule.format(x)} }}' for x in (was, becomes)
    )
    found = diff(written(tmp_path, old, "old.rules"), written(tmp_path, new, "new.rules"))
    assert not found.same_meaning
    assert found.classes or any(moment in one.reason for one in found.meaning.undecided)


def test_an_order_that_holds_at_times(tmp_path: Path) -> None:
    old = (
        GAME
        + """
clause 6 "Special" { main pays 2 to 1 when hand.soft }
reading six { because "the special rule" 6 prevails over 5 when hand.total <= 18 }
"""
    )
    new = old.replace("hand.total <= 18", "hand.total <= 19")
    found = diff(written(tmp_path, old, "old.rules"), written(tmp_path, new, "new.rules"))
    (one,) = found.classes
    assert one.was.text == "wins, clauses clash: 1 to 1 or 2 to 1"
    assert one.becomes.text == "wins at 2 to 1"
    ((_, reading),) = found.structure.others
    (line,) = reading.lines
    assert (line.was, line.effect) == ("6 prevails over 5 when hand.total <= 18", True)
    same = old.replace("hand.total <= 18", "hand.total <= 18 and hand.cards < 20")
    found = diff(written(tmp_path, old, "old.rules"), written(tmp_path, same, "new.rules"))
    assert found.same_meaning
    assert [line.effect for _, line in found.structure.without_effect] == [False]


def test_no_time_is_left_to_say_what_hides_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object) -> None:
        raise OutOfTime

    monkeypatch.setattr(EffectOfChanges, "_question", late)
    old, new = (
        written(tmp_path, text, name)
        for text, name in (
            (GAME, "old.rules"),
            (GAME.replace("main pays 1 to 1", "main pays 2 to 1"), "new.rules"),
        )
    )
    found = diff(old, new, 60.0)
    assert found.classes
    assert [change.effect for change in found.structure.changes] == [None]
