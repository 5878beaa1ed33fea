"""One flaw at a time in a small sound rulebook: `rulespec check` names it at its clauses.

Every flaw is planted in the file, and judged by what the command prints: status 1, the code, the
clauses, and a hand. In the sound text nothing is found.
"""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from checker.cli import main
from rulespec.load.load import shipped

SOUND = """\
rulebook corner { title "Pontoon" game pontoon in force from 2030-01-01 }
clause 1.1 "Numbers" { cards 2 to 9 count face }
clause 1.2 "Pictures" { cards J, Q, K count 10 }
clause 1.3 "Aces" { cards A count 1 or 11 }
clause 2.1 "Dealer draws" { dealer must draw when dealer.total <= 16 }
clause 2.2 "Dealer stands" { dealer must not draw when dealer.total >= 17 }
clause 3.1 "Higher" { main wins when hand.total > dealer.total and hand.total <= 21 }
clause 3.2 "Dealer over" { main wins when dealer.total > 21 and hand.total <= 21 }
clause 3.3 "Over" { main loses when hand.total > 21 }
clause 3.4 "Lower" { main loses when dealer.total > hand.total and dealer.total <= 21 }
clause 3.5 "Level" { main stands off when hand.total = dealer.total and hand.total <= 21 }
clause 4.1 "Odds" {
  main pays {
    hand.ranks = 6-7-8 and hand.suits = spades -> 3 to 1
    hand.ranks = 6-7-8 and hand.suits != spades -> 2 to 1
    otherwise -> 1 to 1
  }
}
clause 5.1 "Who may draw" { may draw when hand.total < 21 }
clause 5.2 "Standing" { may stand }
clause 5.3 "Doubling" { may double when hand.cards = 2 }
clause 6.1 "Insurance" { may insure when dealer.first = A }
clause 6.2 "Insurance won" { insurance wins when dealer.second in (J, Q, K) }
clause 6.3 "Insurance lost" {
  insurance loses when dealer.second != none and not dealer.second in (J, Q, K)
}
clause 6.4 "Insurance odds" { insurance pays 2 to 1 }
"""


def flaws(folder: Path, text: str) -> tuple[int, list[dict[str, Any]]]:
    path, report = folder / "corner.rules", folder / "report.json"
    path.write_text(text, encoding="utf-8")
    status = main(["check", str(path), "--format", "json", "--output", str(report)])
    found = json.loads(report.read_text(encoding="utf-8"))["findings"]
    return status, [f for f in found if f["severity"] != "note"]


Known = Callable[[str], set[tuple[str, ...]]]


@pytest.fixture(scope="module")
def known_in(tmp_path_factory: pytest.TempPathFactory) -> Known:
    """What is found in a shipped text that stands alone, without its clause list."""

    @cache
    def found(name: str) -> set[tuple[str, ...]]:
        text = shipped()[name].read_text(encoding="utf-8")
        told = flaws(tmp_path_factory.mktemp(name), text)[1]
        return {(f["code"], *f.get("about", ())) for f in told}

    return found


def clauses_of(finding: dict[str, Any]) -> set[str]:
    return {finding["clause"], *(other["clause"] for other in finding["related"])}


def planted(old: str, new: str) -> str:
    assert SOUND.count(old) == 1, old
    return SOUND.replace(old, new)


def test_the_sound_text_has_no_flaw(tmp_path: Path) -> None:
    assert flaws(tmp_path, SOUND) == (0, [])


