"""What the parameters of `facts/matrix.yaml` say, in the words of `rulespec compare`.

The matrix is kept outside the project and written in prose. For each parameter a function reads one
of its values and returns, for rows of the comparison, the answer that the prose gives. A value that
no pattern fits is an error: nothing passes because it was not understood.
"""

from __future__ import annotations

import re
from typing import Any

Rows = dict[str, str]
SILENT = "–"


def pick(value: object, *choices: tuple[str, str]) -> str:
    for pattern, answer in choices:
        if re.search(pattern, str(value), re.IGNORECASE):
            return answer
    raise AssertionError(f"the value `{value}` is not understood")


def no_word(value: object) -> bool:
    """The text says nothing of it at all."""
    return bool(re.match(r"(silent|none|not applicable)\b(?!.*(re-?construct|always))", str(value)))


def odds(text: str) -> str:
    return "wins " + text.replace(":", " to ")


def decks_count(v: Any) -> Rows:
    def said(x: Any) -> str:
        if "one_of" in x:
            return " or ".join(map(str, x["one_of"]))
        return f"{x['min']} to {x['max']}"

    return {"decks": said(v), "with Perfect Pairs on offer": said(v.get("with_perfect_pairs", v))}


def deck_composition(v: Any) -> Rows:
    rows = {"cards in a deck": str(v["cards"]), "tens": v["tens"]}
    if v["jokers"] != "silent":
        rows["jokers"] = "none"
        rows["a promotional joker"] = "allowed" if "promotional" in v["jokers"] else "none"
    return rows


def boxes_max(v: Any) -> Rows:
    return {"boxes": SILENT if v == "silent" else f"up to {v}"}


def pip_and_picture_values(v: Any) -> Rows:
    assert v.startswith("2-9 pips")
    return {
        "a five counts": "5",
        "a king counts": "10",
        "a ten counts": "10" if "10 J Q K" in v else SILENT,
    }


def ace_value_general(v: Any) -> Rows:
    return {"an ace counts": pick(v, (r"1 or 11|11 unless", "1 or 11"))}


def ace_value_on_double(v: Any) -> Rows:
    plain = (r"no special rule|silent", "1 or 11")
    rows = {"ace among the first two cards": pick(v, (r"^1 when", "1"), plain)}
    rows["second card of a split hand"] = pick(
        v, (r"second card of a split hand\) stay", "1 or 11"), (r"^1 when", "1"), plain
    )
    if "initial point total" not in v:  # the matrix calls a later ace of the Star ambiguous
        rows["ace drawn before doubling"] = pick(v, (r"later.* stay", "1 or 11"), plain)
    return rows


def initial_deal_order(v: Any) -> Rows:
    assert re.match(r"same|one card to each box", v)
    return {
        "the dealer's card before the players'": "not allowed",
        "box 2 before box 1": "not allowed",
        "both cards to a box at once": "not allowed",
        "a call that closes the betting": SILENT if "optional" in v else "required",
    }


def dealer_hole_card(v: Any) -> Rows:
    return {"drawn before the players have finished": pick(v, (r"^none", "not allowed"))}


def face_down_cards_allowed(v: Any) -> Rows:
    inspector = "approval" in v
    return {
        "first cards face down": "not allowed" if inspector else SILENT,
        "with approval": "allowed" if inspector else SILENT,
    }


def dealer_draw_rule(v: Any) -> Rows:
    soft = pick(v, (r"hard 16 and soft 17|hits soft 17", "draws"), (r"including soft 17", "stands"))
    return {
        "on hard 16": "draws",
        "on hard 17": "stands",
        "on soft 17": soft,
        "on soft 18": "stands",
    }


def dealer_no_effect_rule(v: Any) -> Rows:
    told = pick(v, (r"^no more dealer cards|^same$", "is not drawn"))
    return {"a card that can change nothing": told}


def natural_definition(v: Any) -> Rows:
    assert "ace +" in v
    return {"ace and king dealt first": "yes", "21 with three cards": "no"}


def natural_after_split(v: Any) -> Rows:
    return {row: pick(v, (r"^never", "no")) for row in ("aces split", "kings split")}


def player_natural_paid_when(v: Any) -> Rows:
    early = "before the subsequent deal"
    shown = pick(
        v,
        (r"neither ten nor ace", "at the end"),
        (r"at once|completion of initial deal|before", early),
    )
    return {
        "the dealer shows 9": early,
        "the dealer shows a king": shown,
        "the dealer shows an ace": shown,
        "payment may be put off": "may" if "deferred" in v else SILENT,
    }


