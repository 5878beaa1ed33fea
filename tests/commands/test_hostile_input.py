"""Input that nobody means: each comes to a clear refusal, and leaves nothing half done."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checker import cli
from tests.support import PATIENCE

ROOT = Path(__file__).resolve().parent.parent.parent

HEADER = 'rulebook example { title "Pontoon" in force from 2024-01-01 }\n'
SOUND = HEADER + 'clause 5.1 "A total of 21" { main wins when hand.total = 21 }\n'


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RULESPEC_TRACEBACK", raising=False)


@pytest.fixture(scope="module")
def lawful(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Six rounds at two tables."""
    path = tmp_path_factory.mktemp("log") / "ok.jsonl"
    call = ["simulate", "act-pontoon", "--rounds", "6", "--seed", "1", "--tables", "2"]
    assert cli.main([*call, "--quiet", "--output", str(path)]) == 0
    return path.read_bytes()


def refused(shown: Any, *words: str) -> None:
    """What is said on stderr has every word, advice, and no trace of Python."""
    for word in words:
        assert word in shown.err
    assert "\nhelp: " in shown.err
    assert "Traceback" not in shown.err


def process(*arguments: str, **settings: Any) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "rulespec", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        preexec_fn=heed_ctrl_c if os.name == "posix" else None,
        **settings,
    )


