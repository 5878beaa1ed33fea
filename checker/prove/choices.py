"""Hands at the moment of a choice, and the rounds that lead to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from checker.evaluate.engine import Answer, Engine
from checker.evaluate.scene import SeenScene
from checker.log import model as r
from checker.prove.issues import at_times
from checker.states.declared_words import CHOICE, option_of
from checker.states.diagram import Diagram, bits
from checker.states.early_end import at_a_choice
from checker.states.grid import Flag
from checker.states.lines_of_play import (
    STAKE,
    Around,
    Line,
    quick_table,
    round_of,
    scene_of,
    table_of,
    with_totals,
)
from checker.states.row_facts import asked_of
from checker.states.symbolic import Symbolic
from checker.states.witness import Witness
from checker.table.mechanics import ORIGINAL
from rulespec.resolve.question import Question, actor_and_act, defining, whether
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.walk import walk

if TYPE_CHECKING:
    from checker.prove.search import Search


WHO_DECIDES = frozenset(
    {
        "player.controls",
        "player.next_in_line",
        "player.someone_seated",
        "play.controller_did",
    }
)
OF_OTHERS = WHO_DECIDES | {
    "wager.doubled",
    "wager.surrendered",
    "wager.forfeited",
    "box.players",
}
"""Facts in which a second player on the box differs from the one who decides."""


def options_of(engine: Engine, action: str) -> tuple[str, ...]:
    """Options of the game that the rules on a choice ask for."""
    declared = engine.rulebook.game.options
    rules = [rule for rule, _ in engine.by_question.get(whether("player", action), ())]
    terms = set().union(*(asked_of(engine, rule.condition, set()) for rule in rules))
    rules += [r_ for term in terms for r_, _ in engine.by_question.get(defining(term), ())]
    settings = (node for rule in rules for node in walk(rule.condition))
    asked = {x.name for x in settings if isinstance(x, t.Setting) and x.kind == "option"}
    return tuple(name for name in declared if name in asked and not declared[name].own)


def by_the_house(space: Symbolic, rules: Iterable[Rule] = ()) -> tuple[str, ...]:
    """What the house may offer or choose by the rulebook itself; of some rules, what they ask."""
    declared = space.engine.rulebook.game.options
    of_rules = list(walk([rule.condition for rule in rules]))
    asked = {node.name for node in of_rules if isinstance(node, t.Setting | t.Chosen)}
    return tuple(
        name
        for kind, name in space.flags
        if (kind == CHOICE or (kind == "option" and declared[name].own))
        and (not rules or name.partition("=")[0] in asked)
    )


def option_space(prover: Search, action: str, questions: list[Question]) -> Symbolic:
    """Hands at the moment of a choice, with the dealer's first card."""
    states = prover.states
    acts = states.acts
    lines = states.first_two()
    if action in (acts.draw, acts.stand, acts.double):
        lines = [
            *lines,
            *(
                x
                for x in prover.lines()
                if not x.shared
                and not x.asked
                and x.number == 1
                and (action == acts.draw or (x.doubled_with is None and not x.surrendered))
            ),
        ]
    if action == acts.split:
        lines = [*lines, *_split_again(prover)]
    if action == acts.give_up:
        doubled = (x for x in prover.lines() if x.doubled_with is not None and not x.asked)
        lines = [x for x in doubled if not x.shared and x.number == 1 and not x.forfeited]
    asked = [
        asked_of(prover.printed, rule.condition, set())
        for question in questions
        for rule, _ in prover.printed.by_question.get(question, ())
    ]
    if "play.offer_missed" in set().union(*asked):  # also when a card was drawn since
        lines = [*lines, *(x for x in prover.lines() if _drawn_once(x) and not x.asked)]
    if set().union(*asked) & OF_OTHERS:
        lines = [*lines, *_of_the_others(prover, action)]
    do = states.mechanics.word_for(action)

    def scene_at(line: Line) -> Callable[[], SeenScene]:
        def scene() -> SeenScene:
            made = scene_of(prover.printed, states.table(line), line, "original", STAKE)
            play = r.Play(1, line.number, line.player, do, STAKE)
            return with_totals(made.but(play=play), line)

        return scene

    rows = [prover.numbered(line, "original", action, scene_at(line)) for line in lines]
    dealers = [prover.dealer_row((rank + "D",)) for rank in states.all_ranks]
    prover.note(questions, rows, dealers, [STAKE])
    also = at_times(prover.read, questions)
    return Symbolic(prover.printed, questions, rows, dealers, [STAKE], prover.tick, also)


def _drawn_once(line: Line) -> bool:
    changed = line.doubled_with is not None or line.surrendered or line.even_money or line.shared
    return len(line.cards) == 3 and line.pair is None and not changed


