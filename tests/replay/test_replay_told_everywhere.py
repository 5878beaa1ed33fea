"""What one command says of a log, the others say too; and what is remembered takes no memory."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from checker.cli import main
from tests.replay.replay_support import CORNER, GOOD, OVERPAID, Run, Write, a_round

ROOT = Path(__file__).parents[2]
HOUR = "2020-06-01T{:02}:00:00+10:00"


def at(hour: int, name: str, script: str = GOOD, **more: object) -> dict[str, object]:
    return a_round(name, script, at=HOUR.format(hour), **more)


def test_impact_tells_clashes_and_broken_order(
    write: Write, run: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    log = write(at(1, "a"), at(3, "c"), at(2, "b"), at(4, "d"), at(4, "d"), at(4, "d", OVERPAID))
    call = ["impact", "corner.rules", "corner.rules", log, "--no-classes"]
    status = main([*call, "--format", "json"])
    report = json.loads(capfd.readouterr().out)
    replayed = run(log, "--rules", "corner.rules", "--format", "json")
    clashes = [f for f in replayed.findings if f["code"] == "R570"]
    assert status == 1
    assert [(f["code"], f["line"], f["message"]) for f in report["findings"]] == [
        (f["code"], f["line"], f["message"]) for f in clashes
    ]
    assert len(clashes) == 1
    for name in ("copies", "misplaced", "out_of_order"):
        assert report["summary"][name] == replayed.summary[name] != 0
    assert main(call) == 1
    text = capfd.readouterr().out
    assert "R570 round d" in text
    assert "1 round out of order" in text
    ordered = write(at(1, "a"), at(3, "c"), at(2, "b"), name="only.jsonl")
    assert main(["impact", "corner.rules", "corner.rules", ordered, "--no-classes"]) == 3
    assert "1 round out of order" in capfd.readouterr().out


def test_jsonl_begins_with_what_narrows_it(write: Write, run: Run) -> None:
    log = write(at(1, "a", OVERPAID))
    call = (log, "--rules", "corner.rules", "--format", "jsonl")
    assert [json.loads(one)["code"] for one in run(*call).out.splitlines()] == ["R501"]
    for more in (("--clause", "7"), ("--limit", "1"), ("--table", "T1")):
        first = json.loads(run(*call, *more).out.splitlines()[0])
        asked = run(*call[:3], *more, "--format", "json").report["options"]
        assert first["record"] == "options"
        assert first["options"] == asked
        assert more[1] in first["filtered"]
    assert json.loads(run(*call, "--clause", "7").out)["outside_filter"] == 1


def test_the_report_names_the_rulebooks_that_judged(write: Write, run: Run) -> None:
    import hashlib

    report = run(write(at(1, "a")), "--rules", "corner.rules", "--format", "json").report
    text = Path("corner.rules").read_bytes()
    sha256 = hashlib.sha256(text).hexdigest()
    assert report["rulebooks"] == [{"id": "corner", "day": "2020-01-01", "sha256": sha256}]


@pytest.mark.parametrize("engine", ["plain", "columns"])
def test_nobody_is_said_not_to_have_been_told_where_the_order_is_broken(
    write: Write, run: Run, engine: str
) -> None:
    if engine == "columns":
        pytest.importorskip("numba")
    warned = 'clause 8 "Told" { casino must warn when wager.under_minimum }\n'
    Path("corner.rules").write_text(CORNER + warned)
    low = {"limits": {"main": {"min": 20, "max": 100}}}
    call = ("--rules", "corner.rules", "--format", "json", "--engine", engine)
    told = at(3, "c", f"warn P1\n{GOOD}", **low)
    whole = run(write(told, at(4, "d", **low), at(5, "e", GOOD.replace("P1", "P2"), **low)), *call)
    assert [f["round"] for f in whole.findings if f["code"] == "R540"] == ["e"]
    broken = run(write(told, at(2, "b"), at(4, "d", **low)), *call)
    assert not [f for f in broken.findings if f["code"] == "R540"]


def test_an_act_against_a_player_is_asked_of_players(write: Write, run: Run) -> None:
    Path("corner.rules").write_text(
        CORNER + 'clause 8 "Out" { casino may exclude_player when player.absent }\n'
    )
    excluded = f"approve exclude_player P1\n{GOOD}"
    absent = f"absent 1 P1\n{excluded}"
    log = write(at(1, "present", excluded), at(2, "absent", absent))
    ran = run(log, "--rules", "corner.rules", "--format", "json")
    assert [f["round"] for f in ran.findings if f["code"] == "R580"] == ["present"]


def test_rounds_that_were_seen_take_little_memory() -> None:
    """A million digests: as a dictionary they would take some two hundred megabytes."""
    code = (
        "import resource\n"
        "from checker.log.repeated_rounds import Seen, SeenRounds\n"
        "seen = SeenRounds()\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "for n in range(1_000_000):\n"
        "    seen.keep(n * 7919 % 2**40, Seen(n, n, 0, n))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    assert resource.RUSAGE_SELF == 0  # kilobytes, as Linux counts them
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert int(ran.stdout) < 48_000, ran.stderr
