"""What is written out of a tree is read again as the same tree."""

from __future__ import annotations

import pytest

from rulespec.load.load import shipped
from rulespec.syntax.parse import parse
from rulespec.tree import nodes as t
from rulespec.tree.write_statements import accept_text, prevails_text, statement_text


def statements(text: str) -> tuple[t.Statement, ...]:
    document, wrong = parse(f'clause 1 "A" {{\n{text}\n}}', "one.rules")
    assert document is not None, (text, wrong)
    (clause,) = document.items
    assert isinstance(clause, t.Clause)
    return clause.statements


@pytest.mark.parametrize("name", sorted(shipped()))
def test_statements_are_read_again_as_they_are(name: str) -> None:
    document, _ = parse(shipped()[name].read_text(encoding="utf-8"), name)
    assert document is not None
    clauses = [c for i in document.items if isinstance(i, t.Section) for c in i.clauses]
    said = [s for c in clauses for s in c.statements]
    assert len(said) > 100
    assert statements("\n".join(map(statement_text, said))) == tuple(said)


def test_what_the_rulebooks_do_not_say() -> None:
    for text in (
        'main pays as 2, "A:Table 3" when hand.total = 21',
        'may double undecided because "open" when hand.total = 21',
        'main is undecided because "open"',
        "interim main is void",
        "define suited as false when hand.split",
        "cites 11.2 to 11.5 as payout, 4 read as 5",
        "main counts as $5 when wager.undisclosed",
    ):
        assert [statement_text(s) for s in statements(text)] == [text]


@pytest.mark.parametrize("name", sorted(shipped()))
def test_readings_and_acceptances_too(name: str) -> None:
    document, _ = parse(shipped()[name].read_text(encoding="utf-8"), name)
    assert document is not None
    accepted = [i for i in document.items if isinstance(i, t.Accept)]
    ordered = [
        line
        for i in document.items
        if isinstance(i, t.Reading)
        for line in i.lines
        if isinstance(line, t.Prevails)
    ]
    assert accepted
    assert ordered
    reading = f'reading a {{ because "b" {" ".join(map(prevails_text, ordered))} }}'
    again, wrong = parse("\n".join([reading, *map(accept_text, accepted)]), name)
    assert again is not None, wrong
    first, *others = again.items
    assert isinstance(first, t.Reading)
    assert first.lines == tuple(ordered)
    assert others == accepted
