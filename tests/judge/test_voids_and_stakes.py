"""What a log need not tell of a void and of what is added: nothing is found because of it."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from checker.judge.findings import Verdict
from checker.log.decode import decode_round
from checker.log.exact_json import dumps
from checker.log.script import events_of
from checker.replay.replay import Library, judge_round
from checker.table.shoes import ShoeView
from rulespec.load.load import load, shipped

BOOKS = ("act-pontoon", "act-blackjack", "nz-pontoon", "nsw-star-pontoon", "sa-adelaide-pontoon")
ONE = "bet 1 P1 20 seated controls\nno more bets\n"
HIGHER = ONE + "deal 1:9H 0:8D 1:9C\n1 P1 stand\n"
SPLIT = """deal 1:8H 0:9D 1:8C
1 P1 split {stake}
deal 1:KH
1.1 P1 stand
deal 1.2:KC
1.2 P1 stand
dealer 9S
settle 1.1 P1 main 20
settle 1.2 P1 main 20
"""


@pytest.fixture(scope="module")
def library() -> Library:
    return Library(load(shipped()[book]).rulebook for book in BOOKS)  # type: ignore[misc]


def judged(library: Library, book: str, script: str, **more: Any) -> Verdict:
    shoe = more.pop("shoe_view", ShoeView())
    head: dict[str, Any] = {"format": 1, "round": "R1", "table": "T1", "decks": 6, **more}
    at = "2024-09-01T12:00:00+10:00"
    line = {**head, "at": at, "rulebook": book, "events": events_of(script)}
    round_ = decode_round(json.loads(dumps(line), parse_float=Decimal))
    return judge_round(round_, library, shoe)


@pytest.mark.parametrize("book", BOOKS)
def test_a_split_without_an_amount_took_as_much_again(library: Library, book: str) -> None:
    assert not judged(library, book, ONE + SPLIT.format(stake="")).findings
    assert judged(library, book, ONE + SPLIT.format(stake="$10")).findings


@pytest.mark.parametrize("book", BOOKS)
def test_of_a_double_without_an_amount_only_the_money_is_open(library: Library, book: str) -> None:
    script = ONE + "deal 1:6H 0:8D 1:5C\n1 P1 double 9S\ndealer KS\nsettle 1 P1 main 80"
    assert {f.code for f in judged(library, book, script).findings} == {"R550"}


@pytest.mark.parametrize("book", BOOKS)
def test_a_void_round_of_which_no_money_is_recorded(library: Library, book: str) -> None:
    verdict = judged(library, book, HIGHER + "void round because fire")
    assert not verdict.findings
    assert any("declared void" in why for why in verdict.not_recorded.values())


def test_a_void_for_which_the_log_gives_no_ground(library: Library) -> None:
    book = "sa-adelaide-pontoon"
    assert not judged(library, book, HIGHER + "void round\nsettle 1 P1 main 20").findings
    told = judged(library, book, HIGHER + "void round\nsettle 1 P1 main 0").findings
    assert {f.code for f in told} == {"R501"}


LIMITS = {"main": {"min": 10, "max": 100}, "perfect_pairs": {"min": 5, "max": 50}}
SIDE = """bet 1 P1 20 seated controls
bet 1 P1 60 perfect_pairs
no more bets
deal 1:9H 0:8D 1:9C
settle 1 P1 perfect_pairs {side}
1 P1 stand
dealer KS
settle 1 P1 main 20
"""


@pytest.mark.parametrize(
    ("book", "clause", "full"),
    [("act-pontoon", "3.5", 420), ("sa-adelaide-pontoon", "119", 360)],
)
def test_what_a_maximum_cuts_off_and_was_paid_is_told_by_the_maximum(
    library: Library, book: str, clause: str, full: int
) -> None:
    more: dict[str, Any] = {"limits": LIMITS, "options": ["perfect_pairs"]}
    (told,) = judged(library, book, SIDE.format(side=full), **more).findings
    assert (told.code, told.clause) == ("R501", clause)
    over = ONE.replace("20", "150") + "deal 1:9H 0:8D 1:{card}\n1 P1 stand\ndealer KS\n"
    for card, returned in (("KC", 300), ("8C", 0)):
        script = over.format(card=card) + f"settle 1 P1 main {returned}"
        (told,) = judged(library, book, script, **more).findings
        assert (told.code, told.clause) == ("R501", clause)
    script = over.format(card="8C") + "settle 1 P1 main 300"  # a loser that was paid as a winner
    (told,) = judged(library, book, script, **more).findings
    assert told.clause != clause


def test_the_shuffle_that_began_a_shoe_is_not_the_one_for_its_end(library: Library) -> None:
    script = (
        "shuffle\n" + ONE + "deal 1:9H 0:8D\nrecord shoe_exhausted\n{then}deal 1:9C\n1 P1 stand\n"
    )
    script += "dealer KS\nsettle 1 P1 main 20"
    begun = ShoeView(new=True, shuffled=True)
    kept = judged(library, "act-pontoon", script.format(then="shuffle\n"), shoe_view=begun)
    assert not kept.findings
    (told,) = judged(library, "act-pontoon", script.format(then=""), shoe_view=begun).findings
    assert (told.code, told.clause, told.others) == ("R540", "15.6", ())


INSURED = """bet 1 P1 20 seated controls
no more bets
deal 1:KS 0:AH 1:QD
{first}
{second}
1 P1 stand
dealer {card}
{paid}
"""
IN_PARTS = [("9S", ("0", "0"), []), ("KS", ("15", "15"), []), ("KS", ("15", "10"), ["R501"])]


@pytest.mark.parametrize(("card", "paid", "codes"), IN_PARTS)
@pytest.mark.parametrize("book", BOOKS)
def test_what_was_insured_in_parts_may_be_settled_in_parts(
    library: Library, book: str, card: str, paid: tuple[str, ...], codes: list[str]
) -> None:
    settled = [f"settle 1 P1 insurance {amount}" for amount in paid]
    settled.append(f"settle 1 P1 main {0 if card == 'KS' else 20}")
    insured = {"first": "1 P1 insure $5", "second": "1 P1 insure $5", "card": card}
    script = INSURED.format(**insured, paid="\n".join(settled))
    found = [f.code for f in judged(library, book, script).findings]
    assert [code for code in found if code != "R502"] == codes  # when, is not asked here
    once = INSURED.format(**insured | {"second": ""}, paid="\n".join(settled))
    assert "R504" in [f.code for f in judged(library, book, once).findings]
