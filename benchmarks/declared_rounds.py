"""Rounds of a rulebook that declares bets, options and a deal of its own, by columns.

All tables deal a hole card and offer two of the rulebook's own side bets. What the house offers
there is drawn once, and stays the same: answers are learnt from a log of one seed, and the log of
another one is measured.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from measure import Figure
from unlike_rounds import LEARNT_SEED, MEASURED_SEED, OTHERS, Learnt, _engine

DECLARED = "ma-blackjack"
DEALT = "hole_card"
OWN_BETS = 2
SLOW = "no_mid_shoe_entry"  # few rounds that are drawn are lawful there
HOUSES = 3  # which offer different things
TABLES = 6
DRAWN = 3000  # houses of which as many are looked for


@dataclass(slots=True)
class Declared(Learnt):
    """Logs of these houses."""

    @property
    def log(self) -> Path:
        return self._simulated(MEASURED_SEED)

    @property
    def _source(self) -> Path:
        return self._simulated(LEARNT_SEED)

    def _simulated(self, seed: int) -> Path:
        path = self.folder / f"declared-{seed}-{self.rounds}.jsonl"
        if not path.exists():
            path.write_bytes(b"".join(simulated(self.rounds, seed)))
        return path


def simulated(rounds: int, seed: int) -> Iterator[bytes]:
    """Where no lawful round can be made at some table, the log goes on at others."""
    from checker.simulate import simulate as simulation

    usual = simulation.set_up
    simulation.set_up = lambda engine, rng: rng.choice(houses(usual, engine))
    made = part = 0
    try:
        while made < rounds:
            part += 1
            try:
                for one in simulation.simulate(
                    _book(), rounds - made, int(f"{seed}{part:04d}"), tables=TABLES
                ):
                    made += 1
                    yield renamed(one.text.encode(), part) + b"\n"
            except simulation.NothingLawful:
                continue
    finally:
        simulation.set_up = usual


def renamed(line: bytes, part: int) -> bytes:
    """Rounds, tables and shoes of one part have other names than those of another."""
    for name in (b"round", b"table", b"shoe"):
        line = line.replace(b'"%b":"' % name, b'"%b":"%d-' % (name, part), 1)
    return line


_houses: list[Any] = []


def houses(draw: Callable[[Any, Random], Any], engine: Any) -> list[Any]:
    """The first few among those that the simulator draws."""
    from checker.simulate.setup import Unusable

    for number in range(DRAWN if not _houses else 0):
        try:
            house = draw(engine, Random(f"house {number}"))
        except Unusable:
            continue
        if len(_houses) < HOUSES and is_wanted(engine, frozenset(house.options)):
            _houses.append(house)
    return _houses


def is_wanted(engine: Any, options: frozenset[str]) -> bool:
    """Whether there are a hole card, that stays down, and two bets that lie beside the hands, of
    which nobody has to record anything."""
    from checker.columns.rules.settings import Settings
    from rulespec.resolve.question import requiring

    if DEALT not in options or SLOW in options:
        return False
    settings = Settings(engine, options)
    own = [bet for bet in engine.rulebook.game.bets.values() if bet.own]
    offered = [bet.name for bet in own if settings.says(bet.offered) is True]
    recorded = any(engine.has(requiring(f"{bet} settlement")) for bet in offered)
    return settings.columnar and len(offered) == OWN_BETS == len(settings.bets) and not recorded


@cache
def _book() -> Any:
    from rulespec.load.load import load, shipped

    book = load(shipped()[DECLARED]).rulebook
    assert book is not None
    return book


def one_by_one(log: Path) -> int:
    """Rounds that the columns leave to the plain evaluator."""
    from checker.columns.run import replay_columns
    from checker.replay.replay import Filter, Library, Summary

    summary = Summary()
    for _ in replay_columns([log], Library([_book()]), Filter(), summary):
        pass
    return summary.one_by_one


def figures(options: argparse.Namespace, folder: Path) -> Iterator[Figure]:
    learnt = Declared(DECLARED, folder, options.rounds // OTHERS)
    learnt.learn()
    runs = [_engine(learnt, learnt.log, 1) for _ in range(options.repeats)]
    times, seconds = (statistics.median(part) for part in zip(*runs, strict=True))
    left = one_by_one(learnt.log)
    note = f"{learnt.rounds:,} rounds, {left:,} of them judged one by one"
    what = f"{DECLARED} with a hole card and {OWN_BETS} side bets, 1 core"
    yield Figure(what, times, len(_book().rules), seconds / learnt.rounds * 1e6, note)
