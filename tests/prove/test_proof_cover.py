"""What the proofs do not cover is said: in the report, and on the page about proofs."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checker.cli import main
from checker.prove.cover import NOT, SEARCHES, proof_cover, proofs_page, search_of
from checker.prove.prove import Prover
from checker.prove.words import searched
from checker.states.grid import NOT_MODELLED, modelled_in
from checker.table.mechanics import Mechanics
from rulespec.load.find import shipped
from rulespec.load.games import ordinary_game
from rulespec.load.load import load
from rulespec.resolve.rulebook import Rulebook
from tests.prove.test_prove_conduct import PLAIN_GAME
from tests.support import rulebook, with_boxes

FACTS = ordinary_game().facts


@pytest.fixture(params=with_boxes())
def book(request: pytest.FixtureRequest) -> Rulebook:
    found = load(shipped()[request.param]).rulebook
    assert found is not None
    return found


def test_the_page_is_made_from_the_code() -> None:
    page = Path(__file__).parent.parent.parent / "docs" / "proofs.md"
    assert page.read_text(encoding="utf-8") == proofs_page(), "run `make docs`"


def test_the_lists_name_facts_that_there_are() -> None:
    assert FACTS.keys() >= NOT_MODELLED
    assert modelled_in().keys() <= FACTS.keys()


def test_every_question_of_the_texts_is_searched_in_a_way_that_is_named(book: Rulebook) -> None:
    """What is left to the search over hands has one, and what is compared by words is not."""
    for rule in book.rules:
        search = search_of(rule.question)
        assert search in SEARCHES
        if search.contradictions == "words":
            assert not rule.question.startswith(searched(Mechanics(book.game)))
        elif search.contradictions != NOT:
            assert rule.question.startswith(searched(Mechanics(book.game)))


def test_every_clause_with_rules_is_among_some_questions(book: Rulebook) -> None:
    cover = proof_cover(book, {})
    told = {clause for clauses in cover.by_kind.values() for clause in clauses}
    assert told == {rule.clause for rule in book.rules}
    assert not told & set(cover.without_rules)


def resting(text: str, folder: Path) -> tuple[dict[str, list[str]], set[str]]:
    """The facts that are not varied with their clauses, and the codes of what is found."""
    book = rulebook(folder, PLAIN_GAME + text)
    proofs = Prover(book).run()
    return proof_cover(book, proofs.seen).not_varied, {
        p.code for p in proofs.found if "2" in [r.clause for r in p.rules]
    }


@pytest.mark.parametrize(
    ("rule", "fact"),
    [
        ("main pays 2 to 1 when player.boxes > 1", "player.boxes"),
        ("main loses when round.boxes > 3", "round.boxes"),
        ("main loses when wager.under_minimum and player.warned", "player.warned"),
        ("may not draw when hand.stood", "hand.stood"),
        ("may not insure when hand.split", "hand.split"),
        ("define early as round.boxes > 3 main loses when early", "round.boxes"),
    ],
)
def test_a_rule_that_rests_on_what_is_not_varied_is_named(
    rule: str, fact: str, tmp_path: Path
) -> None:
    """It is neither called dead nor needless, and no contradiction is made up."""
    fixed, codes = resting(f'clause 2 "x" {{ {rule} }}', tmp_path)
    assert "2" in fixed[fact]
    assert not codes & {"R310", "R312", "R313", "R314", "R315"}


def test_what_is_varied_is_not_named(tmp_path: Path) -> None:
    fixed, _ = resting('clause 2 "x" { main loses when hand.total = 20 and round.void }', tmp_path)
    assert "2" not in [clause for clauses in fixed.values() for clause in clauses]


# --- in the report


def shown(text: str, folder: Path, *options: str) -> str:
    path, output = folder / "corner.rules", folder / "report"
    path.write_text('rulebook corner { title "x" in force from 2030-01-01 }\n' + text, "utf-8")
    main(["check", str(path), "--output", str(output), *options])
    return output.read_text(encoding="utf-8")


TEXT = (
    PLAIN_GAME
    + """
clause 2.1 "Twice for many boxes" { main pays 2 to 1 when player.boxes > 1 }
clause 2.2 "Shuffle" { casino must shuffle when shoe.new }
clause 2.3 "Sight" { not checkable because "needs sight" cites 2.2 }
"""
)


def test_check_says_what_the_proofs_do_not_cover(tmp_path: Path) -> None:
    full = shown(TEXT, tmp_path, "--full")
    assert "  `player.boxes` is not varied: 2.1\n" in full
    assert "casino: compared by their words only, gaps not looked for: 2.2\n" in full
    assert "  1 clause is not checkable and so without rules" in full
    assert "a slip to the number beside it would not be noticed: 2.3 to 2.2\n" in full
    assert "is not varied" not in shown(TEXT, tmp_path)


def test_the_json_report_says_it_too(tmp_path: Path) -> None:
    def proofs(*options: str) -> Iterator[dict[str, Any]]:
        report = json.loads(shown(TEXT, tmp_path, "--format", "json", *options))
        yield report["summary"].get("proofs", {})

    (told,) = proofs()
    assert told["corner"]["facts_not_varied"] == {"player.boxes": ["2.1"]}
    assert told["corner"]["clauses_resting_on_them"] == ["2.1"]
    assert told["corner"]["not_searched_for_gaps"] == {
        "duties and powers of dealer and casino": ["2.2"]
    }
    assert told["corner"]["clauses_without_rules"] == ["2.3"]
    (again,) = proofs()
    assert again == told  # also when it is recalled
    assert list(proofs("--no-proofs")) == [{}]
