"""The money of a simulated round: what each wager gets back, and where in the round it is paid."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from checker.evaluate.engine import Answer, Engine
from checker.evaluate.memory.seam import Worked
from checker.evaluate.scene import SeenScene
from checker.judge.bench import Bench
from checker.judge.bonus_due import bonus_due, may_get_bonus, term_of, with_winners
from checker.judge.due import Due, against_hand, main_due, side_due
from checker.judge.findings import Verdict
from checker.judge.timing import asked_when, out_of_time
from checker.log import model as r
from checker.simulate.round import RoundMaker
from checker.simulate.setup import Unusable
from checker.table.state import Box, Hand
from rulespec.resolve.question import about_bet
from rulespec.resolve.rule_value import as_word
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t

END: Final = 1_000_000  # the place after every event
_BEFORE_OTHERS, _AFTER_OTHERS, _FAR_RIGHT, _LOSERS_FIRST = t.ORDERS


@dataclass(frozen=True, slots=True)
class Item:
    """One settlement, with what it rests on and where it stands."""

    event: r.Settle
    due: Due
    timing: Answer | None
    place: int  # it comes before the event with this index
    order: int

    @property
    def bet(self) -> str:
        return self.event.bet

    def pays(self, returned: int) -> Item:
        return replace(self, event=replace(self.event, returned=returned))

    def rules(self) -> list[Rule]:
        """The rules that the amount rests on, result first."""
        return list(dict.fromkeys(x for answer in self.due.answers for x in answer.rules))


class Cashier:
    """Works out the settlements of a round whose cards are all dealt."""

    def __init__(self, maker: RoundMaker, *, lenient: bool = False) -> None:
        self.maker = maker
        self.lenient = lenient  # what cannot be decided is given back
        self.table = maker.table
        self.items: list[Item] = []
        self.deals = [e for e in maker.events if isinstance(e, r.Deal)]
        self.dealer = [
            int(d.visible_from) for d in self.table.dealer if d.visible_from < float("inf")
        ]
        mechanics = maker.engine.mechanics
        self.main = mechanics.main
        self.on_hands = (mechanics.main, *mechanics.spots)
        self._bench: Bench | None = None
        self.verdict = Verdict()

    def settle(self) -> list[Item]:
        scene = with_winners(self.maker.scene())
        for box in self.table.in_play:
            for hand in box.hands.values():
                view = scene.but(short=(box.number, hand.number) in self.maker.short)
                for name, money in ((None, hand.money), *hand.spots.items()):
                    for player in money:
                        due = main_due(view, box, hand, player, self.verdict, name)
                        self._add(view, name or self.main, box, hand, player, due)
        for box in self.table.boxes.values():
            stakes: dict[tuple[str, str], int] = {}
            for bet in box.bets:
                if bet.event.bet not in self.on_hands:
                    key = (bet.event.bet, bet.event.player)
                    stakes[key] = stakes.get(key, 0) + bet.event.stake
            for name, placed in box.placed.items():
                for player, stake in placed.items():
                    stakes[(name, player)] = stake
            for (name, player), stake in stakes.items():
                due = side_due(scene, name, box, player, stake, self.verdict)
                self._add(scene, name, box, box.hands.get(1), player, due)
        anybody = scene.bonus_winners or scene.bonus_open
        for bonus in self.maker.engine.mechanics.bonuses:
            if anybody or _without_winner(self.maker.engine, bonus):
                self._bonus(scene, bonus)
        return self.items

    def _bonus(self, scene: SeenScene, bet: str) -> None:
        for box, hand, player in may_get_bonus(scene, bet):
            due = bonus_due(scene, bet, box, hand, player, self.verdict)
            if due is not None:
                self._add(scene, bet, box, hand, player, due)

    def _add(
        self, scene: SeenScene, bet: str, box: Box, hand: Hand | None, player: str, due: Due
    ) -> None:
        if due.stays:
            return  # it goes on into the next round
        if due.amount is None or due.amount.denominator != 1:
            if not self.lenient:
                rules = [x for answer in due.answers for x in answer.rules or answer.unknown]
                why = due.why or "it cannot be paid exactly and no clause says how to round"
                raise Unusable(f"{bet} cannot be decided: {why}", rules)
            due = due._replace(amount=None)
        number = hand.number if hand is not None else 1
        returned = due.stake if due.amount is None else int(due.amount)
        bets = self.maker.engine.rulebook.game.bets
        shown = number if bet in self.on_hands or bets[bet].settle_only else None
        event = r.Settle(box.number, shown, player, bet, returned)
        asked = self.maker.engine.asked_as(bet)
        view = against_hand(scene, bet).but(
            box=box, hand=hand, player=player, bet=asked, stake=due.stake
        )
        timing = asked_when(self.maker.engine, bet, view)
        place = self._place(bet, box, hand, due, timing)
        self.items.append(Item(event, due, timing, place, self._rank(event, due, timing)))

    def _rank(self, event: r.Settle, due: Due, timing: Answer | None) -> int:
        """The place among settlements at one moment, where the text says something about it."""
        told = {rule.value for rule in timing.rules} if timing is not None else set()
        rank = len(self.items)
        if _FAR_RIGHT in told:
            rank -= 1_000 * event.box
        if _LOSERS_FIRST in told and event.returned:
            rank += 100_000
        if _BEFORE_OTHERS in told:
            rank -= 1_000_000
        return rank + 1_000_000 * (_AFTER_OTHERS in told)

    # --- where it is paid

    def _place(self, bet: str, box: Box, hand: Hand | None, due: Due, timing: Answer | None) -> int:
        """The first place that keeps every timing that applies."""
        told = [as_word(rule.value) for rule in timing.rules] if timing is not None else []
        told = [word for word in told if word not in t.ORDERS]
        early = due.result is not None and any(x.interim for x in due.result.rules)
        if not told:
            return self.after_hand(hand) if early and bet == self.main else END
        usual = set(told) <= set(t.TIMINGS) and self.table.opening.to_dealer == 1
        if not usual or self.table.further:
            return self._search(told, bet, box, hand, timing)
        low, high = 0, END
        for word in told:
            first, last = self.window(word, bet, box, hand)
            low, high = max(low, first), min(high, last)
        if low > high:
            raise Unusable(f"{bet} cannot be settled in time", timing.rules if timing else ())
        return low

    def _search(
        self, told: list[str], bet: str, box: Box, hand: Hand | None, timing: Answer | None
    ) -> int:
        """The first place at which a judge finds nothing to say about the time."""
        if self._bench is None:
            made = replace(self.table.round, events=tuple(self.maker.events))
            self._bench = Bench(self.maker.engine, made, self.maker.view)
            for event in made.events:
                self._bench.table.apply(event)
        bench = self._bench
        there = bench.table.boxes[box.number]
        mine = there.hands.get(hand.number) if hand is not None else None
        begin = self.after_hand(hand) if bet in self.on_hands else self.maker.opening
        last = len(self.maker.events)
        places: list[int] = [*range(min(begin, last), last), END]
        for place in places:
            n = min(place, last) - 0.5
            if all(out_of_time(bench, word, there, mine, bet, n) is None for word in told):
                return place
        raise Unusable(f"{bet} cannot be settled in time", timing.rules if timing else ())

    def window(self, word: str, bet: str, box: Box, hand: Hand | None) -> tuple[int, int]:
        """The first and the last place that a timing allows."""
        subsequent = self.table.subsequent
        match word:
            case "at once" if bet not in self.on_hands and _placed_first(self.maker.engine, bet):
                known = box.received[: 3 if len(box.received) > 2 else 2]
                place = max(known[-1].n + 1, self.maker.opening)
                return place, place
            case "at once":
                place = self.after_hand(hand)
                return place, place
            case "before the subsequent deal":
                return self.maker.opening, self.maker.opening if subsequent else END
            case "during the subsequent deal":
                place = self.after_hand(hand) if bet in self.on_hands else self.maker.opening
                return place, self.dealer[1] if len(self.dealer) > 1 else END
            case "at the second dealer card":
                if len(self.dealer) < 2:
                    return END, END
                third = self.dealer[2] if len(self.dealer) > 2 else END
                return self.dealer[1] + 1, third
            case _:
                return END, END

    def after_hand(self, hand: Hand | None) -> int:
        """Behind the last card of the hand and all that was said about the hand since."""
        if hand is None or not hand.cards:
            return END
        last = max(d.n for d in hand.cards)
        if len(hand.cards) == 2 and hand.from_split is None and last < self.maker.opening:
            return self.maker.opening
        box = self.maker.events[last]
        assert isinstance(box, r.Deal)
        place = last + 1
        while place < len(self.maker.events):
            event = self.maker.events[place]
            if not (
                isinstance(event, r.Play) and event.box == box.box and event.hand == hand.number
            ):
                break
            place += 1
        return place


def _placed_first(engine: Engine, bet: str) -> bool:
    return engine.rulebook.game.bets[bet].placed.when == "before the first card"


def _pays_without_winner(engine: Engine, bet: str) -> bool:
    """Whether some rule may pay a bonus although no wager of the round has won one."""
    return any(
        not {term_of(bet), f"round.{bet}"} & _asked(rule.condition)
        for rule in engine.rules_on(about_bet(bet, "odds"))
    )


_without_winner = Worked(_pays_without_winner)


def _asked(condition: t.Expression) -> set[str]:
    """The facts that have to hold for a condition."""
    parts = condition.parts if isinstance(condition, t.Both) else (condition,)
    return {part.name for part in parts if isinstance(part, t.Fact)}


def in_order(events: list[r.Event], items: list[Item]) -> list[r.Event]:
    """The events of a round with its settlements where they belong."""
    waiting = sorted(items, key=lambda item: (item.place, item.order))
    made: list[r.Event] = []
    taken = 0
    for index, event in enumerate(events):
        while taken < len(waiting) and waiting[taken].place <= index:
            made.append(waiting[taken].event)
            taken += 1
        made.append(event)
    made.extend(item.event for item in waiting[taken:])
    return made
