"""Input that nobody means: each comes to a clear refusal, and leaves nothing half done."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from checker import cli

HEADER = 'rulebook example { title "Pontoon" in force from 2024-01-01 }\n'
SOUND = HEADER + 'clause 5.1 "A total of 21" { main wins when hand.total = 21 }\n'


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RULESPEC_TRACEBACK", raising=False)


@pytest.fixture(scope="module")
def lawful(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Six rounds at two tables."""
    path = tmp_path_factory.mktemp("log") / "ok.jsonl"
    call = ["simulate", "act-pontoon", "--rounds", "6", "--seed", "1", "--tables", "2"]
    assert cli.main([*call, "--quiet", "--output", str(path)]) == 0
    return path.read_bytes()


def refused(shown: Any, *words: str) -> None:
    """What is said on stderr has every word, advice, and no trace of Python."""
    for word in words:
        assert word in shown.err
    assert "\nhelp: " in shown.err
    assert "Traceback" not in shown.err


# --- rule files


@pytest.mark.parametrize(
    "clause",
    [
        f"main wins when hand.total = {'9' * 6000}",
        f"main pays {'9' * 6000} to 1",
        f"super_bonus pays ${'9' * 6000}",
        f"super_bonus pays $9{',999' * 2000}",
        f"cards J, Q, K count {'9' * 6000}",
    ],
)
@pytest.mark.parametrize("command", ["check", "fmt", "coverage"])
def test_a_number_that_cannot_be_reckoned_with(
    command: str, clause: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("huge.rules").write_text(HEADER + f'clause 5.1 "Huge" {{ {clause} }}\n')
    assert cli.main([command, "huge.rules"]) == 2
    shown = capsys.readouterr().out
    assert "R112: a number of 6," in shown
    assert "huge.rules:2:" in shown
    assert "  help: a number has at most 12 digits" in shown


def test_long_digits_in_words_are_no_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    Path("long.rules").write_text(
        HEADER + f'# {"9" * 50}\nclause 5.1 "No. {"9" * 50}" {{ main wins when hand.total = 21 }}\n'
    )
    assert cli.main(["check", "long.rules", "--no-proofs"]) == 0


@pytest.mark.parametrize(
    ("clause", "advice"),
    [
        ("main pays 1 to 0", "both numbers are from 1 up"),
        ("at insure require play.stake <= wager.original / 0", "divide by a number from 1 up"),
        ("in force from 2024-02-30", "write a day of the calendar as YYYY-MM-DD"),
    ],
)
def test_what_makes_no_sense_is_told_with_advice(
    clause: str, advice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("odd.rules").write_text(HEADER + f'clause 5.1 "Odd" {{ {clause} }}\n')
    assert cli.main(["check", "odd.rules", "--no-proofs"]) == 2
    assert f"  help: {advice}" in capsys.readouterr().out


# --- names


@pytest.mark.parametrize("name", ["", " "])
@pytest.mark.parametrize(
    "call",
    [
        ["check"], ["fmt"], ["fmt", "--check"], ["coverage"], ["graph", "--format", "text"],
        ["test"], ["simulate", "--rounds", "1", "--seed", "1"], ["replay", "ok.jsonl", "--rules"],
        ["explain", "ok.jsonl", "--round", "T01-000001", "--rules"],
    ],
)  # fmt: skip
def test_an_empty_name_stands_for_nothing(
    call: list[str], name: str, lawful: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("ok.jsonl").write_bytes(lawful)
    Path("messy.rules").write_text(SOUND)
    assert cli.main([*call, name]) == 2
    shown = capsys.readouterr()
    assert "R008: an empty name stands for no rulebook" in shown.out + shown.err
    assert "  help: name an id, a `.rules` file or a folder" in shown.out + shown.err
    assert Path("messy.rules").read_text() == SOUND


# --- logs


@pytest.mark.parametrize("decks", ['"6"', "1000000000000", "9" * 6000, "6.5"])
@pytest.mark.parametrize("target", ["out.parquet", "out.jsonl"])
def test_decks_that_are_no_number_are_not_converted(
    decks: str, target: str, lawful: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow")
    first, rest = lawful.split(b"\n", 1)
    head = json.loads(first)
    bad = first.replace(b'"decks":%d' % head["decks"], b'"decks":' + decks.encode())
    assert bad != first
    Path("bad.jsonl").write_bytes(bad + b"\n" + rest)
    assert cli.main(["convert", "bad.jsonl", target]) == 2
    refused(capsys.readouterr(), "line 1 of `bad.jsonl`: decks")
    assert os.listdir() == ["bad.jsonl"]


def test_a_simulation_beyond_the_calendar(capsys: pytest.CaptureFixture[str]) -> None:
    call = ["simulate", "act-pontoon", "--rounds", "2", "--seed", "1"]
    assert cli.main([*call, "--start", "9999-12-31T23:59:59Z", "--output", "log.jsonl"]) == 2
    refused(capsys.readouterr(), "the calendar ends in 9999")