def _of_the_others(prover: Search, action: str) -> list[Line]:
    """What a second player on the box sees: before the deciding player has chosen, and after."""
    states = prover.states
    plain = [line.but(shared=True) for line in states.first_two()]
    usual = [x for x in prover.lines() if not x.asked]
    ended = [x for x in usual if x.number == 1 and x.pair is None]
    longer = [x for x in ended if len(x.cards) > 2 and x.doubled_with is None]
    acts = states.acts
    if action in (acts.draw, acts.stand):
        doubled = [x for x in ended if x.shared and x.doubled_with is not None]
        given_up = [x.but(shared=True) for x in ended if x.surrendered]
        return [*plain, *(x.but(shared=True) for x in longer if not x.shared), *doubled, *given_up]
    if action == acts.double:
        chosen = [x for x in [*states.first_two(), *longer] if not x.shared]
        return plain + [
            line.but(doubled_with=len(line.cards), shared=True)
            for line in chosen
            if states.may(acts.double, line)
        ]
    if action == acts.split:
        return plain + [
            Line((one,), pair=(one, other), sibling=(other,), shared=True)
            for line in states.first_two()
            for one, other in [line.cards]
            if states.scene(line).fact("hand.equal_value") and states.may(acts.split, line)
        ]
    if action == acts.give_up:
        return [x for x in ended if x.shared and x.doubled_with is not None and not x.forfeited]
    if action == acts.leave:
        return plain + [x.but(shared=True) for x in ended if x.surrendered and not x.follows]
    return plain


def _split_again(prover: Search) -> list[Line]:
    """Pairs on the first hand of a box that was split once, twice, three times."""
    if "play.hands_after" not in prover.states.want.facts:
        return []
    found: list[Line] = []
    mechanics = prover.printed.mechanics
    split = mechanics.acts.split
    permitted = round_of("bet 1 P1 10\n", options_of(prover.read, split))
    for line in prover.states.first_two():
        one, other = line.cards
        if one[0] != other[0] or not prover.states.may(split, line):
            continue
        for times in range(3):
            again = Line((one, one[0] + "C"), pair=(one, other), sibling=(other,), again=times)
            found.append(again)
            scene = scene_of(prover.read, quick_table(again, permitted), again, "original", STAKE)
            play = r.Play(1, 1, "P1", mechanics.splitting, STAKE)
            if prover.read.allowed(whether("player", split), scene.but(play=play))[0] is not True:
                break
    return found


def choice(
    space: Symbolic,
    states: Diagram,
    options: tuple[str, ...] = (),
    events: Mapping[str, str] = MappingProxyType({}),
    *,
    looked: bool = True,
    turned: bool = False,
) -> Witness | None:
    """The smallest hand, dealt up to the choice; only these options of the table may be in use, or
    chosen, and only these events may have come about. `looked`, `turned`: after the dealer's look
    at the hole card, if there is one, and after it was turned."""
    for chosen, cells in space.d.states(states):
        raised = [space.flags[level] for level in chosen]
        facts = [name for kind, name in raised if kind == "fact"]
        known = {"option": options, CHOICE: options, "fact": events}
        if len(facts) > 1 or any(name not in known.get(kind, ()) for kind, name in raised):
            continue
        in_use = [level for level in chosen if space.flags[level][0] in ("option", CHOICE)]
        for n in bits(cells):
            cell = space.cells[n]
            line: Line | None = cell.player.line
            assert line is not None
            around = Around(
                cell.dealer.dealer,
                options=tuple(sorted(_as_option(space.flags[x], chosen[x]) for x in in_use)),
                before=tuple(events[name].format(player=line.player) for name in facts),
            )
            flags = (*facts, *(f"option {name}" for name in around.options))
            dealt = at_a_choice(space.engine, line, around, looked=looked, turned=turned)
            if dealt is not None:
                made, play = dealt
                return Witness(line, ORIGINAL, made, space.engine.mechanics.main, play, flags)
    return None


def _as_option(flag: Flag, value: int) -> str:
    return option_of(flag, value) if flag[0] == CHOICE else flag[1]


def asked_again(engine: Engine, witness: Witness, question: Question) -> Answer:
    """What the evaluator says of the choice in the dealt round."""
    game = engine.rulebook.game
    table = table_of(round_of(witness.play, witness.around.options, game=game))
    scene = scene_of(engine, table, witness.line, "original", STAKE)
    do = engine.mechanics.word_for(actor_and_act(question)[1])
    play = r.Play(1, witness.line.number, witness.line.player, do, STAKE)
    return engine.ask(question, scene.but(play=play))
