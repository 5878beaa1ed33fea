"""Conditions and questions over all states at once, as the evaluator answers them one by one.

Facts of a hand, of the dealer and of the stake are tabulated from dealt hands by the evaluator's
own functions. Flags stay open. A condition is a pair of diagrams: where it holds, and where it
does not; a state in neither is one where it is not known.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from checker.evaluate.engine import Engine, Value
from checker.states.declared_words import arity_of, choice_asked, not_modelled, values_of_choice
from checker.states.diagram import Diagram, Diagrams
from checker.states.grid import (
    FOUND,
    Atom,
    Cells,
    Flag,
    Row,
    Values,
    events_of,
    side_of,
)
from checker.states.join_rows import joined, seen_with, told_of
from checker.states.marks import Marks
from rulespec.resolve.question import Question, as_of_dealer, defining
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.walk import asked_facts

Pair = tuple[Diagram, Diagram]  # where a condition holds, and where it does not
_FEWEST = ("stake", "dealer", "player")  # the side with the fewest rows first


class Symbolic:
    """All states of one group of questions."""

    def __init__(
        self,
        engine: Engine,
        questions: Iterable[Question],
        players: list[Row],
        dealers: list[Row],
        stakes: list[int],
        tick: Callable[[], None],
        also: Iterable[t.Expression] = (),
    ) -> None:
        self.engine = engine
        self.game = engine.rulebook.game
        self.events = events_of(self.game)
        self.questions = [q for q in questions if engine.has(q)]
        self.flags: list[Flag] = []
        self.atoms: dict[tuple[t.Expression, bool], Atom] = {}
        self._terms: set[tuple[str, bool]] = set()
        for question in self.questions:
            for rule, _ in engine.by_question[question]:
                self._collect(rule.condition, False)
        for condition in also:
            self._collect(condition, False)
        self.flags.sort()
        self.cells = self._cells(players, dealers, stakes)
        self.stakes = stakes
        arities = [arity_of(flag) for flag in self.flags]
        self.d = Diagrams(len(self.cells), arities, tick)
        self._known: dict[tuple[t.Expression, bool], Pair] = {}
        self._held: dict[tuple[str, bool], Pair] = {}

    @cached_property
    def marks(self) -> Marks:
        """How sets of these states are counted and told apart."""
        return Marks(self)

    # --- what is asked for

    def _collect(self, node: t.Expression, as_dealer: bool) -> None:
        match node:
            case t.Either() | t.Both():
                for part in node.parts:
                    self._collect(part, as_dealer)
            case t.Negated():
                self._collect(node.part, as_dealer)
            case t.Setting():
                self._flag((node.kind, node.name))
            case t.Fact() if self._definable(node.name):
                if node.name.startswith("dealer."):
                    self._collect_term(node.name, True)
                else:
                    self._collect_term(node.name, as_dealer)
            case t.Name():
                self._collect_term(node.name, as_dealer)
            case t.Always():
                pass
            case _:
                self._collect_atom(node, as_dealer)

    def _collect_atom(self, node: t.Expression, as_dealer: bool) -> None:
        if (node, as_dealer) in self.atoms or not_modelled(self.engine, node):
            return
        choice = choice_asked(self.engine, node)
        if choice is not None:
            self._flag(choice)
            return
        facts = tuple(sorted(asked_facts(node)))
        flagged = [f for f in facts if f in self.events]
        if flagged:
            self._flag(("fact", self.events[flagged[0]]))
            return
        sides = frozenset(side_of(f, as_dealer) for f in facts)
        self.atoms[(node, as_dealer)] = Atom(node, as_dealer, facts, sides)

    def _collect_term(self, term: str, as_dealer: bool) -> None:
        if (term, as_dealer) in self._terms:
            return
        self._terms.add((term, as_dealer))
        for rule, _ in self.engine.by_question.get(self._definition(term, as_dealer), ()):
            self._collect(rule.condition, as_dealer)

    def _definition(self, term: str, as_dealer: bool) -> Question:
        if as_dealer and term.startswith("dealer."):
            twin = defining(term.replace("dealer.", "hand.", 1))
            shared = as_of_dealer(twin)
            return shared if self.engine.has(shared) else twin
        return defining(term)

    def _definable(self, name: str) -> bool:
        return self.game.declared_fact(name) is None

    @property
    def terms(self) -> set[tuple[str, bool]]:
        """The defined terms that are asked for, and whether of the dealer's hand."""
        return self._terms

    def _flag(self, flag: Flag) -> None:
        if flag not in self.flags:
            self.flags.append(flag)

    # --- cells

    def _cells(self, players: list[Row], dealers: list[Row], stakes: list[int]) -> Cells:
        """Player rows, dealer rows and stakes that no condition tells apart are joined."""
        firsts = {row.line.firsts for row in players if row.line is not None and row.line.firsts}
        atoms = self.atoms.values()
        self.joined_players = joined(
            self.engine,
            atoms,
            players,
            "player",
            lambda r: r.line and (r.line.firsts, r.line.asked),
        )
        sets = sorted(firsts, key=sorted)
        self.joined_dealers = joined(
            self.engine,
            atoms,
            dealers,
            "dealer",
            lambda r: tuple(r.dealer[0][0] in f for f in sets),
        )
        if not any("stake" in a.sides for a in atoms):
            stakes = stakes[:1]
        kept_players = [group[0] for group in self.joined_players]
        return Cells(kept_players, [group[0] for group in self.joined_dealers], stakes)

    # --- conditions

    def condition(self, node: t.Expression, as_dealer: bool = False) -> Pair:
        key = (node, as_dealer)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._condition(node, as_dealer)
        return found

    def conditions(self) -> Iterable[Pair]:
        """Every test and defined term that the rules ask for: where it holds, and where not."""
        for atom in self.atoms.values():
            yield self.condition(atom.node, atom.as_dealer)
        for term, as_dealer in sorted(self._terms):
            yield self.holds(term, as_dealer)

    def limits(self) -> Iterable[Diagram]:
        """For every fact with numbers that the rules ask for: up to, from and at each of them."""
        asked = {(f, a.as_dealer) for a in self.atoms.values() for f in a.facts}
        for fact, as_dealer in sorted(asked):
            side = side_of(fact, as_dealer)
            rows = {
                value: rows
                for value, rows in self._values(side, (fact,), as_dealer).items()
                if isinstance(value, int)
            }
            for limit in sorted(rows):
                for kept in (
                    [v for v in rows if v <= limit],
                    [v for v in rows if v >= limit],
                    [limit],
                ):
                    yield self.d.leaf(self.cells.of(side, sum(rows[v] for v in kept)))

    def _condition(self, node: t.Expression, as_dealer: bool) -> Pair:
        d = self.d
        match node:
            case t.Always():
                return d.all, d.none
            case t.Negated():
                holds, fails = self.condition(node.part, as_dealer)
                return fails, holds
            case t.Both():
                holds, fails = d.all, d.none
                for part in node.parts:
                    one, other = self.condition(part, as_dealer)
                    holds, fails = d.both(holds, one), d.either(fails, other)
                return holds, fails
            case t.Either():
                holds, fails = d.none, d.all
                for part in node.parts:
                    one, other = self.condition(part, as_dealer)
                    holds, fails = d.either(holds, one), d.both(fails, other)
                return holds, fails
            case t.Setting():
                return self._flagged((node.kind, node.name), frozenset({1}))
            case t.Fact() if self._definable(node.name):
                return self.holds(node.name, as_dealer or node.name.startswith("dealer."))
            case t.Name():
                return self.holds(node.name, as_dealer)
            case _:
                if (node, as_dealer) in self.atoms:
                    return self._tabulated(self.atoms[(node, as_dealer)])
                if not_modelled(self.engine, node):
                    return d.none, d.none
                choice = choice_asked(self.engine, node)
                return self._flag_atom(node) if choice is None else self._chosen(node, choice)

    def _chosen(self, node: t.Expression, flag: Flag) -> Pair:
        """Where the house has chosen so; where the log does not say, that is not known, or it is
        nothing that was chosen."""
        level = self.flags.index(flag)
        holds, fails = values_of_choice(self.engine, node, flag)
        return self.d.flag(level, holds), self.d.flag(level, fails)

    def _flag_atom(self, node: t.Expression) -> Pair:
        facts = [f for f in asked_facts(node) if f in self.events]
        test = self.engine.compile(node)
        flag = ("fact", self.events[facts[0]])
        values: tuple[Value, ...] = FOUND if flag[1] == "found" else (False, True)
        values = values[::-1] if facts[0] in self.game.ended else values
        chosen = frozenset(
            n for n, value in enumerate(values) if test(Values(dict.fromkeys(facts, value)))
        )
        return self._flagged(flag, chosen)

    def _flagged(self, flag: Flag, chosen: frozenset[int]) -> Pair:
        level = self.flags.index(flag)
        every = frozenset(range(self.d.arities[level]))
        return self.d.flag(level, chosen), self.d.flag(level, every - chosen)

    def _tabulated(self, atom: Atom) -> Pair:
        """Where a test of hands, dealer and stake holds, by the evaluator's own comparison."""
        test = self.engine.compile(atom.node)
        sides = sorted({side_of(f, atom.as_dealer) for f in atom.facts}, key=_FEWEST.index)
        names = [tuple(f for f in atom.facts if side_of(f, atom.as_dealer) == s) for s in sides]
        # for each side the values of its facts, and the rows that have them
        valued = [
            self._values(side, facts, atom.as_dealer)
            for side, facts in zip(sides, names, strict=True)
        ]
        if not sides:
            outcome = test(Values({}))
            return self.d.leaf(self.d.full * (outcome is True)), self.d.leaf(
                self.d.full * (outcome is False)
            )
        holds = fails = 0
        *outer, inner = valued
        for chosen in itertools.product(*(values.items() for values in outer)):
            told: dict[str, Value] = {}
            for facts, (values, _) in zip(names, chosen, strict=False):
                told |= seen_with(facts, values).known
            true = false = 0
            for mine, rows in inner.items():
                outcome = test(Values(told | seen_with(names[-1], mine).known))
                if outcome is True:
                    true |= rows
                elif outcome is False:
                    false |= rows
            here = self.d.full
            for side, (_, rows) in zip(sides, chosen, strict=False):
                here &= self.cells.of(side, rows)
            holds |= here & self.cells.of(sides[-1], true)
            fails |= here & self.cells.of(sides[-1], false)
        return self.d.leaf(holds), self.d.leaf(fails)

    def _values(self, side: str, facts: tuple[str, ...], as_dealer: bool) -> dict[object, int]:
        """The distinct values of some facts of a side, and the rows that have each of them."""
        told: Sequence[object]
        if side == "stake":
            stakes = self.cells.stakes
            told = stakes if len(facts) == 1 else [(stake,) * len(facts) for stake in stakes]
        else:
            rows = self.cells.players if side == "player" else self.cells.dealers
            told = told_of(self.engine, rows, facts, as_dealer)
        places: dict[object, list[int]] = {}
        for place, values in enumerate(told):
            places.setdefault(values, []).append(place)
        return {values: sum([1 << n for n in here]) for values, here in places.items()}

    # --- questions

    def holds(self, term: str, as_dealer: bool = False) -> Pair:
        key = (term, as_dealer)
        if key not in self._held:
            answers = self.answers(self._definition(term, as_dealer), as_dealer)
            d = self.d
            yes, no = answers.value(True), answers.value(False)
            open_ = answers.open()
            clear = d.without(d.without(d.all, open_), d.both(yes, no))
            self._held[key] = d.both(yes, clear), d.both(d.without(d.all, yes), clear)
        return self._held[key]

    def answers(
        self,
        question: Question,
        as_dealer: bool = False,
        *,
        without: frozenset[str] = frozenset(),
        final_only: bool = False,
        beats: dict[str, frozenset[str]] | None = None,
    ) -> Answers:
        """The outcome sets of a question; rules whose ids are in `without` are left out."""
        rules = [
            r
            for r, _ in self.engine.by_question.get(question, ())
            if r.id not in without and not (final_only and r.interim)
        ]
        order = self.engine.beats(question) if beats is None else beats
        return Answers(self, rules, as_dealer, order)


