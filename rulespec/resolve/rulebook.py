"""A checked rulebook: clauses with their rules, terms and precedence, ready for any interpreter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, tzinfo
from functools import cache

from rulespec.base.clause_ids import ClauseIndex, covers
from rulespec.base.money import sign_of
from rulespec.base.spans import Span
from rulespec.resolve.clause_entry import ClauseEntry
from rulespec.resolve.precedence import precedence
from rulespec.resolve.question import Question, defining
from rulespec.resolve.rule_value import RuleValue
from rulespec.tree import nodes as t
from rulespec.tree.game import Game


@dataclass(frozen=True, slots=True)
class Rule:
    """One answer to one question, given by one clause under a condition.

    Questions are named `main.result`, `main.odds`, `define hand.pontoon`, `player double`,
    `require round`, and so on. Values are what the statement says: an outcome, a payout, a modal.
    """

    id: str
    clause: str
    question: Question
    value: RuleValue
    condition: t.Expression
    interim: bool = False
    reading: str | None = None
    note: str | None = None
    # clauses that this rule alone prevails over, and the reading that says so with a `when`
    over: tuple[str, ...] = ()
    over_by: str | None = None
    irregular: bool = False  # of a result: only where something irregular is recorded
    span: Span | None = field(default=None, compare=False)
    # the clause as it stands in the file, for one that has several versions
    version: t.Clause | None = field(default=None, compare=False, repr=False)
    source: Rule | None = field(default=None, compare=False, repr=False)  # what `pays as` uses

    @property
    def origin(self) -> Rule:
        """The rule as it is written down; another one only where a clause pays as another."""
        return self if self.source is None else self.source.origin

    @property
    def rests_on(self) -> Iterator[Rule]:
        """This rule and those that it takes over."""
        rule: Rule | None = self
        while rule is not None:
            yield rule
            rule = rule.source


@cache
def _zone(name: str) -> tzinfo:
    from zoneinfo import ZoneInfo

    return ZoneInfo(name)


@dataclass(frozen=True, slots=True)
class Rulebook:
    id: str
    title: str
    game: Game
    header: t.Header
    files: tuple[str, ...]
    start: date | None
    end: date | None
    clauses: tuple[ClauseEntry, ...]
    sections: tuple[t.Section, ...]
    rules: tuple[Rule, ...]
    readings: tuple[t.Reading, ...]
    acceptances: tuple[t.Accept, ...]
    # (winner, loser, why) between clause ids; `why` is the clause or reading that says so
    precedence: tuple[tuple[str, str, str], ...]
    # what amended this text last, since when, and the text before that
    amendments: tuple[t.Amend, ...] = ()
    amended_from: date | None = None
    before: Rulebook | None = None
    zone: str | None = None  # of the tables' clock
    # The precedence that counts: a reading decides against the print where they disagree.
    order: tuple[tuple[str, str, str], ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", self._order())

    def _order(self) -> tuple[tuple[str, str, str], ...]:
        names = {reading.name for reading in self.readings}
        against = {(loser, winner) for winner, loser, why in self.precedence if why in names}
        return tuple(p for p in self.precedence if p[2] in names or p[:2] not in against)

    @property
    def currency(self) -> str:
        """The sign of the money that the text speaks of."""
        named = (p.name for p in self.header.properties if isinstance(p, t.Currency))
        return sign_of(next(named, None))

    @property
    def clock(self) -> tzinfo | None:
        """The zone of the tables; None: the rulebook names none."""
        return _zone(self.zone) if self.zone is not None else None

    def day_of(self, at: datetime) -> date:
        """The law's day: in the zone of the rulebook, without one as the log writes it."""
        return at.date() if self.zone is None else at.astimezone(self.clock).date()

    def clause(self, clause_id: str) -> ClauseEntry | None:
        return next((c for c in self.clauses if c.id == clause_id), None)

    def parts_of(self, clause_id: str) -> list[ClauseEntry]:
        return [c for c in self.clauses if covers(clause_id, c.id)]

    def on(self, day: date) -> Rulebook:
        """The text in force on a day: clauses that are not in force say nothing, and before an
        amendment the earlier text holds."""
        text = self.text_of(day)
        if text is not self:
            return text.on(day)
        kept = tuple(c for c in self.clauses if c.in_force(day))
        if len(kept) == len(self.clauses):
            return self
        names = {id(c.tree) for c in kept}
        alive = {c.id for c in kept}
        gone = {c.id for c in self.clauses if id(c.tree) not in names} - alive
        versions: dict[str, list[ClauseEntry]] = {}
        for entry in kept:
            versions.setdefault(entry.id, []).append(entry)
        return replace(
            self,
            clauses=kept,
            rules=tuple(
                r
                for r in self.rules
                if all(
                    x.clause not in gone and _stands(x, versions.get(x.clause, []))
                    for x in r.rests_on
                )
            ),
            precedence=self._stated_by(kept),
        )

    def _stated_by(self, clauses: tuple[ClauseEntry, ...]) -> tuple[tuple[str, str, str], ...]:
        """The precedence that these clauses lay down: that of another version does not count."""
        index = ClauseIndex((entry.id, entry.section) for entry in clauses)
        stated = set(precedence(clauses, self.sections, self.readings, index))
        return tuple(pair for pair in self.precedence if pair in stated)

    @property
    def texts(self) -> Iterator[Rulebook]:
        """This text and those that it replaced, the latest first."""
        text: Rulebook | None = self
        while text is not None:
            yield text
            text = text.before

    def text_of(self, day: date) -> Rulebook:
        """The text as amended until a day, with clauses that begin later or have ended."""
        for text in self.texts:
            if text.amended_from is None or text.amended_from <= day:
                return text
        return self

    @property
    def turns(self) -> list[date]:
        """The days on which the text changes: clauses begin or end, amendments begin."""
        days = {d for text in self.texts for c in text.clauses for d in (c.start, c.end) if d}
        return sorted(days | {text.amended_from for text in self.texts if text.amended_from})

    @property
    def last_start(self) -> date | None:
        """The first day on which all that ever begins has begun."""
        starts = [d for d in (*(c.start for c in self.clauses), self.amended_from) if d]
        return max(starts, default=None)

    @property
    def revoked(self) -> list[ClauseEntry]:
        """The clauses of earlier texts that this one no longer has."""
        if self.before is None:
            return []
        standing = {c.id for c in self.clauses}
        ever = {c.id: c for text in self.texts for c in text.clauses}
        return [entry for clause, entry in ever.items() if clause not in standing]

    def without_reading(self, *names: str) -> Rulebook:
        dropped = set(names)
        return replace(
            self,
            before=self.before.without_reading(*names) if self.before else None,
            rules=tuple(
                r
                for r in self.rules
                if r.over_by not in dropped and not any(x.reading in dropped for x in r.rests_on)
            ),
            precedence=tuple(p for p in self.precedence if p[2] not in dropped),
        )


