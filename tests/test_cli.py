"""The command line: exit statuses, where results go, and what bad input comes to."""

import json
import os
import re
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checker import cli, commands
from checker.commands import COMMANDS, available
from checker.commands import check as check_command
from rulespec import __version__
from rulespec.codes import CODES

ROOT = Path(__file__).resolve().parent.parent

HEADER = 'rulebook example { title "Pontoon" in force from 2024-01-01 }\n'
SOUND = HEADER + 'clause 5.1 "A total of 21" { main wins when hand.total = 21 }\n'
FLAWED = HEADER + 'clause 5.1 "Doubled" { cites 5.9 as payout main wins when hand.doubled }\n'
ACCEPTED = FLAWED + 'accept R201 at 5.1 because "known" until 2030-01-01\n'
NOTED = HEADER + 'clause 5.1 "Act" { cites outside "Casino Act" main wins when hand.doubled }\n'


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("RULESPEC_TRACEBACK", raising=False)


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    def write_file(text: str | bytes, name: str = "example.rules") -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    return write_file


def command(
    *arguments: str, data: bytes = b"", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """`rulespec …` as a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}
    done = subprocess.run(
        [sys.executable, "-m", "rulespec", *arguments],
        input=data, capture_output=True, timeout=60, check=False, env=environment,
    )  # fmt: skip
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


# --- the frame


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"rulespec {__version__}\n"


@pytest.mark.parametrize(
    "arguments", [["--version"], ["--help"], ["check", "--help"], ["docs"], ["nonsense"]]
)
def test_light_calls_import_nothing_heavy(arguments: list[str]) -> None:
    heavy = ("rich", "lark", "yaml", "jsonschema", "z3", "pyarrow", "numpy")
    script = (
        "import sys; from checker.cli import main\n"
        f"main({arguments!r})\n"
        f"print(sorted(set({heavy!r}) & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.stderr.splitlines()[-1] == "[]"


def test_help_lists_the_commands_that_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert {"check", "coverage", "docs"} <= set(available()) <= set(COMMANDS)
    assert cli.main(["--help"]) == 0
    shown = capsys.readouterr().out
    for name in COMMANDS:
        assert bool(re.search(rf"^  {name} ", shown, re.MULTILINE)) == (name in available())


@pytest.mark.parametrize("name", sorted(available()))
def test_every_command_has_the_common_options(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([name, "--help"]) == 0
    shown = capsys.readouterr().out
    for option in ("--format", "--output FILE", "--quiet", "--no-color"):
        assert option in shown


def test_every_module_of_a_command_is_in_the_table() -> None:
    folder = Path(commands.__file__).parent
    with_register = [p.stem for p in folder.glob("*.py") if "\ndef register(" in p.read_text()]
    assert with_register
    assert set(with_register) <= set(COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "message", "advice"),
    [
        (["chekc"], "rulespec: there is no command `chekc`", "did you mean `check`?"),
        (["xyzzy"], "rulespec: there is no command `xyzzy`", "`rulespec --help` lists"),
        (["--quiet"], "rulespec: there is no option `--quiet`", "`rulespec --help` shows"),
        (["check", "--ful"], "rulespec check: there is no option `--ful`", "did you mean `--full`"),
        (["check", "--format", "xml"], "there is no format `xml` here", "`rulespec check --help`"),
        (["check", "--today", "2024-02-30"], "`2024-02-30` is not a date", "--help"),
        (["check", "--format"], "rulespec check: argument --format: expected one", "--help"),
        (["docs", "R201", "R202"], "`R202` is more than this command takes", "--help"),
        (["docs", "R2O1"], "there is no code `R2O1`", "did you mean `R201`?"),
        (["docs", "dangling-refrence"], "there is no code", "did you mean `dangling-reference`?"),
        (["docs", "xyzzy"], "there is no code `xyzzy`", "`rulespec docs` lists the codes"),
    ],
)
def test_a_wrong_call_is_told_clearly(
    arguments: list[str], message: str, advice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    first, second = shown.err.splitlines()
    assert message in first
    assert second.startswith("help: ")
    assert advice in second


def test_no_command_shows_the_help_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "commands:" in shown.err


def test_options_may_stand_anywhere(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = write(SOUND, "a.rules"), write(SOUND.replace("example", "other"), "b.rules")
    assert cli.main(["check", first, "--format", "json", second]) == 0
    assert len(json.loads(capsys.readouterr().out)["inputs"]) == 2
    assert cli.main(["check", "--format=json", "--", first]) == 0


def fail_with(error: BaseException) -> Callable[..., Any]:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    return fail


def test_a_fault_is_one_line_and_70(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check_command, "check", fail_with(KeyError("two\nlines")))
    assert cli.main(["check"]) == 70
    shown = capsys.readouterr()
    (only,) = shown.err.splitlines()
    assert "a fault in rulespec itself" in only
    assert "KeyError" in only
    assert "RULESPEC_TRACEBACK=1" in only
    monkeypatch.setenv("RULESPEC_TRACEBACK", "1")
    assert cli.main(["check"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupt_is_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check_command, "check", fail_with(KeyboardInterrupt()))
    assert cli.main(["check"]) == 130
    assert capsys.readouterr().err == "rulespec: interrupted\n"


@pytest.mark.skipif(os.name == "nt", reason="pipes close differently there")
def test_a_reader_that_leaves_is_no_fault(write: Callable[..., str]) -> None:
    clauses = "".join(f'clause 5.{n} "x" {{ cites 9.{n} }}\n' for n in range(1, 3000))
    write(HEADER + clauses)
    process = subprocess.Popen(
        [sys.executable, "-m", "rulespec", "check", "example.rules"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    errors = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(timeout=60) == 1  # what was found still stands
    assert errors == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_told(write: Callable[..., str]) -> None:
    write(FLAWED)
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "rulespec", "check", "example.rules"],
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
    assert done.returncode == 2
    first, second = done.stderr.splitlines()
    assert first == "rulespec: cannot write the result: no space left on device"
    assert second.startswith("help: ")


# --- exit statuses of check, the same in every format


@pytest.mark.parametrize("format", check_command.FORMATS)
@pytest.mark.parametrize(
    ("text", "options", "status"),
    [
        (SOUND, [], 0),
        (NOTED, [], 0),
        (FLAWED, [], 1),
        (ACCEPTED, ["--today", "2025-01-01"], 0),
        (ACCEPTED, ["--today", "2025-01-01", "--no-accept"], 1),
        (ACCEPTED, ["--today", "2030-01-01"], 1),
        (SOUND.replace("total", "totl"), [], 2),
        (FLAWED.replace("doubled", "dubled"), [], 2),
    ],
    ids=["sound", "noted", "flawed", "accepted", "no-accept", "expired", "error", "flaw-and-error"],
)
def test_exit_status_of_check(
    format: str, text: str, options: list[str], status: int,
    write: Callable[..., str], capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    assert cli.main(["check", write(text), "--format", format, *options]) == status
    assert capsys.readouterr().err == ""


def test_no_accept_lists_what_is_accepted(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    name = write(ACCEPTED)
    for options, found, accepted in (([], 0, 1), (["--no-accept"], 1, 0)):
        cli.main(["check", name, "--format", "json", "--today", "2025-01-01", *options])
        report = json.loads(capsys.readouterr().out)
        assert [len(report["findings"]), len(report["accepted"])] == [found, accepted]
        assert report["summary"]["findings"] == found
        assert report["summary"]["accepted"] == accepted
        assert all("accepted" not in f for f in report["findings"])


def test_a_file_named_twice_is_checked_once(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    name = write(FLAWED)
    assert cli.main(["check", name, f"./{name}", str(Path(name).absolute()), ".",
                     "--format", "json"]) == 1  # fmt: skip
    report = json.loads(capsys.readouterr().out)
    assert len(report["inputs"]) == 1
    assert len(report["findings"]) == 1


def test_a_file_that_others_include_is_no_rulebook(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    write(HEADER + 'include "part.rules"\n', "book/main.rules")
    write('clause 5.1 "A total of 21" { main wins when hand.total = 21 }\n', "book/part.rules")
    assert cli.main(["check", "book", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [Path(i["path"]).name for i in report["inputs"]] == ["main.rules", "part.rules"]
    assert cli.main(["check", "book/part.rules"]) == 2


def test_what_is_wrong_with_a_shared_file_is_said_once(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    write("clause oops\n", "part.rules")
    for name in ("a", "b"):
        write(f'rulebook {name} {{ title "x" }}\ninclude "part.rules"\n', f"{name}.rules")
    assert cli.main(["check", "a.rules", "b.rules", "--format", "json"]) == 2
    assert len(json.loads(capsys.readouterr().out)["findings"]) == 1


@pytest.mark.parametrize(("text", "status"), [(SOUND, 0), (FLAWED, 1), ("", 2), ("oops {", 2)])
def test_standard_input(text: str, status: int) -> None:
    done = command("check", "-", "--format", "json", data=text.encode())
    assert done.returncode == status
    assert done.stderr == ""
    report = json.loads(done.stdout)
    (entry,) = report["inputs"]
    assert entry["path"] == "-"
    assert len(entry["sha256"]) == 64
    assert all(f["span"]["file"] == "-" for f in report["findings"])


def test_standard_input_may_include_and_is_excerpted(write: Callable[..., str]) -> None:
    write('clause 5.2 "Over 21" { main loses when hand.total > 21 }\n', "part.rules")
    done = command("check", "-", data=(FLAWED + 'include "part.rules"\n').encode())
    assert done.returncode == 1
    assert "  at -:2:30\n" in done.stdout
    assert "cites 5.9 as payout" in done.stdout
    assert "1 rulebook with 2 clauses" in done.stdout


def test_the_text_of_a_day(write: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    name = write(
        'rulebook example { title "x" in force from 2024-01-01 until 2026-01-01 }\n'
        'clause 5.1 "New" { in force from 2025-01-01 cites 9 main wins when hand.doubled }\n'
    )
    assert cli.main(["check", f"{name}@2025-06-01"]) == 1
    assert cli.main(["check", f"{name}@2024-06-01"]) == 0
    capsys.readouterr()
    for day in ("2023-12-31", "2026-01-01"):
        assert cli.main(["check", f"{name}@{day}"]) == 2
        assert f"`example` is not in force on {day}" in capsys.readouterr().out
    assert cli.main(["check", f"{name}@2024-02-30"]) == 2


# --- where results go


def test_output_is_written_whole(
    write: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, output = write(FLAWED), tmp_path / "out.json"
    output.write_text("old")
    output.chmod(0o640)
    assert cli.main(["check", name, "--format", "json", "--output", str(output)]) == 1
    assert capsys.readouterr() == ("", "")
    assert json.loads(output.read_text())["command"] == "check"
    assert stat.S_IMODE(output.stat().st_mode) == 0o640
    assert sorted(p.name for p in tmp_path.iterdir()) == [name, "out.json"]


def test_output_through_a_link_keeps_the_link(write: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("real.txt")
    assert cli.main(["check", write(SOUND), "--output", "link.txt"]) == 0
    assert (tmp_path / "link.txt").is_symlink()
    assert "No open findings" in (tmp_path / "real.txt").read_text()


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no /dev/stdout here")
def test_output_to_a_device(write: Callable[..., str]) -> None:
    done = command("check", write(SOUND), "--output", "/dev/stdout")
    assert done.returncode == 0
    assert "No open findings" in done.stdout


@pytest.mark.parametrize("target", ["folder", "gone/out.json"])
def test_output_that_cannot_be_written(
    target: str, write: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    assert cli.main(["check", write(SOUND), "--output", target]) == 2
    shown = capsys.readouterr()
    assert f"cannot write `{target}`" in shown.err
    assert shown.out == ""


def test_output_that_fails_late_leaves_nothing_behind(
    write: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(os, "replace", fail_with(PermissionError(13, "Permission denied")))
    name = write(SOUND)
    assert cli.main(["check", name, "--output", "out.json"]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first == "rulespec: cannot write `out.json`: permission denied"
    assert second.startswith("help: ")
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_a_terminal_that_cannot_show_every_sign(write: Callable[..., str]) -> None:
    write(HEADER + 'clause 5.1 "Tür" { uses "Zähler" main wins when hand.doubled }\n')
    done = command("check", "example.rules", env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert done.returncode == 1
    assert done.stderr == ""
    assert "Z\\xe4hler" in done.stdout


def test_json_is_utf_8_wherever_it_goes(write: Callable[..., str]) -> None:
    write(HEADER + 'clause 5.1 "Tür" { uses "Zähler" main wins when hand.doubled }\n')
    done = command("check", "example.rules", "--format", "json", env={"PYTHONIOENCODING": "ascii"})
    assert "`Zähler`" in json.loads(done.stdout)["findings"][0]["message"]


def test_no_colour_in_a_pipe(write: Callable[..., str]) -> None:
    done = command("check", write(FLAWED), env={"FORCE_COLOR": "1"})
    assert "\x1b" not in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminals there")
@pytest.mark.parametrize(
    ("options", "environment", "coloured"),
    [
        ([], {}, True),
        (["--no-color"], {}, False),
        ([], {"NO_COLOR": "1"}, False),
        ([], {"NO_COLOR": ""}, True),
        ([], {"TERM": "dumb"}, False),
    ],
)
def test_colour_on_a_terminal(
    options: list[str], environment: dict[str, str], coloured: bool, write: Callable[..., str]
) -> None:
    import pty

    write(FLAWED)
    shown = {}
    for extra in ([], ["--no-color"]):
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "rulespec", "check", "example.rules", *options, *extra],
            stdout=theirs, stdin=subprocess.DEVNULL,
            env={**os.environ, "TERM": "xterm", "PYTHONPATH": str(ROOT), **environment},
        )  # fmt: skip
        os.close(theirs)
        data = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:
                break
            if not part:
                break
            data += part
        os.close(ours)
        assert process.wait(timeout=60) == 1
        shown[bool(extra)] = data.decode()
    assert ("\x1b[" in shown[False]) == coloured
    assert "\x1b[" not in shown[True]
    assert re.sub(r"\x1b\[[0-9;]*m", "", shown[False]) == shown[True]


def test_quiet_says_nothing_about_a_sound_text(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["check", write(SOUND), "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


# --- bad input: a clear error, status 2, no traceback, no hang

DEEP = {
    "not": "not " * 20_000 + "hand.doubled",
    "brackets": "hand.doubled and (" * 5_000 + "hand.doubled" + ")" * 5_000,
    "sums": "hand.total = " + "1 + " * 20_000 + "1",
}

BAD: dict[str, tuple[bytes, str]] = {
    "binary": (bytes(range(256)) * 64, "R002"),
    "zero bytes": (SOUND.encode() + b"\0", "R002"),
    "picture": (b"\x89PNG\r\n\x1a\n" + b"\xff\xfe\x00" * 100, "R002"),
    "empty": (b"", "R003"),
    "blank": (b" \n\t\n\xef\xbb\xbf"[:4], "R003"),
    "only comments": (b"# nothing\n# yet\n", "R003"),
    "10 MB": (b"# ten megabytes\n" * 655_360, "R004"),
    "latin-1": (SOUND.replace("Pontoon", "Pontoon – é").encode("cp1252"), "R002"),
    "utf-16": (SOUND.encode("utf-16"), "R002"),
    "unclosed block": (SOUND.rstrip("}\n ").encode(), "R005"),
    "unclosed quotes": (SOUND.replace('21" {', "21 {").encode(), "R005"),
    "too many brackets": ((SOUND + "}}}}").encode(), "R005"),
    "only brackets": (b"{" * 100_000, "R005"),
    "not rules at all": (b"<html><body>404 Not Found</body></html>", "R005"),
    "json": (b'{"format": 1, "round": "T12-000345"}', "R005"),
    "no rulebook": (SOUND.replace(HEADER, "").encode(), "R009"),
    "includes itself": ((HEADER + 'include "bad.rules"\n').encode(), "R006"),
    "includes nothing": ((HEADER + 'include "gone.rules"\n').encode(), "R001"),
    "includes a folder": ((HEADER + 'include "."\n').encode(), "R001"),
    "long line": ((HEADER + "clause " + "x" * 1_000_000).encode(), "R005"),
    **{
        f"deep {name}": (SOUND.replace("hand.total = 21", condition).encode(), "R007")
        for name, condition in DEEP.items()
    },
}


def refused(arguments: list[str], code: str, capsys: pytest.CaptureFixture[str]) -> None:
    begun = time.monotonic()
    assert cli.main(["check", *arguments]) == 2
    assert time.monotonic() - begun < 20
    shown = capsys.readouterr()
    assert "Traceback" not in shown.out + shown.err
    assert shown.err == ""
    assert re.match(rf"error {code}(:| in )", shown.out)
    assert len(shown.out) < 20_000
    assert "No open findings" not in shown.out


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_refused(
    name: str, write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    data, code = BAD[name]
    refused([write(data, "bad.rules")], code, capsys)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["act-ponton"], "R008"),
        (["gone.rules"], "R001"),
        (["empty-folder"], "R008"),
        (["folder.rules"], "R008"),
        (["act-pontoon@2024-02-30"], "R111"),
        ([""], "R008"),
        (["\0"], "R008"),
        (["x" * 5000], "R008"),
        (["closed.rules"], "R001"),
    ],
)
def test_bad_names_are_refused(
    arguments: list[str], code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty-folder").mkdir()
    (tmp_path / "folder.rules").mkdir()
    (tmp_path / "closed.rules").write_text(SOUND)
    (tmp_path / "closed.rules").chmod(0)
    if arguments == ["closed.rules"] and os.access("closed.rules", os.R_OK):
        pytest.skip("nothing is closed to this account")
    refused(arguments, code, capsys)


def test_files_that_include_each_other_are_refused(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    write(HEADER + 'include "b.rules"\n', "a.rules")
    write('include "c.rules"\n', "b.rules")
    write('include "a.rules"\n', "c.rules")
    assert cli.main(["check", "a.rules"]) == 2
    assert "a.rules includes b.rules includes c.rules includes a.rules" in capsys.readouterr().out


def test_one_bad_name_does_not_hide_the_others(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["check", write(FLAWED), "gone.rules", "act-ponton", "--format", "json"]) == 2
    report = json.loads(capsys.readouterr().out)
    assert {f["code"] for f in report["findings"]} == {"R001", "R008", "R201"}


def test_all_syntax_errors_come_in_one_run(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    clauses = "".join(f'clause 5.{n} "x" {{ main win }}\n' for n in range(1, 6))
    assert cli.main(["check", write(HEADER + clauses), "--format", "json"]) == 2
    lines = [f["span"]["start"]["line"] for f in json.loads(capsys.readouterr().out)["findings"]]
    assert lines == [2, 3, 4, 5, 6]


@pytest.mark.parametrize("format", check_command.FORMATS)
def test_every_format_tells_of_bad_input(
    format: str, write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["check", write(b"\xff\xfe"), "--format", format]) == 2
    assert "R002" in capsys.readouterr().out


# --- coverage


LIST = """\
rulebook: example
sections: [{id: 5, title: Settlement}]
clauses:
  - {id: '5.1', section: 5, title: A total of 21, checkable: log}
  - {id: '5.2', section: 5, title: The seal, checkable: external}
"""
COVERED = SOUND + 'clause 5.2 "The seal" { not checkable because "needs sight of the box" }\n'


def cover(
    text: str, write: Callable[..., str], capsys: pytest.CaptureFixture[str], *options: str,
    clause_list: str | None = LIST,
) -> tuple[int, str]:  # fmt: skip
    name = write(text)
    if clause_list is not None:
        write(clause_list, "example.clauses.yaml")
    status = cli.main(["coverage", name, *options])
    return status, capsys.readouterr().out


def test_coverage_in_text(write: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    status, shown = cover(COVERED, write, capsys)
    assert status == 0
    rows = [line.split() for line in shown.splitlines()]
    assert ["example", "log", "1", "0", "0", "1"] in rows
    assert ["external", "0", "1", "0", "1"] in rows
    assert ["all", "1", "1", "0", "2"] in rows
    assert "2 clauses of the printed text are accounted for." in shown
    assert "A total of 21" not in shown


def test_coverage_lists_clauses(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    status, shown = cover(COVERED, write, capsys, "--clauses")
    assert status == 0
    assert re.search(r"5\.1 +log +encoded +A total of 21\n", shown)
    assert re.search(r"5\.2 +external +not checkable +The seal \(needs sight of the box\)\n", shown)


def test_coverage_in_json(write: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    status, shown = cover(COVERED, write, capsys, "--format", "json")
    assert status == 0
    report = json.loads(shown)
    assert (report["schema"], report["command"]) == ("rulespec-report/1", "coverage")
    summary = report["summary"]
    assert summary["total"] == {
        "encoded": 1, "not checkable": 1, "silent": 0, "missing": 0, "total": 2
    }  # fmt: skip
    assert set(summary["by_class"]) == {"log", "shoe", "report", "external"}
    (book,) = summary["rulebooks"]
    assert book["rulebook"] == "example"
    assert [(c["clause"], c["class"], c["standing"], c["reason"]) for c in book["clauses"]] == [
        ("5.1", "log", "encoded", None),
        ("5.2", "external", "not checkable", "needs sight of the box"),
    ]


@pytest.mark.parametrize(
    ("text", "clause_list", "status", "code"),
    [
        (SOUND, LIST, 1, "R212"),
        (COVERED.replace("main wins when hand.total = 21", 'not checkable because "x"'), LIST, 1,
         "R216"),
        (COVERED.replace("main wins when hand.total = 21", ""), LIST, 1, "R214"),
        (COVERED, "clauses: 5", 2, "R010"),
        (COVERED.replace("total", "totl"), LIST, 2, "R101"),
        ("oops", LIST, 2, "R005"),
        (COVERED, None, 3, None),
        (SOUND + 'accept R212 because "being written"', LIST, 0, None),
    ],
    ids=["missing", "not-encoded", "silent", "bad-list", "error", "syntax", "no-list",
         "accepted"],
)  # fmt: skip
def test_exit_status_of_coverage(
    text: str, clause_list: str | None, status: int, code: str | None,
    write: Callable[..., str], capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    for format in ("text", "json"):
        got, shown = cover(text, write, capsys, "--format", format, clause_list=clause_list)
        assert got == status
        if format == "json":
            codes = {f["code"] for f in json.loads(shown)["findings"]}
            assert codes == ({code} if code else set())


def test_coverage_of_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["coverage", "act-ponton"]) == 2
    assert "did you mean `act-pontoon`?" in capsys.readouterr().out


# --- docs


@pytest.mark.parametrize("word", ["R201", "r201", "dangling-reference", "Dangling-Reference"])
def test_docs_prints_the_page_as_it_is(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["docs", word]) == 0
    page = ROOT / "docs" / "diagnostics" / "R201.md"
    assert capsys.readouterr().out == page.read_text(encoding="utf-8")


def test_docs_lists_the_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["docs"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(CODES)
    assert all(CODES[line.split()[0]].title in line for line in lines)


def test_docs_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["docs", "R201", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["command"] == "docs"
    assert report["summary"]["page"].startswith("# R201")
    assert cli.main(["docs", "--format", "json"]) == 0
    codes = json.loads(capsys.readouterr().out)["summary"]["codes"]
    assert [c["code"] for c in codes] == list(CODES)