class Answers:
    """Where each rule of a question counts, by the same steps as `Engine.ask`."""

    def __init__(
        self, space: Symbolic, rules: list[Rule], as_dealer: bool, beats: dict[str, frozenset[str]]
    ) -> None:
        d = space.d
        self.d = d
        self.rules = rules
        self.beats = beats
        self.applies: dict[str, Diagram] = {}
        unknown: dict[str, Diagram] = {}
        for rule in rules:
            holds, fails = space.condition(rule.condition, as_dealer)
            self.applies[rule.id] = holds
            optional = bool(space.engine.optional_of(rule))
            open_ = d.none if optional else d.without(d.all, d.either(holds, fails))
            unknown[rule.id] = open_
        interim = d.any_of([self.applies[r.id] for r in rules if r.interim])
        self.active = {
            r.id: self.applies[r.id] if r.interim else d.without(self.applies[r.id], interim)
            for r in rules
        }
        self.interim = interim
        self.kept: dict[str, Diagram] = {}
        self.unknown: dict[str, Diagram] = {}
        for rule in rules:
            over = [o for o in rules if rule.id in beats.get(o.id, ())]
            self.kept[rule.id] = d.without(
                self.active[rule.id], d.any_of([self.active[o.id] for o in over])
            )
        for rule in rules:
            open_ = unknown[rule.id] if rule.interim else d.without(unknown[rule.id], interim)
            if open_ != d.none:
                over = [o for o in rules if rule.id in beats.get(o.id, ())]
                open_ = d.without(open_, d.any_of([self.kept[o.id] for o in over]))
                open_ = d.without(open_, self.value(rule.value))
            self.unknown[rule.id] = open_

    def value(self, value: object) -> Diagram:
        return self.d.any_of([self.kept[r.id] for r in self.rules if r.value == value])

    def outcome(self) -> dict[object, Diagram]:
        return {v: self.value(v) for v in dict.fromkeys(r.value for r in self.rules)}

    def answered(self) -> Diagram:
        return self.d.any_of(list(self.kept.values()))

    def open(self) -> Diagram:
        return self.d.any_of(list(self.unknown.values()))
