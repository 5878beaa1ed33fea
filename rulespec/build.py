"""From lark's matches to the typed tree. Called by the parser as it goes, rule by rule."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Any

from lark import Token, Transformer
from lark.tree import Meta
from lark.visitors import v_args

from rulespec import tree as t
from rulespec.spans import NOWHERE, Span
from rulespec.vocabulary import RANKS

_IMPOSSIBLE_DATE = date.min  # reported by the resolver, which knows the span


def text_of(token: Token) -> str:
    return str(token)[1:-1]


def date_of(token: Token) -> date:
    try:
        return date.fromisoformat(str(token))
    except ValueError:
        return _IMPOSSIBLE_DATE


def cents_of(token: Token) -> int:
    whole, _, part = str(token)[1:].replace(",", "").partition(".")
    return int(whole) * 100 + int((part + "00")[:2])


def _rank(token: Token) -> str:
    return "T" if str(token) == "10" else str(token)


@v_args(meta=True)
class Build(Transformer[Token, t.Document]):
    """One method for each rule of the grammar, named alike."""

    def __init__(self, file: str) -> None:
        super().__init__(visit_tokens=False)
        self.file = file

    def at(self, meta: Meta) -> Span:
        if meta.empty:
            return Span(self.file, 1, 1, 1, 1)
        return Span(self.file, meta.line, meta.column, meta.end_line, meta.end_column)

    def token_span(self, token: Token) -> Span:
        return Span(
            self.file, token.line or 1, token.column or 1, token.end_line or 1,
            token.end_column or 1,
        )  # fmt: skip

    # --- the document

    def start(self, meta: Meta, c: list[Any]) -> t.Document:
        return t.Document(tuple(c), span=self.at(meta))

    def include(self, meta: Meta, c: list[Any]) -> t.Include:
        return t.Include(text_of(c[0]), span=self.at(meta))

    def rulebook(self, meta: Meta, c: list[Any]) -> t.Header:
        return t.Header(str(c[0]), tuple(c[1:]), span=self.at(meta))

    def text_property(self, meta: Meta, c: list[Any]) -> t.TextProperty:
        return t.TextProperty(str(c[0]), text_of(c[1]), span=self.at(meta))

    def game(self, meta: Meta, c: list[Any]) -> t.Game:
        return t.Game(str(c[0]), span=self.at(meta))

    def in_force(self, meta: Meta, c: list[Any]) -> t.InForce:
        end = date_of(c[1]) if len(c) > 1 else None
        return t.InForce(date_of(c[0]), end, span=self.at(meta))

    def undated(self, meta: Meta, c: list[Any]) -> t.Undated:
        return t.Undated(text_of(c[0]), span=self.at(meta))

    def about(self, meta: Meta, c: list[Any]) -> tuple[str, ...]:
        return tuple(str(x) for x in c)

    def section(self, meta: Meta, c: list[Any]) -> t.Section:
        ref, title, *rest = c
        about, rest = self._about(rest)
        return t.Section(
            ref.id,
            text_of(title),
            about,
            tuple(x for x in rest if not isinstance(x, t.Clause)),
            tuple(x for x in rest if isinstance(x, t.Clause)),
            span=self.at(meta),
        )

    def clause(self, meta: Meta, c: list[Any]) -> t.Clause:
        ref, title, *rest = c
        about, rest = self._about(rest)
        return t.Clause(
            ref.id, text_of(title), about, tuple(rest), id_span=ref.span, span=self.at(meta)
        )

    def _about(self, rest: list[Any]) -> tuple[tuple[str, ...], list[Any]]:
        if rest and isinstance(rest[0], tuple):
            return rest[0], rest[1:]
        return (), rest

    def reading(self, meta: Meta, c: list[Any]) -> t.Reading:
        active = not isinstance(c[1], Token)
        because, *lines = c[1:] if active else c[2:]
        return t.Reading(str(c[0]), because, tuple(lines), active, span=self.at(meta))

    def because(self, meta: Meta, c: list[Any]) -> str:
        return text_of(c[0])

    def prevails(self, meta: Meta, c: list[Any]) -> t.Prevails:
        return t.Prevails(c[0], tuple(c[1:]), span=self.at(meta))

    def under(self, meta: Meta, c: list[Any]) -> t.Under:
        return t.Under(c[0], c[1], span=self.at(meta))

    def accept(self, meta: Meta, c: list[Any]) -> t.Accept:
        until = date_of(c.pop()) if c[-1].type == "DATE" else None
        return t.Accept(
            str(c[0]), tuple(c[1:-1]), text_of(c[-1]), until, span=self.at(meta)
        )

    # --- standing and references

    def not_checkable(self, meta: Meta, c: list[Any]) -> t.NotCheckable:
        return t.NotCheckable(text_of(c[0]), span=self.at(meta))

    def introduces(self, meta: Meta, c: list[Any]) -> t.Introduces:
        return t.Introduces(span=self.at(meta))

    def defines(self, meta: Meta, c: list[Any]) -> t.Defines:
        return t.Defines(tuple(text_of(x) for x in c), span=self.at(meta))

    def uses(self, meta: Meta, c: list[Any]) -> t.Uses:
        return t.Uses(tuple(text_of(x) for x in c), span=self.at(meta))

    def clause_ref(self, meta: Meta, c: list[Any]) -> t.ClauseRef:
        token = c[0]
        name = text_of(token) if token.type == "STRING" else str(token)
        return t.ClauseRef(name, span=self.token_span(token))

    def to_ref(self, meta: Meta, c: list[Any]) -> tuple[str, Any]:
        return ("to", c[0])

    def as_topic(self, meta: Meta, c: list[Any]) -> tuple[str, Any]:
        return ("as", str(c[0]))

    def read_as(self, meta: Meta, c: list[Any]) -> tuple[str, Any]:
        return ("read as", c[0])

    def reference(self, meta: Meta, c: list[Any]) -> t.Reference:
        extra = dict(c[1:])
        return t.Reference(
            c[0], extra.get("to"), extra.get("as"), extra.get("read as"), span=self.at(meta)
        )

    def cites(self, meta: Meta, c: list[Any]) -> t.Cites:
        return t.Cites(tuple(c), span=self.at(meta))

    def cites_outside(self, meta: Meta, c: list[Any]) -> t.CitesOutside:
        return t.CitesOutside(text_of(c[0]), span=self.at(meta))

    def subject_to(self, meta: Meta, c: list[Any]) -> t.SubjectTo:
        return t.SubjectTo(tuple(c), span=self.at(meta))

    def despite(self, meta: Meta, c: list[Any]) -> t.Despite:
        return t.Despite(tuple(c), span=self.at(meta))

    def applies_when(self, meta: Meta, c: list[Any]) -> t.AppliesWhen:
        return t.AppliesWhen(c[0], span=self.at(meta))

    def does_not_apply_when(self, meta: Meta, c: list[Any]) -> t.DoesNotApplyWhen:
        return t.DoesNotApplyWhen(c[0], span=self.at(meta))

    def when(self, meta: Meta, c: list[Any]) -> Any:
        return c[0]

    # --- meaning

    def term(self, meta: Meta, c: list[Any]) -> str:
        return str(c[0])

    def define(self, meta: Meta, c: list[Any]) -> t.Define:
        return t.Define(c[0], c[1], span=self.at(meta))

    def define_false(self, meta: Meta, c: list[Any]) -> t.Define:
        return t.Define(c[0], self._when(c, 1), False, span=self.at(meta))

    def card_rank(self, meta: Meta, c: list[Any]) -> str:
        return _rank(c[0])

    def card_range(self, meta: Meta, c: list[Any]) -> tuple[str, ...]:
        if len(c) == 1:
            return (c[0],)
        if c[0] not in RANKS or c[1] not in RANKS:
            return tuple(c)
        return RANKS[RANKS.index(c[0]) : RANKS.index(c[1]) + 1]

    def points(self, meta: Meta, c: list[Any]) -> Any:
        if c[0].type == "FACE_VALUE":
            return "face"
        values = tuple(int(x) for x in c)
        return values[0] if len(values) == 1 else values

    def card_value(self, meta: Meta, c: list[Any]) -> t.CardValue:
        condition = c.pop() if isinstance(c[-1], t.Node) else t.Always()
        *ranges, points = c
        ranks = tuple(rank for group in ranges for rank in group)
        return t.CardValue(ranks, points, condition, span=self.at(meta))

    def _when(self, c: list[Any], index: int) -> Any:
        return c[index] if len(c) > index and c[index] is not None else t.Always()

    # --- settlement

    def wins(self, meta: Meta, c: list[Any]) -> str:
        return "wins"

    def loses(self, meta: Meta, c: list[Any]) -> str:
        return "loses"

    def loses_half(self, meta: Meta, c: list[Any]) -> str:
        return "loses half"

    def stands_off(self, meta: Meta, c: list[Any]) -> str:
        return "stands off"

    def is_void(self, meta: Meta, c: list[Any]) -> str:
        return "void"

    def _interim(self, c: list[Any]) -> tuple[bool, list[Any]]:
        if isinstance(c[0], Token) and c[0].type == "INTERIM":
            return True, c[1:]
        return False, c

    def result(self, meta: Meta, c: list[Any]) -> t.Result:
        interim, c = self._interim(c)
        return t.Result(str(c[0]), c[1], self._when(c, 2), interim, span=self.at(meta))

    def undecided(self, meta: Meta, c: list[Any]) -> t.Result:
        interim, c = self._interim(c)
        reason = text_of(c[1])
        return t.Result(
            str(c[0]), "undecided", self._when(c, 2), interim, reason, span=self.at(meta)
        )

    def odds(self, meta: Meta, c: list[Any]) -> t.Odds:
        first, second = int(c[0]), int(c[1])
        # zero is refused by the resolver, which knows how to say it
        ratio = Fraction(first, second) if second else Fraction(-1)
        return t.Odds(ratio, f"{first} to {second}", span=self.at(meta))

    def amount(self, meta: Meta, c: list[Any]) -> t.Amount:
        return t.Amount(cents_of(c[0]), span=self.at(meta))

    def pays(self, meta: Meta, c: list[Any]) -> t.Pays:
        return t.Pays(str(c[0]), c[1], self._when(c, 2), span=self.at(meta))

    def pay_row(self, meta: Meta, c: list[Any]) -> t.PayRow:
        condition = c[0] if len(c) == 2 else None
        return t.PayRow(condition, c[-1], span=self.at(meta))

    def pay_table(self, meta: Meta, c: list[Any]) -> t.PayTable:
        rows = tuple(x for x in c[1:] if isinstance(x, t.PayRow))
        condition = t.Always() if isinstance(c[1], t.PayRow) else c[1]
        return t.PayTable(str(c[0]), condition, rows, span=self.at(meta))

    def pays_highest(self, meta: Meta, c: list[Any]) -> t.PaysHighest:
        return t.PaysHighest(str(c[0]), self._when(c, 1), span=self.at(meta))

    def counts(self, meta: Meta, c: list[Any]) -> t.Counts:
        return t.Counts(str(c[0]), c[1], self._when(c, 2), span=self.at(meta))

    def deemed(self, meta: Meta, c: list[Any]) -> t.Counts:
        return t.Counts(str(c[0]), c[1], self._when(c, 2), True, span=self.at(meta))

    def at_once(self, meta: Meta, c: list[Any]) -> str:
        return "at once"

    def before_subsequent_deal(self, meta: Meta, c: list[Any]) -> str:
        return "before the subsequent deal"

    def during_subsequent_deal(self, meta: Meta, c: list[Any]) -> str:
        return "during the subsequent deal"

    def at_second_dealer_card(self, meta: Meta, c: list[Any]) -> str:
        return "at the second dealer card"

    def at_end(self, meta: Meta, c: list[Any]) -> str:
        return "at the end"

    def settles(self, meta: Meta, c: list[Any]) -> t.Settles:
        return t.Settles(str(c[0]), c[1], self._when(c, 2), span=self.at(meta))

    def rounding(self, meta: Meta, c: list[Any]) -> t.Rounding:
        direction: Any = str(c[0])
        return t.Rounding(direction, c[1], self._when(c, 2), span=self.at(meta))

    # --- conduct

    def may(self, meta: Meta, c: list[Any]) -> tuple[str]:
        return ("may",)

    def may_not(self, meta: Meta, c: list[Any]) -> tuple[str]:
        return ("may not",)

    def must(self, meta: Meta, c: list[Any]) -> tuple[str]:
        return ("must",)

    def must_not(self, meta: Meta, c: list[Any]) -> tuple[str]:
        return ("must not",)

    def undecided_because(self, meta: Meta, c: list[Any]) -> list[str]:
        return [text_of(c[0])]

    def conduct(self, meta: Meta, c: list[Any]) -> t.Conduct:
        actor: Any = str(c.pop(0)) if isinstance(c[0], Token) else "player"
        modal: Any = c[0][0]
        actions = tuple(str(x) for x in c[1:] if isinstance(x, Token))
        reasons = [x[0] for x in c[1:] if isinstance(x, list)]
        condition: Any = c[-1] if isinstance(c[-1], t.Node) else t.Always()
        return t.Conduct(
            actor, modal, actions, condition, reasons[0] if reasons else None, span=self.at(meta)
        )

    def requires(self, meta: Meta, c: list[Any]) -> t.Requires:
        return t.Requires(str(c[0]), c[1], self._when(c, 2), span=self.at(meta))

    # --- conditions

    def either(self, meta: Meta, c: list[Any]) -> t.Either:
        return t.Either(tuple(c), span=self.at(meta))

    def both(self, meta: Meta, c: list[Any]) -> t.Both:
        return t.Both(tuple(c), span=self.at(meta))

    def negated(self, meta: Meta, c: list[Any]) -> t.Negated:
        return t.Negated(c[0], span=self.at(meta))

    def compare(self, meta: Meta, c: list[Any]) -> t.Compare:
        return t.Compare(c[0], str(c[1]), c[2], span=self.at(meta))

    def one_of(self, meta: Meta, c: list[Any]) -> t.OneOf:
        return t.OneOf(c[0], tuple(c[1:]), span=self.at(meta))

    def between(self, meta: Meta, c: list[Any]) -> t.Between:
        return t.Between(c[0], c[1], c[2], span=self.at(meta))

    def sum(self, meta: Meta, c: list[Any]) -> Any:
        result = c[0]
        for operator, right in zip(c[1::2], c[2::2], strict=True):
            span = result.span.to(right.span)
            result = t.Arithmetic(result, str(operator), right, span=span)
        return result

    product = sum

    def fact(self, meta: Meta, c: list[Any]) -> t.Fact:
        return t.Fact(str(c[0]), span=self.at(meta))

    def name(self, meta: Meta, c: list[Any]) -> t.Name:
        return t.Name(str(c[0]), span=self.at(meta))

    def number(self, meta: Meta, c: list[Any]) -> t.Number:
        return t.Number(int(c[0]), span=self.at(meta))

    def money(self, meta: Meta, c: list[Any]) -> t.Money:
        return t.Money(cents_of(c[0]), span=self.at(meta))

    def ranks(self, meta: Meta, c: list[Any]) -> t.Ranks:
        return t.Ranks(str(c[0]), span=self.at(meta))

    def option(self, meta: Meta, c: list[Any]) -> t.Setting:
        return t.Setting("option", str(c[0]), span=self.at(meta))

    def approved(self, meta: Meta, c: list[Any]) -> t.Setting:
        return t.Setting("approved", str(c[0]), span=self.at(meta))

    def recorded(self, meta: Meta, c: list[Any]) -> t.Setting:
        return t.Setting("recorded", str(c[0]), span=self.at(meta))


__all__ = ["NOWHERE", "Build"]