@pytest.mark.parametrize(
    ("old", "new", "code", "clauses"),
    [
        ("hand.total > dealer.total and", "hand.total >= dealer.total and", "R310", "3.1 3.5"),
        (
            "wins when dealer.total > 21 and hand.total <= 21",
            "wins when dealer.total > 21",
            "R310",
            "3.2 3.3",
        ),
        ("dealer.total > 21 and", "dealer.total > 22 and", "R312", ""),
        (
            "hand.total = dealer.total and hand.total <= 21",
            "hand.total = dealer.total",
            "R310",
            "3.3 3.5",
        ),
        (
            "stands off when hand.total = dealer.total and hand.total <= 21",
            "stands off when hand.total = dealer.total and hand.total < 21",
            "R312",
            "",
        ),
        ("hand.suits != spades -> 2", "hand.suits != mixed -> 2", "R316", "4.1"),
        ("    otherwise -> 1 to 1\n", "", "R312", "4.1"),
        ("hand.suits = spades -> 3", "hand.suits = spades and hand.cards = 4 -> 3", "R313", "4.1"),
        ("dealer.total >= 17", "dealer.total >= 18", "R312", "2.1"),
        ("dealer.total >= 17", "dealer.total >= 16", "R310", "2.1 2.2"),
        ("not dealer.second in (J, Q, K)", "not dealer.second in (J, Q)", "R310", "6.2 6.3"),
        ("dealer.second in (J, Q, K) }", "dealer.second in (J, Q) }", "R312", ""),
        (
            "may draw when hand.total < 21",
            "subject to 9.9 may draw when hand.total < 21",
            "R201",
            "5.1",
        ),
    ],
)
def test_a_planted_flaw_is_found_at_its_clauses(
    tmp_path: Path, old: str, new: str, code: str, clauses: str
) -> None:
    status, found = flaws(tmp_path, planted(old, new))
    assert status == 1
    (one,) = [f for f in found if f["code"] == code]
    assert set(clauses.split()) <= clauses_of(one)
    if code in ("R310", "R312", "R316"):
        assert one["witness"]["play"]


def test_rows_that_clash_are_told_once_however_many_clauses_use_their_table(tmp_path: Path) -> None:
    uses = """
clause 8.1 "Paid at once" about payout { main pays as 4.1 when hand.total = 21 }
clause 8.2 "Split hands" about payout { main pays as 4.1 when hand.split }
"""
    overlap = planted("hand.suits != spades -> 2", "hand.suits != mixed -> 2")
    _, found = flaws(tmp_path, overlap + uses)
    (one,) = [f for f in found if f["code"] in ("R310", "R316")]
    assert (one["code"], clauses_of(one)) == ("R316", {"4.1"})


# --- in the shipped texts, beside what they accept


@pytest.mark.parametrize(
    ("name", "clause", "old", "new", "code"),
    [
        ("act-pontoon", "12.5", "dealer.pontoon and wager.part", "wager.part", "R310"),
        ("act-pontoon", "12.7", "14.4", "14.9", "R201"),
        ("act-pontoon", "12.7", "read as 14.2", "read as 14.3", "R202"),
        ("act-pontoon", "2.5(b)", "2 to 9", "2 to 8", "R312"),
        ("act-blackjack", "13.1(g)", "main stands off when", "main wins when", "R310"),
        ("nsw-star-pontoon", "13.5", "read as 12.5", "read as 12.4", "R202"),
        ("nsw-star-pontoon", "11.3", "read as 11.5", "read as 11.4", "R202"),
        ("nz-pontoon", "11.2#table", "in $2 to $24", "in $2 to $23", "R312"),
        ("nz-pontoon", "12.7", "dealer.pontoon and wager.part", "wager.part", "R310"),
        ("nz-pontoon", "16.6", "player.controls and hand.total >= 12", "player.controls", "R310"),
        ("nz-pontoon", "8.5", "must not draw when not", "must draw when not", "R310"),
        (
            "nsw-star-pontoon",
            "18.8",
            "must not void_round when misdealt and not",
            "must not void_round when not",
            "R310",
        ),
        ("sa-adelaide-pontoon", "95", "11 as wagers", "10 as wagers", "R202"),
        (
            "sa-adelaide-pontoon",
            "11",
            "hand.total = dealer.total",
            "hand.total >= dealer.total",
            "R310",
        ),
    ],
)
def test_no_acceptance_hides_another_flaw_at_its_clause(
    tmp_path: Path, known_in: Known, name: str, clause: str, old: str, new: str, code: str
) -> None:
    path = shipped()[name]
    text = path.read_text(encoding="utf-8")
    start = text.index(f"clause {clause} ")
    end = text.find("\n  clause ", start)
    assert old in text[start:end]
    changed = text[:start] + text[start:end].replace(old, new) + text[end:]
    known = known_in(name)
    status, found = flaws(tmp_path, changed)
    assert status == 1
    fresh = [f for f in found if (f["code"], *f.get("about", ())) not in known]
    assert any(f["code"] == code and clause in clauses_of(f) for f in fresh), fresh
