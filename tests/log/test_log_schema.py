"""The published schema of a round says what the decoder does."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from checker.log import model as r
from checker.log.decode import DecodeError, decode_line, parse_json
from tests.log.log_support import FULL, PLAIN, line_of, objection_of_schema
from tests.support import all_or_some


def test_the_schema_describes_every_field() -> None:
    schema = r.round_schema()
    Draft202012Validator.check_schema(schema)
    looked = 0
    waiting: list[tuple[str, Any]] = [("$", schema)]
    while waiting:
        where, node = waiting.pop()
        if isinstance(node, list):
            waiting += [(where, inner) for inner in node]
        elif isinstance(node, dict):
            for key, inner in node.items():
                if key in ("properties", "$defs") and not where.endswith(" if"):
                    for name, field in inner.items():
                        assert {"title", "description"} <= set(field), f"{where}.{name}"
                        looked += 1
                waiting.append((f"{where} {key}" if key == "if" else f"{where}.{key}", inner))
    assert looked > 80


def test_the_schema_and_the_model_have_the_same_words() -> None:
    defs = r.round_schema()["$defs"]
    assert set(defs["card"]["enum"]) == r.CARDS
    assert set(defs["event_deal"]["properties"]["face"]["enum"]) == r.FACES
    assert set(defs["event_void"]["properties"]["scope"]["enum"]) == r.SCOPES
    assert set(defs["event_irregularity"]["properties"]["found"]["enum"]) == r.FOUND
    assert defs["stake"]["maximum"] * 100 == r.STAKE_MAX
    assert defs["returned"]["maximum"] * 100 == r.RETURN_MAX


NASTY: list[object] = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    9,
    10,
    12,
    13,
    99,
    100,
    10**10,
    10**10 + 1,
    10**13,
    10**40,
    0.01,
    0.005,
    24.5,
    1.0,
    -2.25,
    1e30,
    1e300,
    1e-30,
    "",
    "x",
    "main",
    "insurance",
    "TS",
    "1S",
    "JOKER",
    "round",
    "hit",
    "down",
    {"jackpot": 5},
    "2024-08-20T21:14:03Z",
    "2024-08-20 21:14:03.5-03:30",
    "2024-08-20T21:14:03",
    "2024-13-20T21:14:03Z",
    "2024-08-20T24:00:00Z",
    "2024-08-20T21:14:03Z\n",
    "٢024-08-20T21:14:03Z",
    "é",
    "\ud800",
    [],
    {},
    [None],
    ["x"],
    {"e": "note"},
    {"main": {}},
    {"1": 5},
    {"0": 5},
    {"box_max": {}},
]
SCHEMA_CANNOT_SAY = ("holds half a character", "is not a day of the calendar")


def places(obj: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    items = obj.items() if isinstance(obj, dict) else enumerate(obj)
    for key, inner in items:
        found.append((obj, key))
        if isinstance(inner, dict | list):
            found += places(inner)
    return found


def mutate_fields(rng: random.Random) -> bytes:
    obj = copy.deepcopy(rng.choice([PLAIN, FULL]))
    words = ["hand", "box", "stake", "seated", "reason", "by", "limits", "options", "shoe", "bet"]
    words += ["to", "face", "wins", "for", "meters", "said"]
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        place, key = rng.choice(places(obj))
        match rng.randrange(5):
            case 0:
                del place[key]
            case 1 if isinstance(place, dict):
                place[rng.choice(words)] = rng.choice(NASTY)
            case 2 if isinstance(place, dict) and "e" in place:
                place["e"] = rng.choice(FULL["events"])["e"]
            case _:
                place[key] = copy.deepcopy(rng.choice(NASTY))
        if not obj:
            break
    return line_of(obj)


def mutate_bytes(rng: random.Random) -> bytes:
    raw = bytearray(line_of(rng.choice([PLAIN, FULL])))
    for _ in range(rng.choice([1, 1, 2, 5])):
        at = rng.randrange(len(raw))
        match rng.randrange(4):
            case 0:
                raw[at] = rng.randrange(256)
            case 1:
                del raw[at : at + rng.choice([1, 1, 2, 30])]
            case 2:
                raw[at:at] = rng.choice([b'"', b"{", b"]", b",", b"0", b"e", b"-", b"\\u", b"\xc3"])
            case _:
                raw[at:at] = raw[at : at + rng.randrange(1, 40)]
        if not raw:
            break
    return bytes(raw)


@pytest.mark.slow
@pytest.mark.parametrize("mutate", [mutate_fields, mutate_bytes])
def test_decoder_and_schema_agree_on_mutated_rounds(mutate: Any) -> None:
    rng = random.Random(20240820)
    seen = {"accepted": 0, "refused by both": 0, "not json": 0}
    for _ in range(all_or_some(5000, 1200)):
        raw = mutate(rng)
        reason = None
        try:
            decode_line(raw)
        except DecodeError as error:
            reason = error.reason
            assert reason.isprintable(), raw
        try:
            obj = parse_json(raw.decode())
        except (UnicodeDecodeError, DecodeError):
            assert reason is not None, raw
            seen["not json"] += 1
            continue
        objection = objection_of_schema(obj)
        if reason is None:
            assert objection is None, raw
            seen["accepted"] += 1
        elif not reason.endswith(SCHEMA_CANNOT_SAY):
            assert objection is not None, (reason, raw)
            seen["refused by both"] += 1
    assert seen["accepted"] > 40, seen
    assert seen["refused by both"] > 40, seen
