"""A rulebook made ready to be asked, with the facts of its kind of game."""

from __future__ import annotations

from checker.evaluate.engine import Engine
from checker.evaluate.facts import BOXES
from checker.evaluate.named_scene import NAMED_HANDS
from rulespec.resolve.rulebook import Rulebook


def new_engine(rulebook: Rulebook) -> Engine:
    return Engine(rulebook, NAMED_HANDS if rulebook.game.hands else BOXES)
