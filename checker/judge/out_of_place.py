"""What was done or wagered at another stage of the round than its declaration names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from checker.evaluate.scene import SeenScene
from checker.evaluate.words.in_words import done_words
from checker.judge.stages import NEVER, begins, end_of_deal, has_step
from checker.log import model as r
from rulespec.resolve.question import whether
from rulespec.tree import game as g

if TYPE_CHECKING:
    from checker.judge.bench import Bench


def outside(scene: SeenScene, names: tuple[str, ...], n: int) -> str | None:
    """That event `n` is at none of these stages. The turns of the players begin with what they do,
    so whatever comes after the stage before is not too early for them."""
    begin = begins(scene)
    stages = scene.engine.rulebook.game.stages
    for name in names:
        if name in begin:
            earlier = [begin[one] for one in list(begin)[: list(begin).index(name)]]
            turns = has_step(stages[name], g.InTurn)
            start = max(earlier, default=end_of_deal(scene.table)) if turns else begin[name]
            later = [other for other in begin.values() if other > begin[name]]
            if start <= n <= min(later, default=NEVER):
                return None
    told = " or ".join(f"`{name}`" for name in names)
    return f"not at the stage {told}"


def out_of_place(judge: Bench) -> None:
    """What was done or wagered at another stage than its declaration names."""
    game = judge.engine.rulebook.game
    plays = judge.engine.mechanics.plays
    if not judge.engine.mechanics.at_stages:
        return
    for event in judge.round.events:
        if isinstance(event, r.Play) and event.do in plays:
            action = plays[event.do].action
            names = next((a.stages for a in game.plays.values() if a.name == action), ())
            if names and (why := outside(judge.scene(), names, event.n)):
                rules = judge.engine.rules_on(whether("player", action))
                did = f"{event.player} on box {event.box} {done_words(game, action)}"
                where: dict[str, Any] = {"box": event.box, "player": event.player}
                where["hand"] = event.hand
                judge.find("R511", "play", f"{did} {why}", list(rules)[:1], event.n, **where)
        elif isinstance(event, r.Wager) and event.bet in game.bets:
            placed = game.bets[event.bet].placed
            if placed.when == "at stage" and (
                why := outside(judge.scene(), (placed.name,), event.n)
            ):
                message = f"the {event.bet} wager of {event.player} on box {event.box} was {why}"
                where = {"box": event.box, "player": event.player, "bet": event.bet}
                judge.find("R530", "wager", message, [], event.n, **where)
