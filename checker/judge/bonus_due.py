"""What is due of a bonus: a bet that nobody stakes on and that is only paid."""

from __future__ import annotations

from collections.abc import Iterator

from checker.evaluate.engine import Engine
from checker.evaluate.scene import SeenScene
from checker.evaluate.words.why_not import why_open
from checker.judge.due import Due, keep, part_view
from checker.judge.findings import Verdict
from checker.judge.payouts import winnings
from checker.table.state import Box, Hand, wager_of
from rulespec.resolve.question import about_bet, defining


def term_of(bet: str) -> str:
    """The word by which a rulebook may say which wagers win a bonus."""
    return f"wager.{bet}"


def with_winners(scene: SeenScene) -> SeenScene:
    """The moment when it is known who wins a bonus, as far as the text tells."""
    bets = scene.engine.mechanics.bonuses
    bet = next((bet for bet in bets if scene.engine.has(defining(term_of(bet)))), None)
    if bet is None:
        return scene
    wins = {
        (box.number, hand.number, player): scene.engine.holds(
            term_of(bet), part_view(scene, box, hand, player, part, stake)
        )
        for box in scene.table.in_play
        for hand in box.hands.values()
        for player, (part, stake) in hand.bases()
    }
    winners = frozenset(place for place, won in wins.items() if won)
    open_ = frozenset(place for place, won in wins.items() if won is None)
    if not winners and not open_:
        return scene
    scene = scene.but(bonus_winners=winners, bonus_open=open_)
    prices = [
        scene.engine.ask(about_bet(bet, "odds"), of_winner(scene, bet, *place)) for place in winners
    ]
    priced: bool | None = any(price.values for price in prices)
    if not priced and (open_ or any(price.unknown for price in prices)):
        priced = None
    return scene.but(bonus_priced=priced)


def may_get_bonus(scene: SeenScene, bet: str) -> Iterator[tuple[Box, Hand | None, str]]:
    """Whom a clause could give something: each main wager (of a bonus that belongs to the box each
    player there), and in a round in which somebody wins it also the players who have side bets
    alone, and so no hand."""
    table = scene.table
    by_box = scene.engine.rulebook.game.bets[bet].lies_on != "hand"
    for box in table.in_play:
        for hand in list(box.hands.values())[: 1 if by_box else None]:
            yield from ((box, hand, player) for player, _ in hand.bases())
    if scene.bonus_winners or scene.bonus_open:
        with_main = {wager.player for box in table.in_play for wager in box.main}
        for box in table.in_play:
            beside = dict.fromkeys(bet.event.player for bet in box.bets)
            yield from ((box, None, one) for one in beside if one not in with_main)


def of_winner(
    scene: SeenScene, bet: str, box_number: int, hand_number: int, player: str
) -> SeenScene:
    box = scene.table.boxes[box_number]
    hand = box.hands[hand_number]
    part, stake = hand.base(player) or ("original", 0)
    main = scene.engine.mechanics.main
    beside = scene.engine.rulebook.game.bets[bet].with_bet or main
    wager = wager_of(box, player, beside)
    if beside != main:
        part, stake = "original", wager.stake if wager is not None else 0
    return scene.but(
        box=box, hand=hand, player=player, part=part, stake=stake, bet=bet, wager=wager
    )


def beside_winner(scene: SeenScene, bet: str, box: Box, player: str) -> SeenScene:
    """As `of_winner`, for a player who has side bets alone."""
    wager = next(one.event for one in box.bets if one.event.player == player)
    return scene.but(
        box=box, player=player, part="original", stake=wager.stake, bet=bet, wager=wager
    )


def offered(scene: SeenScene, bet: str) -> bool | None:
    """Whether the table offers a bet, as the bet itself is declared."""
    declared = scene.engine.rulebook.game.bets.get(bet)
    return True if declared is None else scene.engine.compile(declared.offered)(scene)


def says_who_wins(engine: Engine, bet: str) -> bool:
    """A clause says who wins the bonus, so that nobody else does."""
    rules = engine.by_question.get(about_bet(bet, "result"), ())
    return any(rule.value == "wins" for rule, _ in rules)


def bonus_due(
    scene: SeenScene, bet: str, box: Box, hand: Hand | None, player: str, verdict: Verdict
) -> Due | None:
    """The bonus of one wager, or None when nothing is due: like a choice, it needs a clause
    that gives it. That a wager wins it and no clause names an amount is a gap."""
    if hand is None:
        view = beside_winner(scene, bet, box, player)
    else:
        view = of_winner(scene, bet, box.number, hand.number, player)
    part, stake = view.part, view.stake
    if offered(view, bet) is False:
        return None
    result = scene.engine.ask(about_bet(bet, "result"), view)
    answer = scene.engine.ask(about_bet(bet, "odds"), view)
    if result.values or result.unknown:
        if not result.decided:
            return Due(None, stake, result, answer, why_open(result, view), (result,))
        if result.value == "loses":  # a clause says that nothing is due
            return Due(0, stake, result, None, None, (result,))
        if result.value != "wins":
            return None
    elif says_who_wins(scene.engine, bet):
        return None
    if not answer.values and not answer.unknown:
        wins = scene.engine.holds(term_of(bet), view)
        if wins or result.values:
            title = scene.engine.rulebook.game.bets[bet].title
            why = f"no band of the {title} names a wager of this size"
            return Due(None, stake, None, answer, why, (answer,))
        if wins is None:
            why = "the text leaves open whether the wager wins it"
            return Due(None, stake, None, answer, why, (answer,))
        return None
    keep(verdict, "bonus", answer, view, box, hand, player, bet, part)
    _, win, left_open = winnings(view, stake, 0)
    if win is None:
        return Due(None, stake, None, answer, left_open, (answer,))
    due = Due(win.amount, stake, None, answer, win.open, (answer,))
    return due if win.exact else due._replace(least=win.least, most=win.most)
