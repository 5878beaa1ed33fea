"""The ends that the dealer's hand can come to, where the text makes them depend on the table."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from checker.evaluate.dealer_draw import ends_of, ranks_in_play
from checker.evaluate.engine import Engine
from checker.evaluate.ready import new_engine
from checker.evaluate.scene import SeenScene
from checker.log.model import Round
from checker.table.shoes import ShoeView
from checker.table.state import Dealt, Table
from tests.support import rulebook

TEXT = """
clause 1 "Values" {
  cards 2 to 9 count face
  cards T, J, Q, K count 10
  cards A count 1 or 11
}
clause 2 "When the table draws to a soft hand" {
  define low as option low_limit
  define draws_to_soft as low and dealer.soft
}
clause 3 "The dealer" {
  dealer must draw when dealer.total <= 16 or (draws_to_soft and dealer.total = 17)
  dealer must not draw when dealer.total > 17 or (not draws_to_soft and dealer.total = 17)
}
clause 4 "Cards" {
  at card require card.rank != K when low
}
"""


def scene(engine: Engine, *options: str) -> SeenScene:
    at = datetime(2024, 1, 1, tzinfo=UTC)
    round_ = Round("", "", None, at, None, 1, frozenset(options), {}, (), 0)
    return SeenScene(engine, Table(round_), ShoeView(), no_effect=False)


def ends(engine: Engine, *options: str) -> set[str]:
    ace = (Dealt("AC", 0, False),)
    found, _ = ends_of(scene(engine, *options), ace)
    return {"".join(sorted(card.rank for card in hand)) for hand in found}


@pytest.mark.parametrize("turn", [("low_limit",), ()])
def test_what_an_option_changes_through_a_term_is_not_taken_from_another_table(
    tmp_path: Path, turn: tuple[str, ...]
) -> None:
    engine = new_engine(rulebook(tmp_path, TEXT))
    ends(engine, *turn)  # whichever comes first
    assert "6A" in ends(engine)
    assert "6A" not in ends(engine, "low_limit")


def test_the_cards_in_play_are_those_of_the_table(tmp_path: Path) -> None:
    engine = new_engine(rulebook(tmp_path, TEXT))
    assert "K" in ranks_in_play(engine, scene(engine))
    assert "K" not in ranks_in_play(engine, scene(engine, "low_limit"))
