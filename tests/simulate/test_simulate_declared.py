"""Simulated rounds of a rulebook with a hole card, a device, actions and bets of its own."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from checker.cli import main
from checker.evaluate.ready import new_engine
from checker.judge.judge import judge
from checker.log.decode import decode_line
from checker.simulate.simulate import Made, simulate
from checker.table.shoes import ShoeTracker
from rulespec.resolve.rulebook import Rulebook
from tests.judge.test_hole_card import AMERICAN, HEADER
from tests.support import rulebook

SIDE_BET = """
choice match_pays in (4, 11) "odds of a match"
choice bonus_cap of money "the most that is paid"
meter jackpot "the jackpot"
option match "a side bet on the dealer's first card"
bet match "Match" { with main  offered when option match  decided by first, second, dealer.first }
clause 12 "Match" {
  match wins when first.rank = dealer.first.rank or second.rank = dealer.first.rank
  match loses when not (first.rank = dealer.first.rank or second.rank = dealer.first.rank)
  match pays 4 to 1 when choice match_pays = 4
  match pays 11 to 1 when choice match_pays = 11
  match settles before stage peek when option card_reader
  match settles before the subsequent deal
  at match require wager.stake <= $5
}
clause 13 "Not together" { at round require not (option hole_card and option hole_card_up) }
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Rulebook:
    return rulebook(Path(tmp_path_factory.mktemp("declared")), AMERICAN + SIDE_BET, HEADER)


def _found(book: Rulebook, made: list[Made]) -> list[list[tuple[str, str | None]]]:
    engine, shoes = new_engine(book), ShoeTracker()
    found = []
    for number, one in enumerate(made, 1):
        round_ = decode_line(one.text.encode(), number)
        verdict = judge(engine, round_, shoes.view(round_))
        shoes.after(round_)
        found.append([(f.code, f.clause) for f in verdict.findings])
    return found


@pytest.fixture(scope="module")
def lawful(book: Rulebook) -> list[Made]:
    return list(simulate(book, 250, 2))


def test_all_rounds_are_lawful(book: Rulebook, lawful: list[Made]) -> None:
    assert not any(_found(book, lawful))


def test_what_is_declared_happens(lawful: list[Made]) -> None:
    rounds = [json.loads(one.text) for one in lawful]
    events = [event for one in rounds for event in one["events"]]
    happened = Counter(event["e"] for event in events)
    assert happened["peek"] > 3
    assert happened["reveal"] > 20
    down = [event for event in events if event.get("face") == "down"]
    assert len(down) == sum("hole_card" in one["options"] for one in rounds)
    assert {"redouble", "rescue", "insure"} <= {event.get("do") for event in events}
    assert {"match", "main_2", "insurance"} <= {e["bet"] for e in events if e["e"] == "settle"}
    assert any(event.get("hand") == 2 for event in events if event.get("box") == 0)
    assert all(one["meters"]["jackpot"] > 0 for one in rounds)
    options = {word for one in rounds for word in one["options"]}
    assert {"match_pays=4", "match_pays=11", "hole_card_up"} <= options
    assert not any({"hole_card", "hole_card_up"} <= set(one["options"]) for one in rounds)


def test_a_natural_found_by_the_device_ends_the_round(lawful: list[Made]) -> None:
    ended = 0
    for one in lawful:
        events = json.loads(one.text)["events"]
        kinds = [event["e"] for event in events if event["e"] != "settle"]
        ended += "peek" in kinds and kinds[kinds.index("peek") + 1 :] == ["reveal"]
    assert ended > 0


def test_every_fault_is_found_with_its_clause(book: Rulebook) -> None:
    made = list(simulate(book, 350, 2, faults=0.5))
    faults = [one.fault for one in made]
    for fault, found in zip(faults, _found(book, made), strict=True):
        if fault is None:
            assert not found
        else:
            assert {clause for _, clause in found} <= set(fault["clauses"])
            assert found
    kinds = {fault["kind"] for fault in faults if fault is not None}
    assert {"card_face_up", "turned_too_early", "own_action_not_allowed"} <= kinds
    assert {"side_bet_loser_paid", "card_not_looked_at"} <= kinds


def test_what_is_never_simulated_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    late = 'bet late "Late" { placed at stage play  on the box }\n'
    result = (
        'clause 14 "Late" { late wins when hand.total = 21  late loses when hand.total != 21 }\n'
    )
    rulebook(tmp_path, AMERICAN + late + result, HEADER)
    path = str(tmp_path / "sample.rules")
    log = tmp_path / "log.jsonl"
    call = ["simulate", path, "--rounds", "3", "--seed", "1", "--output", str(log)]
    assert main([*call, "--format", "json"]) == 3
    summary = json.loads(capsys.readouterr().out)["summary"]
    assert summary["not_simulated"] == ["bet late: it is placed at a stage"]
    assert main(call) == 3
    assert "no round has bet late: it is placed at a stage" in capsys.readouterr().out
