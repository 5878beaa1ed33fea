"""Cards and decisions, matched: which card a decision asked for, which decision got its card."""

from __future__ import annotations

from checker.log import model as r
from checker.log.not_recorded import untold_by
from checker.table.mechanics import Does, Mechanics
from checker.table.state import Box, Hand, Table


class Asks:
    """Each decision on a hand gets the next card of that hand which no earlier one has got."""

    def __init__(
        self, round_: r.Round, decisions_seen: bool, mechanics: Mechanics, initial: int
    ) -> None:
        """`initial`: the cards that come to every box."""
        self.recorded = decisions_seen
        """Whether a card that no decision asked for can be told from a decision not recorded."""
        self.asked_for: set[int] = set()  # the cards that a decision asked for, by event
        early: dict[int, set[int]] = {}  # decisions on a hand that waits for cards, with those asks
        plays = mechanics.plays
        waiting: dict[tuple[int, int], list[r.Play]] = {}
        received: dict[int, int] = {}
        for event in round_.events:
            match event:
                case r.Play() if (does := plays.get(event.do)) is not None:
                    self.recorded |= does.telling
                    asks = waiting.setdefault((event.box, event.hand), [])
                    if does.decides and any(x.do != event.do for x in asks):
                        early[event.n] = {x.n for x in asks}
                    if does.cards and does.adds is None:
                        # who doubled and does not decide has asked for nothing
                        asks[:] = [
                            x for x in asks if plays[x.do].adds is None or x.player == event.player
                        ]
                        asks += [event] * does.cards
                    # however many double before it comes, a hand gets one card
                    if does.cards and does.adds and not any(x.do == event.do for x in asks):
                        asks += [event] * does.cards
                case r.Deal() if event.card != r.JOKER:
                    received[event.box] = received.get(event.box, 0) + 1
                    asks = waiting.get((event.box, event.hand), [])
                    if asks and received[event.box] > initial:
                        # whoever doubled got this card; a card before it never came
                        adding = (k for k, x in enumerate(asks) if plays[x.do].adds)
                        asks.pop(next(adding, 0))
                        self.asked_for.add(event.n)
                case r.Void():  # what is void gets no more cards
                    for box, hand in waiting:
                        same = box == event.box and event.hand in (None, hand)
                        if event.scope == "round" or same:
                            waiting[box, hand] = []
                case r.Withdraw():
                    waiting.pop((event.box, event.hand), None)
                case _:
                    pass
        # the decisions whose card never came
        self.unanswered = {one.n for asks in waiting.values() for one in asks}
        self.too_soon = {n for n, asks in early.items() if asks - self.unanswered}
        """The decisions on a hand whose card, asked for before, comes only after them."""
        if any("asks" in one.judged for one in untold_by(round_.not_recorded)):
            self.recorded = False

    def asked(self, card: r.Deal, box: Box | None, hand: Hand | None) -> bool | None:
        """Whether a decision asked for a card beyond the initial deal, or it needs none. None: the
        log does not record decisions."""
        if card.box == r.DEALER or card.card == r.JOKER or card.n in self.asked_for:
            return True
        if hand is not None and hand.owed:
            return True
        if box is not None and box.decider in box.absent:
            return True
        return False if self.recorded else None


def too_often(table: Table, event: r.Play, does: Does) -> bool:
    """Whether the player has done this before as often as the game knows it."""
    if event.bet is not None:  # once for each of several bets on the hand
        same = [
            e
            for e in table.round.events
            if isinstance(e, r.Play)
            and (e.player, e.do, e.bet) == (event.player, event.do, event.bet)
        ]
        mine = {"round": (), "box": (event.box,), "hand": (event.box, event.hand)}[does.counted_on]
        done = sum(e.n < event.n and (e.box, e.hand)[: len(mine)] == mine for e in same)
        return does.at_most is not None and done >= does.at_most
    done = sum(
        hand.times(does.action, event.player)
        for box in table.boxes.values()
        for hand in box.hands.values()
        if (does.counted_on == "round" or box.number == event.box)
        and (does.counted_on != "hand" or hand.number == event.hand)
    )
    return does.at_most is not None and done >= does.at_most
