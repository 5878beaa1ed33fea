"""What cards count and what terms mean: values that clash, and definitions that do not agree."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from checker.evaluate.dealer_draw import DECK_52
from checker.evaluate.engine import Answer, Engine
from checker.evaluate.scene import SeenScene
from checker.prove.issues import Clash, Proven, issues, pairs, said_by, settled
from checker.prove.witnessed import add, by_reading, report
from checker.states.diagram import Diagram
from checker.states.lines_of_play import (
    SHOE,
    STAKE,
    Around,
    Line,
    round_of,
    scene_of,
    script,
    table_of,
)
from checker.states.marks import line_text, weight
from checker.states.row_facts import asked_of
from checker.states.symbolic import Symbolic
from checker.states.witness import Witness
from checker.table.state import Dealt, Table
from rulespec.resolve.question import Question, defining, requiring, value_of_card
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t

if TYPE_CHECKING:
    from checker.prove.search import Search


def card_values(prover: Search) -> None:
    """Cards that count two things, or nothing, in a hand that can be dealt."""
    ranks = [
        rank
        for rank in prover.states.all_ranks
        if any(
            not isinstance(rule.condition, t.Always)
            for rule, _ in prover.printed.by_question.get(value_of_card(rank), ())
        )
    ]
    found: dict[tuple[str, Question, frozenset[str]], list[tuple[Line, int]]] = {}
    rules: dict[str, Rule] = {}
    seen: set[object] = set()
    for rank in DECK_52:
        if rank not in ranks:
            _one_value(prover, rank, found, rules)
    alone = {rank for rank in ranks if _asked_of_card(prover.printed, rank) <= _OF_THE_CARD}
    counted: dict[tuple[object, ...], Answer] = {}
    for line in prover.lines() if ranks else ():
        hand = (line.cards, line.doubled_with, line.number, line.pair)
        if hand in seen:  # what else was done does not change what cards count
            continue
        seen.add(hand)
        for place, card in enumerate(line.cards):
            if card[0] not in ranks:
                continue
            key = (card[0], place, line.doubled_with, line.pair is None)
            answer = counted.get(key)
            if answer is None:
                scene = _scene(prover.printed, prover.states.table(line), line)
                answer = _counted(scene, place)
                if card[0] in alone:
                    counted[key] = answer
            if answer.unknown or len(answer.values) == 1:
                continue
            rules.update({r.id: r for r in answer.rules})
            code = "R310" if answer.values else "R312"
            issue = (code, value_of_card(card[0]), frozenset(r.id for r in answer.rules))
            found.setdefault(issue, []).append((line, place))
    for (code, question, ids), shown in found.items():
        clashing = sorted((rules[i] for i in ids), key=lambda r: prover.order[r.id])
        said = weight(" | ".join([question, *sorted(map(said_by, clashing))]))
        hands = sum(weight(f"{line_text(line)} {n}") for line, n in shown)
        plain = Proven(
            code, question, tuple(clashing), len(shown), settled=False, mark=said * hands
        )
        for line, place in sorted(shown, key=lambda entry: entry[0].size)[:10]:
            proven = _dealt(prover, plain, line, place)
            if proven is not None:
                add(prover, proven)
                break
        else:
            add(prover, replace(plain, not_dealt=True))


def _one_value(
    prover: Search,
    rank: str,
    found: dict[tuple[str, Question, frozenset[str]], list[tuple[Line, int]]],
    rules: dict[str, Rule],
) -> None:
    """A card that counts the same in every hand: once, and not twice, if it is in the pack."""
    question = value_of_card(rank)
    line = Line((rank + "S", ("8" if rank == "9" else "9") + "H"))
    if not prover.printed.has(question) and not _in_the_pack(prover, rank):
        return
    answer = _counted(_scene(prover.printed, prover.states.table(line), line), 0)
    if not answer.unknown and len(answer.values) != 1:
        rules.update({r.id: r for r in answer.rules})
        code = "R310" if answer.values else "R312"
        found[code, question, frozenset(r.id for r in answer.rules)] = [(line, 0)]


def _in_the_pack(prover: Search, rank: str) -> bool:
    """The text says which cards are played with, and this rank is one of them."""
    scene = SeenScene(prover.printed, Table(prover.blank), SHOE)
    view = scene.but(card=Dealt(rank + "S", 0, False), deal={"rank": rank, "copies": 1})
    told = prover.printed.ask(requiring("card"), view).rules
    return bool(told) and all(prover.printed.requirement(r)[0](view) is not False for r in told)


_OF_THE_CARD = frozenset(
    {
        "card.rank",
        "card.position",
        "card.initial",
        "card.held_when_doubled",
        "hand.doubled",
    }
)
"""Facts that are the same for one rank at one place of hands doubled, and split, alike."""


def _asked_of_card(engine: Engine, rank: str) -> set[str]:
    rules = [rule for rule, _ in engine.by_question[value_of_card(rank)]]
    return set().union(*(asked_of(engine, rule.condition, set()) for rule in rules))


def _dealt(prover: Search, plain: Proven, line: Line, place: int) -> Proven | None:
    """The finding, if the hand can be dealt and the evaluator says the same of it."""
    dealers = [c for c in prover.dealers(prover.main) if not line.firsts or c[0][0] in line.firsts]
    for dealer in dealers[:5]:
        around = Around(dealer, other_box=True)
        play = script(line, around)
        dealt = prover.replayer.dealt(play, ())
        if dealt is None or dealt[0]:
            continue
        table = table_of(round_of(play))
        answer = _counted(_scene(prover.printed, table, line), place)
        if (len(answer.values) > 1) != (plain.code == "R310") or len(answer.values) == 1:
            continue
        as_read = _counted(_scene(prover.read, table, line), place)
        readings = by_reading(prover.read, as_read) if len(as_read.values) == 1 else ()
        beats = prover.read.beats(plain.question)
        wholly = len(plain.rules) > 1 and all(
            settled(Clash(0, one, other), beats)
            for one, other in combinations(plain.rules, 2)
            if one.value != other.value
        )
        return replace(
            plain,
            witness=Witness(line, line.parts()[0], around, prover.main, play, ()),
            readings=readings,
            values=answer.values,
            settled=wholly,
            here=answer.rules,
        )
    return None


def _scene(engine: Engine, table: Table, line: Line) -> SeenScene:
    return scene_of(engine, table, line, line.parts()[0], STAKE)


def _counted(scene: SeenScene, place: int) -> Answer:
    """What the card at this place of the hand counts."""
    assert scene.hand is not None
    card = scene.hand.cards[place]
    view = scene.but(card=card, card_position=place + 1)
    return scene.engine.ask(value_of_card(card.rank), view)


def terms(prover: Search, space: Symbolic, domain: Diagram, bet: str) -> None:
    """Definitions of one term that say yes and no of one hand, or that overlap and differ."""
    for term, as_dealer in sorted(space.terms):
        question = defining(term)
        if as_dealer or term in prover.defined or not space.engine.has(question):
            continue
        prover.defined.add(term)
        answers = space.answers(question)
        if len({rule.clause for rule in answers.rules}) < 2:
            continue
        for cluster in issues(prover.read, space, question, answers, pairs(space, answers, domain)):
            report(prover, space, cluster, "R310", question, bet, prover.printed)
        _differing(prover, space, term, domain, bet)


def _differing(prover: Search, space: Symbolic, term: str, domain: Diagram, bet: str) -> None:
    """Two clauses that both say what a term is, of some hands together and of some apart.

    Only hands without special events count: there, each clause is the remedy of another event."""
    d = space.d
    question = defining(term)
    answers = space.answers(question)
    plain = domain
    for level, flag in enumerate(space.flags):
        if flag[0] != "option":
            plain = d.both(plain, d.flag(level, frozenset({0})))
    said: dict[str, list[Rule]] = {}
    for rule in answers.rules:
        if rule.value is True:
            said.setdefault(rule.clause, []).append(rule)
    clauses = list(said)
    extent = {c: d.both(d.any_of([answers.kept[r.id] for r in said[c]]), plain) for c in clauses}
    for n, one in enumerate(clauses):
        for other in clauses[n + 1 :]:
            both = d.both(extent[one], extent[other])
            apart = d.without(d.either(extent[one], extent[other]), both)
            if d.none in (both, apart):
                continue
            clash = Clash(apart, said[one][0], said[other][0])
            report(prover, space, [clash], "R319", question, bet, prover.printed)
