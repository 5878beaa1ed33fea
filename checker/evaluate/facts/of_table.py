"""The facts of a round, its shoe, its limits, its cards as they are dealt and its settlements."""

from __future__ import annotations

from checker.evaluate.facts.home import Fixed, Home
from checker.evaluate.facts.of_other_wagers import boxes_dealt, call_logged, left_out_last
from checker.evaluate.facts.readers import box_max, limit, of_hand, of_shoe
from checker.evaluate.memory.shelves import BOX, ROUND, WAGER
from checker.log.model import CutCard

FACTS_OF_TABLE: dict[str, Home] = {
    "round.decks": Home(lambda s: s.table.round.decks, reads=ROUND, edge="dealt"),
    "round.boxes": Home(lambda s: len(s.table.in_play), reads=ROUND, edge="alone"),
    "round.has_wagers": Home(
        lambda s: any(b.bets for b in s.table.boxes.values()), reads=ROUND, edge="alone"
    ),
    "round.highest_box": Home(
        lambda s: max((b.number for b in s.table.in_play), default=0), reads=ROUND
    ),
    "round.super_bonus": Home(
        lambda s: bool(s.bonus_winners) or (None if s.bonus_open else False),
        rows="wager",
        rests_on="bonus",
        edge="ordinary",
    ),
    "round.super_bonus_amount": Home(
        lambda s: s.bonus_priced, rests_on="bonus amount", edge="ordinary"
    ),
    "round.over": Home(lambda s: s.table.over),
    "round.call_logged": Home(call_logged, reads=ROUND),
    "round.void": Home(
        lambda s: s.table.void, reads=ROUND, proof="event", fixed=Fixed(False), edge="ordinary"
    ),
    "round.irregularity_found": Home(
        lambda s: s.table.found,
        reads=ROUND,
        proof="event",
        fixed=Fixed("not_recorded"),
        edge="ordinary",
    ),
    "limit.min": Home(limit("min"), reads=BOX | WAGER, rows="wager", edge="limits"),
    "limit.max": Home(limit("max"), reads=BOX | WAGER, edge="limits"),
    "limit.unit": Home(limit("unit"), reads=BOX | WAGER, edge="limits"),
    "limit.box_max": Home(box_max, reads=BOX | WAGER, edge="limits"),
    "limit.box_max_stated": Home(
        lambda s: s.box is not None and s.box.number in (s.limits.box_max or {}),
        reads=BOX | WAGER,
        edge="limits",
    ),
    "limit.smallest_chip": Home(limit("smallest_chip"), reads=BOX | WAGER, edge="limits"),
    "limit.multiples_notice": Home(limit("multiples_notice"), reads=BOX | WAGER, edge="limits"),
    "card.rank": Home(
        lambda s: s.deal.get("rank") or (s.card.rank if s.card else None),
        proof="varied",
        edge="dealt",
    ),
    "card.position": Home(lambda s: s.card_position, proof="varied", edge="dealt"),
    "card.initial": Home(
        lambda s: s.card.initial if s.card else False, proof="varied", edge="dealt"
    ),
    "card.held_when_doubled": Home(
        of_hand(lambda s, h: h.doubled_with is not None and s.card_position <= h.doubled_with),
        of_dealer="none",
        proof="varied",
        column=("hand",),
        edge="dealt",
    ),
    "card.copies": Home(lambda s: s.deal.get("copies"), proof="varied", edge="dealt"),
    "card.not_due": Home(lambda s: s.card_not_due, fixed=Fixed(False)),
    "card.reported": Home(lambda s: s.deal.get("reported", False), fixed=Fixed(False)),
    "card.passed_over": Home(lambda s: s.deal.get("passed_over", False), fixed=Fixed(False)),
    "card.burnt": Home(lambda s: s.deal.get("burnt", False), proof="varied", fixed=Fixed(False)),
    "card.asked_for": Home(lambda s: s.deal.get("asked_for", True), fixed=Fixed(True)),
    "deal.in_turn": Home(lambda s: s.deal.get("in_turn", True), proof="varied"),
    "deal.initial": Home(lambda s: s.deal.get("initial", False), proof="varied"),
    "deal.to_dealer": Home(lambda s: s.deal.get("to_dealer", False), proof="varied"),
    "deal.hands_in_turn": Home(lambda s: s.deal.get("hands_in_turn", True), proof="varied"),
    "deal.face_down": Home(lambda s: s.deal.get("down", False)),
    "deal.call_made": Home(lambda s: s.deal.get("call_made")),
    "deal.boxes_dealt": Home(boxes_dealt),
    "deal.left_out_last": Home(left_out_last),
    "settlement.returned": Home(lambda s: s.settlement.get("returned", 0)),
    "settlement.count": Home(
        lambda s: s.settlement.get("count", 1), proof="varied", fixed=Fixed(1)
    ),
    "settlement.error": Home(
        lambda s: s.settlement.get("error", 0), proof="varied", fixed=Fixed(0)
    ),
    "settlement.overpaid": Home(
        lambda s: s.settlement.get("overpaid", False), proof="varied", fixed=Fixed(False)
    ),
    "settlement.adjusted": Home(
        lambda s: s.settlement.get("adjusted", False), proof="varied", fixed=Fixed(False)
    ),
    "shoe.new": Home(of_shoe("new"), reads=ROUND),
    "shoe.cut_card_out": Home(of_shoe("cut_card_out"), reads=ROUND),
    "shoe.no_cut_card": Home(lambda s: s.shoe.no_cut_card, reads=ROUND),
    "shoe.not_cut": Home(lambda s: s.shoe.not_cut, reads=ROUND, proof="varied"),
    "shoe.cut_card_in_last_rounds": Home(
        of_shoe("cut_card_in_last_rounds"), reads=ROUND, proof="varied"
    ),
    "shoe.cut_card_now": Home(
        lambda s: any(isinstance(e, CutCard) for e in s.table.round.events),
        reads=ROUND,
        proof="varied",
    ),
    "shoe.cut_card_first": Home(lambda s: s.deal.get("cut_card_first", False), proof="varied"),
    "shoe.shuffled": Home(of_shoe("shuffled"), reads=ROUND),
    "shoe.burns": Home(of_shoe("burns"), reads=ROUND),
    "shoe.burns_recorded": Home(of_shoe("burns_recorded"), reads=ROUND, proof="varied"),
    "shoe.cards_out": Home(of_shoe("cards_out"), reads=ROUND, proof="varied"),
}
