"""Cross-references: dangling, stale, in a circle, outside, and off by a constant."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulespec.checks.reference_offset import Offset
from rulespec.checks.references import not_told_apart, references
from tests.support import loaded, only, rulebook, shown, underlined

# A sound text: a section on drawing, one on doubling, one on settlement with a payout table.
SOUND = """
section 1 "Drawing" about drawing {
  clause 1.1 "Draw" { cites 2 as doubling }
  clause 1.2 "Limits" { cites 3.2 as payout, 1.1 as drawing }
}
section 2 "Doubling" about doubling {
  clause 2.1 "Double" { introduces its parts }
  clause 2.1(a) "Two cards" { subject to 1 as drawing }
  clause 2.2 "Pays evens" { despite 3.2 as payout }
}
section 3 "Settlement" about settlement {
  clause 3.1 "Wins" { cites 3.2 as payout }
  clause 3.2 "Odds" about payout { cites 2.1 as doubling }
  clause 3.2#table1 "Table" { cites 3 as settlement }
}
"""


def flaws(folder: Path, text: str) -> list[tuple[str, str | None, str]]:
    return shown(references(rulebook(folder, text)))


def test_a_sound_text_is_left_alone(tmp_path: Path) -> None:
    assert flaws(tmp_path, SOUND) == []


# --- R201


def test_a_number_that_is_not_printed(tmp_path: Path) -> None:
    book = rulebook(tmp_path, SOUND.replace("despite 3.2 as", "despite 3.4 as"))
    (found,) = references(book)
    assert shown([found]) == [("R201", "2.2", "3.4 as payout")]
    assert found.message == (
        "`2.2` stands despite `3.4`, but no clause or section is numbered `3.4`"
    )
    assert found.help == "about payout: `3.2`"
    assert found.rulebook == "sample"


def test_the_end_of_a_range_has_to_exist_too(tmp_path: Path) -> None:
    text = SOUND.replace("cites 2.1 as doubling", "cites 2.1 to 2.7 as doubling")
    (found,) = references(rulebook(tmp_path, text))
    assert shown([found]) == [("R201", "3.2", "2.1 to 2.7 as doubling")]
    assert "`2.7`" in found.message


def test_a_reference_without_a_topic_dangles_as_well(tmp_path: Path) -> None:
    assert flaws(tmp_path, SOUND.replace("cites 2 as doubling", "cites 9")) == [
        ("R201", "1.1", "9")
    ]


def test_a_section_rule_dangles(tmp_path: Path) -> None:
    text = SOUND.replace("about doubling {\n", "about doubling {\n  despite 8 as payout\n")
    assert flaws(tmp_path, text) == [("R201", "2", "8 as payout")]


def test_parents_sections_and_doubles_exist(tmp_path: Path) -> None:
    text = """
section 4 "Four" {
  clause 4.1(a) "Part of a rule that is no clause" { cites 4.1, 4, 22, "22 (a)" }
}
clause 22 "First" { cites 4.1(a) }
clause 22#2 "Second" { cites 22, 22(a) }
clause 22(a) "Its part" { cites 4.1 }
"""
    assert flaws(tmp_path, text) == []


def test_what_it_is_read_as_is_the_help(tmp_path: Path) -> None:
    text = SOUND.replace("despite 3.2 as payout", "despite 3.4 as payout read as 3.2")
    (found,) = references(rulebook(tmp_path, text))
    assert (found.code, found.help) == ("R201", "read as `3.2`")


# --- R202


def test_a_clause_on_another_subject(tmp_path: Path) -> None:
    text = SOUND.replace("{ cites 3.2 as payout, 1.1", "{ cites 3.1 as payout, 1.1")
    (found,) = references(rulebook(tmp_path, text))
    assert shown([found]) == [("R202", "1.2", "3.1 as payout")]
    assert found.message == "`1.2` cites `3.1` as `payout`, but that is about `settlement`"
    assert found.help == "about payout: `3.2`"


def test_an_about_of_its_own_replaces_that_of_the_section(tmp_path: Path) -> None:
    text = SOUND.replace("cites 2.1 as doubling", "cites 3.2#table1 as settlement")
    assert flaws(tmp_path, text) == [("R202", "3.2", "3.2#table1 as settlement")]


def test_one_clause_in_passing_does_not_make_the_subject_of_a_section(tmp_path: Path) -> None:
    text = """
