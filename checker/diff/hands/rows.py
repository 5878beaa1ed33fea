"""Hands that no rule of two texts tells apart, whatever else is the case, are one row.

A condition that fails for the player's cards alone leaves nothing to ask of the rest of it: whether
a bust hand has five cards or six, nobody asks. So a row is kept apart from another only by what the
parts of whole conditions make of it where they still matter.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator

from checker.diff.hands.domains import SUPPOSED, Domains
from checker.diff.hands.joint import Hands, Joint
from checker.diff.hands.side import Side
from checker.evaluate.engine import Value
from checker.states.diagram import Diagrams
from checker.states.grid import Atom, Values, side_of
from checker.states.symbolic import Pair, Symbolic
from rulespec.tree import nodes as t

MOST = 50_000  # outcomes of one test; beyond that the values themselves are held apart


def kept_apart(
    sides: Iterable[Side],
    hands: Hands,
    domains: Domains,
    of: str,
    more: Callable[[Joint], object],
) -> list[Joint]:
    """The first of all rows of a side that neither text, nor `more`, tells apart."""
    rows = hands.players if of == "player" else hands.dealers
    sets = dict.fromkeys(x for side in sides for x in Rows(side, hands, domains, of).told_apart())
    marks = [format(one, f"0{len(rows)}b")[::-1] for one in sets]
    signs = zip(*marks, strict=True) if marks else itertools.repeat(())
    kept: dict[object, Joint] = {}
    for row, sign in zip(rows, signs, strict=False):
        kept.setdefault((sign, more(row)), row)
    return list(kept.values())


class Rows(Symbolic):
    """What one text makes of the rows of one side, without flags: sets of rows are ints."""

    def __init__(self, side: Side, hands: Hands, domains: Domains, of: str) -> None:
        self.side, self.hands, self.domains, self.of = side, hands, domains, of
        self.engine, self.atoms = side.engine, side.atoms
        self.game, self.events = side.game, side.events
        rows = hands.players if of == "player" else hands.dealers
        self.d = Diagrams(len(rows), [], lambda: None)
        self._known: dict[tuple[t.Expression, bool], Pair] = {}
        self._held: dict[tuple[str, bool], Pair] = {}
        self._alone: dict[tuple[t.Expression, bool], bool] = {}
        self._seen: set[tuple[t.Expression, bool, int]] = set()

    def told_apart(self) -> Iterator[int]:
        """Sets of rows; rows that are in the same of them come out alike in every rule and
        defined term."""
        for node, as_dealer in self.side.roots():
            yield from self._told(node, as_dealer, self.d.full)

    def _told(self, node: t.Expression, as_dealer: bool, where: int) -> Iterator[int]:
        """The sets that a condition cuts some rows into; it is not asked of the others."""
        key = (node, as_dealer, where)
        if not where or key in self._seen:
            return
        self._seen.add(key)
        if self.alone(node, as_dealer):
            for rows in self._rows(node, as_dealer):
                yield rows & where
            return
        match node:
            case t.Both() | t.Either():
                mine = [part for part in node.parts if self.alone(part, as_dealer)]
                end = isinstance(node, t.Both)  # what one part says that ends the matter
                over, others = 0, self.d.full
                for part in mine:
                    holds, fails = self._rows(part, as_dealer)
                    over, others = (
                        over | (fails if end else holds),
                        others & (holds if end else fails),
                    )
                yield over & where
                yield others & where
                for part in node.parts:
                    if not self.alone(part, as_dealer):
                        yield from self._told(part, as_dealer, where & ~over)
            case t.Negated():
                yield from self._told(node.part, as_dealer, where)
            case t.Fact() | t.Name() if self._defined(node):
                for condition, dealer in self._conditions(node, as_dealer):
                    yield from self._told(condition, dealer, where)
            case _:
                atom = self.atoms.get((node, as_dealer))
                for rows in self._cut(atom) if atom is not None else ():
                    yield rows & where

    # --- conditions on this side alone

    def alone(self, node: t.Expression, as_dealer: bool) -> bool:
        """Whether the rows of this side decide a condition."""
        key = (node, as_dealer)
        if key not in self._alone:
            self._alone[key] = False  # as long as a term is asked for itself
            self._alone[key] = self._is_alone(node, as_dealer)
        return self._alone[key]

    def _is_alone(self, node: t.Expression, as_dealer: bool) -> bool:
        match node:
            case t.Always():
                return True
            case t.Both() | t.Either():
                return all(self.alone(part, as_dealer) for part in node.parts)
            case t.Negated():
                return self.alone(node.part, as_dealer)
            case t.Fact() | t.Name() if self._defined(node):
                return all(self.alone(*one) for one in self._conditions(node, as_dealer))
            case _:
                atom = self.atoms.get((node, as_dealer))
                return (
                    atom is not None
                    and atom.sides <= {self.of}
                    and ((node, as_dealer) not in self.side.open)
                )

    def _defined(self, node: t.Fact | t.Name) -> bool:
        return isinstance(node, t.Name) or self._definable(node.name)

    def _conditions(
        self, node: t.Fact | t.Name, as_dealer: bool
    ) -> Iterator[tuple[t.Expression, bool]]:
        """The conditions of a term's definitions."""
        if isinstance(node, t.Fact):
            as_dealer = as_dealer or node.name.startswith("dealer.")
        definition = self._definition(node.name, as_dealer)
        for rule, _ in self.engine.by_question.get(definition, ()):
            yield rule.condition, as_dealer

    def _rows(self, node: t.Expression, as_dealer: bool) -> tuple[int, int]:
        holds, fails = self.condition(node, as_dealer)
        return self.d.cells(holds), self.d.cells(fails)

    def _tabulated(self, atom: Atom) -> Pair:
        test = self.engine.compile(atom.node)
        sets = {True: 0, False: 0, None: 0}
        for told, rows in self._valued(self.of, atom.facts, atom.as_dealer):
            sets[test(Values(dict(zip(atom.facts, told, strict=True))))] |= _set(rows)
        return self.d.leaf(sets[True]), self.d.leaf(sets[False])

    # --- conditions on several sides

    def _cut(self, atom: Atom) -> Iterator[int]:
        """The rows that a test against something else cannot tell apart."""
        if self.of not in atom.sides:
            return
        open_ = self.side.open.get((atom.node, atom.as_dealer), ())
        rest = [f for f in atom.facts if f not in open_]
        mine = tuple(f for f in rest if side_of(f, atom.as_dealer) == self.of)
        beside = [
            [dict(zip(facts, told, strict=True)) for told, _ in self._valued(*asked)]
            for other in sorted(atom.sides - {self.of})
            for facts in [tuple(f for f in rest if side_of(f, atom.as_dealer) == other)]
            for asked in [(other, facts, atom.as_dealer)]
        ]
        beside += [[{f: v} for v in self.domains[(SUPPOSED, f)]] for f in open_]
        values = list(self._valued(self.of, mine, atom.as_dealer))
        several = len(values)
        for one in beside:
            several *= len(one)
        if several > MOST:
            yield from (_set(rows) for _, rows in values)
            return
        test = self.engine.compile(atom.node)
        known = [
            {k: v for one in chosen for k, v in one.items()}
            for chosen in itertools.product(*beside)
        ]
        groups: dict[object, int] = {}
        for told, rows in values:
            here = dict(zip(mine, told, strict=True))
            outcomes = tuple([test(Values(here | one)) for one in known])
            groups[outcomes] = groups.get(outcomes, 0) | _set(rows)
        yield from groups.values()

    def _valued(
        self, side: str, facts: tuple[str, ...], as_dealer: bool
    ) -> Iterator[tuple[tuple[Value, ...], list[int]]]:
        yield from self.hands.values(self.side.place, side, facts, as_dealer).items()


def _set(rows: list[int]) -> int:
    return sum([1 << n for n in rows])
