"""Files and arguments that mean harm: a clear message, status 2, and nothing else happens."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from checker.cli import main
from tests.support import PATIENCE

ROOT = Path(__file__).parent.parent.parent
HEAD = 'rulebook example {\n  title "Pontoon"\n  in force from 2024-01-01\n}\n'
RULE = 'clause 1 "Any 21 wins" {\n  main wins when hand.total = 21\n}\n'


def call(
    cwd: Path, *arguments: str, shell: str = "", **more: str
) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, within seconds; `shell` stands behind it."""
    words = [sys.executable, "-m", "rulespec", *arguments]
    env = {**os.environ, "PYTHONPATH": str(ROOT), **more}
    if shell:
        line = " ".join(f"'{word}'" for word in words) + " " + shell
        return subprocess.run(
            ["bash", "-c", line], cwd=cwd, env=env, text=True, timeout=PATIENCE, capture_output=True
        )
    return subprocess.run(words, cwd=cwd, env=env, text=True, timeout=PATIENCE, capture_output=True)


@pytest.mark.parametrize(
    "included", ["/etc/passwd", "../secret.rules", "secret.txt", "link.rules", "loop.rules"]
)
def test_only_rule_files_below_are_included(
    included: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "book"
    folder.mkdir()
    (tmp_path / "secret.rules").write_text("a secret\n")
    (folder / "secret.txt").write_text("a secret\n")
    (folder / "link.rules").symlink_to(tmp_path / "secret.rules")
    (folder / "loop.rules").symlink_to("loop.rules")
    (folder / "example.rules").write_text(f'{HEAD}include "{included}"\n{RULE}')
    assert main(["check", str(folder / "example.rules")]) == 2
    told = capsys.readouterr().out
    assert "R012" in told
    assert "a secret" not in told
    assert "root:" not in told


def test_a_file_below_is_included(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "one.rules").write_text(RULE)
    (tmp_path / "example.rules").write_text(f'{HEAD}include "parts/one.rules"\n')
    main(["check", str(tmp_path / "example.rules"), "--no-proofs"])
    assert "R012" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "pipe.rules"),
        ("check", "."),
        ("test", "book.rules"),
        ("coverage", "book.rules"),
        ("fmt", "--check", "pipe.rules"),
        ("diff", "pipe.rules", "nz-pontoon"),
        ("replay", "pipe.rules"),
        ("replay", "/dev/zero"),
        ("explain", "pipe.rules", "--round", "1"),
        ("convert", "pipe.rules", "out.jsonl"),
        ("impact", "nz-pontoon", "nz-pontoon", "/dev/zero"),
        ("replay", "log.jsonl", "--rules", "pipe.rules"),
    ],
)
def test_what_never_ends_is_not_waited_for(arguments: tuple[str, ...], tmp_path: Path) -> None:
    for name in ("pipe.rules", "book.scenarios.yaml", "book.clauses.yaml"):
        os.mkfifo(tmp_path / name)
    (tmp_path / "book.rules").write_text(HEAD.replace("example", "book") + RULE)
    ran = call(tmp_path, *arguments)
    assert ran.returncode == 2, ran.stdout + ran.stderr
    assert "no regular file" in ran.stdout + ran.stderr
    assert "Traceback" not in ran.stderr


KERNEL = Path("/proc/kmsg")  # it claims to be regular and to hold nothing, and a reader waits


@pytest.mark.skipif(not os.access(KERNEL, os.R_OK), reason="no such file may be read here")
@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "kernel.rules"),
        ("check", "folder"),
        ("fmt", "--check", "kernel.rules"),
        ("test", "book.rules"),
        ("replay", "kernel.rules"),
        ("replay", "log.parquet"),
        ("replay", "--config", "kernel.rules"),
        ("verify", "kernel.rules"),
        ("report", "kernel.rules", "--output", "page.html"),
        ("import", "kernel.rules", "rows.csv", "--output", "log.jsonl"),
        ("import", "--init", "rows.csv"),
        ("convert", "kernel.rules", "out.parquet"),
        ("review", "--store", "kernel.rules"),
    ],
)
def test_a_file_of_the_kernel_is_not_waited_for(arguments: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for name in ("kernel.rules", "folder/other.rules", "book.scenarios.yaml", "rows.csv"):
        (tmp_path / name).symlink_to(KERNEL)
    (tmp_path / "log.parquet").symlink_to(KERNEL)
    (tmp_path / "book.rules").write_text(HEAD.replace("example", "book") + RULE)
    ran = call(tmp_path, *arguments)
    assert ran.returncode == 2, ran.stdout + ran.stderr
    assert "Traceback" not in ran.stderr


def test_games_beside_a_rulebook_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.game")
    own = HEAD.replace("title", "game chess title")
    (tmp_path / "example.rules").write_text(own + RULE)
    ran = call(tmp_path, "check", "example.rules")
    assert ran.returncode == 2, ran.stdout + ran.stderr
    assert "chess" in ran.stdout


DEEP = "[" * 5000 + "]" * 5000
ALIASES = "\n".join(
    ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    + [f"a{n}: &a{n} [" + ", ".join([f"*a{n - 1}"] * 9) + "]" for n in range(1, 9)]
)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (DEEP, "nested"),
        (ALIASES, "more than 1,000,000"),
        ("scenarios: " + "9" * 20_000, "cannot be read"),
        ("scenarios: 2024-13-45", "cannot be read"),
        ("a: [", "is not YAML"),
        ("a: &a [*a]", "contains itself"),
    ],
)
def test_yaml_that_explodes_is_refused(
    text: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "book.rules").write_text(HEAD.replace("example", "book") + RULE)
    for name in ("scenarios", "clauses"):
        (tmp_path / f"book.{name}.yaml").write_text(text)
    assert main(["test", str(tmp_path / "book.rules")]) == 2
    assert reason in capsys.readouterr().out
    assert main(["coverage", str(tmp_path / "book.rules")]) in (0, 1, 2)


