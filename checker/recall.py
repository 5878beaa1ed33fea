"""Answers that were given before.

A question is answered from what the scene says when its rules ask. The rules ask one thing after
another, so the answers of a question form a tree: at each fork something that was asked, a branch
for each reply, an answer at each end. A scene that gives the same replies gets the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from checker.conditions import Scene

Reply = TypeVar("Reply")
Asked = Callable[[Scene], Any]

MOST = 400_000  # forks; beyond that answers are worked out each time


class Fork:
    """Something that is asked, and where each reply leads."""

    __slots__ = ("ask", "branches", "fact")

    def __init__(self, ask: Asked, fact: str) -> None:
        self.ask = ask
        self.fact = fact  # its name, where it is a plain fact
        self.branches: dict[Any, Any] = {}


class Recall:
    def __init__(self) -> None:
        self._asked: list[tuple[Asked, str]] = []
        self._numbers: dict[object, int] = {}
        self._seen: dict[int, Any] | None = None
        self._forks = 0

    def test(
        self, name: object, ask: Callable[[Scene], Reply], fact: str = ""
    ) -> Callable[[Scene], Reply]:
        """The same test, whose reply is noted while an answer is worked out."""
        number = self._numbers.setdefault(name, len(self._asked))
        if number == len(self._asked):
            self._asked.append((ask, fact))

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

    @contextmanager
    def watching(self) -> Iterator[dict[int, Any]]:
        """Note what is asked, in order."""
        outer, self._seen = self._seen, {}
        try:
            yield self._seen
        finally:
            self._seen = outer

    def find(self, caches: dict[Any, Any], question: str, scene: Scene) -> Any | None:
        node = caches.get(("answers", question))
        memory = scene.memory
        while type(node) is Fork:
            fact = node.fact
            reply = memory[fact] if fact in memory else node.ask(scene)
            node = node.branches.get(reply)
        return node

    def keep(
        self, caches: dict[Any, Any], question: str, seen: dict[int, Any], answer: object
    ) -> None:
        if self._forks > MOST:
            return
        place: dict[Any, Any] = caches
        branch: Any = ("answers", question)
        for number, reply in seen.items():
            fork = place.get(branch)
            if fork is None:
                fork = place[branch] = Fork(*self._asked[number])
                self._forks += 1
            place, branch = fork.branches, reply
        place[branch] = answer
