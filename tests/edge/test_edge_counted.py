"""House edges against counting every deal."""

from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest

from checker.edge.cards import ways
from checker.edge.side_bets import PLAYER, STAKE, edges, engine_for, fresh
from checker.evaluate.engine import Engine
from checker.evaluate.facts.boxes import HOMES
from checker.evaluate.ready import new_engine
from checker.judge.due import side_due
from checker.judge.findings import Verdict
from checker.table.state import Dealt
from tests.edge.edge_support import decks, shipped_book
from tests.support import rulebook, with_boxes

# --- counting every deal, card by card, gives the same


def by_hand(engine: Engine, bet: str, count: int, ranks: str) -> Fraction:
    """The edge by dealing every pair (or triple, or dealer's second card) and settling it."""
    shoe = [rank + suit for rank in ranks for suit in "SHDC"] * count
    weights: dict[tuple[str, ...], int] = {}
    if bet == "insurance":
        first = next(card for card in shoe if card[0] == "A")
        shoe.remove(first)
        for card in shoe:
            weights[first, card] = weights.get((first, card), 0) + 1
    else:
        for cards in permutations(shoe, 3 if bet == "super_sevens" else 2):
            weights[cards] = weights.get(cards, 0) + 1
    total = Fraction(0)
    for cards, times in weights.items():
        table, scene = fresh(engine, bet, count)
        dealt = [Dealt(card, n, n < 2) for n, card in enumerate(cards)]
        box = table.boxes[1]
        if bet == "insurance":
            scene = scene.but(dealer=tuple(dealt))
        else:
            box.received += dealt
            box.hands[1].cards += dealt
        due = side_due(scene, bet, box, PLAYER, STAKE, Verdict())
        assert due.amount is not None
        total += times * (STAKE - due.amount) / STAKE
    return total / sum(weights.values())


@pytest.mark.parametrize("name", with_boxes())
def test_every_deal_of_the_shipped_rulebooks(name: str) -> None:
    engine = new_engine(shipped_book(name))  # the whole rulebook, not the part that edges need
    looked = 0
    for bet in edges(engine):
        if bet.bet == "super_sevens":
            continue  # too many deals; see the test on a short pack
        looked += 1
        edge = bet.edges[0]
        assert by_hand(engine, bet.bet, edge.decks, bet.ranks) == edge.house
    assert looked


SHORT = 'clause 5.2 "Values" { cards 6 to 9 count face }\n'
BETS = {
    "sevens": """
      super_sevens wins when first.rank = 7
      super_sevens loses when first.rank != 7
      super_sevens pays only the highest
      super_sevens pays {
        first.rank = 7                                                  -> 3 to 1
        first.rank = 7 and second.rank = 7                              -> 9 to 1
        first.rank = 7 and second.rank = 7 and first.suit = second.suit -> 20 to 1
        first.rank = 7 and second.rank = 7 and third.rank = 7           -> 50 to 1
        first.rank = 7 and second.rank = 7 and third.rank = 7
          and third.suit = first.suit                                   -> 90 to 1
      }""",
    "red": """
      super_sevens wins when first.colour = red or second.suit = clubs
      super_sevens loses when not (first.colour = red or second.suit = clubs)
      super_sevens pays 1 to 1""",
    "third": """
      super_sevens wins when third.rank = first.rank or third.suit = hearts
      super_sevens loses when third.rank != first.rank and third.suit != hearts
      super_sevens pays 2 to 1""",
    "total": """
      super_sevens wins when hand.total > 21
      super_sevens stands off when hand.total = 21
      super_sevens loses when hand.total < 21 and third.rank != none
      super_sevens pays 3 to 2""",
    "suited": """
      super_sevens wins when hand.suits != mixed and third.rank != 9
      super_sevens loses when hand.suits = mixed or third.rank = 9
      super_sevens pays 7 to 1""",
    "decks": """
      super_sevens wins when first.rank = second.rank and third.rank != 6
      super_sevens loses when first.rank != second.rank or third.rank = 6
      super_sevens pays 5 to 1 when round.decks = 1
      super_sevens pays 4 to 1 when round.decks = 2""",
}


@pytest.mark.parametrize("kind", BETS)
def test_every_deal_of_a_short_pack(kind: str, tmp_path: Path) -> None:
    """Whatever a rule asks of the cards, what is told apart is told apart, and no more."""
    text = decks("in 1 to 2") + SHORT + f'clause 17.1 "Bet" {{ {BETS[kind]} }}\n'
    engine = engine_for(rulebook(tmp_path, text))
    (bet,) = edges(engine)
    assert bet.ranks == "6789"
    for edge in bet.edges:
        assert edge.house is not None, edge.why
        assert sum(p for _, p in edge.outcomes) == 1
        assert by_hand(engine, "super_sevens", edge.decks, bet.ranks) == edge.house
    matters = {"sevens": ("7-7",), "red": (), "third": ("some hands",)}
    assert bet.third_matters == matters.get(kind, bet.third_matters)


