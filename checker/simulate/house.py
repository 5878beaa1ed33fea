"""What the house decides at a simulated table: options, choices and meters of a rulebook's own."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from checker.evaluate.deals import holds
from checker.evaluate.engine import Engine
from checker.evaluate.scene import SeenScene
from rulespec.tree import game as g

SHARES = (0.3, 0.15, 0.08, 0.03)  # of the options that a table has; the first that can be kept
TRIES = 25


def options_of_house(
    engine: Engine, rng: Random, options: list[str], kept: Callable[[tuple[str, ...]], bool]
) -> list[str]:
    """The options with some of the rulebook's own, and a value for each choice, so that they keep
    what is required of a round; without its own, where none do."""
    game = engine.rulebook.game
    own = [option.name for option in game.options.values() if option.own]
    if not own and not game.choices:
        return options
    for share in SHARES:
        for _ in range(TRIES):
            picked = [name for name in own if rng.random() < share and name not in options]
            chosen = [word for c in game.choices.values() if (word := _value(c, rng, share))]
            if kept((*options, *picked, *chosen)):
                return [*options, *picked, *chosen]
    return options


def _value(choice: g.Choice, rng: Random, share: float) -> str:
    """`NAME=VALUE`. What has no listed values is mostly left unmade."""
    if choice.values:
        return f"{choice.name}={rng.choice(choice.values)}"
    if rng.random() >= share:
        return ""
    match choice.kind:
        case "cards":
            suit = rng.choice("SHDC")
            return f"{choice.name}=A{suit}+{rng.choice('JQK')}{suit}"
        case "money":
            return f"{choice.name}={rng.choice((25, 100, 500))}"
        case _:
            return f"{choice.name}={rng.randint(1, 3)}"


def meters_of(engine: Engine, rng: Random) -> dict[str, int]:
    return {name: rng.randrange(500_000, 9_000_000) for name in engine.rulebook.game.meters}


def bets_offered(engine: Engine, scene: SeenScene) -> list[g.Bet]:
    """The bets of the rulebook's own that a player can place before the first card, and that some
    clause settles."""
    return [
        bet
        for bet in engine.rulebook.game.bets.values()
        if bet.own
        and bet.placed.when == "before the first card"
        and engine.has(f"{engine.asked_as(bet.name)}.result")
        and holds(scene, bet.offered)
    ]
