"""How each fact of a game with boxes is read off a scene, and what is known of it."""

from __future__ import annotations

from checker.evaluate.card_terms import reader_of
from checker.evaluate.facts.home import FactTable, Home
from checker.evaluate.facts.of_hands import FACTS_OF_HANDS
from checker.evaluate.facts.of_table import FACTS_OF_TABLE
from checker.evaluate.facts.of_wagers import FACTS_OF_WAGERS
from checker.evaluate.facts.totals import worth

HOMES: dict[str, Home] = {**FACTS_OF_TABLE, **FACTS_OF_WAGERS, **FACTS_OF_HANDS}
BOXES = FactTable(HOMES, reader_of, worth)
