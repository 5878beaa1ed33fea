"""How facts are put into words: a phrase for a fact that messages often tell."""

from __future__ import annotations

from typing import Final

# What is counted: one, and several. `{box}` is the number of the box.
COUNTS: Final[dict[str, tuple[str, str]]] = {
    "round.decks": ("deck", "decks"),
    "round.boxes": ("box with a main wager", "boxes with a main wager"),
    "box.players": ("bettor on box {box}", "bettors on box {box}"),
    "box.side_bets": (
        "wager of this side bet on box {box}",
        "wagers of this side bet on box {box}",
    ),
    "box.hands": ("hand on box {box}", "hands on box {box}"),
    "player.boxes": ("box with a wager of the player", "boxes with wagers of the player"),
    "player.wagers_on_box": (
        "wager of the player on box {box}",
        "wagers of the player on box {box}",
    ),
    "player.idle_rounds": ("round without a wager", "rounds in a row without a wager"),
    "hand.cards": ("card in the hand", "cards in the hand"),
    "hand.aces": ("ace in the hand", "aces in the hand"),
    "hand.ten_cards": ("card worth ten in the hand", "cards worth ten in the hand"),
    "dealer.cards": ("card of the dealer", "cards of the dealer"),
    "play.hands_after": ("hand on box {box} after the split", "hands on box {box} after the split"),
    "card.copies": ("copy of this card out of the shoe", "copies of this card out of the shoe"),
    "settlement.count": ("settlement of this wager", "settlements of this wager"),
    "shoe.burns": ("card burnt", "cards burnt"),
}

# What has an amount or a value: the article it is told with, and the words.
AMOUNTS: Final[dict[str, tuple[str, str]]] = {
    "round.highest_box": ("the", "highest box with a wager is {value}"),
    "limit.min": ("a", "minimum of {value}"),
    "limit.max": ("a", "maximum of {value}"),
    "limit.unit": ("a", "unit of {value}"),
    "limit.box_max": ("a", "box maximum of {value}"),
    "limit.smallest_chip": ("a", "smallest chip of {value}"),
    "box.number": ("", "box {value}"),
    "box.main_total": ("", "main wagers of {value} on box {box}"),
    "wager.stake": ("a", "stake of {value}"),
    "wager.original": ("an", "original wager of {value}"),
    "wager.room": ("", "{value} left of the box maximum"),
    "wager.whole_units": ("", "{value} in whole units"),
    "wager.chips_held": ("", "chips of {value} held"),
    "wager.part": ("", "the {value} part of the wager"),
    "play.stake": ("", "{value} added"),
    "hand.total": ("a", "total of {value}"),
    "hand.hard_total": ("a", "hard total of {value}"),
    "hand.number": ("", "hand {value}"),
    "dealer.total": ("the", "dealer's total of {value}"),
    "dealer.hard_total": ("the", "dealer's hard total of {value}"),
    "dealer.first": ("the", "dealer's first card is {value}"),
    "dealer.second": ("the", "dealer's second card is {value}"),
    "first.rank": ("the", "first card is {value}"),
    "second.rank": ("the", "second card is {value}"),
    "third.rank": ("the", "third card is {value}"),
    "card.rank": ("the", "card is {value}"),
    "card.position": ("", "card number {value} of the hand"),
    "settlement.error": ("an", "error of {value}"),
    "shoe.cards_out": ("", "{value} cards out of the shoe"),
}

