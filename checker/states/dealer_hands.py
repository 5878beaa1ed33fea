"""The hands that the dealer can end with under the rulebook's rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from checker.evaluate.dealer_draw import ask_draw, card_due, ranks_in_play
from checker.evaluate.engine import Engine
from checker.evaluate.facts.totals import counted_alike
from checker.evaluate.scene import SeenScene
from checker.states.lines_of_play import SHOE, round_of
from checker.states.told_apart import ORDER, Wanted, wanted
from checker.table.state import TENS, Dealt, Table
from rulespec.resolve.question import DEALER_DRAW

Key = tuple[Any, ...]


@dataclass(slots=True)
class DealerHands:
    """The cards that are played with, and the dealer's hands of them."""

    engine: Engine
    tick: Callable[[], None]
    want: Wanted = field(init=False)
    ranks: str = field(init=False)  # of the ten-value cards one, where that stands for all
    all_ranks: str = field(init=False)
    tens_alike: bool = field(init=False)  # one of them stands for all, but as a dealer's first
    points: dict[str, int] = field(init=False)
    dealer_seen: list[tuple[str, ...]] = field(init=False, default_factory=list)
    dealer_over: list[tuple[str, ...]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.want = wanted([rule.condition for rule in self.engine.rulebook.rules])
        dealt = ranks_in_play(self.engine, SeenScene(self.engine, empty_table(), SHOE))
        tens = [rank for rank in dealt if rank in TENS]
        self.tens_alike = counted_alike(self.engine, tens)
        self.all_ranks = dealt
        self.points = {rank: self._low(rank) for rank in dealt}
        merged = tens[1:] if self.tens_alike else []
        self.ranks = "".join(rank for rank in dealt if rank not in merged)

    def _low(self, rank: str) -> int:
        """What a card counts at least."""
        scene = SeenScene(self.engine, empty_table(), SHOE, (Dealt(rank + "S", 0, False),))
        hard = scene.fact("dealer.hard_total")
        return hard if isinstance(hard, int) else 10 if rank in TENS else ORDER.index(rank) + 1

    def _named(self, card: str) -> str:
        """A rank that some rule names; else what it counts."""
        rank = card[0]
        return rank if rank in self.want.ranks else "ten" if self.is_ten(rank) else "other"

    def is_ten(self, rank: str) -> bool:
        return self.points.get(rank) == 10

    @staticmethod
    def _due(scene: SeenScene) -> bool | None:
        answer = ask_draw(scene)
        return card_due(answer) if answer.values else None

    def counted(self, cards: tuple[str, ...]) -> tuple[int, int]:
        """How many aces and ten-value cards the dealer has, where rules count them."""
        ranks = [c[0] for c in cards]
        aces = ranks.count("A") if "dealer.aces" in self.want.facts else 0
        tens = "dealer.ten_cards" in self.want.facts
        return aces, sum(map(self.is_ten, ranks)) if tens else 0

    def dealer_hands(self) -> list[tuple[str, ...]]:
        """Every hand that the dealer can end with, one for each that rules can tell apart. Where no
        clause says whether the dealer draws, or clauses clash, the dealer may do either."""
        base = SeenScene(self.engine, empty_table(), SHOE, no_effect=False)
        seen: set[Key] = set()
        ends: list[tuple[str, ...]] = []
        waiting: list[tuple[str, ...]] = [(rank + "D",) for rank in self.all_ranks]
        speaks = self.engine.has(DEALER_DRAW)
        limit = self.engine.mechanics.limit
        while waiting:
            found: list[tuple[str, ...]] = []
            for cards in waiting:
                self.tick()
                dealt = tuple(Dealt(c, n, False) for n, c in enumerate(cards))
                scene = base.but(dealer=dealt)
                fact = scene.fact
                total = fact("dealer.total")
                key = (
                    self._named(cards[0]),
                    self._named(cards[1]) if cards[1:] else None,
                    total,
                    fact("dealer.hard_total"),
                    min(len(cards), self.want.dealer_cards + 1),
                    self.counted(cards),
                )
                if key in seen or not isinstance(total, int):
                    continue
                seen.add(key)
                if len(cards) > 1:
                    (self.dealer_seen if total <= limit else self.dealer_over).append(cards)
                due = self._due(scene) if speaks else total < limit - 4
                if len(cards) > 1 and due is not True:
                    ends.append(cards)
                if total <= limit and (due is not False or len(cards) == 1):
                    ranks = self.all_ranks if len(cards) == 1 else self.ranks
                    suit = "CHSD"[len(cards) % 4]
                    found += [(*cards, rank + suit) for rank in ranks]
            waiting = found
        return ends


def empty_table() -> Table:
    return Table(round_of("bet 1 P1 10\n"))
