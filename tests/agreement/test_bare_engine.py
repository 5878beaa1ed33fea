"""The engine that remembers says what the bare one says: of every stored case, in full."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from datetime import date
from itertools import islice
from pathlib import Path

import pytest

from checker.evaluate.engine import Engine
from checker.evaluate.ready import bare_engine, new_engine
from checker.evaluate.scene import SeenScene
from checker.judge.findings import Verdict
from checker.judge.judge import judge
from checker.log.model import Round
from checker.log.read import Quarantined, read_log
from checker.scenarios.scenarios import load_scenarios, scenario_path
from checker.states.lines_of_play import round_of
from checker.table.shoes import ShoeTracker, ShoeView
from checker.table.state import Table
from rulespec.load.load import load, shipped
from rulespec.resolve.rulebook import Rulebook
from tests.support import all_or_some

ROOT = Path(__file__).parent.parent.parent
BOOKS = {**shipped(), "corner-war": ROOT / "examples/casino-war/corner-war.rules"}


class Both:
    """Both engines for each text of a rulebook."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self._engines: dict[date, tuple[Engine, Engine]] = {}
        self.compared = 0

    def compare(self, round_: Round, view: ShoeView) -> None:
        day = self.book.day_of(round_.at)
        turn = max((t for t in self.book.turns if t <= day), default=date.min)
        if turn not in self._engines:
            text = self.book.on(day)
            self._engines[turn] = bare_engine(text), new_engine(text)
        bare, remembering = self._engines[turn]
        plain = told(judge(bare, round_, view))
        for share in (False, True):
            assert told(judge(remembering, round_, view, share=share)) == plain
        self.compared += len(plain["decisions"])


def told(verdict: Verdict) -> dict[str, object]:
    """All of a verdict; of its decisions the answers, since scenes know their engines."""
    found = {one.name: getattr(verdict, one.name) for one in fields(verdict)}
    found["decisions"] = [decision.answer for decision in verdict.decisions]
    return found


def book_of(name: str) -> Rulebook:
    book = load(BOOKS[name]).rulebook
    assert book is not None
    return book


def cases(book: Rulebook, path: Path) -> Iterator[tuple[Round, ...]]:
    return (scenario.rounds for scenario in load_scenarios(scenario_path(path), book))


def judged(both: Both, rounds: tuple[Round, ...]) -> None:
    shoes = ShoeTracker()
    for round_ in rounds:
        both.compare(round_, shoes.view(round_))
        shoes.after(round_)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(BOOKS))
def test_of_every_scenario(name: str) -> None:
    both = Both(book_of(name))
    every = list(cases(both.book, BOOKS[name]))
    for rounds in every[:: all_or_some(1, max(len(every) // 5, 1))]:
        judged(both, rounds)
    assert both.compared >= all_or_some(30, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped()))
def test_of_recorded_rounds(name: str) -> None:
    both = Both(book_of(name))
    found = islice(read_log(ROOT / "examples" / f"{name}.jsonl.gz"), all_or_some(12, 4))
    judged(both, tuple(one for one in found if not isinstance(one, Quarantined)))
    assert both.compared > all_or_some(30, 10)


def test_the_bare_engine_keeps_nothing() -> None:
    engine = bare_engine(book_of("act-pontoon"))
    rule = engine.rules_on("require round")[0]
    assert engine.requirement(rule) is not engine.requirement(rule)
    assert not engine.memory.keeps


def test_a_scene_given_to_another_engine_leaves_its_shelves_behind() -> None:
    """Replies stand there under numbers that mean something else to that engine."""
    book = book_of("act-pontoon")
    one, other = new_engine(book), new_engine(book)
    scene = SeenScene(one, Table(round_of("bet 1 P1 10\n")), ShoeView()).sharing()
    assert scene.but(stake=5).shelves is not None
    assert scene.but(engine=other).shelves is None