section 1 "Drawing" about drawing {
  clause 1.1 "Choice: double" about doubling { cites 1 as doubling }
  clause 1.2 "Choice: draw" { cites 1 as drawing }
  clause 1.3 "Choice: stand" { cites 1 as drawing }
  clause 1.4 "Signals" { cites 1 as drawing }
  clause 1.5 "Over 21" { cites 1 as drawing }
}
"""
    assert flaws(tmp_path, text) == [("R202", "1.1", "1 as doubling")]
    shorter = text.replace('  clause 1.5 "Over 21" { cites 1 as drawing }\n', "")
    assert flaws(tmp_path, shorter) == []


def test_a_range_is_about_what_its_clauses_are_about(tmp_path: Path) -> None:
    text = """
clause 1 "Surrender" about surrender { cites 3 to 4 as drawing }
clause 2 "Surrender" about surrender { cites 1 to 2 as drawing }
clause 3 "Draw" about drawing { cites 1 to 2 as surrender }
clause 4 "Stand" about drawing { cites 2 to 3 as drawing }
"""
    assert flaws(tmp_path, text) == [("R202", "2", "1 to 2 as drawing")]


def test_a_range_does_not_depend_on_the_order_of_the_file(tmp_path: Path) -> None:
    text = """
clause 3 "Surrender" about surrender { cites 1 to 3 as surrender }
clause 9 "Draw" about drawing { cites 1 to 3 as drawing }
clause 1 "Surrender" about surrender { cites 8 to 9 as drawing }
clause 8 "Stand" about drawing { introduces its parts }
clause 2 "Surrender" about surrender { introduces its parts }
"""
    assert flaws(tmp_path, text) == [("R202", "9", "1 to 3 as drawing")]


def test_a_part_takes_the_subject_of_the_clause_around_it(tmp_path: Path) -> None:
    text = """
section W "Wagers" about wagers {
  clause 9 "Tests" about settlement { introduces its parts }
  clause 9(c) "Pontoon wins" { cites 11 as settlement }
  clause 11 "Ties" { subject to 9(c) as settlement }
  clause 12 "Chips" { cites 9(c) as wagers }
}
"""
    assert flaws(tmp_path, text) == [
        ("R202", "9(c)", "11 as settlement"),
        ("R202", "12", "9(c) as wagers"),
    ]


def test_shuffle_and_cut_are_one_subject(tmp_path: Path) -> None:
    text = """
