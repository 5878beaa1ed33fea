"""Can several conditions hold at once? By their words alone, fact by fact."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

from rulespec.tree import nodes as t

MOST_CASES = 200
_EXCLUSIVE = (frozenset({"wager.under_minimum", "wager.over_maximum"}),)
_FLIPPED = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def possible(conditions: list[t.Expression]) -> bool:
    """Whether some values of the facts meet all the conditions; True when in doubt."""
    cases = [list(cases_of(condition, True)) for condition in conditions]
    number = 1
    for some in cases:
        number *= len(some)
    if number > MOST_CASES:
        return True
    return any(consistent([a for part in case for a in part]) for case in product(*cases))


def cases_of(node: t.Expression, holds: bool) -> Iterator[list[tuple[t.Expression, bool]]]:
    """The ways in which a condition can hold, or fail: each a list of tests and their outcomes."""
    match node:
        case t.Negated():
            yield from cases_of(node.part, not holds)
        case t.Both() | t.Either() if isinstance(node, t.Both) == holds:
            ways = [list(cases_of(part, holds)) for part in node.parts]
            for case in product(*ways):
                yield [test for part in case for test in part]
        case t.Both() | t.Either():
            for part in node.parts:
                yield from cases_of(part, holds)
        case t.Always():
            if holds:
                yield []
        case _:
            yield [(node, holds)]


@dataclass(slots=True)
class _Range:
    """What a fact can still be."""

    low: int | None = None
    high: int | None = None
    among: set[object] | None = None
    barred: set[object] = field(default_factory=set)

    def empty(self) -> bool:
        if self.among is not None:
            return not any(self._takes(value) for value in self.among)
        return self.low is not None and self.high is not None and self.low > self.high

    def _takes(self, value: object) -> bool:
        if value in self.barred:
            return False
        if not isinstance(value, int):
            return True
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def limit(self, operator: str, value: object) -> None:
        if operator == "=":
            self.among = {value} if self.among is None else self.among & {value}
        elif operator == "!=":
            self.barred.add(value)
        elif isinstance(value, int):
            step = {"<": -1, ">": 1}.get(operator, 0)
            if operator[0] == "<":
                self.high = value + step if self.high is None else min(self.high, value + step)
            else:
                self.low = value + step if self.low is None else max(self.low, value + step)


def consistent(tests: list[tuple[t.Expression, bool]]) -> bool:
    ranges: dict[t.Expression, _Range] = {}
    outcomes: dict[t.Expression, bool] = {}
    orders: dict[tuple[t.Expression, t.Expression], set[str]] = {}  # of two facts
    for node, holds in tests:
        if outcomes.setdefault(node, holds) != holds:
            return False
        match node:
            case t.Compare() if (value := _constant(node.right)) is not None:
                operator = node.operator if holds else _FLIPPED[node.operator]
                ranges.setdefault(node.left, _Range()).limit(operator, value)
            case t.Compare():
                operator = node.operator if holds else _FLIPPED[node.operator]
                orders.setdefault((node.left, node.right), set("<=>")).intersection_update(
                    "<>" if operator == "!=" else operator
                )
            case t.Between() if holds:
                for operator, end in ((">=", node.low), ("<=", node.high)):
                    value = _constant(end)
                    if value is not None:
                        ranges.setdefault(node.left, _Range()).limit(operator, value)
            case t.OneOf():
                values: set[object] = {_constant(value) for value in node.values}
                if None in values:
                    continue
                mine = ranges.setdefault(node.left, _Range())
                if holds:
                    mine.among = values if mine.among is None else mine.among & values
                else:
                    mine.barred |= values
    held = {node.name for node, holds in outcomes.items() if holds and isinstance(node, t.Fact)}
    if any(pair <= held for pair in _EXCLUSIVE):
        return False
    return all(orders.values()) and not any(one.empty() for one in ranges.values())


def _constant(node: t.Expression) -> int | str | None:
    """A value that is the same wherever it stands; a defined term is none."""
    match node:
        case t.Number():
            return node.value
        case t.Money():
            return node.cents
        case t.Ranks():
            return node.ranks
        case t.Name():
            return node.name
    return None
