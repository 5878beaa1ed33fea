"""Rounds that stand twice: copies, clashes, and ids that start again; and the law's day."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from checker.log import repeated_rounds
from checker.log.exact_json import dumps
from checker.log.repeated_rounds import Place, Seen, SeenRounds
from tests.replay.replay_support import CORNER, GOOD, OVERPAID, Ran, Run, Write, a_round, line_of

ENGINES = ("plain", "columns")


def both(run: Run, *arguments: str) -> Ran:
    """What the plain engine says, after the columns have said the same."""
    pytest.importorskip("numba")
    plain, fast = (
        run(*arguments, "--rules", "corner.rules", "--format", "json", "--engine", engine)
        for engine in ENGINES
    )
    assert plain.status == fast.status
    assert plain.findings == fast.findings
    summaries = [{**ran.summary, "engine": None} for ran in (plain, fast)]
    assert summaries[0] == summaries[1]
    return plain


def spaced(round_: dict[str, Any]) -> bytes:
    """The same round, written by somebody else."""
    return dumps(dict(reversed(round_.items())), separators=(" ,  ", " : ")).encode()


def test_a_copy_is_judged_once_however_it_is_written(run: Run, write: Write) -> None:
    one = write(a_round("R1", OVERPAID), a_round("R2"), name="one.jsonl")
    two = write(a_round("R3"), spaced(a_round("R1", OVERPAID)), a_round("R2"), name="two.jsonl")
    ran = both(run, one, two, two)
    assert (ran.summary["rounds"], ran.summary["copies"]) == (3, 5)
    assert ran.summary["overpaid"] == 5
    assert [f["code"] for f in ran.findings] == ["R501"]
    first = {"log": one, "line": 1}
    assert ran.summary["copied"][0] == (
        {"round": "R1", "table": "T1", "log": two, "line": 2, "first": first}
    )


def test_rounds_that_clash_are_both_judged(run: Run, write: Write) -> None:
    log = write(a_round("R1"), a_round("R2"), a_round("R1", OVERPAID), a_round("R1", OVERPAID))
    ran = both(run, log)
    assert ran.status == 1
    assert (ran.summary["rounds"], ran.summary["copies"]) == (3, 1)
    clash, paid = ran.findings
    assert (clash["code"], clash["kind"], clash["line"]) == ("R570", "integrity", 3)
    assert clash["message"] == "this round stands at line 1 too, with different content"
    assert (paid["code"], paid["line"]) == ("R501", 3)
    assert ran.summary["copied"][0]["first"]["line"] == 3


def test_a_clash_of_two_lawful_rounds_is_told(run: Run, write: Write) -> None:
    other = a_round("R1")
    other["decks"] = 8
    one, two = write(a_round("R1"), name="one.jsonl"), write(other, name="two.jsonl")
    ran = both(run, one, two)
    assert [f["code"] for f in ran.findings] == ["R570"]
    assert "at line 1 of `one.jsonl` too" in ran.findings[0]["message"]


@pytest.mark.parametrize(
    "again",
    [
        {"at": "2020-06-02T12:00:00+10:00"},  # another day
        {"shoe": "another"},
        {"table": "T2"},
    ],
)
def test_ids_that_start_again_are_nothing_to_remark_on(
    again: dict[str, Any], run: Run, write: Write
) -> None:
    ran = both(run, write(a_round("R1"), {**a_round("R1", OVERPAID), **again}))
    assert [f["code"] for f in ran.findings] == ["R501"]
    assert (ran.summary["rounds"], ran.summary["copies"]) == (2, 0)


def test_ids_that_start_again_in_another_file(run: Run, write: Write) -> None:
    one = write(a_round("R1"), a_round("R2"), name="one.jsonl")
    later = {"at": "2020-06-01T15:00:00+10:00"}
    last = {"at": "2020-06-01T16:00:00+10:00"}
    two = write(
        {**a_round("R1", OVERPAID), **later},
        {**a_round("R2"), **later},
        {**a_round("R1"), **last},
        name="two.jsonl",
    )
    ran = both(run, one, two)
    assert [(f["code"], f["line"]) for f in ran.findings] == [("R501", 1), ("R570", 3)]
    assert "line 1 of `two.jsonl`" in ran.findings[1]["message"]
    assert (ran.summary["rounds"], ran.summary["copies"]) == (5, 0)


def test_random_repeats_of_both_engines(run: Run) -> None:
    for seed in range(4):
        rng = Random(seed)
        names = []
        for number in range(3):
            lines = []
            for _ in range(60):
                round_ = a_round(f"R{rng.randrange(12)}", rng.choice((GOOD, OVERPAID)))
                round_["table"] = rng.choice(("T1", "T1", "T2"))
                round_["at"] = f"2020-06-0{rng.choice('12')}T12:00:0{rng.choice('01')}+10:00"
                if rng.random() < 0.3:
                    round_["shoe"] = rng.choice(("a", "b"))
                lines.append(spaced(round_) if rng.random() < 0.2 else line_of(round_))
            names.append(f"{seed}-{number}.jsonl")
            Path(names[-1]).write_bytes(b"".join(line + b"\n" for line in lines))
        ran = both(run, *names)
        assert ran.summary["copies"] > 10
        assert ran.summary["by_code"]["R570"] > 5


# --- the law's day

SYDNEY = CORNER.replace("in force from", "zone Australia/Sydney in force from", 1)


@pytest.mark.parametrize(
    ("at", "day"),
    [
        ("2024-08-15T13:59:59Z", "2024-08-15"),
        ("2024-08-15T14:00:00Z", "2024-08-16"),
        ("2024-08-16T01:59:59.999999+12:00", "2024-08-15"),
        ("2024-08-15T04:00:00-10:00", "2024-08-16"),
        ("2024-10-05T15:59:59Z", "2024-10-06"),  # summer time begins
        ("2024-10-06T13:00:00Z", "2024-10-07"),
        ("2024-10-06T12:59:59Z", "2024-10-06"),
        ("2025-04-06T13:59:59Z", "2025-04-06"),  # and ends
        ("2025-04-06T14:00:00Z", "2025-04-07"),
    ],
)
def test_the_day_is_that_of_the_rulebooks_zone(at: str, day: str, run: Run, write: Write) -> None:
    """Whatever offset the log writes, by both engines and to the minute."""
    for start, judged in ((day, True), (_after(day), False)):
        text = SYDNEY.replace(_start(CORNER), start)
        Path("corner.rules").write_text(text, encoding="utf-8")
        ran = both(run, write({**a_round("R1"), "at": at}))
        assert [f["code"] for f in ran.findings] == ([] if judged else ["R560"])
        if not judged:
            there = "" if at.startswith(day) else ", the day in Australia/Sydney"
            assert ran.findings[0]["message"].endswith(f"in force on {day}{there}")


def test_days_of_random_times_are_alike_in_both_engines(run: Run) -> None:
    rng = Random(20)
    lines = []
    for number in range(400):
        ahead = rng.randrange(-14 * 60, 14 * 60)
        sign, minutes = "-" if ahead < 0 else "+", abs(ahead)
        day = rng.choice(("2024-04-06", "2024-04-07", "2024-10-05", "2024-10-06", "2024-08-16"))
        clock = f"{rng.randrange(24):02d}:{rng.choice(('00:00', '30:00', '59:59'))}"
        at = f"{day}T{clock}{sign}{minutes // 60:02d}:{minutes % 60:02d}"
        lines.append(line_of({**a_round(f"R{number}"), "at": at}))
    Path("log.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    for start in ("2024-04-07", "2024-08-16", "2024-10-06"):
        text = SYDNEY.replace(_start(CORNER), start)
        Path("corner.rules").write_text(text, encoding="utf-8")
        assert 0 < both(run, "log.jsonl").summary["by_code"]["R560"] < 400


def _start(text: str) -> str:
    return text.split("in force from ", 1)[1].split()[0]


def _after(day: str) -> str:
    from datetime import date, timedelta

    return str(date.fromisoformat(day) + timedelta(days=1))


def test_rounds_that_are_no_longer_at_hand_are_known_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = Random(3)
    told = [(chance.randrange(60), chance.randrange(4), chance.randrange(3)) for _ in range(900)]
    rounds = [(key, Seen(what, at, n // 300, n)) for n, (key, what, at) in enumerate(told)]
    kept = SeenRounds()
    at_hand = [kept.keep(*one) for one in rounds]
    assert {None if one is None else one.copy for one in at_hand} == {None, True, False}
    so_far: list[tuple[int, Seen]] = []
    for n, (key, seen) in enumerate(rounds):  # by looking through all that came before
        before = [other for same, other in so_far if same == key]
        alike = next((one for one in before if one.what == seen.what), None)
        alike = alike or next((one for one in before if one.file == seen.file), None)
        alike = alike or next((one for one in before if one.at == seen.at), None)
        found = at_hand[n]
        assert (found is None) is (alike is None)
        assert found is None or found.first == Place(alike.file, alike.line)
        if found is None or not found.copy:
            so_far.append((key, seen))
    monkeypatch.setattr(repeated_rounds, "_RECENT", 5)
    monkeypatch.setattr(repeated_rounds, "_MARKS", 64)
    kept = SeenRounds()
    assert [kept.keep(*one) for one in rounds] == at_hand
