"""The search over all reachable states: contradictions, gaps, rules that never count.

Judged is the text as printed, without the readings; the readings only decide how a round is played
and whether what is found is settled by one. Every finding carries a round that was dealt again and
asked again in the evaluator before it is handed on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

from checker.cells import STAKE_FACTS, Row
from checker.diagram import Diagram, OutOfTime
from checker.engine import Answer, Engine
from checker.lines_of_play import SHOE, STAKE, Line, quick_table, round_of, scene_of
from checker.prove_conduct import dealer, option
from checker.prove_rules import (
    OPTIONS,
    dead,
    redundant,
)
from checker.proven import Clash, Proofs, Proven, clusters, merged, pairs
from checker.scene import SeenScene
from checker.states import States, walk
from checker.symbolic import Answers, Symbolic
from checker.table import Dealt, Table
from checker.witness import Replayer, Witness
from rulespec import tree as t
from rulespec.clause_ids import ClauseIndex
from rulespec.precedence import precedence
from rulespec.rulebook import Rule, Rulebook

GROUPS: dict[str, tuple[str, ...]] = {
    # questions that are asked of one wager, by the bet
    "main": ("main.result",),
    "main odds": ("main.odds", "main.highest"),
    "super_bonus": ("super_bonus.odds", "super_bonus.result", "define wager.super_bonus"),
    "insurance": ("insurance.result", "insurance.odds", "insurance.highest"),
    "perfect_pairs": ("perfect_pairs.result", "perfect_pairs.odds", "perfect_pairs.highest"),
    "super_sevens": ("super_sevens.result", "super_sevens.odds", "super_sevens.highest"),
}


def as_printed(rulebook: Rulebook) -> Rulebook:
    """The text without any reading, with the precedence that is printed."""
    index = ClauseIndex((entry.id, entry.section) for entry in rulebook.clauses)
    printed = precedence(rulebook.clauses, rulebook.sections, (), index)
    return replace(
        rulebook, rules=tuple(r for r in rulebook.rules if r.reading is None), precedence=printed
    )


def text_in_force(rulebook: Rulebook, day: date | None) -> Rulebook:
    """The text of one day; without a day, when every clause that ever begins has begun."""
    if day is None:
        starts = [c.start for c in rulebook.clauses if c.start is not None]
        if not starts:
            return rulebook
        day = max(starts)
    return rulebook.on(day)


def prove(rulebook: Rulebook, budget: float | None = None) -> Proofs:
    """All proofs of one rulebook; what the budget in seconds does not reach is listed."""
    return Prover(rulebook, budget).run()


class Prover:
    def __init__(self, rulebook: Rulebook, budget: float | None = None) -> None:
        self.deadline = None if budget is None else time.monotonic() + budget
        self.read = Engine(rulebook)
        self.printed = Engine(as_printed(rulebook))
        final = tuple(r for r in self.printed.rulebook.rules if not r.interim)
        self.final = Engine(replace(self.printed.rulebook, rules=final))
        self.replayer = Replayer(self.printed, self.read)
        self.states = States(self.read, self.tick)
        self.proofs = Proofs()
        self.order = {r.id: n for n, r in enumerate(rulebook.rules)}
        self.blank = round_of("bet 1 P1 10\n")
        self._ticks = 0
        self._tables: dict[Line, Table] = {}
        self._settled: list[Line] | None = None
        self._drawn: list[tuple[str, ...]] | None = None

    def tick(self) -> None:
        self._ticks += 1
        if self.deadline is not None and self._ticks % 64 == 0 and time.monotonic() > self.deadline:
            raise OutOfTime

    def run(self) -> Proofs:
        steps: list[tuple[str, Callable[[], None]]] = []
        for bet, questions in GROUPS.items():
            if self.printed.has(questions[0]) or self.printed.has(questions[-1]):
                steps.append((bet, partial(self._bet, bet)))
        if self.printed.has("dealer draw"):
            steps.append(("dealer draw", partial(dealer, self)))
        for action in OPTIONS:
            if self.printed.has(f"player {action}"):
                steps.append((f"player {action}", partial(option, self, action)))
        for name, step in steps:
            try:
                if self.deadline is not None and time.monotonic() > self.deadline:
                    raise OutOfTime
                step()
            except OutOfTime:
                self.proofs.undecided.append(name)
        self.proofs.dropped = self.replayer.dropped
        self.proofs.found = merged(self.proofs.found)
        return self.proofs

    # --- spaces

    def row(self, line: Line, part: str, bet: str) -> Row:
        table = self._tables.get(line)
        if table is None:
            table = self._tables[line] = quick_table(line, self.blank)
        scene = scene_of(self.printed, table, line, part, STAKE, bet)
        return Row(line, part, (), scene, line.size + (part == "double"))

    def dealer_row(self, cards: tuple[str, ...]) -> Row:
        dealt = tuple(Dealt(c, n, False) for n, c in enumerate(cards))
        scene = SeenScene(self.printed, Table(self.blank), SHOE, dealt, no_effect=False)
        return Row(None, "", cards, scene, len(cards))

    def space(self, bet: str) -> Symbolic:
        questions = GROUPS[bet]
        lines = self._lines(bet)
        players = [self.row(line, p, bet) for line in lines for p in self._parts(line, bet)]
        dealers = [self.dealer_row(cards) for cards in self.dealers(bet)]
        if bet == "main odds":
            # a wager that wins: best against a dealer over 21
            players = [row for row in players if _can_win(row)]
            dealers = [replace(r, size=-9) if _over(r) else r for r in dealers]
        stakes = self._stakes(questions) if bet == "super_bonus" else [STAKE]
        space = Symbolic(self.printed, questions, players, dealers, stakes, self.tick)
        self.proofs.states += len(space.cells)
        return space

    def _parts(self, line: Line, bet: str) -> tuple[str, ...]:
        return line.parts() if bet in ("main", "main odds") else line.parts()[:1]

    def _lines(self, bet: str) -> list[Line]:
        if bet in ("main", "main odds", "super_bonus"):
            lines = self.lines()
            return lines if bet != "super_bonus" else [x for x in lines if not x.shared]
        if bet == "insurance":
            return [Line(("9S", "8H"))]
        return self._first_cards(bet)

    def lines(self) -> list[Line]:
        if self._settled is None:
            self._settled = self.states.lines()
        return self._settled

    def _first_cards(self, bet: str) -> list[Line]:
        """Pairs of first cards: of one rank or not, of one suit, colour, or neither."""
        found: list[Line] = []
        ranks = self.states.all_ranks
        for one in ranks:
            other = "8" if one == "9" else "9"
            for rank in (one, other):
                for suits in ("SS", "SC", "SH", "HH", "HD", "HS"):
                    found.append(Line((one + suits[0], rank + suits[1])))
        if bet == "super_sevens" and self.states.want.facts & {"third.rank", "third.suit"}:
            sevens = [x for x in found if x.cards[0][0] == x.cards[1][0] == "7"]
            found += [
                line.but(cards=(*line.cards, card))
                for line in sevens for card in ("7S", "7H", "9S") if self.states.may("draw", line)
            ]  # fmt: skip
        return found

    def dealers(self, bet: str) -> list[tuple[str, ...]]:
        if self._drawn is None:
            self._drawn = self.states.dealer_hands()
        if bet != "insurance":
            return self._drawn
        line = Line(("9S", "8H"))
        firsts = {f for f in self.states.all_ranks if self.states.may("insure", line, f)}
        return [cards for cards in self._drawn if cards[0][0] in firsts]

    def _stakes(self, questions: Iterable[str]) -> list[int]:
        """The amounts that conditions compare a stake with, and one step to either side."""
        named: set[int] = set()
        for rule in self.printed.rulebook.rules:
            for node in walk(rule.condition):
                if isinstance(node, t.Compare | t.Between | t.OneOf):
                    inside = list(walk(node))
                    if any(isinstance(n, t.Fact) and n.name in STAKE_FACTS for n in inside):
                        named |= {n.cents for n in inside if isinstance(n, t.Money)}
        steps = {c + step for c in named for step in (-50, 0, 50)}
        return [STAKE, *sorted(s for s in steps if s > 0 and s != STAKE)]

    # --- what is found

    def _bet(self, bet: str) -> None:
        space = self.space(bet)
        d = space.d
        domain = d.all
        option = ("option", bet)
        if option in space.flags:
            domain = d.flag(space.flags.index(option), frozenset({1}))
        if bet == "super_bonus":
            bonus = space.answers("super_bonus.odds")
            self._conflicts(space, "super_bonus.odds", bonus, domain, bet)
            owed, _ = space.holds("wager.super_bonus")
            self._gaps(space, "super_bonus.odds", bonus, owed, bet)
            self._rules(space, "super_bonus.odds", bonus, domain)
            term = "define wager.super_bonus"
            self._conflicts(space, term, space.answers(term), domain, bet)
            return
        won = domain
        name = bet.partition(" ")[0]
        if bet != "main odds":
            result = f"{bet}.result"
            results = space.answers(result)
            self._conflicts(space, result, results, domain, bet)
            self._hidden(space, result, results, domain, bet)
            self._gaps(space, result, results, domain, bet)
            self._rules(space, result, results, domain)
            won = d.both(results.value("wins"), domain)
        odds = f"{name}.odds"
        if odds in space.questions:
            highest = d.none
            if self.printed.has(f"{name}.highest"):
                highest = space.answers(f"{name}.highest").answered()
            payouts = space.answers(odds)
            self._conflicts(space, odds, payouts, d.without(won, highest), bet)
            self._gaps(space, odds, payouts, won, bet)
            self._rules(space, odds, payouts, won)

    def _conflicts(
        self, space: Symbolic, question: str, answers: Answers, domain: Diagram, bet: str
    ) -> None:
        for cluster in clusters(space, pairs(space, answers, domain)):
            same_table = all(len(set(c.clauses)) == 1 for c in cluster)
            code = "R316" if same_table and question.endswith(".odds") else "R310"
            self._report(space, cluster, code, question, bet, self.printed)

    def _hidden(
        self, space: Symbolic, question: str, answers: Answers, domain: Diagram, bet: str
    ) -> None:
        """Contradictions of the final settlement that interim settlement first keeps away."""
        if answers.interim == space.d.none:
            return
        hidden = space.d.both(answers.interim, domain)
        seen = {frozenset(c.clauses) for c in pairs(space, answers, domain)}
        final = space.answers(question, final_only=True, beats=self.final.beats(question))
        clashes = [
            c for c in pairs(space, final, hidden) if frozenset(c.clauses) not in seen
        ]  # fmt: skip
        ordinary = [c for c in clashes if "void" not in c.values]
        for cluster in clusters(space, ordinary):
            self._report(space, cluster, "R310", question, bet, self.final, hidden=True)

    def _gaps(
        self, space: Symbolic, question: str, answers: Answers, owed: Diagram, bet: str
    ) -> None:
        d = space.d
        if bet in ("main", "main odds", "super_bonus") and not self.printed.has("dealer draw"):
            return  # a fragment: it does not say which hands there are
        gap = d.without(d.without(owed, answers.answered()), answers.open())
        if gap == d.none:
            return
        for stake in dict.fromkeys(c.stake for c in space.cells):
            mask = sum(1 << n for n, c in enumerate(space.cells) if c.stake == stake)
            states = d.both(gap, d.leaf(mask))
            if states != d.none:
                self._report(space, [Clash(states)], "R312", question, bet, self.printed)

    def _rules(self, space: Symbolic, question: str, answers: Answers, domain: Diagram) -> None:
        """Rules that never apply, and clauses that change nothing."""
        if not self.printed.has("dealer draw"):
            return
        never = dead(space, question, answers, domain)
        self.proofs.found += [Proven("R313", question, (rule,), 0) for rule in never]
        spared = {rule.id for rule in never}
        for rule in redundant(space, question, answers, domain, spared):
            self.proofs.found.append(Proven("R314", question, (rule,), 0))

    # --- replaying

    def _report(
        self, space: Symbolic, cluster: list[Clash], code: str, question: str, bet: str,
        engine: Engine, *, hidden: bool = False,
    ) -> None:  # fmt: skip
        rules: dict[str, Rule] = {}
        for clash in cluster:
            rules.update({r.id: r for r in (clash.one, clash.other) if r is not None})
        count = space.d.cells(space.d.any_of([c.states for c in cluster])).bit_count()
        for clash in cluster[:3]:
            found = self._shown(space, clash, code, question, bet, engine)
            if found is None:
                continue
            witness, table, values = found
            first = [r for r in (clash.one, clash.other) if r is not None]
            ordered = dict.fromkeys([*first, *rules.values()])
            if len(cluster) > 1:  # the clause that all have in common comes first
                common = set(cluster[0].clauses).intersection(*(c.clauses for c in cluster))
                ordered = dict.fromkeys(sorted(ordered, key=lambda r: r.clause not in common))
            self.proofs.found.append(
                Proven(
                    code, question, tuple(ordered), count, witness, hidden,
                    self._settled_by(question, witness, table), values,
                )
            )  # fmt: skip
            return
        self.replayer.dropped += 1

    def _shown(
        self, space: Symbolic, clash: Clash, code: str, question: str, bet: str, engine: Engine
    ) -> tuple[Witness, Table, tuple[Any, ...]] | None:
        """The smallest round that shows it and that the evaluator confirms."""
        name = bet.partition(" ")[0]
        for witness, table in self.replayer.candidates(space, clash.states, name):
            answer = self.replayer.ask(engine, question, witness, table)
            if answer.unknown:
                continue
            if question == "main.odds":
                won = self.replayer.ask(self.read, "main.result", witness, table)
                if won.values != ("wins",):
                    continue
            if code == "R312":
                if answer.values:
                    continue
            elif len(answer.values) < 2 or not set(clash.clauses) <= set(answer.clauses):
                continue
            return witness, table, answer.values
        return None

    def _settled_by(self, question: str, witness: Witness, table: Table) -> tuple[str, ...]:
        """The readings by which the text as read has an answer where the printed one has none."""
        answer = self.replayer.ask(self.read, question, witness, table)
        if len(answer.values) > 1 and question.endswith(".odds"):
            highest = question.replace(".odds", ".highest")
            best = self.replayer.ask(self.read, highest, witness, table)
            return tuple(dict.fromkeys(r.reading for r in best.rules if r.reading))
        if len(answer.values) != 1 or answer.unknown:
            return ()
        return self.by_reading(answer)

    def by_reading(self, answer: Answer) -> tuple[str, ...]:
        names = [r.reading for r in answer.rules if r.reading]
        book = self.read.rulebook
        readings = {x.name for x in book.readings}
        for loser, winner in answer.beaten:
            names += [
                why for w, lost, why in book.precedence
                if (w, lost) == (winner.clause, loser.clause) and why in readings
            ]  # fmt: skip
        return tuple(dict.fromkeys(names))


def _can_win(row: Row) -> bool:
    line = row.line
    total = row.scene.fact("hand.total")
    given_up = line is not None and (line.surrendered or line.forfeited)
    return not given_up and (total is None or (isinstance(total, int) and total <= 21))


def _over(row: Row) -> bool:
    total = row.scene.fact("dealer.total")
    return isinstance(total, int) and total > 21
