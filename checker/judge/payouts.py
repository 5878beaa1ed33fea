"""What a winning wager is paid: odds, amounts, shares of a meter, and what the house may choose."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple, TypeAlias, assert_never

from checker.evaluate.engine import Answer
from checker.evaluate.scene import SeenScene
from checker.evaluate.words.why_not import why_open
from rulespec.base.money import money_text
from rulespec.resolve.question import about_bet
from rulespec.resolve.rule_value import as_payout
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t

Cents: TypeAlias = Fraction | int


class Win(NamedTuple):
    """Winnings on top of the stake. Where the text leaves them to the house, the bounds."""

    least: Cents
    most: Cents | None  # None: as much as the house likes
    amount: Cents  # what is paid where the house does not choose otherwise
    open: str | None = None  # why it is not decided within the bounds

    @property
    def exact(self) -> bool:
        return self.least == self.most

    def plus(self, other: Win) -> Win:
        most = None if self.most is None or other.most is None else self.most + other.most
        least, amount = self.least + other.least, self.amount + other.amount
        return Win(least, most, amount, self.open or other.open)


NOTHING = Win(0, 0, 0)


def winning_odds(view: SeenScene) -> tuple[Answer, Fraction | None]:
    """The odds as one ratio; None where the clauses give none, several, or no plain odds."""
    answer = view.engine.ask(about_bet(view.bet, "odds"), view)
    ratios = [rule.value.ratio for rule in answer.rules if isinstance(rule.value, t.Odds)]
    if answer.unknown or not ratios or len(ratios) != len(answer.rules):
        return answer, None
    if _adds_up(view):
        return answer, sum(ratios, Fraction(0))
    if len(set(ratios)) == 1:
        return answer, ratios[0]
    return answer, max(ratios) if _highest(view) else None


def winnings(view: SeenScene, counted: int, stake: int) -> tuple[Answer, Win | None, str | None]:
    """What the clauses give for a wager that wins, `counted` of whose stake is in play; None where
    that is open, and why."""
    answer = view.engine.ask(about_bet(view.bet, "odds"), view)
    if answer.unknown or not answer.values:
        return answer, None, why_open(answer, view)
    wins: list[tuple[Rule, Win]] = []
    for rule in answer.rules:
        win = _win(view, as_payout(rule.value), counted, stake)
        if isinstance(win, str):
            return answer, None, win
        wins.append((rule, win))
    if _adds_up(view):
        return answer, _sum([win for _, win in wins], stake), None
    different = dict.fromkeys(win for _, win in wins)
    if len(different) == 1:
        return answer, next(iter(different)), None
    if _highest(view):
        return answer, max(different, key=lambda win: win.amount), None
    return answer, None, why_open(answer, view)


def _sum(wins: Iterable[Win], stake: int) -> Win:
    total = NOTHING
    for win in wins:
        total = total.plus(win)
    return total


def _adds_up(view: SeenScene) -> bool:
    question = about_bet(view.bet, "sum")
    return view.engine.has(question) and bool(view.engine.ask(question, view).values)


def _highest(view: SeenScene) -> bool:
    question = about_bet(view.bet, "highest")
    return view.engine.has(question) and bool(view.engine.ask(question, view).values)


def _win(view: SeenScene, payout: t.Payout, counted: int, stake: int) -> Win | str:
    """Why it is open, where it is."""
    match payout:
        case t.PayoutRange():
            return _within(view, payout, counted, stake)
        case t.Odds():
            won = counted if payout.ratio == 1 else payout.ratio * counted
            return Win(won, won, won)
        case t.Amount():
            if not stake:
                return Win(payout.cents, payout.cents, payout.cents)
            why = f"no clause says whether the stake goes back beside {money_text(payout.cents)}"
            return Win(payout.cents - stake, payout.cents, payout.cents, why)
        case t.MeterShare():
            meter = view.table.round.meters.get(payout.meter)
            if meter is None:
                return f"the log does not give the meter `{payout.meter}`"
            back = payout.share * meter
            return Win(floor(back) - stake, ceil(back) - stake, floor(back) - stake)
        case _:
            assert_never(payout)


def _within(view: SeenScene, bounds: t.PayoutRange, counted: int, stake: int) -> Win | str:
    least = NOTHING if bounds.least is None else _win(view, bounds.least, counted, stake)
    most = None if bounds.most is None else _win(view, bounds.most, counted, stake)
    if isinstance(least, str) or isinstance(most, str):
        return least if isinstance(least, str) else str(most)
    highest = None if most is None else most.most
    amount = least.least if bounds.least is not None or most is None else most.amount
    return Win(least.least, highest, amount)