def heed_ctrl_c() -> None:
    """Whoever runs the tests in the background has them ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


# --- rule files


@pytest.mark.parametrize(
    "clause",
    [
        f"main wins when hand.total = {'9' * 6000}",
        f"main pays {'9' * 6000} to 1",
        f"super_bonus pays ${'9' * 6000}",
        f"super_bonus pays $9{',999' * 2000}",
        f"cards J, Q, K count {'9' * 6000}",
    ],
)
@pytest.mark.parametrize("command", ["check", "fmt", "coverage"])
def test_a_number_that_cannot_be_reckoned_with(
    command: str, clause: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("huge.rules").write_text(HEADER + f'clause 5.1 "Huge" {{ {clause} }}\n')
    assert cli.main([command, "huge.rules"]) == 2
    shown = capsys.readouterr().out
    assert "R112: a number of 6," in shown
    assert "huge.rules:2:" in shown
    assert "  help: a number has at most 12 digits" in shown


def test_long_digits_in_words_are_no_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    Path("long.rules").write_text(
        HEADER + f'# {"9" * 50}\nclause 5.1 "No. {"9" * 50}" {{ main wins when hand.total = 21 }}\n'
    )
    assert cli.main(["check", "long.rules", "--no-proofs"]) == 0


@pytest.mark.parametrize(
    ("clause", "advice"),
    [
        ("main pays 1 to 0", "both numbers are from 1 up"),
        ("at insure require play.stake <= wager.original / 0", "divide by a number from 1 up"),
        ("in force from 2024-02-30", "write a day of the calendar as YYYY-MM-DD"),
    ],
)
def test_what_makes_no_sense_is_told_with_advice(
    clause: str, advice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("odd.rules").write_text(HEADER + f'clause 5.1 "Odd" {{ {clause} }}\n')
    assert cli.main(["check", "odd.rules", "--no-proofs"]) == 2
    assert f"  help: {advice}" in capsys.readouterr().out


@pytest.mark.parametrize("format_", ["dot", "mermaid", "text"])
def test_no_part_of_a_graph_is_drawn(format_: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("odd.rules").write_text(SOUND + 'clause 5.2 "Odds" { main pays 1 to 0 }\n')
    assert cli.main(["graph", "odd.rules", "--format", format_]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "R112" in shown.err


def test_no_scenarios_come_with_advice(capsys: pytest.CaptureFixture[str]) -> None:
    Path("sound.rules").write_text(SOUND)
    assert cli.main(["test", "sound.rules"]) == 2
    assert "  help: they stand beside a rule file" in capsys.readouterr().out


# --- names


@pytest.mark.parametrize("name", ["", " ", "@2024-01-01"])
@pytest.mark.parametrize(
    "call",
    [
        ["check"],
        ["fmt"],
        ["fmt", "--check"],
        ["coverage"],
        ["graph", "--format", "text"],
        ["test"],
        ["simulate", "--rounds", "1", "--seed", "1"],
        ["replay", "ok.jsonl", "--rules"],
        ["explain", "ok.jsonl", "--round", "T01-000001", "--rules"],
    ],
)
def test_an_empty_name_stands_for_nothing(
    call: list[str], name: str, lawful: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("ok.jsonl").write_bytes(lawful)
    Path("messy.rules").write_text(SOUND)
    assert cli.main([*call, name]) == 2
    shown = capsys.readouterr()
    assert "R008: an empty name stands for no rulebook" in shown.out + shown.err
    assert "  help: name an id, a `.rules` file or a folder" in shown.out + shown.err
    assert Path("messy.rules").read_text() == SOUND


# --- logs


@pytest.mark.parametrize("decks", ['"6"', "1000000000000", "9" * 6000, "6.5"])
@pytest.mark.parametrize("target", ["out.parquet", "out.jsonl"])
def test_decks_that_are_no_number_are_not_converted(
    decks: str, target: str, lawful: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow")
    first, rest = lawful.split(b"\n", 1)
    head = json.loads(first)
    bad = first.replace(b'"decks":%d' % head["decks"], b'"decks":' + decks.encode())
    assert bad != first
    Path("bad.jsonl").write_bytes(bad + b"\n" + rest)
    assert cli.main(["convert", "bad.jsonl", target]) == 2
    refused(capsys.readouterr(), "line 1 of `bad.jsonl`: decks")
    assert os.listdir() == ["bad.jsonl"]


def test_a_simulation_beyond_the_calendar(capsys: pytest.CaptureFixture[str]) -> None:
    call = ["simulate", "act-pontoon", "--rounds", "2", "--seed", "1"]
    assert cli.main([*call, "--start", "9999-12-31T23:59:59Z", "--output", "log.jsonl"]) == 2
    refused(capsys.readouterr(), "the calendar ends in 9999")
    assert os.listdir() == []


@pytest.mark.parametrize("log", [b"", b"\n \n", b"no round\n"])
@pytest.mark.parametrize(
    "call",
    [
        ["replay", "log.jsonl"],
        ["replay", "log.jsonl", "--format", "json", "--quiet"],
        ["impact", "act-pontoon", "act-pontoon", "log.jsonl", "--no-classes"],
        ["convert", "log.jsonl", "out.jsonl"],
        ["convert", "log.jsonl", "out.parquet"],
    ],
)
def test_a_log_without_rounds_is_told(
    call: list[str], log: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("log.jsonl").write_bytes(log)
    assert cli.main(call) == 2
    refused(capsys.readouterr(), "valid round" if log.strip() else "there is no round in `log.j")
    assert os.listdir() == ["log.jsonl"]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--table", "T99"], "left by `--table`"),
        (["--from", "2030-01-01T00:00:00Z"], "left by `--from`"),
        (["--table", "T01", "--to", "1999-01-01"], "left by `--table` and `--to`"),
    ],
)
@pytest.mark.parametrize("engine", ["plain", "columns"])
def test_why_no_round_matches_is_told(
    options: list[str], named: str, engine: str, lawful: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    if engine == "columns":
        pytest.importorskip("numba")
    Path("ok.jsonl").write_bytes(lawful)
    assert cli.main(["replay", "ok.jsonl", "--engine", engine, *options]) == 2
    refused(
        capsys.readouterr(),
        f"no round of `ok.jsonl` is {named}\nhelp: its rounds are of tables "
        "T01, T02, from 2005-02-07T12:00:00+11:00 to 2005-02-07T12:0",
    )


@pytest.mark.parametrize(
    "call",
    [
        ["replay", "gone.jsonl"],
        ["convert", "gone.jsonl", "out.jsonl"],
        ["explain", "gone.jsonl", "--round", "1"],
        ["impact", "act-pontoon", "act-pontoon", "gone.jsonl", "--no-classes"],
    ],
)
def test_a_log_that_is_not_there(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(call) == 2
    refused(capsys.readouterr(), "`gone.jsonl` does not exist\nhelp: check the name")


# --- options


@pytest.mark.parametrize("call", [["replay"], ["impact", "act-pontoon", "act-pontoon"]])
def test_more_jobs_than_cores_are_of_no_use(
    call: list[str],
    lawful: bytes,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from checker import replay_logs
    from checker.impact import run as impact_run
    from checker.replay import replay

    asked: list[int] = []
    for module, name in ((replay_logs, "replay"), (impact_run, "impact")):
        real = getattr(replay if name == "replay" else impact_run, name)

        def counting(*parts: Any, real: Any = real) -> Any:
            asked.append(parts[-1])
            return real(*parts[:-1], 1)

        monkeypatch.setattr(module, name, counting)
    Path("ok.jsonl").write_bytes(lawful)
    cli.main([*call, "ok.jsonl", "--jobs", "100000"])
    assert asked == [max(os.cpu_count() or 1, 2)]
    assert "jobs are used" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--fail-on", ""], "argument --fail-on: what is given is empty"),
        (["--fail-on", ","], "`--fail-on` names no kind"),
        (["--table", " "], "argument --table: what is given is empty"),
        (["--clause="], "argument --clause: what is given is empty"),
        (["--quarantine", ""], "argument --quarantine: what is given is empty"),
        (["--quarantine", "nowhere/q"], "cannot write `nowhere/q`: no folder `nowhere`"),
        (["--output", "nowhere/o"], "cannot write `nowhere/o`: no folder `nowhere`"),
        (["--rules", "act-pontoon", "--rules", "nz-pontoon"], "--rules: it is given twice"),
        (["--table", "T01", "--table", "T02"], "--table: it is given twice"),
        (["--master", "local[2]"], "`--master` is for --engine spark"),
        (["--engine", "plain", "--master", "local[2]"], "`--master` is for --engine spark"),
        (["--from", "2024-01-02", "--to", "2024-01-01"], "`--from` is not before `--to`"),
        (["--from", "2024-01-02", "--to", "2024-01-02"], "`--from` is not before `--to`"),
    ],
)
def test_an_option_that_would_be_passed_over_is_refused(
    option: list[str], message: str, lawful: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("ok.jsonl").write_bytes(lawful)
    assert cli.main(["replay", "ok.jsonl", *option]) == 2
    shown = capsys.readouterr()
    refused(shown, message)
    assert shown.out == ""


def test_the_same_option_twice_says_nothing_new(
    lawful: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("ok.jsonl").write_bytes(lawful)
    rules = ["--rules", "act-pontoon"]
    assert cli.main(["replay", "ok.jsonl", *rules, *rules]) == 0


# --- where results go


@pytest.mark.parametrize("place", ["/proc/no-such-folder", "a-file", "a-file/folder"])
def test_a_place_for_witnesses_is_looked_at_before_any_proof(
    place: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from checker import check

    monkeypatch.setattr(check, "check", lambda *_, **__: pytest.fail("it began to prove"))
    Path("a-file").touch()
    assert cli.main(["check", "act-pontoon", "--save-witnesses", place]) == 2
    refused(capsys.readouterr(), f"witnesses cannot be written to `{place}`: ")


def test_no_witnesses_leave_no_folder(capsys: pytest.CaptureFixture[str]) -> None:
    Path("sound.rules").write_text(SOUND)
    cli.main(["check", "sound.rules", "--no-proofs", "--save-witnesses", "deep/er"])
    assert os.listdir() == ["sound.rules"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("format_", ["text", "json", "jsonl", "csv"])
def test_a_full_disk_is_no_fault_of_rulespec(format_: str, lawful: bytes) -> None:
    Path("ok.jsonl").write_bytes(lawful)
    with open("/dev/full", "wb") as full:
        ran = process("replay", "ok.jsonl", "--format", format_, "--quiet", stdout=full)
        _, said = ran.communicate(timeout=PATIENCE)
    assert said.decode().splitlines()[0].startswith("rulespec: cannot write the result: ")
    assert said.decode().splitlines()[1].startswith("help: ")
    assert ran.returncode == 2


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no folder that takes no file")
@pytest.mark.parametrize("option", ["--output", "--quarantine"])
def test_a_folder_that_takes_no_file(
    option: str, lawful: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("ok.jsonl").write_bytes(lawful)
    assert cli.main(["replay", "ok.jsonl", option, "/proc/no-such-file"]) == 2
    refused(capsys.readouterr(), "rulespec: cannot write `/proc/no-such-file`: no such file")


# --- ended from outside


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_ended_simulation_leaves_the_files_as_they_were(number: signal.Signals) -> None:
    Path("log.jsonl").write_text("the log of yesterday\n")
    call = ("simulate", "nz-pontoon", "--rounds", "10000000", "--seed", "1", "--faults", "0.1")
    ran = process(*call, "--output", "log.jsonl", "--fault-list", "faults.jsonl")
    until(lambda: sum(p.stat().st_size for p in Path().glob(".log.jsonl.*")) > 0, ran)
    ran.send_signal(number)
    _, said = ran.communicate(timeout=PATIENCE)
    assert (ran.returncode, len(said.splitlines())) == (128 + number, 1)
    assert os.listdir() == ["log.jsonl"]
    assert Path("log.jsonl").read_text() == "the log of yesterday\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_ended_replay_leaves_no_quarantine(number: signal.Signals, lawful: bytes) -> None:
    """The log is a pipe that stays open, so the replay waits in the middle of it."""
    with process("replay", "-", "--quarantine", "bad.jsonl", stdin=subprocess.PIPE) as ran:
        assert ran.stdin is not None
        assert ran.stderr is not None
        ran.stdin.write(b"no round\n" * 10 + lawful)
        ran.stdin.flush()
        until(lambda: bool(list(Path().glob(".bad.jsonl.*"))), ran)
        ran.send_signal(number)
        said = ran.stderr.read()
        assert ran.wait(timeout=PATIENCE) == 128 + number
    assert len(said.splitlines()) == 1
    assert os.listdir() == []


def until(seen: Callable[[], bool], ran: "subprocess.Popen[bytes]") -> None:
    for _ in range(10 * PATIENCE):
        if seen():
            return
        assert ran.poll() is None
        time.sleep(0.1)
    pytest.fail("it never came")


@pytest.mark.parametrize("module", ["checker.commands.output", "checker.commands.check"])
def test_ctrl_c_while_modules_are_read_is_quiet(module: str) -> None:
    Path("sitecustomize.py").write_text(f"""
