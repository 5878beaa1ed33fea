"""Round logs: what is read, what is quarantined and why, and that the schema says the same."""

from __future__ import annotations

import copy
import gzip
import io
import json
import random
import sys
import tracemalloc
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

import pytest

from checker import rounds as r
from checker.decode import DecodeError, decode_line, decode_round, parse_json
from checker.log import LogError, LogLine, Quarantined, read_log
from checker.seen import SeenRounds

HEAD = {"format": 1, "table": "T12", "at": "2024-08-20T21:14:03+10:00", "decks": 6}
PLAIN: dict[str, Any] = {
    **HEAD,
    "round": "T12-000345",
    "shoe": "T12-0820-3",
    "rulebook": "nsw-star-pontoon",
    "options": ["perfect_pairs"],
    "limits": {
        "main": {"min": 10, "max": 500, "unit": 5, "box_max": {"3": 250}, "smallest_chip": 2.5},
        "perfect_pairs": {"min": 0, "max": 50, "multiples_notice": True},
    },
    "events": [
        {"e": "wager", "box": 1, "player": "P1", "bet": "main", "stake": 24.5, "control": True},
        {"e": "deal", "box": 1, "card": "6S"},
        {"e": "deal", "box": 0, "card": "9H"},
        {"e": "play", "box": 1, "hand": 1, "player": "P1", "do": "double", "stake": 24.5},
        {"e": "deal", "box": 1, "hand": 1, "card": "TC"},
        {"e": "settle", "box": 1, "hand": 1, "player": "P1", "bet": "main", "returned": 98},
    ],
}
# Every kind of event, with all its fields.
FULL: dict[str, Any] = {
    **HEAD,
    "round": "all",
    "events": [
        {"e": "shuffle"},
        {"e": "burn", "card": "JOKER"},
        {"e": "burn"},
        {
            "e": "wager",
            "box": 9,
            "player": "Zoë",
            "bet": "super_sevens",
            "stake": 0.01,
            "control": False,
            "seated": True,
            "player_card": "PC-1",
        },
        {"e": "no_more_bets"},
        {"e": "cut_card", "box": 0},
        {"e": "cut_card"},
        {"e": "offer", "what": "insurance"},
        {"e": "play", "box": 2, "player": "P2", "do": "insure", "stake": 5},
        {"e": "absent", "box": 2, "player": "P2"},
        {"e": "approve", "what": "late entry", "by": "S7"},
        {"e": "refuse", "box": 2, "player": "P2"},
        {"e": "malfunction", "disadvantage": False, "reason": "jam"},
        {"e": "irregularity", "what": "misdeal", "found": "initial_deal"},
        {"e": "announce", "what": "last_rounds"},
        {"e": "warn", "player": "P2", "what": "under_minimum"},
        {"e": "withdraw", "box": 2, "hand": 2, "player": "P2"},
        {"e": "void", "scope": "hand", "reason": "", "box": 2, "hand": 2},
        {"e": "settle", "box": 2, "player": "P2", "bet": "insurance", "returned": 0},
        {"e": "adjust", "player": "P2", "amount": -2.25, "reason": "x", "box": 2, "bet": "main"},
        {"e": "note", "text": "quiet"},
    ],
}


def line_of(obj: object) -> bytes:
    return json.dumps(obj).encode()


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


def write(path: Path, *lines: object) -> Path:
    path.write_bytes(b"".join(line_of(line) + b"\n" for line in lines))
    return path


def numbered(count: int) -> list[dict[str, Any]]:
    return [{**PLAIN, "round": f"R{n}"} for n in range(1, count + 1)]


def ids(found: list[LogLine]) -> list[str]:
    return [x.id if isinstance(x, r.Round) else f"!{x.line}" for x in found]


# the decoder


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
    assert {type(event) for event in got} | {r.Deal} == set(get_args(r.Event))
    assert got[3] == r.Wager(9, "Zoë", "super_sevens", 1, False, True, "PC-1", n=3)
    assert got[13] == r.Irregularity("misdeal", "initial_deal", n=13)
    assert got[17] == r.Void("hand", "", 2, 2, n=17)
    assert got[19] == r.Adjust("P2", -225, "x", 2, "main", n=19)


