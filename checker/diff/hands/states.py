"""The hands that can be dealt under one text or the other, and which of the two allows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from checker.diff.hands.domains import OF_CARDS
from checker.diff.hands.joint import Joint
from checker.diff.hands.of_one_text import WideStates
from checker.diff.hands.side import Asked, Side
from checker.evaluate.engine import Engine, Value
from checker.evaluate.scene import SeenScene
from checker.log import model as r
from checker.states.grid import side_of
from checker.states.lines_of_play import SHOE, STAKE, Line, quick_table, round_of, scene_of
from checker.states.reachable import Key
from checker.states.told_apart import Wanted, ranks_in, told_apart, wanted
from checker.table.state import Dealt, Table
from rulespec.resolve.question import whether
from rulespec.tree import nodes as t
from rulespec.tree.walk import asked_facts, walk

SUITS = tuple(one + other for one in "SHDC" for other in "SHDC")
MOST_HANDS = 6  # a box that is split more often than that is not looked at
MOST_PLAYERS = 9
MOST_CARDS = 6  # where the cards of a hand are held against something else than a number
Supposed = tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Reached:
    """A hand with the texts that let it happen; some only against certain dealer cards."""

    line: Line
    reach: tuple[bool, bool]
    firsts: tuple[frozenset[str] | None, frozenset[str] | None]


def shared(hands: Iterable[Reached]) -> list[Reached]:
    """Those that both texts let happen, against some card of the dealer."""
    return [x for x in hands if all(x.reach) and not _never_meet(*x.firsts)]


def _never_meet(old: frozenset[str] | None, new: frozenset[str] | None) -> bool:
    return old is not None and new is not None and not old & new


class BothStates:
    """What two texts let happen at the table."""

    def __init__(
        self, engines: tuple[Engine, Engine], tick: Callable[[], None], same_play: bool = False
    ) -> None:
        """`same_play`: both texts have the same rules on cards and choices."""
        self.engines = engines
        self.mechanics = engines[0].mechanics
        self.splitting, self.doubling, self.drawing = (
            self.mechanics.action(play)
            for play in (
                self.mechanics.splitting,
                self.mechanics.doubling,
                self.mechanics.drawing,
            )
        )
        self.same_play = same_play
        old, new = (WideStates(engine, tick) for engine in engines)
        self.sides = (old, new)
        want = _merged(
            wanted([rule.condition for e in engines for rule in e.rulebook.rules]),
            [s.want for s in self.sides],
        )
        # the same representatives of the ten-value cards, so that both find the same hands
        by_place = _ranks_by_place([node for engine in engines for node in _atoms(engine)])
        self._numbers: dict[str, dict[str, set[int]]] = {}
        for states in self.sides:
            states.want = want
            states.by_place = by_place
        shared = [x for x in old.all_ranks if x in new.all_ranks and x in "TJQK"]
        tens_apart = any(named & set("TJQK") for named in by_place) or not all(
            states.tens_alike for states in self.sides
        )
        for states in self.sides if tens_apart else ():
            states.ranks = states.all_ranks
        if shared and not tens_apart:
            for states in self.sides:
                keep = [x for x in states.all_ranks if x not in "TJQK" or x == shared[0]]
                states.ranks = "".join(keep)
        self.blank = round_of("bet 1 P1 10\n")
        self._lines: list[Reached] | None = None
        self._moments: list[Reached] | None = None
        self._again: tuple[int, int] | None = None
        self._dealers: list[Joint] | None = None
        self._tables: dict[Line, Table] = {}
        self._steps: dict[tuple[int, str, Line], bool] = {}

    # --- the hands

    def lines(self) -> list[Reached]:
        """Every hand of box 1 as it can stand at settlement under one text or the other."""
        if self._lines is None:
            self._lines = self._grouped(
                [
                    # a second player whose hand still has to draw is not at settlement
                    [
                        x
                        for x in states.lines()
                        if not (x.surrendered and x.shared and states.must_draw(x))
                    ]
                    for states in (self.sides[:1] if self.same_play else self.sides)
                ]
            )
        return self._lines

    def moments(self) -> list[Reached]:
        """Every hand on which a player of one text or the other can choose."""
        if self._moments is None:
            self.lines()
            visited = [list(states.visited) for states in self.sides]
            self._moments = self._grouped(visited)
        return self._moments

    def all_moments(self) -> list[Reached]:
        """Those, and hands of which a rule may say that they must or may not be drawn to all the
        same: over the limit, doubled before and after the card, given up."""
        left = [x for x in self.lines() if not x.line.shared]
        due: dict[Line, Reached] = {}
        for x in left:
            held = x.line.doubled_with
            if held is not None and not x.line.forfeited:
                line = x.line.but(cards=x.line.cards[:held])
                due.setdefault(line, Reached(line, x.reach, x.firsts))
        return [*self.moments(), *left, *due.values()]

    def numbers(self, question: str) -> dict[str, set[int]]:
        """The facts of the player's hand that rules of some questions ask for, with the numbers
        they are held against; `main.` stands for all questions on the main wager."""
        if question not in self._numbers:
            found: dict[str, set[int]] = {}
            for engine in self.engines:
                for node, as_dealer in _asked(engine, (question,)):
                    named = {n.value for n in walk(node) if isinstance(n, t.Number)}
                    for fact in asked_facts(node):
                        if side_of(fact, as_dealer) == "player":
                            found.setdefault(fact, set()).update(named)
            self._numbers[question] = found
        return self._numbers[question]

    def supposed_of(self, line: Line, question: str) -> list[Supposed]:
        """How many hands and players a box may have beside what is dealt, as far as rules of a
        question count them: each as the facts of a row."""
        found: list[Supposed] = [()]
        numbers = self.numbers(question)
        if "box.players" in numbers:
            most = max(numbers["box.players"], default=0) + 1
            more = range(3 if line.shared else 2, min(most, MOST_PLAYERS) + 1)
            found += [(("box.players", n),) for n in more]
        counted = {"box.hands", "play.hands_after", "hand.number"} & set(numbers)
        if line.pair is not None and not line.again and counted:
            later = line.number > 1 and max(numbers.get("hand.number", ()), default=0) > 1
            for n in range(3, min(self.split_again()) + 3):
                hands: Supposed = (("box.hands", n), ("play.hands_after", n + 1))
                found.append(hands)
                found += [(*hands, ("hand.number", m)) for m in range(3, n + 1) if later]
        return found

    def with_more_hands(self, reached: Reached) -> Iterator[Reached]:
        """The same hand of a box that was split again, as often as a text lets that happen."""
        line = reached.line
        if line.pair is None or line.number > 1 or line.shared:
            return
        times = self.split_again()
        for n in range(1, max(times) + 1):
            reach = (reached.reach[0] and n <= times[0], reached.reach[1] and n <= times[1])
            yield Reached(line.but(again=n), reach, reached.firsts)

    def split_again(self) -> tuple[int, int]:
        """How often each text lets a box be split again, where rules tell the hands apart."""
        if self._again is None:
            old, new = (self._times(place) for place in (0, 1))
            self._again = old, new
        return self._again

    def _times(self, place: int) -> int:
        states = self.sides[place]
        if not states.want.facts & {"play.hands_after", "box.hands"}:
            return 0
        conditions = [rule.condition for rule in states.engine.rulebook.rules]
        named = {
            n.name for n in walk(conditions) if isinstance(n, t.Setting) and n.kind == "option"
        }
        options = [(), *((name,) for name in sorted(named))]
        tables = [round_of("bet 1 P1 10\n", chosen) for chosen in options]
        pairs = [x for x in states.first_two() if x.cards[0][0] == x.cards[1][0]]
        for times in range(MOST_HANDS):
            again = [
                Line(
                    (x.cards[0], x.cards[0][0] + "C"),
                    pair=(x.cards[0], x.cards[1]),
                    sibling=(x.cards[1],),
                    again=times,
                )
                for x in pairs
            ]
            if not any(self._may_split(place, line, table) for line in again for table in tables):
                return times
        return MOST_HANDS

    def _may_split(self, place: int, line: Line, round_: r.Round) -> bool:
        scene = scene_of(self.engines[place], quick_table(line, round_), line, "original", STAKE)
        play = r.Play(1, 1, "P1", self.mechanics.splitting, STAKE)
        question = whether("player", self.splitting)
        return self.sides[place].allows(question, scene.but(play=play))

    def _grouped(self, both: list[list[Line]]) -> list[Reached]:
        """Hands that nothing tells apart, joined, whichever text they were found under."""
        groups: dict[Key, tuple[list[Line], list[Line]]] = {}
        if self.same_play:
            return [
                Reached(x.but(firsts=None), (True, True), (x.firsts, x.firsts)) for x in both[0]
            ]
        for place, lines in enumerate(both):
            for line in lines:
                groups.setdefault(self.sides[0].wide_key(line), ([], []))[place].append(line)
        return [self._reached(*lines) for lines in groups.values()]

    def _reached(self, old: list[Line], new: list[Line]) -> Reached:
        reach = (bool(old), bool(new))
        line = min([*old, *new], key=lambda x: (x.size, x.cards))
        if all(reach):
            by_both = [x for x in old if self.playable(1, x)] or [
                x for x in new if self.playable(0, x)
            ]
            line = min(by_both, key=lambda x: (x.size, x.cards)) if by_both else line
        firsts = tuple(
            frozenset().union(*(x.firsts for x in lines if x.firsts is not None))
            if any(x.firsts is not None for x in lines)
            else None
            for lines in (old, new)
        )
        return Reached(line.but(firsts=None), reach, (firsts[0], firsts[1]))

    def playable(self, place: int, line: Line) -> bool:
        """Whether one text allows each step that leads to a hand, and lets it be left there."""
        if not self.comes_up(place, line):
            return False
        done = line.surrendered or line.even_money or len(line.cards) < 2
        if done or line.doubled_with is not None:
            return True
        bare = line.but(forfeited=False, shared=False, follows=False)
        return not self.sides[place].must_draw(bare)

    def comes_up(self, place: int, line: Line) -> bool:
        """Whether one text allows each step that leads to a hand, finished or not."""
        states = self.sides[place]
        ranks = {c[0] for c in (*line.cards, *line.sibling, *(line.pair or ()))}
        if not ranks <= set(states.all_ranks):
            return False
        if line.surrendered or line.even_money or len(line.cards) < 2:
            return True  # with its own list of dealer cards
        if line.pair is not None and not self._may(place, self.splitting, Line(line.pair)):
            return False
        bare = line.but(forfeited=False, shared=False, follows=False, doubled_with=None)
        return all(
            self._may(
                place,
                self.doubling if line.doubled_with == held else self.drawing,
                bare.but(cards=line.cards[:held]),
            )
            for held in range(2, len(line.cards))
        )

    def _may(self, place: int, action: str, line: Line) -> bool:
        key = (place, action, line)
        if key not in self._steps:
            total = self.sides[place].scene(line).fact("hand.total")
            over = not isinstance(total, int) or total > self.mechanics.limit
            self._steps[key] = not over and self.sides[place].may(action, line)
        return self._steps[key]

    # --- rows

    def table(self, line: Line) -> Table:
        found = self._tables.get(line)
        if found is None:
            found = self._tables[line] = quick_table(line, self.blank)
        return found

    def row(
        self,
        reached: Reached,
        part: str,
        bet: str = "",
        play: r.Play | None = None,
        supposed: tuple[tuple[str, Value], ...] = (),
    ) -> Joint:
        line = reached.line
        table = self.table(line)
        about = bet or self.mechanics.main
        scenes = [scene_of(e, table, line, part, STAKE, about) for e in self.engines]
        if play is not None:
            scenes = [scene.but(play=play) for scene in scenes]
        for scene in scenes:
            scene.memory.update(supposed)
        size = line.size + (part == self.mechanics.doubled_part) + 2 * len(supposed)
        return Joint(
            line, part, (), (scenes[0], scenes[1]), size, reached.reach, reached.firsts, supposed
        )

    def dealer_row(self, cards: tuple[str, ...], reach: tuple[bool, bool] = (True, True)) -> Joint:
        dealt = tuple(Dealt(c, n, False) for n, c in enumerate(cards))
        table = Table(self.blank)
        old, new = (SeenScene(e, table, SHOE, dealt, no_effect=False) for e in self.engines)
        return Joint(None, "", cards, (old, new), len(cards), reach)

    def dealers(self) -> list[Joint]:
        """Every hand that the dealer can end with under one text or the other."""
        if self._dealers is None:
            ends = [states.dealer_hands() for states in self.sides]
            self._dealers = self._joint_dealers(ends)
        return self._dealers

    def first_dealer_cards(self) -> list[Joint]:
        """One card before the dealer, for choices and for rounds that are broken off."""
        old, new = (states.all_ranks for states in self.sides)
        return [
            self.dealer_row((rank + "D",), (rank in old, rank in new))
            for rank in dict.fromkeys(old + new)
        ]

    def dealers_seen(self) -> list[Joint]:
        """Every dealer's hand that can be looked at on the way, finished or not: the first card
        alone, while players decide, and those over the limit, to which a text may forbid more."""
        self.dealers()
        hands = [[*states.dealer_seen, *states.dealer_over] for states in self.sides]
        return [*self.first_dealer_cards(), *self._joint_dealers(hands)]

    def _joint_dealers(self, hands: Iterable[list[tuple[str, ...]]]) -> list[Joint]:
        groups: dict[Key, tuple[list[tuple[str, ...]], list[tuple[str, ...]]]] = {}
        for place, mine in enumerate(hands):
            for cards in mine:
                groups.setdefault(self._dealer_key(cards), ([], []))[place].append(cards)
        found: list[Joint] = []
        for old, new in groups.values():
            common = [
                cards
                for cards in (*old, *new)
                if all({c[0] for c in cards} <= set(s.all_ranks) for s in self.sides)
            ]
            cards = min(common or [*old, *new], key=lambda c: (len(c), c))
            found.append(self.dealer_row(cards, (bool(old), bool(new))))
        return found

    def _dealer_key(self, cards: tuple[str, ...]) -> Key:
        states = self.sides[0]
        points = [states.points.get(c[0], 10) for c in cards]
        first, second = (states._named(c) for c in cards[:2]) if cards[1:] else (cards[0], None)
        size = min(len(cards), states.want.dealer_cards + 1)
        has_ace = any(c[0] == "A" for c in cards)
        return first, second, sum(points), has_ace, size, states.counted(cards)

    # --- first cards, for side bets

    def first_cards(self, bet: str) -> list[Reached]:
        """Pairs of first cards: of one rank or not, of one suit, colour, or neither; with more
        cards where the rules of the bet count them."""
        ranks = dict.fromkeys(self.sides[0].all_ranks + self.sides[1].all_ranks)
        found: list[Line] = []
        on_cards = [x for x in self.mechanics.game.bets if self.mechanics.first_cards(x)]
        sides = tuple(f"{x}." for x in on_cards)
        nodes = [node for engine in self.engines for node in _atoms(engine, sides)]
        by_place = _ranks_by_place(nodes)
        named = frozenset().union(*by_place)
        for one in ranks:
            other = "8" if one == "9" else "9"
            for rank in dict.fromkeys((one, other, *sorted(named & set(ranks)))):
                found += [Line((one + suits[0], rank + suits[1])) for suits in SUITS]
        counted = self.numbers(f"{bet}.").get("hand.cards")
        if counted is not None:
            found += self._longer(found, max(counted, default=MOST_CARDS) + 1)
        if self.mechanics.first_cards(bet) > 2:
            third = by_place[2] if by_place else ()
            found += [
                line.but(cards=(*line.cards, card))
                for line in found
                for rank in third
                if line.cards[0][0] == line.cards[1][0] == rank
                for card in (rank + "S", rank + "H", "8S" if rank == "9" else "9S")
            ]
        return [
            Reached(line, (self.comes_up(0, line), self.comes_up(1, line)), (None, None))
            for line in found
        ]

    def _longer(self, hands: list[Line], most: int) -> list[Line]:
        """These hands with further cards, as far as both texts let such a hand happen."""
        found: list[Line] = []
        for _ in range(2, most):
            ways = ([x.but(cards=(*x.cards, rank + "C")) for rank in "2359A"] for x in hands)
            first = (next(filter(self._by_both, some), None) for some in ways)
            hands = [x for x in first if x is not None]
            found += hands
        return found

    def _by_both(self, line: Line) -> bool:
        return self.playable(0, line) and self.playable(1, line)

    # --- the hands beside a wager that is placed during the round

    def placing(self, bet: str, play: str) -> list[Reached]:
        """Hands whose player could place a bet, each with the dealer cards that allow it; one of
        them stands for all where no rule on the bet looks at the hand."""
        hands = [Reached(Line(("9S", "8H")), (True, True), (None, None))]
        if any(fact.startswith(OF_CARDS) for fact in self.numbers(f"{bet}.")):
            hands = [x for x in shared(self.lines()) if x.firsts == (None, None)]
        known: dict[object, tuple[frozenset[str], frozenset[str]]] = {}
        action = self.mechanics.action(play)
        found: list[Reached] = []
        for x in hands:
            cards = x.line.pair or x.line.cards[:2]
            if cards not in known:
                old, new = (
                    frozenset(f for f in s.all_ranks if s.may(action, Line(cards), f))
                    for s in self.sides
                )
                known[cards] = old, new
            found.append(Reached(x.line, (True, True), known[cards]))
        return found


def _asked(engine: Engine, asked: tuple[str, ...]) -> list[Asked]:
    """What rules on some questions ask, also through terms."""
    questions = [q for q in engine.by_question if q.startswith(asked)]
    return list(Side(engine, questions, 0, lambda fact, game: False).atoms)


def _atoms(engine: Engine, asked: tuple[str, ...] = ()) -> list[t.Expression]:
    """What is asked by rules on some questions, or on the main wager and the choices on it."""
    mechanics = engine.mechanics
    asked = asked or (*(f"{bet}." for bet in (mechanics.main, *mechanics.bonuses)), "player ")
    return [node for node, _ in _asked(engine, asked)]


def _ranks_by_place(nodes: Iterable[t.Expression]) -> tuple[frozenset[str], ...]:
    """For the first three cards of a hand the ranks that rules tell apart; an ace always is."""
    places = {name: set[str]() for name in ("first.rank", "second.rank", "third.rank")}
    for node in nodes:
        if isinstance(node, t.Compare | t.OneOf | t.Between):
            for fact in (n.name for n in walk(node) if isinstance(n, t.Fact)):
                if fact in places:
                    places[fact] |= told_apart(ranks_in(node)) - {"A"}
    found = tuple(frozenset(ranks) for ranks in places.values())
    return found if any(found) else ()


def _merged(want: Wanted, sides: list[Wanted]) -> Wanted:
    """What either text can tell apart."""
    return Wanted(
        want.patterns,
        max(want.cards, *(s.cards for s in sides)),
        want.aces,
        want.tens,
        want.dealer_cards,
        want.ranks,
        want.facts,
    )
