"""The exports that ship: they import, and replay to what the logs say that they were made from."""

from __future__ import annotations

import importlib.util
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from import_support import lines, replayed

from checker.cli import main

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "examples" / "imports"


@pytest.fixture(scope="module")
def made() -> Any:
    spec = importlib.util.spec_from_file_location("make_imports", ROOT / "examples/make_imports.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NAMES = ["table-management.csv", "live-dealer.json", "three-tables.sqlite"]


def place(finding: dict[str, Any]) -> tuple[Any, ...]:
    keys = ("round", "code", "clause", "box", "hand", "player", "bet", "expected", "actual")
    return tuple(finding.get(key) for key in keys)


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_replays_as_the_log_it_was_made_from(
    name: str, made: Any, tmp_path: Path, capfd: Any
) -> None:
    assert list(made.SAMPLES) == NAMES
    write, book = made.SAMPLES[name]
    fresh, log, source = tmp_path / name, tmp_path / "log.jsonl", tmp_path / "source.jsonl"
    write(book, fresh)
    source.write_bytes(made.simulated(book))
    capfd.readouterr()
    profile = SAMPLES / f"{fresh.stem}.yaml"
    assert main(["import", str(profile), str(fresh), "--output", str(log), "--quiet"]) == 0
    assert len(lines(log)) == len(lines(source)) == made.ROUNDS
    capfd.readouterr()
    true, found = replayed(capfd, source), replayed(capfd, log)
    assert found["summary"]["quarantined"] == 0
    assert found["summary"]["unknown"] == []
    told = {place(one) for one in true["findings"]}
    again = {place(one) for one in found["findings"]}
    assert len(again) > 5
    assert again <= told
    unchecked = {one["clause"] for one in found["summary"]["not_checked"]}
    for lost in told - again:  # an amount that a limit or a chip might explain
        assert lost[2] in unchecked
    assert len(told - again) < len(told) / 2


@pytest.mark.parametrize("name", NAMES)
def test_the_samples_are_those_of_the_script(name: str, made: Any, tmp_path: Path) -> None:
    write, book = made.SAMPLES[name]
    fresh = tmp_path / name
    write(book, fresh)
    if not name.endswith(".sqlite"):
        assert fresh.read_bytes() == (SAMPLES / name).read_bytes()
        return
    import sqlite3

    for table in ("game_round", "wager", "move"):
        both = [
            sqlite3.connect(path).execute(f"SELECT * FROM {table}").fetchall()
            for path in (fresh, SAMPLES / name)
        ]
        assert both[0] == both[1]
        assert both[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_says_which_clauses_it_can_decide(name: str, capfd: Any) -> None:
    profile = SAMPLES / f"{Path(name).stem}.yaml"
    assert main(["import", str(profile), str(SAMPLES / name), "--check", "--format", "json"]) == 0
    report = json.loads(capfd.readouterr().out, parse_float=Decimal)
    assert report["command"] == "import"
    assert [one["kind"] for one in report["inputs"]] == ["profile", "export"]
    clauses = report["summary"]["clauses"]
    assert len(clauses["decided"]) > 20
    assert all("the export does not" in one["reason"] for one in clauses["not_decidable"])
    order = [one for one in clauses["not_decidable"] if "order" in one["reason"]]
    assert bool(order) == (name != "three-tables.sqlite")