section 5 "Shuffle and cut" about shuffle {
  clause 5.1 "Cut" { cites 5.2 as cut }
  clause 5.2 "Depth" { cites 5.1 as burn }
}
"""
    assert flaws(tmp_path, text) == [("R202", "5.2", "5.1 as burn")]


def test_a_clause_without_any_subject_is_not_judged(tmp_path: Path) -> None:
    text = 'clause 1 "One" { cites 2 as payout }\nclause 2 "Two" { cites 1 as payout }'
    assert flaws(tmp_path, text) == []


def test_what_is_read_otherwise_is_not_sound_as_printed(tmp_path: Path) -> None:
    text = SOUND.replace("1.1 as drawing", "2.2 as doubling read as 2.1")
    (found,) = references(rulebook(tmp_path, text))
    assert shown([found]) == [("R202", "1.2", "2.2 as doubling read as 2.1")]
    assert found.message == "`1.2` cites `2.2`, but the words fit `2.1`"
    assert flaws(tmp_path, text.replace("read as 2.1", "read as 2.2")) == []


# --- narrower topics

CUT = """
section 5 "Shuffle and cut" about shuffle {
  clause 5.1 "Shuffle" { introduces its parts }
  clause 5.2 "Who cuts" about cut.offer { introduces its parts }
  clause 5.2(a) "The first player" { cites 5.1 as shuffle }
  clause 5.2(b) "The next, when the cut is refused" about cut.refused { cites 5.2(a) as cut }
  clause 5.3 "How to cut" about cut.depth { cites 5.2 as cut.offer }
}
section 19 "Device" about shuffler {
  clause 19.1 "Fault" { cites 5.2(b) as cut.refused, 5.3 as cut.depth, 5 as cut.offer }
}
"""


def test_a_narrower_topic_tells_parts_apart(tmp_path: Path) -> None:
    assert flaws(tmp_path, CUT) == []
    (found,) = references(rulebook(tmp_path, CUT.replace("5.2 as", "5.2(b) as")))
    assert shown([found]) == [("R202", "5.3", "5.2(b) as cut.offer")]
    assert found.message == ("`5.3` cites `5.2(b)` as `cut.offer`, but that is about `cut.refused`")
    assert found.help == "about cut.offer: `5.2`"


@pytest.mark.parametrize(
    ("printed", "wrong"),
    [
        ("5.2 as", "5.2(a) as"),
        ("5.2 as", "5.1 as"),
        ("5.2(b) as", "5.2(a) as"),
        ("5.3 as", "5.2 as"),
        ("5 as", "19 as"),
    ],
)
def test_a_part_does_not_inherit_what_the_whole_is_about(
    tmp_path: Path, printed: str, wrong: str
) -> None:
    """The words of the reference fit the clause as a whole, not any one of its parts."""
    text = CUT.replace(f"{printed} cut.", f"{wrong} cut.")
    assert [d.code for d in references(rulebook(tmp_path, text))] == ["R202"]


def test_the_wide_topic_takes_in_the_narrow_ones(tmp_path: Path) -> None:
    assert flaws(tmp_path, CUT.replace("5.3 as cut.depth", "5.3 as cut")) == []
    assert flaws(tmp_path, CUT.replace("5.3 as cut.depth", "5.3 as burn")) == [
        ("R202", "19.1", "5.3 as burn")
    ]


def test_a_narrow_topic_has_to_be_that_of_a_clause(tmp_path: Path) -> None:
    text = CUT.replace("5.3 as cut.depth", "5.3 as cut.dept")
    (found,) = loaded(tmp_path, text).diagnostics
    assert (found.code, found.message) == ("R107", "no clause is about `cut.dept`")
    assert found.help == "did you mean `cut.depth`?"
    (found,) = loaded(tmp_path, CUT.replace("about cut.depth", "about cute.depth")).diagnostics[:1]
    assert found.message == "there is no topic `cute.depth`"


def test_what_is_read_has_to_fit_the_words_too(tmp_path: Path) -> None:
    text = SOUND.replace("despite 3.2 as payout", "despite 3.4 as payout read as 3.1")
    (found,) = references(rulebook(tmp_path, text))
    assert shown([found]) == [("R202", "2.2", "3.4 as payout read as 3.1")]
    assert found.message == (
        "`2.2` stands despite `3.4` as `payout`, read as `3.1`, but that is about `settlement`"
    )
    assert found.help == "about payout: `3.2`"


def test_how_far_topics_reach_is_told(tmp_path: Path) -> None:
    """A slip to the number beside it is noticed only where the topics differ there."""
    blind, among = not_told_apart(rulebook(tmp_path, CUT))
    assert [(c.owner, c.as_printed) for c in blind] == [("5.2(a)", "5.1")]
    assert among == 6
    blind, _ = not_told_apart(rulebook(tmp_path, re.sub(r"cut\.[a-z]+", "cut", CUT)))
    assert {(c.owner, c.as_printed) for c in blind} >= {("5.3", "5.2"), ("19.1", "5.3")}


# --- R203

SHIFTED = """
section 2 "Cards" about cards {
  clause 2.1 "Decks" { introduces its parts }
  clause 2.1.1 "Six" { cites 2 as drawing }
}
section 3 "Drawing" about drawing {
  clause 3.1 "Draw" { cites 3 as doubling }
  clause 3.2 "Limits" { cites 4.2 as payout, 3.1 as doubling }
}
section 4 "Doubling" about doubling {
  clause 4.1 "Double" { subject to 2 as drawing }
  clause 4.2 "Evens" { despite 4.1 to 4.2 as payout }
}
section 5 "Payout" about payout {
  clause 5.1 "Odds" { cites 3.1 as doubling }
  clause 5.2 "Bonus" { cites 1.1.1 as cards }
}
"""


def test_a_constant_offset_is_one_finding(tmp_path: Path) -> None:
    (found,) = references(rulebook(tmp_path, SHIFTED))
    assert found.code == "R203"
    assert found.message == (
        "8 references are off by a constant: each means one section higher than printed"
    )
    assert found.help == "read every reference as one section higher"
    assert underlined(found.span) == "2 as drawing"
    assert [(r.clause, r.role, underlined(r.span)) for r in found.related] == [
        ("2.1.1", "cites 2, meant 3", "2 as drawing"),
        ("3.1", "cites 3, meant 4", "3 as doubling"),
        ("3.2", "cites 4.2, meant 5.2", "4.2 as payout"),
        ("3.2", "cites 3.1, meant 4.1", "3.1 as doubling"),
        ("4.1", "subject to 2, meant 3", "2 as drawing"),
        ("4.2", "despite 4.1 to 4.2, meant 5.1 to 5.2", "4.1 to 4.2 as payout"),
        ("5.1", "cites 3.1, meant 4.1", "3.1 as doubling"),
        ("5.2", "cites 1.1.1, meant 2.1.1", "1.1.1 as cards"),
    ]


def test_what_the_offset_does_not_explain_stays_single(tmp_path: Path) -> None:
    text = SHIFTED.replace('"Odds" { cites 3.1 as doubling }', '"Odds" { cites 9.9 as cards }')
    offset, single = references(rulebook(tmp_path, text))
    assert (offset.code, len(offset.related)) == ("R203", 7)
    assert shown([single]) == [("R201", "5.1", "9.9 as cards")]


def test_what_is_read_against_the_offset_is_a_finding_of_its_own(tmp_path: Path) -> None:
    text = SHIFTED.replace("cites 4.2 as payout", "cites 4.2 as payout read as 5.1")
    text = text.replace("cites 1.1.1 as cards", "cites 1.1.1 as cards read as 2.1.1")
    text = text.replace("subject to 2 as drawing", "subject to 2 as drawing read as 4.2")
    offset, otherwise, as_printed, misread = references(rulebook(tmp_path, text))
    assert (offset.code, len(offset.related)) == ("R203", 8)
    assert "cites 4.2, meant 5.2" in {r.role for r in offset.related}
    assert shown([otherwise]) == [("R202", "3.2", "4.2 as payout read as 5.1")]
    assert otherwise.message == (
        "`3.2` cites `4.2`, read as `5.1`, but by the constant offset it means `5.2`"
    )
    assert as_printed.message == (
        "`4.2` stands despite `4.1 to 4.2`, applied so, but by the constant offset it means `5.1`"
    )
    assert misread.message == (
        "`4.1` is subject to `2` as `drawing`, read as `4.2`, but that is about `doubling`"
    )


def test_an_offset_that_nobody_applies_is_one_finding(tmp_path: Path) -> None:
    assert [d.code for d in references(rulebook(tmp_path, SHIFTED))] == ["R203"]


def test_a_section_that_was_put_in_moves_what_comes_after_it(tmp_path: Path) -> None:
    text = """
