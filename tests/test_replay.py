"""`rulespec replay`: what is reported of a log, in every format, and what bad logs come to."""

from __future__ import annotations

import csv
import gc
import gzip
import hashlib
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from checker import cli
from checker.exact_json import dumps
from checker.replay import Filter, Judged, Library, Summary, replay
from checker.scenario_script import events_of
from rulespec import __version__
from rulespec.load import load, shipped

ROOT = Path(__file__).resolve().parent.parent
FORMATS = ("text", "json", "jsonl", "csv")

CORNER = """rulebook corner { game pontoon in force from 2020-01-01 until 2030-01-01 }
clause 1 "Card values" {
  cards 2 to 9 count face
  cards T, J, Q, K count 10
  cards A count 1 or 11
}
clause 2 "The dealer draws to 17" {
  dealer must draw when dealer.total <= 16
  dealer must not draw when dealer.total > 16
}
clause 3 "Choices" {
  may draw
  may stand
  may split when hand.equal_value
  may not draw when hand.total > 19
}
clause 4 "Results" {
  main wins when hand.total <= 21 and (dealer.total > 21 or hand.total > dealer.total)
  main loses when hand.total > 21 or (dealer.total <= 21 and hand.total < dealer.total)
  main stands off when hand.total = dealer.total and hand.total < 20
}
clause 5 "Odds" { main pays 3 to 2 }
clause 6 "Seats" { at main require player.seated }
clause 7 "Limits" { at main require not wager.under_minimum }
reading ties {
  because "no clause speaks of ties of 20"
  under 4: main is undecided because "both have 20" when hand.total = 20 and dealer.total = 20
}
"""
WON = "bet 1 P1 {stake}\ndeal 1:KH 0:9D 1:9C\n1 P1 stand\ndealer 8S\nsettle 1 P1 main {returned}"
GOOD = WON.format(stake=10, returned=25)
OVERPAID = WON.format(stake=10, returned=30)
TIED = "bet 1 P1 10\ndeal 1:KH 0:QD 1:JC\n1 P1 stand\ndealer KS\nsettle 1 P1 main 10"


def a_round(name: str, script: str = GOOD, **more: Any) -> dict[str, Any]:
    document = {
        "format": 1, "round": name, "table": "T1", "at": "2020-06-01T12:00:00+10:00",
        "rulebook": "corner", "decks": 6, "events": events_of(script),
    }  # fmt: skip
    return {key: value for key, value in {**document, **more}.items() if value is not None}


def line_of(round_: dict[str, Any] | bytes) -> bytes:
    return round_ if isinstance(round_, bytes) else dumps(round_).encode()


