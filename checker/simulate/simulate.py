"""Round logs that obey a rulebook, from a seed. What is lawful is asked of the rulebook itself.

The same seed gives the same bytes on every machine: chance comes from `random.Random` with texts
as seeds, and nothing depends on the order of a set or on the clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from checker.evaluate.deals import opening_of
from checker.evaluate.engine import Engine
from checker.evaluate.scene import SeenScene
from checker.log import model as r
from checker.replay.replay import Library
from checker.simulate.fault import Fault
from checker.simulate.fault_order import FaultOrder, kinds
from checker.simulate.money import Cashier, in_order
from checker.simulate.people import People
from checker.simulate.players import Aim
from checker.simulate.referee import Referee, Refusal
from checker.simulate.round import RoundMaker
from checker.simulate.setup import (
    BOXES,
    Setup,
    Shoe,
    ShoeEmpty,
    Unusable,
    blank_round,
    set_up,
)
from checker.simulate.write import limits_text, line
from checker.table.shoes import ShoeTracker, ShoeView
from checker.table.state import Table
from rulespec.resolve.rulebook import Rulebook

SETUPS = 5  # tried one after the other for one round
ATTEMPTS = 60  # at one table
FAULT_ATTEMPTS = 14
SHOES_PER_SETUP = 4
ROUNDS_PER_DEVICE = 60  # an automatic shuffler gets fresh cards after so many rounds
AIMED = 0.06  # share of rounds with a rare hand brought about
_AIMS = ("bonus", "sevens", "long", "run", "pair", "aces", "ace_up", "insured", "ten_up", "natural")


class SimulationError(Exception):
    """The dates do not fit the rulebook."""


class NothingLawful(Exception):
    """No round was found that the text allows and decides."""

    def __init__(self, written: int, reasons: list[tuple[Refusal, int]]) -> None:
        after = f"after {written} rounds " if written else ""
        tried = sum(n for _, n in reasons)
        super().__init__(f"{after}no lawful round could be made in {tried} attempts")
        self.reasons = reasons


@dataclass(frozen=True, slots=True)
class Made:
    """A line of the log, and what was done wrong in it, if something was."""

    text: str
    fault: dict[str, Any] | None = None


@dataclass(slots=True)
class _Place:
    """One table: its clock, its shoe and the people around it."""

    name: str
    clock: datetime  # in UTC, which never jumps
    people: People
    setup: Setup | None = None
    limits: str = ""
    shoe: Shoe | None = None
    shoes: int = 0
    rounds: int = 0
    engine: Engine | None = None


def _face_down(engine: Engine, place: _Place) -> bool:
    """Whether a card of the initial deal lies face down at a table."""
    assert place.setup is not None
    table = Table(blank_round(place.setup.decks, place.setup.options), engine.mechanics)
    opening = opening_of(SeenScene(engine, table, ShoeView()))
    return opening is not None and any(step.face_down for step in opening.steps)


def zone_of(book: Rulebook) -> tzinfo:
    """The clock of the tables; UTC where the rulebook names none."""
    return ZoneInfo(book.zone) if book.zone is not None else UTC


def default_start(book: Rulebook, day: date | None = None) -> datetime:
    """Noon of the first day of the rulebook, or of another day, by its clock."""
    return datetime.combine(day or book.start or date(2024, 1, 1), time(12), zone_of(book))


def simulate(
    book: Rulebook,
    rounds: int,
    seed: int,
    *,
    tables: int = 4,
    start: datetime | None = None,
    faults: float = 0.0,
) -> Iterator[Made]:
    """The rounds of all tables in the order of time."""
    return Simulation(book, seed, tables, start or default_start(book), faults).run(rounds)


class Simulation:
    def __init__(
        self, book: Rulebook, seed: int, tables: int, start: datetime, faults: float
    ) -> None:
        self.book = book
        self.seed = seed
        self.library = Library([book], book)
        self.faults = faults
        self.next_fault = FaultOrder(book.game)
        self.fault_rng = Random(f"{seed}:faults")
        self.referee = Referee(book.id, ShoeTracker(self.library.mechanics_of))
        self.zone = start.tzinfo
        start = start.astimezone(UTC)
        self.places = [
            _Place(name, start + timedelta(seconds=7 * number), People(name))
            for number, name in enumerate(f"T{n:02d}" for n in range(1, tables + 1))
        ]
        self.line = 0

    def run(self, rounds: int) -> Iterator[Made]:
        for _ in range(rounds):
            place = min(self.places, key=lambda p: (p.clock, p.name))
            self.line += 1
            yield self._round(place)

    def _at(self, place: _Place) -> datetime:
        return place.clock.astimezone(self.zone)

    def _engine(self, place: _Place) -> Engine:
        day = self._at(place).date()
        engine = self.library.engine_for(self.book, day)
        if engine is None:
            raise SimulationError(f"no text of `{self.book.id}` is in force on {day}")
        return engine

    def _round(self, place: _Place) -> Made:
        engine = self._engine(place)
        place.rounds += 1
        name = f"{place.name}-{place.rounds:06d}"
        rng = Random(f"{self.seed}:{name}")
        place.people.move(rng)
        faulty = self.faults > 0 and self.fault_rng.random() < self.faults
        made = self._without_shuffle(place, engine, name) if faulty else None
        before = self.referee.refused.copy()
        for _ in range(SETUPS):
            if made is None:
                made = self._at_table(place, engine, name, rng, faulty)
        if made is None:
            raise NothingLawful(self.line - 1, self.referee.reasons(before))
        assert place.shoe is not None
        place.shoe.rounds += 1
        place.clock += timedelta(seconds=rng.randint(35, 80))
        return made

    # --- shoes

    def _ready_shoe(self, place: _Place, engine: Engine, rng: Random) -> tuple[bool, bool]:
        """See to it that there are cards: whether they are new, and the cut card came first."""
        shoe, setup = place.shoe, place.setup
        if shoe is not None and setup is not None and place.engine is engine:
            if setup.continuous:
                if shoe.rounds < ROUNDS_PER_DEVICE:
                    # every card is back in the device before the next round
                    shoe.shuffle_rest(rng, 0)
                    return False, False
            elif not shoe.cut_out and shoe.place < shoe.cut:
                return False, False
        cut_first = (
            shoe is not None
            and setup is not None
            and not setup.continuous
            and not shoe.cut_out
            and shoe.place >= shoe.cut
        )
        place.shoe = self._new_shoe(place, engine, keep=cut_first)
        return True, cut_first

    def _new_shoe(self, place: _Place, engine: Engine, keep: bool) -> Shoe:
        place.shoes += 1
        fresh = place.shoes % SHOES_PER_SETUP == 1 and not keep
        if place.setup is None or fresh or place.engine is not engine:
            place.setup = set_up(engine, Random(f"{self.seed}:{place.name}:setup:{place.shoes}"))
            place.limits = limits_text(place.setup)
            place.engine = engine
        name = f"{place.name}-{self._at(place):%m%d}-{place.shoes}"
        rng = Random(f"{self.seed}:{place.name}:shoe:{place.shoes}")
        return Shoe(name, place.setup.ranks, place.setup.decks, rng)

    def _without_shuffle(self, place: _Place, engine: Engine, name: str) -> Made | None:
        """After the cut card, deal on from the old shoe where that is a fault."""
        shoe, setup = place.shoe, place.setup
        if shoe is None or setup is None or setup.continuous or place.engine is not engine:
            return None
        if not shoe.cut_out or shoe.left < 55 or not self.next_fault.first("no_shuffle"):
            return None
        return self._fault(place, engine, name, "no_shuffle", False, False)

    # --- rounds

    def _at_table(
        self, place: _Place, engine: Engine, name: str, rng: Random, faulty: bool
    ) -> Made | None:
        """A round at the table as it stands; None when none is lawful there, and next time it is
        set up anew."""
        try:
            new, cut_first = self._ready_shoe(place, engine, rng)
        except Unusable as why:
            self.referee.stopped(why)
            return None
        kinds = (
            self.next_fault.next_kinds(place.shoe, new, _face_down(engine, place)) if faulty else []
        )
        for kind in kinds:
            made = self._fault(place, engine, name, kind, new, cut_first)
            if made is not None:
                return made
        shoe = place.shoe
        assert shoe is not None
        begin = (shoe.place, shoe.cut_out)
        for attempt in range(ATTEMPTS):
            if attempt:
                rng = Random(f"{self.seed}:{name}:{attempt}")
                shoe.shuffle_rest(rng, begin[0])
                shoe.cut_out = begin[1]
            aim = "none"
            if attempt < 20 and rng.random() < AIMED:
                aim = _AIMS[rng.randrange(len(_AIMS))]
            made = self._attempt(place, engine, name, rng, aim, new, cut_first, None)
            if made is not None:
                return made
        place.setup = place.shoe = None
        return None

    def _fault(
        self, place: _Place, engine: Engine, name: str, kind: str, new: bool, cut_first: bool
    ) -> Made | None:
        shoe = place.shoe
        assert shoe is not None
        begin = (shoe.place, shoe.cut_out)
        for attempt in range(FAULT_ATTEMPTS):
            rng = Random(f"{self.seed}:{name}:{kind}:{attempt}")
            shoe.shuffle_rest(rng, begin[0])
            shoe.cut_out = begin[1]
            fault = Fault(kinds()[kind], rng)
            made = self._attempt(place, engine, name, rng, fault.aim, new, cut_first, fault)
            if made is not None:
                self.next_fault.done(kind)
                return made
        shoe.shuffle_rest(Random(f"{self.seed}:{name}:{kind}"), begin[0])
        shoe.cut_out = begin[1]
        self.next_fault.failed(kind)
        return None

    def _attempt(
        self,
        place: _Place,
        engine: Engine,
        name: str,
        rng: Random,
        aim: str,
        new: bool,
        cut_first: bool,
        fault: Fault | None,
    ) -> Made | None:
        setup, shoe = place.setup, place.shoe
        assert setup is not None
        assert shoe is not None
        boxes = max(1, min(BOXES, (shoe.left - 10) // 9))
        seats = place.people.wagers(engine, setup, rng, boxes, fault is None)
        target = seats[rng.randrange(len(seats))].box
        maker = RoundMaker(
            engine,
            setup,
            shoe,
            rng,
            Aim(aim, target, rng),
            seats,
            new,
            cut_first,
            fault,
            frozenset(place.people.warned),
        )
        try:
            if fault is not None:
                fault.start(maker)
            maker.play()
            items = Cashier(maker, lenient=fault is not None and fault.undecided).settle()
            if fault is not None:
                items = fault.money(maker, items)
                if not fault.found:
                    return None
        except Unusable as why:
            if fault is None:
                self.referee.stopped(why)
            return None
        except ShoeEmpty:
            return None
        events = in_order(maker.events, items)
        head = {
            "round": name,
            "table": place.name,
            "shoe": shoe.name,
            "at": self._at(place).isoformat(),
            "rulebook": self.book.id,
            "decks": maker.decks,
        }
        text = line(head, setup, place.limits, events)
        if not self.referee.passes(engine, text, self.line, fault):
            return None
        for event in maker.events:
            if isinstance(event, r.Warn):
                place.people.warned.add(event.player)
        if fault is None:
            return Made(text)
        return Made(
            text, {"round": name, "table": place.name, "line": self.line, **fault.as_json()}
        )
