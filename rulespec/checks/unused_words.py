"""Words that a rulebook declares for itself and then never uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass

from rulespec.base.diagnostics import Diagnostic
from rulespec.base.spans import Span
from rulespec.resolve.question import actor_and_act, bet_asked
from rulespec.resolve.rulebook import Rulebook
from rulespec.tree import game as g
from rulespec.tree import nodes as t


def unused_words(rulebook: Rulebook) -> list[Diagnostic]:
    used = {*_used_by_clauses(rulebook), *_used_by_declarations(rulebook.game)}
    found = []
    for word in rulebook.game.own_words:
        kind = type(word).__name__.lower()
        if (kind, word.name) not in used and not (isinstance(word, g.Stage) and word.steps):
            message = f"nothing asks for the {kind} `{word.name}` that the rulebook declares"
            advice = "take it out, or write the clause that needs it"
            found.append(Diagnostic("R231", message, word.span, rulebook.id, help=advice))
    return found


Use = tuple[str, str]
_SETTINGS = {
    "option": "option",
    "approved": "approval",
    "recorded": "record",
    "player has": "bet",
    "anybody has": "bet",
}


def _used_by_clauses(rulebook: Rulebook) -> Iterator[Use]:
    for rule in rulebook.rules:
        bet = bet_asked(rule.question)
        if bet is not None:
            yield "bet", bet
        _, subject = actor_and_act(rule.question)
        yield "action", subject
        yield "bet", subject  # `at BET require`
        if isinstance(rule.value, str):
            for words in (t.AT_STAGE, t.BEFORE_STAGE):
                yield "stage", rule.value.removeprefix(words)
        yield from _asked((rule.condition, rule.value))
    for abouts in (*(s.about for s in rulebook.sections), *(c.about for c in rulebook.clauses)):
        yield from (("topic", topic.partition(".")[0]) for topic in abouts)
    for entry in rulebook.clauses:
        for node in _nodes(entry.tree.statements):
            if isinstance(node, t.Reference) and node.about is not None:
                yield "topic", node.about.partition(".")[0]


def _used_by_declarations(game: g.Game) -> Iterator[Use]:
    for bet in game.bets.values():
        yield "bet", bet.with_bet or ""
        yield "stage" if bet.placed.when == "at stage" else "action", bet.placed.name
        yield from _asked(bet.offered)
    for action in game.actions.values():
        yield from (("stage", stage) for stage in action.stages)
        for effect in action.effects:
            if isinstance(effect, g.PlacesBet):
                yield "bet", effect.bet
            elif isinstance(effect, g.Waits):
                yield "stage", effect.stage
    for stage in game.stages.values():
        yield "stage", stage.after or ""
        yield from _asked((stage.condition, *stage.steps))
    for deal in game.deals:
        yield from _asked(deal.condition)


def _asked(node: object) -> Iterator[Use]:
    for part in _nodes(node):
        match part:
            case t.Setting():
                yield _SETTINGS[part.kind], part.name
            case t.Chosen():
                yield "choice", part.name
            case t.MeterAmount():
                yield "meter", part.name
            case t.MeterShare():
                yield "meter", part.meter
            case t.Times():
                yield "action", part.action


def _nodes(node: object) -> Iterator[object]:
    """A node, or what else a declaration is made of, with all its parts."""
    if isinstance(node, Span):
        return
    if is_dataclass(node):
        yield node
        for field in fields(node):
            yield from _nodes(getattr(node, field.name))
    elif isinstance(node, Iterable) and not isinstance(node, str):
        for part in node:
            yield from _nodes(part)
