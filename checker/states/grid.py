"""What a state is made of: hands, dealer's hands, stakes and flags, and how facts are read."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any, overload

from checker.evaluate.engine import Value
from checker.evaluate.facts.boxes import HOMES
from checker.evaluate.scene import SeenScene
from checker.states.lines_of_play import Line
from checker.table.mechanics import Mechanics, ordinary
from rulespec.resolve.question import DEALER_DRAW, whether
from rulespec.tree import nodes as t
from rulespec.tree.game import Game

FOUND = (
    "not_recorded",
    "before_deal",
    "initial_deal",
    "subsequent_deal",
    "after_second_card",
    "after_round",
    "next_round",
)
CHOICE_FACTS: dict[str, str] = {
    name: home.choice_event for name, home in HOMES.items() if home.choice_event
}
"""Facts that an event brings about before a choice, and the name of that flag."""


def events_of(game: Game) -> dict[str, str]:
    """Facts that an event brings about or ends, and the name of that flag."""
    return {**game.brought_about, **game.ended, **CHOICE_FACTS}


STAKE_FACTS = frozenset(name for name, home in HOMES.items() if home.proof == "stake")
NOT_MODELLED = frozenset(name for name, home in HOMES.items() if home.proof == "held")
"""Facts that are held at their ordinary value. A rule that asks for one is never called dead."""


@cache
def modelled_in() -> dict[str, tuple[str, ...]]:
    """And the questions for which the search goes through their values all the same."""
    mechanics = ordinary()
    game = mechanics.game
    varied_for: dict[str, tuple[str, ...]] = {
        "choices": ("player ",),
        "deciding": (whether("player", mechanics.deciding),),
        "splitting": (whether("player", mechanics.action(mechanics.splitting)),),
        "dealer draw": (DEALER_DRAW,),
        "side bets": tuple(f"{bet}." for bet in game.bets if mechanics.first_cards(bet)),
        "hands": on_hands(mechanics),
    }
    return {name: varied_for[home.varied_for] for name, home in HOMES.items() if home.varied_for}


def on_hands(mechanics: Mechanics) -> tuple[str, ...]:
    """What the questions about the main wager and what is only paid on it begin with."""
    return tuple(f"{bet}." for bet in (mechanics.main, *mechanics.bonuses))


Flag = tuple[str, str]  # kind and name: ("recorded", "fraud"), ("fact", "round.void")


@dataclass(slots=True, eq=False)
class Row:
    """A hand of a player or of the dealer, for all that the rules cannot tell from it."""

    line: Line | None
    part: str
    dealer: tuple[str, ...]
    made: SeenScene | Callable[[], SeenScene]  # a scene, or how to make it when one is needed
    size: int
    cards: int | None = None  # the same number for rows with the same cards, see `row_facts`
    wager: int | None = None  # the same number for rows whose wagers stand alike
    first_hand: int | None = None  # the same number for rows beside the same first hand

    @property
    def scene(self) -> SeenScene:
        if not isinstance(self.made, SeenScene):
            self.made = self.made()
        return self.made


@dataclass(frozen=True, slots=True)
class Cell:
    player: Row
    dealer: Row
    stake: int


@dataclass(frozen=True, slots=True)
class Block:
    """Neighbouring cells: some player rows, each with the same dealer rows and all stakes."""

    start: int  # the place of its first cell
    first: int  # its first player row
    players: int
    dealers: tuple[int, ...]


class Cells(Sequence[Cell]):
    """All cells that can be, in the order of preference for a witness: fewest cards first."""

    def __init__(self, players: list[Row], dealers: list[Row], stakes: list[int]) -> None:
        self.players, self.dealers, self.stakes = players, dealers, stakes
        self.blocks: list[Block] = []
        self._size = 0
        for first, among, allowed in self._shapes():
            self.blocks.append(Block(self._size, first, among, allowed))
            self._size += among * len(allowed) * len(stakes)
        self._starts = [block.start for block in self.blocks]
        self._lifted: dict[tuple[str, int], int] = {}

    def _shapes(self) -> list[tuple[int, int, tuple[int, ...]]]:
        """First player row, number of player rows and dealer rows of each block."""
        shapes: list[tuple[int, int, int, tuple[int, ...]]] = []
        sizes = {dealer.size for dealer in self.dealers}
        first = 0
        for (size, firsts), group in groupby(self.players, _size_and_firsts):
            among = sum(1 for _ in group)
            for more in sizes:
                allowed = tuple(
                    [
                        n
                        for n, dealer in enumerate(self.dealers)
                        if dealer.size == more and (firsts is None or dealer.dealer[0][0] in firsts)
                    ]
                )
                if allowed:
                    shapes.append((size + more, first, among, allowed))
            first += among
        return [shape[1:] for shape in sorted(shapes)]

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, place: int) -> Cell: ...

    @overload
    def __getitem__(self, place: slice) -> list[Cell]: ...

    def __getitem__(self, place: int | slice) -> Cell | list[Cell]:
        if isinstance(place, slice):
            return [self._cell(n) for n in range(*place.indices(self._size))]
        return self._cell(range(self._size)[place])

    def _cell(self, place: int) -> Cell:
        block = self.blocks[bisect_right(self._starts, place) - 1]
        rest, stake = divmod(place - block.start, len(self.stakes))
        player, dealer = divmod(rest, len(block.dealers))
        return Cell(
            self.players[block.first + player],
            self.dealers[block.dealers[dealer]],
            self.stakes[stake],
        )

    def of(self, side: str, rows: int) -> int:
        """The set of cells that some rows of a side are in; the rows are a set of their own."""
        key = (side, rows)
        found = self._lifted.get(key)
        if found is None:
            found = 0
            for block in self.blocks:
                found |= self._within(block, side, rows) << block.start
            self._lifted[key] = found
        return found

    def _within(self, block: Block, side: str, rows: int) -> int:
        stakes = len(self.stakes)
        width = len(block.dealers) * stakes
        if side == "player":
            chosen = rows >> block.first & (1 << block.players) - 1
            return widened(chosen, width)
        if side == "dealer":
            every = (1 << stakes) - 1
            row = sum(every << n * stakes for n, d in enumerate(block.dealers) if rows >> d & 1)
        else:
            row = rows * repeated(stakes, len(block.dealers))
        return row * repeated(width, block.players)


def _size_and_firsts(row: Row) -> tuple[int, frozenset[str] | None]:
    return row.size, row.line.firsts if row.line is not None else None


@cache
def repeated(width: int, times: int) -> int:
    """A bit at the beginning of each of so many fields."""
    return ((1 << width * times) - 1) // ((1 << width) - 1)


def widened(bits: int, width: int) -> int:
    """A field of ones for each bit that is set, and of noughts for each that is not."""
    fields = bits.to_bytes((bits.bit_length() + 7) // 8, "little")
    return int.from_bytes(b"".join([_eight(width, byte) for byte in fields]), "little")


@cache
def _eight(width: int, byte: int) -> bytes:
    """Eight bits, each made a field: so many bytes as a field has bits."""
    field = (1 << width) - 1
    return sum(field << n * width for n in range(8) if byte >> n & 1).to_bytes(width, "little")


@dataclass(frozen=True, slots=True)
class Atom:
    node: t.Expression
    as_dealer: bool
    facts: tuple[str, ...]
    sides: frozenset[str]


class Values:
    """A scene of which only some facts are known."""

    def __init__(self, known: dict[str, Value]) -> None:
        self.known = known
        self.memory: dict[str, Any] = {}

    def fact(self, name: str) -> Value:
        return self.known[name]

    def setting(self, kind: str, name: str) -> bool | None:
        raise AssertionError

    def as_dealer(self) -> Values:
        raise AssertionError


def side_of(fact: str, as_dealer: bool) -> str:
    if fact in STAKE_FACTS:
        return "stake"
    if fact.startswith("dealer.") or (as_dealer and fact.startswith("hand.")):
        return "dealer"
    return "player"


def seen_as(scene: SeenScene, as_dealer: bool) -> SeenScene:
    return scene.as_dealer() if as_dealer else scene


def clipped(value: Value, side: str, limit: int) -> Value:
    """All player hands beyond the limit are alike."""
    return limit + 1 if side == "player" and type(value) is int and value > limit else value