def test_ways_counts_cards_that_are_drawn_for_good() -> None:
    pack = [f"{rank}{suit}" for rank in "67" for suit in "SH"]
    sevens, spades = frozenset({"7S", "7H"}), frozenset({"6S", "7S"})
    for places in ([sevens], [sevens, spades], [sevens, sevens, spades], [sevens] * 3 + [spades]):
        for count in (1, 2):
            shoe = list(enumerate(pack * count))
            dealt = permutations(shoe, len(places))
            hits = sum(
                all(card in among for (_, card), among in zip(hand, places, strict=True))
                for hand in dealt
            )
            assert ways(places, count) == hits


def test_only_facts_with_suit_or_colour_in_their_name_read_suits() -> None:
    """The count takes suits for alike when no such fact is named."""
    engine = new_engine(shipped_book("act-blackjack"))
    seen = []
    for cards in (("7S", "7H", "AD"), ("7C", "7D", "AS")):
        table, scene = fresh(engine, "super_sevens", 6)
        dealt = [Dealt(card, n, n < 2) for n, card in enumerate(cards)]
        table.boxes[1].received += dealt
        table.boxes[1].hands[1].cards += dealt
        view = scene.but(
            box=table.boxes[1],
            hand=table.boxes[1].hands[1],
            player=PLAYER,
            dealer=tuple(dealt[:2]),
            stake=STAKE,
        )
        plain = [name for name in HOMES if "suit" not in name and "colour" not in name]
        seen.append({name: view.fact(name) for name in plain})
    assert len(seen[0]) > 100
    assert seen[0] == seen[1]


# --- the main wager

STAND_ONLY = """
clause 1 "Values" {
  cards 2 to 9 count face
  cards T, J, Q, K count 10
  cards A count 1 or 11
}
clause 2 "Dealer" {
  dealer must draw when dealer.total < 17
  dealer must not draw when dealer.total >= 17
}
clause 3 "Player" { may not draw }
clause 4 "Results" {
  main wins when hand.total > dealer.total or dealer.total > 21
  main loses when hand.total < dealer.total and dealer.total <= 21
  main stands off when hand.total = dealer.total
}
clause 5 "Odds" { main pays { hand.total = 21 -> 3 to 2  otherwise -> 1 to 1 } }
"""


def _total(ranks: str) -> int:
    hard = sum(1 if r == "A" else 10 if r in "TJQK" else int(r) for r in ranks)
    return hard + 10 if "A" in ranks and hard <= 11 else hard


def _ends(ranks: str) -> dict[int, Fraction]:
    if _total(ranks) >= 17:
        return {min(_total(ranks), 22): Fraction(1)}
    found: dict[int, Fraction] = {}
    for card in "A23456789TJQK":
        for total, share in _ends(ranks + card).items():
            found[total] = found.get(total, Fraction(0)) + share / 13
    return found


def test_the_main_wager_of_a_game_without_choices_is_its_plain_expectation(tmp_path: Path) -> None:
    from checker.edge.main_wager import main_edge

    ends: dict[int, Fraction] = {}
    for first in "A23456789TJQK":
        for total, share in _ends(first).items():
            ends[total] = ends.get(total, Fraction(0)) + share / 13
    expected = Fraction(0)
    for one in "A23456789TJQK":
        for other in "A23456789TJQK":
            mine = _total(one + other)
            for total, share in ends.items():
                pays = Fraction(3, 2) if mine == 21 else Fraction(1)
                won = pays if mine > total or total > 21 else -1 if mine < total else 0
                expected += share * won / 169
    found = main_edge(rulebook(tmp_path, STAND_ONLY))
    assert found is not None
    assert (found.least, found.most) == (-expected, -expected)
    drawing = STAND_ONLY.replace("may not draw", "may draw when hand.total < 17")
    better = main_edge(rulebook(tmp_path, drawing))
    assert better is not None
    assert better.most < found.most  # a choice never makes the player worse off


def test_a_settlement_that_the_text_leaves_open_gives_two_figures(tmp_path: Path) -> None:
    from checker.edge.main_wager import main_edge

    text = STAND_ONLY.replace("main stands off when", 'main is undecided because "?" when')
    found = main_edge(rulebook(tmp_path, text))
    assert found is not None
    assert found.least < found.most
    assert found.open == ("4",)


@pytest.mark.parametrize("total", [16, 18])  # both say something, and nobody does
def test_no_figure_where_it_is_open_whether_the_dealer_draws(tmp_path: Path, total: int) -> None:
    from checker.edge.main_wager import main_edge

    text = STAND_ONLY.replace("dealer.total >= 17", f"dealer.total >= {total}")
    found = main_edge(rulebook(tmp_path, text))
    assert found is not None
    assert (found.least, found.most) == (None, None)
    (gap,) = found.missing
    assert gap.clause == "2"
    assert "leave open whether the dealer draws to" in gap.why
