"""An engine that remembers: the same answers, each worked out once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeVar

from checker.evaluate.asked_for import optional_facts
from checker.evaluate.conditions import Value
from checker.evaluate.engine import Engine
from checker.evaluate.memory.answer_trees import Recall
from checker.evaluate.memory.depends_on import Reads
from checker.evaluate.memory.seam import Kept, Memory, Test
from checker.evaluate.memory.shelves import OF_DEALER, OF_ROUND, OPEN, SHELVES, of_round

T = TypeVar("T")
Name = TypeVar("Name", bound=str)
_UNOPENED: Final = (None,) * (SHELVES - 2)  # all but those of the moment and of the round
_UNKNOWN: Final = object()


@dataclass(slots=True)
class Known:
    """What was worked out of one set of rules."""

    places: dict[Kept[Any], Any] = field(default_factory=dict)
    alone: dict[str, Any] = field(default_factory=dict)  # answer trees of scenes by themselves

    def put(self, kept: Kept[T], value: T) -> None:
        self.places[kept] = value


class Remembering(Memory):
    """Given to an engine, it keeps what the engine says: `engine.memory = Remembering(engine)`."""

    keeps = True

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        homes = engine.facts.homes
        self.reads = Reads(
            engine.by_question, partial(optional_facts, engine), engine.rulebook.game, homes
        )
        self.recall = Recall(self.reads, engine.readers)
        self.known = Known()

    def forget(self) -> None:
        self.known = Known()
        self.recall.forget()

    # --- questions

    def answer(self, key: Name, scene: Any, work_out: Callable[[Name, Any], T]) -> T:
        recall, alone = self.recall, self.known.alone
        found: T | None = recall.find(alone, key, scene)
        if found is None:
            with recall.watching() as seen:
                found = work_out(key, scene)
            recall.keep(alone, key, seen, found, scene)
        return found

    def test(self, name: object, ask: Test, fact: str = "") -> Test:
        noted: Any = self.recall.test(name, ask, fact)
        return noted  # type: ignore[no-any-return]

    # --- scenes

    def fact(self, scene: Any, name: str) -> Value:
        memory = scene.memory
        if name in memory:
            known: Value = memory[name]
            return known
        shelves: list[Any] | None = scene.shelves
        if shelves is not None:
            which = self.reads.fact_shelves[name]
            memory = shelves[which]
            if memory is None:  # not opened yet
                memory = shelves[which] = OPEN[which](scene)
            if name in memory:
                known = memory[name]
                return known
        value: Value = scene.engine.readers[name](scene)
        memory[name] = value
        return value

    def of_scene(self, key: Name, work_out: Callable[[Name, Any], T]) -> Callable[[Any], T]:
        def known(scene: Any) -> T:
            memory: dict[str, T] = scene.memory
            if key in memory:
                return memory[key]
            found = memory[key] = work_out(key, scene)
            return found

        return known

    def once(self, scene: Any, key: object, work_out: Callable[[], T]) -> T:
        memory: dict[Any, Any] = scene.memory
        found: Any = memory.get(key, _UNKNOWN)
        if found is _UNKNOWN:
            found = memory[key] = work_out()
        return found  # type: ignore[no-any-return]

    def beside(self, scene: Any, fact: str) -> dict[Any, Any]:
        shelves = scene.shelves
        if shelves is None:
            memory: dict[Any, Any] = scene.memory
            return memory
        which = self.reads.fact_shelves[fact]
        shelf: dict[Any, Any] | None = shelves[which]
        if shelf is None:
            shelf = shelves[which] = OPEN[which](scene)
        return shelf

    def holds_all_round(self, node: object) -> bool:
        return self.reads.shelf(node) == OF_ROUND

    def share(self, scene: Any) -> None:
        """Only for scenes of one engine and one shoe: they share by way of the table."""
        scene.shelves = [scene.memory, of_round(scene), *_UNOPENED]

    def pass_on(self, scene: Any, other: Any, changes: dict[str, Any]) -> None:
        alike = "shoe" not in changes and "engine" not in changes
        shelves = [other.memory, scene.shelves[OF_ROUND], *_UNOPENED]
        other.shelves = shelves if alike else None

    def pass_on_but_dealer(self, scene: Any, other: Any) -> None:
        if scene.shelves is not None and other.shelves is not None:
            other.shelves[1:] = scene.shelves[1:]
            other.shelves[OF_DEALER] = None

    # --- what follows from the rules alone

    def place(self, kept: Kept[T]) -> T:
        places = self.known.places
        found: Any = places.get(kept, _UNKNOWN)
        if found is _UNKNOWN:
            found = places[kept] = kept.make(self.engine)
        return found  # type: ignore[no-any-return]


E = TypeVar("E", bound=Engine)


def remembering(engine: E) -> E:
    """The engine, with such a memory."""
    engine.memory = Remembering(engine)
    return engine


def memory_of(engine: Engine) -> Remembering:
    """The memory of an engine that is known to remember."""
    memory = engine.memory
    assert isinstance(memory, Remembering)
    return memory
