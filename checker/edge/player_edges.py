"""Bets on which the house loses in the long run: a finding for `rulespec check`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from checker.edge.declared_bets import MOST_QUICKLY, declared_bets, declared_edges
from checker.edge.side_bets import (
    BetEdges,
    all_edges,
    is_known,
    percent,
    versions,
)
from rulespec.base.diagnostics import Diagnostic, Related
from rulespec.resolve.rulebook import Rulebook


def check_edges(rulebook: Rulebook, day: date | None = None) -> list[Diagnostic]:
    """The bets that pay the player more than they take, at a deck count that is permitted: of a
    rulebook, or of all the texts that follow each other in it."""
    if rulebook.game.hands or not any(is_known(rulebook, bet) for bet in rulebook.game.bets):
        return []
    texts = versions(rulebook) if day is None else [(day, rulebook.on(day))]
    found = [d for _, text in texts for d in player_edges_of(text.id, every_edge(text))]
    return list(dict.fromkeys(found))


def every_edge(rulebook: Rulebook) -> list[BetEdges]:
    """Of the bets of the game and of those that the rulebook declares."""
    own = (
        edge
        for bet in declared_bets(rulebook)
        for edge in declared_edges(rulebook, bet, MOST_QUICKLY)
    )
    return [*all_edges(rulebook), *own]


def player_edges_of(rulebook: str, bets: Sequence[BetEdges]) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    for bet in bets:
        losing = [e for e in bet.edges if e.house is not None and e.house < 0]
        if not losing or not bet.odds:
            continue
        listed = ", ".join(
            f"{percent(-e.house, 3)} at {e.decks}" + (f" deck{'s' * (e.decks > 1)}" * (n == 0))
            for n, e in enumerate(losing)
            if e.house is not None
        )
        first, *others = bet.odds
        related = {o.clause: Related(o.clause, "also sets the odds", o.span) for o in others}
        for rule in bet.bounds:
            related.setdefault(rule.clause, Related(rule.clause, "bounds the decks", rule.span))
        related.pop(first.clause, None)
        found.append(
            Diagnostic(
                "R301",
                f"`{bet.name}` gives the player the edge: {listed}",
                first.span,
                rulebook,
                first.clause,
                tuple(related.values()),
                help="`rulespec edge` shows the exact figures; "
                "lower odds or fewer decks give the edge back to the house",
                about=tuple(
                    f"{percent(-e.house, 3)} at {e.decks}" for e in losing if e.house is not None
                ),
            )
        )
    return found