# What holds or not: both in words.
HELD: Final[dict[str, tuple[str, str]]] = {
    "round.has_wagers": ("there are wagers on the round", "there is no wager on the round"),
    "round.void": ("the round is recorded as void", "the round is not recorded as void"),
    "limit.multiples_notice": (
        "a notice asks for multiples of the minimum",
        "no notice asks for multiples of the minimum",
    ),
    "box.has_main": ("box {box} has a main wager", "nobody has a main wager on box {box}"),
    "player.controls": ("the player decides for box {box}", "another player decides for box {box}"),
    "player.recognised": (
        "the player is a recognised player",
        "the player is not a recognised one",
    ),
    "player.seated": ("the player sits at box {box}", "the player does not sit at box {box}"),
    "player.card": ("a player card is recorded", "no player card is recorded with the wager"),
    "player.card_shared": (
        "the player card is recorded for another player of the round too",
        "the player card is recorded for this player only",
    ),
    "player.someone_seated": ("somebody sits at box {box}", "nobody sits at box {box}"),
    "player.next_in_line": (
        "the decision has passed to the player",
        "the decision has not passed to the player",
    ),
    "player.absent": ("the player is recorded as absent", "the player is not recorded as absent"),
    "wager.doubled": (
        "the player has doubled on the hand",
        "the player has not doubled on the hand",
    ),
    "wager.surrendered": ("the player has surrendered", "the player has not surrendered"),
    "wager.even_money": ("the player took even money", "the player did not take even money"),
    "wager.after_first_card": (
        "placed after the first card of the round",
        "placed before the first card of the round",
    ),
    "wager.after_call": (
        "placed after the call that closes the betting",
        "placed before the call that closes the betting",
    ),
    "wager.with_main": (
        "the player has a main wager on box {box} too",
        "the player has no main wager on box {box}",
    ),
    "wager.under_minimum": (
        "a stake of {stake}, less than the minimum of {min}",
        "a stake of {stake}, not less than the minimum of {min}",
    ),
    "wager.over_maximum": (
        "a stake of {stake}, more than the maximum of {max}",
        "a stake of {stake}, not more than the maximum of {max}",
    ),
    "wager.off_minimum": (
        "a stake of {stake}, no multiple of the minimum of {min}",
        "a stake of {stake}, a multiple of the minimum of {min}",
    ),
    "wager.off_unit": (
        "a stake of {stake}, no multiple of the unit of {unit}",
        "a stake of {stake}, a multiple of the unit of {unit}",
    ),
    "wager.in_order": ("placed in its turn", "placed out of the order of wagering"),
    "hand.pontoon": ("the hand is the natural of the game", "the hand is no natural"),
    "dealer.pontoon": ("the dealer has the natural of the game", "the dealer has no natural"),
    "hand.soft": ("the total is soft", "the total is not soft"),
    "dealer.soft": ("the dealer's total is soft", "the dealer's total is not soft"),
    "hand.equal_value": (
        "the two cards are of equal value",
        "the hand is no pair of cards of equal value",
    ),
    "hand.split": ("the hand came from a split", "the hand did not come from a split"),
    "hand.split_aces": ("the hand came from split aces", "the hand did not come from split aces"),
    "hand.split_tens": ("the hand came from split tens", "the hand did not come from split tens"),
    "hand.doubled": ("the hand is doubled", "the hand is not doubled"),
    "hand.double_card_dealt": (
        "the one card after the double is dealt",
        "the card after the double is not dealt",
    ),
    "hand.surrendered": ("the hand is surrendered", "the hand is not surrendered"),
    "hand.stood": ("the player had stood", "the player had not stood"),
    "dealer.no_effect": (
        "a further card cannot change any settlement",
        "a further card can change a settlement",
    ),
    "dealer.players_done": (
        "every player's hand is complete",
        "a player's hand is not complete yet",
    ),
    "dealer.missed_first": (
        "the dealer's first card came after the initial deal",
        "the dealer's first card came in the initial deal",
    ),
    "play.off_half_chip": (
        "{added} is no multiple of half the smallest chip of {smallest_chip}",
        "{added} is a multiple of half the smallest chip of {smallest_chip}",
    ),
    "play.payable_in_chips": (
        "a win on {added} can be paid in chips",
        "a win at 2 to 1 on {added} cannot be paid in chips of {smallest_chip}",
    ),
    "play.before_subsequent_deal": (
        "no card beyond the initial deal is out yet",
        "cards beyond the initial deal are out",
    ),
    "play.before_second_dealer_card": (
        "the dealer's second card is not out yet",
        "the dealer's second card is out",
    ),
    "play.before_next_card": (
        "no card was dealt since the last one of the hand",
        "further cards were dealt since the last one of the hand",
    ),
    "play.hand_untouched": (
        "the hand has its first two cards",
        "the hand no longer has just its first two cards",
    ),
    "play.controller_did": (
        "the deciding player made the same choice",
        "the deciding player did not make the same choice",
    ),
    "play.hand_settled": ("the wager was settled already", "the wager was not settled yet"),
    "play.in_turn": ("it was the player's turn", "it was not the player's turn"),
    "play.answered": ("the card was dealt", "no card was dealt for it"),
    "card.asked_for": ("the card was asked for", "nobody asked for the card"),
    "card.not_due": ("the card was not due", "the card was due"),
    "deal.in_turn": ("it was its turn", "it was not its turn"),
    "deal.initial": ("it is the initial deal", "the initial deal is over"),
    "deal.to_dealer": ("the card went to the dealer", "the card did not go to the dealer"),
    "deal.hands_in_turn": (
        "no earlier split hand of the box is unfinished",
        "an earlier split hand of box {box} is not finished",
    ),
    "deal.call_made": (
        "the betting was called closed",
        "the betting was not called closed before the first card",
    ),
    "shoe.new": ("it is the first round of the shoe", "it is not the first round of the shoe"),
    "shoe.cut_card_out": (
        "the cut card came out in an earlier round",
        "the cut card is not out yet",
    ),
    "shoe.cut_card_now": ("the cut card comes out in this round", "no cut card comes out"),
    "shoe.shuffled": ("a shuffle is recorded", "no shuffle is recorded"),
}

# What the words `17 (A♠ 6♦)` tell already.
TOLD_BY_HAND: Final = (
    "hand.total",
    "hand.hard_total",
    "hand.soft",
    "hand.cards",
    "hand.aces",
    "hand.ten_cards",
    "hand.ranks",
    "hand.suits",
)

# What is so as a rule, and says little where something else decided too.
ORDINARY: Final = frozenset(
    {
        ("player.controls", True),
        ("player.next_in_line", False),
        ("player.someone_seated", True),
        ("player.someone_seated", False),
        ("hand.surrendered", False),
        ("hand.split", False),
        ("hand.doubled", False),
    }
)
