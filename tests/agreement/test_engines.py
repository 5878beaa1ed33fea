"""The engines of replay: columns against plain, byte for byte, and what is imported when."""

from __future__ import annotations

import gzip
import json
import random
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from checker.cli import main
from checker.which_engine import WORTH_COLUMNS, WORTH_KEPT_COLUMNS, chosen
from rulespec.load.load import shipped

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples"
MONEY = {"stake", "returned", "min", "max", "unit", "smallest_chip"}
HEAVY = {"numba", "pyarrow", "z3", "pyspark", "jsonschema"}


def example(name: str, count: int) -> list[bytes]:
    return gzip.decompress((EXAMPLES / f"{name}.jsonl.gz").read_bytes()).splitlines()[:count]


def report(capfdbinary: Any, engine: str, *arguments: str) -> tuple[int, bytes]:
    status = main(["replay", "--engine", engine, "--quiet", *arguments])
    out = capfdbinary.readouterr().out
    out = re.sub(rb'"seal": "[0-9a-f]+"', b'"seal": ""', out)  # which vouches for the engine too
    return status, out.replace(f'"engine": "{engine}"'.encode(), b'"engine": ""')


# columns against plain


@pytest.fixture
def numba() -> None:
    pytest.importorskip("numba")
    pytest.importorskip("numpy")


@pytest.mark.usefixtures("numba")
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(
    "more",
    [
        ["--format", "json"],
        ["--format", "csv"],
        ["--format", "json", "--table", "T02", "--from", "2005-02-07T12:10"],
        ["--format", "json", "--to", "2005-02-07T02:05:00+00:00", "--limit", "2"],
        ["--format", "jsonl", "--clause", "14.2"],
        ["--format", "json", "--rules", "act-pontoon"],
    ],
)
def test_the_report_is_the_same(
    tmp_path: Path, capfdbinary: Any, more: list[str], jobs: str
) -> None:
    lines = example("act-pontoon", 120) + example("act-blackjack", 60)
    lines[20:20] = [b"{bad", b"", lines[3], lines[5].replace(b"deal", b"d\\u0065al")]
    log = tmp_path / "a.jsonl"
    log.write_bytes(b"\n".join(lines) + b'\n{"format":1,"rou')
    plain = report(capfdbinary, "plain", str(log), "--jobs", jobs, *more)
    assert report(capfdbinary, "columns", str(log), "--jobs", jobs, *more) == plain


@pytest.mark.usefixtures("numba")
def test_changed_rounds_are_judged_alike(tmp_path: Path) -> None:
    from benchmarks.mutated_rounds import Bench, Comparison, change, difference
    from checker.log.decode import decode_line

    rng = random.Random(6)
    bench = Bench()
    log = tmp_path / "a.jsonl"
    passed = 0
    for name in shipped():
        lines = example(name, 100)
        simulated = [decode_line(raw, line) for line, raw in enumerate(lines, 1)]
        comparison = Comparison(bench, change(lines, rng), simulated)
        comparison.run()
        passed += comparison.passed
        log.write_bytes(b"".join(line + b"\n" for line in comparison.log.lines[:60]))
        assert difference(log, bench.library) is None
    assert passed > 40, "some changes leave a round that is passed, and those are judged twice"


@pytest.mark.usefixtures("numba")
def test_several_logs_gz_and_parquet(tmp_path: Path, capfdbinary: Any) -> None:
    pytest.importorskip("pyarrow")
    lines = example("nz-pontoon", 90)
    parts = [tmp_path / "a.jsonl", tmp_path / "b.jsonl.gz", tmp_path / "c.jsonl"]
    parts[0].write_bytes(b"".join(line + b"\n" for line in lines[:30]))
    parts[1].write_bytes(gzip.compress(b"".join(line + b"\n" for line in lines[30:60])))
    parts[2].write_bytes(b"".join(line + b"\n" for line in lines[55:]))  # five stand twice
    table = tmp_path / "c.parquet"
    assert main(["convert", str(parts[2]), str(table), "--quiet"]) == 0
    for last in (parts[2], table):
        named = [str(parts[0]), str(parts[1]), str(last), "--format", "json"]
        plain = report(capfdbinary, "plain", *named)
        assert report(capfdbinary, "columns", *named) == plain
        assert json.loads(plain[1])["summary"]["copies"] == 5
    missing = [str(parts[0]), str(tmp_path / "none"), "--format", "json"]
    assert report(capfdbinary, "columns", *missing)[0] == 2


