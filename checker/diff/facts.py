"""Questions that are not about dealt hands: requirements, duties, limits, rounding, card values.

No card is dealt for them. Each fact that their rules ask for stays open over its own values, and
amounts over some that tell the named ones apart. A difference is asked again in the evaluator; that
there is none counts as proven only where the values stand for all there are.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NoReturn

from checker.diff.classes import ChangeClass, Outcome, SideAnswer, Undecided
from checker.diff.comparison import Comparison
from checker.diff.hands.domains import SUPPOSED, every_fact, exact
from checker.diff.hands.side import Side
from checker.diff.hands.space import Space
from checker.diff.hands.states import Reached
from checker.diff.options import OPEN, option_outcome, option_parts
from checker.diff.same_rules import value_form
from checker.diff.settlements import Difference, clause_sets, differences, sets, told
from checker.evaluate.engine import Engine, Value, shown
from checker.evaluate.scene import SeenScene
from checker.states.declared_words import CHOICE, asked_at_all
from checker.states.diagram import Diagram
from checker.states.grid import Flag
from checker.states.lines_of_play import Line
from rulespec.resolve.question import (
    Question,
    about_bet,
    bet_and_what,
    bet_asked,
    is_act_of,
    is_requirement,
)
from rulespec.resolve.rule_value import as_expression
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.write import condition_text

KEPT, BROKEN = Outcome(("allowed",)), Outcome(("not allowed",))
Parts = dict[Outcome, Diagram]


class NotSupposed(Exception):
    """A rule asks for what is dealt or done, and no hand is."""


class Supposed:
    """A moment of which facts and circumstances are given, not dealt."""

    def __init__(
        self,
        base: SeenScene,
        facts: dict[str, Value],
        raised: set[Flag],
        choices: dict[str, str],
    ) -> None:
        self.base, self.facts, self.raised = base, facts, raised
        self.table = SimpleNamespace(round=SimpleNamespace(choices=choices, meters={}))
        self.memory: dict[str, Any] = {}

    def fact(self, name: str) -> Value:
        return self.facts[name] if name in self.facts else self.base.fact(name)

    def setting(self, kind: str, name: str) -> bool | None:
        return (kind, name) in self.raised

    def as_dealer(self) -> Supposed:
        return self

    def cards_at(self, seat: str) -> NoReturn:
        raise NotSupposed(seat)

    def times(self, action: str) -> NoReturn:
        raise NotSupposed(action)


def compare_facts(comparer: Comparison, question: Question) -> None:
    if comparer.same(question):
        return
    bet = bet_and_what(question)[0]
    known = [
        e.has(about_bet(bet, "result")) or e.has(about_bet(bet, "odds")) for e in comparer.engines
    ]
    if bet_asked(question) and any(known) and not all(known):
        return  # a wager that only one text knows
    states = comparer.states
    row = states.row(Reached(Line(("9S", "8H")), (True, True), (None, None)), "original")
    old, new = (Side(e, [question], n, every_fact) for n, e in enumerate(comparer.engines))
    if is_requirement(question):
        for side in (old, new):
            for rule, _ in side.engine.by_question.get(question, ()):
                side.also(as_expression(rule.value))
    space = Space((old, new), [row], [states.dealer_row(("9D",))], comparer.tick)
    parts, ask = _ways(question)
    if is_requirement(question):
        found, complete = _requirements(space, question)
    else:
        found, complete = differences(
            space, space.possible(), lambda side, where: parts(side, question, where), several=0
        )
    comparer.found.complete &= complete
    comparer.keep(question, space, space.possible(), found)
    shown = [x for x in found if _confirmed(comparer, space, x, question, ask)]
    for one in shown:
        comparer.found.classes.append(_class(comparer, space, one, question))
    if shown:
        comparer.found.proven.append(question)
        return
    only_examples = [
        f[1] for f in space.flags if f[0] == SUPPOSED and not exact(space.words.facts[f[1]])
    ]
    only_examples += [f for side in space.sides for f in side.compared_with_each_other()]
    if any(
        asked_at_all(e, [r.condition for r, _ in e.by_question.get(question, ())])
        for e in comparer.engines
    ):
        return  # that it is not modelled is said of all questions together
    if not found and not only_examples:
        comparer.found.proven.append(question)
        return
    what = "the amounts tried" if not found else "what was supposed"
    comparer.found.undecided.append(
        Undecided(
            question,
            comparer.subjects.of(question),
            f"worded differently; no difference shows with {what}",
            *(_clauses_of(e, question) for e in comparer.engines),
        )
    )


Ask = Callable[[Engine, Question, Supposed], Outcome]


def _ways(question: Question) -> tuple[Callable[[Side, Question, Diagram], Parts], Ask]:
    """How the outcome of a question is told, over all states and for one."""
    if is_requirement(question):
        return _told, _is_kept
    if is_act_of(question, "player"):
        return (
            lambda side, name, where: option_parts(side, name.partition(" ")[2], where),
            lambda engine, name, scene: option_outcome(engine, name.partition(" ")[2], scene)[0],
        )
    return _told, lambda engine, name, scene: _outcome(told(engine.ask(name, scene)))


def _told(side: Side, question: Question, domain: Diagram) -> Parts:
    d = side.d
    if not side.engine.has(question):
        return {Outcome(): domain}
    found: Parts = {}
    for values, states in sets(d, side.asked(question), domain).items():
        outcome = _outcome(values)
        found[outcome] = d.either(found.get(outcome, d.none), states)
    return found


def _outcome(values: Any) -> Outcome:
    """An outcome set; of words of duty what counts of them together."""
    values = set(values)
    if any(isinstance(v, str) and v.startswith("undecided") for v in values):
        return OPEN
    if values & {"may not", "must not"}:
        values = values - {"may", "may not", "must not"} | {"must not"}
    elif "must" in values:
        values -= {"may"}
    return Outcome(tuple(sorted(said(v) for v in values)))


def said(value: Any) -> str:
    """A value as a reader would say it."""
    match value:
        case (direction, unit) if isinstance(direction, str):
            return f"{direction} to {said(unit)}"
        case (low, high):
            return f"{low} or {high}"
        case t.Odds() | t.Amount() | t.MeterShare() | t.PayoutRange():
            return shown(value)
        case t.Node():
            return condition_text(value)  # type: ignore[arg-type]
        case _:
            return str(value)


def _requirements(space: Space, question: Question) -> tuple[list[Difference], bool]:
    """For each requirement of one text where it alone is in the way, and the other allows."""
    d = space.d
    possible = space.possible()
    broken = [_broken(side, question) for side in space.sides]
    every = [d.any_of(list(mine.values())) for mine in broken]
    found: list[Difference] = []
    for n, (was, becomes) in enumerate(((BROKEN, KEPT), (KEPT, BROKEN))):
        for states in broken[n].values():
            alone = d.both(d.without(states, every[1 - n]), possible)
            if alone != d.none:
                flags, cells = next(space.states(alone))
                found.append(Difference(was, becomes, alone, flags, cells))
    different = d.either(d.without(every[0], every[1]), d.without(every[1], every[0]))
    different = d.both(different, possible)
    return found, d.without(different, d.any_of([x.states for x in found])) == d.none


def _broken(side: Side, question: Question) -> dict[str, Diagram]:
    """For each requirement, whichever clauses have it, where it applies and is not kept."""
    d = side.d
    found: dict[str, Diagram] = {}
    if side.engine.has(question):
        answers = side.asked(question)
        for rule in answers.rules:
            _, fails = side.condition(as_expression(rule.value))
            here = d.both(answers.kept[rule.id], fails)
            form = value_form(rule.value)
            found[form] = d.either(found.get(form, d.none), here)
    return found


def _is_kept(engine: Engine, question: Question, scene: Supposed) -> Outcome:
    return BROKEN if _broken_rules(engine, question, scene) else KEPT


def _broken_rules(engine: Engine, question: Question, scene: Supposed) -> list[Rule]:
    rules = engine.ask(question, scene).rules
    return [rule for rule in rules if engine.requirement(rule)[0](scene) is False]


def _scene(comparer: Comparison, space: Space, flags: dict[Flag, int], side: int) -> Supposed:
    facts: dict[str, Value] = {}
    raised: set[Flag] = set()
    choices: dict[str, str] = {}
    for flag in space.flags:
        value = space.domains[flag][flags.get(flag, 0)]
        if flag[0] == SUPPOSED:
            facts[flag[1]] = value
        elif flag[0] == "fact":
            for name, event in space.sides[side].game.brought_about.items():
                if event == flag[1]:
                    facts[name] = value
        elif flag[0] == CHOICE and value:
            name, _, chosen = str(value).partition("=")
            choices[name] = chosen
        elif value:
            raised.add(flag)
    return Supposed(space.players[0].scenes[side], facts, raised, choices)


def _confirmed(
    comparer: Comparison, space: Space, one: Difference, question: Question, ask: Ask
) -> bool:
    try:
        told = [
            ask(engine, question, _scene(comparer, space, one.flags, n))
            for n, engine in enumerate(comparer.engines)
        ]
    except NotSupposed:
        return False
    return told == [one.was, one.becomes]


def _class(comparer: Comparison, space: Space, one: Difference, question: Question) -> ChangeClass:
    answers: list[SideAnswer] = []
    for n, (engine, outcome) in enumerate(
        zip(comparer.engines, (one.was, one.becomes), strict=True)
    ):
        scene = _scene(comparer, space, one.flags, n)
        if is_requirement(question):
            rules = _broken_rules(engine, question, scene)
            words = "; ".join(dict.fromkeys(f"requires {said(rule.value)}" for rule in rules))
            clauses = tuple(dict.fromkeys(rule.clause for rule in rules))
            answers.append(SideAnswer(outcome, clauses, (), words))
        else:
            told = engine.ask(question, scene)
            clauses = tuple(c for c, _ in _first(space.sides[n], question, one))
            answers.append(SideAnswer(outcome, told.clauses or clauses, told.readings))
    given = space.that_matter(one.states, one.flags)
    shown = tuple(
        space.words.circumstance(f, space.domains[f][v]) for f, v in sorted(given.items())
    )
    code = (
        "R604"
        if is_requirement(question)
        else (
            "R605"
            if is_act_of(question, "casino", "dealer")
            else "R603"
            if is_act_of(question, "player")
            else "R606"
        )
    )
    return ChangeClass(
        code,
        space.subjects.of(question),
        question,
        answers[0],
        answers[1],
        space.count(one.states),
        circumstances=shown,
    )


def _first(side: Side, question: Question, one: Difference) -> list[tuple[str, int]]:
    sets = clause_sets(side, [question], one) if side.engine.has(question) else []
    return [(clause, 0) for names, _ in sets[:1] for clause in names]


def _clauses_of(engine: Engine, question: Question) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rule.clause for rule, _ in engine.by_question.get(question, ())))
