"""Proofs over every deal of a game with named hands: total, unambiguous, or a round shows it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from checker.edge.named_hands import named_edges
from checker.evaluate.ready import new_engine
from checker.prove.named_hands import prove_named
from checker.scenarios.scenarios import as_judged
from checker.states.named_deals import groups_of
from rulespec.base.diagnostics import Diagnostic
from rulespec.load.load import load, shipped
from rulespec.resolve.rulebook import Rulebook

TEXT = shipped()["fr-punto-banco"].read_text(encoding="utf-8")


def changed(folder: Path, old: str, new: str) -> Rulebook:
    assert old in TEXT
    path = folder / "changed.rules"
    path.write_text(TEXT.replace(old, new), encoding="utf-8")
    book = load(path).rulebook
    assert book is not None
    return book


def proven(book: Rulebook) -> list[Diagnostic]:
    record = prove_named(book, None)
    assert record.undecided == ()
    return list(record.found)


def found(book: Rulebook) -> set[tuple[str, str | None, str]]:
    return {(d.code, d.clause, d.about[0]) for d in proven(book)}


@pytest.fixture(scope="module")
def as_shipped() -> set[tuple[str, str | None, str]]:
    book = load(shipped()["fr-punto-banco"]).rulebook
    assert book is not None
    return found(book)


def test_what_is_open_in_the_text_as_printed(
    as_shipped: set[tuple[str, str | None, str]],
) -> None:
    gaps = {(clause, about) for code, clause, about in as_shipped if code == "R312"}
    assert gaps == {
        ("55-14#6", "T"),
        ("55-14#table2", "on 7"),
        ("55-14#table2", "on 8"),
        ("55-14#table2", "on 9"),
    }
    clashes = {clause for code, clause, _ in as_shipped if code == "R310"}
    assert clashes == {"55-14#table1", "55-14#table2"}


def test_a_row_that_is_left_out_is_a_gap(
    tmp_path: Path, as_shipped: set[tuple[str, str | None, str]]
) -> None:
    row = "      5 | 4 to 7, none       -> yes\n"
    new = found(changed(tmp_path, row, "")) - as_shipped
    assert {(code, clause, about) for code, clause, about in new if code == "R312"} == {
        ("R312", "55-14#table2", "on 5")
    }


def test_rows_that_overlap_contradict_each_other(tmp_path: Path) -> None:
    row = "      6 | 6 to 7             -> yes\n"
    book = changed(tmp_path, row, "      6 | 5 to 7             -> yes\n")
    clash = [d for d in proven(book) if d.code == "R310" and not d.settled]
    assert [d.clause for d in clash] == ["55-14#table2"]
    witness = clash[0].witness
    assert witness is not None
    hands = witness["hands"]
    assert sum(int(card[0].replace("A", "1").replace("K", "0")) for card in hands["banker"]) == 6
    assert hands["player"][2][0] == "5"


def test_a_witness_is_a_round_that_can_be_dealt(tmp_path: Path) -> None:
    book = changed(tmp_path, "      3 | 8                  -> no\n", "")
    (gap,) = [d for d in proven(book) if d.code == "R312" and d.about[0] == "on 3"]
    assert gap.witness is not None
    entry = {"name": "witness", "play": gap.witness["play"], "clauses": []}
    assert as_judged(new_engine(book), entry)["undecided"] == ["55-14#table2"]


PAIR = """
bet pair "the player's first two cards are a pair" {
  on the table
}
section 60 "Pairs" about settlement {
  clause 60 "Pairs" {
    pair wins when player.first.rank = player.second.rank
    pair pays 11 to 1
  }
}
"""


def test_a_bet_on_two_cards_does_not_make_all_bets_look_at_them(tmp_path: Path) -> None:
    path = tmp_path / "pairs.rules"
    loses = "    pair loses when not player.first.rank = player.second.rank\n    pair pays"
    path.write_text(TEXT + PAIR.replace("    pair pays", loses), encoding="utf-8")
    book = load(path).rulebook
    assert book is not None
    engine = new_engine(book)
    drawing, pairs = groups_of(engine, list(book.game.bets), 6, draws=True)
    assert (drawing[0], len(drawing[1].kinds)) == (("player", "banker", "tie"), 10)
    assert (pairs[0], pairs[1].first, len(pairs[1].kinds)) == (("pair",), True, 13)
    (edge,) = named_edges(engine, ["pair"])[0].edges
    assert dict(edge.outcomes) == {
        Fraction(11): Fraction(23, 311),
        Fraction(-1): Fraction(288, 311),
    }


def test_a_gap_of_a_bet_on_two_cards_is_shown_by_a_whole_round(tmp_path: Path) -> None:
    path = tmp_path / "pairs.rules"
    path.write_text(TEXT + PAIR, encoding="utf-8")
    book = load(path).rulebook
    assert book is not None
    (gap,) = [d for d in proven(book) if d.code == "R312" and d.clause == "60"]
    assert gap.witness is not None
    entry = {"name": "witness", "play": gap.witness["play"], "clauses": []}
    assert as_judged(new_engine(book), entry) == {"returns": {"P1 pair": "undecided"}}


def test_what_only_an_option_or_a_choice_brings_about_is_found(tmp_path: Path) -> None:
    odds = """tie pays 8 to 1 when not option nine
    tie pays 9 to 1 when option nine
    tie pays 10 to 1 when option nine and choice ten = yes_ten"""
    words = 'option nine "nine for a tie"\nchoice ten in (no_ten, yes_ten) "ten for a tie"\n'
    path = tmp_path / "changed.rules"
    assert TEXT.count("tie pays 8 to 1") == 1
    path.write_text(TEXT.replace("tie pays 8 to 1", odds) + words, encoding="utf-8")
    book = load(path).rulebook
    assert book is not None
    clashes = [d for d in proven(book) if d.code == "R310" and "tie pays" in d.message]
    (clash,) = clashes
    assert clash.message.endswith("with nine and ten=yes_ten")


def test_the_edge_of_each_value_of_a_choice(tmp_path: Path) -> None:
    odds = "tie pays by choice tie_odds {\n  8 -> 8 to 1\n  9 -> 9 to 1\n}"
    path = tmp_path / "changed.rules"
    choice = 'choice tie_odds in (8, 9) "odds for a tie"\n'
    path.write_text(TEXT.replace("tie pays 8 to 1", odds) + choice, encoding="utf-8")
    book = load(path).rulebook
    assert book is not None
    made = {bet.name: bet.edges[0].house for bet in named_edges(new_engine(book), ["tie"], 8)}
    shipped_ = named_edges(new_engine(load(shipped()["fr-punto-banco"]).rulebook), ["tie"], 8)
    assert list(made) == ["tie tie_odds=8", "tie tie_odds=9"]
    assert made["tie tie_odds=8"] == shipped_[0].edges[0].house
    assert made["tie tie_odds=9"] < made["tie tie_odds=8"]


def test_a_ban_on_drawing_is_not_dead_for_lawful_deals_keep_it(
    as_shipped: set[tuple[str, str | None, str]],
) -> None:
    """55-14#17: no fourth card. A log that has one breaks it."""
    assert not [clause for code, clause, _ in as_shipped if code == "R313"]
