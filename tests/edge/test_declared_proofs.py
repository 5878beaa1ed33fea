"""Contradictions and gaps on declared bets, and what no proof models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from checker.cli import main
from checker.edge.declared_proofs import declared_proofs
from tests.edge.edge_support import decks
from tests.evaluate.engine_support import CARDS, PLAYS, RESULTS
from tests.support import HEADER, rulebook

BETS = """
choice table in (1, 2) "pay table"
meter jackpot "the jackpot"
bet pair "Pair" { decided by first, second, dealer.first }
"""
GOOD = """
  pair wins when same rank of (first, second)
  pair loses when not same rank of (first, second)
  pair pays 5 to 1
"""


def found_in(folder: Path, clause: str, *more: str) -> list[tuple[str, str, str | None]]:
    text = "".join((CARDS, BETS, decks("= 6"), f'clause 9 "Pair" {{ {clause} }}\n', *more))
    return [(d.code, d.message, d.clause) for d in declared_proofs(rulebook(folder, text)).found]


def test_a_bet_that_is_settled_on_every_deal(tmp_path: Path) -> None:
    assert found_in(tmp_path, GOOD) == []


def test_a_gap_in_the_results(tmp_path: Path) -> None:
    clause = "pair wins when same rank of (first, second) pair pays 5 to 1"
    [(code, message, where)] = found_in(tmp_path, clause)
    assert (code, where) == ("R312", "9")
    assert message.startswith("no clause says whether `pair` wins: ")


def test_a_contradiction_of_two_clauses(tmp_path: Path) -> None:
    other = 'clause 10 "Suits" { pair loses when same suit of (first, dealer.first) }\n'
    [(code, message, _)] = found_in(tmp_path, GOOD, other)
    assert code == "R310"
    assert message.startswith("`pair` loses and wins: ")


def test_two_rows_that_overlap_and_rows_that_add_up(tmp_path: Path) -> None:
    odds = GOOD.replace("pair pays 5 to 1", "pair pays { first.rank = 7 -> 5 to 1 %s -> 2 to 1 }")
    overlapping = found_in(tmp_path, odds % "first.suit != hearts")
    assert {code for code, _, _ in overlapping} == {"R316", "R312"}
    assert "`pair` pays 2 to 1 and 5 to 1: 7" in str(overlapping)
    added = odds % "first.suit != hearts or first.rank != 7" + "pair pays the sum of its rows"
    assert found_in(tmp_path, added) == []


def test_each_choice_of_the_house_is_looked_at(tmp_path: Path) -> None:
    odds = GOOD.replace("pair pays 5 to 1", "pair pays 5 to 1 when choice table = 1")
    [(code, message, _)] = found_in(tmp_path, odds)
    assert code == "R312"
    assert message.startswith("no clause says what `pair` pays, table=2: ")
    barred = 'clause 11 "Tables" { at round require choice table = 1 }\n'
    assert found_in(tmp_path, odds, barred) == [], "what is not permitted is not dealt"


def test_what_rests_on_something_else_is_not_called_proven(tmp_path: Path) -> None:
    clause = "pair wins when dealer.total > 21 pair loses when dealer.total <= 21 pair pays 1 to 1"
    text = CARDS + BETS + f'clause 9 "Pair" {{ {clause} }}\n'
    proofs = declared_proofs(rulebook(tmp_path, text))
    assert (proofs.found, proofs.proven) == ([], set())


def report(
    capfd: pytest.CaptureFixture[str], folder: Path, text: str, *arguments: str
) -> tuple[int, dict[str, Any]]:
    file = folder / f"text{len(list(folder.iterdir()))}.rules"
    file.write_text(HEADER + text)
    status = main([*arguments, str(file), "--format", "json"])
    return status, json.loads(capfd.readouterr().out)


EVENS = 'clause 5 "Evens" { main pays 1 to 1 }\n'
STRANGE = """clause 6 "More" { main pays 2 to 1 when same suit of (first, second) and meter jackpot > $5 }
"""


def test_check_says_what_no_proof_models(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = CARDS + PLAYS + RESULTS + EVENS + BETS
    status, shown = report(capfd, tmp_path, text, "check")
    assert (status, shown["summary"].get("undecided")) == (0, None)
    status, shown = report(capfd, tmp_path, text + STRANGE, "check")
    assert status == 3
    assert shown["summary"]["undecided"] == [
        "sample: clause 6: cards by position: not modelled",
        "sample: clause 6: meters: not modelled",
    ]


def test_check_says_what_is_not_searched(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    own = """
    bet vague "Vague" { on the box }
    action again "again" { logged deals 1 }
    option closed "cards are dealt closed"
    deal when option closed { each box 2 up dealer 1 up dealer 1 down }
    clause 6 "Vague" { vague wins vague pays 1 to 1 }
    clause 7 "Again" { may again }
    """
    status, shown = report(capfd, tmp_path, CARDS + PLAYS + RESULTS + EVENS + own, "check")
    assert status == 3
    assert shown["summary"]["undecided"] == [
        "sample: clause 6: the bet `vague`: not searched",
        "sample: clause 7: the action `again`: not searched",
        "sample: hands that are dealt otherwise when option closed: not searched",
    ]


def test_diff_is_undecided_where_a_changed_rule_is_not_modelled(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = CARDS + PLAYS + RESULTS + EVENS + BETS + STRANGE
    old = tmp_path / "old.rules"
    old.write_text(HEADER + text)
    status, _ = report(capfd, tmp_path, text, "diff", str(old))
    assert status == 0, "the same rules are the same whatever they ask"
    changed = text.replace("same suit of", "same colour of")
    status, shown = report(capfd, tmp_path, changed, "diff", str(old))
    assert status == 3
    assert "cards by position, meters: not modelled" in json.dumps(shown)
    bounds = text.replace("main pays 1 to 1", "main pays at least 1 to 1")
    status, _ = report(capfd, tmp_path, bounds, "diff", str(old))
    assert status == 1


@pytest.mark.parametrize(
    ("was", "becomes", "told"),
    [
        ("choice table in (1, 2)", "choice table in (1, 2, 3)", "the choice `table`"),
        ("decided by first, second,", "decided by first,", "the bet `pair`"),
        ("meter jackpot", "deal { each box 2 up dealer 2 up }\nmeter jackpot", "the deal"),
        ("meter jackpot", "meter jackpot", ""),
        ('"the jackpot"', '"the great jackpot"', ""),
    ],
)
def test_diff_says_what_is_declared_otherwise(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], was: str, becomes: str, told: str
) -> None:
    text = CARDS + PLAYS + RESULTS + EVENS + BETS + f'clause 9 "Pair" {{ {GOOD} }}\n'
    old = tmp_path / "old.rules"
    old.write_text(HEADER + text)
    assert was in text
    status, shown = report(capfd, tmp_path, text.replace(was, becomes, 1), "diff", str(old))
    assert status == (3 if told else 0)
    assert f"{told} is declared otherwise" in json.dumps(shown) or not told
    assert main(["diff", str(old), str(old)]) == 0


ALIKE = """
  pair wins when same card of (first, second, dealer.first) pair pays 5 to 1
  pair loses when not same rank of (first, second)
  pair loses when same rank of (first, second) and not same card of (first, second)
  pair loses when same card of (first, second) and not same card of (second, dealer.first)
