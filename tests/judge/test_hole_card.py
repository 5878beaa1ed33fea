"""A hole card: how it is dealt, who may know it when, and what is settled where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from checker.cli import main
from checker.evaluate.engine import Engine
from checker.evaluate.ready import new_engine
from checker.judge.findings import Verdict
from checker.judge.judge import judge
from checker.log.decode import decode_round
from checker.log.script import events_of
from tests.support import rulebook

HEADER = "rulebook sample { game blackjack in force from 2020-01-01 }\n"
AMERICAN = """
option hole_card "the dealer takes a hole card"
option card_reader "a device looks at the hole card"
option hole_card_up "the hole card lies face up"
option multiple "several hands of the dealer"
bet main_2 "second spot" { with main  on the hand  against dealer hand 2 }
bet insurance_2 "insurance of the second spot" { placed by insure  with main_2  against dealer hand 2 }
action redouble "double again" { logged  adds a stake as part double  deals 1  at most 1 on a hand }
action rescue "take back what was added" { logged  takes back part double  gives up part original  ends the hand }

deal when option hole_card { each box 1 up  dealer 1 up  each box 1 up  dealer 1 down }
deal when option hole_card_up { each box 1 up  dealer 1 up  each box 1 up  dealer 1 up }

stage peek "the device looks" after insurance
  when option card_reader and dealer.first in (A, T, J, Q, K) {
  dealer looks
  ends the round when dealer.pontoon
}

clause 1 "Cards" {
  cards 2 to 9 count face
  cards T, J, Q, K count 10
  cards A count 1 or 11
}
clause 2 "Natural" { define hand.pontoon as hand.cards = 2 and hand.total = 21 and not hand.split }
clause 3 "Order of the deal" { at card require deal.in_turn }
clause 4 "Hole card face down" {
  at deal require deal.face_down when option hole_card and deal.to_dealer and deal.initial and dealer.cards = 1
}
clause 5 "The device looks first" {
  at deal require dealer.peeked
    when option card_reader and not deal.initial and dealer.first in (A, T, J, Q, K)
  at peek require dealer.first in (A, T, J, Q, K)
}
clause 6 "Nothing after a natural" { at deal require not round.over }
clause 7 "Not turned before the players are done" {
  at reveal require dealer.players_done or round.over
}
clause 8 "Decisions" {
  may draw when hand.total < 21
  may stand
  may double when hand.cards = 2
  may split when hand.cards = 2 and hand.equal_value
  may insure when dealer.first = A and not dealer.peeked
  may surrender when hand.cards = 2
  may redouble when hand.cards = 3
  may rescue when hand.doubled
}
clause 9 "Dealer" {
  dealer must draw when dealer.total <= 16 and not dealer.no_effect
  dealer must not draw when dealer.total > 16 or dealer.no_effect
}
clause 10 "Results" {
  main loses when hand.total > 21
  main wins when hand.pontoon and not dealer.pontoon
  main loses when dealer.pontoon and not hand.pontoon
  main stands off when dealer.pontoon and hand.pontoon
  main loses half when wager.surrendered and not dealer.pontoon
  main wins when hand.total <= 21 and not hand.pontoon and not dealer.pontoon
    and (dealer.total > 21 or hand.total > dealer.total) and not wager.surrendered
  main loses when hand.total <= 21 and not hand.pontoon and not dealer.pontoon
    and dealer.total <= 21 and hand.total < dealer.total and not wager.surrendered
  main stands off when hand.total <= 21 and not hand.pontoon and not dealer.pontoon
    and hand.total = dealer.total and not wager.surrendered
  main pays 1 to 1
}
clause 11 "Insurance" {
  insurance wins when dealer.pontoon
  insurance loses when not dealer.pontoon
  insurance pays 2 to 1
  insurance settles at stage peek when option card_reader
  insurance settles at the second dealer card when not option card_reader
}
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return new_engine(rulebook(Path(tmp_path_factory.mktemp("american")), AMERICAN, HEADER))


def judged(engine: Engine, script: str, *options: str) -> Verdict:
    document: dict[str, Any] = {
        "format": 1,
        "round": "R1",
        "table": "T1",
        "at": "2021-01-01T12:00:00+00:00",
        "rulebook": "sample",
        "decks": 6,
        "options": list(options),
        "events": events_of(script, engine.rulebook.game),
    }
    return judge(engine, decode_round(document))


def found(verdict: Verdict) -> list[tuple[str, str | None]]:
    return [(one.code, one.clause) for one in verdict.findings]


BET = "bet 1 P1 10\n"
PLAIN = BET + "deal 1:TH 0:6D 1:8C 0:TS:down\n1 P1 stand\nreveal 0\ndealer 9C\n"


