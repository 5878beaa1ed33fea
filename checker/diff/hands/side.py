"""One of two texts over their common states: its conditions and questions as sets of states."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator

from checker.diff.hands.domains import SUPPOSED, Domains, StaysOpen
from checker.diff.hands.joint import Hands
from checker.evaluate.engine import Engine, Value
from checker.evaluate.scene import SeenScene
from checker.states.diagram import Diagram, Diagrams
from checker.states.grid import Atom, Flag, Values, clipped, events_of, side_of
from checker.states.symbolic import Answers, Pair, Symbolic
from checker.table.mechanics import facts_of_winners, won_by
from rulespec.resolve.question import Question, about_bet
from rulespec.tree import nodes as t
from rulespec.tree.walk import asked_facts

Asked = tuple[t.Expression, bool]
Column = tuple[str, tuple[str, ...], dict[tuple[Value, ...], list[int]]]


class Side(Symbolic):
    """One of the two texts over the common states."""

    def __init__(
        self, engine: Engine, questions: Iterable[Question], place: int, supposed: StaysOpen
    ) -> None:
        self.engine = engine
        self.game = engine.rulebook.game
        self.events = events_of(self.game)
        self.questions = [q for q in questions if engine.has(q)]
        self.place = place
        self.supposed = supposed
        self.flags: list[Flag] = []
        self.atoms: dict[Asked, Atom] = {}
        self.open: dict[Asked, tuple[str, ...]] = {}  # atoms with their facts that stay open
        self._terms: set[tuple[str, bool]] = set()
        self._known: dict[Asked, Pair] = {}
        self._held: dict[tuple[str, bool], Pair] = {}
        self._asked: dict[str, Answers] = {}
        self._asking: set[str] = set()
        self._also: list[t.Expression] = []
        # what also holds of a wager that wins such a bet itself, with the bet
        self._winners = {
            fact: bet for bet in engine.mechanics.bonuses for fact in facts_of_winners(bet)
        }
        for question in self.questions:
            for rule, _ in engine.by_question[question]:
                self._collect(rule.condition, False)
        for bet in self._won():
            self._collect_term(won_by(bet), False)

    def _won(self) -> list[str]:
        """The bets that are only paid and of whose winners something is asked."""
        asked = (bet for fact, bet in self._winners.items() if (SUPPOSED, fact) in self.flags)
        return list(dict.fromkeys(asked))

    def also(self, node: t.Expression) -> None:
        """A further condition that will be asked for: what a requirement requires."""
        self._also.append(node)
        self._collect(node, False)

    def roots(self) -> Iterator[Asked]:
        """All conditions that will be asked for, each whole."""
        for question in [*self.questions, *(about_bet(bet, "odds") for bet in self._won())]:
            for rule, _ in self.engine.by_question.get(question, ()):
                yield rule.condition, False
        for node in self._also:
            yield node, False
        for term, as_dealer in sorted(self._terms):
            for rule, _ in self.engine.by_question.get(self._definition(term, as_dealer), ()):
                yield rule.condition, as_dealer

    def share(self, flags: list[Flag], domains: Domains, hands: Hands, d: Diagrams) -> None:
        """The states of both texts, once they are known."""
        self.flags, self.domains, self.hands, self.d = flags, domains, hands, d

    def at(self, where: Diagram, flags: dict[Flag, int]) -> int:
        """The cells of a set when these flags are raised and all others have their first value."""
        d = self.d
        while d._level[where] < len(d.arities):
            where = d._below[where][flags.get(self.flags[d._level[where]], 0)]
        return d._leaf[where]

    def _condition(self, node: t.Expression, as_dealer: bool) -> Pair:
        holds, fails = super()._condition(node, as_dealer)
        bet = self._winners.get(node.name) if isinstance(node, t.Fact) else None
        if isinstance(node, t.Fact) and bet is not None and node.name not in self._asking:
            self._asking.add(node.name)  # a definition that asked for it would ask for itself
            try:
                won, _ = self.holds(won_by(bet))
                if node.name == facts_of_winners(bet)[1]:
                    won = self.d.both(won, self.asked(about_bet(bet, "odds")).answered())
            finally:
                self._asking.discard(node.name)
            holds, fails = self.d.either(holds, won), self.d.without(fails, won)
        return holds, fails

    def _collect_atom(self, node: t.Expression, as_dealer: bool) -> None:
        key = (node, as_dealer)
        if key in self.atoms:
            return
        facts = tuple(sorted(asked_facts(node)))
        flags = self.game.brought_about
        open_ = tuple(f for f in facts if self.supposed(f, self.game) and f not in flags)
        if not open_:
            super()._collect_atom(node, as_dealer)
            return
        for fact in open_:
            self._flag((SUPPOSED, fact))
        rest = frozenset(side_of(f, as_dealer) for f in facts if f not in open_)
        self.open[key] = open_
        self.atoms[key] = Atom(node, as_dealer, facts, rest)

    def compared_with_each_other(self) -> set[str]:
        """Open facts that a condition holds against each other, and not against named values."""
        return {fact for facts in self.open.values() if len(facts) > 1 for fact in facts}

    def asked(self, question: Question) -> Answers:
        """The outcome sets of a question, worked out once."""
        if question not in self._asked:
            self._asked[question] = self.answers(question)
        return self._asked[question]

    def signature_of(self, side: str) -> Callable[[SeenScene], object]:
        """All that conditions can see of a row: rows with one signature are one row."""
        mine = [(k, a) for k, a in self.atoms.items() if side in a.sides]
        facts = sorted(
            {
                (f, a.as_dealer)
                for k, a in mine
                for f in a.facts
                if f not in self.open.get(k, ()) and side_of(f, a.as_dealer) == side
            },
            key=lambda name: (name[1], name[0]),
        )
        place = {name: n for n, name in enumerate(facts)}
        tests: list[Callable[[tuple[Value, ...]], bool | None]] = []
        shared: set[int] = set()
        for key, atom in mine:
            if atom.sides == {side} and key not in self.open:
                places = [place[(f, atom.as_dealer)] for f in atom.facts]
                tests.append(_remembered(self.engine.compile(atom.node), atom.facts, places))
            else:
                shared |= {
                    place[(f, atom.as_dealer)] for f in atom.facts if (f, atom.as_dealer) in place
                }
        compared = sorted(shared)
        plain = [f for f, as_dealer in facts if not as_dealer]
        turned = [f for f, as_dealer in facts if as_dealer]
        limit = self.engine.mechanics.limit

        def signature(scene: SeenScene) -> object:
            told = tuple([scene.fact(f) for f in plain])
            if turned:
                told += tuple(map(scene.as_dealer().fact, turned))
            return (
                tuple([test(told) for test in tests]),
                tuple([clipped(told[n], side, limit) for n in compared]),
            )

        return signature

    def _tabulated(self, atom: Atom) -> Pair:
        """Where a test holds and where it fails, by the evaluator's own comparison."""
        test = self.engine.compile(atom.node)
        open_ = self.open.get((atom.node, atom.as_dealer), ())
        facts = tuple(f for f in atom.facts if f not in open_)
        sides = sorted({side_of(f, atom.as_dealer) for f in facts})
        columns = [
            (side, mine, self.hands.values(self.place, side, mine, atom.as_dealer))
            for side in sides
            for mine in [tuple(f for f in facts if side_of(f, atom.as_dealer) == side)]
        ]
        d = self.d
        levels = [self.flags.index((SUPPOSED, f)) for f in open_]
        holds = fails = d.none
        for chosen in itertools.product(*(range(d.arities[level]) for level in levels)):
            known: dict[str, Value] = {}
            where = d.all
            for fact, level, choice in zip(open_, levels, chosen, strict=True):
                known[fact] = self.domains[(SUPPOSED, fact)][choice]
                where = d.both(where, d.flag(level, frozenset({choice})))
            yes, no = self._cells_where(test, known, columns)
            holds = d.either(holds, d.both(where, d.leaf(yes)))
            fails = d.either(fails, d.both(where, d.leaf(no)))
        return holds, fails

    def _cells_where(
        self, test: Callable[..., bool | None], known: dict[str, Value], columns: list[Column]
    ) -> tuple[int, int]:
        """The cells where a test holds, and where it fails."""
        if len(columns) != 1:
            return self._cells_across(test, known, columns)
        ((side, facts, values),) = columns
        rows: dict[bool | None, list[int]] = {True: [], False: [], None: []}
        for told, mine in values.items():
            rows[test(Values({**known, **dict(zip(facts, told, strict=True))}))] += mine
        return self.hands.cells_of(side, rows[True]), self.hands.cells_of(side, rows[False])

    def _cells_across(
        self, test: Callable[..., bool | None], known: dict[str, Value], columns: list[Column]
    ) -> tuple[int, int]:
        """The same for a test of several sides, such as one total against the other."""
        cells_of = self.hands.cells_of
        sets = [
            [(facts, told, cells_of(side, rows)) for told, rows in values.items()]
            for side, facts, values in columns
        ]
        yes = no = 0
        for combined in itertools.product(*sets):
            told = dict(known)
            cells = self.d.full
            for facts, values, mask in combined:
                told.update(zip(facts, values, strict=True))
                cells &= mask
            outcome = test(Values(told))
            if outcome is True:
                yes |= cells
            elif outcome is False:
                no |= cells
        return yes, no


def _remembered(
    test: Callable[..., bool | None], facts: tuple[str, ...], places: list[int]
) -> Callable[[tuple[Value, ...]], bool | None]:
    """A test of the facts at these places, made once for each of their values."""
    known: dict[tuple[Value, ...], bool | None] = {}

    def ask(told: tuple[Value, ...]) -> bool | None:
        values = tuple([told[place] for place in places])
        if values not in known:
            known[values] = test(Values(dict(zip(facts, values, strict=True))))
        return known[values]

    return ask
