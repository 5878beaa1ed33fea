"""Proofs follow the deal and the stages: no claim rests on a hand that cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.prove.prove import prove
from tests.support import rulebook

HEADER = "rulebook us { game blackjack in force from 2020-01-01 }\n"
DEAL = """
deal { each box 1 up  dealer 1 up  each box 1 up  dealer 1 down }
stage peek "the dealer looks" after insurance when dealer.first in (A, T, J, Q, K) {
  dealer looks
  ends the round when dealer.pontoon
}
"""
TEXT = """
clause 1 "Cards" {
  cards 2 to 9 count face
  cards T, J, Q, K count 10
  cards A count 1 or 11
}
clause 2 "Natural" { define hand.pontoon as hand.cards = 2 and hand.total = 21 and not hand.split }
clause 3 "Order of the deal" { at card require deal.in_turn }
clause 4 "Nothing after a natural" { at deal require not round.over }
clause 5 "Decisions" {
  may draw when hand.total < 21 and not hand.doubled
  may stand
  may double when hand.cards = 2 and not hand.doubled
  may split when hand.cards = 2 and hand.equal_value and not hand.split
}
clause 6 "Dealer" {
  dealer must draw when dealer.total <= 16 and not dealer.no_effect
  dealer must not draw when dealer.total > 16 or dealer.no_effect
}
clause 7 "Results" {
  main loses when hand.total > 21
  main wins when hand.pontoon and not dealer.pontoon
  main loses when dealer.pontoon and not hand.pontoon and NATURAL
  main stands off when dealer.pontoon and hand.pontoon
  main wins when hand.total <= 21 and not hand.pontoon and not dealer.pontoon
    and (dealer.total > 21 or hand.total > dealer.total)
  main loses when hand.total <= 21 and not hand.pontoon and not dealer.pontoon
    and dealer.total <= 21 and hand.total < dealer.total
  main stands off when hand.total <= 21 and not hand.pontoon and not dealer.pontoon
    and hand.total = dealer.total and TIE
  main pays 1 to 1
}
"""
INITIAL = "hand.cards = 2 and not hand.doubled and not hand.split"


def _gaps(folder: Path, natural: str, tie: str = "hand.cards >= 2", deal: str = DEAL) -> list[str]:
    text = deal + TEXT.replace("NATURAL", natural).replace("TIE", tie)
    proofs = prove(rulebook(folder, text, HEADER))
    assert not proofs.undecided
    found = [proven for proven in proofs.found if proven.code == "R312"]
    return [proven.witness.play if proven.witness else "" for proven in found]


def test_nobody_plays_on_against_a_natural_that_the_dealer_has_seen(tmp_path: Path) -> None:
    assert _gaps(tmp_path, INITIAL) == []


@pytest.mark.parametrize("deal", ["", DEAL.replace("  ends the round when dealer.pontoon\n", "")])
def test_without_the_look_they_do(deal: str, tmp_path: Path) -> None:
    (play,) = _gaps(tmp_path, INITIAL, deal=deal)
    assert play


def test_a_gap_that_can_be_is_shown_by_a_round_with_a_hole_card(tmp_path: Path) -> None:
    (play,) = _gaps(tmp_path, f"{INITIAL} and hand.total != 15")
    assert ":down" in play
    assert "peek" in play
    assert "reveal 0" in play
    (play,) = _gaps(tmp_path, INITIAL, tie="hand.cards != 4")
    assert "hit" in play[play.index(":down") : play.index("reveal 0")]


def test_a_look_that_depends_on_an_option(tmp_path: Path) -> None:
    option = 'option reader "a device looks"\n'
    deal = option + DEAL.replace("when dealer.first", "when option reader and dealer.first")
    (play,) = _gaps(tmp_path, INITIAL, deal=deal)
    assert "peek" not in play
