"""One line of a round log, bytes -> Round: strict, written by hand, and exact about money.

`round_schema.json` publishes the same format for others. The tests hold the two together; the
schema is not used to read, because a generic validator takes many times as long as this does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, Inexact, InvalidOperation
from typing import Final, TypeVar

from checker.log import model as r
from checker.log.strict_json import DecodeError, Object, parse_json, short, trouble_in

__all__ = ["DecodeError", "decode_line", "decode_round", "parse_json", "short"]

T = TypeVar("T")


def decode_line(raw: bytes, line: int = 1) -> r.Round:
    """Decode one line of a log; DecodeError is all that this raises."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        trouble = trouble_in(raw.decode(errors="replace"))
        not_json = trouble is not None and trouble.not_json
        reason = f"not UTF-8: byte 0x{raw[error.start]:02x} at byte {error.start + 1} of the line"
        raise DecodeError(reason, not_json=not_json) from None
    return decode_round(parse_json(text), line)


def decode_round(obj: object, line: int = 1) -> r.Round:
    """Decode a parsed JSON value whose numbers are int or Decimal; raises only DecodeError."""
    if type(obj) is not dict:
        raise DecodeError(f"{_kind(obj)} is not an object")
    try:
        return _round(obj, line)
    except _Bad as bad:
        raise DecodeError(f"{bad.path}: {bad.problem}") from None


# fields


class _Bad(Exception):
    def __init__(self, path: str, problem: str) -> None:
        self.path = path
        self.problem = problem


class _NotKnown(_Bad):
    """A word that is good as far as anybody knows."""


_ABSENT: Final = object()
_EXACT: Final = Context(prec=60, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[Inexact, InvalidOperation])


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return f"the text `{short(value)}`"
        case list():
            return "a list"
        case dict():
            return "an object"
        case float():
            return f"the binary float {value}"
        case int() | Decimal():
            return short(str(value))
        case _:
            return f"a {type(value).__name__}"


def _wrong(key: str, value: object, wanted: str) -> _Bad:
    if value is _ABSENT:
        return _Bad(key, "missing")
    return _Bad(key, f"{_kind(value)} is not {wanted}")


def _words(d: Object, key: str) -> str:
    value = d.get(key, _ABSENT)
    if type(value) is not str:
        raise _wrong(key, value, "text")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            # A lone surrogate would pass here and break whoever prints or stores it.
            raise _Bad(key, f"`{short(value)}` holds half a character") from None
    return value


def _name(d: Object, key: str) -> str:
    value = _words(d, key)
    if not value:
        raise _Bad(key, "empty")
    return value


def _word(d: Object, key: str, allowed: frozenset[str]) -> str:
    value = d.get(key, _ABSENT)
    if type(value) is str and value in allowed:
        return value
    if type(value) is str:
        raise _NotKnown(key, f"unknown {key} `{short(value)}`")
    raise _wrong(key, value, "text")


def _flag(d: Object, key: str) -> bool:
    value = d.get(key, _ABSENT)
    if value is True or value is False:
        return bool(value)
    raise _wrong(key, value, "true or false")


def _int(d: Object, key: str, low: int, high: int | None, name: str) -> int:
    value = d.get(key, _ABSENT)
    if type(value) is not int:
        raise _wrong(key, value, "a whole number")
    if value < low or (high is not None and value > high):
        bounds = f"from {low} to {high}" if high is not None else f"{low} or more"
        raise _Bad(key, f"{_kind(value)} is not {name} {bounds}")
    return value


def _box(d: Object, key: str = "box") -> int:
    value = d.get(key)
    if type(value) is int and r.DEALER <= value <= r.BOX_MAX:
        return value
    return _int(d, key, r.DEALER, r.BOX_MAX, "a box")


def _players_box(d: Object, key: str = "box") -> int:
    value = d.get(key)
    if type(value) is int and r.DEALER < value <= r.BOX_MAX:
        return value
    if _box(d, key) == r.DEALER:
        raise _Bad(key, f"0 is the dealer, and a player's box from 1 to {r.BOX_MAX} is needed")
    return _box(d, key)


def _hand(d: Object, key: str = "hand") -> int:
    value = d.get(key)
    if type(value) is int and 1 <= value <= r.HAND_MAX:
        return value
    return _int(d, key, 1, r.HAND_MAX, "a hand")


def _first_hand(d: Object) -> int:
    return _hand(d) if "hand" in d else 1


def _card(d: Object, key: str = "card") -> str:
    value = d.get(key, _ABSENT)
    if type(value) is str and value in r.CARDS:
        return value
    if type(value) is str:
        raise _Bad(key, f"`{short(value)}` is not a card")
    raise _wrong(key, value, "a card")


def _cents(d: Object, key: str, most: int) -> int:
    """The exact amount in cents; `most` bounds its size on both sides of 0."""
    value = d.get(key, _ABSENT)
    if type(value) is float:
        raise _Bad(key, f"{value} is a binary float, and money has to be exact")
    if type(value) is not int and type(value) is not Decimal:
        raise _wrong(key, value, "a number")
    # Compared before it is multiplied: 1e999999999 must not become an int.
    if not -most // 100 <= value <= most // 100:
        raise _Bad(key, f"{_kind(value)} is out of range")
    if type(value) is int:
        return value * 100
    try:
        return int(_EXACT.to_integral_exact(_EXACT.multiply(value, Decimal(100))))
    except (Inexact, InvalidOperation):
        raise _Bad(key, f"{_kind(value)} has more than two decimals") from None


