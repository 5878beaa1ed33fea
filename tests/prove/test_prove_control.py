"""Who decides for a box: exactly one player, whoever sits there and whatever the wagers are."""

from pathlib import Path

import pytest

from checker.prove.findings import proof_findings
from checker.prove.prove import Prover
from tests.support import rulebook

SEATED = (
    'clause 6.1 "Seated" { may decide when player.seated\n'
    "  may not decide when player.someone_seated and not player.seated }\n"
)
HIGHEST = (
    'clause 6.2 "Highest" { may decide when not player.someone_seated'
    " and player.highest_stake and not player.equal_stakes }\n"
)
ALL_EQUAL = (
    'clause 6.3 "Equal" { may decide when not player.someone_seated'
    " and player.equal_stakes and player.first_on_box }\n"
)
NEAREST = 'clause 6.3 "Nearest" { may decide when not player.someone_seated and player.controls }\n'


def gaps(folder: Path, text: str) -> list[str]:
    book = rulebook(folder, text)
    found = proof_findings(book, Prover(book).run({"player decide"}))
    return [d.message.partition(":")[0] for d in found]


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        (SEATED, ["with nobody seated"]),
        (
            SEATED + HIGHEST,
            [
                "with nobody seated, all wagers equal",
                "with nobody seated, several wagers equally high",
            ],
        ),
        (SEATED + HIGHEST + ALL_EQUAL, ["with nobody seated, several wagers equally high"]),
        (SEATED + NEAREST, []),
        (
            HIGHEST.replace("not player.someone_seated and ", "")
            + ALL_EQUAL.replace("not player.someone_seated and ", ""),
            [
                "with nobody seated, several wagers equally high",
                "with one of them seated, several wagers equally high",
            ],
        ),
        ('clause 6.1 "x" { may not decide when not player.seated }', ["with nobody seated"]),
        (
            'clause 6.1 "x" { may not decide when player.someone_seated and not player.seated }',
            ["with nobody seated"],
        ),
    ],
    ids=["only a seat", "no tie", "two tie", "as recorded", "no seat", "bans", "free"],
)
def test_cases_without_one_player_who_decides(
    tmp_path: Path, text: str, missing: list[str]
) -> None:
    wanted = [f"no clause says who decides for a box {where}" for where in missing]
    assert sorted(gaps(tmp_path, text)) == sorted(wanted)


def test_a_case_is_shown_by_a_box_and_named_by_what_it_is(tmp_path: Path) -> None:
    book = rulebook(tmp_path, SEATED + HIGHEST + ALL_EQUAL)
    (found,) = proof_findings(book, Prover(book).run({"player decide"}))
    assert (found.code, found.clause) == ("R312", "6.1")
    assert found.witness is not None
    assert found.witness["play"].count("bet 1 P") == 3
    assert found.about[0] == "with nobody seated, several wagers equally high"
    assert found.about[1].startswith("3 states ")
    assert not found.settled


def test_it_is_told_at_the_clause_that_says_most_of_who_decides(tmp_path: Path) -> None:
    passing_on = 'clause 5.9 "Passed on" { may decide when player.next_in_line }\n'
    book = rulebook(tmp_path, passing_on + SEATED)
    (found,) = proof_findings(book, Prover(book).run({"player decide"}))
    assert found.clause == "6.1"


def test_a_reading_may_say_who_decides(tmp_path: Path) -> None:
    reading = (
        'reading first { because "the first wager lies nearest"\n'
        "  under 6.1: may decide when not player.someone_seated and player.first_on_box }\n"
    )
    book = rulebook(tmp_path, SEATED + reading)
    (found,) = proof_findings(book, Prover(book).run({"player decide"}))
    assert found.settled
    assert any("settled by reading first" in r.role for r in found.related)
