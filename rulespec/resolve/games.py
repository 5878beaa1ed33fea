"""The game of a rulebook: what its game file and the rulebook itself declare."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from rulespec.tree import game as g
from rulespec.tree.conditions import Compare, Fact, Name
from rulespec.tree.vocabulary import BETS, FACTS, MOMENTS
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
    )
