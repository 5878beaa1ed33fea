"""What the plain evaluator has learnt of a text, kept for the next run.

Tests are kept by name and rules by their place in the text; an answer is concluded again from its
rules. So a file says nothing by itself: it only saves asking what was asked before. A run asks for
a small part of it, and only that is made ready.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

from checker.evaluate.answer import Answer
from checker.evaluate.dealer_draw import FINALS
from checker.evaluate.engine import MET, Engine
from checker.evaluate.memory.answer_trees import KEPT, Asked, Fork
from checker.evaluate.memory.remembering import memory_of
from checker.evaluate.ready import have_ready
from rulespec.base import cache
from rulespec.resolve.question import Question, is_requirement
from rulespec.resolve.rulebook import Rule

_WORTH: Final = 50  # new answers for which a file is written again; fewer, if it is small
_DAMAGE: Final = (LookupError, TypeError, ValueError, AttributeError, RecursionError)
_REPLIES: Final = (bool, int, str, type(None))

Places: TypeAlias = tuple[int, ...]
Leaf: TypeAlias = tuple[str, Places, Places, Places] | tuple[tuple[str, ...] | None]
"""The rules that apply to a question, that are not known, that are unchecked; or the clauses of
what is required and met."""
Tree: TypeAlias = tuple[int, dict[Any, Any]]  # a test, and for each reply a tree or a leaf's number


@dataclass(slots=True)
class Learnt:
    """The trees of one text by question."""

    tests: list[str] = field(default_factory=list)  # their names
    leaves: list[Leaf] = field(default_factory=list)
    trees: dict[str, Tree | int] = field(default_factory=dict)
    forks: int = 0  # in all of them
    finals: dict[Any, Any] = field(default_factory=dict)  # `dealer_draw.FINALS`


class Memory:
    """What one engine knows from earlier runs, and what it will leave to the next."""

    def __init__(self, engine: Engine, place: Path | None) -> None:
        self._engine = engine
        self._recall = recall = memory_of(engine).recall
        self._place = place
        self._written = _written(self._place)
        self._reader: _Reader | None = None
        found = cache.read(self._place, Learnt, (Learnt,))
        if found is not None:
            self._reader = recall.earlier = _Reader(engine, found, recall.trees)
            recall.forks += found.forks
            memory_of(engine).known.put(FINALS, found.finals)
        self._ends = self._ends_known()

    def keep(self) -> None:
        """Write down what is new, with what others have written meanwhile."""
        place, recall = self._place, self._recall
        damaged = self._reader is not None and self._reader.damaged
        enough = 0 if damaged else min(_WORTH, recall.forks // 20)
        ends = self._ends_known()
        if place is None or recall.learnt + ends - self._ends <= enough:
            return
        with cache.without_collecting():
            self.read_all()
            if _written(place) != self._written:
                self._join()
            try:
                cache.write(place, _Writer(self._engine).all())
            except RecursionError:
                return
        recall.learnt = 0
        self._ends = ends
        self._written = _written(place)

    def _ends_known(self) -> int:
        return sum(map(len, FINALS.of(self._engine).values()))

    def read_all(self) -> None:
        """Also what nobody has asked for yet."""
        if self._reader is not None:
            self._reader.rest()

    def _join(self) -> None:
        found = cache.read(self._place, Learnt, (Learnt,))
        if found is None:
            return
        other = _Reader(self._engine, found, {}, self._recall.forks)
        other.rest()
        if other.damaged:
            return
        self._recall.forks = other.forks
        trees = self._recall.trees
        for question, tree in other.trees.items():
            trees[question] = _joined(trees.get(question), tree)


def _written(place: Path | None) -> int | None:
    try:
        return None if place is None else place.stat().st_mtime_ns
    except OSError:
        return None


def _joined(mine: Any, other: Any) -> Any:
    """Both trees in one, as far as they ask alike; what does not fit is learnt again."""
    if mine is None:
        return other
    if type(mine) is Fork and type(other) is Fork and mine.number == other.number:
        for reply, branch in other.branches.items():
            mine.branches[reply] = _joined(mine.branches.get(reply), branch)
    return mine


class _Reader:
    """Trees as they are asked for. What is wrong with the file ends the reading: a broken cache is
    no cache."""

    def __init__(
        self, engine: Engine, found: Learnt, trees: dict[str, Any], forks: int = 0
    ) -> None:
        """What is made ready goes to `trees`; `forks` are there before it."""
        self.engine = engine
        self.recall = memory_of(engine).recall
        self.found = found
        self.trees = trees
        self.forks = forks
        self.damaged = False
        self.asked: set[str] = set()
        self.named = 0
        self.numbers: dict[str, int] = {}  # of the first tests, by name
        self.tests: dict[int, tuple[int, Asked, Asked, str, int]] = {}
        self.leaves: dict[int, Any] = {}

    def tree(self, question: str) -> Any | None:
        """None where there is none."""
        try:
            raw = self.found.trees.pop(question, None)
            if raw is None or self.damaged:
                return None
            if question.startswith(MET):
                for one in question.removeprefix(MET).split(" and "):
                    self.ready(Question(one))
            else:
                self.ready(Question(question))
            node = self.trees[question] = self.node(raw)
        except _DAMAGE:
            self.damaged = True
            return None
        return node

    def branch(self, fork: Fork, reply: Any) -> Any | None:
        """Where a reply leads; None where no earlier run got it."""
        try:
            raw = fork.earlier.pop(reply, None) if fork.earlier else None
            if raw is None or self.damaged:
                return None
            node = fork.branches[reply] = self.node(raw)
        except _DAMAGE:
            self.damaged = True
            return None
        return node

    def rest(self) -> None:
        """Make ready what nobody has asked for yet too."""
        for question in list(self.found.trees):
            self.tree(question)
        waiting = list(self.trees.values())
        while waiting:
            node = waiting.pop()
            if type(node) is Fork:
                for reply in list(node.earlier or ()):
                    self.branch(node, reply)
                waiting.extend(node.branches.values())

    def ready(self, question: Question) -> None:
        """Have the tests of a question, and their numbers."""
        if question in self.asked:
            return
        self.asked.add(question)
        engine = self.engine
        have_ready(engine, question)
        for rule in engine.rules_on(question):
            optional = engine.optional_of(rule)
            if is_requirement(question):  # what is required has tests of its own
                optional += engine.requirement(rule)[1]
            for name in optional:
                engine.absence(name)
        for test in self.recall.names(self.named):
            self.numbers[repr(test)] = self.named
            self.named += 1

    def node(self, raw: Tree | int) -> Any:
        if isinstance(raw, int):
            if raw not in self.leaves:
                self.leaves[raw] = self.leaf(self.found.leaves[raw])
            return self.leaves[raw]
        test, branches = raw
        if test not in self.tests:
            number = self.numbers[self.found.tests[test]]
            self.tests[test] = self.recall.test_of(number)
        self.forks += 1
        fork = Fork(*self.tests[test], self.forks)
        fork.earlier = branches
        return fork

    def leaf(self, leaf: Leaf) -> Any:
        if len(leaf) == 1:
            return leaf
        question, *groups = leaf
        question = Question(question)
        rules = self.engine.rules_on(question)
        applies, unknown, unchecked = ([rules[place] for place in group] for group in groups)
        return self.engine.conclude(question, applies, unknown, unchecked)


class _Writer:
    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.recall = memory_of(engine).recall
        self.names = self.recall.names()
        self.kept = Learnt()
        self.tests: dict[int, int] = {}
        self.leaves: dict[Leaf, int] = {}
        self.answers: dict[int, int | None] = {}
        self.places: dict[str, dict[int, int]] = {}

    def all(self) -> Learnt:
        for question, node in self.recall.trees.items():
            tree = self.node(node)
            if tree is not None:
                self.kept.trees[question] = tree
        self.kept.leaves = list(self.leaves)
        self.kept.finals = FINALS.of(self.engine)
        return self.kept

    def node(self, node: Any) -> Tree | int | None:
        if type(node) is not Fork:
            return self.leaf(node)
        if node.age > KEPT:
            return None
        branches = {}
        for reply, branch in node.branches.items():
            if isinstance(reply, _REPLIES):
                made = self.node(branch)
                if made is not None:
                    branches[reply] = made
        if not branches:
            return None
        number = self.tests.get(node.number)
        if number is None:
            number = self.tests[node.number] = len(self.kept.tests)
            self.kept.tests.append(repr(self.names[node.number]))
        self.kept.forks += 1
        return number, branches

    def leaf(self, answer: object) -> int | None:
        known = self.answers.get(id(answer), -1)
        if known != -1:
            return known
        leaf = self.as_leaf(answer)
        number = None if leaf is None else self.leaves.setdefault(leaf, len(self.leaves))
        self.answers[id(answer)] = number
        return number

    def as_leaf(self, answer: object) -> Leaf | None:
        match answer:
            case Answer():
                applies = (*answer.rules, *(loser for loser, _ in answer.beaten))
                groups = (applies, answer.unknown, answer.unchecked)
                first, second, third = (self.of(answer.question, group) for group in groups)
                return answer.question, first, second, third
            case (None,):
                return (None,)
            case (tuple() as clauses,):
                return (clauses,)
            case _:
                return None

    def of(self, question: Question, rules: tuple[Rule, ...]) -> Places:
        """The places of rules among those of a question, in the order of the text."""
        places = self.places.get(question)
        if places is None:
            rules_on = self.engine.rules_on(question)
            places = {id(rule): place for place, rule in enumerate(rules_on)}
            self.places[question] = places
        return tuple(sorted(places[id(rule)] for rule in rules))
