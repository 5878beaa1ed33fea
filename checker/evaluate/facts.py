"""How each fact of the vocabulary is read off a scene. One function for each name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from checker.evaluate.card_terms import reader_of
from checker.evaluate.engine import Value
from checker.evaluate.facts_of_other_wagers import (
    beside_carried,
    boxes_dealt,
    half_in_chips,
    hands_with,
    reported,
)
from checker.evaluate.facts_of_play import (
    all_surrendered,
    before_next_card,
    card_shared,
    controller_did,
    doubled_before,
    first_of_player,
    missed_first,
    next_in_line,
    offer_missed,
    only_surrendered,
    original_bust,
    play_stake,
    player_card,
    players_done,
    seated,
    seated_somewhere,
    split_covered,
    stands_for_original,
    wager_mark,
    whole_units,
    won_bonus,
)
from checker.evaluate.scene import SeenScene
from checker.evaluate.shelves import FUNCTIONS, WORTH
from checker.evaluate.totals import (
    Totals,
    dealer_totals,
    ranks_of,
    same_value,
    suit_of,
    totals,
    worth,
)
from checker.log.model import CutCard, Wager
from checker.table.state import Box, Dealt, Hand
from rulespec.tree.cards import SUIT_NAMES, colour_of

Function = Callable[[SeenScene], Value]


def _hand_totals(scene: SeenScene) -> Totals | None:
    known = scene.shelf_of("hand.total")
    if "totals" not in known:
        known["totals"] = totals(scene, scene.hand) if scene.hand else None
    found: Totals | None = known["totals"]
    return found


def _dealer_totals(scene: SeenScene) -> Totals | None:
    known = scene.shelf_of("dealer.total")
    if "dealer totals" not in known:
        known["dealer totals"] = dealer_totals(scene, scene.dealer)
    found: Totals | None = known["dealer totals"]
    return found


def _pick(which: Callable[[SeenScene], Totals | None], index: int) -> Function:
    def pick(scene: SeenScene) -> Value:
        found = which(scene)
        return None if found is None else found[index]

    return pick


def _of_hand(read: Callable[[SeenScene, Hand], Value], missing: Value = False) -> Function:
    """Facts about a player's hand; a dealer's hand has none of these marks."""

    def fact(scene: SeenScene) -> Value:
        if scene.hand is None or scene.is_dealer:
            return missing
        return read(scene, scene.hand)

    return fact


def _of_wager_on_hand(name: str) -> Function:
    """Whether the player of the wager is among those whom the hand names."""

    def fact(scene: SeenScene) -> Value:
        hand = scene.hand
        return hand is not None and not scene.is_dealer and scene.player in getattr(hand, name)

    return fact


def _did(action: str) -> Function:
    """Whether the player of the wager did something on the hand."""

    def fact(scene: SeenScene) -> Value:
        hand = scene.hand
        return hand is not None and not scene.is_dealer and scene.player in hand.did(action)

    return fact


def _from_split(test: Callable[[SeenScene, str], Value]) -> Function:
    """Whether the hand comes from a split, of cards that pass a test."""

    def fact(scene: SeenScene) -> Value:
        hand = scene.hand
        if hand is None or scene.is_dealer or hand.from_split is None:
            return False
        return test(scene, hand.from_split)

    return fact


def _counts_ten(scene: SeenScene, rank: str) -> Value:
    points = worth(scene, rank) if rank != "?" else 0
    return None if points is None else points == 10


def _any_pair(scene: SeenScene, pairs: Iterable[tuple[str, str]]) -> Value:
    found = [same_value(scene, *pair) for pair in pairs]
    return True if True in found else None if None in found else False


def _of_box(read: Callable[[SeenScene, Box], Value]) -> Function:
    return lambda scene: None if scene.box is None else read(scene, scene.box)


def _of_player(read: Callable[[SeenScene, Box, str], Value]) -> Function:
    def fact(scene: SeenScene) -> Value:
        if scene.box is None or scene.player is None:
            return None
        return read(scene, scene.box, scene.player)

    return fact


def _card_of_box(index: int, read: Callable[[Dealt], Value], missing: Value) -> Function:
    def fact(scene: SeenScene) -> Value:
        if scene.box is None or len(scene.box.received) <= index:
            return missing
        return read(scene.box.received[index])

    return fact


def _limit(name: str) -> Function:
    return lambda scene: getattr(scene.limits, name)


def _box_max(scene: SeenScene) -> Value:
    if scene.box is None:
        return scene.limits.max
    raised = scene.limits.box_max or {}
    return raised.get(scene.box.number, scene.limits.max)


def _room(scene: SeenScene) -> Value:
    """What the box maximum leaves for this player once those before have had theirs."""
    limit = _box_max(scene)
    if limit is None or scene.box is None:
        return None
    assert isinstance(limit, int)
    first = [w for w in scene.box.main if w.player == scene.box.controller]
    others = [w for w in scene.box.main if w.player != scene.box.controller]
    left = limit
    for wager in (*first, *others):
        if wager.player == scene.player:
            return max(left, 0)
        left -= min(wager.stake, max(left, 0))
    return max(left, 0)


def _against(name: str, breaks: Callable[[int, int], bool]) -> Function:
    def fact(scene: SeenScene) -> Value:
        limit = _box_max(scene) if name == "max" else getattr(scene.limits, name)
        return breaks(scene.stake, limit) if isinstance(limit, int) else None

    return fact


def _against_chip(test: Callable[[int, int], bool]) -> Function:
    def fact(scene: SeenScene) -> Value:
        chip = scene.table.smallest_chip
        if not chip or scene.play is None:
            return None
        return test(scene.play.stake or 0, chip)

    return fact


def _shoe(name: str) -> Function:
    return lambda scene: getattr(scene.shoe, name)


def _shoe_player(name: str) -> Function:
    def fact(scene: SeenScene) -> Value:
        if not scene.shoe.known or scene.player is None:
            return None
        table: dict[str, Any] = getattr(scene.shoe, name)
        found: Value = table.get(scene.player, False if name != "idle" else 0)
        return found

    return fact


def _highest(scene: SeenScene, box: Box, player: str) -> Value:
    return all(w.stake <= box.original(player) for w in box.main)


def _aces(cards: Sequence[Dealt]) -> int:
    return [dealt.card[0] for dealt in cards].count("A")


_FUNCTIONS: dict[str, Function] = {
    "round.decks": lambda s: s.table.round.decks,
    "round.boxes": lambda s: len(s.table.in_play),
    "round.has_wagers": lambda s: any(b.bets for b in s.table.boxes.values()),
    "round.highest_box": lambda s: max((b.number for b in s.table.in_play), default=0),
    "round.super_bonus": lambda s: bool(s.bonus_winners) or (None if s.bonus_open else False),
    "round.super_bonus_amount": lambda s: s.bonus_priced,
    "round.over": lambda s: s.table.over,
    "round.void": lambda s: s.table.void,
    "round.irregularity_found": lambda s: s.table.found,
    "limit.min": _limit("min"),
    "limit.max": _limit("max"),
    "limit.unit": _limit("unit"),
    "limit.box_max": _box_max,
    "limit.box_max_stated": lambda s: (
        s.box is not None and s.box.number in (s.limits.box_max or {})
    ),
    "limit.smallest_chip": _limit("smallest_chip"),
    "limit.multiples_notice": _limit("multiples_notice"),
    "box.number": _of_box(lambda s, b: b.number),
    "box.players": _of_box(lambda s, b: len({w.player for w in b.main})),
    "box.main_total": _of_box(lambda s, b: sum(w.stake for w in b.main)),
    "box.side_bets": _of_box(lambda s, b: sum(x.event.bet == s.bet for x in b.bets)),
    "box.has_main": _of_box(lambda s, b: bool(b.main)),
    "box.doubled_before": _of_box(doubled_before),
    "box.hands": _of_box(lambda s, b: len(b.hands)),
    "player.controls": _of_player(lambda s, b, p: p == b.controller),
    "player.next_in_line": _of_player(next_in_line),
    "player.recognised": lambda s: wager_mark(s, "recognised", None),
    "player.joined_after_change": lambda s: wager_mark(s, "joined_after_change", None),
    "player.seated": _of_player(seated),
    "player.someone_seated": _of_box(seated_somewhere),
    "player.highest_stake": _of_player(_highest),
    "player.equal_stakes": _of_box(lambda s, b: len({b.original(w.player) for w in b.main}) <= 1),
    "player.first_on_box": _of_player(lambda s, b, p: bool(b.main) and b.main[0].player == p),
    "player.wagers_on_box": _of_player(
        lambda s, b, p: sum(x.event.bet == s.bet and x.event.player == p for x in b.bets)
    ),
    "player.boxes": lambda s: len(
        {
            e.box
            for e in s.table.round.events
            if isinstance(e, Wager) and e.bet == "main" and e.player == s.player
        }
    ),
    "player.card": _of_player(player_card),
    "player.card_shared": _of_player(card_shared),
    "player.absent": _of_player(lambda s, b, p: p in b.absent),
    "player.refused_card": _of_player(lambda s, b, p: p in b.refused),
    "player.warned": lambda s: s.player in s.shoe.warned or (False if s.shoe.known else None),
    "player.late_entry": _shoe_player("late_entry"),
    "player.late_entry_two": _shoe_player("late_entry_two"),
    "player.sat_out": _shoe_player("sat_out"),
    "player.sat_out_later": _shoe_player("sat_out_later"),
    "player.idle_rounds": _shoe_player("idle"),
    "wager.stake": lambda s: s.stake,
    "wager.original": _of_player(lambda s, b, p: b.original(p)),
    "wager.part": lambda s: s.part,
    "wager.doubled": _of_wager_on_hand("doublers"),
    "wager.surrendered": _did("surrender"),
    "wager.forfeited": _did("forfeit"),
    "wager.even_money": _did("even_money"),
    "wager.withdrawn": _of_wager_on_hand("withdrawn"),
    "wager.after_first_card": lambda s: s.late,
    "wager.after_call": lambda s: s.after_call,
    "wager.with_main": _of_player(lambda s, b, p: any(w.player == p for w in b.main)),
    "wager.with_perfect_pairs": _of_player(
        lambda s, b, p: any(x.event.player == p and x.event.bet == "perfect_pairs" for x in b.bets)
    ),
    "wager.room": _room,
    "wager.under_minimum": _against("min", lambda stake, limit: stake < limit),
    "wager.over_maximum": _against("max", lambda stake, limit: stake > limit),
    "wager.off_unit": _against("unit", lambda stake, limit: limit > 0 and stake % limit != 0),
    "wager.off_minimum": _against("min", lambda stake, limit: limit > 0 and stake % limit != 0),
    "wager.whole_units": whole_units,
    "wager.in_order": lambda s: wager_mark(s, "in_order", None),
    "wager.undisclosed": lambda s: wager_mark(s, "undisclosed", False),
    "wager.chips_held": lambda s: wager_mark(s, "chips_held", None),
    "wager.stands_for_original": stands_for_original,
    "wager.original_bust": original_bust,
    "wager.first_of_player": first_of_player,
    "wager.player_won_super_bonus": won_bonus,
    "hand.cards": lambda s: len(s.hand.cards) if s.hand else 0,
    "hand.total": _pick(_hand_totals, 0),
    "hand.hard_total": _pick(_hand_totals, 1),
    "hand.soft": _pick(_hand_totals, 2),
    "hand.ten_cards": _pick(_hand_totals, 3),
    "hand.aces": lambda s: _aces(s.hand.cards) if s.hand else 0,
    "hand.ranks": lambda s: ranks_of(s.hand) if s.hand else "",
    "hand.suits": lambda s: suit_of(s.hand) if s.hand and s.hand.cards else "mixed",
    "hand.number": _of_hand(lambda s, h: h.number, 1),
    "hand.equal_value": _of_hand(
        lambda s, h: len(h.cards) == 2 and same_value(s, h.cards[0].rank, h.cards[1].rank)
    ),
    "hand.split": _from_split(lambda s, rank: True),
    "hand.split_aces": _from_split(lambda s, rank: rank == "A"),
    "hand.split_tens": _from_split(_counts_ten),
    "hand.split_suited_sevens": _of_hand(
        lambda s, h: s.box is not None and s.box.split_suited_sevens
    ),
    "hand.declined_split": _of_hand(
        lambda s, h: _any_pair(s, (s.box.unsplit,) if s.box and s.box.unsplit else ())
    ),
    "hand.declined_resplit": _of_hand(
        lambda s, h: _any_pair(s, s.box.unsplit_again if s.box else ())
    ),
    "hand.withdrawn": _of_hand(lambda s, h: s.box is not None and s.box.controller in h.withdrawn),
    "hand.doubled": _of_hand(lambda s, h: h.doubled_with is not None),
    "hand.double_card_dealt": _of_hand(lambda s, h: h.double_card_dealt),
    "hand.late_ace_held": _of_hand(
        lambda s, h: (
            h.doubled_with is not None and any(d.rank == "A" for d in h.cards[2 : h.doubled_with])
        )
    ),
    "hand.surrendered": _of_hand(
        lambda s, h: s.box is not None and s.box.controller in h.did("surrender")
    ),
    "hand.all_surrendered": _of_hand(all_surrendered),
    "hand.short": lambda s: s.short,
    "hand.stood": _of_hand(lambda s, h: h.stood),
    "hand.void": _of_hand(lambda s, h: h.void or (s.box is not None and s.box.void)),
    "first.rank": _card_of_box(0, lambda d: d.rank, None),
    "first.suit": _card_of_box(0, lambda d: SUIT_NAMES[d.suit], None),
    "first.colour": _card_of_box(0, lambda d: colour_of(d.suit), None),
    "second.rank": _card_of_box(1, lambda d: d.rank, None),
    "second.suit": _card_of_box(1, lambda d: SUIT_NAMES[d.suit], None),
    "second.colour": _card_of_box(1, lambda d: colour_of(d.suit), None),
    "third.rank": _card_of_box(2, lambda d: d.rank, "none"),
    "third.suit": _card_of_box(2, lambda d: SUIT_NAMES[d.suit], "none"),
    "dealer.cards": lambda s: len(s.dealer),
    "dealer.total": _pick(_dealer_totals, 0),
    "dealer.hard_total": _pick(_dealer_totals, 1),
    "dealer.soft": _pick(_dealer_totals, 2),
    "dealer.ten_cards": _pick(_dealer_totals, 3),
    "dealer.aces": lambda s: _aces(s.dealer),
    "dealer.first": lambda s: s.dealer[0].rank if s.dealer else None,
    "dealer.second": lambda s: s.dealer[1].rank if len(s.dealer) > 1 else "none",
    "dealer.no_effect": lambda s: s.no_effect,
    "dealer.only_surrendered": only_surrendered,
    "dealer.players_done": players_done,
    "dealer.face_down": lambda s: sum(d.down for d in s.table.dealer),
    "dealer.peeked": lambda s: s.table.peeked,
    "dealer.missed_first": missed_first,
    "play.stake": play_stake,
    "play.off_half_chip": _against_chip(lambda stake, chip: 2 * stake % chip != 0),
    "play.payable_in_chips": _against_chip(lambda stake, chip: 2 * stake % chip == 0),
    "play.intended_earlier": lambda s: None,
    "play.hands_after": _of_box(lambda s, b: len(b.hands) + 1),
    "play.before_subsequent_deal": lambda s: s.table.subsequent is None,
    "play.before_second_dealer_card": lambda s: not s.table.second_dealer_card_out,
    "play.before_next_card": before_next_card,
    "play.hand_untouched": _of_hand(lambda s, h: len(h.cards) == 2 and h.from_split is None),
    "play.controller_did": controller_did,
    "play.offer_missed": offer_missed,
    "play.hand_settled": lambda s: (
        s.box is not None
        and s.hand is not None
        and (s.box.number, s.hand.number, s.player, "main") in s.table.settled
    ),
    "play.split_covered": _of_player(split_covered),
    "play.answered": lambda s: s.deal.get("answered", True),
    "card.rank": lambda s: s.deal.get("rank") or (s.card.rank if s.card else None),
    "card.position": lambda s: s.card_position,
    "card.initial": lambda s: s.card.initial if s.card else False,
    "card.held_when_doubled": _of_hand(
        lambda s, h: h.doubled_with is not None and s.card_position <= h.doubled_with
    ),
    "card.copies": lambda s: s.deal.get("copies"),
    "card.not_due": lambda s: s.card_not_due,
    "card.burnt": lambda s: s.deal.get("burnt", False),
    "card.asked_for": lambda s: s.deal.get("asked_for", True),
    "deal.in_turn": lambda s: s.deal.get("in_turn", True),
    "deal.face_down": lambda s: s.deal.get("face_down", False),
    "deal.initial": lambda s: s.deal.get("initial", False),
    "deal.to_dealer": lambda s: s.deal.get("to_dealer", False),
    "deal.hands_in_turn": lambda s: s.deal.get("hands_in_turn", True),
    "deal.call_made": lambda s: s.deal.get("call_made"),
    "deal.boxes_dealt": boxes_dealt,
    "card.reported": reported,
    "play.half_in_chips": half_in_chips,
    "player.hands_won": _of_player(hands_with("wins")),
    "player.hands_lost": _of_player(hands_with("loses", "loses half")),
    "wager.wins": lambda s: wager_mark(s, "wins", None) or 0,
    "wager.beside_carried": _of_player(beside_carried),
    "settlement.returned": lambda s: s.settlement.get("returned", 0),
    "settlement.count": lambda s: s.settlement.get("count", 1),
    "settlement.error": lambda s: s.settlement.get("error", 0),
    "settlement.overpaid": lambda s: s.settlement.get("overpaid", False),
    "settlement.adjusted": lambda s: s.settlement.get("adjusted", False),
    "shoe.new": _shoe("new"),
    "shoe.cut_card_out": _shoe("cut_card_out"),
    "shoe.no_cut_card": _shoe("no_cut_card"),
    "shoe.cut_card_in_last_rounds": _shoe("cut_card_in_last_rounds"),
    "shoe.cut_card_now": lambda s: any(isinstance(e, CutCard) for e in s.table.round.events),
    "shoe.cut_card_first": lambda s: s.deal.get("cut_card_first", False),
    "shoe.shuffled": _shoe("shuffled"),
    "shoe.burns": _shoe("burns"),
    "shoe.burns_recorded": _shoe("burns_recorded"),
    "shoe.cards_out": _shoe("cards_out"),
}

FUNCTIONS.update(_FUNCTIONS)
FUNCTIONS.of_cards = reader_of
WORTH.append(worth)
