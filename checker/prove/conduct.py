"""What players may and must do: permissions and duties that meet bans, for the player who decides
and for the others on the box."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from checker.evaluate.engine import Answer, Engine
from checker.evaluate.scene import SeenScene
from checker.log import model as r
from checker.prove.issues import (
    BANS,
    Clash,
    Proven,
    apart,
    at_times,
    by_what_forbids,
    count_of,
    issues,
    mark_of,
    pairs,
)
from checker.prove.rules import idle_orders, robbed
from checker.prove.witnessed import add, by_reading, marked
from checker.states.diagram import Diagram, bits
from checker.states.lines_of_play import (
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
from checker.states.row_facts import asked_of
from checker.states.symbolic import Answers, Symbolic
from checker.states.witness import Witness
from rulespec.resolve.rulebook import Rule

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

EVENTS_OF_PLAY = {
    "absent": "absent 1 {player}",
    "refused": "refuse 1 {player}",
    "offer missed": "record {offer}_not_offered",
}
"""What may have come about before a choice, as the script of a round tells it."""

OFFERS = {"insure": "insurance", "surrender": "surrender"}

WITH = {"split": ("resplit",)}
"""Options of the table that a choice may depend on."""


def option(prover: Search, action: str) -> None:
    """Where a permission or a duty meets a ban, and what an order of clauses takes away."""
    question = f"player {action}"
    space = option_space(prover, action, [question])
    answers = space.answers(question)
    known: set[frozenset[str]] = set()
    for domain in _by_whose_choice(space):
        clashes = [
            c
            for c in pairs(space, answers, domain)
            if set(c.values) & set(BANS)
            and frozenset(c.clauses) not in known
            and not any(_who_decides(space, answers, rule, action) for rule in c.rules)
        ]
        known |= {frozenset(c.clauses) for c in clashes}
        for code, value in (("R310", "must"), ("R311", "may")):
            # a clause may except from what it allows
            meeting = [c for c in clashes if value in c.values and len(set(c.clauses)) > 1]
            found = issues(prover.read, space, question, answers, meeting)
            if value == "must":
                found = by_what_forbids(space, apart(prover.read, space, question, meeting))
            for cluster in found:
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


def _for_missed_offers(engine: Engine, clash: Clash) -> bool:
    """What is allowed only because of an omission, and banned all the same."""
    free = [x for x in (clash.one, clash.other) if x is not None and x.value == "may"]
    return any("play.offer_missed" in asked_of(engine, x.condition, set()) for x in free)


def _by_whose_choice(space: Symbolic) -> tuple[Diagram, Diagram]:
    """The hands of the deciding player, and those of others on the box."""
    d = space.d
    shared = [row.line is not None and row.line.shared for row in space.cells.players]
    rows = sum(1 << n for n, of_other in enumerate(shared) if of_other)
    others = d.leaf(space.cells.of("player", rows))
    return d.without(d.all, others), others


def _meeting(
    prover: Search, space: Symbolic, cluster: list[Clash], code: str, question: str, action: str
) -> None:
    # a permission is banned in special circumstances: that is what a ban is for
    events = {} if code == "R311" else EVENTS_OF_PLAY
    if any(_for_missed_offers(prover.printed, c) for c in cluster):
        events = EVENTS_OF_PLAY
    told = {name: text.replace("{offer}", OFFERS.get(action, "")) for name, text in events.items()}
    witness = choice(space, cluster[0].states, WITH.get(action, ()), told)
    if witness is None:
        return
    answer = asked_again(prover.printed, witness, question)
    rules = dict.fromkeys(rule for clash in cluster for rule in clash.rules)
    plain = Proven(
        code,
        question,
        tuple(sorted(rules, key=lambda x: x.value in BANS)),
        count_of(space, cluster),
        settled=all(c.settled for c in cluster),
        mark=mark_of(space, question, cluster),
    )
    if not set(cluster[0].clauses) <= set(answer.clauses):
        add(prover, replace(plain, not_dealt=True))
        return
    as_read = asked_again(prover.read, witness, question)
    readings = by_reading(prover.read, as_read) if code == "R310" else ()
    add(
        prover,
        replace(
            plain,
            witness=witness,
            readings=readings,
            values=answer.values,
            here=answer.rules,
        ),
    )


def _who_decides(space: Symbolic, answers: Answers, ban: Rule, action: str) -> bool:
    """Cards are taken for the hand: that others than its deciding player may not call for one, or
    stand, is no ban of the card."""
    if action not in ("draw", "stand") or ban.value not in BANS:
        return False
    own, _ = _by_whose_choice(space)
    of_others = space.d.both(answers.active[ban.id], own) == space.d.none
    return of_others and bool(asked_of(space.engine, ban.condition, set()) & WHO_DECIDES)


def ways(prover: Search) -> None:
    """Hands that must take a card and must stand, or may do neither; and hands that may stand
    although they must take a card, or may take one although they must stand."""
    draw, stand = "player draw", "player stand"
    space = option_space(prover, "stand", [draw, stand])
    drawing, standing = space.answers(draw), space.answers(stand)
    for values in (("must",), BANS):
        for clash in _opposed(prover, space, drawing, values, standing, values):
            _either(prover, space, [clash], "R310", draw)
    for question, free, bound in ((stand, standing, drawing), (draw, drawing, standing)):
        _shut_out(prover, space, question, free, bound)


def splits(prover: Search) -> None:
    """Hands that may be split although they must take a card. A double takes the card that is due,
    a split does not."""
    draw, split = "player draw", "player split"
    space = option_space(prover, "split", [draw, split])
    _shut_out(prover, space, split, space.answers(split), space.answers(draw))


def _shut_out(
    prover: Search, space: Symbolic, question: str, free: Answers, bound: Answers
) -> None:
    """What clauses allow the deciding player where others ask for something else."""
    d = space.d
    own, _ = _by_whose_choice(space)
    clashes = [
        replace(clash, states=d.both(clash.states, own))
        for clash in _opposed(prover, space, free, ("may",), bound, ("must",))
    ]
    clashes = [clash for clash in clashes if clash.states != d.none]
    if clashes:
        _either(prover, space, clashes, "R311", question)


def _opposed(
    prover: Search,
    space: Symbolic,
    ones: Answers,
    values: tuple[str, ...],
    others: Answers,
    against: tuple[str, ...],
) -> list[Clash]:
    """Clauses of which one says the one of drawing, the other the other of standing."""
    d = space.d
    found: dict[tuple[str, str], Clash] = {}
    for one in (r_ for r_ in ones.rules if r_.value in values):
        # a clause may except from what it allows
        own = [r_.id for r_ in others.rules if r_.clause == one.clause and r_.value in against]
        mine = d.without(ones.kept[one.id], d.any_of([others.kept[n] for n in own]))
        for other in (r_ for r_ in others.rules if r_.value in against):
            states = d.both(mine, others.kept[other.id])
            if (
                states == d.none
                or one.clause == other.clause
                or _ordered(prover.printed, one, other)
                or _who_decides(space, ones, one, "draw")
                or _who_decides(space, others, other, "draw")
            ):
                continue
            clash = found.setdefault((one.clause, other.clause), Clash(d.none, one, other))
            clash.states = d.either(clash.states, states)
    return list(found.values())


def _ordered(engine: Engine, one: Rule, other: Rule) -> bool:
    pairs_ = {(winner, loser) for winner, loser, _ in engine.rulebook.precedence}
    return bool(pairs_ & {(one.clause, other.clause), (other.clause, one.clause)})


def _either(
    prover: Search, space: Symbolic, clashes: list[Clash], code: str, question: str
) -> None:
    """One finding for what one clause says against others."""
    witness = choice(space, clashes[0].states)
    if witness is None:
        return
    both = [
        clause
        for asked in dict.fromkeys(("player draw", "player stand", question))
        for clause in asked_again(prover.printed, witness, asked).clauses
    ]
    rules = tuple(dict.fromkeys(rule for clash in clashes for rule in clash.rules))
    plain = Proven(
        code,
        question,
        rules,
        count_of(space, clashes),
        values=clashes[0].values,
        where="or standing" if code == "R310" else "",
        settled=all(_ordered(prover.read, *c_) for c_ in map(_rules, clashes)),
        mark=mark_of(space, "player draw or stand", clashes),
    )
    if set(clashes[0].clauses) <= set(both):
        here = tuple(rule for rule in rules if rule.clause in both)
        add(prover, replace(plain, witness=witness, here=here))
    else:
        add(prover, replace(plain, not_dealt=True))


def _rules(clash: Clash) -> tuple[Rule, Rule]:
    assert clash.one is not None
    assert clash.other is not None
    return clash.one, clash.other


# --- hands at the moment of a choice


def option_space(prover: Search, action: str, questions: list[str]) -> Symbolic:
    """Hands at the moment of a choice, with the dealer's first card."""
    states = prover.states
    lines = states.first_two()
    if action in ("draw", "stand", "double"):
        lines = [
            *lines,
            *(
                x
                for x in prover.lines()
                if not x.shared
                and x.number == 1
                and (action == "draw" or (x.doubled_with is None and not x.surrendered))
            ),
        ]
    if action == "split":
        lines = [*lines, *_split_again(prover)]
    if action == "forfeit":
        doubled = (x for x in prover.lines() if x.doubled_with is not None)
        lines = [x for x in doubled if not x.shared and x.number == 1 and not x.forfeited]
    asked = [
        asked_of(prover.printed, rule.condition, set())
        for question in questions
        for rule, _ in prover.printed.by_question.get(question, ())
    ]
    if "play.offer_missed" in set().union(*asked):  # also when a card was drawn since
        lines = [*lines, *(x for x in prover.lines() if _drawn_once(x))]
    if set().union(*asked) & OF_OTHERS:
        lines = [*lines, *_of_the_others(prover, action)]
    do = "hit" if action == "draw" else action

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
    ended = [x for x in prover.lines() if x.number == 1 and x.pair is None]
    longer = [x for x in ended if len(x.cards) > 2 and x.doubled_with is None]
    if action in ("draw", "stand"):
        doubled = [x for x in ended if x.shared and x.doubled_with is not None]
        given_up = [x.but(shared=True) for x in ended if x.surrendered]
        return [*plain, *(x.but(shared=True) for x in longer if not x.shared), *doubled, *given_up]
    if action == "double":
        chosen = [x for x in [*states.first_two(), *longer] if not x.shared]
        return plain + [
            line.but(doubled_with=len(line.cards), shared=True)
            for line in chosen
            if states.may("double", line)
        ]
    if action == "split":
        return plain + [
            Line((one,), pair=(one, other), sibling=(other,), shared=True)
            for line in states.first_two()
            for one, other in [line.cards]
            if states.scene(line).fact("hand.equal_value") and states.may("split", line)
        ]
    if action == "forfeit":
        return [x for x in ended if x.shared and x.doubled_with is not None and not x.forfeited]
    if action == "surrender":
        return plain + [x.but(shared=True) for x in ended if x.surrendered and not x.follows]
    return plain


