"""Mutants of a rulebook: a rule lost, or a number, bound, price or day moved by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from datetime import date, timedelta
from fractions import Fraction
from typing import Any, Literal

from rulespec.base.clause_ids import ClauseIndex
from rulespec.base.spans import Span
from rulespec.resolve.clause_entry import ClauseEntry
from rulespec.resolve.lower import lower
from rulespec.resolve.question import IN_FORCE, Question
from rulespec.resolve.resolve import rules_of, scope_of
from rulespec.resolve.rulebook import Rule, Rulebook
from rulespec.tree import nodes as t
from rulespec.tree.kinds import RANKS
from rulespec.tree.write import condition_text, money, payout, points

Kind = Literal["lost", "moved", "dated"]
_STRICT = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_NUMERALS = RANKS[: RANKS.index("T") + 1]  # A 2 … 9 T


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change to one place of a rulebook that some scenario should notice."""

    kind: Kind
    name: str  # the rule, then what becomes of it: also the name under which a reason is given
    clause: str
    question: Question
    span: Span | None
    changes: tuple[tuple[Rule | None, Rule | None], ...]  # a rule and what it becomes
    book: Rulebook = field(repr=False, compare=False)  # the text with the change

    @property
    def lost(self) -> bool:
        return self.kind == "lost"


def mutants(book: Rulebook) -> Iterator[Mutant]:
    """Every rule lost, every number of every rule moved by one either way, every day likewise."""
    for rule in book.rules:
        if rule.source is None and not rule.over:
            gone = [other for other in book.rules if _stands_on(other, rule)]
            lost = set(map(id, gone))
            kept = tuple(other for other in book.rules if id(other) not in lost)
            yield Mutant(
                "lost",
                rule.id,
                rule.clause,
                rule.question,
                rule.span,
                tuple((other, None) for other in gone),
                replace(book, rules=kept),
            )
    yield from _moved(book)
    yield from _dated(book)


def _stands_on(other: Rule, rule: Rule) -> bool:
    """It is the rule, takes it over, or is that rule under the order that a reading gives it."""
    return other.origin is rule or (bool(other.over) and other.id.startswith(f"{rule.id}/"))


# --- rules


def _moved(book: Rulebook) -> Iterator[Mutant]:
    sections = {id(clause): section for section in book.sections for clause in section.clauses}
    text = _Text(
        book, {id(e.tree): scope_of(e.tree, sections.get(id(e.tree))) for e in book.clauses}
    )
    for place, entry in enumerate(book.clauses):
        for number, statement in enumerate(entry.tree.statements):
            for change in variants(statement):
                statements = _with(entry.tree.statements, number, change.node)
                tree = replace(entry.tree, statements=statements)
                clauses = _with(book.clauses, place, replace(entry, tree=tree))
                scope = {id(tree): scope_of(tree, sections.get(id(entry.tree)))}
                yield from text.mutant(change, entry.id, scope, clauses=clauses)
    for section in book.sections:
        inside = [clause for clause in section.clauses if id(clause) in text.scopes]
        for number, rule in enumerate(section.rules):
            for change in variants(rule):
                changed = replace(section, rules=_with(section.rules, number, change.node))
                scope = {id(clause): scope_of(clause, changed) for clause in inside}
                yield from text.mutant(change, "", scope)
    for at, reading in enumerate(book.readings):
        for number, line in enumerate(reading.lines):
            for change in variants(line) if reading.active else ():
                new = replace(reading, lines=_with(reading.lines, number, change.node))
                readings = _with(book.readings, at, new)
                yield from text.mutant(change, "", {}, readings=readings)


def _with(parts: tuple[Any, ...], place: int, new: Any) -> tuple[Any, ...]:
    return (*parts[:place], new, *parts[place + 1 :])


