"""Where two texts differ in meaning, over all hands that can be dealt under both."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from checker.diff.classes import ChangeClass, Meaning, Outcome, SideAnswer, Undecided
from checker.diff.comparison import Comparison
from checker.diff.facts import compare_facts
from checker.diff.hands.domains import stays_open, untold
from checker.diff.hands.joint import Joint
from checker.diff.hands.side import Side
from checker.diff.hands.space import Space
from checker.diff.hands.states import Reached, shared
from checker.diff.make_class import class_of
from checker.diff.not_shown import unseen
from checker.diff.options import dealer_parts, option_parts
from checker.diff.printed.declared import declared_otherwise
from checker.diff.same_rules import form_of
from checker.diff.settlements import Difference, Parts, bonus, differences, plain, settlement
from checker.evaluate.engine import Engine
from checker.log import model as r
from checker.states.declared_words import asked_at_all
from checker.states.diagram import Diagram, OutOfTime
from checker.states.grid import Flag
from checker.states.lines_of_play import STAKE, Line
from checker.states.not_modelled import moving_money
from checker.states.row_facts import asked_of
from checker.table.mechanics import ORIGINAL, won_by
from rulespec.resolve.question import (
    DEALER_DRAW,
    DECLARATIONS,
    Question,
    about_bet,
    bet_and_what,
    defining,
    is_definition,
    whether,
)
from rulespec.resolve.rulebook import Rule

_LATER = (("play.before_subsequent_deal", False),)
_CHOSEN = frozenset({"player.controls", "play.controller_did", "player.next_in_line"})
_SETTLED = ("result", "odds", "highest")


class Comparer(Comparison):
    """Every question that the texts answer, one after the other."""

    def run(self, until_one_differs: bool = False) -> Meaning:
        """All differences, or where only their absence counts, those of the first question."""
        steps: list[tuple[Question, Callable[[], None]]] = []
        for bet in self.subjects.shared:
            steps.append((about_bet(bet, "result"), partial(self.bet, bet)))
        steps.append((DEALER_DRAW, self.dealer))
        choices = self.subjects.choices
        steps += [(whether("player", action), partial(self.option, action)) for action in choices]
        done = {name for name, _ in steps}
        whats = ("odds", "highest", "settles")
        done |= {about_bet(bet, what) for bet in self.subjects.shared for what in whats}
        others = sorted({rule.question for e in self.engines for rule in e.rulebook.rules} - done)
        steps += [(q, partial(compare_facts, self, q)) for q in others if not is_definition(q)]
        for name, step in steps:
            if until_one_differs and self.found.classes:
                self.found.complete = False
                break
            try:
                if self.deadline is not None and time.monotonic() > self.deadline:
                    raise OutOfTime
                step()
            except OutOfTime:
                why = "the time given was not enough"
                self.found.undecided.append(Undecided(name, self.subjects.of(name), why))
                self.found.complete = False
        self._not_modelled()
        return self.found

    def _not_modelled(self) -> None:
        """Questions on which the texts are worded differently and of which not all is compared."""
        old, new = (engine.rulebook.game for engine in self.engines)
        for what in declared_otherwise(old, new) if old.name == new.name else ():
            why = f"{what}, and what that changes at the table is not compared"
            about = self.subjects.of(DECLARATIONS)
            self.found.undecided.append(Undecided(DECLARATIONS, about, why))
            self.found.complete = False
        asked = {rule.question for e in self.engines for rule in e.rulebook.rules}
        for question in sorted(q for q in asked if not is_definition(q)):
            if self.prints[0].of(question) == self.prints[1].of(question):
                continue
            reasons: set[str] = set()
            clauses: list[tuple[str, ...]] = []
            in_both = set.intersection(
                *(
                    {form_of(rule) for rule, _ in e.by_question.get(question, ())}
                    for e in self.engines
                )
            )
            for engine in self.engines:
                rules = [rule for rule, _ in engine.by_question.get(question, ())]
                parts = [
                    (
                        rule,
                        asked_at_all(engine, (rule.condition, rule.value))
                        | (
                            _of_own_actions(engine, rule) if form_of(rule) not in in_both else set()
                        ),
                    )
                    for rule in rules
                ]
                reasons.update(what for _, some in parts for what in some)
                clauses.append(tuple(dict.fromkeys(rule.clause for rule, some in parts if some)))
            if reasons:
                why = f"{', '.join(sorted(reasons))}: not modelled"
                about = self.subjects.of(question)
                self.found.undecided.append(Undecided(question, about, why, *clauses))
                self.found.complete = False

    # --- wagers

    def bet(self, bet: str) -> None:
        """What a wager gets back and when: result, odds and time of settlement."""
        questions = [about_bet(bet, what) for what in _SETTLED]
        timing = about_bet(bet, "settles")
        rests_on = [defining(won_by(bet))] if bet in self.bonuses else []
        named = [any(engine.has(q) for q in questions[:2]) for engine in self.engines]
        same, timed_alike = self.same(*questions, *rests_on), self.same(timing)
        if not any(named) or (same and timed_alike):
            return
        if not all(named):
            self._offered(bet, questions[:2], named[0])
            return
        asked = [*questions, *rests_on, timing]
        dealers = list(self.states.dealers())
        if bet not in self.bonuses:
            dealers += self.states.first_dealer_cards()
        space = self.space(asked, self.players(bet), dealers)
        usual = self._usual(space, bet)
        domain = self._both_reach(space, usual)
        if not same:
            self._settlement(space, bet, self._ended(space, bet, domain), usual)
        if not timed_alike:
            domain = space.d.without(domain, space.short())
            self._timing(space, bet, domain, usual)

    @staticmethod
    def _ended(space: Space, bet: str, domain: Diagram) -> Diagram:
        """Without states that are no end: one card before the dealer is where a round was broken
        off by some event, and then one of the texts calls it void or leaves it open."""
        d = space.d
        going_on = space.short()
        domain = d.without(domain, space.uneventful(going_on))
        for side in space.sides if going_on != d.none else ():
            results = side.asked(about_bet(bet, "result"))
            for value in ("void", "undecided"):
                going_on = d.without(going_on, results.value(value))
        return d.without(domain, going_on)

    def _both_reach(self, space: Space, usual: frozenset[Flag] = frozenset()) -> Diagram:
        """The states that both texts let come about."""
        d = space.d
        domain = d.both(d.leaf(space.reach(0) & space.reach(1)), space.possible())
        for flag in usual:
            domain = d.both(domain, d.flag(space.flags.index(flag), frozenset({1})))
        return domain

    def _settlement(self, space: Space, bet: str, domain: Diagram, usual: frozenset[Flag]) -> None:
        def parts(side: Side, where: Diagram) -> Parts:
            return (bonus if bet in self.bonuses else settlement)(side, bet, where)

        found, complete = differences(space, domain, parts, usual)
        for what in ("result", "odds", "highest"):
            self.keep(about_bet(bet, what), space, domain, found)
        self._done(about_bet(bet, "result"), space, found, complete)
        for one in found:
            shown = self.shower.settlement(space, one, bet)
            differ = self._odds_differ(bet, one)
            code, cited = ("R602", "odds") if differ else ("R601", "result")
            question = about_bet(bet, "result")
            made = class_of(space, one, question, code, [about_bet(bet, cited)], shown, usual)
            self.found.classes.append(made)

    def _timing(self, space: Space, bet: str, domain: Diagram, usual: frozenset[Flag]) -> None:
        question = about_bet(bet, "settles")
        d = space.d
        for side in space.sides if bet not in self.bonuses else ():
            # when a wager that is void goes back, no text says
            domain = d.without(domain, side.asked(about_bet(bet, "result")).value("void"))
        found, complete = differences(
            space, domain, lambda side, where: plain(side, question, where), usual
        )
        self.keep(question, space, domain, found)
        self._done(question, space, found, complete)
        for one in found:
            shown = self.shower.question(space, one, bet, question)
            made = class_of(space, one, question, "R606", [question], shown, usual)
            self.found.classes.append(made)

    def _offered(self, bet: str, questions: list[Question], was: bool) -> None:
        """A wager that only one of the texts knows."""
        engine = self.engines[0 if was else 1]
        clauses = tuple(
            dict.fromkeys(
                rule.clause for q in questions for rule, _ in engine.by_question.get(q, ())
            )
        )
        yes = SideAnswer(Outcome(("offered",)), clauses)
        no = SideAnswer(Outcome(("not offered",)), ())
        old, new = (yes, no) if was else (no, yes)
        question = about_bet(bet, "result")
        about = self.subjects.of(question)
        self.found.classes.append(ChangeClass("R603", about, question, old, new, 0))

    @staticmethod
    def _usual(space: Space, bet: str) -> frozenset[Flag]:
        option = ("option", bet)
        return frozenset({option} if option in space.flags else ())

    def players(self, bet: str) -> list[Joint]:
        if bet not in self._rows:
            self._rows[bet] = self._players(bet)
        return self._rows[bet]

    def _players(self, bet: str) -> list[Joint]:
        states = self.states
        if bet == self.mechanics.main or bet in self.bonuses:
            # a bonus is asked of a wager once, whatever was added to it
            return [
                states.row(x, p, bet, supposed=also)
                for x in shared(states.lines())
                for p in x.line.parts()[: 1 if bet in self.bonuses else None]
                for also in states.supposed_of(x.line, f"{bet}.")
            ]
        play = self.mechanics.placed_by(bet)
        hands = states.placing(bet, play) if play else states.first_cards(bet)
        return [
            states.row(x, ORIGINAL, bet, supposed=also)
            for x in hands
            for also in states.supposed_of(x.line, f"{bet}.")
        ]

    # --- play

    def option(self, action: str) -> None:
        question = whether("player", action)
        if self.same(question) or not any(e.has(question) for e in self.engines):
            return
        rows = self._moments(action)
        firsts = self.states.first_dealer_cards()
        open_ = lambda fact, game: fact in _CHOSEN or stays_open(fact, game)  # noqa: E731
        space = self.space([question], rows, firsts, supposed=open_)
        domain = self._both_reach(space)
        found, complete = differences(
            space, domain, lambda side, where: option_parts(side, action, where)
        )
        self.keep(question, space, domain, found)
        self._done(question, space, found, complete)
        for one in found:
            shown = self.shower.option(space, one, action)
            self.found.classes.append(class_of(space, one, question, "R603", [question], shown))

    def _moments(self, action: str) -> list[Joint]:
        """The hands on which a choice can be made."""
        states = self.states
        do, main = self.mechanics.word_for(action), self.mechanics.main
        if self.mechanics.gives_up_whole(action):
            reached = [
                x
                for x in states.lines()
                if x.line.doubled_with is not None and not (x.line.forfeited or x.line.shared)
            ]
        else:
            reached = states.all_moments()
        rows: list[Joint] = []
        for x in shared(reached):
            act = r.Play(1, x.line.number, "P1", do, STAKE)
            for here in (x, *states.with_more_hands(x)):
                rows.append(states.row(here, x.line.parts()[0], main, act))
            alone = x.line.pair is None
            for also in states.supposed_of(x.line, whether("player", action)):
                if also and (alone or x.line.number > 1):
                    rows.append(states.row(x, x.line.parts()[0], main, act, also))
            if len(x.line.cards) == 2 and x.line.pair is None:
                # another box may have drawn before
                rows.append(states.row(x, ORIGINAL, main, act, _LATER))
        return rows

    def dealer(self) -> None:
        question = DEALER_DRAW
        if self.same(question):
            return
        player = Reached(Line(("KS", "9H")), (True, True), (None, None))
        rows = [self.states.row(player, ORIGINAL)]
        space = self.space([question], rows, self.states.dealers_seen())
        domain = self._both_reach(space)
        found, complete = differences(space, domain, dealer_parts)
        self.keep(question, space, domain, found)
        self._done(question, space, found, complete)
        for one in found:
            shown = self.shower.dealer(space, one)
            self.found.classes.append(class_of(space, one, question, "R603", [question], shown))

    # --- classes

    def _done(
        self, question: Question, space: Space, found: list[Difference], complete: bool
    ) -> None:
        """What the hands do not show, and the texts do not ask alike, is not decided by them."""
        facts = space.asked_otherwise(lambda fact: untold(question, fact, self.mechanics))
        if facts and not found:
            named = ", ".join(f"`{fact}`" for fact in sorted(facts))
            why = f"worded differently; the hands compared do not show all of {named}"
            self.found.undecided.append(Undecided(question, self.subjects.of(question), why))
        elif not found or self.engines[0].rulebook.id == self.engines[1].rulebook.id:
            bet, what = bet_and_what(question)
            asked = [about_bet(bet, x) for x in _SETTLED] if what == "result" else [question]
            if moments := unseen(self.engines, asked):
                why = f"worded differently, and no hand compared is {' or '.join(moments)}"
                self.found.undecided.append(Undecided(question, self.subjects.of(question), why))
        self.found.complete &= complete and not facts
        self.found.proven.append(question)

    def _odds_differ(self, bet: str, one: Difference) -> bool:
        """It is the odds that tell the states of a class apart; a bonus has nothing else."""
        return bet in self.bonuses or one.was.values == one.becomes.values


def _of_own_actions(engine: Engine, rule: Rule) -> set[str]:
    """The actions of the rulebook's own that bring about what a rule asks of a wager."""
    acts = moving_money(engine.rulebook.game)
    asks = bool(acts) and any(
        f.startswith("wager.") for f in asked_of(engine, rule.condition, set())
    )
    return {f"the action `{act}`" for act in acts} if asks else set()
