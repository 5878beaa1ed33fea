"""Logs as streams: cut off, compressed, too long, Parquet."""

from __future__ import annotations

import gzip
import io
import json
import random
import sys
import time
import tracemalloc
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from checker.log import model as r
from checker.log.decode import DecodeError, decode_line, parse_json
from checker.log.read import LogError, LogLine, Quarantined, read_log
from checker.log.strict_json import trouble_in
from tests.log.log_support import PLAIN, line_of, numbered


def write(path: Path, *lines: object) -> Path:
    path.write_bytes(b"".join(line_of(line) + b"\n" for line in lines))
    return path


def ids(found: list[LogLine]) -> list[str]:
    return [x.id if isinstance(x, r.Round) else f"!{x.line}" for x in found]


# the reader


def test_the_rest_is_read_after_a_bad_line(tmp_path: Path) -> None:
    one, two, three = numbered(3)
    path = tmp_path / "a.jsonl"
    path.write_bytes(
        b"\xef\xbb\xbf"
        + line_of(one)
        + b"\r\n\n  \t\n{bad\n"
        + line_of(two)
        + b"\n"
        + line_of(one)
        + b"\n"
        + line_of({**one, "table": "T13"})
        + b"\n"
        + line_of(three)
    )
    found = list(read_log(path))
    assert ids(found) == ["R1", "!4", "R2", "R1", "R1", "R3"]
    assert [x.line for x in found] == [1, 4, 5, 6, 7, 8]
    assert found[1] == Quarantined(
        4, b"{bad", "not JSON: expecting property name enclosed in double quotes at character 2"
    )


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
        assert last.reason == "the compressed stream ends early, and what it holds with it"

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
        (gzip.compress(b"ustar\0\0\0" * 99, mtime=0), "is not a round log"),
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

    monkeypatch.setattr("os.open", refuse)  # the tests may run as root, who may read all
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


@pytest.mark.parametrize("first", [*map(chr, range(33, 256)), " ", "\t", "\ufeff", "\u2028", "é"])
def test_a_line_that_cannot_begin_like_json_gets_the_same_reason(first: str) -> None:
    text = first + "x y"
    with pytest.raises(DecodeError) as found:
        parse_json(text)
    slowly = trouble_in(text)
    assert slowly is not None
    assert (found.value.reason, found.value.not_json) == (slowly.reason, slowly.not_json)


def test_blank_lines_count_and_cost_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n" * 300_000 + b"x\r\n" + b"\n" * 5 + b"y")
    assert [(one.line, one.raw) for one in read_log(path) if isinstance(one, Quarantined)] == [
        (300_001, b"x\r"),
        (300_007, b"y"),
    ]


@pytest.mark.parametrize(
    "raw",
    [b"x", b"-", b"1", b"true", b"nul", b'"a"', b"[]", b"{}", b"{", b"\xff", b"\x00", b"x \xff"],
)
def test_lines_that_are_told_quickly_are_told_alike(raw: bytes, tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    log.write_bytes(line_of(PLAIN) + b"\n" + (raw + b"\n") * 2)
    with pytest.raises(DecodeError) as told:
        decode_line(raw)
    found = list(read_log(log))
    assert [(one.line, one.raw, one.reason) for one in found if isinstance(one, Quarantined)] == [
        (number, raw, told.value.reason) for number in (2, 3)
    ]


def test_a_million_foreign_lines_take_seconds(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    log.write_bytes(b"x\n" * 500_000 + b"-\n" * 500_000)
    begun = time.process_time()
    assert sum(1 for _ in read_log(log)) == 1_000_000
    assert time.process_time() - begun < 5
