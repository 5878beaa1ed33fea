"""The search through all states of a text: what every proof about it works with."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from checker.evaluate.ready import new_engine
from checker.evaluate.scene import SeenScene
from checker.prove.issues import Proofs, Proven
from checker.prove.rules import Orders
from checker.states.diagram import OutOfTime
from checker.states.grid import Row
from checker.states.lines_of_play import (
    SHOE,
    STAKE,
    Line,
    added_parts,
    round_of,
    scene_of,
    with_totals,
)
from checker.states.reachable import States
from checker.states.row_facts import (
    cards_of,
    first_hand_of,
    note_values,
    wager_of,
)
from checker.states.witness import Replayer
from checker.table.state import Dealt, Table
from rulespec.base.clause_ids import ClauseIndex
from rulespec.resolve.precedence import precedence
from rulespec.resolve.question import Question, about_bet, defining
from rulespec.resolve.rulebook import Rulebook
from rulespec.tree.walk import asked_words

MARKED, INTERIM_FIRST, NONE = "marked", "interim-first", "none"


def as_printed(rulebook: Rulebook) -> Rulebook:
    """The text without any reading, with the precedence that is printed."""
    index = ClauseIndex((entry.id, entry.section) for entry in rulebook.clauses)
    printed = precedence(rulebook.clauses, rulebook.sections, (), index)
    return replace(
        rulebook, rules=tuple(r for r in rulebook.rules if r.reading is None), precedence=printed
    )


def without_phases(text: Rulebook) -> Rulebook:
    """The same text when nothing is settled before anything else."""
    return replace(text, rules=tuple(replace(r, interim=False) for r in text.rules))


class Search:
    """The printed text and the text as read, the hands that can come about, and what was found."""

    def __init__(
        self, rulebook: Rulebook, budget: float | None = None, phases: str = MARKED
    ) -> None:
        self.deadline = None if budget is None else time.monotonic() + budget
        self.phases = phases
        self.read = new_engine(rulebook)
        text = as_printed(rulebook)
        self.ordered = new_engine(text)  # interim settlement first
        self.printed = self.ordered if phases != NONE else new_engine(without_phases(text))
        final = tuple(r for r in text.rules if not r.interim)
        self.final = new_engine(replace(text, rules=final))
        self.replayer = Replayer(self.printed, self.read)
        self.states = States(self.read, self.tick, offering=True)
        self.proofs = Proofs()
        self.reported: list[tuple[Proven, Any]] = []  # with the `witnessed.Found` that shows it
        self.main = self.printed.mechanics.main
        self.order = {r.id: n for n, r in enumerate(rulebook.rules)}
        self.defined: set[str] = set()  # terms that were looked at
        self.orders = Orders(self.printed)
        self.blank = round_of("bet 1 P1 10\n")
        self._ticks = 0
        self._alike: dict[tuple[object, ...], int] = {}
        self._dealers: dict[tuple[str, ...], Row] = {}
        self._settled: list[Line] | None = None
        self._main: list[Row] | None = None
        self._drawn: list[tuple[str, ...]] | None = None

    def tick(self) -> None:
        self._ticks += 1
        if self.deadline is not None and self._ticks % 64 == 0 and time.monotonic() > self.deadline:
            raise OutOfTime

    def row(self, line: Line, part: str, bet: str) -> Row:
        """A hand at settlement."""

        def scene() -> SeenScene:
            table = self.states.table(line)
            return with_totals(scene_of(self.printed, table, line, part, STAKE, bet), line)

        return self.numbered(line, part, bet, scene)

    def numbered(self, line: Line, part: str, moment: str, scene: Callable[[], SeenScene]) -> Row:
        """A row that shares what is told of it with rows that are alike."""
        return Row(
            line,
            part,
            (),
            scene,
            line.size + (part in added_parts()[:1]),
            self._number(cards_of(line)),
            self._number((moment, *wager_of(line, part))),
            self._number(first_hand_of(line)),
        )

    def _number(self, alike: tuple[object, ...]) -> int:
        """The same number for all rows that have this in common."""
        return self._alike.setdefault(alike, len(self._alike))

    def dealer_row(self, cards: tuple[str, ...]) -> Row:
        if cards not in self._dealers:
            dealt = tuple(Dealt(c, n, False) for n, c in enumerate(cards))
            scene = SeenScene(self.printed, Table(self.blank), SHOE, dealt, no_effect=False)
            self._dealers[cards] = Row(None, "", cards, scene, len(cards))
        return self._dealers[cards]

    def note(
        self, questions: Iterable[Question], rows: list[Row], dealers: list[Row], stakes: list[int]
    ) -> None:
        """Which facts the search varies, told with what it finds."""
        note_values(self.printed, self.proofs.seen, questions, rows, dealers, stakes)

    def lines(self) -> list[Line]:
        if self._settled is None:
            self._settled = self.states.lines()
        return self._settled

    def dealers(self, bet: str) -> list[tuple[str, ...]]:
        if self._drawn is None:
            self._drawn = self.states.dealer_hands()
        mechanics = self.printed.mechanics
        placing = mechanics.placed_by(bet)
        if not placing:
            return self._drawn
        line = Line(("9S", "8H"))
        action = mechanics.action(placing)
        firsts = {f for f in self.states.all_ranks if self.states.may(action, line, f)}
        return [cards for cards in self._drawn if cards[0][0] in firsts]

    def placing(self, bet: str) -> list[Line]:
        """Hands whose player could place a bet; one of them stands for all where no rule on the
        bet looks at the hand."""
        some = [Line(("9S", "8H"))]
        if not self._asks_for_the_hand(about_bet(bet, what) for what in ("result", "odds")):
            return some
        action = self.printed.mechanics.action(self.printed.mechanics.placed_by(bet))
        able: dict[tuple[str, ...], bool] = {}
        found: list[Line] = []
        for line in self.lines():
            cards = line.pair or line.cards[:2]
            if cards not in able:
                able[cards] = any(
                    self.states.may(action, Line(cards), first) for first in self.states.all_ranks
                )
            if able[cards] and not line.shared:
                found.append(line)
        return found or some

    def _asks_for_the_hand(self, questions: Iterable[Question]) -> bool:
        by_question = self.printed.by_question
        rules = [rule for question in questions for rule, _ in by_question.get(question, ())]
        facts: set[str] = set()
        while new := {word.name for rule in rules for word in asked_words(rule.condition)} - facts:
            facts |= new
            # what a dealer's hand is called goes by the dealer's cards
            terms = [name for name in new if not name.startswith("dealer.")]
            rules = [rule for name in terms for rule, _ in by_question.get(defining(name), ())]
        return any(fact.startswith(("hand.", "first.", "second.", "third.")) for fact in facts)
