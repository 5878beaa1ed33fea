"""A fact has one declaration in a game file and one home; all else is derived from the two."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from checker.columns.machine.code_folder import sources
from checker.evaluate.facts import boxes, of_hands, of_table, of_wagers
from checker.evaluate.facts.boxes import HOMES
from rulespec.load.games import shipped_games

ROOT = Path(__file__).parent.parent.parent
WITH_BOXES = [game for game in shipped_games() if game.with_boxes]


def test_every_fact_has_a_home_and_every_home_a_fact() -> None:
    assert WITH_BOXES
    declared = {name for game in WITH_BOXES for name in game.facts if game.plain_fact(name)}
    assert sorted(declared - HOMES.keys()) == [], "no reader"
    assert sorted(HOMES.keys() - declared) == [], "no declaration in a game file"


@pytest.mark.parametrize("game", WITH_BOXES, ids=lambda game: game.name)
def test_what_the_game_says_and_what_the_home_says_go_together(game) -> None:  # type: ignore[no-untyped-def]
    events = {*game.brought_about, *game.ended}
    assert events == {name for name, home in HOMES.items() if home.proof == "event"}
    for name, home in HOMES.items():
        if home.varied_for:
            assert home.proof == "held", f"{name} is varied for all questions"
        if home.of_dealer == "cards":
            assert name.startswith("hand."), name


ADDED = 'fact hand.red_cards is 0 to 22 "number of red cards in the hand"\n'
HOME = """    "hand.red_cards": Home(
        lambda s: sum(d.suit in "HD" for d in s.hand.cards) if s.hand else 0, reads=BOX | HAND
    ),
}
"""
RULES = """rulebook sample { title "Sample" game pontoon in force from 2020-01-01 }
clause 1.1 "Card values" {
  cards 2 to 9 count face
  cards T, J, Q, K count 10
  cards A count 1 or 11
}
clause 1.2 "The dealer's draw" {
  dealer must draw when dealer.total <= 16
  dealer must not draw when dealer.total > 16
}
clause 2.1 "Red hands" { main wins when hand.red_cards = 2 }
clause 2.2 "Others" { main loses when hand.red_cards != 2 }
clause 2.3 "Odds" { main pays 1 to 1 }
"""
ASKED = """
import json
from datetime import date
from pathlib import Path
from checker.check import check
from checker.columns.rules.looker import Looker, NotColumnar
from checker.columns import prepare
from checker.evaluate.ready import new_engine
from checker.evaluate.scene import SeenScene
from checker.evaluate.memory.shelves import OF_HAND
from checker.states.lines_of_play import SHOE, round_of, table_of
from rulespec.load.games import shipped_games
from rulespec.load.load import load
from rulespec.tree import nodes as t
from rulespec.tree.vocabulary_page import vocabulary_page

told = {"vocabulary": "hand.red_cards" in vocabulary_page(shipped_games())}
book = load(Path("sample.rules")).rulebook
engine = new_engine(book)
table = table_of(round_of("bet 1 P1 10\\ndeal 1:KH 0:9S 1:5D\\n"))
box = table.boxes[1]
scene = SeenScene(engine, table, SHOE, box=box, hand=box.hands[1], player="P1")
told["evaluator"] = engine.ask("main.result", scene).value
told["memory"] = engine.memory.reads.shelf(t.Fact("hand.red_cards")) == OF_HAND
report = check(["sample.rules"], date(2024, 1, 1))
told["proofs"] = report.summary["proofs"]["sample"]["facts_not_varied"]
try:
    Looker(engine, frozenset()).rules("main.result")
    told["columns"] = "filled"
except NotColumnar as why:
    told["columns"] = str(why)
print(json.dumps(told))
"""


def test_a_new_fact_is_one_declaration_and_one_home(tmp_path: Path) -> None:
    for folder in ("rulespec", "checker", "grammar", "jurisdictions"):
        hidden = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=hidden)
    with (tmp_path / "grammar" / "games" / "twentyone.game").open("a", encoding="utf-8") as game:
        game.write(ADDED)
    homes = tmp_path / "checker" / "evaluate" / "facts" / "of_hands.py"
    text = homes.read_text(encoding="utf-8")
    assert text.endswith("\n}\n")
    homes.write_text(text.removesuffix("}\n") + HOME, encoding="utf-8")
    (tmp_path / "sample.rules").write_text(RULES, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", ASKED],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "vocabulary": True,
        "evaluator": "wins",
        "memory": True,
        "proofs": {"hand.red_cards": ["2.1", "2.2"]},
        "columns": "hand.red_cards",
    }


def test_machine_code_is_made_anew_when_the_home_of_a_fact_changes() -> None:
    made_from = set(sources())
    assert {
        Path(str(module.__file__)) for module in (boxes, of_hands, of_table, of_wagers)
    } < made_from
