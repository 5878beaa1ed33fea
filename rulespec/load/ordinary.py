"""The words of the game of a rulebook that names none, for code that asks for no other game."""

from __future__ import annotations

from collections.abc import Mapping

from rulespec.load.games import ordinary_game
from rulespec.tree.game import Declared

_GAME = ordinary_game()


def _titles(words: Mapping[str, Declared]) -> dict[str, str]:
    return {name: word.title for name, word in words.items()}


FACTS = _GAME.facts
OPTIONS = _titles(_GAME.options)
APPROVALS = _titles(_GAME.approvals)
RECORDS = _titles(_GAME.records)
ACTIONS = {actor: _titles(_GAME.actions_of(actor)) for actor in ("player", "dealer", "casino")}
FLAG_FACTS = {name: info.comes_by for name, info in FACTS.items() if info.comes_by}
ABSENT_FACTS = {name: info.ends_by for name, info in FACTS.items() if info.ends_by}
