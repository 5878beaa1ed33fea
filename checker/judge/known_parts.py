"""Rounds of a game with named hands whose every part is known to be in order.

The plain judge takes a round apart: what is asked at its start, of each wager, of each card, of the
hands that may draw, of each bet at the end. What a part comes to hangs on few things; once the
plain judge has found nothing in a part, a part that is alike in all of them is not judged again.
A round with any other part, or of a rulebook whose rules look further, goes to the plain judge.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from checker.evaluate.engine import Engine
from checker.evaluate.hand_draws import Draws, Turn, draws_of, question_of
from checker.evaluate.memory.seam import Kept
from checker.evaluate.named_scene import NamedScene
from checker.judge.due import side_due
from checker.judge.findings import Verdict
from checker.judge.money import compare_settlement
from checker.judge.named_hands import NamedJudge
from checker.judge.payouts import winning_odds
from checker.log import model as r
from checker.table.named_hands import before_play, not_followed, order_of_deal
from checker.table.shoes import ShoeView
from checker.table.state import Dealt
from rulespec.resolve.question import (
    ROUNDING,
    Question,
    about_bet,
    asks_about_bet,
    defining,
    is_requirement,
    moment_asked,
    requiring,
    whether,
)
from rulespec.tree import nodes as t
from rulespec.tree.walk import asked_words, walk

ORDINARY = (r.Shuffle, r.Burn, r.CutCard, r.Note)
MOST = 200_000  # parts that are kept
_LOOKS_AT = {
    # by the beginning of a question: what its rules may ask for a part of that kind to be known
    requiring("round"): ("round.", "limit.", "shoe."),
    "require limits": ("round.", "limit.", "shoe."),
    "casino ": ("round.", "limit.", "shoe."),
    "require end": ("round.", "shoe."),
    "require wager": ("round.", "limit.", "wager.", "shoe."),
    requiring("card"): ("round.", "card.", "deal.", "shoe."),
    requiring("deal"): ("round.", "card.", "deal.", "shoe."),
    requiring("settlement"): ("settlement.losers_first",),
}


class Part(NamedTuple):
    """What the plain judge said of a part in which it found nothing."""

    tested: frozenset[str]
    not_checked: tuple[tuple[str, str], ...]
    not_recorded: tuple[tuple[str, str], ...]
    lacking: tuple[tuple[str, str], ...]
    more: Any = None


def known_verdict(engine: Engine, round_: r.Round, shoe: ShoeView) -> Verdict | None:
    """The verdict on a round in which nothing is wrong; None: it has to be judged."""
    if not engine.memory.keeps:
        return None
    known = _KNOWN_PARTS.of(engine)
    if not known.usable or round_.not_recorded or engine.asked is not None:
        return None
    return known.verdict(round_, shoe)


class KnownParts:
    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        game = engine.rulebook.game
        self.order = order_of_deal(game)
        self.hands = game.hands
        self.bets = frozenset(game.bets)
        self.parts: dict[Any, Part] = {}
        self.numbers: dict[Any, int] = {}
        self.turns: dict[Any, tuple[Draws, Turn | None]] = {}
        self.seen: dict[tuple[str, str], tuple[Any, ...]] = {}
        questions = [question_of(engine)(hand) for hand in self.hands]
        questions += [about_bet(bet, what) for bet in game.bets for what in ("result", "odds")]
        conditions = [stage.condition for stage in game.stages.values()]
        asked = {name for q in questions for name in self._facts(q)}
        asked |= {w.name for node in conditions for w in asked_words(node)}
        self.asked = {h: sorted(n for n in asked if n.startswith(f"{h}.")) for h in self.hands}
        self.usable = self._usable(questions, asked)

    # --- whether the rules look at no more than parts are told apart by

    def _usable(self, questions: list[Question], asked: set[str]) -> bool:
        engine = self.engine
        if not_followed(engine.rulebook.game):
            return False
        if engine.has(ROUNDING) or engine.has(whether("casino", "report")):
            return False
        allowed = (*(f"{hand}." for hand in self.hands), "round.")
        for question in engine.by_question:
            for start, looks in _LOOKS_AT.items():
                if question.startswith(start) and not self._only(question, looks):
                    return False
            if is_requirement(question) and moment_asked(question) in self.bets:
                return False
            if asks_about_bet(question, "counted", "deemed", "sum"):
                return False
            if asks_about_bet(question, "settles") and not self._at_the_end(question):
                return False
        cards = any(self._asks_for_cards(question) for question in questions)
        return not cards and all(name.startswith(allowed) for name in asked)

    def _facts(self, question: Question) -> set[str]:
        """The facts that the rules on a question ask for, also by defined terms."""
        found: set[str] = set()
        waiting, seen = [question], {question}
        while waiting:
            for rule, _ in self.engine.by_question.get(waiting.pop(), ()):
                for word in (*asked_words(rule.condition), *asked_words(rule.value)):
                    term = defining(word.name)
                    if term in self.engine.by_question:
                        if term not in seen:
                            seen.add(term)
                            waiting.append(term)
                    elif isinstance(word, t.Fact):
                        found.add(word.name)
        return found

    def _only(self, question: Question, looks: tuple[str, ...]) -> bool:
        return all(name.startswith(looks) for name in self._facts(question))

    def _at_the_end(self, question: Question) -> bool:
        return all(rule.value == "at the end" for rule, _ in self.engine.by_question[question])

    def _asks_for_cards(self, question: Question) -> bool:
        """Questions about several cards at once, which are no facts of one hand."""
        rules = [rule for rule, _ in self.engine.by_question.get(question, ())]
        return any(_card_question(rule.condition) for rule in rules)

    # --- one round

    def number(self, key: Any) -> int:
        """Stands for a key: quicker to look up than what it is made of."""
        return self.numbers.setdefault(key, len(self.numbers))

    def verdict(self, round_: r.Round, shoe: ShoeView) -> Verdict | None:
        wagers: list[r.Wager] = []
        cards: list[r.Deal] = []
        settled: dict[tuple[str, str], list[r.Settle]] = {}
        called = False
        for event in round_.events:
            if isinstance(event, r.Deal):
                if not called or event.to not in self.hands or event.down:
                    return None
                cards.append(event)
            elif isinstance(event, r.Settle):
                settled.setdefault((event.player, event.bet), []).append(event)
            elif isinstance(event, r.Wager):
                if called or event.bet not in self.bets:
                    return None
                wagers.append(event)
            elif isinstance(event, r.NoMoreBets):
                called = True
            elif not isinstance(event, ORDINARY):
                return None
        if not called or len(cards) < len(self.order) or len(self.parts) > MOST:
            return None
        return _Round(self, round_, shoe, wagers, cards, settled).verdict()

    def values(self, hand: str, cards: str) -> tuple[Any, ...]:
        """What rules see of a hand; `cards` are its cards one after the other."""
        found = self.seen.get((hand, cards))
        if found is None:
            dealt = tuple(Dealt(cards[n : n + 2], 0, False) for n in range(0, len(cards), 2))
            blank = NamedScene(self.engine, None, ShoeView())  # type: ignore[arg-type]
            view = blank.but(hands={hand: dealt})
            found = tuple(view.fact(name) for name in self.asked[hand] if self._plain(name))
            self.seen[hand, cards] = found
        return found

    def _plain(self, name: str) -> bool:
        return self.engine.rulebook.game.plain_fact(name) is not None


_KNOWN_PARTS = Kept(KnownParts)


def _card_question(node: object) -> bool:
    return any(isinstance(one, t.CardQuestion) for one in walk(node))


class _Round:
    """One round that is looked up part by part; what is not known yet is put to the plain judge."""

    def __init__(
        self,
        known: KnownParts,
        round_: r.Round,
        shoe: ShoeView,
        wagers: list[r.Wager],
        cards: list[r.Deal],
        settled: dict[tuple[str, str], list[r.Settle]],
    ) -> None:
        self.known = known
        self.round = round_
        self.shoe = shoe
        self.wagers = wagers
        self.cards = cards
        self.settled = settled
        self.told = Verdict(explained=False)
        self.lacking: dict[str, str] = {}
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

    def take(self, key: Any, run: Callable[[], Any]) -> Part | None:
        """A part that is in order; None where something was found in it."""
        found = self.known.parts.get(key)
        if found is None:
            found = self._learn(key, run)
            if found is None:
                return None
        told = self.told
        told.tested |= found.tested
        for clause, why in found.not_checked:
            if clause not in told.tested:
                told.not_checked[clause] = why
        if found.not_recorded:
            told.not_recorded.update(found.not_recorded)
        if found.lacking:
            self.lacking.update(found.lacking)
        return found

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
        part = self.known.parts[key] = Part(
            frozenset(verdict.tested),
            tuple(verdict.not_checked.items()),
            tuple(verdict.not_recorded.items()),
            lacking,
            more,
        )
        return part

    def verdict(self) -> Verdict | None:
        round_, shoe = self.round, self.shoe
        number = self.known.number
        game = number((round_.decks, round_.options, round_.options_stated))
        limits = tuple([(bet, *_limits(one)) for bet, one in round_.limits.items()])
        opens = shoe.new if shoe.new is not None else False
        kinds = {type(event) for event in round_.events}
        cut = r.CutCard in kinds
        before = None
        if cut or opens or r.Burn in kinds or r.Shuffle in kinds:
            before = before_play(round_, self.plain.is_open)
        if before is not None and before.in_play:
            return None
        self.burns = r.Burn in kinds
        seats = {w.box for w in self.wagers}
        seated = len({w.player for w in self.wagers if w.box != r.NO_BOX}) if seats != _NONE else 0
        told = (
            *(shoe.new, shoe.shuffled, shoe.cut_card_out, shoe.no_cut_card, shoe.known),
            *(shoe.burns, shoe.burns_recorded, shoe.announced, tuple(shoe.minimum.items())),
        )
        shown = number(told)
        start = number((game, limits, shown, before, cut, seated, len(self.wagers) > 0))
        self.told.wagers = len(self.wagers)
        if self.take(("start", start), self._start) is None or not self._wagers(start):
            return None
        if self.take(("duties", start), self._duties) is None or not self._cards(game, shown):
            return None
        settled = bool(self.settled)
        if self.take(("end", game, shown, cut), self._end) is None:
            return None
        if self.take(("void", start, settled), self._void) is None or not self._money(game):
            return None
        for clause, why in self.lacking.items():
            self.told.not_checked.setdefault(clause, why)
        return self.told

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

    def _wagers(self, start: Any) -> bool:
        together: dict[tuple[str, str], int] = {}
        for wager in self.wagers:
            key = (wager.player, wager.bet)
            together[key] = together.get(key, 0) + wager.stake
        for number, wager in enumerate(self.wagers):
            players = 0
            if wager.box != r.NO_BOX:
                players = len({w.player for w in self.wagers if w.box == wager.box})
            key_ = (
                *("wager", start, wager.bet, wager.stake),
                *(together[wager.player, wager.bet], wager.box, players),
            )
            if self.take(key_, lambda n=number: self._wager(n)) is None:  # type: ignore[misc]
                return False
        return True

    def _wager(self, number: int) -> None:
        self.plain.ask_wager(self.plain.table.bets[number])

    def _cards(self, game: Any, shown: Any) -> bool:
        """The cards in their order, each due to the hand that got it."""
        known, order = self.known, self.known.order
        copies = dict(self.shoe.copies)
        if self.burns:
            for burn in self.round.events:
                if isinstance(burn, r.Burn) and burn.card:
                    copies[burn.card] = copies.get(burn.card, 0) + 1
        held = dict.fromkeys(known.hands, "")
        draws = draws_of(known.engine)
        tested = self.told.tested
        for place, event in enumerate(self.cards):
            card = event.card
            seen = copies[card] = copies.get(card, 0) + 1
            initial = place < len(order)
            if initial:
                if order[place] != event.to:
                    return False
            else:
                while True:
                    draws, turn = self._turn(draws, held, game)
                    if turn is None:
                        return False
                    tested.update(turn.answer.clauses)
                    if turn.hand == event.to:
                        if turn.due is not True:
                            return False
                        draws = draws.took()
                        break
                    if turn.due is not False:
                        return False
                    draws = draws.passed()
            key = ("card", game, shown, card[0], seen, initial)
            if self.take(key, lambda c=card, n=seen, i=initial: self._card(c, n, i)) is None:  # type: ignore[misc]
                return False
            held[event.to or ""] += card
        while True:
            draws, turn = self._turn(draws, held, game)
            if turn is None:
                break
            tested.update(turn.answer.clauses)
            if turn.due is not False:
                return False
            draws = draws.passed()
        self.held = held
        return True

    def _turn(self, draws: Draws, held: dict[str, str], game: Any) -> tuple[Draws, Turn | None]:
        known = self.known
        seen = tuple([known.values(hand, cards) for hand, cards in held.items()])
        key = (draws.place, draws.taken, seen, game)
        found = known.turns.get(key)
        if found is None:
            found = known.turns[key] = draws.next(self._scene(held))
        return found

    def _scene(self, held: dict[str, str]) -> NamedScene:
        hands = {
            name: tuple(Dealt(cards[n : n + 2], 0, False) for n in range(0, len(cards), 2))
            for name, cards in held.items()
        }
        return self.plain.now().but(hands=hands)

    def _card(self, card: str, copies: int, initial: bool) -> None:
        self.plain.ask_card(card, copies, initial, True, True)

    # --- money

    def _money(self, game: Any) -> bool:
        """What each bet is due, against what it got, after the last card and losers first."""
        known = self.known
        seen = tuple([known.values(hand, cards) for hand, cards in self.held.items()])
        stakes: dict[tuple[str, str], int] = {}
        placed: dict[tuple[str, str], int] = {}
        for wager in self.wagers:
            key = (wager.player, wager.bet)
            stakes[key] = stakes.get(key, 0) + wager.stake
            placed[key] = placed.get(key, 0) + 1
        if self.settled.keys() != stakes.keys():
            return False
        last_card = self.cards[-1].n
        first_win, last_loss = 1 << 30, -1
        for (player, bet), stake in stakes.items():
            events = self.settled[player, bet]
            part = self.take(
                ("bet", bet, seen, game),
                lambda b=bet, p=player, s=stake: self._bet(b, p, s),  # type: ignore[misc]
            )
            if part is None:
                return False
            result, won, of = part.more
            gain, rest = divmod(stake * won, of)
            due = stake + gain
            if rest or len(events) != 1 or placed[player, bet] != 1 or events[0].returned != due:
                return False
            n = events[0].n
            if n < last_card:
                return False
            if result == "wins":
                first_win = min(first_win, n)
            elif result == "loses":
                last_loss = max(last_loss, n)
            self.told.expected[r.NO_BOX, 1, player, bet] = due
        return last_loss < first_win

    def _bet(self, bet: str, player: str, stake: int) -> Any:
        """Result and odds of a bet by the plain judge, and that to settle it then is in order."""
        plain = self.plain
        scene = self._scene(self.held)
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


_NONE = {r.NO_BOX}


def _limits(one: r.Limits) -> tuple[Any, ...]:
    boxes = tuple(one.box_max.items()) if one.box_max else None
    return one.min, one.max, one.unit, boxes, one.smallest_chip, one.multiples_notice
