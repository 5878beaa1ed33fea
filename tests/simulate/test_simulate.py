"""The simulation: lawful logs by seed, and known faults that a replay finds one by one."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from datetime import datetime
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from checker.cli import main
from checker.log.decode import decode_line, parse_json
from checker.replay.replay import Filter, Judged, Library, Summary, replay
from checker.simulate.simulate import Made, NothingLawful, Simulation, default_start, simulate
from rulespec.load.load import load, shipped
from rulespec.resolve.rulebook import Rulebook
from tests.log.log_support import objection_of_schema
from tests.support import with_boxes

BOOKS = with_boxes()
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
def test_few_rounds_of_the_shipped_texts_are_refused(name: str) -> None:
    """What is refused costs time, and rounds that the simulation cannot make are never tried."""
    making = Simulation(book(name), 11, 4, default_start(book(name)), 0.0)
    assert sum(1 for _ in making.run(LAWFUL)) == LAWFUL
    assert making.referee.refused.total() < LAWFUL / 10


@pytest.mark.parametrize("name", BOOKS)
def test_the_log_shows_a_whole_game(name: str) -> None:
    """A simulation that never splits would prove nothing."""
    seen: Counter[str] = Counter()
    for one in lawful(name):
        line = json.loads(one.text)
        boxes = {
            (e["box"], e["player"])
            for e in line["events"]
            if e["e"] == "wager" and e["bet"] == "main"
        }
        seen["boxes"] = max(seen["boxes"], len({box for box, _ in boxes}))
        seen["sharing"] += len(boxes) > len({box for box, _ in boxes})
        for event in line["events"]:
            seen[event["e"]] += 1
            seen[event.get("do", "")] += 1
    assert seen["boxes"] >= 4
    for what in (
        "sharing",
        "hit",
        "stand",
        "double",
        "split",
        "insure",
        "shuffle",
        "cut_card",
        "no_more_bets",
        "settle",
    ):
        assert seen[what] > 0, what


def test_the_same_seed_gives_the_same_bytes() -> None:
    name = BOOKS[0]
    first, again = (made(name, 40, 3, 0.2) for _ in range(2))
    assert first == again
    assert made(name, 40, 4) != made(name, 40, 3)


def test_lines_are_of_format_1() -> None:
    for one in made(BOOKS[-1], 20, 5):
        assert decode_line(one.text.encode()).rulebook == BOOKS[-1]
        assert objection_of_schema(parse_json(one.text)) is None
        assert list(json.loads(one.text))[:8] == [
            "format",
            "round",
            "table",
            "shoe",
            "at",
            "rulebook",
            "decks",
            "options",
        ]


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
    [
        ["--faults", "2"],
        ["--rounds", "-1"],
        ["--tables", "0"],
        ["--start", "yesterday"],
        ["--start", "1999-01-01T12:00:00+10:00"],
    ],
)
def test_a_wrong_call_says_so(more: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    call = ["simulate", BOOKS[1], "--rounds", "3", "--seed", "9", *more]
    assert main(call) == 2
    assert capfd.readouterr().err.startswith("rulespec simulate: ")


# --- texts that the simulation does not understand


def edited(name: str, clause: str, folder: Path) -> Path:
    """A copy of a rulebook with one more clause."""
    path = folder / f"{name}.rules"
    text = shipped()[name].read_text(encoding="utf-8")
    path.write_text(f'{text}\nclause X.1 "One more" about general {{ {clause} }}\n', "utf-8")
    return path


@pytest.mark.parametrize("name", ["act-blackjack", "nsw-star-pontoon"])
@pytest.mark.parametrize(
    "clause",
    [
        "at main require wager.stake >= $50",
        "main wins when hand.total = 19",
        "cards 7 count 8",
        "may not split when hand.equal_value",
        "must draw when hand.total = 14",
        "main settles at once when hand.total = 17",
        "perfect_pairs loses when first.rank = 9",
        "at double require play.stake = wager.original",
        "dealer must not draw when dealer.total = 15",
        "casino must burn when shoe.new",
    ],
)
def test_what_is_written_is_lawful(name: str, clause: str, tmp_path: Path) -> None:
    loaded = load(edited(name, clause, tmp_path)).rulebook
    assert loaded is not None
    making = Simulation(loaded, 3, 2, default_start(loaded), 0.0)
    log = tmp_path / "log.jsonl"
    log.write_text("".join(one.text + "\n" for one in making.run(60)), encoding="utf-8")
    summary = Summary()
    told = [
        f"{f.round} {f.code} {f.clause} {f.message}"
        for one in replay([log], Library([loaded]), Filter(), summary)
        if isinstance(one, Judged)
        for f in one.shown
    ]
    assert told == []
    assert (summary.rounds, summary.undecided) == (60, 0)


@pytest.mark.parametrize(
    ("clause", "why"),
    [
        ("at round require option tournament", "no table could be set up"),
        ("at deal require deal.to_dealer", "the card did not go to the dealer"),
        ("at settlement require settlement.count = 2", "exactly two are required"),
        ("dealer must draw when dealer.total <= 60", "whether the dealer draws"),
        ('interim main is undecided because "nobody knows"', "nobody knows"),
    ],
)
def test_what_cannot_be_made_lawfully_is_said(
    clause: str, why: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rules, log = edited("act-pontoon", clause, tmp_path), tmp_path / "log.jsonl"
    call = ["simulate", str(rules), "--rounds", "20", "--seed", "2"]
    assert main([*call, "--output", str(log)]) == 3
    told = capfd.readouterr().out
    assert "no lawful round could be made" in told
    assert why in told
    assert "X.1" in told
    assert not log.exists()
    assert main([*call, "--output", str(log), "--format", "json"]) == 3
    reasons = json.loads(capfd.readouterr().out)["summary"]["not_written_because"]
    assert any("X.1" in reason["clauses"] for reason in reasons)
    assert main(call) == 3
    out, err = capfd.readouterr()
    assert out == ""
    assert "X.1" in err


def test_rounds_that_were_not_written_are_counted(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rules = edited("act-pontoon", "at main require wager.stake >= $20", tmp_path)
    call = [
        "simulate",
        str(rules),
        "--rounds",
        "30",
        "--seed",
        "4",
        "--output",
        str(tmp_path / "log.jsonl"),
    ]
    assert main(call) == 0
    assert "others were not written" in capfd.readouterr().out
    assert main([*call, "--format", "json"]) == 0
    summary = json.loads(capfd.readouterr().out)["summary"]
    assert summary["not_written"] == sum(x["rounds"] for x in summary["not_written_because"]) > 0
    assert summary["not_written_because"][0]["clauses"] == ["X.1"]


def test_a_fault_is_listed_only_where_a_replay_finds_just_that(tmp_path: Path) -> None:
    """In a text where every round breaks a clause, no round has one known fault and no other."""
    loaded = load(edited("act-pontoon", "at deal require deal.to_dealer", tmp_path)).rulebook
    assert loaded is not None
    with pytest.raises(NothingLawful):
        list(simulate(loaded, 5, 1, faults=1.0))


# --- the clock


def zoned(zone: str, folder: Path) -> Path:
    path = folder / "act-pontoon.rules"
    text = shipped()["act-pontoon"].read_text(encoding="utf-8")
    path.write_text(text.replace("  zone Australia/Sydney\n", zone), encoding="utf-8")
    return path


def times(out: str) -> list[datetime]:
    return [datetime.fromisoformat(json.loads(line)["at"]) for line in out.splitlines()]


def test_times_carry_the_zone_of_the_rulebook(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rules = zoned("  zone Pacific/Auckland\n", tmp_path)
    call = ["simulate", str(rules), "--rounds", "60", "--seed", "1", "--tables", "1"]
    assert main(call) == 0
    assert times(capfd.readouterr().out)[0].isoformat() == "2005-02-07T12:00:00+13:00"
    # summer time ends and begins: the clock jumps, time does not
    for start, first, last in (
        ("2005-03-20T02:40", "+13:00", "+12:00"),
        ("2005-10-02T01:40", "+12:00", "+13:00"),
    ):
        assert main([*call, "--start", start]) == 0
        at = times(capfd.readouterr().out)
        assert [f"{t:%z}" for t in (at[0], at[-1])] == [o.replace(":", "") for o in (first, last)]
        steps = [(b - a).total_seconds() for a, b in pairwise(at)]
        assert all(35 <= step <= 80 for step in steps)
    assert main([*call, "--start", "2005-06-01T00:00:00+00:00"]) == 0
    assert times(capfd.readouterr().out)[0].isoformat() == "2005-06-01T12:00:00+12:00"


def test_without_a_zone_it_is_utc_and_said(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    call = ["simulate", str(zoned("", tmp_path)), "--rounds", "3", "--seed", "1"]
    assert main(call) == 0
    out, err = capfd.readouterr()
    assert times(out)[0].isoformat() == "2005-02-07T12:00:00+00:00"
    assert "names no time zone: the times are in UTC" in err
    assert main([*call, "--start", "2005-03-01T10:00:00+05:30"]) == 0
    out, err = capfd.readouterr()
    assert times(out)[0].isoformat() == "2005-03-01T10:00:00+05:30"
    assert "UTC" not in err
