"""Statements to rules: each statement that answers a question becomes one rule or more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulespec.resolve.question import (
    ROUNDING,
    Question,
    about_bet,
    defining,
    requiring,
    value_of_card,
    whether,
)
from rulespec.resolve.rule_value import RuleValue
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t


def both(*parts: t.Expression) -> t.Expression:
    kept = [p for p in parts if not isinstance(p, t.Always)]
    flat: list[t.Expression] = []
    for part in kept:
        flat.extend(part.parts if isinstance(part, t.Both) else (part,))
    if not flat:
        return t.Always()
    return flat[0] if len(flat) == 1 else t.Both(tuple(flat), span=flat[0].span)


def negated(part: t.Expression) -> t.Expression:
    return part.part if isinstance(part, t.Negated) else t.Negated(part, span=part.span)


def lower(
    clause: t.Clause,
    statements: tuple[t.Statement, ...],
    scope: t.Expression,
    reading: str | None = None,
    line: int = 0,
) -> Iterator[Rule]:
    """`scope` is what the clause and its section say about when they apply; `line` is the place
    of the statement in a reading."""
    number = 1
    for statement in statements:
        for question, value, condition, extra in _answers(statement):
            suffix = f"/{number}" if reading is None else f"/{reading}/{line}.{number}"
            yield Rule(
                f"{clause.id}{suffix}",
                clause.id,
                question,
                value,
                both(scope, condition),
                reading=reading,
                span=extra.pop("span", statement.span),
                version=clause,
                **extra,
            )
            number += 1


_NUMBERS = {**{str(n): n for n in range(2, 10)}, "T": 10}


def _points(rank: str, points: t.Points) -> t.Points:
    """What a card counts, the same however it is written. A picture has no face value: that stays,
    and is an error."""
    if points == "face":
        return _NUMBERS.get(rank, "face")
    return (min(points), max(points)) if isinstance(points, tuple) else points


_CONTRARY: dict[t.Modal, t.Modal] = {
    "may": "may not",
    "may not": "may",
    "must": "must not",
    "must not": "must",
}


def _case(
    row: t.NumberRow | t.ConductRow, rows: tuple[t.NumberRow, ...] | tuple[t.ConductRow, ...]
) -> t.Expression:
    """When a row of a table applies; `otherwise` where no other one does."""
    if row.condition is not None:
        return row.condition
    return both(*(negated(other.condition) for other in rows if other.condition is not None))


def _answers(
    statement: t.Statement,
) -> Iterator[tuple[Question, RuleValue, t.Expression, dict[str, Any]]]:
    match statement:
        case t.Define():
            yield defining(statement.term), statement.holds, statement.condition, {}
        case t.CardValue():
            for rank in statement.ranks:
                points = _points(rank, statement.points)
                yield value_of_card(rank), points, statement.condition, {}
        case t.Result():
            extra = {"interim": statement.interim, "note": statement.reason}
            yield about_bet(statement.bet, "result"), statement.outcome, statement.condition, extra
        case t.Pays():
            yield about_bet(statement.bet, "odds"), statement.payout, statement.condition, {}
        case t.PayTable():
            named = [row.condition for row in statement.rows if row.condition is not None]
            for row in statement.rows:
                condition = row.condition
                if condition is None:
                    condition = both(*(negated(c) for c in named))
                yield (
                    about_bet(statement.bet, "odds"),
                    row.payout,
                    both(statement.condition, condition),
                    {"span": row.span},
                )
        case t.DefineNumber():
            for number_row in statement.rows:
                yield (
                    defining(statement.term),
                    number_row.value,
                    both(statement.condition, _case(number_row, statement.rows)),
                    {"span": number_row.span},
                )
        case t.PaysSum():
            yield about_bet(statement.bet, "sum"), True, statement.condition, {}
        case t.PaysTogether():
            shared = True if statement.limit is None else statement.limit
            yield about_bet(statement.bet, "together"), shared, statement.condition, {}
        case t.PaysHighest():
            yield about_bet(statement.bet, "highest"), True, statement.condition, {}
        case t.Counts():
            question = "deemed" if statement.exactly else "counted"
            yield about_bet(statement.bet, question), statement.limit, statement.condition, {}
        case t.Settles():
            yield about_bet(statement.bet, "settles"), statement.timing, statement.condition, {}
        case t.Rounding():
            way = (statement.direction, statement.unit)
            yield ROUNDING, way, statement.condition, {}
        case t.Conduct():
            # whether one must is another question than whether one may
            modal = f"undecided {statement.modal}" if statement.undecided else statement.modal
            for action in statement.actions:
                yield (
                    whether(statement.actor, action),
                    modal,
                    statement.condition,
                    {"note": statement.undecided},
                )
        case t.ConductTable():
            for case in statement.rows:
                yield (
                    whether(statement.actor, statement.action),
                    statement.modal if case.holds else _CONTRARY[statement.modal],
                    both(statement.condition, _case(case, statement.rows)),
                    {"span": case.span},
                )
        case t.Requires():
            question = requiring(statement.moment)
            yield question, statement.requirement, statement.condition, {}
        case _:
            return
