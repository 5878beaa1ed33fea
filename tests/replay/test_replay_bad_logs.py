"""Lines that are no rounds, and logs that mean harm."""

from __future__ import annotations

import csv
import gzip
import io
from decimal import Decimal
from pathlib import Path

import pytest

from rulespec.load.load import shipped
from tests.replay.replay_support import OVERPAID, WON, Run, Write, a_round, corner, line_of

# --- bad lines


def test_bad_lines_are_quarantined_and_the_rest_is_replayed(run: Run, write: Write) -> None:
    no_zone = a_round("R3", at="2020-06-01T12:00:00")
    bad = [b'{"round": "R2"', b"\xff\xfe", line_of(no_zone), b'{"a": NaN}', b"[1, 2]"]
    log = write(a_round("R1"), *bad, a_round("R9", OVERPAID), a_round("R1"))
    ran = corner(run, log, "--quarantine", "bad.jsonl")
    assert ran.status == 1
    assert (ran.summary["rounds"], ran.summary["quarantined"]) == (2, 5)
    lines = {one["line"]: one["reason"] for one in ran.summary["quarantined_lines"]}
    assert list(lines) == [2, 3, 4, 5, 6]
    assert "no time zone" in lines[4]
    assert ran.findings[0]["line"] == 7
    kept = b"".join(line + b"\n" for line in bad)
    assert Path("bad.jsonl").read_bytes() == kept


def test_quarantined_bytes_are_unchanged(run: Run) -> None:
    """A byte order mark, a carriage return, trailing blanks, bytes that are no UTF-8."""
    good = line_of(a_round("R1"))
    bad = [b"\xef\xbb\xbf{bad}\r", b'{"caf\xe9": 1}  \t', b'{"round": "\\u0041"}', b"\x00\x01"]
    Path("log.jsonl").write_bytes(b"\n".join([bad[0], good, *bad[1:]]) + b"\n")
    ran = corner(run, "log.jsonl", "--quarantine", "bad.jsonl")
    assert (ran.summary["rounds"], ran.summary["quarantined"]) == (1, 4)
    assert Path("bad.jsonl").read_bytes() == b"\n".join(bad) + b"\n"


def test_no_bad_line_leaves_an_empty_quarantine(run: Run, write: Write) -> None:
    Path("bad.jsonl").write_text("of the last run", encoding="utf-8")
    assert corner(run, write(a_round("R1")), "--quarantine", "bad.jsonl").status == 0
    assert Path("bad.jsonl").read_bytes() == b""


def test_a_quarantine_that_cannot_be_written_is_told(run: Run, write: Write) -> None:
    ran = corner(run, write(a_round("R1")), "--quarantine", "no/such/folder/bad.jsonl")
    assert ran.status == 2
    assert "no/such/folder" in ran.err


@pytest.mark.parametrize("gz", [False, True])
def test_a_log_that_is_cut_off_is_said_to_be(run: Run, write: Write, gz: bool) -> None:
    rounds = [a_round(f"R{n}") for n in range(40)]
    data = b"".join(line_of(one) + b"\n" for one in rounds)
    name = "cut.jsonl.gz" if gz else "cut.jsonl"
    cut = gzip.compress(data)[:-30] if gz else data[:-30]
    Path(name).write_bytes(cut)
    ran = corner(run, name)
    assert ran.status == 3
    assert ran.summary["cut_off"] is True
    assert 0 < ran.summary["rounds"] < 40
    text = run(name, "--rules", "corner.rules").out
    assert "The log is cut off." in text
    whole = corner(run, write(*rounds))
    assert (whole.status, whole.summary["cut_off"]) == (0, False)


def test_the_end_of_a_cut_off_log_is_no_line_of_it(run: Run) -> None:
    """Only the checksum at the end of the file is lost, so every line is whole."""
    data = b"".join(line_of(a_round(f"R{n}")) + b"\n" for n in range(9))
    Path("cut.jsonl.gz").write_bytes(gzip.compress(data)[:-5])
    ran = corner(run, "cut.jsonl.gz", "--quarantine", "bad.jsonl")
    assert (ran.status, ran.summary["rounds"], ran.summary["cut_off"]) == (3, 9, True)
    assert Path("bad.jsonl").read_bytes() == b""


# --- hostile logs

