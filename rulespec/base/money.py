"""Amounts in words. Inside, money is a whole number of minor units; a currency has a sign."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction

SIGNS = {
    **dict.fromkeys(("AUD", "CAD", "HKD", "NZD", "SGD", "USD"), "$"),
    "EUR": "€",
    "GBP": "£",
}
ORDINARY = "$"
_sign: ContextVar[str] = ContextVar("sign", default=ORDINARY)


def sign_of(currency: str | None) -> str:
    """The sign of a currency by its letters; `CHF 20` where it has none of its own."""
    return ORDINARY if currency is None else SIGNS.get(currency, f"{currency} ")


@contextmanager
def in_currency(sign: str) -> Iterator[None]:
    """Amounts are told with this sign from here on: a text speaks of its own money."""
    before = _sign.set(sign)
    try:
        yield
    finally:
        _sign.reset(before)


def common_sign(signs: Iterable[str]) -> str:
    """The sign of sums over several texts: none where they speak of different money."""
    found = set(signs)
    return found.pop() if len(found) == 1 else "" if found else ORDINARY


def money_text(cents: int | Fraction) -> str:
    amount = Fraction(cents)
    sign = ("-" if amount < 0 else "") + _sign.get()
    whole, rest = divmod(abs(amount), 100)
    if rest == 0:
        return f"{sign}{whole:,}"
    if rest.denominator == 1:
        return f"{sign}{whole:,}.{int(rest):02d}"
    return f"{sign}{abs(amount) / 100}"
