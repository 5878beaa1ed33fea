"""An answer that is remembered is the answer that the rules give."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from checker.evaluate.engine import Answer, Engine
from checker.evaluate.facts.boxes import BOXES, HOMES
from checker.evaluate.memory.remembering import remembering
from checker.evaluate.memory.shelves import MOMENT
from checker.evaluate.ready import new_engine
from checker.evaluate.scene import SeenScene
from checker.judge.judge import judge
from checker.log.decode import decode_line
from checker.log.read import Quarantined, read_log
from checker.simulate.simulate import simulate
from checker.table.shoes import ShoeTracker, ShoeView
from checker.table.state import Table
from rulespec.load.load import load, shipped
from tests.support import rulebook, with_boxes

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


class Doubting(Engine):
    """Works every answer out again, and compares it with the one that was remembered."""

    compared = 0

    def ask(self, question: str, scene: object) -> Answer:  # type: ignore[override]
        remembered = Engine.ask(self, question, scene)  # type: ignore[arg-type]
        again = self.work_out(question, scene)  # type: ignore[arg-type]
        assert remembered == again, question
        self.compared += 1
        return remembered


@pytest.mark.parametrize("name", with_boxes())
def test_remembered_answers_are_those_of_the_rules(name: str) -> None:
    book = load(shipped()[name]).rulebook
    assert book is not None
    engine: Doubting | None = None
    shoes = ShoeTracker()
    for round_ in islice(read_log(EXAMPLES / f"{name}.jsonl.gz"), 60):
        assert not isinstance(round_, Quarantined)
        engine = engine or remembering(Doubting(book.on(round_.at.date()), BOXES))
        judge(engine, round_, shoes.view(round_))
        shoes.after(round_)
    assert engine is not None
    assert engine.compared > 1_000


def test_a_changed_rule_is_noticed_once_the_memory_is_cleared(tmp_path: Path) -> None:
    book = rulebook(tmp_path, 'clause 1 "Twenty" { main wins when hand.total = 20 }')
    engine = new_engine(book)

    class Twenty:
        memory: dict[str, object] = {}  # noqa: RUF012

        def fact(self, name: str) -> int:
            return 20

    assert engine.ask("main.result", Twenty()).values == ("wins",)  # type: ignore[arg-type]
    engine.by_question["main.result"] = []
    engine.memory.forget()
    assert engine.ask("main.result", Twenty()).values == ()  # type: ignore[arg-type]


class Suspicious(Engine):
    """Compares what a scene shares with other moments with what it finds out by itself."""

    compared = 0

    def ask(self, question: str, scene: object) -> Answer:  # type: ignore[override]
        shared = Engine.ask(self, question, scene)  # type: ignore[arg-type]
        if isinstance(scene, SeenScene) and scene.shelves is not None:
            alone = scene.but()
            alone.shelves = None
            for name in {name for shelf in scene.shelves if shelf for name in shelf}:
                if isinstance(name, str) and name in HOMES:
                    assert scene.fact(name) == alone.fact(name), name
            assert shared == self.work_out(question, alone), question
            self.compared += 1
        return shared


@pytest.mark.parametrize("name", with_boxes())
def test_what_moments_share_is_what_each_would_find(name: str) -> None:
    book = load(shipped()[name]).rulebook
    assert book is not None
    engine: Suspicious | None = None
    shoes = ShoeTracker()
    for number, made in enumerate(simulate(book, 12, 3, faults=0.6), 1):
        round_ = decode_line(made.text.encode(), number)
        engine = engine or remembering(Suspicious(book.on(round_.at.date()), BOXES))
        judge(engine, round_, shoes.view(round_), share=True)
        shoes.after(round_)
    assert engine is not None
    assert engine.compared > 300


@pytest.mark.parametrize("name", with_boxes())
def test_a_verdict_is_the_same_whether_moments_share_or_not(name: str) -> None:
    book = load(shipped()[name]).rulebook
    assert book is not None
    engines: tuple[Engine, Engine] | None = None
    shoes = ShoeTracker()
    found = 0
    for number, made in enumerate(simulate(book, 40, 4, faults=0.5), 1):
        round_ = decode_line(made.text.encode(), number)
        day = round_.at.date()
        engines = engines or (new_engine(book.on(day)), new_engine(book.on(day)))
        view = shoes.view(round_)
        alone, shared = judge(engines[0], round_, view), judge(engines[1], round_, view, share=True)
        assert alone.findings == shared.findings
        assert list(alone.not_checked.items()) == list(shared.not_checked.items())
        assert alone.tested == shared.tested
        assert alone.expected == shared.expected
        assert [d.answer for d in alone.decisions] == [d.answer for d in shared.decisions]
        found += len(alone.findings)
        shoes.after(round_)
    assert found > 10


def test_what_is_kept_of_a_wager_reads_neither_its_event_nor_its_bet() -> None:
    book = load(shipped()["nsw-star-pontoon"]).rulebook
    assert book is not None
    made = next(iter(simulate(book, 1, 3)))
    round_ = decode_line(made.text.encode(), 1)
    table = Table(round_)
    for event in round_.events:
        table.apply(event)
    box = table.in_play[0]
    event = replace(
        box.main[0],
        seated=True,
        recognised=True,
        joined_after_change=True,
        in_order=False,
        undisclosed=True,
        chips_held=5,
    )
    scene = SeenScene(
        new_engine(book.on(round_.at.date())),
        table,
        ShoeView(),
        tuple(table.dealer),
        box,
        box.hands[1],
        event.player,
        stake=event.stake,
    )
    other = scene.but(bet="super_bonus", wager=event, late=True, after_call=True)
    told = {name: HOMES[name].read(scene) for name in HOMES}
    differ = {name for name in HOMES if HOMES[name].read(other) != told[name]}
    assert len(differ) > 5
    assert not {name for name in differ if HOMES[name].reads != MOMENT}
