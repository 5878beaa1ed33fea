"""What every part of a comparison works with: the two texts, their hands, what was found so far."""

from __future__ import annotations

import time
from collections.abc import Iterable

from checker.diff.classes import Meaning
from checker.diff.hands.domains import StaysOpen, stays_open
from checker.diff.hands.joint import Joint
from checker.diff.hands.side import Side
from checker.diff.hands.space import Seen, Space
from checker.diff.hands.states import BothStates
from checker.diff.hands.witness import Shower
from checker.diff.same_rules import Prints
from checker.diff.settlements import Difference
from checker.diff.topics import Subjects
from checker.evaluate.ready import new_engine
from checker.states.diagram import Diagram, OutOfTime
from rulespec.resolve.question import DEALER_DRAW, Question, requiring
from rulespec.resolve.rulebook import Rulebook

_HANDS = ("player ", "card value ", requiring("card"))
_PLAY = (*_HANDS, DEALER_DRAW)


class Comparison:
    """Two texts; `done` has compared other days of the same two, and need not be done again."""

    def __init__(
        self,
        old: Rulebook,
        new: Rulebook,
        budget: float | None = None,
        done: Comparison | None = None,
    ) -> None:
        self.done = done
        self.deadline = None if budget is None else time.monotonic() + budget
        self.engines = (new_engine(old), new_engine(new))
        self.prints = tuple(Prints(engine) for engine in self.engines)
        self.subjects = Subjects(old.game, new.game)
        self.mechanics = self.engines[0].mechanics
        self.bonuses = {bet for engine in self.engines for bet in engine.mechanics.bonuses}
        self.shower = Shower(self.engines)
        self.found = Meaning()
        self._ticks = 0
        self._states: BothStates | None = None
        self._rows: dict[str, list[Joint]] = {}
        self.seen: dict[str, Seen] = {}  # questions that were not the same at first sight

    def tick(self) -> None:
        self._ticks += 1
        if self.deadline is not None and self._ticks % 64 == 0 and time.monotonic() > self.deadline:
            raise OutOfTime

    def time_left(self) -> float | None:
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    @property
    def states(self) -> BothStates:
        if self._states is None:
            self._states = BothStates(self.engines, self.tick, self._same_play())
        return self._states

    def _same_play(self) -> bool:
        """The same rules on all that decides which hands players can come to."""
        asked = {q for e in self.engines for q in e.by_question if q.startswith(_HANDS)}
        old, new = self.prints
        return all(old.of(q) == new.of(q) for q in asked)

    def same(self, *questions: Question) -> bool:
        """Whether both texts have the same rules for some questions, or none at all."""
        if self.done is not None and self._done_before(questions):
            return True
        old, new = self.prints
        if any(old.of(q) != new.of(q) for q in questions):
            return False
        if any(engine.has(q) for q in questions for engine in self.engines):
            self.found.proven.append(questions[0])
        return True

    def _done_before(self, questions: Iterable[Question]) -> bool:
        """Whether the texts of another day have the same rules, and let the same hands happen."""
        assert self.done is not None
        play = {q for e in self.engines for q in e.by_question if q.startswith(_PLAY)}
        return all(
            mine.of(q) == theirs.of(q)
            for mine, theirs in zip(self.prints, self.done.prints, strict=True)
            for q in (*questions, *play)
        )

    def compared(self, old: Rulebook, new: Rulebook) -> bool:
        """Whether these are the texts that were compared."""
        return all(
            (mine.rulebook.rules, mine.rulebook.order) == (book.rules, book.order)
            for mine, book in zip(self.engines, (old, new), strict=True)
        )

    def space(
        self,
        questions: Iterable[Question],
        players: list[Joint],
        dealers: list[Joint],
        supposed: StaysOpen = stays_open,
    ) -> Space:
        asked = list(questions)
        old, new = (Side(e, asked, n, supposed) for n, e in enumerate(self.engines))
        space = Space((old, new), players, dealers, self.tick)
        self.found.states += space.dealt
        return space

    def keep(
        self, question: Question, space: Space, domain: Diagram, found: list[Difference]
    ) -> None:
        """What is needed to say why a changed rule has no effect; texts of different rulebooks
        share no clauses that could have changed."""
        if self.engines[0].rulebook.id != self.engines[1].rulebook.id:
            return
        self.seen[question] = Seen(space, domain, space.d.any_of([x.states for x in found]))
