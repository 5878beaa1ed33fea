"""Simulated rounds of a game with named hands: lawful, the same for a seed, faults found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from checker.cli import main

BOOK = "fr-punto-banco"


@pytest.fixture(scope="module")
def with_faults(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("log")
    log, faults = folder / "log.jsonl", folder / "faults.jsonl"
    call = ["simulate", BOOK, "--rounds", "500", "--seed", "7", "--faults", "0.3", "--quiet"]
    assert main([*call, "--output", str(log), "--fault-list", str(faults)]) == 0
    return log, faults


def replayed(log: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, set[str]]:
    """The clauses of what is found, by round."""
    main(["replay", str(log), "--format", "json"])
    found: dict[str, set[str]] = {}
    for finding in json.loads(capsys.readouterr().out)["findings"]:
        found.setdefault(finding["round"], set()).add(finding["clause"])
    return found


def test_lawful_rounds_replay_without_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for log in logs:
        call = ["simulate", BOOK, "--rounds", "300", "--seed", "3", "--quiet"]
        assert main([*call, "--output", str(log)]) == 0
    assert logs[0].read_bytes() == logs[1].read_bytes()
    assert main(["replay", str(logs[0])]) == 0


def test_every_fault_is_found_with_its_clause_and_nothing_else(
    with_faults: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    log, faults = with_faults
    listed = [json.loads(line) for line in faults.read_text(encoding="utf-8").splitlines()]
    found = replayed(log, capsys)
    assert len({fault["kind"] for fault in listed}) >= 15
    assert {fault["round"] for fault in listed} == set(found)
    for fault in listed:
        assert found[fault["round"]] <= set(fault["clauses"])
