"""The distributed engine in local mode: findings and summary as the local engine has them."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from checker.cli import main
from checker.log.repeated_rounds import Place
from checker.replay.replay import Filter
from checker.spark.records import Job, Part
from rulespec.load.load import load, shipped
from tests.agreement.test_engines import example

JAVA = bool(os.environ.get("JAVA_HOME") or which("java"))


def folder_of_logs(folder: Path) -> list[Path]:
    folder.mkdir()
    first, second = example("act-pontoon", 90), example("nsw-star-pontoon", 60)
    first[7] = first[7].replace(b'"returned":', b'"returned":1')
    second[9] = second[9].replace(b'"e":"settle"', b'"e":"note"')
    parts = [folder / "a.jsonl", folder / "b.jsonl.gz", folder / "c.jsonl"]
    parts[0].write_bytes(b"".join(line + b"\n" for line in [*first[:40], b"{bad"]))
    parts[1].write_bytes(gzip.compress(b"".join(line + b"\n" for line in second)))
    parts[2].write_bytes(b"".join(line + b"\n" for line in first[35:]))  # five stand twice
    return parts


@pytest.mark.skipif(not JAVA, reason="Spark needs Java")
@pytest.mark.filterwarnings("ignore")
def test_local_mode_says_what_the_plain_engine_says(tmp_path: Path, capfd: Any) -> None:
    pytest.importorskip("pyspark")
    pytest.importorskip("pandas")
    pq = pytest.importorskip("pyarrow.parquet")
    parts = folder_of_logs(tmp_path / "logs")
    plain = main(["replay", "--engine", "plain", "--format", "json", "--quiet", *map(str, parts)])
    wanted = json.loads(capfd.readouterr().out)
    call = [
        "replay",
        "--engine",
        "spark",
        "--master",
        "local[2]",
        "--format",
        "json",
        "--quiet",
        "--results",
        str(tmp_path / "found"),
        str(tmp_path / "logs"),
    ]
    assert main(call) == plain
    found = json.loads(capfd.readouterr().out)
    assert found["summary"].pop("engine") == "spark"
    assert wanted["summary"].pop("engine") == "plain"
    assert found["summary"] == wanted["summary"]
    assert found["findings"] == wanted["findings"]
    assert wanted["findings"]
    assert wanted["summary"]["quarantined"] == 1
    assert wanted["summary"]["copies"] == 5
    rows = pq.read_table(tmp_path / "found").to_pylist()
    assert {r["fingerprint"] for r in rows} == {f["fingerprint"] for f in wanted["findings"]}


def test_a_worker_reads_by_columns_as_it_does_plainly(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    from checker.spark.worker import _records

    first, second = example("act-pontoon", 60), example("nz-pontoon", 20)
    lines = [b"\xef\xbb\xbf" + first[0], *first[1:], b"{bad", b"", *second, first[3], b"\xff"]
    lines.append(first[9].replace(b'"round":"', b'"round":"\xc3\xa9'))
    log = tmp_path / "a.jsonl"
    log.write_bytes(b"\r\n".join(lines) + b'\n{"cut')
    plain, fast = ([*_records(str(log), 4, columns)] for columns in (False, True))
    assert plain == fast
    assert {r[4] for r in plain} == {True, False}, "some tell of player cards"
    assert sum(r[6] is not None for r in plain) == 3


def test_a_worker_judges_by_columns_as_it_does_plainly() -> None:
    pytest.importorskip("numba")
    pytest.importorskip("pyarrow")
    from checker.spark.by_columns import TableJudge
    from checker.spark.worker import plainly

    books = [load(path).rulebook for path in shipped().values()]
    rounds: list[tuple[Place, bytes]] = [
        (Place(n % 2, n), raw)
        for n, raw in enumerate(example("nsw-star-pontoon", 200))
        if b'"table":"T01"' in raw
    ]
    rounds.sort()
    rounds.append((Place(2, 1), rounds[0][1]))
    firsts: tuple[Place | None, ...] = (None, Place(0, 0), rounds[10][0], Place(9, 9))
    for first in firsts:
        job = Job(
            f"{first}",
            [b for b in books if b is not None],
            None,
            {},
            Filter(),
            first,
            first,
            columns=True,
        )
        parts = [Part(), Part()]
        fast = list(TableJudge(job, parts[0])(iter(rounds)))
        slow = list(plainly(job, job.library(), parts[1], iter(rounds)))
        assert sorted(row[:4] for row in fast) == sorted(row[:4] for row in slow)
        assert parts[0].tested == parts[1].tested
        assert (parts[0].rounds, parts[0].wagers) == (parts[1].rounds, parts[1].wagers)
        shown = [
            {key: value for key, value in part.unchecked.items() if key not in part.tested}
            for part in parts
        ]
        assert shown[0] == shown[1]