section 1 "Cards" about cards {
  clause 1.1 "Decks" { cites 2.1 as drawing }
  clause 1.2 "Values" { cites 2 as drawing }
}
section 2 "Drawing" about drawing {
  clause 2.1 "Draw" { cites 1.2 as cards, 3.1 as doubling }
}
section 3 "New" about insurance {
  clause 3.1 "Insure" { cites 4 as payout }
}
section 4 "Doubling" about doubling {
  clause 4.1 "Double" { despite 4.1 as payout }
}
section 5 "Payout" about payout {
  clause 5.1 "Odds" { cites 3 as doubling, 1.1 as cards }
}
"""
    (found,) = references(rulebook(tmp_path, text))
    assert (found.code, len(found.related)) == ("R203", 4)
    assert found.help == "read every reference to `3` and beyond as one section higher"


def test_an_offset_in_a_text_that_counts_its_clauses_through(tmp_path: Path) -> None:
    text = """
clause 1 "Cards" about cards { cites 3 as drawing }
clause 2 "Drawing" about drawing { cites 4 as doubling, 2 as cards }
clause 3 "Doubling" about doubling { subject to 5 as payout }
clause 4 "Payout" about payout { cites 2 as cards }
"""
    (found,) = references(rulebook(tmp_path, text))
    assert (found.code, len(found.related)) == ("R203", 5)
    assert found.help == "read every reference as one rule lower"


def test_an_offset_within_the_sections(tmp_path: Path) -> None:
    text = """
