"""Cards, hands and boxes of a round, and the money that lies on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from checker.log import model as r
from checker.table.mechanics import ORIGINAL

Part = tuple[str, int]
"""Some of a player's money on a hand: the original wager or what was added, and how much."""
Money = dict[str, list[Part]]
"""By player, as it was put down."""


@dataclass(slots=True)
class Dealt:
    """A card on a hand."""

    card: str
    n: int  # index of the event
    initial: bool  # one of the cards that the initial deal brings to the box
    down: bool = False  # it lies face down, and nobody knows it
    turned: int | None = None  # index of the event that turned it face up

    @property
    def visible_from(self) -> float:
        """The event since which everybody can see the card."""
        if self.turned is not None:
            return self.turned
        return float("inf") if self.down else self.n

    @property
    def rank(self) -> str:
        return self.card[0]

    @property
    def suit(self) -> str:
        return self.card[1]


@dataclass(slots=True)
class Hand:
    number: int
    cards: list[Dealt] = field(default_factory=list)
    from_split: str | None = None  # rank of the pair that was split
    doubled_with: int | None = None  # cards held when the deciding player first added a stake
    money: Money = field(default_factory=dict)
    spots: dict[str, Money] = field(default_factory=dict)  # of other bets on the hand
    added: frozenset[str] = frozenset()  # the parts that were added to a wager on the hand
    doublers: tuple[str, ...] = ()  # who added a stake
    plays: tuple[tuple[str, str], ...] = ()  # what was done, and by whom
    gone: frozenset[str] = frozenset()  # players for whom the hand is over
    given: dict[tuple[str, str], str] = field(default_factory=dict)  # player, part: the action
    withdrawn: frozenset[str] = frozenset()
    unstated: frozenset[str] = frozenset()  # added an amount that nobody recorded
    stood: bool = False
    owed: bool = False  # it was split, and its next card needs no decision
    void: bool = False

    @property
    def double_card_dealt(self) -> bool:
        return self.doubled_with is not None and len(self.cards) > self.doubled_with

    @property
    def face_down(self) -> bool:
        return any(dealt.down for dealt in self.cards)

    def did(self, action: str) -> frozenset[str]:
        """The players who did something on the hand."""
        return frozenset(who for what, who in self.plays if what == action)

    def times(self, action: str, player: str | None = None) -> int:
        return sum(what == action and player in (None, who) for what, who in self.plays)

    def do(self, action: str, player: str, leaves: bool = False) -> None:
        self.plays = (*self.plays, (action, player))
        if leaves:
            self.gone |= {player}

    def put(self, player: str, part: str, stake: int, bet: str | None = None) -> None:
        """More money on the hand: what lies there already stays. `bet`: another than the main."""
        money = self.money if bet is None else self.spots.setdefault(bet, {})
        money.setdefault(player, []).append((part, stake))

    def double(self, player: str, stake: int, part: str, bet: str | None = None) -> None:
        self.put(player, part, stake, bet)
        self.added |= {part}
        if player not in self.doublers:
            self.doublers = (*self.doublers, player)

    def base(self, player: str) -> Part | None:
        """What a player's money on the hand began with: the original wager, or that of a split."""
        for part in self.money.get(player, ()):
            if part[0] not in self.added:
                return part
        return None

    def bases(self) -> Iterator[tuple[str, Part]]:
        for player in self.money:
            base = self.base(player)
            if base is not None:
                yield player, base

    def part_of(self, player: str) -> str:
        base = self.base(player)
        return ORIGINAL if base is None else base[0]


@dataclass(slots=True)
class Bet:
    """A wager placed before or during the round, other than by doubling or splitting."""

    event: r.Wager
    after_first_card: bool
    after_call: bool


@dataclass(slots=True)
class Box:
    number: int
    bets: list[Bet] = field(default_factory=list)
    hands: dict[int, Hand] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    received: list[Dealt] = field(default_factory=list)  # every card of the box in order
    placed: dict[str, dict[str, int]] = field(default_factory=dict)  # by plays: bet, player
    times_placed: dict[tuple[str, str], int] = field(default_factory=dict)  # bet and player
    called_off: bool = False  # void before the first card
    split_suited_sevens: bool = False
    # the ranks of the two cards of a hand that was played on unsplit, and of hands from a split
    unsplit: tuple[str, str] | None = None
    unsplit_again: set[tuple[str, str]] = field(default_factory=set)
    absent: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)  # who said on which hand of a split the wager lies
    void: bool = False
    kept: Any = None  # what `checker.kept` knows of the box as it stands
    main: list[r.Wager] = field(default_factory=list)
    controller: str | None = None
    _originals: dict[str, int] = field(default_factory=dict)  # what each player has on the box

    def place(self, bet: Bet, main: bool) -> None:
        self.bets.append(bet)
        if main:
            mains = self.main = [*self.main, bet.event]
            player = bet.event.player
            self._originals[player] = self.original(player) + bet.event.stake
            marked = [w.player for w in mains if w.control] or [w.player for w in mains if w.seated]
            self.controller = marked[0] if marked else mains[0].player

    @property
    def left_out(self) -> bool:
        """It was called off before the deal and gets no card."""
        return self.called_off and not self.received

    @property
    def gone(self) -> set[str]:
        """For whom the box is over; a hand is split only after that."""
        gone: set[str] = set()
        for hand in self.hands.values():
            gone |= hand.gone
        return gone

    @property
    def decider(self) -> str | None:
        """Who decides: the controller, or the next bettor once the box is over for that one."""
        gone = self.gone
        if self.controller not in gone:
            return self.controller
        left = [w.player for w in self.main if w.player not in gone]
        return left[0] if left else self.controller

    @property
    def newest(self) -> Hand:
        """The hand that the last split has formed."""
        return self.hands[max(self.hands)]

    def original(self, player: str) -> int:
        return self._originals.get(player, 0)

    def hand(self, number: int) -> Hand:
        found = self.hands.get(number)
        if found is None:
            found = self.hands[number] = Hand(number)
            self.order.append(number)
            self.kept = None
        return found
