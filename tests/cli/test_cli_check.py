"""`rulespec check`: its exit status in every format, and bad input."""

import json
import os
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from checker import cli
from checker.commands import check as check_command
from tests.cli.cli_support import FLAWED, HEADER, SOUND, command

ACCEPTED = FLAWED + 'accept R201 at 5.1 because "known" until 2030-01-01\n'
NOTED = HEADER + 'clause 5.1 "Act" { cites outside "Casino Act" main wins when hand.doubled }\n'


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
    format: str,
    text: str,
    options: list[str],
    status: int,
    write: Callable[..., str],
    capsys: pytest.CaptureFixture[str],
) -> None:
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
    assert (
        cli.main(["check", name, f"./{name}", str(Path(name).absolute()), ".", "--format", "json"])
        == 1
    )
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
    "includes a folder": ((HEADER + 'include "."\n').encode(), "R012"),
    "long line": ((HEADER + "clause " + "x" * 1_000_000).encode(), "R005"),
    **{
        f"deep {name}": (SOUND.replace("hand.total = 21", condition).encode(), "R007")
        for name, condition in DEEP.items()
    },
}


def refused(arguments: list[str], code: str, capsys: pytest.CaptureFixture[str]) -> None:
    begun = time.process_time()
    assert cli.main(["check", *arguments]) == 2
    assert time.process_time() - begun < 20
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
