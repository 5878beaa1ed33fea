"""From a set of states to a finding: the smallest round that shows it, dealt and asked again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from checker.diagram import Diagram
from checker.engine import Answer, Engine
from checker.explain_conditions import where_missing as where_missing
from checker.prove_rules import Effects
from checker.proven import Clash, Proven, settled
from checker.symbolic import Symbolic
from checker.table import Table
from checker.witness import Witness
from rulespec.rulebook import Rule

if TYPE_CHECKING:
    from checker.prove import Prover


def report(
    prover: Prover, space: Symbolic, cluster: list[Clash], code: str, question: str, bet: str,
    engine: Engine, *, hidden: bool = False,
) -> None:  # fmt: skip
    """One finding for a cluster; if no round shows it, it is listed as such."""
    rules: dict[str, Rule] = {}
    for clash in cluster:
        rules.update({r.id: r for r in (clash.one, clash.other) if r is not None})
    count = space.d.cells(space.d.any_of([c.states for c in cluster])).bit_count()
    for clash in cluster[:3]:
        found = _shown(prover, space, clash, code, question, bet, engine)
        if found is None:
            continue
        witness, table, values = found
        first = [r for r in (clash.one, clash.other) if r is not None]
        # the clause that all have in common comes first, and what makes a wager void
        common = set(cluster[0].clauses).intersection(*(c.clauses for c in cluster))
        ordered = sorted(
            dict.fromkeys([*first, *rules.values()]),
            key=lambda r: (r.clause not in common, r.value != "void"),
        )
        if engine is not prover.ordered and engine is not prover.final:
            # the order of settlement was set aside: is it what keeps these apart?
            ordinary = prover.replayer.ask(prover.ordered, question, witness, table)
            hidden = len(ordinary.values) < 2
        readings = settled_by(prover, question, witness, table)
        beats = prover.read.beats(question)
        wholly = hidden or all(settled(clash, beats) for clash in cluster)
        if code == "R312":
            scene = prover.replayer.scene(engine, witness, table)
            ordered = list(where_missing(engine, question, scene))
        prover.proofs.found.append(
            Proven(code, question, tuple(ordered), count, witness, hidden, readings, values,
                   settled=wholly)
        )  # fmt: skip
        return
    not_dealt(prover, code, question, rules.values())


def not_dealt(prover: Prover, code: str, question: str, rules: Iterable[Rule]) -> None:
    """Never silent: what was found over all states but could not be dealt."""
    clauses = ", ".join(f"`{c}`" for c in dict.fromkeys(r.clause for r in rules))
    prover.proofs.not_dealt.append(f"{code} {question}: {clauses}" if clauses else code)


def _shown(
    prover: Prover, space: Symbolic, clash: Clash, code: str, question: str, bet: str,
    engine: Engine,
) -> tuple[Witness, Table, tuple[Any, ...]] | None:  # fmt: skip
    """The smallest round that shows it and that the evaluator confirms."""
    name = bet.partition(" ")[0]
    ask = prover.replayer.ask
    for witness, table in prover.replayer.candidates(space, clash.states, name):
        answer = ask(engine, question, witness, table)
        if answer.unknown:
            continue
        if question == "main.odds":
            won = ask(prover.read, "main.result", witness, table)
            if won.values != ("wins",):
                continue
        if code == "R312":
            if answer.values:
                continue
        elif code == "R319":
            if len(set(clash.clauses) & set(answer.clauses)) != 1:
                continue
        elif len(answer.values) < 2 or not set(clash.clauses) <= set(answer.clauses):
            continue
        return witness, table, answer.values
    return None


def settled_by(
    prover: Prover, question: str, witness: Witness, table: Table
) -> tuple[str, ...]:
    """The readings by which the text as read has an answer where the printed one has none."""
    answer = prover.replayer.ask(prover.read, question, witness, table)
    if len(answer.values) > 1 and question.endswith(".odds"):
        highest = question.replace(".odds", ".highest")
        best = prover.replayer.ask(prover.read, highest, witness, table)
        return tuple(dict.fromkeys(r.reading for r in best.rules if r.reading))
    if len(answer.values) != 1 or answer.unknown:
        return ()
    return by_reading(prover.read, answer)


def by_reading(read: Engine, answer: Answer) -> tuple[str, ...]:
    """The readings that an answer of the text as read rests on."""
    names = [r.reading for r in answer.rules if r.reading]
    book = read.rulebook
    readings = {x.name for x in book.readings}
    for loser, winner in answer.beaten:
        names += [
            why for w, lost, why in book.precedence
            if (w, lost) == (winner.clause, loser.clause) and why in readings
        ]  # fmt: skip
    return tuple(dict.fromkeys(names))


def report_overruled(
    prover: Prover, space: Symbolic, rule: Rule, over: list[Rule], states: Diagram, question: str,
    bet: str,
) -> None:  # fmt: skip
    """A clause that yields on every hand to which it applies."""
    count = space.d.cells(states).bit_count()
    for witness, table in prover.replayer.candidates(space, states, bet.partition(" ")[0]):
        answer = prover.replayer.ask(prover.printed, question, witness, table)
        winners = {w.clause for lost, w in answer.beaten if lost.clause == rule.clause}
        if winners:
            as_read = prover.replayer.ask(prover.read, question, witness, table)
            readings = by_reading(prover.read, as_read) if rule.clause in as_read.clauses else ()
            rules = (rule, *(x for x in over if x.clause in winners))
            prover.proofs.found.append(
                Proven("R315", question, rules, count, witness, readings=readings)
            )
            return
    not_dealt(prover, "R315", question, [rule, *over])


def report_effects(
    prover: Prover, space: Symbolic, done: Effects, question: str, bet: str
) -> None:
    if done.needless:
        others = tuple(x for x in done.needless if x not in done.together)
        prover.proofs.found.append(
            Proven("R314", question, done.together, 0, others=others)
        )
    for rule, states in done.only_in_conflict:
        raised, _ = next(space.d.states(states))
        if any(space.flags[level][0] != "option" for level in raised):
            continue  # a special event: that the clauses differ there is told as such
        count = space.d.cells(states).bit_count()
        for witness, table in prover.replayer.candidates(space, states, bet.partition(" ")[0]):
            answer = prover.replayer.ask(prover.printed, question, witness, table)
            if rule.clause in answer.clauses and len(answer.values) > 1:
                others = tuple(x for x in answer.rules if x.value != rule.value)
                prover.proofs.found.append(
                    Proven("R317", question, (rule, *others), count, witness,
                           readings=settled_by(prover, question, witness, table),
                           values=answer.values)
                )  # fmt: skip
                break
        else:
            not_dealt(prover, "R317", question, [rule])
