"""Answers that hang on what the house offers and chooses.

A question is put once for each house: every option that the rulebook itself declares in use and
not, every value of each of its choices."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from checker.compare.values import Cell
from checker.evaluate.engine import Engine
from checker.states.houses import Axis, House, axes_of, houses_of
from rulespec.resolve.question import bet_and_what, defining, is_definition, requiring
from rulespec.tree import nodes as t
from rulespec.tree.walk import conditions_of, walk


def axes_asked(engine: Engine) -> list[Axis]:
    """What decides more than the rulebook's own bets, for no question is about those."""
    book = engine.rulebook
    game = book.game
    own = {bet.name for bet in game.bets.values() if bet.own}
    their = {requiring(bet) for bet in own}
    nodes: list[object] = [deal.condition for deal in game.deals]
    nodes += [asked for word, asked in conditions_of(game) if word.name not in own]
    nodes += [
        (rule.condition, rule.value)
        for rule in book.rules
        if not is_definition(rule.question)
        and rule.question not in their
        and bet_and_what(rule.question)[0] not in own
    ]
    parts = list(walk(nodes))
    seen: set[str] = set()
    while new := {p.name for p in parts if isinstance(p, t.Name | t.Fact)} - seen:
        seen |= new
        rules = [rule for name in new for rule, _ in engine.by_question.get(defining(name), ())]
        parts += walk([(rule.condition, rule.value) for rule in rules])
    return axes_of(game, parts, own=True)


def of_each_house(axes: Sequence[Axis], ask: Callable[[House], Cell]) -> Cell:
    """One answer, or what it hangs on with the answers."""
    cells = {house: ask(house) for house in houses_of(axes)}
    first = next(iter(cells.values()))
    told = {house: (cell.standing, cell.text) for house, cell in cells.items()}
    if len(set(told.values())) == 1:
        return first
    if unasked := [cell for cell in cells.values() if cell.standing == "undecided"]:
        return unasked[0]
    usual = next(iter(cells))
    matter = [
        n
        for n in range(len(axes))
        if any(
            told[house] != told.get((*house[:n], value, *house[n + 1 :]), told[house])
            for house in cells
            for value in axes[n]
        )
    ]
    others: dict[str, dict[str, None]] = {}
    for house, cell in cells.items():
        if told[house] != told[usual]:
            words = ", ".join(house[n] for n in matter if house[n] != usual[n])
            others.setdefault(cell.text, {})[words] = None
    value = "; ".join(f"{text} with {' or '.join(words)}" for text, words in others.items())
    value = f"{value}; else {first.text}"
    clauses = tuple(dict.fromkeys(c for cell in cells.values() for c in cell.clauses))
    readings = tuple(dict.fromkeys(r for cell in cells.values() for r in cell.readings))
    return Cell(value, clauses, None, "said", readings)