@pytest.mark.usefixtures("numba")
@pytest.mark.parametrize("nested", [(), ("events", "limits", "options")])
@pytest.mark.parametrize("left_out", [(), ("shoe", "options", "limits")])
def test_parquet_of_other_tools(
    tmp_path: Path, capfdbinary: Any, nested: tuple[str, ...], left_out: tuple[str, ...]
) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    def exact(record: dict[str, Any]) -> dict[str, Any]:
        return {k: Decimal(str(v)) if k in MONEY and not nested else v for k, v in record.items()}

    rows = [json.loads(line, object_hook=exact) for line in example("nz-pontoon", 60)]
    for row in rows:
        row.update({name: json.dumps(row[name]) for name in row if name in nested})
        for name in left_out:
            row.pop(name, None)
    log = tmp_path / "a.parquet"
    write_table(pa.Table.from_pylist(rows), log, row_group_size=25)
    plain = report(capfdbinary, "plain", str(log), "--format", "json")
    for jobs in ("1", "2"):
        found = report(capfdbinary, "columns", str(log), "--format", "json", "--jobs", jobs)
        assert found == plain
    assert json.loads(plain[1])["summary"]["rounds"] == 60


@pytest.mark.usefixtures("numba")
def test_quarantined_lines_are_kept_unchanged(tmp_path: Path, capfdbinary: Any) -> None:
    lines = example("act-pontoon", 20)
    lines[4:4] = [b'{"a": 1', b"\xff", lines[0]]
    log = tmp_path / "a.jsonl"
    log.write_bytes(b"\n".join(lines) + b"\n")
    kept = []
    for engine in ("plain", "columns"):
        target = tmp_path / engine
        report(capfdbinary, engine, str(log), "--format", "json", "--quarantine", str(target))
        kept.append(target.read_bytes())
    assert kept[0] == kept[1] == b'{"a": 1\n\xff\n'


@pytest.mark.usefixtures("numba")
def test_the_report_is_the_same_however_threads_take_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from checker.columns import run
    from checker.columns import threads as ahead
    from checker.log.read import Quarantined
    from checker.replay import workers
    from checker.replay.replay import Filter, Library, Summary
    from rulespec.load.load import load, shipped

    rng = random.Random(3)
    lines = [line for name in ("act-pontoon", "nz-pontoon") for line in example(name, 500)]
    for place in rng.sample(range(len(lines)), 60):  # amounts that are wrong, and no rounds
        lines[place] = rng.choice(
            (
                lines[place].replace(b'"returned":', b'"returned":1', 1),
                lines[place][:-9],
            )
        )
    log = tmp_path / "a.jsonl"
    log.write_bytes(b"\n".join(lines) + b"\n")
    library = Library(load(path).rulebook for path in shipped().values())  # type: ignore[misc]
    pieces = run.pieces

    def told(jobs: int, size: int) -> tuple[list[object], object]:
        monkeypatch.setattr(run, "pieces", lambda log: pieces(log, size))
        summary = Summary()
        found = [
            (one.line, one.reason) if isinstance(one, Quarantined) else (one.round.id, one.shown)
            for one in run.replay_columns([log], library, Filter(), summary, jobs)
        ]
        return found, summary.as_json()

    wanted = told(1, 2**23)
    assert len(wanted[0]) >= 50
    for turn, some, many, further in ((1e-6, 1, 256, 0), (1e-4, 16, 5, 1), (5e-3, 64, 10**6, 3)):
        monkeypatch.setattr(ahead, "_TURN", turn)
        monkeypatch.setattr(ahead, "_AHEAD", further)
        monkeypatch.setattr(workers, "_SOME", some)
        monkeypatch.setattr(workers, "_MANY", many)  # of them beyond which processes are forked
        for jobs in (2, 4):
            assert told(jobs, rng.choice((20_000, 60_000))) == wanted


