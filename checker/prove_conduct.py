"""What players may do and the dealer must: permissions that meet bans, and draws left open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
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
from checker.prove_report import add, by_reading, marked
from checker.prove_rules import idle_orders, robbed
from checker.proven import Clash, Proven, count_of, mark_of, pairs
from checker.scene import SeenScene
from checker.symbolic import Symbolic
from checker.witness import Witness
from rulespec.rulebook import Rule

if TYPE_CHECKING:
    from checker.prove import Prover


BANS = ("may not", "must not")
WITH = {"split": ("resplit",)}
"""Options of the table that a choice may depend on."""


def option(prover: Prover, action: str) -> None:
    """Where a permission or a duty meets a ban, and what an order of clauses takes away."""
    question = f"player {action}"
    space = option_space(prover, action, [question])
    answers = space.answers(question)
    clashes = [c for c in pairs(space, answers, space.d.all) if set(c.values) & set(BANS)]
    for code, value in (("R310", "must"), ("R311", "may")):
        # a clause may except from what it allows
        meeting = [c for c in clashes if value in c.values and len(set(c.clauses)) > 1]
        for cluster in prover.issues(space, question, answers, meeting):
            _meeting(prover, space, cluster, code, question, action)
    prover.orders.note(question, idle_orders(space, question, answers, space.d.all))
    for rule, over, states in robbed(space, question, answers, space.d.all):
        # an option of the table is meant to lift a ban
        witness = choice(space, states, WITH.get(action, ()) if rule.value not in BANS else ())
        if witness is None:
            continue
        answer = asked_again(prover.printed, witness, question)
        plain = marked(Proven("R315", question, (rule, *over), 0), space, states)
        if not any(lost.clause == rule.clause for lost, _ in answer.beaten):
            add(prover, replace(plain, not_dealt=True))
            continue
        mine = {w.clause for lost, w in answer.beaten if lost.clause == rule.clause}
        as_read = asked_again(prover.read, witness, question)
        readings = by_reading(prover.read, as_read) if rule.clause in as_read.clauses else ()
        rules = (rule, *(x for x in over if x.clause in mine))
        add(prover, replace(plain, rules=rules, witness=witness, readings=readings))


def _meeting(
    prover: Prover, space: Symbolic, cluster: list[Clash], code: str, question: str, action: str
) -> None:
    witness = choice(space, cluster[0].states, WITH.get(action, ()))
    if witness is None:
        return  # only in special circumstances: that is what a ban is for
    answer = asked_again(prover.printed, witness, question)
    rules = dict.fromkeys(rule for clash in cluster for rule in clash.rules)
    plain = Proven(
        code, question, tuple(sorted(rules, key=lambda x: x.value in BANS)),
        count_of(space, cluster), settled=all(c.settled for c in cluster),
        mark=mark_of(space, question, cluster),
    )  # fmt: skip
    if not set(cluster[0].clauses) <= set(answer.clauses):
        add(prover, replace(plain, not_dealt=True))
        return
    as_read = asked_again(prover.read, witness, question)
    readings = by_reading(prover.read, as_read) if code == "R310" else ()
    add(prover, replace(
        plain, witness=witness, readings=readings, values=answer.values, here=answer.rules,
    ))  # fmt: skip


def ways(prover: Prover) -> None:
    """Hands that must take a card and must stand, or may do neither."""
    draw, stand = "player draw", "player stand"
    space = option_space(prover, "stand", [draw, stand])
    d = space.d
    drawing, standing = space.answers(draw), space.answers(stand)
    for values in (("must",), BANS):
        for one in (r_ for r_ in drawing.rules if r_.value in values):
            for other in (r_ for r_ in standing.rules if r_.value in values):
                states = d.both(drawing.kept[one.id], standing.kept[other.id])
                if one.clause != other.clause and not _ordered(prover.printed, one, other):
                    _either(prover, space, Clash(states, one, other))


def _ordered(engine: Engine, one: Rule, other: Rule) -> bool:
    pairs_ = {(winner, loser) for winner, loser, _ in engine.rulebook.precedence}
    return bool(pairs_ & {(one.clause, other.clause), (other.clause, one.clause)})


def _either(prover: Prover, space: Symbolic, clash: Clash) -> None:
    assert clash.one is not None
    assert clash.other is not None
    witness = choice(space, clash.states)
    if witness is None:
        return
    both = [
        rule for question in ("player draw", "player stand")
        for rule in asked_again(prover.printed, witness, question).clauses
    ]  # fmt: skip
    rules = (clash.one, clash.other)
    plain = Proven(
        "R310", "player draw", rules, count_of(space, [clash]), values=clash.values,
        settled=_ordered(prover.read, *rules), where="or standing",
        mark=mark_of(space, "player draw or stand", [clash]),
    )  # fmt: skip
    if {r_.clause for r_ in rules} <= set(both):
        add(prover, replace(plain, witness=witness, here=rules))
    else:
        add(prover, replace(plain, not_dealt=True))


# --- hands at the moment of a choice


def option_space(prover: Prover, action: str, questions: list[str]) -> Symbolic:
    """Hands at the moment of a choice, with the dealer's first card."""
    states = prover.states
    lines = states.first_two()
    if action in ("draw", "stand", "double"):
        lines = [*lines, *(x for x in prover.lines() if not x.shared and x.number == 1 and (
            action == "draw" or (x.doubled_with is None and not x.surrendered)))]  # fmt: skip
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
    also = prover.at_times(questions)
    return Symbolic(prover.printed, questions, rows, dealers, [STAKE], prover.tick, also)


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


def asked_again(engine: Engine, witness: Witness, question: str) -> Answer:
    """What the evaluator says of the choice in the dealt round."""
    table = table_of(round_of(witness.play, witness.around.options))
    scene = scene_of(engine, table, witness.line, "original", STAKE)
    action = question.removeprefix("player ")
    do = "hit" if action == "draw" else action
    play = r.Play(1, witness.line.number, "P1", do, STAKE)
    return engine.ask(question, scene.but(play=play))
