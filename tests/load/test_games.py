"""A rulebook's game: found beside it or among those that ship, and read like a rule file."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.commands.fmt import format_named
from checker.evaluate.facts.totals import dealer_totals
from checker.evaluate.ready import new_engine
from checker.evaluate.scene import SeenScene
from checker.states.lines_of_play import SHOE, round_of
from checker.table.state import Dealt, Table
from rulespec.load.games import ordinary_game, shipped_files, shipped_games, usual_name
from rulespec.load.load import Loaded, load
from rulespec.tree import game as g

WAR = """
game casino_war "casino war" {
  also called war
  boxes and a dealer
  a hand is the rank of its card
  rules may require at round
}

bet main "the wager"
deal { each box 1 up  dealer 1 up }
action surrender "give up half" { logged  gives up half of part original  ends the hand }
fact round.decks is 1 to 12 "number of decks in use"
fact hand.cards is 0 to 2 "number of cards in the hand"
moment round knows round
moment player knows round, hand
moment settle knows round, hand
"""


def _load(folder: Path, game: str, clause: str = "main wins when hand.cards = 2") -> Loaded:
    rules = folder / "mine.rules"
    rules.write_text(
        f'rulebook mine {{ title "Mine" game {game} undated because "a test" }}\n'
        f'clause 1 "Results" {{ {clause} }}\n',
        encoding="utf-8",
    )
    return load(rules)


def test_a_game_file_beside_the_rulebook_is_found_by_each_of_its_names(tmp_path: Path) -> None:
    (tmp_path / "a-war.game").write_text(WAR, encoding="utf-8")
    for name in ("casino_war", "war"):
        loaded = _load(tmp_path, name)
        assert [d.message for d in loaded.diagnostics] == []
        assert loaded.rulebook is not None
        game = loaded.rulebook.game
        assert (game.name, game.called, list(game.bets)) == ("casino_war", name, ["main"])
        assert game.total == g.Total("rank")
        assert loaded.files[-1] == tmp_path / "a-war.game"


def test_a_game_file_beside_the_rulebook_comes_before_one_that_ships(tmp_path: Path) -> None:
    (tmp_path / "mine.game").write_text(WAR.replace("also called war", "also called pontoon"))
    book = _load(tmp_path, "pontoon").rulebook
    assert book is not None
    assert book.game.name == "casino_war"


def test_what_the_game_does_not_know_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "war.game").write_text(WAR, encoding="utf-8")
    asked = _load(tmp_path, "war", "main wins when hand.total = 2").diagnostics
    assert [(d.code, d.message) for d in asked] == [("R101", "there is no fact `hand.total`")]
    known = _load(tmp_path, "war", "insurance wins").diagnostics
    assert [d.code for d in known] == ["R125"]


def test_a_game_that_does_not_exist_is_an_error_with_a_proposal_and_the_list(
    tmp_path: Path,
) -> None:
    loaded = _load(tmp_path, "pontoom")
    assert loaded.rulebook is None
    (wrong,) = loaded.diagnostics
    assert (wrong.code, wrong.message) == ("R128", "there is no game `pontoom`")
    assert wrong.help is not None
    assert wrong.help.startswith("did you mean `pontoon`?; games are ")
    assert "blackjack" in wrong.help
    assert (wrong.span and wrong.span.start_line, wrong.unusable) == (1, True)


def test_a_flaw_of_a_game_file_is_told_where_it_stands(tmp_path: Path) -> None:
    (tmp_path / "war.game").write_text(f'{WAR}bet main "again"\nclause 1 "x" {{ }}\n')
    loaded = _load(tmp_path, "war")
    places = [(d.code, d.span and d.span.file) for d in loaded.diagnostics]
    file = str(tmp_path / "war.game")
    assert places == [("R110", file), ("R127", file)]
    assert not loaded.usable
    (tmp_path / "war.game").write_text(WAR.replace("deal {", "deel {"))
    loaded = _load(tmp_path, "war")
    assert loaded.rulebook is None
    assert {(d.code, d.span and d.span.file) for d in loaded.diagnostics} == {("R005", file)}


@pytest.mark.parametrize(
    ("fact", "code", "message", "advice"),
    [
        (
            "hand.totl is 0 to 60",
            "R132",
            "`hand.totl` cannot be read off a round",
            "did you mean `hand.total`?",
        ),
        (
            "hand.soft is 0 to 3",
            "R104",
            "`hand.soft` is not a whole number from 0 to 3",
            "what is read off a round is yes or no",
        ),
    ],
)
def test_a_fact_that_cannot_be_read_off_a_round_is_an_error(
    fact: str, code: str, message: str, advice: str, tmp_path: Path
) -> None:
    (tmp_path / "war.game").write_text(f'{WAR}fact {fact} "meaning"\n', encoding="utf-8")
    loaded = _load(tmp_path, "war")
    assert [(d.code, d.message, d.help) for d in loaded.diagnostics] == [(code, message, advice)]


def test_named_hands_have_the_facts_of_their_own_names(tmp_path: Path) -> None:
    text = """
game two_hands "two hands" {
  hands left, right
  a hand is the rank of its card
  rules may require at end
}
bet left "left" { on the table }
deal { left 1  right 1 }
fact left.total is 0 to 60 "what it is worth"
fact left.big is yes or no "a big one" defined by the rulebook
fact banker.total is 0 to 60 "of no hand of this game"
moment end knows left, right
moment settle knows left, right
"""
    (tmp_path / "two.game").write_text(text, encoding="utf-8")
    loaded = _load(tmp_path, "two_hands", "left wins when left.total = 9")
    told = [d.message for d in loaded.diagnostics if "read off" in d.message]
    assert told == ["`banker.total` cannot be read off a round"]


def test_what_belongs_into_a_game_file_is_refused_in_a_rulebook(tmp_path: Path) -> None:
    rules = tmp_path / "mine.rules"
    rules.write_text(
        'rulebook mine { title "Mine" undated because "a test" }\nmoment round knows round\n'
    )
    assert [d.code for d in load(rules).diagnostics] == ["R127"]


def test_a_rulebook_that_names_no_game_is_of_the_usual_one() -> None:
    assert ordinary_game().called == usual_name()
    assert usual_name() in ordinary_game().also


def test_the_games_that_ship_are_in_the_canonical_layout() -> None:
    assert shipped_files()
    outcomes, wrong = format_named([str(path) for path in shipped_files()], check=True)
    assert wrong == []
    assert [o.path.name for o in outcomes if o.changes or o.wrong] == []
    assert len(shipped_games()) == len(shipped_files())


def test_what_a_hand_may_come_to_is_the_games(tmp_path: Path) -> None:
    thirty_one = WAR.replace("the rank of its card", "the best total up to 31")
    (tmp_path / "war.game").write_text(thirty_one, encoding="utf-8")
    assert _load(tmp_path, "war", "cards K count 31").diagnostics == ()
    (wrong,) = _load(tmp_path, "war", "cards K count 32").diagnostics
    assert (wrong.code, wrong.help) == (
        "R112",
        "no hand of more than 31 stands: a card counts from 1 to 31",
    )
    book = _load(tmp_path, "war", "cards A count 1 or 11  cards K count 15").rulebook
    assert book is not None
    scene = SeenScene(new_engine(book), Table(round_of("bet 1 P1 10\n")), SHOE)
    cards = [Dealt(card, 0, False) for card in ("KS", "AH")]
    assert dealer_totals(scene, cards) == (26, 16, True, 0)
