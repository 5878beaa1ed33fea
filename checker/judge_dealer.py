"""The dealer's cards: whether each was due, and whether one more was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checker import rounds as r
from checker.dealer_draw import ask_draw, card_due, must_draw, no_effect
from checker.explain_conditions import nearest
from checker.scene import SeenScene

if TYPE_CHECKING:
    from checker.judge import Judge


def dealer_card(judge: Judge, event: r.Deal) -> None:
    if not judge.effective:
        judge.table.apply(event)
        judge.count_for_dealer(judge.table.dealer[-1])
        return
    done = all(
        n < event.n for b, n in judge.turns.box_touched.items() if b != r.DEALER
    )
    scene = _dealer_scene(judge, done, void_is_closed=False)
    answer = ask_draw(scene)
    due = card_due(answer)
    judge.verdict.tested.update(answer.clauses)
    judge.verdict.decide("dealer draws", answer, scene)
    judge.table.apply(event)
    dealt = judge.table.dealer[-1]
    total = scene.fact("dealer.total")
    if due is None:
        judge.undecided("whether the dealer may draw", answer, event.n)
    elif not due:
        rules = [x for x in answer.rules if x.value in ("must not", "may not")]
        reason = "nothing could change" if scene.no_effect else f"on {_said(scene)}"
        judge.find("R520", "deal", f"the dealer drew a card {reason}",
                   rules or [n.rule for n in nearest(judge.engine, "dealer draw", scene)][:1],
                   event.n, box=0)  # fmt: skip
        view = judge.scene(card=dealt, card_not_due=True, deal={"players_done": done})
        burn = judge.engine.ask("dealer burn", view)
        if "must" in burn.values:
            judge.verdict.tested.update(burn.clauses)
            return
    if total is not None:
        judge.count_for_dealer(dealt)


def _dealer_scene(
    judge: Judge, done: bool = True, void_is_closed: bool = True, ended: bool = False
) -> SeenScene:
    scene = judge.scene(no_effect=False, deal={"players_done": done})
    if ended and must_draw(scene) is not True:
        return scene  # no card is due anyway: whether one could change anything is idle
    return scene.but(no_effect=True) if no_effect(scene, void_is_closed) else scene


def _said(scene: SeenScene) -> str:
    soft = "soft" if scene.fact("dealer.soft") else "hard"
    return f"{soft} {scene.fact('dealer.total')}"


def dealer_end(judge: Judge) -> None:
    if judge.table.void or not judge.effective or not judge.table.in_play:
        return
    scene = _dealer_scene(judge, ended=True)
    answer = ask_draw(scene)
    judge.verdict.tested.update(answer.clauses)
    if card_due(answer):
        rules = [x for x in answer.rules if x.value == "must"]
        judge.find("R521", "deal", f"the dealer stopped on {_said(scene)}", rules,
                  judge.table.last_card, box=0)  # fmt: skip
