"""Rulebooks on one game with named hands side by side, by the deals and bets that it declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from checker.compare.compare import Compared, Line, Matrix, title_of
from checker.compare.topics import Topic
from checker.compare.values import SILENT, Cell, ranges
from checker.evaluate.answer import Answer
from checker.evaluate.engine import Engine, shown
from checker.evaluate.hand_draws import question_of
from checker.evaluate.memory.seam import Worked
from checker.evaluate.named_scene import fresh_table
from checker.evaluate.ready import new_engine
from checker.states.named_deals import (
    DECK_COUNTS,
    TOO_MANY,
    Deal,
    Deals,
    facts_asked,
    groups_of,
    pack_of,
    permitted_decks,
)
from rulespec.resolve.question import about_bet, requiring, value_of_card
from rulespec.resolve.rulebook import Rule, Rulebook


def compare_named(books: Iterable[tuple[str, Rulebook]], word: str | None) -> Matrix:
    """What each text says of the cards, of the hands that draw, and of the bets."""
    named = list(books)
    asked = [_Book(book) for _, book in named]
    topics = [one for one in _topics(asked) if _wanted(one.topic, word)]
    cells = [cell for one in topics for line in one.lines for cell in line.cells]
    return Matrix(
        tuple(name for name, _ in named),
        tuple(title_of(book) for _, book in named),
        tuple(topics),
        tuple(one.differs for one in topics),
        sum(cell.standing == "undecided" for cell in cells),
    )


def _wanted(topic: Topic, word: str | None) -> bool:
    plain = (word or "").casefold().replace("_", " ")
    return plain in f"{topic.id.replace('_', ' ')} {topic.label} {topic.group}".casefold()


def _numbered(deals: Deals) -> dict[str, int]:
    return {card: n for n, kind in enumerate(deals.kinds) for card in kind.cards}


class _Book:
    """One text, and what comes of it on every deal."""

    def __init__(self, book: Rulebook) -> None:
        self.engine = engine = new_engine(book)
        self.drawn: dict[tuple[str, int], dict[Any, set[bool | None]]] = {}
        self.by: dict[tuple[str, int], dict[str, None]] = {}
        self.ends: dict[tuple[str, str], set[str]] = {}
        self.end_clauses: dict[tuple[str, str], dict[str, None]] = {}
        decks, self.bounds = permitted_decks(engine)
        self.decks = decks
        self._openings: dict[tuple[tuple[int, ...], ...], set[str]] = {}
        groups = groups_of(engine, book.game.bets, max(decks, default=6), draws=True, whole=True)
        self.left_out = {bet for bets, deals in groups if deals.too_many for bet in bets}
        self._drawing = groups[0][1]
        self._kind_of = _numbered(self._drawing)
        for bets, deals in groups:
            if deals.too_many:
                continue
            if any(len({self._kind_of[card] for card in kind.cards}) > 1 for kind in deals.kinds):
                deals.first = False  # how it ends cannot be told by the first deal of the others
            for deal in deals.all():
                self._look_at(deal, bets, deals)

    def _look_at(self, deal: Deal, bets: Sequence[str], deals: Deals) -> None:
        if deal.turn is not None:
            hand = deal.turn.hand
            key = (hand, int(str(deal.scene.fact(f"{hand}.total") or 0)))
            asked = sorted(facts_asked_by(self.engine, hand) - {f"{hand}.total", f"{hand}.cards"})
            cards = [name for name in asked if name.count(".") == 2]
            seen = tuple(deal.scene.fact(name) for name in cards)
            self.drawn.setdefault(key, {}).setdefault(seen, set()).add(deal.turn.due)
            self.by.setdefault(key, {}).update(dict.fromkeys(deal.turn.answer.clauses))
            return
        opening = self._opening(deal, deals)
        if deals.first:
            cases = self._openings[opening]
        else:
            one, other = (deal.scene.fact(f"{name}.total") for name in self._two_hands())
            cases = {_case(*self._two_hands(), one, other)}
            if deals is self._drawing:
                self._openings.setdefault(opening, set()).update(cases)
        for bet in bets:
            answer = self.engine.ask(about_bet(bet, "result"), deal.scene.but(bet=bet))
            for case in cases:
                self.ends.setdefault((bet, case), set()).add(_said(answer))
                self.end_clauses.setdefault((bet, case), {}).update(dict.fromkeys(answer.clauses))

    def _opening(self, deal: Deal, deals: Deals) -> tuple[tuple[int, ...], ...]:
        """The cards of the first deal, as far as the drawing tells them apart."""
        sizes = [deals.order.count(name) for name in deals.names]
        told = list if self._drawing.in_order else sorted
        return tuple(
            tuple(told(self._kind_of[deals.kinds[kind].card] for kind in cards[:size]))
            for cards, size in zip(deal.hands, sizes, strict=True)
        )

    def _two_hands(self) -> tuple[str, str]:
        first, second, *_ = (*self.engine.rulebook.game.hands, *self.engine.rulebook.game.hands)
        return first, second

    def draws(self, hand: str, total: int) -> Cell:
        found = self.drawn.get((hand, total))
        if found is None:
            return SILENT
        clauses = tuple(self.by[hand, total])
        if None in set().union(*found.values()):
            return Cell(None, clauses, "the text does not say whether it draws", "open")
        always = [seen for seen, ways in found.items() if ways == {True}]
        never = [seen for seen, ways in found.items() if ways == {False}]
        if len(always) == len(found):
            return Cell("draws", clauses)
        if len(never) == len(found):
            return Cell("stands", clauses)
        told = []
        if always:
            told.append(f"draws against {_listed(always)}")
        if len(always) + len(never) < len(found):
            some = [seen for seen, ways in found.items() if len(ways) > 1]
            against = "draws" if some == [()] else f"against {_listed(some)}"
            told.append(f"{against} unless a hand has ended the drawing")
        return Cell("; ".join(told), clauses)

    def ends_in(self, bet: str, case: str) -> Cell:
        found = self.ends.get((bet, case))
        if bet in self.left_out:
            return Cell(None, (), TOO_MANY, "undecided")
        if not found:
            return SILENT
        clauses = tuple(self.end_clauses[bet, case])
        if len(found) > 1:
            return Cell(" or ".join(sorted(found)), clauses)
        value = found.pop()
        return Cell(value, clauses) if value else Cell(None, clauses, "no one answer", "open")

    def odds(self, bet: str) -> Cell:
        rules = [rule for rule, _ in self.engine.by_question.get(about_bet(bet, "odds"), ())]
        return _values(rules, lambda rule: shown(rule.value)) if rules else SILENT

    def card(self, rank: str) -> Cell:
        answer = self.engine.ask(value_of_card(rank), fresh_table(self.engine))
        if not answer.values:
            return SILENT
        if not answer.decided:
            return Cell(None, answer.clauses, answer.why_undecided(), "open")
        return Cell(shown(answer.value), answer.clauses)

    def in_pack(self) -> Cell:
        rules = [rule for rule, _ in self.engine.by_question.get(requiring("card"), ())]
        clauses = tuple(dict.fromkeys(rule.clause for rule in rules))
        return Cell(str(len(pack_of(self.engine))), clauses)

    def decks_allowed(self) -> Cell:
        if not self.bounds:
            return SILENT
        clauses = tuple(dict.fromkeys(rule.clause for rule in self.bounds))
        return Cell(ranges(self.decks, list(DECK_COUNTS)), clauses)


def _asked_by(engine: Engine, hand: str) -> set[str]:
    return facts_asked(engine, question_of(engine)(hand))


facts_asked_by = Worked(_asked_by)


def _case(one: str, other: str, mine: object, theirs: object) -> str:
    if mine == theirs:
        return "equal totals"
    return f"{one} has more" if int(str(mine)) > int(str(theirs)) else f"{other} has more"


def _said(answer: Answer) -> str:
    return str(answer.value) if answer.decided else ""


def _values(rules: Sequence[Rule], told: Any) -> Cell:
    values = dict.fromkeys(told(rule) for rule in rules)
    return Cell(" or ".join(values), tuple(dict.fromkeys(rule.clause for rule in rules)))


def _listed(seen: list[tuple[Any, ...]]) -> str:
    return ", ".join(" and ".join(map(str, one)) or "anything" for one in sorted(seen, key=str))


def _topics(books: Sequence[_Book]) -> Iterator[Compared]:
    game = books[0].engine.rulebook.game

    def made(id_: str, label: str, group: str, rows: Iterable[tuple[str, list[Cell]]]) -> Compared:
        lines = tuple(
            Line(name, tuple(cells))
            for name, cells in rows
            if any(cell.standing != "silent" for cell in cells)
        )
        return Compared(Topic(id_, label, group, ()), lines)

    yield made(
        "cards",
        "Cards in use",
        "Cards",
        [
            ("decks", [book.decks_allowed() for book in books]),
            ("cards in a deck", [book.in_pack() for book in books]),
        ],
    )
    ranks = dict.fromkeys(card[0] for book in books for card in pack_of(book.engine))
    counted = [(f"{rank} counts", [book.card(rank) for book in books]) for rank in ranks]
    yield made("card_values", "What cards count", "Cards", counted)
    for hand in game.hands:
        totals = sorted({total for book in books for name, total in book.drawn if name == hand})
        rows = [(f"on {total}", [book.draws(hand, total) for book in books]) for total in totals]
        if rows:
            yield made(f"{hand}_draws", f"When {hand} draws", "Drawing", rows)
    for bet in game.bets:
        cases = dict.fromkeys(case for book in books for name, case in book.ends if name == bet)
        if any(bet in book.left_out for book in books):
            cases = {"how it ends": None} | cases
        rows = [(case, [book.ends_in(bet, case) for book in books]) for case in cases]
        rows.append(("odds", [book.odds(bet) for book in books]))
        yield made(f"bet_{bet}", f"The bet on {bet}", "Bets", rows)
