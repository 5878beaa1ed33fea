"""Commands that are given an amendment."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from rulespec.load.load import shipped
from rulespec.syntax.printer import format_text
from tests.resolve.amend_support import EVENS, NOTES, amend, call, ids, log_of

WON = "bet 1 P1 10\ndeal 1:KH 0:9D 1:9C\n1 P1 stand\ndealer 8S\nsettle 1 P1 main {}"


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
    from rulespec.load.named import load_one

    amended(amend("revoke clause 2.1(c)"))
    for day, there in (("2024-12-31", True), ("2025-01-01", False)):
        book, found = load_one(f"{tmp_path}/amendment-1.rules@{day}")
        assert found == []
        assert book is not None
        assert book.loaded.rulebook is not None
        assert ("2.1(c)" in ids(book.loaded.rulebook)) is there


def test_a_folder_is_one_text_and_a_file_is_that_file(amended: Any, tmp_path: Path) -> None:
    from rulespec.load.named import load_named

    amended(amend(EVENS), amend("revoke clause 2.1(c)", day="2026-01-01"))
    (book,), _ = load_named([str(tmp_path)])
    assert book.loaded.rulebook.amended_from == date(2026, 1, 1)  # type: ignore[union-attr]
    (book,), _ = load_named([str(tmp_path / "corner.rules")])
    assert book.loaded.rulebook.amended_from is None  # type: ignore[union-attr]


def test_an_amendment_among_the_shipped_rulebooks_belongs_to_its_id(
    amended: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rulespec.load import find
    from rulespec.load.named import load_named

    amended(amend(EVENS))
    monkeypatch.setattr(find, "folder", lambda name: tmp_path)
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
        '# invented\namend corner { title "A" in force from 2025-01-01 # the day\n'
        'revoke clause 2.1,2.3 # gone\nreplace clause 2.2 "R" { main wins when hand.cards=2\n'
        "# why\nmain pays { hand.cards=2->3 to 2 otherwise->1 to 1 } }\n"
        'insert clause 2.4 "O" after 2.2 about payout { may draw }\n'
        'insert section 3 "S" after 2 { applies when hand.cards=2\n'
        'clause 3.1 "C" { may stand } }\n'
        'revoke section 1 revoke reading ties accept R201 because "x" }\n'
    )
    laid_out, wrong = format_text(text)
    assert wrong == []
    assert (
        laid_out
        == """\
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
    )
    assert format_text(laid_out) == (laid_out, [])
