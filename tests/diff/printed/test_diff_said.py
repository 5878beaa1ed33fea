"""What changed is said, also where it has no effect: what hides it, and as it was printed."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from checker.cli import main
from checker.diff.by_name import diff_by_name
from checker.diff.diff import Difference, diff
from checker.render.diff_html import diff_html
from checker.render.diff_markdown import diff_markdown
from checker.render.diff_text import diff_text
from checker.render.lines import View, plain
from rulespec.load.load import shipped
from tests.diff.diff_support import book, changed, text_of, written

GAME = """
rulebook small { title "Small" in force from 2020-01-01 }
clause 1 "Values" {
  cards 2 to 9 count face
  cards T, J, Q, K count 10
  cards A count 1 or 11
}
clause 2 "Dealer" {
  dealer must draw when dealer.total <= 16
  dealer must not draw when dealer.total >= 17
}
clause 3 "Player" { may draw when hand.total < 21 may stand may double when hand.cards = 2 }
clause 4 "Results" {
  main wins when hand.total <= 21 and (dealer.total > 21 or hand.total > dealer.total)
  main loses when hand.total > 21 or (dealer.total <= 21 and hand.total < dealer.total)
  main stands off when hand.total <= 21 and hand.total = dealer.total
}
clause 5 "Odds" { main pays 1 to 1 }
"""


def in_one(text: str, clause: str, was: str, becomes: str) -> str:
    """A text with words of one clause changed, whatever other clauses say."""
    found = re.search(rf"clause {re.escape(clause)} .*?(?=\n *clause |\Z)", text, re.S)
    assert found is not None
    return text.replace(found[0], changed(found[0], (was, becomes)))


def hidden(found: Difference) -> dict[str, list[str]]:
    told: dict[str, list[str]] = {}
    for owner, line in found.structure.without_effect:
        told.setdefault(owner, []).append(line.hidden)
    return told


def between(tmp_path: Path, old: str, new: str) -> Difference:
    return diff(written(tmp_path, old, "old.rules"), written(tmp_path, new, "new.rules"))


# --- what hides a rule


def test_copies_of_a_table_hide_what_changed_in_it(tmp_path: Path) -> None:
    band = "super_bonus pays $5,000 when wager.super_bonus and wager.stake >= $25"
    old = (
        GAME
        + f"""
clause 6.1 "Who wins" {{ define wager.super_bonus as hand.ranks = 7-7-7 }}
clause 6.2 "Bonus" {{ {band} }}
clause 7 "Paid early" {{ {band} }}
clause 8 "Paid late" {{ {band} }}
"""
    )
    found = between(tmp_path, old, in_one(old, "6.2", "stake >= $25", "stake > $25"))
    assert found.same_meaning
    assert hidden(found) == {"6.2": ["`7` and `8` say the same as before"]}
    (change,) = found.structure.changes
    (line,) = change.lines
    assert (change.effect, line.effect) == (False, False)
    assert (line.was, line.becomes) == (band, band.replace(">=", ">"))


def test_a_table_that_is_used_and_not_copied_has_an_effect(tmp_path: Path) -> None:
    table = (
        GAME
        + """