def test_what_may_be_absent() -> None:
    bare = {k: PLAIN[k] for k in ("round", "table", "at", "decks")} | {"events": [{"e": "note"}]}
    got = decode_line(line_of(bare))
    assert (got.shoe, got.rulebook, got.options, got.limits) == (None, None, frozenset(), {})
    assert got.events == (r.Note("", n=0),)


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
        ("events.4.hand", 0, "events[4].hand: 0 is not a hand from 1 to 99"),
        ("events.0.bet", "insurance", "events[0].bet: unknown bet `insurance`"),
        ("events.3.do", "fold", "events[3].do: unknown do `fold`"),
        ("events.1", {"e": "void", "scope": "all"}, "events[1].scope: unknown scope `all`"),
        ("events.1.e", "wave", "events[1].e: unknown event `wave`"),
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
        ("limits.tips", {}, "limits: unknown bet `tips`"),
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


# the schema


def test_the_schema_describes_every_field() -> None:
    from jsonschema import Draft202012Validator

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
    assert set(defs["event_wager"]["properties"]["bet"]["enum"]) == r.WAGER_BETS
    assert set(defs["event_settle"]["properties"]["bet"]["enum"]) == r.SETTLE_BETS
    assert set(defs["event_play"]["properties"]["do"]["enum"]) == r.PLAYS
    assert set(defs["event_void"]["properties"]["scope"]["enum"]) == r.SCOPES
    assert set(defs["event_irregularity"]["properties"]["found"]["enum"]) == r.FOUND
    assert defs["stake"]["maximum"] * 100 == r.STAKE_MAX
    assert defs["returned"]["maximum"] * 100 == r.RETURN_MAX


NASTY: list[object] = [
    None, True, False, 0, 1, -1, 2, 9, 10, 12, 13, 99, 100, 10**10, 10**10 + 1, 10**13, 10**40,
    0.01, 0.005, 24.5, 1.0, -2.25, 1e30, 1e300, 1e-30, "", "x", "main", "insurance", "TS", "1S",
    "JOKER", "round", "hit", "2024-08-20T21:14:03Z", "2024-08-20 21:14:03.5-03:30",
    "2024-08-20T21:14:03", "2024-13-20T21:14:03Z", "2024-08-20T24:00:00Z", "2024-08-20T21:14:03Z\n",
    "٢024-08-20T21:14:03Z", "é", "\ud800", [], {}, [None], ["x"], {"e": "note"}, {"main": {}},
    {"1": 5}, {"0": 5}, {"box_max": {}},
]  # fmt: skip
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


@pytest.mark.parametrize("mutate", [mutate_fields, mutate_bytes])
def test_decoder_and_schema_agree_on_mutated_rounds(mutate: Any) -> None:
    rng = random.Random(20240820)
    seen = {"accepted": 0, "refused by both": 0, "not json": 0}
    for _ in range(800):
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
        objection = r.explain_schema_error(obj)
        if reason is None:
            assert objection is None, raw
            seen["accepted"] += 1
        elif not reason.endswith(SCHEMA_CANNOT_SAY):
            assert objection is not None, (reason, raw)
            seen["refused by both"] += 1
    assert seen["accepted"] > 40, seen
    assert seen["refused by both"] > 40, seen


# the reader


def test_the_rest_is_read_after_a_bad_line(tmp_path: Path) -> None:
    one, two, three = numbered(3)
    path = tmp_path / "a.jsonl"
    path.write_bytes(
        b"\xef\xbb\xbf" + line_of(one) + b"\r\n\n  \t\n{bad\n" + line_of(two) + b"\n"
        + line_of(one) + b"\n" + line_of({**one, "table": "T13"}) + b"\n" + line_of(three)
    )  # fmt: skip
    found = list(read_log(path))
    assert ids(found) == ["R1", "!4", "R2", "!6", "R1", "R3"]
    assert [x.line for x in found] == [1, 4, 5, 6, 7, 8]
    assert found[1] == Quarantined(
        4, b"{bad", "not JSON: expecting property name enclosed in double quotes at character 2"
    )
    twice = found[3]
    assert isinstance(twice, Quarantined)
    assert twice.reason == "round: `R1` of table `T12` stands twice in the log"
    assert twice.raw == line_of(one)


