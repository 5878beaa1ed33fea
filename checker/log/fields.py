"""The fields of a round log, each read strictly: a problem is told with its path."""

from __future__ import annotations

from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, Inexact, InvalidOperation
from typing import Final, TypeVar

from checker.log import model as r
from checker.log.strict_json import Object, short

T = TypeVar("T")


class Bad(Exception):
    def __init__(self, path: str, problem: str) -> None:
        self.path = path
        self.problem = problem


ABSENT: Final = object()
_EXACT: Final = Context(prec=60, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[Inexact, InvalidOperation])


def kind_of(value: object) -> str:
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


def wrong(key: str, value: object, wanted: str) -> Bad:
    if value is ABSENT:
        return Bad(key, "missing")
    return Bad(key, f"{kind_of(value)} is not {wanted}")


def words(d: Object, key: str) -> str:
    value = d.get(key, ABSENT)
    if type(value) is not str:
        raise wrong(key, value, "text")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            # A lone surrogate would pass here and break whoever prints or stores it.
            raise Bad(key, f"`{short(value)}` holds half a character") from None
    return value


def name(d: Object, key: str) -> str:
    value = words(d, key)
    if not value:
        raise Bad(key, "empty")
    return value


def word(d: Object, key: str, allowed: frozenset[str]) -> str:
    value = d.get(key, ABSENT)
    if type(value) is str and value in allowed:
        return value
    if type(value) is str:
        raise Bad(key, f"unknown {key} `{short(value)}`")
    raise wrong(key, value, "text")


def flag(d: Object, key: str) -> bool:
    value = d.get(key, ABSENT)
    if value is True or value is False:
        return bool(value)
    raise wrong(key, value, "true or false")


def whole(d: Object, key: str, low: int, high: int | None, name: str) -> int:
    value = d.get(key, ABSENT)
    if type(value) is not int:
        raise wrong(key, value, "a whole number")
    if value < low or (high is not None and value > high):
        bounds = f"from {low} to {high}" if high is not None else f"{low} or more"
        raise Bad(key, f"{kind_of(value)} is not {name} {bounds}")
    return value


def box(d: Object, key: str = "box") -> int:
    value = d.get(key)
    if type(value) is int and r.DEALER <= value <= r.BOX_MAX:
        return value
    return whole(d, key, r.DEALER, r.BOX_MAX, "a box")


def players_box(d: Object, key: str = "box") -> int:
    value = d.get(key)
    if type(value) is int and r.DEALER < value <= r.BOX_MAX:
        return value
    if box(d, key) == r.DEALER:
        raise Bad(key, f"0 is the dealer, and a player's box from 1 to {r.BOX_MAX} is needed")
    return box(d, key)


def seat(d: Object) -> int:
    """The box, or none where the bet lies on the table."""
    if "box" not in d:
        return r.NO_BOX
    if type(d["box"]) is int and d["box"] == r.DEALER:
        raise Bad("box", f"0 is the dealer, and a player's box from 1 to {r.BOX_MAX} is needed")
    return whole(d, "box", 1, r.SEAT_MAX, "a box")


def hand(d: Object, key: str = "hand") -> int:
    value = d.get(key)
    if type(value) is int and 1 <= value <= r.HAND_MAX:
        return value
    return whole(d, key, 1, r.HAND_MAX, "a hand")


def first_hand(d: Object) -> int:
    return hand(d) if "hand" in d else 1


def card(d: Object, key: str = "card") -> str:
    value = d.get(key, ABSENT)
    if type(value) is str and value in r.CARDS:
        return value
    if type(value) is str:
        raise Bad(key, f"`{short(value)}` is not a card")
    raise wrong(key, value, "a card")


def cents(d: Object, key: str, most: int) -> int:
    """The exact amount in cents; `most` bounds its size on both sides of 0."""
    value = d.get(key, ABSENT)
    if type(value) is float:
        raise Bad(key, f"{value} is a binary float, and money has to be exact")
    if type(value) is not int and type(value) is not Decimal:
        raise wrong(key, value, "a number")
    # Compared before it is multiplied: 1e999999999 must not become an int.
    if not -most // 100 <= value <= most // 100:
        raise Bad(key, f"{kind_of(value)} is out of range")
    if type(value) is int:
        return value * 100
    try:
        return int(_EXACT.to_integral_exact(_EXACT.multiply(value, Decimal(100))))
    except (Inexact, InvalidOperation):
        raise Bad(key, f"{kind_of(value)} has more than two decimals") from None


def count(d: Object, key: str) -> int:
    return whole(d, key, 0, r.HAND_MAX, "a number")


def stake(d: Object, key: str = "stake") -> int:
    found = cents(d, key, r.STAKE_MAX)
    if found <= 0:
        raise Bad(key, f"{kind_of(d[key])} is not above 0")
    return found


def amount(d: Object, key: str, most: int = r.RETURN_MAX) -> int:
    found = cents(d, key, most)
    if found < 0:
        raise Bad(key, f"{kind_of(d[key])} is below 0")
    return found


def opt(read: Callable[[Object, str], T], d: Object, key: str) -> T | None:
    return read(d, key) if key in d else None
