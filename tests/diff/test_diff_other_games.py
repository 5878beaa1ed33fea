"""A game whose hands no search deals: what is said of two texts is no more than is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.cli import main

GAME = """game high_card "high card" {
  boxes and a dealer
  a hand is the rank of its card
  rules may require at round
}

bet main "main wager"

deal {
  each box 1 up
  dealer 1 up
}

stage more "one more card" after the deal {
  dealer draws
}

action draw "draw a card" by the dealer

fact round.decks is 1 to 12 "number of decks in use"
fact dealer.cards is 0 to 22 "number of cards of the dealer"
fact dealer.no_effect is yes or no "a further dealer card cannot change any settlement"
fact dealer.total is 0 to 60 "what the dealer's card is worth" counts cards
fact hand.total is 0 to 60 "what the player's card is worth" counts cards

moment round knows round
moment card_value knows round
moment dealer knows dealer
moment settle knows hand, dealer
"""
TEXT = """rulebook high {
  title "High card"
  game high_card
  undated because "an example"
}
clause 1 "Cards" {
  cards 2 to 9 count face
  cards T, J, Q, K, A count 10
}
clause 2 "The dealer" {
  dealer must draw when dealer.cards = 1 and not dealer.no_effect
  dealer must not draw when dealer.cards = 2 or dealer.no_effect
}
clause 3 "Results" {
  main wins when hand.total > dealer.total
  main loses when hand.total <= dealer.total
  main pays 1 to 1
}
"""


@pytest.fixture
def two(tmp_path: Path) -> list[str]:
    (tmp_path / "high.game").write_text(GAME, encoding="utf-8")
    paths = [tmp_path / "old.rules", tmp_path / "new.rules"]
    paths[0].write_text(TEXT, encoding="utf-8")
    paths[1].write_text(TEXT.replace("hand.total <= dealer", "hand.total < dealer"))
    return [str(path) for path in paths]


def test_rules_that_rest_on_others_are_not_called_other_rules(
    two: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", *two]) == 3
    told = capsys.readouterr().out
    assert "dealer draw: what the rules rest on differs;" in told
    assert "Main wager: the rules differ;" in told


def test_what_is_not_decided_is_not_covered(
    two: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", two[0], "--full"]) == 3
    told = capsys.readouterr().out
    assert "nothing that a rule of it asks for" not in told
    assert "what is named as not decided" in told


def test_classes_that_a_diff_may_lack_are_not_called_all(
    two: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(
        '{"format": 1, "round": "1", "table": "T", "at": "2030-01-01T10:00:00Z", "decks": 6,'
        ' "events": [{"e": "wager", "box": 1, "player": "P", "bet": "main", "stake": 10},'
        ' {"e": "deal", "box": 1, "card": "5H"}, {"e": "deal", "box": 0, "card": "6H"},'
        ' {"e": "settle", "box": 1, "player": "P", "bet": "main", "returned": 0}]}\n',
        encoding="utf-8",
    )
    main(["impact", *two, str(log)])
    told = " ".join(capsys.readouterr().out.split())
    assert "The diff does not decide every question: there may be more." in told
