"""Known violations in a simulated round of a game with named hands.

A lawful round is spoilt in one way. What must be found is asked of the rules themselves; where no
rule is broken by it, the way is no violation in that rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from checker.evaluate.answer import BANS
from checker.evaluate.hand_draws import draws_of
from checker.judge.findings import ReplayFinding
from checker.log import model as r
from checker.simulate.named_round import Draft, Table
from checker.table.named_hands import before_play
from rulespec.resolve.question import about_bet, requiring, whether
from rulespec.resolve.rulebook import Rule


@dataclass(slots=True)
class NamedFault:
    """One violation; `found` is what a replay must report about it."""

    kind: str
    found: list[tuple[str, str]] = field(default_factory=list)

    def report(self, code: str, rules: Iterable[Rule]) -> bool:
        self.found += [(code, rule.clause) for rule in rules]
        return bool(self.found)

    def explains(self, findings: Iterable[ReplayFinding]) -> bool:
        told = list(findings)
        codes, clauses = ({part[n] for part in self.found} for n in (0, 1))
        return bool(told) and all(f.code in codes and f.clause in clauses for f in told)

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "clause": self.found[0][1],
            "clauses": list(dict.fromkeys(clause for _, clause in self.found)),
            "codes": list(dict.fromkeys(code for code, _ in self.found)),
        }


Act = Callable[[NamedFault, Table, Draft, Random], bool]


# --- money


def _hands(draft: Draft) -> dict[str, list[str]]:
    held: dict[str, list[str]] = {}
    for event in draft.dealt:
        if isinstance(event, r.Deal):
            held.setdefault(event.to or "", []).append(event.card)
    return held


def _settled_by(table: Table, draft: Draft, event: r.Settle) -> list[Rule]:
    view = table.seen(_hands(draft)).but(bet=event.bet)
    rules = [*table.engine.ask(about_bet(event.bet, "odds"), view).rules]
    return [*table.engine.ask(about_bet(event.bet, "result"), view).rules, *rules]


def _stake(draft: Draft, event: r.Settle) -> int:
    mine = [w.stake for w in draft.wagers if (w.player, w.bet) == (event.player, event.bet)]
    return sum(mine)


def _repay(fault: NamedFault, table: Table, draft: Draft, rng: Random, wins: bool, by: int) -> bool:
    """Give a winner or a loser something else than is due."""
    places = [n for n, e in enumerate(draft.settled) if (e.returned > _stake(draft, e)) == wins]
    if not places:
        return False
    place = places[rng.randrange(len(places))]
    event = draft.settled[place]
    other = event.returned + by if wins else _stake(draft, event)
    if other == event.returned or other < 0:
        return False
    draft.settled[place] = replace(event, returned=other)
    return fault.report("R501", _settled_by(table, draft, event))


def _overpaid(fault: NamedFault, table: Table, draft: Draft, rng: Random) -> bool:
    return _repay(fault, table, draft, rng, True, 100)


def _underpaid(fault: NamedFault, table: Table, draft: Draft, rng: Random) -> bool:
    return _repay(fault, table, draft, rng, True, -100)


def _loser_paid(fault: NamedFault, table: Table, draft: Draft, rng: Random) -> bool:
    return _repay(fault, table, draft, rng, False, 0)


def _not_settled(fault: NamedFault, table: Table, draft: Draft, rng: Random) -> bool:
    if len(draft.settled) < 2:
        return False
    event = draft.settled.pop(rng.randrange(len(draft.settled)))
    return fault.report("R503", _settled_by(table, draft, event))


def _settled_twice(fault: NamedFault, table: Table, draft: Draft, rng: Random) -> bool:
    event = draft.settled[-1]
    draft.settled.append(event)
    return fault.report("R504", _settled_by(table, draft, event))


def _winner_first(fault: NamedFault, table: Table, draft: Draft, rng: Random) -> bool:
    first, last = draft.settled[0], draft.settled[-1]
    if first.returned or last.returned <= _stake(draft, last):
        return False
    draft.settled.insert(0, draft.settled.pop())
    rules = [rule for rule, _ in table.engine.by_question.get(requiring("settlement"), ())]
    return fault.report("R530", rules)


def _settled_early(fault: NamedFault, table: Table, draft: Draft, rng: Random) -> bool:
    event = draft.settled.pop(0)
    draft.late.append((len(draft.dealt) - 1, event))
    rules = [rule for rule, _ in table.engine.by_question.get(about_bet(event.bet, "settles"), ())]
    return fault.report("R502", rules)


# --- wagers and limits


def _spoilt_wager(
    fault: NamedFault, table: Table, draft: Draft, stake: int, **more: Any
) -> list[Rule]:
    view = table.wager_view(draft, draft.wagers[0].bet, stake, **more)
    return list(table.engine.broken(requiring("wager"), view))


def _other_stake(fault: NamedFault, table: Table, draft: Draft, stake: int) -> bool:
    if stake <= 0:
        return False
    rules = _spoilt_wager(fault, table, draft, stake)
    mine = draft.wagers[0]
    draft.wagers = [mine, *(w for w in draft.wagers[1:] if w.player != mine.player)]
    draft.wagers[0] = replace(mine, stake=stake)
    draft.settled = table.settle(draft)
    return fault.report("R530", rules)


def _over_maximum(fault: NamedFault, table: Table, draft: Draft, rng: Random) -> bool:
    most = table.limits[draft.wagers[0].bet].max if table.limits else None
    least = table.limits[draft.wagers[0].bet].min if table.limits else None
    return most is not None and _other_stake(fault, table, draft, most + (least or 100))


def _under_minimum(fault: NamedFault, table: Table, draft: Draft, rng: Random) -> bool:
    least = table.limits[draft.wagers[0].bet].min if table.limits else None
    return least is not None and _other_stake(fault, table, draft, least // 2)


def _off_unit(fault: NamedFault, table: Table, draft: Draft, rng: Random) -> bool:
    return _other_stake(fault, table, draft, draft.wagers[0].stake + 500)


def _late_wager(fault: NamedFault, table: Table, draft: Draft, after: int, **seen: Any) -> bool:
    mine = draft.wagers[0]
    late = replace(mine, player="P99")
    rules = _spoilt_wager(fault, table, draft, mine.stake, **seen)
    draft.wagers.append(late)
    draft.settled = table.settle(draft)
    draft.wagers.pop()
    draft.late.append((after, late))
    return fault.report("R530", rules)


def _after_call(fault: NamedFault, table: Table, draft: Draft, rng: Random) -> bool:
    return _late_wager(fault, table, draft, 0, after_call=True)


def _after_first_card(fault: NamedFault, table: Table, draft: Draft, rng: Random) -> bool:
    return _late_wager(fault, table, draft, 1, after_call=True, late=True)


def _seat_too_far(fault: NamedFault, table: Table, draft: Draft, rng: Random) -> bool:
    mine = replace(draft.wagers[0], box=r.SEAT_MAX)
    rules = _spoilt_wager(fault, table, draft, mine.stake, wager=mine)
    draft.wagers[0] = mine
    return fault.report("R530", rules)


# --- cards and shoe


def _wrong_decks(fault: NamedFault, table: Table, draft: Draft, rng: Random) -> bool:
    draft.decks = table.decks + 1
    blank = table.seen({})
    blank.table.round = draft.round(table.engine.rulebook.id)
    return fault.report("R530", table.engine.broken(requiring("round"), blank))


def _wrong_order(fault: NamedFault, table: Table, draft: Draft, rng: Random) -> bool:
    """The first two cards go the other way round."""
    one, two = draft.dealt[:2]
    if not isinstance(one, r.Deal) or not isinstance(two, r.Deal) or one.to == two.to:
        return False
    draft.dealt[:2] = [two, one]
    facts = {"initial": True, "in_turn": False, "rank": two.card[0], "copies": 1, "call_made": True}
    view = table.seen({}).but(deal=facts)
    return fault.report("R530", table.engine.broken(requiring("deal"), view))


def _extra_card(fault: NamedFault, table: Table, draft: Draft, rng: Random) -> bool:
    """A hand that must stand draws at the end."""
    held = _hands(draft)
    draws, turn = draws_of(table.engine), None
    while True:
        draws, turn = draws.next(table.seen(held))
        if turn is None or (turn.due is False and len(held[turn.hand]) < 3):
            break
        draws = draws.passed()
    if turn is None or len(draft.dealt) > len(table.seen({}).engine.rulebook.game.hands) * 2:
        return False
    draft.dealt.append(
        r.Deal(r.NO_BOX, 1, table.pack[rng.randrange(len(table.pack))], to=turn.hand)
    )
    draft.settled = []
    return fault.report("R520", [rule for rule in turn.answer.rules if rule.value in BANS])


def _card_left_out(fault: NamedFault, table: Table, draft: Draft, rng: Random) -> bool:
    """The last card, which was due, is not drawn."""
    last = draft.dealt[-1]
    cards = [event for event in draft.dealt if isinstance(event, r.Deal)]
    if not isinstance(last, r.Deal) or len(cards) <= table_deal(table):
        return False
    draft.dealt.pop()
    held = _hands(draft)
    draws, turn = draws_of(table.engine), None
    while True:
        draws, turn = draws.next(table.seen(held))
        if turn is None or turn.due:
            break
        draws = draws.passed()
    if turn is None:
        return False
    draft.settled = []
    return fault.report("R521", [rule for rule in turn.answer.rules if rule.value == "must"])


def table_deal(table: Table) -> int:
    from checker.table.named_hands import order_of_deal

    return len(order_of_deal(table.engine.rulebook.game))


def _wrong_burn(fault: NamedFault, table: Table, draft: Draft, rng: Random) -> bool:
    if not draft.opening:
        return False
    draft.opening.append(r.Burn(table.pack[rng.randrange(len(table.pack))]))
    round_ = replace(table.seen({}).table.round, events=tuple(draft.opening))
    blank = table.seen({})
    blank.table.round = round_
    view = blank.but(before=before_play(round_, True))
    return fault.report("R530", table.engine.broken(requiring("round"), view))


def _void_for_nothing(fault: NamedFault, table: Table, draft: Draft, rng: Random) -> bool:
    if any(isinstance(event, r.CutCard) for event in draft.dealt):
        return False
    draft.dealt.append(r.Void("round"))
    draft.settled = [replace(e, returned=_stake(draft, e)) for e in draft.settled]
    answer = table.engine.ask(
        whether("casino", table.engine.mechanics.roles["voids the round"]),
        table.seen(_hands(draft)),
    )
    return fault.report("R580", answer.rules)


KINDS: dict[str, Act] = {
    "overpaid": _overpaid,
    "underpaid": _underpaid,
    "loser_paid": _loser_paid,
    "not_settled": _not_settled,
    "settled_twice": _settled_twice,
    "winner_first": _winner_first,
    "settled_early": _settled_early,
    "over_maximum": _over_maximum,
    "under_minimum": _under_minimum,
    "off_unit": _off_unit,
    "after_call": _after_call,
    "after_first_card": _after_first_card,
    "seat_too_far": _seat_too_far,
    "wrong_decks": _wrong_decks,
    "wrong_order": _wrong_order,
    "extra_card": _extra_card,
    "card_left_out": _card_left_out,
    "wrong_burn": _wrong_burn,
    "void_for_nothing": _void_for_nothing,
}
