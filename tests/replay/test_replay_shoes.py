"""Findings that only the whole shoe shows."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.replay.replay_support import WON, Run, Write, a_round

ACT = {"rulebook": "act-pontoon", "shoe": "S1", "decks": 6}
PLAYED = "bet 1 P1 10\ndeal 1:KH 0:9D 1:9S\n1 P1 stand\ndealer 9C\nsettle 1 P1 main 20"


def minute(n: int) -> str:
    return f"2020-06-01T12:{n:02d}:00+10:00"


@pytest.mark.parametrize(
    ("second", "codes"),
    [(PLAYED, [("R2", "R540", "5.4(b)")]), ("shuffle\n" + PLAYED, [])],
)
def test_no_round_after_the_cut_card_without_a_shuffle(
    run: Run, write: Write, second: str, codes: list[tuple[str, str, str]]
) -> None:
    log = write(
        a_round("R1", f"shuffle\n{PLAYED}\ncut card", at=minute(1), **ACT),
        a_round("X1", PLAYED, at=minute(1), **{**ACT, "shoe": "S9"}, table="T9"),
        a_round("R2", second, at=minute(2), **ACT),
    )
    found = [(f["round"], f["code"], f["clause"]) for f in run(log, "--format", "json").findings]
    assert found == codes


@pytest.mark.parametrize(
    ("decks", "shoes", "broken"),
    [(2, ("S1", "S1", "S1"), ["R2"]), (3, ("S1", "S1", "S1"), []), (2, ("S1", "S1", "S2"), [])],
)
def test_more_copies_of_a_card_than_the_decks_hold(
    run: Run, write: Write, decks: int, shoes: tuple[str, ...], broken: list[str]
) -> None:
    """A nine of clubs in each of three rounds: too many for two decks, unless the shoe is new."""
    others = (("KH", "9D", "9S"), ("KD", "9H", "8S"), ("QH", "8D", "8H"))
    rounds = []
    for n, (shoe, (one, up, two)) in enumerate(zip(shoes, others, strict=True)):
        script = f"bet 1 P1 10\ndeal 1:{one} 0:{up} 1:{two}\n1 P1 stand\ndealer 9C"
        more = {**ACT, "decks": decks, "shoe": shoe}
        rounds.append(a_round(f"R{n}", script, at=minute(n), **more))
    found = [
        f
        for f in run(write(*rounds), "--format", "json").findings
        if "9♣" in f["message"] and f["kind"] == "deal"
    ]
    assert [f["round"] for f in found] == broken
    assert {f["kind"] for f in found} <= {"deal"}


@pytest.mark.parametrize(
    ("start", "broken"),
    [("shuffle\nburn 5H\n", False), ("shuffle\n", True)],
)
def test_the_first_card_of_a_shoe_is_burnt(
    run: Run, write: Write, start: str, broken: bool
) -> None:
    """The Star burns the first card; the log records burnt cards elsewhere, so it would be seen."""
    star = {"rulebook": "nsw-star-pontoon", "decks": 6}
    log = write(
        a_round(
            "R1", "shuffle\nburn 2C\n" + PLAYED, at="2024-09-01T12:00:00+10:00", shoe="S1", **star
        ),
        a_round("R2", start + PLAYED, at="2024-09-01T12:05:00+10:00", shoe="S2", **star),
    )
    found = [(f["round"], f["code"]) for f in run(log, "--format", "json").findings]
    assert (("R2", "R540") in found) is broken
    assert all(round_ == "R2" for round_, _ in found)


def test_large_errors_are_listed_for_the_monthly_report(run: Run, write: Write) -> None:
    """The Star reports single errors of strictly more than $1,000, with what was adjusted."""
    star = {"rulebook": "nsw-star-pontoon", "at": "2024-09-01T12:00:00+10:00"}
    log = write(
        a_round("R1", WON.format(stake=10, returned=1020), **star),
        a_round("R2", WON.format(stake=10, returned="1020.01") + "\nadjust P1 -500", **star),
    )
    (report,) = run(log, "--format", "json").summary["reports"]
    assert (report["round"], report["month"], report["player"]) == ("R2", "2024-09", "P1")
    assert report["difference"] == Decimal("1000.01")
    assert report["adjusted"] == [-500]


SHUFFLED = "shuffle\n" + PLAYED


@pytest.mark.parametrize("engine", ["plain", "columns"])
@pytest.mark.parametrize(
    ("rounds", "options", "broken"),
    [
        ([("S1", SHUFFLED), ("S2", PLAYED)], [], ["R2"]),
        ([("S1", SHUFFLED), ("S2", SHUFFLED), ("S3", PLAYED), ("S3", PLAYED)], [], ["R3"]),
        # the shuffle stands at the end of the round before
        ([("S1", SHUFFLED + "\nshuffle"), ("S2", PLAYED), ("S3", PLAYED)], [], ["R3"]),
        # the log tells shuffles within a shoe only, or none
        ([("S1", PLAYED), ("S1", SHUFFLED), ("S2", PLAYED)], [], []),
        ([("S1", PLAYED), ("S2", PLAYED)], [], []),
        ([("S1", SHUFFLED), ("S2", PLAYED)], ["automatic_shuffler"], []),
    ],
)
def test_a_new_shoe_without_a_shuffle_where_others_begin_with_one(
    run: Run,
    write: Write,
    engine: str,
    rounds: list[tuple[str, str]],
    options: list[str],
    broken: list[str],
) -> None:
    if engine == "columns":
        pytest.importorskip("numba")
    book = {"rulebook": "act-blackjack", "decks": 6, "options": options}
    lines = (
        a_round(f"R{n}", script, at=minute(n), shoe=shoe, **book)
        for n, (shoe, script) in enumerate(rounds, 1)
    )
    found = run(write(*lines), "--format", "json", "--engine", engine).findings
    assert [(f["round"], f["code"]) for f in found if f["clause"] == "5.1"] == [
        (round_, "R540") for round_ in broken
    ]
    assert len(found) == len(broken)


@pytest.mark.parametrize(("options", "codes"), [([], ["R540"]), (["pre_shuffled"], [])])
def test_cards_that_came_pre_shuffled_need_no_shuffle(
    run: Run, write: Write, options: list[str], codes: list[str]
) -> None:
    star = {"rulebook": "nsw-star-pontoon", "decks": 6}
    first = a_round("R1", "shuffle\nburn\n" + PLAYED, at="2024-09-01T12:00:00Z", shoe="S1", **star)
    at = "2024-09-01T12:05:00Z"
    second = a_round("R2", "burn\n" + PLAYED, at=at, shoe="S2", options=options, **star)
    found = run(write(first, second), "--format", "json").findings
    assert [f["code"] for f in found if f["clause"] == "5.1.1"] == codes
