"""Names that were chosen so that the columns would take two of them for one."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.log.test_convert import convert, lines, write

pytest.importorskip("numba")
pytest.importorskip("pyarrow")

from checker.cli import main
from checker.columns import batch as to
from checker.columns.machine.names import SECRET, text_hash
from checker.columns.parquet.prune import groups
from checker.columns.parquet.read import Part, parts_of

# The same number as long as numbers of names held no secret.
ALIKE = (b"e2oeFWzE3JB143HE", b"RmqsKs3UN6ZTvrb9")


@pytest.fixture
def no_secret() -> Iterator[None]:
    """All names have one number."""
    kept = SECRET[1]
    SECRET[1] = 0
    yield
    SECRET[1] = kept


def players_of(line: bytes) -> list[bytes]:
    return list(dict.fromkeys(re.findall(rb'"player":"([^"]*)"', line)))


def test_another_run_has_other_numbers() -> None:
    code = "from checker.columns.machine.names import text_hash; print(text_hash(b'T1'))"
    told = {subprocess.check_output([sys.executable, "-c", code]) for _ in range(2)}
    assert len(told) == 2


def test_numbers_of_names_that_are_nearly_the_same_differ() -> None:
    names = {*ALIKE, b"T1", b"T2", b"T1\0", b"\0T1", b"T1" * 8, b"T1" * 8 + b"\0" * 8, b""}
    names |= {bytes([k]) * n for k in (0, 65, 127) for n in range(1, 30)}
    assert len({text_hash(name) for name in names}) == len(names)


def renamed(field: str) -> list[bytes]:
    """Rounds of the Star in which what stands in `field` is now one of the two names, now the
    other."""
    found = []
    for number, line in enumerate(x for x in lines(120) if b"star" in x):
        round_ = json.loads(line)
        name = ALIKE[number % 2].decode()
        if field == "table":
            round_["table"] = name if round_["table"] in ("T01", "T02") else round_["table"]
        elif field == "shoe":
            round_["shoe"] = name
        else:
            first = round_["events"][2].get("player")
            for event in round_["events"]:
                if event.get("player") == first is not None:
                    event["player"] = name
        found.append(json.dumps(round_, separators=(",", ":")).encode())
    return found


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
@pytest.mark.parametrize("field", ["table", "shoe", "player"])
def test_names_that_were_alike_are_told_apart(field: str, suffix: str, tmp_path: Path) -> None:
    log = write(tmp_path / "a.jsonl", renamed(field))
    if suffix == ".parquet":
        assert convert(log, log.with_suffix(suffix)) == 0
    told = []
    for engine in ("plain", "columns"):
        out = tmp_path / engine
        main(
            [
                "replay",
                str(log.with_suffix(suffix)),
                "--engine",
                engine,
                "--format",
                "csv",
                "--output",
                str(out),
                "--quiet",
            ]
        )
        told.append(out.read_bytes())
    assert told[0] == told[1]
    assert told[0].count(b"\n") > 1


def test_players_of_a_round_are_told_apart_by_their_names(tmp_path: Path, no_secret: None) -> None:
    line = next(x for x in lines() if len(players_of(x)) > 1)
    assert len({text_hash(name) for name in players_of(line)}) == 1
    assert convert(write(tmp_path / "b.jsonl", [line]), tmp_path / "b.parquet") == 0
    (part,) = parts_of(groups(str(tmp_path / "b.parquet"), False, None))
    assert isinstance(part, Part)
    assert part.scan().rounds[0, to.PLAYERS] == len(players_of(line))