@pytest.mark.usefixtures("numba")
def test_pieces_hold_whole_lines_only(tmp_path: Path) -> None:
    from checker.columns.read.source import Lines, pieces
    from checker.log.open import open_log

    rng = random.Random(2)
    lines = [bytes(rng.choices(b"abc", k=rng.randrange(0, 400))) for _ in range(3000)]
    log = tmp_path / "a.jsonl"
    for end in (b"\n", b"\nrest"):
        log.write_bytes(b"\n".join(lines) + end)
        found = list(pieces(open_log(str(log)), size=5000))
        whole = b""
        for piece in found:
            if isinstance(piece, Lines):
                assert piece.length < 5000 + 2**18 + 400
                assert bytes(piece.data[piece.length - 1 : piece.length]) == b"\n"
                assert not piece.data[piece.length :].any()
                whole += piece.data[: piece.length].tobytes()
            else:
                assert (piece.raw, piece.end) == (b"rest", "")
        assert whole == b"\n".join(lines) + b"\n"


# which engine


def test_auto_takes_columns_for_long_logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("checker.which_engine.columns_at_hand", lambda: True)
    log = tmp_path / "a.jsonl"
    with log.open("wb") as file:
        file.truncate(WORTH_COLUMNS - 1)
    monkeypatch.setattr("checker.columns.machine.code_folder.is_kept", lambda: True)
    assert chosen("auto", [str(log)]) == "columns", "the machine code is there"
    with (tmp_path / "b.jsonl").open("wb") as file:
        file.truncate(WORTH_KEPT_COLUMNS - 1)
    assert chosen("auto", [str(tmp_path / "b.jsonl")]) == "plain"
    monkeypatch.setattr("checker.columns.machine.code_folder.is_kept", lambda: False)
    assert chosen("auto", [str(log)]) == "plain"
    assert chosen("auto", [str(log), str(log)]) == "columns"
    assert chosen("plain", [str(log), str(log)]) == "plain"
    assert chosen("auto", ["-"]) == "plain"
    monkeypatch.setattr("checker.which_engine.columns_at_hand", lambda: False)
    assert chosen("auto", [str(log), str(log)]) == "plain"


def test_an_engine_that_is_not_there_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("checker.which_engine.columns_at_hand", lambda: False)
    assert main(["replay", "--engine", "columns", "a.jsonl"]) == 2
    assert "the columns engine needs the package `numba`" in capsys.readouterr().err
    assert main(["replay", "--engine", "fast", "a.jsonl"]) == 2


@pytest.mark.parametrize(
    "call",
    [["--version"], ["check", "--no-proofs", "--quiet", "nz-pontoon"]],
    ids=["version", "check of one file"],
)
def test_light_calls_import_nothing_heavy(call: list[str]) -> None:
    asked = (
        "import sys; from checker.cli import main\n"
        f"status = main({call!r})\n"
        "print(status, *sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True
    )
    status, *names = done.stderr.splitlines()[-1].split()
    assert status in ("0", "1", "3")
    assert "checker" in names, "the list of modules was seen"
    assert not HEAVY & set(names)


@pytest.mark.usefixtures("numba")
def test_units_keep_their_places_when_threads_begin_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import time
    from concurrent.futures import ThreadPoolExecutor

    from checker.columns.machine import units

    def slowly(_: object, place: int) -> int:
        time.sleep(0.01)
        return place

    monkeypatch.setattr(units, "_ADDRESSES", [])
    monkeypatch.setattr(units, "_WAITING", [(None, place) for place in range(8)])
    monkeypatch.setattr(units, "_address", slowly)
    desks = [[0] * (units.UNITS + 8) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(units.note_units, desks))
    assert [desk[units.UNITS :] for desk in desks] == [list(range(8))] * 4
