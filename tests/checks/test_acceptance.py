"""Acceptances of known flaws, and the static check as a whole."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from rulespec.base.diagnostics import Diagnostic, Related
from rulespec.checks.acceptance import apply_acceptances
from rulespec.checks.run import STATIC_CODES, static_check
from tests.support import loaded, rulebook, shown

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
    ("which", "clauses"),
    [
        ('for "9.9", "9.8", "9.7", "9.6" ', ["1.1", "1.1(a)", "1.2", "2.1"]),
        ("at 1.1 ", ["1.1", "1.1(a)"]),  # each clause has one
        ('at 1.1 for "9.9", "9.8" ', ["1.1", "1.1(a)"]),
        ('at 1.1(a), 2.1 for "9.8", "9.6" ', ["1.1(a)", "2.1"]),
        ('at 1 for "9.9", "9.8", "9.7" ', ["1.1", "1.1(a)", "1.2"]),
    ],
)
def test_what_an_acceptance_covers(tmp_path: Path, which: str, clauses: list[str]) -> None:
    found = check(tmp_path, f'accept R201 {which}because "printed so"')
    assert accepted(found) == [(clause, "printed so") for clause in clauses]
    assert len(found) == 4
    assert {d.code for d in found} == {"R201"}


@pytest.mark.parametrize(
    ("which", "message", "words"),
    [
        (
            "",
            "this acceptance of `R201` names no clause",
            'accept R201 at 1.1, 1.1(a), 1.2, 2.1 for "9.9", "9.8", "9.7", "9.5", "9.6"',
        ),
        (
            "at 1.2 ",
            "this acceptance of `R201` at `1.2` does not say what it is for",
            'accept R201 at 1.2 for "9.7", "9.5"',
        ),
    ],
)
def test_an_acceptance_of_all_and_sundry_covers_nothing(
    tmp_path: Path, which: str, message: str, words: str
) -> None:
    line = f'accept R201 {which}because "printed so"'
    found = check(tmp_path, line, RULES.replace("cites 9.7", "cites 9.7, 9.5"))
    assert accepted(found) == []
    (vague,) = [d for d in found if d.code == "R230"]
    assert vague.message == message
    assert vague.help is not None
    assert words in vague.help
    assert [d.clause for d in found if d.code == "R201"] == ["1.1", "1.1(a)", "1.2", "1.2", "2.1"]


def test_each_finding_says_how_it_is_accepted(tmp_path: Path) -> None:
    for found in check(tmp_path, ""):
        assert found.help is not None
        words = re.search(r"`(accept R201 .*) because", found.help)
        assert words is not None
        (again,) = [
            d for d in check(tmp_path, f'{words[1]} because "printed so"') if d.accepted is not None
        ]
        assert again.clause == found.clause


def test_a_whole_document_has_no_clause_to_name(tmp_path: Path) -> None:
    finding = Diagnostic("R203", "all off", about=("4 references, +1 section",))
    for words, done in (
        ('for "4 references, +1 section" ', True),
        ("", False),
        ('for "3 references, +1 section" ', False),
        ('for "4 references, +2 section" ', False),
    ):
        book = rulebook(tmp_path, RULES + f'accept R203 {words}because "known"')
        assert bool(apply_acceptances(book, [finding], TODAY)[1]) is done


def test_a_named_section_covers_what_is_printed_in_it(tmp_path: Path) -> None:
    rules = """
