"""Facts that hold one wager against others: those it came with, those it is carried beside."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from checker.evaluate.engine import Value
from checker.evaluate.scene import SeenScene
from checker.log.model import Burn, Deal, Irregularity, NoMoreBets, Play, Refuse, Round
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


def of_offer(scene: SeenScene, box: Box, player: str) -> Value:
    """What the player has on the box in bets that are offered together with this one."""
    bets = scene.engine.rulebook.game.bets
    own = bets.get(scene.bet)
    same = [name for name, bet in bets.items() if own is not None and bet.offered == own.offered]
    placed = [b.event for b in box.bets if b.event.player == player]
    return sum(wager.stake for wager in placed if wager.bet in same)


def split_answered(scene: SeenScene, box: Box, player: str) -> Value:
    """Who does not decide has covered the split, or said on which hand the wager lies."""
    if len(box.hands) < 2 or player in (box.controller, box.decider) or player in box.named:
        return True
    return any(hand.base(player) for number, hand in box.hands.items() if number > 1)


def play_wagered(scene: SeenScene) -> Value:
    """What the wagers that a play adds to amount to."""
    play, box = scene.play, scene.box
    if play is None or box is None:
        return None
    staked = scene.table.wagered(box, play.player)
    if play.bet is not None:
        return staked.get(play.bet, 0)
    apart = {e.bet for e in _same_plays(scene, play)}
    return sum(stake for bet, stake in staked.items() if bet not in apart)


def on_every_wager(scene: SeenScene) -> Value:
    play, box = scene.play, scene.box
    if play is None or box is None:
        return True
    main = scene.table.mechanics.main
    added = {
        bet or main
        for event in _same_plays(scene, play)
        for bet, _ in scene.table.shares(box, event, event.stake)
    }
    return set(scene.table.wagered(box, play.player)) <= added


def _same_plays(scene: SeenScene, play: Play) -> list[Play]:
    """The play with those by which the player does the same for other bets on the hand."""
    key = (play.box, play.hand, play.player, play.do)
    events = (e for e in scene.table.round.events if isinstance(e, Play))
    return [e for e in events if (e.box, e.hand, e.player, e.do) == key]


def call_logged(scene: SeenScene) -> Value:
    return any(isinstance(e, NoMoreBets) for e in scene.table.round.events)


def left_out_last(scene: SeenScene) -> Value:
    """A box that was left out in its turn gets the card once all others have theirs."""
    box = scene.box
    if box is None:
        return True
    due = scene.table.mechanics.opening.per_box
    others = [b for b in scene.table.in_play if b is not box and b.received]
    got = len(box.received)
    left_out = any(b.number > box.number and len(b.received) > got for b in others)
    return not left_out or all(len(b.received) >= due for b in others)


def reported(round_: Round, dealt: Deal) -> bool:
    """The next such card out of the shoe after something irregular was recorded of it."""
    told = burnt = False
    for event in round_.events:
        if event.n >= dealt.n:
            break
        if isinstance(event, Irregularity):
            told |= ("card", dealt.card) in event.said and not burnt
        elif getattr(event, "card", None) == dealt.card:
            told, burnt = False, isinstance(event, Burn)
    return told


def passed_over(round_: Round, dealt: Deal) -> bool:
    """A card comes out although another was recorded of which something irregular happened, and
    that one has neither come since nor been refused."""
    waiting: list[str] = []
    for event in round_.events:
        if event.n > dealt.n:
            break
        match event:
            case Irregularity():
                waiting += [str(value) for key, value in event.said if key == "card"]
            case Refuse():
                waiting = [card for card in waiting if event.card not in (None, card)]
            case Deal() if event.n < dealt.n or event.card in waiting:
                waiting = [card for card in waiting if card != event.card]
            case _:
                pass
    return bool(waiting)


def boxes_dealt(scene: SeenScene) -> Value:
    """Every box has what the initial deal gives it."""
    due = scene.table.mechanics.opening.per_box
    return all(len(box.received) >= due for box in scene.table.in_play if not box.left_out)
