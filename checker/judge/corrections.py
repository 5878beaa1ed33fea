"""What was moved after a settlement: a wrong one put right, or a right one undone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from checker.evaluate.scene import SeenScene
from checker.judge.due import Due
from checker.log import model as r
from rulespec.base.money import money_text
from rulespec.resolve.question import whether

if TYPE_CHECKING:
    from checker.judge.bench import Bench

Key = tuple[int, int, str, str]


def corrected(
    judge: Bench, event: r.Settle, expected: int, scene: SeenScene, what: str, where: dict[str, Any]
) -> bool:
    """The text lets a wrong settlement be put right, or leaves that open, and the log records that
    it was."""
    made_up = sum(
        e.amount
        for e in judge.round.events
        if isinstance(e, r.Adjust) and e.player == event.player and e.bet in (None, event.bet)
    )
    error = event.returned - expected
    if made_up != -error:
        return False
    view = scene.but(
        player=event.player,
        settlement={"error": abs(error), "adjusted": True, "overpaid": error > 0},
    )
    allowed, answer = judge.engine.allowed(whether("casino", "adjust"), view)
    judge.verdict.tested.update(answer.clauses)
    if allowed is None:
        leave = f"whether {what} may be put right"
        judge.undecided(leave, answer, view, event.n, of_leave=True, **where)
    return allowed is not False


def judge_corrections(
    judge: Bench, dues: Mapping[Key, Due], settled: Mapping[Key, Sequence[r.Settle]]
) -> None:
    """Money that was moved although all that it may be about had been settled as it was due."""
    for event in judge.round.events:
        if not isinstance(event, r.Adjust) or not event.amount:
            continue
        about = [
            key
            for key in (*dues, *(k for k in settled if k not in dues))
            if key[2] == event.player
            and event.bet in (None, key[3])
            and event.box in (None, key[0])
        ]
        if not about or not all(_as_due(dues.get(key), settled.get(key, ())) for key in about):
            continue
        box, hand, player, bet = about[0]
        due = dues[about[0]]
        got = sum(e.returned for e in settled[about[0]])
        rules = [rule for answer in due.answers for rule in answer.rules]
        way = "taken back" if event.amount < 0 else "paid"
        judge.find(
            "R501",
            "settlement",
            f"{bet} of {player} on box {box} got {money_text(got)} back, as was due, and then "
            f"{money_text(abs(event.amount))} more was {way}".replace(
                "more was taken", "was taken"
            ),
            rules,
            event.n,
            expected=got,
            actual=got + event.amount,
            readings=due.readings,
            box=box,
            hand=hand,
            player=player,
            bet=bet,
        )


def _as_due(due: Due | None, events: Sequence[r.Settle]) -> bool:
    return (
        due is not None
        and due.amount is not None
        and len(events) == 1
        and not due.bounded
        and (events[0].returned == due.amount)
    )