class _Text:
    """A rulebook whose rules are made again from changed words."""

    def __init__(self, book: Rulebook, scopes: dict[int, t.Expression]) -> None:
        self.book = book
        self.scopes = scopes
        self._index = ClauseIndex((entry.id, entry.section) for entry in book.clauses)
        # what each clause says by itself, by the identity of its tree
        self._said = {
            id(e.tree): list(lower(e.tree, e.tree.statements, scopes[id(e.tree)]))
            for e in book.clauses
        }
        self._rules = _by_name(book.rules)

    def mutant(
        self, change: Variant, clause: str, scopes: dict[int, t.Expression], **words: Any
    ) -> Iterator[Mutant]:
        """What a change comes to, if it comes to anything; named by the first rule it touches."""
        made = replace(self.book, **words)
        rules = rules_of(
            made.clauses,
            {**self.scopes, **scopes},
            made.readings,
            made.precedence,
            self._index,
            made.game,
            [],
            {tree: rules for tree, rules in self._said.items() if tree not in scopes},
        )
        new = _by_name(rules)
        pairs = [
            (self._rules.get(name), new.get(name))
            for name in {**self._rules, **new}
            if self._rules.get(name) != new.get(name)
        ]
        if not pairs:
            return
        first = next(
            (rule for pair in pairs for rule in pair if rule is not None and rule.clause == clause),
            pairs[0][0] or pairs[0][1],
        )
        assert first is not None
        name = f"{first.id}: {change.was} -> {change.becomes}"
        yield Mutant(
            "moved",
            name,
            first.clause,
            first.question,
            change.span or first.span,
            tuple(pairs),
            replace(made, rules=rules),
        )


def _by_name(rules: tuple[Rule, ...]) -> dict[tuple[str, int], Rule]:
    """By id, and in order where two versions of a clause share one."""
    found: dict[tuple[str, int], Rule] = {}
    seen: Counter[str] = Counter()
    for rule in rules:
        found[rule.id, seen[rule.id]] = rule
        seen[rule.id] += 1
    return found


# --- days


def _dated(book: Rulebook) -> Iterator[Mutant]:
    for line in book.header.properties:
        if isinstance(line, t.InForce):
            for change in variants(line):
                yield _new_day(book, None, line, change)
    for entry in book.clauses:
        for statement in entry.tree.statements:
            if isinstance(statement, t.InForce):
                for change in variants(statement):
                    yield _new_day(book, entry, statement, change)


def _new_day(book: Rulebook, entry: ClauseEntry | None, line: t.InForce, change: Variant) -> Mutant:
    new = change.node
    clauses = []
    for clause in book.clauses:
        if clause is entry or (entry is None and clause.start == line.start):
            clause = replace(clause, start=new.start)
        if line.end is not None and (clause is entry or (entry is None and clause.end == line.end)):
            clause = replace(clause, end=new.end)
        clauses.append(clause)
    made = replace(book, clauses=tuple(clauses))
    if entry is None:
        made = replace(made, start=new.start, end=new.end)
    where = entry.id if entry is not None else "header"
    return Mutant(
        "dated",
        f"{where}: {change.was} -> {change.becomes}",
        where,
        IN_FORCE,
        line.span,
        (),
        made,
    )


# --- what can be moved by one


@dataclass(frozen=True, slots=True)
class Variant:
    """A node with one thing in it changed, in words, and where that stands."""

    node: Any
    was: str
    becomes: str
    span: Span | None = None


def variants(node: object) -> Iterator[Variant]:
    match node:
        case t.Number():
            for value in _next_to(node.value):
                yield Variant(replace(node, value=value), str(node.value), str(value), node.span)
        case t.Money():
            for cents in _next_to(node.cents):
                yield Variant(
                    replace(node, cents=cents), money(node.cents), money(cents), node.span
                )
        case t.Amount():
            for cents in _next_to(node.cents):
                yield Variant(
                    replace(node, cents=cents), money(node.cents), money(cents), node.span
                )
        case t.Odds():
            for ratio in _next_odds(node):
                new = t.Odds(ratio, f"{ratio.numerator} to {ratio.denominator}", span=node.span)
                yield Variant(new, payout(node), payout(new), node.span)
        case t.Ranks():
            yield from _next_ranks(node)
        case t.InForce():
            for day in _next_days(node.start):
                yield Variant(
                    replace(node, start=day), f"from {node.start}", f"from {day}", node.span
                )
            for day in _next_days(node.end):
                yield Variant(
                    replace(node, end=day), f"until {node.end}", f"until {day}", node.span
                )
        case t.Compare() | t.Between() | t.OneOf():
            yield from _comparisons(node)
        case t.CardValue():
            yield from _card_values(node)
        case t.Node():
            for one in fields(node):
                if one.name != "span" and not one.name.endswith("_span"):
                    for change in variants(getattr(node, one.name)):
                        yield replace(change, node=replace(node, **{one.name: change.node}))
        case tuple():
            for n, part in enumerate(node):
                for change in variants(part):
                    yield replace(change, node=(*node[:n], change.node, *node[n + 1 :]))
        case _:
            return


