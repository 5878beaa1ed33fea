"""A rule file that has not changed is not parsed again."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.syntax.parse import parse
from rulespec.syntax.saved_trees import remembered

ROOT = Path(__file__).parent.parent.parent
FILES = sorted([*ROOT.glob("jurisdictions/**/*.rules"), *ROOT.glob("grammar/games/*.game")])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_file_that_ships_is_remembered(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    text = path.read_text(encoding="utf-8")
    assert remembered(text, str(path)) is None
    document, found = parse(text, str(path))
    assert document is not None
    assert not found
    assert remembered(text, str(path)) == document


def test_there_are_such_files() -> None:
    assert len(FILES) >= 9
