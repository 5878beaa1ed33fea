"""The events of a round, from JSON to the model."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Final

from checker.log import fields as f
from checker.log import model as r
from checker.log.strict_json import DecodeError, Object

_PLAIN_WAGER: Final = frozenset({"e", "box", "player", "bet", "stake"})


def _wager(d: Object, n: int) -> r.Event:
    if d.keys() <= _PLAIN_WAGER:  # most are
        return r.Wager(f.seat(d), f.name(d, "player"), f.name(d, "bet"), f.stake(d), n=n)
    return r.Wager(
        box=f.seat(d),
        player=f.name(d, "player"),
        bet=f.name(d, "bet"),
        stake=f.stake(d),
        control="control" in d and f.flag(d, "control"),
        seated=f.opt(f.flag, d, "seated"),
        # null says outright that there was no card
        player_card="" if d.get("player_card", "") is None else f.opt(f.name, d, "player_card"),
        recognised=f.opt(f.flag, d, "recognised"),
        joined_after_change=f.opt(f.flag, d, "joined_after_change"),
        in_order=f.opt(f.flag, d, "in_order"),
        undisclosed="undisclosed" in d and f.flag(d, "undisclosed"),
        chips_held=f.opt(f.stake, d, "chips_held"),
        wins=f.opt(f.count, d, "wins"),
        n=n,
    )


def _deal(d: Object, n: int) -> r.Event:
    if "face" not in d and "to" not in d:
        return r.Deal(f.box(d), f.first_hand(d), f.card(d), n=n)
    down = "face" in d and f.word(d, "face", r.FACES) == "down"
    box, to = _box_or_hand(d)
    return r.Deal(box, f.first_hand(d), f.card(d), down, to, n=n)


def _box_or_hand(d: Object) -> tuple[int, str | None]:
    """A box, or a hand by its name; not both."""
    if "to" not in d:
        return f.box(d), None
    if "box" in d:
        raise f.Bad("to", "`to` and `box` say one thing twice")
    return r.NO_BOX, f.name(d, "to")


def _reveal(d: Object, n: int) -> r.Event:
    box, to = _box_or_hand(d)
    return r.Reveal(box, f.opt(f.hand, d, "hand"), to, n=n)


def _peek(d: Object, n: int) -> r.Event:
    box, to = _box_or_hand(d) if "box" in d or "to" in d else (r.DEALER, None)
    return r.Peek(box, to, n=n)


def _play(d: Object, n: int) -> r.Event:
    box, hand, player = f.players_box(d), f.first_hand(d), f.name(d, "player")
    do, stake = f.name(d, "do"), f.opt(f.stake, d, "stake")
    spot = d.get("for")
    named = str(spot) if type(spot) is int and 0 < spot < 10 else f.opt(f.name, d, "for")
    return r.Play(box, hand, player, do, stake, named, n=n)


def _settle(d: Object, n: int) -> r.Event:
    box, hand, player = f.seat(d), f.opt(f.hand, d, "hand"), f.name(d, "player")
    return r.Settle(box, hand, player, f.name(d, "bet"), f.amount(d, "returned"), n=n)


def _void(d: Object, n: int) -> r.Event:
    scope, reason = f.word(d, "scope", r.SCOPES), f.opt(f.words, d, "reason")
    return r.Void(scope, reason, f.opt(f.box, d, "box"), f.opt(f.hand, d, "hand"), n=n)


def _adjust(d: Object, n: int) -> r.Event:
    player, amount = f.name(d, "player"), f.cents(d, "amount", r.RETURN_MAX)
    reason, box = f.opt(f.words, d, "reason"), f.opt(f.players_box, d, "box")
    return r.Adjust(player, amount, reason, box, f.opt(f.name, d, "bet"), n=n)


def _malfunction(d: Object, n: int) -> r.Event:
    return r.Malfunction(f.opt(f.flag, d, "disadvantage"), f.opt(f.words, d, "reason"), n=n)


def _irregularity(d: Object, n: int) -> r.Event:
    found = f.word(d, "found", r.FOUND) if "found" in d else None
    box, player = f.opt(f.box, d, "box"), f.opt(f.name, d, "player")
    said = _said(d, ("e", "what", "found", "box", "player"))
    return r.Irregularity(f.name(d, "what"), found, box, player, said, n=n)


def _refuse(d: Object, n: int) -> r.Event:
    return r.Refuse(f.players_box(d), f.opt(f.name, d, "player"), f.opt(f.card, d, "card"), n=n)


def _designate(d: Object, n: int) -> r.Event:
    return r.Designate(f.players_box(d), f.name(d, "player"), f.hand(d), n=n)


EVENTS: Final[dict[str, Callable[[Object, int], r.Event]]] = {
    "wager": _wager,
    "deal": _deal,
    "reveal": _reveal,
    "peek": _peek,
    "play": _play,
    "settle": _settle,
    "burn": lambda d, n: r.Burn(f.opt(f.card, d, "card"), n=n),
    "cut_card": lambda d, n: r.CutCard(f.opt(f.box, d, "box"), n=n),
    "shuffle": lambda d, n: r.Shuffle(n=n),
    "no_more_bets": lambda d, n: r.NoMoreBets(n=n),
    "offer": lambda d, n: r.Offer(f.name(d, "what"), n=n),
    "absent": lambda d, n: r.Absent(f.players_box(d), f.name(d, "player"), n=n),
    "approve": lambda d, n: r.Approve(
        f.name(d, "what"), f.opt(f.words, d, "by"), f.opt(f.name, d, "player"), n=n
    ),
    "void": _void,
    "adjust": _adjust,
    "malfunction": _malfunction,
    "irregularity": _irregularity,
    "refuse": _refuse,
    "designate": _designate,
    "announce": lambda d, n: r.Announce(f.name(d, "what"), n=n),
    "warn": lambda d, n: r.Warn(f.name(d, "player"), f.name(d, "what"), n=n),
    "withdraw": lambda d, n: r.Withdraw(
        f.players_box(d), f.first_hand(d), f.name(d, "player"), n=n
    ),
    "note": lambda d, n: r.Note(f.opt(f.words, d, "text") or "", n=n),
}


def event_of(value: object, n: int) -> r.Event:
    if type(value) is not dict:
        raise DecodeError(f"events[{n}]: {f.kind_of(value)} is not an object")
    try:
        kind = value.get("e", f.ABSENT)
        if type(kind) is not str:
            raise f.wrong("e", kind, "text")
        decoder = EVENTS.get(kind)
        if decoder is None:
            name, text = f.name(value, "e"), json.dumps(value, sort_keys=True, default=str)
            return r.Unknown("event", name, None, text, _said(value, ("e",)), n=n)
        return decoder(value, n)
    except f.Bad as bad:
        raise DecodeError(f"events[{n}].{bad.path}: {bad.problem}") from None


def _said(d: Object, but: tuple[str, ...]) -> r.Said:
    """The fields that are words, numbers, yes or no."""
    if len(d) <= 2 and not d.keys() - set(but):
        return ()
    found: list[tuple[str, str | int | bool]] = []
    for key, value in sorted(d.items()):
        if key in but or not _whole(key):
            continue
        match value:
            case bool() | int():
                found.append((key, value))
            case str() if _whole(value):
                found.append((key, value))
            case Decimal():
                found.append((key, str(value)))
    return tuple(found)


def _whole(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)
