"""Acceptances of known flaws, and the static check as a whole."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from support import loaded, rulebook, shown

from rulespec.acceptance import apply_acceptances
from rulespec.diagnostics import Diagnostic, Related
from rulespec.static_check import STATIC_CODES, static_check

TODAY = date(2026, 3, 1)

RULES = """
section 1 "Play" about drawing {
  clause 1.1 "Draw" { may draw when hand.total < 21 cites 9.9 }
  clause 1.1(a) "Stand" { may stand when hand.total < 21 cites 9.8 }
  clause 1.1(b) "Split" { may split when hand.cards = 2 }
  clause 1.2 "Odds" { main pays 1 to 1 cites 9.7 }
}
section 2 "General" about general {
  clause 2.1 "Wins" { main wins when hand.total = 21 cites 9.6 }
}
"""


def check(folder: Path, acceptances: str, rules: str = RULES) -> list[Diagnostic]:
    return static_check(loaded(folder, rules + acceptances), TODAY)


def accepted(found: list[Diagnostic]) -> list[tuple[str | None, str]]:
    return [(d.clause, d.accepted) for d in found if d.accepted is not None]


@pytest.mark.parametrize(
    ("where", "clauses"),
    [
        ("", ["1.1", "1.1(a)", "1.2", "2.1"]),
        ("at 1.1 ", ["1.1", "1.1(a)"]),
        ("at 1.1(a), 2.1 ", ["1.1(a)", "2.1"]),
        ("at 1 ", ["1.1", "1.1(a)", "1.2"]),
    ],
)
def test_what_an_acceptance_covers(tmp_path: Path, where: str, clauses: list[str]) -> None:
    found = check(tmp_path, f'accept R201 {where}because "printed so"')
    assert accepted(found) == [(clause, "printed so") for clause in clauses]
    assert len(found) == 4
    assert {d.code for d in found} == {"R201"}


def test_a_named_section_covers_what_is_printed_in_it(tmp_path: Path) -> None:
    rules = """
