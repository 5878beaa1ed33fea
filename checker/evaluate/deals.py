"""Which of the game's deals a round is dealt by, and which of its stages it comes to."""

from __future__ import annotations

from collections.abc import Iterator

from checker.evaluate.conditions import Condition
from checker.evaluate.engine import Engine
from checker.evaluate.memory.seam import Worked
from checker.evaluate.scene import SeenScene
from checker.table.mechanics import Opening
from rulespec.tree import game as g
from rulespec.tree import nodes as t


def opening_of(scene: SeenScene) -> Opening | None:
    """The initial deal of the round. None: the log does not tell on what it depends."""
    mechanics = scene.engine.mechanics
    open_ = False
    for opening, deal in zip(mechanics.openings, mechanics.game.deals, strict=True):
        if isinstance(deal.condition, t.Always):
            continue
        holds = _test(scene.engine, deal.condition)(scene)
        if holds:
            return opening
        open_ |= holds is None
    return None if open_ else mechanics.opening


def holds(scene: SeenScene, condition: t.Expression) -> bool | None:
    """A condition that a declaration has."""
    return _test(scene.engine, condition)(scene)


def comes_to(scene: SeenScene, stage: g.Stage) -> bool | None:
    """Whether the round has a stage, as it can be told at this moment."""
    return _test(scene.engine, stage.condition)(scene)


def ends_round(scene: SeenScene, stages: list[g.Stage]) -> bool:
    """Whether one of these stages ends the round."""
    return any(
        comes_to(scene, stage) and _test(scene.engine, step.condition)(scene)
        for stage in stages
        for step in ending(stage)
    )


def ending(stage: g.Stage) -> Iterator[g.Ends]:
    return (step for step in stage.steps if isinstance(step, g.Ends) and step.what == "round")


def _test(engine: Engine, condition: t.Expression) -> Condition:
    return _compiled(engine, condition)[1]


def _of_stage(engine: Engine, condition: t.Expression) -> tuple[t.Expression, Condition]:
    return condition, engine.compile(condition)  # held, so that its identity stays its own


_compiled = Worked(_of_stage, id)
