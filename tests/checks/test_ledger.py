"""The clause list beside a rulebook, and the ledger of what became of each clause."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.base.diagnostics import Diagnostic
from rulespec.checks.ledger import Ledger, ledger, load_clause_list
from tests.support import loaded, rulebook, shown, underlined

RULES = """
section 1 "Play" {
  clause 1.1 "Wins" { main wins when hand.total = 21 }
  clause 1.2 "Choices" { introduces its parts }
  clause 1.2(a) "Draw" { may draw when hand.total < 21 }
  clause 1.3 "Sight" { not checkable because "needs sight of the table" }
}
"""

LIST = """
rulebook: sample
sections:
- {id: 1, title: Play}
clauses:
- {id: '1.1', title: Wins, kind: settlement, checkable: log, section: 1}
- {id: '1.2', title: Choices, kind: option, checkable: log, section: 1}
- {id: 1.2(a), title: Draw, kind: option, checkable: log, section: 1, note: first}
- {id: 1.3, title: Sight, kind: general, checkable: external, section: 1, numbered: false}
"""


def account(folder: Path, rules: str = RULES, listed: str | None = LIST) -> Ledger:
    book = rulebook(folder, rules)
    if listed is not None:
        (folder / "sample.clauses.yaml").write_text(listed, encoding="utf-8")
    clause_list, broken = load_clause_list(folder / "sample.rules")
    assert broken == []
    return ledger(book, clause_list)


def test_a_rulebook_that_accounts_for_every_clause(tmp_path: Path) -> None:
    book = account(tmp_path)
    assert book.diagnostics == ()
    assert [(r.id, r.clause_class, r.standing, r.reason) for r in book.rows] == [
        ("1.1", "log", "encoded", None),
        ("1.2", "log", "encoded", None),
        ("1.2(a)", "log", "encoded", None),
        ("1.3", "external", "not checkable", "needs sight of the table"),
    ]
    assert book.counts()["log"] == {
        "encoded": 3,
        "not checkable": 0,
        "silent": 0,
        "missing": 0,
    }
    assert book.rows[0].as_json() == {
        "clause": "1.1",
        "title": "Wins",
        "class": "log",
        "standing": "encoded",
        "reason": None,
    }


def test_the_list_keeps_what_it_says_of_a_clause(tmp_path: Path) -> None:
    account(tmp_path)
    clause_list, _ = load_clause_list(tmp_path / "sample.rules")
    assert clause_list is not None
    assert clause_list.sections == (("1", "Play"),)
    third, last = clause_list.clauses[2:]
    assert (third.id, third.kind, third.section, third.note) == ("1.2(a)", "option", "1", "first")
    assert (last.id, last.numbered) == ("1.3", False)


def test_without_a_list_nothing_is_missing(tmp_path: Path) -> None:
    book = account(tmp_path, listed=None)
    assert book.diagnostics == ()
    assert {r.clause_class for r in book.rows} == {"unlisted"}


def test_numbers_stay_as_printed(tmp_path: Path) -> None:
    listed = LIST.replace("id: 1.3,", "id: 1.30,")
    book = account(tmp_path, RULES.replace("clause 1.3 ", "clause 1.30 "), listed)
    assert book.diagnostics == ()
    assert book.rows[3].id == "1.30"


# --- R212, R213


def test_a_clause_without_a_block(tmp_path: Path) -> None:
    book = account(tmp_path, RULES.replace('  clause 1.2(a) "Draw" {', '  clause 1.2(b) "Draw" {'))
    missing, unlisted = book.diagnostics
    assert shown([missing, unlisted]) == [("R212", "1.2(a)", "1.2"), ("R213", "1.2(b)", "1.2(b)")]
    assert missing.message == "clause `1.2(a)` of the printed text is not accounted for"
    assert missing.help is not None
    assert "after `1.2`" in missing.help
    assert unlisted.help == "did you mean `1.2(a)`?"
    assert book.rows[2].standing == "missing"


# --- R214


def test_a_block_that_says_nothing(tmp_path: Path) -> None:
    rules = RULES.replace("main wins when hand.total = 21", 'uses "Hand" cites 1.3')
    book = account(tmp_path, rules)
    assert shown(book.diagnostics) == [("R214", "1.1", "1.1")]
    assert book.rows[0].standing == "silent"


def test_a_lead_in_without_parts_says_nothing(tmp_path: Path) -> None:
    rules = RULES.replace(
        '"Sight" { not checkable because "needs sight of the table" }',
        '"Sight" { introduces its parts }',
    )
    (found,) = account(tmp_path, rules).diagnostics
    assert shown([found]) == [("R214", "1.3", "introduces its parts")]
    assert found.message == "clause `1.3` introduces parts, but has none"


@pytest.mark.parametrize("part", ["1.2#table", "1.2:Draw", "1.2.1", "1.2(a)#2"])
def test_tables_and_terms_are_parts(tmp_path: Path, part: str) -> None:
    book = account(tmp_path, RULES.replace("1.2(a)", part), listed=None)
    assert book.diagnostics == ()


def test_a_part_of_the_second_clause_with_a_number(tmp_path: Path) -> None:
    rules = """
