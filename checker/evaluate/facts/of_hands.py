"""The facts of hands: a player's, the first cards of a box, the dealer's."""

from __future__ import annotations

from checker.evaluate.facts.home import Fixed, Home
from checker.evaluate.facts.of_play import (
    all_surrendered,
    missed_first,
    only_surrendered,
    players_done,
)
from checker.evaluate.facts.readers import (
    aces,
    any_pair,
    card_of_box,
    counts_ten,
    from_split,
    of_hand,
    pick,
    totals_of_dealer,
    totals_of_hand,
)
from checker.evaluate.facts.totals import ranks_of, same_value, suit_of
from checker.evaluate.memory.shelves import BOX, DEALER, FIRST, HAND
from rulespec.tree.cards import SUIT_NAMES, colour_of

FACTS_OF_HANDS: dict[str, Home] = {
    "hand.cards": Home(
        lambda s: len(s.hand.cards) if s.hand else 0,
        reads=BOX | HAND,
        of_dealer="cards",
        proof="varied",
        rows="cards",
        column=("marks",),
        edge="dealt",
    ),
    "hand.total": Home(
        pick(totals_of_hand, 0),
        reads=BOX | HAND,
        of_dealer="cards",
        proof="varied",
        rows="cards",
        edge="dealt",
    ),
    "hand.hard_total": Home(
        pick(totals_of_hand, 1),
        reads=BOX | HAND,
        of_dealer="cards",
        proof="varied",
        rows="cards",
        edge="dealt",
    ),
    "hand.soft": Home(
        pick(totals_of_hand, 2),
        reads=BOX | HAND,
        of_dealer="cards",
        proof="varied",
        rows="cards",
        edge="dealt",
    ),
    "hand.aces": Home(
        lambda s: aces(s.hand.cards) if s.hand else 0,
        reads=BOX | HAND,
        of_dealer="cards",
        proof="varied",
        rows="cards",
        edge="dealt",
    ),
    "hand.ten_cards": Home(
        pick(totals_of_hand, 3),
        reads=BOX | HAND,
        of_dealer="cards",
        proof="varied",
        rows="cards",
        edge="dealt",
    ),
    "hand.ranks": Home(
        lambda s: ranks_of(s.hand) if s.hand else "",
        reads=BOX | HAND,
        of_dealer="cards",
        proof="varied",
        rows="cards",
        edge="dealt",
    ),
    "hand.suits": Home(
        lambda s: suit_of(s.hand) if s.hand and s.hand.cards else "mixed",
        reads=BOX | HAND,
        of_dealer="cards",
        proof="varied",
        rows="cards",
        edge="dealt",
    ),
    "hand.number": Home(
        of_hand(lambda s, h: h.number, 1),
        reads=BOX | HAND,
        of_dealer="none",
        rows="cards",
        dealt=True,
        column=("marks",),
        edge="dealt",
    ),
    "hand.equal_value": Home(
        of_hand(lambda s, h: len(h.cards) == 2 and same_value(s, h.cards[0].rank, h.cards[1].rank)),
        reads=BOX | HAND,
        of_dealer="none",
        proof="varied",
        rows="cards",
        edge="dealt",
    ),
    "hand.split": Home(
        from_split(lambda s, rank: True),
        reads=BOX | HAND,
        of_dealer="none",
        proof="varied",
        rows="cards",
        column=("marks",),
        edge="dealt",
    ),
    "hand.split_aces": Home(
        from_split(lambda s, rank: rank == "A"),
        reads=BOX | HAND,
        of_dealer="none",
        proof="varied",
        rows="cards",
        column=("marks",),
        edge="dealt",
    ),
    "hand.split_tens": Home(
        from_split(counts_ten),
        reads=BOX | HAND,
        of_dealer="none",
        proof="varied",
        rows="cards",
        column=("marks",),
        edge="dealt",
    ),
    "hand.split_suited_sevens": Home(
        of_hand(lambda s, h: s.box is not None and s.box.split_suited_sevens),
        reads=BOX | HAND,
        of_dealer="none",
        proof="varied",
        rows="cards",
        edge="dealt",
    ),
    "hand.declined_split": Home(
        of_hand(lambda s, h: any_pair(s, (s.box.unsplit,) if s.box and s.box.unsplit else ())),
        reads=BOX | HAND,
        of_dealer="none",
        dealt=True,
        edge="dealt",
    ),
    "hand.declined_resplit": Home(
        of_hand(lambda s, h: any_pair(s, s.box.unsplit_again if s.box else ())),
        reads=BOX | HAND,
        of_dealer="none",
        edge="dealt",
    ),
    "hand.withdrawn": Home(
        of_hand(lambda s, h: s.box is not None and s.box.controller in h.withdrawn),
        reads=BOX | HAND,
        of_dealer="none",
        proof="event",
        fixed=Fixed(False),
        edge="ordinary",
    ),
    "hand.doubled": Home(
        of_hand(lambda s, h: h.doubled_with is not None),
        reads=BOX | HAND,
        of_dealer="none",
        proof="varied",
        rows="cards",
        column=("marks",),
        edge="dealt",
    ),
    "hand.double_card_dealt": Home(
        of_hand(lambda s, h: h.double_card_dealt),
        reads=BOX | HAND,
        of_dealer="none",
        proof="varied",
        rows="cards",
        edge="dealt",
    ),
    "hand.late_ace_held": Home(
        of_hand(
            lambda s, h: (
                h.doubled_with is not None
                and any(d.rank == "A" for d in h.cards[2 : h.doubled_with])
            )
        ),
        reads=BOX | HAND,
        of_dealer="none",
        proof="varied",
        rows="cards",
        edge="dealt",
    ),
    "hand.surrendered": Home(
        of_hand(
            lambda s, h: (
                s.box is not None and s.box.controller in h.did(s.engine.mechanics.acts.leave)
            )
        ),
        reads=BOX | HAND,
        of_dealer="none",
        proof="varied",
        rows="wager",
        edge="dealt",
    ),
    "hand.all_surrendered": Home(
        of_hand(all_surrendered),
        reads=BOX | HAND,
        of_dealer="none",
        varied_for="choices",
        rows="wager",
        dealt=True,
        edge="dealt",
    ),
    "hand.stood": Home(
        of_hand(lambda s, h: h.stood),
        reads=BOX | HAND,
        of_dealer="none",
        proof="varied",
        rows="wager",
        edge="dealt",
    ),
    "hand.short": Home(lambda s: s.short, rows="wager", fixed=Fixed(False), edge="ordinary"),
    "hand.face_down": Home(
        of_hand(lambda s, h: sum(1 for dealt in h.cards if dealt.down), 0),
        of_dealer="none",
        fixed=Fixed(0),
        edge="ordinary",
    ),
    "hand.void": Home(
        of_hand(lambda s, h: h.void or (s.box is not None and s.box.void)),
        reads=BOX | HAND,
        of_dealer="none",
        proof="event",
        fixed=Fixed(False),
        edge="ordinary",
    ),
    "first.rank": Home(card_of_box(0, lambda d: d.rank, None), reads=BOX | HAND, proof="varied"),
    "first.suit": Home(
        card_of_box(0, lambda d: SUIT_NAMES[d.suit], None),
        reads=BOX | HAND,
        varied_for="side bets",
        dealt=True,
    ),
    "first.colour": Home(
        card_of_box(0, lambda d: colour_of(d.suit), None), reads=BOX | HAND, proof="varied"
    ),
    "second.rank": Home(card_of_box(1, lambda d: d.rank, None), reads=BOX | HAND, proof="varied"),
    "second.suit": Home(
        card_of_box(1, lambda d: SUIT_NAMES[d.suit], None),
        reads=BOX | HAND,
        varied_for="side bets",
        dealt=True,
    ),
    "second.colour": Home(
        card_of_box(1, lambda d: colour_of(d.suit), None), reads=BOX | HAND, proof="varied"
    ),
    "third.rank": Home(
        card_of_box(2, lambda d: d.rank, "none"),
        reads=BOX | HAND,
        varied_for="side bets",
        dealt=True,
    ),
    "third.suit": Home(
        card_of_box(2, lambda d: SUIT_NAMES[d.suit], "none"),
        reads=BOX | HAND,
        varied_for="side bets",
        dealt=True,
    ),
    "dealer.cards": Home(
        lambda s: len(s.dealer), reads=DEALER, proof="varied", rows="dealer", edge="dealt"
    ),
    "dealer.total": Home(
        pick(totals_of_dealer, 0), reads=DEALER, proof="varied", rows="dealer", edge="dealt"
    ),
    "dealer.hard_total": Home(
        pick(totals_of_dealer, 1), reads=DEALER, proof="varied", rows="dealer", edge="dealt"
    ),
    "dealer.soft": Home(
        pick(totals_of_dealer, 2), reads=DEALER, proof="varied", rows="dealer", edge="dealt"
    ),
    "dealer.aces": Home(lambda s: aces(s.dealer), reads=DEALER, proof="varied"),
    "dealer.ten_cards": Home(pick(totals_of_dealer, 3), reads=DEALER, proof="varied"),
    "dealer.first": Home(
        lambda s: s.dealer[0].rank if s.dealer else None,
        reads=FIRST,
        proof="varied",
        rows="dealer",
        edge="dealt",
    ),
    "dealer.second": Home(
        lambda s: s.dealer[1].rank if len(s.dealer) > 1 else "none",
        reads=DEALER,
        proof="varied",
        rows="dealer",
        edge="dealt",
    ),
    "dealer.hands_decided": Home(lambda s: s.deal.get("hands_decided", False), column=()),
    "dealer.no_effect": Home(
        lambda s: s.no_effect,
        varied_for="dealer draw",
        rests_on="draw",
        edge="ordinary",
    ),
    "dealer.only_surrendered": Home(
        only_surrendered, rests_on="results", column=("only surrendered",), edge="ordinary"
    ),
    "dealer.players_done": Home(players_done, varied_for="dealer draw", edge="dealt"),
    "dealer.face_down": Home(lambda s: sum(1 for d in s.table.dealer if d.down)),
    "dealer.hand": Home(lambda s: s.dealer_hand),
    "dealer.peeked": Home(lambda s: s.table.peeked),
    "dealer.missed_first": Home(missed_first, column=("missed first",), edge="ordinary"),
}
