"""The closed vocabulary: every fact, option, action and topic that a rule may name.

A fact belongs to a group (`hand.total` to `hand`). Each kind of statement is asked at a moment,
and `MOMENTS` says which groups are known then. `checker.evaluate.facts` computes each fact from a
round.
"""

from __future__ import annotations

from rulespec.tree.kinds import BOOL as BOOL
from rulespec.tree.kinds import MONEY as MONEY
from rulespec.tree.kinds import RANK, SUITS, one_of
from rulespec.tree.kinds import RANK_LIST as RANK_LIST
from rulespec.tree.kinds import RANKS as RANKS
from rulespec.tree.kinds import FactInfo as FactInfo
from rulespec.tree.kinds import Kind as Kind
from rulespec.tree.kinds import whole as whole
from rulespec.tree.words import ACTIONS, APPROVALS, OPTIONS, RECORDS, TOPICS

BETS = ("main", "insurance", "perfect_pairs", "super_sevens", "super_bonus")


def _hand(group: str, whose: str) -> list[FactInfo]:
    return [
        FactInfo(f"{group}.cards", whole(0, 22), f"number of cards in {whose}"),
        FactInfo(f"{group}.total", whole(0, 60), f"best total of {whose} by the card values"),
        FactInfo(f"{group}.hard_total", whole(0, 60), f"total of {whose}, each ace as one"),
        FactInfo(f"{group}.soft", BOOL, f"an ace of {whose} counts eleven in its best total"),
        FactInfo(f"{group}.aces", whole(0, 22), f"number of aces in {whose}"),
        FactInfo(f"{group}.ten_cards", whole(0, 22), f"number of cards worth ten in {whose}"),
        FactInfo(f"{group}.pontoon", BOOL, f"{whose} is the natural of the game", definable=True),
    ]


