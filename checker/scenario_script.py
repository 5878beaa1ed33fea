"""The short way of writing a round in a scenario: one line for each event.

    bet 1 P1 10                     a main wager; then words: perfect_pairs, controls, seated,
                                    standing, nocard, card=PC-1, undisclosed, chips=500 …
    deal 1:6H 0:9D 1:7D             cards in the order dealt, BOX[.HAND]:CARD, box 0 is the dealer
    1 P1 double $10 9C              BOX[.HAND] PLAYER ACTION [STAKE] [CARDS dealt to that hand]
    dealer KC 2S                    cards to the dealer
    settle 1 P1 main 25             BOX[.HAND] PLAYER BET AMOUNT
    void round | void box 1 | void hand 1.2          [because REASON]
    record placement_error [found next_round]        an irregularity
    approve resplit [PLAYER] | absent 1 P1 | warn P1 | refuse 1 P1 | withdraw 1.1 P1 | adjust P1 -15
    shuffle | cut card | burn [5H] | no more bets | offer insurance | announce last_rounds
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Any


class ScriptError(Exception):
    """A line of a scenario that cannot be read."""


def events_of(script: str) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    for number, raw in enumerate(script.splitlines(), 1):
        text = re.sub(r"(^|\s)#.*", "", raw).strip()
        if not text:
            continue
        try:
            events.extend(_events(text.split()))
        except (ScriptError, ValueError, IndexError, InvalidOperation) as error:
            reason = str(error) if isinstance(error, ScriptError) else "cannot be read"
            raise ScriptError(f"line {number} `{text}`: {reason}") from None
    return events


def _events(words: list[str]) -> list[dict[str, Any]]:
    head, rest = words[0], words[1:]
    match head:
        case "bet":
            return [_bet(rest)]
        case "deal":
            return [_dealt(word) for word in rest]
        case "dealer":
            return [{"e": "deal", "box": 0, "card": card} for card in rest]
        case "settle":
            box, hand = _place(rest[0])
            event = {"e": "settle", "box": box, "hand": hand, "player": rest[1], "bet": rest[2]}
            return [{**event, "returned": _money(rest[3])}]
        case "void":
            return [_void(rest)]
        case "record":
            event = {"e": "irregularity", "what": rest[0]}
            return [{**event, "found": rest[2]} if rest[1:2] == ["found"] else event]
        case "approve" | "announce" | "offer":
            whom = {"player": rest[1]} if head == "approve" and len(rest) > 1 else {}
            return [{"e": head, "what": rest[0], **whom}]
        case "absent" | "refuse":
            return [{"e": head, "box": int(rest[0]), "player": rest[1]}]
        case "warn":
            return [{"e": "warn", "player": rest[0], "what": "under_minimum"}]
        case "withdraw":
            box, hand = _place(rest[0])
            return [{"e": "withdraw", "box": box, "hand": hand, "player": rest[1]}]
        case "adjust":
            return [{"e": "adjust", "player": rest[0], "amount": _money(rest[1])}]
        case "shuffle":
            return [{"e": "shuffle"}]
        case "cut":
            return [{"e": "cut_card"}]
        case "burn":
            return [{"e": "burn", "card": rest[0]} if rest else {"e": "burn"}]
        case "no":
            return [{"e": "no_more_bets"}]
        case _:
            return _play(words)


def _money(word: str) -> Decimal:
    return Decimal(word.removeprefix("$"))


def _place(word: str) -> tuple[int, int]:
    box, _, hand = word.partition(".")
    return int(box), int(hand or 1)


def _dealt(word: str) -> dict[str, Any]:
    place, _, card = word.partition(":")
    box, hand = _place(place)
    return {"e": "deal", "box": box, "hand": hand, "card": card}


def _bet(words: list[str]) -> dict[str, Any]:
    event: dict[str, Any] = {
        "e": "wager", "box": int(words[0]), "player": words[1], "bet": "main",
        "stake": _money(words[2]), "player_card": f"PC-{words[1]}",
    }  # fmt: skip
    for word in words[3:]:
        key, _, value = word.partition("=")
        match key:
            case "main" | "perfect_pairs" | "super_sevens":
                event["bet"] = key
            case "controls":
                event["control"] = True
            case "seated":
                event["seated"] = True
            case "standing":
                event["seated"] = False
            case "nocard":
                event.pop("player_card")
            case "card":
                event["player_card"] = value
            case "undisclosed" | "recognised" | "joined_after_change" | "in_order":
                event[key] = value != "no"
            case "chips":
                event["chips_held"] = _money(value)
            case _:
                raise ScriptError(f"`{word}` is not known after a bet")
    return event


def _void(words: list[str]) -> dict[str, Any]:
    event: dict[str, Any] = {"e": "void", "scope": words[0]}
    if words[0] != "round":
        box, hand = _place(words[1])
        event["box"] = box
        if words[0] == "hand":
            event["hand"] = hand
    if "because" in words:
        event["reason"] = " ".join(words[words.index("because") + 1 :])
    return event


def _play(words: list[str]) -> list[dict[str, Any]]:
    box, hand = _place(words[0])
    player, action, *rest = words[1:]
    event: dict[str, Any] = {"e": "play", "box": box, "hand": hand, "player": player, "do": action}
    if rest and rest[0].startswith("$"):
        event["stake"] = _money(rest.pop(0))
    cards = [{"e": "deal", "box": box, "hand": hand, "card": card} for card in rest]
    return [event, *cards]
