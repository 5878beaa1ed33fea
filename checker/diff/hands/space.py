"""All states of one group of questions for two texts at once: the same hands, asked of both.

Facts of a hand, of the dealer and of the stake are tabulated from dealt hands, once for each text,
because the texts may count cards differently. What surrounds a hand (limits, other players, what a
log need not give) stays open: such a fact becomes a flag with the values that conditions can tell
apart, the ordinary value first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from checker.diff.hands.domains import AGAINST_LIMITS, SUPPOSED, domain_of, seen_alike, stakes_of
from checker.diff.hands.joint import Hands, Joint
from checker.diff.hands.rows import kept_apart
from checker.diff.hands.side import Side
from checker.diff.topics import Subjects, Words
from checker.evaluate.engine import Value
from checker.states.declared_words import CHOICE, arity_of, option_of
from checker.states.diagram import Diagram, Diagrams
from checker.states.early_end import asked_of_stages, ended_early, went_on
from checker.states.grid import FOUND, Cell, Flag, side_of
from rulespec.resolve.question import Question, about_bet, bet_and_what
from rulespec.tree.walk import asked_facts


class Space:
    """The common states of two texts: player rows × dealer rows × stakes, under all flags."""

    def __init__(
        self,
        sides: tuple[Side, Side],
        players: list[Joint],
        dealers: list[Joint],
        tick: Callable[[], None],
    ) -> None:
        self.sides = sides
        self.mechanics = sides[0].engine.mechanics
        games = [side.game for side in sides]
        self.words, self.subjects = Words.of(*games), Subjects(*games)
        staked = [a.node for side in sides for a in side.atoms.values() if "stake" in a.sides]
        self.stakes = stakes = stakes_of(staked)
        # what only one text lets happen is no state of both
        players = [p for p in players if all(p.reach)] or players[:1]
        dealers = [p for p in dealers if all(p.reach)] or dealers[:1]
        self.dealt = len(players) * len(dealers) * len(stakes)
        sets = sorted({f for p in players for f in p.firsts if f is not None}, key=sorted)
        by_player = lambda r: (r.reach, r.firsts)  # noqa: E731
        # a round that ends early is known by the cards of the initial deal
        self.early = any(asked_of_stages(side.game) for side in sides)
        by_dealer = lambda r: (  # noqa: E731
            r.reach,
            min(len(r.dealer), 3) if self.early else len(r.dealer) == 1,
            tuple(r.dealer[0][0] in f for f in sets),
        )
        self.players = self._joined(players, "player", by_player)
        self.dealers = self._joined(dealers, "dealer", by_dealer)
        self.flags: list[Flag] = sorted({f for side in sides for f in side.flags})
        self.domains = {f: self._domain(f) for f in self.flags}
        every = Hands(self.players, self.dealers, stakes)
        self.hands = Hands(
            kept_apart(sides, every, self.domains, "player", by_player),
            kept_apart(sides, every, self.domains, "dealer", by_dealer),
            stakes,
        )
        self.players, self.dealers = self.hands.players, self.hands.dealers
        self.cells_of = self.hands.cells_of
        self.block, self.size = self.hands.block, self.hands.size
        self.d = Diagrams(self.size, [len(self.domains[f]) for f in self.flags], tick)
        for side in sides:
            side.share(self.flags, self.domains, self.hands, self.d)

    def _joined(self, rows: list[Joint], side: str, more: Callable[[Joint], object]) -> list[Joint]:
        old, new = (one.signature_of(side) for one in self.sides)
        kept: dict[object, Joint] = {}
        for row in sorted(rows, key=lambda r: r.size):
            mine = old(row.scenes[0])
            known = row.scenes[1].memory
            for fact, value in row.scenes[0].memory.items():
                if isinstance(fact, str) and all(seen_alike(fact, s.game) for s in self.sides):
                    known.setdefault(fact, value)
            kept.setdefault((mine, new(row.scenes[1]), more(row)), row)
        return list(kept.values())

    def _domain(self, flag: Flag) -> tuple[Value, ...]:
        kind, name = flag
        if kind == SUPPOSED:
            nodes = [
                a.node
                for side in self.sides
                for k, a in side.atoms.items()
                if name in side.open.get(k, ())
            ]
            scene = self.players[0].scenes[0] if self.players else None
            return domain_of(self.words.facts[name], nodes, scene, self.stakes)
        if kind == CHOICE:
            return ("", *(option_of(flag, n) for n in range(1, arity_of(flag))))
        return FOUND if flag == ("fact", "found") else (False, True)

    def asked_otherwise(self, which: Callable[[str], bool]) -> set[str]:
        """Facts of a kind for which only one of the texts asks, or for another value of them."""
        asked = [set(side.atoms) for side in self.sides]
        facts = {
            f
            for node, as_dealer in asked[0] ^ asked[1]
            for f in asked_facts(node)
            if which(f) and side_of(f, as_dealer) == "player"
        }
        supposed = {name for kind, name in self.flags if kind == SUPPOSED}
        return facts - supposed

    # --- cells

    def supposed(self, n: int) -> dict[str, Value]:
        """What is supposed of the player's hand in a cell."""
        return dict(self.players[n // self.block].supposed)

    def cell(self, n: int, side: int) -> Cell:
        row, rest = divmod(n, self.block)
        dealer, stake = divmod(rest, len(self.stakes))
        return Cell(self.players[row].row(side), self.dealers[dealer].row(side), self.stakes[stake])

    def smallest(self, cells: int, at_most: int) -> list[int]:
        """Some cells of a set, those with the fewest cards first."""
        found: list[tuple[int, int]] = []
        stakes = len(self.stakes)
        for n, mine in self._by_player(cells):
            player = self.players[n]
            if len(found) >= at_most and player.size > found[-1][0]:
                break  # every further hand has more cards
            while mine:
                low = (mine & -mine).bit_length() - 1
                size = player.size + self.dealers[low // stakes].size
                if len(found) >= at_most and size > found[-1][0]:
                    break
                found.append((size, n * self.block + low))
                mine &= mine - 1
            found = sorted(found)[:at_most]
        return [n for _, n in found]

    def _by_player(self, cells: int) -> Iterator[tuple[int, int]]:
        """The cells of each player's hand that has any, as a set of its own."""
        one = (1 << self.block) - 1
        data = cells.to_bytes(self.size // 8 + 1, "little")
        for n in range(len(self.players)):
            start = n * self.block
            piece = data[start >> 3 : (start + self.block >> 3) + 1]
            mine = (int.from_bytes(piece, "little") >> (start & 7)) & one
            if mine:
                yield n, mine

    def reach(self, side: int) -> int:
        """The cells that one text lets come about."""
        by_first: dict[str, list[int]] = {}
        for n, dealer in enumerate(self.dealers):
            if dealer.reach[side]:
                by_first.setdefault(dealer.dealer[0][0], []).append(n)
        against: dict[frozenset[str] | None, list[int]] = {}
        for n, player in enumerate(self.players):
            if player.reach[side]:
                against.setdefault(player.firsts[side], []).append(n)
        cells = 0
        for firsts, rows in against.items():
            dealers = [n for f in by_first if firsts is None or f in firsts for n in by_first[f]]
            cells |= self.cells_of("player", rows) & self.cells_of("dealer", dealers)
        if self.early:
            over = [
                n for n, x in enumerate(self.dealers) if ended_early(x.scenes[side], len(x.dealer))
            ]
            gone_on = [n for n, x in enumerate(self.players) if x.line and went_on(x.line)]
            cells &= ~(self.cells_of("player", gone_on) & self.cells_of("dealer", over))
        return cells

    def possible(self) -> Diagram:
        """The states whose open facts can be true together: a wager is under the minimum exactly
        when it is less than the minimum, and a house chooses one value."""
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
        return self._chosen_once(found)

    def _chosen_once(self, states: Diagram) -> Diagram:
        """Those in which a choice has one value, though each text has other values for it."""
        d = self.d
        choices = [flag for flag in self.flags if flag[0] == CHOICE]
        for one, other in combinations(choices, 2):
            if one[1].partition("=")[0] != other[1].partition("=")[0]:
                continue
            for n, mine in enumerate(self.domains[one]):
                for m, theirs in enumerate(self.domains[other]):
                    if mine != theirs:
                        wrong = d.both(self._at_value(one, n), self._at_value(other, m))
                        states = d.without(states, wrong)
        return states

    def _short(self) -> int:
        rows = [n for n, dealer in enumerate(self.dealers) if len(dealer.dealer) == 1]
        return self.cells_of("dealer", rows)

    def short(self) -> Diagram:
        """The states with one card before the dealer."""
        return self.d.leaf(self._short())

    def uneventful(self, states: Diagram) -> Diagram:
        """Those of some states in which nothing happened that would have to be on record."""
        for flag in self.flags:
            if flag[0] in ("fact", "recorded"):
                states = self.d.both(states, self._at_value(flag, 0))
        return states

    def also_short(self, cells: int) -> int:
        """Some cells, with those of the same player hands in which the dealer has one card."""
        short = self._short()
        if not short or short == self.d.full:
            return cells
        rows = [n for n, _ in self._by_player(cells)]
        return cells | (self.cells_of("player", rows) & short)

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
        return [(s, self.d.leaf(self.cells_of("stake", [n]))) for n, s in enumerate(self.stakes)]

    def states(self, where: Diagram) -> Iterator[tuple[dict[Flag, int], int]]:
        """Choices of flags with their cells, the most ordinary first."""
        for chosen, cells in self.d.states(where):
            yield {self.flags[level]: value for level, value in chosen.items()}, cells

    def that_matter(self, where: Diagram, flags: dict[Flag, int]) -> dict[Flag, int]:
        """Of a choice of flags those on which it rests that the state is one of a set, with the
        ordinary values of facts among them."""
        d = self.d
        found = dict(flags)
        while d._level[where] < len(self.flags):
            flag = self.flags[d._level[where]]
            value = flags.get(flag, 0)
            if flag[0] == SUPPOSED:
                found[flag] = value
            where = d._below[where][value]
        return found

    def count(self, where: Diagram) -> int:
        """The cells that are in a set for some choice of the flags."""
        d = self.d
        seen: set[Diagram] = set()
        waiting = [where]
        cells = 0
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                cells |= d._leaf[node]
                waiting.extend(d._below[node])
        return cells.bit_count()


@dataclass(frozen=True, slots=True)
class Seen:
    """The states on which a question was compared, and those on which the texts differ."""

    space: Space
    domain: Diagram
    different: Diagram

    def asked_of(self, question: Question, place: int) -> Diagram:
        """Odds are only asked of a wager that wins, where it is compared which ones do."""
        bet, what = bet_and_what(question)
        side = self.space.sides[place]
        result = about_bet(bet, "result")
        only_paid = bet in side.engine.mechanics.bonuses
        if what in ("odds", "highest") and not only_paid and result in side.questions:
            return self.space.d.both(self.domain, side.asked(result).value("wins"))
        return self.domain
