"""The search over all reachable states: contradictions, gaps, rules that never count.

Judged is the text as printed, without the readings; the readings only decide how a round is played
and whether what is found is settled by one. Every finding carries a round that was dealt again and
asked again in the evaluator before it is handed on.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import cached_property, partial

from checker.evaluate.engine import Value
from checker.prove.changes import tell_changes
from checker.prove.conduct import option, splits, ways
from checker.prove.control import control, question
from checker.prove.dealer import dealer
from checker.prove.issues import Clash, Proofs, Proven, at_times, issues, pairs
from checker.prove.pack import pack
from checker.prove.rules import dead, decided, effects, idle_orders, never_counting
from checker.prove.search import MARKED, Search
from checker.prove.values import card_values, terms
from checker.prove.witnessed import report, report_effects, report_overruled
from checker.prove.words import words
from checker.states.diagram import Diagram, OutOfTime
from checker.states.early_end import after_the_end, asked_of_stages
from checker.states.grid import STAKE_FACTS, Row
from checker.states.lines_of_play import STAKE, Line, added_parts
from checker.states.offered import not_offered
from checker.states.row_facts import (
    asked_of,
    column,
)
from checker.states.symbolic import Answers, Symbolic
from checker.states.told_apart import ranks_in
from checker.table.mechanics import Mechanics, won_by
from rulespec.resolve.question import (
    DEALER_DRAW,
    Question,
    about_bet,
    asks_about_bet,
    best_odds,
    defining,
    whether,
)
from rulespec.resolve.rulebook import Rulebook
from rulespec.tree import nodes as t
from rulespec.tree.walk import walk

"""Interim settlement first is an assumption: what only it keeps apart is reported and marked, or
not reported, or found by setting the assumption aside."""


def groups(mechanics: Mechanics) -> dict[str, tuple[Question, ...]]:
    """Questions that are asked of one wager, by the bet. Bets of the rulebook's own are looked at
    elsewhere."""
    main = mechanics.main
    found: dict[str, tuple[Question, ...]] = {
        main: (about_bet(main, "result"),),
        f"{main} odds": (about_bet(main, "odds"), about_bet(main, "highest")),
    }
    usual = [bet for bet in mechanics.game.bets.values() if not bet.own and bet.name != main]
    for bet in usual:
        if bet.settle_only:
            won = defining(won_by(bet.name))
            found[bet.name] = (about_bet(bet.name, "odds"), about_bet(bet.name, "result"), won)
    for bet in usual:
        if not bet.settle_only:
            asked = ("result", "odds", "highest")
            found[bet.name] = tuple(about_bet(bet.name, what) for what in asked)
    return found


WITHDRAW = whether("player", "withdraw")


def prove(rulebook: Rulebook, budget: float | None = None, phases: str = MARKED) -> Proofs:
    """All proofs of one rulebook; what the budget in seconds does not reach is listed."""
    return Prover(rulebook, budget, phases).run()


class Prover(Search):
    @cached_property
    def groups(self) -> dict[str, tuple[Question, ...]]:
        return groups(self.printed.mechanics)

    @property
    def odds(self) -> str:
        """The group of questions about the odds of the main wager."""
        return f"{self.main} odds"

    def run(self, only: Collection[str] | None = None) -> Proofs:
        """All proofs, or those of the named groups of questions."""
        collecting = gc.isenabled()
        gc.disable()  # what is made here is kept to the end: looking for rubbish finds none
        try:
            return self._run(only)
        finally:
            if collecting:
                gc.enable()

    def _run(self, only: Collection[str] | None) -> Proofs:
        steps: list[tuple[str, Callable[[], None]]] = []
        acts = self.printed.mechanics.acts
        draw, stand, split = (whether("player", act) for act in (acts.draw, acts.stand, acts.split))
        for bet, questions in self.groups.items():
            if self.printed.has(questions[0]) or self.printed.has(questions[-1]):
                steps.append((bet, partial(self._bet, bet)))
        if self.printed.has(DEALER_DRAW):
            steps.append((DEALER_DRAW, partial(dealer, self)))
        for action in self.printed.mechanics.usual_plays:
            if self.printed.has(whether("player", action)):
                steps.append((whether("player", action), partial(option, self, action)))
        if self.printed.has(draw) and self.printed.has(stand):
            steps.append((f"{draw} or {acts.stand}", partial(ways, self)))
        if self.printed.has(draw) and self.printed.has(split):
            steps.append((f"{draw} or {acts.split}", partial(splits, self)))
        if self.printed.has(question(self.printed)):
            steps.append((question(self.printed), partial(control, self)))
        if self.printed.has(DEALER_DRAW):
            steps.append(("card values", partial(card_values, self)))
        for name, step in steps:
            if only is not None and name not in only:
                continue
            try:
                if self.deadline is not None and time.monotonic() > self.deadline:
                    raise OutOfTime
                step()
            except OutOfTime:
                self.proofs.undecided.append(f"{name}, in the time given")
        if only is None and not self.proofs.undecided:
            self.proofs.found += self.orders.idle()
        if only is None:
            dead = frozenset(p.rules[0].id for p in self.proofs.found if p.code == "R313")
            self.proofs.found += words(self.printed, self.read, dead) + pack(self.printed)
        tell_changes(self)
        return self.proofs

    # --- spaces

    def space(self, bet: str) -> Symbolic:
        questions = self.groups[bet]
        asked = [
            asked_of(self.printed, r.condition, set())
            for q in questions
            for r, _ in self.printed.by_question.get(q, ())
        ]
        if not {"wager.withdrawn", "hand.withdrawn"}.isdisjoint(set().union(*asked)):
            questions = (*questions, WITHDRAW)
        players = self._players(bet)
        dealers = [self.dealer_row(cards) for cards in self.dealers(bet)]
        if bet == self.odds:
            # a wager that wins: best against a dealer whose hand is over
            totals = column(self.printed, players, "hand.total")
            players = [r for r, total in zip(players, totals, strict=True) if _can_win(r, total)]
            dealers = [replace(r, size=-9) if _over(r) else r for r in dealers]
        stakes = self._stakes(questions) if bet in self.printed.mechanics.bonuses else [STAKE]
        self.note(questions, players, dealers, stakes)
        space = Symbolic(
            self.printed,
            questions,
            players,
            dealers,
            stakes,
            self.tick,
            (*at_times(self.read, questions), *asked_of_stages(self.printed.rulebook.game)),
        )
        self.proofs.states += len(space.cells)
        return space

    def _players(self, bet: str) -> list[Row]:
        """The hands on which a bet is settled; the main wager, its odds and its bonus see the
        same."""
        if self._on_hands(bet):
            if self._main is None:
                self._main = [
                    self.row(line, part, self.main)
                    for line in self.lines()
                    for part in line.parts()
                ]
            if bet not in self.printed.mechanics.bonuses:
                return self._main
            double, _ = added_parts()
            return [
                row
                for row in self._main
                if row.line is not None and not row.line.shared and row.part != double
            ]
        later = self.printed.mechanics.placed_by(bet)
        lines = self.placing(bet) if later else self._first_cards(bet)
        return [self.row(line, line.parts()[0], bet) for line in lines]

    def _first_cards(self, bet: str) -> list[Line]:
        """Pairs of first cards: of one rank or not, of one suit, colour, or neither."""
        found: list[Line] = []
        ranks = self.states.all_ranks
        for one in ranks:
            other = "8" if one == "9" else "9"
            for rank in (one, other):
                for suits in ("SS", "SC", "SH", "HH", "HD", "HS"):
                    found.append(Line((one + suits[0], rank + suits[1])))
        third = self.states.want.facts & {"third.rank", "third.suit"}
        if third and self.printed.mechanics.first_cards(bet) > 2:
            named = self._named_by(bet)
            for line in [x for x in found if x.cards[0][0] == x.cards[1][0] in named]:
                rank = line.cards[0][0]
                other = "8" if rank == "9" else "9"
                found += [
                    line.but(cards=(*line.cards, card))
                    for card in (rank + "S", rank + "H", other + "S")
                    if self.states.may(self.printed.mechanics.acts.draw, line)
                ]
        return found

    def _named_by(self, bet: str) -> set[str]:
        """The ranks that the rules on a bet name."""
        return {
            rank
            for question in self.groups[bet]
            for rule, _ in self.printed.by_question.get(question, ())
            for node in walk(rule.condition)
            if isinstance(node, t.Compare | t.OneOf)
            for rank in ranks_in(node)
        }

    def _on_hands(self, bet: str) -> bool:
        """All these are asked of the same hands."""
        return bet in (self.main, self.odds, *self.printed.mechanics.bonuses)

    def _stakes(self, questions: Iterable[Question]) -> list[int]:
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
        domain = d.without(d.both(domain, self._withdrawn(space)), after_the_end(space))
        domain = d.without(domain, not_offered(space))
        odds = about_bet(bet.partition(" ")[0], "odds")
        if bet in self.printed.mechanics.bonuses:
            bonus = space.answers(odds)
            self._conflicts(space, odds, bonus, domain, bet)
            owed, _ = space.holds(won_by(bet))
            self._gaps(space, odds, bonus, owed, bet)
            self._rules(space, odds, bonus, domain, bet)
            terms(self, space, domain, bet)
            return
        terms(self, space, domain, bet)
        won = domain
        if bet != self.odds:
            result = about_bet(bet, "result")
            results = space.answers(result)
            self._conflicts(space, result, results, domain, bet)
            if self.phases == MARKED:
                self._hidden(space, result, results, domain, bet)
            self._gaps(space, result, results, domain, bet)
            self._rules(space, result, results, domain, bet)
            won = d.both(results.value("wins"), domain)
        if bet != self.odds and not self.printed.has(odds):
            others = [s for value, s in results.outcome().items() if value != "wins"]
            clear = d.without(won, d.any_of(others))
            self._gaps(space, odds, space.answers(odds), clear, bet)
        if odds in space.questions:
            highest = d.none
            best = best_odds(odds)
            if self.printed.has(best):
                highest = space.answers(best).answered()
            payouts = space.answers(odds)
            self._conflicts(space, odds, payouts, d.without(won, highest), bet)
            self._gaps(space, odds, payouts, won, bet)
            self._rules(space, odds, payouts, won, bet, highest)

    def _withdrawn(self, space: Symbolic) -> Diagram:
        """Wagers are only withdrawn where a clause lets the player do so."""
        d = space.d
        flag = ("fact", "withdrawn")
        if flag not in space.flags or not space.engine.has(WITHDRAW):
            return d.all
        answers = space.answers(WITHDRAW)
        may, banned = d.none, d.none
        for rule in answers.rules:
            known = decided(space.engine, rule)
            if rule.value in ("may", "must"):
                may = d.either(may, answers.kept[rule.id] if known else d.all)
            elif known:
                banned = d.either(banned, answers.kept[rule.id])
        kept_in = d.flag(space.flags.index(flag), frozenset({0}))
        return d.either(kept_in, d.without(may, banned))

    def _conflicts(
        self, space: Symbolic, question: Question, answers: Answers, domain: Diagram, bet: str
    ) -> None:
        for cluster in issues(self.read, space, question, answers, pairs(space, answers, domain)):
            same_table = all(len({r.origin.clause for r in c.rules}) == 1 for c in cluster)
            code = "R316" if same_table and asks_about_bet(question, "odds") else "R310"
            report(self, space, cluster, code, question, bet, self.printed)

    def _hidden(
        self, space: Symbolic, question: Question, answers: Answers, domain: Diagram, bet: str
    ) -> None:
        """Contradictions of the final settlement that interim settlement first keeps away."""
        if answers.interim == space.d.none:
            return
        hidden = space.d.both(answers.interim, domain)
        seen = {frozenset(c.clauses) for c in pairs(space, answers, domain)}
        final = space.answers(question, final_only=True, beats=self.final.beats(question))
        clashes = [c for c in pairs(space, final, hidden) if frozenset(c.clauses) not in seen]
        ordinary = [c for c in clashes if "void" not in c.values]
        for cluster in issues(self.read, space, question, final, ordinary):
            report(self, space, cluster, "R310", question, bet, self.final, hidden=True)

    def _gaps(
        self, space: Symbolic, question: Question, answers: Answers, owed: Diagram, bet: str
    ) -> None:
        d = space.d
        if self._on_hands(bet) and not self.printed.has(DEALER_DRAW):
            return  # a fragment: it does not say which hands there are
        gap = d.without(d.without(owed, answers.answered()), answers.open())
        if gap == d.none:
            return
        for n, _ in enumerate(space.cells.stakes):
            states = d.both(gap, d.leaf(space.cells.of("stake", 1 << n)))
            if states != d.none:
                report(self, space, [Clash(states)], "R312", question, bet, self.printed)

    def _rules(
        self,
        space: Symbolic,
        question: Question,
        answers: Answers,
        domain: Diagram,
        bet: str,
        settled: Diagram | None = None,
    ) -> None:
        """Rules that never apply, never count, change nothing, or only where clauses differ."""
        if not self.printed.has(DEALER_DRAW):
            return
        never = dead(space, question, answers, domain)
        self.proofs.found += [Proven("R313", question, (rule,), 0) for rule in never]
        overruled = never_counting(space, answers, domain)
        for rule, over, states in overruled:
            report_overruled(self, space, rule, over, states, question, bet)
        spared = {rule.id for rule in never} | {rule.id for rule, _, _ in overruled}
        done = effects(space, question, answers, domain, spared, settled)
        report_effects(self, space, done, question, bet)
        self.orders.note(question, idle_orders(space, question, answers, domain))


def _can_win(row: Row, total: Value) -> bool:
    line = row.line
    given_up = line is not None and (line.surrendered or line.forfeited)
    return not given_up and (
        total is None or (isinstance(total, int) and total <= row.scene.engine.mechanics.limit)
    )


def _over(row: Row) -> bool:
    total = row.scene.fact("dealer.total")
    return isinstance(total, int) and total > row.scene.engine.mechanics.limit
