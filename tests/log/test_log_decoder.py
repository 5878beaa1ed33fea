"""One line of a log: what is a round, and why another line is none."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from datetime import timedelta
from typing import Any, get_args

import pytest

from checker.log import model as r
from checker.log.decode import DecodeError, decode_line, decode_round
from checker.log.known_words import KnownWords
from rulespec.load.games import ordinary_game
from rulespec.tree.game import Record
from tests.log.log_support import FULL, PLAIN, line_of


def changed(path: str, value: object) -> dict[str, Any]:
    """PLAIN with the value at a dotted path replaced, or added."""
    obj = copy.deepcopy(PLAIN)
    *way, last = path.split(".")
    place: Any = obj
    for step in way:
        place = place[int(step) if isinstance(place, list) else step]
    place[int(last) if isinstance(place, list) else last] = value
    return obj


def reason_of(raw: bytes) -> str:
    with pytest.raises(DecodeError) as caught:
        decode_line(raw)
    reason = caught.value.reason
    assert reason.isprintable(), "one line, fit for a terminal"
    return reason


def test_a_round_in_full() -> None:
    got = decode_line(line_of(PLAIN), 7)
    assert (got.id, got.table, got.shoe, got.decks, got.line) == (
        "T12-000345",
        "T12",
        "T12-0820-3",
        6,
        7,
    )
    assert got.at.utcoffset() == timedelta(hours=10)
    assert got.rulebook == "nsw-star-pontoon"
    assert got.options == frozenset({"perfect_pairs"})
    assert got.limits["main"] == r.Limits(1000, 50000, 500, {3: 25000}, 250, None)
    assert got.limits["perfect_pairs"] == r.Limits(0, 5000, multiples_notice=True)
    assert got.events[0] == r.Wager(1, "P1", "main", 2450, True, None, None, n=0)
    assert got.events[1] == r.Deal(1, 1, "6S", n=1)
    assert got.events[3] == r.Play(1, 1, "P1", "double", 2450, n=3)
    assert got.events[5] == r.Settle(1, 1, "P1", "main", 9800, n=5)


def test_every_kind_of_event_is_read() -> None:
    got = decode_line(line_of(FULL)).events
    assert [event.n for event in got] == list(range(len(FULL["events"])))
    assert {type(event) for event in got} | {r.Deal, r.Unknown} == set(get_args(r.Event))
    assert got[3] == r.Wager(9, "Zoë", "super_sevens", 1, False, True, "PC-1", n=3)
    assert got[13] == r.Irregularity("misdeal", "initial_deal", n=13)
    assert got[17] == r.Void("hand", "", 2, 2, n=17)
    assert got[19] == r.Adjust("P2", -225, "x", 2, "main", n=19)


def test_what_games_add_to_the_format() -> None:
    got = decode_line(line_of({**FULL, "meters": {"jackpot": 12345.67}, "options": ["a=1", "b"]}))
    assert got.meters == {"jackpot": 1234567}
    assert got.choices == {"a": "1"}
    down, named, peek, turned, carried, insured, put, refused, seen = got.events[21:]
    assert down == r.Deal(0, 1, "KH", down=True, n=21)
    assert named == r.Deal(r.NO_BOX, 1, "6S", to="banker", n=22)
    assert (peek, turned) == (r.Peek(n=23), r.Reveal(2, 1, n=24))
    assert carried == r.Wager(r.NO_BOX, "P2", "tie", 500, wins=2, n=25)
    assert isinstance(insured, r.Play)
    assert insured.bet == "main_2"
    assert put == r.Designate(2, "P2", 2, n=27)
    assert refused == r.Refuse(2, None, "5H", n=28)
    assert seen == r.Irregularity("reader", None, 2, "P2", (("seen", True),), n=29)
    assert isinstance(seen, r.Irregularity)
    assert seen.words == {"reader", "reader_seen"}


def test_a_choice_with_two_values_is_none() -> None:
    assert r.choices_in(frozenset({"pays=6:5", "pays=3:2", "draws=hit"})) == {"draws": "hit"}


def test_an_event_that_is_a_record_of_the_game_is_recorded() -> None:
    pontoon = ordinary_game()
    bell = Record(name="bell", title="the bell rang")
    words = KnownWords(replace(pontoon, records={**pontoon.records, "bell": bell}))
    said = {"e": "bell", "box": 2, "who": "floor", "loud": False}
    round_ = words.known(decode_line(line_of(changed("events.1", said))))
    event = round_.events[1]
    assert isinstance(event, r.Irregularity)
    assert (event.box, event.words) == (2, {"bell", "bell_floor", "bell_not_loud"})


def test_an_event_is_a_plain_value() -> None:
    first, again = decode_line(line_of(FULL)).events, decode_line(line_of(FULL)).events
    assert first == again
    assert len({*first, *again}) == len(first), "found in a set by what it says"
    assert pickle.loads(pickle.dumps(first)) == first, "as it goes to another process"
    assert not any(hasattr(event, "__dict__") for event in first), "no name can be added to it"
    assert replace(first[0], n=99) != first[0]


def test_what_may_be_absent() -> None:
    bare = {k: PLAIN[k] for k in ("round", "table", "at", "decks")} | {"events": [{"e": "note"}]}
    got = decode_line(line_of(bare))
    assert (got.shoe, got.rulebook, got.options, got.limits) == (None, None, frozenset(), {})
    assert got.events == (r.Note("", n=0),)


@pytest.mark.parametrize(
    ("path", "value", "unknown"),
    [
        ("events.0.bet", "lucky", ("bet", "lucky")),
        ("events.5.bet", "lucky", ("bet", "lucky")),
        ("events.0.bet", "insurance", ("bet", "insurance")),
        ("events.1", {"e": "deal", "to": "banker", "card": "6S"}, ("hand", "banker")),
        (
            "events.5",
            {"e": "settle", "player": "P1", "bet": "main", "returned": 0},
            ("bet without a box", "main"),
        ),
        ("meters", {"jackpot": 5}, ("meter", "jackpot")),
        ("options", ["pays=6:5"], ("option", "pays=6:5")),
        ("events.3.do", "fold", ("play", "fold")),
        ("events.1", {"e": "wave"}, ("event", "wave")),
        ("limits.tips", {"min": 5}, ("bet", "tips")),
        ("options", ["sixes"], ("option", "sixes")),
    ],
)
def test_what_is_not_known_is_told_and_the_rest_is_read(
    path: str, value: object, unknown: tuple[str, str]
) -> None:
    round_ = decode_line(line_of(changed(path, value)))
    assert KnownWords(ordinary_game()).unknown(round_) == {unknown}
    assert len(round_.events) == len(PLAIN["events"])


def test_unknown_fields_are_ignored() -> None:
    decode_line(line_of(changed("events.1.shoe_position", [1, {"x": None}])))
    decode_line(line_of(changed("casino", "X")))


@pytest.mark.parametrize(
    ("written", "cents"),
    [("1", 100), ("0.01", 1), ("24.5", 2450), ("1e1", 1000), ("25.000", 2500), ("0.29", 29)],
)
def test_money_is_exact(written: str, cents: int) -> None:
    raw = line_of(changed("events.0.stake", "@")).replace(b'"@"', written.encode())
    wager = decode_line(raw).events[0]
    assert isinstance(wager, r.Wager)
    assert wager.stake == cents


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("events.3.stake", -5, "events[3].stake: -5 is not above 0"),
        ("events.3.stake", 0, "events[3].stake: 0 is not above 0"),
        ("events.0.stake", True, "events[0].stake: true is not a number"),
        ("events.0.stake", "25", "events[0].stake: the text `25` is not a number"),
        ("events.0.stake", 10.005, "events[0].stake: 10.005 has more than two decimals"),
        ("events.0.stake", 10**10 + 1, "events[0].stake: 10000000001 is out of range"),
        ("events.5.returned", -0.5, "events[5].returned: -0.5 is below 0"),
        ("events.5.returned", None, "events[5].returned: null is not a number"),
        ("events.1.card", "1S", "events[1].card: `1S` is not a card"),
        ("events.1.card", "ts", "events[1].card: `ts` is not a card"),
        ("events.1.box", 10, "events[1].box: 10 is not a box from 0 to 9"),
        ("events.1.box", 1.0, "events[1].box: 1.0 is not a whole number"),
        (
            "events.0.box",
            0,
            "events[0].box: 0 is the dealer, and a player's box from 1 to 9 is needed",
        ),
        (
            "events.3.box",
            0,
            "events[3].box: 0 is the dealer, and a player's box from 1 to 9 is needed",
        ),
        ("events.4.hand", 0, "events[4].hand: 0 is not a hand from 1 to 99"),
        ("events.0.bet", "", "events[0].bet: empty"),
        ("events.1.face", "aside", "events[1].face: unknown face `aside`"),
        ("events.1.to", "banker", "events[1].to: `to` and `box` say one thing twice"),
        ("events.0.wins", -1, "events[0].wins: -1 is not a number from 0 to 99"),
        ("meters", {"jackpot": -1}, "meters.jackpot: -1 is below 0"),
        ("meters", {"jackpot": 1.005}, "meters.jackpot: 1.005 has more than two decimals"),
        ("meters", [], "meters: a list is not an object"),
        ("events.3.do", "", "events[3].do: empty"),
        ("events.1", {"e": "void", "scope": "all"}, "events[1].scope: unknown scope `all`"),
        ("events.1.e", "", "events[1].e: empty"),
        ("events.1", {"box": 1}, "events[1].e: missing"),
        ("events.1", {"e": "deal", "box": 1}, "events[1].card: missing"),
        ("events.1", [], "events[1]: a list is not an object"),
        ("events.0.player", "", "events[0].player: empty"),
        ("events.0.control", 1, "events[0].control: 1 is not true or false"),
        ("events", {}, "events: an object is not a list"),
        ("decks", 13, "decks: 13 is not a number of decks from 1 to 12"),
        ("decks", "6", "decks: the text `6` is not a whole number"),
        ("format", 2, "format: 2 is not a format that is read here, which is 1"),
        ("round", 5, "round: 5 is not text"),
        ("at", "2024-08-20T21:14:03", "at: `2024-08-20T21:14:03` has no time zone"),
        (
            "at",
            "2024-02-30T21:14:03Z",
            "at: `2024-02-30T21:14:03Z` is not a day of the calendar",
        ),
        ("at", "today\n", "at: `today\\n` is not a time like 2024-08-20T21:14:03+10:00"),
        ("limits.tips", 5, "limits.tips: 5 is not an object"),
        ("events.0", {"e": "wager", "bet": "tips"}, "events[0].player: missing"),
        ("limits.main.max", 0, "limits.main.max: 0 is not above 0"),
        ("limits.main.box_max.0", 5, "limits.main.box_max: `0` is not a box from 1 to 9"),
        ("limits.main.box_max.2", "x", "limits.main.box_max.2: the text `x` is not a number"),
        ("options", ["resplit", 3], "options[1]: 3 is not text"),
        ("table", "T\ud800", "table: `T\\ud800` holds half a character"),
    ],
)
def test_reasons(path: str, value: object, reason: str) -> None:
    assert reason_of(line_of(changed(path, value))) == reason


@pytest.mark.parametrize("field", ["round", "table", "at", "decks", "events"])
def test_needed_fields(field: str) -> None:
    assert reason_of(line_of({k: v for k, v in PLAIN.items() if k != field})) == f"{field}: missing"


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"[1]", "a list is not an object"),
        (b"hello", "not JSON: expecting value at character 1"),
        (b'{"a": 1,}', "not JSON: expecting property name enclosed in double quotes"),
        (b'{"a": [1, 2', "not JSON: the line ends in the middle"),
        (b'{"a": "x', "not JSON: the line ends in the middle"),
        (b'{"a": [0, NaN]}', "a[1]: NaN is not a number"),
        (b'{"a": -Infinity}', "a: -Infinity is not a number"),
        (b'{"a": {"b": 1, "b": 1}}', "a.b: this key stands twice in one object"),
        (b'{"a": 1e9999999999999999999}', "a: 1e9999999999999999999 is out of range"),
        (b'{"a": ' + b"9" * 5000 + b"}", "a: " + "9" * 40 + "… is out of range"),
        (b'{"a": "\xff"}', "not UTF-8: byte 0xff at byte 8 of the line"),
        (b"[" * 200_000, "nested too deeply"),
    ],
)
def test_what_is_not_a_json_object(raw: bytes, reason: str) -> None:
    assert reason_of(raw).startswith(reason)


def test_absurd_numbers_do_not_eat_the_machine() -> None:
    for absurd in (b"1e999999999", b"1e-999999999", b"-1e400", b"9" * 4000, b"0." + b"1" * 90000):
        raw = line_of(changed("events.0.stake", "@")).replace(b'"@"', absurd)
        assert reason_of(raw).startswith("events[0].stake: ")


def test_a_binary_float_is_never_money() -> None:
    with pytest.raises(DecodeError) as caught:
        decode_round({**PLAIN, "limits": {}})
    reason = "events[0].stake: 24.5 is a binary float, and money has to be exact"
    assert caught.value.reason == reason
