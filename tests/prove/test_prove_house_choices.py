"""What the house offers and chooses, and the deals that hang on it, in the search over hands."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.evaluate.ready import new_engine
from checker.prove.issues import Proven
from checker.prove.prove import prove
from checker.states.not_modelled import left_out
from tests.prove.test_prove_hole_card import TEXT
from tests.support import rulebook

HEADER = "rulebook us { game blackjack in force from 2020-01-01 }\n"
HOLE = """
option hole "a card is dealt to the dealer face down"
option open_hole "the same face up"
deal when option hole { each box 1 up  dealer 1 up  each box 1 up  dealer 1 down }
deal when option open_hole { each box 1 up  dealer 1 up  each box 1 up  dealer 1 up }
"""
SOUND = TEXT.replace("NATURAL", "hand.cards >= 2").replace("TIE", "hand.cards >= 2")


def found_in(folder: Path, clause: str, deal: str = "", text: str = SOUND) -> list[Proven]:
    book = rulebook(folder, f'{deal}{text}clause 9 "More" {{ {clause} }}\n', HEADER)
    proofs = prove(book)
    assert not proofs.not_dealt
    return [one for one in proofs.found if one.code in ("R310", "R311")]


CHOICE = 'choice soft in (stand, hit) "soft 17"\n'


def test_a_contradiction_in_what_the_house_chooses(tmp_path: Path) -> None:
    clause = "dealer must draw when dealer.total = 17 and dealer.soft and choice soft = hit"
    found = found_in(tmp_path, clause, CHOICE)
    assert found
    for one in found:
        assert {rule.clause for rule in one.rules} == {"6", "9"}
        assert one.witness is not None
        assert one.witness.around.options == ("soft=hit",)
    kept = SOUND.replace("when dealer.total > 16 or", "when dealer.total > 17 or")
    assert found_in(tmp_path, clause, CHOICE, kept) == []


@pytest.mark.parametrize(("deal", "times"), [("", 0), (HOLE, 1)])
def test_the_dealer_has_two_cards_while_players_choose(
    tmp_path: Path, deal: str, times: int
) -> None:
    """With a hole card, a duty to draw on two cards meets the ban to draw before players are
    done; without one the dealer has a single card then."""
    bare = SOUND.replace("when dealer.total <= 16 and not", "when dealer.cards = 2 and not")
    bare = bare.replace("when dealer.total > 16 or", "when dealer.cards > 2 or")
    clause = "dealer must not draw when not dealer.players_done and dealer.cards = 2"
    found = found_in(tmp_path, clause, deal, bare)
    assert len(found) == times
    for one in found:
        assert one.witness is not None
        assert "0:" in one.witness.play.splitlines()[1].partition("0:")[2], "dealt two cards"
        assert "reveal" not in one.witness.play


def test_a_choice_of_a_player_under_an_option_is_shown_by_its_deal(tmp_path: Path) -> None:
    clause = """
      must draw when hand.total < 9 and option hole
      } clause 10 "Bans" {
      may not draw when dealer.first = A and hand.cards = 2
    """
    found = [one for one in found_in(tmp_path, clause, HOLE) if one.code == "R310"]
    [one] = found
    assert one.witness is not None
    assert one.witness.around.options == ("hole",)
    assert ":down" in one.witness.play
    assert "reveal" not in one.witness.play


def test_a_permission_has_the_option_that_it_asks_for(tmp_path: Path) -> None:
    late = 'option late "late surrender"\noption rare "another"\n'
    clause = """
      may surrender when option late
      } clause 10 "Bans" {
      may not surrender when dealer.first = A
    """
    [found] = found_in(tmp_path, clause, late)
    assert (found.code, found.witness and found.witness.around.options) == ("R311", ("late",))
    banned = clause.replace("dealer.first = A", "option rare")
    assert found_in(tmp_path, banned, late) == [], "a ban for rare tables is what a ban is for"


def left(folder: Path, clause: str, deal: str) -> list[str]:
    book = rulebook(folder, f'{deal}{SOUND}clause 9 "More" {{ {clause} }}\n', HEADER)
    return [str(one) for one in left_out(new_engine(book))]


def test_what_players_see_of_the_second_card_is_named(tmp_path: Path) -> None:
    plain = "may surrender when dealer.first = A"
    assert left(tmp_path, plain, HOLE) == []
    assert left(tmp_path, "may surrender when dealer.total = 20", HOLE) == [
        "clause 9: `dealer.total` while players choose when option hole: not searched",
        "clause 9: `dealer.total` while players choose when option open_hole: not searched",
    ]
    always = HOLE[HOLE.index("deal when option hole") :].partition("\n")[0]
    assert left(tmp_path, plain, always.replace("when option hole ", "")) == []
    twice = always.replace("each box 1 up  dealer 1 up", "each box 2 up").replace(
        "when option hole ", ""
    )
    assert any("otherwise" in told for told in left(tmp_path, plain, twice))


def test_who_has_another_bet_is_named(tmp_path: Path) -> None:
    bet = 'bet bust "Bust" { on the box }\n'
    clause = "dealer must draw when anybody has bust and dealer.players_done and dealer.total = 17"
    assert left(tmp_path, clause, bet) == [
        "clause 9: who has `bust` while the dealer draws or players choose: not searched"
    ]


SPLITS = [
    ('option pairs "pairs are split"\n', "option pairs", "pairs"),
    (
        'choice pairs in (split, kept) "what becomes of pairs"\n',
        "choice pairs = split",
        "pairs=split",
    ),
]


@pytest.mark.parametrize(("declared", "asked", "on"), SPLITS)
def test_hands_that_come_about_where_the_house_offers_it(
    tmp_path: Path, declared: str, asked: str, on: str
) -> None:
    text = SOUND.replace("may split when", f"may split when {asked} and")
    clause = "main wins when hand.split and hand.total = 19 and dealer.total = 20"
    [found] = found_in(tmp_path, clause, declared, text)
    assert found.witness is not None
    assert found.witness.line.pair is not None
    assert found.witness.around.options == (on,)
    never = clause.replace("hand.split and", f"hand.split and not ({asked}) and")
    assert found_in(tmp_path, never, declared, text) == [], "split where nothing is split"


def test_a_rule_for_such_hands_is_not_called_dead(tmp_path: Path) -> None:
    text = SOUND.replace("may double when", "may double when option doubling and")
    odds = "main pays 1 to 1 when not hand.doubled main pays 1 to 1 when hand.doubled"
    text = text.replace("main pays 1 to 1", odds)
    book = rulebook(tmp_path, 'option doubling "hands may be doubled"\n' + text, HEADER)
    assert [one.code for one in prove(book).found if one.code == "R313"] == []
