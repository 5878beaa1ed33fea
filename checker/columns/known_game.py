"""The game whose words the columns know by number; rulebooks of others are judged plainly. What a
rulebook of it declares itself is known by its settings (see `rules.settings`)."""

from __future__ import annotations

from typing import Final

from rulespec.load.games import ordinary_game

GAME: Final = ordinary_game()
FACTS: Final = GAME.facts
OPTIONS: Final = tuple(GAME.options)
RECORDS: Final = tuple(GAME.records)
