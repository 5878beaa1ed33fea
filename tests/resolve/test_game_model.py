"""What a rulebook's game tells an interpreter."""

from __future__ import annotations

from rulespec.load.load import load, shipped
from rulespec.tree import game as g


def _game(name: str) -> g.Game:
    book = load(shipped()[name]).rulebook
    assert book is not None
    return book.game


def test_the_game_of_a_rulebook_keeps_the_name_that_the_header_uses() -> None:
    assert (_game("act-blackjack").called, _game("act-blackjack").name) == (
        "blackjack",
        "twentyone",
    )


def test_plays_are_found_by_the_word_of_the_log() -> None:
    plays = _game("act-pontoon").plays
    assert plays["hit"].name == "draw"
    assert plays["double"].effect(g.AddsStake) == g.AddsStake("double")
    assert "decide" not in plays


def test_the_parts_of_the_money_come_from_the_actions() -> None:
    assert _game("act-pontoon").parts == ("original", "double", "split")


def test_a_bet_that_nobody_stakes_on_is_only_settled() -> None:
    bets = _game("nsw-star-pontoon").bets
    assert [name for name, bet in bets.items() if bet.settle_only] == ["super_bonus"]
