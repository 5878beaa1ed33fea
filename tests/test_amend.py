"""Amendments: the text of each day, what is wrong with an amendment, and the commands on it."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from support import only, shown, underlined

from checker import cli
from checker.commands.check import check
from checker.exact_json import dumps
from checker.replay import Library
from checker.scenario_script import events_of
from rulespec.diagnostics import Diagnostic
from rulespec.load import Loaded, load, shipped
from rulespec.printer import format_text
from rulespec.rulebook import Rulebook
from rulespec.static_check import static_check

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = sorted((ROOT / "examples" / "amendments").glob("*.rules"))
TODAY = date(2025, 1, 1)

CORNER = """rulebook corner { game pontoon in force from 2020-01-01 until 2030-01-01 }

section 1 "Cards" {
  clause 1.1 "Card values" {
    cards 2 to 9 count face
    cards T, J, Q, K count 10
    cards A count 1 or 11
  }
  clause 1.2 "The dealer draws to 17" {
    dealer must draw when dealer.total <= 16
    dealer must not draw when dealer.total > 16
  }
}

section 2 "Results" {
  clause 2.1 "Choices" { introduces its parts }
  clause 2.1(a) "Draw" { may draw }
  clause 2.1(b) "Stand" { may stand cites 2.1(c) }
  clause 2.1(c) "Surrender" { may surrender when hand.cards = 2 }
  clause 2.2 "Results" {
    main wins when hand.total <= 21 and (dealer.total > 21 or hand.total > dealer.total)
    main loses when hand.total > 21 or (dealer.total <= 21 and hand.total < dealer.total)
    main stands off when hand.total = dealer.total
  }
  clause 2.3 "Odds" { main pays 3 to 2 }
}

