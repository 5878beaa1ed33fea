"""Defined words: without a meaning, without a use, with two meanings."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.base.diagnostics import Diagnostic
from rulespec.checks.ledger import load_clause_list
from rulespec.checks.terms import terms
from tests.support import only, rulebook, shown

SOUND = """
section A "Dictionary" {
  clause A:Box "Betting spot" { defines "Box" }
  clause "A:Round of play" "Cycle" { defines "Round of play" uses "Box" }
  clause A:Prize "Prize" { defines "promotional prize(s)" }
}
section 1 "Play" {
  clause 1.1 "Bets" { uses "boxes", "ROUND OF PLAY" }
  clause 1.2 "Prizes" { uses "Promotional prizes" }
}
"""


def test_case_and_plural_do_not_matter(tmp_path: Path) -> None:
    assert terms(rulebook(tmp_path, SOUND)) == []


# --- R207


def test_a_term_without_a_definition(tmp_path: Path) -> None:
    text = (
        SOUND
        + """
clause 2 "Manager" { uses "Shift Manager", "box" }
clause 3 "Managers" { uses "shift managers" }
clause 4 "Slip" { uses "Rounds of play", "Round of plya" }
"""
    )
    first, slip_one, slip = terms(rulebook(tmp_path, text))
    assert shown([first]) == [("R207", "2", 'uses "Shift Manager", "box"')]
    assert first.message == "`Shift Manager` is used as a term, but no clause defines it"
    assert [(r.clause, r.role) for r in first.related] == [("3", "also uses shift managers")]
    assert first.help == "the text leaves its meaning open"
    assert slip_one.help == slip.help == "did you mean `round of play`?"


@pytest.mark.parametrize(
    ("used", "groups", "advice"),
    [
        (
            ("initial wager", "original wager"),
            [("initial wager", "original wager")],
            "the text does not say whether they mean one thing",
        ),
        (
            ("Government Casino Inspectorate", "Casino Inspectorate"),
            [("Government Casino Inspectorate", "Casino Inspectorate")],
            "the text does not say whether they mean one thing",
        ),
        (
            ("seated player", "ineligible player"),
            [("seated player",), ("ineligible player",)],
            "the text leaves its meaning open",
        ),
        (("game of play",), [("game of play",)], "the text leaves its meaning open"),
        (("bound of play",), [("bound of play",)], "the text leaves its meaning open"),
        (("rounding of play",), [("rounding of play",)], "did you mean `round of play`?"),
    ],
)
def test_names_of_what_may_be_one_thing_are_one_finding(
    tmp_path: Path, used: tuple[str, ...], groups: list[tuple[str, ...]], advice: str
) -> None:
    text = SOUND + "".join(
        f'clause {n} "Clause {n}" {{ uses "{term}" }}\n' for n, term in enumerate(used, 2)
    )
    found = terms(rulebook(tmp_path, text))
    assert [d.about for d in found] == groups
    assert {d.help for d in found} == {advice}


def test_another_name_for_what_is_defined(tmp_path: Path) -> None:
    text = SOUND + 'clause 2 "A" { defines "Original Wager" }\nclause 3 "B" { uses "initial bet" }'
    (found,) = [d for d in terms(rulebook(tmp_path, text)) if d.code == "R207"]
    assert found.help == "perhaps `Original Wager` is meant, which is defined"


# --- R208


def test_a_term_that_nobody_uses(tmp_path: Path) -> None:
    text = SOUND + 'clause 2 "Tie" { defines "tie" uses "tie" }'
    (found,) = terms(rulebook(tmp_path, text))
    assert shown([found]) == [("R208", "2", 'defines "tie"')]
    assert found.message == "`tie` is defined, but no other clause uses it"
    assert found.severity == "note"


def test_a_use_in_another_clause_is_enough(tmp_path: Path) -> None:
    text = SOUND + 'clause 2 "Tie" { defines "tie" }\nclause 3 "Ties" { uses "ties" }'
    assert terms(rulebook(tmp_path, text)) == []


def test_a_clause_that_rules_on_the_word_uses_it(tmp_path: Path) -> None:
    text = (
        SOUND
        + """
clause 2 "Mixed pair pays" {
  defines "Mixed pair"
  perfect_pairs pays 5 to 1 when first.rank = second.rank
}
"""
    )
    assert terms(rulebook(tmp_path, text)) == []


# --- R218


def test_a_term_defined_twice(tmp_path: Path) -> None:
    text = SOUND + 'clause 2 "Box again" { defines "box" }'
    (found,) = terms(rulebook(tmp_path, text))
    assert shown([found]) == [("R218", "2", 'defines "box"')]
    assert found.message == "`Box` is defined by clauses `A:Box` and `2`"
    assert [(r.clause, r.role) for r in found.related] == [("A:Box", "also defines Box")]


def test_two_sections_with_a_meaning_each_are_named(tmp_path: Path) -> None:
    text = SOUND + 'section 7 "Tournaments" { clause 7.1 "Box" { defines "Box" } }'
    (found,) = terms(rulebook(tmp_path, text))
    assert found.message.endswith("`A:Box` and `7.1`, in sections `A` and `7`")
    assert found.help is not None
    assert "own section" in found.help


@pytest.mark.parametrize(
    "text",
    [
        """
