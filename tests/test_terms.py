"""Defined words: without a meaning, without a use, with two meanings."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import rulebook, shown

from rulespec.terms import terms

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
    text = SOUND + """
clause 2 "Manager" { uses "Shift Manager", "box" }
clause 3 "Managers" { uses "shift managers" }
clause 4 "Slip" { uses "Rounds of play", "Round of plya" }
"""
    first, slip_one, slip = terms(rulebook(tmp_path, text))
    assert shown([first]) == [("R207", "2", 'uses "Shift Manager", "box"')]
    assert first.message == "`Shift Manager` is used as a term, but no clause defines it"
    assert [(r.clause, r.role) for r in first.related] == [("3", "also uses shift managers")]
    assert first.help == "the text leaves its meaning open"
    assert slip_one.help == slip.help == "did you mean `round of play`?"


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
    text = SOUND + """
clause 2 "Mixed pair pays" {
  defines "Mixed pair"
  perfect_pairs pays 5 to 1 when first.rank = second.rank
}
"""
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
