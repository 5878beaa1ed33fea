"""What players may do and the dealer must, as outcomes that two texts can differ in."""

from __future__ import annotations

from checker.diagram import Diagram
from checker.diff_classes import Outcome
from checker.diff_side import Side
from checker.engine import Answer, Engine
from checker.scene import SeenScene

MUST, MAY, MAY_NOT, OPEN = (
    Outcome((word,)) for word in ("must", "may", "may not", "undecided")
)
DRAWS, STANDS = Outcome(("draws",)), Outcome(("stands",))
_BANS = ("may not", "must not")
_UNDECIDED = ("undecided may", "undecided may not", "undecided must not")


def option_parts(side: Side, action: str, domain: Diagram) -> dict[Outcome, Diagram]:
    """Where a choice must be made, may be made, may not, or is left open by the text."""
    d = side.d
    question = f"player {action}"
    if not side.engine.has(question):
        return {MAY if action in ("draw", "stand") else MAY_NOT: domain}
    answers = side.asked(question)
    d_value = answers.value
    open_ = d.any_of([d_value(v) for v in _UNDECIDED])
    banned = d.without(d.any_of([d_value(v) for v in _BANS]), open_)
    unknown_ban = d.any_of([answers.unknown[r.id] for r in answers.rules if r.value in _BANS])
    open_ = d.either(open_, d.without(unknown_ban, banned))
    left = d.without(d.without(domain, open_), banned)
    must = d.both(left, d_value("must"))
    left = d.without(left, must)
    may = d.both(left, d.either(d_value("may"), d_value("undecided must")))
    left = d.without(left, may)
    unknown = d.both(left, answers.open())
    parts = {
        OPEN: d.either(d.both(open_, domain), unknown), MUST: must, MAY: may,
        MAY_NOT: d.either(d.both(banned, domain), d.without(left, unknown)),
    }  # fmt: skip
    return {outcome: states for outcome, states in parts.items() if states != d.none}


def option_outcome(engine: Engine, action: str, scene: SeenScene) -> tuple[Outcome, Answer]:
    """The same from the evaluator, for one moment."""
    question = f"player {action}"
    allowed, answer = engine.allowed(question, scene)
    if not engine.has(question):
        return (MAY if action in ("draw", "stand") else MAY_NOT), answer
    if allowed is None:
        return OPEN, answer
    if not allowed:
        return MAY_NOT, answer
    return (MUST if "must" in answer.values else MAY), answer


def dealer_parts(side: Side, domain: Diagram) -> dict[Outcome, Diagram]:
    """Where a card is due to the dealer, where none may be drawn, and where the text is open."""
    d = side.d
    if not side.engine.has("dealer draw"):
        return {OPEN: domain}
    answers = side.asked("dealer draw")
    must = answers.value("must")
    other = d.any_of([s for v, s in answers.outcome().items() if v not in ("must", *_BANS)])
    banned = d.any_of([answers.value(v) for v in _BANS])
    draws = d.both(domain, d.without(d.without(must, banned), other))
    stands = d.both(domain, d.without(d.without(banned, must), other))
    silent = d.without(d.without(domain, answers.answered()), answers.open())
    stands = d.either(stands, silent)  # no clause asks for a card
    open_ = d.without(d.without(domain, draws), stands)
    parts = {DRAWS: draws, STANDS: stands, OPEN: open_}
    return {outcome: states for outcome, states in parts.items() if states != d.none}


def dealer_outcome(engine: Engine, scene: SeenScene) -> tuple[Outcome, Answer]:
    """`dealer_draw.must_draw` for one moment."""
    answer = engine.ask("dealer draw", scene)
    values = set(answer.values)
    if not engine.has("dealer draw") or (not values and answer.unknown):
        return OPEN, answer
    if values == {"must"}:
        return DRAWS, answer
    return (STANDS if values <= set(_BANS) else OPEN), answer
