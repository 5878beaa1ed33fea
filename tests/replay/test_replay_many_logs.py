"""Folders and patterns of logs, what names its file, and what narrows a result."""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from pathlib import Path

import pytest

from tests.replay.replay_support import (
    CORNER,
    GOOD,
    OVERPAID,
    WON,
    Run,
    Write,
    a_round,
    corner,
    line_of,
)

JUNE, JULY = "2020-06-01T12:00:00+10:00", "2020-07-01T12:00:00+10:00"


@pytest.fixture
def months(write: Write) -> None:
    """Two months of two casinos; the ids of rounds start again, and tables have the same names."""
    Path("second.rules").write_text(CORNER.replace("rulebook corner", "rulebook second"))
    for folder in ("june", "july/night", "july/.hidden"):
        Path(folder).mkdir(parents=True)
    write(a_round("R1"), a_round("R2", OVERPAID), name="june/a.jsonl")
    write(a_round("R1", OVERPAID, at=JULY), b"x", name="july/night/b.jsonl")
    write(a_round("R9", OVERPAID, at=JULY), name="july/.hidden/c.jsonl")
    write(a_round("R9", OVERPAID, at=JULY), name="july/.d.jsonl")
    Path("july/notes.txt").write_text("no log\n")


@pytest.mark.parametrize("engine", ["plain", "columns"])
@pytest.mark.parametrize("named", [["."], ["june", "july"], ["*/**/*.jsonl"], ["ju??"]])
@pytest.mark.usefixtures("months")
def test_folders_and_patterns_stand_for_the_logs_in_them(
    run: Run, named: list[str], engine: str
) -> None:
    if engine == "columns":
        pytest.importorskip("numba")
    ran = run(*named, "--rules", "corner.rules", "--format", "json", "--engine", engine)
    assert ran.status == 1
    assert ran.summary["rounds"] == 3
    found = [(Path(f["log"]).as_posix(), f["round"], f["at"][:7]) for f in ran.findings]
    assert found == [("june/a.jsonl", "R2", "2020-06"), ("july/night/b.jsonl", "R1", "2020-07")]
    (bad,) = ran.summary["quarantined_lines"]
    assert (Path(bad["log"]).as_posix(), bad["line"]) == ("july/night/b.jsonl", 2)
    counts = {
        Path(x["log"]).as_posix(): (x["findings"], x["quarantined"]) for x in ran.summary["by_log"]
    }
    assert counts == {"june/a.jsonl": (1, 0), "july/night/b.jsonl": (1, 1)}


@pytest.mark.usefixtures("months")
def test_the_text_names_the_file_of_a_line(run: Run) -> None:
    out = run("june", "july", "--rules", "corner.rules").out
    assert "line 2 of july/night/b.jsonl" in out
    assert "line 1 of july/night/b.jsonl" in out
    assert "by log:" in out


@pytest.mark.usefixtures("months")
def test_a_file_that_is_named_twice_is_judged_once(run: Run) -> None:
    ran = run("june", "june/a.jsonl", "--rules", "corner.rules", "--format", "json")
    assert (ran.summary["rounds"], ran.summary["copies"], len(ran.findings)) == (2, 2, 1)


def test_a_folder_without_logs_is_told(run: Run) -> None:
    Path("empty").mkdir()
    for name, told in (("empty", "no log in the folder"), ("no-*.jsonl", "no file matches")):
        ran = run(name)
        assert ran.status == 2
        assert told in ran.err
        assert "help: " in ran.err


def test_a_name_with_a_star_in_it_is_that_file(run: Run, write: Write) -> None:
    write(a_round("R1"), name="a*.jsonl")
    write(a_round("R2"), name="ab.jsonl")
    assert corner(run, "a*.jsonl").summary["rounds"] == 1


