"""One round judged by one rulebook: every question the rulebook decides, in the order of play."""

from __future__ import annotations

from typing import Any

from checker.evaluate.answer import BANS
from checker.evaluate.engine import Answer, Engine, Value
from checker.evaluate.facts.of_other_wagers import passed_over, reported
from checker.evaluate.scene import SeenScene
from checker.evaluate.words.in_words import (
    card_text,
    done_words,
    failed_words,
    ground_words,
    hand_words,
)
from checker.evaluate.words.why_not import (
    nearest,
)
from checker.judge import casino as judge_casino
from checker.judge import dealer as judge_dealer
from checker.judge import hands_left_early as judge_left
from checker.judge.bench import RECORDED, Bench
from checker.judge.bonus_due import offered
from checker.judge.findings import Verdict
from checker.judge.known_round import known_verdict
from checker.judge.money import judge_money
from checker.judge.named_hands import NamedJudge
from checker.judge.out_of_place import out_of_place
from checker.log import model as r
from checker.table.asked_cards import too_often
from checker.table.shoes import ShoeView
from checker.table.state import Bet, Box, Hand
from rulespec.base.money import in_currency
from rulespec.resolve.question import Question, requiring, whether


def judge(
    engine: Engine,
    round_: r.Round,
    shoe: ShoeView | None = None,
    *,
    share: bool = False,
    explained: bool = True,
    money_of: frozenset[int] | None = None,
) -> Verdict:
    """The verdict on a round. `share` is faster, for callers that do not look into the scenes of
    the decisions; without `explained` no decision is kept at all. `money_of`: only what was paid at
    these boxes, in a round in which all else is known to be in order."""
    view = shoe or ShoeView()
    if not explained and engine.rulebook.game.hands:
        known = known_verdict(engine, round_, view)
        if known is not None:
            return known
    sign = engine.rulebook.currency
    with in_currency(sign):
        if engine.rulebook.game.hands:
            verdict = NamedJudge(engine, round_, view, explained=explained).run()
        else:
            judge_ = Judge(engine, round_, view, share=share, explained=explained)
            verdict = judge_.run() if money_of is None else judge_.run_money(money_of)
            _leave_unknown(verdict, judge_.round)
    verdict.sign = sign
    return verdict


def _leave_unknown(verdict: Verdict, round_: r.Round) -> None:
    """Nothing is said of a box at which something was played that is not known: what it did to
    cards and money there cannot be told."""
    boxes = {e.of_box for e in round_.events if type(e) is r.Unknown and e.of_box is not None}
    if boxes:
        verdict.findings = [f for f in verdict.findings if f.box not in boxes]