def _stake(d: Object, key: str = "stake") -> int:
    cents = _cents(d, key, r.STAKE_MAX)
    if cents <= 0:
        raise _Bad(key, f"{_kind(d[key])} is not above 0")
    return cents


def _amount(d: Object, key: str, most: int = r.RETURN_MAX) -> int:
    cents = _cents(d, key, most)
    if cents < 0:
        raise _Bad(key, f"{_kind(d[key])} is below 0")
    return cents


# events


def _opt(read: Callable[[Object, str], T], d: Object, key: str) -> T | None:
    return read(d, key) if key in d else None


def _wager(d: Object, n: int) -> r.Event:
    return r.Wager(
        box=_players_box(d),
        player=_name(d, "player"),
        bet=_word(d, "bet", r.WAGER_BETS),
        stake=_stake(d),
        control="control" in d and _flag(d, "control"),
        seated=_opt(_flag, d, "seated"),
        # null says outright that there was no card
        player_card="" if d.get("player_card", "") is None else _opt(_name, d, "player_card"),
        recognised=_opt(_flag, d, "recognised"),
        joined_after_change=_opt(_flag, d, "joined_after_change"),
        in_order=_opt(_flag, d, "in_order"),
        undisclosed="undisclosed" in d and _flag(d, "undisclosed"),
        chips_held=_opt(_stake, d, "chips_held"),
        n=n,
    )


def _play(d: Object, n: int) -> r.Event:
    box, hand, player = _players_box(d), _first_hand(d), _name(d, "player")
    return r.Play(box, hand, player, _word(d, "do", r.PLAYS), _opt(_stake, d, "stake"), n=n)


def _settle(d: Object, n: int) -> r.Event:
    box, hand, player = _players_box(d), _opt(_hand, d, "hand"), _name(d, "player")
    return r.Settle(box, hand, player, _word(d, "bet", r.SETTLE_BETS), _amount(d, "returned"), n=n)


def _void(d: Object, n: int) -> r.Event:
    scope, reason = _word(d, "scope", r.SCOPES), _opt(_words, d, "reason")
    return r.Void(scope, reason, _opt(_box, d, "box"), _opt(_hand, d, "hand"), n=n)


def _adjust(d: Object, n: int) -> r.Event:
    player, amount = _name(d, "player"), _cents(d, "amount", r.RETURN_MAX)
    reason, box = _opt(_words, d, "reason"), _opt(_players_box, d, "box")
    bet = _word(d, "bet", r.SETTLE_BETS) if "bet" in d else None
    return r.Adjust(player, amount, reason, box, bet, n=n)


def _malfunction(d: Object, n: int) -> r.Event:
    return r.Malfunction(_opt(_flag, d, "disadvantage"), _opt(_words, d, "reason"), n=n)


def _irregularity(d: Object, n: int) -> r.Event:
    found = _word(d, "found", r.FOUND) if "found" in d else None
    return r.Irregularity(_name(d, "what"), found, n=n)


_EVENTS: Final[dict[str, Callable[[Object, int], r.Event]]] = {
    "wager": _wager,
    "deal": lambda d, n: r.Deal(_box(d), _first_hand(d), _card(d), n=n),
    "play": _play,
    "settle": _settle,
    "burn": lambda d, n: r.Burn(_opt(_card, d, "card"), n=n),
    "cut_card": lambda d, n: r.CutCard(_opt(_box, d, "box"), n=n),
    "shuffle": lambda d, n: r.Shuffle(n=n),
    "no_more_bets": lambda d, n: r.NoMoreBets(n=n),
    "offer": lambda d, n: r.Offer(_name(d, "what"), n=n),
    "absent": lambda d, n: r.Absent(_players_box(d), _name(d, "player"), n=n),
    "approve": lambda d, n: r.Approve(
        _name(d, "what"), _opt(_words, d, "by"), _opt(_name, d, "player"), n=n
    ),
    "void": _void,
    "adjust": _adjust,
    "malfunction": _malfunction,
    "irregularity": _irregularity,
    "refuse": lambda d, n: r.Refuse(_players_box(d), _opt(_name, d, "player"), n=n),
    "announce": lambda d, n: r.Announce(_name(d, "what"), n=n),
    "warn": lambda d, n: r.Warn(_name(d, "player"), _name(d, "what"), n=n),
    "withdraw": lambda d, n: r.Withdraw(_players_box(d), _first_hand(d), _name(d, "player"), n=n),
    "note": lambda d, n: r.Note(_opt(_words, d, "text") or "", n=n),
}


