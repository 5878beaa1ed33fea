"""Facts that look at more than one thing: who did what before, what is still to come."""

from __future__ import annotations

from checker.evaluate.engine import Value
from checker.evaluate.facts.totals import totals
from checker.evaluate.scene import SeenScene
from checker.log.model import Deal, Offer, Play
from checker.table.state import Box, Hand
from rulespec.resolve.question import about_bet


def doubled_before(scene: SeenScene, box: Box) -> Value:
    if scene.hand is None:
        return False
    return any(
        h.doubled_with is not None and h is not scene.hand and h.number < scene.hand.number
        for h in box.hands.values()
    )


def first_of_player(scene: SeenScene) -> Value:
    boxes, hand = scene.table.in_play, scene.hand
    for box in boxes:
        if any(wager.player == scene.player for wager in box.main):
            return scene.box is box and hand is not None and hand.number == 1
    beside = (b for b in boxes if any(bet.event.player == scene.player for bet in b.bets))
    return hand is None and scene.box is not None and scene.box is next(beside, None)


def stands_for_original(scene: SeenScene) -> Value:
    """The original wager was paid early; this is the first hand of the box that is left: not paid
    or collected early itself, nor over the limit while there is another."""
    box, player = scene.box, scene.player
    if (
        box is None
        or player is None
        or scene.hand is None
        or scene.part == scene.engine.mechanics.doubled_part
    ):
        return False
    first_hand = box.hands.get(1)
    if first_hand is None or scene.hand.number == 1:
        return False
    early = settled_early(scene, first_hand)
    if early != "wins":
        return None if early is None else False
    if scene.asks_what_is_left:  # a rule on early payment that asks this very question
        return False
    asking = scene.but(asks_what_is_left=True)
    over: Hand | None = None
    for hand in (box.hands[number] for number in box.order):
        early = settled_early(asking, hand) if player in hand.money else "none of the player's"
        if early is None:
            return None
        if not early and not _is_over(scene, hand):
            return hand is scene.hand
        if not early:
            over = over or hand
    return over is scene.hand


def settled_early(scene: SeenScene, hand: Hand) -> str | None:
    """What becomes of a hand before the dealer draws, "" where it waits for that. None: the text
    says several things, or leaves it open."""
    answer = scene.engine.ask(
        about_bet(scene.engine.mechanics.main, "result"), scene.but(hand=hand, part="original")
    )
    if not any(rule.interim for rule in answer.rules):
        return ""
    return str(answer.value) if answer.decided else None


def original_bust(scene: SeenScene) -> Value:
    box = scene.box
    if box is None or 1 not in box.hands or scene.hand is None or scene.hand.number == 1:
        return False
    return _is_over(scene, box.hands[1])


def _is_over(scene: SeenScene, hand: Hand) -> bool | None:
    found = totals(scene, hand)
    return None if found is None else found[0] > scene.engine.mechanics.limit


def another_forfeited(scene: SeenScene) -> Value:
    """The player gave up another hand of the box, with as much as the original wager on it."""
    box, given_up = scene.box, scene.engine.mechanics.acts.give_up
    if box is None or scene.hand is None:
        return False
    others = (hand for hand in box.hands.values() if hand is not scene.hand)
    return any(scene.player in hand.did(given_up) for hand in others)


def controller_did(scene: SeenScene) -> Value:
    if scene.play is None or scene.box is None or scene.hand is None:
        return False
    box, hand = scene.box, scene.hand
    # who gives a hand up leaves the decisions on it to the next in line
    acts, action = scene.engine.mechanics.acts, scene.engine.mechanics.action(scene.play.do)
    controller = box.controller if action == acts.leave else box.decider
    if action in (acts.double, acts.leave) and _about_to(scene, scene.play, controller):
        return True
    if action == acts.double:
        return hand.doubled_with is not None and controller in hand.doublers
    if action == acts.split:
        return hand.from_split is not None
    return action in (acts.leave, acts.give_up) and controller in hand.did(action)


def split_covered(scene: SeenScene, box: Box, player: str) -> Value:
    if player == box.decider or not box.hands:
        return False
    newest = box.newest
    return newest.from_split is not None and newest.base(player) is not None


def _about_to(scene: SeenScene, play: Play, controller: str | None) -> bool:
    """The deciding player makes the same choice before any further card."""
    for event in scene.table.round.events:
        if event.n <= play.n:
            continue
        if isinstance(event, Deal):
            return False
        if isinstance(event, Play) and event.player == controller:
            same = (event.box, event.hand, event.do) == (play.box, play.hand, play.do)
            if same:
                return True
    return False


