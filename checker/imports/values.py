"""One cell to a value, exactly: money, cards, times, numbers. No float comes near any of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, Inexact, InvalidOperation
from functools import cache
from typing import Final

from checker.log import model as r
from checker.log.strict_json import short

MOST_DIGITS: Final = 40
_EXACT = Context(prec=60, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[Inexact, InvalidOperation])
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")


class BadValue(ValueError):
    """A cell that is not what its column should hold."""


# --- money


@dataclass(frozen=True, slots=True)
class MoneyFormat:
    decimal: str = "."
    thousands: str = ""
    cents: bool = False  # amounts are whole numbers of cents
    symbols: tuple[str, ...] = ()  # such as `$`, `AUD`; left out where they stand


def number(text: str, how: MoneyFormat = MoneyFormat()) -> Decimal:
    """A decimal number as it is written; brackets are a minus, as in account books."""
    said = text.strip()
    for symbol in how.symbols:
        said = said.replace(symbol, "")
    said = said.strip().replace("\u2212", "-").replace("\u00a0", " ")
    negative = said.startswith("(") and said.endswith(")")
    if negative:
        said = said[1:-1].strip()
    if how.thousands:
        said = said.replace(how.thousands, "")
    if how.decimal != ".":
        if "." in said:
            raise BadValue(f"`{short(text)}` is not an amount with `{how.decimal}` for decimals")
        said = said.replace(how.decimal, ".")
    if len(said) > MOST_DIGITS or not _NUMBER.fullmatch(said):
        raise BadValue(f"`{short(text)}` is not an amount")
    amount = Decimal(said)
    return -amount if negative else amount


def cents(amount: Decimal, how: MoneyFormat, text: str) -> int:
    """Whole cents, or nothing: an amount is never rounded."""
    if abs(amount) > (r.RETURN_MAX if how.cents else r.RETURN_MAX // 100):
        raise BadValue(f"`{short(text)}` is out of range")
    try:
        whole = _EXACT.to_integral_exact(amount if how.cents else _EXACT.multiply(amount, 100))
    except (Inexact, InvalidOperation):
        raise BadValue(f"`{short(text)}` is not a whole number of cents") from None
    return int(whole)


def units_text(amount: int) -> str:
    """Cents as the log writes them."""
    sign, amount = ("-", -amount) if amount < 0 else ("", amount)
    return f"{sign}{amount // 100}" + (f".{amount % 100:02d}" if amount % 100 else "")


def whole(text: str) -> int:
    said = text.strip()
    if re.fullmatch(r"[+-]?[0-9]{1,9}(?:\.0+)?", said):  # 3.0, as a spreadsheet has it
        return int(said.partition(".")[0])
    raise BadValue(f"`{short(text)}` is not a whole number")


_YES: Final = frozenset({"1", "y", "yes", "true", "t"})
_NO: Final = frozenset({"0", "n", "no", "false", "f"})


def flag(text: str) -> bool:
    said = text.strip().lower()
    if said in _YES | _NO:
        return said in _YES
    raise BadValue(f"`{short(text)}` is neither yes nor no")


# --- cards

_SUITS: Final = {
    "S": ("s", "♠", "♤", "spade", "spades"),
    "H": ("h", "♥", "♡", "heart", "hearts"),
    "D": ("d", "♦", "♢", "diamond", "diamonds"),
    "C": ("c", "♣", "♧", "club", "clubs"),
}
_RANKS: Final = {
    "A": ("a", "1", "01", "ace", "11", "14"),
    **{str(n): (str(n), f"0{n}", word) for n, word in enumerate(
        ("two", "three", "four", "five", "six", "seven", "eight", "nine"), 2)},
    "T": ("t", "10", "ten"),
    "J": ("j", "jack", "12"),
    "Q": ("q", "queen", "13"),
    "K": ("k", "king"),
}  # fmt: skip
_NUMBERED: Final = ("11", "12", "13", "14")  # mean different ranks in different systems


@cache
def _names() -> dict[str, str]:
    """Every way to write a card that means one card everywhere."""
    found = {"joker": r.JOKER}
    for suit, suits in _SUITS.items():
        for rank, ranks in _RANKS.items():
            for one in suits:
                for other in ranks:
                    if other in _NUMBERED:
                        continue
                    for joined in (
                        f"{other}{one}",
                        f"{one}{other}",
                        f"{other}of{one}",
                        f"{one}-{other}",
                        f"{other}-{one}",
                        f"{one}_{other}",
                        f"{other}_{one}",
                    ):
                        found.setdefault(joined, rank + suit)
    return found


@cache
def _ranks() -> dict[str, str]:
    return {name: rank for rank, names in _RANKS.items() for name in names if name not in _NUMBERED}


@dataclass(frozen=True, slots=True)
class CardFormat:
    numbers: tuple[str, ...] = ()  # cards by number, the first of them `first`
    first: int = 0
    between: str | None = None  # what stands between cards; None: blanks, commas and the like
    suits: bool = True  # False: cards are ranks alone
    names: Mapping[str, str] = field(default_factory=dict)  # the export's own

    def card(self, text: str) -> str:
        said = text.strip()
        own = self.names.get(said)
        if own is not None:
            return own
        if self.numbers:
            place = whole(said) - self.first
            if 0 <= place < len(self.numbers):
                return self.numbers[place]
            raise BadValue(
                f"`{short(text)}` is not a card: its number is beyond the order of cards"
            )
        plain = "".join(said.lower().replace("\ufe0f", "").split())
        if not self.suits:
            rank = _ranks().get(plain)
            if rank is not None:
                return rank + r.SUITS[0]
        found = _names().get(plain)
        if found is None:
            raise BadValue(f"`{short(text)}` is not a card")
        return found

    def cards(self, text: str) -> tuple[str, ...]:
        """The cards of a cell, in its order."""
        said = text.strip().strip("[](){}").strip()
        if not said:
            return ()
        if self.between is not None:
            parts = said.split(self.between) if self.between else _pairs(said)
            return tuple(self.card(part.strip(" '\"")) for part in parts if part.strip(" '\""))
        if any(mark in said for mark in ",;|/+"):
            parts = re.split(r"[,;|/+]", said)
        elif " of " in said.lower():
            parts = re.split(r"(?<=s)\s+(?=\S+\s+of\s)", said, flags=re.IGNORECASE)
        else:
            parts = said.split()
        if len(parts) == 1 and len(said) > 3:
            parts = _pairs(said)
        return tuple(self.card(part.strip(" '\"")) for part in parts if part.strip(" '\""))


def _pairs(text: str) -> list[str]:
    """Cards without anything between them: `AS10HKD`, `SAH10`, `A♠10♥`."""
    said = "".join(text.replace("\ufe0f", "").split())
    suit, rank = "[SHDCshdc♠♥♦♣♤♡♢♧]", "(?:10|[2-9AaTtJjQqKk])"
    for pattern in (f"{rank}{suit}", f"{suit}{rank}"):
        if re.fullmatch(f"(?:{pattern})+", said):
            return re.findall(pattern, said)
    return [text]


# --- times

ISO: Final = "iso"
_OFFSET: Final = re.compile(r"(.*[0-9])\s?([+-][0-9]{2})(?::?([0-9]{2}))?")


@dataclass(frozen=True, slots=True)
class TimeFormat:
    formats: tuple[str, ...] = (ISO,)  # strptime's, `iso`, `seconds` or `milliseconds` since 1970
    zone: tzinfo | None = None  # of times that name none

    def time(self, text: str) -> str:
        """As the log writes it, with its zone."""
        said = text.strip()
        for one in self.formats:
            found = _by_format(said, one)
            if found is not None:
                return self._with_zone(found, text).isoformat()
        raise BadValue(f"`{short(text)}` is not a time as the profile has it")

    def _with_zone(self, at: datetime, text: str) -> datetime:
        if not 1900 <= at.year < 3000:
            raise BadValue(f"`{short(text)}` is not a time of this age")
        if at.tzinfo is not None:
            return at
        if self.zone is None:
            raise BadValue(f"`{short(text)}` has no time zone; say `time: {{zone: …}}`")
        local = at.replace(tzinfo=self.zone)
        if local.astimezone(UTC).astimezone(self.zone).replace(tzinfo=None) != at:
            raise BadValue(f"`{short(text)}` never was: the clocks were put forward over it")
        offset = local.utcoffset()
        assert offset is not None
        if offset.microseconds or offset.seconds % 60:
            raise BadValue(f"`{short(text)}` is too early for the zone")
        return at.replace(tzinfo=timezone(offset))


def _by_format(said: str, how: str) -> datetime | None:
    try:
        match how:
            case "iso":
                if not re.match(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]", said):
                    return None
                offset = _OFFSET.fullmatch(said)
                if offset and ":" in offset[1]:
                    said = f"{offset[1]}{offset[2]}:{offset[3] or '00'}"
                return datetime.fromisoformat(said)
            case "seconds" | "milliseconds":
                amount = number(said)
                parts = 1_000_000 if how == "seconds" else 1_000
                micro = int(amount * parts)
                return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=micro)
            case _:
                return datetime.strptime(said, how)
    except (ValueError, OverflowError, BadValue):
        return None


def listed_cards(order: Iterable[str]) -> tuple[str, ...]:
    """The order of numbered cards, as a profile writes it."""
    plain = CardFormat()
    return tuple(plain.card(one) for one in order)
