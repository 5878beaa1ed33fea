"""One round of a game with named hands: what is dealt, who draws, and what the bets get."""

from __future__ import annotations

from typing import Any

from checker.evaluate.answer import BANS
from checker.evaluate.engine import Engine
from checker.evaluate.hand_draws import Turn, draws_of, question_of
from checker.evaluate.named_scene import NamedScene, opened, total_of
from checker.evaluate.words.in_words import card_text, cards_text
from checker.judge import casino as judge_casino
from checker.judge.bench import RECORDED, Bench
from checker.judge.findings import Verdict
from checker.judge.money import judge_money
from checker.log import model as r
from checker.table.named_hands import NamedTable, before_play, not_followed, order_of_deal
from checker.table.shoes import ShoeView
from checker.table.state import Bet, Table
from rulespec.resolve.question import requiring
from rulespec.tree.walk import asked_words

WHOLE = "round"  # the scope of what voids all of it


class NamedJudge(Bench):
    """Walks the events of a round. What it finds goes into the verdict."""

    table: NamedTable

    def __init__(
        self, engine: Engine, round_: r.Round, shoe: ShoeView, *, explained: bool = True
    ) -> None:
        super().__init__(engine, round_, shoe, explained=explained)
        self.given = round_  # with what the game does not know
        self.order = order_of_deal(engine.rulebook.game)
        self.draws = draws_of(engine)
        self.void = any(isinstance(e, r.Void) and e.scope == "round" for e in round_.events)
        self.false_draw = False
        blank = NamedScene(engine, self.table, shoe)
        self.view = blank.but(before=before_play(round_, opened(self.round, shoe)))
        self.scene = self.now

    def _table_of(self, round_: r.Round) -> Table:
        return NamedTable(round_, self.engine.mechanics)

    def now(self, **parts: Any) -> NamedScene:
        """The moment as it is now; the cards as they lie."""
        return self.view.but(hands=self.table.seen, false_draw=self.false_draw, **parts)

    def run(self) -> Verdict:
        for event in self.round.events:
            match event:
                case r.Deal():
                    self._deal(event)
                case r.Wager():
                    self.table.apply(event)
                    self.verdict.wagers += 1
                    if self.round_asked:
                        self.ask_wager(self.table.bets[-1])
                case r.Burn():
                    self.count_copy(event.card)
                case _ if isinstance(event, RECORDED):
                    pass
                case _:
                    self.table.apply(event)
        if not self.round_asked:
            self._start_of_deal()
        for what in not_followed(self.engine.rulebook.game):
            message = f"the round is not judged to its end: {what} is not followed"
            self.find("R550", "undecided", message, [])
        self._end_of_draw()
        self.false_draw |= self._misdealt() and not self.void
        self.require("end", self.now(), "the round", self.table.last_card)
        self._voided()
        if not (self.false_draw and not self.table.settled):
            # a round that went wrong may be left where it stopped
            judge_money(self, self.now())
        for clause, rule in self.engine.lacking.items():
            names = ", ".join(self.engine.optional_of(rule))
            self.verdict.not_checked.setdefault(clause, f"the log does not give {names}")
        return self.verdict

    # --- before the cards

    def _start_of_deal(self) -> None:
        self.round_asked = True
        self.ask_round()
        for placed in self.table.bets:
            self.ask_wager(placed)
        for event in self.given.events:
            if isinstance(event, r.Wager) and event.bet not in self.engine.rulebook.game.bets:
                self._not_offered(event)
        self.ask_duties()

    def ask_round(self) -> None:
        """What is required of the round and of the limits that are stated."""
        scene = self.now()
        self.require("round", scene, "the round", None)
        if not self.engine.has(requiring("limits")):
            return
        told: set[r.Limits] = set()
        for bet in self.engine.rulebook.game.bets:
            limits = self.round.limits.get(bet)
            if limits is not None and (alike := r.Limits(limits.min, limits.max)) not in told:
                told.add(alike)
                what = f"the limits of {bet}"
                self.require("limits", scene.but(bet=bet), what, None, bet=bet)

    def _not_offered(self, event: r.Wager) -> None:
        """A bet that the game does not have is not judged, but a clause may close the list."""
        scene = self.now(player=event.player, bet=event.bet, stake=event.stake, wager=event)
        for rule in self.engine.broken(requiring("wager"), scene):
            if any(word.name == "wager.offered" for word in asked_words(rule.value)):
                message = f"{event.player} wagered on {event.bet}, which is not offered"
                where = {"player": event.player, "bet": event.bet}
                self.find("R530", "wager", message, [rule], event.n, **where)

    def ask_wager(self, placed: Bet) -> None:
        """Asked once all wagers of the round are down: they are about each other too."""
        event = placed.event
        scene = self.now(
            player=event.player,
            bet=event.bet,
            stake=event.stake,
            wager=event,
            late=placed.after_first_card,
            after_call=placed.after_call,
        )
        where: dict[str, Any] = {"player": event.player, "bet": event.bet}
        if event.box != r.NO_BOX:
            where["box"] = event.box
        what = f"the {event.bet} wager of {event.player}"
        if not self.offers(event.bet):
            message = f"{what}: no clause offers such a wager"
            self.find("R530", "wager", message, [], event.n, **where)
        self.require("wager", scene, what, event.n, **where)
        self.require(event.bet, scene, what, event.n, **where)

    def ask_duties(self) -> None:
        """What the casino must have done by now: what the events show, and what is recorded."""
        scene = self.now()
        before = self.view.before
        shown = {"shuffle": self.shoe.shuffled, "burn": before.turned is not None}
        messages = {
            "shuffle": "the cards were not shuffled",
            "burn": "no card was turned and burnt to open the shoe",
        }
        game = self.engine.rulebook.game
        for action in game.actions_of("casino"):
            if action in shown:
                done = shown[action]
            elif action in game.approvals:
                done = scene.setting("approved", action)
            else:
                continue
            message = messages.get(action, f"`{action}` is not recorded")
            judge_casino.duty(self, action, done, scene, message)

    # --- cards

    def _deal(self, event: r.Deal) -> None:
        if not self.round_asked:
            self._start_of_deal()
        table = self.table
        initial = table.dealt < len(self.order)
        if initial:
            in_turn, turn = self.order[table.dealt] == event.to, None
        else:
            in_turn, turn = self._up_to(event)
        self.false_draw |= not in_turn and not initial and not self._no_order()
        self.ask_card(
            event.card, self.count_copy(event.card), initial, in_turn, self.turns.call_made, event
        )
        if not initial and (in_turn or turn is None):
            self._judge_draw(event, turn)
        table.apply(event)

    def ask_card(
        self,
        card: str,
        copies: int,
        initial: bool,
        in_turn: bool,
        called: bool | None,
        event: r.Deal | None = None,
    ) -> None:
        """What is required of a card, and of its being dealt; `event`: as the log has it."""
        scene = self.now(
            deal={
                "rank": "joker" if card == r.JOKER else card[0],
                "copies": copies,
                "initial": initial,
                "in_turn": in_turn,
                "call_made": called,
                "down": event is not None and event.down,
            },
        )
        to, n = (event.to, event.n) if event is not None else (None, None)
        what = f"{card_text(card)} dealt to {to}"
        self.require("card", scene, what, n)
        if not self.void:
            self.require("deal", scene, what, n)

    def _up_to(self, event: r.Deal) -> tuple[bool, Turn | None]:
        """Pass over the hands whose turn comes before that of this card; whether it is in turn."""
        while True:
            self.draws, turn = self.draws.next(self.now())
            if turn is None:
                return False, None
            if turn.hand == event.to:
                self.draws = self.draws.took()
                return True, turn
            if turn.due and self._gets_later(turn.hand, event):
                return False, turn
            self._stays(turn, event.n)
            self.draws = self.draws.passed()

    def _gets_later(self, hand: str, event: r.Deal) -> bool:
        return any(deal.to == hand and deal.n > event.n for deal in self.deals)

    def _judge_draw(self, event: r.Deal, turn: Turn | None) -> None:
        """Whether the card was due to the hand that got it."""
        if event.to not in self.engine.rulebook.game.hands:
            return
        scene = self.now()
        if turn is None:
            turn = Turn(event.to, self.engine.ask(question_of(self.engine)(event.to), scene))
        answer = turn.answer
        if self._no_order(turn):
            return
        self.verdict.tested.update(answer.clauses)
        self.verdict.decide(f"{turn.hand} draws", answer, scene)
        if turn.due is False:
            self.false_draw = True
            rules = [x for x in answer.rules if x.value in BANS]
            self._find_draw(
                "R520", f"{turn.hand} drew a card on {self._said(turn)}", rules, event.n
            )
        elif turn.due is None and answer.values != ("may",):
            self._left_open(f"draw on {self._said(turn)}", turn, scene, event.n)

    def _stays(self, turn: Turn, event: int | None) -> None:
        """The hand got no card when it could have."""
        answer, scene = turn.answer, self.now()
        if self._no_order(turn):
            return
        self.verdict.tested.update(answer.clauses)
        self.verdict.decide(f"{turn.hand} stands", answer, scene)
        if turn.due:
            self.false_draw = True
            rules = [x for x in answer.rules if x.value == "must"]
            self._find_draw("R521", f"{turn.hand} got no card on {self._said(turn)}", rules, event)
        elif turn.due is None and answer.values != ("may",):
            self._left_open(f"stand on {self._said(turn)}", turn, scene, event)

    def _no_order(self, turn: Turn | None = None) -> bool:
        """Whether the log does not tell which card of a hand came when."""
        what = self.engine.silences.get("draws")
        if what is not None and turn is not None:
            self.leave_out(turn.answer.rules, what)
        return what is not None

    def _end_of_draw(self) -> None:
        """The hands that could still have drawn when the cards came to an end."""
        if self.void or self.table.dealt < len(self.order) or self._misdealt():
            return
        while True:
            self.draws, turn = self.draws.next(self.now())
            if turn is None:
                return
            self._stays(turn, self.table.last_card)
            self.draws = self.draws.passed()

    def _misdealt(self) -> bool:
        return self.now().fact("round.dealt_out") is False

    def _find_draw(self, code: str, message: str, rules: list[Any], event: int | None) -> None:
        if not self.void:  # in a round that was annulled for it, it is put right
            self.find(code, "deal", message, rules, event)

    def _left_open(self, what: str, turn: Turn, scene: NamedScene, event: int | None) -> None:
        if self.void:
            return
        leave = f"whether {turn.hand} may {what}"
        self.undecided(leave, turn.answer, scene, event, of_leave=True)

    def _said(self, turn: Turn) -> str:
        cards = self.table.hands.get(turn.hand, [])
        total = total_of(self.engine, cards)
        shown = cards_text(cards)
        return f"{total} ({shown})" if total is not None else f"{shown}, which have no total"

    # --- a round that was annulled, or had to be

    def _voided(self) -> None:
        for event in self.round.events:
            if isinstance(event, r.Void):
                judge_casino.act(self, f"void_{event.scope}", event.n)
        settled, staked = self.table.settled, dict[tuple[str, str], int]()
        for placed in self.table.bets:
            key = (placed.event.player, placed.event.bet)
            staked[key] = staked.get(key, 0) + placed.event.stake
        given_back = bool(settled) and all(
            sum(e.returned for e in settled.get((r.NO_BOX, 1, *key), ())) == stake
            for key, stake in staked.items()
        )
        done = None if staked and not settled and not self.table.void else self.void or given_back
        self.ask_void(done)

    def ask_void(self, done: bool | None) -> None:
        """Whether the round had to be declared void."""
        message = "the round was not declared void"
        judge_casino.duty(self, f"void_{WHOLE}", done, self.now(), message)
