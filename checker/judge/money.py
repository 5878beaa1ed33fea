"""The money of a round: what was settled against what was due, and when."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from checker.evaluate.engine import Value
from checker.evaluate.scene import SeenScene
from checker.evaluate.words.in_words import cards_seen
from checker.evaluate.words.why_not import terms_denied
from checker.judge.bonus import judge_bonus
from checker.judge.bonus_due import with_winners
from checker.judge.breached import not_kept, odds_not_kept, passed_over
from checker.judge.corrections import corrected, judge_corrections
from checker.judge.due import Due, main_due, side_due
from checker.judge.hands_settled import put_where_settled, taken_from_another_hand
from checker.judge.missing_limits import explained
from checker.judge.timing import judge_timing, settled_view
from checker.log import model as r
from checker.table.state import Box
from rulespec.base.money import money_text
from rulespec.resolve.question import about_bet, requiring, whether

if TYPE_CHECKING:
    from checker.judge.bench import Bench

Key = tuple[int, int, str, str]

BONUS = 0  # among the boxes whose money is to be judged: the bonus is a matter of all of them


def judge_money(judge: Bench, scene: SeenScene, only: frozenset[int] | None = None) -> None:
    """`only`: of these boxes, and with BONUS of what is only paid; else all of it."""
    table = judge.table
    scene = with_winners(scene)
    main = judge.engine.mechanics.main
    on_hands = (main, *judge.engine.mechanics.spots)
    bonuses = judge.engine.mechanics.bonuses
    dues: dict[Key, Due] = {}
    for box in table.in_play:
        if only is not None and box.number not in only:
            continue
        if put_where_settled(table.settled, box, main):
            scene = scene.but()
        for hand in box.hands.values():
            short = (box.number, hand.number) in judge.short
            view = scene.but(short=True) if short else scene
            for player in hand.money:
                key = (box.number, hand.number, player, main)
                dues[key] = main_due(view, box, hand, player, judge.verdict)
            for name, money in hand.spots.items():
                for player in money:
                    key = (box.number, hand.number, player, name)
                    dues[key] = main_due(view, box, hand, player, judge.verdict, name)
    for box in table.boxes.values():
        if only is not None and box.number not in only:
            continue
        for bet in box.bets:
            if bet.event.bet not in on_hands and judge.offers(bet.event.bet):
                key = (box.number, 1, bet.event.player, bet.event.bet)
                stake = sum(
                    b.event.stake
                    for b in box.bets
                    if b.event.bet == bet.event.bet and b.event.player == bet.event.player
                )
                dues[key] = side_due(
                    scene, bet.event.bet, box, bet.event.player, stake, judge.verdict
                )
        for name, placed in box.placed.items():
            for player, stake in placed.items():
                dues[(box.number, 1, player, name)] = side_due(
                    scene, name, box, player, stake, judge.verdict
                )
    settled = {
        k: list(v)
        for k, v in table.settled.items()
        if only is None or k[0] in only or k[3] in bonuses
    }
    _match_side_bets(settled, (*on_hands, *bonuses))
    if "money" in judge.engine.silences:
        _leave_out(judge, dues)
        return
    shared = taken_from_another_hand(dues, settled, judge, scene)
    judge_corrections(judge, dues, settled)
    for key, due in dues.items():
        compare_settlement(judge, key, due, settled.pop(key, []), scene, key in shared)
    if only is None or BONUS in only:
        for bonus in bonuses:
            judge_bonus(judge, bonus, scene, settled)
    for key, events in settled.items():
        if key[3] not in bonuses:
            _nothing_to_settle(judge, key, events)


def _leave_out(judge: Bench, dues: dict[Key, Due]) -> None:
    """The log does not tell what was paid: that cannot be held against what was due."""
    what = judge.engine.silences["money"]
    asked = [rule for due in dues.values() for answer in due.answers for rule in answer.rules]
    others = [requiring("settlement"), whether("casino", "adjust"), whether("casino", "report")]
    for question in [*others, *(about_bet(bet, "settles") for _, _, _, bet in dues)]:
        asked += [rule for rule, _ in judge.engine.by_question.get(question, ())]
    judge.verdict.tested.difference_update(rule.clause for rule in asked)
    judge.leave_out(asked, what)


def _match_side_bets(settled: dict[Key, list[r.Settle]], on_hands: tuple[str, ...]) -> None:
    """Side bets belong to the box, whichever hand the log names."""
    for key in [k for k in settled if k[3] not in on_hands and k[1] != 1]:
        settled.setdefault((key[0], 1, key[2], key[3]), []).extend(settled.pop(key))


def compare_settlement(
    judge: Bench, key: Key, due: Due, events: list[r.Settle], scene: SeenScene, shared: bool
) -> None:
    box, _, player, bet = key
    where = _where(key)
    what = f"{bet} of {player}{_on_box(key)}"
    rules = list(due.result.rules) if due.result else []
    judge.verdict.expected[key] = _cents(due.amount)
    if due.stays:
        if events:
            message = f"{what} was settled, although the wager stays for the next round"
            judge.find("R502", "settlement", message, rules, events[0].n, **where)
        judge.verdict.expected.pop(key)
        return
    if not judge.deals and due.amount is not None and rules and rules[0].value != "void":
        # hands without a card have totals too, and no clause means those
        judge.verdict.expected.pop(key)
        if sum(e.returned for e in events) != due.stake or not events:
            why = "no card was dealt"
            message = f"{what} cannot be decided: {why}"
            judge.find("R550", "undecided", message, rules, why=why, **where)
        return
    if not events and due.amount is None:
        _left_open(judge, key, due, scene, f"{what} was never settled, and what is due", where)
        return
    if not events and judge.table.void and not judge.table.settled:
        judge.leave_out(rules, "what went back in a round that was declared void")
        return
    if not events:
        judge.find(
            "R503",
            "settlement",
            f"{what} was never settled" + _was_due(due),
            rules,
            expected=_cents(due.amount),
            **where,
        )
        return
    if len(events) > max(1, _wagers(judge.table.boxes[box], player, bet)):
        total = sum(e.returned for e in events)
        judge.find(
            "R504",
            "settlement",
            f"{what} was settled {len(events)} times, with "
            f"{' and '.join(money_text(e.returned) for e in events)}{_was_due(due)}",
            rules,
            events[-1].n,
            expected=_cents(due.amount),
            actual=total,
            **where,
        )
    event = events[0]
    if len(events) > 1:
        judge_timing(judge, key, events[-1], due, scene, what, where)
        if len(events) <= _wagers(judge.table.boxes[box], player, bet):
            event = replace(event, returned=sum(e.returned for e in events))
            events = [event]
    judge_timing(judge, key, event, due, scene, what, where)
    _settled_in_place(judge, key, events, due, scene, what, where)
    if due.amount is None and (not due.bounded or due.is_met_by(event.returned)):
        _left_open(judge, key, due, scene, what, where | {"actual": event.returned}, event.n)
        return
    if due.bounded:
        if not shared and len(events) == 1 and not due.is_met_by(event.returned):
            _out_of_bounds(judge, due, event, what, where)
        return
    assert due.amount is not None
    if due.amount.denominator != 1:
        why = f"{money_text(due.amount)} cannot be paid exactly and no clause says how to round"
        judge.find(
            "R550",
            "undecided",
            f"{what} cannot be decided: {why}",
            rules,
            event.n,
            why=why,
            actual=event.returned,
            **where,
        )
        return
    if shared:
        return
    if len(events) == 1 and due.result is not None and event.returned in due.in_chips:
        why = "no chips pay the half that goes back, and rounding is for what is paid"
        view = settled_view(scene, key, due.stake)
        judge.undecided(what, due.result, view, event.n, why, actual=event.returned, **where)
        return
    if (
        len(events) == 1
        and event.returned != due.amount
        and not corrected(judge, event, int(due.amount), scene, what, where)
    ):
        missing = explained(judge, due, event)
        if missing is not None:
            judge.leave_out([rule for one in due.answers for rule in one.rules], missing)
            return
        _wrong(judge, due, event, int(due.amount), what, key, scene)
    _report(judge, event, due, where, scene)


def _where(key: Key) -> dict[str, Any]:
    box, hand, player, bet = key
    if box == r.NO_BOX:
        return {"player": player, "bet": bet}
    return {"box": box, "hand": hand, "player": player, "bet": bet}


def _on_box(key: Key) -> str:
    if key[0] == r.NO_BOX:
        return ""
    return f" on box {key[0]}" + (f" hand {key[1]}" if key[1] > 1 else "")


def _was_due(due: Due) -> str:
    if due.bounded:
        return f"; {_bounds(due)} was due"
    return "" if due.amount is None else f"; {money_text(due.amount)} was due"


def _bounds(due: Due) -> str:
    assert due.least is not None
    if due.most is None:
        return f"at least {money_text(due.least)}"
    return f"from {money_text(due.least)} to {money_text(due.most)}"


def _out_of_bounds(
    judge: Bench, due: Due, event: r.Settle, what: str, where: dict[str, Any]
) -> None:
    """The text leaves the amount to the house, but not this one."""
    assert due.least is not None
    low = event.returned < due.least
    bound = due.least if low else due.most
    assert bound is not None
    expected = ceil(bound) if low else floor(bound)
    rules = list(due.odds.rules) if due.odds is not None else []
    for answer in due.answers:
        rules.extend(x for x in answer.rules if x not in rules)
    side = "underpaid" if low else "overpaid"
    by = money_text(abs(event.returned - expected))
    judge.find(
        "R501",
        "settlement",
        f"{what} got {money_text(event.returned)} back and should have got {_bounds(due)}: "
        f"{side} by {by}",
        rules,
        event.n,
        expected=expected,
        actual=event.returned,
        readings=due.readings,
        **where,
    )


def _left_open(
    judge: Bench,
    key: Key,
    due: Due,
    scene: SeenScene,
    what: str,
    where: dict[str, Any],
    event: int | None = None,
) -> None:
    """The text does not tell what the wager gets, or the log lacks what that rests on."""
    answer = due.left_open
    if answer is None or not judge.engine.has(answer.question):
        answer = due.result
    assert answer is not None
    hand = judge.table.boxes[key[0]].hands.get(key[1])
    part = hand.base(key[2]) if hand else None
    view = settled_view(scene, key, due.stake)
    if part is not None and key[3] == judge.engine.mechanics.main:
        view = view.but(part=part[0], stake=part[1])
    judge.undecided(what, answer, view, event, due.why, **where)


def _wagers(box: Box, player: str, bet: str) -> int:
    """How many wagers were put down: each may be settled by itself."""
    before = sum([b.event.player == player and b.event.bet == bet for b in box.bets])
    return before + box.times_placed.get((bet, player), 0)


def _settled_in_place(
    judge: Bench,
    key: Key,
    events: list[r.Settle],
    due: Due,
    scene: SeenScene,
    what: str,
    where: dict[str, Any],
) -> None:
    own = f"{key[3]} settlement"
    moments = [m for m in ("settlement", own) if judge.engine.has(requiring(m))]
    if not moments:
        return
    hand = judge.table.boxes[key[0]].hands.get(key[1])
    part = hand.part_of(key[2]) if hand else "original"
    view = settled_view(scene, key, due.stake)
    told: dict[str, Value] = {"returned": sum(e.returned for e in events)}
    if part != "original" or len(events) > 1 or own in moments:
        view = view.but(part=part, settlement={"count": len(events), **told})
    for moment in moments:
        judge.require(moment, view, what, events[-1].n, **where)


def _wrong(
    judge: Bench,
    due: Due,
    event: r.Settle,
    expected: int,
    what: str,
    key: Key,
    scene: SeenScene,
) -> None:
    rules = not_kept(judge, key, due, scene, event.returned)
    # on the table a winner who got something else is a matter of the odds, however little it was
    paid_as_win = event.returned > due.stake or (key[0] == r.NO_BOX and event.returned > 0)
    amiss = due.amiss(event.returned)
    if not rules and amiss is not None and amiss is not due.result:
        rules.extend(amiss.rules)
    odds = odds_not_kept(due) if paid_as_win else []
    rules.extend(x for x in odds if x not in rules)
    for answer in due.answers:
        rules.extend(x for x in answer.rules if x not in rules)
    if due.odds is not None and paid_as_win:
        view = settled_view(scene, key, due.stake)
        denied = terms_denied(judge.engine, due.odds.question, view)
        rules.extend(x for x in denied if x not in rules)
    side = "overpaid" if event.returned > expected else "underpaid"
    by = money_text(abs(event.returned - expected))
    seen = cards_seen(rules, settled_view(scene, key, due.stake))
    judge.find(
        "R501",
        "settlement",
        f"{what} got {money_text(event.returned)} back and should have got "
        f"{money_text(expected)}{seen}: {side} by {by}",
        rules,
        event.n,
        expected=expected,
        actual=event.returned,
        readings=due.readings,
        related=passed_over(due, rules),
        **_where(key),
    )


def _report(
    judge: Bench, event: r.Settle, due: Due, where: dict[str, Any], scene: SeenScene
) -> None:
    if due.amount is None or event.returned == due.amount:
        return
    error = abs(event.returned - int(due.amount))
    adjusted = event.player in judge.table.adjusted
    view = scene.but(
        player=event.player,
        settlement={
            "error": error,
            "adjusted": adjusted,
            "overpaid": event.returned > due.amount,
        },
    )
    answer = judge.engine.ask(whether("casino", "report"), view)
    judge.verdict.tested.update(answer.clauses)
    if answer.demands is None:
        judge.undecided(
            "whether a wrong settlement is to be reported", answer, view, event.n, **where
        )
    if answer.demands:
        judge.verdict.reports.append(
            {
                "clause": answer.clauses[0],
                "round": judge.round.id,
                "table": judge.round.table,
                "line": judge.round.line,
                "month": judge.round.at.strftime("%Y-%m"),
                "player": event.player,
                "bet": event.bet,
                "expected": int(due.amount),
                "actual": event.returned,
                "difference": event.returned - int(due.amount),
                "adjusted": [
                    e.amount
                    for e in judge.round.events
                    if isinstance(e, r.Adjust) and e.player == event.player
                ],
            }
        )


def _cents(amount: Fraction | int | None) -> int | None:
    return int(amount) if amount is not None and amount.denominator == 1 else None


def _nothing_to_settle(judge: Bench, key: Key, events: list[r.Settle]) -> None:
    player, bet = key[2:]
    if all(e.returned == 0 for e in events):
        return
    judge.find(
        "R505",
        "settlement",
        f"{player} got {money_text(sum(e.returned for e in events))} for {bet}{_on_box(key)}, "
        "where no such wager is in the log",
        [],
        events[0].n,
        expected=0,
        actual=sum(e.returned for e in events),
        **_where(key),
    )