_FACTS: list[FactInfo] = [
    FactInfo("round.decks", whole(1, 12), "number of decks in use"),
    FactInfo("round.boxes", whole(0, 9), "number of boxes with a main wager"),
    FactInfo("round.has_wagers", BOOL, "at least one wager was placed"),
    FactInfo("round.highest_box", whole(0, 9), "highest box number with a wager"),
    FactInfo("round.super_bonus", BOOL, "some wager on the round is a Super Bonus winner"),
    FactInfo(
        "round.super_bonus_amount",
        BOOL,
        "some Super Bonus winner of the round has an amount in the text",
    ),
    FactInfo("round.void", BOOL, "the log records the whole round as void"),
    FactInfo(
        "round.irregularity_found",
        one_of(
            "not_recorded",
            "before_deal",
            "initial_deal",
            "subsequent_deal",
            "after_second_card",
            "after_round",
            "next_round",
        ),
        "when the recorded irregularity was found",
    ),
    FactInfo("limit.min", MONEY, "displayed minimum for this bet", optional=True),
    FactInfo("limit.max", MONEY, "displayed maximum for this bet", optional=True),
    FactInfo("limit.unit", MONEY, "displayed unit for this bet", optional=True),
    FactInfo("limit.box_max", MONEY, "displayed or raised maximum of this box", optional=True),
    FactInfo("limit.box_max_stated", BOOL, "the log states a maximum for this box"),
    FactInfo("limit.smallest_chip", MONEY, "smallest chip of the table", optional=True),
    FactInfo(
        "limit.multiples_notice", BOOL, "a notice asks for multiples of the minimum", optional=True
    ),
    FactInfo("box.number", whole(0, 9), "number of the box"),
    FactInfo("box.players", whole(0, 20), "number of players with a main wager on the box"),
    FactInfo("box.main_total", MONEY, "sum of the main wagers on the box before the deal"),
    FactInfo("box.side_bets", whole(0, 20), "number of wagers of this side bet on the box"),
    FactInfo("box.has_main", BOOL, "somebody has a main wager on the box"),
    FactInfo(
        "box.doubled_before", BOOL, "the deciding player doubled on an earlier hand of the box"
    ),
    FactInfo("box.hands", whole(0, 9), "number of hands of the box now"),
    FactInfo("player.controls", BOOL, "the player decides for the box"),
    FactInfo(
        "player.next_in_line",
        BOOL,
        "the deciding player surrendered and this player's wager comes next on the box",
    ),
    FactInfo(
        "player.recognised", BOOL, "the player is a recognised player (card counter)", optional=True
    ),
    FactInfo(
        "player.joined_after_change",
        BOOL,
        "the player came to the table after the minimum was raised",
        optional=True,
    ),
    FactInfo("player.seated", BOOL, "the player sits at the box", optional=True),
    FactInfo("player.someone_seated", BOOL, "some player sits at the box", optional=True),
    FactInfo("player.highest_stake", BOOL, "no main wager on the box is higher than this one"),
    FactInfo("player.equal_stakes", BOOL, "all main wagers on the box are equal"),
    FactInfo("player.first_on_box", BOOL, "the player's main wager is the first on the box"),
    FactInfo("player.wagers_on_box", whole(0, 20), "wagers of this bet by the player on the box"),
    FactInfo("player.boxes", whole(0, 9), "number of boxes the player has main wagers on"),
    FactInfo(
        "player.card", BOOL, "the player's own player card is recorded with a wager", optional=True
    ),
    FactInfo(
        "player.card_shared",
        BOOL,
        "the player card of the player is recorded for another player of the round too",
        optional=True,
    ),
    FactInfo("player.absent", BOOL, "the player is recorded as absent"),
    FactInfo("player.refused_card", BOOL, "the player refused a card drawn in error"),
    FactInfo(
        "player.warned",
        BOOL,
        "the player was warned of an under-minimum wager earlier",
        optional=True,
    ),
    FactInfo(
        "player.late_entry",
        BOOL,
        "the player made no wager on the first round of the shoe",
        optional=True,
    ),
    FactInfo(
        "player.late_entry_two",
        BOOL,
        "the player made no wager on either of the first two rounds",
        optional=True,
    ),
    FactInfo(
        "player.sat_out",
        BOOL,
        "the player wagered earlier in the shoe and sat out a round since",
        optional=True,
    ),
    FactInfo(
        "player.sat_out_later",
        BOOL,
        "the player wagered in the first two rounds of the shoe and sat out a later one",
        optional=True,
    ),
    FactInfo(
        "player.idle_rounds",
        whole(0, 999),
        "rounds in a row that the player has not wagered",
        optional=True,
    ),
    FactInfo("wager.stake", MONEY, "the amount of this wager"),
    FactInfo("wager.original", MONEY, "the player's original main wager on the box"),
    FactInfo(
        "wager.part",
        one_of("original", "double", "split"),
        "which part of the money on the hand this is",
    ),
    FactInfo("wager.doubled", BOOL, "this player doubled on the hand"),
    FactInfo("wager.surrendered", BOOL, "this player surrendered"),
    FactInfo("wager.forfeited", BOOL, "this player forfeited after doubling"),
    FactInfo("wager.even_money", BOOL, "this player took even money"),
    FactInfo("wager.withdrawn", BOOL, "this player took the wager back after an irregularity"),
    FactInfo("wager.after_first_card", BOOL, "placed after the first card of the round"),
    FactInfo("wager.after_call", BOOL, "placed after the call that closes the betting"),
    FactInfo("wager.with_main", BOOL, "the same player has a main wager on the box"),
    FactInfo(
        "wager.with_perfect_pairs", BOOL, "the same player has a Perfect Pairs wager on the box"
    ),
    FactInfo(
        "wager.room",
        MONEY,
        "what is left of the box maximum for this player, controlling player first",
        optional=True,
    ),
    FactInfo("wager.under_minimum", BOOL, "less than the displayed minimum", optional=True),
    FactInfo("wager.over_maximum", BOOL, "more than the displayed maximum", optional=True),
    FactInfo("wager.off_minimum", BOOL, "not a multiple of the displayed minimum", optional=True),
    FactInfo("wager.off_unit", BOOL, "not a multiple of the displayed unit", optional=True),
    FactInfo(
        "wager.whole_units",
        MONEY,
        "the wager without what is beyond the last full unit",
        optional=True,
    ),
    FactInfo("wager.in_order", BOOL, "placed in the order of wagering", optional=True),
    FactInfo("wager.undisclosed", BOOL, "a secret tournament wager"),
    FactInfo("wager.chips_held", MONEY, "tournament chips the player holds", optional=True),
    FactInfo(
        "wager.stands_for_original",
        BOOL,
        "the original wager was paid before the dealer drew and this is the first hand left",
    ),
    FactInfo("wager.original_bust", BOOL, "the hand with the original wager went over 21"),
    FactInfo("wager.super_bonus", BOOL, "this wager wins the Super Bonus", definable=True),
    FactInfo(
        "wager.first_of_player",
        BOOL,
        "the player's first wager on the round, side bets only if there is no main wager",
    ),
    FactInfo(
        "wager.player_won_super_bonus", BOOL, "some wager of the same player wins the Super Bonus"
    ),
    *_hand("hand", "the hand"),
    FactInfo("hand.ranks", RANK_LIST, "the ranks of the hand in ascending order"),
    FactInfo("hand.suits", one_of("mixed", *SUITS), "the one suit of the hand, or mixed"),
    FactInfo("hand.number", whole(1, 9), "1 for the first hand of the box, and so on"),
    FactInfo("hand.equal_value", BOOL, "two cards, of equal point value"),
    FactInfo("hand.split", BOOL, "the hand came from a split"),
    FactInfo("hand.split_aces", BOOL, "the hand came from splitting aces"),
    FactInfo("hand.split_tens", BOOL, "the hand came from splitting ten-value cards"),
    FactInfo("hand.split_suited_sevens", BOOL, "the box split two sevens of one suit"),
    FactInfo("hand.declined_split", BOOL, "the box could split its first two cards and did not"),
    FactInfo(
        "hand.declined_resplit", BOOL, "a split hand of the box could be split again and was not"
    ),
    FactInfo("hand.withdrawn", BOOL, "the deciding player took the wager on the hand back"),
    FactInfo("hand.doubled", BOOL, "the deciding player doubled on the hand"),
    FactInfo("hand.double_card_dealt", BOOL, "the one card after doubling has been dealt"),
    FactInfo(
        "hand.late_ace_held",
        BOOL,
        "an ace received as third or later card was in the hand when it was doubled",
    ),
    FactInfo("hand.surrendered", BOOL, "the deciding player surrendered the hand"),
    FactInfo("hand.all_surrendered", BOOL, "every player on the hand surrendered"),
    FactInfo("hand.stood", BOOL, "the player who decides has stood on the hand"),
    FactInfo("hand.short", BOOL, "the hand was left with fewer cards than the rules ask for"),
    FactInfo("hand.void", BOOL, "the log records the hand or its box as void"),
    FactInfo("first.rank", RANK, "rank of the first card dealt to the box"),
    FactInfo("first.suit", one_of(*SUITS), "suit of the first card dealt to the box"),
    FactInfo("first.colour", one_of("red", "black"), "colour of the first card"),
    FactInfo("second.rank", RANK, "rank of the second card dealt to the box"),
    FactInfo("second.suit", one_of(*SUITS), "suit of the second card dealt to the box"),
    FactInfo("second.colour", one_of("red", "black"), "colour of the second card"),
    FactInfo("third.rank", one_of(*RANKS, "none"), "rank of the third card, none if not dealt"),
    FactInfo("third.suit", one_of(*SUITS, "none"), "suit of the third card, none if not dealt"),
    *_hand("dealer", "the dealer's hand"),
    FactInfo("dealer.first", RANK, "rank of the dealer's first card"),
    FactInfo("dealer.second", one_of(*RANKS, "none"), "rank of the dealer's second card"),
    FactInfo("dealer.no_effect", BOOL, "a further dealer card cannot change any settlement"),
    FactInfo("dealer.only_surrendered", BOOL, "only surrendered hands are still open"),
    FactInfo("dealer.players_done", BOOL, "every player's hand has been completed"),
    FactInfo("dealer.missed_first", BOOL, "the dealer's first card came after the initial deal"),
    FactInfo("play.stake", MONEY, "the amount added"),
    FactInfo(
        "play.off_half_chip",
        BOOL,
        "the amount is not a multiple of half the smallest chip",
        optional=True,
    ),
    FactInfo(
        "play.payable_in_chips",
        BOOL,
        "a win at 2 to 1 on the amount can be paid in chips",
        optional=True,
    ),
    FactInfo(
        "play.intended_earlier",
        BOOL,
        "the player had shown the intention before the error",
        optional=True,
    ),
    FactInfo("play.hands_after", whole(1, 9), "hands of the box after this split"),
    FactInfo("play.before_subsequent_deal", BOOL, "no card beyond the initial deal is out yet"),
    FactInfo("play.before_second_dealer_card", BOOL, "the dealer's second card is not out yet"),
    FactInfo("play.before_next_card", BOOL, "no card was dealt since this hand's last card"),
    FactInfo("play.hand_untouched", BOOL, "the hand still has its first two cards"),
    FactInfo("play.controller_did", BOOL, "the deciding player made the same choice on the hand"),
    FactInfo("play.offer_missed", BOOL, "the log records that the offer was not made in time"),
    FactInfo("play.hand_settled", BOOL, "this wager on the hand was settled already"),
    FactInfo(
        "play.split_covered",
        BOOL,
        "another player decides, and this one has covered the hand of the last split already",
    ),
    FactInfo(
        "play.answered",
        BOOL,
        "the card that the decision asks for was dealt to the hand, or none was due",
    ),
    FactInfo("card.rank", one_of(*RANKS, "joker"), "rank of the card"),
    FactInfo("card.position", whole(1, 22), "1 for the first card of the hand, and so on"),
    FactInfo("card.initial", BOOL, "one of the first two cards dealt to the box"),
    FactInfo("card.held_when_doubled", BOOL, "in the hand when it was doubled"),
    FactInfo("card.copies", whole(1, 99), "times this card has come out of the shoe"),
    FactInfo("card.not_due", BOOL, "a dealer card that the drawing rules did not ask for"),
    FactInfo("card.burnt", BOOL, "the card was burnt"),
    FactInfo(
        "card.asked_for",
        BOOL,
        "a decision on the hand asked for the card, or it needs none: a card of the initial "
        "deal, the first one after a split, one for a player recorded as absent, the dealer's",
        optional=True,
        recorded="what players decide",
    ),
    FactInfo("deal.in_turn", BOOL, "the card went to the box whose turn it was"),
    FactInfo("deal.initial", BOOL, "the card belongs to the initial deal"),
    FactInfo("deal.to_dealer", BOOL, "the card went to the dealer"),
    FactInfo("deal.hands_in_turn", BOOL, "no earlier split hand of the box is unfinished"),
    FactInfo(
        "deal.call_made", BOOL, "the betting was called closed before the first card", optional=True
    ),
    FactInfo("settlement.count", whole(0, 9), "times this wager was settled in the log"),
    FactInfo("settlement.error", MONEY, "how far the amount is from what was due, either way"),
    FactInfo("settlement.overpaid", BOOL, "more was given back than was due"),
    FactInfo("settlement.adjusted", BOOL, "a later correction is recorded"),
    FactInfo("shoe.new", BOOL, "this is the first round of the shoe", optional=True),
    FactInfo(
        "shoe.cut_card_out",
        BOOL,
        "the cut card came out in an earlier round and no shuffle followed",
        optional=True,
    ),
    FactInfo(
        "shoe.no_cut_card",
        BOOL,
        "an earlier round of the shoe recorded that no cut card was put in",
        optional=True,
    ),
    FactInfo(
        "shoe.cut_card_in_last_rounds",
        BOOL,
        "the cut card came out in one of the last three rounds as announced, and this is "
        "still one of them",
    ),
    FactInfo("shoe.cut_card_now", BOOL, "the cut card comes out in this round"),
    FactInfo("shoe.cut_card_first", BOOL, "the cut card was the first card of this round"),
    FactInfo(
        "shoe.shuffled", BOOL, "a shuffle is recorded before this round's first card", optional=True
    ),
    FactInfo(
        "shoe.burns", whole(0, 99), "cards burnt before the first card of this round", optional=True
    ),
    FactInfo("shoe.burns_recorded", BOOL, "the log records burnt cards at all"),
    FactInfo("shoe.cards_out", whole(0, 999), "cards out of the shoe so far"),
]

