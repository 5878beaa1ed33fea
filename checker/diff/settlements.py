"""Where two texts settle a wager differently, over all hands that both let happen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from checker.diff.classes import NOT_KNOWN, NOTHING, Outcome
from checker.diff.hands.side import Side
from checker.diff.hands.space import Space
from checker.evaluate.engine import Answer, Engine
from checker.evaluate.scene import SeenScene
from checker.states.declared_words import CHOICE
from checker.states.diagram import Diagram, Diagrams
from checker.states.grid import Flag
from checker.states.symbolic import Answers
from checker.table.mechanics import won_by
from rulespec.resolve.question import Question, about_bet
from rulespec.tree import nodes as t

Parts = dict[Outcome, Diagram]


def partition(
    d: Diagrams, domain: Diagram, parts: dict[Any, Diagram]
) -> dict[frozenset[Any], Diagram]:
    """A domain cut by which of some sets each state is in."""
    found: dict[frozenset[Any], Diagram] = {frozenset(): domain}
    for name, states in parts.items():
        cut: dict[frozenset[Any], Diagram] = {}
        for inside, here in found.items():
            for names, piece in (
                (inside | {name}, d.both(here, states)),
                (inside, d.without(here, states)),
            ):
                if piece != d.none:
                    cut[names] = d.either(cut.get(names, d.none), piece)
        found = cut
    return found


# --- what is returned


def settlement(side: Side, bet: str, domain: Diagram) -> Parts:
    """The outcomes of a wager, a win with the odds that are paid."""
    d = side.d
    results = side.asked(about_bet(bet, "result"))
    found: Parts = {}
    for values, states in sets(d, results, domain).items():
        if values != {"wins"}:
            _add(d, found, outcome_of(values), states)
            continue
        for odds, part in _odds(side, bet, states).items():
            _add(d, found, Outcome(("wins",), odds), part)
    return found


def outcome_of(values: frozenset[Any] | set[Any]) -> Outcome:
    """An outcome set; what one clause leaves undecided, the others do not decide."""
    if "undecided" in values:
        return Outcome(("undecided",))
    return Outcome(tuple(sorted(str(v) for v in values)))


def sets(d: Diagrams, answers: Answers, domain: Diagram) -> dict[frozenset[Any], Diagram]:
    """A domain cut by what the text says there: the outcome set, and whether it is known."""
    parts: dict[Any, Diagram] = {v: s for v, s in answers.outcome().items() if s != d.none}
    if answers.open() != d.none:
        parts[NOT_KNOWN] = answers.open()
    return partition(d, domain, parts)


def _odds(side: Side, bet: str, won: Diagram) -> dict[tuple[Any, ...], Diagram]:
    d = side.d
    answers = side.asked(about_bet(bet, "odds"))
    highest = d.none
    if side.engine.has(about_bet(bet, "highest")):
        highest = side.answers(about_bet(bet, "highest")).answered()
    found: dict[tuple[Any, ...], Diagram] = {}
    for values, states in sets(d, answers, won).items():
        for best, where in ((True, d.both(states, highest)), (False, d.without(states, highest))):
            if where != d.none:
                odds = odds_of(values, best)
                found[odds] = d.either(found.get(odds, d.none), where)
    return found


def odds_of(values: frozenset[Any], only_highest: bool) -> tuple[Any, ...]:
    """The odds that are paid, the lowest first."""
    ratios = [v for v in values if isinstance(v, t.Odds)]
    if only_highest and len(ratios) == len(values) and ratios:
        return (max(ratios, key=lambda o: o.ratio),)
    return tuple(sorted(values, key=_rank))


def _rank(value: Any) -> tuple[int, Any]:
    match value:
        case t.Odds():
            return 0, value.ratio
        case t.Amount():
            return 1, value.cents
        case _:
            return 2, 0


def bonus(side: Side, bet: str, domain: Diagram) -> Parts:
    """The amounts of a bet that is only paid; a result is only ever that it is undecided."""
    d = side.d
    found: Parts = {}
    undecided = d.none
    if side.engine.has(about_bet(bet, "result")):
        undecided = d.both(side.asked(about_bet(bet, "result")).answered(), domain)
        _add(d, found, Outcome(("undecided",)), undecided)
    rest = d.without(domain, undecided)
    won, not_won = side.holds(won_by(bet))
    for values, states in sets(d, side.asked(about_bet(bet, "odds")), rest).items():
        for holds, where in (
            (True, d.both(states, won)),
            (False, d.both(states, not_won)),
            (None, d.without(d.without(states, won), not_won)),
        ):
            _add(d, found, bonus_of(values, holds), where)
    return found


def bonus_of(values: frozenset[Any], won: bool | None) -> Outcome:
    """What is due; where the bonus is won and no clause says how much, that is a gap."""
    if not values:
        return {True: Outcome(), False: NOTHING, None: Outcome((NOT_KNOWN,))}[won]
    if values == {t.Amount(0)}:
        return NOTHING
    return Outcome(("pays",), tuple(sorted(values, key=_rank)))


def plain(side: Side, question: Question, domain: Diagram) -> Parts:
    """The outcome sets of any other question."""
    found: Parts = {}
    for values, states in sets(side.d, side.asked(question), domain).items():
        _add(side.d, found, outcome_of(values), states)
    return found


def _add(d: Diagrams, found: Parts, outcome: Outcome, states: Diagram) -> None:
    if states != d.none:
        found[outcome] = d.either(found.get(outcome, d.none), states)


# --- the same from the evaluator, for one scene


def asked(engine: Engine, bet: str, scene: SeenScene) -> tuple[Outcome, tuple[Answer, ...]]:
    """What the evaluator says of one wager: the outcome and the answers that make it."""
    if bet in engine.mechanics.bonuses:
        undecided = engine.ask(about_bet(bet, "result"), scene)
        answer = engine.ask(about_bet(bet, "odds"), scene)
        if undecided.values:
            return Outcome(("undecided",)), (undecided,)
        return bonus_of(told(answer), engine.holds(won_by(bet), scene)), (answer,)
    result = engine.ask(about_bet(bet, "result"), scene)
    values = told(result)
    if values != {"wins"}:
        return outcome_of(values), (result,)
    answer = engine.ask(about_bet(bet, "odds"), scene)
    highest = bool(engine.ask(about_bet(bet, "highest"), scene).values)
    return Outcome(("wins",), odds_of(told(answer), highest)), (result, answer)


def told(answer: Answer) -> frozenset[Any]:
    """The outcome set of an answer, and whether something in it is not known."""
    return frozenset([*answer.values, *([NOT_KNOWN] if answer.unknown else [])])


# --- the differences


@dataclass(frozen=True, slots=True)
class Difference:
    """States on which two outcomes differ: all that share one set of circumstances."""

    was: Outcome
    becomes: Outcome
    states: Diagram
    flags: dict[Flag, int]  # the circumstances that it takes; none in ordinary play
    cells: int  # where it shows when nothing else is out of the ordinary


def differences(
    space: Space,
    domain: Diagram,
    parts: Callable[[Side, Diagram], Parts],
    usual: frozenset[Flag] = frozenset(),
    several: int = 3,
) -> tuple[list[Difference], bool]:
    """Every pair of different outcomes with its states; and whether that is all of them.

    `usual` are flags that this wager always has; from `several` unusual circumstances together
    on, states are not told apart any further."""
    d = space.d
    old, new = (parts(side, domain) for side in space.sides)
    same = d.any_of([d.both(states, new[o]) for o, states in old.items() if o in new])
    found: list[Difference] = []
    for was, before in old.items():
        rest = d.without(before, same)
        for becomes, after in new.items() if rest != d.none else ():
            if was != becomes:
                states = d.both(rest, after)
                found += _by_circumstances(space, was, becomes, states, usual, several)
    # nothing may be left over: the query for a further difference comes back empty
    left = d.without(d.without(domain, same), d.any_of([x.states for x in found]))
    return found, left == d.none


def _by_circumstances(
    space: Space,
    was: Outcome,
    becomes: Outcome,
    states: Diagram,
    usual: frozenset[Flag],
    several: int,
) -> Iterator[Difference]:
    """What shows in ordinary play first, then what it takes ever more circumstances for."""
    d = space.d
    while states != d.none:
        flags, cells = next(space.states(states))
        unusual = [flag for flag in flags if flag not in usual]
        if unusual:
            part = states
            for flag in unusual if len(unusual) < several else ():
                level = space.flags.index(flag)
                alike = range(1, d.arities[level]) if flag[0] != CHOICE else (flags[flag],)
                part = d.both(part, d.flag(level, frozenset(alike)))
        else:
            part = d.both(states, d.leaf(space.also_short(cells)))
        yield Difference(was, becomes, part, flags, cells)
        states = d.without(states, part)


def clause_sets(
    side: Side, questions: Iterable[Question], found: Difference
) -> list[tuple[tuple[str, ...], int]]:
    """The sets of clauses that decide, each with its cells, where nothing else is unusual."""
    sets: dict[tuple[str, ...], int] = {(): found.cells}
    for question in questions:
        answers = side.asked(question)
        kept: dict[str, int] = {}
        for rule in answers.rules:
            cells = side.at(answers.kept[rule.id], found.flags) & found.cells
            if cells:
                kept[rule.clause] = kept.get(rule.clause, 0) | cells
        for clause in sorted(kept):
            cut: dict[tuple[str, ...], int] = {}
            for names, cells in sets.items():
                inside, outside = cells & kept[clause], cells & ~kept[clause]
                if inside:
                    named = names if clause in names else (*names, clause)
                    cut[named] = cut.get(named, 0) | inside
                if outside:
                    cut[names] = cut.get(names, 0) | outside
            sets = cut
    return sorted(sets.items())
