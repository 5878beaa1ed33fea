"""All states of one group of questions for two texts at once: the same hands, asked of both.

Facts of a hand, of the dealer and of the stake are tabulated from dealt hands, once for each text,
because the texts may count cards differently. What surrounds a hand (limits, other players, what a
log need not give) stays open: such a fact becomes a flag with the values that conditions can tell
apart, the ordinary value first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from checker.cells import FOUND, Cell, Flag, Row, seen_as
from checker.diagram import Diagram, Diagrams
from checker.diff_domains import AGAINST_LIMITS, SUPPOSED, domain_of
from checker.diff_side import Side
from checker.engine import Value
from checker.lines_of_play import Line
from checker.scene import SeenScene


@dataclass(frozen=True, slots=True)
class Joint:
    """A hand of a player or of the dealer, as both texts see it."""

    line: Line | None
    part: str
    dealer: tuple[str, ...]
    scenes: tuple[SeenScene, SeenScene]
    size: int
    reach: tuple[bool, bool] = (True, True)  # which text lets it come about
    firsts: tuple[frozenset[str] | None, frozenset[str] | None] = (None, None)
    supposed: tuple[tuple[str, Value], ...] = ()  # facts of this row that no card shows

    def row(self, side: int) -> Row:
        return Row(self.line, self.part, self.dealer, self.scenes[side], self.size)


class Space:
    """The common states of two texts: player rows × dealer rows × stakes, under all flags."""

    def __init__(
        self,
        sides: tuple[Side, Side],
        players: list[Joint],
        dealers: list[Joint],
        stakes: list[int],
        tick: Callable[[], None],
    ) -> None:
        self.sides = sides
        if not any("stake" in a.sides for side in sides for a in side.atoms.values()):
            stakes = stakes[:1]
        self.stakes = stakes
        sets = sorted({f for p in players for f in p.firsts if f is not None}, key=sorted)
        self.players = self._joined(players, "player", lambda r: (r.reach, r.firsts))
        self.dealers = self._joined(
            dealers, "dealer",
            lambda r: (r.reach, len(r.dealer) == 1, tuple(r.dealer[0][0] in f for f in sets)),
        )  # fmt: skip
        self.flags: list[Flag] = sorted({f for side in sides for f in side.flags})
        self.domains = {f: self._domain(f) for f in self.flags}
        self.block = len(self.dealers) * len(stakes)
        self.size = len(self.players) * self.block
        self.d = Diagrams(self.size, [len(self.domains[f]) for f in self.flags], tick)
        self._masks: dict[str, list[int]] = {}
        self._told: dict[object, dict[tuple[Value, ...], int]] = {}
        for side in sides:
            side.share(self)

    def _joined(
        self, rows: list[Joint], side: str, more: Callable[[Joint], object]
    ) -> list[Joint]:
        old, new = (one.signature_of(side) for one in self.sides)
        kept: dict[object, Joint] = {}
        for row in sorted(rows, key=lambda r: r.size):
            kept.setdefault((old(row.scenes[0]), new(row.scenes[1]), more(row)), row)
        return list(kept.values())

    def _domain(self, flag: Flag) -> tuple[Value, ...]:
        kind, name = flag
        if kind == SUPPOSED:
            nodes = [
                a.node for side in self.sides for k, a in side.atoms.items()
                if name in side.open.get(k, ())
            ]  # fmt: skip
            scene = self.players[0].scenes[0] if self.players else None
            return domain_of(name, nodes, scene)
        return FOUND if flag == ("fact", "found") else (False, True)

    # --- cells

    def mask(self, side: str) -> list[int]:
        """For each row of a side (player, dealer, stake) the set of its cells."""
        if side not in self._masks:
            rows, dealers, stakes = len(self.players), len(self.dealers), len(self.stakes)
            if side == "player":
                one = (1 << self.block) - 1
                self._masks[side] = [one << (n * self.block) for n in range(rows)]
            elif side == "dealer":
                every = _repeated(self.block, rows)
                one = (1 << stakes) - 1
                self._masks[side] = [(one << (n * stakes)) * every for n in range(dealers)]
            else:
                every = _repeated(stakes, rows * dealers)
                self._masks[side] = [every << n for n in range(stakes)]
        return self._masks[side]

    def values(
        self, place: int, side: str, facts: tuple[str, ...], as_dealer: bool
    ) -> dict[tuple[Value, ...], int]:
        """The distinct values of some facts of a side, each with its cells."""
        key = (place, side, facts, as_dealer)
        if key not in self._told:
            found: dict[tuple[Value, ...], int] = {}
            masks = self.mask(side)
            if side == "stake":
                found = {(s,) * len(facts): masks[n] for n, s in enumerate(self.stakes)}
            else:
                rows = self.players if side == "player" else self.dealers
                for n, row in enumerate(rows):
                    scene = seen_as(row.scenes[place], as_dealer)
                    told = tuple(scene.fact(f) for f in facts)
                    found[told] = found.get(told, 0) | masks[n]
            self._told[key] = found
        return self._told[key]

    def supposed(self, n: int) -> dict[str, Value]:
        """What is supposed of the player's hand in a cell."""
        return dict(self.players[n // self.block].supposed)

    def cell(self, n: int, side: int) -> Cell:
        row, rest = divmod(n, self.block)
        dealer, stake = divmod(rest, len(self.stakes))
        return Cell(
            self.players[row].row(side), self.dealers[dealer].row(side), self.stakes[stake]
        )

    def smallest(self, cells: int, at_most: int) -> list[int]:
        """Some cells of a set, those with the fewest cards first."""
        found: list[tuple[int, int]] = []
        one = (1 << self.block) - 1
        stakes = len(self.stakes)
        data = cells.to_bytes(self.size // 8 + 1, "little")
        for n, player in enumerate(self.players):
            if len(found) >= at_most and player.size > found[-1][0]:
                break  # every further hand has more cards
            start = n * self.block
            piece = data[start >> 3 : (start + self.block >> 3) + 1]
            mine = (int.from_bytes(piece, "little") >> (start & 7)) & one
            while mine:
                low = (mine & -mine).bit_length() - 1
                size = player.size + self.dealers[low // stakes].size
                if len(found) >= at_most and size > found[-1][0]:
                    break
                found.append((size, start + low))
                mine &= mine - 1
            found = sorted(found)[:at_most]
        return [n for _, n in found]

    def reach(self, side: int) -> int:
        """The cells that one text lets come about."""
        cells = 0
        by_first: dict[str, int] = {}
        open_ = 0
        for dealer, mask in zip(self.dealers, self.mask("dealer"), strict=True):
            if dealer.reach[side]:
                open_ |= mask
                first = dealer.dealer[0][0] if dealer.dealer else ""
                by_first[first] = by_first.get(first, 0) | mask
        for player, mask in zip(self.players, self.mask("player"), strict=True):
            if not player.reach[side]:
                continue
            firsts = player.firsts[side]
            if firsts is None:
                cells |= mask & open_
            else:
                for first in firsts:
                    cells |= mask & by_first.get(first, 0)
        return cells

    def possible(self) -> Diagram:
        """The states whose open facts can be true together: a wager is under the minimum exactly
        when it is less than the minimum."""
        d = self.d
        found = d.all
        for fact, limit, breaks in AGAINST_LIMITS:
            flags = [(SUPPOSED, name) for name in (fact, limit)]
            if any(flag not in self.domains for flag in flags):
                continue
            for stake, where in self._staked():
                for n, told in enumerate(self.domains[flags[0]]):
                    for m, amount in enumerate(self.domains[flags[1]]):
                        right = None if amount is None else breaks(stake, amount)
                        if told != right:
                            wrong = d.both(self._at_value(flags[0], n), self._at_value(flags[1], m))
                            found = d.without(found, d.both(wrong, where))
        return found

    def also_short(self, cells: int) -> int:
        """Some cells, with those of the same player hands in which the dealer has one card."""
        masks = zip(self.dealers, self.mask("dealer"), strict=True)
        short = sum(mask for dealer, mask in masks if len(dealer.dealer) == 1)
        one = (1 << self.block) - 1
        data = cells.to_bytes(self.size // 8 + 1, "little")
        rows = 0
        for n in range(len(self.players) if short else 0):
            start = n * self.block
            piece = data[start >> 3 : (start + self.block >> 3) + 1]
            if (int.from_bytes(piece, "little") >> (start & 7)) & one:
                rows |= 1 << n
        spread = 0
        for n, mask in enumerate(self.mask("player") if rows else ()):
            if rows >> n & 1:
                spread |= mask
        return cells | (spread & short)

    def short_and_plain(self) -> Diagram:
        """The states with one card before the dealer although nothing happened."""
        masks = zip(self.dealers, self.mask("dealer"), strict=True)
        found = self.d.leaf(sum(mask for dealer, mask in masks if len(dealer.dealer) == 1))
        for flag in self.flags:
            if flag[0] in ("fact", "recorded"):
                found = self.d.both(found, self._at_value(flag, 0))
        return found

    def _at_value(self, flag: Flag, value: int) -> Diagram:
        return self.d.flag(self.flags.index(flag), frozenset({value}))

    def _staked(self) -> list[tuple[int, Diagram]]:
        """Each stake with its states."""
        flag = (SUPPOSED, "wager.stake")
        if flag in self.domains:
            return [
                (int(s), self._at_value(flag, n))  # type: ignore[arg-type]
                for n, s in enumerate(self.domains[flag])
            ]
        masks = self.mask("stake")
        return [(s, self.d.leaf(masks[n])) for n, s in enumerate(self.stakes)]

    def states(self, where: Diagram) -> Iterator[tuple[dict[Flag, int], int]]:
        """Choices of flags with their cells, the most ordinary first."""
        for chosen, cells in self.d.states(where):
            yield {self.flags[level]: value for level, value in chosen.items()}, cells

    def at(self, where: Diagram, flags: dict[Flag, int]) -> int:
        """The cells of a set when these flags are raised and all others have their first value."""
        d = self.d
        while d._level[where] < len(d.arities):
            where = d._below[where][flags.get(self.flags[d._level[where]], 0)]
        return d._leaf[where]

    def count(self, where: Diagram) -> int:
        return self.d.cells(where).bit_count()


def _repeated(step: int, times: int) -> int:
    """One bit at the start of each of so many blocks."""
    found, made = 1, 1
    while made < times:
        more = min(made, times - made)
        found |= (found & ((1 << (more * step)) - 1)) << (made * step)
        made += more
    return found