FACTS: dict[str, FactInfo] = {info.name: info for info in _FACTS}

_MONEY_QUESTION = (
    "round",
    "limit",
    "box",
    "player",
    "wager",
    "hand",
    "dealer",
    "first",
    "second",
    "third",
)

MOMENTS: dict[str, tuple[str, ...]] = {
    # what is known when the question is asked
    "round": ("round", "limit", "shoe"),
    "box": ("round", "limit", "box"),
    "card": ("round", "card", "deal", "shoe"),
    "card_value": ("card", "hand", "round"),
    "deal": ("round", "card", "deal", "box", "hand", "player", "dealer", "shoe"),
    "definition": (*_MONEY_QUESTION, "card"),
    "settle": (*_MONEY_QUESTION, "settlement"),
    "player": (*_MONEY_QUESTION, "play"),
    "dealer": ("round", "dealer", "card", "deal", "box", "hand", "player", "settlement"),
    "casino": (
        "round",
        "limit",
        "shoe",
        "player",
        "settlement",
        "card",
        "dealer",
        "wager",
        "box",
        "hand",
        "play",
    ),
    "settlement": (*_MONEY_QUESTION, "settlement"),
    **dict.fromkeys(BETS, (*_MONEY_QUESTION, "shoe")),
    **dict.fromkeys(ACTIONS["player"], (*_MONEY_QUESTION, "play")),
    "wager": ("round", "limit", "box", "player", "wager", "shoe"),
}

