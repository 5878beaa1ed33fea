"""What a replay reports: exit statuses, findings, exact money, the formats."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from rulespec import __version__
from rulespec.base.cache import code_hash
from tests.replay.replay_support import (
    CORNER,
    FORMATS,
    GOOD,
    OVERPAID,
    TIED,
    WON,
    Run,
    Write,
    a_round,
    corner,
)

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
        ("empty", "--rules", "corner.rules"),
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
    Path("empty").mkdir()
    ran = run(*arguments, "--format", format_)
    assert ran.status == 2
    assert ran.out or ran.err


# --- the report


def test_the_envelope(run: Run, write: Write) -> None:
    log = write(a_round("R1"), a_round("R2", OVERPAID))
    report = corner(run, log).report
    assert report["schema"] == "rulespec-report/1"
    assert report["command"] == "replay"
    tool = {"name": "rulespec", "version": __version__, "sha256": code_hash().hex()}
    assert report["tool"] == tool
    assert report["accepted"] == []
    logs = [i for i in report["inputs"] if i["kind"] == "log"]
    digest = hashlib.sha256(Path(log).read_bytes()).hexdigest()
    assert [(i["path"], i["sha256"], i["rounds"]) for i in logs] == [(log, digest, 2)]


def test_the_report_says_by_which_rules_it_was_made(run: Run, write: Write) -> None:
    rules = [i for i in corner(run, write(a_round("R1"))).report["inputs"] if i["kind"] == "rules"]
    digest = hashlib.sha256(Path("corner.rules").read_bytes()).hexdigest()
    assert [(i["path"], i["sha256"]) for i in rules] == [("corner.rules", digest)]


def test_the_summary(run: Run, write: Write) -> None:
    underpaid = WON.format(stake=10, returned="24.50")
    log = write(
        a_round("R1"),
        a_round("R2", OVERPAID),
        a_round("R3", underpaid, table="T2"),
        a_round("R4", TIED),
        b"{",
        a_round("R5", OVERPAID),
    )
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
    assert listed["6"] == {
        "rulebook": "corner",
        "clause": "6",
        "rounds": 3,
        "reason": "the log does not give player.seated",
    }
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
        "round": "R2",
        "table": "T9",
        "line": 3,
        "box": 2,
        "hand": 2,
        "player": "P1",
        "bet": "main",
    }
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
    [
        ("29.40", "73.49", "73.5", "-0.01"),
        ("29.4", "100", "73.5", "26.5"),
        ("0.02", "0.10", "0.05", "0.05"),
        ("9007199254.74", "22517998136.86", "22517998136.85", "0.01"),
        ("10", "0", "25", "-25"),
    ],
)
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
    rows = list(
        csv.DictReader(io.StringIO(run(log, "--rules", "corner.rules", "--format", "csv").out))
    )
    findings = corner(run, log).findings
    for row, finding in zip(rows, findings, strict=True):
        for key, cell in row.items():
            value = finding.get(key)
            value = "; ".join(value) if isinstance(value, list) else value
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
    assert "should have got $25 with 19 (K♥ 9♣) against 17 (9♦ 8♠): overpaid by $5" in " ".join(
        rest.split()
    )
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
def test_what_is_read_is_never_written_over(run: Run, write: Write, option: str, file: str) -> None:
    log = write(a_round("R1", OVERPAID), b"{")
    before = Path(file).read_bytes()
    ran = run(log, "--rules", "corner.rules", "--format", "csv", option, file)
    assert ran.status == 2
    assert Path(file).read_bytes() == before


# --- on a terminal


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("engine", ["plain", "columns"])
def test_a_terminal_shows_how_far_it_is_when_nothing_is_found(
    run: Run, write: Write, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine == "columns":
        pytest.importorskip("numba")
    log = write(*(a_round(f"R{number}") for number in range(400)))
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    ran = run(log, "--rules", "corner.rules", "--engine", engine, "--jobs", "1")
    assert ran.status == 0
    assert re.search(r"[234]00 rounds.* ━", terminal.getvalue())


def test_whoever_waits_for_machine_code_is_told(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    call = (write(), "--rules", "corner.rules", "--jobs", "1", "--engine")  # no line: none is made
    monkeypatch.setattr("checker.columns.machine.code_folder.is_kept", lambda: False)
    told = "rulespec replay: no machine code is there yet; making it takes a minute or two"
    assert run(*call, "columns").err.startswith(told)
    assert told not in run(*call, "columns", "--quiet").err
    assert told not in run(*call, "plain").err
    monkeypatch.setattr("checker.columns.machine.code_folder.is_kept", lambda: True)
    assert told not in run(*call, "columns").err


def test_machine_code_is_known_to_be_made_by_its_last_function(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from checker.columns.machine.code_folder import code_folder, is_kept

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert not is_kept()
    folder = code_folder()
    assert folder is not None
    (folder / "columns").mkdir(parents=True)
    (folder / "columns" / "round.judge_rows-1.py311.nbi").touch()
    assert is_kept()
