"""Rules that never apply, change nothing, or are robbed of their effect by a precedence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from checker import rounds as r
from checker.cells import NOT_MODELLED, Row
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
)
from checker.states import walk
from checker.symbolic import Answers, Symbolic
from checker.witness import Witness
from rulespec import tree as t
from rulespec.rulebook import Rule, beats

if TYPE_CHECKING:
    from checker.prove import Prover

OPTIONS = ("draw", "double", "split", "surrender", "insure", "even_money")
_BANS = ("may not", "must not")


def asked_of(engine: Engine, node: object, seen: set[str]) -> set[str]:
    """The facts that a condition asks for, also through defined terms."""
    facts: set[str] = set()
    for part in walk(node):
        if isinstance(part, t.Fact | t.Name) and part.name not in seen:
            seen.add(part.name)
            facts.add(part.name)
            names = (f"define {part.name}", f"define {part.name.replace('dealer.', 'hand.')}")
            for question in names:
                for rule, _ in engine.by_question.get(question, ()):
                    facts |= asked_of(engine, rule.condition, seen)
    return facts


def decided(engine: Engine, rule: Rule) -> bool:
    """All that the rule asks for is among what the search goes through."""
    facts = asked_of(engine, rule.condition, set())
    patterns = any(isinstance(n, t.Ranks) for n in walk(rule.condition))
    if "hand.suits" in facts and not patterns:
        return False
    if not rule.question.startswith(("main.", "super_bonus.")) and any(
        f.startswith("hand.") for f in facts
    ):
        return False  # side bets are searched over first cards only
    return not facts & NOT_MODELLED and not engine._optional[rule.id]


def dead(space: Symbolic, question: str, answers: Answers, domain: Diagram) -> list[Rule]:
    return [
        rule for rule in answers.rules
        if space.d.both(answers.applies[rule.id], domain) == space.d.none
        and decided(space.engine, rule)
    ]  # fmt: skip


def redundant(
    space: Symbolic, question: str, answers: Answers, domain: Diagram, spared: set[str]
) -> list[Rule]:
    """For each clause that could go without any outcome changing, its first rule."""
    whole = _outcome(space, answers, domain)
    found: list[Rule] = []
    for clause in dict.fromkeys(r_.clause for r_ in answers.rules):
        mine = [x for x in answers.rules if x.clause == clause]
        if any(x.id in spared or not decided(space.engine, x) for x in mine):
            continue
        without = space.answers(question, without=frozenset(x.id for x in mine))
        left = _outcome(space, without, domain)
        if all(left.get(v, space.d.none) == states for v, states in whole.items()):
            found.append(mine[0])
    return found


def _outcome(space: Symbolic, answers: Answers, domain: Diagram) -> dict[Any, Diagram]:
    if any(rule.value in ("may", *_BANS) for rule in answers.rules):
        d = space.d
        banned = d.any_of([answers.value(v) for v in _BANS])
        free = d.any_of([answers.value(v) for v in ("may", "must")])
        return {"allowed": d.both(d.without(free, banned), domain)}
    return {v: space.d.both(s, domain) for v, s in answers.outcome().items()}


def robbed(
    space: Symbolic, question: str, answers: Answers, domain: Diagram
) -> list[tuple[Rule, list[Rule], Diagram]]:
    """Clauses that a printed precedence keeps from ever changing an outcome."""
    book = space.engine.rulebook
    clauses = {x.clause for x in answers.rules}
    pairs = [p for p in book.precedence if p[0] in clauses and p[1] in clauses]
    whole = _outcome(space, answers, domain)
    found: list[tuple[Rule, list[Rule], Diagram]] = []
    for clause in dict.fromkeys(p[1] for p in pairs):
        mine = [x for x in answers.rules if x.clause == clause]
        gone = space.answers(question, without=frozenset(x.id for x in mine))
        left = _outcome(space, gone, domain)
        if any(left.get(v, space.d.none) != states for v, states in whole.items()):
            continue
        order = beats(p for p in pairs if p[1] != clause)
        freed = _outcome(space, space.answers(question, beats=order), domain)
        changed = [
            space.d.either(space.d.without(freed[v], whole[v]), space.d.without(whole[v], freed[v]))
            for v in whole
        ]
        states = space.d.any_of(changed)
        winners = {p[0] for p in pairs if p[1] == clause}
        if states != space.d.none:
            over = [x for x in answers.rules if x.clause in winners]
            found.append((mine[0], over, states))
    return found


# --- what players may do


def option_space(prover: Prover, action: str) -> Symbolic:
    """Hands at the moment of a choice, with the dealer's first card."""
    states = prover.states
    lines = states.first_two()
    if action in ("draw", "double"):
        lines = [*lines, *(x for x in prover.lines() if x.doubled_with is None and not x.shared
                           and not x.surrendered and x.number == 1)]  # fmt: skip
    do = "hit" if action == "draw" else action
    rows: list[Row] = []
    for line in lines:
        scene = scene_of(prover.printed, quick_table(line, prover.blank), line, "original", STAKE)
        play = r.Play(1, line.number, "P1", do, STAKE)
        rows.append(Row(line, "original", (), scene.but(play=play), line.size))
    dealers = [prover.dealer_row((rank + "D",)) for rank in states.all_ranks]
    question = f"player {action}"
    return Symbolic(prover.printed, [question], rows, dealers, [STAKE], prover.tick)


def choice(space: Symbolic, states: Diagram) -> Witness | None:
    """The smallest hand without special circumstances, dealt up to the choice."""
    for chosen, cells in space.d.states(states):
        if chosen:
            return None
        for n in bits(cells):
            cell = space.cells[n]
            line: Line | None = cell.player.line
            assert line is not None
            around = Around(cell.dealer.dealer)
            return Witness(line, "original", around, "main", script(line, around), ())
    return None


def asked_again(engine: Engine, witness: Witness, action: str) -> Answer:
    """What the evaluator says of the choice in the dealt round."""
    table = table_of(round_of(witness.play))
    scene = scene_of(engine, table, witness.line, "original", STAKE)
    do = "hit" if action == "draw" else action
    play = r.Play(1, witness.line.number, "P1", do, STAKE)
    return engine.ask(f"player {action}", scene.but(play=play))
