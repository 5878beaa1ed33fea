"""Payments, decisions, cards and bets of the five texts that come at the wrong time or place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checker.cli import main
from checker.log.exact_json import dumps
from checker.log.script import events_of

STAR, ACT, BLACKJACK = "nsw-star-pontoon", "act-pontoon", "act-blackjack"
NZ, ADELAIDE = "nz-pontoon", "sa-adelaide-pontoon"
AT = {
    STAR: "2024-09-20T21:14:03+10:00",
    ACT: "2006-01-05T12:00:00+11:00",
    BLACKJACK: "2006-01-05T12:00:00+11:00",
    NZ: "2015-01-05T12:00:00+13:00",
    ADELAIDE: "2009-01-05T12:00:00+10:30",
}

BONUS = """bet 1 P1 20\nbet 2 P2 10\n{more}no more bets
deal 1:7S 2:KS 0:7D 1:7S 2:9H
{early}1 P1 hit 7S
settle 1 P1 main 80\nsettle 1 P1 super_bonus 1000
{soon}2 P2 stand\ndealer KH
settle 2 P2 main 20\n{late}"""
FIFTY = "settle 2 P2 super_bonus 50\n"
SOON = BONUS.format(more="", early="", soon=FIFTY, late="")
LATE = BONUS.format(more="", early="", soon="", late=FIFTY)
APPROVED = LATE.replace("no more bets", "approve defer_payment\nno more bets")
SIDE = {"more": "bet 1 P3 5 perfect_pairs\n", "early": "settle 1 P3 perfect_pairs 130\n"}
SIDE_PAID = BONUS.format(**SIDE, soon=FIFTY + "settle 1 P3 super_bonus 50\n", late="")
SIDE_LATE = BONUS.format(**SIDE, soon=FIFTY, late="settle 1 P3 super_bonus 50\n")
SIDE_UNPAID = BONUS.format(**SIDE, soon=FIFTY, late="")
# due once, however many boxes; paid at the other one
TWO_BOXES = (
    BONUS.replace("2 P2 stand", "2 P2 stand\n3 P2 stand")
    .replace("settle 2 P2 main 20", "settle 2 P2 main 20\nsettle 3 P2 main 20")
    .replace("deal 1:7S 2:KS 0:7D 1:7S 2:9H", "deal 1:7S 2:KS 3:KD 0:7D 1:7S 2:9H 3:9C")
)
OTHER_BOX = TWO_BOXES.format(
    more="bet 3 P2 10\n", early="", soon="", late="settle 3 P2 super_bonus 50\n"
)

CARDS = """bet 1 P1 20 card={one}\nbet 2 P2 10 card={other}\nno more bets
deal 1:9S 2:KS 0:7D 1:KS 2:9H
1 P1 stand\n2 P2 stand\ndealer KH
settle 1 P1 main 40\nsettle 2 P2 main 20"""

SIDE_BET = """bet 1 P1 20\nbet 1 P1 5 {bet}\nno more bets
deal 1:9S 0:7D 1:KS
settle 1 P1 {bet} 0
1 P1 stand\ndealer KH
settle 1 P1 main 40"""

FORFEIT = """bet 1 P1 10\nbet 2 P2 10\nno more bets
deal 1:6S 2:KS 0:6D 1:5S 2:9H
1 P1 double $10 2D
{soon}2 P2 stand
dealer KH
{late}dealer 3H
settle 2 P2 main 10"""
GIVEN_UP = "1 P1 forfeit\nsettle 1 P1 main 10\n"
CO_FORFEIT = """bet 1 P1 10 seated\nbet 1 P2 10 standing\nno more bets
deal 1:6S 0:6D 1:5S
1 P1 double $10\n1 P2 double $10 2D
dealer KH
1 P2 forfeit\nsettle 1 P2 main 10
dealer 3H
settle 1 P1 main 0"""
SURRENDER = """bet 1 P1 10\nbet 2 P2 10\nno more bets
deal 1:9S 2:KS 0:JD 1:KS 2:6H
1 P1 stand\n2 P2 stand
dealer 8H
2 P2 surrender
settle 1 P1 main 20\nsettle 2 P2 main 5"""
AFTER_STANDING = """bet 1 P1 10\nbet 2 P2 10\nno more bets
deal 1:5S 2:KS 0:7D 1:5H 2:9H
1 P1 stand
1 P1 {do}
2 P2 stand\ndealer KH
settle 1 P1 main {back}\nsettle 2 P2 main 20"""
DOUBLED = AFTER_STANDING.format(do="double $10 9C", back=40)
SPLIT = AFTER_STANDING.format(
    do="split $10\ndeal 1:9C\n1 P1 hit 5C\n1 P1 stand\ndeal 1.2:9D\n1.2 P1 hit 5D\n1.2 P1 stand",
    back="20\nsettle 1.2 P1 main 20",
)

# settled before the cards that decide it are there
TWO_HANDS = """bet 1 P1 20\nbet 1 P1 5 perfect_pairs\nbet 2 P2 10\nno more bets
deal 1:9S 2:KS 0:7D 1:KS
{early}deal 2:9H
{right}1 P1 stand\n2 P2 stand\ndealer KH
settle 1 P1 main 40\nsettle 2 P2 main 20"""
NO_PAIR = "settle 1 P1 perfect_pairs 0\n"
PAIRS_EARLY = TWO_HANDS.format(early=NO_PAIR, right="")
PAIRS_RIGHT = TWO_HANDS.format(early="", right=NO_PAIR)
BUST_EARLY = """bet 1 P1 20\nno more bets\ndeal 1:9S 0:7D 1:KS
1 P1 hit\nsettle 1 P1 main 0\ndeal 1:5H"""
INSURED = """bet 1 P1 20\nno more bets\ndeal 1:9S 0:AD 1:KS
1 P1 insure $10\n1 P1 stand
{early}dealer KH
{right}settle 1 P1 main 0"""
INSURANCE = "settle 1 P1 insurance 30\n"
INSURANCE_EARLY = INSURED.format(early=INSURANCE, right="")
INSURANCE_RIGHT = INSURED.format(early="", right=INSURANCE)
DOUBLED_ONE_CARD = """bet 1 P1 20\nno more bets\ndeal 1:9S 0:7D
1 P1 double $20 KS\ndealer KH\nsettle 1 P1 main 80"""

# rulebook, options, script, and the breaches with their clauses
TOLD: list[tuple[str, list[str], str, set[tuple[str, str | None]]]] = [
    (STAR, [], SOON, set()),
    (STAR, [], LATE, {("R502", "11.2.3")}),
    (STAR, [], APPROVED, set()),
    (STAR, [], OTHER_BOX, {("R502", "11.2.3")}),
    (STAR, ["perfect_pairs"], SIDE_PAID, set()),
    (STAR, ["perfect_pairs"], SIDE_LATE, {("R502", "11.2.3")}),
    (STAR, ["perfect_pairs"], SIDE_UNPAID, {("R501", "11.2.3")}),
    (STAR, [], CARDS.format(one="C1", other="C2"), set()),
    (STAR, [], CARDS.format(one="C1", other="C1"), {("R530", "20.1")}),
    (STAR, [], SIDE_BET.format(bet="perfect_pairs"), {("R530", "16.1"), ("R530", "16.2")}),
    (ACT, [], SIDE_BET.format(bet="perfect_pairs"), {("R530", "18.1")}),
    (ADELAIDE, [], SIDE_BET.format(bet="perfect_pairs"), {("R530", "86")}),
    (BLACKJACK, [], SIDE_BET.format(bet="perfect_pairs"), {("R530", "18.1"), ("R550", "18.1")}),
    (BLACKJACK, [], SIDE_BET.format(bet="super_sevens"), {("R530", "17.1"), ("R550", "17.1")}),
    (BLACKJACK, ["perfect_pairs"], SIDE_BET.format(bet="perfect_pairs"), set()),
    (ADELAIDE, [], FORFEIT.format(soon=GIVEN_UP, late=""), set()),
    (ADELAIDE, [], FORFEIT.format(soon="", late=GIVEN_UP), {("R510", "52"), ("R501", "10(b)")}),
    (ADELAIDE, [], CO_FORFEIT, {("R510", "52"), ("R501", "10(b)")}),
    (STAR, [], CO_FORFEIT, {("R550", "13.7")}),
    (ADELAIDE, [], SURRENDER, {("R510", "52"), ("R501", "10(b)")}),
    (ACT, [], SURRENDER, {("R510", "9.1"), ("R501", "14.1(f)")}),
    (STAR, [], DOUBLED, {("R510", "12.1.3")}),
    (STAR, [], SPLIT, {("R510", "12.1.3")}),
    (STAR, ["perfect_pairs"], PAIRS_RIGHT, set()),
    (STAR, ["perfect_pairs"], PAIRS_EARLY, {("R502", "16.9")}),
    (BLACKJACK, ["perfect_pairs"], PAIRS_EARLY, {("R502", "18.13(a)")}),
    (ACT, ["perfect_pairs"], PAIRS_EARLY, {("R502", "18.13(a)")}),
    (ADELAIDE, ["perfect_pairs"], PAIRS_EARLY, {("R502", "98(a)")}),
    (BLACKJACK, [], BUST_EARLY, {("R502", "13.1(d)")}),
    (BLACKJACK, [], INSURANCE_RIGHT, set()),
    (BLACKJACK, [], INSURANCE_EARLY, {("R502", "7.5(b)")}),
    (STAR, [], DOUBLED_ONE_CARD, {("R511", "13.1.1")}),
]

THREE_HANDS = """bet 1 P1 10\nno more bets
deal 1:8S 0:AD 1:8H
1 P1 split $10\ndeal 1.1:8C
1.1 P1 split $10\ndeal 1.1:2C
1.1 P1 hit {first}
{paid}deal 1.3:3C
1.3 P1 {third}
deal 1.2:2C\n1.2 P1 hit 8D\n1.2 P1 stand
dealer KH
{settled}"""
STOOD = "8D\n1.1 P1 stand"
PAID = {"first": "9D\n1.1 P1 hit 2H", "paid": "settle 1.1 P1 main 20\n"}


def three_hands(first: int | None, second: int, third: int, /, **how: str) -> str:
    backs = {1: first, 2: second, 3: third}
    settled = [f"settle 1.{n} P1 main {back}" for n, back in backs.items() if back is not None]
    parts = {"first": STOOD, "paid": "", "third": "hit 8D\n1.3 P1 stand"} | how
    return THREE_HANDS.format(**parts, settled="\n".join(settled))


def line_of(book: str, options: list[str], script: str, name: str) -> str:
    return dumps(
        {
            "format": 1,
            "round": name,
            "table": "T1",
            "at": AT[book],
            "rulebook": book,
            "decks": 8,
            "options": options,
            "limits": {"main": {"min": 5, "max": 500}},
            "events": events_of(script),
        }
    )


def replayed(log: Path, engine: str, capfd: Any) -> tuple[int, str]:
    status = main(["replay", "--engine", engine, "--quiet", "--format", "json", str(log)])
    out = capfd.readouterr().out.replace(f'"engine": "{engine}"', '"engine": ""')
    return status, re.sub(r'"seal": "\w+"', '"seal": ""', out)


def told(capfd: Any, log: Path) -> Iterator[tuple[str, set[tuple[str, str | None]]]]:
    report = json.loads(replayed(log, "plain", capfd)[1])
    found: dict[str, set[tuple[str, str | None]]] = {}
    for finding in report["findings"]:
        found.setdefault(finding["round"], set()).add((finding["code"], finding["clause"]))
    yield from found.items()


def test_each_is_told_with_its_clause(tmp_path: Path, capfd: Any) -> None:
    log = tmp_path / "a.jsonl"
    lines = [line_of(*case[:3], str(number)) for number, case in enumerate(TOLD)]
    log.write_text("\n".join(lines) + "\n")
    found = dict(told(capfd, log))
    for number, (book, _, script, expected) in enumerate(TOLD):
        assert found.get(str(number), set()) == expected, (book, script)


@pytest.mark.parametrize("book", [STAR, NZ, ACT])
def test_it_does_not_matter_from_which_hand_the_original_is_taken(
    tmp_path: Path, capfd: Any, book: str
) -> None:
    log = tmp_path / "a.jsonl"
    alike = [three_hands(0, 10, 10), three_hands(10, 0, 10), three_hands(10, 10, 0)]
    doubled = {"third": "double $10 8D"}
    alike += [three_hands(*x, **doubled) for x in ((0, 10, 20), (10, 0, 20), (10, 10, 10))]
    early = [three_hands(None, *x, **PAID) for x in ((0, 10), (10, 0), (5, 5))]
    wrong = [
        three_hands(0, 0, 10),
        three_hands(10, 10, 10),
        three_hands(0, 10, 0),
        three_hands(None, 0, 0, **PAID),
        # a hand that wins by itself makes up for nothing
        three_hands(None, 10, 10, first="9D\n1.1 P1 hit 2H", paid="settle 1.1 P1 main 10\n"),
    ]
    lines = [
        line_of(book, ["resplit"], script, f"{kind}{number}")
        for kind, scripts in (("alike", alike), ("early", early), ("wrong", wrong))
        for number, script in enumerate(scripts)
    ]
    log.write_text("\n".join(lines) + "\n")
    found = dict(told(capfd, log))
    assert not [name for name in found if name.startswith("alike")]
    assert found.get("early0") == found.get("early1") == found.get("early2")
    assert {code for code, _ in found.get("early0", set())} <= {"R550"}
    for number in range(len(wrong)):
        assert "R501" in {code for code, _ in found[f"wrong{number}"]}, wrong[number]


def test_columns_say_the_same(tmp_path: Path, capfd: Any) -> None:
    pytest.importorskip("numba")
    log = tmp_path / "a.jsonl"
    lines = [line_of(*case[:3], str(number)) for number, case in enumerate(TOLD)]
    log.write_text("\n".join(lines) + "\n")
    assert replayed(log, "columns", capfd) == replayed(log, "plain", capfd)
    if main(["convert", "--quiet", str(log), str(tmp_path / "a.parquet")]) == 0:
        capfd.readouterr()
        parquet = tmp_path / "a.parquet"
        assert replayed(parquet, "columns", capfd) == replayed(parquet, "plain", capfd)