def test_tables_are_told_apart_by_casino(run: Run, write: Write) -> None:
    Path("rules").mkdir()
    for name in ("corner", "second"):
        text = CORNER.replace("rulebook corner", f"rulebook {name}")
        Path("rules", f"{name}.rules").write_text(text)
    log = write(a_round("R1", OVERPAID), a_round("R1", OVERPAID, rulebook="second"))
    ran = run(log, "--rules", "rules", "--format", "json")
    assert ran.summary["by_table"] == {"T1": 2}
    assert ran.summary["by_rulebook_and_table"] == [
        {"rulebook": "corner", "table": "T1", "findings": 1},
        {"rulebook": "second", "table": "T1", "findings": 1},
    ]
    assert "corner T1 (1), second T1 (1)" in run(log, "--rules", "rules").out
    ran = run(log, "--rules", "rules", "--format", "json", "--rulebook", "second")
    assert [f["rulebook"] for f in ran.findings] == ["second"]
    assert ran.summary["outside_filter"] == 1


@pytest.mark.parametrize("engine", ["plain", "columns"])
@pytest.mark.parametrize(
    ("asked", "rounds"),
    [
        (["--amount", "5"], ["R2", "R3"]),
        (["--amount", "5.01"], ["R3"]),
        (["--player", "P2"], ["R4"]),
        (["--player", "P2", "--player", "P1", "--code", "R501"], ["R2", "R3", "R4"]),
        (["--kind", "settlement", "--amount", "100"], []),
        (["--code", "R503"], ["R5"]),
    ],
)
def test_findings_are_filtered_and_that_is_said(
    run: Run, write: Write, asked: list[str], rounds: list[str], engine: str
) -> None:
    if engine == "columns":
        pytest.importorskip("numba")
    log = write(
        a_round("R1"),
        a_round("R2", OVERPAID),
        a_round("R3", WON.format(stake=10, returned=35)),
        a_round("R4", GOOD.replace("P1", "P2").replace("main 25", "main 26")),
        a_round("R5", GOOD.rpartition("\n")[0]),
    )
    ran = corner(run, log, "--engine", engine, *asked)
    assert [f["round"] for f in ran.findings] == rounds
    assert ran.summary["findings"] == len(rounds)
    assert ran.summary["outside_filter"] == 4 - len(rounds)
    assert ran.status == (1 if rounds else 0)
    text = run(log, "--rules", "corner.rules", "--engine", engine, *asked).out
    assert text.startswith("FILTERED: ")
    assert f"{4 - len(rounds)} finding" in text.splitlines()[0]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["--amount", "ten"], "no amount of money"),
        (["--amount", "-1"], "no amount of money"),
        (["--amount", "0.001"], "no amount of money"),
        (["--amount", "NaN"], "no amount of money"),
        (["--amount", "1e999999999"], "no amount of money"),
        (["--kind", "money"], "no kind `money`"),
        (["--code", "R999"], "no code `R999`"),
        (["--rulebook", "corners"], "did you mean `corner`"),
    ],
)
def test_a_filter_that_makes_no_sense_is_refused(
    run: Run, write: Write, asked: list[str], told: str
) -> None:
    ran = corner(run, write(a_round("R1")), *asked)
    assert ran.status == 2
    assert told in ran.err


def test_csv_has_where_and_when_and_by_which_reading(run: Run, write: Write) -> None:
    log = write(a_round("R2", OVERPAID))
    out = run(log, "--rules", "corner.rules", "--format", "csv").out
    (row,) = csv.DictReader(io.StringIO(out))
    assert row["log"] == log
    assert row["at"] == JUNE
    assert len(row["fingerprint"]) == 16
    assert row["readings"] == ""
    assert Decimal(row["difference"]) == 5


def test_a_fingerprint_is_the_same_in_any_folder(run: Run) -> None:
    prints = set()
    for folder in ("a", "b"):
        Path(folder).mkdir()
        Path(folder, f"{folder}.jsonl").write_bytes(line_of(a_round("R2", OVERPAID)) + b"\n")
        prints.add(corner(run, folder).findings[0]["fingerprint"])
    assert len(prints) == 1
