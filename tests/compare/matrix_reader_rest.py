"""The rest of the reader: side bets, boxes, limits, irregularities, the shoe."""

from __future__ import annotations

import re
from typing import Any

from tests.compare.matrix_reader import SILENT, Rows, no_word, odds, pick


def perfect_pairs_offered(v: Any) -> Rows:
    compulsory = "may be compulsory" if "compulsory" in v else SILENT
    rows = {"as a condition of play": compulsory}
    if v.startswith("silent"):
        rows["a pair where the table offers it"] = SILENT
    else:
        assert v.startswith("optional")
    return rows


def perfect_pairs_odds(v: Any) -> Rows:
    kinds = ("mixed", "coloured", "perfect")
    return {f"{k} pair": SILENT if v == "silent" else odds(v[k]) for k in kinds}


def perfect_pairs_pair_meaning(v: Any) -> Rows:
    if no_word(v):
        return {"two eights": SILENT, "king and queen": SILENT}
    assert v.startswith("same number or same picture type")
    return {"two eights": "yes", "two kings": "yes", "king and queen": "no"}


def perfect_pairs_without_main_wager(v: Any) -> Rows:
    row, rest = "on a box where others wager", "a mixed pair, others wager on the box"
    if v == "void":
        return {rest: "void"}
    return {row: pick(v, (r"^allowed", "allowed"), (r"silent", SILENT))}


def perfect_pairs_max_per_area(v: Any) -> Rows:
    return {"wagers": SILENT if v == "silent" else f"up to {v}"}


def perfect_pairs_settled(v: Any) -> Rows:
    told = pick(v, (r"before subsequent deal", "before the subsequent deal"), (r"silent", SILENT))
    return {"a pair": told, "no pair": told}


def super_sevens(v: Any) -> Rows:
    rows = {
        "first card a seven": "one_seven_first_card",
        "two sevens": "two_unsuited",
        "two suited sevens": "two_suited",
        "three sevens": "three_unsuited",
        "three suited sevens": "three_suited",
    }
    if v == "none":
        return dict.fromkeys(rows, SILENT)
    told = {row: odds(v[key]) for row, key in rows.items()}
    told["without a main wager"] = pick(v["without_main"], (r"^void$", "void"))
    told["three suited sevens paid"] = pick(v["three_suited_paid"], (r"after round", "at the end"))
    return told


def mandatory_draw_under_12(v: Any) -> Rows:
    told = pick(v, (r"must draw", "must"), (r"^none: may stand", "may"))
    return {"hard 11": told, "hard 12": "may"}


def player_at_21_may_not_draw(v: Any) -> Rows:
    return {"21 with three cards": pick(v, (r"^(yes|True)$", "no"))}


def absent_player(v: Any) -> Rows:
    if "number missing" in v:
        return {"hard 16": "open"}
    eleven = pick(
        v,
        (r"until total exceeds 11|minimum number required", "must"),
        (r"operator may direct", "open"),
        (r"^no further cards", "may not draw"),
    )
    return {"hard 11": eleven, "hard 12": "may not draw"}


def players_per_box_max(v: Any) -> Rows:
    return {"players": f"up to {pick(v, (r'^3', '3'))}"}


def box_control(v: Any) -> Rows:
    rows = {"a standing player, another is seated": "no"}
    if v == ["seated player only"]:
        rows["nobody seated, the highest wager"] = "no"
    elif "highest wager" in v:
        rows["nobody seated, the highest wager"] = "yes"
    else:
        assert v == ["seated player", "nearest wager to dealer"]
        rows["nobody seated, the lower wager"] = "yes"
    return rows


def one_bet_per_player_per_box(v: Any) -> Rows:
    return {"wagers": pick(v, (r"^yes", "up to 1"), (r"^silent", SILENT))}


def under_minimum(v: Any) -> Rows:
    assert re.search(r"paid or collected|valid once|silent here", v)
    return {
        "wins 19 against 18": "wins 1 to 1",
        "the owner is warned": "must" if "warned" in v else SILENT,
    }


