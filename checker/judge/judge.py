"""One round judged by one rulebook: every question the rulebook decides, in the order of play."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import checker.evaluate.facts  # noqa: F401  fills in how each fact is read off a scene
from checker.evaluate.answer import BANS
from checker.evaluate.engine import Answer, Engine, Value
from checker.evaluate.possible import possible
from checker.evaluate.scene import SeenScene
from checker.evaluate.why_not import (
    contested,
    contested_word,
    nearest,
    unknown_facts,
    where_missing,
    why_open,
)
from checker.judge import casino as judge_casino
from checker.judge import dealer as judge_dealer
from checker.judge import left_hands as judge_left
from checker.judge.findings import FindingKind, ReplayFinding, Verdict
from checker.judge.money import judge_money
from checker.log import model as r
from checker.table.asked_cards import Asks
from checker.table.shoes import ShoeView
from checker.table.state import PLAYED, Bet, Box, Dealt, Hand, Table
from checker.table.turns import Turns
from rulespec.resolve.rulebook import Rule
from rulespec.tree.vocabulary import FACTS
from rulespec.tree.write import condition_text

_ACTION = {"hit": "draw"}
_BETS = ("main", "perfect_pairs", "super_sevens")
_RECORDED = (r.Irregularity, r.Malfunction, r.Approve, r.Announce)
_KIND_AT: dict[str, FindingKind] = {
    "round": "integrity", "box": "wager", "wager": "wager", "card": "deal", "deal": "deal",
    "settlement": "settlement", "main": "wager", "perfect_pairs": "wager",
    "super_sevens": "wager", "insurance": "wager", "super_bonus": "wager",
}  # fmt: skip


def judge(
    engine: Engine, round_: r.Round, shoe: ShoeView | None = None, *, share: bool = False,
    explained: bool = True, money_of: frozenset[int] | None = None,
) -> Verdict:  # fmt: skip
    """The verdict on a round. `share`: faster, for who does not look into the decisions' scenes;
    not `explained`: for who does not look at the decisions at all. `money_of`: only of what was
    paid at these boxes, in a round in which all else is known to be in order."""
    judge_ = Judge(engine, round_, shoe or ShoeView(), share=share, explained=explained)
    return judge_.run() if money_of is None else judge_.run_money(money_of)


class Judge:
    """Walks the events of a round. What it finds goes into the verdict."""

    def __init__(
        self, engine: Engine, round_: r.Round, shoe: ShoeView, *, share: bool = False,
        explained: bool = True,
    ) -> None:  # fmt: skip
        self.engine = engine
        engine.lacking.clear()
        self.round = round_
        self.table = Table(round_)
        self.turns = Turns(round_)
        self.deals = self.turns.deals
        self.asks = Asks(round_, shoe.decisions_seen)
        self.shoe = shoe
        blank = SeenScene(engine, self.table, shoe)
        self.scene = blank.sharing().but if share else blank.but
        self.verdict = Verdict(explained=explained)
        self.effective: list[Dealt] = []  # the dealer's cards that count
        self.served: set[tuple[int, int]] = set()  # hands that asked for a card
        self.copies = dict(shoe.copies)
        self.left: dict[int, set[int]] = {}  # hands already found to be left short
        self.short: set[tuple[int, int]] = set()
        self.told: set[object] = set()
        self.round_asked = False
        # What is recorded of a round is known to whoever judges it, wherever it stands.
        for event in round_.events:
            if isinstance(event, _RECORDED):
                self.table.apply(event)

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
                    self._count(event.card)
                case r.Withdraw():
                    if self.engine.has("player withdraw"):
                        play = r.Play(event.box, event.hand, event.player, "withdraw", n=event.n)
                        self._judge_play(play, self.table.box(event.box).hand(event.hand))
                    self.table.apply(event)
                case r.Void():
                    self.table.apply(event)
                    action = "void_round" if event.scope == "round" else "void_hand"
                    judge_casino.act(self, action, event.n, box=event.box)
                case r.Irregularity() | r.Malfunction() | r.Approve() | r.Announce():
                    pass
                case _:
                    self.table.apply(event)
        if not self.round_asked:
            self._start_of_deal()
        judge_left.leave_hands(self)
        judge_dealer.dealer_end(self)
        judge_casino.warnings(self)
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
            if not isinstance(event, _RECORDED):
                table.apply(event)
        judge_money(self, self.scene(dealer=tuple(table.dealer)), boxes)
        return self.verdict

    # --- helpers

    def count_for_dealer(self, dealt: Dealt) -> None:
        """From here on the dealer is seen with this card too."""
        self.effective.append(dealt)
        self.scene = self.scene(dealer=tuple(self.effective)).but

    def find(
        self,
        code: str,
        kind: FindingKind,
        message: str,
        rules: tuple[Rule, ...] | list[Rule],
        event: int | None = None,
        roles: str = "also applies",
        **more: Any,
    ) -> None:
        clauses = list(dict.fromkeys(rule.clause for rule in rules))
        named = [rule.reading for rule in rules if rule.reading]
        readings = tuple(dict.fromkeys([*named, *more.pop("readings", ())]))
        extra: tuple[tuple[str, str], ...] = more.pop("related", ())
        self.verdict.findings.append(
            ReplayFinding(
                code,
                kind,
                message,
                clauses[0] if clauses else None,
                tuple((c, roles) for c in clauses[1:]) + extra,
                self.round.id,
                self.round.table,
                self.round.line,
                self.engine.rulebook.id,
                event,
                readings=readings,
                **more,
            )
        )

    def require(self, moment: str, scene: SeenScene, message: str, event: int | None,
                **where: Any) -> None:  # fmt: skip
        question = f"require {moment}"
        if not self.engine.has(question):
            return
        if self.all_met(scene, question):
            return
        answer = self.engine.ask(question, scene)
        broken: list[Rule] = []
        for rule in answer.rules:
            kept = self.engine.requirement(rule)[0](scene)
            if kept is None or (kept and self.engine.lacks(rule, scene)):
                self.not_checked(rule, rule.value, scene)
            else:
                self.verdict.tested.add(rule.clause)
                if not kept:
                    broken.append(rule)
        for rule in (*answer.unknown, *answer.unchecked):
            self.not_checked(rule, rule.condition, scene)
        for rule in broken:
            once = (rule.id, where.get("box"), where.get("player"), where.get("bet"))
            if moment in ("wager", *_BETS) and once in self.told:
                continue
            self.told.add(once)
            against = _against(rule, answer.rules)
            if against:
                asks = [f"clause {x.clause} asks for {condition_text(x.value)}"
                        for x in (rule, *against)]  # fmt: skip
                self.find("R550", "undecided",
                          f"{message}: what is required cannot be decided: {'; '.join(asks)}",
                          [rule, *against], event, **where)  # fmt: skip
                continue
            kind = _KIND_AT.get(moment, "play")
            title = self.title(rule.clause)
            self.find("R530", kind, f"{message}: clause {rule.clause} ({title}) is not kept",
                      [rule], event, **where)  # fmt: skip

    def all_met(self, scene: SeenScene, question: str, other: str = "") -> bool:
        """Whether all that is required is met, where that can be told at one go."""
        if scene.shelves is None or self.engine.asked is not None:
            return False
        met = self.engine.met(scene, question, other)
        if met is None:
            return False
        self.verdict.tested.update(met)
        return True

    def title(self, clause: str) -> str:
        caches = self.engine.caches
        if "titles" not in caches:
            caches["titles"] = {c.id: c.title for c in self.engine.rulebook.clauses}
        titles: dict[str, str] = caches["titles"]
        return titles.get(clause, "")

    def not_checked(self, rule: Rule, condition: Any, scene: SeenScene) -> None:
        names = unknown_facts(self.engine, condition, scene)
        lacking = [FACTS[name].recorded for name in names if name in FACTS]
        if any(lacking):
            what = " and ".join(word for word in lacking if word)
            self.verdict.not_recorded[rule.clause] = f"the log does not record {what}"
        elif rule.clause not in self.verdict.tested:
            named = ", ".join(names) or "what it asks for"
            why = contested_word(condition, scene) or f"the log does not give {named}"
            self.verdict.not_checked[rule.clause] = why

    def demands(self, answer: Answer, scene: SeenScene) -> bool | None:
        """Whether something must be done; None where the text leaves that open."""
        if answer.demands is False and contested(answer.unknown, scene):
            return None
        return answer.demands

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
            box=box, player=event.player, bet=event.bet, stake=event.stake, wager=event,
            late=bet.after_first_card, after_call=bet.after_call, hand=box.hands.get(1),
        )  # fmt: skip
        where: dict[str, Any] = {"box": event.box, "player": event.player, "bet": event.bet}
        what = f"the {event.bet} wager of {event.player} on box {event.box}"
        if not self.offers(event.bet):
            self.find("R530", "wager", f"{what}: no clause offers such a wager", [], event.n,
                      **where)  # fmt: skip
        if not self.all_met(scene, "require wager", f"require {event.bet}"):
            self.require("wager", scene, what, event.n, **where)
            self.require(event.bet, scene, what, event.n, **where)

    def offers(self, bet: str) -> bool:
        return bet == "main" or any(
            self.engine.has(question)
            for question in (f"{bet}.result", f"{bet}.odds", f"require {bet}")
        )

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

    # --- cards

    def _count(self, card: str | None) -> int:
        if card is None:
            return 0
        self.copies[card] = self.copies.get(card, 0) + 1
        return self.copies[card]

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
            "copies": self._count(event.card),
            "initial": initial,
            "to_dealer": event.box == r.DEALER,
            "in_turn": self.turns.in_turn(event, initial),
            "hands_in_turn": self.turns.hands_in_turn(event, self.table),
            "call_made": self.turns.call_made,
            "asked_for": initial or self.asks.asked(event, box, hand),
        }
        player = box.controller if box else None
        held = self.table.dealer if event.box == r.DEALER else (hand.cards if hand else [])
        scene = self.scene(
            deal=facts, box=box, hand=hand, player=player, card_position=len(held) + 1
        )
        if not self.all_met(scene, "require card", "require deal"):
            target = "the dealer" if event.box == r.DEALER else f"box {event.box}"
            where: dict[str, Any] = {"box": event.box, "hand": event.hand}
            self.require("card", scene, f"card {event.card} to {target}", event.n, **where)
            self.require("deal", scene, f"card {event.card} to {target}", event.n, **where)
        if joker:
            self.table.apply(event)
            return
        if event.box == r.DEALER:
            judge_dealer.dealer_card(self, event)
        else:
            if not initial and hand is not None:
                self._unasked_card(event, hand)
            self.table.apply(event)

    def undecided(
        self, what: str, answer: Answer, scene: SeenScene, event: int | None,
        why: str | None = None, **where: Any,
    ) -> None:  # fmt: skip
        """The text gives no answer, or several, or rests on what is not known; `why`: known to who
        asks. The clauses that have a say, or else those that come nearest."""
        rules = [x for x in answer.rules if x.value != "may"] or list(answer.unknown)
        rules = rules or list(where_missing(self.engine, answer.question, scene))[:1]
        rules.sort(key=lambda x: not str(x.value).startswith("undecided"))
        message = f"{what} cannot be decided: {why or why_open(answer, scene)}"
        self.find("R550", "undecided", message, rules, event, **where)

    # --- plays

    def _unasked_card(self, event: r.Deal, hand: Hand) -> None:
        """A card that nobody is recorded to have asked for counts as drawn by who decides."""
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
        play = r.Play(event.box, event.hand, player, "hit", None, n=event.n)
        self._judge_play(play, box.hands[event.hand])

    def _play(self, event: r.Play) -> None:
        if not self.round_asked:
            self._start_of_deal()
        box = self.table.box(event.box)
        hand = box.hand(event.hand)
        allowed = self._judge_play(event, hand)
        if event.do in ("hit", "double"):
            self.served.add((event.box, event.hand))
        # Cards and chips that moved did move; a claim that no clause gives has no effect.
        if allowed is not False or event.do not in ("surrender", "forfeit", "even_money"):
            self.table.apply(event)

    def _judge_play(self, event: r.Play, hand: Hand) -> bool | None:
        box = self.table.box(event.box)
        action = _ACTION.get(event.do, event.do)
        stake = box.original(event.player)
        scene = self.scene(
            box=box, hand=hand, player=event.player, play=event, stake=stake,
            part=hand.part_of(event.player),
        )  # fmt: skip
        where: dict[str, Any] = {"box": event.box, "hand": event.hand, "player": event.player}
        what = f"{event.player} on box {event.box}"
        question = f"player {action}"
        allowed, answer = self.engine.allowed(question, scene)
        self.verdict.tested.update(answer.clauses)
        for rule in answer.unchecked:
            self.not_checked(rule, rule.condition, scene)
        self.verdict.decide(f"may {action}", answer, scene, event.box, event.hand, event.player)
        if allowed is None:
            self.undecided(f"whether {what} may {action}", answer, scene, event.n, **where)
        elif not allowed:
            self._forbidden(question, action, what, answer, scene, event.n, where)
        if action == "stand":
            judge_left.must_draw(self, scene, hand, event.n, what, where)
        if event.do in PLAYED and self.engine.has("player decide"):
            may_decide, answer = self.engine.allowed("player decide", scene)
            self.verdict.tested.update(answer.clauses)
            rules = [x for x in answer.rules if x.value in BANS]
            if may_decide is False and rules:
                self.find("R510", "play", f"{what} made the decision, which another player has",
                          rules, event.n, **where)  # fmt: skip
            once = ("decides", event.box, event.player)
            if may_decide is None and answer.values and once not in self.told:
                self.told.add(once)
                self.undecided(f"whether {what} may decide", answer, scene, event.n, **where)
        if allowed is not False and event.n in self.asks.unanswered:
            scene = scene.but(deal={"answered": False})
        self.require(action, scene, f"{what}, {action}", event.n, **where)
        return allowed

    def _forbidden(self, question: str, action: str, what: str, answer: Answer,
                   scene: SeenScene, event: int, where: dict[str, Any]) -> None:  # fmt: skip
        rules = [x for x in answer.rules if x.value in BANS]
        if rules:
            message = f"{what} may not {action} here"
            self.find("R510", "play", message, rules, event, **where)
            return
        near = nearest(self.engine, question, scene)
        message = f"no clause lets {what} {action} here"
        first = [n.rule for n in near][:1]
        advice = near[0].text if near else None
        self.find("R511", "play", message, first, event, help=advice,
                  related=tuple((n.rule.clause, n.text) for n in near[1:4]), **where)  # fmt: skip


def _against(rule: Rule, others: Iterable[Rule]) -> list[Rule]:
    """What else is required and cannot be met together with a rule."""
    return [other for other in others if not possible([rule.value, other.value])]
