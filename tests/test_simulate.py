"""The simulation: lawful logs by seed, and known faults that a replay finds one by one."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from checker.cli import main
from checker.decode import decode_line, parse_json
from checker.replay import Filter, Judged, Library, Summary, replay
from checker.rounds import explain_schema_error
from checker.simulate import Made, simulate
from rulespec.load import load, shipped
from rulespec.rulebook import Rulebook

BOOKS = sorted(shipped())
LAWFUL = 200
FAULTY = 150
SHARE = 0.5


@cache
def book(name: str) -> Rulebook:
    found = load(shipped()[name]).rulebook
    assert found is not None
    return found


def made(name: str, rounds: int, seed: int, faults: float = 0.0) -> list[Made]:
    return list(simulate(book(name), rounds, seed, faults=faults))


@cache
def lawful(name: str) -> list[Made]:
    return made(name, LAWFUL, 11)


def replayed(name: str, rounds: list[Made], folder: Path) -> tuple[list[Judged], Summary]:
    log = folder / "log.jsonl"
    log.write_text("".join(one.text + "\n" for one in rounds), encoding="utf-8")
    summary = Summary()
    judged: list[Judged] = []
    for line in replay([log], Library([book(name)]), Filter(), summary):
        assert isinstance(line, Judged), line
        judged.append(line)
    assert len(judged) == len(rounds)
    return judged, summary


@pytest.mark.parametrize("name", BOOKS)
def test_lawful_rounds_are_clean(name: str, tmp_path: Path) -> None:
    judged, summary = replayed(name, lawful(name), tmp_path)
    told = [f"{f.round} {f.code} {f.clause} {f.message}" for one in judged for f in one.shown]
    assert told == []
    assert summary.rounds == LAWFUL
    assert (summary.findings, summary.undecided, summary.quarantined) == (0, 0, 0)


@pytest.mark.parametrize("name", BOOKS)
def test_the_log_shows_a_whole_game(name: str) -> None:
    """A simulation that never splits would prove nothing."""
    seen: Counter[str] = Counter()
    for one in lawful(name):
        line = json.loads(one.text)
        boxes = {(e["box"], e["player"]) for e in line["events"]
                 if e["e"] == "wager" and e["bet"] == "main"}  # fmt: skip
        seen["boxes"] = max(seen["boxes"], len({box for box, _ in boxes}))
        seen["sharing"] += len(boxes) > len({box for box, _ in boxes})
        for event in line["events"]:
            seen[event["e"]] += 1
            seen[event.get("do", "")] += 1
    assert seen["boxes"] >= 4
    for what in ("sharing", "hit", "stand", "double", "split", "insure", "shuffle", "cut_card",
                 "no_more_bets", "settle"):  # fmt: skip
        assert seen[what] > 0, what


def test_the_same_seed_gives_the_same_bytes() -> None:
    name = BOOKS[0]
    first, again = (made(name, 40, 3, 0.2) for _ in range(2))
    assert first == again
    assert made(name, 40, 4) != made(name, 40, 3)


def test_lines_are_of_format_1() -> None:
    for one in made(BOOKS[-1], 20, 5):
        assert decode_line(one.text.encode()).rulebook == BOOKS[-1]
        assert explain_schema_error(parse_json(one.text)) is None
        assert list(json.loads(one.text))[:8] == ["format", "round", "table", "shoe", "at",
                                                  "rulebook", "decks", "options"]  # fmt: skip


@pytest.mark.parametrize("name", BOOKS)
def test_every_fault_is_found_and_nothing_else(name: str, tmp_path: Path) -> None:
    rounds = made(name, FAULTY, 7, SHARE)
    faults: dict[str, dict[str, Any]] = {
        one.fault["round"]: one.fault for one in rounds if one.fault is not None
    }
    assert len({fault["kind"] for fault in faults.values()}) > 40
    wrong: list[str] = []
    judged, _ = replayed(name, rounds, tmp_path)
    for number, one in enumerate(judged, 1):
        fault = faults.get(one.round.id)
        found = False
        for finding in one.shown:
            told = f"{finding.round} {finding.code} {finding.clause} {finding.message}"
            if fault is None:
                wrong.append(f"lawful: {told}")
            elif finding.code in fault["codes"] and finding.clause in fault["clauses"]:
                found = True
                assert fault["line"] == number == finding.line
            elif not (fault.get("undecided") and finding.kind == "undecided"):
                wrong.append(f"{fault['kind']}: {told}")
        if fault is not None and not found:
            wrong.append(f"{fault['kind']} under {fault['clause']} of {one.round.id} is missed")
    assert wrong == []


def test_the_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log, listed = tmp_path / "log.jsonl.gz", tmp_path / "faults.jsonl"
    call = ["simulate", BOOKS[1], "--rounds", "30", "--seed", "9"]
    assert main([*call, "--faults", "0.3", "--output", str(log), "--fault-list", str(listed)]) == 0
    assert capfd.readouterr().out.startswith("30 rounds, ")
    lines = gzip.decompress(log.read_bytes()).splitlines()
    assert len(lines) == 30
    for text in listed.read_text(encoding="utf-8").splitlines():
        fault = json.loads(text)
        assert json.loads(lines[fault["line"] - 1])["round"] == fault["round"]
        assert {"table", "kind", "clause", "codes"} <= set(fault)
    capfd.readouterr()
    assert main([*call, "--quiet", "--tables", "2", "--start", "2025-03-01T20:00:00+11:00"]) == 0
    out, err = capfd.readouterr()
    assert err == ""
    assert len(out.splitlines()) == 30
    assert {json.loads(line)["table"] for line in out.splitlines()} == {"T01", "T02"}
    assert json.loads(out.splitlines()[0])["at"] == "2025-03-01T20:00:00+11:00"


@pytest.mark.parametrize(
    "more",
    [["--faults", "2"], ["--rounds", "-1"], ["--tables", "0"], ["--start", "yesterday"],
     ["--start", "1999-01-01T12:00:00+10:00"]],
)  # fmt: skip
def test_a_wrong_call_says_so(more: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    call = ["simulate", BOOKS[1], "--rounds", "3", "--seed", "9", *more]
    assert main(call) == 2
    assert capfd.readouterr().err.startswith("rulespec simulate: ")
