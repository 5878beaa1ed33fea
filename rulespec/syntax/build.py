"""From lark's matches to the typed tree, rule by rule."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

from lark import Token

from rulespec.base.spans import Span
from rulespec.syntax.build_conditions import BuildConditions, cents_of
from rulespec.syntax.build_declarations import BuildDeclarations
from rulespec.tree import nodes as t
from rulespec.tree.kinds import RANKS

_IMPOSSIBLE_DATE = date.min  # reported by the resolver, which knows the span


def text_of(token: Token) -> str:
    return str(token)[1:-1]


def date_of(token: Token) -> date:
    try:
        return date.fromisoformat(str(token))
    except ValueError:
        return _IMPOSSIBLE_DATE


def _rank(token: Token) -> str:
    return "T" if str(token) == "10" else str(token)


def _odds(c: list[Any], printed: str, span: Span) -> t.Odds:
    first, second = Fraction(str(c[0])), int(c[1])
    # zero is refused by the resolver, which knows how to say it
    return t.Odds(first / second if second else Fraction(-1), printed, span=span)


class Build(BuildConditions, BuildDeclarations):
    """One method for each rule of the grammar, named alike."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.found = []

    def token_span(self, token: Token) -> Span:
        return Span(
            self.file,
            token.line or 1,
            token.column or 1,
            token.end_line or 1,
            token.end_column or 1,
        )

    # --- the document

    def start(self, span: Span, c: list[Any]) -> t.Document:
        return t.Document(tuple(c), span=span)

    def include(self, span: Span, c: list[Any]) -> t.Include:
        return t.Include(text_of(c[0]), span=span)

    def rulebook(self, span: Span, c: list[Any]) -> t.Header:
        return t.Header(str(c[0]), tuple(c[1:]), span=span)

    def text_property(self, span: Span, c: list[Any]) -> t.TextProperty:
        return t.TextProperty(str(c[0]), text_of(c[1]), span=span)

    def game(self, span: Span, c: list[Any]) -> t.Game:
        return t.Game(str(c[0]), span=span)

    def currency(self, span: Span, c: list[Any]) -> t.Currency:
        return t.Currency(str(c[0]), span=span)

    def zone(self, span: Span, c: list[Any]) -> t.Zone:
        return t.Zone(str(c[0]), span=span)

    def in_force(self, span: Span, c: list[Any]) -> t.InForce:
        end = date_of(c[1]) if len(c) > 1 else None
        return t.InForce(date_of(c[0]), end, span=span)

    def undated(self, span: Span, c: list[Any]) -> t.Undated:
        return t.Undated(text_of(c[0]), span=span)

    def about(self, span: Span, c: list[Any]) -> tuple[str, ...]:
        return tuple(str(x) for x in c)

    def section(self, span: Span, c: list[Any]) -> t.Section:
        ref, title, *rest = c
        about, rest = self._about(rest)
        return t.Section(
            ref.id,
            text_of(title),
            about,
            tuple(x for x in rest if not isinstance(x, t.Clause)),
            tuple(x for x in rest if isinstance(x, t.Clause)),
            span=span,
        )

    def clause(self, span: Span, c: list[Any]) -> t.Clause:
        ref, title, *rest = c
        about, rest = self._about(rest)
        return t.Clause(ref.id, text_of(title), about, tuple(rest), id_span=ref.span, span=span)

    def _about(self, rest: list[Any]) -> tuple[tuple[str, ...], list[Any]]:
        if rest and isinstance(rest[0], tuple):
            return rest[0], rest[1:]
        return (), rest

    def reading(self, span: Span, c: list[Any]) -> t.Reading:
        active = not isinstance(c[1], Token)
        because, *lines = c[1:] if active else c[2:]
        return t.Reading(str(c[0]), because, tuple(lines), active, span=span)

    def because(self, span: Span, c: list[Any]) -> str:
        return text_of(c[0])

    def prevails(self, span: Span, c: list[Any]) -> t.Prevails:
        references = tuple(part for part in c[1:] if isinstance(part, t.ClauseRef))
        return t.Prevails(c[0], references, self._when(c, 1 + len(references)), span=span)

    def under(self, span: Span, c: list[Any]) -> t.Under:
        return t.Under(c[0], c[1], span=span)

    def accept(self, span: Span, c: list[Any]) -> t.Accept:
        until = date_of(c.pop()) if c[-1].type == "DATE" else None
        because = text_of(c.pop())
        only = c.pop() if isinstance(c[-1], tuple) else ()
        return t.Accept(str(c[0]), tuple(c[1:]), because, until, only, span=span)

    def accept_for(self, span: Span, c: list[Any]) -> tuple[t.Quoted, ...]:
        return tuple(t.Quoted(text_of(x), span=self.token_span(x)) for x in c)

    # --- amendments

    def amend(self, span: Span, c: list[Any]) -> t.Amend:
        return t.Amend(str(c[0]), tuple(c[1:]), id_span=self.token_span(c[0]), span=span)

    def replace_clause(self, span: Span, c: list[Any]) -> t.ReplaceClause:
        return t.ReplaceClause(c[0], span=span)

    def insert_clause(self, span: Span, c: list[Any]) -> t.InsertClause:
        return t.InsertClause(self.clause(span, [*c[:2], *c[3:]]), c[2], span=span)

    def insert_section(self, span: Span, c: list[Any]) -> t.InsertSection:
        return t.InsertSection(self.section(span, [*c[:2], *c[3:]]), c[2], span=span)

    def after(self, span: Span, c: list[Any]) -> t.ClauseRef:
        after: t.ClauseRef = c[0]
        return after

    def revoke_clause(self, span: Span, c: list[Any]) -> t.RevokeClause:
        return t.RevokeClause(tuple(c), span=span)

    def revoke_section(self, span: Span, c: list[Any]) -> t.RevokeSection:
        return t.RevokeSection(c[0], span=span)

    def revoke_reading(self, span: Span, c: list[Any]) -> t.RevokeReading:
        return t.RevokeReading(str(c[0]), span=span)

    # --- standing and references

    def not_checkable(self, span: Span, c: list[Any]) -> t.NotCheckable:
        return t.NotCheckable(text_of(c[0]), span=span)

    def introduces(self, span: Span, c: list[Any]) -> t.Introduces:
        return t.Introduces(span=span)

    def defines(self, span: Span, c: list[Any]) -> t.Defines:
        return t.Defines(tuple(text_of(x) for x in c), span=span)

    def uses(self, span: Span, c: list[Any]) -> t.Uses:
        return t.Uses(tuple(text_of(x) for x in c), span=span)

    def clause_ref(self, span: Span, c: list[Any]) -> t.ClauseRef:
        token = c[0]
        name = text_of(token) if token.type == "STRING" else str(token)
        return t.ClauseRef(name, span=self.token_span(token))

    def to_ref(self, span: Span, c: list[Any]) -> tuple[str, Any]:
        return ("to", c[0])

    def as_topic(self, span: Span, c: list[Any]) -> tuple[str, Any]:
        return ("as", str(c[0]))

    def read_as(self, span: Span, c: list[Any]) -> tuple[str, Any]:
        return ("read as", c[0])

    def reference(self, span: Span, c: list[Any]) -> t.Reference:
        extra = dict(c[1:])
        return t.Reference(c[0], extra.get("to"), extra.get("as"), extra.get("read as"), span=span)

    def cites(self, span: Span, c: list[Any]) -> t.Cites:
        return t.Cites(tuple(c), span=span)

    def cites_outside(self, span: Span, c: list[Any]) -> t.CitesOutside:
        return t.CitesOutside(text_of(c[0]), span=span)

    def subject_to(self, span: Span, c: list[Any]) -> t.SubjectTo:
        return t.SubjectTo(tuple(c), span=span)

    def despite(self, span: Span, c: list[Any]) -> t.Despite:
        return t.Despite(tuple(c), span=span)

    def applies_when(self, span: Span, c: list[Any]) -> t.AppliesWhen:
        return t.AppliesWhen(c[0], span=span)

    def does_not_apply_when(self, span: Span, c: list[Any]) -> t.DoesNotApplyWhen:
        return t.DoesNotApplyWhen(c[0], span=span)

    def when(self, span: Span, c: list[Any]) -> Any:
        return c[0]

    # --- meaning

    def term(self, span: Span, c: list[Any]) -> str:
        return str(c[0])

    def define(self, span: Span, c: list[Any]) -> t.Define:
        return t.Define(c[0], c[1], span=span)

    def define_false(self, span: Span, c: list[Any]) -> t.Define:
        return t.Define(c[0], self._when(c, 1), False, span=span)

    def define_number(self, span: Span, c: list[Any]) -> t.DefineNumber:
        row = t.NumberRow(t.Always(), c[1], span=span)
        return t.DefineNumber(c[0], self._when(c, 2), (row,), span=span)

    def number_row(self, span: Span, c: list[Any]) -> t.NumberRow:
        return t.NumberRow(c[0] if len(c) == 2 else None, c[-1], span=span)

    def number_table(self, span: Span, c: list[Any]) -> t.DefineNumber:
        rows = tuple(x for x in c[1:] if isinstance(x, t.NumberRow))
        condition = t.Always() if isinstance(c[1], t.NumberRow) else c[1]
        return t.DefineNumber(c[0], condition, rows, span=span)

    def card_rank(self, span: Span, c: list[Any]) -> str:
        return _rank(c[0])

    def card_range(self, span: Span, c: list[Any]) -> tuple[str, ...]:
        if len(c) == 1:
            return (c[0],)
        if c[0] not in RANKS or c[1] not in RANKS:
            return tuple(c)
        found = RANKS[RANKS.index(c[0]) : RANKS.index(c[1]) + 1]
        return found or (f"{c[0]} to {c[1]}",)  # told where the ranks are looked at

    def points(self, span: Span, c: list[Any]) -> Any:
        if c[0].type == "FACE_VALUE":
            return "face"
        values = tuple(int(x) for x in c)
        return values[0] if len(values) == 1 else values

    def card_value(self, span: Span, c: list[Any]) -> t.CardValue:
        condition = c.pop() if isinstance(c[-1], t.Node) else t.Always()
        *ranges, points = c
        ranks = tuple(rank for group in ranges for rank in group)
        return t.CardValue(ranks, points, condition, span=span)

    def _when(self, c: list[Any], index: int) -> Any:
        return c[index] if len(c) > index and c[index] is not None else t.Always()

    # --- settlement

    def wins(self, span: Span, c: list[Any]) -> str:
        return "wins"

    def loses(self, span: Span, c: list[Any]) -> str:
        return "loses"

    def loses_half(self, span: Span, c: list[Any]) -> str:
        return "loses half"

    def stands_off(self, span: Span, c: list[Any]) -> str:
        return "stands off"

    def stays(self, span: Span, c: list[Any]) -> str:
        return "stays"

    def is_void(self, span: Span, c: list[Any]) -> str:
        return "void"

    def _interim(self, c: list[Any]) -> tuple[bool, list[Any]]:
        if isinstance(c[0], Token) and c[0].type == "INTERIM":
            return True, c[1:]
        return False, c

    def result(self, span: Span, c: list[Any]) -> t.Result:
        interim, c = self._interim(c)
        return t.Result(str(c[0]), c[1], self._when(c, 2), interim, span=span)

    def undecided(self, span: Span, c: list[Any]) -> t.Result:
        interim, c = self._interim(c)
        reason = text_of(c[1])
        return t.Result(str(c[0]), "undecided", self._when(c, 2), interim, reason, span=span)

    def odds(self, span: Span, c: list[Any]) -> t.Odds:
        return _odds(c, f"{c[0]} to {c[1]}", span)

    def odds_for(self, span: Span, c: list[Any]) -> t.Odds:
        """What is given for the stake, the stake itself in it."""
        odds = _odds(c, f"{c[0]} for {c[1]}", span)
        return replace(odds, ratio=odds.ratio - 1) if odds.ratio > 0 else odds

    def odds_less(self, span: Span, c: list[Any]) -> t.Odds:
        """Winnings from which the house keeps a commission."""
        odds = _odds(c, f"{c[0]} to {c[1]} less {c[2]} %", span)
        return replace(odds, ratio=odds.ratio * (1 - Fraction(str(c[2])) / 100))

    def meter_share(self, span: Span, c: list[Any]) -> t.MeterShare:
        return t.MeterShare(Fraction(str(c[0])) / 100, str(c[1]), span=span)

    def at_least(self, span: Span, c: list[Any]) -> t.PayoutRange:
        return t.PayoutRange(c[0], None, span=span)

    def at_most(self, span: Span, c: list[Any]) -> t.PayoutRange:
        return t.PayoutRange(None, c[0], span=span)

    def payout_range(self, span: Span, c: list[Any]) -> t.PayoutRange:
        return t.PayoutRange(c[0], c[1], span=span)

    def amount(self, span: Span, c: list[Any]) -> t.Amount:
        return t.Amount(cents_of(c[0]), str(c[0])[0], span=span)

    def pays(self, span: Span, c: list[Any]) -> t.Pays:
        return t.Pays(str(c[0]), c[1], self._when(c, 2), span=span)

    def pay_row(self, span: Span, c: list[Any]) -> t.PayRow:
        condition = c[0] if len(c) == 2 else None
        return t.PayRow(condition, c[-1], span=span)

    def pay_table(self, span: Span, c: list[Any]) -> t.PayTable:
        rows = tuple(x for x in c[1:] if isinstance(x, t.PayRow))
        condition = t.Always() if isinstance(c[1], t.PayRow) else c[1]
        return t.PayTable(str(c[0]), condition, rows, span=span)

    def pay_cells(self, span: Span, c: list[Any]) -> tuple[list[Any], Any, Span]:
        return c[0], c[1], span

    def pays_by(self, span: Span, c: list[Any]) -> t.PayTable:
        bet, columns, *rest = c
        condition = rest.pop(0) if isinstance(rest[0], t.Node) else t.Always()
        rows = tuple(t.PayRow(self._row(columns, x, s), p, span=s) for x, p, s in rest)
        return t.PayTable(str(bet), condition, rows, span=span)

    def pays_sum(self, span: Span, c: list[Any]) -> t.PaysSum:
        return t.PaysSum(str(c[0]), self._when(c, 1), span=span)

    def pays_as(self, span: Span, c: list[Any]) -> t.PaysAs:
        targets = tuple(x for x in c[1:] if isinstance(x, t.ClauseRef))
        return t.PaysAs(str(c[0]), targets, self._when(c, 1 + len(targets)), span=span)

    def pays_equally(self, span: Span, c: list[Any]) -> t.PaysTogether:
        return t.PaysTogether(str(c[0]), None, self._when(c, 1), span=span)

    def pays_in_all(self, span: Span, c: list[Any]) -> t.PaysTogether:
        return t.PaysTogether(str(c[0]), c[1], self._when(c, 2), span=span)

    def pays_highest(self, span: Span, c: list[Any]) -> t.PaysHighest:
        return t.PaysHighest(str(c[0]), self._when(c, 1), span=span)

    def counts(self, span: Span, c: list[Any]) -> t.Counts:
        return t.Counts(str(c[0]), c[1], self._when(c, 2), span=span)

    def deemed(self, span: Span, c: list[Any]) -> t.Counts:
        return t.Counts(str(c[0]), c[1], self._when(c, 2), True, span=span)

    def at_once(self, span: Span, c: list[Any]) -> str:
        return "at once"

    def before_subsequent_deal(self, span: Span, c: list[Any]) -> str:
        return "before the subsequent deal"

    def during_subsequent_deal(self, span: Span, c: list[Any]) -> str:
        return "during the subsequent deal"

    def at_second_dealer_card(self, span: Span, c: list[Any]) -> str:
        return "at the second dealer card"

    def at_end(self, span: Span, c: list[Any]) -> str:
        return "at the end"

    def at_stage(self, span: Span, c: list[Any]) -> str:
        return f"{t.AT_STAGE}{c[0]}"

    def before_stage(self, span: Span, c: list[Any]) -> str:
        return f"{t.BEFORE_STAGE}{c[0]}"

    def before_others(self, span: Span, c: list[Any]) -> str:
        return "before the other wagers"

    def after_others(self, span: Span, c: list[Any]) -> str:
        return "after the other wagers"

    def from_far_right(self, span: Span, c: list[Any]) -> str:
        return "from the far right"

    def losers_first(self, span: Span, c: list[Any]) -> str:
        return "losers first"

    def before_next_dealer_hand(self, span: Span, c: list[Any]) -> str:
        return t.BEFORE_NEXT_DEALER_HAND

    def after_first_decision(self, span: Span, c: list[Any]) -> str:
        return t.AFTER_FIRST_DECISION

    def before_card(self, span: Span, c: list[Any]) -> str:
        return f"{t.BEFORE_CARD}{c[0]}"

    def settles(self, span: Span, c: list[Any]) -> t.Settles:
        return t.Settles(str(c[0]), c[1], self._when(c, 2), span=span)

    def rounding(self, span: Span, c: list[Any]) -> t.Rounding:
        direction: Any = str(c[0])
        return t.Rounding(direction, c[1], self._when(c, 2), span=span)

    # --- conduct

    def may(self, span: Span, c: list[Any]) -> tuple[str]:
        return ("may",)

    def may_not(self, span: Span, c: list[Any]) -> tuple[str]:
        return ("may not",)

    def must(self, span: Span, c: list[Any]) -> tuple[str]:
        return ("must",)

    def must_not(self, span: Span, c: list[Any]) -> tuple[str]:
        return ("must not",)

    def undecided_because(self, span: Span, c: list[Any]) -> list[str]:
        return [text_of(c[0])]

    def conduct(self, span: Span, c: list[Any]) -> t.Conduct:
        actor: Any = str(c.pop(0)) if isinstance(c[0], Token) else "player"
        modal: Any = c[0][0]
        actions = tuple(str(x) for x in c[1:] if isinstance(x, Token))
        reasons = [x[0] for x in c[1:] if isinstance(x, list)]
        condition: Any = c[-1] if isinstance(c[-1], t.Node) else t.Always()
        return t.Conduct(
            actor, modal, actions, condition, reasons[0] if reasons else None, span=span
        )

    def yes(self, span: Span, c: list[Any]) -> bool:
        return True

    def no(self, span: Span, c: list[Any]) -> bool:
        return False

    def conduct_row(self, span: Span, c: list[Any]) -> t.ConductRow:
        return t.ConductRow(c[0] if len(c) == 2 else None, c[-1], span=span)

    def conduct_cells(self, span: Span, c: list[Any]) -> tuple[list[Any], bool, Span]:
        return c[0], c[1], span

    def conduct_table(self, span: Span, c: list[Any]) -> t.ConductTable:
        actor: Any = str(c.pop(0)) if isinstance(c[0], Token) else "player"
        modal: Any = c[0][0]
        rows = tuple(x for x in c[2:] if isinstance(x, t.ConductRow))
        condition: Any = t.Always() if isinstance(c[2], t.ConductRow) else c[2]
        return t.ConductTable(actor, modal, str(c[1]), condition, rows, span=span)

    def conduct_by(self, span: Span, c: list[Any]) -> t.ConductTable:
        actor: Any = str(c.pop(0)) if isinstance(c[0], Token) else "player"
        modal: Any = c[0][0]
        columns, rest = c[2], c[3:]
        condition: Any = rest.pop(0) if isinstance(rest[0], t.Node) else t.Always()
        rows = tuple(t.ConductRow(self._row(columns, x, s), y, span=s) for x, y, s in rest)
        return t.ConductTable(actor, modal, str(c[1]), condition, rows, span=span)

    def requires(self, span: Span, c: list[Any]) -> t.Requires:
        moment, *rest = c
        if not isinstance(rest[0], t.Node):  # at the settlement of one bet
            moment, *rest = f"{moment} {rest[0]}", *rest[1:]
        return t.Requires(str(moment), rest[0], self._when(rest, 1), span=span)