import os, signal, sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            exec("os.kill(os.getpid(), signal.SIGINT)")  # as the making of a dataclass does
sys.meta_path.insert(0, Interrupt())
signal.signal(signal.SIGINT, signal.default_int_handler)
""")
    ran = subprocess.run(
        [sys.executable, "-m", "rulespec", "check", "--help"],
        capture_output=True,
        timeout=PATIENCE,
        check=False,
        env={**os.environ, "PYTHONPATH": f".{os.pathsep}{ROOT}"},
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, b"", b"rulespec: interrupted\n")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children cannot be counted")
def test_ctrl_c_is_told_once_however_many_work(capsys: pytest.CaptureFixture[str]) -> None:
    call = ["simulate", "act-pontoon", "--rounds", "200", "--seed", "1", "--quiet"]
    assert cli.main([*call, "--output", "log.jsonl"]) == 0
    ran = process("replay", "-", "--jobs", "2", stdin=subprocess.PIPE, start_new_session=True)
    with ran:
        assert ran.stdin is not None
        assert ran.stderr is not None
        ran.stdin.write(Path("log.jsonl").read_bytes())
        ran.stdin.flush()
        children = Path(f"/proc/{ran.pid}/task/{ran.pid}/children")
        until(lambda: len(children.read_text().split()) == 2, ran)
        time.sleep(0.5)
        os.killpg(ran.pid, signal.SIGINT)
        assert ran.stderr.read() == b"rulespec: interrupted\n"
        assert ran.wait(timeout=PATIENCE) == 130


@pytest.mark.skipif(os.name != "posix", reason="names of files are bytes there")
@pytest.mark.parametrize("format_", ["text", "json", "sarif"])
def test_a_name_that_is_no_text_is_only_not_found(format_: str) -> None:
    with process("check", "--format", format_, b"\xff\xfe", stdout=subprocess.PIPE) as started:  # type: ignore[arg-type]
        out, err = started.communicate(timeout=PATIENCE)
    assert started.returncode == 2
    assert b"Traceback" not in out + err
    assert b"a fault in rulespec" not in err
