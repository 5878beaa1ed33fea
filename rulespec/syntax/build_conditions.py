"""From lark's matches to the tree: conditions. One method for each rule, named alike."""

from __future__ import annotations

from typing import Any

from lark import Token

from rulespec.base.spans import Span
from rulespec.tree import nodes as t


def cents_of(token: Token) -> int:
    whole, _, part = str(token)[1:].replace(",", "").partition(".")
    return int(whole) * 100 + int((part + "00")[:2])


class BuildConditions:
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
        return t.Money(cents_of(c[0]), span=span)

    def ranks(self, span: Span, c: list[Any]) -> t.Ranks:
        return t.Ranks(str(c[0]), span=span)

    def option(self, span: Span, c: list[Any]) -> t.Setting:
        return t.Setting("option", str(c[0]), span=span)

    def approved(self, span: Span, c: list[Any]) -> t.Setting:
        return t.Setting("approved", str(c[0]), span=span)

    def recorded(self, span: Span, c: list[Any]) -> t.Setting:
        return t.Setting("recorded", str(c[0]), span=span)
