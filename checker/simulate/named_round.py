"""A round of a game with named hands, made from a shoe so that the rules allow all of it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from datetime import datetime
from random import Random
from typing import Any

from checker.evaluate.engine import Engine
from checker.evaluate.hand_draws import draws_of
from checker.evaluate.named_scene import NamedScene, fresh_table
from checker.judge.judge import judge
from checker.log import model as r
from checker.simulate.setup import Unusable
from checker.simulate.write import money
from checker.states.named_deals import pack_of, permitted_decks
from checker.table.named_hands import before_play, not_followed, order_of_deal
from checker.table.shoes import ShoeView
from checker.table.state import Dealt
from rulespec.resolve.question import requiring, whether

MOST_BURNT = 12
CARDS_BEHIND = 10  # the cut card lies so far from the end
MINIMA = (2_000, 4_000, 10_000, 1_000, 500)
FACTORS = (50, 100, 200, 20, 10)
PLAYERS = 6


@dataclass(slots=True)
class Draft:
    """A round before it is written: its parts in the order of play."""

    id: str
    table: str
    shoe: str
    at: datetime
    decks: int
    limits: dict[str, r.Limits]
    opening: list[r.Event] = field(default_factory=list)
    wagers: list[r.Wager] = field(default_factory=list)
    called: bool = True
    dealt: list[r.Event] = field(default_factory=list)
    late: list[tuple[int, r.Event]] = field(default_factory=list)  # after so many cards
    settled: list[r.Settle] = field(default_factory=list)

    def events(self) -> list[r.Event]:
        cards: list[r.Event] = []
        for place, event in enumerate(self.dealt):
            cards += [late for after, late in self.late if after == place]
            cards.append(event)
        cards += [late for after, late in self.late if after >= len(self.dealt)]
        call: list[r.Event] = [r.NoMoreBets()] if self.called else []
        return [*self.opening, *self.wagers, *call, *cards, *self.settled]

    def round(self, book: str) -> r.Round:
        numbered = tuple(replace(event, n=n) for n, event in enumerate(self.events()))
        return r.Round(
            self.id,
            self.table,
            self.shoe,
            self.at,
            book,
            self.decks,
            frozenset(),
            self.limits,
            numbered,
            1,
        )

    def text(self, book: str) -> str:
        head = {
            "format": r.FORMAT,
            "round": self.id,
            "table": self.table,
            "shoe": self.shoe,
            "at": self.at.isoformat(),
            "rulebook": book,
            "decks": self.decks,
            "options": [],
        }
        first = json.dumps(head, ensure_ascii=False, separators=(",", ":"))
        limits = ",".join(
            f'"{bet}":{{"min":{money(one.min or 0)},"max":{money(one.max or 0)}}}'
            for bet, one in self.limits.items()
        )
        listed = ",".join(_event(event) for event in self.events())
        return f'{first[:-1]},"limits":{{{limits}}},"events":[{listed}]}}'


def _event(event: r.Event) -> str:
    match event:
        case r.Wager():
            box = f'"box":{event.box},' if event.box != r.NO_BOX else ""
            return (
                f'{{"e":"wager",{box}"player":"{event.player}","bet":"{event.bet}",'
                f'"stake":{money(event.stake)}}}'
            )
        case r.Settle():
            return (
                f'{{"e":"settle","player":"{event.player}","bet":"{event.bet}",'
                f'"returned":{money(event.returned)}}}'
            )
        case r.Deal():
            return f'{{"e":"deal","to":"{event.to}","card":"{event.card}"}}'
        case r.Burn():
            return f'{{"e":"burn","card":"{event.card}"}}'
        case r.Void():
            return f'{{"e":"void","scope":"{event.scope}"}}'
        case r.CutCard():
            return '{"e":"cut_card"}'
        case r.Shuffle():
            return '{"e":"shuffle"}'
        case r.NoMoreBets():
            return '{"e":"no_more_bets"}'
        case _:
            raise TypeError(f"not written by a simulation: {event}")


class Table:
    """One table: its shoe, its limits, and who plays there."""

    def __init__(self, engine: Engine, name: str, rng: Random) -> None:
        self.engine = engine
        self.name = name
        self.rng = rng
        decks, _ = permitted_decks(engine)
        if left := not_followed(engine.rulebook.game):
            raise Unusable(f"{left[0]} is not simulated")
        if not decks:
            raise Unusable("no number of decks is permitted")
        self.decks = decks[0]
        self.pack = pack_of(engine) * self.decks
        self.limits = self._limits()
        self.shoes = 0
        self.rounds = 0
        self.cards: list[str] = []
        self.new = True

    def _limits(self) -> dict[str, r.Limits]:
        """Limits that the rules allow; none where none of those tried are."""
        game = self.engine.rulebook.game
        ways = [(low, low * factor) for low in MINIMA for factor in FACTORS]
        self.rng.shuffle(ways)
        for low, high in ways:
            limits = {bet: r.Limits(low, high) for bet in game.bets}
            blank = fresh_table(self.engine, self.decks)
            blank.table.round = replace(blank.table.round, limits=limits)
            if all(
                not self.engine.broken(requiring("limits"), blank.but(bet=b)) for b in game.bets
            ):
                return limits
        return {}

    def draft(self, at: datetime) -> Draft:
        """A lawful round: dealt, drawn and settled by the rules."""
        self.rounds += 1
        opening = self._open_shoe() if self.new else []
        draft = Draft(
            f"{self.name}-{self.rounds:06d}",
            self.name,
            f"{self.name}-{self.shoes}",
            at,
            self.decks,
            self.limits,
            opening,
        )
        draft.wagers = self._wagers(draft)
        self._deal(draft)
        draft.settled = self.settle(draft)
        return draft

    # --- the shoe

    def _open_shoe(self) -> list[r.Event]:
        """Shuffle, and burn as many cards as the rules ask for."""
        for _ in range(20):
            cards = list(self.pack)
            self.rng.shuffle(cards)
            for burnt in range(MOST_BURNT):
                events: list[r.Event] = [r.Shuffle(), *(r.Burn(card) for card in cards[:burnt])]
                if self._opens_well(events):
                    self.cards = cards[burnt:]
                    self.shoes += 1
                    self.new = False
                    return events
        raise Unusable("no way to open a shoe was found that the rules allow")

    def _opens_well(self, events: list[r.Event]) -> bool:
        blank = fresh_table(self.engine, self.decks)
        round_ = replace(blank.table.round, events=tuple(events))
        blank.table.round = round_
        view = blank.but(before=before_play(round_, True), shoe=ShoeView(new=True, shuffled=True))
        if self.engine.broken(requiring("round"), view):
            return False
        burns = self.engine.ask(whether("casino", "burn"), view)
        return burns.demands is not None and (len(events) > 1 or not burns.demands)

    def _draw(self, draft: Draft) -> str:
        if len(self.cards) == CARDS_BEHIND and not self.new:
            draft.dealt.append(r.CutCard())
            self.new = True
        if not self.cards:
            raise Unusable("the shoe ran out of cards")
        return self.cards.pop(0)

    # --- people and cards

    def _wagers(self, draft: Draft) -> list[r.Wager]:
        bets = list(self.engine.rulebook.game.bets)
        made: list[r.Wager] = []
        for number in range(1, 1 + self.rng.randint(1, PLAYERS)):
            for bet in self.rng.sample(bets, self.rng.choice((1, 1, 1, 2))):
                stake = self._stake(draft, bet)
                if stake:
                    made.append(r.Wager(r.NO_BOX, f"P{number}", bet, stake))
        return made or [r.Wager(r.NO_BOX, "P1", bets[0], self._stake(draft, bets[0]) or 1_000)]

    def _stake(self, draft: Draft, bet: str) -> int:
        low = self.limits[bet].min if self.limits else None
        for _ in range(10):
            stake = (low or 1_000) * self.rng.choice((1, 1, 2, 3, 5, 10, 20))
            if not self.engine.broken(requiring("wager"), self.wager_view(draft, bet, stake)):
                return stake
        return 0

    def wager_view(self, draft: Draft, bet: str, stake: int, **more: Any) -> NamedScene:
        blank = fresh_table(self.engine, self.decks)
        blank.table.round = draft.round(self.engine.rulebook.id)
        wager = r.Wager(r.NO_BOX, "P1", bet, stake)
        return blank.but(player="P1", bet=bet, stake=stake, **{"wager": wager, **more})

    def _deal(self, draft: Draft) -> None:
        hands: dict[str, list[str]] = {name: [] for name in self.engine.rulebook.game.hands}

        def give(hand: str) -> None:
            card = self._draw(draft)
            hands[hand].append(card)
            draft.dealt.append(r.Deal(r.NO_BOX, 1, card, to=hand))

        for hand in order_of_deal(self.engine.rulebook.game):
            give(hand)
        draws = draws_of(self.engine)
        while True:
            draws, turn = draws.next(self.seen(hands))
            if turn is None:
                return
            if turn.due is None and turn.answer.values != ("may",):
                raise Unusable(
                    f"the text does not say whether {turn.hand} draws", turn.answer.rules
                )
            if turn.due:
                give(turn.hand)
                draws = draws.took()
            else:
                draws = draws.passed()

    def seen(self, hands: dict[str, list[str]]) -> NamedScene:
        lying = {name: tuple(Dealt(c, 0, False) for c in held) for name, held in hands.items()}
        return fresh_table(self.engine, self.decks).but(hands=lying)

    # --- money

    def settle(self, draft: Draft) -> list[r.Settle]:
        """What each wager is due, the losers first and the winners last."""
        verdict = judge(self.engine, draft.round(self.engine.rulebook.id), explained=False)
        stakes: dict[tuple[str, str], int] = {}
        for wager in draft.wagers:
            key = (wager.player, wager.bet)
            stakes[key] = stakes.get(key, 0) + wager.stake
        settled: list[tuple[int, r.Settle]] = []
        for (player, bet), stake in stakes.items():
            due = verdict.expected.get((r.NO_BOX, 1, player, bet))
            if due is None:
                raise Unusable(f"what {bet} gets is not decided")
            place = 0 if due < stake else 1 if due == stake else 2
            settled.append((place, r.Settle(r.NO_BOX, None, player, bet, due)))
        settled.sort(key=lambda one: one[0])
        return [event for _, event in settled]
