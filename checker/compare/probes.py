"""Asking one rulebook every kind of question that the topics of a comparison know."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace

from checker.compare.compared_text import clauses_of, left_open, said, with_facts
from checker.compare.houses import axes_asked, of_each_house
from checker.compare.money import MoneyAsker
from checker.compare.topics import Row
from checker.compare.values import SILENT, Cell, Standing, ranges
from checker.evaluate.answer import BANS
from checker.evaluate.dealer_draw import ranks_in_play
from checker.evaluate.scene import SeenScene
from checker.evaluate.words.why_not import nearest
from checker.log import model as r
from checker.states.houses import Axis, House
from rulespec.resolve.question import (
    DEALER_DRAW,
    Question,
    actor_and_act,
    defining,
    is_act_of,
    requiring,
    value_of_card,
    whether,
)
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t

MODALS = ("must not", "may not", "must", "may")  # the strongest word first
# Questions that hang on no play and no total of the round on which they are asked.
NOT_PLAYED = ("keeps", "breaks", "clauses", "asks", "deck", "bound", "rounding", "points")


@dataclass(slots=True)
class Asker(MoneyAsker):
    """One rulebook, ready to be asked."""

    axes: list[Axis] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.axes = axes_asked(self.engine)

    def cell(self, row: Row) -> Cell:
        def of(house: House) -> Cell:
            offered = (word for word in house if word)
            return self._of_one_house(
                replace(row, options=tuple(dict.fromkeys((*row.options, *offered))))
            )

        return of_each_house(self.axes, of)

    def _of_one_house(self, row: Row) -> Cell:
        ask: Callable[[Row], Cell] = getattr(self, f"_{row.kind}")
        if self.lacks(row):
            return SILENT
        found = ask(row)
        if found.standing in ("said", "open") and row.kind not in NOT_PLAYED:
            found = self.otherwise(row) or found
        return replace(found, value=row.words.get(found.value or "", found.value))

    # --- what players may and must do

    def _refused_by(self, question: Question, scene: SeenScene) -> list[Rule]:
        """The requirements that are not kept."""
        return [
            x
            for x in self.engine.ask(question, scene).rules
            if self.engine.requirement(x)[0](scene) is False
        ]

    def _may(self, row: Row) -> Cell:
        question = whether("player", row.subject)
        if not self.asked(question, row.mentions):
            return SILENT
        scene = self.moment(row, row.subject)
        allowed, answer = self.engine.allowed(question, scene)
        if allowed is None:
            return left_open(answer)
        broken = self._refused_by(requiring(row.subject), scene)
        if allowed and broken:
            return said("no", broken)
        if allowed:
            if row.mentions and not any(self.mentions(x, row.mentions) for x in answer.rules):
                return SILENT
            return said("yes", [x for x in answer.rules if x.value in ("may", "must")], answer)
        refusing = [x for x in answer.rules if x.value in ("may not", "must not")]
        if refusing:
            return said("no", refusing, answer)
        if row.subject == self.engine.mechanics.deciding:
            # no word against it: who is recorded to have decided was free to
            return said("yes", self.asked(question, ()))
        near = [n.rule for n in nearest(self.engine, question, scene)][:1]
        return Cell("no", clauses_of(near), "no clause gives it")

    def _must(self, row: Row) -> Cell:
        question = whether("player", row.subject)
        if not self.engine.has(question):
            return SILENT
        answer = self.engine.ask(question, with_facts(self._left(row), row.facts))
        values = set(answer.values)
        if answer.demands is None:
            return left_open(answer)
        if values & BANS:
            return said("may not", [x for x in answer.rules if x.value in BANS])
        if "must" in values:
            return said("must", [x for x in answer.rules if x.value == "must"], answer)
        return said("may" if "may" in values else "need not", answer.rules, answer)

    def _left(self, row: Row) -> SeenScene:
        """The hand at the moment when it is left."""
        judge, _ = self.round(row)
        box = judge.table.boxes[row.box]
        play = r.Play(row.box, row.hand, row.player, self.engine.mechanics.standing, None, n=0)
        return judge.scene(
            box=box,
            hand=box.hands[row.hand],
            player=row.player,
            play=play,
            stake=box.original(row.player),
        )

    # --- bounds, terms, duties

    def _bound(self, row: Row) -> Cell:
        """Which numbers a requirement or an option lets a fact have."""
        whole = list(self._domain(row))
        permitted: list[int] = []
        used: list[Rule] = []
        for number in whole:
            fine, rules = self._permits(row, number)
            if fine is None:
                return Cell(None, clauses_of(rules), f"it hangs on more than {row.subject}", "open")
            used += [x for x in rules if x not in used]
            if fine:
                permitted.append(number)
        if not used:
            return SILENT
        return said(ranges(permitted, whole), used)

    def _domain(self, row: Row) -> Iterable[int]:
        kind = self.engine.rulebook.game.facts[_either(row.subject)[0]].kind
        return range(kind.low, kind.high + 1)

    def _permits(self, row: Row, number: int) -> tuple[bool | None, list[Rule]]:
        """Whether a number is permitted, and by which rules; None where they do not tell."""
        facts = {**row.facts, **dict.fromkeys(_either(row.subject), number)}
        question = Question(row.question)
        if is_act_of(question, "player"):
            scene = with_facts(self.moment(row, actor_and_act(question)[1]), facts)
            allowed, answer = self.engine.allowed(question, scene)
            return allowed, [x for x in answer.rules if self.mentions(x, facts)]
        scene = with_facts(self.scene(row), facts)
        rules = [
            x
            for question in _either(row.question)
            for x in self.engine.ask(Question(question), scene).rules
            if self.mentions(x, _either(row.subject))
        ]
        kept = [self.engine.requirement(x)[0](scene) for x in rules]
        return (False if False in kept else None if None in kept else True), rules

    def _keeps(self, row: Row) -> Cell:
        """Whether the round is allowed by what a moment requires."""
        asked = self.asked(requiring(row.subject), row.mentions)
        if not asked:
            return SILENT
        _, verdict = self.round(row)
        broken = {f.clause for f in verdict.findings if f.code == "R530"}
        rules = [rule for rule in asked if rule.clause in broken]
        if rules:
            return said("no", rules)
        tested = [rule for rule in asked if rule.clause in verdict.tested]
        if tested:
            return said("yes", tested)
        untold = [rule for rule in asked if rule.clause in verdict.not_checked]
        if untold:
            why = verdict.not_checked[untold[0].clause]
            return Cell(None, clauses_of(untold), f"as asked here, {why}", "undecided")
        return SILENT

    def _breaks(self, row: Row) -> Cell:
        """Whether the cards may be dealt in this way."""
        _, verdict = self.round(row)
        found = [
            f
            for f in verdict.findings
            if f.kind == row.subject
            and f.clause is not None
            and (f.code == "R520" or (f.code == "R530" and self._in_turn(f.clause)))
        ]
        if not found:
            return next(
                (
                    Cell(None, (f.clause,) if f.clause else (), f.message, "open")
                    for f in verdict.findings
                    if f.code == "R550" and f.box == 0
                ),
                Cell("yes"),
            )
        return Cell("no", tuple(dict.fromkeys(f.clause for f in found if f.clause is not None)))

    def _in_turn(self, clause: str) -> bool:
        """A clause on the order of the deal, not on the call or on the cards themselves."""
        rules = [x for x in self.asked(requiring("deal"), ()) if x.clause == clause]
        order = ("deal.in_turn", "card.position", "dealer.missed_first", "box.has_main")
        return any(self.mentions(x, order) for x in rules)

    def _asks(self, row: Row) -> Cell:
        """Whether a moment requires something at all."""
        asked = self.asked(requiring(row.subject), row.mentions)
        if not asked:
            return SILENT
        without = [rule for rule in asked if not self._options_off(rule, row)]
        if without or "required" in row.words:  # those words say that it may hang on an option
            return said("required", without or asked)
        off = sorted({name for rule in asked for name in self._options_off(rule, row)})
        return said(f"required with {' or '.join(off)}", asked)

    def _options_off(self, rule: Rule, row: Row) -> set[str]:
        """The options without which a rule does not apply, and that the round does not have."""
        parts = rule.condition.parts if isinstance(rule.condition, t.Both) else (rule.condition,)
        return {
            part.name
            for part in parts
            if isinstance(part, t.Setting)
            and part.kind == "option"
            and part.name not in row.options
        }

    def _deck(self, row: Row) -> Cell:
        """How many cards a deck has: four of each rank that the rulebook lets into the cards."""
        kept = ranks_in_play(self.engine, self.scene(row))
        asked = self.asked(requiring("card"), ("card.rank",))
        return said(str(4 * len(kept)), asked) if asked else SILENT

    def _term(self, row: Row) -> Cell:
        question = defining(row.subject)
        if not self.engine.has(question):
            return SILENT
        answer = self.engine.ask(question, self.scene(row))
        if answer.unknown or len(answer.values) > 1:
            return left_open(answer)
        if not answer.values:
            rules = [rule for rule, _ in self.engine.by_question[question] if rule.value]
            return said("no", rules)
        return said("yes" if answer.values[0] else "no", answer.rules, answer)

    def _dealer(self, row: Row) -> Cell:
        question = whether("dealer", row.subject)
        if not self.engine.has(question):
            return SILENT
        scene = self.scene(row)
        if row.subject == "burn":
            scene = scene.but(card_not_due=True)
        elif "dealer.no_effect" not in row.facts:
            scene = scene.but(no_effect=False)
        scene = with_facts(scene, {"dealer.players_done": True, **row.facts})
        return self._modal(question, scene, row.mentions)

    def _casino(self, row: Row) -> Cell:
        question = whether("casino", row.subject)
        if not self.engine.has(question):
            return SILENT
        return self._modal(question, self.scene(row), row.mentions)

    def _modal(self, question: Question, scene: SeenScene, mentions: Collection[str]) -> Cell:
        answer = self.engine.ask(question, scene)
        rules = [x for x in answer.rules if not mentions or self.mentions(x, mentions)]
        told = {x.value for x in rules}
        clash = "must" in told and bool(told & BANS)
        if clash or any(str(value).startswith("undecided") for value in told):
            return left_open(answer)
        if not told and (answer.unknown or question == DEALER_DRAW):
            near = [n.rule for n in nearest(self.engine, question, scene)][:1]
            return replace(left_open(answer), clauses=clauses_of(answer.unknown or near))
        for word in MODALS:
            if word in told:
                return said(word, [x for x in rules if x.value == word], answer)
        return SILENT

    def _points(self, row: Row) -> Cell:
        """What a card of the hand counts: the first of that rank."""
        scene = self.scene(row)
        hand = scene.hand
        assert hand is not None
        rank = row.subject
        if not self.engine.has(value_of_card(rank)):
            return SILENT
        places = [n for n, card in enumerate(hand.cards, 1) if card.rank == rank]
        place = places[-1] if row.part == "last" else places[0]
        view = scene.but(card=hand.cards[place - 1], card_position=place)
        answer = self.engine.ask(value_of_card(rank), view)
        if not answer.decided:
            return left_open(answer)
        match answer.value:
            case (low, high):
                told = f"{low} or {high}"
            case other:
                told = str(other)
        return said(told, answer.rules, answer)

    # --- what no round shows

    def _clauses(self, row: Row) -> Cell:
        """Clauses about a topic whose title speaks of the subject: what the text says, and that
        the rules do not tell more."""
        pattern = re.compile(row.subject, re.IGNORECASE)
        found = [
            clause
            for clause in self.engine.rulebook.clauses
            if pattern.search(clause.title)
            and (not row.about or set(row.about) & set(clause.about))
        ]
        if not found:
            return SILENT
        unchecked = [clause for clause in found if clause.standing == "not checkable"]
        standing: Standing = "not checkable" if unchecked else "see clause"
        shown = unchecked or found
        titles = "; ".join(dict.fromkeys(clause.title for clause in shown[:2]))
        more = " …" if len(shown) > 2 else ""
        return Cell(titles + more, tuple(clause.id for clause in found), None, standing)


def _either(text: str) -> list[str]:
    return [part.strip() for part in text.split("|")]
