"""JSON that carries decimals as they are: what goes in comes out, digit for digit."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from checker.judge.findings import units
from checker.log import exact_json
from checker.log.exact_json import dumps


def exactly(text: str) -> Any:
    return json.loads(text, parse_float=Decimal)


@pytest.mark.parametrize(
    "digits",
    [
        "73.5",
        "73.50",
        "0.01",
        "-0.10",
        "12345678901234567890.12",
        "0.30000000000000000001",
        "9007199254740993.25",
    ],
)
def test_a_decimal_is_written_as_it_stands(digits: str) -> None:
    assert dumps({"amount": Decimal(digits)}) == f'{{"amount": {digits}}}'


@pytest.mark.parametrize("digits", ["1E+3", "1E-7", "-2.5E+2"])
def test_exponents_are_written_out(digits: str) -> None:
    text = dumps(Decimal(digits))
    assert "E" not in text.upper()
    assert Decimal(text) == Decimal(digits)


@pytest.mark.parametrize(
    ("cents", "text"),
    [
        (0, "0"),
        (100, "1"),
        (7350, "73.50"),
        (7305, "73.05"),
        (-7305, "-73.05"),
        (5, "0.05"),
        (-5, "-0.05"),
        (10**15 + 1, "10000000000000.01"),
    ],
)
def test_cents_become_units(cents: int, text: str) -> None:
    assert dumps(units(cents)) == text
    assert exactly(dumps(units(cents))) * 100 == cents


def test_decimals_anywhere_in_a_document() -> None:
    document = {"a": [Decimal("0.10"), {"b": Decimal("2.5")}], "c": "0.10", "d": [1, None, True]}
    back = exactly(dumps(document))
    assert back == document
    assert isinstance(back["c"], str)


def test_numbers_that_are_text_stay_text() -> None:
    assert dumps({"player": "73.5"}) == '{"player": "73.5"}'


@pytest.mark.parametrize(
    "text", ["Zoë ♠ 李", '"', "\\", '\\"1.5\\"', "\x1b[31m", "\u2028", "\x00", "a\nb"]
)
def test_any_text_comes_back(text: str) -> None:
    document = {text: [text, Decimal("1.25")]}
    assert exactly(dumps(document)) == document


def test_letters_of_other_scripts_are_not_escaped() -> None:
    assert dumps("Zoë ♠") == '"Zoë ♠"'


def test_options_go_to_json() -> None:
    shown = dumps({"b": Decimal("1.50"), "a": 1}, indent=2, sort_keys=True)
    assert shown == '{\n  "a": 1,\n  "b": 1.50\n}'


def test_a_log_cannot_guess_the_stand_in() -> None:
    """The mark that stands for a number is drawn anew in every process, too long to guess."""
    assert len(exact_json._MARK) >= 32
    forged = {"player": exact_json._MARK[:16] + "1.5"}
    assert json.loads(dumps(forged)) == forged


@pytest.mark.parametrize("value", [1 + 2j, {1, 2}, b"bytes", object()])
def test_what_has_no_place_in_a_report_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="has no place in a report"):
        dumps({"value": value})
