"""What players may do and the dealer must: permissions that meet bans, and draws left open."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from checker import rounds as r
from checker.diagram import Diagram, bits
from checker.engine import Answer, Engine
from checker.lines_of_play import (
    STAKE,
    Around,
    Line,
    quick_table,
    round_of,
    scene_of,
    script,
    table_of,
    with_totals,
)
from checker.prove_report import by_reading, not_dealt
from checker.prove_rules import idle_orders, robbed
from checker.proven import Clash, Proven, clusters, pairs, settled
from checker.scene import SeenScene
from checker.symbolic import Answers, Symbolic
from checker.witness import Witness

if TYPE_CHECKING:
    from checker.prove import Prover


def option(prover: Prover, action: str) -> None:
    """Where a permission meets a ban, and bans that a precedence takes away."""
    space = option_space(prover, action)
    question = f"player {action}"
    answers = space.answers(question)
    _bans(prover, space, question, answers, action)
    prover.orders.note(question, idle_orders(space, question, answers, space.d.all))
    for rule, over, states in robbed(space, question, answers, space.d.all):
        witness = choice(space, states)
        if witness is None:
            continue
        answer = asked_again(prover.printed, witness, action)
        if not any(lost.clause == rule.clause for lost, _ in answer.beaten):
            not_dealt(prover, "R315", question, [rule, *over])
            continue
        mine = {w.clause for lost, w in answer.beaten if lost.clause == rule.clause}
        as_read = asked_again(prover.read, witness, action)
        readings = by_reading(prover.read, as_read) if rule.clause in as_read.clauses else ()
        count = space.d.cells(states).bit_count()
        rules = (rule, *(x for x in over if x.clause in mine))
        prover.proofs.found.append(
            Proven("R315", question, rules, count, witness, readings=readings)
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
    prover.orders.note(question, idle_orders(space, question, answers, d.all))
    gap = d.without(d.without(d.all, answers.answered()), answers.open())
    found = [("R310", c) for c in pairs(space, answers, d.all)]
    found += [("R312", Clash(gap))] if gap != d.none else []
    for code, clash in found:
        witness = choice(space, clash.states)
        if witness is None:
            continue
        table = table_of(round_of(witness.play, witness.around.options))
        answer, as_read = (
            engine.ask(question, prover.replayer.scene(engine, witness, table))
            for engine in (prover.printed, prover.read)
        )
        if (len(answer.values) > 1) != (code == "R310"):
            clashing = (x for x in (clash.one, clash.other) if x is not None)
            not_dealt(prover, code, question, clashing)
            continue
        readings = by_reading(prover.read, as_read) if len(as_read.values) == 1 else ()
        rules = tuple(x for x in (clash.one, clash.other) if x is not None)
        count = d.cells(clash.states).bit_count()
        wholly = settled(clash, prover.read.beats(question))
        prover.proofs.found.append(
            Proven(code, question, rules, count, witness, False, readings, answer.values,
                   settled=wholly)
        )  # fmt: skip


def _bans(prover: Prover, space: Symbolic, question: str, answers: Answers, action: str) -> None:
    clashes = [
        clash for clash in pairs(space, answers, space.d.all)
        if "may" in clash.values and set(clash.values) & {"may not", "must not"}
        and len(set(clash.clauses)) > 1  # a clause may except from what it allows
    ]  # fmt: skip
    for cluster in clusters(space, clashes, prover.read.beats(question)):
        witness = choice(space, cluster[0].states, ("resplit",) if action == "split" else ())
        if witness is None:
            continue  # only in special circumstances: that is what a ban is for
        answer = asked_again(prover.printed, witness, action)
        rules = [x for c in cluster for x in (c.one, c.other) if x is not None]
        if not set(cluster[0].clauses) <= set(answer.clauses):
            not_dealt(prover, "R311", question, rules)
            continue
        allowing = sorted(dict.fromkeys(rules), key=lambda x: x.value != "may")
        states = space.d.any_of([c.states for c in cluster])
        count = space.d.cells(states).bit_count()
        prover.proofs.found.append(
            Proven("R311", question, tuple(allowing), count, witness, values=answer.values)
        )


# --- hands at the moment of a choice


def option_space(prover: Prover, action: str) -> Symbolic:
    """Hands at the moment of a choice, with the dealer's first card."""
    states = prover.states
    lines = states.first_two()
    if action in ("draw", "double"):
        lines = [*lines, *(x for x in prover.lines() if x.doubled_with is None and not x.shared
                           and not x.surrendered and x.number == 1)]  # fmt: skip
    if action == "split":
        lines = [*lines, *_split_again(prover)]
    do = "hit" if action == "draw" else action

    def scene_at(line: Line) -> Callable[[], SeenScene]:
        def scene() -> SeenScene:
            made = scene_of(prover.printed, states.table(line), line, "original", STAKE)
            play = r.Play(1, line.number, "P1", do, STAKE)
            return with_totals(made.but(play=play), line)

        return scene

    rows = [prover.numbered(line, "original", action, scene_at(line)) for line in lines]
    dealers = [prover.dealer_row((rank + "D",)) for rank in states.all_ranks]
    question = f"player {action}"
    return Symbolic(prover.printed, [question], rows, dealers, [STAKE], prover.tick)


def _split_again(prover: Prover) -> list[Line]:
    """Pairs on the first hand of a box that was split once, twice, three times."""
    if "play.hands_after" not in prover.states.want.facts:
        return []
    found: list[Line] = []
    permitted = round_of("bet 1 P1 10\n", ("resplit",))
    for line in prover.states.first_two():
        one, other = line.cards
        if one[0] != other[0] or not prover.states.may("split", line):
            continue
        for times in range(3):
            again = Line((one, one[0] + "C"), pair=(one, other), sibling=(other,), again=times)
            found.append(again)
            scene = scene_of(prover.read, quick_table(again, permitted), again, "original", STAKE)
            play = r.Play(1, 1, "P1", "split", STAKE)
            if prover.read.allowed("player split", scene.but(play=play))[0] is not True:
                break
    return found


def choice(space: Symbolic, states: Diagram, options: tuple[str, ...] = ()) -> Witness | None:
    """The smallest hand without special events, dealt up to the choice; only these options of
    the table may be in use."""
    for chosen, cells in space.d.states(states):
        raised = [space.flags[level] for level in chosen]
        if any(kind != "option" or name not in options for kind, name in raised):
            continue
        for n in bits(cells):
            cell = space.cells[n]
            line: Line | None = cell.player.line
            assert line is not None
            around = Around(cell.dealer.dealer, options=tuple(sorted(name for _, name in raised)))
            flags = tuple(f"option {name}" for name in around.options)
            return Witness(line, "original", around, "main", script(line, around), flags)
    return None


def asked_again(engine: Engine, witness: Witness, action: str) -> Answer:
    """What the evaluator says of the choice in the dealt round."""
    table = table_of(round_of(witness.play, witness.around.options))
    scene = scene_of(engine, table, witness.line, "original", STAKE)
    do = "hit" if action == "draw" else action
    play = r.Play(1, witness.line.number, "P1", do, STAKE)
    return engine.ask(f"player {action}", scene.but(play=play))
