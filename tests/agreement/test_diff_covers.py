"""Hands from outside the comparison: what settles differently lies in a reported class.

The rounds are those of the scenario files and of the simulator, each lawful under one of the two
texts. They are settled under both by the plain evaluator, which knows nothing of classes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from functools import cache

import pytest

from checker.diff.classes import Outcome
from checker.diff.settlements import asked
from checker.evaluate.engine import Engine
from checker.evaluate.ready import new_engine
from checker.evaluate.scene import SeenScene
from checker.judge.due import wager_of
from checker.judge.judge import judge
from checker.log.decode import decode_round
from checker.log.model import Round
from checker.scenarios.scenarios import load_scenarios, scenario_path
from checker.simulate.simulate import simulate
from checker.states.lines_of_play import SHOE, table_of
from checker.table.state import Box, Hand, Table
from rulespec.load.load import shipped
from tests.diff.diff_support import BOOKS, PAIRS, book, compared
from tests.support import all_or_some

SIMULATED = 25  # rounds for each rulebook, beside its scenarios
Wager = tuple[str, Box, Hand, str, str, int]


@cache
def engine(name: str) -> Engine:
    return new_engine(book(name))


@cache
def rounds(name: str) -> list[tuple[str, Round]]:
    path = scenario_path(shipped()[name])
    found = [(s.name, s.round) for s in load_scenarios(path, book(name))]
    for n, made in enumerate(simulate(book(name), SIMULATED, 7)):
        found.append((f"simulated {n}", decode_round(json.loads(made.text, parse_float=Decimal))))
    return found


def wagers(table: Table) -> Iterator[Wager]:
    for box in table.in_play:
        for hand in box.hands.values():
            for player, parts in hand.money.items():
                for part, stake in parts:
                    yield "main", box, hand, player, part, stake
    for box in table.boxes.values():
        if 1 not in box.hands:
            continue
        for bet in box.bets:
            if bet.event.bet != "main":
                event = bet.event
                yield event.bet, box, box.hands[1], event.player, "original", event.stake
        for player, stake in box.placed.get("insurance", {}).items():
            yield "insurance", box, box.hands[1], player, "original", stake


def scene(name: str, table: Table, wager: Wager) -> SeenScene:
    bet, box, hand, player, part, stake = wager
    event = wager_of(box, player, "main" if bet == "insurance" else bet)
    return SeenScene(
        engine(name),
        table,
        SHOE,
        tuple(table.dealer),
        box=box,
        hand=hand,
        player=player,
        bet=bet,
        part=part,
        stake=stake,
        wager=event,
    )


def breaches(name: str, round_: Round) -> set[str]:
    """What one text does not allow in a round, money apart."""
    verdict = judge(engine(name), round_, SHOE)
    return {
        f.code
        for f in verdict.findings
        if f.kind in ("play", "deal", "wager", "integrity") and f.code < "R540"
    }


@cache
def settled(old: str, new: str) -> tuple[Counter[str], list[str]]:
    """How the rounds of both texts come out, and what no class has."""
    found = compared(old, new)
    counts: Counter[str] = Counter()
    missing: list[str] = []
    for name, round_ in (*rounds(old), *rounds(new)):
        table = table_of(round_)
        broken: set[str] | None = None
        for wager in wagers(table):
            bet = wager[0]
            if not all(engine(x).has(f"{bet}.result") for x in (old, new)):
                assert found.class_with(f"{bet}.result", *_offers(old, bet)) is not None
                counts["offered by one"] += 1
                continue
            before, after = scene(old, table, wager), scene(new, table, wager)
            was, becomes = asked(engine(old), bet, before)[0], asked(engine(new), bet, after)[0]
            if was == becomes:
                counts["same"] += 1
                continue
            one = found.class_of(bet, before, after)
            if one is not None:
                assert (one.was.outcome, one.becomes.outcome) == (was, becomes)
                counts["covered"] += 1
                continue
            if broken is None:
                broken = breaches(old, round_) | breaches(new, round_)
            if broken:
                counts["difference of play"] += 1
                if broken & {"R510", "R511", "R512"}:
                    assert any(c.question.startswith("player ") for c in found.classes)
            else:
                missing.append(f"{name}: {bet} {wager[4]}: {was.text} → {becomes.text}")
    return counts, missing


def _offers(old: str, bet: str) -> tuple[Outcome, Outcome]:
    yes, no = Outcome(("offered",)), Outcome(("not offered",))
    return (yes, no) if engine(old).has(f"{bet}.result") else (no, yes)


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_every_difference_lies_in_a_class(old: str, new: str) -> None:
    counts, missing = settled(old, new)
    assert missing == []
    assert counts["covered"] > 10
    assert counts["same"] > 100


@pytest.mark.slow
def test_that_is_many_hands() -> None:
    """A guard that the tests above looked at something."""
    counts = sum((settled(old, new)[0] for old, new in PAIRS), Counter[str]())
    assert counts["covered"] > all_or_some(500, 250)
    assert len(BOOKS) == 5