def _stands(rule: Rule, versions: list[ClauseEntry]) -> bool:
    """Whether a rule is of one of these versions of its clause; a reading is of all of them."""
    return bool(rule.reading) or any(entry.tree is rule.version for entry in versions)


WAGER = "wager."
"""Facts of this group are about one wager; one that a rulebook defines is a bonus for it."""

VOID_FIRST = "void-first"
"""A wager that is void has no result, whatever clauses of the ordinary course say of its cards."""


def beats(
    rules: Sequence[Rule], order: Iterable[tuple[str, str, str]]
) -> dict[str, frozenset[str]]:
    """For each rule of a question all the rules of it that it prevails over, by their ids.

    Clauses prevail directly or through others; what was said for another question does not travel:
    only clauses that answer this one count."""
    clauses = {rule.clause for rule in rules}
    under = clauses_under((w, x) for w, x, _ in order if w in clauses and x in clauses)
    found = {rule.id: {x.id for x in rules if _prevails(rule, x, under)} for rule in rules}
    void = [rule for rule in rules if ends_a_wager(rule)]
    names = {rule.id for rule in void}
    for rule in rules if void else ():
        # a rule that prevails over a void one has its place in the order already
        if not rule.irregular and rule.id not in names and found[rule.id].isdisjoint(names):
            for one in void:
                found[one.id].add(rule.id)
    return {name: frozenset(beaten) for name, beaten in found.items() if beaten}


def ends_a_wager(rule: Rule) -> bool:
    """The rule makes a wager void, or keeps a void one from a bonus."""
    bonus = rule.question.startswith(defining(WAGER))
    return rule.irregular and (rule.value is False if bonus else rule.value == "void")


def _prevails(one: Rule, other: Rule, under: dict[str, frozenset[str]]) -> bool:
    if one.clause == other.clause:
        return False
    if other.clause in under.get(one.clause, ()) and one.clause not in other.over:
        return True
    # a reading with `when`; two of them that differ settle nothing
    return one.clause not in other.over and any(
        other.clause == clause or other.clause in under.get(clause, ()) for clause in one.over
    )


def clauses_under(pairs: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """For each clause all the clauses that it prevails over, directly or through others."""
    direct: dict[str, set[str]] = {}
    for winner, loser in pairs:
        direct.setdefault(winner, set()).add(loser)
    closed: dict[str, frozenset[str]] = {}
    for start in direct:
        seen: set[str] = set()
        waiting = list(direct[start])
        while waiting:
            clause = waiting.pop()
            if clause not in seen:
                seen.add(clause)
                waiting.extend(direct.get(clause, ()))
        closed[start] = frozenset(seen - {start})
    return closed