def player_natural_vs_dealer_natural(v: Any) -> Rows:
    return {"the wager": pick(v, (r"wins 3:2", "wins 3 to 2"), (r"stand-off", "stands off"))}


def player_21_paid_when(v: Any) -> Rows:
    return {
        "21 with three cards": pick(
            v,
            (r"^immediately", "at once"),
            (r"^during subsequent", "during the subsequent deal"),
            (r"^only at final settlement", "at the end"),
        )
    }


def player_21_vs_dealer_21(v: Any) -> Rows:
    return {"the wager": pick(v, (r"player wins", "wins 1 to 1"), (r"stand-off", "stands off"))}


def player_21_vs_dealer_natural(v: Any) -> Rows:
    return {"the wager": pick(v, (r"player wins", "wins 1 to 1"), (r"player loses", "loses"))}


def tie_below_21(v: Any) -> Rows:
    return {"19 against 19": pick(v, (r"stand-off", "stands off"))}


def player_bust(v: Any) -> Rows:
    taken = "at once" if "collected immediately" in v else SILENT
    return {"the wager": pick(v, (r"^loses", "loses")), "taken": taken}


def dealer_natural_vs_doubled_hand(v: Any) -> Rows:
    return {
        "20 after doubling": pick(
            v,
            (r"original (wager )?only", "original loses, double stands off"),
            (r"whole doubled wager loses|both lose", "loses"),
        )
    }


def dealer_natural_vs_split_hands(v: Any) -> Rows:
    second = pick(v, (r"original only", "stands off"), (r"every split hand loses", "loses"))
    rows = {"first hand": "loses", "second hand": second}
    if "already paid at 21" in v:
        rows["second hand, the first was paid at 21"] = "loses"
    return rows


def busted_hand_then_dealer_natural(v: Any) -> Rows:
    told = pick(v, (r"all lose|already collected", "loses"), (r"unresolved", "open"))
    rows = {"bust after doubling": told, "second split hand, itself bust": told}
    if "all lose" in v:
        rows["second split hand, the first bust"] = "loses"
    return rows


_PAID = {
    "pontoon": "natural",
    "blackjack": "natural",
    "five_card_21": "five cards, 21",
    "five_cards": "five cards, 21",
    "six_card_21": "six cards, 21",
    "six_cards": "six cards, 21",
    "seven_plus_card_21": "seven cards, 21",
    "seven_plus_cards": "seven cards, 21",
    "678_mixed": "6-7-8, mixed suits",
    "678_suited_not_spades": "6-7-8, one suit",
    "678_suited": "6-7-8, one suit",
    "678_spades": "6-7-8, spades",
    "777_mixed": "7-7-7, mixed suits",
    "777_suited_not_spades": "7-7-7, one suit",
    "777_suited": "7-7-7, one suit",
    "777_spades": "7-7-7, spades",
    "other": "any other hand",
}


def payout_table(v: Any) -> Rows:
    return {_PAID[key]: odds(text) for key, text in v.items() if key != "even_money"}


def overlapping_rows(v: Any) -> Rows:
    told = pick(
        v, (r"overlaps", "open"), (r"^silent", "wins 3 to 1"), (r"not applicable", "wins 1 to 1")
    )
    return {"6-7-8 of spades by the print alone": told, "7-7-7 of spades by the print alone": told}


def super_bonus_trigger(v: Any) -> Rows:
    won = pick(v, (r"^7-7-7 .*any 7", "$1,000"), (r"^none", SILENT))
    other = SILENT if won == SILENT else "nothing"
    return {
        "suited 7-7-7, dealer shows a 7": won,
        "mixed 7-7-7, dealer shows a 7": other,
        "suited 7-7-7, dealer shows a 9": other,
    }


def super_bonus_bands(v: Any) -> Rows:
    stakes = {"$1": 1, "$4": 4, "$10": 10, "$24": 24, "$24.50": 24.5, "$25": 25, "$100": 100}
    if no_word(v):
        return dict.fromkeys(stakes, SILENT)
    rows: Rows = {}
    for label, stake in stakes.items():
        low = next((int(k.split("_")[0]) for k in v if k.endswith("_to_24")), None)
        gap = low is not None and (stake < low or 24 < stake < 25)
        amount = v["from_25"] if stake >= 25 else 1000
        rows[label] = "open" if gap else f"${amount:,}"
    return rows


