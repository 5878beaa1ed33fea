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

A word that is not understood is an error: a scenario that passes has been read to its last word.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from decimal import Decimal
from typing import Any

from checker.log import model as r
from rulespec.load.ordinary import ACTIONS, APPROVALS, OPTIONS, RECORDS
from rulespec.resolve.typecheck import did_you_mean

FORMS = {
    "bet": "bet BOX PLAYER STAKE [WORD …]",
    "deal": "deal BOX[.HAND]:CARD …",
    "dealer": "dealer CARD …",
    "settle": "settle BOX[.HAND] PLAYER BET AMOUNT",
    "void": "void round | void box BOX | void hand BOX.HAND [because REASON]",
    "record": "record WHAT [found WHEN]",
    "approve": "approve WHAT [PLAYER]",
    "announce": "announce WHAT",
    "offer": "offer insurance | offer surrender",
    "absent": "absent BOX PLAYER",
    "refuse": "refuse BOX PLAYER",
    "warn": "warn PLAYER",
    "withdraw": "withdraw BOX[.HAND] PLAYER",
    "adjust": "adjust PLAYER AMOUNT",
    "shuffle": "shuffle",
    "cut": "cut card",
    "burn": "burn [CARD]",
    "no": "no more bets",
}
PLAY = "BOX[.HAND] PLAYER ACTION [$STAKE] [CARD …]"
OFFERS = ("insurance", "surrender")
WITH_STAKE = ("double", "split", "insure")
_APPROVED = frozenset((*APPROVALS, *ACTIONS["casino"]))
_MARKS = {"controls": ("control", True), "seated": ("seated", True), "standing": ("seated", False)}
_YES_OR_NO = ("undisclosed", "recognised", "joined_after_change", "in_order")
_AFTER_A_BET = (*sorted(r.WAGER_BETS), *_MARKS, *_YES_OR_NO, "nocard", "card=", "chips=")

Event = dict[str, Any]


class ScriptError(Exception):
    """A line of a scenario that cannot be read, with advice."""

    def __init__(self, reason: str, help: str = "", line: int = 0) -> None:
        super().__init__(reason)
        self.help = help
        self.line = line  # of the script, from 1


def events_of(script: str) -> list[Event]:
    return [event for _, event in numbered_events(script)]


def numbered_events(script: str) -> list[tuple[int, Event]]:
    """Each event with the line of the script that it stands on."""
    events: list[tuple[int, Event]] = []
    for number, raw in enumerate(script.splitlines(), 1):
        text = re.sub(r"(^|\s)#.*", "", raw).strip()
        if not text:
            continue
        try:
            events += [(number, event) for event in _events(text.split())]
        except ScriptError as error:
            reason = f"line {number} `{text}`: {error}"
            raise ScriptError(reason, error.help, number) from None
    return events


def _events(words: list[str]) -> list[Event]:
    match words:
        case ["bet", box, player, stake, *more]:
            return [_bet(_box(box), player, _money(stake), more)]
        case ["deal", _, *_]:
            return [_dealt(word) for word in words[1:]]
        case ["dealer", _, *_]:
            return [{"e": "deal", "box": 0, "card": card} for card in words[1:]]
        case ["settle", place, player, bet, amount]:
            return [
                {
                    "e": "settle",
                    **_where(place),
                    "player": player,
                    "bet": _one_of(bet, "bet", r.SETTLE_BETS),
                    "returned": _money(amount),
                }
            ]
        case ["void", *more]:
            return [_void(more)]
        case ["record", what, *found]:
            return [_recorded(what, found)]
        case ["approve", what]:
            return [{"e": "approve", "what": _one_of(what, "approval", _APPROVED)}]
        case ["approve", what, player]:
            return [
                {"e": "approve", "what": _one_of(what, "approval", _APPROVED), "player": player}
            ]
        case ["announce", what]:
            return [{"e": "announce", "what": _one_of(what, "option", OPTIONS)}]
        case ["offer", what]:
            return [{"e": "offer", "what": _one_of(what, "offer", OFFERS)}]
        case ["absent" | "refuse" as head, box, player]:
            return [{"e": head, "box": _box(box), "player": player}]
        case ["warn", player]:
            return [{"e": "warn", "player": player, "what": "under_minimum"}]
        case ["withdraw", place, player]:
            return [{"e": "withdraw", **_where(place), "player": player}]
        case ["adjust", player, amount]:
            return [{"e": "adjust", "player": player, "amount": _money(amount)}]
        case ["shuffle"]:
            return [{"e": "shuffle"}]
        case ["cut", "card"]:
            return [{"e": "cut_card"}]
        case ["burn"]:
            return [{"e": "burn"}]
        case ["burn", card]:
            return [{"e": "burn", "card": card}]
        case ["no", "more", "bets"]:
            return [{"e": "no_more_bets"}]
        case [place, player, do, *more] if place[0].isdigit():
            return _play(place, player, do, more)
        case [head, *_] if head in FORMS:
            raise ScriptError("cannot be read", f"it is written `{FORMS[head]}`")
        case [head, *_] if head[0].isdigit():
            raise ScriptError("cannot be read", f"a choice is written `{PLAY}`")
        case [head, *_]:
            advice = did_you_mean(head, FORMS, f"a line begins with {', '.join(FORMS)} or a box")
            raise ScriptError(f"no line begins with `{head}`", advice)
        case _:
            raise AssertionError("a line without a word")


