"""The hands that can be dealt: a forward pass over deals and choices under the rulebook's rules.

A hand gets a further card only where `player draw` allows one, is doubled, split, surrendered or
forfeited only where the rulebook allows that, and is left only where no card must be drawn; the
dealer draws as the dealer's rules say, or either way where they leave it open. A choice of a player
that the text leaves undecided is not taken. Hands that no fact in use tells apart are kept once, as
the first of them: fewest cards, lowest ranks.

What is abstracted: a box is split once (only the choice to split again is asked of more hands, in
`checker.prove.choices`); the dealer draws to the end (some other box is still open); a second
player on the box either does all that the first one does, or nothing; all hands over the limit are
alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from checker.evaluate.scene import SeenScene
from checker.log import model as r
from checker.states.dealer_hands import DealerHands
from checker.states.dealer_hands import Key as Key
from checker.states.declared_words import offers_of
from checker.states.lines_of_play import (
    STAKE,
    Line,
    quick_table,
    round_of,
    scene_of,
    with_totals,
)
from checker.states.told_apart import Wanted, pieces
from checker.table.mechanics import Acts, Mechanics
from checker.table.state import Dealt, Table
from rulespec.resolve.question import Question, whether

MIXED = "SHDC"


@dataclass(slots=True)
class States(DealerHands):
    """All lines of play and dealer's hands that one rulebook lets happen."""

    offering: bool = False  # also what it lets happen where the house offers or chooses something
    tables: dict[Line, Table] = field(init=False, default_factory=dict)
    siblings: dict[tuple[str, str], dict[str, tuple[str, ...]]] = field(
        init=False, default_factory=dict
    )
    doubled: dict[tuple[str, str], tuple[str, ...] | None] = field(init=False, default_factory=dict)
    mechanics: Mechanics = field(init=False)
    limit: int = field(init=False)  # what a hand may come to
    acts: Acts = field(init=False)
    _asked: dict[Any, bool] = field(init=False, default_factory=dict)
    _last: tuple[Line, SeenScene] | None = field(init=False, default=None)
    _known_for: Wanted | None = field(init=False, default=None)
    _of_ranks: dict[str, tuple[Key, bool]] = field(init=False, default_factory=dict)
    _rounds: dict[tuple[str, ...], r.Round] = field(init=False, default_factory=dict)
    _offers: dict[str, list[tuple[str, ...]]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        DealerHands.__post_init__(self)
        self.mechanics = self.engine.mechanics
        self.acts = self.mechanics.acts
        self.limit = self.mechanics.limit

    # --- asking

    def table(self, line: Line) -> Table:
        found = self.tables.get(line)
        if found is None:
            self.tick()
            found = self.tables[line] = quick_table(line, self._round_for(line.needs))
        return found

    def scene(self, line: Line) -> SeenScene:
        if self._last is None or self._last[0] is not line:
            scene = scene_of(self.engine, self.table(line), line, line.parts()[0], STAKE)
            self._last = line, with_totals(scene, line)
        return self._last[1]

    def may(self, action: str, line: Line, first: str = "9") -> bool:
        question = whether("player", action)
        if not self.engine.has(question):
            # a text that does not speak of drawing leaves it to the player
            total = self.scene(line).fact("hand.total")
            return action == "draw" and isinstance(total, int) and total < self.limit
        scene = self.scene(line)
        play = r.Play(1, line.number, line.player, self.mechanics.word_for(action), STAKE)
        dealer = (Dealt(first + "D", 0, False),)
        moment = scene.but(play=play, dealer=dealer)
        moment.memory["totals"] = scene.memory["totals"]
        return self.allows(question, moment)

    def _round_for(self, needs: tuple[str, ...]) -> r.Round:
        if needs not in self._rounds:
            self._rounds[needs] = round_of("bet 1 P1 10\n", needs)
        return self._rounds[needs]

    def able(self, action: str, line: Line) -> Line | None:
        """The line, if it may go on so; where it may only with something that a clause asks the
        house for, then with that."""
        if self.may(action, line):
            return line
        for needs in self._offers_for(action) if self.offering else ():
            asked = (*line.asked, *(x for x in needs[:1] if x not in line.asked))
            said = {x.partition("=")[0] for x in line.asked}
            if needs[0].partition("=")[0] in said:
                continue
            more = tuple(x for x in needs if x.partition("=")[0] not in said)
            offered = line.but(needs=(*line.asked, *more), asked=asked)
            if self.may(action, offered):
                return offered
        return None

    def _offers_for(self, action: str) -> list[tuple[str, ...]]:
        if action not in self._offers:
            self._offers[action] = offers_of(self.engine, whether("player", action))
        return self._offers[action]

    def allows(self, question: Question, scene: SeenScene) -> bool:
        return self.engine.allowed(question, scene)[0] is True

    def must_draw(self, line: Line) -> bool:
        if not self.engine.has(whether("player", "draw")):
            return False
        return self.engine.ask(whether("player", "draw"), self.scene(line)).demands is True

    # --- what tells hands apart

    def key(self, line: Line) -> Key:
        return self.key_of(line.cards, line.doubled_with, self._mark(line))

    def key_of(self, cards: tuple[str, ...], doubled_with: int | None, mark: object) -> Key:
        """What stands for all hands that rules cannot tell from this one."""
        ranks = "".join([c[0] for c in cards])
        if self._known_for is not self.want:
            self._known_for, self._of_ranks = self.want, {}
        known = self._of_ranks.get(ranks)
        if known is None:
            known = self._of_ranks[ranks] = self._of(ranks)
        told, fits = known
        return (*told, self._fit(cards), mark) if fits else (*told, mark)

    def _of(self, ranks: str) -> tuple[Key, bool]:
        """What the ranks of a hand tell, and whether they can still become a named pattern."""
        want = self.want
        held = len(ranks)
        fits = "".join(sorted(ranks)) in pieces(want.patterns)
        points = [self.points[rank] for rank in ranks]
        total = sum(points)
        size = min(held, want.cards + 1)
        if total > self.limit and not fits:
            return ("over", size), False
        early_ace = total <= self.limit - 10 and "A" in ranks[:2]
        late_ace = "A" in ranks[2:] and (
            total <= self.limit - 10 or "hand.late_ace_held" in want.facts
        )
        counted = held < 3 or want.aces > 1 or want.tens > 1
        told = (
            total,
            early_ace,
            late_ace,
            size,
            (ranks.count("A"), points.count(10), len(set(points))) if counted else None,
        )
        return (told, True) if fits else ((*told, None), False)

    def _fit(self, cards: tuple[str, ...]) -> object:
        """The ranks and suit of a hand as long as it can still become a named pattern."""
        ranks = "".join(sorted([c[0] for c in cards]))
        if ranks not in pieces(self.want.patterns):
            return None
        suits = {c[1] for c in cards}
        return ranks, suits.pop() if len(suits) == 1 else "mixed"

    def _mark(self, line: Line) -> tuple[object, int, bool, tuple[str, ...]]:
        if line.pair is None:
            pair: object = None
        else:
            one, other = line.pair
            kind = {"A": "aces"}.get(one[0], "tens" if self.is_ten(one[0]) else "others")
            pair = (kind, one[0] == other[0] == "7" and one[1] == other[1])
        return pair, line.number, line.doubled_with is not None, line.asked

    # --- the forward pass

    def more(self, cards: tuple[str, ...]) -> Iterator[str]:
        """Cards to try next: one of each rank, and those that keep a pattern in one suit."""
        suits = {c[1] for c in cards}
        suit = MIXED[len(cards) % 4]
        if suits == {suit}:
            suit = MIXED[(len(cards) + 1) % 4]
        same = suits.pop() if len(suits) == 1 else suit
        for rank in self.ranks:
            yield rank + suit
            if same != suit and self._fit((*cards, rank + "S")) is not None:
                yield rank + same

    def grow(self, start: list[Line]) -> list[Line]:
        """Every hand that cards and doubling can make of these, as it may be left."""
        seen: set[Key] = set()
        ends: list[Line] = []
        waiting: list[Line] = []
        for line in start:
            key = self.key(line)
            if key not in seen:
                seen.add(key)
                waiting.append(line)
        while waiting:
            found: list[Line] = []
            for line in waiting:
                if len(line.cards) < 2:
                    found += self._longer(line, None, self.more(line.cards), seen)
                    continue
                total = self.scene(line).fact("hand.total")
                over = isinstance(total, int) and total > self.limit
                if line.doubled_with is not None:
                    ends.append(line)
                    continue
                if over or not self.must_draw(line):
                    ends.append(line)
                if over or total is None:
                    continue
                cards = list(self.more(line.cards))
                if (drawing := self.able("draw", line)) is not None:
                    found += self._longer(drawing, None, cards, seen)
                if (doubling := self.able(self.acts.double, line)) is not None:
                    found += self._longer(doubling, len(line.cards), cards, seen)
            waiting = found
        return ends

    def _longer(
        self, line: Line, doubled_with: int | None, more: Iterable[str], seen: set[Key]
    ) -> list[Line]:
        """The hand with each further card that makes one of it that was not seen before."""
        found: list[Line] = []
        pair, number, _, asked = self._mark(line)
        mark = pair, number, doubled_with is not None, asked
        for card in more:
            cards = (*line.cards, card)
            key = self.key_of(cards, doubled_with, mark)
            if key not in seen:
                seen.add(key)
                found.append(line.but(cards=cards, doubled_with=doubled_with))
        return found

    def first_two(self) -> list[Line]:
        found: list[Line] = []
        for place, one in enumerate(self.ranks):
            for other in self.ranks[place:]:
                found.append(Line((one + "S", other + "H")))
                if self._fit((one + "S", other + "S")) is not None:
                    found += [Line((one + suit, other + suit)) for suit in MIXED]
        return found

    def lines(self) -> list[Line]:
        """Every hand of box 1 as it can stand at settlement."""
        plain = self.grow(self.first_two())
        ends = list(plain)
        for line in plain:
            if line.doubled_with is not None:
                ends += self._after_double(line)
        ends += self._given_up()
        ends += self._splits()
        return ends

    def _after_double(self, line: Line) -> list[Line]:
        found: list[Line] = []
        if self.may(self.acts.give_up, line):
            found.append(line.but(forfeited=True))
        if line.pair is None:
            found.append(line.but(shared=True))
            held = line.cards[: line.doubled_with]
            word = self.mechanics.doubling
            mate = line.but(cards=held, doubled_with=None, shared=True)
            key = ("by both", self.key(mate)[:5])
            if key not in self._asked:
                before = scene_of(self.engine, self.table(mate), mate, "original", STAKE)
                assert before.hand is not None
                before.hand.doubled_with = len(held)
                before.hand.double("P1", STAKE, self.mechanics.part_of(word))
                play = r.Play(1, 1, "P2", word, STAKE)
                self._asked[key] = self.allows(
                    whether("player", self.acts.double), before.but(play=play)
                )
                self.tables.pop(mate)
            if self._asked[key]:
                found.append(line.but(shared=True, follows=True))
        return found

    def _given_up(self) -> list[Line]:
        """Hands surrendered or paid at even money, each with the dealer cards that allow it."""
        found: list[Line] = []
        seen: set[Key] = set()
        leave = self.acts.leave
        for line in self.first_two():
            if self._fit(line.cards) is not None and line.cards[0][1] == line.cards[1][1]:
                continue
            for action in (leave, self.acts.claim):
                if not self.engine.has(whether("player", action)):
                    continue
                needs, firsts = self._offered(action, line)
                key = (action, *self.key(line))
                if firsts and key not in seen:
                    seen.add(key)
                    left = action == leave
                    done = line.but(surrendered=left, even_money=not left)
                    made = done.but(firsts=firsts, needs=needs)
                    found.append(made)
                    mate = made.but(shared=True)
                    if left and not self.must_draw(mate):
                        found.append(mate)
        return found

    def _offered(self, action: str, line: Line) -> tuple[tuple[str, ...], frozenset[str]]:
        """The dealer's first cards with which it is allowed; where it is not as a matter of course,
        with an option that a clause on it asks for and what the house has to choose."""
        for needs in ((), *self._offers_for(action)):
            offered = line.but(needs=needs)
            firsts = frozenset(f for f in self.all_ranks if self.may(action, offered, f))
            if firsts:
                return needs, firsts
        return (), frozenset()

    def _splits(self) -> list[Line]:
        starts: list[Line] = []
        for line in self.first_two():
            if not self.scene(line).fact("hand.equal_value"):
                continue
            if (able := self.able(self.acts.split, line)) is not None:
                pair = (line.cards[0], line.cards[1])
                start = Line(pair[:1], pair=pair, sibling=self._stood(pair[1]))
                starts.append(start.but(needs=able.needs, asked=able.asked))
        grown = self.grow(starts)
        for line in grown:
            total = self.scene(line).fact("hand.total")
            if line.doubled_with is None and isinstance(total, int) and total >= self.limit:
                assert line.pair is not None
                made = self.siblings.setdefault(line.pair, {})
                made.setdefault("full" if total == self.limit else "over", line.cards)
        ends: list[Line] = []
        for line in grown:
            ends.append(line)
            ends += self._second_hand(line)
            if line.doubled_with is not None:
                ends += self._after_double(line)
        return ends

    def _stood(self, card: str) -> tuple[str, ...]:
        """A hand from this card that nobody has to draw to."""
        if card[0] == "9":
            return card, "8C"
        return (card, "9C", "8D") if card[0] == "2" else (card, "9C")

    def _second_hand(self, line: Line) -> list[Line]:
        """The same cards on the second hand, after a first one that stood, is full, or is over."""
        assert line.pair is not None
        one, other = line.pair
        if line.cards[0][0] != other[0]:
            return []
        cards = (other, *line.cards[1:])
        mirror = line.but(cards=cards, number=2, sibling=self._stood(one))
        found = [mirror]
        if self.want.facts & {"wager.stands_for_original", "wager.original_bust"}:
            # first hands at the limit and over it, from the same pair, as the rules allow them
            known = self.siblings.get(line.pair, {})
            found += [mirror.but(sibling=known[name]) for name in sorted(known)]
        if "box.doubled_before" in self.want.facts:
            doubled = self._doubled_first(line.pair)
            found += [mirror.but(sibling=doubled, after_double=True)] if doubled else []
        return found

    def _doubled_first(self, pair: tuple[str, str]) -> tuple[str, ...] | None:
        """A first hand of this pair that the rules let be doubled and that is not over."""
        if pair not in self.doubled:
            self.doubled[pair] = next(self._doubled(pair), None)
        return self.doubled[pair]

    def _doubled(self, pair: tuple[str, str]) -> Iterator[tuple[str, ...]]:
        one, other = pair
        for second in self.more((one,)):
            line = Line((one, second), pair=pair, sibling=(other,))
            total = self.scene(line).fact("hand.total")
            if isinstance(total, int) and total < self.limit and self.may(self.acts.double, line):
                low = (r for r in self.ranks if r != "A" and total + self.points[r] < self.limit)
                yield from ((one, second, rank + "C") for rank in low)