def over_maximum(v: Any) -> Rows:
    won = pick(v, (r"to (the )?maximum", "$300"), (r"^silent here", "open"))
    lost = pick(v, (r"to (the )?maximum", "$100"), (r"^silent here", "open"))
    return {
        "back of $200 that wins, maximum $100": won,
        "back of $200 that loses, maximum $100": lost,
    }


def multiples(v: Any) -> Rows:
    if not v.startswith(("only if notice", "only if sign")):
        return {"$12, unit $5, a notice asks for multiples": SILENT}
    return {"$12, unit $5, a notice asks for multiples": "not allowed"}


def rounding_of_payments(v: Any) -> Rows:
    return {"direction": pick(v, (r"^up to next|next higher payable", "up"), (r"^silent", SILENT))}


def bet_lock(v: Any) -> Rows:
    rows = {"a wager after the first card": "not allowed"}
    if v.startswith("after 'No More Bets' call"):
        rows["a wager after the call, before the first card"] = "not allowed"
    else:
        assert v.startswith(("after first card", "after call and first card"))
    return rows


def card_drawn_in_error(v: Any) -> Rows:
    told = pick(v, (r"refuser frozen", "no"), (r"^used as next card", SILENT))
    return {"a player who refused it may draw": told}


def excess_card_to_dealer(v: Any) -> Rows:
    return {"is burnt": pick(v, (r"burned|discarded", "must"))}


def placement_error_same_round(v: Any) -> Rows:
    told = pick(v, (r"^reconstruct", "not"), (r"^detailed short-hand scheme", SILENT))
    return {"the round is called off": told}


def placement_error_found_next_round(v: Any) -> Rows:
    if v.startswith("errant round void"):
        return {"the round is called off": "must", "a wager of it, 19 against 18": "void"}
    assert re.match(r"subsequently dealt hands stand|silent", v)
    return {"a wager of it, 19 against 18": SILENT}


def void_and_interim_settlements(v: Any) -> Rows:
    row = "a 21 that was paid"
    if v == "silent":
        return {}
    told = pick(v, (r"unwinds|returned", "void"), (r"^interim settlements stand", "wins 1 to 1"))
    return {row: told} | ({"in a tournament": "void"} if "tournament: repaid" in v else {})


def short_hand_after_dealer_second_card(v: Any) -> Rows:
    rows = (
        "the dealer ends over 21",
        "the dealer has a natural",
        "the dealer stands on 19: the wager may be taken back",
    )
    if isinstance(v, str):
        assert v.startswith("silent")
        return dict.fromkeys(rows, SILENT)
    return {
        rows[0]: pick(v["dealer_busts"], (r"paid as winner", "wins 1 to 1")),
        rows[1]: pick(v["dealer_pontoon"], (r"stand-off", "stands off")),
        rows[2]: pick(v["dealer_stands"], (r"withdraw", "yes")),
    }


def dealer_missed_own_first_card(v: Any) -> Rows:
    back, insured = "a wager may be taken back", "insurance against an ace"
    if v.startswith("silent"):
        return {back: SILENT, insured: SILENT}
    assert "players may withdraw" in v
    assert "no insurance" in v
    return {back: "yes", insured: "no"}


def shoe_exhausted_mid_round(v: Any) -> Rows:
    rows = {"the discards are shuffled": pick(v, (r"^shuffle", "must"))}
    if "not with shuffling shoe" in v:
        rows["with an automatic shuffler"] = SILENT
    return rows


def missing_or_foreign_card(v: Any) -> Rows:
    if not v.startswith("completed rounds stand"):
        return {"the rest of the shoe is void": SILENT, "surveillance is told": SILENT}
    return {
        "the round is called off": "must",
        "the rest of the shoe is void": "must",
        "found in the next round: the round is called off": "not",
        "surveillance is told": "must",
        "a 21 that was paid": "wins 1 to 1",
    }


def round_with_no_wagers(v: Any) -> Rows:
    told = pick(v, (r"^void", "must"), (r"silent|superfluous hand rules only", SILENT))
    return {"the round is called off": told}


