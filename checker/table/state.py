"""The mechanics of a round: events to boxes, hands and money. Knows no rule of any rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from checker.log import model as r

PLAYED = frozenset({"hit", "stand", "double", "split"})
Part = tuple[str, int]
"""Some of a player's money on a hand: original, double or split, and how much."""


@dataclass(slots=True)
class Dealt:
    """A card on a hand."""

    card: str
    n: int  # index of the event
    initial: bool  # one of the first two cards dealt to the box

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
    doubled_with: int | None = None  # cards held when the deciding player doubled
    money: dict[str, list[Part]] = field(default_factory=dict)  # by player, as it was put down
    doublers: tuple[str, ...] = ()
    surrendered: frozenset[str] = frozenset()
    forfeited: frozenset[str] = frozenset()
    even_money: frozenset[str] = frozenset()
    withdrawn: frozenset[str] = frozenset()
    unstated: frozenset[str] = frozenset()  # doubled by an amount that nobody recorded
    stood: bool = False
    owed: bool = False  # it was split, and its next card needs no decision
    void: bool = False

    @property
    def double_card_dealt(self) -> bool:
        return self.doubled_with is not None and len(self.cards) > self.doubled_with

    def put(self, player: str, kind: str, stake: int) -> None:
        """More money on the hand: what lies there already stays."""
        self.money.setdefault(player, []).append((kind, stake))

    def double(self, player: str, stake: int) -> None:
        self.put(player, "double", stake)
        if player not in self.doublers:
            self.doublers = (*self.doublers, player)

    def base(self, player: str) -> Part | None:
        """What a player's money on the hand began with: the original wager, or that of a split."""
        for part in self.money.get(player, ()):
            if part[0] != "double":
                return part
        return None

    def bases(self) -> Iterator[tuple[str, Part]]:
        for player in self.money:
            base = self.base(player)
            if base is not None:
                yield player, base

    def part_of(self, player: str) -> str:
        base = self.base(player)
        return "original" if base is None else base[0]


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
    insurance: dict[str, int] = field(default_factory=dict)
    split_suited_sevens: bool = False
    # the ranks of the two cards of a hand that was played on unsplit, and of hands from a split
    unsplit: tuple[str, str] | None = None
    unsplit_again: set[tuple[str, str]] = field(default_factory=set)
    absent: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    void: bool = False
    kept: Any = None  # what `checker.kept` knows of the box as it stands
    main: list[r.Wager] = field(default_factory=list)
    controller: str | None = None
    _originals: dict[str, int] = field(default_factory=dict)  # what each player has on the box

    def __post_init__(self) -> None:
        for bet in self.bets:
            self._count(bet)

    def place(self, bet: Bet) -> None:
        self.bets.append(bet)
        self._count(bet)

    def _count(self, bet: Bet) -> None:
        if bet.event.bet == "main":
            mains = self.main = [*self.main, bet.event]
            player = bet.event.player
            self._originals[player] = self.original(player) + bet.event.stake
            marked = [w.player for w in mains if w.control] or [w.player for w in mains if w.seated]
            self.controller = marked[0] if marked else mains[0].player

    @property
    def surrendered(self) -> set[str]:
        """Who has surrendered; a hand is split only after that."""
        gone: set[str] = set()
        for hand in self.hands.values():
            gone |= hand.surrendered
        return gone

    @property
    def decider(self) -> str | None:
        """Who decides: the controller, or the next bettor once that one surrendered."""
        gone = self.surrendered
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