"""


def test_a_deal_that_the_decks_do_not_hold_shows_nothing(tmp_path: Path) -> None:
    """One card cannot come three times out of two packs."""
    odds = ALIKE.replace("pair pays 5 to 1", "pair pays 5 to 1 when first.suit != clubs")
    for n, told in ((1, 0), (2, 0), (3, 1)):
        text = CARDS + BETS + decks(f"= {n}") + f'clause 9 "Pair" {{ {odds} }}\n'
        proofs = declared_proofs(rulebook(tmp_path, text))
        assert len(proofs.found) == told
        assert "pair" in proofs.proven
        for found in proofs.found:
            assert found.witness is not None
            cards = [*found.witness["cards"], *found.witness["dealer"]]
            assert max(map(cards.count, cards)) <= found.witness["decks"] == n


def test_the_number_of_decks_that_a_deal_needs_is_looked_for(tmp_path: Path) -> None:
    odds = ALIKE.replace("pair pays 5 to 1", "pair pays 5 to 1 when first.suit != clubs")
    text = CARDS + BETS + decks("<= 8") + f'clause 9 "Pair" {{ {odds} }}\n'
    [found] = declared_proofs(rulebook(tmp_path, text)).found
    assert found.witness is not None
    assert (found.witness["cards"], found.witness["decks"]) == (["2C", "2C"], 3)


def test_rows_for_other_numbers_of_decks_are_looked_at(tmp_path: Path) -> None:
    """What is needed of the cards is found out for all numbers of decks at once."""
    odds = GOOD.replace(
        "pair pays 5 to 1",
        "pair pays 5 to 1 when round.decks = 1 "
        "pair pays 6 to 1 when round.decks = 2 and first.suit != hearts",
    )
    text = CARDS + BETS + decks("<= 2") + f'clause 9 "Pair" {{ {odds} }}\n'
    [found] = declared_proofs(rulebook(tmp_path, text)).found
    assert found.witness is not None
    assert (found.code, found.witness["decks"]) == ("R312", 2)
    assert found.witness["cards"][0].endswith("H")


def test_what_is_open_for_every_choice_is_proven_for_none(tmp_path: Path) -> None:
    odds = GOOD.replace("pair pays 5 to 1", "pair pays 5 to 1 when wager.stake > $5")
    text = CARDS + BETS + decks("= 6") + f'clause 9 "Pair" {{ {odds} }}\n'
    chosen = text.replace("wager.stake > $5", "wager.stake > $5 and choice table in (1, 2)")
    for one in (text, chosen):
        proofs = declared_proofs(rulebook(tmp_path, one))
        assert (proofs.found, proofs.proven) == ([], set())


def test_the_dealers_first_two_cards_are_a_hand(tmp_path: Path) -> None:
    bets = BETS.replace("dealer.first }", "dealer.first, dealer.second }")
    clause = """
      define hand.pontoon as hand.cards = 2 and hand.total = 21
      pair wins when same rank of (first, second) and not dealer.pontoon
      pair loses when not same rank of (first, second)
      pair pays 5 to 1
    """
    text = CARDS + bets + decks("= 6") + f'clause 9 "Pair" {{ {clause} }}\n'
    proofs = declared_proofs(rulebook(tmp_path, text))
    [found] = proofs.found
    assert found.witness is not None
    assert {card[0] for card in found.witness["dealer"]} & set("A")
    assert proofs.proven == {"pair"}
    own = text.replace("same rank of (first, second)", "hand.total = 12")
    assert declared_proofs(rulebook(tmp_path, own)).proven == set(), "whole hands of the box"


def test_a_bet_that_is_never_dealt_is_not_called_proven(tmp_path: Path) -> None:
    text = CARDS + BETS + decks("= 6") + f'clause 9 "Pair" {{ {GOOD} }}\n'
    text += 'option pair "offered" clause 12 "More" { at round require round.decks = 8 when option pair }'
    assert declared_proofs(rulebook(tmp_path, text)).proven == set()


def test_a_table_has_what_a_bet_needs(tmp_path: Path) -> None:
    text = CARDS + BETS + f'clause 9 "Pair" {{ {GOOD} }}\n'
    needs = """option pair "offered"
    option closed "closed"
    clause 11 "Tables" { at round require option closed when option pair }
    """
    assert declared_proofs(rulebook(tmp_path, text + needs)).proven == {"pair"}


def test_a_deal_is_settled_again_by_the_evaluator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clause = "pair wins when same rank of (first, second) pair pays 5 to 1"
    text = CARDS + BETS + decks("= 6") + f'clause 9 "Pair" {{ {clause} }}\n'
    book = rulebook(tmp_path, text)
    assert len(declared_proofs(book).found) == 1
    monkeypatch.setattr(
        "checker.edge.declared_proofs._dealt_again", lambda *_: ({"loses"}, set[object]())
    )
    proofs = declared_proofs(book)
    assert (proofs.found, proofs.proven) == ([], set())