def super_bonus_additive_to_table_odds(v: Any) -> Rows:
    told = pick(v, (r"^yes|additive", "wins 2 to 1"), (r"not applicable", SILENT))
    return {"suited 7-7-7, dealer shows a 7": told}


def super_bonus_excluded_hands(v: Any) -> Rows:
    if no_word(v):
        return dict.fromkeys(("doubled hand", "suited sevens split"), SILENT)
    rows = {
        "doubled hand": pick(v, (r"doubled", "nothing")),
        "suited sevens split": pick(v, (r"split", "nothing")),
    }
    rows["co-player who did not double"] = (
        "$1,000" if "but not a non-doubling co-player" in v else "nothing"
    )
    if "is not mentioned" not in v:
        rows["sevens of two suits split"] = "nothing"
    return rows


def super_bonus_copayment_50(v: Any) -> Rows:
    two = pick(v, (r"per (other )?wager", "$100"), (r"per other player", "$50"), (r"none", SILENT))
    one = SILENT if two == SILENT else "$50"
    return {
        "another player on two boxes": two,
        "another player who wins": one,
        "another player who loses": one,
    }


def super_bonus_payment_time(v: Any) -> Rows:
    return {
        "the winner": pick(
            v,
            (r"during subsequent deal", "during the subsequent deal"),
            (r"before cards are collected|time not stated|not applicable", SILENT),
        )
    }


def double_eligible_hands(v: Any) -> Rows:
    if v.startswith("silent on which hands"):
        return {"two cards, hard 11": "yes", "three cards, hard 16": "open"}
    few = "only first two" in v
    assert few or "<21" in v
    return {
        "two cards, hard 11": "yes",
        "two cards, hard 16": "no" if few else "yes",
        "two cards, soft 17": "no" if few else "yes",
        "three cards, 21": "no",
        "three cards, hard 16": "no" if few else "yes",
    }


def double_after_split(v: Any) -> Rows:
    other = "no" if "hard 9-11 only" in v else "yes"
    return {"two cards, hard 11": pick(v, (r"^yes", "yes")), "two cards, hard 13": other}


def double_on_split_aces(v: Any) -> Rows:
    return {"a split ace with one card": pick(v, (r"^no\b", "no"))}


def double_cards_dealt(v: Any) -> Rows:
    return {"a second card after doubling": pick(v, (r"^1$", "no"))}


def double_stake(v: Any) -> Rows:
    below = pick(v, (r"not below displayed minimum", "no"), (r"lower bound silent", "yes"))
    over = pick(v, (r"^up to initial|^not above original", "no"))
    return {"more than the original": over, "less than the displayed unit": below}


def double_payout(v: Any) -> Rows:
    told = pick(v, (r"^1:1", "wins 1 to 1"))
    return {"6-7-8 of spades": told, "21 with three cards": told}


def double_coplayer_who_does_not_double(v: Any) -> Rows:
    return {
        "6-7-8 of spades": pick(v, (r"keeps table odds", "wins 3 to 1"), (r"1:1", "wins 1 to 1"))
    }


def coplayer_double_when_controller_declines(v: Any) -> Rows:
    told = pick(v, (r"not allowed|only when the caller doubles", "no"))
    return {"the deciding player does not double": told}


def forfeit_after_double(v: Any) -> Rows:
    if not v["available"]:
        return {"on 18": "no", "on 21": "no"}
    low = v["condition"].startswith("total less than 21")
    anybody = v["who"].startswith("any player")
    return {
        "on 18": "yes",
        "on 21": "no" if low else "yes",
        "over 21": "no",
        "co-player who doubled too": "yes",
        "co-player who did not double": "yes" if anybody else "no",
        "back of $10 doubled with $10": "$10",
    }


def split_condition(v: Any) -> Rows:
    assert re.search(r"equal value|same value|identical in value", v)
    return {"two eights": "yes", "king and queen": "yes", "two aces": "yes", "eight and nine": "no"}


def split_stake(v: Any) -> Rows:
    assert v.startswith("equal to")
    return {
        "as much as the original": "yes",
        "less than the original": "no",
        "more than the original": "no",
    }


def split_max_hands(v: Any) -> Rows:
    usual, again = (v["default"], v["if_resplit_permitted"]) if isinstance(v, dict) else (v, v)
    return {"hands": f"up to {usual}", "where splitting again is permitted": f"up to {again}"}


