"""Violations in the money: wrong amounts, and settlements at the wrong time or not at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from checker.simulate.fault import Fault, Kind
from checker.simulate.money import END, Item
from checker.simulate.round import RoundMaker
from rulespec.resolve.question import about_bet, requiring
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t

Wrong = Callable[[Fault, RoundMaker, Item], int | None]
Bets = Callable[[RoundMaker, str], bool]
"""Which bets a kind of violation is about."""


def _main(maker: RoundMaker, bet: str) -> bool:
    return bet == maker.engine.mechanics.main


def _side(maker: RoundMaker, bet: str) -> bool:
    mechanics = maker.engine.mechanics
    placed = mechanics.game.bets[bet].placed.when
    return placed == "before the first card" and bet not in (mechanics.main, *mechanics.spots)


def _by_play(maker: RoundMaker, bet: str) -> bool:
    return maker.engine.rulebook.game.bets[bet].placed.when == "by play"


def _only_paid(maker: RoundMaker, bet: str) -> bool:
    return maker.engine.rulebook.game.bets[bet].settle_only


def _result(item: Item) -> str:
    result = item.due.result
    return str(result.value) if result is not None and result.decided else ""


def _due(item: Item) -> int:
    assert item.due.amount is not None
    return int(item.due.amount)


def _rules(item: Item, returned: int) -> list[Rule]:
    """Those of the odds first where it was paid as a win, as an auditor would look at it."""
    rules = item.rules()
    if item.due.odds is not None and returned > item.due.stake:
        odds = list(item.due.odds.rules)
        rules = [*odds, *(x for x in rules if x not in odds)]
    return rules


def _amount(bets: Bets, wrong: Wrong) -> Callable[..., list[Item]]:
    """A settlement of one of the bets gets another amount."""

    def act(fault: Fault, maker: RoundMaker, items: list[Item]) -> list[Item]:
        order = list(range(len(items)))
        fault.rng.shuffle(order)
        for index in order:
            item = items[index]
            if not bets(maker, item.bet):
                continue
            returned = wrong(fault, maker, item)
            if returned is None or returned == _due(item) or returned < 0:
                continue
            if fault.report("R501", _rules(item, returned)):
                return [*items[:index], item.pays(returned), *items[index + 1 :]]
        return items

    return act


def _other_odds(fault: Fault, maker: RoundMaker, item: Item) -> int | None:
    """The odds of another row of the same table."""
    if _result(item) != "wins" or item.due.odds is None:
        return None
    rules = maker.engine.by_question.get(about_bet(item.bet, "odds"), [])
    ratios = {rule.value.ratio for rule, _ in rules if isinstance(rule.value, t.Odds)}
    stake = item.due.stake
    amounts = sorted(stake + ratio * stake for ratio in ratios if (ratio * stake).denominator == 1)
    others = [int(a) for a in amounts if a != item.due.amount]
    if not others and _by_play(maker, item.bet):
        return 2 * stake
    return others[fault.rng.randrange(len(others))] if others else None


def _when(result: str, returned: Callable[[Item], int]) -> Wrong:
    def wrong(fault: Fault, maker: RoundMaker, item: Item) -> int | None:
        return returned(item) if _result(item) == result else None

    return wrong


def _chip(sign: int) -> Wrong:
    def wrong(fault: Fault, maker: RoundMaker, item: Item) -> int | None:
        return _due(item) + sign * (maker.table.smallest_chip or 100)

    return wrong


def _bonus(winner: bool, returned: Callable[[Item], int]) -> Wrong:
    def wrong(fault: Fault, maker: RoundMaker, item: Item) -> int | None:
        won = _due(item) >= 100_000
        return returned(item) if won == winner else None

    return wrong


def _missing_bonus(winner: bool) -> Callable[..., list[Item]]:
    """The bonus is due, and there is no such payment in the log."""

    def act(fault: Fault, maker: RoundMaker, items: list[Item]) -> list[Item]:
        most = max((_due(i) for i in items if _only_paid(maker, i.bet)), default=0)
        for index, item in enumerate(items):
            wanted = _only_paid(maker, item.bet) and (_due(item) == most) == winner
            if wanted and fault.report("R501", item.rules()):
                return [*items[:index], *items[index + 1 :]]
        return items

    return act


def _late(fault: Fault, maker: RoundMaker, items: list[Item]) -> list[Item]:
    """Paid at the end what had to be paid before."""
    last = maker.table.last_card
    for index, item in enumerate(items):
        if item.timing is None or item.place > last or _only_paid(maker, item.bet):
            continue
        words = {rule.value for rule in item.timing.rules}
        if words & {"at once", "before the subsequent deal"}:
            fault.report("R502", item.timing.rules)
            return [*items[:index], replace(item, place=END), *items[index + 1 :]]
    return items


def _early(fault: Fault, maker: RoundMaker, items: list[Item]) -> list[Item]:
    """Paid before the players' cards what had to wait for the dealer."""
    if maker.table.subsequent is None:
        return items
    for index, item in enumerate(items):
        if item.timing is None or _only_paid(maker, item.bet):
            continue
        rules = [
            r for r in item.timing.rules if r.value in ("at the end", "at the second dealer card")
        ]
        dealer = sum(event.n >= maker.opening for event in maker.table.dealer)
        plain = bool(rules) and len(rules) == len(item.timing.rules)
        if plain and (rules[0].value == "at the end" or dealer):
            fault.report("R502", rules)
            return [*items[:index], replace(item, place=maker.opening), *items[index + 1 :]]
    return items


