"""From lark's matches to the tree: conditions. One method for each rule, named alike."""

from __future__ import annotations

from typing import Any

from lark import Token

from rulespec.base.diagnostics import Diagnostic
from rulespec.base.spans import Span
from rulespec.tree import nodes as t


def cents_of(token: Token) -> int:
    whole, _, part = str(token)[1:].replace(",", "").partition(".")
    return int(whole) * 100 + int((part + "00")[:2])


class BuildConditions:
    found: list[Diagnostic]
    """What is wrong with a text that can be parsed."""

    def atom(self, span: Span, c: list[Any]) -> Any:
        return c[0]  # a condition in brackets

    def either(self, span: Span, c: list[Any]) -> t.Either:
        return t.Either(tuple(c), span=span)

    def both(self, span: Span, c: list[Any]) -> t.Both:
        return t.Both(tuple(c), span=span)

    def negated(self, span: Span, c: list[Any]) -> t.Negated:
        return t.Negated(c[0], span=span)

    def compare(self, span: Span, c: list[Any]) -> t.Compare:
        return t.Compare(c[0], str(c[1]), c[2], span=span)

    def one_of(self, span: Span, c: list[Any]) -> t.OneOf:
        return t.OneOf(c[0], tuple(c[1:]), span=span)

    def between(self, span: Span, c: list[Any]) -> t.Between:
        return t.Between(c[0], c[1], c[2], span=span)

    def sum(self, span: Span, c: list[Any]) -> Any:
        result = c[0]
        for operator, right in zip(c[1::2], c[2::2], strict=True):
            place = result.span.to(right.span)
            result = t.Arithmetic(result, str(operator), right, span=place)
        return result

    product = sum

    def fact(self, span: Span, c: list[Any]) -> t.Fact:
        return t.Fact(str(c[0]), span=span)

    def name(self, span: Span, c: list[Any]) -> t.Name:
        return t.Name(str(c[0]), span=span)

    def number(self, span: Span, c: list[Any]) -> t.Number:
        return t.Number(int(c[0]), span=span)

    def money(self, span: Span, c: list[Any]) -> t.Money:
        return t.Money(cents_of(c[0]), str(c[0])[0], span=span)

    def ranks(self, span: Span, c: list[Any]) -> t.Ranks:
        return t.Ranks(str(c[0]), span=span)

    def option(self, span: Span, c: list[Any]) -> t.Setting:
        return t.Setting("option", str(c[0]), span=span)

    def approved(self, span: Span, c: list[Any]) -> t.Setting:
        return t.Setting("approved", str(c[0]), span=span)

    def recorded(self, span: Span, c: list[Any]) -> t.Setting:
        return t.Setting("recorded", str(c[0]), span=span)

    def player_has(self, span: Span, c: list[Any]) -> t.Setting:
        return t.Setting("player has", str(c[0]), span=span)

    def anybody_has(self, span: Span, c: list[Any]) -> t.Setting:
        return t.Setting("anybody has", str(c[0]), span=span)

    # --- choices, meters, what was done

    def choice_is(self, span: Span, c: list[Any]) -> t.Compare:
        return t.Compare(t.Chosen(str(c[0]), span=span), str(c[1]), _value(c[2], span), span=span)

    def choice_in(self, span: Span, c: list[Any]) -> t.OneOf:
        values = tuple(_value(x, span) for x in c[1:])
        return t.OneOf(t.Chosen(str(c[0]), span=span), values, span=span)

    def chosen(self, span: Span, c: list[Any]) -> t.Chosen:
        return t.Chosen(str(c[0]), True, span=span)

    def choice_column(self, span: Span, c: list[Any]) -> t.Chosen:
        return t.Chosen(str(c[0]), span=span)

    def meter(self, span: Span, c: list[Any]) -> t.MeterAmount:
        return t.MeterAmount(str(c[0]), span=span)

    def times_done(self, span: Span, c: list[Any]) -> t.Times:
        return t.Times(str(c[0]), span=span)

    # --- cards by position

    def cards(self, span: Span, c: list[Any]) -> tuple[str, ...]:
        return tuple(c)

    def card(self, span: Span, c: list[Any]) -> str:
        return str(c[0])

    def same(self, span: Span, c: list[Any]) -> t.Same:
        return t.Same(str(c[0]), c[1], span=span)

    def consecutive(self, span: Span, c: list[Any]) -> t.Consecutive:
        return t.Consecutive(c[0], span=span)

    def poker_rank(self, span: Span, c: list[Any]) -> t.PokerRank:
        return t.PokerRank(c[0], span=span)

    def points_of(self, span: Span, c: list[Any]) -> t.PointsOf:
        return t.PointsOf(c[0], span=span)

    def cards_of(self, span: Span, c: list[Any]) -> t.CardsOf:
        return t.CardsOf(c[0], span=span)

    def trait_is(self, span: Span, c: list[Any]) -> tuple[t.Trait, ...]:
        return (t.Trait(str(c[0]), str(c[1]), (c[2],), span=span),)

    def trait_in(self, span: Span, c: list[Any]) -> tuple[t.Trait, ...]:
        return (t.Trait(str(c[0]), "in", tuple(c[1:]), span=span),)

    def traits(self, span: Span, c: list[Any]) -> tuple[t.Trait, ...]:
        return tuple(trait for some in c for trait in some)

    def count_of(self, span: Span, c: list[Any]) -> t.CountOf:
        return t.CountOf(c[0], c[1], span=span)

    # --- the cells of a table with several inputs

    def any_value(self, span: Span, c: list[Any]) -> Any:
        return lambda column: t.Always(span=span)

    def cell_part(self, span: Span, c: list[Any]) -> Any:
        if len(c) == 1:
            return lambda column: t.Compare(column, "=", _of_column(column, c[0]), span=span)
        return lambda column: t.Between(column, c[0], c[1], span=span)

    def cell(self, span: Span, c: list[Any]) -> Any:
        def condition(column: t.Expression) -> t.Expression:
            parts = tuple(part(column) for part in c)
            return parts[0] if len(parts) == 1 else t.Either(parts, span=span)

        return condition

    def cells(self, span: Span, c: list[Any]) -> list[Any]:
        return c

    def by_columns(self, span: Span, c: list[Any]) -> list[Any]:
        return c

    def _row(self, columns: list[Any], cells: list[Any], span: Span) -> Any:
        """The condition of a row of a table."""
        if len(columns) != len(cells):
            given = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
            wanted = "1 column" if len(columns) == 1 else f"{len(columns)} columns"
            message = f"the row has {given}, and the table has {wanted}"
            advice = "a row has a cell for each column, `any` where it does not matter"
            self.found.append(Diagnostic("R129", message, span, help=advice))
            return t.Always(span=span)
        parts = [cell(column) for column, cell in zip(columns, cells, strict=True)]
        told = tuple(part for part in parts if not isinstance(part, t.Always))
        if len(told) < 2:
            return told[0] if told else t.Always(span=span)
        return t.Both(told, span=span)


def _of_column(column: t.Expression, cell: Any) -> t.Expression:
    """What a house may choose is a word, also where it is written in figures."""
    chosen = isinstance(column, t.Chosen) and isinstance(cell, t.Number)
    value: t.Expression = t.Name(str(cell.value), span=cell.span) if chosen else cell
    return value


def _value(token: Token, span: Span) -> t.Name:
    return t.Name(str(token), span=span)
