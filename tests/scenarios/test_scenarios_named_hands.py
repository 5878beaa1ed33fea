"""Changes to a rulebook on named hands that its scenarios notice."""

from __future__ import annotations

from checker.scenarios.mutants import mutants
from checker.scenarios.mutate import Work
from checker.scenarios.scenarios import load_scenarios, scenario_path
from rulespec.load.load import load, shipped


def test_a_row_of_the_drawing_table_is_noticed() -> None:
    path = shipped()["fr-punto-banco"]
    book = load(path).rulebook
    assert book is not None
    every = [m for m in mutants(book) if m.question == "banker draw"][:6]
    assert len(every) == 6
    work = Work(book, load_scenarios(scenario_path(path), book), every)
    assert all(work.noticed(number) is not None for number in range(6))
