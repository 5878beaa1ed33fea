"""What the winners of a bet get together: equal shares of a meter, or up to a limit in all."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from checker.evaluate.answer import Answer
from checker.evaluate.scene import SeenScene
from checker.judge.payouts import Win, winnings
from checker.table.state import wager_of
from rulespec.resolve.question import about_bet
from rulespec.tree import nodes as t


class Winner(NamedTuple):
    stake: int
    win: Win
    meter: t.MeterShare | None  # what it is paid from, if from a meter


def together(view: SeenScene, odds: Answer, win: Win, stake: int) -> tuple[Win, Answer]:
    """What of a win is left beside the other winners, and what says so: the odds, if nothing is
    taken off. What cannot be shared out to the cent may go to any of them."""
    engine, question = view.engine, about_bet(view.bet, "together")
    if not engine.has(question):
        return win, odds
    answer = engine.ask(question, view)
    if not answer.rules:
        return win, odds
    mine = Winner(stake, win, _meter(view, odds, win, stake))
    winners = list(_winners(view))
    share: Fraction | None = None
    for rule in answer.rules:
        if rule.value is True:
            alike = [one for one in winners if one.meter == mine.meter]
            if mine.meter is not None and len(alike) > 1:
                held = view.table.round.meters[mine.meter.meter]
                share = Fraction(mine.meter.share * held) / len(alike) - stake
        else:
            limit = engine.value_term(rule)(view)
            staked = sum(one.stake for one in winners)
            if limit is None or isinstance(limit, str) or staked == 0:
                continue
            if sum(one.win.least for one in winners) > limit:
                share = Fraction(limit) * stake / staked
    if share is None:
        return win, odds
    return Win(floor(share), ceil(share), floor(share)), answer


def _winners(view: SeenScene) -> Iterator[Winner]:
    """All wagers of the bet that win what is shared."""
    engine, question = view.engine, about_bet(view.bet, "together")
    for box in view.table.in_play:
        stakes: dict[str, int] = {}
        for bet in box.bets:
            if engine.asked_as(bet.event.bet) == view.bet:
                player = bet.event.player
                stakes[player] = stakes.get(player, 0) + bet.event.stake
        for player, stake in stakes.items():
            one = view.but(
                box=box,
                hand=box.hands.get(1),
                player=player,
                stake=stake,
                wager=wager_of(box, player, view.bet),
            )
            if engine.ask(about_bet(view.bet, "result"), one).value != "wins":
                continue
            odds, win, _ = winnings(one, stake, stake)
            if win is not None and engine.ask(question, one).rules:
                yield Winner(stake, win, _meter(one, odds, win, stake))


def _meter(view: SeenScene, odds: Answer, win: Win, stake: int) -> t.MeterShare | None:
    meters = view.table.round.meters
    shares = [x for x in odds.values if isinstance(x, t.MeterShare) and x.meter in meters]
    paid = (x for x in shares if floor(x.share * meters[x.meter]) - stake == win.least)
    return next(paid, None)
