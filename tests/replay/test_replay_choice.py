"""Which rounds a replay shows, by which rulebook, from which logs."""

from __future__ import annotations

import time

import pytest

from tests.replay.replay_support import GOOD, OVERPAID, TIED, Run, Write, a_round, corner

# --- what is shown


def test_only_one_table(run: Run, write: Write) -> None:
    log = write(a_round("R1", OVERPAID), a_round("R2", OVERPAID, table="T2"), a_round("R3"))
    ran = corner(run, log, "--table", "T2")
    assert ran.summary["rounds"] == 1
    assert [f["round"] for f in ran.findings] == ["R2"]
    assert (
        corner(
            run, write(a_round("R1", OVERPAID), a_round("R2", table="T2")), "--table", "T2"
        ).status
        == 0
    )


def test_from_is_within_and_to_is_not(run: Run, write: Write) -> None:
    days = (
        "2020-05-31T23:59:59+10:00",
        "2020-06-01T00:00:00+10:00",
        "2020-06-01T23:59:59+10:00",
        "2020-06-02T00:00:00+10:00",
    )
    log = write(*(a_round(f"R{n}", OVERPAID, at=at) for n, at in enumerate(days)))
    ran = corner(
        run, log, "--from", "2020-06-01T00:00:00+10:00", "--to", "2020-06-02T00:00:00+10:00"
    )
    assert [f["round"] for f in ran.findings] == ["R1", "R2"]
    # the same moment in another zone
    ran = corner(run, log, "--from", "2020-05-31T14:00:00+00:00")
    assert [f["round"] for f in ran.findings] == ["R1", "R2", "R3"]