def test_a_round_twice_in_two_logs(tmp_path: Path) -> None:
    path, seen = write(tmp_path / "a", PLAIN), SeenRounds()
    assert [type(x) for _ in range(2) for x in read_log(path, seen=seen)] == [r.Round, Quarantined]


@pytest.mark.parametrize("kept", [1, 40, -1])
def test_a_log_that_is_cut_off(tmp_path: Path, kept: int) -> None:
    one, two = numbered(2)
    path = tmp_path / "a.jsonl"
    path.write_bytes(line_of(one) + b"\n" + line_of(two)[:kept])
    first, last = read_log(path)
    assert isinstance(first, r.Round)
    reason = "the log is cut off in the middle of this line"
    assert last == Quarantined(2, line_of(two)[:kept], reason, True)


def test_a_last_line_that_is_whole_but_wrong_is_not_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    for raw in (b'{"a": NaN}', b'{"a": 1, "a": 2}', b'{"a": "\xff"}', b"{}"):
        path.write_bytes(line_of(PLAIN) + b"\n" + raw)
        last = list(read_log(path))[-1]
        assert isinstance(last, Quarantined)
        assert not last.cut_off, raw
    path.write_bytes(line_of(PLAIN) + b'\n{"a": NaN, "b": "\xff')
    last = list(read_log(path))[-1]
    assert isinstance(last, Quarantined)
    assert last.cut_off


def test_a_line_that_is_too_long_is_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    with gzip.open(path, "wb", 1) as out:
        out.write(line_of(PLAIN) + b"\n")
        for _ in range(64):
            out.write(b"x" * 2**20)
        out.write(b"\n" + line_of(numbered(1)[0]) + b"\n")
    tracemalloc.start()
    found = list(read_log(path, max_line=2**20))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert ids(found) == ["T12-000345", "!2", "R1"]
    assert found[1] == Quarantined(2, b"x" * 256, "the line is longer than 1048576 bytes")
    assert peak < 8 * 2**20


def compress(kind: str, data: bytes) -> bytes:
    if kind == "gz":
        return gzip.compress(data)
    zstandard = pytest.importorskip("zstandard")
    made: bytes = zstandard.ZstdCompressor(level=3, write_checksum=True).compress(data)
    return made


def varied(count: int) -> list[dict[str, Any]]:
    """Rounds that do not compress to nothing, so that half a file holds about half of them."""
    rng = random.Random(1)
    return [{**one, "shoe": f"{rng.getrandbits(2048):x}"} for one in numbered(count)]


@pytest.mark.parametrize("kind", ["gz", "zst"])
def test_compressed_logs(tmp_path: Path, kind: str) -> None:
    data = b"".join(line_of(x) + b"\n" for x in varied(2000))
    half = data.index(b"\n", len(data) // 2) + 1
    packed = compress(kind, data[:half]) + compress(kind, data[half:])  # two members, one log
    path = tmp_path / f"a.jsonl.{kind}"
    path.write_bytes(packed)
    assert len(list(read_log(path))) == 2000
    other = tmp_path / "named_otherwise"
    other.write_bytes(packed)
    assert len(list(read_log(other))) == 2000

    for kept in (len(packed) - 1, len(packed) * 3 // 4, 5, 0):
        path.write_bytes(packed[:kept])
        *good, last = read_log(path)
        assert all(isinstance(x, r.Round) for x in good)
        assert [x.line for x in good] == list(range(1, len(good) + 1))
        assert len(good) >= 1000 * (kept > len(packed) // 2)
        assert isinstance(last, Quarantined)
        assert last.cut_off
        assert last.reason == "the compressed stream ends early, and the log with it"

    damaged = bytearray(packed)
    damaged[-3] ^= 0xFF  # in the checksum: every line can still be read
    path.write_bytes(damaged)
    *good, last = read_log(path)
    if kind == "gz":
        assert len(good) == 2000
    assert isinstance(last, Quarantined)
    assert last.reason == "the compressed stream is damaged here, and the rest cannot be read"
    assert last.cut_off


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(io.BytesIO):
        def read1(self, size: int | None = -1) -> bytes:
            return super().read1(3)

    for data in (line_of(PLAIN) + b"\n", gzip.compress(line_of(PLAIN))):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Slow(data)))
        assert ids(list(read_log("-"))) == ["T12-000345"]
        assert not sys.stdin.buffer.closed


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is not a round log"),
        (line_of(PLAIN).decode().encode("utf-16"), "is not a round log"),
        (gzip.compress(b"ustar\0\0\0" * 99), "is not a round log"),
    ],
)
def test_what_is_no_log(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(content)
    with pytest.raises(LogError) as caught:
        list(read_log(path))
    assert caught.value.message == f"`{path}` {message}"
    assert caught.value.help.startswith("a round log is")


def test_files_that_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LogError, match="does not exist"):
        read_log(tmp_path / "none")
    with pytest.raises(LogError, match="is a folder"):
        read_log(tmp_path)
    with pytest.raises(LogError, match="cannot be opened"):
        read_log("a\0b")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)  # the tests may run as root, who may read all
    with pytest.raises(LogError, match="may not be read"):
        read_log(tmp_path / "none")