def _never(fault: Fault, maker: RoundMaker, items: list[Item]) -> list[Item]:
    order = [i for i, item in enumerate(items) if not _only_paid(maker, item.bet)]
    index = order[fault.rng.randrange(len(order))]
    result = items[index].due.result
    fault.report("R503", result.rules if result is not None else ())
    return [*items[:index], *items[index + 1 :]]


def _twice(fault: Fault, maker: RoundMaker, items: list[Item]) -> list[Item]:
    order = [i for i, item in enumerate(items) if not _only_paid(maker, item.bet)]
    index = order[fault.rng.randrange(len(order))]
    item = items[index]
    fault.report("R504", item.due.result.rules if item.due.result is not None else ())
    engine = maker.engine
    if engine.has(requiring("settlement")):
        view = maker.scene(settlement={"count": 2})
        from checker.simulate.setup import broken

        fault.report("R530", broken(engine, "settlement", view))
    return [*items, replace(item, order=len(items))]


def _money(name: str, bets: Bets, wrong: Wrong, *aims: str) -> Kind:
    return Kind(name, "money", _amount(bets, wrong), aims or ("none",))


KINDS = (
    _money("wrong_odds", _main, _other_odds, "run", "natural", "long", "none"),
    _money("paid_a_loser", _main, _when("loses", lambda i: 2 * i.due.stake)),
    _money("took_a_winner", _main, _when("wins", lambda i: 0)),
    _money("stand_off_taken", _main, _when("stands off", lambda i: 0)),
    _money("stand_off_paid", _main, _when("stands off", lambda i: 2 * i.due.stake)),
    _money("overpaid_by_a_chip", _main, _chip(1)),
    _money("underpaid_by_a_chip", _main, _chip(-1)),
    _money("surrender_taken_whole", _main, _when("loses half", lambda i: 0), "ten_up"),
    _money("surrender_given_back", _main, _when("loses half", lambda i: i.due.stake), "ten_up"),
    _money(
        "wrong_bonus",
        _only_paid,
        _bonus(True, lambda i: 500_000 if _due(i) == 100_000 else 100_000),
        "bonus",
    ),
    _money("wrong_bonus_to_others", _only_paid, _bonus(False, lambda i: 2 * _due(i)), "bonus"),
    Kind("bonus_not_paid", "money", _missing_bonus(True), ("bonus",)),
    Kind("bonus_to_others_not_paid", "money", _missing_bonus(False), ("bonus",)),
    _money("insurance_wrong_odds", _by_play, _other_odds, "insured"),
    _money(
        "insurance_paid_on_a_loss",
        _by_play,
        _when("loses", lambda i: 3 * i.due.stake),
        "ace_up",
    ),
    _money("insurance_not_paid", _by_play, _when("wins", lambda i: 0), "insured"),
    _money("side_bet_loser_paid", _side, _when("loses", lambda i: 7 * i.due.stake)),
    _money("side_bet_not_paid", _side, _when("wins", lambda i: 0), "pair", "sevens"),
    _money("side_bet_wrong_odds", _side, _other_odds, "pair", "sevens"),
    Kind("settled_late", "money", _late, ("none", "natural", "long")),
    Kind("settled_early", "money", _early, ("none", "ace_up")),
    Kind("never_settled", "money", _never),
    Kind("settled_twice", "money", _twice),
)