def resplit(v: Any) -> Rows:
    told = pick(v, (r"^yes|^once more", "yes"), (r"^no, unless permitted", "no"))
    rows = {"a split hand with another eight": told, "where the table permits it": "yes"}
    if "not after once declining" in v:
        rows["after it was declined once"] = "no"
    return rows


def split_aces(v: Any) -> Rows:
    assert v["cards_each"] == 1
    again = "yes" if "2 where resplit permitted" in str(v["times"]) else "no"
    return {
        "splitting aces again": "no",
        "splitting aces again where permitted": again,
        "a further card": "no",
    }


def split_coplayers(v: Any) -> Rows:
    assert v.startswith("match split")
    stays = pick(v, (r"first hand", "stays on the first hand"), (r"designate either", SILENT))
    return {
        "may follow the split": "yes",
        "may split alone": "no",
        "wager of who does not follow": stays,
    }


def split_hands_payout(v: Any) -> Rows:
    told = pick(v, (r"^(table 1|11\.1) odds", "wins 3 to 2"), (r"^1:1", "wins 1 to 1"))
    return {"6-7-8, mixed suits": told}


def surrender_available(v: Any) -> Rows:
    told = pick(v, (r"first card J, Q, K or A", "yes"), (r"no surrender", "no"))
    return {
        "the dealer shows a king": told,
        "the dealer shows an ace": told,
        "the dealer shows a 9": "no",
        "after a further card": "no",
    }


def surrender_amount(v: Any) -> Rows:
    return {"the dealer ends on 19": pick(v, (r"^half", "loses half"), (r"^none", SILENT))}


def surrender_coplayers(v: Any) -> Rows:
    if no_word(v):
        return {"may still draw": SILENT}
    rest = "who does nothing, 16 against 19"
    if "bound" in v:
        return {"may surrender alone": "no", rest: "loses half", "may still draw": "no"}
    if "each other player chooses" in v:
        return {"may surrender alone": "no", rest: "loses", "may still draw": "no"}
    assert "plays on" in v
    return {rest: "loses", "may still draw": "yes"}


def surrender_vs_dealer_natural(v: Any) -> Rows:
    return {
        "the wager": pick(
            v, (r"whole original lost|entire wager lost", "loses"), (r"^none", SILENT)
        )
    }


def late_surrender_after_missed_offer(v: Any) -> Rows:
    told = pick(v, (r"^allowed", "yes"), (r"^silent|^none", SILENT))
    return {"another box has drawn, this hand has not": told}


def insurance_when(v: Any) -> Rows:
    assert v.startswith("dealer first card ace;")
    return {
        "the dealer shows an ace": "yes",
        "the dealer shows a king": "no",
        "after a further card": "no",
    }


def insurance_eligibility(v: Any) -> Rows:
    return {"a player with a natural": pick(v, (r"^not a player", "no"), (r"^any player", "yes"))}


def insurance_max(v: Any) -> Rows:
    assert v.startswith("half of")
    return {"half the wager": "yes", "more than half the wager": "no"}


def insurance_multiples(v: Any) -> Rows:
    chip = pick(v, (r"half the smallest chip", "required"), (r"paid in chips|silent", SILENT))
    paid = pick(v, (r"paid in chips", "required"), (r"smallest chip|silent", SILENT))
    return {
        "in steps of half the smallest chip": chip,
        "such that a win can be paid in chips": paid,
    }


def insurance_odds(v: Any) -> Rows:
    return {"the dealer's second card is a king": odds(v)}


def insurance_settled(v: Any) -> Rows:
    won = pick(
        v,
        (r"won: after final settlement", "at the end and after the other wagers"),
        (r"won: final settlement", "at the end"),
        (r"won: paid \(time not stated\)", "at the second dealer card"),  # by a reading
        (r"", SILENT),
    )
    lost = pick(v, (r"lost: .*second card", "at the second dealer card"))
    return {"lost": lost, "won": won}


def insurance_late_offer(v: Any) -> Rows:
    return {"another box has drawn": pick(v, (r"^allowed", "yes"), (r"^silent", SILENT))}


def insurance_when_hand_void(v: Any) -> Rows:
    told = pick(v, (r"returns all chips|void too|monies returned", "void"), (r"silent", SILENT))
    return {"the dealer's second card is a 9": told}


def even_money(v: Any) -> Rows:
    return {
        "the dealer shows an ace": pick(
            v, (r"^1:1 at player's request", "yes"), (r"^none \(always", "not given")
        )
    }