def test_a_round_with_a_hole_card_is_lawful(engine: Engine) -> None:
    assert not judged(engine, PLAIN + "settle 1 P1 main 20\n", "hole_card").findings


def test_without_the_option_the_second_card_comes_after_the_players(engine: Engine) -> None:
    script = BET + "deal 1:TH 0:6D 1:8C\n1 P1 stand\ndealer TS 9C\nsettle 1 P1 main 20\n"
    assert not judged(engine, script).findings
    assert ("R530", "3") in found(judged(engine, PLAIN + "settle 1 P1 main 20\n"))
    script = (
        BET + "deal 1:TH 0:6D 1:2C\n1 P1 hit 6S\n1 P1 stand\ndealer TS 9C\nsettle 1 P1 main 20\n"
    )
    assert found(judged(engine, script, "hole_card")) == [("R530", "3")]


def test_the_face_is_looked_at(engine: Engine) -> None:
    script = PLAIN.replace(":down", "").replace("reveal 0\n", "") + "settle 1 P1 main 20\n"
    assert found(judged(engine, script, "hole_card")) == [("R530", "4")]
    assert not judged(engine, script, "hole_card_up").findings


def test_turned_too_early(engine: Engine) -> None:
    script = BET + "deal 1:TH 0:6D 1:2C 0:TS:down\nreveal 0\n1 P1 hit 7D\n1 P1 stand\ndealer 9C\n"
    verdict = judged(engine, script + "settle 1 P1 main 20\n", "hole_card")
    assert found(verdict) == [("R530", "7")]


READER = ("hole_card", "card_reader")
ACE_UP = BET + "deal 1:TH 0:AD 1:8C 0:KS:down\n"


def test_a_natural_found_by_the_device_ends_the_round(engine: Engine) -> None:
    insured = ACE_UP + "1 P1 insure $5\npeek\nreveal 0\nsettle 1 P1 insurance 15\n"
    assert not judged(engine, insured + "settle 1 P1 main 0\n", *READER).findings
    played_on = ACE_UP + "peek\n1 P1 hit 2D\n1 P1 stand\nreveal 0\nsettle 1 P1 main 0\n"
    assert found(judged(engine, played_on, *READER)) == [("R530", "6")]


def test_the_device_has_to_look(engine: Engine) -> None:
    script = BET + "deal 1:TH 0:KD 1:2C 0:7S:down\n1 P1 hit 7D\n1 P1 stand\nreveal 0\n"
    verdict = judged(engine, script + "settle 1 P1 main 20\n", *READER)
    assert found(verdict) == [("R530", "5")]
    looked = BET + "deal 1:TH 0:6D 1:8C 0:TS:down\npeek\n1 P1 stand\nreveal 0\ndealer 9C\n"
    verdict = judged(engine, looked + "settle 1 P1 main 20\n", *READER)
    assert found(verdict) == [("R530", "5")]


def test_insurance_after_the_device_has_looked(engine: Engine) -> None:
    late = ACE_UP.replace("KS", "7S") + "peek\n1 P1 insure $5\n1 P1 stand\nreveal 0\n"
    codes = found(judged(engine, late + "settle 1 P1 insurance 0\nsettle 1 P1 main 10\n", *READER))
    assert ("R511", "8") in codes


def test_insurance_is_settled_at_the_peek(engine: Engine) -> None:
    begun = ACE_UP.replace("KS", "7S") + "1 P1 insure $5\npeek\n"
    ended = "1 P1 stand\nreveal 0\nsettle 1 P1 main 10\n"
    at_peek = begun + "settle 1 P1 insurance 0\n" + ended
    assert not judged(engine, at_peek, *READER).findings
    at_end = begun + ended + "settle 1 P1 insurance 0\n"
    assert found(judged(engine, at_end, *READER)) == [("R502", "11")]


def test_insurance_without_a_device_waits_for_the_hole_card(engine: Engine) -> None:
    begun = ACE_UP.replace("KS", "7S") + "1 P1 insure $5\n"
    right = begun + "1 P1 stand\nreveal 0\nsettle 1 P1 insurance 0\nsettle 1 P1 main 10\n"
    assert not judged(engine, right, "hole_card").findings
    early = begun + "settle 1 P1 insurance 0\n1 P1 stand\nreveal 0\nsettle 1 P1 main 10\n"
    assert found(judged(engine, early, "hole_card")) == [("R502", "11")]


def test_a_card_that_lies_face_down_is_not_known(engine: Engine) -> None:
    # 21 by the hole card would be a natural; the players decide all the same
    script = ACE_UP + "1 P1 hit 2D\n1 P1 stand\nreveal 0\nsettle 1 P1 main 0\n"
    assert not judged(engine, script, "hole_card").findings


