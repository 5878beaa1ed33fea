"""Where the tests of this folder run, and the files that they write."""

from collections.abc import Callable
from pathlib import Path

import pytest


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
