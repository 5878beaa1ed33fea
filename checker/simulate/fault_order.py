"""Which violation a simulation tries next: every kind in turn."""

from __future__ import annotations

from collections import Counter

from checker.simulate import faults_money, faults_play, faults_stages, faults_wager
from checker.simulate.fault import Kind
from checker.simulate.setup import Shoe
from rulespec.tree.game import Game

GIVE_UP = 5  # a kind that could never be done in so many rounds is no breach in this rulebook
TRIED_AT_ONCE = 4


def kinds() -> dict[str, Kind]:
    every = (
        *faults_money.KINDS,
        *faults_play.KINDS,
        *faults_wager.KINDS,
        *faults_stages.KINDS,
    )
    return {kind.name: kind for kind in every}


class FaultOrder:
    """Which kind comes next: all in turn, those that were never possible left out."""

    def __init__(self, game: Game) -> None:
        self.names = [name for name, kind in kinds().items() if kind.possible(game)]
        self.count: Counter[str] = Counter()
        self.misses: Counter[str] = Counter()

    def _active(self) -> list[str]:
        return [n for n in self.names if self.count[n] or self.misses[n] < GIVE_UP]

    def next_kinds(self, shoe: Shoe | None, new: bool, face_down: bool) -> list[str]:
        active = [n for n in self._active() if n != "no_shuffle" and (new or n != "no_burn")]
        active = [n for n in active if face_down or not kinds()[n].face_down]
        if shoe is None or not shoe.spent():
            active = [n for n in active if n != "card_too_often"]
        ordered = sorted(active, key=lambda n: (self.count[n], self.names.index(n)))
        return ordered[:TRIED_AT_ONCE]

    def first(self, name: str) -> bool:
        """Whether a kind with few occasions is due."""
        active = self._active()
        least = min((self.count[n] for n in active), default=0)
        return name in active and self.count[name] <= least + 1

    def done(self, name: str) -> None:
        self.count[name] += 1

    def failed(self, name: str) -> None:
        self.misses[name] += 1
