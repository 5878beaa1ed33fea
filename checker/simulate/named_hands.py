"""Round logs of a game with named hands that obey a rulebook, from a seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from random import Random

from checker.replay.replay import Library
from checker.simulate.named_faults import KINDS, NamedFault
from checker.simulate.named_round import Draft, Table
from checker.simulate.referee import Referee
from checker.simulate.setup import Unusable
from checker.simulate.simulate import Made, NothingLawful, SimulationError, zone_of
from checker.table.shoes import ShoeTracker
from rulespec.resolve.rulebook import Rulebook

ATTEMPTS = 60
FAULT_ATTEMPTS = 40
SECONDS_A_ROUND = 75


class NamedSimulation:
    """The rounds of all tables in the order of time; each judged before it is handed out."""

    def __init__(
        self, book: Rulebook, seed: int, tables: int, start: datetime, faults: float
    ) -> None:
        self.book = book
        self.faults = faults
        self.zone = zone_of(book)
        self.clock = start.astimezone(UTC)
        self.rng = Random(f"{seed} faults")
        library = Library([book], book)
        self.referee = Referee(book.id, ShoeTracker(library.mechanics_of))
        engine = library.ready_engine(book, book.day_of(start))
        if engine is None:
            raise SimulationError(f"no text of {book.id} is in force on {book.day_of(start)}")
        self.engine = engine
        self.seeds = [f"{seed} {number}" for number in range(1, tables + 1)]
        self.tables: list[Table] = []
        try:
            self.tables += [
                Table(engine, f"T{n:02d}", Random(text)) for n, text in enumerate(self.seeds, 1)
            ]
        except Unusable as why:
            self.referee.stopped(why)
        self.fault_order: Counter[str] = Counter()

    def run(self, rounds: int) -> Iterator[Made]:
        if rounds and not self.tables:
            raise NothingLawful(0, self.referee.reasons())
        for number in range(rounds):
            table = self.tables[number % len(self.tables)]
            if number % len(self.tables) == 0:
                self.clock += timedelta(seconds=SECONDS_A_ROUND)
            wrong = self.faults > 0 and self.rng.random() < self.faults
            yield self._made(table, number + 1, wrong)

    def _made(self, table: Table, line: int, wrong: bool) -> Made:
        refused = self.referee.refused.copy()
        for _ in range(ATTEMPTS):
            try:
                draft = table.draft(self.clock.astimezone(self.zone))
            except Unusable as why:
                self.referee.stopped(why)
                table.new = True
                continue
            if wrong:
                made = self._spoilt(table, draft, line)
                if made is not None:
                    return made
            text = draft.text(self.book.id)
            if self.referee.passes(self.engine, text, line, None):
                return Made(text)
            table.new = True
        raise NothingLawful(line - 1, self.referee.reasons(refused))

    def _spoilt(self, table: Table, draft: Draft, line: int) -> Made | None:
        """The round with one violation, of the kind that was done least; None: none fits it."""
        for kind in sorted(KINDS, key=lambda name: (self.fault_order[name], name)):
            spoilt, fault = deepcopy(draft), NamedFault(kind)
            try:
                if not KINDS[kind](fault, table, spoilt, self.rng):
                    continue
            except Unusable:
                continue
            text = spoilt.text(self.book.id)
            if self.referee.passes(self.engine, text, line, fault):
                self.fault_order[kind] += 1
                return Made(text, {"round": spoilt.id, "table": spoilt.table, **fault.as_json()})
        return None
