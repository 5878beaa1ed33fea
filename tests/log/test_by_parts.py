"""A line that is decoded by its parts is the round that it is when it is decoded at one go."""

from __future__ import annotations

import json
import random

import pytest

from checker.log import by_parts
from checker.log import model as r
from checker.log.decode import DecodeError, decode_line, decode_round, parse_json
from tests.log.log_support import FULL, PLAIN


def at_one_go(raw: bytes) -> r.Round | str:
    try:
        return decode_round(parse_json(raw.decode()), 7)
    except DecodeError as error:
        return error.reason


def decoded(raw: bytes) -> r.Round | str:
    try:
        return decode_line(raw, 7)
    except DecodeError as error:
        return error.reason


OWN = {key: PLAIN[key] for key in ("format", "round", "table", "shoe", "at")}  # in this order
HEAD = '{"format":1,"round":"1","table":"T","at":"2024-08-20T21:14:03+10:00",'
CARD = '{"e":"deal","box":1,"card":"6S"}'
NOTE = '{"e":"note","text":%s}'


@pytest.mark.parametrize(
    "line",
    [
        HEAD + f'"decks":6,"events":[{CARD},{CARD}]}}',
        HEAD + f'"decks":6,"events":[{CARD},{NOTE % json.dumps("a},{b")},{CARD}]}}',
        HEAD + f'"decks":6,"events":[{NOTE % json.dumps("}]}")}]}}',
        HEAD + f'"decks":6,"decks":6,"events":[{CARD}]}}',
        HEAD + f'"decks":6,"table":"T","events":[{CARD}]}}',
        HEAD + f'"decks":6,"events":[{CARD}],"events":[{CARD}]}}',
        HEAD + f'"decks":6,"events":[{CARD}],"not_recorded":["shoe"],"x":[{{"a":1}}]}}',
        HEAD + f'"decks":6,"x":{{"events":[{CARD}]}},"events":[{CARD}]}}',
        HEAD + f'"decks":6,"x":{{"events":[{CARD}]}}',
        HEAD + f'"decks":6,"my\\"events":[{CARD}]}}',
        HEAD + f'"decks":6,"x":{{"at":"now","events":[{CARD}]}}}}',
        HEAD + f'"decks":6,"events":[{CARD},{{"e":"deal","e":"deal","box":1,"card":"6S"}}]}}',
        HEAD + f'"decks":6,"events":[{CARD},{{"e":"deal","box":1,"card":"ZZ"}}]}}',
        HEAD + f'"decks":0,"events":[{CARD}]}}',
        HEAD + f'"decks":6,"limits":{{"main":{{"min":-1}}}},"events":[{CARD}]}}',
        HEAD + f'"events":[{CARD}]}}',
        HEAD.replace("1,", "2,", 1) + f'"decks":6,"events":[{CARD}]}}',
        f'{{"at":"2024-08-20T21:14:03+10:00","round":"1","table":"T","decks":6,"events":[{CARD}]}}',
        '{"x":{"at":"now","round":"2"},"round":"1","table":"T","at":"2024-08-20T21:14:03Z",'
        f'"decks":6,"events":[{CARD}]}}',
        HEAD + f'"decks":6,"events":[{CARD},,{CARD}]}}',
        HEAD + f'"decks":6,"events":[{CARD}}},{{{CARD}]}}',
        HEAD + f'"decks":6,"events":[{CARD},[{{}},{{"e":"note"}}]]}}',
        HEAD + f'"decks":6,"events":[{CARD}]}} ',
        HEAD + f'"decks":6,"events":[{CARD}]}}}}',
    ],
)
def test_whatever_stands_in_a_line(line: str) -> None:
    for _ in range(2):  # the second time its parts are known
        assert decoded(line.encode()) == at_one_go(line.encode())


def test_lines_that_were_changed_at_random() -> None:
    chance, rounds = random.Random(5), 0
    texts = [
        json.dumps(one, ensure_ascii=False, separators=marks).encode()
        for one in ({**OWN, **PLAIN}, {**OWN, **FULL})
        for marks in ((",", ":"), None)
    ]
    for _ in range(4000):
        line = bytearray(chance.choice(texts))
        for _ in range(chance.randrange(3)):
            at = chance.randrange(len(line))
            if chance.random() < 0.5:
                line[at : at + chance.randrange(1, 30)] = b""
            else:
                line[at:at] = chance.choice([b'"', b"}", b"{", b"},{", b"]", b",", b"1", b"}]}"])
        try:
            line.decode()
        except UnicodeDecodeError:
            continue
        told = decoded(bytes(line))
        assert told == at_one_go(bytes(line))
        rounds += not isinstance(told, str)
    assert rounds > 500


def test_a_line_that_is_written_as_usual_is_decoded_by_its_parts() -> None:
    for marks in ((",", ":"), None):
        line = json.dumps({**OWN, **PLAIN}, separators=marks)
        parts = by_parts.cut(line)
        assert parts is not None
        assert len(parts[2]) == len(PLAIN["events"])
        one, other = (decode_line(line.encode(), n) for n in (1, 2))
        assert one.limits is other.limits
        assert all(a is b for a, b in zip(one.events, other.events, strict=True))


def test_no_more_is_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_parts, "_MOST", 3)
    known = by_parts.Known[int, int](lambda key: key + 1)
    assert [known[n] for n in range(9)] == list(range(1, 10))
    assert len(known) <= 3
