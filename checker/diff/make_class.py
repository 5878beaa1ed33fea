"""From states on which two texts differ to a class: what is said, by whom, and who gains."""

from __future__ import annotations

from checker.diff.classes import ChangeClass, SideAnswer, Variant
from checker.diff.hands.space import Space
from checker.diff.hands.witness import Shown, described, supposed_facts
from checker.diff.settlements import Difference, clause_sets
from checker.evaluate.engine import Answer
from checker.states.declared_words import CHOICE, option_of
from checker.states.grid import Flag
from rulespec.resolve.question import Question, bet_and_what


def class_of(
    space: Space,
    one: Difference,
    question: Question,
    code: str,
    cited: list[Question],
    shown: Shown | None,
    usual: frozenset[Flag] = frozenset(),
) -> ChangeClass:
    """The class of some states, with the hand that shows it, if one does."""
    variants = _variants(space, cited, one)
    told = (shown.old, shown.new) if shown else ((), ())
    old, new = (
        SideAnswer(outcome, _clauses(answers) or first, _readings(answers))
        for outcome, answers, first in (
            (one.was, told[0], variants[0].old if variants else ()),
            (one.becomes, told[1], variants[0].new if variants else ()),
        )
    )
    before, after = one.was.returned, one.becomes.returned
    gain = after - before if before is not None and after is not None else None
    cents: int | None = None
    if bet_and_what(question)[0] in space.mechanics.bonuses:
        amounts = one.was.amount, one.becomes.amount
        cents = amounts[1] - amounts[0] if None not in amounts else None  # type: ignore[operator]
    flags = {f: v for f, v in one.flags.items() if f not in usual}
    return ChangeClass(
        code,
        space.subjects.of(question),
        question,
        old,
        new,
        space.count(one.states),
        shown.witness if shown else None,
        (*(shown.supposed if shown else ()), *_circumstances(space, flags)),
        described(space, supposed_facts(space, flags)),
        gain,
        cents,
        variants,
        frozenset((CHOICE, option_of(f, v)) if f[0] == CHOICE else f for f, v in flags.items()),
    )


def _variants(space: Space, questions: list[Question], one: Difference) -> tuple[Variant, ...]:
    old, new = (clause_sets(side, questions, one) for side in space.sides)
    made = [
        Variant(mine, theirs, (before & after).bit_count())
        for mine, before in old
        for theirs, after in new
        if before & after
    ]
    return tuple(sorted(made, key=lambda v: (-v.states, v.old, v.new)))


def _circumstances(space: Space, flags: dict[Flag, int]) -> tuple[str, ...]:
    return tuple(
        space.words.circumstance(flag, space.domains[flag][value])
        for flag, value in sorted(flags.items())
    )


def _clauses(answers: tuple[Answer, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(c for answer in answers for c in answer.clauses))


def _readings(answers: tuple[Answer, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for answer in answers for name in answer.readings))