def _next_to(number: int) -> Iterator[int]:
    if number > 0:
        yield number - 1
    yield number + 1


def _next_days(day: date | None) -> Iterator[date]:
    if day is not None:
        yield day - timedelta(days=1)
        yield day + timedelta(days=1)


def _next_odds(odds: t.Odds) -> Iterator[Fraction]:
    told = odds.printed.split(" to ")
    above, below = odds.ratio.numerator, odds.ratio.denominator
    if len(told) == 2 and all(part.isdecimal() for part in told):
        above, below = int(told[0]), int(told[1])
    near = [(above - 1, below), (above + 1, below), (above, below - 1), (above, below + 1)]
    yield from dict.fromkeys(Fraction(a, b) for a, b in near if a > 0 and b > 0)


def _next_ranks(node: t.Ranks) -> Iterator[Variant]:
    """`6-7-8` with its first or its last numeral moved."""
    ranks = node.ranks.split("-")
    for place in (0, len(ranks) - 1):
        for by in (-1, 1):
            if ranks[place] in _NUMERALS:
                moved = _NUMERALS.index(ranks[place]) + by
                if 0 <= moved < len(_NUMERALS):
                    new = [*ranks[:place], _NUMERALS[moved], *ranks[place + 1 :]]
                    made = replace(node, ranks="-".join(new))
                    yield Variant(made, node.ranks, made.ranks, node.span)


def _comparisons(node: t.Compare | t.Between | t.OneOf) -> Iterator[Variant]:
    """Told as a whole: `hand.total <= 16` becomes `hand.total <= 15`."""
    found: list[t.Expression] = []
    for one in fields(node):
        for change in variants(getattr(node, one.name)) if one.name != "span" else ():
            found.append(replace(node, **{one.name: change.node}))
    if isinstance(node, t.Compare) and node.operator in _STRICT:
        plain = t.Number | t.Money
        if not isinstance(node.left, plain) and not isinstance(node.right, plain):
            found.append(replace(node, operator=_STRICT[node.operator]))
    for new in found:
        yield Variant(new, condition_text(node), condition_text(new), node.span)


def _card_values(node: t.CardValue) -> Iterator[Variant]:
    was = points(node.points)
    ranks = ", ".join(node.ranks)
    value = node.points
    nearby: list[t.Points] = []
    if isinstance(value, int):
        nearby += [n for n in _next_to(value) if n > 0]
    elif isinstance(value, tuple):
        nearby += [(n, n + 10) for n in _next_to(value[0]) if n > 0]
    for new in nearby:
        yield Variant(
            replace(node, points=new),
            f"{ranks} count {was}",
            f"{ranks} count {points(new)}",
            node.span,
        )
    numerals = [rank for rank in node.ranks if rank in _NUMERALS]
    if len(numerals) > 1 and numerals == list(node.ranks):
        after = _NUMERALS.index(numerals[-1]) + 1
        if after < len(_NUMERALS):
            wider = replace(node, ranks=(*node.ranks, _NUMERALS[after]))
            first, last, more = numerals[0], numerals[-1], _NUMERALS[after]
            yield Variant(
                wider, f"{first} to {last} count {was}", f"{first} to {more} count {was}", node.span
            )
    for change in variants(node.condition):
        yield replace(change, node=replace(node, condition=change.node))