def test_what_stands_behind_two_dashes_is_a_name(tmp_path: Path) -> None:
    ran = call(tmp_path, "check", "--", "--output=written")
    assert ran.returncode == 2
    assert "--output=written" in ran.stdout
    assert not (tmp_path / "written").exists()
    (tmp_path / "--odd.rules").write_text(HEAD + RULE)
    assert "2 rulebooks" in call(tmp_path, "check", "--", "--odd.rules", "nz-pontoon").stdout


def test_no_name_steers_the_terminal(tmp_path: Path) -> None:
    for arguments in (
        ["check", "\x1b[31mred"],
        ["replay", "\x1b]0;title\x07"],
        ["\x1b[2J"],
        ["check", "--\x1b[2J"],
        ["explain", "\x1b[31m", "--round", "1"],
    ):
        ran = call(tmp_path, *arguments)
        assert ran.returncode == 2
        assert "\x1b" not in ran.stdout + ran.stderr, arguments


@pytest.mark.parametrize("shell", ["2>&-", "2>/dev/full", "2>&1 >/dev/null | head -c 0"])
def test_a_closed_stderr_changes_no_status(shell: str, tmp_path: Path) -> None:
    log = ROOT / "examples" / "nz-pontoon.jsonl.gz"
    ran = call(
        tmp_path, "replay", str(log), "--table", "none", shell=f"{shell}; exit ${{PIPESTATUS[0]}}"
    )
    assert ran.returncode == 2, ran.stdout
    assert "rulespec replay" not in ran.stdout


def test_quiet_leaves_out_notes_in_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    for format in ("github", "sarif"):
        main(["check", "nz-pontoon", "--format", format])
        loud = capsys.readouterr().out
        main(["check", "nz-pontoon", "--format", format, "--quiet"])
        quiet = capsys.readouterr().out
        assert len(quiet) < len(loud)
        assert "::notice" not in quiet
        assert '"level": "note"' not in quiet


@pytest.mark.parametrize("day", ["01/09/2024", "2020-1-1", "2024-02-30", "1.9.2024"])
def test_a_day_in_another_form_gets_a_hint(day: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", f"nz-pontoon@{day}"]) == 2
    assert "YYYY-MM-DD" in capsys.readouterr().out
    assert main(["replay", "no.jsonl", "--from", day]) == 2
    assert "2024-08-19" in capsys.readouterr().err


def test_parquet_without_its_package_is_a_clear_error(tmp_path: Path) -> None:
    log = ROOT / "examples" / "nz-pontoon.jsonl.gz"
    hidden = "import sys; sys.modules['pyarrow'] = None\nfrom checker.cli import main\n"
    code = f"{hidden}sys.exit(main(['convert', {str(log)!r}, 'out.parquet']))"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        text=True,
        timeout=PATIENCE,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert ran.returncode == 2, ran.stderr
    assert "pyarrow" in ran.stderr
    assert not (tmp_path / "out.parquet").exists()


@pytest.mark.parametrize("engine", ["plain", "columns"])
@pytest.mark.parametrize("kind", ["blank", "not a round", "many cards"])
def test_logs_of_nothing_take_little_memory(kind: str, engine: str, tmp_path: Path) -> None:
    """A few megabytes that stand for millions of lines, or a hand that no shoe could deal."""
    if engine == "columns":
        pytest.importorskip("numba")
    with gzip.open(ROOT / "examples" / "nz-pontoon.jsonl.gz") as file:
        first = file.readline()
    fill = {"blank": b"\n" * 3_000_000, "not a round": b"x\n" * 100_000}
    if kind in fill:
        lines = first + fill[kind] + first.replace(b'"round":', b'"round": ', 1)
    else:
        dealt = b'"events":[' + b'{"e":"deal","box":1,"card":"AS"},' * 20_000
        lines = first + first.replace(b'"events":[', dealt).replace(b'"events": [', dealt)
    (tmp_path / "log.jsonl").write_bytes(lines)
    code = (
        "import sys\nfrom pathlib import Path\nfrom checker.cli import main\n"
        f"status = main(['replay', 'log.jsonl', '--engine', {engine!r}, '--jobs', '1'])\n"
        "print(Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0])\n"
        "sys.exit(status)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        text=True,
        timeout=PATIENCE,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert ran.returncode == (0 if kind == "blank" else 3), ran.stderr
    assert ("quarantined" in ran.stdout) == (kind != "blank")
    assert int(ran.stdout.split()[-1]) < 700_000  # kilobytes
