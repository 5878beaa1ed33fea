"""The names of questions are made and taken apart in one place."""

from __future__ import annotations

import re
from pathlib import Path

from rulespec.load.load import load, shipped
from rulespec.resolve import question as q


def test_what_is_made_can_be_taken_apart() -> None:
    assert q.term_asked(q.defining("hand.pontoon")) == "hand.pontoon"
    assert q.moment_asked(q.requiring("round")) == "round"
    assert q.rank_asked(q.value_of_card("A")) == "A"
    assert q.bet_and_what(q.about_bet("main", "odds")) == ("main", "odds")
    assert q.asks_about_bet(q.about_bet("main", "odds"), "result", "odds")
    assert not q.asks_about_bet(q.about_bet("main", "odds"), "result")


def test_every_question_of_the_rulebooks_is_of_one_kind() -> None:
    for path in shipped().values():
        book = load(path).rulebook
        assert book is not None
        for rule in book.rules:
            one = rule.question
            kinds = [q.is_definition(one), q.is_requirement(one), q.is_card_value(one)]
            kinds.append("." in one and " " not in one)
            assert sum(kinds) <= 1, one
            assert any(kinds) or all(q.actor_and_act(one)), one


def test_nobody_else_takes_a_question_apart() -> None:
    taken = re.compile(
        r"""question\.startswith\(\(*"(define|require|card value|player|dealer|casino) "|"""
        r"""question\.(r?partition|r?split|removeprefix|removesuffix)\(|"""
        r"""["'][. ]["'] (not )?in (\w+\.)?question\b"""
    )
    root = Path(__file__).parent.parent.parent
    found = {
        str(path.relative_to(root))
        for package in ("rulespec", "checker")
        for path in (root / package).rglob("*.py")
        if path.name != "question.py" and taken.search(path.read_text("utf-8"))
    }
    assert found == {
        "checker/prove/findings.py",  # what the names of neighbours have in common
        "checker/replay/saved_trees.py",  # answers to several questions at once
    }


def test_questions_are_made_here() -> None:
    """But for those that are read back from data, by their names."""
    root = Path(__file__).parent.parent.parent
    found = {
        str(path.relative_to(root))
        for package in ("rulespec", "checker")
        for path in (root / package).rglob("*.py")
        if path.name != "question.py" and re.search(r"\bQuestion\(", path.read_text("utf-8"))
    }
    assert found == {
        "checker/columns/rules/looked_at.py",  # the questions of the columns, of which each is one
        "checker/compare/probes.py",  # the rows of a comparison
        "checker/evaluate/hand_draws.py",  # none: the drawing ends here
        "checker/replay/saved_trees.py",  # answers of an earlier run
    }
