"""Words that a game leaves to the rulebook to define, and that no clause defines."""

from datetime import date
from pathlib import Path

import pytest

from checker.cli import main
from rulespec.checks.run import static_check
from rulespec.load.load import load

HEAD = 'rulebook example { title "Blackjack" game blackjack undated because "an example" }\n'
STAGE = """stage peek "the dealer looks" after insurance when dealer.first = A {
  dealer looks
  ends the round when dealer.pontoon
}
"""


def told(tmp_path: Path, text: str) -> list[tuple[str | None, str]]:
    path = tmp_path / "example.rules"
    path.write_text(HEAD + text, encoding="utf-8")
    found = static_check(load(path), date(2030, 1, 1))
    return [(d.clause, d.message) for d in found if d.code == "R232"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("main pays 3 to 2 when hand.pontoon", "no clause defines `hand.pontoon`: it never holds"),
        (
            "casino must report when round.super_bonus",
            "no clause defines `wager.super_bonus`, on which `round.super_bonus` rests: it never "
            "holds",
        ),
        (
            "at settlement require dealer.pontoon",
            "no clause defines `dealer.pontoon`: it never holds",
        ),
    ],
)
def test_a_word_that_no_clause_defines(tmp_path: Path, text: str, message: str) -> None:
    assert told(tmp_path, f'clause 5 "a" {{ {text} }}') == [("5", message)]


def test_a_stage_asks_too(tmp_path: Path) -> None:
    assert [clause for clause, _ in told(tmp_path, STAGE)] == [None]


@pytest.mark.parametrize("word", ["hand", "dealer"])
def test_a_definition_is_enough(tmp_path: Path, word: str) -> None:
    define = f'clause 1 "natural" {{ define {word}.pontoon as {word}.total = 21 }}'
    assert told(tmp_path, STAGE + define) == []


def test_what_holds_for_the_dealer_alone_is_seen_by_a_stage(tmp_path: Path) -> None:
    """No clause but the stage asks for the word."""
    text = (
        STAGE
        + """deal {
  each box 1 up
  dealer 1 up
  each box 1 up
  dealer 1 down
}
clause 1 "Nothing after a natural" { at deal require not round.over }
clause 2 "Natural" { define dealer.pontoon as dealer.cards = 2 and dealer.total = 21 }
clause 3 "Values" {
  cards 2 to 10 count face
  cards J, Q, K count 10
  cards A count 1 or 11
}
clause 4 "Drawing" { may draw, stand }
"""
    )
    path = tmp_path / "example.rules"
    path.write_text(HEAD + text, encoding="utf-8")
    (tmp_path / "example.scenarios.yaml").write_text(
        """rulebook: example
scenarios:
- name: no card after the natural
  play: |
    bet 1 P1 10
    deal 1:9H 0:AD 1:2S 0:KD:down
    peek
    1 P1 hit KC
  breaches: ["1"]
""",
        encoding="utf-8",
    )
    assert main(["test", str(path)]) == 0
