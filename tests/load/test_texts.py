"""Texts that are named by a git revision: `REV:path`, `REV:folder`, `REV:id`, each with `@day`."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from checker import cli
from checker.report import inputs_of, texts_of
from rulespec.load.named import load_named, load_one
from rulespec.resolve.rulebook import Rulebook

OLD = """rulebook corner {{ game pontoon in force from 2020-01-01 }}
include "shared/odds.rules"
clause 1 "Result" {{ main wins when hand.total = {} }}
"""
ODDS = 'clause 2 "Odds" { main pays 3 to 2 cites 9 }\n'
AMENDMENT = "amend corner { in force from 2025-01-01 revoke clause 2 }\n"


def git(*arguments: str) -> None:
    who = {
        f"GIT_{role}_{what}": "tester@localhost"
        for role in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(
        ["git", *arguments],
        check=True,
        env={**os.environ, **who, **quiet},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two commits of a rulebook that includes a file, and then a third text that is not in git."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    git("init", "-q")
    book = Path("books/corner.rules")
    (tmp_path / "books" / "shared").mkdir(parents=True)
    Path("books/shared/odds.rules").write_text(ODDS)
    for total in (20, 21):
        book.write_text(OLD.format(total))
        git("add", "-A")
        git("commit", "-qm", f"total {total}")
    book.write_text(OLD.format(19))
    Path("books/shared/odds.rules").unlink()
    return tmp_path


def one(name: str) -> Rulebook:
    book, found = load_one(name)
    assert found == []
    assert book is not None
    assert book.loaded.rulebook is not None
    return book.loaded.rulebook


def total(book: Rulebook) -> Any:
    (rule,) = (r for r in book.rules if r.question == "main.result")
    return rule.condition.right.value  # type: ignore[union-attr]


@pytest.mark.parametrize(("revision", "expected"), [("HEAD~1", 20), ("HEAD", 21), ("HEAD^", 20)])
@pytest.mark.parametrize(
    "path", ["books/corner.rules", "./books/corner.rules", "corner", "corner@2020-01-01"]
)
def test_the_text_of_a_revision(revision: str, expected: int, path: str) -> None:
    """With the file that it includes, which is no longer on the disk."""
    book = one(f"{revision}:{path}")
    assert (total(book), [c.id for c in book.clauses]) == (expected, ["1", "2"])


def test_a_path_counts_from_the_top_and_with_a_dot_from_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir("books")
    assert total(one("HEAD:books/corner.rules")) == 21
    assert total(one("HEAD:./corner.rules")) == 21
    assert total(one("HEAD~1:../books/corner.rules")) == 20
    book, (wrong,) = load_one("HEAD:corner.rules")
    assert book is None
    assert wrong.help == "did you mean `HEAD:./corner.rules`?"


def test_a_folder_of_a_revision() -> None:
    (book,), found = load_named(["HEAD:books"])
    assert found == []
    assert book.loaded.rulebook is not None
    assert total(book.loaded.rulebook) == 21


def test_a_file_at_the_top() -> None:
    Path("top.rules").write_text(OLD.format(17).replace("shared", "books/shared"))
    git("add", "top.rules")
    git("commit", "-qm", "top")
    assert total(one("HEAD:top.rules")) == 17


def test_a_new_commit_is_seen() -> None:
    assert total(one("HEAD:corner")) == 21
    git("commit", "-qam", "now")
    Path("books/shared").mkdir(exist_ok=True)
    with pytest.raises(AssertionError):
        one("HEAD:corner")  # what it includes was taken out too
    assert total(one("HEAD~1:corner")) == 21


def test_an_amendment_of_a_revision() -> None:
    Path("books/shared/odds.rules").write_text(ODDS)
    Path("books/amendment.rules").write_text(AMENDMENT)
    git("add", "-A")
    git("commit", "-qm", "amended")
    Path("books/corner.rules").unlink()
    for name in ("HEAD:corner", "HEAD:books", "HEAD:books/amendment.rules"):
        book = one(name)
        assert [c.id for c in book.clauses] == ["1"], name
    assert [c.id for c in one("HEAD:corner@2024-12-31").clauses] == ["1", "2"]
    assert [c.id for c in one("HEAD:books/corner.rules").clauses] == ["1", "2"]
    assert [c.id for c in one("HEAD~1:corner").clauses] == ["1", "2"]


@pytest.mark.parametrize(
    ("name", "message", "advice"),
    [
        (
            "HEAD:books/corne.rules",
            "there is no `books/corne.rules` in revision `HEAD`",
            "did you mean `books/corner.rules`?",
        ),
        (
            "HEAD~9:corner",
            "there is no revision `HEAD~9` in this git repository",
            "a path with a colon is `REVISION:path`",
        ),
        (
            "--all:corner",
            "there is no revision `--all` in this git repository",
            "a path with a colon is `REVISION:path`",
        ),
        ("HEAD:", "`HEAD:` names no file", "write `HEAD:path/of/the/file.rules`"),
        (":corner", "`:corner` names no revision", "write `HEAD:path` or another git revision"),
        (
            "HEAD:books@2020-02-30",
            "`2020-02-30` is not a date",
            "write a day of the calendar as YYYY-MM-DD",
        ),
        (
            "HEAD:.git",
            "there is no `.git` in revision `HEAD`",
            "`git ls-tree -r --name-only HEAD` lists the files",
        ),
    ],
)
def test_what_is_not_there_is_said(
    name: str, message: str, advice: str, capfd: pytest.CaptureFixture[str]
) -> None:
    book, (found,) = load_one(name)
    assert book is None
    assert (found.message, found.help) == (message, advice)
    if not name.startswith("-"):
        assert cli.main(["check", name]) == 2
        assert f": {message}\n" in capfd.readouterr().out


def test_without_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    assert load_one("HEAD:corner")[1][0].message == (
        "no git repository here in which to look for a revision"
    )
    monkeypatch.setenv("PATH", str(tmp_path))
    assert load_one("HEAD:corner")[1][0].message == "git cannot be run, so no revision can be read"


def test_a_file_with_a_colon_is_a_file() -> None:
    Path("HEAD:corner").write_text("rulebook other { in force from 2020-01-01 }")
    assert one("HEAD:corner").id == "other"


def test_the_report_says_what_was_read(capfd: pytest.CaptureFixture[str]) -> None:
    books, _ = load_named(["HEAD:corner"])
    files = ["HEAD:books/corner.rules", "HEAD:books/shared/odds.rules"]
    assert [i.path for i in inputs_of(books)] == files
    assert all(i.sha256 for i in inputs_of(books))
    assert texts_of(books)[files[1]] == ODDS.encode()
    assert cli.main(["check", "--no-proofs", "--format", "json", "HEAD:corner"]) == 1
    (finding,) = json.loads(capfd.readouterr().out)["findings"]
    assert (finding["code"], finding["span"]["file"]) == ("R201", files[1])


def test_a_folder_with_several_rulebooks_is_not_one(tmp_path: Path) -> None:
    Path("books/other.rules").write_text("rulebook other { in force from 2020-01-01 }")
    git("add", "-A")
    git("commit", "-qm", "two")
    book, found = load_one("HEAD~1:books")
    assert (book is not None, found) == (True, [])
    Path("books/corner.rules").write_text("rulebook corner { in force from 2020-01-01 }")
    book, (wrong,) = load_one("books")
    assert book is None
    assert (wrong.message, wrong.help) == (
        "`books` stands for 2 rulebooks",
        "name one of them: corner, other",
    )
