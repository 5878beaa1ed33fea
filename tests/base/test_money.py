"""Amounts in words: exact, and with the sign of the money that a text speaks of."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rulespec.base.money import common_sign, in_currency, money_text, sign_of


@pytest.mark.parametrize(
    ("cents", "told"),
    [(0, "$0"), (100, "$1"), (123456, "$1,234.56"), (-250, "-$2.50"), (Fraction(25, 2), "$1/8")],
)
def test_amounts(cents: int | Fraction, told: str) -> None:
    assert money_text(cents) == told


def test_the_sign_holds_as_long_as_a_text_speaks() -> None:
    with in_currency(sign_of("EUR")):
        assert money_text(3900) == "€39"
        with in_currency(sign_of("CHF")):
            assert money_text(-2050) == "-CHF 20.50"
        assert money_text(100) == "€1"
    assert money_text(100) == "$1"


def test_sums_over_different_money_have_no_sign() -> None:
    assert common_sign(["€", "€"]) == "€"
    assert common_sign(["€", "$"]) == ""
    assert common_sign([]) == "$"
