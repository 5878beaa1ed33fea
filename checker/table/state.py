"""The mechanics of a round: events to boxes, hands and money. Knows no rule of any rulebook."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from checker.log import model as r
from checker.table.hands import Bet, Box, Dealt, Hand, Money, Part
from checker.table.mechanics import ORIGINAL, Does, Mechanics, Opening, ordinary

__all__ = ["Bet", "Box", "Dealt", "Hand", "Money", "Part", "Table", "wager_of"]


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
            if len(box.received) < needed and not box.left_out:
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
                    self.records.add(self.mechanics.roles["somebody is worse off"])
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
            self.records.add(self.mechanics.roles["a joker came"])
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
            for bet, stake in self.shares(box, event, event.stake or 0):
                hand.double(event.player, stake, does.adds, bet)
            if event.stake is None:
                hand.unstated |= {event.player}
        if does.places is not None:
            bet = self._placed(does.places, event)
            by_player = box.placed.setdefault(bet, {})
            by_player[event.player] = by_player.get(event.player, 0) + (event.stake or 0)
            times = box.times_placed.get((bet, event.player), 0)
            box.times_placed[bet, event.player] = times + 1
        hand.stood = hand.stood or (does.stands and controls)
        for part in (*(part for part, _ in does.gives_up), *does.takes_back):
            hand.given[event.player, part] = event.do
        hand.do(does.action, event.player, does.leaves)

    def shares(self, box: Box, event: r.Play, stake: int | None) -> list[tuple[str | None, int]]:
        """To which bets on the hand a stake is added: None is the main one. One amount for several
        is shared as the wagers are, where that can be done. No amount: as much again."""
        main = self.mechanics.main
        staked = self.wagered(box, event.player)
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

    def wagered(self, box: Box, player: str) -> dict[str, int]:
        """What a player has wagered on the first hand of a box, by bet."""
        staked = {self.mechanics.main: box.original(player)}
        for bet in box.bets:
            if bet.event.bet in self.mechanics.spots and bet.event.player == player:
                staked[bet.event.bet] = staked.get(bet.event.bet, 0) + bet.event.stake
        return staked

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
                for bet, stake in self.shares(box, event, event.stake):
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
        for bet, stake in self.shares(box, event, event.stake):
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
        """The wager of a player who does not cover a split is put on one of its hands: it comes
        from the hand that was split, the last before this one on which the player has a wager."""
        box = self.box(event.box)
        box.named.add(event.player)
        new = box.hands.get(event.hand)
        if new is None or new.base(event.player) is not None:
            return
        before = (box.hands[n] for n in reversed(box.order[: box.order.index(event.hand)]))
        split = next((hand for hand in before if hand.base(event.player) is not None), None)
        if split is not None:
            money = split.money.pop(event.player)
            new.money[event.player] = [*money, *new.money.get(event.player, ())]

    def _void(self, event: r.Void) -> None:
        if event.scope == "round":
            self.void = True
        elif event.box is not None:
            box = self.box(event.box)
            if event.scope == "box" or event.hand is None:
                box.void = True
                box.called_off = self.first_card is None
            else:
                box.hand(event.hand).void = True


def wager_of(box: Box, player: str, bet: str) -> r.Wager | None:
    for placed in box.bets:
        event = placed.event
        if event.player == player and event.bet == bet:
            return event
    return None


TENS = frozenset("TJQK")  # the ranks that count ten in most texts
