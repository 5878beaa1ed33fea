"""The game of a rulebook: what its game file and the rulebook itself declare."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from typing import Any

from rulespec.base.diagnostics import Diagnostic
from rulespec.tree import game as g
from rulespec.tree import nodes as t
from rulespec.tree.conditions import Compare, Fact, Name
from rulespec.tree.kinds import FactInfo
from rulespec.tree.vocabulary import BETS, FACTS, MOMENTS, REQUIRE_AT
from rulespec.tree.words import ACTIONS, APPROVALS, OPTIONS, RECORDS, TOPICS

_PLAYS: dict[str, dict[str, Any]] = {
    "draw": {"play": "hit", "effects": (g.Deals(1),)},
    "stand": {"play": "stand", "effects": (g.EndsHand(),)},
    "double": {
        "play": "double",
        "effects": (g.AddsStake("double"), g.Deals(1), g.EndsHand()),
        "at_most": 1,
    },
    "split": {"play": "split", "effects": (g.AddsStake("split"), g.Splits())},
    "surrender": {"play": "surrender", "by": "player", "effects": (g.EndsHand(),)},
    "insure": {"play": "insure", "by": "player", "effects": (g.PlacesBet("insurance"),)},
    "even_money": {"play": "even_money", "by": "player", "effects": (g.Claims(),)},
    "forfeit": {"play": "forfeit", "effects": (g.GivesUp("original"), g.EndsHand())},
}
_BETS: dict[str, dict[str, Any]] = {
    "main": {},
    "insurance": {"placed": g.Placed("by play", "insure"), "with_bet": "main"},
    "perfect_pairs": {"decided_by": ("first", "second")},
    "super_sevens": {"decided_by": ("first", "second", "third")},
    "super_bonus": {"placed": g.Placed("never")},
}


@cache
def game_called(name: str) -> g.Game:
    def words(kind: Callable[..., Any], table: dict[str, str]) -> dict[str, Any]:
        return {word: kind(name=word, title=title) for word, title in table.items()}

    actions = {
        (actor, word): g.Action(
            name=word,
            title=title,
            **{
                "by": "decider" if actor == "player" else actor,
                **(_PLAYS.get(word, {}) if actor == "player" else {}),
            },
        )
        for actor, said in ACTIONS.items()
        for word, title in said.items()
    }
    each, dealer = g.DealStep(g.EACH_BOX), g.DealStep(g.DEALER)
    ace = Compare(Fact("dealer.first"), "=", Name("A"))
    stages = (
        g.Stage(name="insurance", title="insurance is offered", condition=ace),
        g.Stage(
            name="play",
            title="players decide",
            after="insurance",
            steps=(g.InTurn("box"), g.InTurn("hand")),
        ),
        g.Stage(name="draw", title="the dealer draws", after="play", steps=(g.Draws(),)),
    )
    return g.Game(
        name="twentyone",
        title="games of twenty-one",
        called=name,
        also=("pontoon", "blackjack"),
        bets={word: g.Bet(name=word, title=word.replace("_", " "), **_BETS[word]) for word in BETS},
        options=words(g.Option, OPTIONS),
        records=words(g.Record, RECORDS),
        approvals=words(g.Approval, APPROVALS),
        topics=words(g.Topic, TOPICS),
        actions=actions,
        deals=(g.Deal((each, dealer, each)),),
        stages={stage.name: stage for stage in stages},
        facts=FACTS,
        moments=MOMENTS,
        requirable=REQUIRE_AT,
    )


_TABLES: dict[type, str] = {
    g.Bet: "bets",
    g.Option: "options",
    g.Choice: "choices",
    g.Meter: "meters",
    g.Record: "records",
    g.Approval: "approvals",
    g.Topic: "topics",
    g.Stage: "stages",
}


def game_of(name: str, items: Iterable[t.Item], found: list[Diagnostic]) -> g.Game:
    """The game with what the rulebook declares beside it."""
    game = game_called(name)
    tables: dict[str, Any] = {}
    deals: list[g.Deal] = []
    for item in items:
        if not isinstance(item, t.Declaration):
            continue
        word = item.what
        if isinstance(word, g.Deal):
            deals.append(replace(word, own=True))
            continue
        if isinstance(word, FactInfo):
            message = f"the fact `{word.name}` is declared in a rulebook"
            advice = "a fact belongs to a game file; `define` gives a rulebook its own terms"
            found.append(Diagnostic("R126", message, item.span, help=advice))
            continue
        table, key = _TABLES.get(type(word), "actions"), _key(word)
        known = tables.setdefault(table, dict(getattr(game, table)))
        if key in known:
            message = f"`{word.name}` is declared already"
            whose = "this rulebook" if known[key].own else f"the game `{game.name}`"
            found.append(
                Diagnostic("R110", message, item.span, help=f"by {whose}: {known[key].title}")
            )
            continue
        known[key] = replace(word, own=True)
    if not tables and not deals:
        return game
    plain = any(isinstance(deal.condition, t.Always) for deal in deals)
    kept = [d for d in game.deals if not (plain and isinstance(d.condition, t.Always))]
    bets = [b for b in tables.get("bets", {}).values() if b.own]
    acts = [a for a in tables.get("actions", {}).values() if a.own and a.actor == "player"]
    like_bet, like_act = MOMENTS[BETS[0]], MOMENTS[next(iter(ACTIONS["player"]))]
    return replace(
        game,
        **tables,
        deals=(*deals, *kept),
        moments={
            **{bet.name: like_bet for bet in bets},
            **{act.name: like_act for act in acts},
            **game.moments,
        },
        requirable=tuple(dict.fromkeys((*game.requirable, *(w.name for w in (*bets, *acts))))),
    )


def _key(word: g.Word) -> Any:
    return (word.actor, word.name) if isinstance(word, g.Action) else word.name