@pytest.mark.parametrize("zone", ["UTC", "Australia/Sydney", "America/New_York"])
def test_a_time_without_a_zone_is_that_of_the_table(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    """Wherever the replay is run."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        days = ("2020-05-31T23:59:59+10:00", "2020-06-01T00:00:00+10:00")
        log = write(*(a_round(f"R{n}", OVERPAID, at=at) for n, at in enumerate(days)))
        assert [f["round"] for f in corner(run, log, "--from", "2020-06-01").findings] == ["R1"]
        assert [f["round"] for f in corner(run, log, "--to", "2020-06-01").findings] == ["R0"]
    finally:
        monkeypatch.undo()
        time.tzset()


def test_rounds_before_the_first_one_shown_still_count_for_the_shoe(run: Run, write: Write) -> None:
    script = "bet 1 P1 10\ndeal 1:KH 0:9D 1:9S\n1 P1 stand\ndealer 9C\nsettle 1 P1 main 20"
    act = {"rulebook": "act-pontoon", "shoe": "S1"}
    log = write(
        a_round("R1", "shuffle\n" + script + "\ncut card", at="2020-06-01T12:00:00+10:00", **act),
        a_round("R2", script, at="2020-06-01T12:01:00+10:00", **act),
    )
    ran = run(log, "--format", "json", "--from", "2020-06-01T12:01:00+10:00")
    assert ran.summary["rounds"] == 1
    assert [(f["code"], f["clause"]) for f in ran.findings] == [("R540", "5.4(b)")]


def test_only_one_clause(run: Run, write: Write) -> None:
    drawn = """bet 1 P1 10
deal 1:KH 0:9D 1:JC
1 P1 hit 5C
dealer 8S
settle 1 P1 main 0"""
    log = write(a_round("R1", OVERPAID), a_round("R2", drawn))
    everything = corner(run, log)
    assert {f["clause"] for f in everything.findings} >= {"3"}
    ran = corner(run, log, "--clause", "3")
    assert {f["clause"] for f in ran.findings} == {"3"}
    assert (ran.status, ran.summary["findings"], ran.summary["overpaid"]) == (1, 1, 0)
    assert ran.summary["rounds"] == 2
    assert corner(run, log, "--clause", "2").status == 0
    # a clause that is named beside the first one counts too
    assert [f["round"] for f in corner(run, log, "--clause", "4").findings] == ["R1"]


def test_a_clause_that_is_nowhere_matches_nothing(run: Run, write: Write) -> None:
    ran = corner(run, write(a_round("R1", OVERPAID)), "--clause", "99.9")
    assert ran.status == 2
    assert "99.9" in ran.err + ran.out


def test_a_limit_shortens_the_list_and_not_the_summary(run: Run, write: Write) -> None:
    log = write(*(a_round(f"R{n}", OVERPAID) for n in range(7)))
    ran = corner(run, log, "--limit", "3")
    assert [f["round"] for f in ran.findings] == ["R0", "R1", "R2"]
    assert (ran.status, ran.summary["findings"], ran.summary["overpaid"]) == (1, 7, 35)
    none = corner(run, log, "--limit", "0")
    assert (none.status, none.findings) == (1, [])
    text = run(log, "--rules", "corner.rules", "--limit", "3").out
    assert "4 more are not shown" in text


def test_text_shows_fifty_unless_told(run: Run, write: Write) -> None:
    log = write(*(a_round(f"R{n}", OVERPAID) for n in range(60)))
    assert run(log, "--rules", "corner.rules").out.count("should have got") == 50
    assert run(log, "--rules", "corner.rules", "--full").out.count("should have got") == 60


@pytest.mark.parametrize(
    ("kinds", "status"),
    [("settlement", 1), ("play,settlement", 1), ("undecided", 1), ("play", 3), ("wager,deal", 3)],
)
def test_fail_on(run: Run, write: Write, kinds: str, status: int) -> None:
    log = write(a_round("R1", OVERPAID), a_round("R2", TIED))
    ran = corner(run, log, "--fail-on", kinds)
    assert ran.status == status
    assert ran.summary["findings"] == 1


def test_without_a_reading(run: Run, write: Write) -> None:
    log = write(a_round("R1", TIED))
    (found,) = corner(run, log, "--without-reading", "ties").findings
    assert "readings" not in found
    assert "no clause gives an answer here" in found["message"]


# --- which rulebook


def test_the_round_names_its_rulebook(run: Run, write: Write) -> None:
    script = "bet 1 P1 10\ndeal 1:AH 0:9D 1:KC\nsettle 1 P1 main 25"
    log = write(
        a_round("R1", script, rulebook="act-pontoon"),
        a_round("R2", script, rulebook="sa-adelaide-pontoon"),
    )
    ran = run(log, "--format", "json")
    assert ran.summary["rulebooks"] == {"act-pontoon": 1, "sa-adelaide-pontoon": 1}
    assert ran.findings == []


def test_rules_on_the_command_line_count_more(run: Run, write: Write) -> None:
    log = write(
        a_round("R1", rulebook="act-pontoon"),
        a_round("R2", rulebook=None),
        a_round("R3", rulebook="no-such"),
    )
    ran = corner(run, log)
    assert (ran.status, ran.summary["rulebooks"]) == (0, {"corner": 3})


def test_a_rulebook_that_is_not_at_hand(run: Run, write: Write) -> None:
    log = write(
        a_round("R1", rulebook="no-such"),
        a_round("R2", rulebook=None),
        *(a_round(f"N{n}", rulebook="act-ponton") for n in range(30)),
    )
    ran = run(log, "--format", "json")
    assert ran.status == 1
    assert [(f["code"], f["kind"]) for f in ran.findings] == [("R561", "integrity")] * 3
    assert [(f["line"], f["message"]) for f in ran.findings] == [
        (1, "1 round names rulebook `no-such`, which is not at hand"),
        (2, "1 round names no rulebook"),
        (3, "30 rounds name rulebook `act-ponton`, which is not at hand"),
    ]
    assert "did you mean `act-pontoon`?" in ran.findings[2]["help"]
    assert all("--rules" in f["help"] for f in ran.findings)
    assert ran.summary["by_code"] == {"R561": 3}
    assert ran.summary["rounds"] == 32


def test_rules_of_another_game_are_refused(run: Run, write: Write) -> None:
    strange = a_round("R1", rulebook="act-blackjack")
    ran = corner(run, write(a_round("R0"), strange))
    assert (ran.status, ran.out) == (2, "")
    assert "line 2 of `log.jsonl` names rulebook `act-blackjack` of blackjack" in ran.err
    assert "--force" in ran.err
    assert corner(run, "log.jsonl", "--force").status == 0
    late = write(*(a_round(f"N{n}") for n in range(30)), strange, {**strange, "round": "R2"})
    for engine in ("plain", "columns"):
        ran = corner(run, late, "--engine", engine)
        assert [f["message"] for f in ran.findings] == [
            "2 rounds name rulebook `act-blackjack` of blackjack, which `corner` is not"
        ], engine


@pytest.mark.parametrize(
    ("at", "codes"),
    [
        ("2019-12-31T23:59:59+10:00", ["R560"]),
        ("2020-01-01T00:00:00+10:00", []),
        ("2029-12-31T23:59:59+10:00", []),
        ("2030-01-01T00:00:00+10:00", ["R560"]),
    ],
)
def test_no_text_in_force(run: Run, write: Write, at: str, codes: list[str]) -> None:
    """The first day is within, the day after the last is not; what counts is the table's day."""
    ran = corner(run, write(a_round("R1", at=at)))
    assert [f["code"] for f in ran.findings] == codes
    assert ran.status == (1 if codes else 0)


def test_a_clause_is_in_force_from_its_own_day(run: Run, write: Write) -> None:
    """The Star's player cards, chosen by the time of each round in one log."""
    script = GOOD.replace("main 25", "main 20")
    other = script.replace("P1 10", "P1 10 nocard").replace("P1", "P2")
    star = {"rulebook": "nsw-star-pontoon"}
    log = write(
        a_round("R1", script, at="2024-08-18T12:00:00+10:00", **star),
        a_round("R2", other, at="2024-08-18T13:00:00+10:00", **star),
        a_round("R3", other, at="2024-08-19T12:00:00+10:00", **star),
    )
    found = [
        (f["round"], f["clause"])
        for f in run(log, "--format", "json").findings
        if f["code"] == "R530"
    ]
    assert sorted(found) == [("R3", "20.1"), ("R3", "6.1")]


# --- several logs


def test_several_logs_are_one_replay(run: Run, write: Write) -> None:
    one = write(a_round("R1", OVERPAID), a_round("R2"), name="one.jsonl")
    two = write(a_round("R3"), a_round("R4", OVERPAID), name="two.jsonl")
    ran = run(one, two, "--rules", "corner.rules", "--format", "json")
    assert ran.summary["rounds"] == 4
    assert [(f["round"], f["line"]) for f in ran.findings] == [("R1", 1), ("R4", 2)]
    assert [f["log"] for f in ran.findings] == [one, two]
    assert [i["path"] for i in ran.report["inputs"] if i["kind"] == "log"] == [one, two]


def test_a_round_that_stands_in_two_logs_counts_once(run: Run, write: Write) -> None:
    one = write(a_round("R1", OVERPAID), name="one.jsonl")
    two = write(a_round("R1", OVERPAID), a_round("R1", table="T2"), name="two.jsonl")
    ran = run(one, two, "--rules", "corner.rules", "--format", "json")
    assert (ran.summary["rounds"], ran.summary["copies"]) == (2, 1)
    assert ran.summary["overpaid"] == 5
    assert ran.summary["copied"] == [
        {"round": "R1", "table": "T1", "log": two, "line": 1, "first": {"log": one, "line": 1}}
    ]
