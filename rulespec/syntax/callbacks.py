"""What lark calls as it goes, rule by rule.

lark is told to keep every token, so that the first and the last of a match give its span: this
costs a fraction of lark's own bookkeeping of positions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from lark import Token

from rulespec.base.spans import Span
from rulespec.syntax.build import Build

# The tokens that carry something; all others are keywords and brackets.
_TELLING = frozenset(
    {
        "STRING",
        "DATE",
        "MONEY",
        "NUMBER",
        "DECIMAL",
        "VALUE",
        "CHOSEN_VALUE",
        "SETTLEMENT",
        "RANKS",
        "FACT",
        "NAME",
        "TOPIC",
        "NAME_WITH_DASHES",
        "CLAUSE_ID",
        "WINNER",
        "CODE",
        "COMPARE",
        "SIGN",
        "TIMES",
        "DIRECTION",
        "FACE_VALUE",
        "INTERIM",
        "INACTIVE",
        "ACTOR",
        "TEXT_KEY",
        "ZONE_NAME",
    }
)


class Got(NamedTuple):
    """What a rule has matched, and where."""

    value: Any
    span: Span


class Callbacks:
    """What lark calls for each rule: the method of that name, with the span and what tells."""

    def __init__(self) -> None:
        self.build = Build("")

    def __getattr__(self, name: str) -> Any:
        method = getattr(Build, name, None)
        if method is None or name.startswith("_"):
            raise AttributeError(name)

        def matched(children: list[Any]) -> Got:
            build = self.build
            if not children:
                return Got(method(build, Span(build.file, 1, 1, 1, 1), []), Span("", 1, 1, 1, 1))
            first, last = children[0], children[-1]
            end: Any = last if type(last) is Token else last.span
            if type(first) is Token:
                start_line, start_column = first.line or 1, first.column or 1
            else:
                start_line, start_column = first.span.start_line, first.span.start_column
            span = Span(build.file, start_line, start_column, end.end_line, end.end_column)
            told = [
                c if type(c) is Token else c.value
                for c in children
                if type(c) is not Token or c.type in _TELLING
            ]
            return Got(method(build, span, told), span)

        return matched
