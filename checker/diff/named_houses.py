"""Under which houses two texts on a game with named hands differ."""

from __future__ import annotations

from collections.abc import Iterable

from checker.evaluate.engine import Engine
from checker.states.houses import Axis, House, all_houses, axes_of, houses_of
from checker.states.named_deals import conditions_of
from rulespec.resolve.question import Question


def on_drawing(engine: Engine) -> set[Question]:
    return {q for q in engine.by_question if q.split()[0] in engine.rulebook.game.hands}


class Houses:
    """What is offered and chosen, as far as the rules on some questions ask for it, or those on
    the drawing."""

    def __init__(self, engines: Iterable[Engine], changed: set[Question]) -> None:
        axes: dict[str, Axis] = {}
        for engine in engines:
            asked = conditions_of(engine, changed | on_drawing(engine))
            for axis in axes_of(engine.rulebook.game, asked):
                name = axis[-1].partition("=")[0]
                both = [value for value in axes.get(name, axis) if value in axis]
                axes[name] = tuple(both or axis)
        self.axes = list(axes.values())
        self.all = houses_of(self.axes)
        self.whole = all_houses(self.axes)

    def where_only(self, houses: list[House]) -> tuple[str, ...]:
        """What a house has to offer or choose, where not all of them come to a difference."""
        if len(houses) == len(self.all):
            return ()
        matter = [
            n
            for n, axis in enumerate(self.axes)
            if any(
                other in self.all and other not in houses
                for house in houses
                for value in axis
                for other in ((*house[:n], value, *house[n + 1 :]),)
            )
        ]
        told = [
            ", ".join(house[n] or f"without {self.axes[n][1].partition('=')[0]}" for n in matter)
            for house in houses
        ]
        return (" or ".join(dict.fromkeys(told)),)