def test_a_double_card_face_down_leaves_the_hand_open(engine: Engine) -> None:
    # with the card known the hand is bust, and the dealer would not draw
    script = BET + "deal 1:TH 0:6D 1:6C\n1 P1 double $10\ndeal 1:9S:down\ndealer TS 9C\n"
    verdict = judged(engine, script + "reveal 1\nsettle 1 P1 main 0\n")
    assert not verdict.findings
    verdict = judged(engine, script.replace(":down", "") + "settle 1 P1 main 0\n")
    assert ("R520", "9") in found(verdict)


def test_several_hands_of_the_dealer(engine: Engine) -> None:
    script = (
        "bet 1 P1 10\nbet 1 P1 10 main_2\ndeal 1:TH 0:6D 1:8C\n1 P1 stand\n"
        "deal 0:TS 0:9C\nsettle 1 P1 main 20\ndeal 0.2:5C 0.2:8D\nsettle 1 P1 main_2 {}\n"
    )
    assert not judged(engine, script.format(0), "multiple").findings
    verdict = judged(engine, script.format(20), "multiple")
    assert found(verdict) == [("R501", "10")]
    stopped = script.format(20).replace(" 0.2:8D", "")
    assert ("R521", "9") in found(judged(engine, stopped, "multiple"))


def test_insurance_of_another_spot(engine: Engine) -> None:
    script = (
        "bet 1 P1 10\nbet 1 P1 10 main_2\ndeal 1:TH 0:AD 1:8C\n1 P1 insure $5 for=main_2\n"
        "1 P1 stand\ndeal 0:9S\nsettle 1 P1 main 0\ndeal 0.2:KC\n"
        "settle 1 P1 insurance_2 {}\nsettle 1 P1 main_2 0\n"
    )
    assert not judged(engine, script.format(15), "multiple").findings
    assert found(judged(engine, script.format(0), "multiple")) == [("R501", "11")]


def test_actions_of_ones_own(engine: Engine) -> None:
    begun = BET + "deal 1:2H 0:6D 1:3C\n1 P1 double $10 4C\n1 P1 redouble $20 9D\n"
    right = begun + "dealer TS 2C\nsettle 1 P1 main {}\n"
    assert not judged(engine, right.format(40)).findings
    assert judged(engine, right.format(20)).findings[0].expected == 4000
    rescued = BET + "deal 1:2H 0:6D 1:3C\n1 P1 double $10 4C\n1 P1 rescue\ndealer TS 5C\n"
    assert not judged(engine, rescued + "settle 1 P1 main 10\n").findings
    verdict = judged(engine, rescued + "settle 1 P1 main 0\n")
    assert [(f.code, f.clause, f.expected) for f in verdict.findings] == [("R501", "8", 1000)]
    again = begun.replace("9D", "2D") + "1 P1 redouble $20 2S\ndealer TS 2C\nsettle 1 P1 main 0\n"
    assert ("R511", "8") in found(judged(engine, again))


def test_explain_draws_cards_face_down_and_every_hand_of_the_dealer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = rulebook(tmp_path, AMERICAN, HEADER).game
    document = {
        "format": 1,
        "round": "R1",
        "table": "T1",
        "at": "2021-01-01T12:00:00+00:00",
        "decks": 6,
        "options": ["hole_card"],
    }
    script = (
        "bet 1 P1 10\nbet 1 P1 10 main_2\ndeal 1:2H 0:6D 1:3C 0:TS:down\n"
        "1 P1 double $20\ndeal 1:4C:down\nreveal 0\ndeal 0:9C 0.2:5C 0.2:8D\nreveal 1\n"
    )
    log = tmp_path / "log.jsonl"
    events = events_of(script, game)
    log.write_text(json.dumps({**document, "events": events}, default=int) + "\n", encoding="utf-8")
    main(["explain", str(log), "--round", "R1", "--rules", str(tmp_path / "sample.rules")])
    drawn = capsys.readouterr().out
    assert "dealer hand 1 6♦ [10♠] 9♣   25" in drawn
    assert "dealer hand 2 6♦ 5♣ 8♦   19" in drawn
    assert "2♥ 3♣ [4♣]   9   doubled   P1 $10 + $10 double, P1 $10 + $10 double on main_2" in drawn


def test_an_action_is_done_as_often_as_its_declaration_says(engine: Engine) -> None:
    # clause 8 allows it on three cards, and no card was dealt in between
    script = BET + "deal 1:2H 0:6D 1:3C\n1 P1 hit 4C\n1 P1 redouble $10\n1 P1 redouble $10 2S\n"
    verdict = judged(engine, script + "deal 1:5S\ndealer TS 2C\n")
    twice = [one for one in verdict.findings if one.code == "R511"]
    assert [(one.clause, one.event) for one in twice] == [("8", 7)]
    assert "more than once on the hand" in twice[0].message
