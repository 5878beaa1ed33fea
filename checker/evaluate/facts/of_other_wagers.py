"""Facts that hold one wager against others: those it came with, those it is carried beside."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from checker.evaluate.engine import Value
from checker.evaluate.scene import SeenScene
from checker.log.model import Deal, Irregularity, Round
from checker.table.state import Box, wager_of
from rulespec.resolve.question import about_bet


def half_in_chips(scene: SeenScene) -> Value:
    """Half of the wager that a placed bet goes with, rounded up to what chips of it allow."""
    play, box = scene.play, scene.box
    if play is None or box is None:
        return None
    does = scene.table.mechanics.plays.get(play.do)
    bet = scene.engine.rulebook.game.bets.get(play.bet or (does.places if does else None) or "")
    if bet is None:
        return None
    beside = wager_of(box, play.player, bet.with_bet or scene.table.mechanics.main)
    half = Fraction(beside.stake if beside is not None else 0, 2)
    limits = scene.table.round.limits.get(bet.name)
    unit = limits.unit if limits is not None else None
    return half if not unit else -(-half // unit) * unit


def hands_with(*outcomes: str) -> Callable[[SeenScene, Box, str], Value]:
    """How many hands of the player on the box come out so, by the rules on the bet they are for."""

    def count(scene: SeenScene, box: Box, player: str) -> Value:
        found = 0
        main = scene.table.mechanics.main
        for hand in box.hands.values():
            if player not in hand.money:
                continue
            part, stake = hand.money[player][0]
            view = scene.but(hand=hand, part=part, stake=stake, bet=main)
            result = scene.engine.ask(about_bet(main, "result"), view)
            if not result.decided:
                return None
            found += result.value in outcomes
        return found

    return count


def beside_carried(scene: SeenScene, box: Box, player: str) -> Value:
    """A new wager, although the player has one on the box that has run for some rounds."""
    if scene.wager is None or scene.wager.wins:
        return False
    own = [b.event for b in box.bets if b.event.player == player and b.event is not scene.wager]
    return any(wager.wins for wager in own)


def reported(round_: Round, dealt: Deal) -> bool:
    """The next such card out of the shoe after something irregular was recorded of it."""
    told = False
    for event in round_.events:
        if event.n >= dealt.n:
            break
        if isinstance(event, Irregularity):
            told |= ("card", dealt.card) in event.said
        elif getattr(event, "card", None) == dealt.card:
            told = False
    return told


def boxes_dealt(scene: SeenScene) -> Value:
    """Every box has what the initial deal gives it."""
    due = scene.table.mechanics.opening.per_box
    return all(len(box.received) >= due for box in scene.table.in_play)
