"""What players may do and the dealer must, as outcomes that two texts can differ in."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from checker.diff.classes import NOT_KNOWN, Outcome
from checker.diff.hands.side import Side
from checker.diff.settlements import Parts, partition, sets, told
from checker.evaluate.engine import Answer, Engine
from checker.evaluate.scene import SeenScene
from checker.states.diagram import Diagram
from rulespec.resolve.question import DEALER_DRAW, whether

MUST, MAY, MAY_NOT, OPEN, UNKNOWN = (
    Outcome((word,)) for word in ("must", "may", "may not", "undecided", NOT_KNOWN)
)
MAY_OR_MUST = Outcome(("may; whether one must is undecided",))
NOT_ALLOWED = Outcome((), silent="no clause allows it")
_BANS = frozenset({"may not", "must not"})
_UNDECIDED = frozenset({"undecided may", "undecided may not", "undecided must not"})
_BAN_NOT_KNOWN = "a ban is not known"


def option_parts(side: Side, action: str, domain: Diagram) -> Parts:
    """Where a choice must be made, may be made, may not, or is left open by the text."""
    question = whether("player", action)
    if not side.engine.has(question):
        return {_unnamed(side.engine, action): domain}
    d = side.d
    answers = side.asked(question)
    parts: dict[Any, Diagram] = dict(answers.outcome())
    for rule in answers.rules:
        mark = _BAN_NOT_KNOWN if rule.value in _BANS else NOT_KNOWN
        parts[mark] = d.either(parts.get(mark, d.none), answers.unknown[rule.id])
    found: Parts = {}
    for values, states in partition(d, domain, parts).items():
        outcome = _option(values)
        found[outcome] = d.either(found.get(outcome, d.none), states)
    return found


def option_outcome(engine: Engine, action: str, scene: SeenScene) -> tuple[Outcome, Answer]:
    """The same from the evaluator, for one moment."""
    question = whether("player", action)
    answer = engine.ask(question, scene)
    if not engine.has(question):
        return _unnamed(engine, action), answer
    unknown = {_BAN_NOT_KNOWN if rule.value in _BANS else NOT_KNOWN for rule in answer.unknown}
    return _option({*answer.values, *unknown}), answer


def _unnamed(engine: Engine, action: str) -> Outcome:
    """A text that does not speak of drawing or standing leaves it to the player."""
    mechanics = engine.mechanics
    free = {mechanics.action(play) for play in (mechanics.drawing, mechanics.standing)}
    return MAY if action in free else NOT_ALLOWED


def _option(values: Set[Any]) -> Outcome:
    """As `Answer.permits` has it: what one clause forbids, a mere permission does not allow."""
    if values & _UNDECIDED:
        return OPEN
    if values & _BANS:
        return Outcome(("may not", "must")) if "must" in values else MAY_NOT
    if _BAN_NOT_KNOWN in values:
        return UNKNOWN
    if "must" in values:
        return MUST
    if "undecided must" in values:
        return MAY_OR_MUST
    if "may" in values:
        return MAY
    return UNKNOWN if NOT_KNOWN in values else NOT_ALLOWED


_DEALER = {"must": "draws", "must not": "stands", "may not": "stands"}


def dealer_parts(side: Side, domain: Diagram) -> Parts:
    """Where a card is due to the dealer, where none may be drawn, and where no clause says."""
    if not side.engine.has(DEALER_DRAW):
        return {Outcome(): domain}
    d = side.d
    found: Parts = {}
    for values, states in sets(d, side.asked(DEALER_DRAW), domain).items():
        outcome = _draw(values)
        found[outcome] = d.either(found.get(outcome, d.none), states)
    return found


def dealer_outcome(engine: Engine, scene: SeenScene) -> tuple[Outcome, Answer]:
    """The same from the evaluator, for one moment."""
    answer = engine.ask(DEALER_DRAW, scene)
    return _draw(told(answer)), answer


def _draw(values: Set[Any]) -> Outcome:
    if any(str(value).startswith("undecided") for value in values):
        return OPEN
    return Outcome(tuple(sorted({_DEALER.get(value, value) for value in values})))