def _split_again(prover: Search) -> list[Line]:
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


def choice(
    space: Symbolic,
    states: Diagram,
    options: tuple[str, ...] = (),
    events: Mapping[str, str] = MappingProxyType({}),
) -> Witness | None:
    """The smallest hand, dealt up to the choice; only these options of the table may be in use, and
    only these events may have come about."""
    for chosen, cells in space.d.states(states):
        raised = [space.flags[level] for level in chosen]
        facts = [name for kind, name in raised if kind == "fact"]
        known = {"option": options, "fact": events}
        if len(facts) > 1 or any(name not in known.get(kind, ()) for kind, name in raised):
            continue
        for n in bits(cells):
            cell = space.cells[n]
            line: Line | None = cell.player.line
            assert line is not None
            around = Around(
                cell.dealer.dealer,
                options=tuple(sorted(name for kind, name in raised if kind == "option")),
                before=tuple(events[name].format(player=line.player) for name in facts),
            )
            flags = (*facts, *(f"option {name}" for name in around.options))
            return Witness(line, "original", around, "main", script(line, around), flags)
    return None


def asked_again(engine: Engine, witness: Witness, question: str) -> Answer:
    """What the evaluator says of the choice in the dealt round."""
    game = engine.rulebook.game
    table = table_of(round_of(witness.play, witness.around.options, game=game))
    scene = scene_of(engine, table, witness.line, "original", STAKE)
    action = question.removeprefix("player ")
    do = "hit" if action == "draw" else action
    play = r.Play(1, witness.line.number, witness.line.player, do, STAKE)
    return engine.ask(question, scene.but(play=play))
