"""Answers that were given before, found again by the replies that led to them.

A question is answered from what the scene says when its rules ask. The rules ask one thing after
another, so the answers of a question form a tree: at each fork something that was asked, a branch
for each reply, an answer at each end. A scene that gives the same replies gets the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from checker.evaluate.conditions import Scene
from checker.evaluate.facts.home import Readers
from checker.evaluate.memory.depends_on import Reads
from checker.evaluate.memory.shelves import EARLY, OF_MOMENT, OPEN

Reply = TypeVar("Reply")
Asked = Callable[[Scene], Any]

MOST = 400_000  # forks; beyond that answers are worked out each time
KEPT = 12_000  # forks, the first ones, that the next run is told of: more would take long to load

_NO_REPLY = object()


class Earlier(Protocol):
    """What an earlier run left: it is put in its place when it is asked for."""

    def tree(self, question: str) -> Any | None: ...

    def branch(self, fork: Fork, reply: Any) -> Any | None: ...


class Fork:
    """Something that is asked, and where each reply leads."""

    __slots__ = (
        "age",
        "ask",
        "branches",
        "earlier",
        "ends",
        "fact",
        "goes_on",
        "key",
        "last",
        "leads_on",
        "number",
        "read",
        "shelf",
        "then",
    )

    def __init__(
        self, number: int, ask: Asked, read: Asked, fact: str, shelf: int, age: int
    ) -> None:
        self.number = number
        self.age = age  # forks that were there before it
        self.ask = ask
        self.read = read  # for callers that have looked on the shelf already
        self.fact = fact  # its name, where it is a plain fact
        self.key = fact or number  # under which a reply is kept, and on which shelf
        self.shelf = shelf
        self.leads_on = False  # past others of its shelf
        self.branches: dict[Any, Any] = {}
        self.earlier: dict[Any, Any] | None = None  # branches that are not in their place yet
        self.last: Any = _NO_REPLY  # the one that came last, and where it led
        self.then: Any = None
        self.ends = False  # there, with an answer
        self.goes_on = False  # there, with another fork of its shelf


class Recall:
    def __init__(self, reads: Reads, readers: Readers) -> None:
        self._reads = reads
        self._readers = readers
        self._asked: list[tuple[Asked, str, object]] = []
        self._numbers: dict[object, int] = {}
        self._facts: dict[str, int] = {}  # the tests that are plain facts
        self._places: dict[int, int] = {}
        self._shelves: dict[int, int] = {}
        self._seen: dict[int, Any] | None = None
        self.trees: dict[str, Any] = {}  # of scenes that share, by question
        self.earlier: Earlier | None = None
        self.forks = 0
        self.learnt = 0  # answers that earlier runs did not know

    def test(
        self, name: object, ask: Callable[[Scene], Reply], fact: str = ""
    ) -> Callable[[Scene], Reply]:
        """The same test, whose reply is noted while an answer is worked out."""
        number = self._numbers.setdefault(name, len(self._asked))
        if number == len(self._asked):
            self._asked.append((ask, fact, name))
            if fact:
                self._facts[fact] = number

        def noted(scene: Scene) -> Reply:
            seen = self._seen
            if seen is None:
                return ask(scene)
            self._seen = None  # what a test asks in its turn is its own affair
            try:
                reply = ask(scene)
            finally:
                self._seen = seen
            seen.setdefault(number, reply)
            return reply

        return noted

    def forget(self) -> None:
        """Nothing was answered yet, and there is room again."""
        self.trees.clear()
        self.forks = 0

    @contextmanager
    def watching(self) -> Iterator[dict[int, Any]]:
        """Note what is asked, in order."""
        outer, self._seen = self._seen, {}
        try:
            yield self._seen
        finally:
            self._seen = outer

    def find(self, alone: dict[str, Any], question: str, scene: Any) -> Any | None:
        """The answer that a scene gets by its replies; None where it is still to be worked out.

        Forks of one shelf that follow each other are passed in one step where they were passed
        before: as long as the shelf stands, they lead to the same place."""
        shelves: list[dict[Any, Any] | None] | None = getattr(scene, "shelves", None)
        if shelves is None:
            return self._find_alone(alone.get(question), scene)
        node = self.trees.get(question)
        if type(node) is not Fork:
            if node is None and self.earlier is not None:
                node = self.earlier.tree(question)
            if type(node) is not Fork:
                return node
        while True:
            which = node.shelf
            shelf = shelves[which]
            if shelf is None:
                shelf = shelves[which] = OPEN[which](scene)
            if node.leads_on and node in shelf:
                node = shelf[node]
                if type(node) is Fork:
                    continue
                return node
            first = node
            while True:
                key = node.key
                if key in shelf:
                    reply = shelf[key]
                else:
                    reply = shelf[key] = node.read(scene)
                if reply is not node.last:
                    then = node.branches.get(reply)
                    if then is None:
                        if node.earlier and self.earlier is not None:
                            then = self.earlier.branch(node, reply)
                        if then is None:
                            return None
                    node.last, node.then = reply, then
                    node.ends = type(then) is not Fork
                    node.goes_on = not node.ends and then.shelf == which
                if not node.goes_on:
                    break
                node = node.then
            if node is not first and which != OF_MOMENT:
                first.leads_on = True
                shelf[first] = node.then
            if node.ends:
                return node.then
            node = node.then

    @staticmethod
    def _find_alone(node: Any, scene: Scene) -> Any | None:
        memory = scene.memory
        while type(node) is Fork:
            fact = node.fact
            reply = memory[fact] if fact in memory else node.ask(scene)
            node = node.branches.get(reply)
        return node

    def keep(
        self,
        alone: dict[str, Any],
        question: str,
        seen: dict[int, Any],
        answer: object,
        scene: Scene,
    ) -> None:
        if self.forks > MOST:
            return
        self.learnt += self.forks < KEPT
        seen = {n: reply for n, reply in seen.items() if not self._implied(n, seen)}
        place: dict[Any, Any] = alone
        branch: Any = question
        if getattr(scene, "shelves", None) is not None:
            place, branch, seen = self._join(self.trees, question, seen, scene)
        for number, reply in seen.items():
            fork = place.get(branch)
            if fork is None:
                fork = place[branch] = self.fork(number)
            place, branch = fork.branches, reply
        place[branch] = answer

    def _implied(self, number: int, seen: dict[int, Any]) -> bool:
        """Whether a fact is absent need not be asked where the fact itself is."""
        match self._asked[number][2]:
            case ("absent", str() as fact):
                return self._facts.get(fact) in seen
            case _:
                return False

    def fork(self, number: int) -> Fork:
        self.forks += 1
        return Fork(*self.test_of(number), self.forks)

    def test_of(self, number: int) -> tuple[int, Asked, Asked, str, int]:
        """What a fork asks: the test, how it is read, the fact that it is if any, its shelf."""
        ask, fact, _ = self._asked[number]
        return number, ask, self._readers.get(fact, ask), fact, self._shelf(number)

    def names(self, first: int = 0) -> list[object]:
        """What each test is called, by number."""
        return [name for _, _, name in self._asked[first:]]

    def _join(
        self, place: dict[Any, Any], branch: Any, seen: dict[int, Any], scene: Any
    ) -> tuple[dict[Any, Any], Any, dict[int, Any]]:
        """Where the tree of a question goes on for a scene, and what is still to be asked there.

        What holds longest is asked first, whenever the rules ask for it. That changes no answer:
        all that the rules asked is on the way to it. Only what belongs to the moment, and terms
        that may tell what a log lacks, are asked in the order of the rules and where they ask.
        """
        node = place.get(branch)
        left = dict(seen)
        while type(node) is Fork:
            reply = left.pop(node.number) if node.number in left else node.ask(scene)
            place, branch = node.branches, reply
            node = place.get(branch)
        order = sorted(left, key=self._when)
        return place, branch, {n: left[n] for n in order}

    def _when(self, number: int) -> int:
        """When a test is asked: what is not asked early keeps its order."""
        found = self._places.get(number)
        if found is None:
            early = self._reads.asked_early(self._asked[number][2])
            found = self._places[number] = EARLY[self._shelf(number)] if early else len(EARLY)
        return found

    def _shelf(self, number: int) -> int:
        found = self._shelves.get(number)
        if found is None:
            found = self._shelves[number] = self._reads.shelf(self._asked[number][2])
        return found