A_BET = line_of(a_round("R1", "bet 1 P1 1"))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"round": ' + b"9" * 5000 + b"}", "out of range"),
        (b'{"decks": 1e999999999}', ""),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
        (b'{"a":' * 50_000 + b"1" + b"}" * 50_000, "nested too deeply"),
        (A_BET.replace(b'"stake": 1', b'"stake": 1e30'), "out of range"),
        (A_BET.replace(b'"stake": 1', b'"stake": -5'), "not above 0"),
        (A_BET.replace(b'"stake": 1', b'"stake": 0.001'), "more than two decimals"),
        (A_BET.replace(b'"box": 1', b'"box": 1000000'), "a box"),
        (line_of(a_round("R1")).replace(b'"R1"', b'"\\ud800"'), "half a character"),
        (b'{"round": "R1", "round": "R2"}', "stands twice"),
    ],
)
def test_hostile_lines_are_quarantined(run: Run, write: Write, line: bytes, reason: str) -> None:
    ran = corner(run, write(line, a_round("R9", OVERPAID)))
    assert (ran.status, ran.summary["rounds"], ran.summary["quarantined"]) == (1, 1, 1)
    told = ran.summary["quarantined_lines"][0]["reason"]
    assert reason in told
    assert len(told) < 300
    assert told.isprintable()


@pytest.mark.parametrize(
    "script",
    [
        "settle 1 P1 main 10",  # nothing was staked
        "deal 1:KH 1:KD",  # nobody has bet
        "1 P1 split $10",  # nothing to split
        "1.7 P1 stand",
        "bet 1 P1 10\n1 P1 split $10\n1 P1 split $10\nsettle 1.3 P1 main 5",
        "bet 1 P1 10\ndeal 1.5:KH 0:9D\nsettle 1.5 P1 main 5",
        "dealer KH KH KH KH KH",
        "bet 1 P1 10\ndeal 1:JOKER 0:JOKER 1:JOKER",
        "void round\nvoid box 3\nvoid hand 3.4",
        "withdraw 4 P9\nabsent 5 P9\nrefuse 6 P9\nwarn P9\nadjust P9 -5",
        "settle 2 P2 insurance 5\nsettle 2 P2 super_bonus 100\nsettle 2 P2 perfect_pairs 4",
        "1 P1 insure $5\n1 P1 even_money\n1 P1 forfeit\n1 P1 surrender",
        "",
    ],
)
def test_senseless_rounds_are_judged_all_the_same(run: Run, write: Write, script: str) -> None:
    """Well formed and quite impossible: no fault, and the round after it is judged as ever."""
    rounds = [
        a_round(f"R{n}", script, rulebook=book, at="2024-09-01T12:00:00+10:00")
        for n, book in enumerate(shipped())
    ]
    ran = run(write(*rounds), "--format", "json")
    assert ran.status in (0, 1, 3)
    assert ran.summary["rounds"] == len(rounds) >= 5


@pytest.mark.parametrize(
    "name",
    ["\x1b[31mred\x1b[0m", "a\rb", "\u202egnp.exe", "line\nbreak", "\x07bell", "\x9b2J", "a\tb"],
)
def test_names_cannot_play_tricks_on_a_terminal(run: Run, write: Write, name: str) -> None:
    round_ = a_round(name, OVERPAID, table=name)
    for event in round_["events"]:
        if "player" in event:
            event["player"] = name
    log = write(round_)
    text = run(log, "--rules", "corner.rules").out
    assert "should have got $25" in text
    raw = set(text) - {"\n"}
    assert not any(char in raw for char in "\x1b\r\t\x07\x9b\u202e")
    assert len([line for line in text.splitlines() if "should have got" in line]) == 1
    (found,) = corner(run, log).findings
    assert found["player"] == found["table"] == found["round"] == name


@pytest.mark.parametrize(
    "name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("x")', "=a,b\n=c"]
)
def test_a_spreadsheet_runs_nothing(run: Run, write: Write, name: str) -> None:
    round_ = a_round(name, OVERPAID, table=name)
    for event in round_["events"]:
        if "player" in event:
            event["player"] = name
    text = run(write(round_), "--rules", "corner.rules", "--format", "csv").out
    (row,) = csv.DictReader(io.StringIO(text, newline=""))
    for key in ("round", "table", "player"):
        assert row[key].lstrip()[:1] not in ("=", "+", "-", "@"), row[key]
        assert row[key].endswith(name[-1])
    assert (row["expected"], row["difference"]) == ("25", "5")
    assert None not in row  # no cell beyond the columns


def test_money_taken_back_is_still_a_number_in_csv(run: Run, write: Write) -> None:
    log = write(a_round("R1", WON.format(stake=10, returned="24.50")))
    text = run(log, "--rules", "corner.rules", "--format", "csv").out
    (row,) = csv.DictReader(io.StringIO(text))
    assert Decimal(row["difference"]) == Decimal("-0.5")
