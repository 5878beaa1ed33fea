"""The house edge of a game with named hands, by counting every deal."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from checker.cli import main
from checker.edge.named_hands import named_edges
from checker.evaluate.ready import new_engine
from tests.edge.edge_support import shipped_book


@pytest.fixture(scope="module")
def edges() -> dict[tuple[str, int], Fraction]:
    found = named_edges(new_engine(shipped_book("fr-punto-banco")), None, 8)
    return {(bet.bet, edge.decks): edge.house for bet in found for edge in bet.edges if edge.house}


@pytest.mark.parametrize(
    ("bet", "decks", "percent"),
    [
        ("player", 8, "1.2351"),
        ("banker", 8, "1.0579"),
        ("tie", 8, "14.3596"),
        ("player", 6, "1.24"),
        ("banker", 6, "1.06"),
        ("tie", 6, "14.44"),
    ],
)
def test_the_published_figures(
    edges: dict[tuple[str, int], Fraction], bet: str, decks: int, percent: str
) -> None:
    places = len(percent.partition(".")[2])
    assert round(edges[bet, decks] * 100, places) == Fraction(percent)


def test_the_figures_are_exact(edges: dict[tuple[str, int], Fraction]) -> None:
    # the published numbers of orders of six cards out of eight decks
    banker, player, tie = 2292252566437888, 2230518282592256, 475627426473216
    all_ = banker + player + tie
    assert edges["tie", 8] == Fraction(all_ - 9 * tie, all_)
    assert edges["player", 8] == Fraction(banker - player, all_)
    assert edges["banker", 8] == Fraction(20 * player - 19 * banker, 20 * all_)


def test_the_command_prices_all_bets(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["edge", "fr-punto-banco", "--format", "json"]) == 0
    (text,) = json.loads(capsys.readouterr().out)["summary"]["rulebooks"]
    assert [bet["bet"] for bet in text["bets"]] == ["player", "banker", "tie"]
    assert {edge["decks"] for bet in text["bets"] for edge in bet["decks"]} == {6}


def test_decks_that_the_text_does_not_permit_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["edge", "fr-punto-banco", "--decks", "8", "--bet", "tie"]) == 0
    told = capsys.readouterr()
    assert "14.3596 %" in told.out
    assert "8 decks are not what fr-punto-banco permits (55-14#1)" in told.err
