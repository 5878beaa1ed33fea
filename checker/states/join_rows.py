"""Hands that no condition tells apart are joined: the first of them stands for all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from checker.evaluate.conditions import Condition
from checker.evaluate.engine import Engine
from checker.states.grid import Atom, Row, Values, clipped, side_of
from checker.states.row_facts import column, looked_at

Asked = tuple[tuple[str, ...], bool]  # some facts, and whether of the dealer's hand


def joined(
    engine: Engine,
    atoms: Collection[Atom],
    rows: list[Row],
    side: str,
    more: Callable[[Row], object],
) -> list[list[Row]]:
    """The rows in groups that no test, nor `more`, tells apart, the smallest first."""
    rows = sorted(rows, key=lambda r: r.size)
    tests: dict[Asked, list[Condition] | None] = {}
    for atom in atoms:
        if atom.sides == {side}:
            found = tests.setdefault((atom.facts, atom.as_dealer), [])
            assert found is not None
            found.append(engine.compile(atom.node))
    for atom in atoms:
        if len(atom.sides) > 1:  # compared with another side: what counts is the value itself
            mine = [f for f in atom.facts if side_of(f, atom.as_dealer) == side]
            tests |= {((fact,), atom.as_dealer): None for fact in mine}
    numbered: dict[str, list[Asked]] = {}
    for facts, as_dealer in tests:
        look = looked_at(rows, facts, as_dealer)
        numbered.setdefault(look, []).append((facts, as_dealer))
    signs: list[list[object]] = [[more(row) for row in rows]]
    for look, asked in numbered.items():
        numbers = [getattr(row, look) for row in rows] if look else list(range(len(rows)))
        some = dict(zip(numbers, rows, strict=True))  # one row for all with the same number
        marks = [_marks(engine, list(some.values()), one, tests[one], side) for one in asked]
        kinds: dict[object, object] = {}
        kind_of = {
            number: kinds.setdefault(mark, len(kinds))
            for number, mark in zip(some, zip(*marks, strict=True), strict=True)
        }
        signs.append([kind_of[number] for number in numbers])
    groups: dict[object, list[Row]] = {}
    for sign, row in zip(zip(*signs, strict=True), rows, strict=True):
        groups.setdefault(sign, []).append(row)
    return list(groups.values())


def _marks(
    engine: Engine, rows: list[Row], asked: Asked, tests: list[Condition] | None, side: str
) -> list[object]:
    """On each row what the tests come to; without tests the value."""
    facts, as_dealer = asked
    told = told_of(engine, rows, facts, as_dealer)
    if tests is None:
        return [clipped(value, side, engine.mechanics.limit) for value in told]
    outcomes = {
        values: tuple([test(seen_with(facts, values)) for test in tests])
        for values in dict.fromkeys(told)
    }
    return [outcomes[values] for values in told]


def told_of(
    engine: Engine, rows: Sequence[Row], facts: tuple[str, ...], as_dealer: bool
) -> list[Any]:
    """On each of these rows the value of a fact, or the values of several facts."""
    columns = [column(engine, rows, fact, as_dealer) for fact in facts]
    return columns[0] if len(facts) == 1 else list(zip(*columns, strict=True))


def seen_with(facts: tuple[str, ...], values: Any) -> Values:
    """What is seen where a fact has this value, or several facts have these."""
    if len(facts) == 1:
        return Values({facts[0]: values})
    return Values(dict(zip(facts, values, strict=True)))
