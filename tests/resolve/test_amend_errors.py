"""What is wrong with an amendment is told with its place."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from rulespec.base.diagnostics import Diagnostic
from rulespec.load.load import Loaded, load
from tests.resolve.amend_support import CORNER, EVENS, amend, text_of
from tests.support import underlined


def the_only(loaded: Loaded) -> Diagnostic:
    (found,) = loaded.diagnostics
    assert not loaded.usable
    return found


WRONG = {
    "there is no clause": (
        amend("revoke clause 2.1(d)"),
        "R118",
        "2.1(d)",
        "there is no clause `2.1(d)`",
    ),
    "nothing to replace": (
        amend('replace clause 2.4 "Odds" { main pays 1 to 1 }'),
        "R118",
        "2.4",
        "there is no clause `2.4`",
    ),
    "nothing to insert after": (
        amend('insert clause 2.4 "Odds" after 2.7 { main pays 1 to 1 }'),
        "R118",
        "2.7",
        "there is no clause `2.7`",
    ),
    "a section is no clause": (
        amend('replace clause 2 "Results" { main stands off }'),
        "R118",
        "2",
        "there is no clause `2`",
    ),
    "no such section": (
        amend("revoke section 3"),
        "R118",
        "3",
        "there is no section `3` to revoke",
    ),
    "no such reading": (
        amend(EVENS, "revoke reading tis"),
        "R118",
        "revoke reading tis",
        "there is no reading `tis`",
    ),
    "a number that is taken": (
        amend('insert clause 2.3 "Odds" after 2.2 { main pays 1 to 1 }'),
        "R120",
        "2.3",
        "there is a clause `2.3` already",
    ),
    "the same text": (
        amend('replace clause 2.3 "Odds" { main pays 6 to 4 }'),
        "R117",
        "2.3",
        "clause `2.3` already says this",
    ),
    "nothing at all": (amend(), "R117", "corner", "the amendment changes no clause of `corner`"),
    "readings only": (
        amend("revoke reading ties"),
        "R117",
        "corner",
        "the amendment changes no clause of `corner`",
    ),
    "revoked twice": (
        amend("revoke clause 2.1(c), 2.1(c)"),
        "R119",
        "2.1(c)",
        "clause `2.1(c)` is changed twice on 2025-01-01",
    ),
    "revoked with its parts and by itself": (
        amend("revoke clause 2.1(c)", "revoke clause 2.1"),
        "R119",
        "2.1",
        "clause `2.1(c)` is changed twice on 2025-01-01",
    ),
    "revoked and inserted": (
        amend(
            "revoke clause 2.3",
            'insert clause 2.3A "Odds" after 2.3 { main pays 1 to 1 }',
            'insert clause 2.3A "Odds" after 2.3 { main pays 1 to 1 }',
        ),
        "R119",
        "2.3A",
        "clause `2.3A` is changed twice on 2025-01-01",
    ),
    "too early": (
        amend(EVENS, day="2019-12-31"),
        "R121",
        "in force from 2019-12-31",
        "the amendment is in force before its rulebook begins on 2020-01-01",
    ),
    "too late": (
        amend(EVENS, day="2030-01-01"),
        "R121",
        "in force from 2030-01-01",
        "the amendment is in force when its rulebook has ended on 2030-01-01",
    ),
    "no such day": (
        amend(EVENS, day="2025-02-30"),
        "R111",
        "in force from 2025-02-30",
        "this date does not exist",
    ),
    "no day": (
        "amend corner { revoke clause 2.3 }",
        "R121",
        "corner",
        "the amendment does not say from which day it is in force",
    ),
    "a date of its own": (
        amend('replace clause 2.3 "Odds" { main pays 1 to 1 in force from 2026-01-01 }'),
        "R121",
        "in force from 2026-01-01",
        "clause `2.3` begins with its amendment on 2025-01-01",
    ),
    "of a rulebook that is nowhere": (
        amend(EVENS, book="corners"),
        "R008",
        "corners",
        "there is no rulebook `corners` to amend",
    ),
    "outside of the block": (
        amend(EVENS) + 'clause 2.4 "Odds" { main pays 1 to 1 }',
        "R122",
        "2.4",
        "this stands outside of the amendment",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_told_with_its_place(amended: Any, case: str) -> None:
    text, code, words, message = WRONG[case]
    found = the_only(amended(text))
    assert (found.code, underlined(found.span), found.message) == (code, words, message)
    assert found.span is not None
    assert found.span.file.endswith("amendment-1.rules")


def test_the_nearest_number_is_proposed(amended: Any) -> None:
    found = the_only(amended(amend("revoke clause 2.1(d)")))
    assert found.help is not None
    assert found.help.startswith("did you mean `2.1(")


def test_a_clause_that_was_revoked_earlier(amended: Any) -> None:
    again = amend("revoke clause 2.1(c)", day="2026-01-01")
    found = the_only(amended(again, amend("revoke clause 2.1(c)")))
    assert (found.code, underlined(found.span)) == ("R118", "2.1(c)")
    assert found.message == "clause `2.1(c)` was revoked on 2025-01-01"


def test_two_instruments_of_one_day_may_not_meet(amended: Any) -> None:
    other = amend('replace clause 2.3 "Odds" { main pays 2 to 1 }')
    found = the_only(amended(amend(EVENS), other))
    assert (found.code, underlined(found.span)) == ("R119", "2.3")
    assert [(r.role, underlined(r.span)) for r in found.related] == [("also changed", "2.3")]
    apart = amend("revoke clause 2.1(c)")
    assert text_of(amended(amend(EVENS), apart)).on(date(2025, 1, 1)).clause("2.1(c)") is None


def test_another_rulebook_in_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "corner.rules"
    path.write_text(CORNER + amend(EVENS, book="nz-pontoon"), encoding="utf-8")
    found = the_only(load(path))
    assert (found.code, underlined(found.span)) == ("R122", "nz-pontoon")


def test_a_name_that_went_with_its_clause_is_missed(amended: Any) -> None:
    base = CORNER.replace("main pays 3 to 2", "main pays 3 to 2 when high_hand").replace(
        "may draw }", "may draw define high_hand as hand.total > 18 }"
    )
    found = the_only(amended(amend("revoke clause 2.1(a)"), base=base))
    assert (found.code, found.clause, underlined(found.span)) == ("R102", "2.3", "high_hand")
    assert found.span is not None
    assert found.span.file.endswith("corner.rules")


@pytest.mark.parametrize(
    "text",
    [
        "amend corner {",
        "amend corner { in force from 2025-01-01 until 2026-01-01 revoke clause 2.3 }",
        "amend corner { revoke clause 2.3 in force from 2025-01-01 }",
        'amend corner { in force from 2025-01-01 insert clause 2.4 "Odds" { may draw } }',
    ],
)
def test_what_is_not_written_as_the_language_asks(amended: Any, text: str) -> None:
    assert {d.code for d in amended(text).diagnostics} == {"R005"}


def test_every_slip_of_an_amendment_is_found_in_one_run(amended: Any) -> None:
    text = amend(
        'replace clause 2.2 "Results" {\n    main wins wenn hand.cards = 2\n  }',
        'insert clause 2.2A "Odds" after 2.2 {\n    main looses\n  }',
        'accept R201 at 2.2 because "known"',
    )
    assert [underlined(d.span) for d in amended(text).diagnostics] == ["wenn", "looses"]
