"""The text of each day, and what is checked in it."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from rulespec.base.diagnostics import Diagnostic
from rulespec.checks.run import static_check
from rulespec.load.load import Loaded, load
from tests.resolve.amend_support import CORNER, EVENS, NOTES, TODAY, amend, ids, text_of
from tests.support import shown

# --- the text of each day


def test_a_replaced_clause_ends_and_begins_on_the_day(amended: Any) -> None:
    book = text_of(amended(amend(EVENS)))
    new, old = book.clause("2.3"), book.on(date(2024, 12, 31)).clause("2.3")
    assert (new.start, new.end) == (date(2025, 1, 1), date(2030, 1, 1))
    assert (old.start, old.end) == (date(2020, 1, 1), date(2025, 1, 1))

    def odds(day: date) -> list[str]:
        return [str(r.value.ratio) for r in book.on(day).rules if r.question == "main.odds"]

    assert (odds(date(2024, 12, 31)), odds(date(2025, 1, 1))) == (["3/2"], ["1"])
    assert ids(book) == ids(load(Path(book.files[0])).rulebook)  # type: ignore[arg-type]


def test_a_revoked_clause_goes_with_its_parts(amended: Any) -> None:
    book = text_of(amended(amend("revoke clause 2.1")))
    assert "2.1" not in ids(book)
    assert not [c for c in ids(book) if c.startswith("2.1(")]
    assert {c.id for c in book.revoked} == {"2.1", "2.1(a)", "2.1(b)", "2.1(c)"}
    assert "2.1(a)" in ids(book.on(date(2024, 1, 1)))


def test_a_clause_is_inserted_behind_the_parts_of_another(amended: Any) -> None:
    book = text_of(amended(amend('insert clause 2.1A "Double" after 2.1 { may double }')))
    assert ids(book)[2:7] == ["2.1", "2.1(a)", "2.1(b)", "2.1(c)", "2.1A"]
    entry = book.clause("2.1A")
    assert (entry.section, entry.start) == ("2", date(2025, 1, 1))
    assert "2.1A" not in ids(book.on(date(2024, 12, 31)))


def test_an_inserted_clause_may_follow_another_and_one_that_goes(amended: Any) -> None:
    text = amend(
        "revoke clause 2.1(c)",
        'insert clause 2.1(d) "Double" after 2.1(c) { may double }',
        'insert clause 2.1(e) "Split" after 2.1(d) { may split when hand.equal_value }',
    )
    assert ids(text_of(amended(text)))[2:7] == ["2.1", "2.1(a)", "2.1(b)", "2.1(d)", "2.1(e)"]


def test_sections_come_and_go(amended: Any) -> None:
    text = amend(
        'insert section 1A "Limits" after 1 {\n applies when hand.cards = 2\n'
        '    clause 1A.1 "Double" { may double }\n  }',
        "revoke section 2",
    )
    book = text_of(amended(text))
    assert ids(book) == ["1.1", "1.2", "1A.1"]
    assert [s.id for s in book.sections] == ["1", "1A"]
    assert book.readings == ()  # it lapsed with the clause that it reads


def test_amendments_follow_each_other_in_the_order_of_their_days(amended: Any) -> None:
    later = amend('replace clause 2.3 "Odds" { main pays 2 to 1 }', day="2026-01-01")
    book = text_of(amended(later, amend(EVENS)))
    odds = {
        day.year: [str(r.value.ratio) for r in book.on(day).rules if r.question == "main.odds"]
        for day in (date(2024, 6, 1), date(2025, 6, 1), date(2026, 6, 1))
    }
    assert odds == {2024: ["3/2"], 2025: ["1"], 2026: ["2"]}
    assert book.turns == [date(2020, 1, 1), date(2025, 1, 1), date(2026, 1, 1), date(2030, 1, 1)]
    assert book.last_start == date(2026, 1, 1)


def test_a_revocation_alone_is_the_last_thing_that_begins(amended: Any) -> None:
    book = text_of(amended(amend("revoke clause 2.1(c)")))
    assert book.last_start == date(2025, 1, 1)
    assert book.on(book.last_start) is not book.before


def test_precedence_of_a_replaced_clause_does_not_linger(amended: Any) -> None:
    base = CORNER.replace("may draw }", "may draw despite 2.1(b) }")
    book = text_of(amended(amend('replace clause 2.1(a) "Draw" { may draw }'), base=base))
    assert book.precedence == ()
    assert book.before.precedence == (("2.1(a)", "2.1(b)", "2.1(a)"),)


def test_an_undated_rulebook_can_be_amended(amended: Any) -> None:
    base = CORNER.replace(
        "in force from 2020-01-01 until 2030-01-01", 'undated because "no date is printed"'
    )
    book = text_of(amended(amend(EVENS), base=base))
    assert book.on(date(1990, 1, 1)) is book.before
    assert book.on(date(2025, 1, 1)) is book


def test_readings_are_taken_out_and_put_in(amended: Any) -> None:
    text = amend(
        'replace clause 2.2 "Results" { main stands off }',
        "revoke reading ties",
        'reading all-even { because "so it says" under 2.2: main stands off when hand.cards = 2 }',
    )
    book = text_of(amended(text))
    assert [r.name for r in book.readings] == ["all-even"]
    assert [r.name for r in book.before.readings] == ["ties"]
    assert {r.reading for r in book.rules} == {None, "all-even"}
    without = book.without_reading("ties", "all-even")
    assert {r.reading for text in without.texts for r in text.rules} == {None}


def test_an_amendment_that_its_rulebook_includes_is_applied_once(
    amended: Any, tmp_path: Path
) -> None:
    from rulespec.load.named import load_named

    base = CORNER + 'include "amendment-1.rules"\n'
    assert text_of(amended(amend(EVENS), base=base)).amended_from == date(2025, 1, 1)
    (book,), found = load_named([str(tmp_path)])
    assert found == []
    assert text_of(book.loaded).amended_from == date(2025, 1, 1)


def test_an_amendment_in_the_file_of_its_rulebook(tmp_path: Path) -> None:
    path = tmp_path / "corner.rules"
    path.write_text(CORNER + amend(EVENS), encoding="utf-8")
    assert text_of(load(path)).amended_from == date(2025, 1, 1)


# --- checks on the amended text


def findings(loaded: Loaded, accepted: bool = False) -> list[Diagnostic]:
    found = (d for d in static_check(loaded, TODAY) if d.code not in NOTES)
    return [d for d in found if (d.accepted is not None) == accepted]


def test_a_reference_to_a_revoked_clause_is_found(amended: Any) -> None:
    found = findings(amended(amend("revoke clause 2.1(c)")))
    assert shown(found) == [("R201", "2.1(b)", "2.1(c)")]


def test_what_was_revoked_leaves_no_gap_in_the_numbers(amended: Any) -> None:
    base = CORNER.replace(" cites 2.1(c)", "")
    assert findings(amended(amend("revoke clause 2.1(b)"), base=base)) == []


def test_findings_point_into_the_amendment(amended: Any) -> None:
    found = findings(amended(amend('replace clause 2.3 "Odds" { main pays 1 to 1 cites 9.9 }')))
    assert shown(found) == [("R201", "2.3", "9.9")]
    assert found[0].span is not None
    assert found[0].span.file.endswith("amendment-1.rules")


def test_every_text_between_is_checked(amended: Any) -> None:
    """The first amendment leaves a reference without its clause; the second mends that."""
    second = amend('replace clause 2.1(b) "Stand" { may stand }', day="2026-01-01")
    found = findings(amended(amend("revoke clause 2.1(c)"), second))
    assert shown(found) == [("R201", "2.1(b)", "2.1(c)")]


def test_a_reading_of_replaced_words_is_noted(amended: Any) -> None:
    found = findings(amended(amend('replace clause 2.2 "Results" { main stands off }')))
    assert shown(found) == [("R221", "2.2", "2.2")]


def test_an_acceptance_lapses_with_its_flaw(amended: Any) -> None:
    base = CORNER.replace("cites 2.1(c)", "cites 2.9") + (
        'accept R201 at 2.1(b) because "printed so"\n'
    )
    mended = amend('replace clause 2.1(b) "Stand" { may stand cites 2.1(c) }')
    loaded = amended(mended, base=base)
    assert findings(loaded) == findings(loaded, accepted=True) == []
    accepted = findings(load(loaded.path), accepted=True)
    assert [(d.code, d.accepted) for d in accepted] == [("R201", "printed so")]
    own = amend(EVENS, 'accept R202 at 2.3 because "of no use"')
    assert [d.code for d in findings(amended(own, base=base))] == ["R215"]


def test_the_clause_list_follows_the_amendment(amended: Any, tmp_path: Path) -> None:
    listed = ["1.1", "1.2", "2.1", "2.1(a)", "2.1(b)", "2.1(c)", "2.2", "2.3"]
    rows = "\n".join(f"- {{id: '{clause}', checkable: log, terms: []}}" for clause in listed)
    (tmp_path / "corner.clauses.yaml").write_text(f"rulebook: corner\nclauses:\n{rows}\n")
    base = CORNER.replace(" cites 2.1(c)", "")
    text = amend("revoke clause 2.1(c)", 'insert clause 2.1(d) "Split" after 2.1(b) { may split }')
    assert findings(amended(text, base=base)) == []
    text = amend("revoke clause 2.1(c)", 'insert clause 2.1(d) "Split" after 2.1(b) { }')
    assert [d.code for d in findings(amended(text, base=base))] == ["R214"]
