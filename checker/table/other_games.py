"""Games with boxes that are played otherwise than those whose hands this tool can deal by itself.

The evaluator judges rounds of any declared game. Proofs, comparisons of hands, made-up rounds and
the edge of the main wager deal hands by themselves, and know one way of play. For another they
say so, and decide nothing.
"""

from __future__ import annotations

from rulespec.load.games import ordinary_game
from rulespec.tree.game import Game


def played_otherwise(game: Game) -> str | None:
    """What is other in a game, as the end of `… is not modelled: `; None where nothing is."""
    usual = ordinary_game()
    if game.made_from == usual.made_from or game.hands:
        return None
    other = [
        what
        for what, mine, theirs in (
            ("how a hand adds up", game.total, usual.total),
            ("the deal", _deals(game), _deals(usual)),
            ("the stages of a round", _stages(game), _stages(usual)),
            ("what players do", _plays(game), _plays(usual)),
        )
        if mine != theirs
    ]
    if not other:
        return None
    *first, last = other
    told = f"{', '.join(first)} and {last}" if first else last
    return f"{told} in `{game.called}`"


def _deals(game: Game) -> object:
    return [(deal.steps, deal.condition) for deal in game.deals if not deal.own]


def _stages(game: Game) -> object:
    stages = (stage for stage in game.stages.values() if not stage.own)
    return [(stage.after, stage.condition, stage.steps) for stage in stages]


def _plays(game: Game) -> object:
    plays = ((word, action) for word, action in game.plays.items() if not action.own)
    return {word: (a.by, a.effects, a.at_most, a.counted_on) for word, a in plays}