# The moments that a clause may name after `at … require`.
REQUIRE_AT = tuple(
    dict.fromkeys(
        ("round", "box", "wager", "card", "deal", "settlement", *BETS, *ACTIONS["player"])
    )
)


def vocabulary_page() -> str:
    """The page `docs/vocabulary.md`, made from the lists above (`make docs` writes it)."""
    lines = [
        "# The vocabulary",
        "",
        "Every fact, option, action and topic that a rule may name. It is closed: anything else is",
        "an error with a proposal. *May be unknown* marks facts that a log need not give.",
        "",
        "## Facts",
        "",
    ]
    groups: dict[str, list[FactInfo]] = {}
    for info in FACTS.values():
        groups.setdefault(info.name.partition(".")[0], []).append(info)
    for group, facts in groups.items():
        lines += [f"### {group}", "", "| fact | is | meaning |", "| --- | --- | --- |"]
        for info in facts:
            marks = " *May be unknown.*" if info.optional else ""
            marks += " *Defined by the rulebook.*" if info.definable else ""
            lines.append(f"| `{info.name}` | {info.kind.describe()} | {info.meaning}.{marks} |")
        lines.append("")
    lines += ["## What is known when", "", "| moment | groups of facts |", "| --- | --- |"]
    lines += [f"| {moment} | {', '.join(known)} |" for moment, known in MOMENTS.items()]
    named = (
        ("Table options (`option …`)", OPTIONS),
        ("Approvals (`approved …`)", APPROVALS),
        ("Recorded events (`recorded …`)", RECORDS),
        *((f"What the {actor} may or must do", actions) for actor, actions in ACTIONS.items()),
        ("Topics (`about …`, `as …`)", TOPICS),
    )
    for title, words in named:
        lines += ["", f"## {title}", "", "| word | meaning |", "| --- | --- |"]
        lines += [f"| `{word}` | {meaning} |" for word, meaning in words.items()]
    return "\n".join(lines) + "\n"


FLAG_FACTS: dict[str, str] = {
    # facts that an event brings about, and the name of that flag
    "round.void": "round.void",
    "hand.void": "hand.void",
    "wager.withdrawn": "withdrawn",
    "hand.withdrawn": "withdrawn",
    "player.absent": "absent",
    "player.refused_card": "refused",
    "round.irregularity_found": "found",
}
ABSENT_FACTS: dict[str, str] = {"player.card": "no player card"}
"""Facts that ordinarily hold, and the name of the flag under which they do not."""
