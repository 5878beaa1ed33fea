"""A few bytes that stand for gigabytes, and millions of lines that say nothing."""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path

import pytest

from checker.log import open as opened
from checker.log import read
from tests.replay.replay_support import OVERPAID, Run, a_round, corner, line_of

FIRST = line_of(a_round("R1")) + b"\n"
LAST = line_of(a_round("R2", OVERPAID)) + b"\n"
ENGINES = ("plain", "columns")
MOST_BAD = 50_000
"""Lines in a row, where it does not matter how many of them fill a block."""


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    if request.param == "columns":
        pytest.importorskip("numba")
    return str(request.param)


@pytest.fixture
def fewer(monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    monkeypatch.setattr(read, "MOST_BAD", MOST_BAD)
    if engine == "columns":
        monkeypatch.setattr("checker.columns.gather.MOST_BAD", MOST_BAD)


def test_so_many_lines_in_a_row_that_are_no_rounds_end_the_log(run: Run, engine: str) -> None:
    Path("log.jsonl").write_bytes(FIRST + b"x\n" * (read.MOST_BAD + 100) + LAST)
    ran = corner(run, "log.jsonl", "--engine", engine)
    assert ran.status == 3
    assert ran.summary["rounds"] == 1
    assert ran.summary["quarantined"] == read.MOST_BAD + 1
    assert ran.summary["cut_off"] is True


def test_one_round_among_them_and_all_of_it_is_read(run: Run, engine: str) -> None:
    few = b"x\n" * (read.MOST_BAD // 2 + 1)
    Path("log.jsonl").write_bytes(few + FIRST + few + LAST)
    ran = corner(run, "log.jsonl", "--engine", engine)
    assert ran.status == 1
    assert ran.summary["rounds"] == 2
    assert ran.summary["quarantined"] == len(few)
    assert ran.findings[0]["line"] == len(few) + 2
    assert ran.summary["cut_off"] is False


@pytest.mark.usefixtures("fewer")
def test_the_next_log_is_read_all_the_same(run: Run, engine: str) -> None:
    Path("bad.jsonl").write_bytes(b"x\n" * (MOST_BAD + 100_000))
    Path("good.jsonl").write_bytes(LAST)
    rules = ("--rules", "corner.rules", "--format", "json", "--engine", engine)
    ran = run("bad.jsonl", "good.jsonl", *rules)
    assert ran.status == 1
    assert ran.summary["rounds"] == 1
    assert ran.summary["quarantined"] == MOST_BAD + 1


@pytest.mark.parametrize("blank", [b"\n", b" \t\r\n"])
def test_blank_lines_are_only_counted(run: Run, engine: str, blank: bytes) -> None:
    Path("log.jsonl").write_bytes(FIRST + blank * 3_000_000 + LAST)
    ran = corner(run, "log.jsonl", "--engine", engine)
    assert ran.summary["rounds"] == 2
    assert ran.findings[0]["line"] == 3_000_002


def test_a_stream_that_unfolds_without_end_is_cut(
    run: Run, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opened, "_MOST_UNPACKED", 2**24)
    packed = zlib.compressobj(wbits=31)
    parts = [packed.compress(FIRST), *(packed.compress(b"\n" * 2**20) for _ in range(64))]
    Path("log.jsonl.gz").write_bytes(b"".join([*parts, packed.compress(LAST), packed.flush()]))
    ran = corner(run, "log.jsonl.gz", "--engine", engine)
    assert ran.status == 3
    assert ran.summary["rounds"] == 1
    assert "500 times its size" in ran.summary["quarantined_lines"][0]["reason"]


@pytest.mark.usefixtures("fewer")
def test_what_was_not_read_is_not_vouched_for(run: Run, engine: str) -> None:
    data = FIRST + b"x\n" * (MOST_BAD + 100) + LAST
    Path("log.jsonl").write_bytes(data)
    read = corner(run, "log.jsonl", "--engine", engine).report["inputs"][-1]
    assert read["sha256"] == hashlib.sha256(data).hexdigest()
    assert read["sha256_content"] is None
    assert read["lines"] is None
