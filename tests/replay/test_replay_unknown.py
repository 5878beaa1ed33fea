"""Bets, plays, events and options that nothing is known about: told, and the rest is judged."""

from pathlib import Path
from typing import Any

import pytest

from checker.cli import main
from tests.replay.replay_support import GOOD, OVERPAID, Run, Write, a_round, line_of
from tests.replay.test_replay_repeats import both


def told(summary: dict[str, Any]) -> list[tuple[str, str, int]]:
    return [(one["part"], one["name"], one["rounds"]) for one in summary["unknown"]]


def with_events(name: str, script: str, *more: dict[str, Any]) -> dict[str, Any]:
    round_ = a_round(name, script)
    round_["events"] = [*round_["events"][:-1], *more, round_["events"][-1]]
    return round_


LUCKY = (
    {"e": "wager", "box": 1, "player": "P1", "bet": "lucky", "stake": 5},
    {"e": "settle", "box": 1, "player": "P1", "bet": "lucky", "returned": 500},
)
WAVE = {"e": "wave", "box": 0, "why": {"nested": [1, 2]}}


def test_money_on_a_bet_that_is_not_known_is_not_judged(run: Run, write: Write) -> None:
    ran = both(run, write(with_events("R1", GOOD, *LUCKY), with_events("R2", OVERPAID, *LUCKY)))
    assert [(f["code"], f["round"]) for f in ran.findings] == [("R501", "R2")]
    assert told(ran.summary) == [("bet", "lucky", 2)]
    assert (ran.summary["rounds"], ran.summary["quarantined"]) == (2, 0)
    assert both(run, write(with_events("R1", GOOD, *LUCKY))).status == 3


def test_an_event_that_is_not_known_is_told(run: Run, write: Write) -> None:
    ran = both(run, write(with_events("R1", GOOD, WAVE), with_events("R2", OVERPAID, WAVE)))
    assert [f["code"] for f in ran.findings] == ["R501"]
    assert told(ran.summary) == [("event", "wave", 2)]
    assert both(run, write(with_events("R1", GOOD, WAVE))).status == 0


def test_nothing_is_said_of_a_box_with_a_play_that_is_not_known(run: Run, write: Write) -> None:
    """What it did to cards and money cannot be told; other boxes are judged."""
    fold = {"e": "play", "box": 1, "player": "P1", "do": "triple", "stake": 20}
    other = OVERPAID + "\nbet 2 P2 10\ndeal 2:KD 2:9S\n2 P2 stand\nsettle 2 P2 main 77"
    ran = both(run, write(with_events("R1", OVERPAID, fold), with_events("R2", other, fold)))
    assert {f["box"] for f in ran.findings} == {2}
    assert told(ran.summary) == [("play", "triple", 2)]


def test_options_and_limits_that_are_not_known_are_told(run: Run, write: Write) -> None:
    rounds = [{**a_round(f"R{n}"), "options": ["sixes", "resplit"]} for n in range(5)]
    rounds += [{**a_round(f"L{n}"), "limits": {"lucky": {"max": 5}}} for n in range(2)]
    ran = both(run, write(*rounds, line_of(rounds[0]) + b" "))
    assert told(ran.summary) == [("option", "sixes", 5), ("bet", "lucky", 2)]
    assert ran.summary["copies"] == 1


def test_a_known_event_that_is_malformed_is_still_quarantined(run: Run, write: Write) -> None:
    bad = {"e": "wager", "box": 1, "player": "P1", "bet": "lucky", "stake": -5}
    ran = both(run, write(a_round("R0"), with_events("R1", GOOD, bad)))
    assert (ran.summary["rounds"], ran.summary["quarantined"]) == (1, 1)


def test_it_is_said_in_words_and_explained(
    run: Run, write: Write, capfd: pytest.CaptureFixture[str]
) -> None:
    log = write(with_events("R1", GOOD, *LUCKY, WAVE))
    said = run(log, "--rules", "corner.rules").out
    assert "Not checked: bet `lucky` in 1 round" in said
    assert "Not checked: event `wave` in 1 round" in said
    assert main(["explain", log, "--round", "R1", "--rules", "corner.rules"]) == 0
    assert "Not checked: bet `lucky`" in capfd.readouterr().out


def test_a_round_with_what_is_not_known_is_converted_whole(
    write: Write, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow")
    log = write(with_events("R1", GOOD, *LUCKY, WAVE), {**a_round("R2"), "options": ["sixes"]})
    assert main(["convert", log, "b.parquet"]) == 0
    assert main(["convert", "b.parquet", "c.jsonl"]) == 0
    assert Path("c.jsonl").read_bytes() == Path(log).read_bytes()
