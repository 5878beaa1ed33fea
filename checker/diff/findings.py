"""The findings of a comparison, and its summary, as every format shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from typing import Any

from checker.diff.classes import ChangeClass, SideAnswer, Undecided
from checker.diff.diff import Difference
from checker.diff.headings import amendments
from checker.diff.printed.statements import Changed
from checker.diff.topics import Subject
from checker.evaluate.engine import shown
from checker.evaluate.words.in_words import card_text
from checker.states.named_witness import NamedWitness
from checker.states.witness import Witness
from rulespec.base.diagnostics import Coded, Related, fingerprint_of, said_of
from rulespec.base.money import money_text
from rulespec.base.spans import Span
from rulespec.resolve.question import DEALER_DRAW
from rulespec.resolve.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class ClassFinding(Coded):
    """A class of states, as a finding of the report."""

    one: ChangeClass
    old: Rulebook
    new: Rulebook
    accepted: str | None = None
    help: str | None = None

    @property
    def code(self) -> str:
        return self.one.code

    @property
    def message(self) -> str:
        one = self.one
        when = f", when {'; '.join(one.circumstances)}" if one.circumstances else ""
        asked = one.about.asked.lower()
        return f"{asked}: {one.was.text} becomes {one.becomes.text}{when}"

    @property
    def rulebook(self) -> str | None:
        return self.new.id

    @property
    def clause(self) -> str | None:
        mine = self.one.new_clauses or self.one.old_clauses
        return mine[0] if mine else None

    @property
    def span(self) -> Span | None:
        one = self.one
        for clauses, book in ((one.becomes.clauses, self.new), (one.was.clauses, self.old)):
            for rule in book.rules:
                if rule.clause in clauses[:1] and rule.span is not None:
                    return rule.span
        return None

    @property
    def related(self) -> tuple[Related, ...]:
        found = [Related(c, "decides in the old text") for c in self.one.was.clauses]
        return (*found, *(Related(c, "decides in the new text") for c in self.one.becomes.clauses))

    @property
    def fingerprint(self) -> str:
        one = self.one
        parts = [
            self.code,
            self.old.id,
            self.new.id,
            one.question,
            one.was.text,
            one.becomes.text,
            *one.circumstances,
        ]
        return fingerprint_of(parts)

    def as_json(self) -> dict[str, object]:
        one = self.one
        made: dict[str, object] = {
            **said_of(self),
            "topic": one.about.topic,
            "question": one.question,
            "was": _side(one.was),
            "becomes": _side(one.becomes),
            "states": one.states,
            "ordinary": one.ordinary,
            "circumstances": list(one.circumstances),
            "favours": one.favours,
            "gain_per_unit": None if one.gain is None else str(one.gain),
            "gain_amount": None if one.gain_cents is None else money_text(one.gain_cents),
            "decided_by": [
                {"old": list(v.old), "new": list(v.new), "states": v.states} for v in one.variants
            ],
        }
        if self.span is not None:
            made["span"] = self.span.as_json()
        if one.witness is not None:
            made["witness"] = {**one.witness.as_json(), "bet": one.witness.bet}
        return made


def _side(side: SideAnswer) -> dict[str, object]:
    back = side.outcome.returned
    return {
        "text": side.text,
        "outcome": side.outcome.standing,
        "values": list(side.outcome.values),
        "odds": [shown(o) for o in side.outcome.odds],
        "returned_per_unit": None if back is None else str(back),
        "clauses": list(side.clauses),
        "readings": list(side.readings),
    }


@dataclass(frozen=True, slots=True)
class UndecidedFinding(Coded):
    """Two wordings of which it was not decided whether they differ."""

    one: Undecided
    old: Rulebook
    new: Rulebook
    accepted: str | None = None
    code: str = "R607"
    help: str | None = "read the two clauses side by side"
    span: Span | None = None

    @property
    def message(self) -> str:
        return f"{self.one.about.asked.lower()}: not decided, {self.one.reason}"

    @property
    def rulebook(self) -> str | None:
        return self.new.id

    @property
    def clause(self) -> str | None:
        mine = self.one.new_clauses or self.one.old_clauses
        return mine[0] if mine else None

    @property
    def related(self) -> tuple[Related, ...]:
        found = [Related(c, "in the old text") for c in self.one.old_clauses]
        return (*found, *(Related(c, "in the new text") for c in self.one.new_clauses))

    @property
    def fingerprint(self) -> str:
        parts = [self.code, self.old.id, self.new.id, self.one.question]
        return fingerprint_of(parts)

    def as_json(self) -> dict[str, object]:
        return {
            **said_of(self),
            "topic": self.one.about.topic,
            "question": self.one.question,
        }


def findings(found: Difference) -> list[ClassFinding | UndecidedFinding]:
    made: list[ClassFinding | UndecidedFinding] = [
        ClassFinding(c, found.old, found.new) for c in ordered(found.classes)
    ]
    return [*made, *(UndecidedFinding(u, found.old, found.new) for u in found.meaning.undecided)]


def ordered(classes: list[ChangeClass]) -> list[ChangeClass]:
    """By topic as a game goes, ordinary play first, then what moves money, then the largest."""
    moves = {"player": 0, "house": 0, "open": 1, "neither": 2}
    return sorted(
        classes,
        key=lambda c: (
            c.about.place,
            not c.ordinary,
            len(c.flags),
            moves.get(str(c.favours), 1),
            c.code,
            -c.states,
            c.question,
            c.was.text,
            c.becomes.text,
            c.circumstances,
        ),
    )


def by_topic(classes: list[ChangeClass]) -> list[tuple[Subject, list[ChangeClass]]]:
    """Classes in order, under the first of each topic."""
    groups = groupby(ordered(classes), lambda one: one.about.topic)
    found = [list(group) for _, group in groups]
    return [(group[0].about, group) for group in found]


def summary(found: Difference) -> dict[str, Any]:
    classes = found.classes
    return {
        "old": _text(found, 0),
        "new": _text(found, 1),
        "same_meaning": found.same_meaning,
        "classes": len(classes),
        "ordinary": sum(c.ordinary for c in classes),
        "undecided": len(found.meaning.undecided),
        "complete": found.meaning.complete,
        "states": found.meaning.states,
        "questions": len(set(found.meaning.proven)),
        "with_hand": sum(c.witness is not None for c in classes),
        "favours": {
            who: sum(c.favours == who for c in classes)
            for who in ("player", "house", "neither", "open")
        },
        "by_topic": {about.topic: len(mine) for about, mine in by_topic(classes)},
        "structure": found.structure.as_json(),
        "without_effect": [
            {"clause": owner, **line.as_json()} for owner, line in found.structure.without_effect
        ],
        "assumption": "interim settlement comes first; texts as read, with their readings",
    }


def _text(found: Difference, place: int) -> dict[str, object]:
    book = (found.old, found.new)[place]
    return {
        "rulebook": book.id,
        "title": book.title,
        "clauses": len(book.clauses),
        "named": found.named[place] if found.named else None,
        "in_force_from": book.start.isoformat() if book.start else None,
        "amended_from": book.amended_from.isoformat() if book.amended_from else None,
        "amendments": [amendment.as_json() for amendment in amendments(book)],
    }


# --- words that all formats share


def said_lines(lines: Iterable[Changed], most: int | None = None) -> Iterator[tuple[str, str]]:
    """What is said otherwise: a word, and what stands beside it. Where it has no effect, why."""
    every = list(lines)
    for line in every[:most]:
        name = "" if line.what in NAMED_BY_WORDS else f"{line.what}: "
        if line.was:
            yield "was", name + line.was
        if line.becomes:
            yield ("becomes" if line.was else "new"), name + line.becomes
        if line.effect is False:
            yield "no effect", line.hidden
    if most is not None and len(every) > most:
        yield "", f"and {len(every) - most} more (--full shows them)"


NAMED_BY_WORDS = frozenset({"rule", "scope", "order", "reference", "term", "date"})
"""What a statement shows by itself."""


def verdict(found: Difference) -> str:
    """What it comes to, in one sentence."""
    classes = found.classes
    if found.same_meaning:
        return (
            "Same meaning, proven: every hand that can be dealt, every requirement and every duty "
            "comes out alike."
        )
    if not classes:
        return "Not decided: no difference was found, but not every question was decided."
    ordinary = sum(c.ordinary for c in classes)
    special = len(classes) - ordinary
    number = ordinary or special
    told = f"{number:,} difference{'s' * (number != 1)}"
    told += f" and {special:,} more" if ordinary and special else ""
    told += " that only special circumstances bring about" if special else ""
    complete = (
        "; the list is complete"
        if found.decided
        else ("; not every question was decided" if found.meaning.undecided else "")
    )
    return f"Different meaning: {told}{complete}."


def proof(found: Difference) -> str:
    """How it is known."""
    meaning = found.meaning
    asked = len(set(meaning.proven))
    if not meaning.states:
        return f"{asked} questions have the same rules in both texts, in whatever order."
    left = "nothing is left of the difference outside the classes"
    if not found.decided:
        left += " and what is not decided" if meaning.complete else ", as far as it was looked at"
    return (
        f"{asked} questions compared over {meaning.states:,} states of play that both texts allow; "
        f"{left}. Interim settlement comes first, and the texts are taken as read."
    )


def gain_words(one: ChangeClass) -> str:
    """Who gains and how much."""
    if one.gain_cents is not None:
        amount = money_text(abs(one.gain_cents))
        return {"player": f"player +{amount}", "house": f"house +{amount}"}.get(
            str(one.favours), "nobody"
        )
    if one.gain is None:
        return one.favours or ""
    if one.gain == 0:
        return "nobody"
    return f"{one.favours} +{unit_text(abs(one.gain))}"


def unit_text(gain: Fraction) -> str:
    """An exact number of units, as a decimal where that is exact too."""
    if gain.denominator in (1, 2, 4, 5, 10, 20):
        return f"{Decimal(gain.numerator) / gain.denominator:f}"
    return str(gain)


def gain_sentence(one: ChangeClass) -> str:
    if one.favours in (None, "neither", "open"):
        words = {"neither": "nobody gains", "open": "open: a text does not say what is due"}
        return words.get(str(one.favours), "")
    if one.gain_cents is not None:
        return f"the {one.favours} gains {money_text(abs(one.gain_cents))} on such a wager"
    assert one.gain is not None
    units = unit_text(abs(one.gain))
    return f"the {one.favours} gains {units} for each 1 staked"


@dataclass(frozen=True, slots=True)
class Drawn:
    """A hand to be drawn: cards, what was done with them, the dealer's cards."""

    cards: tuple[str, ...]
    notes: tuple[str, ...]
    dealer: tuple[str, ...]

    @property
    def text(self) -> str:
        mine = " ".join(map(card_text, self.cards))
        parts = [", ".join([mine, *self.notes])] if self.cards else []
        if not self.dealer:
            return ", ".join(self.notes)
        return " · ".join([*parts, "dealer " + " ".join(map(card_text, self.dealer))])


def drawn(one: ChangeClass) -> Drawn | None:
    """The hand that shows a class."""
    witness = one.witness
    if witness is None:
        return None
    if isinstance(witness, NamedWitness):
        return Drawn((), (witness.describe(),), ())
    dealer = witness.around.dealer
    if one.question == DEALER_DRAW:
        return Drawn((), (), dealer)
    told = witness.describe().split(", dealer ")[0].split(", ")
    return Drawn(witness.line.cards, tuple(told[1:]), dealer)


def hand_words(one: ChangeClass) -> str:
    hand = drawn(one)
    return hand.text if hand is not None else ""


def clause_words(clauses: tuple[str, ...], most: int = 3) -> str:
    if not clauses:
        return "no clause"
    more = f" +{len(clauses) - most}" if len(clauses) > most else ""
    return ", ".join(clauses[:most]) + more


def titled(book: Rulebook, clause: str) -> str:
    entry = book.clause(clause)
    return f"{clause} {entry.title}" if entry is not None else clause


def dealt(witness: Witness | NamedWitness) -> list[str]:
    return witness.play.strip().splitlines()
