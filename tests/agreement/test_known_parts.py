"""What is looked up of rounds with named hands, against the plain judge."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from checker.cli import main
from checker.evaluate.engine import Engine
from checker.evaluate.ready import new_engine
from checker.judge.judge import judge
from checker.judge.known_round import known_verdict
from checker.log import model as r
from checker.log.model import Round
from checker.log.read import read_log
from checker.table.shoes import ShoeTracker
from rulespec.load.load import load, shipped

BOOK = "fr-punto-banco"


def engine() -> Engine:
    book = load(shipped()[BOOK]).rulebook
    assert book is not None
    return new_engine(book)


@pytest.fixture(scope="module")
def rounds(tmp_path_factory: pytest.TempPathFactory) -> list[Round]:
    log = tmp_path_factory.mktemp("log") / "log.jsonl"
    call = ["simulate", BOOK, "--rounds", "1200", "--seed", "11", "--faults", "0.15", "--quiet"]
    assert main([*call, "--output", str(log)]) == 0
    found = [line for line in read_log(str(log)) if isinstance(line, Round)]
    assert len(found) == 1200
    return found


def test_both_say_the_same_of_every_round(rounds: list[Round]) -> None:
    quick, plain = engine(), engine()
    shoes = ShoeTracker(lambda round_: plain.mechanics)
    looked_up = 0
    for round_ in rounds:
        view = shoes.view(round_)
        looked_up += known_verdict(quick, round_, view) is not None
        one = judge(quick, round_, view, explained=False)
        other = judge(plain, round_, view)  # what is explained is never looked up
        assert one.findings == other.findings
        assert one.wagers == other.wagers
        assert one.expected == other.expected
        assert one.tested == other.tested, round_.id
        assert one.not_checked == other.not_checked, round_.id
        assert one.not_recorded == other.not_recorded
        shoes.after(round_)
    assert looked_up > 900


def test_a_joker_is_no_jack(rounds: list[Round]) -> None:
    quick, plain = engine(), engine()
    tried = 0
    for round_ in rounds:
        view = ShoeTracker().view(round_)
        deals = [e for e in round_.events if isinstance(e, r.Deal) and e.card[0] == "J"]
        if not deals or judge(quick, round_, view, explained=False).findings:
            continue
        events = [replace(e, card=r.JOKER) if e is deals[0] else e for e in round_.events]
        other = replace(round_, events=tuple(events))
        told = judge(quick, other, view, explained=False).findings
        assert told
        assert told == judge(plain, other, view).findings
        tried += 1
        if tried == 20:
            return
    raise AssertionError(tried)


def test_rules_that_look_further_are_not_looked_up(tmp_path: Path) -> None:
    text = shipped()[BOOK].read_text(encoding="utf-8")
    wider = text.replace(
        "at deal require deal.in_turn when deal.initial",
        "at deal require deal.in_turn when deal.initial and banker.total <= 9",
    )
    assert wider != text
    path = tmp_path / "wider.rules"
    path.write_text(wider, encoding="utf-8")
    book = load(path).rulebook
    assert book is not None
    log = tmp_path / "log.jsonl"
    call = ["simulate", str(path), "--rounds", "5", "--seed", "1", "--quiet"]
    assert main([*call, "--output", str(log)]) == 0
    for line in read_log(str(log)):
        assert isinstance(line, Round)
        assert known_verdict(new_engine(book), line, ShoeTracker().view(line)) is None