def _event(value: object, n: int) -> r.Event:
    if type(value) is not dict:
        raise DecodeError(f"events[{n}]: {_kind(value)} is not an object")
    try:
        kind = value.get("e", _ABSENT)
        if type(kind) is not str:
            raise _wrong("e", kind, "text")
        decoder = _EVENTS.get(kind)
        if decoder is None:
            return r.Unknown("event", _name(value, "e"), None, _said(value), n=n)
        try:
            return decoder(value, n)
        except _NotKnown as unknown:
            return _not_known(decoder, value, unknown, n)
    except _Bad as bad:
        raise DecodeError(f"events[{n}].{bad.path}: {bad.problem}") from None


_KNOWN: Final = {"bet": "main", "do": "stand"}


def _not_known(
    decoder: Callable[[Object, int], r.Event], d: Object, unknown: _NotKnown, n: int
) -> r.Event:
    """An event whose bet or play is not known, if there is nothing else against it."""
    key = unknown.path
    known_otherwise = key == "bet" and d[key] in r.SETTLE_BETS  # such a bet is not placed so
    if key not in _KNOWN or known_otherwise:
        raise unknown
    name = _name(d, key)
    decoder({**d, key: _KNOWN[key]}, n)
    if key == "bet":
        return r.Unknown("bet", name, None, _said(d), n=n)
    return r.Unknown("play", name, _players_box(d), _said(d), n=n)


def _said(d: Object) -> str:
    return json.dumps(d, sort_keys=True, default=str)


# the round

_DATE: Final = r"(?:19|2[0-9])[0-9]{2}-[0-9]{2}-[0-9]{2}"
_CLOCK: Final = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?"
_ZONE: Final = r"(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
_AT: Final = re.compile(f"{_DATE}[T ]{_CLOCK}({_ZONE})?")


def _at(d: Object) -> datetime:
    text = _words(d, "at")
    found = _AT.fullmatch(text)
    if not found:
        raise _Bad("at", f"`{short(text)}` is not a time like 2024-08-20T21:14:03+10:00")
    if not found[1]:
        raise _Bad("at", f"`{text}` has no time zone")
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise _Bad("at", f"`{text}` is not a day of the calendar") from None


def _limits(d: Object) -> dict[str, r.Limits]:
    if "limits" not in d:
        return {}
    value = d["limits"]
    if type(value) is not dict:
        raise _wrong("limits", value, "an object")
    return {_name({"limits": bet}, "limits"): _limits_of(bet, d) for bet, d in value.items()}


def _limits_of(bet: str, d: object) -> r.Limits:
    if type(d) is not dict:
        raise _wrong(f"limits.{short(bet)}", d, "an object")
    try:
        return r.Limits(
            min=_amount(d, "min", r.STAKE_MAX) if "min" in d else None,
            max=_opt(_stake, d, "max"),
            unit=_opt(_stake, d, "unit"),
            box_max=_opt(_box_max, d, "box_max"),
            smallest_chip=_opt(_stake, d, "smallest_chip"),
            multiples_notice=_opt(_flag, d, "multiples_notice"),
        )
    except _Bad as bad:
        raise _Bad(f"limits.{short(bet)}.{bad.path}", bad.problem) from None


def _box_max(d: Object, key: str) -> dict[int, int]:
    value = d[key]
    if type(value) is not dict:
        raise _wrong("box_max", value, "an object")
    most: dict[int, int] = {}
    for box in value:
        if not (len(box) == 1 and box in "123456789"):
            raise _Bad("box_max", f"`{short(box)}` is not a box from 1 to {r.BOX_MAX}")
        try:
            most[int(box)] = _stake(value, box)
        except _Bad as bad:
            raise _Bad(f"box_max.{bad.path}", bad.problem) from None
    return most


def _names(d: Object, key: str) -> frozenset[str]:
    if key not in d:
        return frozenset()
    value = d[key]
    if type(value) is not list:
        raise _wrong(key, value, "a list")
    return frozenset(
        _name({f"{key}[{index}]": word}, f"{key}[{index}]") for index, word in enumerate(value)
    )


def _round(d: Object, line: int) -> r.Round:
    if "format" in d and (type(d["format"]) is not int or d["format"] != r.FORMAT):
        raise _Bad("format", f"{_kind(d['format'])} is not a format that is read here, which is 1")
    events = d.get("events", _ABSENT)
    if type(events) is not list:
        raise _wrong("events", events, "a list")
    if len(events) > r.MOST_EVENTS:
        raise _Bad("events", f"{len(events):,}, and a round may have {r.MOST_EVENTS:,}")
    limits = _limits(d)
    return r.Round(
        id=_name(d, "round"),
        table=_name(d, "table"),
        shoe=_opt(_name, d, "shoe"),
        at=_at(d),
        rulebook=_opt(_name, d, "rulebook"),
        decks=_int(d, "decks", 1, r.DECKS_MAX, "a number of decks"),
        options=_names(d, "options"),
        options_stated="options" in d,
        limits={bet: one for bet, one in limits.items() if bet in r.SETTLE_BETS},
        events=tuple([_event(event, n) for n, event in enumerate(events)]),
        line=line,
        other_limits=tuple(sorted(limits.keys() - r.SETTLE_BETS)),
        not_recorded=_names(d, "not_recorded"),
    )
