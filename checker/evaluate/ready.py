"""Make the engine of a rulebook, with the facts of its kind of game."""

from __future__ import annotations

from checker.evaluate.conditions import Later
from checker.evaluate.engine import Engine
from checker.evaluate.facts.boxes import BOXES
from checker.evaluate.facts.home import FactTable
from checker.evaluate.memory.remembering import remembering
from checker.evaluate.named_scene import NAMED_HANDS
from rulespec.resolve.question import Question
from rulespec.resolve.rulebook import Rulebook


def facts_of(rulebook: Rulebook) -> FactTable:
    """How the facts of a rulebook's kind of game are read."""
    return NAMED_HANDS if rulebook.game.hands else BOXES


def new_engine(rulebook: Rulebook) -> Engine:
    """One that remembers, for use."""
    return remembering(bare_engine(rulebook))


def have_ready(engine: Engine, question: Question) -> None:
    """Compile the rules on a question."""
    for _, condition in engine.by_question.get(question, ()):
        if isinstance(condition, Later):
            condition.now()


def bare_engine(rulebook: Rulebook) -> Engine:
    """The meaning alone: slow, and what every other engine is held against."""
    return Engine(rulebook, facts_of(rulebook))
