"""What two texts declare otherwise: nothing here says what that comes to at the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rulespec.tree.game import Game

_KINDS = ("bets", "choices", "actions", "stages")


def declared_otherwise(old: Game, new: Game) -> Iterator[str]:
    """The words that both games have with other lines, and other stages and deals. Of a bet, an
    action or a choice that only one of them has, the rules tell."""
    for kind in _KINDS:
        mine, theirs = _plain(getattr(old, kind)), _plain(getattr(new, kind))
        both = [key for key in mine if key in theirs]
        for key in both:
            if mine[key] != theirs[key]:
                name = key if isinstance(key, str) else key[-1]
                yield f"the {kind[:-1]} `{name}` is declared otherwise"
        if kind == "stages" and (len(both) < len(mine) or len(both) < len(theirs)):
            yield "other stages are declared"
    if [(d.steps, d.condition) for d in old.deals] != [(d.steps, d.condition) for d in new.deals]:
        yield "the deal is declared otherwise"


def _plain(words: Mapping[Any, Any]) -> dict[Any, Any]:
    """Without titles, and whoever declares them."""
    return {key: replace(word, title="", own=False) for key, word in words.items()}
