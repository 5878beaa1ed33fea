"""Hands, stakes and amounts that stand for others: what they stand for comes out alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from checker.diff.diff import Difference, diff
from checker.diff.hands import space as diff_space
from checker.diff.hands.domains import Domains, domain_of, stakes_of
from checker.diff.hands.joint import Hands, Joint
from checker.diff.hands.side import Side
from checker.diff.meaning import Comparer
from rulespec.load.games import ordinary_game
from rulespec.tree import nodes as t
from tests.diff.diff_support import book, changed, compared, text_of, written

PAIR = ("act-blackjack", "sa-adelaide-pontoon")


def _told(found: Difference) -> Counter[object]:
    return Counter((*c.key, c.circumstances, c.witness is None) for c in found.classes)


def test_hands_are_joined_without_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    """With every hand that some single test tells apart kept, the classes are the same."""
    sizes: list[int] = []
    joined = diff_space.kept_apart

    def kept(
        sides: Iterable[Side],
        hands: Hands,
        domains: Domains,
        of: str,
        more: Callable[[Joint], object],
    ) -> list[Joint]:
        rows = hands.players if of == "player" else hands.dealers
        sizes.append(len(rows) - len(joined(sides, hands, domains, of, more)))
        return rows

    monkeypatch.setattr(diff_space, "kept_apart", kept)
    apart = diff(*(book(name) for name in PAIR))
    assert max(sizes) > 300, "there is much to join"
    assert _told(apart) == _told(compared(*PAIR))
    assert apart.meaning.states == compared(*PAIR).meaning.states


@pytest.mark.parametrize(
    ("amount", "becomes", "shown"),
    [
        # less than half a dollar apart, and a part of the stake
        ("wager.stake <= $24", "wager.stake <= $24.40", range(2401, 2441)),
        ("wager.stake >= $25", "wager.stake / 2 >= $13", range(2500, 2600)),
    ],
)
def test_each_stretch_of_stakes_is_looked_at(
    amount: str, becomes: str, shown: range, tmp_path: Path
) -> None:
    text = changed(text_of("nsw-star-pontoon"), (amount, becomes))
    found = diff(book("nsw-star-pontoon"), written(tmp_path, text))
    stakes = {
        c.witness.around.stake
        for c in found.classes
        if c.question == "super_bonus.result" and c.witness is not None
    }
    assert stakes
    assert stakes <= set(shown)


def test_stakes_that_no_rule_asks_for_are_not_tried() -> None:
    assert stakes_of([]) == [1000]
    comparer = Comparer(book("act-pontoon"), book("nz-pontoon"))
    assert comparer.space(["main.result"], [], comparer.states.dealers()).stakes == [1000]


def test_a_limit_is_less_than_every_stake_and_more_than_every_stake() -> None:
    node = t.Compare(t.Fact("wager.original"), "<", t.Fact("limit.min"))
    stakes = [1000, 450, 500, 2500]
    domain = [
        n
        for n in domain_of(ordinary_game().facts["limit.min"], [node], None, stakes)
        if isinstance(n, int)
    ]
    for stake in stakes:
        assert any(n < stake for n in domain)
        assert stake in domain
        assert any(n > stake for n in domain)


def test_a_side_bet_that_looks_at_more_cards(tmp_path: Path) -> None:
    """Rules of a side bet may ask how many cards the hand has by now."""
    lost = "perfect_pairs loses when not pair"
    text = changed(text_of("act-blackjack"), (lost, f"{lost} and hand.cards < 4"))
    found = diff(book("act-blackjack"), written(tmp_path, text))
    (one,) = [c for c in found.classes if c.question == "perfect_pairs.result" and c.ordinary]
    assert (one.was.text, one.becomes.text) == ("loses", "no clause says")
    assert one.witness is not None
    assert len(one.witness.cards) == 4
    same = changed(text_of("act-blackjack"), (lost, f"{lost} and hand.cards >= 2"))
    assert diff(book("act-blackjack"), written(tmp_path, same)).same_meaning


def test_insurance_that_looks_at_the_hand(tmp_path: Path) -> None:
    won = "insurance wins when dealer.second in (T, J, Q, K)"
    text = changed(text_of("act-blackjack"), (won, f"{won} and hand.total <= 20"))
    found = diff(book("act-blackjack"), written(tmp_path, text))
    (one,) = [c for c in found.classes if c.question == "insurance.result" and c.ordinary]
    assert (one.was.text, one.becomes.text) == ("wins at 2 to 1", "no clause says")
    assert one.witness is not None
