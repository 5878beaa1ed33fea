"""The script that writes acceptances anew: reasons stay, what they are for is what is found."""

from __future__ import annotations

import importlib.util
from datetime import date
from pathlib import Path
from types import ModuleType

import pytest

from checker.check import check
from tests.prove.test_marks import FLAWED

ROOT = Path(__file__).resolve().parent.parent.parent
TODAY = date(2030, 6, 1)


def script() -> ModuleType:
    path = ROOT / "examples" / "renew_acceptances.py"
    spec = importlib.util.spec_from_file_location("renew_acceptances", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_vague_and_stale_acceptances_are_named_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "corner.rules"
    path.write_text(
        FLAWED.replace("may draw when", "subject to 9.9, 9.8 may draw when")
        + 'accept R310 at 3.5 because "ties of five cards"\n'
        + 'accept R312 at 3.5 because "mended long ago"\n'
        + 'accept R201 at 5.1 for "9.7" because "printed so"\n',
        encoding="utf-8",
    )
    assert check([str(path)], TODAY).exit_status == 1
    script().main([str(path)])
    report = check([str(path)], TODAY)
    assert [d.code for d in report.findings if d.severity != "note"] == []
    assert sorted((d.code, d.accepted) for d in report.accepted) == [
        ("R201", "printed so"),
        ("R201", "printed so"),
        ("R310", "ties of five cards"),
    ]
    once = path.read_text(encoding="utf-8")
    assert 'accept R201 at 5.1 for "9.9", "9.8"' in once
    assert "accept R310 at 3.5 for" in once
    assert "mended long ago" not in once
    told = capsys.readouterr().out
    assert "nothing is found for `R312`: taken out" in told
    assert "`3.6` says that the main wager wins" in told
    script().main([str(path)])
    assert path.read_text(encoding="utf-8") == once


def test_what_no_acceptance_is_meant_for_stays_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "corner.rules"
    path.write_text(FLAWED, encoding="utf-8")
    script().main([str(path)])
    assert path.read_text(encoding="utf-8") == FLAWED
    assert "corner: open: accept R310 at 3.6 for" in capsys.readouterr().out
