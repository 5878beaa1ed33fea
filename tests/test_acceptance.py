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
