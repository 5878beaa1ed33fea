"""The same bytes from every run, in flat memory, however a run is started or ended."""

from __future__ import annotations

import gc
import gzip
import io
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from checker.log import repeated_rounds
from checker.replay.replay import Filter, Judged, Library, Summary, replay
from rulespec.load.load import load
from tests.replay.replay_support import FORMATS, GOOD, OVERPAID, TIED, WON, Run, Write, a_round
from tests.support import PATIENCE

ROOT = Path(__file__).resolve().parent.parent.parent


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
def test_two_runs_and_two_cores_give_identical_bytes(run: Run, write: Write, format_: str) -> None:
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
    named = plain.out.replace(f'"log": "{log}"', f'"log": "{other}"')
    assert (again.status, again.out) == (plain.status, named)


def command(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    """`rulespec …` as a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **options.pop("env", {})}
    return subprocess.Popen(
        [sys.executable, "-m", "rulespec", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        **options,
    )


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_replay_that_was_killed_can_be_started_again(run: Run, write: Write, jobs: str) -> None:
    log = write(*(a_round(f"R{n}", OVERPAID) for n in range(800)))
    call = (
        "replay",
        log,
        "--rules",
        "corner.rules",
        "--format",
        "jsonl",
        "--jobs",
        jobs,
        "--quarantine",
        "bad.jsonl",
    )
    undisturbed = run(*call[1:])
    with command(*call, start_new_session=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline()  # it is under way
        os.killpg(process.pid, signal.SIGKILL)
        process.stdout.read()
        assert process.wait(PATIENCE) == -signal.SIGKILL
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
        assert process.wait(PATIENCE) != 70
    assert "fault" not in said
    assert "Error" not in said


@pytest.mark.parametrize("format_", FORMATS)
def test_any_name_can_be_written_to_any_terminal(write: Write, format_: str) -> None:
    """A terminal that knows only ASCII still gets the report, and JSON stays UTF-8."""
    log = write(a_round("R1", OVERPAID.replace("P1", "Zoë")))
    call = ("replay", log, "--rules", "corner.rules", "--format", format_)
    with command(*call, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}) as process:
        out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, b"fault" in err) == (1, False)
    assert b"Zo" in out
    if format_.startswith("json"):
        assert "Zoë" in out.decode("utf-8")


# --- memory


def test_memory_stays_flat(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Digests of the last rounds are at hand, those of older ones on disk; of a round itself
    nothing is left."""
    monkeypatch.setattr(repeated_rounds, "_RECENT", 100)
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
    assert (summary.rounds, summary.undecided) == (3000, 3000)
    kept = (blocks[3000] - blocks[300]) / 2700
    assert kept < 1, f"{kept:.1f} pieces of memory are kept for each round"
