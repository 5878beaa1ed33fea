"""Rounds of a rulebook that declares bets, options and a deal of its own, by columns.

Simulated logs are cut down to the tables that deal a hole card and offer two of the rulebook's own
side bets. From half of their shoes the answers are learnt, the others are measured.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from measure import Figure
from rounds_to_measure import block
from unlike_rounds import Learnt, _engine

DECLARED = "ma-blackjack"
FIRST_SEED = 8
EACH = 1000  # rounds of a seed: what a table offers is drawn anew with it
DEALT = "hole_card"
OWN_BETS = 2


class Half(Learnt):
    """Of one log half is learnt from, and half is measured."""

    @cached_property
    def halves(self) -> tuple[Path, Path]:
        """By shoes, turn about: what a table offers changes in the course of a log."""
        shoes: dict[str, list[bytes]] = {}
        for seed in range(FIRST_SEED, FIRST_SEED + -(-self.rounds // EACH)):
            for line in self._simulated(seed):
                round_ = json.loads(line)
                if wanted(frozenset(round_["options"])):
                    for name in (b"round", b"table", b"shoe"):
                        line = line.replace(b'"%b":"' % name, b'"%b":"%d-' % (name, seed), 1)
                    shoes.setdefault(f"{seed}-{round_['shoe']}", []).append(line)
        paths = [self.folder / f"half-{number}.jsonl" for number in range(2)]
        for path, several in zip(paths, (list(shoes)[::2], list(shoes)[1::2]), strict=True):
            path.write_bytes(b"".join(line for shoe in several for line in shoes[shoe]))
        self.rounds = len(paths[1].read_bytes().splitlines())
        return paths[0], paths[1]

    def _simulated(self, seed: int) -> list[bytes]:
        """None of a seed with which the simulator comes to a table that it cannot play on."""
        try:
            path = block(self.rulebook, 0.0, seed, self.folder, EACH)
        except subprocess.CalledProcessError:
            return []
        return path.read_bytes().splitlines(keepends=True)

    @property
    def log(self) -> Path:
        return self.halves[1]

    @property
    def _source(self) -> Path:
        return self.halves[0]


def wanted(options: frozenset[str]) -> bool:
    from checker.columns.rules.settings import Settings
    from checker.evaluate.ready import new_engine
    from rulespec.load.load import load, shipped

    if DEALT not in options:
        return False
    if options not in _known:
        book = load(shipped()[DECLARED]).rulebook
        assert book is not None
        settings = Settings(new_engine(book), options)
        bets = [bet for bet in book.game.bets.values() if bet.own]
        offered = [bet for bet in bets if settings.says(bet.offered) is True]
        _known[options] = len(offered) == OWN_BETS
    return _known[options]


_known: dict[frozenset[str], bool] = {}


def one_by_one(log: Path) -> int:
    """Rounds that the columns leave to the plain evaluator."""
    from checker.columns.run import replay_columns
    from checker.replay.replay import Filter, Library, Summary
    from rulespec.load.load import load, shipped

    book = load(shipped()[DECLARED]).rulebook
    assert book is not None
    summary = Summary()
    for _ in replay_columns([log], Library([book]), Filter(), summary):
        pass
    return summary.one_by_one


def figures(options: argparse.Namespace, folder: Path) -> Iterator[Figure]:
    learnt = Half(DECLARED, folder, options.rounds)
    learnt.halves  # noqa: B018  which says how many rounds there are
    learnt.learn()
    runs = [_engine(learnt, learnt.log, 1) for _ in range(options.repeats)]
    times, seconds = (statistics.median(part) for part in zip(*runs, strict=True))
    left = one_by_one(learnt.log)
    note = f"{learnt.rounds:,} rounds, {left:,} of them judged one by one"
    what = f"{DECLARED} with a hole card and {OWN_BETS} side bets, 1 core"
    yield Figure(what, times, 0, seconds / learnt.rounds * 1e6, note)
