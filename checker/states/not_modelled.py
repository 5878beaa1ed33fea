"""What a rulebook says that no search over hands goes through: told with the result, by clause."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from checker.evaluate.engine import Engine
from checker.evaluate.facts.boxes import HOMES
from checker.states.declared_words import asked_at_all
from checker.states.early_end import dealt_as_usual
from checker.states.row_facts import asked_of
from rulespec.resolve.question import (
    DEALER_DRAW,
    actor_and_act,
    bet_and_what,
    is_act_of,
    is_card_value,
    whether,
)
from rulespec.resolve.rulebook import Rule
from rulespec.tree import game as g
from rulespec.tree import nodes as t
from rulespec.tree.walk import walk
from rulespec.tree.write import condition_text

_SHOWN = 8  # clauses that are named one by one


BY_THE_SECOND_CARD = frozenset(name for name in HOMES if name.startswith("dealer.")) - {
    "dealer.first",
    "dealer.players_done",
}
BEFORE_IT = "play.before_second_dealer_card"
"""What a card that is dealt to the dealer at once changes at a choice of a player."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that is not modelled, and the clauses that rest on it."""

    what: str
    clauses: tuple[str, ...]

    def __str__(self) -> str:
        if not self.clauses:
            return self.what
        few = self.clauses if len(self.clauses) <= _SHOWN else (*self.clauses[: _SHOWN - 1], "…")
        several = "clauses" if len(self.clauses) > 1 else "clause"
        return f"{several} {', '.join(few)}: {self.what}"


def moving_money(game: g.Game) -> list[str]:
    """Actions of the rulebook's own that add to a wager, take back or give up: not searched."""
    moves = (g.AddsStake, g.TakesBack, g.GivesUp)
    return [
        action.name
        for action in game.actions.values()
        if action.own and any(isinstance(effect, moves) for effect in action.effects)
    ]


def left_out(engine: Engine, proven: Collection[str] = ()) -> list[LeftOut]:
    """All that a search over hands leaves out of a rulebook; `proven` are bets of its own that were
    looked at otherwise."""
    rulebook = engine.rulebook
    order = {entry.id: n for n, entry in enumerate(rulebook.clauses)}
    found: dict[str, set[str]] = {}
    for what, clause in (
        *_asked(engine, proven),
        *_declared(engine, proven),
        *_held_beside(engine),
    ):
        found.setdefault(what, set()).update([clause] if clause else [])
    return [
        LeftOut(what, tuple(sorted(clauses, key=lambda clause: order.get(clause, len(order)))))
        for what, clauses in found.items()
    ]


def _asked(engine: Engine, proven: Collection[str]) -> Iterator[tuple[str, str]]:
    """Rules of the questions that are searched and that ask for what is not."""
    own = {bet.name for bet in engine.rulebook.game.bets.values() if bet.own}
    for rule in engine.rulebook.rules:
        bet, what = bet_and_what(rule.question)
        searched = what in ("result", "odds", "highest", "sum") or rule.question == whether(
            "dealer", "draw"
        )
        searched = searched or (is_act_of(rule.question, "player") or is_card_value(rule.question))
        if searched and bet not in own:
            for words in sorted(asked_at_all(engine, rule.condition)):
                yield f"{words}: not modelled", rule.clause


def _held_beside(engine: Engine) -> Iterator[tuple[str, str]]:
    """Who else has a bet of the rulebook's own is not gone through where something is drawn."""
    bets = engine.rulebook.game.bets
    for rule in engine.rulebook.rules:
        if not (rule.question == DEALER_DRAW or _is_choice(rule, engine)):
            continue
        for node in walk(rule.condition):
            beside = isinstance(node, t.Setting) and node.kind.endswith("has")
            if isinstance(node, t.Setting) and beside and bets[node.name].own:
                told = "while the dealer draws or players choose: not searched"
                yield f"who has `{node.name}` {told}", rule.clause


def _declared(engine: Engine, proven: Collection[str]) -> Iterator[tuple[str, str]]:
    game = engine.rulebook.game
    bets = {bet.name for bet in game.bets.values() if bet.own and bet.name not in proven}
    acts = {act.name for act in game.actions.values() if act.own and act.actor == "player"}
    for rule in engine.rulebook.rules:
        bet, what = bet_and_what(rule.question)
        if bet in bets and what in ("result", "odds"):
            yield f"the bet `{bet}`: not searched", rule.clause
        if what == "together":
            yield f"what several winners of `{bet}` get together: not searched", rule.clause
        actor, action = actor_and_act(rule.question)
        if actor == "player" and action in acts:
            yield f"the action `{action}`: not searched", rule.clause
    for deal in game.deals:
        words = condition_text(deal.condition)
        when = "" if isinstance(deal.condition, t.Always) else f" when {words}"
        if not deal.own:
            continue
        if not dealt_as_usual(deal):
            yield f"hands that are dealt otherwise{when}: not searched", ""
            continue
        for rule in engine.rulebook.rules:
            told = asked_of(engine, rule.condition, set()) if _is_choice(rule, engine) else ()
            for fact in sorted(told):
                if fact in BY_THE_SECOND_CARD or fact == BEFORE_IT:
                    yield f"`{fact}` while players choose{when}: not searched", rule.clause


def _is_choice(rule: Rule, engine: Engine) -> bool:
    actor, action = actor_and_act(rule.question)
    return actor == "player" and action in engine.mechanics.usual_plays
