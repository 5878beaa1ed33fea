"""The facts of boxes, players, wagers and what players do."""

from __future__ import annotations

from checker.evaluate.facts.home import Fixed, Home
from checker.evaluate.facts.of_other_wagers import (
    beside_carried,
    half_in_chips,
    hands_with,
    of_offer,
    on_every_wager,
    play_wagered,
    split_answered,
)
from checker.evaluate.facts.of_play import (
    another_forfeited,
    before_next_card,
    card_shared,
    controller_did,
    doubled_before,
    first_of_player,
    next_in_line,
    offer_missed,
    original_bust,
    play_stake,
    player_card,
    seated,
    seated_somewhere,
    split_covered,
    stands_for_original,
    wager_mark,
    whole_units,
    won_bonus,
)
from checker.evaluate.facts.readers import (
    against_chip,
    against_limit,
    did,
    has_wager_named_in,
    highest,
    of_box,
    of_hand,
    of_player,
    of_shoe_and_player,
    of_wager_on_hand,
    room,
)
from checker.evaluate.memory.shelves import BOX, HAND, WAGER
from checker.log.model import Wager

FACTS_OF_WAGERS: dict[str, Home] = {
    "box.number": Home(of_box(lambda s, b: b.number), reads=BOX),
    "box.players": Home(
        of_box(lambda s, b: len({w.player for w in b.main})),
        reads=BOX,
        varied_for="choices",
        dealt=True,
        edge="alone",
    ),
    "box.main_total": Home(
        of_box(lambda s, b: sum(w.stake for w in b.main)), reads=BOX, edge="alone"
    ),
    "box.side_bets": Home(
        of_box(lambda s, b: sum(x.event.bet == s.bet for x in b.bets)), edge="alone"
    ),
    "box.has_main": Home(
        of_box(lambda s, b: bool(b.main)), reads=BOX, proof="varied", edge="alone"
    ),
    "box.doubled_before": Home(
        of_box(doubled_before),
        reads=BOX | HAND,
        varied_for="hands",
        column=("box", "hand"),
        edge="alone",
    ),
    "box.hands": Home(
        of_box(lambda s, b: len(b.hands)), reads=BOX | HAND, dealt=True, edge="alone"
    ),
    "player.controls": Home(
        of_player(lambda s, b, p: p == b.controller),
        reads=BOX | WAGER,
        proof="varied",
        rows="wager",
        edge="alone",
    ),
    "player.next_in_line": Home(
        of_player(next_in_line),
        reads=BOX | WAGER | HAND,
        varied_for="choices",
        dealt=True,
        edge="alone",
    ),
    "player.recognised": Home(lambda s: wager_mark(s, "recognised", None)),
    "player.joined_after_change": Home(lambda s: wager_mark(s, "joined_after_change", None)),
    "player.seated": Home(
        of_player(seated), reads=BOX | WAGER, varied_for="deciding", edge="alone"
    ),
    "player.someone_seated": Home(
        of_box(seated_somewhere), reads=BOX, varied_for="deciding", column=("box",), edge="alone"
    ),
    "player.highest_stake": Home(
        of_player(highest), reads=BOX | WAGER, varied_for="deciding", edge="alone"
    ),
    "player.equal_stakes": Home(
        of_box(lambda s, b: len({b.original(w.player) for w in b.main}) <= 1),
        reads=BOX,
        varied_for="deciding",
        column=("box",),
        edge="alone",
    ),
    "player.first_on_box": Home(
        of_player(lambda s, b, p: bool(b.main) and b.main[0].player == p),
        reads=BOX | WAGER,
        varied_for="deciding",
        dealt=True,
        edge="alone",
    ),
    "player.wagers_on_box": Home(
        of_player(
            lambda s, b, p: sum(x.event.bet == s.bet and x.event.player == p for x in b.bets)
        ),
        edge="alone",
    ),
    "player.boxes": Home(
        lambda s: len(
            {
                e.box
                for e in s.table.round.events
                if isinstance(e, Wager)
                and e.bet == s.engine.mechanics.main
                and e.player == s.player
            }
        ),
        reads=BOX | WAGER,
        edge="alone",
    ),
    "player.card": Home(of_player(player_card), reads=BOX | WAGER, proof="event", edge="alone"),
    "player.card_shared": Home(of_player(card_shared), reads=BOX | WAGER, edge="alone"),
    "player.absent": Home(
        of_player(lambda s, b, p: p in b.absent),
        reads=BOX | WAGER,
        proof="event",
        fixed=Fixed(False),
        edge="ordinary",
    ),
    "player.refused_card": Home(
        of_player(lambda s, b, p: p in b.refused),
        reads=BOX | WAGER,
        proof="event",
        fixed=Fixed(False),
        edge="ordinary",
    ),
    "player.warned": Home(
        lambda s: s.player in s.shoe.warned or (False if s.shoe.known else None),
        reads=BOX | WAGER,
        rows="wager",
        edge="ordinary",
    ),
    "player.late_entry": Home(of_shoe_and_player("late_entry"), reads=BOX | WAGER),
    "player.late_entry_two": Home(of_shoe_and_player("late_entry_two"), reads=BOX | WAGER),
    "player.sat_out": Home(of_shoe_and_player("sat_out"), reads=BOX | WAGER),
    "player.sat_out_later": Home(of_shoe_and_player("sat_out_later"), reads=BOX | WAGER),
    "player.hands_won": Home(of_player(hands_with("wins"))),
    "player.hands_lost": Home(of_player(hands_with("loses", "loses half"))),
    "player.idle_rounds": Home(of_shoe_and_player("idle"), reads=BOX | WAGER),
    "wager.stake": Home(
        lambda s: s.stake,
        reads=BOX | WAGER,
        proof="stake",
        column=("limits", "stake"),
        edge="limits",
    ),
    "wager.original": Home(
        of_player(lambda s, b, p: b.original(p)),
        reads=BOX | WAGER,
        proof="stake",
        column=("limits", "box", "player"),
        edge="limits",
    ),
    "wager.part": Home(
        lambda s: s.part, reads=BOX | WAGER, proof="varied", rows="wager", column=(), edge="dealt"
    ),
    "wager.doubled": Home(
        of_wager_on_hand("doublers"),
        reads=BOX | WAGER | HAND,
        of_dealer="none",
        proof="varied",
        rows="wager",
        column=("hand",),
        edge="dealt",
    ),
    "wager.surrendered": Home(
        did("leave"),
        reads=BOX | WAGER | HAND,
        of_dealer="none",
        proof="varied",
        rows="wager",
        column=("hand",),
        edge="dealt",
    ),
    "wager.forfeited": Home(
        did("give_up"),
        reads=BOX | WAGER | HAND,
        of_dealer="none",
        proof="varied",
        rows="wager",
        column=("hand",),
        edge="dealt",
    ),
    "wager.even_money": Home(
        did("claim"),
        reads=BOX | WAGER | HAND,
        of_dealer="none",
        proof="varied",
        rows="wager",
        column=("hand",),
        edge="ordinary",
    ),
    "wager.withdrawn": Home(
        of_wager_on_hand("withdrawn"),
        reads=BOX | WAGER | HAND,
        of_dealer="none",
        proof="event",
        fixed=Fixed(False),
        edge="ordinary",
    ),
    "wager.wins": Home(lambda s: wager_mark(s, "wins", None) or 0, fixed=Fixed(0)),
    "wager.beside_carried": Home(of_player(beside_carried)),
    "wager.of_offer": Home(of_player(of_offer), column=("offer",)),
    "wager.split_answered": Home(of_player(split_answered), column=("box", "player", "limits")),
    "wager.after_first_card": Home(lambda s: s.late, fixed=Fixed(False), edge="ordinary"),
    "wager.after_call": Home(lambda s: s.after_call, column=("limits", "stake"), edge="ordinary"),
    "wager.with_main": Home(
        of_player(lambda s, b, p: any(w.player == p for w in b.main)),
        reads=BOX | WAGER,
        column=("limits", "box", "player"),
        edge="ordinary",
    ),
    "wager.with_perfect_pairs": Home(
        of_player(has_wager_named_in("wager.with_perfect_pairs")),
        reads=BOX | WAGER,
        column=("limits", "box", "player"),
        edge="ordinary",
    ),
    "wager.room": Home(room, reads=BOX | WAGER, column=("limits", "box", "player"), edge="limits"),
    "wager.under_minimum": Home(
        against_limit("min", lambda stake, limit: stake < limit),
        reads=BOX | WAGER,
        rows="wager",
        column=("limits", "stake"),
        edge="limits",
    ),
    "wager.over_maximum": Home(
        against_limit("max", lambda stake, limit: stake > limit),
        reads=BOX | WAGER,
        column=("limits", "stake"),
        edge="limits",
    ),
    "wager.off_minimum": Home(
        against_limit("min", lambda stake, limit: limit > 0 and stake % limit != 0),
        reads=BOX | WAGER,
        column=("limits", "stake", "units"),
        edge="limits",
    ),
    "wager.off_unit": Home(
        against_limit("unit", lambda stake, limit: limit > 0 and stake % limit != 0),
        reads=BOX | WAGER,
        column=("limits", "stake", "units"),
        edge="limits",
    ),
    "wager.whole_units": Home(
        whole_units, reads=BOX | WAGER, column=("limits", "stake", "units"), edge="limits"
    ),
    "wager.in_order": Home(
        lambda s: wager_mark(s, "in_order", None),
        column=("limits", "box", "player"),
        edge="ordinary",
    ),
    "wager.undisclosed": Home(
        lambda s: wager_mark(s, "undisclosed", False),
        rows="wager",
        fixed=Fixed(False),
        edge="ordinary",
    ),
    "wager.chips_held": Home(
        lambda s: wager_mark(s, "chips_held", None),
        rows="wager",
        fixed=Fixed(None),
        edge="ordinary",
    ),
    "wager.stands_for_original": Home(
        stands_for_original,
        proof="varied",
        rows="later_hands",
        rests_on="results",
        column=("limits", "box", "player", "hand", "stake", "original"),
        edge="dealt",
    ),
    "wager.original_bust": Home(
        original_bust,
        reads=BOX | HAND,
        proof="varied",
        rows="first_hand",
        column=("hand",),
        edge="dealt",
    ),
    "wager.another_forfeited": Home(another_forfeited, reads=BOX | WAGER | HAND, column=("hand",)),
    "wager.first_of_player": Home(
        first_of_player, reads=BOX | WAGER | HAND, rows="wager", edge="ordinary"
    ),
    "wager.player_won_super_bonus": Home(
        won_bonus, rows="wager", rests_on="bonus", edge="ordinary"
    ),
    "play.stake": Home(play_stake, column=(), edge="ordinary"),
    "play.off_half_chip": Home(
        against_chip(lambda stake, chip: 2 * stake % chip != 0), column=(), edge="ordinary"
    ),
    "play.half_in_chips": Home(half_in_chips, column=()),
    "play.wagered": Home(play_wagered),
    "play.on_every_wager": Home(on_every_wager),
    "play.payable_in_chips": Home(
        against_chip(lambda stake, chip: 2 * stake % chip == 0), column=(), edge="ordinary"
    ),
    "play.intended_earlier": Home(lambda s: None, fixed=Fixed(None), edge="ordinary"),
    "play.hands_after": Home(
        of_box(lambda s, b: len(b.hands) + 1),
        varied_for="splitting",
        dealt=True,
        column=("box",),
        edge="dealt",
    ),
    "play.before_subsequent_deal": Home(
        lambda s: s.table.subsequent is None, dealt=True, column=(), edge="dealt"
    ),
    "play.before_second_dealer_card": Home(
        lambda s: not s.table.second_dealer_card_out, column=(), edge="dealt"
    ),
    "play.before_next_card": Home(before_next_card, column=(), edge="dealt"),
    "play.hand_untouched": Home(
        of_hand(lambda s, h: len(h.cards) == 2 and h.from_split is None),
        of_dealer="none",
        proof="varied",
        column=("hand",),
        edge="dealt",
    ),
    "play.controller_did": Home(
        controller_did, proof="varied", dealt=True, column=(), edge="alone"
    ),
    "play.offer_missed": Home(
        offer_missed,
        varied_for="choices",
        choice_event="offer missed",
        fixed=Fixed(False),
        edge="ordinary",
    ),
    "play.hand_settled": Home(
        lambda s: (
            s.box is not None
            and s.hand is not None
            and (s.box.number, s.hand.number, s.player, s.engine.mechanics.main) in s.table.settled
        ),
        column=(),
        edge="ordinary",
    ),
    "play.split_covered": Home(of_player(split_covered), fixed=Fixed(False)),
    "play.in_turn": Home(lambda s: s.deal.get("play_in_turn", True), fixed=Fixed(True)),
    "play.answered": Home(lambda s: s.deal.get("answered", True), fixed=Fixed(True)),
}
