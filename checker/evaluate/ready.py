"""A rulebook made ready to be asked, with the facts of its kind of game."""

from __future__ import annotations

from checker.evaluate.engine import Engine
from checker.evaluate.facts import BOXES
from checker.evaluate.home import FactTable
from checker.evaluate.named_scene import NAMED_HANDS
from rulespec.resolve.rulebook import Rulebook


def facts_of(rulebook: Rulebook) -> FactTable:
    """How the facts of a rulebook's kind of game are read."""
    return NAMED_HANDS if rulebook.game.hands else BOXES


def new_engine(rulebook: Rulebook) -> Engine:
    return Engine(rulebook, facts_of(rulebook))
