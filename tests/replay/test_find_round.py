"""A round is found in a long log as if all of it had been read."""

from __future__ import annotations

import gzip
import json
import os
import random
import time
from pathlib import Path
from typing import Any

import pytest

from checker.convert import to_parquet
from checker.log.indexed import indexed
from checker.replay import find_round as module
from checker.replay.find_round import find_round, marks, rounds_on, shoe_before
from rulespec.base import cache
from tests.replay.replay_support import GOOD, a_round, line_of

NOTHING = json.loads(line_of(a_round("R", GOOD)))["events"]
EARLY: list[dict[str, Any]] = [
    {"e": "burn"},
    {"e": "shuffle"},
    {"e": "cut_card"},
    {"e": "warn", "player": "P1", "what": "minimum"},
    {"e": "announce", "what": "last_rounds"},
]
LATE: list[dict[str, Any]] = [{"e": "shuffle"}, {"e": "cut_card"}, {"e": "note", "text": "warn"}]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def some_log(seed: int, rounds: int = 120) -> bytes:
    """Some tables of two casinos, with and without shoes, and all that a shoe tells of."""
    rng = random.Random(seed)
    share = rng.choice([0, 0.03, 0.2])
    shoes = rng.random() < 0.7
    lines = []
    for number in range(rounds):
        one = a_round(f"R{number}", at=f"2020-06-01T12:{number // 60:02}:{number % 60:02}+10:00")
        table = rng.choice("ABC")
        one["table"] = table
        one["rulebook"] = "corner" if table != "C" else rng.choice(["corner", "other"])
        if shoes:
            one["shoe"] = f"{table}{number // rng.choice([15, 16])}"
        events = [dict(event) for event in NOTHING if rng.random() > share]
        if rng.random() < share:
            events[0]["player_card"] = "yes"
        for kinds, place in ((EARLY, 0), (LATE, None), (EARLY, 3)):
            if rng.random() < share:
                at = len(events) if place is None else place
                events.insert(at, dict(rng.choice(kinds)))
        one["events"] = events
        line = line_of(one)
        if rng.random() < 0.05:
            line = rng.choice([b"", b"x", b"{", line[:-3], b'{"round": "R1"}'])
        lines.append(line)
    return b"\n".join(lines) + rng.choice([b"", b"\n"])


@pytest.mark.parametrize("seed", range(12))
def test_what_the_shoe_told_is_the_same(seed: int) -> None:
    Path("log.jsonl").write_bytes(some_log(seed))
    found = 0
    for number in range(0, 120, 3):
        quick = find_round("log.jsonl", f"R{number}", worth_it=1)
        slow = find_round("log.jsonl", f"R{number}", worth_it=2**40)
        assert quick == slow
        found += slow is not None
    assert found > 20


def test_the_index_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("log.jsonl").write_bytes(some_log(1))
    first = find_round("log.jsonl", "R90", worth_it=1)
    assert first is not None
    monkeypatch.setattr(module, "_by_reading", lambda *_: pytest.fail("it was read"))
    monkeypatch.setattr("checker.log.places._made", lambda *_: pytest.fail("made again"))
    assert find_round("log.jsonl", "R90", worth_it=1) == first
    assert find_round("log.jsonl", "R90", first[0].table, worth_it=1) == first
    assert find_round("log.jsonl", "no such round", worth_it=1) is None


