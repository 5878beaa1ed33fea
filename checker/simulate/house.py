"""What the house decides at a simulated table: options, choices and meters of a rulebook's own."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from checker.evaluate.deals import holds
from checker.evaluate.engine import Engine
from checker.evaluate.memory.seam import Kept as Remembered
from checker.evaluate.scene import SeenScene
from checker.table.other_games import played_otherwise
from rulespec.resolve.question import about_bet, bet_and_what
from rulespec.tree import game as g
from rulespec.tree import nodes as t
from rulespec.tree.walk import asked_words, walk

SHARES = (0.2, 0.1, 0.05, 0.0)  # of the options that a table has; the first that can be kept
OF_THE_DEAL = 0.4  # the share of those that change deal and stages
TRIES = 30

Kept = Callable[[tuple[str, ...]], bool]


def options_of_house(engine: Engine, rng: Random, options: list[str], kept: Kept) -> list[str]:
    """The options with some of the rulebook's own, and a value for each choice, so that they keep
    what is required of a round; without its own, where none do."""
    game = engine.rulebook.game
    own = [option.name for option in game.options.values() if option.own]
    if not own and not game.choices:
        return options
    of_deal = {name for name in _named_in_game(game) if name in own}
    offers = _OFFERS.of(engine)
    for share in SHARES:
        for _ in range(TRIES):
            base = options if share else []
            picked = [
                name
                for name in own
                if rng.random() < (OF_THE_DEAL if name in of_deal else share) and name not in base
            ]
            chosen = [word for c in game.choices.values() if (word := _value(c, offers, rng))]
            if kept((*base, *picked, *chosen)):
                return [*base, *picked, *chosen]
    return options


def _named_in_game(game: g.Game) -> set[str]:
    """The options and choices on which deals, stages and bets depend."""
    conditions = (
        *(deal.condition for deal in game.deals),
        *(stage.condition for stage in game.stages.values()),
    )
    return {word.name for one in conditions for word in asked_words(one)}


def _choices_that_offer(engine: Engine) -> set[str]:
    """The choices without which something is not at the table."""
    game = engine.rulebook.game
    conditions = (
        *(deal.condition for deal in game.deals),
        *(stage.condition for stage in game.stages.values()),
        *(bet.offered for bet in game.bets.values()),
    )
    return _choices_asked(conditions)


def _choices_asked(node: object) -> set[str]:
    return {one.name for one in walk(node) if isinstance(one, t.Chosen)}


def _value(choice: g.Choice, offers: set[str], rng: Random) -> str:
    """`NAME=VALUE`. What has no listed values is mostly left unmade, and so is what brings
    something where the house need not choose."""
    rare = not choice.values or (choice.name in offers and choice.need_not)
    if rare and rng.random() >= SHARES[0]:
        return ""
    if choice.values:
        return f"{choice.name}={rng.choice(choice.values)}"
    match choice.kind:
        case "cards":
            suit = rng.choice("SHDC")
            return f"{choice.name}=A{suit}+{rng.choice('JQK')}{suit}"
        case "money":
            return f"{choice.name}={rng.choice((25, 100, 500))}"
        case _:
            return f"{choice.name}={rng.randint(1, 3)}"


def needed(engine: Engine, options: list[str], bets: list[str]) -> list[str]:
    """The options without choices that only concern bets which are not offered."""
    game, asked_by = engine.rulebook.game, _ASKED_BY.of(engine)
    return [
        word
        for word in options
        if not (subjects := asked_by.get(word.partition("=")[0]) if "=" in word else None)
        or not all(subject in game.bets and subject not in bets for subject in subjects)
    ]


def _asked_by(engine: Engine) -> dict[str, set[str]]:
    """What the rules are about that ask for a choice."""
    found: dict[str, set[str]] = {}
    for rule in engine.rulebook.rules:
        subject = bet_and_what(rule.question)[0].removeprefix("require ").removeprefix("define ")
        for name in _choices_asked((rule.condition, rule.value)):
            found.setdefault(name, set()).add(subject)
    return found


_ASKED_BY = Remembered(_asked_by)
_OFFERS = Remembered(_choices_that_offer)


def meters_of(engine: Engine, rng: Random) -> dict[str, int]:
    return {name: rng.randrange(500_000, 9_000_000) for name in engine.rulebook.game.meters}


def bets_offered(engine: Engine, scene: SeenScene) -> list[g.Bet]:
    """The bets of the rulebook's own that a player can place before the first card, and that some
    clause settles; of a game that is played otherwise, all but the one that hands are for."""
    game, main = engine.rulebook.game, engine.mechanics.main
    other = played_otherwise(game) is not None
    return [
        bet
        for bet in game.bets.values()
        if (bet.own or (other and bet.name != main))
        and bet.placed.when == "before the first card"
        and engine.has(about_bet(engine.asked_as(bet.name), "result"))
        and holds(scene, bet.offered)
    ]


def only_paid(engine: Engine, scene: SeenScene) -> list[str]:
    """The bets that nobody places, where the table has them."""
    bets = engine.rulebook.game.bets.values()
    return [bet.name for bet in bets if bet.settle_only and holds(scene, bet.offered)]


def not_simulated(game: g.Game) -> list[str]:
    """What the rulebook declares and no simulated round ever has."""
    found = [
        f"bet {bet.name}: it is placed at a stage"
        for bet in game.bets.values()
        if bet.own and bet.placed.when == "at stage"
    ]
    for word, action in game.plays.items():
        if not action.own:
            continue
        if action.effect(g.Splits) is not None:
            found.append(f"action {word}: it splits a hand")
        elif action.effect(g.Waits) is not None or action.stages:
            found.append(f"action {word}: it belongs to a stage")
        elif action.by not in ("decider", "player"):
            found.append(f"action {word}: it is not for players to do")
    for stage in game.stages.values():
        if stage.own and any(isinstance(step, g.InTurn | g.Draws) for step in stage.steps):
            found.append(f"stage {stage.name}: cards or decisions of its own")
    return found
