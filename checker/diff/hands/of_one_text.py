"""The hands that one of two texts lets happen, with all that the other could tell apart."""

from __future__ import annotations

from collections.abc import Callable

from checker.evaluate.engine import Engine
from checker.evaluate.scene import SeenScene
from checker.states.lines_of_play import Line
from checker.states.reachable import Key, States
from rulespec.resolve.question import Question


class WideStates(States):
    """Hands kept apart wherever some text could: aces also by the place where they came."""

    def __init__(self, engine: Engine, tick: Callable[[], None]) -> None:
        self.visited: dict[Line, None] = {}  # hands on which a player could choose
        self.by_place: tuple[frozenset[str], ...] = ()  # ranks told apart: first, second, third
        super().__init__(engine, tick)

    def may(self, action: str, line: Line, first: str = "9") -> bool:
        if action == "draw":
            self.visited[line] = None
        return super().may(action, line, first)

    def allows(self, question: Question, scene: SeenScene) -> bool:
        """What the text leaves open may be done or not, so it has to be compared."""
        return self.engine.allowed(question, scene)[0] is not False

    def key_of(self, cards: tuple[str, ...], doubled_with: int | None, mark: object) -> Key:
        aces = tuple(n for n, card in enumerate(cards) if card[0] == "A")
        places: object = None
        if aces and sum(self.points[c[0]] for c in cards) <= self.limit - 10:
            held = doubled_with or len(cards)
            places = tuple(sorted({min(n, 2) if n < held else 3 for n in aces}))
        key = (*super().key_of(cards, doubled_with, mark), places)
        if not self.by_place:
            return key
        return (
            *key,
            *(
                c[0] if c[0] in named else None
                for c, named in zip(cards, self.by_place, strict=False)
            ),
        )

    def first_two(self) -> list[Line]:
        """Where rules tell the first card from the second, also the other way round."""
        found = super().first_two()
        if self.by_place:
            found += [x.but(cards=x.cards[::-1]) for x in found if x.cards[0][0] != x.cards[1][0]]
        return found

    def wide_key(self, line: Line) -> Key:
        """What tells apart two hands as they stand at settlement, whoever dealt them."""
        other = [self.points[c[0]] for c in line.sibling]
        total = sum(other)
        if "A" in {c[0] for c in line.sibling} and total <= self.limit - 10:
            total += 10
        beside = "stood" if total < self.limit else "full" if total == self.limit else "over"
        return (
            *self.key(line),
            line.surrendered,
            line.forfeited,
            line.even_money,
            line.shared,
            line.follows,
            line.after_double,
            beside if line.number > 1 else None,
        )
