"""Versions of a clause: together, with a hole, outside their rulebook."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.checks.dates import dates
from tests.support import rulebook, shown

ENDED = "rulebook sample { game pontoon in force from 2020-01-01 until 2025-01-01 }\n"
UNDATED = 'rulebook sample { game pontoon undated because "no date is printed" }\n'


def versions(*lines: str) -> str:
    return "\n".join(f'clause 1 "Limit" {{ introduces its parts {line} }}' for line in lines)


def test_versions_that_follow_each_other(tmp_path: Path) -> None:
    text = versions(
        "in force from 2021-06-01 until 2022-01-01",
        "in force from 2022-01-01",
        "in force from 2020-01-01 until 2021-06-01",
    )
    assert dates(rulebook(tmp_path, text)) == []


def test_a_clause_that_begins_later_or_ends_sooner(tmp_path: Path) -> None:
    text = 'clause 2 "Card" { introduces its parts in force from 2024-08-19 until 2024-12-01 }'
    assert dates(rulebook(tmp_path, text)) == []
    assert dates(rulebook(tmp_path, text, UNDATED)) == []
    assert dates(rulebook(tmp_path, text, ENDED)) == []


# --- R210


def test_versions_in_force_together(tmp_path: Path) -> None:
    text = versions("in force from 2020-01-01 until 2022-01-01", "in force from 2021-06-01")
    (found,) = dates(rulebook(tmp_path, text))
    assert shown([found]) == [("R210", "1", "in force from 2021-06-01")]
    assert found.message == "two versions of clause `1` are in force together from 2021-06-01"
    assert [(r.clause, r.role) for r in found.related] == [("1", "earlier version")]
    assert found.help == "end the earlier version with `until 2021-06-01`"


def test_an_earlier_version_without_an_end(tmp_path: Path) -> None:
    (found,) = dates(rulebook(tmp_path, versions("", "in force from 2021-06-01")))
    assert shown([found]) == [("R210", "1", "in force from 2021-06-01")]


# --- R211


def test_a_hole_between_versions(tmp_path: Path) -> None:
    text = versions("in force from 2020-01-01 until 2021-01-01", "in force from 2021-01-02")
    (found,) = dates(rulebook(tmp_path, text))
    assert shown([found]) == [("R211", "1", "in force from 2021-01-02")]
    assert found.message == (
        "no version of clause `1` is in force from 2021-01-01 until 2021-01-02"
    )


# --- R220


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "in force from 2019-12-31",
            "is in force from 2019-12-31, before its rulebook begins on 2020-01-01",
        ),
        (
            "in force from 2025-01-01",
            "is in force from 2025-01-01, when its rulebook has ended on 2025-01-01",
        ),
        (
            "in force from 2024-01-01 until 2025-06-01",
            "is in force until 2025-06-01, but its rulebook ends on 2025-01-01",
        ),
    ],
)
def test_a_clause_in_force_without_its_rulebook(tmp_path: Path, line: str, message: str) -> None:
    (found,) = dates(rulebook(tmp_path, versions(line), ENDED))
    assert shown([found]) == [("R220", "1", line)]
    assert found.message == f"clause `1` {message}"
