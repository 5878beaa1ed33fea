"""An answer that is remembered is the answer that the rules give."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from checker.engine import Answer, Engine
from checker.judge import judge
from checker.log import Quarantined, read_log
from checker.shoes import ShoeTracker
from rulespec.load import load, shipped
from tests.support import rulebook

EXAMPLES = Path(__file__).parent.parent / "examples"


class Doubting(Engine):
    """Works every answer out again, and compares it with the one that was remembered."""

    __slots__ = ("compared",)

    def ask(self, question: str, scene: object) -> Answer:  # type: ignore[override]
        remembered = Engine.ask(self, question, scene)  # type: ignore[arg-type]
        again = self.work_out(question, scene)  # type: ignore[arg-type]
        assert remembered == again, question
        self.compared = getattr(self, "compared", 0) + 1
        return remembered


@pytest.mark.parametrize("name", sorted(shipped()))
def test_remembered_answers_are_those_of_the_rules(name: str) -> None:
    book = load(shipped()[name]).rulebook
    assert book is not None
    engine: Doubting | None = None
    shoes = ShoeTracker()
    for round_ in islice(read_log(EXAMPLES / f"{name}.jsonl.gz"), 60):
        assert not isinstance(round_, Quarantined)
        engine = engine or Doubting(book.on(round_.at.date()))
        judge(engine, round_, shoes.view(round_))
        shoes.after(round_)
    assert engine is not None
    assert engine.compared > 1_000


def test_a_changed_rule_is_noticed_once_the_caches_are_cleared(tmp_path: Path) -> None:
    book = rulebook(tmp_path, 'clause 1 "Twenty" { main wins when hand.total = 20 }')
    engine = Engine(book)

    class Twenty:
        memory: dict[str, object] = {}  # noqa: RUF012

        def fact(self, name: str) -> int:
            return 20

    assert engine.ask("main.result", Twenty()).values == ("wins",)  # type: ignore[arg-type]
    engine.by_question["main.result"] = []
    engine.caches.clear()
    assert engine.ask("main.result", Twenty()).values == ()  # type: ignore[arg-type]
