"""What a finding says: the fact that decided it, in the words of the table."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from checker.judge.findings import ReplayFinding
from tests.replay.replay_support import CORNER, Run, Write, a_round, corner

MORE = """
clause 8 "Bettors" { at box require box.players <= 3 }
clause 9 "Decks" { at round require round.decks in 4 to 8 }
clause 10 "Insurance" {
  may insure when dealer.first = A
  at insure require play.stake <= wager.original / 2
}
clause 11 "Ten decks need leave" { at round require approved proceed when round.decks = 8 }
"""
DRAWN = "bet 1 P1 10\ndeal 1:AS 0:9D 1:TD\n1 P1 hit 5C\ndealer 8S\nsettle 1 P1 main 0"
CROWD = "bet 3 P1 10\nbet 3 P2 10\nbet 3 P3 10\nbet 3 P4 10\n"
INSURED = "bet 1 P1 10\ndeal 1:KH 0:{up} 1:9C\n1 P1 insure ${stake}\n1 P1 stand\ndealer 8S"
PLAIN = "bet 1 P1 10\ndeal 1:KH 0:9D 1:9C\n1 P1 stand\ndealer 8S\nsettle 1 P1 main 25"


@pytest.mark.parametrize(
    ("script", "more", "said"),
    [
        (DRAWN, {}, "P1 on box 1 drew on 21 (A♠ 10♦), which is not allowed"),
        (CROWD + PLAIN, {}, "four bettors on box 3; at most three are allowed"),
        (PLAIN, {"decks": 9}, "nine decks; four to eight are allowed"),
        (PLAIN, {"decks": 8}, "no approval `proceed` is recorded"),
        (
            INSURED.format(up="9D", stake=5),
            {},
            "P1 on box 1 insured on 19 (K♥ 9♣), which no clause allows: the dealer's first card "
            "is a 9",
        ),
        (
            INSURED.format(up="AD", stake=7),
            {},
            "P1 on box 1 insured: $7 added; at most $5, half the original wager of $10, is allowed",
        ),
        (PLAIN.replace("dealer 8S", "dealer 2S"), {}, "the dealer stopped on hard 11 (9♦ 2♠)"),
        (
            PLAIN.replace("dealer 8S", "dealer 8S 2C"),
            {},
            "the dealer drew a card on hard 17 (9♦ 8♠)",
        ),
        (
            PLAIN.replace("\nsettle 1 P1 main 25", ""),
            {},
            "main of P1 on box 1 was never settled; $25 was due",
        ),
    ],
)
def test_a_message_tells_the_fact(
    run: Run, write: Write, script: str, more: dict[str, object], said: str
) -> None:
    Path("corner.rules").write_text(CORNER + MORE, encoding="utf-8")
    found = corner(run, write(a_round("R1", script, **more))).findings
    assert said in [one["message"] for one in found]


def test_a_fingerprint_does_not_know_the_words() -> None:
    one = ReplayFinding("R530", "wager", "four bettors", "4", round="R1", at="2020-01-01T12:00:00")
    assert dataclasses.replace(one, message="4 players").fingerprint == one.fingerprint
    for other in ({"at": "2020-01-02T12:00:00"}, {"nth": 1}, {"shoe": "S2"}, {"event": 3}):
        assert dataclasses.replace(one, **other).fingerprint != one.fingerprint


def test_findings_of_one_place_have_fingerprints_of_their_own(run: Run, write: Write) -> None:
    """One clause with two requirements at one moment."""
    two = 'clause 8 "Two" { at box require box.players <= 3 at box require box.number <= 2 }'
    Path("corner.rules").write_text(CORNER + two, encoding="utf-8")
    found = corner(run, write(a_round("R1", CROWD + PLAIN))).findings
    prints = [one["fingerprint"] for one in found if one["clause"] == "8"]
    assert len(prints) == len(set(prints)) == 2
