"""What the plain evaluator has learnt of a text, kept for the next run (`checker.recall`).

Tests are kept by name and rules by their place in the text; an answer is concluded again from its
rules. So a file says nothing by itself: it only saves asking what was asked before.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

from checker import cache_files
from checker.answer import Answer
from checker.engine import Engine
from checker.recall import KEPT, SHARED, Fork
from rulespec.rulebook import Rule

_WORTH: Final = 50  # new answers for which a file is written again; fewer, if it is small
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


class Memory:
    """What one engine knows from earlier runs, and what it will leave to the next."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._place = cache_files.place_of(engine.rulebook, "learnt")
        self._written = _written(self._place)
        self._take()

    def keep(self) -> None:
        """Write down what is new, with what others have written meanwhile."""
        place, recall = self._place, self._engine.recall
        if place is None or recall.learnt <= min(_WORTH, recall.forks // 20):
            return
        with cache_files.without_collecting():
            if _written(place) != self._written:
                self._take()
            try:
                cache_files.write(place, _Writer(self._engine).all())
            except RecursionError:
                return
        recall.learnt = 0
        self._written = _written(place)

    def _take(self) -> None:
        found = cache_files.read(self._place)
        if not isinstance(found, Learnt):
            return
        caches = self._engine.caches
        with cache_files.without_collecting():
            try:
                trees = _Reader(self._engine, found).all()
            except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
                return  # a broken cache is no cache
            for key, tree in trees.items():
                caches[key] = _joined(caches.get(key), tree)


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
    def __init__(self, engine: Engine, found: Learnt) -> None:
        self.engine = engine
        self.found = found
        self.forks = engine.recall.forks
        for rule in engine.rulebook.rules:
            optional = engine.optional_of(rule)
            if rule.question.startswith("require "):  # what is required has tests of its own
                optional += engine.requirement(rule)[1]
            for name in optional:
                engine.absence(name)
        numbers = {repr(name): number for number, name in enumerate(engine.recall.names())}
        self.tests = [engine.recall.test_of(numbers[name]) for name in found.tests]
        self.leaves = [self.leaf(leaf) for leaf in found.leaves]

    def all(self) -> dict[tuple[str, str], Any]:
        trees = {(SHARED, name): self.node(tree) for name, tree in self.found.trees.items()}
        self.engine.recall.forks = self.forks
        return trees

    def node(self, tree: Tree | int) -> Any:
        if isinstance(tree, int):
            return self.leaves[tree]
        test, branches = tree
        self.forks += 1
        fork = Fork(*self.tests[test], self.forks)
        leaves, node = self.leaves, self.node
        fork.branches = branches
        for reply, branch in branches.items():
            branches[reply] = leaves[branch] if type(branch) is int else node(branch)
        return fork

    def leaf(self, leaf: Leaf) -> Any:
        if len(leaf) == 1:
            return leaf
        question, *groups = leaf
        rules = [rule for rule, _ in self.engine.by_question.get(question, ())]
        applies, unknown, unchecked = ([rules[place] for place in group] for group in groups)
        return self.engine.conclude(question, applies, unknown, unchecked)


class _Writer:
    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.names = engine.recall.names()
        self.kept = Learnt()
        self.tests: dict[int, int] = {}
        self.leaves: dict[Leaf, int] = {}
        self.answers: dict[int, int | None] = {}
        self.places: dict[str, dict[int, int]] = {}

    def all(self) -> Learnt:
        for key, node in self.engine.caches.items():
            if isinstance(key, tuple) and key[0] == SHARED:
                tree = self.node(node)
                if tree is not None:
                    self.kept.trees[key[1]] = tree
        self.kept.leaves = list(self.leaves)
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

    def of(self, question: str, rules: tuple[Rule, ...]) -> Places:
        """The places of rules among those of a question, in the order of the text."""
        places = self.places.get(question)
        if places is None:
            entries = self.engine.by_question.get(question, ())
            places = {id(rule): place for place, (rule, _) in enumerate(entries)}
            self.places[question] = places
        return tuple(sorted(places[id(rule)] for rule in rules))
