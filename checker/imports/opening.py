"""How rounds are dealt, by the options that they name."""

from __future__ import annotations

from checker.evaluate.deals import opening_of
from checker.evaluate.ready import new_engine
from checker.evaluate.scene import SeenScene
from checker.log.model import Round
from checker.table.mechanics import Mechanics, Opening, ordinary
from checker.table.shoes import ShoeView
from checker.table.state import Table
from rulespec.resolve.rulebook import Rulebook


class Openings:
    """Of one rulebook; without one, of the usual game."""

    def __init__(self, rulebook: Rulebook | None) -> None:
        self._engine = None if rulebook is None else new_engine(rulebook)
        self.mechanics: Mechanics = ordinary() if self._engine is None else self._engine.mechanics

    def of(self, round_: Round) -> Opening:
        if self._engine is None or len(self.mechanics.openings) < 2:
            return self.mechanics.opening
        scene = SeenScene(self._engine, Table(round_, self.mechanics), ShoeView())
        return opening_of(scene) or self.mechanics.opening
