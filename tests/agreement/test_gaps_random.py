"""Random gaps and clashes in the approved texts: both engines say the same, and nobody is convicted
by a question to which the bare evaluator has no answer, or several."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import cache
from random import Random
from typing import Any

import pytest

pytest.importorskip("numba", reason="the columnar engine comes with rulespec[fast]")

from checker.evaluate.answer import Answer
from checker.evaluate.engine import Engine
from checker.evaluate.ready import new_engine
from checker.evaluate.scene import SeenScene
from checker.judge.due import Due
from checker.judge.judge import Judge
from checker.log import model as r
from checker.log.decode import decode_round
from checker.replay.replay import Library
from checker.simulate.simulate import simulate
from rulespec.load.load import load, shipped
from rulespec.resolve.rulebook import Rulebook
from tests.agreement.test_columns_judge import Both
from tests.evaluate.gap_support import edited
from tests.support import all_or_some, with_boxes

EDITS = all_or_some(5, 3)
ROUNDS = 40
CONVICTIONS = ("play", "deal", "settlement", "integrity")


@cache
def book_of(name: str) -> Rulebook:
    book = load(shipped()[name]).rulebook
    assert book is not None
    return book


@cache
def rounds_of(name: str) -> list[r.Round]:
    """Rounds by the text as it is approved, half of them with a fault."""
    found = []
    for faults in (0.0, 1.0):
        for n, made in enumerate(simulate(book_of(name), ROUNDS, 21, faults=faults)):
            round_ = decode_round(json.loads(made.text, parse_float=Decimal), n + 1)
            found.append(replace(round_, table=f"{faults}-{round_.table}"))
    return found


class Convicted:
    """What was asked for each conviction, asked again of a bare engine at that moment."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.bare: dict[int, Engine] = {}
        self.wrong: list[str] = []
        self.count = 0
        told = Judge.find

        def find(judge: Judge, code: str, kind: Any, message: str, *rest: Any, **more: Any) -> None:
            if kind in CONVICTIONS:
                self.count += 1
                asked = sys._getframe(1).f_locals
                self.wrong += self.refuted(judge, code, message, asked)
            told(judge, code, kind, message, *rest, **more)

        monkeypatch.setattr(Judge, "find", find)

    def refuted(
        self, judge: Judge, code: str, message: str, asked: dict[str, Any]
    ) -> Iterator[str]:
        engine = judge.engine
        bare = self.bare.setdefault(id(engine), new_engine(engine.rulebook))
        due, answer = asked.get("due"), asked.get("answer")
        if isinstance(due, Due):
            for one in due.answers if code == "R501" else ():
                several = one.question.endswith((".odds", ".counted", ".deemed", ".rounding"))
                if one.unknown or not one.values or (len(one.values) > 1 and not several):
                    yield f"{code} {message}: {one.question} {one.values}"
        elif isinstance(answer, Answer):
            scene = next(x for x in (asked.get("view"), asked.get("scene")) if x is not None)
            assert isinstance(scene, SeenScene)
            again = bare.work_out(answer.question, scene.but(engine=bare))
            if again.values != answer.values or not _convicts(code, again):
                yield f"{code} {message}: {answer.question} {again.values} {answer.values}"


def _convicts(code: str, answer: Answer) -> bool:
    """Whether an answer says that somebody was wrong."""
    values = set(answer.values)
    bans = {"may not", "must not"}
    match code:
        case "R520":
            return bool(values) and values <= bans and not answer.unknown
        case "R521":
            return values == {"must"} and not answer.unknown
        case "R510":
            return bool(values & bans) and "must" not in values
        case "R511":
            return not values & {"must", *bans} and not answer.unknown
        case "R512" | "R540":
            return "must" in values and not values & bans
        case _:
            return True


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(EDITS))
@pytest.mark.parametrize("name", with_boxes())
def test_a_random_gap_or_clash(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    what, text = edited(book_of(name), Random(f"{name} {seed}"))
    rounds = rounds_of(name)
    convicted = Convicted(monkeypatch)
    both = Both(rounds, Library([text]))
    assert not both.wrongly_passed, what
    assert not convicted.wrong, what
    assert convicted.count, what


@pytest.mark.parametrize("name", with_boxes())
def test_the_text_as_it_is_leaves_nothing_open(name: str) -> None:
    """So what is open with a rule changed is open by that change."""
    both = Both([x for x in rounds_of(name) if x.table.startswith("0.0")], Library([book_of(name)]))
    assert not both.wrongly_passed
    assert [f.message for v in both.verdicts for f in v.findings] == []
