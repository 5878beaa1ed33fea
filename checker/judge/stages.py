"""The stages of a round: when one ends it, and between which events each of them lies."""

from __future__ import annotations

from collections.abc import Callable

from checker.evaluate.deals import comes_to, ending, ends_round
from checker.evaluate.scene import SeenScene
from checker.log import model as r
from checker.table.state import Table
from checker.table.turns import Turns
from rulespec.tree import game as g

Window = tuple[float, float]
"""Behind which event of the round a stage begins, and before which it is over."""
NEVER = float("inf")


def has_step(stage: g.Stage, *kinds: type) -> bool:
    return any(isinstance(step, kinds) for step in stage.steps)


class Stages:
    """Follows a round from stage to stage as far as that matters to its rules."""

    def __init__(self, game: g.Game) -> None:
        self.all = list(game.stages.values())
        ends = [stage for stage in self.all if any(ending(stage))]
        self.looking = [stage for stage in ends if has_step(stage, g.Looks)]
        turn = next((n for n, s in enumerate(self.all) if has_step(s, g.InTurn)), len(self.all))
        early = self.all[:turn]
        others = [stage for stage in ends if stage not in self.looking]
        self.opening = [stage for stage in others if stage in early]
        self.closing = [stage for stage in others if stage not in early]
        self._dealt = False

    def after(self, event: r.Event, scene: Callable[..., SeenScene], turns: Turns) -> None:
        """See whether what has just happened brings the round to its end."""
        if not (self.looking or self.opening or self.closing):
            return
        table = scene().table
        if table.over:
            return
        waiting: list[g.Stage] = []
        if isinstance(event, r.Peek):
            waiting = self.looking
            scene = scene(dealer=tuple(table.dealer)).but
        elif self.opening and not self._dealt and table.initial_deal_done:
            self._dealt = True
            waiting = self.opening
        elif self.closing and table.second_dealer_card_out and turns.players_done(event.n):
            waiting = self.closing
        if waiting and ends_round(scene(), waiting):
            table.over = True
            table.forget()


def window(scene: SeenScene, name: str) -> Window | None:
    """Where a stage lies among the events; None: the round does not come to it."""
    begin = begins(scene)
    if name not in begin:
        return None
    later = [start for start in begin.values() if start > begin[name]]
    return begin[name], min(later, default=NEVER)


def begins(scene: SeenScene) -> dict[str, float]:
    """The stages that the round comes to, each with the event with which it begins."""
    scene = scene.but(dealer=tuple(scene.table.dealer))
    begin: dict[str, float] = {}
    last = float(end_of_deal(scene.table))
    for stage in scene.engine.rulebook.game.stages.values():
        if not comes_to(scene, stage):
            continue
        start = _start(scene, stage, last)
        if start is not None:
            last = begin[stage.name] = max(last, start)
            if ends_round(scene, [stage]):
                break
    return begin


def end_of_deal(table: Table) -> int:
    begun = table.subsequent
    cards = [
        event.n
        for event in table.round.events
        if isinstance(event, r.Deal) and (begun is None or event.n < begun)
    ]
    return cards[-1] if cards else -1


def _start(scene: SeenScene, stage: g.Stage, last: float) -> float | None:
    """The event with which a stage begins; None: nothing shows that it did."""
    events = [event for event in scene.table.round.events if event.n > last]
    if has_step(stage, g.Looks):
        found = (e.n for e in events if isinstance(e, r.Peek))
    elif has_step(stage, g.InTurn):
        decisions = {word for word, does in scene.engine.mechanics.plays.items() if does.decides}
        found = (
            e.n
            for e in events
            if (isinstance(e, r.Play) and e.do in decisions)
            or (isinstance(e, r.Deal) and e.box != r.DEALER)
        )
    elif has_step(stage, g.Draws, g.Reveals):
        found = (e.n for e in events if isinstance(e, r.Deal | r.Reveal) and e.box == r.DEALER)
    else:
        return last
    return next(found, None)
