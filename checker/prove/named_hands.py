"""Proofs about a game with named hands, by dealing every deal that the rules tell apart.

As with boxes, the text is judged as printed, without the readings; these only decide which deals
come about, and whether what is found is settled by one. Each finding carries a round that was dealt
and judged again by the evaluator.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from checker.evaluate.answer import BANS, Answer
from checker.evaluate.engine import Engine
from checker.evaluate.named_scene import NamedScene, fresh_table
from checker.evaluate.ready import new_engine
from checker.prove.cover import Cover
from checker.prove.findings import proof_findings
from checker.prove.issues import Proofs
from checker.prove.named_findings import HELP, Issue, issue_findings
from checker.prove.named_numbers import numbers, values_of_cards
from checker.prove.record import Record
from checker.prove.words import words
from checker.states.houses import NOT_TOGETHER, House, all_houses, axes_of, houses_of, offered
from checker.states.marks import PRIME, weight
from checker.states.named_deals import (
    TOO_MANY,
    Asked,
    Deal,
    Deals,
    conditions_of,
    decks_of,
    groups_of,
    shown_cards,
)
from checker.states.named_witness import witness_of
from checker.table.named_hands import not_followed
from rulespec.base.diagnostics import Diagnostic
from rulespec.checks.references import not_told_apart
from rulespec.resolve.question import (
    ROUNDING,
    Question,
    about_bet,
    asks_about_bet,
    bet_and_what,
    defining,
    is_act_of,
    is_card_value,
    is_definition,
    is_requirement,
)
from rulespec.resolve.rulebook import Rule, Rulebook
from rulespec.tree import nodes as t
from rulespec.tree.walk import asked_words

Groups = list[tuple[tuple[str, ...], Deals]]


@dataclass(slots=True)
class _Search:
    printed: Engine
    read: Engine
    under: list[tuple[House, Groups]]
    """The deals of each house, as far as the drawing hangs on it."""
    houses: dict[str, list[House]]  # of each bet: what else its results and odds hang on
    whole: bool  # that is all of them
    issues: dict[tuple[Any, ...], Issue] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)  # rules that applied to some deal
    states: int = 0
    asked: dict[tuple[Question, House], Asked] = field(default_factory=dict)
    tables: dict[House, NamedScene] = field(default_factory=dict)
    house: House = ()
    bets: tuple[str, ...] = ()  # those that are asked of the deals now
    deals: Deals = field(init=False)

    @property
    def groups(self) -> Groups:
        return self.under[0][1]

    def all(self) -> Iterator[Deal]:
        for house, groups in self.under:
            self.house = house
            for bets, deals in groups:
                self.bets, self.deals = bets, deals
                if not deals.too_many:
                    yield from deals.all()


def _search(printed: Engine, read: Engine) -> _Search:
    game, decks = read.rulebook.game, decks_of(read)
    drawing = [q for q in read.by_question if is_act_of(q, *game.hands)]
    axes = axes_of(game, conditions_of(read, drawing))
    under = []
    for house in houses_of(axes):
        options = offered(house)
        groups = groups_of(read, list(game.bets), decks, draws=True, house=options)
        under.append((options, groups))
    houses = {}
    whole = all_houses(axes)
    for bet in game.bets:
        asked = conditions_of(read, [about_bet(bet, "result"), about_bet(bet, "odds")])
        own = [axis for axis in axes_of(game, asked) if axis not in axes]
        houses[bet] = [offered(house) for house in houses_of(own)]
        whole = whole and all_houses(own)
    return _Search(printed, read, under, houses, whole)


def prove_named(text: Rulebook, deadline: float | None) -> Record:
    printed = new_engine(text.without_reading(*(reading.name for reading in text.readings)))
    read = new_engine(text)
    search = _search(printed, read)
    undecided = [f"{what}, which is not followed" for what in not_followed(text.game)]
    undecided += [
        f"{' and '.join(bets) or 'which hand draws'}, for {TOO_MANY}"
        for bets, deals in search.groups
        if deals.too_many
    ]
    undecided += [] if search.whole else [NOT_TOGETHER]
    for deal in search.all():
        if deadline is not None and search.states % 1000 == 0 and time.monotonic() > deadline:
            undecided.append("the deals of all hands, in the time given")
            break
        _look_at(search, deal)
    found = [] if undecided else list(_dead(search))  # what is not followed may bring rules to life
    issues = issue_findings(search.issues.values(), printed, read, search.deals.decks)
    found = [*issues, *found, *numbers(printed, read), *values_of_cards(printed)]
    by_words = Proofs(found=words(printed, read, frozenset()))
    return Record(
        (*found, *(d for d in proof_findings(text, by_words) if _is_new(d, found))),
        tuple(undecided),
        (),
        search.states,
        _cover(text, read).as_json(),
    )


def _is_new(found: Diagnostic, others: Iterable[Diagnostic]) -> bool:
    return not any((d.code, d.clause) == (found.code, found.clause) for d in others)


# --- deal by deal


def _look_at(search: _Search, deal: Deal) -> None:
    search.states += 1
    if deal.turn is not None:
        _ask(search, deal, deal.turn.answer.question, "")
        return
    for bet in search.bets:
        if not search.printed.has(about_bet(bet, "result")):
            continue
        for own in search.houses[bet]:
            answer = _ask(search, deal, about_bet(bet, "result"), bet, own)
            if answer.values == ("wins",):
                _ask(search, deal, about_bet(bet, "odds"), bet, own)


def _ask(search: _Search, deal: Deal, question: Question, bet: str, own: House = ()) -> Answer:
    house = (*search.house, *own)
    asked = search.asked.get((question, house))
    if asked is None:
        asked = search.asked[question, house] = Asked(search.printed, question)
    scene = deal.scene.but(engine=search.printed, bet=bet)
    if own:
        if house not in search.tables:
            search.tables[house] = fresh_table(search.printed, search.deals.decks, house)
        scene = search.tables[house].but(hands=scene.hands, bet=bet)
    answer = asked.of(scene)
    search.used.update(rule.id for rule in answer.rules)
    search.used.update(rule.id for rule, _ in answer.beaten)
    clash = _clash(answer, search.printed, scene)
    gap = not answer.values and not answer.unknown
    if clash or gap:
        _note(search, deal, question, bet, answer, clash, scene, house)
    return answer


def _clash(answer: Answer, engine: Engine, scene: NamedScene) -> tuple[Rule, ...]:
    """The rules that cannot all be kept."""
    values = {v for v in answer.values if v != "may" or len(answer.values) == 1}
    if values <= BANS or values <= {"must", "may"}:
        return ()
    if asks_about_bet(answer.question, "odds") and len(values) > 1:
        bet = bet_and_what(answer.question)[0]
        if (
            engine.ask(about_bet(bet, "highest"), scene).values
            or engine.ask(about_bet(bet, "sum"), scene).values
        ):
            return ()
    return answer.rules if len(values) > 1 else ()


def _note(
    search: _Search,
    deal: Deal,
    question: Question,
    bet: str,
    answer: Answer,
    clash: tuple[Rule, ...],
    scene: NamedScene,
    house: House,
) -> None:
    where = "" if clash else _where(deal, question)
    key = (question, where, *((rule.clause, str(rule.value)) for rule in clash))
    issue = search.issues.get(key)
    if issue is None:
        issue = search.issues[key] = Issue(question, clash, where=where)
    cards = shown_cards(search.deals, search.deals.finished(deal))
    text = " ".join([*(f"{name}:{','.join(held)}" for name, held in cards.items()), *house])
    issue.count += 1
    issue.mark = (issue.mark + weight(text)) % PRIME
    now = search.read.ask(question, scene.but(engine=search.read))
    settled = now.decided or (bool(now.values) and (set(now.values) <= BANS))
    issue.settled = issue.settled and settled
    issue.readings = tuple(dict.fromkeys((*issue.readings, *now.readings)))
    if issue.witness is None or deal.cards < issue.witness.cards:
        bets = (bet,) if bet else _some_bet(search)
        issue.witness = witness_of(search.read, tuple(cards.items()), bets, options=house)


def _some_bet(search: _Search) -> tuple[str, ...]:
    return tuple(search.read.rulebook.game.bets)[:1]


def _where(deal: Deal, question: Question) -> str:
    """What a hand has, where no clause says whether it draws."""
    if deal.turn is None:
        return ""
    return f"on {deal.scene.fact(f'{deal.turn.hand}.total')}"


def _dead(search: _Search) -> Iterator[Diagnostic]:
    """Rules on drawing, results and odds that no deal meets. A ban on drawing is there for deals
    that break the rules, which are not dealt."""
    hands = search.read.rulebook.game.hands
    for question in dict.fromkeys(question for question, _ in search.asked):
        for rule, _ in search.printed.by_question.get(question, ()):
            if rule.id in search.used or not _of_cards(search.printed, rule, hands):
                continue
            if rule.value in BANS:
                continue
            yield Diagnostic(
                "R313",
                f"`{rule.clause}` never applies to `{question}`: no deal meets it",
                rule.span,
                search.read.rulebook.id,
                rule.clause,
                (),
                HELP["R313"],
                about=(f"by its words {weight(rule.id):08x}"[:21],),
            )


def _of_cards(engine: Engine, rule: Rule, hands: Iterable[str]) -> bool:
    """Whether a rule asks for nothing but the cards of the hands."""
    for word in asked_words(rule.condition):
        if defining(word.name) in engine.by_question:
            terms = [entry for entry, _ in engine.by_question[defining(word.name)]]
            if not all(_of_cards(engine, term, hands) for term in terms):
                return False
        elif word.name.partition(".")[0] not in hands:
            return False
    return True


# --- what is not looked at


def _cover(text: Rulebook, engine: Engine) -> Cover:
    found = Cover()
    hands = text.game.hands
    bets = tuple(f"{bet}." for bet in text.game.bets)
    for rule in text.rules:
        if is_act_of(rule.question, *hands) or asks_about_bet(rule.question, "result", "odds"):
            for fact in sorted(_facts(engine, rule)):
                if fact.partition(".")[0] not in hands:
                    clauses = found.not_varied.setdefault(fact, [])
                    if rule.clause not in clauses:
                        clauses.append(rule.clause)
        else:
            clauses = found.by_kind.setdefault(_kind(rule, bets), [])
            if rule.clause not in clauses:
                clauses.append(rule.clause)
    ruled = {rule.clause for rule in text.rules}
    found.without_rules = [
        c.id for c in text.clauses if c.standing == "not checkable" and c.id not in ruled
    ]
    blind, found.references = not_told_apart(text)
    found.not_told_apart = [(c.owner, c.as_printed) for c in blind]
    return found


def _facts(engine: Engine, rule: Rule) -> set[str]:
    found = {w.name for w in asked_words(rule.condition) if isinstance(w, t.Fact)}
    return {name for name in found if defining(name) not in engine.by_question}


def _kind(rule: Rule, bets: tuple[str, ...]) -> Any:
    from checker.prove.cover import AMOUNTS, CARDS, DUTIES, HOW_ROUNDED, REQUIRED, TERMS, TIMES

    if is_definition(rule.question):
        return TERMS
    if is_card_value(rule.question):
        return CARDS
    if is_requirement(rule.question):
        return REQUIRED
    if asks_about_bet(rule.question, "settles"):
        return TIMES
    if rule.question == ROUNDING:
        return HOW_ROUNDED
    return AMOUNTS if rule.question.startswith(bets) else DUTIES
