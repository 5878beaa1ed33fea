"""What players do is known by its effects, and what a bet is by where it lies: never by names."""

from __future__ import annotations

from checker.prove.prove import groups
from checker.states.lines_of_play import Around, Line, script
from checker.table.mechanics import Mechanics, ordinary
from rulespec.load.games import ordinary_game


def test_plays_are_known_by_what_they_do() -> None:
    acts = ordinary().acts
    assert tuple(acts) == ("draw", "stand", "double", "split", "surrender", "forfeit", "even_money")
    assert ordinary().deciding == "decide"
    assert ordinary().word_for(acts.draw) == "hit"
    assert {*acts, "insure"} == set(ordinary().usual_plays)


def test_questions_are_grouped_by_what_bets_are() -> None:
    found = groups(Mechanics(ordinary_game()))
    assert [*found] == [
        *("main", "main odds", "super_bonus", "insurance", "perfect_pairs", "super_sevens")
    ]


def test_a_script_places_each_bet_as_the_game_says() -> None:
    line = Line(("9S", "8H"))
    assert "bet 1 P1 5 perfect_pairs\n" in script(line, Around(side="perfect_pairs"))
    assert "1 P1 insure $5\n" in script(line, Around(side="insurance"))