def dealing_past_cut_card(v: Any) -> Rows:
    stands = pick(v, (r"rounds stand", "not"), (r"^shuffle right after|^silent", SILENT))
    return {"the round is called off for it": stands}


def device_malfunction(v: Any) -> Rows:
    if "round terminated and wagers returned" in v:
        return {"the round is called off": "must"}
    return {"five cards are burnt after a jam": "must" if "burn five" in v else SILENT}


def mis_settlement(v: Any) -> Rows:
    return {"is put right": pick(v, (r"-> not a breach", "may"), (r"silent", SILENT))}


def disruption_or_fraud(v: Any) -> Rows:
    told = pick(v, (r"may invalidate", "may"), (r"^silent \(Division 1\)", "open"))
    return {
        "the round is called off for a disruption": told,
        "the round is called off for fraud": told,
    }


def reporting_duties(v: Any) -> Rows:
    told = " ".join(v)
    rows = {
        "an error of $1,500": "above $1,000",
        "a missing card: the inspector is told": "missing/foreign card",
        "a player held to one box: the inspector is told": "one-area restrictions",
        "Perfect Pairs kept to main bettors: surveillance is told": "limiting Perfect Pairs",
        "a promotion: the regulator is told": "promotion terms",
        "a manager's shuffle: the inspector is told": "manager-initiated shuffle",
    }
    return {row: "must" if words in told else SILENT for row, words in rows.items()} | {
        "a recognised player held to the minimum: told before": "required"
        if "recognised-player restrictions" in told
        else SILENT,
        "every irregularity needs a supervisor": "required"
        if "every irregularity" in told
        else SILENT,
    }


def player_card(v: Any) -> Rows:
    if v == "silent":
        return {"a player card": SILENT}
    assert v["own_card_only"]
    return {"a player card": "required", "19 against 18 without a card": "void"}


def burn_card(v: Any) -> Rows:
    first = "must" if v.startswith("first card from shoe") else SILENT
    five = "must" if "five cards after loading" in v else SILENT
    return {"the first card of a shoe": first, "five cards after loading a shuffler": five}


def shuffle_triggers(v: Any) -> Rows:
    told = " ".join(v)
    assert "cut card first" in told
    rows = {"the cut card leads a round": "must"}
    last = pick(
        told,
        (r"final three rounds exempt", "must not"),
        (r"last three rounds may continue", SILENT),
        (r"suspicion", "must"),
    )
    rows["the same, in the last three rounds"] = last
    if "start of play" in v:
        rows["at the start of a shoe"] = "must"
    rows["on the manager's initiative"] = "may" if "manager's initiative" in v else "any"
    return rows


def mid_shoe_entry_restriction(v: Any) -> Rows:
    rows = {"missed the first two rounds": "may", "sat out a later round": "may"}
    first = pick(v, (r"misses both first two rounds", SILENT), (r"may be held to minimum", "may"))
    return rows | {"missed the first round, held to the minimum": first}


def idle_seat(v: Any) -> Rows:
    told = pick(v, (r"^three consecutive rounds|^same", "may"), (r"silent", SILENT))
    return {"three idle rounds": told}


def tournament(v: Any) -> Rows:
    if v == "silent":
        return {"the minimum each round": SILENT, "equal chips at the end": SILENT}
    rows = {} if "section 21" in v else {"the minimum each round": "required"}
    if "ties by extra rounds" in v:
        rows["equal chips at the end"] = "extra rounds"
    if "pass cards" in v:
        rows |= {"pass cards": "only in a tournament", "the minimum for every wager": "required"}
    return rows


def low_limit_games(v: Any) -> Rows:
    told = pick(
        v,
        (r"^no tournaments; all cards from a shuffling device", "not allowed"),
        (r"silent", SILENT),
    )
    return {"as a tournament": told, "without a shuffling device": told}


def promotions(v: Any) -> Rows:
    return {"the regulator is told before": "must" if "terms lodged" in v else SILENT}
