"""What players may and must do: permissions and duties that meet bans, for the player who decides
and for the others on the box."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from checker.evaluate.engine import Engine
from checker.prove.choices import (
    WHO_DECIDES,
    asked_again,
    by_the_house,
    choice,
    option_space,
    options_of,
)
from checker.prove.issues import (
    BANS,
    Clash,
    Proven,
    apart,
    by_what_forbids,
    count_of,
    issues,
    mark_of,
    pairs,
)
from checker.prove.rules import idle_orders, robbed
from checker.prove.witnessed import add, by_reading, marked
from checker.states.diagram import Diagram
from checker.states.row_facts import asked_of
from checker.states.symbolic import Answers, Symbolic
from rulespec.resolve.question import Question, whether
from rulespec.resolve.rulebook import Rule

if TYPE_CHECKING:
    from checker.prove.search import Search


EVENTS_OF_PLAY = {
    "absent": "absent 1 {player}",
    "refused": "refuse 1 {player}",
    "offer missed": "record {offer}_not_offered",
}
"""What may have come about before a choice, as the script of a round tells it."""


def option(prover: Search, action: str) -> None:
    """Where a permission or a duty meets a ban, and what an order of clauses takes away."""
    question = whether("player", action)
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
        options = options_of(prover.read, action) if rule.value not in BANS else ()
        witness = choice(space, states, options)
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
    prover: Search,
    space: Symbolic,
    cluster: list[Clash],
    code: str,
    question: Question,
    action: str,
) -> None:
    # a permission is banned in special circumstances: that is what a ban is for
    events = {} if code == "R311" else EVENTS_OF_PLAY
    if any(_for_missed_offers(prover.printed, c) for c in cluster):
        events = EVENTS_OF_PLAY
    mechanics = prover.printed.mechanics
    does = mechanics.plays.get(mechanics.word_for(action))
    offer = (does.places if does is not None else None) or action
    told = {name: text.replace("{offer}", offer) for name, text in events.items()}
    # what a permission asks for it has; a duty is kept whatever the house offers and chooses
    free = [x for x in cluster[0].rules if x.value == "may"] if code == "R311" else ()
    house = by_the_house(space, free) if free or code == "R310" else ()
    first = does is not None and (does.places is not None or does.claims)
    options = (*options_of(prover.read, action), *house)
    witness = choice(space, cluster[0].states, options, told, looked=not first)
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
    acts = space.engine.mechanics.acts
    if action not in (acts.draw, acts.stand) or ban.value not in BANS:
        return False
    own, _ = _by_whose_choice(space)
    of_others = space.d.both(answers.active[ban.id], own) == space.d.none
    return of_others and bool(asked_of(space.engine, ban.condition, set()) & WHO_DECIDES)


def ways(prover: Search) -> None:
    """Hands that must take a card and must stand, or may do neither; and hands that may stand
    although they must take a card, or may take one although they must stand."""
    acts = prover.printed.mechanics.acts
    draw, stand = whether("player", acts.draw), whether("player", acts.stand)
    space = option_space(prover, acts.stand, [draw, stand])
    drawing, standing = space.answers(draw), space.answers(stand)
    for values in (("must",), BANS):
        for clash in _opposed(prover, space, drawing, values, standing, values):
            _either(prover, space, [clash], "R310", draw)
    for question, free, bound in ((stand, standing, drawing), (draw, drawing, standing)):
        _shut_out(prover, space, question, free, bound)


def splits(prover: Search) -> None:
    """Hands that may be split although they must take a card. A double takes the card that is due,
    a split does not."""
    acts = prover.printed.mechanics.acts
    draw, split = whether("player", acts.draw), whether("player", acts.split)
    space = option_space(prover, acts.split, [draw, split])
    _shut_out(prover, space, split, space.answers(split), space.answers(draw))


def _shut_out(
    prover: Search, space: Symbolic, question: Question, free: Answers, bound: Answers
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
    draw = space.engine.mechanics.acts.draw
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
                or _who_decides(space, ones, one, draw)
                or _who_decides(space, others, other, draw)
            ):
                continue
            clash = found.setdefault((one.clause, other.clause), Clash(d.none, one, other))
            clash.states = d.either(clash.states, states)
    return list(found.values())


def _ordered(engine: Engine, one: Rule, other: Rule) -> bool:
    pairs_ = {(winner, loser) for winner, loser, _ in engine.rulebook.precedence}
    return bool(pairs_ & {(one.clause, other.clause), (other.clause, one.clause)})


def _either(
    prover: Search, space: Symbolic, clashes: list[Clash], code: str, question: Question
) -> None:
    """One finding for what one clause says against others."""
    free = [rule for rule in clashes[0].rules if rule.value == "may"]
    witness = choice(space, clashes[0].states, by_the_house(space, free))
    if witness is None:
        return
    acts = prover.printed.mechanics.acts
    draw, stand = whether("player", acts.draw), whether("player", acts.stand)
    both = [
        clause
        for asked in dict.fromkeys((draw, stand, question))
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
        mark=mark_of(space, f"{draw} or {acts.stand}", clashes),
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
