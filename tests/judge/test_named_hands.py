"""Rounds of a game with named hands: the cards that are due, the bets on the table, the shoe."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from checker.evaluate.engine import Engine
from checker.evaluate.ready import new_engine
from checker.judge.findings import Verdict
from checker.judge.judge import judge
from checker.log.decode import decode_round
from checker.log.script import events_of
from checker.table.shoes import ShoeTracker
from rulespec.load.load import load, shipped

BETS = "bet P1 100 player\nbet P2 100 banker\nbet P3 20 tie\nno more bets\n"
ALL = {bet: {"min": 20, "max": 2000} for bet in ("player", "banker", "tie")}


@cache
def engine() -> Engine:
    book = load(shipped()["fr-punto-banco"]).rulebook
    assert book is not None
    return new_engine(book)


def judged(*scripts: str, **more: Any) -> Verdict:
    shoes = ShoeTracker(lambda round_: engine().mechanics)
    verdict = Verdict()
    for number, script in enumerate(scripts):
        document = {
            "round": f"R{number}",
            "table": "T1",
            "at": f"2012-03-0{number + 1}T21:00:00+01:00",
            "decks": 6,
            "options": [],
            "limits": ALL,
            "events": events_of(script, engine().rulebook.game),
        }
        round_ = decode_round(document | more)
        verdict = judge(engine(), round_, shoes.view(round_))
        shoes.after(round_)
    return verdict


def found(verdict: Verdict) -> list[tuple[str, str | None]]:
    return [(finding.code, finding.clause) for finding in verdict.findings]


def due(verdict: Verdict) -> dict[str, int | None]:
    return {f"{player} {bet}": cents for (_, _, player, bet), cents in verdict.expected.items()}


def settled(*amounts: tuple[str, str, str]) -> str:
    return "".join(f"settle {player} {bet} {amount}\n" for player, bet, amount in amounts)


def test_a_win_of_the_banker_is_paid_nineteen_to_twenty() -> None:
    verdict = judged(BETS + "deal player:KS banker:4C player:6H banker:3D")
    assert due(verdict) == {"P1 player": 0, "P2 banker": 19_500, "P3 tie": 0}


def test_equal_totals_give_the_other_stakes_back() -> None:
    cards = "deal player:KS banker:4C player:7H banker:3D\n"
    paid = settled(("P3", "tie", "180"), ("P1", "player", "100"), ("P2", "banker", "100"))
    verdict = judged(BETS + cards + paid)
    assert found(verdict) == []
    assert due(verdict) == {"P1 player": 10_000, "P2 banker": 10_000, "P3 tie": 18_000}


@pytest.mark.parametrize(
    ("cards", "code", "clause"),
    [
        ("player:KS banker:4C player:5H banker:3D", "R521", "55-14#table1"),
        ("player:KS banker:4C player:6H banker:3D player:2H", "R520", "55-14#table1"),
        ("player:KS banker:KC player:6H banker:2D", "R521", "55-14#26"),
        ("player:KS banker:KC player:8H banker:2D banker:3D", "R520", "55-14#table1"),
        ("player:KS banker:KC player:3H banker:8D player:5D", "R520", "55-14#27"),
        ("player:KS banker:KC player:2H banker:6D player:6D", "R521", "55-14#table2"),
        ("player:KS banker:KC player:2H banker:4D player:AD banker:4S", "R520", "55-14#table2"),
        ("player:KS banker:KC player:6H banker:7D banker:4S", "R520", "55-14#25"),
    ],
)
def test_a_card_that_is_not_due_or_is_missing(cards: str, code: str, clause: str) -> None:
    assert found(judged(f"{BETS}deal {cards}")) == [(code, clause)]


def test_a_third_card_lies_face_up() -> None:
    cards = BETS + "deal player:KS banker:TD player:2H banker:7C\n"
    down = ("R530", "55-14#25")
    assert down not in found(judged(cards + "deal player:5C"))
    assert down in found(judged(cards + "deal player:5C:down"))


def test_after_a_false_draw_the_stakes_are_due_back() -> None:
    wrong = BETS + "deal player:KS banker:4C player:6H banker:3D player:2H\n"
    paid = settled(("P3", "tie", "0"), ("P2", "banker", "0"), ("P1", "player", "200"))
    verdict = judged(wrong + paid)
    assert due(verdict) == {"P1 player": 10_000, "P2 banker": 10_000, "P3 tie": 2_000}
    assert ("R501", "55-14#34") in found(verdict)


def test_a_card_burnt_in_play_puts_a_false_draw_right() -> None:
    cards = "deal player:KS banker:4C player:6H banker:3D\nburn 5H\n"
    paid = settled(("P1", "player", "0"), ("P3", "tie", "0"), ("P2", "banker", "195"))
    assert found(judged(BETS + cards + paid)) == []


def test_a_round_annulled_for_nothing() -> None:
    cards = "deal player:KS banker:4C player:6H banker:3D\nvoid round\n"
    paid = settled(("P1", "player", "100"), ("P3", "tie", "20"), ("P2", "banker", "100"))
    assert found(judged(BETS + cards + paid)) == [("R580", "55-14#34")]


def test_the_third_card_of_the_player_comes_first() -> None:
    out_of_turn = "deal player:KS banker:AC player:4H banker:AD banker:5C player:3H"
    assert found(judged(BETS + out_of_turn)) == [("R530", "55-14#25")]


def test_a_bet_that_the_text_does_not_have() -> None:
    events = events_of(
        BETS + "deal player:KS banker:4C player:7H banker:2D", engine().rulebook.game
    )
    pair = {"e": "wager", "player": "P7", "bet": "pair", "stake": 20}
    verdict = judged("", events=[pair, *events])
    assert [f for f in found(verdict) if f[0] == "R530"] == [("R530", "55-14#19")]


def test_a_tie_between_stop_card_and_the_next_round() -> None:
    stop = "bet P1 20 player\nno more bets\ndeal player:KS banker:4C\ncut card\n"
    first = stop + "deal player:7H banker:2D\nsettle P1 player 40"
    second = "bet P1 20 player\nno more bets\ndeal player:KS banker:4C player:7H banker:2D"
    again = judged(first, second + "\nsettle P1 player 40", shoe="S")
    assert found(again) == [("R540", "55-14#5")]
    opened = "shuffle\nburn 2H\nburn 3H\nburn 4H\n"
    assert found(judged(first, opened + second + "\nsettle P1 player 40", shoe="S")) == []


def test_a_new_minimum_within_a_shoe() -> None:
    play = "bet P1 40 player\nno more bets\ndeal player:KS banker:4C player:7H banker:2D\n"
    shoes = ShoeTracker(lambda round_: engine().mechanics)
    told = []
    for minimum in (20, 40):
        document = {
            "round": f"R{minimum}",
            "table": "T1",
            "shoe": "S",
            "at": f"2012-03-01T21:{minimum}:00+01:00",
            "decks": 6,
            "options": [],
            "limits": {"player": {"min": minimum, "max": 50 * minimum}},
            "events": events_of(play + "settle P1 player 80", engine().rulebook.game),
        }
        round_ = decode_round(document)
        told.append(found(judge(engine(), round_, shoes.view(round_))))
        shoes.after(round_)
    assert told == [[], [("R530", "53#last")]]


def test_what_a_ten_burns_is_left_open() -> None:
    play = "bet P1 20 player\nno more bets\ndeal player:KS banker:4C player:7H banker:2D\n"
    opened = "shuffle\nburn TH\n" + "burn\n" * 10
    assert found(judged(opened + play + "settle P1 player 40")) == [("R550", "55-14#6")]


@pytest.mark.parametrize("given", ["95", "100", "200"])
def test_a_winner_who_got_something_else_is_told_by_the_odds(given: str) -> None:
    cards = "deal player:KS banker:4C player:6H banker:3D\n"
    paid = settled(("P1", "player", "0"), ("P3", "tie", "0"), ("P2", "banker", given))
    assert found(judged(BETS + cards + paid)) == [("R501", "55-14#30")]


@pytest.mark.parametrize(("given", "codes"), [("180", ["R550"]), ("20", []), ("", ["R550"])])
def test_hands_without_a_card_are_no_tie(given: str, codes: list[str]) -> None:
    verdict = judged("bet P1 20 tie\nno more bets\n" + (given and f"settle P1 tie {given}\n"))
    assert [code for code, _ in found(verdict)] == codes
    assert due(verdict) == {}


def test_a_broken_requirement_says_what_is_asked_for() -> None:
    verdict = judged("bet P1 30 tie\nno more bets\ndeal player:KS banker:4C player:6H banker:3D")
    assert "a stake of €30; a multiple of €20 is required" in verdict.findings[0].message
    verdict = judged("shuffle\nburn 3S\nburn\nno more bets\ndeal player:KS banker:4C player:6H")
    assert "exactly 3 by `burn_count` is required" in verdict.findings[0].message


def test_cards_that_go_back_into_a_shuffler_come_again() -> None:
    mechanics = engine().mechanics
    assert mechanics.roles["cards go back"] == "automatic_shuffler"
    shoes = ShoeTracker(lambda _: mechanics)
    script = "no more bets\ndeal player:4S banker:KH player:5D banker:7C"
    document = {"table": "T1", "shoe": "S1", "decks": 6, "limits": ALL}
    events = events_of(script, engine().rulebook.game)
    for number in range(8):
        more = {"round": str(number), "at": f"2012-03-01T21:0{number}:00+01:00", "events": events}
        round_ = decode_round({**document, **more, "options": ["automatic_shuffler"]})
        assert found(judge(engine(), round_, shoes.view(round_))) == []
        shoes.after(round_)
