"""What a house may offer and choose under a rulebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod

from rulespec.tree import nodes as t
from rulespec.tree.game import Game
from rulespec.tree.walk import walk

House = tuple[str, ...]
"""As a log writes it: an option by its name, empty if not in use, a choice as `NAME=VALUE`."""
Axis = tuple[str, ...]
AT_MOST = 24
NOT_TOGETHER = "options and choices are only gone through one by one, not all together"


def axes_of(game: Game, nodes: Iterable[object], *, own: bool = False) -> list[Axis]:
    """What houses differ in, of all that some conditions ask for. `own`: only options that the
    rulebook itself declares."""
    parts = list(walk(list(nodes)))
    options = {p.name for p in parts if isinstance(p, t.Setting) and p.kind == "option"}
    chosen = {p.name for p in parts if isinstance(p, t.Chosen)}
    axes: list[Axis] = [
        ("", name)
        for name, option in game.options.items()
        if name in options and (option.own or not own)
    ]
    for name, choice in game.choices.items():
        if name in chosen and choice.kind == "values":
            axes.append((*("",) * choice.need_not, *(f"{name}={value}" for value in choice.values)))
    return axes


def all_houses(axes: Sequence[Axis]) -> bool:
    """Whether there are few enough for all to be gone through."""
    return prod(len(axis) for axis in axes) <= AT_MOST


def houses_of(axes: Sequence[Axis]) -> list[House]:
    """All of them together; where that were too many, each option and value by itself, beside a
    house that offers nothing and chooses the first of each. That one comes first."""
    if all_houses(axes):
        return list(product(*axes))
    usual = tuple(axis[0] for axis in axes)
    one_other = [
        (*usual[:n], value, *usual[n + 1 :]) for n, axis in enumerate(axes) for value in axis[1:]
    ]
    return [usual, *one_other]


def offered(house: House) -> House:
    """What stands in a log."""
    return tuple(word for word in house if word)
