"""Which hand is to draw next in a game with named hands: the stages of the game, and the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from checker.evaluate.answer import BANS, Answer
from checker.evaluate.conditions import Condition
from checker.evaluate.engine import Engine
from checker.evaluate.memory.seam import Kept
from checker.evaluate.named_scene import NamedScene
from rulespec.resolve.question import Question, whether
from rulespec.tree import game as g


class _Item(NamedTuple):
    opens: Condition | None  # the condition of its stage, where the stage begins
    ends: Condition | None  # it ends the drawing where this holds
    who: str = ""  # else this hand draws
    at_most: int | None = None
    question: Question = Question("")


class Turn(NamedTuple):
    """A hand that may be due a card, and what the rules say."""

    hand: str
    answer: Answer

    @property
    def due(self) -> bool | None:
        """True: it must draw. False: it must not. None: the text does not tell, or leaves it."""
        values = set(self.answer.values)
        if self.answer.unknown or not values:
            return None
        if values == {"must"}:
            return True
        return False if values <= BANS else None


class Draws(NamedTuple):
    """How far the drawing has come. Never changed: each step gives another one."""

    items: tuple[_Item, ...]
    place: int = 0
    taken: int = 0

    def next(self, scene: NamedScene) -> tuple[Draws, Turn | None]:
        """The next hand that the game lets draw, as the table lies; None: there is none left."""
        items, place, taken = self
        while place < len(items):
            item = items[place]
            if item.opens is not None and not taken and item.opens(scene) is not True:
                place = self._next_stage(place)
                continue
            if item.ends is not None:
                if item.ends(scene):
                    break
            elif item.at_most is None or taken < item.at_most:
                answer = scene.engine.ask(item.question, scene)
                return Draws(items, place, taken), Turn(item.who, answer)
            place, taken = place + 1, 0
        return Draws(items, len(items)), None

    def _next_stage(self, place: int) -> int:
        place += 1
        while place < len(self.items) and self.items[place].opens is None:
            place += 1
        return place

    def took(self) -> Draws:
        """The hand whose turn it was has got a card."""
        return Draws(self.items, self.place, self.taken + 1)

    def passed(self) -> Draws:
        """The hand whose turn it was gets no (further) card."""
        return Draws(self.items, self.place + 1)


def draws_of(engine: Engine) -> Draws:
    """The drawing of a game before it begins."""
    return _DRAWS.of(engine)


_DRAWS = Kept(lambda engine: Draws(tuple(_items(engine))))


def _items(engine: Engine) -> Iterator[_Item]:
    asked = question_of(engine)
    for stage in engine.rulebook.game.stages.values():
        opens: Condition | None = engine.compile(stage.condition)
        for step in stage.steps:
            if isinstance(step, g.Draws):
                yield _Item(opens, None, step.who, step.at_most, asked(step.who))
            elif isinstance(step, g.Ends):
                yield _Item(opens, engine.compile(step.condition))
            else:
                continue
            opens = None


def question_of(engine: Engine) -> Callable[[str], Question]:
    """What is asked of a hand: whether it takes a card, by the word that the game has for it."""
    actions = engine.rulebook.game.actions.values()
    name = next((a.name for a in actions if a.by == "hand" and _deals(a)), "")
    return lambda hand: whether(hand, name)


def _deals(action: g.Action) -> bool:
    return any(isinstance(effect, g.Deals) for effect in action.effects)
