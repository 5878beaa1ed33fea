"""The edge of bets that a rulebook declares for itself."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path

import pytest

from checker.cli import main
from checker.edge.declared_bets import declared_bets, declared_edges
from checker.edge.player_edges import check_edges
from checker.edge.side_bets import BetEdges
from checker.evaluate.card_terms import ORDER
from tests.edge.edge_support import decks
from tests.evaluate.engine_support import CARDS, PLAYS, RESULTS
from tests.support import rulebook

BETS = """
choice table in (1, 2) "pay table"
meter jackpot "the jackpot"
bet match "Match" { decided by first, second, dealer.first }
bet poker "21+3" { decided by first, second, dealer.first }
bet over "Over" { decided by first, second }
bet vague "Vague" { on the box }
"""
MATCH = """
clause 6 "Match" {
  match wins when count of (first, second) with rank = dealer.first.rank >= 1
  match loses when count of (first, second) with rank = dealer.first.rank = 0
  match pays {
    first.rank = dealer.first.rank and first.suit = dealer.first.suit -> 11 to 1
    first.rank = dealer.first.rank and first.suit != dealer.first.suit -> 4 to 1
  }
  match pays {
    second.rank = dealer.first.rank and second.suit = dealer.first.suit -> 11 to 1
    second.rank = dealer.first.rank and second.suit != dealer.first.suit -> 4 to 1
  }
  match pays the sum of its rows
}
"""
POKER = """
clause 7 "21+3" {
  poker wins when not poker rank of (first, second, dealer.first) in (high_card, pair)
  poker loses when poker rank of (first, second, dealer.first) in (high_card, pair)
  poker pays 9 to 1 when choice table = 1
  poker pays 10 to 1 when choice table = 2
}
"""


def edges_of(folder: Path, bet: str, *texts: str) -> list[BetEdges]:
    book = rulebook(folder, "".join((CARDS, BETS, *texts)))
    [declared] = [one for one in declared_bets(book) if one.name == bet]
    return declared_edges(book, declared)


def house(edges: BetEdges, decks: int) -> str:
    edge = edges.at(decks)
    assert edge is not None
    assert edge.house is not None
    return f"{float(edge.house) * 100:.4f}"


def test_published_edges(tmp_path: Path) -> None:
    """Match the Dealer at 4 and 11 to 1, and 21+3 at 9 to 1, are worked out in many books."""
    [match] = edges_of(tmp_path, "match", MATCH)
    assert [house(match, n) for n in (6, 8)] == ["4.0618", "2.2280"]
    low, high = edges_of(tmp_path, "poker", POKER)
    assert (low.chosen, high.chosen) == ((("table", "1"),), (("table", "2"),))
    assert [house(low, n) for n in (6, 8)] == ["3.2386", "2.7360"]
    assert float(house(high, 6)) < 0


def test_the_same_as_by_counting_every_deal(tmp_path: Path) -> None:
    """Three cards of one deck, one after the other, no rule involved."""
    text = """
    clause 8 "Between" {
      match wins when first.order < dealer.first.order and dealer.first.order < second.order
      match stands off when first.rank = second.rank and same suit of (second, dealer.first)
      match loses when not (first.order < dealer.first.order and dealer.first.order < second.order)
        and not (first.rank = second.rank and same suit of (second, dealer.first))
      match pays 2 to 1 when first.suit = hearts
      match pays 3 to 2 when first.suit != hearts and first.points = 10
      match pays 1 to 1 when first.suit != hearts and first.points != 10
    }
    """
    [found] = edges_of(tmp_path, "match", text, decks("= 1"))
    deck = [rank + suit for rank in ORDER for suit in "SHDC"]
    won = Fraction(0)
    for first, second, dealer in itertools.permutations(deck, 3):
        place = {card: ORDER.index(card[0]) for card in (first, second, dealer)}
        if place[first] < place[dealer] < place[second]:
            ten = first[0] in "TJQK"
            won += 2 if first[1] == "H" else Fraction(3, 2) if ten else 1
        elif not (first[0] == second[0] and second[1] == dealer[1]):
            won -= 1
    edge = found.at(1)
    assert edge is not None
    assert edge.house == -won / (52 * 51 * 50)


@pytest.mark.parametrize(
    ("clause", "why"),
    [
        ("over wins when dealer.total > 21", "`dealer.total`"),
        ("over wins when same suit of (first, third)", "the cards of `third`"),
        ("over wins when dealer.first.suit = hearts", "`dealer.first.suit`"),
        ("over wins when meter jackpot > $50", "the meter `jackpot`"),
        ("over wins when player has match", "whether somebody has `match`"),
        ("over wins when first.rank = A", "no clause gives an answer"),
        ("over wins when points of (first, second) > round.decks", "hangs on decks"),
        ("over wins over pays $50", "whether the stake goes back"),
        ("over wins over pays 5 % of meter jackpot", "meter `jackpot`"),
    ],
)
def test_what_is_not_modelled_is_named(tmp_path: Path, clause: str, why: str) -> None:
    odds = "" if "pays" in clause else "over pays 1 to 1"
    text = f'clause 9 "Over" {{ {clause} {odds} }}\n'
    [found] = edges_of(tmp_path, "over", text, decks("= 6"))
    edge = found.at(6)
    assert edge is not None
    assert edge.house is None
    assert why in (edge.why or "")


def test_a_bet_that_no_cards_decide_is_undecided(tmp_path: Path) -> None:
    text = 'clause 9 "Vague" { vague wins when dealer.total > 21 vague pays 1 to 1 }\n'
    [found] = edges_of(tmp_path, "vague", text, decks("= 6"))
    assert found.edges[0].why == ": no cards are declared that decide it"


def test_check_and_the_command_tell_of_declared_bets(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    generous = POKER.replace("10 to 1", "11 to 1")
    book = rulebook(tmp_path, CARDS + BETS + generous + decks("= 6"))
    [found] = check_edges(book)
    assert found.code == "R301"
    assert "`poker table=2` gives the player the edge" in found.message
    file = tmp_path / "text.rules"
    [source] = [path for path in tmp_path.iterdir() if path.suffix == ".rules"]
    text = source.read_text() + 'clause 9 "Vague" { vague wins vague pays 5 % of meter jackpot }\n'
    file.write_text(text)
    main(["edge", str(file), "--format", "json"])
    shown = json.loads(capfd.readouterr().out)
    [told] = shown["summary"]["rulebooks"]
    assert [(bet["bet"], bet["chosen"]) for bet in told["bets"]] == [
        ("poker", {"table": "1"}),
        ("poker", {"table": "2"}),
        ("vague", {}),
    ]


def test_the_main_wager_for_each_choice(tmp_path: Path) -> None:
    from checker.edge.main_wager import main_choices, main_edge

    text = (
        CARDS
        + PLAYS
        + RESULTS
        + BETS
        + """
    clause 5 "Odds" {
      main pays 1 to 1 when choice table = 1
      main pays 6 to 5 when choice table = 2
    }
    """
    )
    book = rulebook(tmp_path, text)
    assert main_choices(book) == [(("table", "1"),), (("table", "2"),)]
    low, high = (main_edge(book, chosen) for chosen in main_choices(book))
    assert low is not None
    assert high is not None
    assert low.least is not None
    assert high.least is not None
    assert low.least > high.least
    again = 'action again "again" { logged deals 1 }\nclause 8 "Again" { may again }\n'
    left = main_edge(rulebook(tmp_path, text + again), (("table", "1"),))
    assert left is not None
    assert left.least is None
    assert [m.clause for m in left.missing] == ["8"]
