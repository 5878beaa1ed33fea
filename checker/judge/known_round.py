"""Rounds of a game with named hands whose every part is known to be in order.

The plain judge takes a round apart: what is asked at its start, of each wager, of each card, of the
hands that may draw, of each bet at the end. What a part comes to hangs on few things; once the
plain judge has found nothing in a part, a part that is alike in all of them is not judged again.
A round with any other part, or of a rulebook whose rules look further, goes to the plain judge.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from checker.evaluate.engine import Engine
from checker.evaluate.hand_draws import draws_of
from checker.evaluate.memory.seam import Kept
from checker.evaluate.named_scene import NamedScene, opened
from checker.judge.due import side_due
from checker.judge.findings import Verdict
from checker.judge.known_parts import DRAWING, MONEY, MOST, Hands, KnownParts, Part, Said, Seen
from checker.judge.money import compare_settlement
from checker.judge.named_hands import NamedJudge
from checker.judge.payouts import winning_odds
from checker.log import model as r
from checker.table.named_hands import before_play
from checker.table.shoes import ShoeView
from checker.table.state import Dealt

_KNOWN_PARTS = Kept(KnownParts)
_ORDINARY = (r.Shuffle, r.Burn, r.CutCard, r.Note)
_NONE = {r.NO_BOX}
Bet = tuple[str, str]  # of a player, on what


def known_verdict(engine: Engine, round_: r.Round, shoe: ShoeView) -> Verdict | None:
    """The verdict on a round in which nothing is wrong; None: it has to be judged."""
    if not engine.memory.keeps:
        return None
    known = _KNOWN_PARTS.of(engine)
    if not known.usable or round_.not_recorded or engine.asked is not None:
        return None
    if len(known.parts) > MOST:
        return None
    return KnownRound(known, round_, shoe).verdict()


class KnownRound:
    """One round that is looked up part by part; what is not known yet is put to the plain judge."""

    def __init__(self, known: KnownParts, round_: r.Round, shoe: ShoeView) -> None:
        self.known = known
        self.round = round_
        self.shoe = shoe
        self.wagers: list[r.Wager] = []
        self.cards: list[r.Deal] = []
        self.burnt: list[r.Burn] = []
        self.stakes: dict[Bet, int] = {}
        self.settled: dict[Bet, r.Settle] = {}
        self.others: set[type] = set()  # kinds of events beside these
        self.sayings: list[int] = []
        self.expected: dict[tuple[int, int, str, str], int | None] = {}
        self.held: Hands = dict.fromkeys(known.hands, "")
        self._plain: NamedJudge | None = None

    @property
    def plain(self) -> NamedJudge:
        """The plain judge with the wagers down and no card dealt."""
        if self._plain is None:
            self._plain = judge = NamedJudge(
                self.known.engine, self.round, self.shoe, explained=False
            )
            for wager in self.wagers:
                judge.table.apply(wager)
        return self._plain

    def take(self, key: Any, run: Callable[[], Any]) -> bool:
        """Whether a part is in order; else something was found in it."""
        found = self.known.parts.get(key) or self._learn(key, run)
        if found is not None:
            self.sayings.append(found.said)
        return found is not None

    def _learn(self, key: Any, run: Callable[[], Any]) -> Part | None:
        engine, judge = self.known.engine, self.plain
        engine.lacking.clear()
        judge.verdict = verdict = Verdict(explained=False)
        judge.told.clear()
        more = run()
        if verdict.findings or more is False:
            return None
        lacking = tuple(
            (clause, f"the log does not give {', '.join(engine.optional_of(rule))}")
            for clause, rule in engine.lacking.items()
        )
        said = Said(
            frozenset(verdict.tested),
            tuple(verdict.not_checked.items()),
            tuple(verdict.not_recorded.items()),
            lacking,
        )
        part = self.known.parts[key] = Part(self.known.saying(said), more)
        return part

    def verdict(self) -> Verdict | None:
        if not self._sorted():
            return None
        round_, shoe = self.round, self.shoe
        number = self.known.number
        game = number((round_.decks, round_.options, round_.options_stated, shoe.announced))
        stated = (game, self.known.limits(round_.limits))
        cut = r.CutCard in self.others
        before = None
        if shoe.new or self.burnt or cut or r.Shuffle in self.others:
            before = before_play(round_, opened(round_, shoe))
            if before.in_play:
                return None
        seats = {w.box for w in self.wagers}
        seated = len({w.player for w in self.wagers if w.box != r.NO_BOX}) if seats != _NONE else 0
        shown = number(
            (
                *(game, shoe.new, shoe.shuffled, shoe.cut_card_out, shoe.no_cut_card, shoe.known),
                *(shoe.not_cut, shoe.burns, shoe.burns_recorded, tuple(shoe.minimum.items())),
            )
        )
        start = number((stated, shown, before, cut, seated, len(self.wagers) > 0))
        if not self.take(("start", start), self._start):
            return None
        if not self._wagers(number(stated) if self.known.wagers_alone else start):
            return None
        if not self.take(("duties", start), self._duties):
            return None
        if not self._cards(game, game if self.known.cards_alone else shown):
            return None
        if not self.take(("end", shown, cut), self._end):
            return None
        settled = bool(self.settled)
        if not self.take(("void", start, settled), self._void) or not self._money(game):
            return None
        said = self.known.together(self.sayings)
        return Verdict(
            tested=set(said.tested),
            not_checked=dict(said.not_checked),
            not_recorded=dict(said.not_recorded),
            wagers=len(self.wagers),
            expected=self.expected,
            explained=False,
        )

    def _sorted(self) -> bool:
        """The events by their kinds; whether there are no others, and they come in order."""
        called = False
        hands, bets = self.known.hands, self.known.bets
        wagers, cards, stakes, settled = self.wagers, self.cards, self.stakes, self.settled
        for event in self.round.events:
            if isinstance(event, r.Deal):
                if not called or event.to not in hands or event.down or event.card == r.JOKER:
                    return False
                cards.append(event)
            elif isinstance(event, r.Settle):
                key = (event.player, event.bet)
                if key in settled:
                    return False
                settled[key] = event
            elif isinstance(event, r.Wager):
                key = (event.player, event.bet)
                if called or event.bet not in bets or key in stakes:
                    return False
                stakes[key] = event.stake
                wagers.append(event)
            elif isinstance(event, r.NoMoreBets):
                called = True
            elif isinstance(event, r.Burn):
                self.burnt.append(event)
            elif isinstance(event, _ORDINARY):
                self.others.add(type(event))
            else:
                return False
        paid = settled.keys() == stakes.keys()
        return called and paid and len(cards) >= len(self.known.order)

    # --- the parts

    def _start(self) -> None:
        self.plain.ask_round()

    def _duties(self) -> None:
        self.plain.ask_duties()

    def _end(self) -> None:
        plain = self.plain
        hands: dict[str, list[Dealt]] = {}
        for card in self.cards:
            hands.setdefault(card.to or "", []).append(Dealt(card.card, card.n, False))
        view = plain.now().but(hands={name: tuple(held) for name, held in hands.items()})
        plain.require("end", view, "the round", None)

    def _void(self) -> None:
        self.plain.ask_void(bool(self.settled))

    def _wagers(self, stated: int) -> bool:
        parts, sayings = self.known.parts, self.sayings
        for number, wager in enumerate(self.wagers):
            players = 0
            if wager.box != r.NO_BOX:
                players = len({w.player for w in self.wagers if w.box == wager.box})
            key = ("wager", stated, wager.bet, wager.stake, wager.box, players)
            part = parts.get(key) or self._learn(key, partial(self._wager, number))
            if part is None:
                return False
            sayings.append(part.said)
        return True

    def _wager(self, number: int) -> None:
        self.plain.ask_wager(self.plain.table.bets[number])

    def _cards(self, game: int, shown: int) -> bool:
        """The cards in their order, each due to the hand that got it."""
        known, order = self.known, self.known.order
        copies = dict(self.shoe.copies)
        for burn in self.burnt:
            if burn.card:
                copies[burn.card] = copies.get(burn.card, 0) + 1
        held, letters, scene = self.held, known.letters, self._scene
        parts, sayings = known.parts, self.sayings
        draws = draws_of(known.engine)
        looks: Seen = {}
        for place, event in enumerate(self.cards):
            card, hand = event.card, event.to or ""
            seen = copies[card] = copies.get(card, 0) + 1
            initial = place < len(order)
            if initial:
                if order[place] != hand:
                    return False
            else:
                looks = looks or self._looks()
                while True:
                    draws, turn, said = known.step(draws, game, looks, scene)
                    if turn is None:
                        return False
                    sayings.append(said)
                    if turn.hand == hand:
                        if turn.due is not True:
                            return False
                        draws = draws.took()
                        break
                    if turn.due is not False:
                        return False
                    draws = draws.passed()
            key = ("card", shown, card[0], seen, initial)
            part = parts.get(key) or self._learn(key, partial(self._card, card, seen, initial))
            if part is None:
                return False
            sayings.append(part.said)
            held[hand] += card[:letters]
            if looks:
                looks[hand] = known.look(DRAWING, hand, held[hand])
        looks = looks or self._looks()
        while True:
            draws, turn, said = known.step(draws, game, looks, scene)
            if turn is None:
                return True
            sayings.append(said)
            if turn.due is not False:
                return False
            draws = draws.passed()

    def _looks(self) -> Seen:
        look = self.known.look
        return {hand: look(DRAWING, hand, cards) for hand, cards in self.held.items()}

    def _scene(self) -> NamedScene:
        hands = {name: self.known.dealt(cards) for name, cards in self.held.items()}
        return self.plain.now().but(hands=hands)

    def _card(self, card: str, copies: int, initial: bool) -> None:
        self.plain.ask_card(card, copies, initial, True, True)

    # --- money

    def _money(self, game: int) -> bool:
        """What each bet is due, against what it got, after the last card and losers first."""
        known, parts, sayings = self.known, self.known.parts, self.sayings
        seen = tuple([known.look(MONEY, hand, cards) for hand, cards in self.held.items()])
        last_card = self.cards[-1].n
        first_win, last_loss = 1 << 30, -1
        for (player, bet), stake in self.stakes.items():
            key = ("bet", bet, seen, game)
            part = parts.get(key) or self._learn(key, partial(self._bet, bet, player, stake))
            if part is None:
                return False
            sayings.append(part.said)
            result, won, of = part.more
            gain, rest = divmod(stake * won, of)
            event = self.settled[player, bet]
            n = event.n
            if rest or event.returned != stake + gain or n < last_card:
                return False
            if result == "wins":
                first_win = min(first_win, n)
            elif result == "loses":
                last_loss = max(last_loss, n)
            self.expected[r.NO_BOX, 1, player, bet] = event.returned
        return last_loss < first_win

    def _bet(self, bet: str, player: str, stake: int) -> Any:
        """Result and odds of a bet by the plain judge, and that to settle it then is in order."""
        plain = self.plain
        scene = self._scene()
        box = plain.table.box(r.NO_BOX)
        due = side_due(scene, bet, box, player, stake, plain.verdict)
        result = due.result.value if due.result is not None else None
        ratio: Fraction | None = None
        if result == "wins":
            ratio = winning_odds(scene.but(bet=bet))[1]
        elif result in ("loses", "stands off"):
            ratio = Fraction(-1 if result == "loses" else 0)
        if ratio is None or due.amount is None or due.amount != stake + stake * ratio:
            return False
        event = r.Settle(r.NO_BOX, None, player, bet, int(due.amount), n=self.cards[-1].n + 1)
        key = (r.NO_BOX, 1, player, bet)
        compare_settlement(plain, key, due, [event], scene, False)
        return result, ratio.numerator, ratio.denominator