def play_stake(scene: SeenScene) -> Value:
    """What is added by a play; a bet that is placed in two goes counts together. A split of which
    the log gives no amount took as much again, of any other the amount is not known."""
    if scene.play is None:
        return 0
    does = scene.table.mechanics.plays.get(scene.play.do)
    if scene.play.stake is None and does is not None and (does.adds or does.places):
        as_much = does.splits and scene.box is not None
        return scene.box.original(scene.play.player) if as_much and scene.box else None
    placed = 0
    if does is not None and does.places is not None and scene.box is not None:
        bet = scene.play.bet or does.places
        placed = scene.box.placed.get(bet, {}).get(scene.play.player, 0)
    return placed + (scene.play.stake or 0)


def before_next_card(scene: SeenScene) -> Value:
    if scene.hand is None or not scene.hand.cards:
        return True
    return scene.table.last_card <= scene.hand.cards[-1].n


def offer_missed(scene: SeenScene) -> Value:
    if scene.play is None:
        return False
    does = scene.engine.mechanics.plays.get(scene.play.do)
    what = None if does is None else does.places or does.action
    if f"{what}_not_offered" in scene.table.records:
        return True
    made = [e.n for e in scene.table.round.events if isinstance(e, Offer) and e.what == what]
    begun = scene.table.subsequent
    return bool(made) and begun is not None and made[0] > begun


def missed_first(scene: SeenScene) -> Value:
    """The dealer took the first card only after some player had three, or it is recorded so."""
    if scene.engine.mechanics.roles["the dealer missed a card"] in scene.table.records:
        return True
    if not scene.dealer:
        return False
    first = scene.dealer[0].n
    return any(len(b.received) > 2 and b.received[2].n < first for b in scene.table.in_play)


def won_bonus(scene: SeenScene) -> Value:
    for winners, won in ((scene.bonus_winners, True), (scene.bonus_open, None)):
        if any(player == scene.player for _, _, player in winners):
            return won
    return False


def whole_units(scene: SeenScene) -> Value:
    unit = scene.limits.unit
    return None if not unit else scene.stake - scene.stake % unit


def only_surrendered(scene: SeenScene) -> Value:
    """Some hand was surrendered, and every other one is decided whatever the dealer draws."""
    seen = False
    for box in scene.table.in_play:
        if box.placed:
            return False
        for hand in box.hands.values():
            for player in hand.money:
                if player in hand.did(scene.engine.mechanics.acts.leave):
                    seen = True
                    continue
                view = scene.but(box=box, hand=hand, player=player)
                answer = scene.engine.ask(about_bet(scene.engine.mechanics.main, "result"), view)
                if not any(rule.interim for rule in answer.rules):
                    return False
    return seen


def players_done(scene: SeenScene) -> Value:
    return scene.deal.get("players_done", True)


def seated_somewhere(scene: SeenScene, box: Box) -> Value:
    marks = [w.seated for w in box.main]
    if any(marks):
        return True
    return None if all(m is None for m in marks) else False


def wager_mark(scene: SeenScene, name: str, default: Value) -> Value:
    return default if scene.wager is None else getattr(scene.wager, name, default)


def seated(scene: SeenScene, box: Box, player: str) -> Value:
    marks = [w.seated for w in box.main if w.player == player and w.seated is not None]
    if marks:
        return marks[0]
    return False if any(w.seated for w in box.main) else None  # one player sits at a box


def player_card(scene: SeenScene, box: Box, player: str) -> Value:
    """Not known in a log that never records player cards."""
    cards = [
        x.event.player_card
        for b in scene.table.boxes.values()
        for x in b.bets
        if x.event.player == player
    ]
    if any(cards):
        return True
    recorded = scene.shoe.player_cards_seen or any(
        x.event.player_card is not None for b in scene.table.boxes.values() for x in b.bets
    )
    return False if recorded else None


def card_shared(scene: SeenScene, box: Box, player: str) -> Value:
    """Whether another player shows the same player card; who of them owns it no log tells."""
    shown = [x.event for b in scene.table.boxes.values() for x in b.bets if x.event.player_card]
    own = {wager.player_card for wager in shown if wager.player == player}
    if not own:
        return None if player_card(scene, box, player) is None else False
    return any(wager.player_card in own for wager in shown if wager.player != player)


def next_in_line(scene: SeenScene, box: Box, player: str) -> Value:
    gone = box.gone
    return box.controller in gone and player not in gone and box.decider == player


def all_surrendered(scene: SeenScene, hand: Hand) -> Value:
    return bool(hand.money) and set(hand.money) <= hand.did(scene.engine.mechanics.acts.leave)
