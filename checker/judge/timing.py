"""When a wager was settled, against when the rules let it be settled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from checker.evaluate.engine import Answer, Engine
from checker.evaluate.scene import SeenScene
from checker.judge.due import Due, against_hand
from checker.judge.stages import end_of_deal, window
from checker.log import model as r
from checker.table.state import Box, Hand
from rulespec.resolve.question import about_bet
from rulespec.resolve.rule_value import as_word
from rulespec.resolve.rulebook import Rule
from rulespec.tree import game as g
from rulespec.tree import nodes as t
from rulespec.tree.cards import ORDINALS

if TYPE_CHECKING:
    from checker.judge.bench import Bench

Key = tuple[int, int, str, str]

_CARDS = {
    f"{seat}{ordinal}": (bool(seat), index)
    for seat in ("", f"{g.DEALER}.")
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
    void = due.result is not None and "void" in due.result.values
    box = judge.table.boxes[key[0]]
    hand = box.hands.get(key[1])
    view = settled_view(scene, key, due.stake)
    answer = None if void else asked_when(judge.engine, key[3], view)
    if answer is None or judge.leaves_out("settles", answer.question):
        return
    judge.verdict.tested.update(answer.clauses)
    for rule in answer.unknown:
        judge.untold([rule])
    told = [
        (
            rule,
            _out_of_order(judge, as_word(rule.value), event, box)
            if rule.value in t.ORDERS
            else out_of_time(judge, as_word(rule.value), box, hand, key[3], event.n),
        )
        for rule in answer.rules
    ]
    # the clause with the most to say about this hand first, whatever the order of the file
    broken = [(rule, late) for rule, late in told if late]
    if not broken:
        # no clause need say that cards which are yet to come decide nothing
        cards = hand.cards if hand is not None and key[3] == judge.engine.mechanics.main else ()
        if due.result is not None and any(d.n > event.n for d in cards):
            early = f"{what} was settled before the hand was complete"
            judge.find("R502", "settlement", early, list(due.result.rules), event.n, **where)
        return
    times = [as_word(value) for value in answer.values if value not in t.ORDERS]
    if len(times) > 1 and not _can_be_kept(judge, times, box, hand, key[3]):
        judge.undecided(f"when {what} is settled", answer, view, event.n, **where)
        return
    broken.sort(key=lambda x: (-specific(x[0]), x[0].id))
    message = f"{what} was settled {broken[0][1]}"
    judge.find("R502", "settlement", message, [rule for rule, _ in broken], event.n, **where)


def asked_when(engine: Engine, bet: str, view: SeenScene) -> Answer | None:
    """When a bet is settled: by what is said of itself, else of the one by whose rules it goes."""
    answer: Answer | None = None
    for name in dict.fromkeys((bet, engine.asked_as(bet))):
        if engine.has(about_bet(name, "settles")):
            answer = engine.ask(about_bet(name, "settles"), view)
            if answer.rules:
                break
    return answer


def _out_of_order(judge: Bench, order: str, event: r.Settle, box: Box) -> str | None:
    """What is wrong with the place of a settlement among the others of the round."""
    others = [e for e in judge.round.events if isinstance(e, r.Settle) and e is not event]
    match order:
        case "before the other wagers":
            # what was settled while this one was still open had its own time
            known = _known_from(judge, box, event.bet) or -1
            if any(known < e.n < event.n for e in others if e.bet != event.bet):
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
    """Whether some moment of the round is right by all that the clauses say."""
    moments = [-0.5, *(event.n + 0.5 for event in judge.round.events)]
    return any(
        all(out_of_time(judge, timing, box, hand, bet, n) is None for timing in timings)
        for n in moments
    )


def settled_view(scene: SeenScene, key: Key, stake: int) -> SeenScene:
    """The moment as it concerns what is settled; made once."""

    def view() -> SeenScene:
        box = scene.table.boxes[key[0]]
        hand = box.hands.get(key[1])
        if (
            hand is not None
            and key[3] in scene.engine.mechanics.bonuses
            and hand.base(key[2]) is None
        ):
            hand = None  # of a player who has side bets alone
        bet = scene.engine.asked_as(key[3])
        seen = against_hand(scene, key[3])
        return seen.but(box=box, hand=hand, player=key[2], bet=bet, stake=stake)

    return scene.engine.memory.once(scene, (key, stake), view)


def specific(rule: Rule) -> int:
    return len(rule.condition.parts) if isinstance(rule.condition, t.Both) else 1


def out_of_time(
    judge: Bench, timing: str, box: Box, hand: Hand | None, bet: str, n: float
) -> str | None:
    """What is wrong with a settlement at `n` among the events of the round."""
    deals = judge.deals
    table = judge.table
    subsequent = table.subsequent
    mechanics = judge.engine.mechanics
    on_hand = bet in (mechanics.main, *mechanics.spots)
    number = mechanics.against(bet)
    shown = [dealt.visible_from for dealt in table.dealer_hand(number)]
    if timing.startswith((t.AT_STAGE, t.BEFORE_STAGE)):
        return _out_of_stage(judge, timing, n)
    match timing:
        case "at once" if not on_hand:
            known = _known_from(judge, box, bet)
            if known is not None and any(known < d.n < n for d in deals):
                return "after further cards had been dealt"
        case "at once":
            last = max((d.n for d in hand.cards), default=0) if hand else 0
            if hand is not None and len(hand.cards) == 2 and hand.from_split is None:
                initial = [d.n for d in deals if subsequent is None or d.n < subsequent]
                last = max(last, initial[-1] if initial else last)
            if n < last:
                return "before the hand was complete"
            left = max(last, _last_play(judge, box, hand, n))
            if any(left < d.n < n for d in deals):
                return "after further cards had been dealt"
            if any(left < dealt.turned < n for dealt in table.dealer if dealt.turned is not None):
                return "after the dealer's cards had been turned"
        case "before the subsequent deal" | "during the subsequent deal" if (
            on_hand and hand is not None and any(d.n > n for d in hand.cards)
        ):
            return "before the hand was complete"
        case "before the subsequent deal":
            # a side bet, on completion of the deal: when each box has its cards
            boxed = (d.n for d in deals if d.box != r.DEALER and d.n > n)
            if not on_hand and any(subsequent is None or card < subsequent for card in boxed):
                return "before the initial deal was complete"
            if subsequent is not None and n > subsequent:
                return "after the subsequent deal had begun"
        case "during the subsequent deal":
            if len(shown) > 1 and n > shown[1]:
                return "after the subsequent deal"
        case t.AFTER_FIRST_DECISION:
            decided, served = _first_decision(judge, box)
            if n < decided:
                return "before the first decision on the hand"
            if any(served < d.n < n for d in deals):
                return "after further cards had been dealt"
        case t.BEFORE_NEXT_DEALER_HAND:
            own = judge.engine.mechanics.against(bet)
            if any(d.box == r.DEALER and d.hand > own and d.n < n for d in deals):
                return "after the next hand of the dealer had begun"
        case _ if timing.startswith(t.BEFORE_CARD) and (card := timing.split(" ")[-1]) in _CARDS:
            seat, ordinal = _CARDS[card]
            got = shown if seat else [dealt.visible_from for dealt in box.received]
            if len(got) > ordinal and n > got[ordinal]:
                return f"after the {ORDINALS[ordinal]} card{' of the dealer' if seat else ''}"
        case "at the second dealer card":
            if len(shown) > 1 and n < shown[1]:
                return "before the dealer's second card"
            if len(shown) > 2 and n > shown[2]:
                return "after the dealer's third card"
        case _:
            # what is against one hand of the dealer need not wait for the next
            later = {dealt.n for cards in table.further.values() for dealt in cards[1:]}
            mine = {dealt.n for dealt in table.dealer_hand(number)[1:]}
            if any(deal.n > n and (deal.n in mine or deal.n not in later) for deal in deals):
                return "before the end of the round"
            if any(n < moment < float("inf") for moment in shown):
                return "before the dealer's cards were turned"
    return None


def _last_play(judge: Bench, box: Box, hand: Hand | None, n: float) -> float:
    """What was done with a hand before a settlement: until then it was not to be settled."""
    number = 1 if hand is None else hand.number
    plays = (e for e in judge.round.events if isinstance(e, r.Play) and e.n < n)
    return max((e.n for e in plays if (e.box, e.hand) == (box.number, number)), default=-1)


def _first_decision(judge: Bench, box: Box) -> tuple[float, float]:
    """The event of the first decision on a box, and that of the card which it asks for."""
    plays = judge.engine.mechanics.plays
    for event in judge.round.events:
        if isinstance(event, r.Play) and event.box == box.number and event.do in plays:
            does = plays[event.do]
            if does.decides or does.leaves:
                cards = [d.n for d in box.received if d.n > event.n and not does.splits]
                return event.n, min(cards) if cards and does.cards else event.n
    # nobody was asked: a hand that was over, or whose cards were dealt all the same
    last = box.received[2].n if len(box.received) > 2 else -1
    return last, float("inf") if last < 0 else last


def _known_from(judge: Bench, box: Box, bet: str) -> float | None:
    """The event at which a side bet is known; None: it may not be before the end."""
    declared = judge.engine.rulebook.game.bets.get(bet)
    if declared is None or not declared.own or not declared.decided_by:
        # at the box's third card, if it is not known before
        return box.received[2].n if len(box.received) > 2 else None
    seen: list[float] = [float(end_of_deal(judge.table))]
    for card in declared.decided_by:
        seat, _, ordinal = card.rpartition(".")
        cards = judge.table.dealer if seat == g.DEALER else box.received
        place = ORDINALS.index(ordinal)
        if place < len(cards):
            seen.append(cards[place].visible_from)
    return max(seen)


def _out_of_stage(judge: Bench, timing: str, n: float) -> str | None:
    before, _, stage = timing.rpartition(" ")
    between = window(judge.scene(), stage)
    if between is None:
        return None
    if before == t.BEFORE_STAGE.strip():
        return f"after the stage `{stage}` had begun" if n > between[0] else None
    if n < between[0]:
        return f"before the stage `{stage}`"
    return f"after the stage `{stage}`" if n > between[1] else None