# --- words


def _one_of(word: str, what: str, known: Collection[str]) -> str:
    if word not in known:
        names = sorted(known)
        listed = "one of " + ", ".join(names) if len(names) < 9 else "docs/vocabulary.md lists them"
        raise ScriptError(f"unknown {what} `{word}`", did_you_mean(word, names, listed))
    return word


_MONEY = re.compile(r"(-?)\$?([0-9]{1,13}(?:\.[0-9]+)?)", re.ASCII)
_PLACE = re.compile(r"([0-9])(?:\.([1-9][0-9]?))?", re.ASCII)


def _money(word: str) -> Decimal:
    found = _MONEY.fullmatch(word)
    if found is None:
        raise ScriptError(f"`{word}` is not an amount", "an amount is written `10` or `$7.50`")
    return Decimal(found[1] + found[2])


def _box(word: str) -> int:
    box: int = _where(word)["box"]
    if "." in word:
        raise ScriptError(f"`{word}` names a hand", f"only the box is named here: `{box}`")
    return box


def _where(word: str) -> Event:
    found = _PLACE.fullmatch(word)
    if found is None:
        advice = "a box is a number from 1 to 9, 0 is the dealer, `1.2` the second hand of box 1"
        raise ScriptError(f"`{word}` is not a box or hand", advice)
    return {"box": int(found[1]), "hand": int(found[2] or 1)}


def _dealt(word: str) -> Event:
    place, colon, card = word.partition(":")
    if not colon:
        raise ScriptError(
            f"`{word}` does not say where the card goes", f"it is written `{FORMS['deal']}`"
        )
    return {"e": "deal", **_where(place), "card": card}


# --- events with more to say


def _bet(box: int, player: str, stake: Decimal, words: list[str]) -> Event:
    event: Event = {
        "e": "wager",
        "box": box,
        "player": player,
        "bet": "main",
        "stake": stake,
        "player_card": f"PC-{player}",
    }
    said: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if equals and (key in r.WAGER_BETS or key in _MARKS or key == "nocard"):
            raise ScriptError(f"`{key}` takes no value, and `{value}` is given", f"write `{key}`")
        field = key
        match key:
            case "main" | "perfect_pairs" | "super_sevens":
                field, event["bet"] = "bet", key
            case "controls" | "seated" | "standing":
                field, event[_MARKS[key][0]] = _MARKS[key]
            case "nocard":
                field = "card"
                event.pop("player_card", None)
            case "card" if value:
                event["player_card"] = value
            case "chips" if value:
                event["chips_held"] = _money(value)
            case "undisclosed" | "recognised" | "joined_after_change" | "in_order":
                if equals and value not in ("yes", "no"):
                    raise ScriptError(
                        f"`{word}` says neither yes nor no", f"write `{key}` or `{key}=no`"
                    )
                event[key] = value != "no"
            case _:
                known_words = [known.removesuffix("=") for known in _AFTER_A_BET]
                advice = did_you_mean(key, known_words, "one of " + ", ".join(_AFTER_A_BET))
                raise ScriptError(f"`{word}` is not known after a bet", advice)
        if field in said:
            raise ScriptError(
                f"`{said[field]}` and `{word}` say one thing twice", "leave one of them out"
            )
        said[field] = word
    return event


def _recorded(what: str, found: list[str]) -> Event:
    event: Event = {"e": "irregularity", "what": _one_of(what, "record", RECORDS)}
    match found:
        case []:
            return event
        case ["found", when]:
            return {**event, "found": _one_of(when, "moment", r.FOUND)}
        case _:
            raise ScriptError("cannot be read", f"it is written `{FORMS['record']}`")


def _void(words: list[str]) -> Event:
    what, reason = words, None
    if "because" in words:
        cut = words.index("because")
        what, reason = words[:cut], " ".join(words[cut + 1 :])
    event: Event
    match what:
        case ["round"]:
            event = {"e": "void", "scope": "round"}
        case ["box", box]:
            event = {"e": "void", "scope": "box", "box": _box(box)}
        case ["hand", place]:
            event = {"e": "void", "scope": "hand", **_where(place)}
        case _:
            raise ScriptError("cannot be read", f"it is written `{FORMS['void']}`")
    if reason == "":
        raise ScriptError("no reason stands after `because`", "give one, or leave `because` out")
    return event if reason is None else {**event, "reason": reason}


def _play(place: str, player: str, do: str, rest: list[str]) -> list[Event]:
    where = _where(place)
    event: Event = {"e": "play", **where, "player": player, "do": _one_of(do, "do", r.PLAYS)}
    if rest and rest[0].startswith("$"):
        if do not in WITH_STAKE:
            raise ScriptError(
                f"nothing is added to a wager by `{do}`",
                f"an amount stands after {', '.join(WITH_STAKE)}",
            )
        event["stake"] = _money(rest[0])
        rest = rest[1:]
    return [event, *({"e": "deal", **where, "card": card} for card in rest)]
