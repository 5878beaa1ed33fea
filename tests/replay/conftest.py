"""Where the tests of this folder run, and how they call the command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from checker import cli
from tests.replay.replay_support import CORNER, Ran, Run, Write, line_of


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("RULESPEC_TRACEBACK", "1")
    Path("corner.rules").write_text(CORNER, encoding="utf-8")


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """`rulespec replay …` in this process."""

    def call(*arguments: str) -> Ran:
        capfd.readouterr()
        status = cli.main(["replay", *arguments])
        out, err = capfd.readouterr()
        return Ran(status, out, err)

    return call


@pytest.fixture
def write() -> Write:
    def write_log(*rounds: dict[str, Any] | bytes, name: str = "log.jsonl") -> str:
        Path(name).write_bytes(b"".join(line_of(one) + b"\n" for one in rounds))
        return name

    return write_log