reading ties {
  because "no clause speaks of ties of 20"
  under 2.2: main is undecided because "both have 20" when hand.total = 20 and dealer.total = 20
}
"""
WON = "bet 1 P1 10\ndeal 1:KH 0:9D 1:9C\n1 P1 stand\ndealer 8S\nsettle 1 P1 main {}"


def amend(*changes: str, day: str = "2025-01-01", book: str = "corner") -> str:
    inside = "\n".join(f"  {change}" for change in changes)
    return f"amend {book} {{\n  in force from {day}\n{inside}\n}}\n"


EVENS = 'replace clause 2.3 "Odds" { main pays 1 to 1 }'


@pytest.fixture
def amended(tmp_path: Path) -> Any:
    """A rulebook with an amendment beside it; what is loaded is the amendment."""

    def make(*texts: str, base: str = CORNER) -> Loaded:
        (tmp_path / "corner.rules").write_text(base, encoding="utf-8")
        for number, text in enumerate(texts, 1):
            (tmp_path / f"amendment-{number}.rules").write_text(text, encoding="utf-8")
        return load(tmp_path / "amendment-1.rules")

    return make


def text_of(loaded: Loaded) -> Rulebook:
    assert loaded.diagnostics == ()
    assert loaded.rulebook is not None
    return loaded.rulebook


def the_only(loaded: Loaded) -> Diagnostic:
    (found,) = loaded.diagnostics
    assert not loaded.usable
    return found


def ids(book: Rulebook) -> list[str]:
    return [c.id for c in book.clauses]


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
    from checker.commands.named import load_named

    base = CORNER + 'include "amendment-1.rules"\n'
    assert text_of(amended(amend(EVENS), base=base)).amended_from == date(2025, 1, 1)
    (book,), found = load_named([str(tmp_path)])
    assert found == []
    assert text_of(book.loaded).amended_from == date(2025, 1, 1)


def test_an_amendment_in_the_file_of_its_rulebook(tmp_path: Path) -> None:
    path = tmp_path / "corner.rules"
    path.write_text(CORNER + amend(EVENS), encoding="utf-8")
    assert text_of(load(path)).amended_from == date(2025, 1, 1)


# --- what is wrong with an amendment

WRONG = {
    "there is no clause": (
        amend("revoke clause 2.1(d)"), "R118", "2.1(d)", "there is no clause `2.1(d)`",
    ),
    "nothing to replace": (
        amend('replace clause 2.4 "Odds" { main pays 1 to 1 }'), "R118", "2.4",
        "there is no clause `2.4`",
    ),
    "nothing to insert after": (
        amend('insert clause 2.4 "Odds" after 2.7 { main pays 1 to 1 }'), "R118", "2.7",
        "there is no clause `2.7`",
    ),
    "a section is no clause": (
        amend('replace clause 2 "Results" { main stands off }'), "R118", "2",
        "there is no clause `2`",
    ),
    "no such section": (amend("revoke section 3"), "R118", "3",
                        "there is no section `3` to revoke"),
    "no such reading": (
        amend(EVENS, "revoke reading tis"), "R118", "revoke reading tis",
        "there is no reading `tis`",
    ),
    "a number that is taken": (
        amend('insert clause 2.3 "Odds" after 2.2 { main pays 1 to 1 }'), "R120", "2.3",
        "there is a clause `2.3` already",
    ),
    "the same text": (
        amend('replace clause 2.3 "Odds" { main pays 6 to 4 }'), "R117", "2.3",
        "clause `2.3` already says this",
    ),
    "nothing at all": (amend(), "R117", "corner", "the amendment changes no clause of `corner`"),
    "readings only": (
        amend("revoke reading ties"), "R117", "corner",
        "the amendment changes no clause of `corner`",
    ),
    "revoked twice": (
        amend("revoke clause 2.1(c), 2.1(c)"), "R119", "2.1(c)",
        "clause `2.1(c)` is changed twice on 2025-01-01",
    ),
    "revoked with its parts and by itself": (
        amend("revoke clause 2.1(c)", "revoke clause 2.1"), "R119", "2.1",
        "clause `2.1(c)` is changed twice on 2025-01-01",
    ),
    "revoked and inserted": (
        amend("revoke clause 2.3", 'insert clause 2.3A "Odds" after 2.3 { main pays 1 to 1 }',
              'insert clause 2.3A "Odds" after 2.3 { main pays 1 to 1 }'),
        "R119", "2.3A", "clause `2.3A` is changed twice on 2025-01-01",
    ),
    "too early": (
        amend(EVENS, day="2019-12-31"), "R121", "in force from 2019-12-31",
        "the amendment is in force before its rulebook begins on 2020-01-01",
    ),
    "too late": (
        amend(EVENS, day="2030-01-01"), "R121", "in force from 2030-01-01",
        "the amendment is in force when its rulebook has ended on 2030-01-01",
    ),
    "no such day": (
        amend(EVENS, day="2025-02-30"), "R111", "in force from 2025-02-30",
        "this date does not exist",
    ),
    "no day": (
        "amend corner { revoke clause 2.3 }", "R121", "corner",
        "the amendment does not say from which day it is in force",
    ),
    "a date of its own": (
        amend('replace clause 2.3 "Odds" { main pays 1 to 1 in force from 2026-01-01 }'),
        "R121", "in force from 2026-01-01", "clause `2.3` begins with its amendment on 2025-01-01",
    ),
    "of a rulebook that is nowhere": (
        amend(EVENS, book="corners"), "R008", "corners", "there is no rulebook `corners` to amend",
    ),
    "outside of the block": (
        amend(EVENS) + 'clause 2.4 "Odds" { main pays 1 to 1 }', "R122", "2.4",
        "this stands outside of the amendment",
    ),
}  # fmt: skip


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


@pytest.mark.parametrize("text", [
    "amend corner {",
    "amend corner { in force from 2025-01-01 until 2026-01-01 revoke clause 2.3 }",
    "amend corner { revoke clause 2.3 in force from 2025-01-01 }",
    'amend corner { in force from 2025-01-01 insert clause 2.4 "Odds" { may draw } }',
])  # fmt: skip
def test_what_is_not_written_as_the_language_asks(amended: Any, text: str) -> None:
    assert {d.code for d in amended(text).diagnostics} == {"R005"}


def test_every_slip_of_an_amendment_is_found_in_one_run(amended: Any) -> None:
    text = amend(
        'replace clause 2.2 "Results" {\n    main wins wenn hand.cards = 2\n  }',
        'insert clause 2.2A "Odds" after 2.2 {\n    main looses\n  }',
        'accept R201 at 2.2 because "known"',
    )
    assert [underlined(d.span) for d in amended(text).diagnostics] == ["wenn", "looses"]


# --- checks on the amended text


NOTES = ("R222", "R223")  # of readings: not what these tests are about


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
    rows = "\n".join(f"- {{id: '{clause}', checkable: log}}" for clause in listed)
    (tmp_path / "corner.clauses.yaml").write_text(f"rulebook: corner\nclauses:\n{rows}\n")
    base = CORNER.replace(" cites 2.1(c)", "")
    text = amend("revoke clause 2.1(c)", 'insert clause 2.1(d) "Split" after 2.1(b) { may split }')
    assert findings(amended(text, base=base)) == []
    text = amend("revoke clause 2.1(c)", 'insert clause 2.1(d) "Split" after 2.1(b) { }')
    assert [d.code for d in findings(amended(text, base=base))] == ["R214"]


# --- commands


def call(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    capfd.readouterr()
    status = cli.main([*arguments, "--format", "json"])
    return status, json.loads(capfd.readouterr().out, parse_float=Decimal)


def log_of(path: Path, rulebook: str, script: str, *days: str) -> str:
    rounds = [
        {
            "format": 1, "round": f"R{n}", "table": "T1", "at": f"{day}T12:00:00+10:00",
            "rulebook": rulebook, "decks": 6, "events": events_of(script),
            "limits": {"main": {"min": 1, "max": 1000}},
        }
        for n, day in enumerate(days, 1)
    ]  # fmt: skip
    path.write_text("".join(dumps(one) + "\n" for one in rounds), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", ["amendment-1.rules", "."])
def test_each_round_is_judged_by_the_text_of_its_day(
    amended: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str
) -> None:
    amended(amend(EVENS))
    days = "2024-12-31", "2025-01-01"
    rules = str(tmp_path / name)
    for paid, wrong in ((25, "R2"), (20, "R1")):
        log = log_of(tmp_path / "log.jsonl", "corner", WON.format(paid), *days)
        status, report = call(capfd, "replay", log, "--rules", rules)
        assert status == 1
        assert [(f["round"], f["clause"]) for f in report["findings"]] == [(wrong, "2.3")]
        kinds = [Path(i["path"]).name for i in report["inputs"] if i["kind"] == "rules"]
        assert kinds == ["corner.rules", "amendment-1.rules"]


def test_the_day_of_a_name_chooses_the_text(amended: Any, tmp_path: Path) -> None:
    from checker.commands.named import load_one

    amended(amend("revoke clause 2.1(c)"))
    for day, there in (("2024-12-31", True), ("2025-01-01", False)):
        book, found = load_one(f"{tmp_path}/amendment-1.rules@{day}")
        assert found == []
        assert book is not None
        assert book.loaded.rulebook is not None
        assert ("2.1(c)" in ids(book.loaded.rulebook)) is there


def test_a_folder_is_one_text_and_a_file_is_that_file(amended: Any, tmp_path: Path) -> None:
    from checker.commands.named import load_named

    amended(amend(EVENS), amend("revoke clause 2.1(c)", day="2026-01-01"))
    (book,), _ = load_named([str(tmp_path)])
    assert book.loaded.rulebook.amended_from == date(2026, 1, 1)  # type: ignore[union-attr]
    (book,), _ = load_named([str(tmp_path / "corner.rules")])
    assert book.loaded.rulebook.amended_from is None  # type: ignore[union-attr]


def test_an_amendment_among_the_shipped_rulebooks_belongs_to_its_id(
    amended: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from checker.commands.named import load_named

    amended(amend(EVENS))
    monkeypatch.setattr("rulespec.find.folder", lambda name: tmp_path)
    assert list(shipped()) == ["corner"]
    for names in (["corner"], []):
        (book,), found = load_named(names)
        assert found == []
        assert book.loaded.rulebook.amended_from == date(2025, 1, 1)  # type: ignore[union-attr]


def test_a_day_chooses_the_text_that_is_checked(
    amended: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    amended(amend("revoke clause 2.1(c)"))
    path = str(tmp_path / "amendment-1.rules")
    for day, expected in (("2024-12-31", []), ("2025-01-01", ["R201"])):
        _, report = call(capfd, "check", "--no-proofs", f"{path}@{day}")
        assert [f["code"] for f in report["findings"] if f["code"] not in NOTES] == expected


@pytest.mark.parametrize("command", ["check", "coverage", "graph", "fmt"])
def test_commands_take_an_amendment(
    amended: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    amended(amend("revoke clause 2.1(b)"))
    more = ["--no-proofs"] if command == "check" else []
    status, report = call(capfd, command, str(tmp_path / "amendment-1.rules"), *more)
    assert status in (0, 3) if command == "coverage" else status == 0, report
    if command == "check":
        assert report["summary"]["clauses"] == 7


def test_the_layout_keeps_every_change_and_comment() -> None:
    text = (
        "# invented\namend corner { title \"A\" in force from 2025-01-01 # the day\n"
        "revoke clause 2.1,2.3 # gone\nreplace clause 2.2 \"R\" { main wins when hand.cards=2\n"
        "# why\nmain pays { hand.cards=2->3 to 2 otherwise->1 to 1 } }\n"
        "insert clause 2.4 \"O\" after 2.2 about payout { may draw }\n"
        "insert section 3 \"S\" after 2 { applies when hand.cards=2\n"
        "clause 3.1 \"C\" { may stand } }\n"
        "revoke section 1 revoke reading ties accept R201 because \"x\" }\n"
    )  # fmt: skip
    laid_out, wrong = format_text(text)
    assert wrong == []
    assert laid_out == """\