@dataclass(slots=True)
class Table:
    """The state of one round after the events so far."""

    round: r.Round
    boxes: dict[int, Box] = field(default_factory=dict)
    dealer: list[Dealt] = field(default_factory=list)
    settled: dict[tuple[int, int, str, str], list[r.Settle]] = field(default_factory=dict)
    adjusted: set[str] = field(default_factory=set)
    records: set[str] = field(default_factory=set)
    approvals: set[tuple[str, str | None]] = field(default_factory=set)  # what, for whom
    warned: set[str] = field(default_factory=set)
    announced: set[str] = field(default_factory=set)
    found: str = "not_recorded"
    void: bool = False
    call_made: bool = False
    first_card: int | None = None  # index of the first deal
    subsequent: int | None = None  # index of the first card beyond the initial deal
    last_card: int = -1
    kept: Any = None  # what `checker.kept` knows of the table as it stands
    _in_play: list[Box] | None = None

    def box(self, number: int) -> Box:
        found = self.boxes.get(number)
        if found is None:
            found = self.boxes[number] = Box(number)
        return found

    @property
    def smallest_chip(self) -> int | None:
        stated = [x.smallest_chip for x in self.round.limits.values() if x.smallest_chip]
        return min(stated) if stated else None

    @property
    def in_play(self) -> list[Box]:
        """Boxes with a main wager, clockwise."""
        if self._in_play is None:
            self._in_play = [b for _, b in sorted(self.boxes.items()) if b.main]
        return self._in_play

    @property
    def initial_deal_done(self) -> bool:
        if not self.dealer:
            return False
        for box in self.in_play:  # noqa: SIM110  asked for every card
            if len(box.received) < 2:
                return False
        return True

    @property
    def second_dealer_card_out(self) -> bool:
        return len(self.dealer) > 1

    def _forget_box(self, number: int) -> None:
        box = self.boxes.get(number)
        if box is not None:
            box.kept = None

    def forget(self) -> None:
        """Something has changed that may matter to any box."""
        if self.kept is not None:
            self.kept.forget()
        self._forget_hands()

    def _forget_hands(self) -> None:
        for box in self.boxes.values():
            box.kept = None

    # --- events

    def apply(self, event: r.Event) -> None:
        match event:
            case r.Deal():
                self._forget_box(event.box)
                self._deal(event)
            case r.Settle():
                key = (event.box, event.hand or 1, event.player, event.bet)
                self.settled.setdefault(key, []).append(event)
            case r.Play():
                self._forget_box(event.box)
                self._play(event)
            case _:
                self.forget()
                self._apply_rarer(event)

    def _apply_rarer(self, event: r.Event) -> None:
        match event:
            case r.Wager():
                self._wager(event)
            case r.NoMoreBets():
                self.call_made = True
            case r.Absent():
                self.box(event.box).absent.add(event.player)
            case r.Approve():
                self.approvals.add((event.what, event.player))
            case r.Void():
                self._void(event)
            case r.Adjust():
                self.adjusted.add(event.player)
            case r.Malfunction():
                self.records.add("malfunction")
                if event.disadvantage:
                    self.records.add("malfunction_disadvantage")
            case r.Irregularity():
                self.records.add(event.what)
                if event.found:
                    self.found = event.found
            case r.Refuse():
                box = self.box(event.box)
                box.refused.add(event.player or box.controller or "")
            case r.Announce():
                self.announced.add(event.what)
            case r.Warn():
                self.warned.add(event.player)
            case r.Withdraw():
                self.box(event.box).hand(event.hand).withdrawn |= {event.player}
            case _:
                pass

    def _wager(self, event: r.Wager) -> None:
        box = self.box(event.box)
        box.place(Bet(event, self.first_card is not None, self.call_made))
        self._in_play = None
        if event.bet == "main":
            money = box.hand(1).money.setdefault(event.player, [])
            added = [part for part in money if part[0] != "original"]
            money[:] = [("original", box.original(event.player)), *added]

    def _deal(self, event: r.Deal) -> None:
        if self.first_card is None:
            self.first_card = event.n
        if self.subsequent is None and self.initial_deal_done:
            self.subsequent = event.n
        self.last_card = event.n
        if event.card == r.JOKER:
            self.records.add("joker_dealt")
            self.forget()
            return
        if event.box == r.DEALER:
            if not self.dealer:
                self._forget_hands()  # whose wagers may be judged by it
            self.dealer.append(Dealt(event.card, event.n, False))
            return
        box = self.box(event.box)
        dealt = Dealt(event.card, event.n, len(box.received) < 2)
        box.received.append(dealt)
        hand = box.hand(event.hand)
        hand.cards.append(dealt)
        hand.owed = False

    def _play(self, event: r.Play) -> None:
        box = self.box(event.box)
        hand = box.hand(event.hand)
        controls = event.player == box.decider
        if controls and event.do in PLAYED and event.do != "split" and len(hand.cards) == 2:
            pair = (hand.cards[0].rank, hand.cards[1].rank)
            if hand.from_split is None:
                box.unsplit = pair
            else:
                box.unsplit_again.add(pair)
        match event.do:
            case "stand":
                hand.stood = hand.stood or controls
            case "double":
                if controls:
                    hand.doubled_with = hand.doubled_with or len(hand.cards)
                hand.double(event.player, event.stake or 0)
                if event.stake is None:
                    hand.unstated |= {event.player}
            case "split":
                self._split(box, hand, event, controls)
            case "surrender":
                hand.surrendered |= {event.player}
            case "forfeit":
                hand.forfeited |= {event.player}
            case "even_money":
                hand.even_money |= {event.player}
            case "insure":
                placed = box.insurance.get(event.player, 0)
                box.insurance[event.player] = placed + (event.stake or 0)
            case _:
                pass

    def _split(self, box: Box, hand: Hand, event: r.Play, controls: bool) -> None:
        if not controls:
            # a co-player covers the hand that the deciding player's split has formed
            newest = box.newest
            if newest.from_split is not None:
                newest.put(event.player, "split", _split_stake(box, event))
            return
        new = Hand(box.newest.number + 1)
        box.hands[new.number] = new
        box.order.insert(box.order.index(hand.number) + 1, new.number)
        if len(hand.cards) >= 2:
            one, other = hand.cards[0], hand.cards[1]
            if one.rank == other.rank == "7" and one.suit == other.suit:
                box.split_suited_sevens = True
            hand.from_split = hand.from_split or one.rank
            new.from_split = other.rank
            new.cards.append(hand.cards.pop(1))
        else:
            hand.from_split = new.from_split = "?"
        hand.owed = new.owed = True
        new.put(event.player, "split", _split_stake(box, event))

    def _void(self, event: r.Void) -> None:
        if event.scope == "round":
            self.void = True
        elif event.box is not None:
            box = self.box(event.box)
            if event.scope == "box" or event.hand is None:
                box.void = True
            else:
                box.hand(event.hand).void = True


def wager_of(box: Box, player: str, bet: str) -> r.Wager | None:
    for placed in box.bets:
        event = placed.event
        if event.player == player and event.bet == bet:
            return event
    return None


def _split_stake(box: Box, event: r.Play) -> int:
    """A split takes as much again as the original wager, where the log does not say."""
    return box.original(event.player) if event.stake is None else event.stake


TENS = frozenset("TJQK")  # the ranks that count ten in most texts
