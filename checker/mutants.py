"""Mutants of a rulebook: a rule lost, or a number, bound, price or day moved by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from datetime import date, timedelta
from fractions import Fraction
from typing import Any, Literal

from rulespec import tree as t
from rulespec.lower import lower
from rulespec.resolve import scope_of
from rulespec.rulebook import ClauseEntry, Rule, Rulebook
from rulespec.spans import Span
from rulespec.vocabulary import RANKS
from rulespec.write import condition_text, money, payout, points

Kind = Literal["lost", "moved", "dated"]
_STRICT = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_NUMERALS = RANKS[: RANKS.index("T") + 1]  # A 2 … 9 T


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change to one place of a rulebook that some scenario should notice."""

    kind: Kind
    name: str  # the rule, then what becomes of it: also the name under which a reason is given
    clause: str
    question: str
    span: Span | None
    changes: tuple[tuple[Rule | None, Rule | None], ...]  # a rule and what it becomes
    book: Rulebook = field(repr=False, compare=False)  # the text with the change

    @property
    def lost(self) -> bool:
        return self.kind == "lost"


def mutants(book: Rulebook) -> Iterator[Mutant]:
    """Every rule lost, every number of every rule moved by one either way, every day likewise."""
    for rule in book.rules:
        kept = tuple(other for other in book.rules if other is not rule)
        yield Mutant("lost", rule.id, rule.clause, rule.question, rule.span, ((rule, None),),
                     replace(book, rules=kept))  # fmt: skip
    yield from _moved(book)
    yield from _dated(book)


# --- rules


def _moved(book: Rulebook) -> Iterator[Mutant]:
    sections = {id(clause): section for section in book.sections for clause in section.clauses}
    place = 0
    scopes: dict[str, t.Expression] = {}
    within: dict[int, list[tuple[int, ClauseEntry]]] = {}  # by section: where rules of clauses are
    for entry in book.clauses:
        section = sections.get(id(entry.tree))
        scopes[entry.id] = scope_of(entry.tree, section)
        old = _rules_of(entry, section)
        assert list(book.rules[place : place + len(old)]) == old
        if section is not None:
            within.setdefault(id(section), []).append((place, entry))
        for number, statement in enumerate(entry.tree.statements):
            for change in variants(statement):
                others = list(entry.tree.statements)
                others[number] = change.node
                tree = replace(entry.tree, statements=tuple(others))
                new = _rules_of(replace(entry, tree=tree), section)
                yield from _mutant(book, place, old, new, change)
        place += len(old)
    for section in book.sections:
        for number, rule in enumerate(section.rules):
            for change in variants(rule):
                others_ = list(section.rules)
                others_[number] = change.node
                changed = replace(section, rules=tuple(others_))
                yield from _section(book, within.get(id(section), []), section, changed, change)
    for reading in book.readings:
        for number, line in enumerate(reading.lines, 1):
            if not reading.active or not isinstance(line, t.Under) or line.clause.id not in scopes:
                continue
            scope = scopes[line.clause.id]
            old = list(lower(line.clause.id, (line.statement,), scope, reading.name, number))
            assert list(book.rules[place : place + len(old)]) == old
            for change in variants(line.statement):
                new = list(lower(line.clause.id, (change.node,), scope, reading.name, number))
                yield from _mutant(book, place, old, new, change)
            place += len(old)


def _rules_of(entry: ClauseEntry, section: t.Section | None) -> list[Rule]:
    return list(lower(entry.id, entry.tree.statements, scope_of(entry.tree, section)))


def _mutant(
    book: Rulebook, place: int, old: list[Rule], new: list[Rule], change: Variant
) -> Iterator[Mutant]:
    """The rules of one clause from a place on, and what they become."""
    mine = book.rules[place : place + len(old)]
    pairs: list[tuple[Rule | None, Rule | None]]
    if len(new) == len(old):
        pairs = [(a, b) for a, b in zip(mine, new, strict=True) if a != b]
    else:
        known = {rule.question for rule in old}
        pairs = [(None, rule) for rule in new if rule.question not in known]
    rules = (*book.rules[:place], *new, *book.rules[place + len(old) :])
    yield from _made(pairs, change, replace(book, rules=rules))


def _section(
    book: Rulebook, clauses: list[tuple[int, ClauseEntry]], section: t.Section, changed: t.Section,
    change: Variant,
) -> Iterator[Mutant]:  # fmt: skip
    rules = list(book.rules)
    pairs: list[tuple[Rule | None, Rule | None]] = []
    for place, entry in clauses:
        for n, new in enumerate(_rules_of(entry, changed)):
            pairs.append((rules[place + n], new))
            rules[place + n] = new
    yield from _made(pairs, change, replace(book, rules=tuple(rules)))


def _made(
    pairs: list[tuple[Rule | None, Rule | None]], change: Variant, book: Rulebook
) -> Iterator[Mutant]:
    if pairs:
        first = pairs[0][0] or pairs[0][1]
        assert first is not None
        name = f"{first.id}: {change.was} -> {change.becomes}"
        yield Mutant("moved", name, first.clause, first.question, change.span or first.span,
                     tuple(pairs), book)  # fmt: skip


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


def _new_day(
    book: Rulebook, entry: ClauseEntry | None, line: t.InForce, change: Variant
) -> Mutant:
    new = change.node
    clauses = []
    for clause in book.clauses:
        if clause is entry or (entry is None and clause.start == line.start):
            clause = replace(clause, start=new.start)
        if line.end is not None and (
            clause is entry or (entry is None and clause.end == line.end)
        ):
            clause = replace(clause, end=new.end)
        clauses.append(clause)
    made = replace(book, clauses=tuple(clauses))
    if entry is None:
        made = replace(made, start=new.start, end=new.end)
    where = entry.id if entry is not None else "header"
    return Mutant("dated", f"{where}: {change.was} -> {change.becomes}", where, "in force",
                  line.span, (), made)  # fmt: skip


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
                yield Variant(replace(node, cents=cents), money(node.cents), money(cents),
                              node.span)  # fmt: skip
        case t.Amount():
            for cents in _next_to(node.cents):
                yield Variant(replace(node, cents=cents), money(node.cents), money(cents),
                              node.span)  # fmt: skip
        case t.Odds():
            for ratio in _next_odds(node):
                new = t.Odds(ratio, f"{ratio.numerator} to {ratio.denominator}", span=node.span)
                yield Variant(new, payout(node), payout(new), node.span)
        case t.Ranks():
            yield from _next_ranks(node)
        case t.InForce():
            for day in _next_days(node.start):
                yield Variant(replace(node, start=day), f"from {node.start}", f"from {day}",
                              node.span)  # fmt: skip
            for day in _next_days(node.end):
                yield Variant(replace(node, end=day), f"until {node.end}", f"until {day}",
                              node.span)  # fmt: skip
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
        yield Variant(replace(node, points=new), f"{ranks} count {was}",
                      f"{ranks} count {points(new)}", node.span)  # fmt: skip
    numerals = [rank for rank in node.ranks if rank in _NUMERALS]
    if len(numerals) > 1 and numerals == list(node.ranks):
        after = _NUMERALS.index(numerals[-1]) + 1
        if after < len(_NUMERALS):
            wider = replace(node, ranks=(*node.ranks, _NUMERALS[after]))
            first, last, more = numerals[0], numerals[-1], _NUMERALS[after]
            yield Variant(wider, f"{first} to {last} count {was}",
                          f"{first} to {more} count {was}", node.span)  # fmt: skip
    for change in variants(node.condition):
        yield replace(change, node=replace(node, condition=change.node))