clause 18.3 "Face value" { defines "face value" }
clause 18.3(a) "Numbers" { defines "face value" }
clause 18.3(b) "Pictures" { defines "face value" }
clause 18.4 "Pair" { uses "face value" }
""",
        """
clause 1 "The bet" { defines "Perfect Pairs" }
clause 2 "The pair" { defines "perfect pair" uses "Perfect Pairs" }
clause 3 "Pays" { uses "perfect pair" }
""",
        """
clause 1 "Box" { defines "Box" in force from 2020-01-01 until 2021-01-01 }
clause 1 "Box" { defines "Box" in force from 2021-01-01 }
clause 2 "Bets" { uses "Box" }
""",
    ],
    ids=["parts of one definition", "two terms but for the s", "versions of one definition"],
)
def test_one_definition_in_several_places(tmp_path: Path, text: str) -> None:
    assert terms(rulebook(tmp_path, text)) == []


# --- the list of clauses


def with_list(folder: Path, text: str, listed: str) -> list[Diagnostic]:
    book = rulebook(folder, text)
    head = "rulebook: sample\nsections: []\nclauses:\n"
    rows = [
        f"- {{id: '{row.split()[0]}', checkable: external, {' '.join(row.split()[1:])}}}"
        for row in listed.strip().splitlines()
    ]
    (folder / "sample.clauses.yaml").write_text(head + "\n".join(rows), encoding="utf-8")
    clause_list, broken = load_clause_list(folder / "sample.rules")
    assert broken == []
    return terms(book, clause_list)


LISTED = """
A:Box terms: []
1 terms: [box]
2 terms: [Shift Manager, boxes]
3 terms: []
"""
PLAIN = """
clause A:Box "Betting spot" { defines "Box" }
clause 1 "Wagers" { uses "Box" }
clause 2 "Staff" { introduces its parts }
clause 3 "Rest" { introduces its parts }
"""


def test_a_term_that_only_the_list_names(tmp_path: Path) -> None:
    (found,) = with_list(tmp_path, PLAIN, LISTED)
    assert shown([found]) == [("R207", "2", "2")]
    assert found.message == "`Shift Manager` is used as a term, but no clause defines it"


def test_a_use_in_the_list_is_a_use(tmp_path: Path) -> None:
    text = PLAIN.replace('uses "Box"', "introduces its parts")
    listed = LISTED.replace("Shift Manager, boxes", "")
    assert with_list(tmp_path, text, listed) == []
    (found,) = with_list(tmp_path, text, listed.replace("[box]", "[]"))
    assert (found.code, found.clause) == ("R208", "A:Box")


def test_a_clause_and_the_list_that_differ(tmp_path: Path) -> None:
    text = PLAIN.replace('uses "Box"', 'uses "Box", "Shoe"') + 'clause 4 "x" { defines "Shoe" }'
    listed = LISTED.replace("1 terms: [box]", "1 terms: [Dealer, box]")
    (found,) = only(with_list(tmp_path, text, listed + "4 terms: []"), "R226")
    assert shown([found]) == [("R226", "1", 'uses "Box", "Shoe"')]
    assert found.message == (
        "`1` and the list of clauses name other terms: `Shoe` only here, `Dealer` only there"
    )
    assert found.severity == "warning"


def test_clauses_that_were_not_asked_are_counted_once(tmp_path: Path) -> None:
    listed = LISTED.replace("3 terms: []", "3 section: 1")
    listed = listed.replace("2 terms: [Shift Manager, boxes]", "2 section: 1")
    (found,) = with_list(tmp_path, PLAIN, listed)
    assert (found.code, found.severity, found.clause) == ("R227", "note", None)
    assert found.message == "the list of clauses does not say which terms `2` and 1 more use"


def test_what_an_amendment_replaced_has_other_words(tmp_path: Path) -> None:
    text = (
        PLAIN
        + """
amend sample {
  in force from 2021-01-01
  replace clause 2 "Staff" { uses "Box" }
}
"""
    )
    assert with_list(tmp_path, text, LISTED) == []


@pytest.mark.parametrize("wrong", ["terms: Box", "terms: {}", "terms: [[]]", "terms: ''"])
def test_terms_that_are_no_list_of_words(tmp_path: Path, wrong: str) -> None:
    rulebook(tmp_path, PLAIN)
    listed = f"clauses:\n- {{id: '1', checkable: external, {wrong}}}\n"
    (tmp_path / "sample.clauses.yaml").write_text(listed, encoding="utf-8")
    clause_list, broken = load_clause_list(tmp_path / "sample.rules")
    assert clause_list is None
    assert "the `terms` of clause `1` are not a list of words" in broken[0].message
