"""A rulebook and the rounds on which a comparison asks it; the plain evaluator answers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from checker.compare.topics import Row
from checker.compare.values import CANNOT_ARISE, Cell
from checker.evaluate.engine import Answer, Engine
from checker.evaluate.scene import SeenScene
from checker.judge.findings import Verdict
from checker.judge.judge import Judge
from checker.log import model as r
from checker.log.decode import decode_round
from checker.log.script import events_of
from checker.table.mechanics import ORIGINAL
from checker.table.shoes import ShoeView
from checker.table.state import TENS, Dealt, wager_of
from rulespec.resolve.question import (
    DEALER_DRAW,
    Question,
    about_bet,
    defining,
    value_of_card,
    whether,
)
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.walk import walk


@dataclass(slots=True)
class ComparedText:
    """One rulebook with the rounds that were put to it."""

    engine: Engine
    _judged: dict[Any, tuple[Judge, Verdict]] = field(init=False, default_factory=dict)
    _named: dict[str, frozenset[str]] = field(init=False, default_factory=dict)

    def round(self, row: Row) -> tuple[Judge, Verdict]:
        key = (row.script, row.options, row.decks, repr(row.limits), repr(row.shoe))
        if key not in self._judged:
            round_ = decode_round(
                {
                    "format": 1,
                    "round": "compare",
                    "table": "T1",
                    "decks": row.decks,
                    "at": datetime(2025, 1, 1, tzinfo=UTC).isoformat(),
                    "limits": row.limits,
                    "rulebook": self.engine.rulebook.id,
                    "options": list(row.options),
                    "events": events_of(row.script, self.engine.rulebook.game),
                }
            )
            seen: dict[str, Any] = {
                k: frozenset(v) if isinstance(v, list) else v for k, v in row.shoe.items()
            }
            judge = Judge(self.engine, round_, ShoeView(known=True, **seen))
            self._judged[key] = judge, judge.run()
        return self._judged[key]

    def scene(self, row: Row) -> SeenScene:
        """The end of the round, as the player of the row sees it, with the facts of the row."""
        judge, _ = self.round(row)
        box = judge.table.boxes.get(row.box)
        hand = box.hands.get(row.hand) if box else None
        wager = wager_of(box, row.player, self.engine.mechanics.main) if box else None
        stake = wager.stake if wager else 0
        scene = judge.scene(
            box=box,
            hand=hand,
            player=row.player,
            wager=wager,
            stake=stake,
            part=row.part or ORIGINAL,
        )
        return with_facts(scene, row.facts)

    def mentions(self, rule: Rule, facts: Collection[str]) -> bool:
        """A rule looks at a fact or setting, directly or through terms of the rulebook."""
        if rule.id not in self._named:
            names: set[str] = set()
            self._collect(rule, names)
            self._named[rule.id] = frozenset(names)
        return not self._named[rule.id].isdisjoint(facts)

    def _collect(self, rule: Rule, names: set[str]) -> None:
        for node in walk((rule.condition, rule.value)):
            if isinstance(node, t.Fact | t.Setting | t.Name) and node.name not in names:
                names.add(node.name)
                for inner, _ in self.engine.by_question.get(defining(node.name), ()):
                    self._collect(inner, names)

    def asked(self, question: Question, mentions: Collection[str]) -> list[Rule]:
        rules = [rule for rule, _ in self.engine.by_question.get(question, ())]
        return [rule for rule in rules if not mentions or self.mentions(rule, mentions)]

    def lacks(self, row: Row) -> bool:
        """The rulebook does not know what the row is about."""
        if not row.needs:
            return False
        if row.needs in self.engine.rulebook.game.plays:
            _, verdict = self.round(row)
            told = [
                set(d.answer.values) for d in verdict.decisions if d.subject == f"may {row.needs}"
            ]
            return not any("may" in said and not said & {"may not", "must not"} for said in told)
        if self.engine.has(about_bet(row.needs, "odds")):
            return False
        return not any(self.mentions(rule, (row.needs,)) for rule in self.engine.rulebook.rules)

    def otherwise(self, row: Row) -> Cell | None:
        """What is to be said instead of an answer, where the text does not let the round come about
        on which it is asked, or its cards do not come to what the question takes them to be."""
        judge, verdict = self.round(row)
        for finding in verdict.findings:
            if finding.event is None or finding.code not in ("R510", "R511", "R520"):
                continue
            if not self._speaks_of(judge.round.events[finding.event]):
                continue
            clauses = (finding.clause,) if finding.clause else ()
            return Cell(CANNOT_ARISE, clauses, finding.message)
        for finding in verdict.findings:
            if finding.of_leave and finding.event is not None and finding.bet is None:
                clauses = (finding.clause,) if finding.clause else ()
                return Cell(None, clauses, finding.message, "open")
        return self._counted_otherwise(judge)

    def _speaks_of(self, event: r.Event) -> bool:
        """What a text does not speak of, it leaves to people."""
        match event:
            case r.Play():
                return self.engine.has(whether("player", self.engine.mechanics.action(event.do)))
            case r.Deal(box=r.DEALER):
                return self.engine.has(DEALER_DRAW)
            case r.Deal():
                return self.engine.has(whether("player", self.engine.mechanics.acts.draw))
            case _:
                return True

    def _counted_otherwise(self, judge: Judge) -> Cell | None:
        """Questions name hands by their totals in the ordinary way of counting."""
        scene = judge.scene()
        hands = [(list(scene.dealer), scene.fact("dealer.total"))]
        for box in judge.table.in_play:
            for hand in box.hands.values():
                if hand.doubled_with is None:  # aces of doubled hands are a question of their own
                    view = judge.scene(box=box, hand=hand, player=box.controller)
                    hands.append((hand.cards, view.fact("hand.total")))
        for cards, total in hands:
            if cards and total != ordinary_total(cards):
                ranks = [value_of_card(d.rank) for d in cards]
                rules = [rule for q in ranks for rule, _ in self.engine.by_question.get(q, ())]
                held = " ".join(d.rank for d in cards)
                counts = f"it is {total}" if total is not None else "no clause gives it a total"
                why = f"{held} is taken to be {ordinary_total(cards)}, and {counts}"
                return Cell(None, clauses_of(rules), why, "undecided")
        return None

    def moment(self, row: Row, action: str) -> SeenScene:
        """The moment at which a player makes one more play at the end of the round."""
        judge, _ = self.round(row)
        box = judge.table.box(row.box)
        hand = box.hand(row.hand)
        mechanics = self.engine.mechanics
        do = mechanics.standing if action == mechanics.deciding else mechanics.word_for(action)
        does = mechanics.plays.get(do)
        staked = does is not None and (does.adds or does.places)
        cents = int(Decimal(row.stake) * 100) if staked else None
        play = r.Play(
            row.box,
            row.hand,
            row.player,
            do,
            cents,
            n=len(judge.round.events),
        )
        scene = judge.scene(
            box=box,
            hand=hand,
            player=row.player,
            play=play,
            stake=box.original(row.player),
            part=hand.part_of(row.player),
        )
        return with_facts(scene, row.facts)


def ordinary_total(cards: Sequence[Dealt]) -> int:
    """An ace one or eleven, pictures ten."""
    hard = sum(1 if d.rank == "A" else 10 if d.rank in TENS else int(d.rank) for d in cards)
    return hard + 10 if hard <= 11 and any(d.rank == "A" for d in cards) else hard


def with_facts(scene: SeenScene, facts: dict[str, Any]) -> SeenScene:
    """The same moment, where these facts are as the row says."""
    made = scene.but()
    made.memory.update(facts)
    return made


def clauses_of(rules: Iterable[Rule]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rule.clause for rule in rules))


def said(value: str, rules: Iterable[Rule], *answers: Answer) -> Cell:
    readings = tuple(dict.fromkeys(name for answer in answers for name in answer.readings))
    return Cell(value, clauses_of(rules), readings=readings)


def left_open(answer: Answer) -> Cell:
    rules = list(answer.rules) or list(answer.unknown)
    return Cell(None, clauses_of(rules), answer.why_undecided(), "open", answer.readings)
