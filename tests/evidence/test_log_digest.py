"""What is told of a log is told of the bytes that were read, by every engine and packing."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path
from typing import Any

import pytest

from checker.evidence.log_digest import LogDigest
from checker.evidence.merkle import Tree, leaf
from checker.log.exact_json import dumps
from checker.log.read import read_log
from tests.replay.replay_support import CORNER, OVERPAID, Run, Write, a_round, line_of

SAME = ("sha256_content", "lines", "merkle_root", "rounds", "from", "to")


def root_of(*lines: bytes) -> str:
    tree = Tree()
    tree.add([leaf(line) for line in lines])
    return tree.root().hex()


@pytest.fixture
def logs(write: Write) -> list[bytes]:
    Path("corner.rules").write_text(CORNER, encoding="utf-8")
    lines = [
        line_of(a_round("R1", at="2020-06-01T12:00:00+10:00")),
        b"",
        b"{ no round",
        line_of(a_round("R2", OVERPAID, at="2020-06-01T01:30:00Z", table="T2")),
        line_of(a_round("R3", at="2020-06-01T14:00:00.250000+10:00", note="é")),
        line_of(a_round("R1", at="2020-06-01T12:00:00+10:00")),
    ]
    return lines


@pytest.mark.parametrize("engine", ["plain", "columns"])
@pytest.mark.parametrize("packed", ["", ".gz", ".zst"])
@pytest.mark.parametrize("last_line_ends", [True, False])
def test_a_log_is_known_by_its_bytes(
    run: Run, logs: list[bytes], engine: str, packed: str, last_line_ends: bool
) -> None:
    if engine == "columns":
        pytest.importorskip("numba")
    content = b"\n".join(logs) + b"\n" * last_line_ends
    raw = content
    if packed == ".gz":
        raw = gzip.compress(content)
    elif packed == ".zst":
        raw = pytest.importorskip("zstandard").compress(content)
    Path("log.jsonl" + packed).write_bytes(raw)
    call = ("log.jsonl" + packed, "--rules", "corner.rules", "--format", "json")
    told = run(*call, "--engine", engine).report["inputs"][-1]
    assert told == {
        "path": "log.jsonl" + packed,
        "kind": "log",
        "sha256": hashlib.sha256(raw).hexdigest(),
        "bytes": len(raw),
        "sha256_content": hashlib.sha256(content).hexdigest(),
        "lines": 5,
        "merkle_root": root_of(*(line for line in logs if line)),
        "rounds": 4,
        "from": "2020-06-01T01:30:00+00:00",
        "to": "2020-06-01T14:00:00.250000+10:00",
    }


def test_parquet_has_no_lines(run: Run, write: Write) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("numba")
    from checker.cli import main

    log = write(a_round("R1", OVERPAID), a_round("R2"))
    assert main(["convert", log, "log.parquet", "--quiet"]) == 0
    for engine in ("plain", "columns"):
        call = ("log.parquet", "--rules", "corner.rules", "--format", "json", "--engine", engine)
        told = run(*call).report["inputs"][-1]
        assert told["sha256"] == hashlib.sha256(Path("log.parquet").read_bytes()).hexdigest()
        assert [told[name] for name in SAME] == [
            None,
            None,
            None,
            2,
            "2020-06-01T12:00:00+10:00",
            "2020-06-01T12:00:00+10:00",
        ]


def test_of_a_stream_that_breaks_off_the_whole_file_is_hashed(tmp_path: Path) -> None:
    whole = gzip.compress(b"".join(line_of(a_round(f"R{n}")) + b"\n" for n in range(500)))
    for name, raw in (("cut.gz", whole[:-300]), ("damaged.gz", whole[:900] + b"x" * 5000)):
        file = tmp_path / name
        file.write_bytes(raw)
        watch = LogDigest(str(file))
        assert any(getattr(line, "cut_off", False) for line in read_log(file, watch=watch))
        assert watch.as_json()["sha256"] == hashlib.sha256(raw).hexdigest()
        assert watch.as_json()["bytes"] == len(raw)


def test_a_line_as_long_as_may_be_is_hashed_whole() -> None:
    long, short = b"x" * 3_000_000, b"short"
    watch = LogDigest("-")
    data = long + b"\n" + short + b"\n\n" + long
    for start in range(0, len(data), 70_001):
        watch.read(data[start : start + 70_001])
    watch.close()
    assert watch.as_json()["merkle_root"] == root_of(long, short, long)
    assert watch.as_json()["lines"] == 3


def test_standard_input_is_hashed_as_it_comes(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    data = dumps(a_round("R1")).encode() + b"\n"

    class Stream:
        buffer: Any = io.BufferedReader(io.BytesIO(data))  # type: ignore[arg-type]

    monkeypatch.setattr("sys.stdin", Stream())
    told = run("-", "--rules", "corner.rules", "--format", "json").report["inputs"][-1]
    assert (told["path"], told["sha256"]) == ("-", hashlib.sha256(data).hexdigest())
    assert told["merkle_root"] == root_of(data[:-1])
