"""From a set of states to a finding: the smallest round that shows it, dealt and asked again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from checker.evaluate.engine import Answer, Engine
from checker.evaluate.words.why_not import where_missing
from checker.prove.finding_words import Phrases, listed
from checker.prove.issues import Clash, Proven, count_of, mark_of, mark_of_rules
from checker.prove.rules import Effects
from checker.states.diagram import Diagram
from checker.states.symbolic import Symbolic
from checker.states.witness import TRIES, Witness, possible
from checker.table.state import Table
from rulespec.base.codes import CODES
from rulespec.resolve.question import Question, about_bet, asks_about_bet, best_odds
from rulespec.resolve.rulebook import Rule

if TYPE_CHECKING:
    from checker.prove.search import Search


def report(
    prover: Search,
    space: Symbolic,
    cluster: list[Clash],
    code: str,
    question: Question,
    bet: str,
    engine: Engine,
    *,
    hidden: bool = False,
) -> None:
    """One finding for a cluster. If no round shows it, it says so."""
    made = Found(prover, space, cluster, code, question, bet, engine, hidden)
    found = made.finding()
    if found is not None and hidden and (whole := _seen_as_well(prover, found)) is not None:
        renew(prover, whole, replace(whole, behind=found))
    elif found is not None:
        prover.reported.append((found, made))
        add(prover, found)
    elif made.dealt:
        clauses = listed(dict.fromkeys(rule.clause for rule in made.rules()))
        words = Phrases(prover.printed.rulebook.game)
        told = f"{CODES[code].slug}, {words.asked(question)}: {clauses}".removesuffix(": ")
        prover.proofs.undecided.append(f"{told}; no round that was dealt bears it out")


def _seen_as_well(prover: Search, hidden: Proven) -> Proven | None:
    """What one clause says against others, settled by the same reading, is one issue: also where
    interim settlement first keeps a part of it from view."""
    if hidden.not_dealt or not hidden.readings:
        return None
    for found in prover.proofs.found:
        same = (found.code, found.question, found.readings) == (
            hidden.code,
            hidden.question,
            hidden.readings,
        )
        if same and not found.hidden and found.rules[0].clause == hidden.rules[0].clause:
            return found
    return None


def add(prover: Search, found: Proven) -> None:
    if found.not_dealt:
        not_dealt(prover, found.code, found.question, found.rules)
    prover.proofs.found.append(found)


def renew(prover: Search, found: Proven, more: Proven) -> None:
    """More is known of what was found."""
    prover.proofs.found[prover.proofs.found.index(found)] = more
    prover.reported = [(more if p is found else p, made) for p, made in prover.reported]


@dataclass(slots=True)
class Found:
    """A cluster of clashes, or a gap, for which a round is looked for."""

    prover: Search
    space: Symbolic
    cluster: list[Clash]
    code: str
    question: Question
    bet: str
    engine: Engine
    hidden: bool = False
    dealt: bool = False  # some round was dealt

    def finding(self, among: Diagram | None = None) -> Proven | None:
        """With a round that shows it, if there is one among these states. None where the states
        cannot be, and where rounds were dealt that do not bear it out."""
        plain = Proven(
            self.code,
            self.question,
            self.rules(),
            count_of(self.space, self.cluster),
            hidden=self.hidden,
            settled=self.hidden or all(c.settled for c in self.cluster),
            mark=mark_of(self.space, self.question, self.cluster),
            not_dealt=True,
            here=self.cluster[0].rules,
        )
        d = self.space.d
        clashes = self.cluster
        if among is not None:
            parts = [replace(c, states=d.both(c.states, among)) for c in clashes]
            clashes = [c for c in parts if c.states != d.none]
        for tries in TRIES:
            for clash in clashes[:3]:
                shown = self._shown(clash, tries)
                if shown is not None:
                    return self._with(plain, *shown)
        can_be = any(possible(self.space, clash.states, self.bet) for clash in clashes)
        return plain if can_be and not self.dealt else None

    def rules(self) -> tuple[Rule, ...]:
        """The clause that most have in common first."""
        rules = [rule for clash in self.cluster for rule in clash.rules]
        often = Counter(rule.clause for rule in rules)
        return tuple(sorted(dict.fromkeys(rules), key=lambda r: -often[r.clause]))

    def _with(self, plain: Proven, witness: Witness, table: Table, answer: Answer) -> Proven:
        prover, question = self.prover, self.question
        hidden = self.hidden
        if self.engine is not prover.ordered and self.engine is not prover.final:
            # the order of settlement was set aside: is it what keeps these apart?
            hidden = len(prover.replayer.ask(prover.ordered, question, witness, table).values) < 2
        rules, here = plain.rules, answer.rules
        if self.code == "R312":
            scene = prover.replayer.scene(self.engine, witness, table)
            rules = where_missing(self.engine, question, scene)
        elif self.code != "R319":
            # the clause that all have in common comes first, and then what applies to this hand
            told = {(r.clause, r.value) for r in here}
            rules = tuple(sorted(rules, key=lambda r: (r.clause, r.value) not in told))
        readings = tuple(dict.fromkeys(name for c in self.cluster for name in c.readings))
        return replace(
            plain,
            rules=rules,
            here=here,
            witness=witness,
            hidden=hidden,
            values=answer.values,
            readings=readings or settled_by(prover, question, witness, table),
            settled=hidden or plain.settled,
            not_dealt=False,
        )

    def _shown(self, clash: Clash, tries: int) -> tuple[Witness, Table, Answer] | None:
        """The smallest round that shows it and that the evaluator confirms."""
        ask = self.prover.replayer.ask
        name = self.bet.partition(" ")[0]
        for witness, table in self.prover.replayer.candidates(
            self.space, clash.states, name, tries
        ):
            answer = ask(self.engine, self.question, witness, table)
            self.dealt = True
            if self.question == about_bet(self.prover.main, "odds") and not self._wins(
                witness, table
            ):
                continue
            if self._confirms(clash, answer):
                return witness, table, answer
        return None

    def _wins(self, witness: Witness, table: Table) -> bool:
        """As read, or as printed where a reading leaves it open: else there are no odds to pay."""
        read, printed = (
            self.prover.replayer.ask(
                engine, about_bet(self.prover.main, "result"), witness, table
            ).values
            for engine in (self.prover.read, self.engine)
        )
        return read == ("wins",) or (read == ("undecided",) and printed == ("wins",))

    def _confirms(self, clash: Clash, answer: Answer) -> bool:
        if answer.unknown:
            return False
        if self.code == "R312":
            return not answer.values
        if self.code == "R319":
            return len(set(clash.clauses) & set(answer.clauses)) == 1
        return len(answer.values) > 1 and set(clash.clauses) <= set(answer.clauses)


def not_dealt(prover: Search, code: str, question: Question, rules: Iterable[Rule]) -> None:
    """Never silent: what was found over all states but could not be dealt."""
    clauses = listed(dict.fromkeys(r.clause for r in rules))
    told = f"{code} {question}"
    prover.proofs.not_dealt.append(f"{told}: {clauses}" if clauses else told)


def settled_by(
    prover: Search, question: Question, witness: Witness, table: Table
) -> tuple[str, ...]:
    """The readings by which the text as read has an answer where the printed one has none."""
    answer = prover.replayer.ask(prover.read, question, witness, table)
    if len(answer.values) > 1 and asks_about_bet(question, "odds"):
        highest = best_odds(question)
        best = prover.replayer.ask(prover.read, highest, witness, table)
        return tuple(dict.fromkeys(r.reading for r in best.rules if r.reading))
    if len(answer.values) != 1 or answer.unknown:
        return ()
    return by_reading(prover.read, answer)


def by_reading(read: Engine, answer: Answer) -> tuple[str, ...]:
    """The readings that an answer of the text as read rests on."""
    names = {reading.name for reading in read.rulebook.readings}
    return tuple(name for name in answer.readings if name in names)


def report_overruled(
    prover: Search,
    space: Symbolic,
    rule: Rule,
    over: list[Rule],
    states: Diagram,
    question: Question,
    bet: str,
) -> None:
    """A clause that yields on every hand to which it applies."""
    plain = marked(Proven("R315", question, (rule, *over), 0, not_dealt=True), space, states)
    for tries in TRIES:
        name = bet.partition(" ")[0]
        for witness, table in prover.replayer.candidates(space, states, name, tries):
            answer = prover.replayer.ask(prover.printed, question, witness, table)
            winners = {w.clause for lost, w in answer.beaten if lost.clause == rule.clause}
            if winners:
                as_read = prover.replayer.ask(prover.read, question, witness, table)
                applied = rule.clause in as_read.clauses
                add(
                    prover,
                    replace(
                        plain,
                        rules=(rule, *(x for x in over if x.clause in winners)),
                        witness=witness,
                        not_dealt=False,
                        readings=by_reading(prover.read, as_read) if applied else (),
                    ),
                )
                return
    if possible(space, states, bet):
        add(prover, plain)


def report_effects(
    prover: Search, space: Symbolic, done: Effects, question: Question, bet: str
) -> None:
    if done.needless:
        others = tuple(x for x in done.needless if x not in done.together)
        prover.proofs.found.append(Proven("R314", question, done.together, 0, others=others))
    for rule, states in done.only_in_conflict:
        raised, _ = next(space.d.states(states))
        if any(space.flags[level][0] != "option" for level in raised):
            continue  # a special event: that the clauses differ there is told as such
        if _told_with_the_conflict(prover, rule, question):
            continue
        for witness, table in prover.replayer.candidates(space, states, bet.partition(" ")[0]):
            answer = prover.replayer.ask(prover.printed, question, witness, table)
            mine = [x for x in answer.rules if x.clause == rule.clause]
            said = {x.value for x in mine}
            others = tuple(x for x in answer.rules if x.value not in said)
            if mine and others:
                found = Proven(
                    "R317",
                    question,
                    (mine[0], *others),
                    0,
                    witness,
                    here=answer.rules,
                    readings=settled_by(prover, question, witness, table),
                    values=answer.values,
                )
                prover.proofs.found.append(marked(found, space, states))
                break


def _told_with_the_conflict(prover: Search, rule: Rule, question: Question) -> bool:
    """Where a contradiction is about this clause, that it never decides alone is told with it."""
    for found in prover.proofs.found:
        clauses = list(dict.fromkeys(r.clause for r in found.rules))
        about = clauses if len(clauses) == 2 else clauses[:1]
        if (found.code, found.question) == ("R310", question) and rule.clause in about:
            alone = (*found.never_alone, rule.clause)
            renew(prover, found, replace(found, never_alone=alone))
            return True
    return False


def marked(found: Proven, space: Symbolic, states: Diagram) -> Proven:
    """With the number of these states, and what tells them from others."""
    mark = mark_of_rules(found.question, found.rules[:1]) * space.marks.mark(states)
    return replace(found, count=space.marks.count(states), mark=mark)
