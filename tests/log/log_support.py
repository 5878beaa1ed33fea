"""Rounds as a log has them."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from checker.log import model as r

HEAD = {"format": 1, "table": "T12", "at": "2024-08-20T21:14:03+10:00", "decks": 6}
PLAIN: dict[str, Any] = {
    **HEAD,
    "round": "T12-000345",
    "shoe": "T12-0820-3",
    "rulebook": "nsw-star-pontoon",
    "options": ["perfect_pairs"],
    "limits": {
        "main": {"min": 10, "max": 500, "unit": 5, "box_max": {"3": 250}, "smallest_chip": 2.5},
        "perfect_pairs": {"min": 0, "max": 50, "multiples_notice": True},
    },
    "events": [
        {"e": "wager", "box": 1, "player": "P1", "bet": "main", "stake": 24.5, "control": True},
        {"e": "deal", "box": 1, "card": "6S"},
        {"e": "deal", "box": 0, "card": "9H"},
        {"e": "play", "box": 1, "hand": 1, "player": "P1", "do": "double", "stake": 24.5},
        {"e": "deal", "box": 1, "hand": 1, "card": "TC"},
        {"e": "settle", "box": 1, "hand": 1, "player": "P1", "bet": "main", "returned": 98},
    ],
}
# Every kind of event, with all its fields.
FULL: dict[str, Any] = {
    **HEAD,
    "round": "all",
    "events": [
        {"e": "shuffle"},
        {"e": "burn", "card": "JOKER"},
        {"e": "burn"},
        {
            "e": "wager",
            "box": 9,
            "player": "Zoë",
            "bet": "super_sevens",
            "stake": 0.01,
            "control": False,
            "seated": True,
            "player_card": "PC-1",
        },
        {"e": "no_more_bets"},
        {"e": "cut_card", "box": 0},
        {"e": "cut_card"},
        {"e": "offer", "what": "insurance"},
        {"e": "play", "box": 2, "player": "P2", "do": "insure", "stake": 5},
        {"e": "absent", "box": 2, "player": "P2"},
        {"e": "approve", "what": "late entry", "by": "S7"},
        {"e": "refuse", "box": 2, "player": "P2"},
        {"e": "malfunction", "disadvantage": False, "reason": "jam"},
        {"e": "irregularity", "what": "misdeal", "found": "initial_deal"},
        {"e": "announce", "what": "last_rounds"},
        {"e": "warn", "player": "P2", "what": "under_minimum"},
        {"e": "withdraw", "box": 2, "hand": 2, "player": "P2"},
        {"e": "void", "scope": "hand", "reason": "", "box": 2, "hand": 2},
        {"e": "settle", "box": 2, "player": "P2", "bet": "insurance", "returned": 0},
        {"e": "adjust", "player": "P2", "amount": -2.25, "reason": "x", "box": 2, "bet": "main"},
        {"e": "note", "text": "quiet"},
        {"e": "deal", "box": 0, "card": "KH", "face": "down"},
        {"e": "deal", "to": "banker", "card": "6S"},
        {"e": "peek"},
        {"e": "reveal", "box": 2, "hand": 1},
        {"e": "wager", "player": "P2", "bet": "tie", "stake": 5, "wins": 2},
        {"e": "play", "box": 2, "player": "P2", "do": "insure", "stake": 5, "for": "main_2"},
        {"e": "designate", "box": 2, "player": "P2", "hand": 2},
        {"e": "refuse", "box": 2, "card": "5H"},
        {"e": "irregularity", "what": "reader", "box": 2, "player": "P2", "seen": True},
    ],
}


def line_of(obj: object) -> bytes:
    return json.dumps(obj).encode()


def numbered(count: int) -> list[dict[str, Any]]:
    return [{**PLAIN, "round": f"R{n}"} for n in range(1, count + 1)]


@cache
def _validator() -> Any:
    return Draft202012Validator(r.round_schema())


def objection_of_schema(obj: object) -> str | None:
    """What the published schema has against a parsed value, in one line; None is nothing."""
    try:
        error = best_match(_validator().iter_errors(obj))
    except (ArithmeticError, RecursionError):
        return "a number is out of range, or the nesting is too deep"
    if error is None:
        return None
    path = error.json_path.removeprefix("$").removeprefix(".") or "the line"
    return f"{path}: {' '.join(error.message.split())[:200]}"