section 1 "Play" about drawing {
  clause 1.1 "Lead" about general { cites 1.1 as drawing, 2.2 as super_bonus }
  clause 1.2 "Draw" about drawing { cites 2.1 as payout }
  clause 1.3 "Double" about doubling { cites 2.2 as super_bonus }
}
section 2 "Pay" about settlement {
  clause 2.1 "Test" { cites 1.2 as doubling }
  clause 2.2 "Odds" about payout { cites 1.1 as drawing }
  clause 2.3 "Bonus" about super_bonus { cites 2.1 as payout }
}
"""
    (found,) = references(rulebook(tmp_path, text))
    assert found.help == "read every reference as one rule higher"
    assert len(found.related) == 7


def test_a_few_wrong_references_among_many_are_no_offset(tmp_path: Path) -> None:
    text = SOUND.replace("{ cites 3.2 as payout, 1.1 as drawing }", "{ cites 3.4 as payout }")
    text = text.replace("{ despite 3.2 as payout }", "{ despite 3.4 as payout }")
    assert [d.code for d in references(rulebook(tmp_path, text))] == ["R201", "R201"]


@pytest.mark.parametrize(
    ("offset", "printed", "meant"),
    [
        (Offset("section", 1), "10.5", "11.5"),
        (Offset("section", 1), "12", "13"),
        (Offset("section", -2), "12.1(a)", "10.1(a)"),
        (Offset("section", -1), "1.4", None),
        (Offset("section", 1), "App1", None),
        (Offset("rule", 1), "10.5", "10.6"),
        (Offset("rule", 1), "10.5(a)(i)", "10.6(a)(i)"),
        (Offset("rule", -1), "62", "61"),
    ],
)
def test_how_an_offset_moves_a_number(offset: Offset, printed: str, meant: str | None) -> None:
    assert offset.apply(printed) == meant


# --- R229


def test_a_reference_to_what_is_set_aside(tmp_path: Path) -> None:
    text = """
section 5 "Cut" about cut {
  does not apply when option automatic_shuffler
  clause 5.1 "Who cuts" { introduces its parts }
  clause 5.1(a) "First" { cites 5.2 as cut }
  clause 5.2 "How" { cites 5.1 as cut }
}
section 19 "Device" about shuffler {
  applies when option automatic_shuffler
  clause 19.1 "Instead of 5" { despite 5 as cut }
  clause 19.2 "After a fault" { cites 5.1(a) as cut, 19.1 as shuffler }
}
clause 20 "Elsewhere" { cites 5.2 as cut, 19.1 as shuffler }
"""
    (found,) = references(rulebook(tmp_path, text))
    assert shown([found]) == [("R229", "19.2", "5.1(a) as cut")]
    assert found.message == "`19.2` cites `5.1(a)`, which does not apply where it does"
    assert [r.clause for r in found.related] == ["5.1(a)"]
    assert flaws(tmp_path, text.replace("  applies when option automatic_shuffler\n", "")) == []


# --- R209 and R217


def test_texts_that_are_not_at_hand(tmp_path: Path) -> None:
    text = """
clause 1 "Hours" { cites outside "the Act" }
clause 2 "Limits" { cites outside "Division 1" }
clause 3 "Closing" { cites outside "the Act" cites 1 }
"""
    found = references(rulebook(tmp_path, text))
    assert shown(found) == [
        ("R209", "1", 'cites outside "the Act"'),
        ("R209", "2", 'cites outside "Division 1"'),
    ]
    assert [[r.clause for r in d.related] for d in found] == [["3"], []]
    assert found[0].severity == "note"


def test_two_clauses_that_yield_to_each_other(tmp_path: Path) -> None:
    text = """
clause 1 "One" { main wins when hand.total = 21 subject to 2 }
clause 2 "Two" { main loses when dealer.total = 21 subject to 1 }
clause 3 "Three" { main loses when dealer.total = 20 subject to 1 }
reading one-first { because "it comes first" 1 prevails over 2 }
"""
    (found,) = references(rulebook(tmp_path, text))
    assert shown([found]) == [("R217", "2", "1")]
    assert found.message == "`1` and `2` are each subject to the other"
    assert [(r.clause, r.role) for r in found.related] == [("1", "subject to 2")]


def test_citing_each_other_is_no_circle(tmp_path: Path) -> None:
    assert flaws(tmp_path, 'clause 1 "One" { cites 2 }\nclause 2 "Two" { subject to 1 }') == []


def test_a_clause_that_cites_itself(tmp_path: Path) -> None:
    text = """
section 7 "Cards" about cards {
  clause 7.1 "Lead" { cites 7.1 as cards }
  clause 7.1(a) "Part" { cites 7.1, 7 }
  clause 7.1(b) "Other part" { cites 7.1(a) }
}
"""
    found = only(references(rulebook(tmp_path, text)), "R217")
    assert shown(found) == [("R217", "7.1", "7.1 as cards"), ("R217", "7.1(a)", "7.1")]
    assert [d.message for d in found] == [
        "`7.1` cites `7.1`, which is itself",
        "`7.1(a)` cites `7.1`, of which it is a part",
    ]
    sound = text.replace("cites 7.1 as", "cites 7 as").replace("cites 7.1, 7 }", "cites 7 }")
    assert flaws(tmp_path, sound) == []
