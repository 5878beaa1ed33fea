"""Hands that are left while they must still draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from checker.evaluate.scene import SeenScene
from checker.evaluate.words.in_words import hand_words
from checker.log import model as r
from checker.table.state import Hand
from rulespec.resolve.question import requiring, whether

if TYPE_CHECKING:
    from checker.judge.bench import Bench


def must_draw(
    judge: Bench,
    scene: SeenScene,
    hand: Hand,
    event: int | None,
    what: str,
    where: dict[str, Any],
) -> bool:
    """Whether the hand had to draw and did not, which is found once."""
    answer = judge.engine.ask(whether("player", "draw"), scene)
    demands = judge.demands(answer, scene)
    open_ = demands is None
    if demands is False:
        return False
    if hand.number in judge.left.setdefault(scene.box.number if scene.box else 0, set()):
        return not open_
    judge.left[scene.box.number if scene.box else 0].add(hand.number)
    if open_:
        judge.undecided(f"whether {what} had to draw", answer, scene, event, **where)
        return False
    rules = [x for x in answer.rules if x.value == "must"]
    judge.verdict.tested.update(x.clause for x in rules)
    message = f"{what} was left on {hand_words(scene, hand)} and had to draw"
    judge.find("R512", "play", message, rules, event, **where)
    return True


def moment_unknown(judge: Bench, action: str) -> bool:
    """Whether the log does not tell what the hand was when it was played."""
    unknown = judge.leaves_out("plays", whether("player", action))
    if unknown:
        judge.leaves_out("plays", requiring(action))
    return unknown


def leave_hands(judge: Bench) -> None:
    """A hand that is left while it must still draw, whoever left it."""
    if judge.table.void or judge.table.over:
        return
    first = judge.table.opening.per_box
    for box in judge.table.in_play:
        if box.void:
            continue
        for hand in box.hands.values():
            player = box.decider
            if player is None or hand.void or judge.table.first_card is None:
                continue
            standing = judge.engine.mechanics.standing
            play = r.Play(box.number, hand.number, player, standing, None, n=0)
            scene = judge.scene(
                box=box, hand=hand, player=player, play=play, stake=box.original(player)
            )
            where: dict[str, Any] = {"box": box.number, "hand": hand.number, "player": player}
            what = f"{player} on box {box.number}"
            last = judge.turns.last_touch(box.number, hand.number)
            if must_draw(judge, scene, hand, last, what, where) or len(hand.cards) < first:
                judge.short.add((box.number, hand.number))
