"""Violations with wagers, cards and the order of dealing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from checker.evaluate.engine import Answer, Value
from checker.log import model as r
from checker.simulate.fault import Fault, Kind
from checker.simulate.round import RoundMaker
from checker.simulate.setup import broken, on_cards, permitted_decks
from checker.simulate.state import Seat
from checker.table.shoes import ShoeView
from checker.table.state import Box, Hand
from rulespec.resolve.question import about_bet, whether
from rulespec.resolve.rulebook import Rule


def _broken_wager(maker: RoundMaker, event: r.Wager, late: bool = False) -> list[Rule]:
    """The requirements that a wager on the table breaks."""
    box = maker.table.box(event.box)
    scene = maker.scene(
        box=box,
        player=event.player,
        bet=event.bet,
        stake=event.stake,
        wager=event,
        late=late,
        after_call=maker.table.call_made,
        hand=box.hands.get(1),
    )
    moments = ("wager", event.bet)
    return [rule for moment in moments for rule in broken(maker.engine, moment, scene)]


def _check(fault: Fault, maker: RoundMaker, box: int, player: str) -> None:
    """Once all wagers are down, note what those of one player break."""

    def check() -> None:
        for bet in maker.table.box(box).bets:
            if bet.event.player == player:
                fault.report("R530", _broken_wager(maker, bet.event))

    fault.notes["check wagers"] = check


def _stranger(maker: RoundMaker, box: int, number: int = 0) -> Seat:
    low = maker.setup.main_limits.min or 100
    name = f"P{999_999 - number}"
    return Seat(box, name, low, player_card=f"C{name[1:]}")


def _alone(maker: RoundMaker) -> list[int]:
    """Boxes with the wager of one player only."""
    return [b.number for b in maker.table.in_play if len({w.player for w in b.main}) == 1]


# --- before the deal


def _decks(fault: Fault, maker: RoundMaker) -> None:
    allowed = permitted_decks(maker.engine, maker.setup.options)
    wrong = [n for n in range(maker.setup.decks + 1, r.DECKS_MAX + 1) if n not in allowed]
    if wrong:
        maker.decks = wrong[fault.rng.randrange(len(wrong))]
        maker.lay_out()
        fault.report("R530", broken(maker.engine, "round", maker.scene()))


def _no_card(fault: Fault, maker: RoundMaker) -> None:
    seat = maker.seats[fault.rng.randrange(len(maker.seats))]
    maker.seats = [
        replace(s, player_card=None) if (s.box, s.player) == (seat.box, seat.player) else s
        for s in maker.seats
    ]
    _check(fault, maker, seat.box, seat.player)


def _main_stake(change: Callable[[r.Limits], int]) -> Callable[..., None]:
    def act(fault: Fault, maker: RoundMaker) -> None:
        index = fault.rng.randrange(len(maker.seats))
        seat = maker.seats[index]
        if sum(s.box == seat.box for s in maker.seats) > 1:
            return
        stake = change(maker.setup.main_limits)
        if stake > 0:
            maker.seats[index] = replace(seat, stake=stake)
            _check(fault, maker, seat.box, seat.player)

    return act


def _high_box(fault: Fault, maker: RoundMaker) -> None:
    last = max(seat.box for seat in maker.seats)
    maker.seats = [replace(s, box=r.BOX_MAX) if s.box == last else s for s in maker.seats]
    if maker.aim.box == last:
        maker.aim.box = r.BOX_MAX

    def check() -> None:
        box = maker.table.box(r.BOX_MAX)
        for moment, scene in (("round", maker.scene()), ("box", maker.scene(box=box))):
            fault.report("R530", broken(maker.engine, moment, scene))

    fault.notes["check wagers"] = check


def _crowd(fault: Fault, maker: RoundMaker) -> None:
    """One player more on a box than there may be."""
    boxes = _alone(maker)
    if not boxes:
        return
    for number in range(maker.setup.capacity):
        maker.place(_stranger(maker, boxes[0], number))
    box = maker.table.box(boxes[0])
    fault.report("R530", broken(maker.engine, "box", maker.scene(box=box)))


def _second_wager(fault: Fault, maker: RoundMaker) -> None:
    boxes = _alone(maker)
    if boxes:
        first = maker.table.box(boxes[0]).main[0]
        event = replace(first, stake=maker.setup.main_limits.min or 100, control=False, n=maker.n)
        maker.emit(event)
        fault.report("R530", _broken_wager(maker, event))


def _no_such_side_bet(fault: Fault, maker: RoundMaker) -> None:
    wager = maker.table.in_play[0].main[0]
    for bet in on_cards(maker.engine):
        if bet not in maker.setup.side_bets and maker.engine.has(about_bet(bet, "result")):
            event = r.Wager(
                wager.box, wager.player, bet, 500, player_card=wager.player_card, n=maker.n
            )
            maker.emit(event)
            fault.report("R530", _broken_wager(maker, event))
            return


# --- the shoe


def _no_burn(fault: Fault, answer: Answer) -> bool:
    return fault.report("R540", [x for x in answer.rules if x.value == "must"])


def _no_shuffle(fault: Fault, maker: RoundMaker) -> None:
    maker.view = ShoeView(new=False, cut_card_out=True, shuffled=False, known=True)
    answer = maker.engine.ask(whether("casino", "shuffle"), maker.scene())
    if "must" in answer.values and not set(answer.values) & {"may", "must not", "may not"}:
        fault.report("R540", [x for x in answer.rules if x.value == "must"])


def _card_facts(maker: RoundMaker, card: str, copies: int) -> list[Rule]:
    rank = "joker" if card == r.JOKER else card[0]
    facts: dict[str, Value] = {"rank": rank, "copies": copies}
    return broken(maker.engine, "card", maker.scene(deal=facts))


def _foreign(fault: Fault, maker: RoundMaker, box: int, hand: int, card: str) -> str:
    """A rank that is not in the cards of the game, to a box with one player."""
    strange = [rank for rank in r.RANKS if rank not in maker.setup.ranks]
    if not strange or box not in _alone(maker) or len(maker.table.box(box).received) != 1:
        return card
    wrong = strange[0] + card[1]
    if not fault.report("R530", _card_facts(maker, wrong, 1)):
        return card
    maker.shoe.place -= 1  # the card that should have come is still there
    return wrong


def _joker(fault: Fault, maker: RoundMaker, box: int, hand: int, card: str) -> str:
    """A joker comes out; the card in its place follows."""
    if maker.table.first_card is None or box == r.DEALER:
        return card
    if fault.report("R530", _card_facts(maker, r.JOKER, 1)):
        maker.emit(r.Deal(box, hand, r.JOKER, n=maker.n))
    return card


def _too_often(fault: Fault, maker: RoundMaker, box: int, hand: int, card: str) -> str:
    spent = [c for c in maker.shoe.spent() if c != card]
    if not spent or maker.setup.continuous:
        return card
    wrong = spent[fault.rng.randrange(len(spent))]
    if not fault.report("R530", _card_facts(maker, wrong, maker.setup.decks + 1)):
        return card
    maker.shoe.place -= 1
    return wrong


# --- the order of dealing


def _deal_rules(
    maker: RoundMaker, box: Box | None, hand: Hand | None, position: int, **facts: Value
) -> list[Rule]:
    told: dict[str, Value] = {
        "rank": maker.setup.ranks[1],
        "copies": 1,
        "initial": True,
        "to_dealer": box is None,
        "in_turn": True,
        "hands_in_turn": True,
        "call_made": True,
        **facts,
    }
    player = box.controller if box is not None else None
    scene = maker.scene(deal=told, box=box, hand=hand, player=player, card_position=position)
    return broken(maker.engine, "deal", scene)


def _order(fault: Fault, maker: RoundMaker, order: list[int]) -> list[int]:
    """Two boxes get their first cards the wrong way round."""
    if len(order) < 5:
        return order
    for number in order[:2]:
        box = maker.table.box(number)
        fault.report("R530", _deal_rules(maker, box, box.hands[1], 1, in_turn=False))
    return [order[1], order[0], *order[2:]] if fault.found else order


def _boxes(fault: Fault, maker: RoundMaker, boxes: list[Box]) -> list[Box]:
    """The second box is played before the first."""
    if len(boxes) < 2:
        return boxes
    first, second = boxes[:2]
    fault.report(
        "R530", _deal_rules(maker, second, second.hands[1], 3, initial=False, in_turn=False)
    )

    def check() -> bool:
        after = [e for e in maker.events[maker.opening :] if isinstance(e, r.Deal | r.Play)]
        cards = [e.n for e in after if isinstance(e, r.Deal) and e.box == second.number]
        return bool(cards) and any(e.box == first.number and e.n > cards[0] for e in after)

    fault.notes["check play"] = check
    return [second, first, *boxes[2:]] if fault.found else boxes


def _hands(fault: Fault, maker: RoundMaker, box: Box, hand: Hand) -> None:
    """The hand behind gets its card before the one in front."""
    place = box.order.index(hand.number)
    if place + 1 >= len(box.order):
        return
    later = box.hands[box.order[place + 1]]
    if len(later.cards) != 1 or later.number < hand.number:
        return
    rules = _deal_rules(maker, box, later, 2, initial=False, hands_in_turn=False)
    if fault.report("R530", rules):
        maker.deal(box.number, later.number)


# --- after the first card


def _late_wager(fault: Fault, maker: RoundMaker) -> None:
    boxes = _alone(maker)
    if not boxes:
        return
    seat = _stranger(maker, boxes[0])
    event = r.Wager(
        seat.box, seat.player, maker.setup.main, seat.stake, player_card=seat.player_card, n=maker.n
    )
    maker.emit(event)
    fault.report("R530", _broken_wager(maker, event, late=True))


def _late_side_bet(fault: Fault, maker: RoundMaker) -> None:
    for box in maker.table.in_play:
        wager = box.main[0]
        for bet in maker.setup.side_bets:
            if not any(b.event.bet == bet and b.event.player == wager.player for b in box.bets):
                event = r.Wager(
                    box.number,
                    wager.player,
                    bet,
                    maker.setup.side_stakes[0],
                    player_card=wager.player_card,
                    n=maker.n,
                )
                maker.emit(event)
                fault.report("R530", _broken_wager(maker, event, late=True))
                return


def _call_late(fault: Fault, maker: RoundMaker) -> None:
    """The betting is closed only after the first card."""
    maker.emit(r.NoMoreBets(n=maker.n))
    for box in maker.table.in_play:
        for position in (1, 2):
            rules = _deal_rules(maker, box, box.hands[1], position, call_made=False)
            fault.report("R530", rules)
    fault.report("R530", _deal_rules(maker, None, None, 1, call_made=False))


KINDS = (
    Kind("wrong_number_of_decks", "start", _decks),
    Kind("no_player_card", "start", _no_card),
    Kind("wager_above_maximum", "start", _main_stake(lambda x: (x.max or 0) + (x.unit or 100))),
    Kind("wager_below_minimum", "start", _main_stake(lambda x: (x.min or 0) - (x.unit or 100))),
    Kind("wager_off_the_unit", "start", _main_stake(lambda x: (x.min or 0) + (x.unit or 100) // 2)),
    Kind("box_beyond_the_table", "start", _high_box),
    Kind("too_many_players", "wagers", _crowd),
    Kind("second_wager_on_a_box", "wagers", _second_wager),
    Kind("side_bet_not_offered", "wagers", _no_such_side_bet),
    Kind("no_burn", "burn", _no_burn),
    Kind("no_shuffle", "start", _no_shuffle),
    Kind("foreign_card", "card", _foreign, undecided=True),
    Kind("joker", "card", _joker),
    Kind("card_too_often", "card", _too_often),
    Kind("deal_out_of_order", "order", _order),
    Kind("boxes_out_of_order", "boxes", _boxes),
    Kind("split_hands_out_of_order", "second card", _hands, ("pair",)),
    Kind("late_wager", "late", _late_wager),
    Kind("late_side_bet", "late", _late_side_bet),
    Kind("call_after_the_first_card", "late", _call_late),
)
