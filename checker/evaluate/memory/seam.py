"""The one seam between what rules mean and what is remembered of it.

The engine, its scenes, and all that is worked out of the rules alone ask here. `Memory` keeps
nothing, so everything is worked out whenever it is asked for; `remembering.py` keeps what it can.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, Final, Generic, Protocol, TypeVar

from checker.evaluate.conditions import Value

T = TypeVar("T")
Name = TypeVar("Name", bound=str)
Key = TypeVar("Key")
Test = TypeVar("Test", bound=Callable[..., Any])


class HasMemory(Protocol):
    """An engine."""

    memory: Memory


class Memory:
    """The memory of an engine that remembers nothing."""

    keeps: bool = False

    def __init__(self, engine: Any) -> None:
        self.engine: Final = engine

    def like(self, engine: HasMemory) -> None:
        """Give another engine such a memory of its own."""
        engine.memory = type(self)(engine)

    def forget(self) -> None:
        """The rules are other ones now."""

    # --- questions

    def answer(self, key: Name, scene: Any, work_out: Callable[[Name, Any], T]) -> T:
        """What is said to a question, or several at once, at a moment."""
        return work_out(key, scene)

    def test(self, name: object, ask: Test, fact: str = "") -> Test:
        """Part of a condition, under its name: an answer rests on what it replies."""
        return ask

    # --- scenes

    def fact(self, scene: Any, name: str) -> Value:
        value: Value = scene.engine.readers[name](scene)
        return value

    def of_scene(self, key: Name, work_out: Callable[[Name, Any], T]) -> Callable[[Any], T]:
        """What is asked of scenes, and is the same however often it is asked of one."""
        return partial(work_out, key)

    def once(self, scene: Any, key: object, work_out: Callable[[], T]) -> T:
        """What is the same however often it is asked at one moment."""
        return work_out()

    def beside(self, scene: Any, fact: str) -> dict[Any, Any]:
        """What else is known for as long as a fact of the scene holds."""
        return {}

    def holds_all_round(self, node: object) -> bool:
        """Whether what a term says is known to be the same at all moments of a round."""
        return False

    def share(self, scene: Any) -> None:
        """The replies at this moment may be those of other moments of its round."""

    def pass_on(self, scene: Any, other: Any, changes: dict[str, Any]) -> None:
        """Another scene was made of a scene that shares."""

    def pass_on_but_dealer(self, scene: Any, other: Any) -> None:
        """Another scene was made that has other cards of the dealer alone."""

    # --- what follows from the rules alone

    def place(self, kept: Kept[T]) -> T:
        return kept.make(self.engine)


class Kept(Generic[T]):
    """Something that an engine's memory has a place for: it is made once for each memory."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[Any], T]) -> None:
        self.make: Final = make

    def of(self, engine: HasMemory) -> T:
        return engine.memory.place(self)


class Worked(Generic[Key, T]):
    """A function of an engine and something, whose values are kept."""

    __slots__ = ("_known", "_name", "_work_out")

    def __init__(
        self, work_out: Callable[[Any, Key], T], name: Callable[[Key], Hashable] | None = None
    ) -> None:
        """`name`: under what a value is kept, where that is not what it is worked out for."""
        self._work_out = work_out
        self._name = name
        self._known: Kept[dict[Hashable, T]] = Kept(lambda engine: {})

    def __call__(self, engine: HasMemory, key: Key) -> T:
        known = self._known.of(engine)
        name: Any = key if self._name is None else self._name(key)
        if name not in known:
            known[name] = self._work_out(engine, key)
        return known[name]
