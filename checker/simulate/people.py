"""Who sits at a simulated table, and the wagers that these people place."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from checker.evaluate.engine import Engine
from checker.evaluate.memory.seam import Kept
from checker.evaluate.scene import SeenScene
from checker.log import model as r
from checker.simulate.setup import BOXES, Setup, blank_round, broken
from checker.simulate.state import FORBIDS, Seat
from checker.table.shoes import ShoeView
from checker.table.state import Table
from rulespec.resolve.question import about_bet, whether


@dataclass(slots=True)
class People:
    """The people around one table."""

    table: str
    seats: dict[int, str] = field(default_factory=dict)  # box: who sits there
    standing: list[str] = field(default_factory=list)
    warned: set[str] = field(default_factory=set)
    count: int = 0

    def move(self, rng: Random) -> None:
        """Some leave, some come."""
        for box in range(1, BOXES + 1):
            if box in self.seats:
                if rng.random() < 0.04:
                    del self.seats[box]
            elif rng.random() < 0.03:
                near = self.seats.get(box - 1)
                self.seats[box] = near if near and rng.random() < 0.2 else self._newcomer()
        if not self.seats:
            self.seats[rng.randint(1, BOXES)] = self._newcomer()
        if len(self.standing) < 3 or rng.random() < 0.03:
            self.standing = [*self.standing[-2:], self._newcomer()]

    def _newcomer(self) -> str:
        self.count += 1
        return f"P{self.table[1:]}{self.count:04d}"

    def wagers(
        self, engine: Engine, setup: Setup, rng: Random, boxes: int, unusual: bool = True
    ) -> list[Seat]:
        """The wagers of one round on at most so many boxes."""
        taken = sorted(self.seats)
        if len(taken) > boxes:
            taken = sorted(rng.sample(taken, boxes))
        playing = [box for box in taken if rng.random() < 0.93] or taken[:1]
        made: list[Seat] = []
        for box in playing:
            group = [self.seats[box]]
            if setup.capacity > 1 and rng.random() < 0.22:
                others = [
                    p
                    for p in dict.fromkeys((*self.standing, *self.seats.values()))
                    if p != group[0]
                ]
                more = min(rng.randint(1, setup.capacity - 1), len(others))
                group += rng.sample(others, more)
            made += self._box(engine, setup, rng, box, group, unusual)
        return made

    def _box(
        self, engine: Engine, setup: Setup, rng: Random, box: int, group: list[str], unusual: bool
    ) -> list[Seat]:
        needed = card_needed(engine, setup)
        stakes = [_stake(setup, rng) for _ in group]
        if len(group) == 1 and unusual and rng.random() < 0.012:
            stakes = [self._odd_stake(engine, setup, rng, box, group[0])]
        index, sitting = _control(engine, setup, rng, stakes)
        if index is None:
            group, stakes, index = group[:1], stakes[:1], 0
        seats = []
        for place, (player, stake) in enumerate(zip(group, stakes, strict=True)):
            side = tuple(
                (bet, rng.choice(sums))
                for bet in setup.side_bets
                if rng.random() < 0.3 and (sums := _side_stakes(engine, setup, bet))
            )
            side = (*((spot, stake) for spot in setup.spots), *side)
            marks = len(group) > 1 and place == index
            sits = _seated(sitting, marks) if len(group) > 1 else None
            card = self.card(player, needed)
            seats.append(Seat(box, player, stake, side, marks, sits, card))
        if unusual and setup.side_bets and rng.random() < 0.01:
            back = next((p for p in self.standing if p not in group), None)
            if back is not None:
                bet = (setup.side_bets[0], rng.choice(setup.side_stakes))
                seats.append(
                    Seat(box, back, 0, (bet,), player_card=self.card(back, needed), main=False)
                )
                if not _kept(engine, setup, seats):
                    seats.pop()
        return seats

    @staticmethod
    def card(player: str, needed: bool) -> str | None:
        """Three of five carry a card where none is asked for."""
        return f"C{player[1:]}" if needed or int(player[1:]) % 5 < 3 else None

    def _odd_stake(self, engine: Engine, setup: Setup, rng: Random, box: int, player: str) -> int:
        """A wager beyond the maximum or below the minimum, where the text settles such."""
        limits = setup.main_limits
        low, high, unit = limits.min or 0, limits.max or 0, limits.unit or 100
        if rng.random() < 0.7 and engine.has(about_bet(engine.mechanics.main, "counted")):
            stake = high + unit * rng.randint(1, 10)
        elif engine.has(whether("casino", "warn")) and player not in self.warned and low > unit:
            stake = low - unit
        else:
            return low
        if not _kept(engine, setup, [Seat(box, player, stake, player_card="C")]):
            return low
        return stake


def _stake(setup: Setup, rng: Random) -> int:
    """Small wagers are more common than large ones."""
    size = len(setup.stakes)
    return setup.stakes[min(rng.randrange(size), rng.randrange(size))]


def _side_stakes(engine: Engine, setup: Setup, bet: str) -> tuple[int, ...]:
    """What may be wagered on a side bet; a rulebook with bets of its own may want certain sums."""
    if not any(True for _ in engine.rulebook.game.own_words):
        return setup.side_stakes
    if bet not in setup.stakes_of:
        low = setup.main_limits.min or 100
        setup.stakes_of[bet] = tuple(
            stake
            for stake in (100, 200, 500, 1_000, 2_500)
            if _kept(engine, setup, [Seat(1, "P1", low, ((bet, stake),), player_card="C")])
        )
    return setup.stakes_of[bet]


def _kept(engine: Engine, setup: Setup, seats: list[Seat]) -> bool:
    """Whether wagers keep all that is required of them."""
    table = Table(
        blank_round(setup.decks, setup.options, setup.limits, setup.meters), engine.mechanics
    )
    for seat in seats:
        wagers = [(engine.mechanics.main, seat.stake)] if seat.main else []
        for bet, stake in (*wagers, *seat.side):
            event = r.Wager(
                seat.box, seat.player, bet, stake, seat.control, player_card=seat.player_card
            )
            table.apply(event)
            box = table.box(seat.box)
            scene = SeenScene(
                engine,
                table,
                ShoeView(known=True),
                box=box,
                player=seat.player,
                bet=bet,
                stake=stake,
                wager=event,
                hand=box.hands.get(1),
            )
            if broken(engine, "wager", scene) or broken(engine, bet, scene):
                return False
    return True


def _nothing_tried(engine: Engine) -> list[bool]:
    return []


def _no_controls(engine: Engine) -> dict[tuple[int, ...], list[tuple[int, str]]]:
    return {}


_CARD_NEEDED = Kept(_nothing_tried)
_CONTROLS = Kept(_no_controls)  # by the order of the stakes


def card_needed(engine: Engine, setup: Setup) -> bool:
    known = _CARD_NEEDED.of(engine)
    if not known:
        low = setup.main_limits.min or 100
        without = Seat(1, "P1", low, player_card="")
        known.append(not _kept(engine, setup, [without]))
    return known[0]


def _seated(sitting: str, decides: bool) -> bool | None:
    """The mark of a wager: the deciding player sits, nobody does, or the log does not say."""
    if sitting == "nobody":
        return False
    return True if decides and sitting == "decider" else None


def _control(
    engine: Engine, setup: Setup, rng: Random, stakes: list[int]
) -> tuple[int | None, str]:
    """Who of a box may decide, and what is said of seats."""
    if len(stakes) == 1:
        return 0, ""
    sizes = sorted(set(stakes))
    known = _CONTROLS.of(engine)
    key = tuple(sizes.index(s) for s in stakes)
    if key not in known:
        known[key] = [
            (index, sitting)
            for index in range(len(stakes))
            for sitting in ("decider", "nobody", "")
            if _may_decide(engine, setup, stakes, index, sitting)
        ]
    found = known[key]
    return found[rng.randrange(len(found))] if found else (None, "")


def _may_decide(engine: Engine, setup: Setup, stakes: list[int], index: int, sitting: str) -> bool:
    table = Table(
        blank_round(setup.decks, setup.options, setup.limits, setup.meters), engine.mechanics
    )
    main = engine.mechanics.main
    for place, stake in enumerate(stakes):
        table.apply(
            r.Wager(
                1,
                f"P{place}",
                main,
                stake,
                place == index,
                _seated(sitting, place == index),
                "C",
            )
        )
    box = table.box(1)
    scene = SeenScene(
        engine,
        table,
        ShoeView(),
        box=box,
        hand=box.hands[1],
        player=f"P{index}",
        stake=stakes[index],
    )
    decides = engine.mechanics.deciding
    allowed, answer = engine.allowed(whether("player", decides), scene)
    return allowed is not None and not any(x.value in FORBIDS for x in answer.rules)