clause 6 "Bonus" {
  define wager.super_bonus as hand.ranks = 7-7-7
  super_bonus pays $10 when wager.super_bonus and wager.stake >= $25
}
clause 7 "Paid early" { super_bonus pays as 6 }
"""
    )
    found = between(tmp_path, table, table.replace("stake >= $25", "stake > $25"))
    (one,) = found.classes
    assert (one.was.text, one.becomes.text) == ("$10", "no clause says")
    (change,) = found.structure.changes
    assert (change.clause, change.effect) == ("6", True)


@pytest.mark.parametrize(
    ("clause", "was", "becomes", "owner", "why"),
    [
        # beaten on every hand
        (
            'clause 6 "Six" { despite 5 main pays 2 to 1 } '
            'clause 7 "Seven" { subject to 6 main pays 3 to 2 when hand.soft }',
            "pays 3 to 2",
            "pays 5 to 2",
            "7",
            "`6` prevails over it on every hand that it covers",
        ),
        # settled before
        (
            'clause 6 "Six" { interim main wins when hand.total = 21 } '
            'clause 7 "Seven" { main loses when hand.total = 21 and dealer.total = 20 }',
            "dealer.total = 20",
            "dealer.total = 19",
            "7",
            "`6` settles such a hand before",
        ),
        # never met
        (
            'clause 6 "Six" { main pays 9 to 1 when hand.total = 21 and hand.hard_total = 4 }',
            "9 to 1",
            "8 to 1",
            "6",
            "no winning hand meets its condition",
        ),
        # the same in other words
        (
            'clause 6 "Six" { may split when hand.cards = 2 and hand.total < 20 }',
            "hand.total < 20",
            "hand.total <= 19",
            "6",
            "no hand tells the two wordings apart",
        ),
        # another clause requires as much
        (
            'clause 6 "Six" { at round require round.decks <= 6 } '
            'clause 7 "Seven" { at round require round.decks <= 8 }',
            "<= 8",
            "<= 7",
            "7",
            "`6` requires as much",
        ),
        # a term that nobody asks for
        (
            'clause 6 "Six" { define long as hand.cards > 4 }',
            "> 4",
            "> 5",
            "6",
            "no rule asks for it",
        ),
        # a scope without a rule
        (
            'clause 6 "Six" { applies when option low_limit introduces its parts }',
            "low_limit",
            "resplit",
            "6",
            "no rule stands under it",
        ),
        # an order between clauses that never meet
        (
            'clause 6 "Six" { despite 5 main settles at once }',
            "despite 5 ",
            "",
            "6",
            "`6` and `5` answer no question in common",
        ),
        (
            'clause 6 "Six" { despite 5 main pays 1 to 1 when hand.soft }',
            "despite 5 ",
            "",
            "6",
            "no case brings `6` into conflict with `5`",
        ),
    ],
)
def test_what_hides_a_change_is_named(
    tmp_path: Path, clause: str, was: str, becomes: str, owner: str, why: str
) -> None:
    old = GAME + clause
    found = between(tmp_path, old, changed(old, (was, becomes)))
    assert found.same_meaning
    assert hidden(found) == {owner: [why]}


def test_a_rule_taken_out_that_another_clause_repeats(tmp_path: Path) -> None:
    old = GAME + 'clause 6 "Again" { main pays 1 to 1 }'
    found = between(tmp_path, old, GAME)
    assert found.same_meaning
    assert hidden(found) == {"6": ["`5` says the same"]}


def test_only_what_has_no_effect_is_called_so(tmp_path: Path) -> None:
    """Of two changes to one clause, one counts and one does not."""
    old = GAME + 'clause 6 "Six" { despite 5 main pays 2 to 1 when hand.soft may split }'
    new = changed(old, ("2 to 1", "5 to 2"), ("may split", "may split when hand.cards <= 21"))
    found = between(tmp_path, old, new)
    (change,) = found.structure.changes
    assert change.effect is True
    assert {x.becomes: x.effect for x in change.lines} == {
        "main pays 5 to 2 when hand.soft": True,
        "may split when hand.cards <= 21": False,
    }


def test_a_condition_on_a_section_is_part_of_the_comparison(tmp_path: Path) -> None:
    section = 'section 9 "Side bet" { applies when option perfect_pairs %s }'
    rule = 'clause 9.1 "Six" { main pays 2 to 1 when hand.soft despite 5 }'
    old, new = GAME + section % rule, GAME + (section % rule).replace("perfect_pairs", "low_limit")
    found = between(tmp_path, old, new)
    assert found.classes
    ((called, one),) = found.structure.others
    assert (called, one.name, one.kind) == ("section", "9", "changed")
    (line,) = one.lines
    assert (line.what, line.effect) == ("scope", True)
    assert (line.was, line.becomes) == (
        "applies when option perfect_pairs",
        "applies when option low_limit",
    )


# --- what is printed otherwise


def test_references_are_shown_as_they_were_and_become(tmp_path: Path) -> None:
    text = text_of("nsw-star-pontoon")
    new = in_one(text, "11.2.1", "cites 10.5 as payout", "cites 10.6 as payout")
    found = diff(book("nsw-star-pontoon"), written(tmp_path, new))
    assert found.same_meaning
    (change,) = found.structure.changes
    (line,) = change.lines
    assert (change.kind, change.clause, line.what) == ("reworded", "11.2.1", "reference")
    was, becomes = (f"cites {n} as payout read as 11.5" for n in ("10.5", "10.6"))
    assert (line.was, line.becomes) == (was, becomes)
    shown = (
        plain(diff_text(found, View())),
        diff_html(found),
        diff_markdown(found).replace("\\", ""),
        json.dumps(found.structure.as_json()),
    )
    for out in shown:
        assert was in out
        assert becomes in out
        assert "as it stood" not in out


def test_terms_readings_and_acceptances_are_shown_too(tmp_path: Path) -> None:
    old = (
        GAME
        + """
clause 6 "Words" { defines "Soft hand" uses "Dealer" main settles at the end }
reading early { because "it is paid before the next round" under 6: main settles at once }
accept R208 at 6 because "known"
"""
    )
    new = changed(
        old,
        ('"Soft hand"', '"Soft total"'),
        ("it is paid before the next round", "usage"),
        ('because "known"', 'because "confirmed"'),
    )
    found = between(tmp_path, old, new)
    assert found.same_meaning
    (change,) = found.structure.changes
    assert [(x.what, x.was, x.becomes) for x in change.lines] == [
        ("term", 'defines "Soft hand"', 'defines "Soft total"')
    ]
    told = {
        called: [(x.was, x.becomes) for x in one.lines] for called, one in found.structure.others
    }
    assert told == {
        "reading": [("it is paid before the next round", "usage")],
        "acceptance": [
            ('accept R208 at 6 because "known"', 'accept R208 at 6 because "confirmed"')
        ],
    }


def test_a_reading_that_is_no_longer_applied(tmp_path: Path) -> None:
    old = (
        GAME
        + """
