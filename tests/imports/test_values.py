"""Cells to values: cards in every notation, money without a float, times with their zone."""

from __future__ import annotations

from datetime import timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from checker.imports.values import (
    BadValue,
    CardFormat,
    MoneyFormat,
    TimeFormat,
    cents,
    listed_cards,
    number,
    units_text,
    whole,
)


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("10♠", "TS"),
        ("10♠\ufe0f", "TS"),
        ("Ts", "TS"),
        ("SA", "AS"),
        ("H10", "TH"),
        ("Queen of Hearts", "QH"),
        ("queen  of  hearts", "QH"),
        ("Ace of spades", "AS"),
        ("2 of Clubs", "2C"),
        ("kd", "KD"),
        ("♦J", "JD"),
        ("9-C", "9C"),
        ("hearts_9", "9H"),
        ("JOKER", "JOKER"),
    ],
)
def test_cards_in_many_notations(text: str, card: str) -> None:
    assert CardFormat().card(text) == card


@pytest.mark.parametrize("text", ["1♠♠", "11S", "AX", "", "S", "10", "0S", "=AS", "AS\x00"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(BadValue):
        CardFormat().card(text)


@pytest.mark.parametrize(
    "text",
    ["AS TH 9D", "AS,TH,9D", "A♠10♥9♦", "SAH10D9", '["AS", "TH", "9D"]', "AS|TH|9D", "AS10H9D",
     "Ace of Spades 10 of Hearts 9 of Diamonds", "Ace of Spades, Ten of Hearts, Nine of Diamonds"],
)  # fmt: skip
def test_the_cards_of_a_cell(text: str) -> None:
    assert CardFormat().cards(text) == ("AS", "TH", "9D")


def test_cards_by_number_need_their_order() -> None:
    order = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    how = CardFormat(numbers=listed_cards(order))
    assert (how.card("0"), how.card("51"), how.card("12.0")) == ("2C", "AS", "AC")
    assert CardFormat(numbers=listed_cards(order), first=1).card("1") == "2C"
    for text in ("52", "-1", "AS", "1e1"):
        with pytest.raises(BadValue):
            how.card(text)


def test_ranks_alone_get_a_suit_that_nobody_looks_at() -> None:
    assert CardFormat(suits=False).cards("A 10 K") == ("AS", "TS", "KS")


@pytest.mark.parametrize(
    ("text", "how", "amount"),
    [
        ("20", MoneyFormat(), 2000),
        ("0.1", MoneyFormat(), 10),
        ("12.50", MoneyFormat(), 1250),
        ("$1,234.50", MoneyFormat(thousands=",", symbols=("$",)), 123450),
        ("1.234,50 €", MoneyFormat(decimal=",", thousands=".", symbols=("€",)), 123450),
        ("1250", MoneyFormat(cents=True), 1250),
        ("(5.00)", MoneyFormat(), -500),
        ("1e3", MoneyFormat(), 100_000),
        ("9007199254740993", MoneyFormat(cents=True), None),
        ("90071992547409.93", MoneyFormat(), None),
        ("8999999999999.99", MoneyFormat(), 899_999_999_999_999),
    ],
)
def test_money_is_exact(text: str, how: MoneyFormat, amount: int | None) -> None:
    if amount is None:
        with pytest.raises(BadValue, match="out of range"):
            cents(number(text, how), how, text)
    else:
        assert cents(number(text, how), how, text) == amount


@pytest.mark.parametrize(
    "text", ["0.30000000000000004", "12.345", "1/2", "NaN", "inf", "1e400", "1" * 60, "=1+1", ""]
)
def test_money_is_never_rounded(text: str) -> None:
    how = MoneyFormat()
    with pytest.raises(BadValue):
        cents(number(text, how), how, text)


def test_a_decimal_comma_is_not_guessed() -> None:
    with pytest.raises(BadValue):
        number("12,50")
    with pytest.raises(BadValue):
        number("12.50", MoneyFormat(decimal=","))


def test_amounts_are_written_as_the_log_has_them() -> None:
    assert [units_text(n) for n in (0, 100, 105, 1250, -50)] == ["0", "1", "1.05", "12.50", "-0.50"]


def test_whole_numbers() -> None:
    assert (whole(" 7 "), whole("3.0"), whole("+2")) == (7, 3, 2)
    for text in ("3.5", "x", "", "1e3", "99999999999"):
        with pytest.raises(BadValue):
            whole(text)


@pytest.mark.parametrize(
    ("text", "how", "written"),
    [
        ("2024-08-20T21:14:03+10:00", "iso", "2024-08-20T21:14:03+10:00"),
        ("2024-08-20 21:14:03", "iso", "2024-08-20T21:14:03+10:00"),
        ("2024-08-20 11:14:03+00", "iso", "2024-08-20T11:14:03+00:00"),
        ("20/08/2024 21:14", "%d/%m/%Y %H:%M", "2024-08-20T21:14:00+10:00"),
        ("1724152443", "seconds", "2024-08-20T11:14:03+00:00"),
        ("1724152443000", "milliseconds", "2024-08-20T11:14:03+00:00"),
    ],
)
def test_times(text: str, how: str, written: str) -> None:
    assert TimeFormat((how,), ZoneInfo("Australia/Sydney")).time(text) == written


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(BadValue, match="time zone"):
        TimeFormat().time("2024-08-20 21:14:03")


def test_a_time_that_the_clocks_left_out_is_refused() -> None:
    sydney = TimeFormat(("iso",), ZoneInfo("Australia/Sydney"))
    with pytest.raises(BadValue, match="never was"):
        sydney.time("2024-10-06 02:30:00")
    assert TimeFormat(("iso",), timezone(timedelta(hours=10))).time("2024-10-06 02:30:00")


@pytest.mark.parametrize(
    "text", ["yesterday", "0001-01-01 00:00:00", "2024-13-01 00:00:00", "1e999"]
)
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(BadValue):
        TimeFormat(("iso", "seconds"), ZoneInfo("UTC")).time(text)
