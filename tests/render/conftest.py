"""Where the tests of this folder run."""

from pathlib import Path

import pytest

from tests.render.render_support import TEXT


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "book.rules").write_text(TEXT)
    return tmp_path