# invented
amend corner {
  title "A"
  in force from 2025-01-01  # the day
  revoke clause 2.1, 2.3  # gone
  replace clause 2.2 "R" {
    main wins when hand.cards = 2
    # why
    main pays {
      hand.cards = 2 -> 3 to 2
      otherwise      -> 1 to 1
    }
  }
  insert clause 2.4 "O" after 2.2 about payout {
    may draw
  }
  insert section 3 "S" after 2 {
    applies when hand.cards = 2
    clause 3.1 "C" {
      may stand
    }
  }
  revoke section 1
  revoke reading ties
  accept R201 because "x"
}
"""
    assert format_text(laid_out) == (laid_out, [])


# --- the examples


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 3
    assert all("nvented" in path.read_text(encoding="utf-8") for path in EXAMPLES)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_an_example_is_sound(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert format_text(text) == (text, [])
    report = check([str(path)], TODAY, proofs=False)
    assert [f.message for f in report.findings if f.severity != "note"] == []
    base = load(shipped()[load(path).rulebook.id]).rulebook  # type: ignore[union-attr]
    assert load(path).rulebook != base


SUPER_BONUS = """bet 1 P1 24.50
deal 1:7C 0:7C 1:7C
1 P1 hit 7C
settle 1 P1 main 73.50
settle 1 P1 super_bonus 1000
"""
LONG_21 = """bet 1 P1 10
deal 1:2H 0:9D 1:2C
1 P1 hit 2D
1 P1 hit 3D
1 P1 hit 4D
1 P1 hit 4C
1 P1 hit 4S
settle 1 P1 main {}
"""
LOST = """bet 1 P1 10
deal 1:KH 0:AD 1:9C
1 P1 stand
dealer KS
settle 1 P1 main 0
"""


@pytest.mark.parametrize(
    ("name", "script", "days", "flagged"),
    [
        ("star-bands", SUPER_BONUS, ("2025-02-28", "2025-03-01"), {"R1"}),
        ("new-zealand-odds", LONG_21.format(40), ("2025-12-31", "2026-01-01"), {"R2"}),
        ("new-zealand-odds", LONG_21.format(35), ("2025-12-31", "2026-01-01"), {"R1"}),
        ("canberra-dealer-pontoon", LOST, ("2006-06-30", "2006-07-01"), set()),
    ],
)
def test_an_example_is_replayed_across_its_day(
    tmp_path: Path, capfd: pytest.CaptureFixture[str],
    name: str, script: str, days: tuple[str, str], flagged: set[str],
) -> None:  # fmt: skip
    path = ROOT / "examples" / "amendments" / f"{name}.rules"
    book = load(path).rulebook
    assert book is not None
    log = log_of(tmp_path / "log.jsonl", book.id, script, *days)
    _, report = call(capfd, "replay", log, "--rules", str(path))
    money = [f for f in report["findings"] if f["bet"] is not None]
    assert {f["round"] for f in money} == flagged
    engines = [Library([book]).engine_for(book, date.fromisoformat(day)) for day in days]
    texts = [engine.rulebook for engine in engines if engine]
    assert texts[0].amended_from is None
    assert texts[1].amended_from == date.fromisoformat(days[1])


def test_revoking_the_dealers_pontoon_is_said_where_it_is_cited() -> None:
    path = ROOT / "examples" / "amendments" / "canberra-dealer-pontoon.rules"
    loaded = load(path)
    book = loaded.rulebook
    assert book is not None
    assert book.before is not None
    assert "twenty-one-is-paid-first" in {r.name for r in book.before.readings}
    assert "twenty-one-is-paid-first" not in {r.name for r in book.readings}
    assert only(static_check(loaded, TODAY), "R201") == only(
        static_check(load(loaded.path), TODAY), "R201"
    )


def written_out(name: str, text: str) -> str:
    """The rulebook with the change of an example made in its own text, as a printer would."""
    if name == "new-zealand-odds":
        old = "hand.cards >= 7 and hand.total = 21                            -> 3 to 1"
        assert text.count(old) == 1
        return text.replace(old, old.replace("3 to 1", "5 to 2"))
    if name == "star-bands":
        assert text.count("and wager.stake <= $24") == 3
        return text.replace("and wager.stake <= $24", "and wager.stake < $25")
    start = text.index("  clause 14.1(g) ")
    text = text[:start] + text[text.index("  clause 14.1(h) ") :]
    start = text.index("reading twenty-one-is-paid-first ")
    return text[:start] + text[text.index("\nreading ", start) + 1 :]


def said(book: Rulebook) -> set[tuple[Any, ...]]:
    return {(r.clause, r.question, r.value, r.condition, r.interim, r.reading) for r in book.rules}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_an_example_is_the_text_written_out(tmp_path: Path, path: Path) -> None:
    new = text_of(load(path))
    text = shipped()[new.id].read_text(encoding="utf-8")
    edited = tmp_path / f"{new.id}.rules"
    edited.write_text(written_out(path.stem, text), encoding="utf-8")
    book = text_of(load(edited))
    assert said(new) == said(book)
    assert ids(new) == ids(book)
    assert new.precedence == book.precedence
    assert said(new) != said(text_of(load(shipped()[new.id])))
    assert new.before is not None
    assert said(new.before) == said(text_of(load(shipped()[new.id])))