def test_a_changed_log_has_another_index() -> None:
    log = Path("log.jsonl")
    log.write_bytes(some_log(1))
    before = os.stat(log)
    assert find_round("log.jsonl", "R90", worth_it=1) is not None
    time.sleep(0.02)
    log.write_bytes(some_log(1).replace(b'"R90"', b'"Q90"'))
    os.utime(log, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert find_round("log.jsonl", "R90", worth_it=1) is None
    assert find_round("log.jsonl", "Q90", worth_it=1) is not None


def test_an_index_that_somebody_else_left_is_not_used(tmp_path: Path) -> None:
    Path("log.jsonl").write_bytes(some_log(1))
    first = find_round("log.jsonl", "R90", worth_it=1)
    home = cache.cache_folder()
    assert home is not None
    (kept,) = home.glob("places-*")
    content = kept.read_bytes()
    kept.write_bytes(content[:-8] + bytes(8))  # the seal is broken
    assert find_round("log.jsonl", "R90", worth_it=1) == first
    kept.unlink(missing_ok=True)
    kept.write_bytes(content)
    kept.chmod(0o644)  # others may read it: it is not what this account writes
    assert cache.read_bytes(kept) is None
    assert find_round("log.jsonl", "R90", worth_it=1) == first


@pytest.mark.parametrize("name", ["R\u00e9", 'R"1', "R/1", "R\\1", "A"])
def test_ids_that_can_be_written_in_several_ways(name: str) -> None:
    lines = [a_round("R0"), a_round("R1"), a_round(name, GOOD)]
    text = b"".join(line_of(one) + b"\n" for one in lines)
    text += line_of(a_round("R3")).replace(b'"R3"', b'"\\u00523"') + b"\n"
    Path("log.jsonl").write_bytes(text)
    for one in (name, "R3"):
        found = find_round("log.jsonl", one, worth_it=1)
        assert found is not None
        assert found[0].id == one


def in_each_form(content: bytes) -> list[str]:
    """The same log in each form in which it may come."""
    zstandard = pytest.importorskip("zstandard")
    pytest.importorskip("pyarrow")
    lines = content.splitlines(keepends=True)
    halves = (b"".join(lines[: len(lines) // 2]), b"".join(lines[len(lines) // 2 :]))
    Path("log.jsonl").write_bytes(content)
    Path("log.jsonl.gz").write_bytes(b"".join(map(gzip.compress, halves)))
    Path("log.jsonl.zst").write_bytes(zstandard.ZstdCompressor().compress(content))
    with Path("log.parquet").open("wb") as file:
        to_parquet("log.jsonl", file, lambda _: None)
    return ["log.jsonl.gz", "log.jsonl.zst", "log.parquet"]


@pytest.mark.parametrize("seed", [2, 5])
def test_a_log_of_any_form_is_indexed(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    names = in_each_form(some_log(seed))
    told = {n: find_round("log.jsonl", f"R{n}", worth_it=2**40) for n in range(0, 120, 5)}
    monkeypatch.setattr(module, "_by_reading", lambda *_: pytest.fail("it was read"))
    for name in names:
        for number, wanted in told.items():
            found = find_round(name, f"R{number}", worth_it=1)
            assert (found is None) == (wanted is None)
            if found is not None and wanted is not None:
                assert found[1] == wanted[1]
                assert found[0].events == wanted[0].events


def test_a_short_log_is_read() -> None:
    Path("log.jsonl").write_bytes(some_log(1))
    assert find_round("log.jsonl", "R90") is not None
    home = cache.cache_folder()
    assert home is not None
    assert not list(home.glob("places-*"))


def test_a_damaged_log_is_indexed_as_far_as_it_goes() -> None:
    packed = gzip.compress(some_log(3), mtime=0)
    Path("log.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    found = 0
    for number in range(0, 120, 4):
        quick = find_round("log.jsonl.gz", f"R{number}", worth_it=1)
        assert quick == find_round("log.jsonl.gz", f"R{number}", worth_it=2**40)
        found += quick is not None
    assert 3 < found < 25


def test_a_shoe_beyond_a_bound_is_not_followed() -> None:
    Path("log.jsonl").write_bytes(b"\n".join(line_of(a_round(f"R{n}")) for n in range(20)))
    log = indexed("log.jsonl", marks())
    assert log is not None
    round_ = log.round(15)
    assert round_ is not None
    assert shoe_before(log, 15, round_, most=14) is None
    assert shoe_before(log, 15, round_, most=15) is not None


def test_rounds_of_some_lines() -> None:
    Path("log.jsonl").write_bytes(some_log(4))
    lines = {3, 50, 51, 119, 120, 121, 4000, 0}
    slow = list(rounds_on("log.jsonl", lines, worth_it=2**40))
    assert len(slow) > 2
    assert list(rounds_on("log.jsonl", lines, worth_it=1)) == slow
