"""The comparison against a list of 112 parameters that others have read from the printed texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from checker.compare.compare import Matrix, compare, wanted_topics
from rulespec.base.clause_ids import covers
from rulespec.load.load import load, shipped
from rulespec.resolve.in_force import text_in_force
from tests.compare import matrix_reader, matrix_reader_rest
from tests.support import with_boxes

FACTS = Path(__file__).parent / "matrix.yaml"

# Told by clauses that no round shows: the comparison names the clause, and there is no value of the
# rules that could be held against the prose.
ONLY_CLAUSES = {
    "card_back",
    "multi_box_play",
    "limit_scope",
    "raised_personal_limit",
    "raising_minimum",
    "face_up_card_in_shoe",
    "cut_card_depth",
    "tournament_clash_rule",
    "early_closure",
    "oral_bets",
}

# Where the rules rest on other clauses of the same text than the list names.
OTHER_CLAUSES = {
    ("super_bonus_trigger", "sa-adelaide-pontoon"),  # there is none; the list names the odds
    ("resplit", "act-pontoon"),  # the list infers it from the ceiling, the rules from 10.1(a)
    ("late_surrender_after_missed_offer", "nsw-star-pontoon"),  # only insurance has such a rule
    ("insurance_late_offer", "sa-adelaide-pontoon"),  # silent; the list names a case without it
    ("mandatory_draw_under_12", "nsw-star-pontoon"),  # the freedom to stand, not to draw
}

# The list speaks of such hands in general; in this text 62 lets none of them be doubled.
CANNOT_ARISE = {
    ("busted_hand_then_dealer_natural", "bust after doubling", "sa-adelaide-pontoon"),
    ("double_payout", "6-7-8 of spades", "sa-adelaide-pontoon"),
    ("double_coplayer_who_does_not_double", "6-7-8 of spades", "sa-adelaide-pontoon"),
    ("forfeit_after_double", "over 21", "sa-adelaide-pontoon"),
}


@pytest.fixture(scope="module")
def parameters() -> list[dict[str, Any]]:
    return list(yaml.safe_load(FACTS.read_text(encoding="utf-8"))["parameters"])


@pytest.fixture(scope="module")
def columns() -> dict[str, str]:
    meta = yaml.safe_load(FACTS.read_text(encoding="utf-8"))["meta"]["rulebooks"]
    return {short: entry["id"] for short, entry in meta.items()}


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    books = []
    for name in with_boxes():
        book = load(shipped()[name]).rulebook
        assert book is not None
        books.append((name, text_in_force(book, None)))
    return compare(books, wanted_topics(None))


def reader(parameter: str) -> Any:
    return getattr(matrix_reader, parameter, None) or getattr(matrix_reader_rest, parameter, None)


def test_every_parameter_is_a_topic(matrix: Matrix, parameters: list[dict[str, Any]]) -> None:
    assert [p["param"] for p in parameters if p["param"] not in _topics(matrix)] == []
    assert len(parameters) >= 112


def test_every_parameter_is_read(parameters: list[dict[str, Any]]) -> None:
    unread = {p["param"] for p in parameters if reader(p["param"]) is None}
    assert unread == ONLY_CLAUSES


def test_values_agree(
    matrix: Matrix, parameters: list[dict[str, Any]], columns: dict[str, str]
) -> None:
    wrong: list[str] = []
    compared = 0
    for parameter in parameters:
        name = parameter["param"]
        read = reader(name)
        if read is None:
            continue
        for short, book in columns.items():
            for row, expected in read(parameter[short]["value"]).items():
                got = _cell(matrix, name, row, book)
                compared += 1
                if (name, row, book) in CANNOT_ARISE:
                    expected = "cannot arise"
                if not _agree(expected, got):
                    wrong.append(f"{name}, {row}, {book}: {got}, the list says {expected}")
    assert not wrong, "\n" + "\n".join(wrong)
    assert compared > 900


def _agree(expected: str, got: str) -> bool:
    if expected == "any":
        return True
    if expected == "not given":  # whether the text is silent or says no, the player has it not
        return got in ("no", "–")
    if expected == "not":
        return got in ("may not", "must not")
    return got == expected


def test_clauses_agree(
    matrix: Matrix, parameters: list[dict[str, Any]], columns: dict[str, str]
) -> None:
    wrong: list[str] = []
    compared = 0
    topics = _topics(matrix)
    for parameter in parameters:
        for short, book in columns.items():
            theirs = parameter[short]["clauses"]
            ours = topics[parameter["param"]].clauses(matrix.names.index(book))
            if not theirs or (parameter["param"], book) in OTHER_CLAUSES:
                continue
            compared += 1
            if not any(covers(a, b) or covers(b, a) for a in theirs for b in ours):
                wrong.append(f"{parameter['param']}, {book}: {ours}, the list has {theirs}")
    assert not wrong, "\n" + "\n".join(wrong)
    assert compared > 350


def _topics(matrix: Matrix) -> dict[str, Any]:
    return {c.topic.id: c for c in matrix.compared}


def _cell(matrix: Matrix, topic: str, row: str, book: str) -> str:
    """What a rulebook says; a row that is left out says nothing, or the same as another one."""
    column = matrix.names.index(book)
    lines = {line.label: line for line in _topics(matrix)[topic].lines}
    declared = {r.label: r for c in matrix.compared if c.topic.id == topic for r in c.topic.rows}
    assert row in declared, f"{topic} has no row `{row}`"
    if row not in lines and declared[row].unless_as in lines:
        row = declared[row].unless_as
    return lines[row].cells[column].text if row in lines else "–"
