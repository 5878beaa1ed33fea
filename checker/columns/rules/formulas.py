"""Amounts that rules name, laid out for machine code."""

from __future__ import annotations

from checker.columns.rules.looker import Looker, NotColumnar
from checker.columns.slots import FIXED, SLOTS
from checker.evaluate.engine import Engine
from rulespec.tree import nodes as t


class Formulas:
    """Amounts that a rule names, as sums of facts: constant, number of facts, slot and factor."""

    def __init__(self, engine: Engine) -> None:
        self.looker = Looker(engine, frozenset())
        self.numbers: list[int] = []
        self.start: int | None = None  # where they stand in `code`
        self.known: dict[tuple[t.Expression, ...], int] = {}

    def add(self, terms: list[t.Expression]) -> int:
        key = tuple(terms)
        if key not in self.known:
            made = [len(terms)]
            for term in terms:
                parts, constant = self.looker.linear(term)
                kept = [(n, f) for n, f in parts if n not in FIXED]
                if len(kept) != len(parts) or any(
                    f.denominator != 1 for f in (constant, *(f for _, f in parts))
                ):
                    raise NotColumnar(str(term))
                made += [int(constant), len(parts)]
                for name, factor in parts:
                    made += [SLOTS[name], int(factor)]
            self.known[key] = len(self.numbers)
            self.numbers += made
        return self.known[key]
