"""What is wrong by the words of conditions alone, for rules that no search over hands reaches.

A condition that no facts can meet, and two rules of one question that differ although in some case
the one applies wherever the other does, or both are about the same event. Facts are taken one by
one: what only the game rules out is left to the search.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, islice
from operator import attrgetter
from typing import TYPE_CHECKING

from checker.evaluate.possible import MOST_CASES, cases_of, consistent, possible
from checker.prove.issues import Clash, Proven, settled
from checker.prove.rules import without_use
from checker.table.mechanics import Mechanics
from rulespec.resolve.question import (
    DEALER_DRAW,
    ROUNDING,
    Question,
    asks_about_bet,
    defining,
    is_act_of,
    is_requirement,
)
from rulespec.resolve.rule_value import as_expression
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t

if TYPE_CHECKING:
    from checker.evaluate.engine import Engine
from checker.evaluate.memory.seam import Worked


def searched(game: Mechanics) -> tuple[str, ...]:
    """How the questions begin whose contradictions the search over hands finds, with a hand."""
    bets = [bet.name for bet in game.game.bets.values() if not bet.own and not bet.settle_only]
    return (
        *(f"{bet}.{what}" for bet in bets for what in ("result", "odds", "highest")),
        *(f"{bet}.{what}" for bet in game.bonuses for what in ("odds", "result")),
        DEALER_DRAW,
        "card value ",
        "define ",
        "player ",
    )


_OPPOSITES = {frozenset({"must", "must not"}), frozenset({"must", "may not"})}


def words(engine: Engine, read: Engine, dead: frozenset[str]) -> list[Proven]:
    """Findings about the printed rules, but not those whose ids are known to be dead already."""
    found: list[Proven] = []
    known = searched(engine.mechanics)
    for question, rules in engine.by_question.items():
        mine = [rule for rule, _ in rules]
        hopeless = {
            rule.id
            for rule in mine
            if not possible([rule.condition])
            or (
                is_requirement(question)
                and not possible([rule.condition, as_expression(rule.value)])
            )
        }
        never = without_use(mine, {id(r): r.id in hopeless for r in mine})
        found += [
            Proven("R313", question, (rule,), 0, where=_why_never(rule))
            for rule in never
            if rule.id not in dead
        ]
        if question.startswith(known):
            continue
        beats = engine.beats(question)
        for one, other in combinations((x for x in mine if x.id not in hopeless), 2):
            clash = Clash(0, one, other)
            if not settled(clash, beats) and _differ(engine, question, one, other):
                found.append(
                    Proven(
                        "R310",
                        question,
                        (one, other),
                        0,
                        values=clash.values,
                        settled=settled(clash, read.beats(question)),
                    )
                )
    return _issues(engine, found)


def _why_never(rule: Rule) -> str:
    """A requirement that applies, and that nothing can keep."""
    kept = not is_requirement(rule.question) or not possible([rule.condition])
    return "" if kept else "asks for what cannot be"


def _issues(engine: Engine, found: list[Proven]) -> list[Proven]:
    """What one clause says against several others is one finding."""
    kept = [p for p in found if p.code != "R310"]
    left = [p for p in found if p.code == "R310"]
    while left:
        counts = Counter((p.question, p.settled, r.clause) for p in left for r in p.rules)
        question, settled_, hub = max(counts, key=lambda key: counts[key])
        alike = [p for p in left if (p.question, p.settled) == (question, settled_)]
        mine = [p for p in alike if hub in [r.clause for r in p.rules]]
        rules = dict.fromkeys(r for p in mine for r in p.rules)
        ordered = sorted(rules, key=lambda r: r.clause != hub)
        values = tuple(dict.fromkeys(r.value for r in ordered))
        here = _in_one_case(engine, sorted(mine[0].rules, key=lambda r: r.clause != hub), ordered)
        kept.append(replace(mine[0], rules=tuple(ordered), values=values, here=here))
        left = [p for p in left if p not in mine]
    return kept


def _in_one_case(engine: Engine, first: list[Rule], rules: list[Rule]) -> tuple[Rule, ...]:
    """The first rules, and those of the others that can apply together with them."""
    here: list[Rule] = []
    cases: list[Case] = [frozenset()]
    for rule in (*first, *(r for r in rules if r not in first)):
        joint = [a | b for a in cases for b in _all_cases(engine, rule) if consistent([*a, *b])]
        if joint or rule in first:
            here.append(rule)
            cases = joint[:MOST_CASES] or cases
    return tuple(here)


Case = frozenset[tuple[t.Expression, bool]]  # tests and their outcomes, all of them together


def _differ(engine: Engine, question: Question, one: Rule, other: Rule) -> bool:
    """In some case the two say what cannot be kept at once."""
    cases = [(a, b) for a in _all_cases(engine, one) for b in _all_cases(engine, other)]
    if is_requirement(question):
        # what both ask for cannot be, although each can
        met = [(a, b) for a in _met(engine, one) for b in _met(engine, other)]
        never = bool(met) and not any(consistent([*a, *b]) for a, b in met)
        return never and any(_together(a, b) for a, b in cases)
    if is_act_of(question, "casino", "dealer"):
        opposed = frozenset({str(one.value), str(other.value)}) in _OPPOSITES
        return opposed and any(_together(a, b) or _one_event(a, b) for a, b in cases)
    if asks_about_bet(question, "deemed", "counted"):  # all that is asked is asked of one wager
        return bool(one.value != other.value) and any(consistent([*a, *b]) for a, b in cases)
    if asks_about_bet(question, "settles") and not _times_clash(str(one.value), str(other.value)):
        return False
    if asks_about_bet(question, "settles") or question == ROUNDING:
        return bool(one.value != other.value) and any(_together(a, b) for a, b in cases)
    return False


def _times_clash(one: str, other: str) -> bool:
    """Two times that may not be one. What must be over before something, and an order among
    settlements, can be kept with any other time, as far as words tell."""
    return one in t.TIMINGS and other in t.TIMINGS


def _together(one: Case, other: Case) -> bool:
    """One of two cases is a part of the other, save for events that it rules out; both can be."""
    part = _asked_for(one) <= other or _asked_for(other) <= one
    return part and consistent([*one, *other])


def _asked_for(case: Case) -> Case:
    """Without the events that must not have happened: a rule for all other cases is a wide one."""
    return frozenset(
        (test, holds)
        for test, holds in case
        if holds or not isinstance(test, t.Setting) or _is_option(test)
    )


def _one_event(one: Case, other: Case) -> bool:
    """Both cases are about one event, and both can be."""
    events = [x for x, holds in one & other if holds and isinstance(x, t.Fact | t.Setting)]
    return any(not _is_option(x) for x in events) and consistent([*one, *other])


def _is_option(test: t.Expression) -> bool:
    return isinstance(test, t.Setting) and test.kind == "option"


def _met(engine: Engine, rule: Rule) -> list[Case]:
    """The cases in which a requirement applies and is met."""
    return [
        a | frozenset(b)
        for a in _all_cases(engine, rule)
        for b in islice(cases_of(expanded(engine, as_expression(rule.value)), True), MOST_CASES)
    ]


def _cases_of_rule(engine: Engine, rule: Rule) -> list[Case]:
    found = list(islice(cases_of(expanded(engine, rule.condition), True), MOST_CASES + 1))
    return [frozenset(case) for case in found] if len(found) <= MOST_CASES else []


_all_cases = Worked(_cases_of_rule, attrgetter("id"))
"""The alternatives of a condition, each without `or`; few enough to be compared."""


def expanded(engine: Engine, node: t.Expression) -> t.Expression:
    """A condition with the meaning of defined terms in the place of the terms."""
    match node:
        case t.Both() | t.Either():
            return replace(node, parts=tuple(expanded(engine, part) for part in node.parts))
        case t.Negated():
            return replace(node, part=expanded(engine, node.part))
        case t.Name():
            said = [rule for rule, _ in engine.by_question.get(defining(node.name), ())]
            if said and all(rule.value is True and rule.reading is None for rule in said):
                meant = tuple(expanded(engine, rule.condition) for rule in said)
                return meant[0] if len(meant) == 1 else t.Either(meant, span=node.span)
    return node
