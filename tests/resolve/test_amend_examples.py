"""The amendments that ship as examples."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from checker.check import check
from checker.replay.replay import Library
from rulespec.checks.run import static_check
from rulespec.load.load import load, shipped
from rulespec.resolve.rulebook import Rulebook
from rulespec.syntax.printer import format_text
from tests.resolve.amend_support import TODAY, call, ids, log_of, text_of
from tests.support import only

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = sorted((ROOT / "examples" / "amendments").glob("*.rules"))


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
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    name: str,
    script: str,
    days: tuple[str, str],
    flagged: set[str],
) -> None:
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
        assert text.count("and wager.stake <= $24") == 1
        return text.replace("and wager.stake <= $24", "and wager.stake < $25")
    start = text.index("  clause 14.1(g) ")
    text = text[:start] + text[text.index("  clause 14.1(h) ") :]
    start = text.index("accept R310 at 14.1(g) ")
    text = text[:start] + text[text.index("\naccept ", start) + 1 :]
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
