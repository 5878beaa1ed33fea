"""Whose turn it is: the order of dealing, read off the whole round."""

from __future__ import annotations

from checker.log import model as r
from checker.table.mechanics import Mechanics, Opening
from checker.table.state import Table


class Turns:
    """Looks ahead over the events, so that going back to an unfinished hand is seen."""

    def __init__(self, round_: r.Round, mechanics: Mechanics, opening: Opening) -> None:
        self.touched: dict[tuple[int, int], int] = {}
        self.box_touched: dict[int, int] = {}
        self.opening = opening
        self.expected: list[int] = []
        self.deals: list[r.Deal] = []
        self.dealt = 0
        self.cut_card_first = False
        self.call_made: bool | None = None
        self.marker = mechanics.roles["a marker leads"] in round_.options
        decisions = {word for word, does in mechanics.plays.items() if does.decides}
        started = False
        furthest = -1
        boxes: set[int] = set()
        called_off: set[int | None] = set()
        for event in round_.events:
            match event:
                case r.Deal():
                    started = True
                    furthest = max(furthest, event.box or 99)
                    self.deals.append(event)
                    self._touch(event.box, event.hand, event.n)
                case r.Settle():
                    pass
                case r.Play():
                    if event.do in decisions:
                        self._touch(event.box, event.hand, event.n)
                case r.Wager():
                    # also a late one, while its turn is still to come
                    if event.bet == mechanics.main and event.box > furthest:
                        boxes.add(event.box)
                case r.Void() if not started and event.scope == "box":
                    called_off.add(event.box)
                case r.NoMoreBets():
                    self.call_made = not started
                case r.CutCard() if not started:
                    self.cut_card_first = True
                case _:
                    pass
        # a box without a wager that counts gets no card, and if it gets one, it is in its turn
        self._go_around(sorted(boxes - (called_off - self.box_touched.keys())))

    def _go_around(self, boxes: list[int]) -> None:
        self.around = boxes
        self.expected = [box for box, _ in self.opening.order(boxes, r.DEALER)]

    def _touch(self, box: int, hand: int, n: int) -> None:
        self.touched[(box, hand)] = n
        self.box_touched[box] = n

    def last_touch(self, box: int, hand: int) -> int | None:
        return self.touched.get((box, hand))

    def players_done(self, n: float) -> bool:
        """No box gets a card or a decision after this event."""
        return all(last < n for box, last in self.box_touched.items() if box != r.DEALER)

    def in_turn(self, event: r.Deal, initial: bool) -> bool:
        """The card went to the box whose turn it was."""
        if event.card == r.JOKER:
            return True
        place = self.dealt
        self.dealt += 1
        if self.marker and place == 0:
            self._begin_at(event.box)
        # whoever goes on before a dealer's further card has come leaves it out
        left_out = self.opening.to_dealer > 1 and place < len(self.expected)
        if initial or left_out:
            return place < len(self.expected) and self.expected[place] == event.box
        if event.box == r.DEALER:
            return self.players_done(event.n)
        return all(self.box_touched.get(box, -1) < event.n for box in self._before(event.box))

    def decides_in_turn(self, event: r.Play, table: Table) -> bool:
        """Nothing more is dealt to the boxes before this one, nor decided there, and the same of
        the earlier hands of the box."""
        done = (self.box_touched.get(box, -1) < event.n for box in self._before(event.box))
        return all(done) and self.hands_in_turn(event, table)

    def _before(self, box: int) -> list[int]:
        return self.around[: self.around.index(box)] if box in self.around else []

    def _begin_at(self, box: int) -> None:
        """A betting marker sets where the round begins; the log shows it by its first card."""
        if box in self.around:
            place = self.around.index(box)
            self._go_around(self.around[place:] + self.around[:place])

    def hands_in_turn(self, event: r.Deal | r.Play, table: Table) -> bool:
        box = table.boxes.get(event.box)
        if box is None or event.hand not in box.hands or len(box.hands) < 2:
            return True
        place = box.order.index(event.hand)
        for other in box.order[:place]:
            # after a second split either way of going round is in turn
            if other < event.hand and self.touched.get((event.box, other), -1) > event.n:
                return False
        return True