class Judge(Bench):
    """Walks the events of a round. What it finds goes into the verdict."""

    def run(self) -> Verdict:
        for event in self.round.events:
            match event:
                case r.Deal():
                    self._deal(event)
                case r.Settle():
                    self.table.apply(event)
                case r.Play():
                    self._play(event)
                case r.Wager():
                    self._wager(event)
                case r.Burn():
                    self.count_copy(event.card)
                case r.Withdraw():
                    if self.engine.has(whether("player", "withdraw")):
                        play = r.Play(event.box, event.hand, event.player, "withdraw", n=event.n)
                        self._judge_play(play, self.table.box(event.box).hand(event.hand))
                    self.table.apply(event)
                case r.Reveal() | r.Peek():
                    self._shown(event)
                case r.Void():
                    self.table.apply(event)
                    what = "the round" if event.scope == "round" else "a hand"
                    action = self.engine.mechanics.roles[f"voids {what}"]
                    judge_casino.act(self, action, event.n, box=event.box)
                case r.Irregularity() | r.Malfunction() | r.Approve() | r.Announce():
                    pass
                case _:
                    self.table.apply(event)
            self.stages.after(event, self.scene, self.turns)
        if not self.round_asked:
            self._start_of_deal()
        self._one_decides()
        self.look_at_dealer(all_cards=True)
        judge_left.leave_hands(self)
        out_of_place(self)
        judge_dealer.dealer_end(self)
        judge_casino.warnings(self)
        judge_casino.offers(self)
        judge_casino.must_void(self)
        scene = self.scene()
        judge_money(self, scene)
        for clause, rule in self.engine.lacking.items():
            names = ", ".join(self.engine.optional_of(rule))
            self.verdict.not_checked.setdefault(clause, f"the log does not give {names}")
        return self.verdict

    def run_money(self, boxes: frozenset[int]) -> Verdict:
        """What `run` finds where it can only find something in the money of these boxes."""
        table = self.table
        for event in self.round.events:
            if not isinstance(event, RECORDED):
                table.apply(event)
        judge_money(self, self.scene(dealer=tuple(table.dealer)), boxes)
        return self.verdict

    # --- wagers

    def _wager(self, event: r.Wager) -> None:
        self.table.apply(event)
        self.verdict.wagers += 1
        if self.round_asked:
            self._ask_wager(self.table.box(event.box).bets[-1])

    def _ask_wager(self, bet: Bet) -> None:
        """Asked once all wagers of the round are down: they are about each other too."""
        event = bet.event
        box = self.table.box(event.box)
        scene = self.scene(
            box=box,
            player=event.player,
            bet=event.bet,
            stake=event.stake,
            wager=event,
            late=bet.after_first_card,
            after_call=bet.after_call,
            hand=box.hands.get(1),
        )
        where: dict[str, Any] = {"box": event.box, "player": event.player, "bet": event.bet}
        what = f"the {event.bet} wager of {event.player} on box {event.box}"
        if not self.offers(event.bet):
            self.find(
                "R530", "wager", f"{what}: no clause offers such a wager", [], event.n, **where
            )
        if not self.all_met(scene, requiring("wager"), requiring(event.bet)):
            self.require("wager", scene, what, event.n, **where)
            self.require(event.bet, scene, what, event.n, **where)
        if not any(found.event == event.n for found in self.verdict.findings):
            self._declared_otherwise(event, scene, what, where)

    def _declared_otherwise(
        self, event: r.Wager, scene: SeenScene, what: str, where: dict[str, Any]
    ) -> None:
        """Where no clause has anything against a wager, its declaration may."""
        bet = self.engine.rulebook.game.bets.get(event.bet)
        if bet is None:
            return
        message = ""
        if offered(scene, event.bet) is False:
            message = f"{what}: the table does not offer it"
        elif bet.with_bet is not None and scene.box is not None and not event.wins:
            # one that is carried over from an earlier round was placed then
            beside = bet.with_bet in scene.box.placed or any(
                b.event.player == event.player and b.event.bet == bet.with_bet
                for b in scene.box.bets
            )
            if not beside:
                message = f"{what}: the player has no {bet.with_bet} wager there"
        if message:
            self.find("R530", "wager", message, [], event.n, **where)

    def _start_of_deal(self) -> None:
        """Everything that can be asked once the wagers are down."""
        self.round_asked = True
        start = {"cut_card_first": self.turns.cut_card_first, "call_made": self.turns.call_made}
        scene = self.scene(deal=start)
        self.require("round", scene, "the round", None)
        for box in list(self.table.boxes.values()):
            for bet in box.bets:
                self._ask_wager(bet)
            if box.main:
                view = self.scene(box=box, deal=start)
                self.require("box", view, f"box {box.number}", None, box=box.number)
        judge_casino.duties_at_start(self, scene)

    def _one_decides(self) -> None:
        for box in self.table.boxes.values():
            marked = list(dict.fromkeys(wager.player for wager in box.main if wager.control))
            if len(marked) > 1:
                several = f"{', '.join(marked[:-1])} and {marked[-1]}"
                message = f"who decides on box {box.number} cannot be told: {several} are marked"
                advice = f"`control` marks one player of a box; {marked[0]} was taken for the one"
                self.find("R550", "undecided", message, (), box=box.number, help=advice)

    # --- cards

    def _deal(self, event: r.Deal) -> None:
        if not self.round_asked:
            self._start_of_deal()
        box = self.table.boxes.get(event.box)
        if box is None and event.box != r.DEALER:
            box = Box(event.box)
        hand = box.hands.get(event.hand) if box else None
        initial = not self.table.initial_deal_done
        joker = event.card == r.JOKER
        facts: dict[str, Value] = {
            "rank": "joker" if joker else event.card[0],
            "reported": reported(self.round, event),
            "passed_over": passed_over(self.round, event),
            "copies": self.count_copy(event.card),
            "initial": initial,
            "to_dealer": event.box == r.DEALER,
            "in_turn": self.turns.in_turn(event, initial) if self.deal_known else None,
            "hands_in_turn": self.turns.hands_in_turn(event, self.table),
            "call_made": self.turns.call_made,
            "down": event.down,
            "asked_for": initial or self.asks.asked(event, box, hand),
        }
        player = box.controller if box else None
        held = hand.cards if hand else []
        if event.box == r.DEALER:
            held = self.table.dealer_hand(self.table.of_dealer(event))
        scene = self.scene(
            deal=facts, box=box, hand=hand, player=player, card_position=len(held) + 1
        )
        if not self.all_met(scene, requiring("card"), requiring("deal")):
            target = "the dealer" if event.box == r.DEALER else f"box {event.box}"
            what = f"{card_text(event.card)} dealt to {target}"
            where: dict[str, Any] = {"box": event.box, "hand": event.hand}
            self.require("card", scene, what, event.n, **where)
            self.require("deal", scene, what, event.n, **where)
        if joker:
            self.table.apply(event)
            return
        if event.box == r.DEALER:
            judge_dealer.dealer_card(self, event)
        else:
            if not initial and hand is not None:
                self._unasked_card(event, hand)
            self.table.apply(event)

    def _shown(self, event: r.Reveal | r.Peek) -> None:
        """A card that lies face down is turned, or looked at."""
        box = self.table.boxes.get(event.box)
        of_dealer = event.box == r.DEALER
        facts: dict[str, Value] = {
            "to_dealer": of_dealer,
            "players_done": self.turns.players_done(event.n),
            "initial": not self.table.initial_deal_done,
        }
        scene = self.scene(
            deal=facts, box=box, player=box.controller if box else None, no_effect=False
        )
        whose = "the dealer" if of_dealer else f"box {event.box}"
        moment, done = ("peek", "looked at") if isinstance(event, r.Peek) else ("reveal", "turned")
        self.require(moment, scene, f"the card of {whose} was {done}", event.n, box=event.box)
        self.table.apply(event)
        if of_dealer:
            self.look_at_dealer()

    # --- plays

    def _unasked_card(self, event: r.Deal, hand: Hand) -> None:
        """A card that no player is recorded to have asked for: the deciding player drew it."""
        key = (event.box, event.hand)
        if key in self.served:
            self.served.discard(key)
            return
        if hand.owed:
            return
        box = self.table.box(event.box)
        player = box.decider
        if player is None:
            return
        play = r.Play(event.box, event.hand, player, self.engine.mechanics.drawing, None, n=event.n)
        self._judge_play(play, box.hands[event.hand])

    def _play(self, event: r.Play) -> None:
        if not self.round_asked:
            self._start_of_deal()
        box = self.table.box(event.box)
        hand = box.hand(event.hand)
        allowed = self._judge_play(event, hand)
        does = self.engine.mechanics.plays.get(event.do)
        if does is not None and does.cards and not does.splits:
            self.served.add((event.box, event.hand))
        # Cards and chips that moved did move; a claim that no clause gives has no effect.
        if allowed is not False or does is None or not does.claims:
            self.table.apply(event)

    def _judge_play(self, event: r.Play, hand: Hand) -> bool | None:
        box = self.table.box(event.box)
        does = self.engine.mechanics.plays.get(event.do)
        action = event.do if does is None else does.action
        stake = box.original(event.player)
        scene = self.scene(
            box=box,
            hand=hand,
            player=event.player,
            play=event,
            stake=stake,
            part=hand.part_of(event.player),
        )
        where: dict[str, Any] = {"box": event.box, "hand": event.hand, "player": event.player}
        what = f"{event.player} on box {event.box}"
        did = f"{what} {done_words(self.engine.rulebook.game, action)}"
        question = whether("player", action)
        if judge_left.moment_unknown(self, action):
            return None
        allowed, answer = self.engine.allowed(question, scene)
        self.verdict.tested.update(answer.clauses)
        for rule in answer.unchecked:
            self.not_checked(rule, rule.condition, scene)
        self.verdict.decide(f"may {action}", answer, scene, event.box, event.hand, event.player)
        if allowed is None:
            leave = f"whether {what} may {action}"
            self.undecided(leave, answer, scene, event.n, of_leave=True, **where)
        elif not allowed:
            self._forbidden(question, did, answer, scene, event.n, where)
        elif does is not None and too_often(self.table, event, does):
            on = "in the round" if does.counted_on == "round" else f"on the {does.counted_on}"
            most = "once" if does.at_most == 1 else f"{does.at_most} times"
            self.find(
                "R511", "play", f"{did} more than {most} {on}", answer.rules, event.n, **where
            )
            allowed = False
        if does is not None and does.stands:
            judge_left.must_draw(self, scene, hand, event.n, what, where)
        deciding = whether("player", self.engine.mechanics.deciding)
        if does is not None and does.decides and self.engine.has(deciding):
            may_decide, answer = self.engine.allowed(deciding, scene)
            self.verdict.tested.update(answer.clauses)
            rules = [x for x in answer.rules if x.value in BANS]
            if may_decide is False and rules:
                self.find(
                    "R510",
                    "play",
                    f"{did} on {hand_words(scene, hand)}, and another player has the decision",
                    rules,
                    event.n,
                    **where,
                )
            once = ("decides", event.box, event.player)
            if may_decide is None and answer.values and once not in self.told:
                self.told.add(once)
                self.undecided(f"whether {what} has the decision", answer, scene, event.n, **where)
        told: dict[str, Value] = {}
        if allowed is not False and event.n in self.asks.unanswered:
            told["answered"] = False
        in_turn = event.n not in self.asks.too_soon
        if self.deal_known and not (in_turn and self.turns.decides_in_turn(event, self.table)):
            told["play_in_turn"] = False
        if told:
            scene = scene.but(deal=told)
        self.require(action, scene, did, event.n, **where)
        return allowed

    def _forbidden(
        self,
        question: Question,
        did: str,
        answer: Answer,
        scene: SeenScene,
        event: int,
        where: dict[str, Any],
    ) -> None:
        rules = [x for x in answer.rules if x.value in BANS]
        did += f" on {hand_words(scene, scene.hand)}"
        if rules:
            grounds = ground_words(self.engine, rules[:1], scene)
            message = f"{did}, which is not allowed" + (f": {grounds}" if grounds else "")
            self.find("R510", "play", message, rules, event, **where)
            return
        near = nearest(self.engine, question, scene)
        grounds = failed_words(self.engine, near[0].failed, scene, ()) if near else ""
        message = f"{did}, which no clause allows" + (f": {grounds}" if grounds else "")
        first = [n.rule for n in near][:1]
        advice = near[0].text if near else None
        self.find(
            "R511",
            "play",
            message,
            first,
            event,
            help=advice,
            related=tuple((n.rule.clause, n.text) for n in near[1:4]),
            **where,
        )
