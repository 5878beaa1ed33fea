"""The scanner against the strict decoder: what it accepts is valid, and says the same."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from checker.log.decode import DecodeError, decode_line

pytest.importorskip("numba")
np = pytest.importorskip("numpy")

from checker.columns import batch as to
from checker.columns.machine.compile import compiled
from checker.columns.machine.fast_names import name_hash
from checker.columns.machine.names import text_hash
from checker.columns.read.flatten import flatten
from checker.columns.read.heads import Heads
from checker.columns.read.json_bytes import PADDING
from checker.columns.read.scan import SCANNED, Scan, scan
from tests.support import with_boxes

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
BOOKS = ("act-pontoon", "nsw-star-pontoon")
_SAME = [
    to.STATUS,
    to.EVENTS,
    to.PLAYERS,
    to.BOOK,
    to.TABLE,
    to.SHOE,
    to.DAY,
    to.DECKS,
    to.OPTION_BITS,
]


def batch_of(found: Scan, limits: Any) -> to.Batch:
    return to.Batch(found.rounds, found.events, found.amounts, limits, found.players, found.data)


def scanned(raw: bytes) -> tuple[Scan, Any]:
    data = np.frombuffer(raw + b"\0" * PADDING, np.uint8)
    found = scan(data, len(raw))
    return found, Heads(BOOKS).complete(found)


@cache
def lines() -> list[bytes]:
    import gzip

    found: list[bytes] = []
    for name in with_boxes():  # lines of other games are left to the decoder
        path = EXAMPLES / f"{name}.jsonl.gz"
        found += gzip.decompress(path.read_bytes()).splitlines()[:150]
    return found


def differs(raw: bytes) -> str | None:
    """What is wrong with how the scanner reads one line; None when nothing is."""
    found, limits = scanned(raw + b"\n")
    if raw.find(b"\n") >= 0:
        return None  # two lines, each tried elsewhere
    assert len(found.rounds) == 1
    if not found.spans[0, SCANNED]:
        return None
    try:
        round_ = decode_line(raw, 1)
    except DecodeError as error:
        return f"accepted, and {error.reason}"
    wanted = flatten([round_], BOOKS)
    return row_differs(batch_of(found, limits), wanted, 0)


def row_differs(found: to.Batch, wanted: to.Batch, row: int) -> str | None:
    """Where a row of a batch says something else than the same row of another."""
    one, other = found.rounds[row], wanted.rounds[row]
    if list(one[_SAME]) != list(other[_SAME]):
        return f"round {one[_SAME]} is not {other[_SAME]}"
    if list(found.limits[one[to.LIMITS]]) != list(wanted.limits[other[to.LIMITS]]):
        return "other limits"
    holders: dict[int, int] = {}  # each reader has its own numbers for player cards
    for index in range(one[to.EVENTS]):
        a, b = one[to.FIRST_EVENT] + index, other[to.FIRST_EVENT] + index
        mine, theirs = found.events[a].copy(), wanted.events[b].copy()
        if mine[to.KIND] == to.WAGER:
            holder = mine[to.HOLDER]
            if holders.setdefault(int(theirs[to.HOLDER]), int(holder)) != holder:
                return f"event {index}: another player card"
            mine[to.HOLDER] = theirs[to.HOLDER] = 0
        if list(mine) != list(theirs):
            return f"event {index}: {mine} is not {theirs}"
        if found.amounts[a] != wanted.amounts[b]:
            return f"event {index}: {found.amounts[a]} is not {wanted.amounts[b]}"
    for index in range(one[to.PLAYERS]):
        a = found.players[one[to.FIRST_PLAYER] + index]
        b = wanted.players[other[to.FIRST_PLAYER] + index]
        names = [
            bytes(text[p[to.NAME_START] : p[to.NAME_START] + p[to.NAME_LENGTH]])
            for text, p in ((found.text, a), (wanted.text, b))
        ]
        if a[to.NAME] != b[to.NAME] or names[0] != names[1]:
            return f"player {index}: {names}"
    return None


def test_every_simulated_line_is_read_as_the_decoder_reads_it() -> None:
    raw = b"".join(line + b"\n" for line in lines())
    found, limits = scanned(raw)
    rounds = [decode_line(line, n) for n, line in enumerate(lines(), 1)]
    wanted = flatten(rounds, BOOKS)
    assert len(found.rounds) == len(rounds) > 500
    assert found.spans[:, SCANNED].all()
    for row in range(len(rounds)):
        assert row_differs(batch_of(found, limits), wanted, row) is None
        start, size = found.rounds[row, to.START], found.rounds[row, to.LENGTH]
        assert raw[start : start + size] == lines()[row]


def test_spaces_behind_separators_are_plain_too() -> None:
    for line in lines()[:40]:
        spaced = json.dumps(json.loads(line)).encode()
        found, _ = scanned(spaced)
        assert found.spans[0, SCANNED], spaced
        assert differs(spaced) is None


HEAD = (
    '{"format":1,"round":"R1","table":"T","shoe":"S","at":"2024-08-20T21:14:03+10:00",'
    '"rulebook":"act-pontoon","decks":6,"options":["resplit"],"limits":{"main":{"min":5}},'
)


def with_events(*events: str) -> bytes:
    return (HEAD + '"events":[' + ",".join(events) + "]}").encode()


@pytest.mark.parametrize(
    "raw",
    [
        with_events(),
        with_events('{"e":"burn"}', '{"e":"burn","card":"JOKER"}', '{"e":"cut_card","box":0}'),
        with_events('{"e":"offer","what":"insurance"}', '{"e":"warn","player":"P","what":"x"}'),
        with_events('{"e":"absent","box":9,"player":"P"}', '{"e":"no_more_bets"}'),
        with_events(
            '{"e":"wager","box":1,"player":"a b","bet":"main","stake":0.01,"control":true}'
        ),
        with_events(
            '{"e":"wager","box":1,"player":"P","bet":"main","stake":10000000000,'
            '"seated":false,"player_card":null}'
        ),
        with_events('{"e":"settle","box":1,"player":"P","bet":"super_bonus","returned":0.50}'),
        with_events('{"e":"deal","box":1,"hand":99,"card":"TS"}'),
        with_events('{"e":"shuffle"}').replace(b"+10:00", b".123456Z"),
        with_events('{"e":"shuffle"}').replace(b'{"format":1,', b"{"),
        with_events('{"e":"shuffle"}').replace(b'"shoe":"S",', b""),
        with_events('{"e":"shuffle"}').replace(b"2024-08-20", b"2024-02-29"),
        with_events('{"e":"shuffle"}').replace(b'"decks":6', b'"decks":6,"pit":"A"'),
        with_events('{"e":"shuffle"}') + b"\r",
    ],
)
def test_plain_lines_that_are_read(raw: bytes) -> None:
    found, _ = scanned(raw + b"\n")
    assert found.spans[0, SCANNED], raw
    assert differs(raw) is None


@pytest.mark.parametrize(
    "raw",
    [
        with_events('{"e":"deal","box":1,"card":"1S"}'),
        with_events('{"e":"deal","box":10,"card":"AS"}'),
        with_events('{"e":"deal","box":01,"card":"AS"}'),
        with_events('{"e":"deal","box":1,"hand":0,"card":"AS"}'),
        with_events('{"e":"deal","box":1,"hand":100,"card":"AS"}'),
        with_events('{"e":"deal","box":1,"card":"AS","card":"AS"}'),
        with_events('{"e":"settle","box":0,"player":"P","bet":"main","returned":1}'),
        with_events('{"e":"settle","box":1,"player":"","bet":"main","returned":1}'),
        with_events('{"e":"settle","box":1,"player":"P","bet":"main","returned":-1}'),
        with_events('{"e":"settle","box":1,"player":"P","bet":"main","returned":1.005}'),
        with_events('{"e":"settle","box":1,"player":"P","bet":"main","returned":01}'),
        with_events('{"e":"settle","box":1,"player":"P","bet":"main","returned":1.}'),
        with_events(
            '{"e":"settle","box":1,"player":"P","bet":"main","returned":10000000000000.01}'
        ),
        with_events('{"e":"wager","box":1,"player":"P","bet":"main","stake":0}'),
        with_events('{"e":"wager","box":1,"player":"P","bet":"main","stake":10000000000.01}'),
        with_events('{"e":"play","box":1,"player":"P","do":"hit","stake":0}'),
        with_events('{"e":"shuffle"},'),
        with_events('{"e":"shuffle"}')[:-1],
        with_events('{"e":"shuffle"}') + b"}",
        with_events('{"e":"shuffle"}').replace(b"2024-08-20", b"2023-02-29"),
        with_events('{"e":"shuffle"}').replace(b"21:14", b"24:14"),
        with_events('{"e":"shuffle"}').replace(b"+10:00", b""),
        with_events('{"e":"shuffle"}').replace(b"2024-08", b"1824-08"),
        with_events('{"e":"shuffle"}').replace(b'"decks":6', b'"decks":13'),
        with_events('{"e":"shuffle"}').replace(b'"decks":6', b'"decks":6,"shoe":"S"'),
        with_events('{"e":"shuffle"}').replace(b'"decks":6,', b'"decks":6,"decks":6,'),
        with_events('{"e":"shuffle"}').replace(b'"min":5', b'"min":5.001'),
        with_events('{"e":"shuffle"}').replace(b'"limits":{', b'"limits":{"events":[],'),
        with_events('{"e":"shuffle"}').replace(b'"format":1', b'"format":2'),
        with_events('{"e":"shuffle"}').replace(b'"R1"', b'"R\t"'),
        with_events('{"e":"shuffle"}').replace(b'"R1"', b'"R\xff"'),
    ],
)
def test_lines_that_are_no_rounds_are_not_read(raw: bytes) -> None:
    with pytest.raises(DecodeError):
        decode_line(raw)
    assert not scanned(raw + b"\n")[0].spans[0, SCANNED]


@pytest.mark.parametrize(
    "event",
    [
        '{"e":"settle","box":1,"player":"P","bet":"mean","returned":1}',
        '{"e":"sleep"}',
        '{"e":"wager","box":1,"player":"P","bet":"insurance","stake":5}',
        '{"e":"wager","player":"P","bet":"main","stake":5}',
        '{"e":"deal","box":0,"card":"AS","face":"up"}',
        '{"e":"deal","to":"banker","card":"AS"}',
        '{"e":"play","box":1,"hand":1,"player":"P","do":"insure","stake":5,"for":"main_2"}',
        '{"e":"reveal","box":1,"hand":1}',
    ],
)
def test_what_the_columns_do_not_hold_is_left_to_the_strict_decoder(event: str) -> None:
    raw = with_events(event)
    decode_line(raw)
    assert not scanned(raw + b"\n")[0].spans[0, SCANNED]


def mutated(raw: bytes, rng: random.Random) -> bytes:
    """A line with a byte changed, put in, taken out, or a piece of it moved."""
    line = bytearray(raw)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at = rng.randrange(len(line))
        match rng.randrange(6):
            case 0:
                line[at] ^= 1 << rng.randrange(8)
            case 1:
                line[at] = rng.choice(b'0123456789"{}[],:.- eE+AKTJQSHDCtfn\\\xc3\x00')
            case 2:
                del line[at]
            case 3:
                line.insert(at, rng.choice(b'0123456789"{}[],:.- \t\xe9'))
            case 4:
                del line[at : at + rng.randrange(1, 30)]
            case _:
                piece = line[at : at + rng.randrange(1, 40)]
                to_ = rng.randrange(len(line))
                line[to_:to_] = piece
        if not line:
            return raw
    return bytes(line)


def test_mutated_lines_are_never_accepted_wrongly() -> None:
    rng = random.Random(20240816)
    accepted = 0
    for _ in range(3000):
        raw = mutated(rng.choice(lines()), rng)
        assert differs(raw) is None, raw
        accepted += int(scanned(raw + b"\n")[0].spans[0, SCANNED])
    assert accepted > 150, "some mutations leave a valid line, and those are compared"


def test_a_line_at_the_end_of_the_bytes_is_not_read_on() -> None:
    for line in lines()[:5]:
        for kept in range(1, len(line), 7):
            found, _ = scanned(line[:kept])
            assert not found.spans[0, SCANNED]
        assert scanned(line)[0].spans[0, SCANNED]


@compiled
def hash_at(address: int, start: int, size: int) -> int:
    return name_hash(address, start, size)  # which only machine code can call


def test_names_have_the_hash_of_the_layout() -> None:
    for size in range(1, 40):
        text = bytes(random.Random(size).randrange(33, 127) for _ in range(size))
        data = np.frombuffer(b"xyz" + text + b"abcdefgh" * 8, np.uint8)
        assert hash_at(data.ctypes.data, 3, size) == text_hash(text)


def test_short_lines_are_all_found() -> None:
    raw = b"\n".join([b"", b"x", lines()[0], b"{}"] * 400)
    found, _ = scanned(raw)
    wanted = raw.split(b"\n")
    starts = found.rounds[:, [to.START, to.LENGTH]].tolist()
    assert [raw[start : start + size] for start, size in starts] == wanted
    assert found.spans[:, SCANNED].tolist() == [line == lines()[0] for line in wanted]


@pytest.mark.parametrize("size", [1, 7, 8, 9, 16, 63, 64, 65])
@pytest.mark.parametrize("end", ["", "\x1f", "\x7f", "\\\\", "é"])
def test_names_of_any_length(size: int, end: str) -> None:
    events = [
        f'{{"e":"wager","box":1,"player":"{who * size}{end}","bet":"main","stake":5}}'
        for who in "abaccb"
    ]
    raw = with_events(*events)
    assert differs(raw) is None
    assert bool(scanned(raw)[0].spans[0, SCANNED]) == (not end and size <= 64)


def test_lines_of_many_short_events_find_room() -> None:
    raw = with_events(*['{"e":"burn"}'] * 3000)
    found, _ = scanned(raw + b"\n" + lines()[0])
    assert found.spans[:, SCANNED].all()
    assert found.rounds[0, to.EVENTS] == 3000
    assert differs(raw) is None
