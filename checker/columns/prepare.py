"""A rulebook made ready for the columns: programs as numbers, and answers as they turn up.

Nothing here is compiled to machine code: a changed rulebook only makes other numbers.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from checker.columns.batch import BETS, DOUBLE, know_bets
from checker.columns.desk import R_DEALER_FRESH, R_HAND_FRESH, R_NEVER
from checker.columns.judge import round as _all_facts_are_filled  # noqa: F401
from checker.columns.judge.dealer_draw import draws_alone
from checker.columns.judge.dealer_ends import ends_table
from checker.columns.judge.deals import changes_with_deals, deal_looks, made_of
from checker.columns.judge.plays import option_looks, play_looks
from checker.columns.known_game import GAME, WINS_BONUS
from checker.columns.read.law_day import Zones
from checker.columns.rules.answers import Answers
from checker.columns.rules.column_scene import ColumnEngine
from checker.columns.rules.fact_groups import STAKE, needs
from checker.columns.rules.formulas import Formulas
from checker.columns.rules.head import (
    ASKS_DECIDED,
    DEAL_LOOKS,
    DEAL_MADE,
    DEALER_POINTS,
    DOUBLED_APART,
    DRAW_ALONE,
    DRAW_OPTIONS,
    END_STATES,
    ENDING,
    ENDS,
    ENDS_ASK,
    ENDS_BY,
    FRESH,
    HEAD,
    MADE_AT,
    MONEY_APART,
    MOVES,
    NEEDS,
    OWN,
    PLAY_LOOKS,
    PLAY_OPTIONS,
    ROUNDS,
    SEAT,
    TO_DEALER,
    WARNS_EARLY,
)
from checker.columns.rules.learn import Learning, Period
from checker.columns.rules.looked_at import (
    ending,
    left_out,
    looked,
    moving,
    optional,
    questions,
    told_by_cards,
    warns_early,
)
from checker.columns.rules.looker import Looked, NotColumnar
from checker.columns.rules.lookup import NOT_THERE, UNSAYABLE
from checker.columns.rules.program import Program, compile_program
from checker.columns.rules.questions import (
    Q_BONUS_TERM,
    Q_DEAL,
    Q_DRAW,
    Q_ENDING,
    Q_HAND_TERM,
    Q_PLAY,
    Q_RESULT,
    Q_SEAT,
    Q_SETTLEMENT,
    Q_SETTLES,
    QUESTIONS,
    Asked,
    asked_of,
)
from checker.columns.rules.saved_answers import Compiled, remembered
from checker.columns.rules.settings import Settings
from checker.columns.slots import MADE, SLOTS
from checker.columns.text_head import in_parts, tell_bets, tell_idle, tell_points
from checker.evaluate.memory.remembering import remembering
from checker.evaluate.ready import facts_of
from rulespec.resolve.question import ROUNDING, defining, whether
from rulespec.tree.game import Topic

if TYPE_CHECKING:
    from checker.replay.replay import Library
    from checker.replay.text_place import Text
    from rulespec.resolve.rulebook import Rulebook

_PLACED = {Q_ENDING: ENDING, Q_SEAT: SEAT}  # the programs of no single question
_TERMS = ("hand.pontoon", "dealer.pontoon", WINS_BONUS)
_ALWAYS = {"round.decks", *(name for name in SLOTS if name.startswith("option "))}
_LASTS = (  # a term that looks at nothing else holds until the hand, or the dealer's, changes
    frozenset(_ALWAYS)
    | {
        f"hand.{name}"
        for name in (
            "cards",
            "total",
            "hard_total",
            "soft",
            "aces",
            "ten_cards",
            "ranks",
            "suits",
            "number",
            "equal_value",
            "split_aces",
            "split_tens",
            "doubled",
            "double_card_dealt",
            "late_ace_held",
        )
    }
    | {"hand.split"},
    frozenset(_ALWAYS)
    | {
        f"dealer.{name}"
        for name in (
            "cards",
            "total",
            "hard_total",
            "soft",
            "aces",
            "ten_cards",
            "first",
            "second",
            "missed_first",
        )
    },
    frozenset[str](),
)


def _declares(book: Rulebook) -> bool:
    """Whether a rulebook has words or a deal of its own: its rounds are known by their settings."""
    own = (word for word in book.game.own_words if not isinstance(word, Topic))
    return any(own) or any(deal.own for deal in book.game.deals)


def _is_asked(period: Period, asked: Asked) -> bool:
    """Whether the text has something to say to a question, or it is asked all the same."""
    if asked.kind in ("over", "offers"):
        settings = period.settings
        listed = settings and (settings.looking if asked.kind == "over" else settings.offers)
        return bool(listed)
    return asked.needed or any(map(period.engine.has, questions(asked)))


BY_SETTINGS: Final = -2
"""In place of a period: it is another for each set of options and choices."""
ANOTHER_HOUSE: Final = -3
MOST_HOUSES: Final = 64
"""Tables with yet other options and choices are for the plain evaluator: to make a text ready for
each takes memory and a third of a second."""


class Prepared(Learning):
    """All rulebooks of a library, text by text as the log needs them."""

    def __init__(self, library: Library) -> None:
        super().__init__()
        self.library = library
        self.books: list[str] = [book.id for book in library.rulebooks.values()]
        if library.only is not None and library.only.id not in self.books:
            self.books.append(library.only.id)
        self.books += [book for book in library.others if book not in self.books]
        self.bets = self._bets_by_book()
        only = library.only
        self.zones = Zones([only, *(only or library.rulebooks.get(book) for book in self.books)])
        # (book, day), and settings where it depends on them: where the text stands
        self.days: dict[tuple[int, int, frozenset[str] | None], int] = {}
        self.houses = 0  # texts that were made ready for one table's options and choices
        # working memories that nobody uses now, by thread: another core would have to fetch them
        self.desks: dict[int, tuple[Any, Any]] = {}

    def _bets_by_book(self) -> Any:
        """Number the bets of all rulebooks; bits of those that the game of each knows."""
        only = self.library.only
        for one in self.library.books():
            know_bets(one.game.bets)
        found = []
        for name in [*self.books, ""]:
            book = only or self.library.rulebooks.get(name)
            bets = book.game.bets if book is not None else BETS
            found.append(sum(1 << k for k, bet in enumerate([*BETS]) if bet in bets))
        return np.array(found, np.int64)

    # --- which text

    def period(self, book: int, day: int, words: frozenset[str] | None = None) -> int:
        """Where the text for a round stands in `code`; -1 when there is none. `words`: options and
        choices, which need not be told before it is known that it depends on them."""
        found = self.days.get((book, day, words))
        if found is None:
            found = self._period(book, day, words)
            if found == ANOTHER_HOUSE:
                return -1
            self.days[book, day, words] = found
        return found

    def _period(self, book: int, day: int, words: frozenset[str] | None) -> int:
        only = self.library.only
        if book >= 0 and self.books[book] in self.library.others:
            return -1
        if only is not None:
            found: Rulebook | None = only
        else:
            found = self.library.rulebooks.get(self.books[book]) if book >= 0 else None
        if found is None or found.game.made_from != GAME.made_from:
            return -1
        declares = _declares(found)
        if declares and words is None:
            return BY_SETTINGS
        there = self.library.text_for(found, date.fromordinal(day))
        if there is None:
            return -1
        text = there[1]
        key: tuple[Any, ...] = there[0]
        if declares:
            assert words is not None
            game = found.game
            words = frozenset(
                word
                for word in words
                if word in game.options or word.partition("=")[0] in game.choices
            )
            key = (*key, words)
        if key not in self.periods:
            if declares and self.houses == MOST_HOUSES:
                return ANOTHER_HOUSE
            self.houses += declares
            self.periods[key] = self._prepare(found.id, text, words if declares else None)
        period = self.periods[key]
        return -1 if period is None else period.start

    # --- programs

    def _prepare(self, book: str, text: Text, words: frozenset[str] | None) -> Period | None:
        engine = remembering(ColumnEngine(text.rules, facts_of(text.rules)))
        engine.asked = {}  # never from memory: the scene says only what the key holds
        file = text.place("answers", "" if words is None else repr(sorted(words)))
        kept = remembered(file)
        settings = None if words is None else Settings(engine, words, kept.made)
        if settings is not None and not settings.columnar:
            return None
        if left_out(engine, settings.bets if settings is not None else ()):
            return None
        formulas = Formulas(engine)
        period = Period(book, engine, len(self.code), {}, Answers(engine, formulas), formulas)
        period.settings = settings
        assert period.answers is not None
        period.answers.settings = settings
        given = frozenset(
            name
            for name in _TERMS
            if name.startswith("dealer.") or not optional(engine, defining(name))
        )
        period.place, period.kept = file, kept
        head = [0] * HEAD
        # else what is asked of a wrong amount may leave clauses unchecked that columns count too
        head[MONEY_APART] = not any(
            optional(engine, q) for q in (whether("casino", "adjust"), whether("casino", "report"))
        )
        head[OWN] = settings is not None
        head[ROUNDS] = engine.has(ROUNDING)
        head[TO_DEALER] = (
            1 if settings is None or settings.opening is None else (settings.opening.to_dealer)
        )
        head[WARNS_EARLY] = period.answers.warns_early = warns_early(engine, given, settings)
        numbers: list[int] = []
        compiled: dict[int, Program] = {}
        looks_at: dict[int, Looked] = {}
        own = settings.bets if settings is not None else ()
        for place, one in enumerate(QUESTIONS):
            head[place] = NOT_THERE
            asked = asked_of(one, own)
            if asked is None:
                continue
            if not _is_asked(period, asked):
                continue
            if place not in kept.programs:
                kept.programs[place] = _program(period, place, given)
                period.learnt += 1
            made = kept.programs[place]
            if made is None:
                head[place] = UNSAYABLE
                continue
            found, changes, compiled[place] = made
            looks_at[place] = found
            if place == Q_BONUS_TERM:
                period.ranks = frozenset(found.facts.get("hand.ranks", ()))
            if place == Q_RESULT:
                head[MOVES] = changes is not None
            if place == Q_DEAL:
                head[DEAL_LOOKS] = deal_looks(found, settings)
                for name in made_of(found):
                    head[DEAL_MADE] = SLOTS[name] - MADE
            if place == Q_DRAW:
                head[ASKS_DECIDED] = "dealer.hands_decided" in found.facts
                head[DRAW_ALONE] = draws_alone(found)
                head[DRAW_OPTIONS] = option_looks(found)
        hand_term = looks_at.get(Q_HAND_TERM)
        for play in range(DOUBLE + 1):  # drawing, standing, doubling
            if Q_PLAY + play in compiled:
                found = looks_at[Q_PLAY + play]
                head[PLAY_LOOKS + play] = play_looks(found, hand_term, play == DOUBLE)
                head[PLAY_OPTIONS + play] = option_looks(found, hand_term)
        for place, term in enumerate(_TERMS):
            inside = compiled.get(_TERM_PLACES[term])
            lasts = inside is not None and inside.looks <= _LASTS[place]
            head[FRESH + place] = (R_HAND_FRESH, R_DEALER_FRESH, R_NEVER)[place if lasts else 2]
        if Q_ENDING not in kept.programs:
            together = ending(head, {place: looks_at[place] for place in compiled})
            kept.programs[Q_ENDING] = together
            period.learnt += 1
        known_ending = kept.programs[Q_ENDING]
        if known_ending is not None:
            looks_at[Q_ENDING], _, compiled[Q_ENDING] = known_ending
            late = (looks_at[q].facts for q in (Q_SETTLES, Q_SETTLEMENT) if q in looks_at)
            head[DOUBLED_APART] = any(needs(facts) & STAKE for facts in late)
        head[ENDING] = -1
        in_parts(period, head, compiled, looks_at, _TERMS)
        for place, program in sorted(compiled.items(), key=lambda x: len(x[1].terms)):
            head[_PLACED.get(place, place)] = period.start + HEAD + len(numbers)
            period.programs[place] = (len(self.of_program), program)
            at = period.start + HEAD + len(numbers)
            before = [
                x
                for term in program.terms
                for x in (head[_TERM_PLACES[term]], SLOTS[term], head[FRESH + _TERMS.index(term)])
            ]
            numbers += program.laid_out(at, len(self.of_program), before)
            self.of_program.append((period, place))
            looks = set(program.looks)
            for term in program.terms:
                inside = compiled.get(_TERM_PLACES[term])
                looks |= inside.looks if inside else set()
            head[NEEDS + place] = needs(looks)
        if any(head[_TERM_PLACES[t]] < 0 for p in compiled.values() for t in p.terms):
            return None
        facts = settings.made.values() if settings is not None else ()
        for number, fact in enumerate(facts):
            head[MADE_AT + number] = period.start + HEAD + len(numbers)
            numbers += fact.numbers
        self.code = np.concatenate([self.code, np.array([*head, *numbers], np.int64)])
        tell_points(self.code, period)
        tell_bets(self.code, period)
        tell_idle(self.code, period)
        draws: frozenset[str] = frozenset()
        if Q_DRAW in period.programs:
            due = period.programs[Q_DRAW][1]
            draws = due.looks.union(*(compiled[_TERM_PLACES[term]].looks for term in due.terms))
        if kept.ends is None:
            kept.ends = self._ends(period, draws)
            period.learnt += 1
        told = settings.asked_of_anybody(draws) if settings is not None else {}
        for place, name in enumerate([*told][:ENDS_ASK]):
            self.code[period.start + ENDS_BY + place] = SLOTS[name]
        for place, listed in enumerate(kept.ends):
            at = len(self.code)
            self.code[period.start + ENDS + place] = -1 if listed is None else at
            if listed is not None:
                self.code = np.concatenate([self.code, np.array(listed, np.int64)])
        self._recall(period, kept)
        return period

    def _ends(self, period: Period, draws: frozenset[str]) -> list[list[int] | None]:
        """For each answer to whether anybody has the bets that the draw asks about."""
        engine, settings = period.engine, period.settings
        points = self.code[period.start + DEALER_POINTS :][:13]
        told = settings.asked_of_anybody(draws) if settings is not None else {}
        if len(told) > ENDS_ASK:
            return [None] * END_STATES
        found: list[list[int] | None] = []
        for variant in range(1 << len(told)):
            bets = [bet for place, bet in enumerate(told.values()) if variant >> place & 1]
            found += ends_table(engine, draws - {*told}, points, settings, bets)
        return found


_TERM_PLACES = {
    "hand.pontoon": next(k for k, a in enumerate(QUESTIONS) if a.subject == "hand.pontoon"),
    WINS_BONUS: Q_BONUS_TERM,
    "dealer.pontoon": next(k for k, a in enumerate(QUESTIONS) if a.subject == "dealer.pontoon"),
}


def _program(period: Period, place: int, given: frozenset[str]) -> Compiled | None:
    """The program of a question; None when columns cannot put it."""
    engine, settings = period.engine, period.settings
    try:
        own = settings.bets if settings is not None else ()
        asked = asked_of(QUESTIONS[place], own)
        assert asked is not None
        found = looked(engine, asked, given, period.answers, settings)
        changes = moving(engine, given, found, settings) if place == Q_RESULT else None
        hand: frozenset[str] | None = None
        if place == Q_DEAL and deal_looks(found, settings):
            changes = changes_with_deals(found)
        elif changes is not None:
            hand = told_by_cards(found)
        return found, changes, compile_program(found, changes or frozenset(), hand or frozenset())
    except NotColumnar:
        return None
