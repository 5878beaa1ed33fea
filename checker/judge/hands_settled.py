"""On which hand of a box that was split a wager is settled."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from checker.evaluate.scene import SeenScene
from checker.judge.due import Due
from checker.log import model as r
from checker.table.state import Box
from rulespec.resolve.question import asks_about_bet

if TYPE_CHECKING:
    from checker.judge.bench import Bench

Key = tuple[int, int, str, str]


def taken_from_another_hand(
    dues: dict[Key, Due], settled: dict[Key, list[r.Settle]], judge: Bench, scene: SeenScene
) -> set[Key]:
    """Where only an amount equal to the original is lost to a dealer's natural, no text says from
    which of a player's split hands it is taken: what counts is the sum. Hands that were decided
    before the dealer drew, or win all the same, are none of these."""
    if judge.engine.holds("hand.pontoon", scene.as_dealer()) is False:
        return set()
    groups: dict[tuple[int, str], list[Key]] = {}
    for key in dues:
        if key[3] == judge.engine.mechanics.main and _left_to_the_natural(dues[key]):
            groups.setdefault((key[0], key[2]), []).append(key)
    found: set[Key] = set()
    for keys in groups.values():
        given = [settled.get(k, []) for k in keys]
        if len(keys) < 2 or any(len(events) != 1 for events in given):
            continue
        got = [events[0].returned for events in given]
        owed = [dues[k].amount for k in keys]
        least = sum(amount for amount in owed if amount is not None)
        # what the text leaves open of a hand is anything up to its stake
        most = least + sum(dues[k].stake for k in keys if dues[k].amount is None)
        within = all(back <= dues[k].stake for back, k in zip(got, keys, strict=True))
        if got != owed and within and least <= sum(got) <= most:
            found.update(keys)
        elif got != owed and None not in owed:
            dues.update(_nearest({key: dues[key] for key in keys}, got))
    return found


def _nearest(dues: dict[Key, Due], got: list[int]) -> dict[Key, Due]:
    """The sum is wrong: it is held against the hand from which the one amount was taken, so that
    what the finding names is what the sum is out by."""
    losers = [key for key, due in dues.items() if due.amount != due.stake]
    if len(losers) != 1:
        return {}
    loser = losers[0]
    lost = dues[loser].stake - (dues[loser].amount or 0)

    def owed(taken: Key) -> list[Fraction | int]:
        return [due.stake - (lost if key == taken else 0) for key, due in dues.items()]

    def off(taken: Key) -> Fraction:
        apart = (abs(Fraction(back - due)) for back, due in zip(got, owed(taken), strict=True))
        return sum(apart, Fraction())

    taken = min((k for k in dues if dues[k].stake >= lost), key=lambda k: (off(k), k != loser))
    as_one, as_other = dues[loser], dues[taken]
    return {
        loser: as_other._replace(amount=as_one.stake, stake=as_one.stake),
        taken: as_one._replace(amount=as_other.stake - lost, stake=as_other.stake),
    }


def _left_to_the_natural(due: Due) -> bool:
    results = [answer for answer in due.answers if asks_about_bet(answer.question, "result")]
    return all(
        answer.value in ("loses", "stands off", None)
        and not any(rule.interim for rule in answer.rules)
        for answer in results
    )


def put_where_settled(settled: dict[Key, list[r.Settle]], box: Box, main: str) -> bool:
    """Who does not cover a split may name the hand on which the wager lies. Where the log does not
    tell, it is the hand that came of the split on which the wager is settled, and not the other.
    Whether a wager was moved."""
    moved = False
    for player in {player: None for hand in box.hands.values() for player in hand.money}:
        if player == box.controller or player in box.named or len(box.hands) < 2:
            continue
        paid = [n for n in box.order if (box.number, n, player, main) in settled]
        for at, number in enumerate(box.order):
            new = box.hands[number]
            if number not in paid or new.base(player) is not None:
                continue
            before = (n for n in reversed(box.order[:at]) if box.hands[n].base(player) is not None)
            split = next(before, None)
            if split is not None and split not in paid:
                money = box.hands[split].money.pop(player)
                new.money[player] = [*money, *new.money.get(player, ())]
                box.kept, moved = None, True
    return moved
