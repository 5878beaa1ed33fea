"""`replay --store`, `review` and `trend` as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from checker.cli import main
from checker.store.store import Store

LOG = "examples/nz-pontoon.jsonl.gz"


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs: the second looked at one table alone."""
    path = tmp_path_factory.mktemp("audit") / "audit.sqlite"
    out = path.with_suffix(".json")
    common = ["replay", LOG, "--store", str(path), "--format", "json", "--output", str(out)]
    assert main([*common, "--limit", "1"]) == 1
    assert main([*common, "--table", "T01"]) == 1
    return path


def test_all_findings_are_kept_whatever_is_shown(audit: Path) -> None:
    newest, first = Store(audit).runs()
    assert first.findings == first.envelope["summary"]["findings"] > 5
    assert first.envelope["options"]["limit"] == 1
    assert 0 < newest.findings < first.findings


def test_a_reviewed_finding_is_shown_with_its_state_and_left_out_on_request(
    audit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["review", str(audit), "--run", "1", "--format", "json"]) == 0
    listed = json.loads(capsys.readouterr().out)["summary"]["listed"]
    marks = [one["fingerprint"] for one in listed[:2]]
    said = ["--set", "dismissed", "--reason", "put right on the day", "--person", "A. Smith"]
    assert main(["review", str(audit), *marks, *said]) == 0
    capsys.readouterr()
    assert main(["replay", LOG, "--store", str(audit), "--only", "open", "--full"]) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("FILTERED: only open; 2 findings of other states")
    assert main(["replay", LOG, "--store", str(audit), "--full"]) == 1
    assert capsys.readouterr().out.count("reviewed: dismissed") == 2
    assert main(["review", str(audit), "--history"]) == 0
    assert capsys.readouterr().out.count("dismissed by A. Smith") == 2


def test_trend_says_when_the_runs_were_asked_for_differently(
    audit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trend", str(audit), "1", "2"]) == 0
    told = capsys.readouterr().out
    assert "0 new" in told
    assert "different options" in told
    assert main(["trend", str(audit), "2", "1", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)["summary"]
    assert found["gone"] == 0
    assert found["appeared"] > 0
    assert main(["trend", str(audit), "2", "1", "--format", "svg"]) == 1
    assert capsys.readouterr().out.startswith("<svg")


@pytest.mark.parametrize(
    "call",
    [
        ["review", "absent.sqlite"],
        ["review", LOG],
        ["trend", LOG],
        ["replay", LOG, "--only", "open"],
    ],
)
def test_what_cannot_be_used_is_told(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(call) == 2
    assert "Traceback" not in capsys.readouterr().err