section "Side bets" "Side bets" { clause 1 "One" { main wins when hand.total = 21 cites 77 } }
clause 2 "Two" { main wins when hand.total = 20 cites 78 }
"""
    found = check(tmp_path, 'accept R201 at "Side bets" for "77" because "known"', rules)
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
    found = check(tmp_path, 'accept R201 at 1, 2.1 for "9.9", "9.8", "9.7" because "so"', rules)
    assert shown(d for d in found if d.accepted is None) == [("R215", "2.1", "2.1")]


def test_codes_of_other_checks_are_left_to_them(tmp_path: Path) -> None:
    book = rulebook(tmp_path, RULES + 'accept R501 because "not ours"')
    assert "R501" not in STATIC_CODES
    assert apply_acceptances(book, [], TODAY, STATIC_CODES) == ([], [])
    still_open, _ = apply_acceptances(book, [], TODAY)
    assert [d.code for d in still_open] == ["R215"]


# --- R219


def test_an_acceptance_that_has_ended(tmp_path: Path) -> None:
    line = 'accept R201 at 1.2 for "9.7" because "until it is mended" until 2026-03-01'
    found = check(tmp_path, line)
    assert accepted(found) == []
    assert shown(d for d in found if d.code == "R219") == [("R219", "1.2", line)]
    assert len(found) == 5


def test_an_acceptance_that_has_not_ended(tmp_path: Path) -> None:
    line = 'accept R201 at 1.2 for "9.7" because "until it is mended" until 2026-03-02'
    assert accepted(check(tmp_path, line)) == [("1.2", "until it is mended")]


# --- the check as a whole


def test_findings_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    found = check(tmp_path, 'accept R201 at 1.2 for "9.7" because "printed so"')
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


def gap(*about: str, clause: str = "1.2") -> Diagnostic:
    return Diagnostic("R312", "no clause says it", rulebook="sample", clause=clause, about=about)


@pytest.mark.parametrize(
    ("words", "accepted_"),
    [
        ("", False),
        ('for "$1.50", "$24.50", "2 states 00ff" ', True),
        ('for "$1.50", "2 states 00ff", "$3" ', True),
        ('for "$1.50" ', False),
        ('for "$1.50", "2 states ff00" ', False),  # as many, but others
        ('for "$1.50", "1 state 00ff" ', False),
        ('for "$24.50", "2 states 00ff" ', False),
    ],
)
def test_a_finding_is_accepted_by_all_that_it_is_about(
    tmp_path: Path, words: str, accepted_: bool
) -> None:
    book = rulebook(tmp_path, RULES + f'accept R312 at 1.2 {words}because "known"')
    still_open, done = apply_acceptances(book, [gap("$1.50", "2 states 00ff")], TODAY)
    assert bool(done) is accepted_
    gaps = [d for d in still_open if d.code == "R312"]
    named = 'accept R312 at 1.2 for "$1.50", "2 states 00ff" because'
    assert [d.help is not None and named in d.help for d in gaps] == ([] if accepted_ else [True])


def test_words_of_an_acceptance_that_match_nothing(tmp_path: Path) -> None:
    line = 'accept R312 at 1.2 for "$1.50", "$3", "2 states 00ff" because "known"'
    book = rulebook(tmp_path, RULES + line)
    still_open, _ = apply_acceptances(book, [gap("$1.50", "2 states 00ff")], TODAY)
    assert [d.message for d in still_open] == ["no `R312` is found at `1.2` for `$3`"]


def test_more_is_found_than_was_accepted(tmp_path: Path) -> None:
    line = 'accept R312 at 1.2 for "2 states 00ff" because "known"'
    book = rulebook(tmp_path, RULES + line)
    found = replace(
        gap("3 states ff00"), witness={"hand": "A♠ 9♥, dealer 7♦", "accepted": "2 states 00ff"}
    )
    _, stale = apply_acceptances(book, [found], TODAY)[0]
    assert stale.code == "R215"
    assert stale.message == (
        "no `R312` is found at `1.2` for `2 states 00ff`, but for `3 states ff00`"
    )
    assert stale.help is not None
    assert "new is A♠ 9♥, dealer 7♦" in stale.help


def test_another_clause_has_nothing_to_do_with_it(tmp_path: Path) -> None:
    book = rulebook(tmp_path, RULES + 'accept R312 at 1.2 for "$3" because "known"')
    found = gap("$3", clause="2.1")
    still_open, done = apply_acceptances(book, [found], TODAY)
    assert done == []
    assert still_open[0].message == found.message
    assert still_open[1].help == "take these words out"
