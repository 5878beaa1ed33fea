"""All deals of the cards that decide a bet, as far as the rules can tell deals apart.

A card is turned over only as far as a test asks, and a test is asked only where what came out
before leaves a rule that needs it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from checker.edge.cards import Cards, FaceDown, Unread, kinds, turned, ways
from checker.edge.choices import Chosen
from checker.edge.needed_tests import Fork, Needed, NotTold, Signature
from checker.edge.side_bets import PLAYER, STAKE, fresh
from checker.evaluate.card_terms import card_named
from checker.evaluate.dealer_draw import ranks_in_play
from checker.evaluate.engine import Engine
from checker.evaluate.scene import SeenScene
from checker.log import model as r
from checker.table.state import Dealt
from rulespec.tree.game import DEALER, Bet


class Group(NamedTuple):
    """Deals on which all tests come out alike and that can be dealt in as many ways."""

    signature: Signature
    cards: Cards
    times: int


class Shoe:
    """A bet on a fresh shoe: the cards that decide it."""

    def __init__(self, engine: Engine, bet: Bet, decks: int, chosen: Chosen = ()) -> None:
        self.engine = engine
        self.bet = bet
        self.chosen = chosen
        self.set_up(decks)
        self.ranks = ranks_in_play(engine, self.scene)
        self.deck = frozenset(rank + suit for rank in self.ranks for suit in r.SUITS)
        places = [found for card in bet.decided_by if (found := card_named(card)) is not None]
        self.dealer_cards = max((n + 1 for seat, n in places if seat == DEALER), default=0)
        self.box_cards = max((n + 1 for seat, n in places if seat != DEALER), default=0)
        self.start: Cards = (self.deck,) * (self.dealer_cards + self.box_cards)

    def set_up(self, decks: int) -> None:
        self.table, self.scene = fresh(self.engine, self.bet.name, decks, chosen=self.chosen)
        self.box = self.table.boxes[1]

    def dealt(self, cards: Cards) -> SeenScene:
        dealer, dealt = self.dealer_cards, list[Dealt]()
        for n, among in enumerate(cards):
            dealt.append(FaceDown(n, among, n >= dealer))
        self.box.received[:] = self.box.hands[1].cards[:] = dealt[dealer:]
        self.table.dealer[:] = dealt[:dealer]
        return self.scene.but(
            dealer=tuple(dealt[:dealer]),
            box=self.box,
            hand=self.box.hands[1],
            player=PLAYER,
            bet=self.bet.name,
            stake=STAKE,
        )

    def groups(self, most: int) -> list[Group]:
        """All deals, as far as the tests that are needed tell them apart."""
        needed = Needed(self.engine, self.bet.name, self.dealt(self.start))
        alike = kinds(needed.rules, self.dealt(self.start), self.ranks)
        like_each_other = needed.places_alike(self.bet, self.dealer_cards)
        ids: dict[frozenset[str], int] = {}
        found: dict[object, Group] = {}
        done = 0
        waiting: dict[tuple[Cards, Fork], int] = {(self.start, needed.first()): 1}
        while waiting:
            # what waits leads to one further deal at least
            if done + len(waiting) > most:
                raise NotTold(f": the rules tell more than {most:,} deals apart")
            cards, fork = state = next(iter(waiting))
            times = waiting.pop(state)
            scene = self.dealt(cards)
            try:
                while fork.test is not None:
                    fork = needed.follow(fork, fork.test(scene))
            except Unread as unread:
                for part, same in turned(cards, unread, alike):
                    key = (_in_order(part, like_each_other, ids), fork)
                    waiting[key] = waiting.get(key, 0) + times * same
                continue
            signature = fork.signature
            done += 1
            seen = [n for n, among in enumerate(cards) if among != self.deck]
            common: list[frozenset[str]] = [self.deck]
            for n in seen:
                common += [cards[n] & other for other in common]
            group = (signature, tuple(seen), tuple(map(len, common)))
            before = found.get(group)
            total = times + (before.times if before is not None else 0)
            found[group] = Group(signature, cards if before is None else before.cards, total)
        return list(found.values())


def _in_order(
    cards: Cards, alike: Iterable[tuple[int, ...]], ids: dict[frozenset[str], int]
) -> Cards:
    """The deal that stands for all that differ by which of the places alike has which card."""
    held = list(cards)
    for places in alike:
        mine = sorted((held[n] for n in places), key=lambda among: ids.setdefault(among, len(ids)))
        for n, among in zip(places, mine, strict=True):
            held[n] = among
    return tuple(held)


def one_deal(cards: Cards, decks: int) -> Cards | None:
    """One of these deals, with no card more often than there are decks; None where there is none.
    Whatever else may be asked of a card is the same for each of them."""
    if not ways(cards, decks):
        return None
    taken: list[frozenset[str]] = []
    for n in range(len(cards)):
        for card in sorted(cards[n]):
            one = (*taken, frozenset({card}))
            if ways((*one, *cards[n + 1 :]), decks):
                taken.append(one[-1])
                break
    return tuple(taken)
