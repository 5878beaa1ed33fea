"""The house edge of a game with named hands, by counting every deal."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from checker.cli import main
from checker.edge.named_hands import named_edges
from checker.evaluate.ready import new_engine
from rulespec.load.load import shipped
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


DRAGON_TIGER_GAME = """\
game dragon_tiger "Dragon Tiger" {
  hands dragon, tiger
  a hand is the rank of its card
  rules may require at round, wager, deal
}

bet dragon "dragon" {
  on the table
}

bet tiger "tiger" {
  on the table
}

bet tie "tie" {
  on the table
}

bet suited_tie "suited tie" {
  on the table
}

deal {
  dragon 1
  tiger 1
}

topic cards "cards"
topic settlement "settlement"
topic payout "odds"

fact round.decks is 1 to 12 "number of decks in use"
fact wager.stake is money "the amount of this wager"
fact dragon.total is 0 to 60 "dragon's card" counts cards
fact tiger.total is 0 to 60 "tiger's card" counts cards
fact deal.in_turn is yes or no "in turn"

moment round knows round
moment wager knows round, wager
moment card_value knows round
moment deal knows round, deal
moment bet knows round, wager
moment settle knows round, wager, dragon, tiger
"""
DRAGON_TIGER = """\
rulebook dt {
  title "Dragon Tiger"
  game dragon_tiger
  in force from 2024-01-01
}

clause 1 "Cards" about cards {
  cards A count 1
  cards 2 to 9 count face
  cards T count 10
  cards J count 11
  cards Q count 12
  cards K count 13
}
clause 2 "Eight decks" about cards {
  at round require round.decks = 8
  at deal require deal.in_turn
}
clause 3 "Results" about settlement {
  dragon wins when dragon.total > tiger.total
  dragon loses when dragon.total < tiger.total
  dragon loses half when dragon.total = tiger.total
  tiger wins when dragon.total < tiger.total
  tiger loses when dragon.total > tiger.total
  tiger loses half when dragon.total = tiger.total
  tie wins when dragon.total = tiger.total
  tie loses when dragon.total != tiger.total
  suited_tie wins when same card of (dragon.first, tiger.first)
  suited_tie loses when not same card of (dragon.first, tiger.first)
}
clause 4 "Odds" about payout {
  dragon pays 1 to 1
  tiger pays 1 to 1
  tie pays 8 to 1
  suited_tie pays 50 to 1
}
"""


@pytest.fixture
def dragon_tiger(tmp_path: Path) -> str:
    (tmp_path / "dragon_tiger.game").write_text(DRAGON_TIGER_GAME, encoding="utf-8")
    rules = tmp_path / "dt.rules"
    rules.write_text(DRAGON_TIGER, encoding="utf-8")
    return str(rules)


def test_cards_that_only_a_card_question_looks_at(
    dragon_tiger: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of the 415 cards that are left one of seven is the dragon's own again."""
    assert main(["edge", dragon_tiger, "--format", "json"]) == 0
    (text,) = json.loads(capsys.readouterr().out)["summary"]["rulebooks"]
    house = {bet["bet"]: bet["decks"][0]["edge"] for bet in text["bets"]}
    assert Fraction(house["suited_tie"]) == 1 - Fraction(51 * 7, 415)
    assert Fraction(house["tie"]) == 1 - Fraction(9 * 31, 415)


def test_both_results_of_a_card_question_apply(
    dragon_tiger: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["check", dragon_tiger, "--format", "json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    assert not [one for one in found if one["code"] in ("R301", "R313")]


# --- bets on cards by their place

PAIRS = """
bet perfect_pair "two cards of one kind, of either hand" {
  on the table
}

bet player_pair "the player's first two cards are of one rank" {
  on the table
}

bet three_suited "three cards of the player of one colour" {
  on the table
}

clause 90 "Pairs" {
  define player_perfect as same card of (player.first, player.second)
  define banker_perfect as same card of (banker.first, banker.second)
  perfect_pair wins when player_perfect or banker_perfect
  perfect_pair loses when not (player_perfect or banker_perfect)
  perfect_pair pays {
    player_perfect and banker_perfect -> 200 to 1
    otherwise                         -> 25 to 1
  }
  player_pair wins when player.first.rank = player.second.rank
  player_pair loses when player.first.rank != player.second.rank
  player_pair pays 11 to 1
}

clause 91 "Three of a colour" {
  three_suited wins when same colour of (player.first, player.second, player.third)
  three_suited loses when not same colour of (player.first, player.second, player.third)
  three_suited pays 3 to 1
}
"""


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.rules"
    text = shipped()["fr-punto-banco"].read_text(encoding="utf-8")
    path.write_text(text + PAIRS, encoding="utf-8")
    return path


def test_pairs_of_both_hands_are_counted_without_dealing_each_card(
    pairs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Seven other cards of 415 make the first pair; then two of the six cards left of that kind,
    or of the eight of another one, make the second."""
    assert main(["edge", str(pairs), "--decks", "8", "--format", "json"]) == 3
    (text,) = json.loads(capsys.readouterr().out)["summary"]["rulebooks"]
    found = {bet["bet"]: next(e for e in bet["decks"] if e["decks"] == 8) for bet in text["bets"]}
    one = Fraction(7, 415)
    both = one * Fraction(6 * 5 + 51 * 8 * 7, 414 * 413)
    either = 2 * (one - both)
    house = 1 - both - either - 25 * either - 200 * both
    assert Fraction(found["perfect_pair"]["edge"]) == house
    assert Fraction(found["player_pair"]["edge"]) == 1 - 12 * Fraction(31, 415)
    assert "deals apart" in found["three_suited"]["undecided"]  # and not waited for


def test_what_too_many_deals_decide_is_said_not_to_be_decided(
    pairs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(pairs), "--format", "json"]) in (1, 3)
    undecided = json.loads(capsys.readouterr().out)["summary"]["undecided"]
    assert [x for x in undecided if "three_suited" in x and "deals apart" in x]
    other = pairs.with_name("other.rules")
    text = pairs.read_text(encoding="utf-8")
    for row, becomes, status in (
        ("-> 25 to 1", "-> 24 to 1", 1),
        ("three_suited pays 3 to 1", "three_suited pays 4 to 1", 3),
    ):
        assert row in text
        other.write_text(text.replace(row, becomes), encoding="utf-8")
        assert main(["diff", str(pairs), str(other)]) == status
        told = capsys.readouterr().out
        assert ("wins at 25 to 1" in told) == (status == 1)
        assert ("deals apart" in told) == (status == 3)
