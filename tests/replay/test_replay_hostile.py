"""Logs that nobody means: both engines end in the same words, in order and with a status."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.replay.replay_support import GOOD, OVERPAID, Run, a_round, line_of

FIRST = line_of(a_round("R1")) + b"\n"
LAST = line_of(a_round("R9", OVERPAID)) + b"\n"
WAGER = {"e": "wager", "box": 1, "player": "P1", "bet": "main", "stake": 10}


def one(**more: Any) -> bytes:
    """A round with something in it that should not be."""
    return json.dumps({**json.loads(line_of(a_round("R2"))), **more}).encode() + b"\n"


def staked(amount: str) -> bytes:
    return one(events=[{**WAGER, "stake": 987654}]).replace(b"987654", amount.encode())


def with_events(*events: dict[str, Any]) -> bytes:
    return one(events=[WAGER, *events])


def named(name: str) -> bytes:
    return one(round="NAME").replace(b'"NAME"', name.encode("utf-8", "surrogatepass"))


GOOD_EVENTS = json.loads(FIRST)["events"]
NOISE = bytes(n * 7919 % 251 for n in range(4000))
LINES: dict[str, bytes] = {
    "noise": NOISE.replace(b"\n", b" ") + b"\n",
    "a zero byte": b"\0" * 5000 + b"\n",
    "a long line": b'{"round": "' + b"a" * 3_000_000 + b'"}\n',
    "deep lists": b"[" * 100_000 + b"\n",
    "deep objects": b'{"a":' * 100_000 + b"\n",
    "deep and closed": b"[" * 50_000 + b"]" * 50_000 + b"\n",
    "not a number": b'{"round": NaN}\n{"a": Infinity}\n{"a": -Infinity}\n',
    "a huge exponent": staked("1e999999999"),
    "a tiny exponent": staked("1e-999999999"),
    "20,000 digits": staked("9" * 20_000),
    "20,000 decimals": staked("0." + "3" * 20_000),
    "a negative stake": staked("-5"),
    "minus nothing": staked("-0"),
    "a leading zero": staked("010"),
    "half a cent": staked("0.005"),
    "the largest number": staked("9223372036854775807"),
    "beyond the largest": staked("92233720368547758070"),
    "a stake as text": staked('"10"'),
    "no stake": staked("null"),
    "a true stake": staked("true"),
    "a key twice": FIRST.replace(b"{", b'{"round": "R8", ', 1),
    "a lone surrogate": named('"\\ud800"'),
    "the other half": named('"\\udc00\\ud800"'),
    "raw surrogates": named('"\ud800"'),
    "an escaped zero": named('"a\\u0000b"'),
    "a raw zero": named('"a\0b"'),
    "a raw newline's sign": named('"a\\nb"'),
    "steering signs": named('"\\u001b[31mred\\u0007"'),
    "letters from right to left": named('"\\u202eabc"'),
    "no name": named('""'),
    "a name that is a number": named("17"),
    "a formula": named('"=cmd()"'),
    "Latin 1": named('"caf"').replace(b"caf", b"caf\xe9"),
    "overlong UTF-8": named('"x"').replace(b'"x"', b'"\xc0\xaf"'),
    "a mark on each line": b"\xef\xbb\xbf" + one(),
    "carriage returns": one().replace(b"\n", b"\r\n"),
    "only carriage returns": one()[:-1] + b"\r" + one(),
    "another format": one(format=2),
    "a format as text": one(format="1"),
    "no day": one(at="yesterday") + one(at="2020-13-01T00:00:00Z") + one(at="2020-02-30T00:00:00Z"),
    "a day before all days": one(at="0000-01-01T00:00:00Z") + one(at="0001-01-01T00:00:00+14:00"),
    "the last day": one(at="9999-12-31T23:59:59-14:00"),
    "no time zone": one(at="2020-06-01T12:00:00"),
    "a number for a time": one(at=1591000000),
    "events that are none": one(events={}) + one(events="x") + one(events=[1, [], None]),
    "no events": one(events=[]),
    "boxes beyond all": with_events({"e": "deal", "box": 10**30, "card": "AS"})
    + with_events({"e": "deal", "box": -1, "card": "AS"})
    + with_events({"e": "deal", "box": 1.5, "card": "AS"})
    + with_events({"e": "deal", "box": True, "card": "AS"}),
    "hands beyond all": with_events({"e": "deal", "box": 1, "hand": 10**9, "card": "AS"})
    + with_events({"e": "deal", "box": 1, "hand": 0, "card": "AS"}),
    "cards that are none": with_events({"e": "deal", "box": 1, "card": "1S"})
    + with_events({"e": "deal", "box": 1, "card": "AS" * 10_000})
    + with_events({"e": "deal", "box": 1, "card": "🂡"}),
    "no decks": one(decks=0) + one(decks=-1) + one(decks=10**18) + one(decks="six"),
    "a thousand cards": one(
        events=[WAGER, *({"e": "deal", "box": 1, "card": "AS"} for _ in range(1000))]
    ),
    "a thousand dealer's cards": one(
        events=[WAGER, *({"e": "deal", "box": 0, "card": "AS"} for _ in range(1000))]
    ),
    "a thousand splits": one(
        events=[
            WAGER,
            {"e": "deal", "box": 1, "card": "8S"},
            {"e": "deal", "box": 1, "card": "8H"},
            *(
                {"e": "play", "box": 1, "hand": 1, "player": "P1", "do": "split", "stake": 10}
                for _ in range(1000)
            ),
        ]
    ),
    "a thousand doubles": one(
        events=[
            *GOOD_EVENTS[:4],
            *(
                {"e": "play", "box": 1, "player": "P1", "do": "double", "stake": 10}
                for _ in range(1000)
            ),
        ]
    ),
    "a thousand settlements": one(events=[*GOOD_EVENTS, *(GOOD_EVENTS[-1] for _ in range(1000))]),
    "a thousand bettors": one(
        events=[*({**WAGER, "box": 1 + n % 7, "player": f"P{n}"} for n in range(1000))]
    ),
    "a thousand options": one(options=[f"o{n}" for n in range(1000)]),
    "a thousand limits": one(limits={f"b{n}": {"min": 1} for n in range(1000)}),
    "limits that are none": one(limits={"main": {"min": -1}}) + one(limits={"main": 5}),
    "options that are none": one(options="resplit") + one(options=[1]) + one(options={"a": 1}),
    "a rulebook that is none": one(rulebook=5) + one(rulebook=""),
    "many keys": json.dumps({f"k{n}": n for n in range(5000)}).encode() + b"\n",
    "a list of numbers": b"[" + b"1," * 100_000 + b"1]\n",
    "scripts in words": one(table="</script><script>alert(1)</script>"),
}
FILES: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "cut gzip": ("x.jsonl.gz", lambda d: gzip.compress(d)[:-40]),
    "only the start of gzip": ("x.jsonl.gz", lambda d: b"\x1f\x8b"),
    "gzip with a tail": ("x.jsonl.gz", lambda d: gzip.compress(d) + b"garbage"),
    "gzip in gzip": ("x.jsonl.gz", lambda d: gzip.compress(gzip.compress(d))),
    "wrong bytes in gzip": ("x.jsonl.gz", lambda d: gzip.compress(d)[:60] + b"\xff" * 60),
    "zlib, not gzip": ("x.jsonl.gz", lambda d: zlib.compress(d)),
    "nothing": ("x.jsonl", lambda d: b""),
    "nothing, compressed": ("x.jsonl.gz", lambda d: b""),
    "nothing in Parquet": ("x.parquet", lambda d: b""),
    "the start of Parquet": ("x.parquet", lambda d: b"PAR1"),
    "Parquet of noise": ("x.parquet", lambda d: b"PAR1" + NOISE + b"PAR1"),
    "Parquet that lies": ("x.parquet", lambda d: b"PAR1" + bytes(99) + b"\xff\xff\xff\x7fPAR1"),
    "JSON that is no Parquet": ("x.parquet", lambda d: d),
    "UTF-16": ("x.jsonl", lambda d: d.decode().encode("utf-16")),
    "UTF-32": ("x.jsonl", lambda d: d.decode().encode("utf-32")),
    "one document": ("x.json", lambda d: json.dumps([json.loads(FIRST)], indent=2).encode()),
    "a zip file": ("x.jsonl", lambda d: b"PK\x03\x04" + NOISE),
}


def told(run: Run, log: str, engine: str) -> tuple[int, str, str]:
    ran = run(log, "--rules", "corner.rules", "--format", "json", "--engine", engine, "--quiet")
    assert "Traceback" not in ran.err
    assert "\x1b" not in ran.out + ran.err
    out = ran.out.replace(f'"engine": "{engine}"', '"engine": ""')
    return ran.status, re.sub(r'"seal": "\w+"', '"seal": ""', out), ran.err


@pytest.mark.parametrize("name", list(LINES))
def test_a_line_among_others(name: str, run: Run) -> None:
    Path("log.jsonl").write_bytes(FIRST + LINES[name] + LAST)
    status, out, _ = told(run, "log.jsonl", "plain")
    assert status == 1  # the last round is read and judged
    assert '"R9"' in out
    Path("alone.jsonl").write_bytes(LINES[name])
    assert told(run, "alone.jsonl", "plain")[0] in (0, 1, 2, 3)


def test_the_columns_say_the_same_of_all_lines(run: Run) -> None:
    pytest.importorskip("numba")
    lines = [line.replace(b'"R2"', b'"N%d"' % n) for n, line in enumerate(LINES.values())]
    Path("log.jsonl").write_bytes(FIRST + b"".join(lines) + LAST)
    plain = told(run, "log.jsonl", "plain")
    assert json.loads(plain[1])["summary"]["quarantined"] > 50
    assert told(run, "log.jsonl", "columns") == plain


@pytest.mark.parametrize("name", list(FILES))
def test_a_file_that_is_none(name: str, run: Run) -> None:
    pytest.importorskip("numba")
    file, spoilt = FILES[name]
    Path(file).write_bytes(spoilt(FIRST + b"\n".join([FIRST] * 3)))
    plain = told(run, file, "plain")
    assert plain[0] in (2, 3)
    assert plain[2] or "quarantined" in plain[1]
    assert told(run, file, "columns") == plain


def test_good_lines_are_good(run: Run) -> None:
    """What the others are made from is no breach by itself."""
    Path("log.jsonl").write_bytes(one(events=json.loads(line_of(a_round("R", GOOD)))["events"]))
    assert told(run, "log.jsonl", "plain")[0] == 0
