"""What all commands have in common, and where results go."""

import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checker import check as check_passes
from checker import cli, commands
from checker.commands import COMMANDS, available, module_of
from rulespec import __version__
from tests.cli.cli_support import FLAWED, HEADER, ROOT, SOUND, command
from tests.support import PATIENCE

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
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
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
    assert set(with_register) <= {module_of(name) for name in COMMANDS}


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
    monkeypatch.setattr(check_passes, "check", fail_with(KeyError("two\nlines")))
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
    monkeypatch.setattr(check_passes, "check", fail_with(KeyboardInterrupt()))
    assert cli.main(["check"]) == 130
    assert capsys.readouterr().err == "rulespec: interrupted\n"


@pytest.mark.skipif(os.name == "nt", reason="pipes close differently there")
def test_a_reader_that_leaves_is_no_fault(write: Callable[..., str]) -> None:
    clauses = "".join(f'clause 5.{n} "x" {{ cites 9.{n} }}\n' for n in range(1, 3000))
    write(HEADER + clauses)
    process = subprocess.Popen(
        [sys.executable, "-m", "rulespec", "check", "example.rules"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    errors = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(timeout=PATIENCE) == 1  # what was found still stands
    assert errors == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_told(write: Callable[..., str]) -> None:
    write(FLAWED)
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "rulespec", "check", "example.rules"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
            check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
    assert done.returncode == 2
    first, second = done.stderr.splitlines()
    assert first == "rulespec: cannot write the result: no space left on device"
    assert second.startswith("help: ")


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
    write: Callable[..., str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
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
            stdout=theirs,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "TERM": "xterm", "PYTHONPATH": str(ROOT), **environment},
        )
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
        assert process.wait(timeout=PATIENCE) == 1
        shown[bool(extra)] = data.decode()
    assert ("\x1b[" in shown[False]) == coloured
    assert "\x1b[" not in shown[True]
    assert re.sub(r"\x1b\[[0-9;]*m", "", shown[False]) == shown[True]


def test_quiet_says_nothing_about_a_sound_text(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["check", write(SOUND), "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
