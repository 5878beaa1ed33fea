"""Where two texts on a game with named hands differ in meaning, over every deal."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from checker.diff.classes import ChangeClass, Meaning, Outcome, SideAnswer, Undecided
from checker.diff.named_houses import Houses, on_drawing
from checker.diff.printed.declared import declared_otherwise
from checker.diff.same_rules import Prints
from checker.diff.topics import Subjects
from checker.evaluate.answer import Answer
from checker.evaluate.conditions import Value
from checker.evaluate.engine import Engine
from checker.evaluate.hand_draws import Draws, Turn, draws_of
from checker.evaluate.named_scene import NamedScene, fresh_table
from checker.evaluate.ready import new_engine
from checker.states.fact_grid import FactGrid, fact_grid
from checker.states.houses import NOT_TOGETHER, House, offered
from checker.states.named_deals import (
    TOO_MANY,
    Deal,
    Deals,
    Hands,
    conditions_of,
    decks_of,
    finer,
    hangs_on_first_deal,
    kinds_of_cards,
    shown_cards,
)
from checker.states.named_witness import witness_of
from checker.table.named_hands import not_followed
from rulespec.resolve.question import (
    DEALS,
    DECLARATIONS,
    Question,
    about_bet,
    actor_and_act,
    asks_about_bet,
    is_act_of,
    is_card_value,
    is_definition,
    is_requirement,
    requiring,
    whether,
)
from rulespec.resolve.rule_value import RuleValue, is_expression
from rulespec.resolve.rulebook import Rulebook

_SETTLED = ("result", "odds", "highest", "sum")


class NamedComparer:
    """Two texts of one game."""

    def __init__(self, old: Rulebook, new: Rulebook, budget: float | None = None) -> None:
        self.engines = (new_engine(old), new_engine(new))
        self.prints = tuple(Prints(engine) for engine in self.engines)
        self.deadline = None if budget is None else time.monotonic() + budget
        self.found, self.subjects = Meaning(), Subjects(old.game, new.game)
        self.bets: list[str] = []  # that may come out otherwise
        self._classes: dict[tuple[str, Outcome, Outcome], ChangeClass] = {}
        self._in: dict[tuple[str, Outcome, Outcome], list[House]] = {}
        self.house: House = ()

    def run(self) -> Meaning:
        old, new = (engine.rulebook.game for engine in self.engines)
        if (old.name, old.hands, old.deals, old.stages) != (
            new.name,
            new.hands,
            new.deals,
            new.stages,
        ):
            why = f"one text is of `{old.called}`, the other of `{new.called}`, dealt otherwise"
            about = self.subjects.of(requiring("deal"))
            self.found.undecided.append(Undecided(whether("player", "draw"), about, why))
            self.found.complete = False
            return self.found
        for what in dict.fromkeys((*not_followed(old), *not_followed(new))):
            why = f"{what} is not followed"
            about = self.subjects.of(requiring("round"))
            self.found.undecided.append(Undecided(requiring("round"), about, why))
        for what in declared_otherwise(old, new):
            why = f"{what}, and what that changes at the table is not compared"
            about = self.subjects.of(DECLARATIONS)
            self.found.undecided.append(Undecided(DECLARATIONS, about, why))
            self.found.complete = False
        prints = self.prints
        questions = {r.question for e in self.engines for r in e.rulebook.rules}
        changed = {q for q in questions if prints[0].of(q) != prints[1].of(q)}
        self.found.proven += sorted(q for q in questions - changed if not is_definition(q))
        cards = {q for q in changed if self._about_cards(q)}
        self.houses = Houses(self.engines, changed)
        if not self.houses.whole:
            about = self.subjects.of(requiring("round"))
            self.found.undecided.append(Undecided(requiring("round"), about, NOT_TOGETHER))
            self.found.complete = False
        for house in self.houses.all if cards else ():
            self.house = house
            self._deals(cards)
        for question in sorted(changed - cards):
            if not is_definition(question):
                self._by_facts(question)
        self.found.classes = [
            replace(one, circumstances=(*one.circumstances, *self.houses.where_only(self._in[key])))
            for key, one in self._classes.items()
        ]
        self.found.undecided = list(dict.fromkeys(self.found.undecided))
        return self.found

    def _noted(self, key: tuple[str, Outcome, Outcome]) -> bool:
        """Whether a difference is known; that it comes about in this house is kept."""
        known = self._in.setdefault(key, [])
        if self.house not in known:
            known.append(self.house)
        return key in self._classes

    def _about_cards(self, question: Question) -> bool:
        game = self.engines[0].rulebook.game
        actor = actor_and_act(question)[0]
        return asks_about_bet(question, *_SETTLED) or actor in game.hands or is_card_value(question)

    def _late(self) -> bool:
        return self.deadline is not None and time.monotonic() > self.deadline

    # --- over all deals

    def _deals(self, changed: set[Question]) -> None:
        decks = max(decks_of(engine) for engine in self.engines)
        game = self.engines[0].rulebook.game
        values = any(is_card_value(question) for question in changed)
        bets = [
            bet
            for bet in game.bets
            if values or any(about_bet(bet, what) in changed for what in _SETTLED)
        ]
        by_first = [b for b in bets if all(hangs_on_first_deal(e, b) for e in self.engines)]
        drawing = {q for engine in self.engines for q in on_drawing(engine)}
        others = [bet for bet in bets if bet not in by_first]
        if others or values or drawing & changed:
            self._go_through(others, drawing, decks)
        for bet in by_first:
            self._go_through([bet], set(), decks, first=True)

    def _go_through(
        self, bets: list[str], drawing: set[Question], decks: int, *, first: bool = False
    ) -> None:
        """`first`: the cards of the first deal decide these bets."""
        self.bets = bets
        settled = {about_bet(bet, what) for bet in bets for what in _SETTLED}
        asked = [part for e in self.engines for part in conditions_of(e, drawing | settled)]
        kinds = finer(*(kinds_of_cards(engine, asked) for engine in self.engines))
        house = offered(self.house)
        both = [Deals(e, decks, asked, kinds, first, house=house) for e in self.engines]
        if both[0].too_many:
            question = about_bet(bets[0], "result") if bets else DEALS
            about = self.subjects.of(question if bets else requiring("deal"))
            self.found.undecided.append(Undecided(question, about, TOO_MANY))
            self.found.complete = False
            return
        for hands, _ in both[0].initial():
            if self._late():
                why = "the time given was not enough"
                about = self.subjects.of(requiring("deal"))
                self.found.undecided.append(Undecided(DEALS, about, why))
                self.found.complete = False
                return
            if first:
                self.found.states += 1
                self._settled(both[0], hands, (both[0].scene(hands), both[1].scene(hands)))
                continue
            draws = (draws_of(self.engines[0]), draws_of(self.engines[1]))
            self._from(both, hands, draws)

    def _from(self, both: list[Deals], hands: Hands, draws: tuple[Draws, Draws]) -> None:
        """One deal under both texts; where they part, each goes its own way alone."""
        self.found.states += 1
        scenes = (both[0].scene(hands), both[1].scene(hands))
        (one, mine), (other, theirs) = (d.next(s) for d, s in zip(draws, scenes, strict=True))
        if mine is None and theirs is None:
            self._settled(both[0], hands, scenes)
            return
        if mine is None or theirs is None or mine.hand != theirs.hand:
            return
        self._drawn(both[0], hands, mine, theirs)
        if mine.due is not theirs.due:
            return  # what follows is another round
        if mine.due is not True:
            self._from(both, hands, (one.passed(), other.passed()))
        if mine.due is not False:
            for drawn, _ in both[0].with_card(hands, mine.hand):
                self._from(both, drawn, (one.took(), other.took()))

    def _drawn(self, deals: Deals, hands: Hands, mine: Turn, theirs: Turn) -> None:
        was, becomes = _duty(mine.answer), _duty(theirs.answer)
        if was != becomes:
            question = mine.answer.question
            self._note(
                question, "R603", was, becomes, (mine.answer,), (theirs.answer,), deals, hands
            )

    def _settled(self, deals: Deals, hands: Hands, scenes: tuple[NamedScene, NamedScene]) -> None:
        for bet in self.bets:
            was, old = _wager(self.engines[0], bet, scenes[0])
            becomes, new = _wager(self.engines[1], bet, scenes[1])
            if was != becomes:
                code = "R601" if was.values != becomes.values else "R602"
                self._note(
                    about_bet(bet, "result"), code, was, becomes, old, new, deals, hands, bet
                )

    def _note(
        self,
        question: Question,
        code: str,
        was: Outcome,
        becomes: Outcome,
        old: tuple[Answer, ...],
        new: tuple[Answer, ...],
        deals: Deals,
        hands: Hands,
        bet: str = "",
    ) -> None:
        key = (question, was, becomes)
        if self._noted(key):
            if self._in[key][0] == self.house:
                known = self._classes[key]
                self._classes[key] = replace(known, states=known.states + 1)
            return
        before, after = was.returned, becomes.returned
        gain = after - before if bet and before is not None and after is not None else None
        finished = deals.finished(Deal(hands, 1, None, deals.scene(hands)))
        cards = tuple(shown_cards(deals, finished).items())
        some = bet or next(iter(self.engines[0].rulebook.game.bets))
        self._classes[key] = ChangeClass(
            code,
            self.subjects.of(question),
            question,
            SideAnswer(was, _clauses(old), _readings(old)),
            SideAnswer(becomes, _clauses(new), _readings(new)),
            1,
            witness_of(self.engines[0], cards, (some,), options=deals.house),
            gain=gain,
        )

    # --- by the values of facts

    def _without_what_is_shared(self, question: Question) -> tuple[Engine, Engine]:
        """Each requirement is kept by itself: those that both texts have tell nothing apart."""
        if not is_requirement(question):
            return self.engines
        told = [
            {id(rule): prints.of_rule(rule) for rule, _ in engine.by_question.get(question, ())}
            for engine, prints in zip(self.engines, self.prints, strict=True)
        ]
        shared = set(told[0].values()) & set(told[1].values())
        books = (
            replace(
                engine.rulebook,
                rules=tuple(r for r in engine.rulebook.rules if mine.get(id(r)) not in shared),
            )
            for engine, mine in zip(self.engines, told, strict=True)
        )
        old, new = (new_engine(book) for book in books)
        return old, new

    def _by_facts(self, question: Question) -> None:
        engines = self._without_what_is_shared(question)
        grid = fact_grid(engines, question)
        found = False
        for (facts, on), house in product(grid.cases(), self.houses.all):
            self.house = house
            outcomes = [_said(engine, question, facts, on, house) for engine in engines]
            (was, old), (becomes, new) = outcomes
            if was == becomes:
                continue
            found = True
            key = (question, was, becomes)
            if not self._noted(key):
                self._classes[key] = ChangeClass(
                    _code(question),
                    self.subjects.of(question),
                    question,
                    SideAnswer(was, old),
                    SideAnswer(becomes, new),
                    1,
                    circumstances=tuple(_told(self.engines[0], facts, on, grid)),
                )
        if not found and grid.whole:
            self.found.proven.append(question)
        elif not found:
            why = "worded otherwise, and no values that were tried tell the texts apart"
            clauses = [
                tuple(dict.fromkeys(r.clause for r, _ in e.by_question.get(question, ())))
                for e in self.engines
            ]
            topic = self.subjects.of(question)
            self.found.undecided.append(Undecided(question, topic, why, *clauses))


def _code(question: Question) -> str:
    if is_requirement(question):
        return "R604"
    return "R605" if is_act_of(question, "casino") else "R606"


def _duty(answer: Answer) -> Outcome:
    return Outcome(tuple(sorted({str(value) for value in answer.values})), silent="no clause says")


def _wager(engine: Engine, bet: str, scene: NamedScene) -> tuple[Outcome, tuple[Answer, ...]]:
    view = scene.but(bet=bet)
    result = engine.ask(about_bet(bet, "result"), view)
    values = tuple(sorted(str(v) for v in result.values))
    if "wins" not in values:
        return Outcome(values), (result,)
    odds = engine.ask(about_bet(bet, "odds"), view)
    return Outcome(values, tuple(sorted(odds.values, key=str))), (result, odds)


def _clauses(answers: tuple[Answer, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(c for answer in answers for c in answer.clauses))


def _readings(answers: tuple[Answer, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for answer in answers for name in answer.readings))


class _Supposed(NamedScene):
    """A scene in which some facts and settings are as they are supposed to be."""

    on: frozenset[tuple[str, str]] = frozenset()

    def setting(self, kind: str, name: str) -> bool | None:
        return (kind, name) in self.on


def _said(
    engine: Engine,
    question: Question,
    facts: dict[str, Value],
    on: frozenset[tuple[str, str]],
    house: House,
) -> tuple[Outcome, tuple[str, ...]]:
    """What a text comes to in one case, and the clauses that say so."""
    blank = fresh_table(engine, options=offered(house))
    scene = _Supposed(engine, blank.table, blank.shoe)
    scene.on = on
    scene.memory.update(facts)
    answer = engine.work_out(question, scene)
    if is_requirement(question):
        broken = [r for r in answer.rules if engine.requirement(r)[0](scene) is False]
        clauses = tuple(dict.fromkeys(r.clause for r in broken))
        return Outcome(("not allowed",) if broken else ("allowed",)), clauses
    values = tuple(sorted(_shown(engine, value, scene) for value in answer.values))
    return Outcome(values, silent="nothing is said"), answer.clauses


def _shown(engine: Engine, value: RuleValue, scene: NamedScene) -> str:
    if is_expression(value):
        return str(engine.term(value)(scene))
    return str(value)


def _told(
    engine: Engine, facts: dict[str, Value], on: frozenset[tuple[str, str]], grid: FactGrid
) -> Iterator[str]:
    from rulespec.base.money import money_text

    known = engine.rulebook.game
    for kind, name in sorted(on):
        yield f"{kind} {name.replace('_', ' ')}"
    for name, value in facts.items():
        info = known.plain_fact(name)
        meaning = info.meaning if info is not None else name
        if isinstance(value, bool):
            yield meaning if value else f"not so: {meaning}"
        elif info is not None and info.kind.name == "money" and isinstance(value, int):
            yield f"{meaning}: {money_text(value)}"
        else:
            yield f"{meaning}: {value}"