section 6 "Six" { clause 6.7 "First" { main wins when hand.total = 21 } }
section 7 "Seven" {
  clause 6.7#2 "Second" { introduces its parts }
  clause 6.7.1 "Its part" { main wins when hand.total = 20 }
}
"""
    assert account(tmp_path, rules, listed=None).diagnostics == ()


# --- R216


def test_a_checkable_clause_that_is_not_encoded(tmp_path: Path) -> None:
    book = account(tmp_path, listed=LIST.replace("external", "shoe"))
    (found,) = book.diagnostics
    assert shown([found]) == [("R216", "1.3", 'not checkable because "needs sight of the table"')]
    assert found.message == (
        "clause `1.3` is called not checkable, but can be decided from the rounds of a shoe"
    )


def test_an_external_clause_may_be_encoded(tmp_path: Path) -> None:
    assert (
        account(tmp_path, listed=LIST.replace("checkable: log", "checkable: external")).diagnostics
        == ()
    )


# --- R010


def broken(folder: Path, data: bytes) -> Diagnostic:
    loaded(folder, RULES)
    (folder / "sample.clauses.yaml").write_bytes(data)
    clause_list, found = load_clause_list(folder / "sample.rules")
    assert clause_list is None
    assert [d.code for d in found] == ["R010"]
    assert found[0].unusable
    return found[0]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no list of `clauses`"),
        (b"- a\n- b\n", "no list of `clauses`"),
        (b"clauses: 7\n", "no list of `clauses`"),
        (b"clauses: [7]\n", "a clause has no `id`"),
        (b"clauses: [{id: 1}]\n", "the class of clause `1` is not known"),
        (b"clauses: [{id: 1, checkable: logs}]\n", "did you mean `log`?"),
        (b"clauses: [{id: 1, checkable: log}, {id: 1, checkable: log}]\n", "is listed twice"),
        (b"sections: {}x\nclauses: []\n", "not a YAML file"),
        (b"sections: [7]\nclauses: []\n", "`sections` is not a list of sections"),
        (b"\xff\xfe\x00", "not UTF-8 text"),
        (b"clauses: [" * 3000, "not a YAML file"),
        (b"clauses: 2024-13-45\n", "no list of `clauses`"),
        (b"!!python/object:os.system {}\n", "no list of `clauses`"),
    ],
)
def test_a_list_that_cannot_be_used(tmp_path: Path, data: bytes, message: str) -> None:
    assert message in broken(tmp_path, data).message


def test_the_place_of_a_fault_in_a_list(tmp_path: Path) -> None:
    found = broken(tmp_path, b"rulebook: sample\nclauses: ]\n")
    assert underlined(found.span) == "]"
