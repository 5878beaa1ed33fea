"""From lark's matches to the tree: declarations. One method for each rule, named alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lark import Token

from rulespec.base.spans import Span
from rulespec.tree import game as g
from rulespec.tree import nodes as t
from rulespec.tree.kinds import BOOL, MONEY, RANK, RANK_LIST, FactInfo, Kind, one_of, whole


@dataclass(frozen=True, slots=True)
class Line:
    """A line inside a declaration: the field that it fills, and with what."""

    field: str
    value: Any
    span: Span


def _text(token: Token) -> str:
    return str(token)[1:-1]


def _fields(lines: list[Line]) -> dict[str, Any]:
    return {line.field: line.value for line in lines}


def _spans(lines: list[Line]) -> tuple[Span, ...]:
    return tuple(line.span for line in lines)


def _face_down(c: list[Any]) -> bool:
    return isinstance(c[-1], Token) and c[-1].type == "DIRECTION" and str(c[-1]) == "down"


class BuildDeclarations:
    def _word(self, kind: Any, span: Span, c: list[Any]) -> t.Declaration:
        word = kind(name=str(c[0]), title=_text(c[1]), span=span, **_fields(c[2:]))
        return t.Declaration(word, span=span)

    def role(self, span: Span, c: list[Any]) -> Line:
        return Line("role", _text(c[0]), span)

    def option_word(self, span: Span, c: list[Any]) -> t.Declaration:
        return self._word(g.Option, span, c)

    def common(self, span: Span, c: list[Any]) -> Line:
        beside = str(c[2]) if len(c) > 2 else None
        return Line("common", g.Common(int(c[0]), int(c[1]), beside), span)

    def meter_word(self, span: Span, c: list[Any]) -> t.Declaration:
        return self._word(g.Meter, span, c)

    def record_word(self, span: Span, c: list[Any]) -> t.Declaration:
        return self._word(g.Record, span, c)

    def approval_word(self, span: Span, c: list[Any]) -> t.Declaration:
        return self._word(g.Approval, span, c)

    def topic_word(self, span: Span, c: list[Any]) -> t.Declaration:
        return self._word(g.Topic, span, c)

    def choice_word(self, span: Span, c: list[Any]) -> t.Declaration:
        name, *values, title = [x for x in c if x is not None]
        listed = tuple(str(v) for v in values)
        word = g.Choice(
            name=str(name), title=_text(title), values=listed, need_not=None in c, span=span
        )
        return t.Declaration(word, span=span)

    def need_not(self, span: Span, c: list[Any]) -> None:
        return None

    def open_choice(self, span: Span, c: list[Any]) -> t.Declaration:
        kind: Any = {"numbers": "number"}.get(str(c[1]), str(c[1]))
        word = g.Choice(
            name=str(c[0]), title=_text(c[-1]), kind=kind, need_not=None in c, span=span
        )
        return t.Declaration(word, span=span)

    # --- the game

    def game_file(self, span: Span, c: list[Any]) -> t.GameFile:
        said = _fields(c[2:])
        return t.GameFile(
            str(c[0]),
            _text(c[1]),
            said.get("also", ()),
            said.get("hands", ()),
            said.get("total", g.Total("best", 21)),
            said.get("requirable", ()),
            said.get("usual", ""),
            _spans(c[2:]),
            span=span,
        )

    def also_called(self, span: Span, c: list[Any]) -> Line:
        return Line("also", tuple(map(str, c)), span)

    def usual_name(self, span: Span, c: list[Any]) -> Line:
        return Line("usual", str(c[0]), span)

    def with_boxes(self, span: Span, c: list[Any]) -> Line:
        return Line("hands", (), span)

    def named_hands(self, span: Span, c: list[Any]) -> Line:
        return Line("hands", tuple(map(str, c)), span)

    def adds_up(self, span: Span, c: list[Any]) -> Line:
        return Line("total", c[0], span)

    def best_total(self, span: Span, c: list[Any]) -> g.Total:
        return g.Total("best", int(c[0]))

    def sum_modulo(self, span: Span, c: list[Any]) -> g.Total:
        return g.Total("modulo", int(c[0]))

    def by_rank(self, span: Span, c: list[Any]) -> g.Total:
        return g.Total("rank")

    def requirable(self, span: Span, c: list[Any]) -> Line:
        return Line("requirable", tuple(map(str, c)), span)

    # --- bets

    def bet(self, span: Span, c: list[Any]) -> t.Declaration:
        lines = c[2:]
        word = g.Bet(name=str(c[0]), title=_text(c[1]), span=span, **_fields(lines))
        return t.Declaration(word, _spans(lines), span=span)

    def placed_first(self, span: Span, c: list[Any]) -> Line:
        return Line("placed", g.Placed("before the first card"), span)

    def placed_at_stage(self, span: Span, c: list[Any]) -> Line:
        return Line("placed", g.Placed("at stage", str(c[0])), span)

    def placed_by_play(self, span: Span, c: list[Any]) -> Line:
        return Line("placed", g.Placed("by play", str(c[0])), span)

    def not_placed(self, span: Span, c: list[Any]) -> Line:
        return Line("placed", g.Placed("never"), span)

    def with_bet(self, span: Span, c: list[Any]) -> Line:
        return Line("with_bet", str(c[0]), span)

    def lies_on(self, span: Span, c: list[Any]) -> Line:
        return Line("lies_on", str(c[0]), span)

    def offered(self, span: Span, c: list[Any]) -> Line:
        return Line("offered", c[0], span)

    def decided_by(self, span: Span, c: list[Any]) -> Line:
        return Line("decided_by", tuple(c), span)

    def carried(self, span: Span, c: list[Any]) -> Line:
        return Line("carried", True, span)

    def against(self, span: Span, c: list[Any]) -> Line:
        return Line("against", int(c[0]), span)

    # --- actions

    def action(self, span: Span, c: list[Any]) -> t.Declaration:
        rest = c[2:]
        by: Any = rest.pop(0) if rest and isinstance(rest[0], str) else "decider"
        said: dict[str, Any] = {}
        effects: list[g.Effect] = []
        for line in rest:
            if line.field == "effect":
                effects.append(line.value)
            elif line.field == "limit":
                said["at_most"], said["counted_on"] = line.value
            else:
                said[line.field] = line.value or str(c[0])
        word = g.Action(
            name=str(c[0]), title=_text(c[1]), by=by, effects=tuple(effects), span=span, **said
        )
        return t.Declaration(word, _spans(rest), span=span)

    def by_decider(self, span: Span, c: list[Any]) -> str:
        return "decider"

    def by_player(self, span: Span, c: list[Any]) -> str:
        return "player"

    def by_dealer(self, span: Span, c: list[Any]) -> str:
        return "dealer"

    def by_casino(self, span: Span, c: list[Any]) -> str:
        return "casino"

    def by_hand(self, span: Span, c: list[Any]) -> str:
        return "hand"

    def logged(self, span: Span, c: list[Any]) -> Line:
        return Line("play", str(c[0]) if c else "", span)

    def told_as(self, span: Span, c: list[Any]) -> Line:
        return Line("past", _text(c[0]), span)

    def limited(self, span: Span, c: list[Any]) -> Line:
        return Line("limit", (int(c[0]), str(c[1])), span)

    def staged(self, span: Span, c: list[Any]) -> Line:
        return Line("stages", tuple(map(str, c)), span)

    def done_when(self, span: Span, c: list[Any]) -> Line:
        return Line("done", c[0], span)

    def adds_stake(self, span: Span, c: list[Any]) -> Line:
        return Line("effect", g.AddsStake(str(c[0])), span)

    def takes_back(self, span: Span, c: list[Any]) -> Line:
        return Line("effect", g.TakesBack(str(c[0])), span)

    def gives_up(self, span: Span, c: list[Any]) -> Line:
        return Line("effect", g.GivesUp(str(c[0])), span)

    def gives_up_half(self, span: Span, c: list[Any]) -> Line:
        return Line("effect", g.GivesUp(str(c[0]), True), span)

    def deals(self, span: Span, c: list[Any]) -> Line:
        return Line("effect", g.Deals(int(c[0]), _face_down(c)), span)

    def ends_hand(self, span: Span, c: list[Any]) -> Line:
        return Line("effect", g.EndsHand(), span)

    def splits(self, span: Span, c: list[Any]) -> Line:
        return Line("effect", g.Splits(), span)

    def places(self, span: Span, c: list[Any]) -> Line:
        return Line("effect", g.PlacesBet(str(c[0])), span)

    def claims(self, span: Span, c: list[Any]) -> Line:
        return Line("effect", g.Claims(), span)

    def decides(self, span: Span, c: list[Any]) -> Line:
        return Line("effect", g.Decides(), span)

    def waits(self, span: Span, c: list[Any]) -> Line:
        return Line("effect", g.Waits(str(c[0])), span)

    # --- deal and stages

    def deal(self, span: Span, c: list[Any]) -> t.Declaration:
        lines = [x for x in c if isinstance(x, Line)]
        condition: Any = c[0] if c and isinstance(c[0], t.Node) else t.Always()
        deal = g.Deal(tuple(x.value for x in lines), condition, span=span)
        return t.Declaration(deal, _spans(lines), span=span)

    def deal_to_boxes(self, span: Span, c: list[Any]) -> Line:
        return Line("step", g.DealStep(g.EACH_BOX, int(c[0]), _face_down(c)), span)

    def deal_to(self, span: Span, c: list[Any]) -> Line:
        return Line("step", g.DealStep(str(c[0]), int(c[1]), _face_down(c)), span)

    def stage(self, span: Span, c: list[Any]) -> t.Declaration:
        lines = [x for x in c[2:] if isinstance(x, Line)]
        steps = [x for x in lines if x.field == "step"]
        after = next(x.value for x in lines if x.field == "after")
        condition: Any = next((x for x in c[2:] if isinstance(x, t.Node)), t.Always())
        word = g.Stage(
            name=str(c[0]),
            title=_text(c[1]),
            after=after,
            condition=condition,
            steps=tuple(x.value for x in steps),
            span=span,
        )
        return t.Declaration(word, _spans(steps), span=span)

    def after_deal(self, span: Span, c: list[Any]) -> Line:
        return Line("after", None, span)

    def after_stage(self, span: Span, c: list[Any]) -> Line:
        return Line("after", str(c[0]), span)

    def looks(self, span: Span, c: list[Any]) -> Line:
        return Line("step", g.Looks(str(c[0])), span)

    def reveals(self, span: Span, c: list[Any]) -> Line:
        return Line("step", g.Reveals(str(c[0])), span)

    def draws(self, span: Span, c: list[Any]) -> Line:
        return Line("step", g.Draws(str(c[0]), int(c[1]) if len(c) > 1 else None), span)

    def boxes_in_turn(self, span: Span, c: list[Any]) -> Line:
        return Line("step", g.InTurn("box"), span)

    def hands_in_turn(self, span: Span, c: list[Any]) -> Line:
        return Line("step", g.InTurn("hand"), span)

    def ends_round(self, span: Span, c: list[Any]) -> Line:
        return Line("step", g.Ends("round", c[0]), span)

    def ends_draw(self, span: Span, c: list[Any]) -> Line:
        return Line("step", g.Ends("draw", c[0]), span)

    # --- facts

    def fact_word(self, span: Span, c: list[Any]) -> t.Declaration:
        name, kind, meaning, *marks = c
        info = FactInfo(str(name), kind, _text(meaning), **_fields(marks))
        return t.Declaration(info, span=span)

    def yes_no_kind(self, span: Span, c: list[Any]) -> Kind:
        return BOOL

    def money_kind(self, span: Span, c: list[Any]) -> Kind:
        return MONEY

    def rank_kind(self, span: Span, c: list[Any]) -> Kind:
        return RANK

    def ranks_kind(self, span: Span, c: list[Any]) -> Kind:
        return RANK_LIST

    def number_kind(self, span: Span, c: list[Any]) -> Kind:
        return whole(int(c[0]), int(c[1]))

    def listed_kind(self, span: Span, c: list[Any]) -> Kind:
        return one_of(*map(str, c))

    def may_be_unknown(self, span: Span, c: list[Any]) -> Line:
        return Line("optional", True, span)

    def by_rulebook(self, span: Span, c: list[Any]) -> Line:
        return Line("definable", True, span)

    def needs(self, span: Span, c: list[Any]) -> Line:
        return Line("recorded", _text(c[0]), span)

    def comes_about(self, span: Span, c: list[Any]) -> Line:
        return Line("comes_by", _text(c[0]), span)

    def ends_by(self, span: Span, c: list[Any]) -> Line:
        return Line("ends_by", _text(c[0]), span)

    def ordinarily_yes(self, span: Span, c: list[Any]) -> Line:
        return Line("ordinarily", True, span)

    def ordinarily_no(self, span: Span, c: list[Any]) -> Line:
        return Line("ordinarily", False, span)

    def ordinarily(self, span: Span, c: list[Any]) -> Line:
        return Line("ordinarily", str(c[0]), span)

    def by_card_values(self, span: Span, c: list[Any]) -> Line:
        return Line("by_values", True, span)

    def rests_on(self, span: Span, c: list[Any]) -> Line:
        return Line("rests_on", str(c[0]), span)

    def moment(self, span: Span, c: list[Any]) -> t.Moment:
        return t.Moment(str(c[0]), tuple(map(str, c[1:])), span=span)