clause 6 "Six" { main pays 2 to 1 when hand.soft }
reading six { because "the special rule" 6 prevails over 5 }
"""
    )
    found = between(tmp_path, old, changed(old, ("reading six {", "reading six inactive {")))
    (one,) = found.classes
    assert one.becomes.text == "wins, clauses clash: 1 to 1 or 2 to 1"
    ((_, reading),) = found.structure.others
    assert [(x.was, x.becomes, x.effect) for x in reading.lines] == [
        ("6 prevails over 5", "", True),
        ("applied", "not applied", None),
    ]


# --- days


def dated(folder: Path, old: str, new: str) -> Difference:
    for name, text in (("old", old), ("new", new)):
        (folder / f"{name}.rules").write_text(text, encoding="utf-8")
    found = diff_by_name(str(folder / "old.rules"), str(folder / "new.rules")).difference
    assert found is not None
    return found


def test_a_hole_in_the_dates_of_a_clause(tmp_path: Path) -> None:
    clause = 'clause 5 "Odds" { main pays 1 to 1 }'
    new = changed(
        GAME,
        (
            clause,
            """
clause 5 "Odds" { in force from 2020-01-01 until 2021-01-01 main pays 1 to 1 }
clause 5 "Odds" { in force from 2021-03-01 main pays 1 to 1 }""",
        ),
    )
    found = dated(tmp_path, GAME, new)
    told = {c.code: (c.was.text, c.becomes.text, c.circumstances) for c in found.classes}
    days = ("the day is from 2021-01-01 until 2021-03-01",)
    assert told == {
        "R608": ("in force", "not in force", days),
        "R602": ("wins at 1 to 1", "wins, no clause says at what odds", days),
    }
    ((called, one),) = found.structure.others
    assert (called, one.name) == ("dates of", "5")
    assert one.lines[0].becomes == (
        "in force from 2020-01-01 until 2021-01-01 and from 2021-03-01; "
        "not in force from 2021-01-01 until 2021-03-01"
    )
    assert "as it stood" not in plain(diff_text(found, View()))


def test_what_an_earlier_version_says_is_compared(tmp_path: Path) -> None:
    """In the end both texts say the same; before that they do not."""
    clause = 'clause 5 "Odds" { main pays 1 to 1 }'
    new = changed(
        GAME,
        (
            clause,
            """
clause 5 "Odds" { in force from 2020-01-01 until 2021-01-01 main pays 2 to 1 }
clause 5 "Odds" { in force from 2021-01-01 main pays 1 to 1 }""",
        ),
    )
    (one,) = dated(tmp_path, GAME, new).classes
    assert (one.was.text, one.becomes.text) == ("wins at 1 to 1", "wins at 2 to 1")
    assert one.circumstances == ("the day is from 2020-01-01 until 2021-01-01",)
    assert dated(tmp_path, new, new).same_meaning


def test_another_day_on_which_a_clause_begins(tmp_path: Path) -> None:
    text = text_of("nsw-star-pontoon")
    new = in_one(text, "6.1", "in force from 2024-08-19", "in force from 2024-08-20")
    found = dated(tmp_path, text, new)
    shown = [c for c in found.classes if c.code == "R608"]
    assert [(c.question, c.circumstances) for c in shown] == [
        ("in force 6.1", ("the day is from 2024-08-19 until 2024-08-20",))
    ]


# --- what the texts are called


def test_the_heading_names_the_amendment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("checker.diff.by_name.diff_by_name", cache(diff_by_name))
    amendment = Path(__file__).parents[3] / "examples/amendments/star-bands.rules"
    call = ["diff", "nsw-star-pontoon", str(amendment)]
    title = "nsw-star-pontoon → nsw-star-pontoon as amended by invented order no. 1 (2025-03-01)"
    for format_ in ("markdown", "html"):
        assert main([*call, "--format", format_]) == 1
        assert title in capsys.readouterr().out
    main(call)
    assert "as amended from 2025-03-01 by invented order no. 1" in capsys.readouterr().out
    main([*call, "--format", "json"])
    told = json.loads(capsys.readouterr().out)["summary"]["new"]
    assert told["amendments"] == [
        {
            "title": "Pontoon: bands of the Super Bonus",
            "instrument": "invented order no. 1",
            "in_force_from": "2025-03-01",
        }
    ]


def test_the_heading_tells_two_files_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = tmp_path / "draft.rules"
    new.write_text(shipped()["act-pontoon"].read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["diff", "act-pontoon", str(new), "--format", "markdown"]) == 0
    first = capsys.readouterr().out.splitlines()[0].replace("\\", "")
    assert first == f"## act-pontoon → act-pontoon ({new})"


@pytest.mark.parametrize("format_", ["text", "markdown", "html", "json"])
def test_a_text_that_is_not_there_is_no_fault_of_the_tool(
    format_: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", "act-pontoon", "missing.rules", "--format", format_]) == 2
    assert "missing.rules" in capsys.readouterr().out
