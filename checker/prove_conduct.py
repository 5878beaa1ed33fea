"""What players may do and the dealer must: permissions that meet bans, and draws left open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checker.lines_of_play import STAKE, Line, round_of, table_of
from checker.prove_rules import asked_again, choice, option_space, robbed
from checker.proven import Clash, Proven, clusters, pairs
from checker.symbolic import Answers, Symbolic

if TYPE_CHECKING:
    from checker.prove import Prover


def option(prover: Prover, action: str) -> None:
    """Where a permission meets a ban, and bans that a precedence takes away."""
    space = option_space(prover, action)
    question = f"player {action}"
    answers = space.answers(question)
    _bans(prover, space, question, answers, action)
    for rule, over, states in robbed(space, question, answers, space.d.all):
        witness = choice(space, states)
        if witness is None:
            continue
        answer = asked_again(prover.printed, witness, action)
        if not any(lost.clause == rule.clause for lost, _ in answer.beaten):
            prover.replayer.dropped += 1
            continue
        mine = {w.clause for lost, w in answer.beaten if lost.clause == rule.clause}
        as_read = asked_again(prover.read, witness, action)
        settled = prover.by_reading(as_read) if rule.clause in as_read.clauses else ()
        count = space.d.cells(states).bit_count()
        rules = (rule, *(x for x in over if x.clause in mine))
        prover.proofs.found.append(
            Proven("R315", question, rules, count, witness, readings=settled)
        )


def dealer(prover: Prover) -> None:
    """Hands on which the dealer must and must not draw, or the text does not say."""
    prover.dealers("main")
    question = "dealer draw"
    line = Line(("KS", "9H"))
    dealers = [prover.dealer_row(cards) for cards in prover.states.dealer_seen]
    rows = [prover.row(line, "original", "main")]
    space = Symbolic(prover.printed, [question], rows, dealers, [STAKE], prover.tick)
    answers = space.answers(question)
    d = space.d
    gap = d.without(d.without(d.all, answers.answered()), answers.open())
    found = [("R310", c) for c in pairs(space, answers, d.all)]
    found += [("R312", Clash(gap))] if gap != d.none else []
    for code, clash in found:
        witness = choice(space, clash.states)
        if witness is None:
            continue
        table = table_of(round_of(witness.play))
        answer, as_read = (
            engine.ask(question, prover.replayer.scene(engine, witness, table))
            for engine in (prover.printed, prover.read)
        )
        if (len(answer.values) > 1) != (code == "R310"):
            prover.replayer.dropped += 1
            continue
        settled = prover.by_reading(as_read) if len(as_read.values) == 1 else ()
        rules = tuple(x for x in (clash.one, clash.other) if x is not None)
        count = d.cells(clash.states).bit_count()
        prover.proofs.found.append(
            Proven(code, question, rules, count, witness, False, settled, answer.values)
        )


def _bans(prover: Prover, space: Symbolic, question: str, answers: Answers, action: str) -> None:
    clashes = [
        clash for clash in pairs(space, answers, space.d.all)
        if "may" in clash.values and set(clash.values) & {"may not", "must not"}
    ]  # fmt: skip
    for cluster in clusters(space, clashes):
        witness = choice(space, cluster[0].states)
        if witness is None:
            continue  # only in special circumstances: that is what a ban is for
        answer = asked_again(prover.printed, witness, action)
        if not set(cluster[0].clauses) <= set(answer.clauses):
            prover.replayer.dropped += 1
            continue
        rules = [x for c in cluster for x in (c.one, c.other) if x is not None]
        allowing = sorted(dict.fromkeys(rules), key=lambda x: x.value != "may")
        states = space.d.any_of([c.states for c in cluster])
        count = space.d.cells(states).bit_count()
        prover.proofs.found.append(
            Proven("R311", question, tuple(allowing), count, witness, values=answer.values)
        )