class Ran(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out, parse_float=Decimal)
        return found

    @property
    def findings(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.report["findings"]
        return found

    @property
    def summary(self) -> dict[str, Any]:
        found: dict[str, Any] = self.report["summary"]
        return found


Run = Callable[..., Ran]
Write = Callable[..., str]


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("RULESPEC_TRACEBACK", "1")
    Path("corner.rules").write_text(CORNER, encoding="utf-8")


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """`rulespec replay …` in this process."""

    def call(*arguments: str) -> Ran:
        capfd.readouterr()
        status = cli.main(["replay", *arguments])
        out, err = capfd.readouterr()
        return Ran(status, out, err)

    return call


@pytest.fixture
def write() -> Write:
    def write_log(*rounds: dict[str, Any] | bytes, name: str = "log.jsonl") -> str:
        Path(name).write_bytes(b"".join(line_of(one) + b"\n" for one in rounds))
        return name

    return write_log


def corner(run: Run, log: str, *arguments: str) -> Ran:
    return run(log, "--rules", "corner.rules", "--format", "json", *arguments)


# --- exit statuses


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize(
    ("rounds", "status"),
    [
        ([a_round("R1")], 0),
        ([a_round("R1"), a_round("R2", OVERPAID)], 1),
        ([a_round("R1"), a_round("R2", TIED)], 3),
        ([a_round("R1", TIED), a_round("R2", OVERPAID)], 1),
        ([a_round("R1"), b"not a round"], 3),  # a line that nobody judged is not clean
        ([b"not a round"], 2),
        ([], 2),
    ],
)
def test_exit_status_in_every_format(
    run: Run, write: Write, format_: str, rounds: list[Any], status: int
) -> None:
    assert run(write(*rounds), "--rules", "corner.rules", "--format", format_).status == status


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize(
    "arguments",
    [
        ("no-such.jsonl", "--rules", "corner.rules"),
        (".", "--rules", "corner.rules"),
        ("log.jsonl", "--rules", "no-such-rules"),
        ("log.jsonl", "--rules", "broken.rules"),
        ("log.jsonl", "--rules", "corner.rules", "--table", "T99"),
        ("log.jsonl", "--rules", "corner.rules", "--fail-on", "nonsense"),
        ("log.jsonl", "--rules", "corner.rules", "--from", "yesterday"),
        ("log.jsonl", "--rules", "corner.rules", "--limit", "-1"),
        ("log.jsonl", "--rules", "corner.rules", "--jobs", "0"),
        ("log.jsonl", "--rules", "corner.rules", "--without-reading", "nonsense"),
        (),
    ],
)
def test_what_cannot_be_used_makes_2(
    run: Run, write: Write, format_: str, arguments: tuple[str, ...]
) -> None:
    write(a_round("R1"))
    Path("broken.rules").write_text("rulebook broken {", encoding="utf-8")
    ran = run(*arguments, "--format", format_)
    assert ran.status == 2
    assert ran.out or ran.err


# --- the report


def test_the_envelope(run: Run, write: Write) -> None:
    log = write(a_round("R1"), a_round("R2", OVERPAID))
    report = corner(run, log).report
    assert report["schema"] == "rulespec-report/1"
    assert report["command"] == "replay"
    assert report["tool"] == {"name": "rulespec", "version": __version__}
    assert report["accepted"] == []
    logs = [i for i in report["inputs"] if i["kind"] == "log"]
    digest = hashlib.sha256(Path(log).read_bytes()).hexdigest()
    assert logs == [{"path": log, "sha256": digest, "kind": "log"}]


def test_the_report_says_by_which_rules_it_was_made(run: Run, write: Write) -> None:
    rules = [i for i in corner(run, write(a_round("R1"))).report["inputs"] if i["kind"] == "rules"]
    digest = hashlib.sha256(Path("corner.rules").read_bytes()).hexdigest()
    assert [(i["path"], i["sha256"]) for i in rules] == [("corner.rules", digest)]


def test_the_summary(run: Run, write: Write) -> None:
    underpaid = WON.format(stake=10, returned="24.50")
    log = write(
        a_round("R1"), a_round("R2", OVERPAID), a_round("R3", underpaid, table="T2"),
        a_round("R4", TIED), b"{", a_round("R5", OVERPAID),
    )  # fmt: skip
    summary = corner(run, log).summary
    counts = ("rounds", "wagers", "findings", "undecided", "quarantined", "overpaid", "underpaid")
    assert [summary[key] for key in counts] == [5, 5, 3, 1, 1, 10, Decimal("0.5")]
    assert summary["by_kind"] == {"settlement": 3, "undecided": 1}
    assert summary["by_code"] == {"R501": 3, "R550": 1}
    assert summary["by_table"] == {"T1": 2, "T2": 1}
    assert summary["rulebooks"] == {"corner": 5}
    assert sum(one["findings"] for one in summary["by_clause"]) == 3
    assert {one["rulebook"] for one in summary["by_clause"]} == {"corner"}
    assert summary["cut_off"] is False


def test_what_could_not_be_tested_is_listed_once_with_its_reason(run: Run, write: Write) -> None:
    log = write(a_round("R1"), a_round("R2"), a_round("R3"))
    listed = {one["clause"]: one for one in corner(run, log).summary["not_checked"]}
    assert set(listed) == {"6", "7"}
    assert listed["6"] == {"rulebook": "corner", "clause": "6", "rounds": 3,
                           "reason": "the log does not give player.seated"}  # fmt: skip
    # one round that gives it, and the clause has been tested
    seated = GOOD.replace("bet 1 P1 10", "bet 1 P1 10 seated")
    log = write(a_round("R1"), a_round("R2", seated))
    assert [one["clause"] for one in corner(run, log).summary["not_checked"]] == ["7"]


def test_a_finding_says_where_it_was(run: Run, write: Write) -> None:
    script = """bet 2 P1 10
bet 2 P7 20
deal 2:8H 0:9D 2:8C
2 P1 split $10
deal 2.1:KD
2.1 P1 stand
deal 2.2:9S
2.2 P1 stand
dealer 8S
settle 2.1 P1 main 25
settle 2.2 P1 main 20
settle 2.1 P7 main 50"""
    log = write(a_round("R1"), b"", a_round("R2", script, table="T9"))
    (found,) = corner(run, log).findings
    where = {key: found[key] for key in ("round", "table", "line", "box", "hand", "player", "bet")}
    assert where == {
        "round": "R2", "table": "T9", "line": 3, "box": 2, "hand": 2, "player": "P1", "bet": "main",
    }  # fmt: skip
    assert (found["code"], found["kind"], found["severity"]) == ("R501", "settlement", "error")
    assert found["slug"]
    assert found["rulebook"] == "corner"
    assert (found["expected"], found["actual"], found["difference"]) == (10, 20, 10)
    assert found["event"] == 12


def test_a_finding_names_its_clauses_and_readings(run: Run, write: Write) -> None:
    ran = corner(run, write(a_round("R1", OVERPAID), a_round("R2", TIED)))
    paid, tied = ran.findings
    assert paid["clause"] in ("4", "5")
    assert {paid["clause"], *(r["clause"] for r in paid["related"])} == {"4", "5"}
    assert (tied["kind"], tied["clause"], tied["readings"]) == ("undecided", "4", ["ties"])


def test_a_reading_that_orders_clauses_is_named(run: Run, write: Write) -> None:
    """Which clause counts is decided by a reading: a finding that follows from it says so."""
    order = """
clause 8 "A pair of kings loses" { main loses when hand.ranks = K-K }
reading kings { because "the house reads it so" 8 prevails over 4 }
"""
    Path("corner.rules").write_text(CORNER + order, encoding="utf-8")
    kings = "bet 1 P1 10\ndeal 1:KH 0:9D 1:KC\n1 P1 stand\ndealer 8S\nsettle 1 P1 main 25"
    kings_found, plain = corner(run, write(a_round("R1", kings), a_round("R2", OVERPAID))).findings
    assert (kings_found["clause"], kings_found["expected"]) == ("8", 0)
    assert kings_found["readings"] == ["kings"]
    assert "readings" not in plain


def test_fingerprints_are_stable_and_apart(run: Run, write: Write) -> None:
    rounds = [a_round("R1", OVERPAID), a_round("R2", OVERPAID)]
    first = [f["fingerprint"] for f in corner(run, write(*rounds)).findings]
    assert len(set(first)) == 2
    moved = corner(run, write(a_round("R0"), *rounds)).findings
    assert [f["fingerprint"] for f in moved] == first


# --- money


@pytest.mark.parametrize(
    ("stake", "returned", "expected", "difference"),
    [("29.40", "73.49", "73.5", "-0.01"), ("29.4", "100", "73.5", "26.5"),
     ("0.02", "0.10", "0.05", "0.05"),
     ("9007199254.74", "22517998136.86", "22517998136.85", "0.01"),
     ("10", "0", "25", "-25")],
)  # fmt: skip
def test_money_is_exact_to_the_cent(
    run: Run, write: Write, stake: str, returned: str, expected: str, difference: str
) -> None:
    log = write(a_round("R1", WON.format(stake=stake, returned=returned)))
    ran = corner(run, log)
    (found,) = ran.findings
    assert str(found["expected"]) in (expected, expected + "0")
    assert found["expected"] == Decimal(expected)
    assert found["actual"] == Decimal(returned)
    assert found["difference"] == Decimal(difference)
    over = max(Decimal(difference), 0)
    assert (ran.summary["overpaid"], ran.summary["underpaid"]) == (over, over - Decimal(difference))
    (row,) = csv.DictReader(io.StringIO(run(log, "--rules", "corner.rules", "--format", "csv").out))
    assert Decimal(row["expected"]) == Decimal(expected)
    assert Decimal(row["difference"]) == Decimal(difference)


def test_right_to_the_cent_is_no_finding(run: Run, write: Write) -> None:
    assert corner(run, write(a_round("R1", WON.format(stake="29.40", returned="73.5")))).status == 0


def test_many_cents_add_up_exactly(run: Run, write: Write) -> None:
    """Ten times ten cents is one dollar; as binary floats it would be a little less."""
    rounds = [a_round(f"R{n}", WON.format(stake=10, returned="25.10")) for n in range(10)]
    assert '"overpaid": 1,' in corner(run, write(*rounds)).out


# --- the other formats


def test_jsonl_has_a_finding_on_each_line(run: Run, write: Write) -> None:
    log = write(a_round("R1", OVERPAID), a_round("R2"), a_round("R3", TIED))
    lines = run(log, "--rules", "corner.rules", "--format", "jsonl").out.splitlines()
    findings = [json.loads(line, parse_float=Decimal) for line in lines]
    assert findings == corner(run, log).findings
    assert [f["round"] for f in findings] == ["R1", "R3"]


def test_csv_has_the_same_findings(run: Run, write: Write) -> None:
    log = write(a_round("R1", OVERPAID), a_round("R2"), a_round("R3", TIED))
    rows = list(csv.DictReader(io.StringIO(
        run(log, "--rules", "corner.rules", "--format", "csv").out)))  # fmt: skip
    findings = corner(run, log).findings
    for row, finding in zip(rows, findings, strict=True):
        for key, cell in row.items():
            value = finding.get(key)
            assert cell == ("" if value is None else str(value)), key


def test_text_begins_with_the_summary(run: Run, write: Write) -> None:
    log = write(a_round("R1", OVERPAID), a_round("R2", TIED), b"{}")
    text = run(log, "--rules", "corner.rules").out
    head, _, rest = text.partition("\n\n")
    assert head.startswith("2 rounds with 2 wagers replayed under corner (2).")
    assert "overpaid $5, underpaid $0" in head
    assert "1 undecided" in head
    assert "1 line quarantined" in head
    assert "line 3: events: missing" in head
    assert "the log does not give player.seated" in head
    assert "round R1, table T1, line 1" in rest
    assert "should have got $25: overpaid by $5" in rest
    assert "rests on reading: ties" in rest


def test_quiet_text_has_findings_only(run: Run, write: Write) -> None:
    log = write(a_round("R1", OVERPAID))
    ran = run(log, "--rules", "corner.rules", "--quiet")
    assert ran.out.startswith("settlement R501")
    assert ran.err == ""
    assert run(write(a_round("R1")), "--rules", "corner.rules", "--quiet").out == ""


@pytest.mark.parametrize("format_", FORMATS)
def test_output_holds_what_stdout_would(run: Run, write: Write, format_: str) -> None:
    log = write(a_round("R1", OVERPAID))
    plain = run(log, "--rules", "corner.rules", "--format", format_)
    kept = run(log, "--rules", "corner.rules", "--format", format_, "--output", "out")
    assert (kept.status, kept.out) == (1, "")
    assert Path("out").read_text(encoding="utf-8") == plain.out


@pytest.mark.parametrize("format_", FORMATS)
def test_a_log_that_is_not_there_leaves_the_last_result_alone(run: Run, format_: str) -> None:
    Path("out").write_text("last month", encoding="utf-8")
    ran = run("gone.jsonl", "--rules", "corner.rules", "--format", format_, "--output", "out")
    assert ran.status == 2
    assert "gone.jsonl" in ran.err
    assert Path("out").read_text(encoding="utf-8") == "last month"


@pytest.mark.parametrize("option", ["--output", "--quarantine"])
@pytest.mark.parametrize("file", ["log.jsonl", "corner.rules", "./log.jsonl"])
def test_what_is_read_is_never_written_over(
    run: Run, write: Write, option: str, file: str
) -> None:
    log = write(a_round("R1", OVERPAID), b"{")
    before = Path(file).read_bytes()
    ran = run(log, "--rules", "corner.rules", "--format", "csv", option, file)
    assert ran.status == 2
    assert Path(file).read_bytes() == before


# --- bad lines


def test_bad_lines_are_quarantined_and_the_rest_is_replayed(run: Run, write: Write) -> None:
    no_zone = a_round("R3", at="2020-06-01T12:00:00")
    bad = [b'{"round": "R2"', b"\xff\xfe", line_of(no_zone), b'{"a": NaN}', b"[1, 2]"]
    log = write(a_round("R1"), *bad, a_round("R9", OVERPAID), a_round("R1"))
    ran = corner(run, log, "--quarantine", "bad.jsonl")
    assert ran.status == 1
    assert (ran.summary["rounds"], ran.summary["quarantined"]) == (2, 6)
    lines = {one["line"]: one["reason"] for one in ran.summary["quarantined_lines"]}
    assert list(lines) == [2, 3, 4, 5, 6, 8]
    assert "no time zone" in lines[4]
    assert "stands twice" in lines[8]
    assert ran.findings[0]["line"] == 7
    kept = b"".join(line + b"\n" for line in (*bad, line_of(a_round("R1"))))
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


# --- what is shown


def test_only_one_table(run: Run, write: Write) -> None:
    log = write(a_round("R1", OVERPAID), a_round("R2", OVERPAID, table="T2"), a_round("R3"))
    ran = corner(run, log, "--table", "T2")
    assert ran.summary["rounds"] == 1
    assert [f["round"] for f in ran.findings] == ["R2"]
    assert corner(run, write(a_round("R1", OVERPAID), a_round("R2", table="T2")),
                  "--table", "T2").status == 0  # fmt: skip


def test_from_is_within_and_to_is_not(run: Run, write: Write) -> None:
    days = ("2020-05-31T23:59:59+10:00", "2020-06-01T00:00:00+10:00", "2020-06-01T23:59:59+10:00",
            "2020-06-02T00:00:00+10:00")  # fmt: skip
    log = write(*(a_round(f"R{n}", OVERPAID, at=at) for n, at in enumerate(days)))
    ran = corner(run, log, "--from", "2020-06-01T00:00:00+10:00",
                 "--to", "2020-06-02T00:00:00+10:00")  # fmt: skip
    assert [f["round"] for f in ran.findings] == ["R1", "R2"]
    # the same moment in another zone
    ran = corner(run, log, "--from", "2020-05-31T14:00:00+00:00")
    assert [f["round"] for f in ran.findings] == ["R1", "R2", "R3"]


@pytest.mark.parametrize("zone", ["UTC", "Australia/Sydney", "America/New_York"])
def test_a_time_without_a_zone_is_that_of_the_table(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    """Wherever the replay is run."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        days = ("2020-05-31T23:59:59+10:00", "2020-06-01T00:00:00+10:00")
        log = write(*(a_round(f"R{n}", OVERPAID, at=at) for n, at in enumerate(days)))
        assert [f["round"] for f in corner(run, log, "--from", "2020-06-01").findings] == ["R1"]
        assert [f["round"] for f in corner(run, log, "--to", "2020-06-01").findings] == ["R0"]
    finally:
        monkeypatch.undo()
        time.tzset()


def test_rounds_before_the_first_one_shown_still_count_for_the_shoe(
    run: Run, write: Write
) -> None:
    script = "bet 1 P1 10\ndeal 1:KH 0:9D 1:9S\n1 P1 stand\ndealer 9C\nsettle 1 P1 main 20"
    act = {"rulebook": "act-pontoon", "shoe": "S1"}
    log = write(
        a_round("R1", "shuffle\n" + script + "\ncut card", at="2020-06-01T12:00:00+10:00", **act),
        a_round("R2", script, at="2020-06-01T12:01:00+10:00", **act),
    )
    ran = run(log, "--format", "json", "--from", "2020-06-01T12:01:00+10:00")
    assert ran.summary["rounds"] == 1
    assert [(f["code"], f["clause"]) for f in ran.findings] == [("R540", "5.4(b)")]


def test_only_one_clause(run: Run, write: Write) -> None:
    drawn = """bet 1 P1 10
deal 1:KH 0:9D 1:JC
1 P1 hit 5C
dealer 8S
settle 1 P1 main 0"""
    log = write(a_round("R1", OVERPAID), a_round("R2", drawn))
    everything = corner(run, log)
    assert {f["clause"] for f in everything.findings} >= {"3"}
    ran = corner(run, log, "--clause", "3")
    assert {f["clause"] for f in ran.findings} == {"3"}
    assert (ran.status, ran.summary["findings"], ran.summary["overpaid"]) == (1, 1, 0)
    assert ran.summary["rounds"] == 2
    assert corner(run, log, "--clause", "2").status == 0
    # a clause that is named beside the first one counts too
    assert [f["round"] for f in corner(run, log, "--clause", "4").findings] == ["R1"]


def test_a_clause_that_is_nowhere_matches_nothing(run: Run, write: Write) -> None:
    ran = corner(run, write(a_round("R1", OVERPAID)), "--clause", "99.9")
    assert ran.status == 2
    assert "99.9" in ran.err + ran.out


def test_a_limit_shortens_the_list_and_not_the_summary(run: Run, write: Write) -> None:
    log = write(*(a_round(f"R{n}", OVERPAID) for n in range(7)))
    ran = corner(run, log, "--limit", "3")
    assert [f["round"] for f in ran.findings] == ["R0", "R1", "R2"]
    assert (ran.status, ran.summary["findings"], ran.summary["overpaid"]) == (1, 7, 35)
    none = corner(run, log, "--limit", "0")
    assert (none.status, none.findings) == (1, [])
    text = run(log, "--rules", "corner.rules", "--limit", "3").out
    assert "4 more are not shown" in text


def test_text_shows_fifty_unless_told(run: Run, write: Write) -> None:
    log = write(*(a_round(f"R{n}", OVERPAID) for n in range(60)))
    assert run(log, "--rules", "corner.rules").out.count("should have got") == 50
    assert run(log, "--rules", "corner.rules", "--full").out.count("should have got") == 60


@pytest.mark.parametrize(
    ("kinds", "status"),
    [("settlement", 1), ("play,settlement", 1), ("undecided", 1), ("play", 3), ("wager,deal", 3)],
)
def test_fail_on(run: Run, write: Write, kinds: str, status: int) -> None:
    log = write(a_round("R1", OVERPAID), a_round("R2", TIED))
    ran = corner(run, log, "--fail-on", kinds)
    assert ran.status == status
    assert ran.summary["findings"] == 1


def test_without_a_reading(run: Run, write: Write) -> None:
    log = write(a_round("R1", TIED))
    (found,) = corner(run, log, "--without-reading", "ties").findings
    assert "readings" not in found
    assert "no clause gives an answer here" in found["message"]


# --- which rulebook


def test_the_round_names_its_rulebook(run: Run, write: Write) -> None:
    script = "bet 1 P1 10\ndeal 1:AH 0:9D 1:KC\nsettle 1 P1 main 25"
    log = write(a_round("R1", script, rulebook="act-pontoon"),
                a_round("R2", script, rulebook="sa-adelaide-pontoon"))  # fmt: skip
    ran = run(log, "--format", "json")
    assert ran.summary["rulebooks"] == {"act-pontoon": 1, "sa-adelaide-pontoon": 1}
    assert ran.findings == []


def test_rules_on_the_command_line_count_more(run: Run, write: Write) -> None:
    log = write(a_round("R1", rulebook="act-pontoon"), a_round("R2", rulebook=None),
                a_round("R3", rulebook="no-such"))  # fmt: skip
    ran = corner(run, log)
    assert (ran.status, ran.summary["rulebooks"]) == (0, {"corner": 3})


def test_a_rulebook_that_is_not_at_hand(run: Run, write: Write) -> None:
    log = write(a_round("R1", rulebook="no-such"), a_round("R2", rulebook=None))
    ran = run(log, "--format", "json")
    assert ran.status == 1
    assert [(f["code"], f["kind"]) for f in ran.findings] == [("R561", "integrity")] * 2
    assert "`no-such`" in ran.findings[0]["message"]
    assert [f["line"] for f in ran.findings] == [1, 2]


@pytest.mark.parametrize(
    ("at", "codes"),
    [("2019-12-31T23:59:59+10:00", ["R560"]), ("2020-01-01T00:00:00+10:00", []),
     ("2029-12-31T23:59:59+10:00", []), ("2030-01-01T00:00:00+10:00", ["R560"])],
)  # fmt: skip
def test_no_text_in_force(run: Run, write: Write, at: str, codes: list[str]) -> None:
    """The first day is within, the day after the last is not; what counts is the table's day."""
    ran = corner(run, write(a_round("R1", at=at)))
    assert [f["code"] for f in ran.findings] == codes
    assert ran.status == (1 if codes else 0)


def test_a_clause_is_in_force_from_its_own_day(run: Run, write: Write) -> None:
    """The Star's player cards, chosen by the time of each round in one log."""
    script = GOOD.replace("main 25", "main 20")
    other = script.replace("P1 10", "P1 10 nocard").replace("P1", "P2")
    star = {"rulebook": "nsw-star-pontoon"}
    log = write(
        a_round("R1", script, at="2024-08-18T12:00:00+10:00", **star),
        a_round("R2", other, at="2024-08-18T13:00:00+10:00", **star),
        a_round("R3", other, at="2024-08-19T12:00:00+10:00", **star),
    )
    found = [(f["round"], f["clause"]) for f in run(log, "--format", "json").findings
             if f["code"] == "R530"]  # fmt: skip
    assert sorted(found) == [("R3", "20.1"), ("R3", "6.1")]


# --- several logs


def test_several_logs_are_one_replay(run: Run, write: Write) -> None:
    one = write(a_round("R1", OVERPAID), a_round("R2"), name="one.jsonl")
    two = write(a_round("R3"), a_round("R4", OVERPAID), name="two.jsonl")
    ran = run(one, two, "--rules", "corner.rules", "--format", "json")
    assert ran.summary["rounds"] == 4
    assert [(f["round"], f["line"]) for f in ran.findings] == [("R1", 1), ("R4", 2)]
    assert [f["log"] for f in ran.findings] == [one, two]
    assert [i["path"] for i in ran.report["inputs"] if i["kind"] == "log"] == [one, two]


def test_a_round_that_stands_in_two_logs_counts_once(run: Run, write: Write) -> None:
    one = write(a_round("R1", OVERPAID), name="one.jsonl")
    two = write(a_round("R1", OVERPAID), a_round("R1", table="T2"), name="two.jsonl")
    ran = run(one, two, "--rules", "corner.rules", "--format", "json")
    assert (ran.summary["rounds"], ran.summary["quarantined"]) == (2, 1)
    assert ran.summary["overpaid"] == 5
    (bad,) = ran.summary["quarantined_lines"]
    assert bad["line"] == 1
    assert "`R1` of table `T1` stands twice" in bad["reason"]


# --- the same bytes


def mixed(count: int) -> list[dict[str, Any] | bytes]:
    scripts = (GOOD, OVERPAID, TIED, WON.format(stake="29.4", returned="73.49"))
    rounds: list[dict[str, Any] | bytes] = [
        a_round(f"R{n}", scripts[n % 4], table=f"T{n % 3}", shoe=f"S{n // 50}")
        for n in range(count)
    ]
    rounds[count // 2] = b"{broken"
    return rounds


@pytest.mark.parametrize("format_", ["json", "jsonl", "csv"])
def test_two_runs_and_two_cores_give_identical_bytes(
    run: Run, write: Write, format_: str
) -> None:
    log = write(*mixed(300))
    runs = [
        run(log, "--rules", "corner.rules", "--format", format_, "--jobs", jobs)
        for jobs in ("1", "2", "1")
    ]
    assert runs[0].out == runs[1].out == runs[2].out
    assert {ran.status for ran in runs} == {1}
    assert runs[0].out.count("R501") >= 150


@pytest.mark.parametrize("how", ["gz", "gz named otherwise", "-"])
def test_compressed_and_from_standard_input(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    log = write(*mixed(20))
    plain = run(log, "--rules", "corner.rules", "--format", "jsonl")
    data = Path(log).read_bytes()
    if how == "-":
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        other = "-"
    else:
        other = "log.jsonl.gz" if how == "gz" else "archive"
        Path(other).write_bytes(gzip.compress(data))
    again = run(other, "--rules", "corner.rules", "--format", "jsonl")
    assert plain.out
    assert (again.status, again.out) == (plain.status, plain.out)


def command(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    """`rulespec …` as a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **options.pop("env", {})}
    return subprocess.Popen(
        [sys.executable, "-m", "rulespec", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, **options,
    )  # fmt: skip


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_replay_that_was_killed_can_be_started_again(
    run: Run, write: Write, jobs: str
) -> None:
    log = write(*(a_round(f"R{n}", OVERPAID) for n in range(800)))
    call = ("replay", log, "--rules", "corner.rules", "--format", "jsonl", "--jobs", jobs,
            "--quarantine", "bad.jsonl")  # fmt: skip
    undisturbed = run(*call[1:])
    with command(*call, start_new_session=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline()  # it is under way
        os.killpg(process.pid, signal.SIGKILL)
        process.stdout.read()
        assert process.wait(30) == -signal.SIGKILL
    again = run(*call[1:])
    assert again.out == undisturbed.out
    assert again.status == undisturbed.status == 1
    assert len(again.out.splitlines()) == 800


def test_no_worker_outlives_a_replay_that_was_killed(write: Write) -> None:
    """Only the first process is killed; the pipe that they share closes when the last one ends."""
    log = write(*(a_round(f"R{n}", OVERPAID) for n in range(3000)))
    call = ("replay", log, "--rules", "corner.rules", "--format", "jsonl", "--jobs", "2")
    with command(*call, start_new_session=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        process.kill()
        reader = threading.Thread(target=process.stdout.read, daemon=True)
        reader.start()
        reader.join(20)
        alive = reader.is_alive()
        if alive:  # clean up: the workers are all that is left of this session
            os.killpg(process.pid, signal.SIGKILL)
            reader.join(20)
    assert not alive


def test_a_reader_who_has_seen_enough_is_no_fault(write: Write) -> None:
    log = write(*(a_round(f"R{n}", OVERPAID) for n in range(400)))
    call = ("replay", log, "--rules", "corner.rules", "--format", "csv", "--jobs", "1")
    with command(*call) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read().decode()
        assert process.wait(60) != 70
    assert "fault" not in said
    assert "Error" not in said


@pytest.mark.parametrize("format_", FORMATS)
def test_any_name_can_be_written_to_any_terminal(write: Write, format_: str) -> None:
    """A terminal that knows only ASCII still gets the report, and JSON stays UTF-8."""
    log = write(a_round("R1", OVERPAID.replace("P1", "Zoë")))
    call = ("replay", log, "--rules", "corner.rules", "--format", format_)
    with command(*call, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}) as process:
        out, err = process.communicate(timeout=60)
        assert (process.returncode, b"fault" in err) == (1, False)
    assert b"Zo" in out
    if format_.startswith("json"):
        assert "Zoë" in out.decode("utf-8")


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
def test_hostile_lines_are_quarantined(
    run: Run, write: Write, line: bytes, reason: str
) -> None:
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
    rounds = [a_round(f"R{n}", script, rulebook=book, at="2024-09-01T12:00:00+10:00")
              for n, book in enumerate(shipped())]  # fmt: skip
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


# --- memory


def test_memory_stays_flat(write: Write) -> None:
    """What is left of a round is the digest of its id: one number, and never the round itself."""
    book = load(Path("corner.rules")).rulebook
    assert book is not None
    tiny = "bet 1 P1 10\nvoid round\nsettle 1 P1 main 5"
    log = write(*(a_round(f"R{n}", tiny) for n in range(3000)))
    summary = Summary()
    blocks: dict[int, int] = {}
    for n, judged in enumerate(replay([log], Library([book], book), Filter(), summary), 1):
        assert isinstance(judged, Judged)
        if n in (300, 3000):
            gc.collect()
            blocks[n] = sys.getallocatedblocks()
    assert (summary.rounds, summary.findings) == (3000, 3000)
    kept = (blocks[3000] - blocks[300]) / 2700
    assert kept < 4, f"{kept:.1f} pieces of memory are kept for each round"


# --- what only the whole shoe tells

ACT = {"rulebook": "act-pontoon", "shoe": "S1", "decks": 6}
PLAYED = "bet 1 P1 10\ndeal 1:KH 0:9D 1:9S\n1 P1 stand\ndealer 9C\nsettle 1 P1 main 20"


def minute(n: int) -> str:
    return f"2020-06-01T12:{n:02d}:00+10:00"


@pytest.mark.parametrize(
    ("second", "codes"),
    [(PLAYED, [("R2", "R540", "5.4(b)")]), ("shuffle\n" + PLAYED, [])],
)
def test_no_round_after_the_cut_card_without_a_shuffle(
    run: Run, write: Write, second: str, codes: list[tuple[str, str, str]]
) -> None:
    log = write(
        a_round("R1", f"shuffle\n{PLAYED}\ncut card", at=minute(1), **ACT),
        a_round("X1", PLAYED, at=minute(1), **{**ACT, "shoe": "S9"}, table="T9"),
        a_round("R2", second, at=minute(2), **ACT),
    )
    found = [(f["round"], f["code"], f["clause"]) for f in run(log, "--format", "json").findings]
    assert found == codes


@pytest.mark.parametrize(
    ("decks", "shoes", "broken"),
    [(2, ("S1", "S1", "S1"), ["R2"]), (3, ("S1", "S1", "S1"), []),
     (2, ("S1", "S1", "S2"), [])],
)  # fmt: skip
def test_more_copies_of_a_card_than_the_decks_hold(
    run: Run, write: Write, decks: int, shoes: tuple[str, ...], broken: list[str]
) -> None:
    """A nine of clubs in each of three rounds: too many for two decks, unless the shoe is new."""
    others = (("KH", "9D", "9S"), ("KD", "9H", "8S"), ("QH", "8D", "8H"))
    rounds = []
    for n, (shoe, (one, up, two)) in enumerate(zip(shoes, others, strict=True)):
        script = f"bet 1 P1 10\ndeal 1:{one} 0:{up} 1:{two}\n1 P1 stand\ndealer 9C"
        more = {**ACT, "decks": decks, "shoe": shoe}
        rounds.append(a_round(f"R{n}", script, at=minute(n), **more))
    found = [f for f in run(write(*rounds), "--format", "json").findings if "9C" in f["message"]]
    assert [f["round"] for f in found] == broken
    assert {f["kind"] for f in found} <= {"deal"}


@pytest.mark.parametrize(
    ("start", "broken"),
    [("shuffle\nburn 5H\n", False), ("shuffle\n", True)],
)
def test_the_first_card_of_a_shoe_is_burnt(
    run: Run, write: Write, start: str, broken: bool
) -> None:
    """The Star burns the first card; the log records burnt cards elsewhere, so it would be seen."""
    star = {"rulebook": "nsw-star-pontoon", "decks": 6}
    log = write(
        a_round("R1", "shuffle\nburn 2C\n" + PLAYED, at="2024-09-01T12:00:00+10:00", shoe="S1",
                **star),
        a_round("R2", start + PLAYED, at="2024-09-01T12:05:00+10:00", shoe="S2", **star),
    )  # fmt: skip
    found = [(f["round"], f["code"]) for f in run(log, "--format", "json").findings]
    assert (("R2", "R540") in found) is broken
    assert all(round_ == "R2" for round_, _ in found)


def test_large_errors_are_listed_for_the_monthly_report(run: Run, write: Write) -> None:
    """The Star reports single errors of strictly more than $1,000, with what was adjusted."""
    star = {"rulebook": "nsw-star-pontoon", "at": "2024-09-01T12:00:00+10:00"}
    log = write(
        a_round("R1", WON.format(stake=10, returned=1020), **star),
        a_round("R2", WON.format(stake=10, returned="1020.01") + "\nadjust P1 -500", **star),
    )
    (report,) = run(log, "--format", "json").summary["reports"]
    assert (report["round"], report["month"], report["player"]) == ("R2", "2024-09", "P1")
    assert report["difference"] == Decimal("1000.01")
    assert report["adjusted"] == [-500]
