"""The short way of writing a round in a scenario: one line for each event.

    bet 1 P1 10                     a main wager; then words: perfect_pairs, controls, seated,
                                    standing, nocard, card=PC-1, undisclosed, chips=500 …
    deal 1:6H 0:9D 1:7D 0:KS:down   cards in the order dealt, BOX[.HAND]:CARD, box 0 is the dealer
    1 P1 double $10 9C              BOX[.HAND] PLAYER ACTION [STAKE] [CARDS dealt to that hand]
    dealer KC 2S                    cards to the dealer
    settle 1 P1 main 25             BOX[.HAND] PLAYER BET AMOUNT
    bet P1 20 tie, deal banker:6H, settle P1 tie 180        where hands have names, not boxes
    void round | void box 1 | void hand 1.2          [because REASON]
    record placement_error [found next_round]        an irregularity
    approve resplit [PLAYER] | absent 1 P1 | warn P1 | refuse 1 P1 | withdraw 1.1 P1 | adjust P1 -15
    shuffle | cut card | burn [5H] | no more bets | offer insurance | announce last_rounds
    peek | reveal 0 | reveal 1.2 | reveal banker | designate 1.2 P2

Which bets, plays, records and options there are, the game says.

A word that is not understood is an error: a scenario that passes has been read to its last word.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from decimal import Decimal
from typing import Any

from checker.log import model as r
from rulespec.load.games import ordinary_game
from rulespec.resolve.typecheck import did_you_mean
from rulespec.tree.game import DEALER, AddsStake, Game, PlacesBet

FORMS = {
    "bet": "bet BOX PLAYER STAKE [WORD …]",
    "deal": "deal BOX[.HAND]:CARD[:down] …",
    "dealer": "dealer CARD …",
    "settle": "settle BOX[.HAND] PLAYER BET AMOUNT",
    "void": "void round | void box BOX | void hand BOX.HAND [because REASON]",
    "record": "record WHAT [found WHEN] [FIELD=VALUE …]",
    "approve": "approve WHAT [PLAYER] [by=WHOM]",
    "announce": "announce WHAT",
    "offer": "offer WHAT",
    "absent": "absent BOX PLAYER",
    "refuse": "refuse BOX PLAYER",
    "warn": "warn PLAYER",
    "withdraw": "withdraw BOX[.HAND] PLAYER",
    "adjust": "adjust PLAYER AMOUNT",
    "shuffle": "shuffle",
    "cut": "cut card",
    "burn": "burn [CARD]",
    "no": "no more bets",
    "peek": "peek",
    "reveal": "reveal BOX[.HAND]",
    "designate": "designate BOX.HAND PLAYER",
}
PLAY = "BOX[.HAND] PLAYER ACTION [$STAKE] [CARD …]"
_MARKS = {"controls": ("control", True), "seated": ("seated", True), "standing": ("seated", False)}
_YES_OR_NO = ("undisclosed", "recognised", "joined_after_change", "in_order")
_AFTER_A_BET = (*_MARKS, *_YES_OR_NO, "nocard", "card=", "chips=", "wins=")

Event = dict[str, Any]


class ScriptError(Exception):
    """A line of a scenario that cannot be read, with advice."""

    def __init__(self, reason: str, help: str = "", line: int = 0) -> None:
        super().__init__(reason)
        self.help = help
        self.line = line  # of the script, from 1


def events_of(script: str, game: Game | None = None) -> list[Event]:
    return [event for _, event in numbered_events(script, game)]


def numbered_events(script: str, game: Game | None = None) -> list[tuple[int, Event]]:
    """Each event with the line of the script that it stands on. Without a game: twenty-one."""
    game = game or ordinary_game()
    events: list[tuple[int, Event]] = []
    for number, raw in enumerate(script.splitlines(), 1):
        text = re.sub(r"(^|\s)#.*", "", raw).strip()
        if not text:
            continue
        try:
            events += [(number, event) for event in _events(text.split(), game)]
        except ScriptError as error:
            reason = f"line {number} `{text}`: {error}"
            raise ScriptError(reason, error.help, number) from None
    return events


def _events(words: list[str], game: Game) -> list[Event]:
    match words:
        case ["bet", box, player, stake, *more] if box[0].isdigit():
            return [_bet({"box": _place_number(box, game)}, player, _money(stake), more, game)]
        case ["bet", player, stake, *more] if not player[0].isdigit():
            return [_bet({}, player, _money(stake), more, game)]
        case ["deal", _, *_]:
            return [_dealt(word, game) for word in words[1:]]
        case ["dealer", _, *_]:
            return [{"e": "deal", "box": 0, "card": card} for card in words[1:]]
        case ["settle", place, player, bet, amount]:
            return [_settle(_where(place), player, bet, amount, game)]
        case ["settle", player, bet, amount]:
            return [_settle({}, player, bet, amount, game)]
        case ["void", *more]:
            return [_void(more)]
        case ["record", what, *more]:
            return [_recorded(what, more, game)]
        case ["approve", what, *more]:
            return [_approved(what, more, game)]
        case ["announce", what]:
            return [{"e": "announce", "what": _one_of(what, "option", game.options)}]
        case ["offer", what]:
            known = {*game.bets, *game.actions_of("player"), *game.options, *game.records}
            known |= {name.removeprefix("offer_") for name in game.actions_of(DEALER)}
            return [{"e": "offer", "what": _one_of(what, "offer", known)}]
        case ["absent" | "refuse" as head, box, player]:
            return [{"e": head, "box": _box(box), "player": player}]
        case ["warn", player]:
            return [{"e": "warn", "player": player, "what": "under_minimum"}]
        case ["withdraw" | "designate" as head, place, player]:
            return [{"e": head, **_where(place), "player": player}]
        case ["adjust", player, amount]:
            return [{"e": "adjust", "player": player, "amount": _money(amount)}]
        case ["shuffle" | "peek" as head]:
            return [{"e": head}]
        case ["reveal", place]:
            return [{"e": "reveal", **_seat(place, game)}]
        case ["cut", "card"]:
            return [{"e": "cut_card"}]
        case ["burn"]:
            return [{"e": "burn"}]
        case ["burn", card]:
            return [{"e": "burn", "card": card}]
        case ["no", "more", "bets"]:
            return [{"e": "no_more_bets"}]
        case [place, player, do, *more] if place[0].isdigit():
            return _play(place, player, do, more, game)
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


def _place_number(word: str, game: Game) -> int:
    """A box, or the number of a place where hands have names."""
    if game.hands and word.isdecimal() and 1 <= int(word) <= r.SEAT_MAX:
        return int(word)
    return _box(word)


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


def _seat(word: str, game: Game) -> Event:
    """A box or a hand of it, or a hand by its name."""
    if word in game.hands:
        return {"to": word}
    if game.hands and not word[:1].isdigit():
        raise ScriptError(f"unknown hand `{word}`", did_you_mean(word, game.hands, ""))
    where = _where(word)
    return where if "." in word else {"box": where["box"]}


def _dealt(word: str, game: Game) -> Event:
    place, colon, card = word.partition(":")
    card, _, face = card.partition(":")
    if not colon or face not in ("", "up", "down"):
        raise ScriptError(
            f"`{word}` does not say where the card goes", f"it is written `{FORMS['deal']}`"
        )
    where = _where(place) if place[:1].isdigit() else _seat(place, game)
    return {"e": "deal", **where, "card": card, **({"face": face} if face else {})}


# --- events with more to say


def _settle(where: Event, player: str, bet: str, amount: str, game: Game) -> Event:
    known = _one_of(bet, "bet", game.bets)
    return {"e": "settle", **where, "player": player, "bet": known, "returned": _money(amount)}


def _bet(where: Event, player: str, stake: Decimal, words: list[str], game: Game) -> Event:
    bets = [name for name, bet in game.bets.items() if bet.placed.when not in ("by play", "never")]
    event: Event = {
        "e": "wager",
        **where,
        "player": player,
        "bet": next(iter(bets), ""),
        "stake": stake,
        "player_card": f"PC-{player}",
    }
    said: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if equals and (key in bets or key in _MARKS or key == "nocard"):
            raise ScriptError(f"`{key}` takes no value, and `{value}` is given", f"write `{key}`")
        field = key
        match key:
            case _ if key in bets:
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
            case "wins" if value.isdigit():
                event["wins"] = int(value)
            case "undisclosed" | "recognised" | "joined_after_change" | "in_order":
                if equals and value not in ("yes", "no"):
                    raise ScriptError(
                        f"`{word}` says neither yes nor no", f"write `{key}` or `{key}=no`"
                    )
                event[key] = value != "no"
            case _:
                after = (*sorted(bets), *_AFTER_A_BET)
                known_words = [known.removesuffix("=") for known in after]
                advice = did_you_mean(key, known_words, "one of " + ", ".join(after))
                raise ScriptError(f"`{word}` is not known after a bet", advice)
        if field in said:
            raise ScriptError(
                f"`{said[field]}` and `{word}` say one thing twice", "leave one of them out"
            )
        said[field] = word
    return event


def _recorded(what: str, more: list[str], game: Game) -> Event:
    event: Event = {"e": "irregularity", "what": _one_of(what, "record", game.records)}
    match more:
        case ["found", when, *rest]:
            event["found"] = _one_of(when, "moment", r.FOUND)
        case rest:
            pass
    for word in rest:
        key, equals, value = word.partition("=")
        if not equals or not value:
            raise ScriptError("cannot be read", f"it is written `{FORMS['record']}`")
        if key == "box":
            event[key] = _box(value)
        else:
            event[key] = value == "yes" if value in ("yes", "no") else value
    return event


def _approved(what: str, more: list[str], game: Game) -> Event:
    known = {*game.approvals, *game.actions_of("casino")}
    event: Event = {"e": "approve", "what": _one_of(what, "approval", known)}
    for word in more:
        key, equals, value = word.partition("=")
        field, said = (key, value) if equals else ("player", word)
        if field not in ("player", "by") or field in event or not said:
            raise ScriptError("cannot be read", f"it is written `{FORMS['approve']}`")
        event[field] = said
    return event


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


def _play(place: str, player: str, do: str, rest: list[str], game: Game) -> list[Event]:
    where = _where(place)
    plays = game.plays
    event: Event = {"e": "play", **where, "player": player, "do": _one_of(do, "do", plays)}
    if rest and rest[0].startswith("$"):
        with_stake = [
            play for play, act in plays.items() if act.effect(AddsStake) or act.effect(PlacesBet)
        ]
        if do not in with_stake:
            raise ScriptError(
                f"nothing is added to a wager by `{do}`",
                f"an amount stands after {', '.join(with_stake)}",
            )
        event["stake"] = _money(rest[0])
        rest = rest[1:]
    if rest and rest[0].startswith("for="):
        event["for"] = _one_of(rest[0].removeprefix("for="), "bet", game.bets)
        rest = rest[1:]
    return [event, *({"e": "deal", **where, "card": card} for card in rest)]
