"""Edits of a rule file, one by one: what a slip of the pen, or an amendment, does to a text.

Each is made in the text itself, at the span of a node: a rule deleted, a guard widened or narrowed,
a number, odds, a date or a precedence changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from fractions import Fraction
from random import Random

from rulespec.base.spans import Span
from rulespec.syntax.parse import parse
from rulespec.tree import nodes as t
from rulespec.tree.walk import walk
from rulespec.tree.write import condition_text

Made = tuple[str, str, Span, str]

RULES = (
    t.Define,
    t.CardValue,
    t.Result,
    t.Pays,
    t.PayTable,
    t.PaysAs,
    t.PaysHighest,
    t.Counts,
    t.Settles,
    t.Rounding,
    t.Conduct,
    t.Requires,
)
ORDERS = (t.Despite, t.SubjectTo, t.AppliesWhen, t.DoesNotApplyWhen)
WORDS = {
    # words of a statement and what may stand instead
    " wins": " loses",
    " loses half": " loses",
    " loses": " stands off",
    " stands off": " wins",
    "is void": "loses",
    "must not ": "must ",
    "may not ": "may ",
    "must ": "may ",
    "may ": "must ",
    "at once": "at the end",
    "before the subsequent deal": "during the subsequent deal",
    "during the subsequent deal": "at the end",
    "at the end": "at once",
    "at the second dealer card": "at the end",
    "round up": "round down",
    "interim ": "",
    "despite ": "subject to ",
    "subject to ": "despite ",
    "count 10": "count 9",
    "face": "9",
}


@dataclass(frozen=True, slots=True)
class Edit:
    """Some words of a text, and what is put in their place."""

    kind: str
    where: str
    start: int
    was: str
    new: str

    def apply(self, text: str) -> str:
        return text[: self.start] + self.new + text[self.start + len(self.was) :]

    def __str__(self) -> str:
        was, new = (" ".join(x.split()) for x in (self.was, self.new))
        return f"{self.kind} in {self.where}: {was!r} becomes {new!r}"


def edits(text: str) -> dict[str, list[Edit]]:
    """All edits of a text, by kind."""
    document, wrong = parse(text, "book.rules")
    assert document is not None, wrong
    lines = [0, *(m.end() for m in re.finditer("\n", text))]
    found: dict[str, list[Edit]] = {}
    for kind, where, span, new in _document(text, document):
        start = lines[span.start_line - 1] + span.start_column - 1
        was = text[start : lines[span.end_line - 1] + span.end_column - 1]
        for made in _other_words(was) if kind == "word" else [new]:
            if made.split() != was.split():
                found.setdefault(kind, []).append(Edit(kind, where, start, was, made))
    return found


def random_edit(text: str, rng: Random) -> Edit:
    by_kind = edits(text)
    kind = rng.choice(sorted(by_kind))
    return rng.choice(by_kind[kind])


def _document(text: str, document: t.Document) -> Iterator[Made]:
    clauses: list[t.Clause] = []
    for item in document.items:
        match item:
            case t.Clause():
                clauses.append(item)
            case t.Section():
                clauses += item.clauses
                for rule in item.rules:
                    yield from _statement(f"section {item.id}", rule, [])
            case t.Reading():
                yield from _reading(item)
            case _:
                pass
    pool = _pool(s for c in clauses for s in c.statements)
    ids = [c.id for c in clauses]
    for clause in clauses:
        for statement in clause.statements:
            yield from _statement(clause.id, statement, pool.get(_group(statement), []))
            yield from _other_target(clause.id, statement, ids)
        yield from _dates(text, clause)


def _group(statement: t.Node) -> str:
    match statement:
        case t.Result() | t.Pays() | t.PayTable() | t.Settles() | t.Counts():
            return "settle"
        case t.Conduct():
            return f"conduct {statement.actor}"
        case t.Requires():
            return f"require {statement.moment}"
        case _:
            return "other"


def _pool(statements: Iterable[t.Statement]) -> dict[str, list[t.Expression]]:
    """Simple conditions that may be asked for by statements of one kind."""
    found: dict[str, dict[str, t.Expression]] = {}
    for statement in statements:
        for root in _conditions(statement):
            for node in walk(root):
                if isinstance(node, t.Compare | t.OneOf | t.Between | t.Setting):
                    found.setdefault(_group(statement), {})[condition_text(node)] = node
    found.pop("other", None)
    return {group: list(nodes.values()) for group, nodes in found.items()}


def _conditions(statement: t.Node) -> Iterator[t.Expression]:
    for name in ("condition", "requirement", "limit"):
        node = getattr(statement, name, None)
        if node is not None and not isinstance(node, t.Always):
            yield node
    if isinstance(statement, t.PayTable):
        yield from (row.condition for row in statement.rows if row.condition is not None)


def _statement(where: str, statement: t.Node, pool: list[t.Expression]) -> Iterator[Made]:
    if isinstance(statement, RULES):
        yield ("rule deleted", where, statement.span, "")
    if isinstance(statement, ORDERS):
        yield ("precedence deleted", where, statement.span, "")
    if isinstance(statement, t.PayTable):
        for row in statement.rows:
            if len(statement.rows) > 1:
                yield ("row deleted", where, row.span, "")
            yield from _payout(where, row.payout)
    if isinstance(statement, t.Pays):
        yield from _payout(where, statement.payout)
    yield from _words(where, statement)
    for root in _conditions(statement):
        yield from _condition(where, root, pool)


def _payout(where: str, payout: t.Payout) -> Iterator[Made]:
    if isinstance(payout, t.Amount):
        for cents in (payout.cents + 100, payout.cents * 2, 0):
            yield ("odds", where, payout.span, f"${cents // 100}")
        return
    for ratio in (payout.ratio + 1, payout.ratio + Fraction(1, 2), 1 / payout.ratio):
        yield ("odds", where, payout.span, f"{ratio.numerator} to {ratio.denominator}")


def _words(where: str, statement: t.Node) -> Iterator[Made]:
    if isinstance(
        statement,
        t.Result | t.Conduct | t.Settles | t.Rounding | t.Despite | t.SubjectTo | t.CardValue,
    ):
        yield "word", where, statement.span, ""


def _other_words(statement: str) -> Iterator[str]:
    head, when, tail = statement.partition(" when ")
    for was, becomes in WORDS.items():
        end = "" if was.endswith(" ") else r"(?!\w)"
        new = re.sub(re.escape(was) + end, becomes, head, count=1)
        if new != head:
            yield new + when + tail


def _other_target(where: str, statement: t.Node, ids: list[str]) -> Iterator[Made]:
    if isinstance(statement, t.Despite | t.SubjectTo):
        for reference in statement.references:
            aim = reference.read_as or reference.target
            if aim.id in ids:
                n = ids.index(aim.id)
                for other in ids[max(0, n - 1) : n] + ids[n + 1 : n + 2]:
                    name = f'"{other}"' if " " in other else other
                    yield ("precedence changed", where, aim.span, name)


def _condition(
    where: str, node: t.Expression, pool: list[t.Expression], whole: bool = True
) -> Iterator[Made]:
    def edit(kind: str, new: t.Expression) -> Made:
        text = condition_text(new)
        if not whole and isinstance(new, t.Either | t.Both):
            text = f"({text})"
        return kind, where, node.span, text

    match node:
        case t.Both() | t.Either():
            kind = "guard widened" if isinstance(node, t.Both) else "guard narrowed"
            for n in range(len(node.parts)):
                left = (*node.parts[:n], *node.parts[n + 1 :])
                yield edit(kind, left[0] if len(left) == 1 else replace(node, parts=left))
            for part in node.parts:
                yield from _condition(where, part, pool, whole=False)
        case t.Negated():
            yield edit("guard turned", node.part)
            yield from _condition(where, node.part, pool, whole=False)
        case t.Compare():
            turned = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "!=", "!=": "="}
            yield edit("comparison", replace(node, operator=turned[node.operator]))
            for side in ("left", "right"):
                for other in _near(getattr(node, side)):
                    yield edit("number", replace(node, **{side: other}))
        case t.Between():
            for side in ("low", "high"):
                for other in _near(getattr(node, side)):
                    yield edit("number", replace(node, **{side: other}))
        case t.OneOf():
            for n in range(len(node.values)):
                left = (*node.values[:n], *node.values[n + 1 :])
                if left:
                    yield edit("value dropped", replace(node, values=left))
        case _:
            pass
    if not isinstance(node, t.Both | t.Either | t.Arithmetic | t.Number | t.Money):
        for n, other in enumerate(pool):
            if n % 7 == len(condition_text(node)) % 7:
                yield edit("guard narrowed by another", t.Both((node, other)))
                yield edit("guard widened by another", t.Either((node, other)))


def _near(node: t.Expression) -> Iterator[t.Expression]:
    match node:
        case t.Number():
            yield from (replace(node, value=n) for n in (node.value - 1, node.value + 1) if n >= 0)
        case t.Money():
            steps = (-100, -50, 50, 100)
            yield from (replace(node, cents=node.cents + s) for s in steps if node.cents + s > 0)
        case _:
            pass


def _reading(reading: t.Reading) -> Iterator[Made]:
    where = f"reading {reading.name}"
    if len(reading.lines) > 1:
        for line in reading.lines:
            yield ("reading line deleted", where, line.span, "")
    for line in reading.lines:
        if isinstance(line, t.Under):
            yield from _statement(where, line.statement, [])
        elif len(line.losers) == 1:
            yield (
                "precedence reversed",
                where,
                line.span,
                f"{_name(line.losers[0])} prevails over {_name(line.winner)}",
            )


def _name(ref: t.ClauseRef) -> str:
    return f'"{ref.id}"' if " " in ref.id else ref.id


def _dates(text: str, clause: t.Clause) -> Iterator[Made]:
    dated = [s for s in clause.statements if isinstance(s, t.InForce)]
    for line in dated:
        for days in (-1, 1, 365):
            start = line.start + timedelta(days=days)
            until = f" until {line.end}" if line.end else ""
            yield ("date", clause.id, line.span, f"in force from {start}{until}")