section "Side bets" "Side bets" { clause 1 "One" { main wins when hand.total = 21 cites 77 } }
clause 2 "Two" { main wins when hand.total = 20 cites 78 }
"""
    found = check(tmp_path, 'accept R201 at "Side bets" because "known"', rules)
    assert accepted(found) == [("1", "known")]
    assert [d.clause for d in found if d.accepted is None] == ["2"]


def test_a_related_clause_is_enough(tmp_path: Path) -> None:
    book = rulebook(tmp_path, RULES + 'accept R203 at 1.2 because "all of them"')
    finding = Diagnostic("R203", "all off", related=(Related("1.2", "cites 9.7"),))
    elsewhere = Diagnostic("R203", "all off", rulebook="another", clause="1.2")
    still_open, done = apply_acceptances(book, [finding, elsewhere], TODAY)
    assert still_open == [elsewhere]
    assert [d.accepted for d in done] == ["all of them"]


def test_what_makes_a_file_unusable_is_never_accepted(tmp_path: Path) -> None:
    text = RULES.replace("hand.total = 21", "hand.totl = 21") + 'accept R101 because "so what"'
    found = static_check(loaded(tmp_path, text), TODAY)
    assert [(d.code, d.accepted) for d in found] == [("R101", None)]
    book = rulebook(tmp_path, RULES + 'accept R101 because "so what"')
    bad = Diagnostic("R101", "there is no fact")
    still_open, done = apply_acceptances(book, [bad], TODAY)
    assert (still_open[0], done) == (bad, [])


# --- R215


def test_an_acceptance_that_matches_nothing(tmp_path: Path) -> None:
    line = 'accept R204 at 1.1, 2.1 because "number twice"'
    found = [d for d in check(tmp_path, line) if d.code != "R201"]
    assert shown(found) == [("R215", "1.1", line)]
    assert found[0].message == (
        "nothing is found that this acceptance of `R204` could accept at `1.1`, `2.1`"
    )


def test_a_clause_of_an_acceptance_that_matches_nothing(tmp_path: Path) -> None:
    rules = RULES.replace("cites 9.6", "")
    found = check(tmp_path, 'accept R201 at 1, 2.1 because "so"', rules)
    assert shown(d for d in found if d.accepted is None) == [("R215", "2.1", "2.1")]


def test_codes_of_other_checks_are_left_to_them(tmp_path: Path) -> None:
    book = rulebook(tmp_path, RULES + 'accept R501 because "not ours"')
    assert "R501" not in STATIC_CODES
    assert apply_acceptances(book, [], TODAY, STATIC_CODES) == ([], [])
    still_open, _ = apply_acceptances(book, [], TODAY)
    assert [d.code for d in still_open] == ["R215"]


# --- R219


def test_an_acceptance_that_has_ended(tmp_path: Path) -> None:
    line = 'accept R201 at 1.2 because "until it is mended" until 2026-03-01'
    found = check(tmp_path, line)
    assert accepted(found) == []
    assert shown(d for d in found if d.code == "R219") == [("R219", "1.2", line)]
    assert len(found) == 5


def test_an_acceptance_that_has_not_ended(tmp_path: Path) -> None:
    found = check(tmp_path, 'accept R201 because "until it is mended" until 2026-03-02')
    assert len(accepted(found)) == len(found) == 4


# --- the check as a whole


def test_findings_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    found = check(tmp_path, 'accept R201 at 1.2 because "printed so"')
    lines = [d.span.start_line for d in found if d.span]
    assert lines == sorted(lines)
    assert len(lines) == 4
    assert {d.rulebook for d in found} == {"sample"}


def test_a_broken_clause_list_stops_the_check(tmp_path: Path) -> None:
    (tmp_path / "sample.clauses.yaml").write_text("clauses: ]", encoding="utf-8")
    assert [d.code for d in check(tmp_path, "")] == ["R010"]


def test_a_file_that_does_not_parse(tmp_path: Path) -> None:
    found = check(tmp_path, "clause {")
    assert {d.code for d in found} == {"R005"}


# --- what an acceptance is for


def unsettled(*about: str, clause: str = "1.2") -> Diagnostic:
    return Diagnostic(
        "R312", "no clause says it", rulebook="sample", clause=clause, about=about, settled=False
    )


@pytest.mark.parametrize(
    ("words", "accepted_"),
    [
        ("", False),
        ('for "$1.50", "$24.50", "2 states" ', True),
        ('for "$1.50", "2 states", "$3" ', True),
        ('for "$1.50" ', False),  # on more hands than were accepted
        ('for "$24.50", "2 states" ', False),
    ],
)
def test_what_no_reading_settles_is_accepted_by_what_it_is_about(
    tmp_path: Path, words: str, accepted_: bool
) -> None:
    book = rulebook(tmp_path, RULES + f'accept R312 at 1.2 {words}because "known"')
    still_open, done = apply_acceptances(book, [unsettled("$1.50", "2 states")], TODAY)
    assert bool(done) is accepted_
    gaps = [d for d in still_open if d.code == "R312"]
    assert [d.help is not None and 'for "$1.50", "2 states"' in d.help for d in gaps] == (
        [] if accepted_ else [True]
    )


def test_words_of_an_acceptance_that_match_nothing(tmp_path: Path) -> None:
    line = 'accept R312 at 1.2 for "$1.50", "$3", "2 states" because "known"'
    book = rulebook(tmp_path, RULES + line)
    still_open, _ = apply_acceptances(book, [unsettled("$1.50", "2 states")], TODAY)
    assert [d.message for d in still_open] == ["no `R312` is found for `$3`"]


def test_another_clause_has_nothing_to_do_with_it(tmp_path: Path) -> None:
    book = rulebook(tmp_path, RULES + 'accept R312 at 1.2 for "$3" because "known"')
    found = unsettled("$3", clause="2.1")
    still_open, done = apply_acceptances(book, [found], TODAY)
    assert done == []
    assert still_open[0] == found
    assert still_open[1].help == "take it out"
