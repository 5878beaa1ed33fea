"""The mechanics of a round: events to boxes, hands and money. Knows no rule of any rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from checker.log import model as r
from checker.table.mechanics import ORIGINAL, Does, Mechanics, Opening, ordinary

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

    def place(self, bet: Bet, main: bool) -> None:
        self.bets.append(bet)
        if main:
            mains = self.main = [*self.main, bet.event]
            player = bet.event.player
            self._originals[player] = self.original(player) + bet.event.stake
            marked = [w.player for w in mains if w.control] or [w.player for w in mains if w.seated]
            self.controller = marked[0] if marked else mains[0].player

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


@dataclass(slots=True)
class Table:
    """The state of one round after the events so far."""

    round: r.Round
    mechanics: Mechanics = field(default_factory=ordinary)
    boxes: dict[int, Box] = field(default_factory=dict)
    dealer: list[Dealt] = field(default_factory=list)
    further: dict[int, list[Dealt]] = field(default_factory=dict)
    """Other hands of the dealer, each opened by the first card."""
    opening: Opening = field(init=False)
    peeked: bool = False  # the dealer, or a device, has looked at a card that lies face down
    over: bool = False  # a stage has ended the round
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

    def __post_init__(self) -> None:
        self.opening = self.mechanics.opening

    def box(self, number: int) -> Box:
        found = self.boxes.get(number)
        if found is None:
            found = self.boxes[number] = Box(number)
        return found

    def of_dealer(self, event: r.Deal) -> int:
        """Which hand of the dealer a card goes to; where there is one, that."""
        several = self.dealer and event.hand <= self.mechanics.dealer_hands
        return event.hand if several else 1

    def dealer_hand(self, number: int) -> list[Dealt]:
        return self.dealer if number == 1 else self.further.get(number, self.dealer[:1])

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
        if len(self.dealer) < self.opening.to_dealer and not self._gone_on:
            return False
        needed = self.opening.per_box
        for box in self.in_play:  # noqa: SIM110  asked for every card
            if len(box.received) < needed:
                return False
        return True

    @property
    def _gone_on(self) -> bool:
        """Players decide although the dealer has not got all that the deal says."""
        return bool(self.dealer) and any(
            hand.plays for box in self.in_play for hand in box.hands.values()
        )

    @property
    def second_dealer_card_out(self) -> bool:
        """Players can see a second card of the dealer."""
        return len(self.dealer) > 1 and not self.dealer[1].down

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
                if event.by:
                    self.approvals.add((f"{event.what}_by_{event.by}", event.player))
            case r.Void():
                self._void(event)
            case r.Adjust():
                self.adjusted.add(event.player)
            case r.Malfunction():
                self.records.add("malfunction")
                if event.disadvantage:
                    self.records.add("malfunction_disadvantage")
            case r.Irregularity():
                self.records |= event.words
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
            case r.Reveal():
                self._turn(event)
            case r.Peek():
                self.peeked = self.peeked or event.box == r.DEALER
            case r.Designate():
                self._designate(event)
            case _:
                pass

    def _wager(self, event: r.Wager) -> None:
        box = self.box(event.box)
        main = event.bet == self.mechanics.main
        box.place(Bet(event, self.first_card is not None, self.call_made), main)
        self._in_play = None
        if main:
            money = box.hand(1).money.setdefault(event.player, [])
            added = [part for part in money if part[0] != ORIGINAL]
            money[:] = [(ORIGINAL, box.original(event.player)), *added]
        elif event.bet in self.mechanics.spots:
            box.hand(1).put(event.player, ORIGINAL, event.stake, event.bet)

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
            held = self.dealer
            if self.of_dealer(event) > 1:
                held = self.further.setdefault(event.hand, self.dealer[:1])
            held.append(Dealt(event.card, event.n, False, event.down))
            return
        box = self.box(event.box)
        initial = len(box.received) < self.opening.per_box
        dealt = Dealt(event.card, event.n, initial, event.down)
        box.received.append(dealt)
        hand = box.hand(event.hand)
        hand.cards.append(dealt)
        hand.owed = False

    def _play(self, event: r.Play) -> None:
        box = self.box(event.box)
        hand = box.hand(event.hand)
        controls = event.player == box.decider
        does = self.mechanics.plays.get(event.do)
        if does is None:
            return
        if controls and does.decides and not does.splits and len(hand.cards) == 2:
            pair = (hand.cards[0].rank, hand.cards[1].rank)
            if hand.from_split is None:
                box.unsplit = pair
            else:
                box.unsplit_again.add(pair)
        if does.splits:
            self._split(box, hand, event, controls, does)
        elif does.adds is not None:
            if controls:
                hand.doubled_with = hand.doubled_with or len(hand.cards)
            for bet, stake in self._shares(box, event, event.stake or 0):
                hand.double(event.player, stake, does.adds, bet)
            if event.stake is None:
                hand.unstated |= {event.player}
        if does.places is not None:
            bet = self._placed(does.places, event)
            by_player = box.placed.setdefault(bet, {})
            by_player[event.player] = by_player.get(event.player, 0) + (event.stake or 0)
        hand.stood = hand.stood or (does.stands and controls)
        for part in (*(part for part, _ in does.gives_up), *does.takes_back):
            hand.given[event.player, part] = event.do
        hand.do(does.action, event.player, does.leaves)

    def _shares(self, box: Box, event: r.Play, stake: int | None) -> list[tuple[str | None, int]]:
        """To which bets on the hand a stake is added: None is the main one. One amount for several
        is shared as the wagers are, where that can be done. No amount: as much again."""
        main = self.mechanics.main
        staked = {main: box.original(event.player)}
        for bet in box.bets:
            if bet.event.bet in self.mechanics.spots and bet.event.player == event.player:
                staked[bet.event.bet] = staked.get(bet.event.bet, 0) + bet.event.stake
        if event.bet is not None:
            staked = {event.bet: staked.get(event.bet, 0)}
        whole = sum(staked.values())
        amount = whole if stake is None else stake
        if len(staked) == 1:
            shares = dict.fromkeys(staked, amount)
        elif amount == staked[main] or any(amount * part % whole for part in staked.values()):
            shares = {main: amount}
        else:
            shares = {bet: amount * part // whole for bet, part in staked.items()}
        return [(None if bet == main else bet, share) for bet, share in shares.items()]

    def _placed(self, bet: str, event: r.Play) -> str:
        """Which bet a play places, where there is one for each hand of the dealer: `bet` names it,
        or the bet that it goes with."""
        bets = self.mechanics.game.bets
        for other in bets.values():
            by_play = other.placed.when == "by play" and other.placed.name == event.do
            if event.bet is not None and by_play and event.bet in (other.name, other.with_bet):
                return other.name
        return bet

    def _split(self, box: Box, hand: Hand, event: r.Play, controls: bool, does: Does) -> None:
        part = does.adds or ORIGINAL
        if not controls:
            # a co-player covers the hand that the deciding player's split has formed
            newest = box.newest
            if newest.from_split is not None:
                for bet, stake in self._shares(box, event, event.stake):
                    newest.put(event.player, part, stake, bet)
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
        for bet, stake in self._shares(box, event, event.stake):
            new.put(event.player, part, stake, bet)

    def _turn(self, event: r.Reveal) -> None:
        if event.box == r.DEALER:
            lying = [*self.dealer, *(d for cards in self.further.values() for d in cards)]
        else:
            hands = self.box(event.box).hands
            lying = [d for n, h in hands.items() if event.hand in (None, n) for d in h.cards]
        for dealt in lying:
            if dealt.down:
                dealt.down, dealt.turned = False, event.n

    def _designate(self, event: r.Designate) -> None:
        """The wager of a player who does not cover a split is put on one of its hands."""
        hands = self.box(event.box).hands
        new = hands.get(event.hand)
        if new is None or event.hand == 1 or new.base(event.player) is not None:
            return
        money = hands[1].money.pop(event.player, None)
        if money is not None:
            new.money[event.player] = [*money, *new.money.get(event.player, ())]

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


TENS = frozenset("TJQK")  # the ranks that count ten in most texts
