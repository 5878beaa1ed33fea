"""What all passes of the judgement share: the round, the table as it stands, the verdict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from checker.evaluate.deals import opening_of
from checker.evaluate.engine import Answer, Engine
from checker.evaluate.incomplete_logs import SilentEngine, untold
from checker.evaluate.memory.seam import Kept
from checker.evaluate.possible import possible
from checker.evaluate.scene import SeenScene
from checker.evaluate.words.in_words import broken_words
from checker.evaluate.words.why_not import (
    contested,
    contested_word,
    unknown_facts,
    where_missing,
    why_open,
)
from checker.judge.findings import FindingKind, ReplayFinding, Verdict
from checker.judge.stages import Stages
from checker.log import model as r
from checker.table.arrange import arrangement, in_order, is_in_order
from checker.table.asked_cards import Asks
from checker.table.shoes import ShoeView
from checker.table.state import Dealt, Table
from checker.table.turns import Turns
from rulespec.resolve.question import Question, about_bet, bet_and_what, requiring
from rulespec.resolve.rule_value import as_expression
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.write import condition_text

RECORDED = (r.Irregularity, r.Malfunction, r.Approve, r.Announce)


def _titles(engine: Engine) -> dict[str, str]:
    return {clause.id: clause.title for clause in engine.rulebook.clauses}


_TITLES = Kept(_titles)  # of clauses
_KIND_AT: dict[str, FindingKind] = {
    "round": "integrity",
    "box": "wager",
    "wager": "wager",
    "card": "deal",
    "deal": "deal",
    "reveal": "deal",
    "peek": "deal",
    "end": "deal",
    "limits": "wager",
    "settlement": "settlement",
}


class Bench:
    """One round under one rulebook. What is found goes into the verdict."""

    def __init__(
        self,
        engine: Engine,
        round_: r.Round,
        shoe: ShoeView,
        *,
        share: bool = False,
        explained: bool = True,
    ) -> None:
        self.engine = engine = untold(engine, round_.not_recorded)
        engine.lacking.clear()
        share = share and not isinstance(engine, SilentEngine)
        self.round = round_ = engine.words.known(round_)
        mechanics = engine.mechanics
        self.table = self._table_of(round_)
        blank = SeenScene(engine, self.table, shoe)
        opening = opening_of(blank)
        self.deal_known = opening is not None
        if opening is None and isinstance(engine, SilentEngine):
            # nor is it told then which card came when
            round_ = replace(round_, not_recorded=round_.not_recorded | {"deal_order"})
            self.engine = engine = untold(engine.base, round_.not_recorded)
            engine.lacking.clear()
            self.round = round_
        opening = opening or mechanics.opening
        self.places = None if is_in_order(round_) else arrangement(round_, mechanics, opening)
        if self.places is not None:
            self.round = round_ = in_order(round_, self.places)
            self.table = self._table_of(round_)
            blank = SeenScene(engine, self.table, shoe)
        self.table.opening = opening
        self.turns = Turns(round_, mechanics, opening)
        self.deals = self.turns.deals
        self.asks = Asks(round_, shoe.decisions_seen, mechanics, opening.per_box)
        self.shoe = shoe
        self.scene = blank.sharing().but if share else blank.but
        self.verdict = Verdict(explained=explained)
        self.stages = Stages(mechanics.game)
        self.effective: list[Dealt] = []  # the dealer's cards that count
        self.further: dict[int, list[Dealt]] = {}  # those of other hands of the dealer
        self.served: set[tuple[int, int]] = set()  # hands that asked for a card
        self.copies = dict(shoe.copies)
        self.left: dict[int, set[int]] = {}  # hands already found to be left short
        self.short: set[tuple[int, int]] = set()
        self.told: set[object] = set()
        self.round_asked = False
        # What is recorded of a round is known to whoever judges it, wherever it stands.
        for event in round_.events:
            if isinstance(event, RECORDED):
                self.table.apply(event)

    def _table_of(self, round_: r.Round) -> Table:
        return Table(round_, self.engine.mechanics)

    def count_copy(self, card: str | None) -> int:
        """How often a card that comes out now has come out of the shoe; 0: nobody knows which."""
        if card is None:
            return 0
        self.copies[card] = self.copies.get(card, 0) + 1
        return self.copies[card]

    def count_for_dealer(self, dealt: Dealt, number: int = 1) -> None:
        """From here on the dealer is seen with this card too, unless it lies face down."""
        if number > 1:
            self.further.setdefault(number, self.effective[:1]).append(dealt)
            return
        self.effective.append(dealt)
        self.look_at_dealer()

    def look_at_dealer(self, all_cards: bool = False) -> None:
        """Rules see what lies face up; at the end of the round all of it."""
        cards = tuple([d for d in self.effective if all_cards or not d.down])
        self.scene = self.scene(dealer=cards).but

    def held_by_dealer(self, number: int) -> tuple[Dealt, ...]:
        """What the dealer holds, face up or down."""
        return tuple(
            self.effective if number == 1 else self.further.get(number, self.effective[:1])
        )

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
        if self.places is not None and event is not None and event >= 0:
            event = self.places[event]  # as the log has it
        named = [rule.reading for rule in rules if rule.reading]
        readings = tuple(dict.fromkeys([*named, *more.pop("readings", ())]))
        extra: tuple[tuple[str, str], ...] = more.pop("related", ())
        found = ReplayFinding(
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
            at=self.round.at.isoformat(),
            shoe=self.round.shoe,
            **more,
        )
        alike = sum(found.is_like(other) for other in self.verdict.findings)
        self.verdict.findings.append(replace(found, nth=alike) if alike else found)

    def require(
        self, moment: str, scene: SeenScene, message: str, event: int | None, **where: Any
    ) -> None:
        question = requiring(moment)
        if not self.engine.has(question):
            return
        if self.all_met(scene, question):
            return
        answer = self.engine.ask(question, scene)
        broken: list[Rule] = []
        for rule in answer.rules:
            kept = self.engine.requirement(rule)[0](scene)
            if kept is None or (kept and self.engine.lacks(rule, scene)):
                self.not_checked(rule, as_expression(rule.value), scene)
            else:
                self.verdict.tested.add(rule.clause)
                if not kept:
                    broken.append(rule)
        for rule in (*answer.unknown, *answer.unchecked):
            self.not_checked(rule, rule.condition, scene)
        for rule in broken:
            once = (rule.id, where.get("box"), where.get("player"), where.get("bet"))
            of_wager = moment == "wager" or moment in self.engine.rulebook.game.bets
            if of_wager and once in self.told:
                continue
            self.told.add(once)
            against = _against(rule, answer.rules)
            if against:
                asks = [
                    f"clause {x.clause} asks for {condition_text(as_expression(x.value))}"
                    for x in (rule, *against)
                ]
                self.find(
                    "R550",
                    "undecided",
                    f"{message}: what is required cannot be decided: {'; '.join(asks)}",
                    [rule, *against],
                    event,
                    why="; ".join(asks),
                    **where,
                )
                continue
            kind = _KIND_AT.get(moment, "wager" if of_wager else "play")
            facts = broken_words(self.engine, rule, scene)
            facts = facts or f"clause {rule.clause} ({self.title(rule.clause)}) is not kept"
            # of a box and a round the facts speak themselves
            told = facts if moment in ("box", "round") else f"{message}: {facts}"
            self.find("R530", kind, told, [rule], event, **where)

    def all_met(self, scene: SeenScene, question: Question, other: Question | None = None) -> bool:
        """Whether all that is required is met, where that can be told at one go."""
        if scene.shelves is None or self.engine.asked is not None:
            return False
        met = self.engine.met(scene, question, other)
        if met is None:
            return False
        self.verdict.tested.update(met)
        return True

    def title(self, clause: str) -> str:
        return _TITLES.of(self.engine).get(clause, "")

    def not_checked(self, rule: Rule, condition: t.Expression, scene: SeenScene) -> None:
        if self.untold([rule], condition):
            return
        names = unknown_facts(self.engine, condition, scene)
        facts = self.engine.rulebook.game.facts
        lacking = [facts[name].recorded for name in names if name in facts]
        if any(lacking):
            what = " and ".join(word for word in lacking if word)
            self.verdict.not_recorded[rule.clause] = f"the log does not record {what}"
        elif rule.clause not in self.verdict.tested:
            named = ", ".join(names) or "what it asks for"
            why = contested_word(condition, scene) or f"the log does not give {named}"
            self.verdict.not_checked[rule.clause] = why

    def untold(self, rules: Iterable[Rule], condition: t.Expression | None = None) -> bool:
        """Whether it is the log that does not tell what rules ask for, in them or in a condition:
        their clauses are then not checked."""
        if not isinstance(self.engine, SilentEngine):
            return False
        for rule in rules:
            lacking = self.engine.wanting((condition, rule.condition))
            if not lacking:
                return False
            self.leave_out([rule], " and ".join(lacking))
        return True

    def leave_out(self, rules: Iterable[Rule], what: str) -> None:
        for rule in rules:
            self.verdict.not_recorded[rule.clause] = f"the log does not record {what}"

    def leaves_out(self, kind: str, question: Question) -> bool:
        """Whether the log does not tell enough to judge a question of some kind at all."""
        what = self.engine.silences.get(kind)
        if what is not None:
            self.leave_out([rule for rule, _ in self.engine.by_question.get(question, ())], what)
        return what is not None

    def open_for_want_of_data(self, answer: Answer, scene: SeenScene) -> bool:
        """Whether an answer is open only because the log does not tell what it rests on."""
        if not isinstance(self.engine, SilentEngine):
            return False
        base = self.engine.base
        view = scene.but(engine=base)
        what = " and ".join(self.engine.reasons)
        if not [rule for rule in answer.unknown if self.untold([rule])]:
            told = base.ask(answer.question, view)
            if told.unknown or told.values == answer.values:
                return False
            self.leave_out(answer.unknown or answer.rules, what)
        # what would have been asked next, had the answer been known
        bet, of_what = bet_and_what(answer.question)
        if of_what == "result":
            self.leave_out([*base.ask(answer.question, view).rules], what)
            self.leave_out(
                [rule for rule, _ in base.by_question.get(about_bet(bet, "odds"), ())], what
            )
        return True

    def demands(self, answer: Answer, scene: SeenScene) -> bool | None:
        """Whether something must be done; None where the text leaves that open."""
        if answer.demands is False and contested(answer.unknown, scene):
            return None
        return answer.demands

    def offers(self, bet: str) -> bool:
        asked = self.engine.asked_as(bet)
        return asked == self.engine.mechanics.main or any(
            self.engine.has(question)
            for question in (about_bet(asked, "result"), about_bet(asked, "odds"), requiring(bet))
        )

    def undecided(
        self,
        what: str,
        answer: Answer,
        scene: SeenScene,
        event: int | None,
        why: str | None = None,
        **where: Any,
    ) -> None:
        """The text gives no answer, or several, or rests on what is not known; `why`: where
        the caller knows. The clauses that have a say, or else those that come nearest."""
        if self.open_for_want_of_data(answer, scene):
            return
        rules = [x for x in answer.rules if x.value != "may"] or list(answer.unknown)
        rules = rules or list(where_missing(self.engine, answer.question, scene))[:1]
        rules.sort(key=lambda x: not str(x.value).startswith("undecided"))
        why = why or why_open(answer, scene)
        message = f"{what} cannot be decided: {why}"
        self.find("R550", "undecided", message, rules, event, why=why, **where)


def _against(rule: Rule, others: Iterable[Rule]) -> list[Rule]:
    """What else is required and cannot be met together with a rule."""
    required = as_expression(rule.value)
    return [other for other in others if not possible([required, as_expression(other.value)])]
