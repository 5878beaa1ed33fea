"""A game in which a hand may come to 31: the hands that are dealt in search of flaws."""

from __future__ import annotations

from pathlib import Path

from checker.evaluate.ready import new_engine
from checker.states.reachable import States
from rulespec.base.resources import folder
from tests.support import CARDS_AND_DRAW, rulebook

HEADER = 'rulebook sample { title "T" game thirty_one in force from 2020-01-01 }\n'
RULES = (
    CARDS_AND_DRAW.replace("16", "25")
    + """
clause 2 "Drawing" { may draw when hand.total < 31 }
clause 3 "Results" {
  main loses when hand.total > 31
  main wins when hand.total <= 31 and dealer.total > 31
  main wins when hand.total <= 31 and dealer.total <= 31 and hand.total > dealer.total
  main loses when hand.total <= 31 and dealer.total <= 31 and hand.total < dealer.total
  main pays 1 to 1
}
"""
)


def test_a_hand_goes_on_to_the_limit_of_its_game(tmp_path: Path) -> None:
    game = (folder("grammar") / "games" / "twentyone.game").read_text(encoding="utf-8")
    game = game.replace("game twentyone ", "game thirty_one ").replace("up to 21", "up to 31")
    game = "".join(x for x in game.splitlines(True) if "called pontoon" not in x)
    (tmp_path / "thirty_one.game").write_text(game, encoding="utf-8")
    book = rulebook(tmp_path, RULES, HEADER)
    states = States(new_engine(book), lambda: None)
    totals = {states.scene(line).fact("hand.total") for line in states.lines()}
    assert {22, 30, 31} <= totals
