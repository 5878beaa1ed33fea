"""When a wager was settled, against when the rules let it be settled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from checker.evaluate.engine import Answer
from checker.evaluate.scene import SeenScene
from checker.judge.due import Due
from checker.log import model as r
from checker.table.state import Box, Hand
from rulespec.resolve.rulebook import Rule
from rulespec.tree import nodes as t
from rulespec.tree.cards import ORDINALS
from rulespec.tree.game import DEALER

if TYPE_CHECKING:
    from checker.judge.bench import Bench

Key = tuple[int, int, str, str]

_CARDS = {
    f"{seat}{ordinal}": (bool(seat), index)
    for seat in ("", f"{DEALER}.")
    for index, ordinal in enumerate(ORDINALS)
}


def judge_timing(
    judge: Bench,
    key: Key,
    event: r.Settle,
    due: Due,
    scene: SeenScene,
    what: str,
    where: dict[str, Any],
) -> None:
    bet = key[3]
    question = f"{bet}.settles"
    void = due.result is not None and "void" in due.result.values
    if not judge.engine.has(question) or void or judge.leaves_out("settles", question):
        return
    box = judge.table.boxes[key[0]]
    hand = box.hands.get(key[1])
    view = settled_view(scene, key, due.stake)
    answer: Answer = judge.engine.ask(question, view)
    judge.verdict.tested.update(answer.clauses)
    for rule in answer.unknown:
        judge.untold([rule])
    told = [
        (
            rule,
            _out_of_order(judge, rule.value, event)
            if rule.value in t.ORDERS
            else _out_of_time(judge, rule.value, box, hand, bet, event.n),
        )
        for rule in answer.rules
    ]
    # the clause with the most to say about this hand first, whatever the order of the file
    broken = [(rule, late) for rule, late in told if late]
    if not broken:
        return
    times = [value for value in answer.values if value not in t.ORDERS]
    if len(times) > 1 and not _can_be_kept(judge, times, box, hand, bet):
        judge.undecided(f"when {what} is settled", answer, view, event.n, **where)
        return
    broken.sort(key=lambda x: (-specific(x[0]), x[0].id))
    message = f"{what} was settled {broken[0][1]}"
    judge.find("R502", "settlement", message, [rule for rule, _ in broken], event.n, **where)


def _out_of_order(judge: Bench, order: str, event: r.Settle) -> str | None:
    """What is wrong with the place of a settlement among the others of the round."""
    others = [e for e in judge.round.events if isinstance(e, r.Settle) and e is not event]
    match order:
        case "before the other wagers":
            if any(e.n < event.n for e in others if e.bet != event.bet):
                return "after other wagers"
        case "after the other wagers":
            if any(e.n > event.n for e in others if e.bet != event.bet):
                return "before other wagers"
        case "from the far right":
            if any(e.n < event.n and e.box < event.box for e in others if e.bet == event.bet):
                return "after a wager farther to the dealer's left"
        case "losers first":
            paid = [e for e in others if e.bet == event.bet and e.returned > 0]
            if event.returned == 0 and any(e.n < event.n for e in paid):
                return "after a winning wager had been paid"
    return None


def _can_be_kept(
    judge: Bench, timings: Iterable[str], box: Box, hand: Hand | None, bet: str
) -> bool:
    """Whether some moment between the cards of the round is right by all that the clauses say."""
    moments = [-0.5, *(deal.n + 0.5 for deal in judge.deals)]
    return any(
        all(_out_of_time(judge, timing, box, hand, bet, n) is None for timing in timings)
        for n in moments
    )


def settled_view(scene: SeenScene, key: Key, stake: int) -> SeenScene:
    """The moment as it concerns what is settled; made once."""
    made: SeenScene | None = scene.memory.get((key, stake))
    if made is None:
        box = scene.table.boxes[key[0]]
        hand = box.hands.get(key[1])
        if hand is not None and key[3] == "super_bonus" and hand.base(key[2]) is None:
            hand = None  # of a player who has side bets alone
        made = scene.memory[key, stake] = scene.but(
            box=box, hand=hand, player=key[2], bet=key[3], stake=stake
        )
    return made


def specific(rule: Rule) -> int:
    return len(rule.condition.parts) if isinstance(rule.condition, t.Both) else 1


def _out_of_time(
    judge: Bench, timing: str, box: Box, hand: Hand | None, bet: str, n: float
) -> str | None:
    """What is wrong with a settlement at `n` among the events of the round."""
    deals = judge.deals
    subsequent = judge.table.subsequent
    match timing:
        case "at once" if bet != "main":
            # a side bet is known at the box's third card, if it is not known before
            if len(box.received) > 2:
                third = box.received[2].n
                if any(third < d.n < n for d in deals):
                    return "after further cards had been dealt"
        case "at once":
            last = max((d.n for d in hand.cards), default=0) if hand else 0
            if hand is not None and len(hand.cards) == 2 and hand.from_split is None:
                initial = [d.n for d in deals if subsequent is None or d.n < subsequent]
                last = max(last, initial[-1] if initial else last)
            if n < last:
                return "before the hand was complete"
            if any(last < d.n < n for d in deals):
                return "after further cards had been dealt"
        case "before the subsequent deal" | "during the subsequent deal" if _early(hand, bet, n):
            return "before the hand was complete"
        case "before the subsequent deal":
            if subsequent is not None and n > subsequent:
                return "after the subsequent deal had begun"
        case "during the subsequent deal":
            mine = [d.n for d in deals if d.box == r.DEALER]
            if len(mine) > 1 and n > mine[1]:
                return "after the subsequent deal"
        case t.BEFORE_NEXT_DEALER_HAND:
            own = judge.engine.mechanics.against(bet)
            if any(d.box == r.DEALER and d.hand > own and d.n < n for d in deals):
                return "after the next hand of the dealer had begun"
        case _ if timing.startswith(t.BEFORE_CARD) and (card := timing.split(" ")[-1]) in _CARDS:
            seat, ordinal = _CARDS[card]
            got = [d.n for d in deals if d.box == r.DEALER] if seat else [d.n for d in box.received]
            if len(got) > ordinal and n > got[ordinal]:
                return f"after the {ORDINALS[ordinal]} card{' of the dealer' if seat else ''}"
        case "at the second dealer card":
            mine = [d.n for d in deals if d.box == r.DEALER]
            if len(mine) > 1 and n < mine[1]:
                return "before the dealer's second card"
            if len(mine) > 2 and n > mine[2]:
                return "after the dealer's third card"
        case _:
            if judge.turns.last_deal > n:
                return "before the end of the round"
    return None


def _early(hand: Hand | None, bet: str, n: float) -> bool:
    return bet == "main" and hand is not None and any(d.n > n for d in hand.cards)
