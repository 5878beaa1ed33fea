"""Rounds that do not come in the order of their time, and what narrows a result."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from checker.log.exact_json import dumps
from tests.replay.replay_support import GOOD, OVERPAID, Run, Write, a_round
from tests.replay.test_replay_repeats import both

SHOES = """
clause 8 "Shuffle after the cut card" {
  at round require shoe.shuffled when shoe.cut_card_out
}
"""


def hours(name: str, hour: int, *events: dict[str, Any], script: str = GOOD) -> dict[str, Any]:
    round_ = a_round(name, script, shoe="S1", at=f"2020-06-01T{hour:02d}:00:00+10:00")
    round_["events"] = [*round_["events"], *events]
    return round_


@pytest.fixture
def shoes() -> None:
    text = Path("corner.rules").read_text(encoding="utf-8")
    Path("corner.rules").write_text(text + SHOES, encoding="utf-8")


CUT = {"e": "cut_card"}


@pytest.mark.usefixtures("shoes")
def test_logs_are_read_in_the_order_of_their_times(run: Run, write: Write) -> None:
    """The second file ignores the cut card of the first, in whatever order they are named."""
    one = write(hours("R1", 10), hours("R2", 11, CUT), name="one.jsonl")
    two = write(hours("R3", 12), hours("R4", 13), name="two.jsonl")
    there, back = both(run, one, two), both(run, two, one)
    assert there.status == back.status == 1
    assert there.findings == back.findings
    assert {f["clause"] for f in there.findings} == {"8"}
    assert there.summary["misplaced"] == 0


@pytest.mark.usefixtures("shoes")
def test_a_broken_order_is_said_and_passes_nothing(run: Run, write: Write) -> None:
    ran = both(run, write(hours("R3", 12), hours("R2", 11, CUT), hours("R1", 10)))
    assert ran.status == 3
    assert ran.summary["misplaced"] == 2
    assert ran.summary["out_of_order"][0] == {
        "table": "T1",
        "log": "log.jsonl",
        "line": 2,
        "after": {"log": "log.jsonl", "line": 1},
    }
    assert "8" in {one["clause"] for one in ran.summary["not_checked"]}
    said = run("log.jsonl", "--rules", "corner.rules").out
    assert "2 rounds out of order" in said
    assert "table T1: line 2 of log.jsonl is earlier than line 1 of log.jsonl" in said


@pytest.mark.usefixtures("shoes")
def test_logs_that_interleave_are_said_to_be_out_of_order(run: Run, write: Write) -> None:
    one = write(hours("R1", 10), hours("R3", 12), name="one.jsonl")
    two = write(hours("R2", 11, CUT), hours("R4", 13), name="two.jsonl")
    ran = both(run, two, one)
    (told,) = ran.summary["out_of_order"]
    assert (told["log"], told["line"]) == (two, 1)
    assert told["after"] == {"log": one, "line": 2}
    assert ran.status == 1, "what the rest of the order shows is still found"


@pytest.mark.usefixtures("shoes")
def test_other_tables_and_equal_times_are_in_order(run: Run, write: Write) -> None:
    other = {**hours("R5", 9), "table": "T2"}
    slow = dumps({**hours("R2", 10), "note": "é"}).encode()
    ran = both(run, write(hours("R1", 10), other, slow, hours("R3", 11)))
    assert (ran.status, ran.summary["misplaced"]) == (0, 0)


# --- what narrows a result


def test_a_filter_is_said_first(run: Run, write: Write) -> None:
    log = write(a_round("R1", OVERPAID), a_round("R2"))
    rules = ("--rules", "corner.rules")
    for quiet in ((), ("--quiet",)):
        said = run(log, *rules, "--clause", "7", *quiet).out
        assert said.startswith("FILTERED: clause 7; 1 finding outside the filter\n")
        assert "No finding." not in said
    assert "No finding within the filter." in run(log, *rules, "--clause", "7").out
    said = run(log, *rules, "--from", "2020-06-01T00:00").out
    assert said.startswith("FILTERED: from 2020-06-01T00:00:00; rounds outside the filter are not")
    assert "FILTERED" not in run(log, *rules).out
    told = "clause 7; 1 finding outside the filter"
    for form in ("csv", "jsonl", "json"):
        first = run(log, *rules, "--clause", "7", "--format", form).out.splitlines()[0]
        assert first.startswith(f"FILTERED: {told}" if form == "csv" else f'{{"filtered": "{told}"')
        first = run(log, *rules, "--limit", "0", "--format", form).out.splitlines()[0]
        assert "limit 0; 1 finding beyond the limit" in first
        first = run(log, *rules, "--format", form).out.splitlines()[0]
        assert "filtered" not in first.lower()
        without = ("--without-reading", "ties")
        assert "ties" in run(log, *rules, *without, "--format", form).out.splitlines()[0]
    said = run(log, *rules, "--limit", "0").out
    assert said.startswith("FILTERED: limit 0; 1 finding beyond the limit\n")
    assert "without reading ties" in run(log, *rules, "--without-reading", "ties").out


def test_what_was_asked_for_stands_in_the_report(run: Run, write: Write) -> None:
    log = write(a_round("R1", OVERPAID), a_round("R2"))
    ran = both(run, log, "--clause", "7", "--limit", "3", "--table", "T1")
    assert ran.report["options"] == {
        "rules": "corner.rules",
        "table": "T1",
        "from": None,
        "to": None,
        "clause": "7",
        "player": [],
        "kind": [],
        "code": [],
        "rulebook": [],
        "amount": None,
        "limit": 3,
        "without_reading": [],
        "force": False,
        "fail_on": ["settlement", "play", "deal", "wager", "integrity"],
        "only": None,
    }
    assert ran.summary["outside_filter"] == 1


def test_a_finding_says_its_log_time_and_fingerprint(run: Run, write: Write) -> None:
    log = write(a_round("R1", OVERPAID))
    (found,) = both(run, log).findings
    assert (found["log"], found["at"]) == (log, "2020-06-01T12:00:00+10:00")
    assert found["fingerprint"]
    rows = list(
        csv.DictReader(io.StringIO(run(log, "--rules", "corner.rules", "--format", "csv").out))
    )
    assert [(row["log"], row["at"]) for row in rows] == [(log, "2020-06-01T12:00:00+10:00")]
    assert rows[0]["fingerprint"] == found["fingerprint"]
