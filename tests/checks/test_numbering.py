"""The numbers of the printed text: twice, left out, under the wrong heading."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.checks.numbering import base_number, between, enclosing, numbering
from tests.support import only, rulebook, shown, underlined


def clauses(*numbers: str, section: str | None = None) -> str:
    blocks = "\n".join(f'  clause "{n}" "Title" {{ introduces its parts }}' for n in numbers)
    return f'section "{section}" "Heading" {{\n{blocks}\n}}\n' if section else blocks + "\n"


def flaws(folder: Path, text: str) -> list[tuple[str, str | None, str]]:
    return shown(numbering(rulebook(folder, text)))


SOUND = {
    "sections, letters and romans": clauses(
        *("1.1", "1.2", "1.2(a)", "1.2(b)", "1.2(b)(i)", "1.2(b)(ii)", "1.2(b)(iii)"), section="1"
    )
    + clauses("2.1", "2.1.1", "2.1.1.1", "2.1.1.2", "2.1.2", "2.2", section="2"),
    "counted through the text, sections without numbers": clauses(
        "1", "2", "2(a)", "2(b)", section="Play"
    )
    + clauses("3", "4", section="General"),
    "counted through the text, sections with numbers": clauses("1", "2", "3", section="1")
    + clauses("4", "5", "5(a)", "5(b)", section="2"),
    "parents that are no clauses": clauses("1.1(a)", "1.1(b)", "1.2.1", "1.2.2", section="1")
    + clauses("2.1(a)", "2.1(b)", section="2"),
    "unnumbered text": clauses("A:Box", "A:Hard total", section="A")
    + clauses("1.1", "1.1#note", "1.1#table1", "1.2", "1.2:Term", section="1"),
    "headings numbered .0": clauses("1.0", "1.0:Box", section="1")
    + clauses("2.0", section="2")
    + clauses("3.0", "3.1", "3.2", section="3"),
    "an appendix and an order": clauses("Order(1)", "Order(2)", section="Order")
    + clauses("1.1", section="1")
    + clauses("App1", section="App1"),
    "the letter i after h": clauses(*(f"1({c})" for c in "abcdefghijk"), "1(i)(i)", "1(i)(ii)"),
    "romans beyond x": clauses(
        *("1(i)", "1(ii)", "1(iii)", "1(iv)", "1(v)", "1(vi)", "1(vii)", "1(viii)", "1(ix)"),
        *("1(x)", "1(xi)"),
    ),
    "letters beyond z": clauses(*(f"1({c})" for c in "abcdefghijklmnopqrstuvwxyz"), "1(aa)"),
    "a part of a larger work": clauses("15.1", section="15") + clauses("16.1", section="16"),
    "an inserted clause": clauses("1", "2", "2A", "3"),
    "order of the file": clauses("3", "1", "2"),
}


@pytest.mark.parametrize("text", SOUND.values(), ids=SOUND)
def test_sound_numbers(tmp_path: Path, text: str) -> None:
    assert flaws(tmp_path, text) == []


# --- R204


def test_a_number_printed_twice(tmp_path: Path) -> None:
    (found,) = numbering(rulebook(tmp_path, clauses("1", "2", "2#2", "3", section="Play")))
    assert shown([found]) == [("R204", "2#2", '"2#2"')]
    assert found.message == "the number `2` is printed twice"
    assert [(r.clause, r.role) for r in found.related] == [("2", "also printed 2 in section Play")]


def test_a_number_printed_three_times_is_one_finding(tmp_path: Path) -> None:
    (found,) = numbering(rulebook(tmp_path, clauses("1", "1#2", "1#3")))
    assert found.message == "the number `1` is printed three times"
    assert [r.clause for r in found.related] == ["1", "1#3"]


def test_a_section_with_the_numbers_of_another_is_one_finding(tmp_path: Path) -> None:
    text = clauses("1.1", "1.2", "1.2(a)", "1.2(b)", "1.3", section="1")
    text += clauses("1.1#2", "1.2#2", "1.2.1", "1.3#2", section="2")
    text += clauses("3.1", "3.1#2", "3.2", "3.2#2", section="3")
    found = [d for d in numbering(rulebook(tmp_path, text)) if d.code in ("R204", "R206")]
    assert [(d.code, d.clause, d.message) for d in found] == [
        ("R204", "3.1#2", "the number `3.1` is printed twice"),
        ("R204", "3.2#2", "the number `3.2` is printed twice"),
        (
            "R206",
            "1.1#2",
            "clause `1.1#2` and 3 more are printed in section `2` with a number of "
            "section `1`, so that 3 numbers are printed twice",
        ),
    ]
    assert [r.clause for r in found[2].related] == ["1.1", "1.2", "1.3", "1.2#2", "1.2.1", "1.3#2"]


def test_sections_that_each_count_from_one_are_one_finding(tmp_path: Path) -> None:
    text = clauses("1", "2", section="Play") + clauses("1#2", "2#2", section="Payment")
    (found,) = numbering(rulebook(tmp_path, text))
    assert found.message == "2 numbers from `1` to `2` are printed twice"
    assert [r.clause for r in found.related] == ["1", "2", "2#2"]


def test_a_number_twice_under_the_wrong_heading_is_printed_twice_as_well(tmp_path: Path) -> None:
    text = clauses("1.1", "1.2", section="1") + clauses("2.1", "1.3", "1.3#2", section="2")
    found = numbering(rulebook(tmp_path, text))
    assert [(d.code, d.clause) for d in found] == [("R204", "1.3#2"), ("R206", "1.3")]


# --- R205


@pytest.mark.parametrize(
    ("text", "clause", "message"),
    [
        (clauses("1.1", "1.3", section="1"), "1.3", "`1.2` is missing between `1.1` and `1.3`"),
        (clauses("1", "2", "6"), "6", "`3` to `5` are missing between `2` and `6`"),
        (clauses("1(a)", "1(d)"), "1(d)", "`1(b)` to `1(c)` are missing between `1(a)` and `1(d)`"),
        (clauses("1(b)"), "1(b)", "`1(a)` is missing before `1(b)`"),
        (
            clauses("1(g)", *(f"1({c})" for c in "abcdefh"), "1(j)"),
            "1(j)",
            "`1(i)` is missing between `1(h)` and `1(j)`",
        ),
        (
            clauses("1(i)", "1(iv)"),
            "1(iv)",
            "`1(ii)` to `1(iii)` are missing between `1(i)` and `1(iv)`",
        ),
        (clauses("1(ii)", "1(iii)"), "1(ii)", "`1(i)` is missing before `1(ii)`"),
        (
            clauses("1.1", "1.3.1", "1.3.2", section="1"),
            "1.3.1",
            "`1.2` is missing between `1.1` and `1.3`",
        ),
        (
            clauses("1.1", section="1") + clauses("3.1", section="3"),
            "3.1",
            "`2` is missing between `1` and `3`",
        ),
        (
            clauses("2.1", section="2") + clauses("3.1", section="3"),
            "2.1",
            "`1` is missing before `2`",
        ),
        (clauses("1(1)", "1(3)"), "1(3)", "`1(2)` is missing between `1(1)` and `1(3)`"),
    ],
)
def test_a_number_left_out(tmp_path: Path, text: str, clause: str, message: str) -> None:
    (found,) = numbering(rulebook(tmp_path, text))
    assert shown([found]) == [("R205", clause, f'"{clause}"')]
    assert found.message == message
    assert [r.role for r in found.related] in ([], ["before the gap"])


@pytest.mark.parametrize(
    ("text", "clause", "message"),
    [
        (clauses("1", "1(a)", "2"), "1(a)", "`1(a)` stands alone: no `1(b)` follows it"),
        (clauses("1(a)(i)", "1(b)"), "1(a)(i)", "`1(a)(i)` stands alone: no `1(a)(ii)` follows it"),
        (
            clauses("1.1(1)", "1.2", section="1"),
            "1.1(1)",
            "`1.1(1)` stands alone: no `1.1(2)` follows it",
        ),
        (
            clauses("1.1", "1.1.1", "1.2", section="1"),
            "1.1.1",
            "`1.1.1` stands alone: no `1.1.2` follows it",
        ),
    ],
)
def test_a_list_of_one(tmp_path: Path, text: str, clause: str, message: str) -> None:
    (found,) = numbering(rulebook(tmp_path, text))
    assert shown([found]) == [("R228", clause, f'"{clause}"')]
    assert (found.message, found.severity) == (message, "note")


def test_a_section_with_one_rule_is_no_list(tmp_path: Path) -> None:
    assert flaws(tmp_path, clauses("1.1", section="1") + clauses("2.1", section="2")) == []


def test_a_huge_number_is_no_burden(tmp_path: Path) -> None:
    (found,) = numbering(rulebook(tmp_path, clauses("1", "999999999")))
    assert found.message == "`2` to `999999998` are missing between `1` and `999999999`"
    assert flaws(tmp_path, clauses("1", "9" * 5000)) == []


# --- R206


def test_clauses_under_the_wrong_heading_are_one_finding(tmp_path: Path) -> None:
    text = clauses("6.1", "6.2", section="6") + clauses(
        "7.1", "7.2", "6.2#2", "6.2.1", "6.2.2", section="7"
    )
    found = numbering(rulebook(tmp_path, text))
    (misplaced,) = found
    assert misplaced.clause == "6.2#2"
    assert underlined(misplaced.span) == '"6.2#2"'
    assert misplaced.message == (
        "clause `6.2#2` and 2 more are printed in section `7` with a number of section `6`, "
        "so that `6.2` is printed twice"
    )
    assert [(r.clause, r.role) for r in misplaced.related] == [
        ("6.2", "also printed 6.2 in section 6"),
        ("6.2.1", "printed in section 7"),
        ("6.2.2", "printed in section 7"),
    ]


def test_a_stray_number_opens_no_gap(tmp_path: Path) -> None:
    text = clauses("17.1", "17.2", section="17") + clauses("18.1", "17.21", section="18")
    assert flaws(tmp_path, text) == [("R206", "17.21", '"17.21"')]


def test_strays_have_a_sequence_of_their_own(tmp_path: Path) -> None:
    text = clauses("1.1", "1.2", "1.3", section="1") + clauses("2.1", "2.2", "2.3", section="2")
    text += clauses("2.1#2", "2.2#2", "2.4", section="3")
    gaps = only(numbering(rulebook(tmp_path, text)), "R205")
    assert [(d.clause, d.message) for d in gaps] == [
        ("2.4", "`2.3` is missing between `2.2` and `2.4`")
    ]


# --- R225


def test_text_that_no_reference_can_name(tmp_path: Path) -> None:
    text = clauses("1.1", "1.1(a)", "1.1(b)", "1.1#tail", "1.2", "1.2#tail", "1.2#2", section="1")
    found = only(numbering(rulebook(tmp_path, text)), "R225")
    assert shown(found) == [("R225", "1.1#tail", '"1.1#tail"'), ("R225", "1.2#tail", '"1.2#tail"')]
    assert [d.message for d in found] == [
        "text after the parts of `1.1` has no number of its own",
        "text after `1.2` has no number of its own",
    ]
    assert {d.severity for d in found} == {"note"}


# --- numbers


def test_the_numbers_around_a_clause() -> None:
    assert list(enclosing("14.1(d)(ii)")) == ["14.1(d)", "14.1", "14"]
    assert list(enclosing("14.2#table1")) == ["14.2", "14"]
    assert list(enclosing("2.1:Player Card")) == ["2.1", "2"]
    assert list(enclosing("21.7.1#2")) == ["21.7", "21"]
    assert list(enclosing("22")) == list(enclosing("App1")) == []
    assert base_number("1(g)#tail") == "1(g)"


def test_the_numbers_between_two() -> None:
    numbers = ["5.1", "5.1(a)", "5.1(b)", "5.1(b)#2", "5.1(c)", "5.2", "6"]
    assert between("5.1(a)", "5.1(b)", numbers) == ["5.1(a)", "5.1(b)"]
    assert between("5.1", "5.2", numbers) == ["5.1", "5.2"]
    assert between("5.1", "6", numbers) == []