def test_an_empty_log_has_no_lines(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"")
    assert list(read_log(tmp_path / "a.jsonl")) == []


def test_missing_modules_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("zstandard", "pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, module, None)
    (tmp_path / "a").write_bytes(b"\x28\xb5\x2f\xfd....")
    with pytest.raises(LogError, match="module `zstandard` is missing"):
        read_log(tmp_path / "a")
    (tmp_path / "b").write_bytes(b"PAR1....")
    with pytest.raises(LogError, match="module `pyarrow` is missing"):
        read_log(tmp_path / "b")


# Parquet


def test_parquet(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    first, second, bad = numbered(3)
    bad["decks"] = 0
    want = [decode_line(line_of(x), n) for n, x in enumerate((first, second), 1)]
    exact = [parse_json(line_of(x).decode()) for x in (first, second, bad)]

    texts = [{**x, **{k: json.dumps(x[k]) for k in ("events", "limits")}} for x in (first, second)]
    pq.write_table(pa.Table.from_pylist([*texts, {**texts[0], "decks": 0}]), tmp_path / "text")
    found = list(read_log(tmp_path / "text"))
    assert found[:2] == want
    assert isinstance(found[2], Quarantined)
    assert found[2].reason == "decks: 0 is not a number of decks from 1 to 12"

    money = pa.decimal128(14, 2)
    event = pa.struct(
        [(k, pa.string()) for k in ("e", "player", "bet", "card", "do")]
        + [(k, pa.int8()) for k in ("box", "hand")]
        + [(k, money) for k in ("stake", "returned")]
        + [("control", pa.bool_())]
    )
    bet = pa.struct(
        [(k, money) for k in ("min", "max", "unit", "smallest_chip")]
        + [("box_max", pa.map_(pa.string(), money)), ("multiples_notice", pa.bool_())]
    )
    for x in exact:
        for one in x["events"]:
            one.update({k: Decimal(one[k]) for k in ("stake", "returned") if k in one})
        for stated in x["limits"].values():
            stated.update({k: Decimal(v) for k, v in stated.items() if type(v) is int})
            if "box_max" in stated:
                stated["box_max"] = [(k, Decimal(v)) for k, v in stated["box_max"].items()]
        x["limits"] = list(x["limits"].items())
    names = ("round", "table", "shoe", "at", "rulebook")
    schema = pa.schema(
        [(k, pa.string()) for k in names]
        + [("decks", pa.int32()), ("options", pa.list_(pa.string()))]
        + [("limits", pa.map_(pa.string(), bet)), ("events", pa.list_(event))]
    )
    pq.write_table(pa.Table.from_pylist(exact, schema=schema), tmp_path / "typed.parquet")
    found = list(read_log(tmp_path / "typed.parquet"))
    assert found[:2] == want
    assert isinstance(found[2], Quarantined)

    (tmp_path / "short.parquet").write_bytes((tmp_path / "typed.parquet").read_bytes()[:-9])
    with pytest.raises(LogError, match="is damaged or cut off"):
        read_log(tmp_path / "short.parquet")
    write(tmp_path / "lines.parquet", PLAIN)
    with pytest.raises(LogError, match="is not Parquet"):
        read_log(tmp_path / "lines.parquet")
    pq.write_table(pa.table({"round": ["R1"]}), tmp_path / "few.parquet")
    with pytest.raises(LogError, match="has no column `table`"):
        read_log(tmp_path / "few.parquet")
