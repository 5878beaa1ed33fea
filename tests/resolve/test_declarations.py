"""Declarations that name what is not there, or say what cannot happen; words that nobody uses."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from rulespec.base.diagnostics import Diagnostic
from rulespec.checks.run import static_check
from rulespec.load.games import shipped_games
from rulespec.load.load import load

HEADER = 'rulebook mine { title "Mine" undated because "a test" }\n'
CLAUSE = 'clause 1 "Odds" { main pays 1 to 1 }\n'


def _found(folder: Path, declared: str, clause: str = CLAUSE) -> list[Diagnostic]:
    rules = folder / "mine.rules"
    rules.write_text(HEADER + declared + "\n" + clause, encoding="utf-8")
    return static_check(load(rules), date(2024, 1, 1))


WRONG = {
    'bet lucky "x" { with mian }': ("R132", "there is no bet `mian`"),
    'bet lucky "x" { with lucky }': ("R130", "`lucky` cannot need itself"),
    'bet lucky "x" { placed by dubble }': ("R132", "there is no action `dubble`"),
    'bet lucky "x" { placed by double }': ("R130", "`double` does not place the bet `lucky`"),
    'bet lucky "x" { placed at stage pek }': ("R132", "there is no stage `pek`"),
    'bet lucky "x" { on the floor }': ("R132", "there is no place for a bet `floor`"),
    'bet lucky "x" { decided by frist }': ("R101", "no card is called `frist`"),
    'bet lucky "x" { offered when option lucki }': ("R105", "nothing is called `option lucki`"),
    'action again "x" { deals 1 }': ("R130", "no log can tell of `again`"),
    'action again "x" { logged  deals 0 }': ("R130", "`again` deals no card"),
    'action again "x" { logged  at most 0 on a hand }': (
        "R130",
        "`again` can never be done: at most 0 times",
    ),
    'action again "x" { logged as hit  deals 1 }': (
        "R110",
        "`hit` is the log's word for `draw` already",
    ),
    'action again "x" { logged  takes back part dubble }': (
        "R130",
        "no action adds a part `dubble`",
    ),
    'action again "x" { logged  waits for stage pek }': ("R132", "there is no stage `pek`"),
    'action stop "x" by the casino { ends the hand }': (
        "R130",
        "`stop` of the casino moves no money and ends no hand",
    ),
    "deal when option resplit { bnker 1 up }": ("R132", "there is no seat `bnker`"),
    'option fast "x" means "cards go bak"': (
        "R132",
        "there is no meaning of an option `cards go bak`",
    ),
    'record gone "x" means "cards go back"': (
        "R132",
        "there is no meaning of a record `cards go back`",
    ),
    'option fast "x" at 3 of 2 tables': ("R130", "`fast` cannot be in use at 3 of 2 tables"),
    'option fast "x" at 1 of 2 tables with resplt': ("R132", "there is no option `resplt`"),
    'action again "x" { logged  done when round.decks > 1 }': (
        "R130",
        "`again` is no duty of the dealer or the casino",
    ),
    'stage peek "x" after ofer': ("R132", "there is no stage `ofer`"),
    'stage peek "x" after the deal when dealer.fist = A': (
        "R101",
        "there is no fact `dealer.fist`",
    ),
    'stage peek "x" after the deal { banker looks }': ("R132", "there is no hand `banker`"),
    'stage peek "x" after offer  stage offer "x" after peek': (
        "R131",
        "the stage `peek` is never reached: it waits for itself",
    ),
}


@pytest.mark.parametrize("declared", WRONG)
def test_what_cannot_be_is_an_error_at_its_place(declared: str, tmp_path: Path) -> None:
    found = _found(tmp_path, declared)
    assert (found[0].code, found[0].message) == WRONG[declared]
    assert found[0].unusable
    assert found[0].span is not None
    assert found[0].span.start_line == 2


def test_a_clause_cannot_settle_at_a_stage_that_there_is_not(tmp_path: Path) -> None:
    found = _found(tmp_path, "", 'clause 1 "When" { main settles at stage pek }')
    assert [(d.code, d.message) for d in found] == [("R132", "there is no stage `pek`")]


def test_words_that_nobody_uses_are_noted(tmp_path: Path) -> None:
    declared = (
        'option a "x"  choice b in (1, 2) "x"  meter c "x"  record d "x"  approval e "x"\n'
        'topic f "x"  bet g "x"  action h "x" { logged  deals 1 }  stage i "x" after the deal'
    )
    found = _found(tmp_path, declared)
    kinds = ["bet", "option", "choice", "meter", "record", "approval", "topic", "action", "stage"]
    assert sorted(d.message.split("`")[0] for d in found) == sorted(
        f"nothing asks for the {kind} " for kind in kinds
    )
    assert {(d.code, d.severity) for d in found} == {("R231", "note")}


def test_words_that_clauses_or_declarations_use_are_not_noted(tmp_path: Path) -> None:
    declared = (
        'option a "x"  choice b in (1, 2) "x"  meter c "x"  record d "x"  approval e "x"\n'
        'topic f "x"  bet g "x" { offered when option a }  action h "x" { logged  deals 1 }\n'
        'stage i "x" after the deal  stage j "x" after i { dealer looks }\n'
    )
    clause = (
        'clause 1 "All" about f {\n'
        "  g wins when choice b = 1 and recorded d\n"
        "  g pays 10 % of meter c\n"
        "  main wins when times h = 1 and approved e\n"
        "}\n"
    )
    assert _found(tmp_path, declared, clause) == []


def test_a_game_file_is_checked_too(tmp_path: Path) -> None:
    (tmp_path / "war.game").write_text(
        'game war "war" { boxes and a dealer  a hand is the rank of its card\n'
        "  rules may require at round, shoe }\n"
        'bet main "x" { with side }\n'
        'fact round.decks is 8 to 2 "x"\n'
        'fact round.void is yes or no "x" ordinarily perhaps\n'
        "moment round knows round, shoo\n"
        "deal { each box 1 up }  deal { dealer 1 up }\n",
        encoding="utf-8",
    )
    rules = tmp_path / "mine.rules"
    rules.write_text(HEADER.replace("undated", "game war undated"), encoding="utf-8")
    assert sorted((d.code, d.message) for d in load(rules).diagnostics) == [
        ("R104", "`round.void` cannot ordinarily be `perhaps`"),
        ("R110", "a second deal without `when` is given"),
        ("R112", "`round.decks` has no value from 8 to 2"),
        ("R132", "no fact is of the group `shoo`"),
        ("R132", "there is no bet `side`"),
        ("R132", "there is no moment `shoe`"),
    ]


def test_the_games_that_ship_are_free_of_flaws() -> None:
    from rulespec.load.games import _read, shipped_files

    assert shipped_games()
    for path in shipped_files():
        assert _read(path)[1] == ()
